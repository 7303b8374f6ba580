// SPDX-License-Identifier: Apache-2.0
//
// Models and data in other scalars than double.
#include <corten/compile/set_const.hpp>
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"
#include "../support/near.hpp"

using namespace corten;
using support::near;
using support::near_relative;

namespace {

const char* const tree = R"(
<mujoco>
  <worldbody>
    <body pos="0 0 1">
      <freejoint/>
      <geom type="box" size="0.2 0.1 0.05"/>
      <body pos="0.2 0 0"><joint axis="0 1 0"/><geom size="0.1" pos="0.1 0 0"/></body>
    </body>
  </worldbody>
</mujoco>)";

}  // namespace

TEST_CASE("set_const in single precision", "[scalar][set_const]") {
  const Model<double> m = support::parse(tree);
  Model<float> single = cast<float>(m);
  set_const(single);
  const auto close = [](const List<double>& a, const List<float>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(near_relative(double(b[i]), a[i], 1e-4));
  };
  close(m.dof_M0, single.dof_M0);
  close(m.dof_invweight0, single.dof_invweight0);
  close(m.body_invweight0, single.body_invweight0);
  close(m.dof_length, single.dof_length);
}

TEST_CASE("set_const carries derivatives in the masses", "[scalar][set_const][dual]") {
  using D = Dual<double, 8>;
  const Model<double> m = support::parse(tree);
  Model<D> dual = cast<D>(m);
  dual.body_mass[2] = D(m.body_mass[2], 0);
  set_const(dual);

  const double h = 1e-6;
  Model<double> plus = m, minus = m;
  plus.body_mass[2] += h;
  minus.body_mass[2] -= h;
  set_const(plus);
  set_const(minus);
  for (std::size_t i = 0; i < m.body_invweight0.size(); ++i) {
    const double slope = (plus.body_invweight0[i] - minus.body_invweight0[i]) / (2 * h);
    CHECK(near(dual.body_invweight0[i].v[0], slope, 1e-6));
  }
  CHECK(dual.body_subtreemass[0].v[0] == 1);
  CHECK(near(dual.stat.meanmass.v[0], 1.0 / (m.n.nbody - 1), 1e-12));
}

TEMPLATE_TEST_CASE("data of every scalar starts at the reference pose", "[scalar][data]", float,
                   (Dual<double, 8>)) {
  const Model<double> model = support::load("flags");
  Data<TestType> data(model);
  data.qvel()[0] = TestType(3);
  data.time() = TestType(1);
  data.reset(model);
  CHECK(data.qvel()[0] == TestType(0));
  CHECK(data.time() == TestType(0));
  for (int i = 0; i < model.n.nq; ++i) {
    CHECK(value(data.qpos()[std::size_t(i)]) == value_t<TestType>(model.qpos0[std::size_t(i)]));
  }
}

TEST_CASE("a body by name carries derivatives", "[scalar][data]") {
  using D = Dual<double, 8>;
  const Model<double> model = support::parse(tree);
  Data<D> data(model);
  data.qvel()[0] = D(0.5, 3);
  REQUIRE(forward(model, data).ok());
  const Vec3<D> velocity = data.body(model, 1).value().velocity();
  CHECK(value(velocity[0]) == 0.5);
  CHECK(velocity[0].v[3] == 1);
  CHECK(velocity[1].v[3] == 0);
}

TEST_CASE("a model casts to other scalars and back", "[model]") {
  const Model<double> model = support::load("joints");
  const Model<float> single = cast<float>(model);
  const Model<Dual<double, 8>> dual = cast<Dual<double, 8>>(model);
  const Model<double> back = cast<double>(dual);
  CHECK(back.body_mass == model.body_mass);
  CHECK(back.jnt_type == model.jnt_type);
  CHECK(back.opt.gravity == model.opt.gravity);
  CHECK(back.names.body == model.names.body);
  CHECK(single.body_mass[1] == float(model.body_mass[1]));
  CHECK(single.opt.timestep == float(model.opt.timestep));
}
