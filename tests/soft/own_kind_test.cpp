// SPDX-License-Identifier: Apache-2.0
//
// A constraint of one's own in a soft body, given by its value only.

#include "support/model.hpp"
#include "support/near.hpp"

#include <cmath>

namespace {

using corten::Vec3;

// the height of the middle of three vertices above the line between the others
struct Height {
  static constexpr corten::SoftConstraint type = corten::user_soft(0);
  static constexpr const char* name = "height";
  static constexpr int vertices = 3;
  template <class S>
  static S value(const Vec3<S> (&x)[3]) {
    return x[1][2] - S(0.5) * (x[0][2] + x[2][2]);
  }
};

// only what the test needs, so that it compiles quickly
struct Small : corten::Policies<corten::Softs<corten::Chain, Height>, corten::Joints<corten::Free>,
                                corten::Geoms<corten::Plane, corten::Sphere>,
                                corten::Integrators<corten::Integrator::euler>,
                                corten::Solvers<corten::Solver::newton>> {};

}  // namespace

TEST_CASE("a constraint of the user's own holds, with a gradient from duals", "[soft]") {
  corten::Spec spec;
  corten::spec::Soft& chain = spec.softs.emplace_back();
  chain.type = corten::SoftType::chain;
  chain.count = {3};
  chain.spacing = {0.1};
  chain.young = 1e5;
  chain.bending = 1e-6;
  chain.pin = corten::List<int>{0, 2};
  chain.iterations = 10;
  corten::spec::Soft::Edge& own = chain.edges.emplace_back();
  own.type = Height::type;
  own.vertex = corten::List<int>{0, 1, 2};
  own.rest = 0.03;
  own.stiffness = 1e7;
  const auto model = corten::compile(spec).value();
  const auto m = corten::bind<Small>(model);
  if (!m) FAIL(m.error().to_string());
  corten::Data<double> data(model);
  for (int i = 0; i < 100; ++i) REQUIRE(corten::step(*m, data).ok());
  CHECK(support::near(data.soft_pos()[5], 0.03, 1e-3));
  // bodies and constraints that are not listed are refused by name
  const auto other = corten::bind<corten::Policies<corten::Softs<corten::Cloth>>>(model);
  REQUIRE(!other);
  CHECK(other.error().to_string().find("is chain; the policies list cloth") != std::string::npos);
}
