// SPDX-License-Identifier: Apache-2.0
//
// The constraints of soft bodies against closed forms: gradients against duals, one projection, and
// materials against formulas of mechanics.

#include <corten/soft/contact.hpp>
#include <corten/soft/xpbd.hpp>

#include "support/model.hpp"
#include "support/near.hpp"

#include <cmath>
#include <string>
#include <type_traits>

namespace {

using corten::Dual;
using corten::Field;
using corten::Vec3;
using support::near;
using support::near_relative;

// the area of a triangle, a kind that gives its value only
struct Area {
  [[maybe_unused]] static constexpr corten::SoftConstraint type = corten::user_soft(0);
  [[maybe_unused]] static constexpr const char* name = "area";
  static constexpr int vertices = 3;
  template <class S>
  static S value(const Vec3<S> (&x)[3]) {
    return S(0.5) * corten::norm(corten::cross(Vec3<S>(x[1] - x[0]), Vec3<S>(x[2] - x[0])));
  }
};

template <class Kind>
void check_gradient(std::uint64_t seed) {
  constexpr int n = Kind::vertices;
  constexpr auto size = std::size_t(n);
  using D = Dual<double, 3 * n>;
  support::Random random(seed);
  Vec3<D> x[size], g[size];
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) x[i][k] = D(random(), 3 * i + k);
  }
  const D c = corten::detail::soft_gradient<Kind, D>(x, g);
  Vec3<double> sum = Vec3<double>::Zero();
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) {
      CHECK(near_relative(g[i][k].a, c.v[3 * i + k], 1e-12, 1));
      sum[k] += g[i][k].a;
    }
  }
  for (int k = 0; k < 3; ++k) CHECK(near(sum[k], 0, 1e-12));  // no force as a whole
}

// vertices and inverse masses of one constraint
template <class S, std::size_t N>
struct Points {
  S x[3 * N], x0[3 * N], w[N], lambda = S(0);

  template <class Kind>
  void project(S rest, S compliance, S viscosity = S(0)) {
    int vert[N];
    for (std::size_t i = 0; i < N; ++i) vert[i] = int(i);
    corten::detail::project<Kind>(vert, rest, compliance, viscosity, lambda, Field<S>{x},
                                  Field<S>{x0}, Field<S>{w});
  }
};

}  // namespace

TEMPLATE_TEST_CASE("gradients of soft constraints are their derivatives", "[soft][004-11.9]",
                   corten::SoftDistance, corten::SoftDihedral, corten::SoftBend, corten::SoftVolume,
                   corten::SoftStretch, corten::SoftShear, corten::SoftTwist, Area) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) check_gradient<TestType>(seed);
}

TEST_CASE("values of soft constraints are those of geometry", "[soft][004-11.9]") {
  using V = Vec3<double>;
  const V o(0, 0, 0), x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  V g4[4], g3[3], g2[2];
  const V edge[2] = {o, V(3, 4, 0)};
  CHECK(corten::SoftDistance::gradient(edge, g2) == 5);
  const V tetrahedron[4] = {o, x, y, z};
  CHECK(near(corten::SoftVolume::gradient(tetrahedron, g4), 1.0 / 6, 1e-15));
  const V flat[4] = {o, x, y, -y}, right[4] = {o, x, y, z}, back[4] = {o, x, y, -z};
  CHECK(corten::SoftDihedral::gradient(flat, g4) == 0);
  CHECK(near(std::fabs(corten::SoftDihedral::gradient(right, g4)), corten::pi / 2, 1e-15));
  CHECK(corten::SoftDihedral::gradient(right, g4) == -corten::SoftDihedral::gradient(back, g4));
  const V straight[3] = {-x, o, x}, bent[3] = {-x, o, y};
  CHECK(corten::SoftBend::gradient(straight, g3) == 0);
  CHECK(near(corten::SoftBend::gradient(bent, g3), std::sqrt(2.0), 1e-15));
  const V corner[3] = {o, x, V(1, 1, 0)};
  CHECK(near(corten::SoftShear::gradient(corner, g3), std::sqrt(0.5), 1e-15));
  const V twisted[4] = {y, o, x, V(1, 0, 1)};
  CHECK(near(std::fabs(corten::SoftTwist::gradient(twisted, g4)), corten::pi / 2, 1e-15));
  const V line[4] = {-x, o, x, V(2, 0, 0)};
  CHECK(corten::SoftTwist::gradient(line, g4) == 0);  // no twist without bends
  // angles differ by the shorter way round
  CHECK(near(corten::SoftDihedral::difference(3.0, -3.0), 6 - 2 * corten::pi, 1e-15));
}

TEMPLATE_TEST_CASE("a projection meets C + compliance · lambda = 0", "[soft][004-11.9]", float,
                   double, (Dual<double, 2>)) {
  using S = TestType;
  const double tolerance = std::is_same_v<S, float> ? 1e-6 : 1e-14;
  // two vertices 1.2 apart, masses 1 and 2, rest length 1
  Points<S, 2> p{{0, 0, 0, S(1.2), 0, 0}, {0, 0, 0, S(1.2), 0, 0}, {1, S(0.5)}};
  p.template project<corten::SoftDistance>(S(1), S(0.5));
  const double lambda = -0.2 / (1.5 + 0.5);
  CHECK(near(p.lambda, lambda, tolerance));
  CHECK(near(p.x[0], -lambda, tolerance));
  CHECK(near(p.x[3], 1.2 + 0.5 * lambda, tolerance));
  CHECK(near(S(p.x[3] - p.x[0] - S(1) + S(0.5) * p.lambda), 0, tolerance));
  const S before = p.x[0];
  p.template project<corten::SoftDistance>(S(1), S(0.5));  // it stays met
  CHECK(near(p.x[0], before, tolerance));

  // a pinned vertex does not move, and the other one takes all of it
  Points<S, 2> q{{0, 0, 0, S(1.2), 0, 0}, {0, 0, 0, S(1.2), 0, 0}, {0, 3}};
  q.template project<corten::SoftDistance>(S(1), S(0));
  CHECK(q.x[0] == S(0));
  CHECK(near(q.x[3], 1, tolerance));
  Points<S, 2> fixed{{0, 0, 0, S(1.2), 0, 0}, {0, 0, 0, S(1.2), 0, 0}, {0, 0}};
  fixed.template project<corten::SoftDistance>(S(1), S(0));
  CHECK(fixed.x[3] == S(1.2));

  // a viscous material resists the rate: with γ = 1 and no compliance, half of C is left
  Points<S, 2> v{{0, 0, 0, S(1.2), 0, 0}, {0, 0, 0, 1, 0, 0}, {0, 1}};
  v.template project<corten::SoftDistance>(S(1), S(0), S(1));
  CHECK(near(v.x[3], 1.2 - (0.2 + 0.2) / 2, tolerance));
}

TEMPLATE_TEST_CASE("a collision constraint pushes a vertex out, once", "[soft][004-11.4][000-9.4]",
                   float, double) {
  using S = TestType;
  const double tolerance = std::is_same_v<S, float> ? 1e-9 : 1e-17;
  S lambda = S(0);
  const S depth = S(0.01);
  // compliance α̃: the vertex moves by depth / (1 + α̃)
  CHECK(near(corten::project_collision(-depth, S(0), S(1), S(0), S(0.25), lambda), 0.01 / 1.25,
             tolerance));
  lambda = S(0);
  CHECK(near(corten::project_collision(-depth, S(0), S(1), S(0), S(0), lambda), 0.01, tolerance));
  CHECK(corten::project_collision(S(0), S(0), S(1), S(0), S(0), lambda) == S(0));
  // two thirds of the way if the other side is half as heavy
  lambda = S(0);
  CHECK(near(corten::project_collision(-depth, S(0), S(1), S(0.5), S(0), lambda), 0.02 / 3, 1e-9));
  // nothing sticks: a vertex that leaves is not pulled back beyond what had been pushed
  CHECK(corten::project_collision(S(0.5), S(0), S(1), S(0), S(0), lambda) < S(0));
  CHECK(lambda == S(0));
  CHECK(corten::project_collision(-depth, S(0), S(0), S(0), S(0), lambda) == S(0));
}

TEST_CASE("a hanging chain stretches as its material says", "[soft][004-11.9]") {
  // weight below each segment, over its stiffness E π r² / L; the solver has to converge, so the
  // chain is soft. What its sweeps leave is 2e-5 of a segment.
  const auto model = support::parse(R"(<mujoco><option timestep="0.01"/><deformable>
      <chain count="6" spacing="0.1" young="1e5" density="1000" radius="0.01" pin="0"
             quat="0.70710678118654752 0 0.70710678118654752 0" damping="20" iterations="10"
             contype="0" conaffinity="0"/></deformable></mujoco>)");
  corten::Data<double> data(model);
  const auto m = corten::bind(model).value();
  for (int i = 0; i < 150; ++i) REQUIRE(corten::step(m, data).ok());
  const double area = corten::pi * 1e-4, mass = 1000 * area * 0.1;
  for (int i = 0; i < 5; ++i) {
    const double below = mass * (4.5 - i);  // half a segment's mass hangs at each of its ends
    const double length = 0.1 + below * 9.81 * 0.1 / (1e5 * area);
    const auto k = std::size_t(3 * i + 2);
    CHECK(near_relative(data.soft_pos()[k] - data.soft_pos()[k + 3], length, 1e-4));
  }
}

TEST_CASE("a clamped chain bends as a beam", "[soft][004-11.9]") {
  // A force F at the tip of n segments of length l bends vertex j, counted from the tip, by
  // j F l² / E I, which moves the tip by j l as much: F l³ / E I Σ j². For large n that is the
  // beam's F L³ / 3 E I.
  const auto model = support::parse(R"(<mujoco><option timestep="0.01" gravity="0 0 0"/><deformable>
      <chain count="8" spacing="0.2" young="1e7" radius="0.02" pin="0 1" damping="3"
             viscosity="0" iterations="10" substeps="2"/></deformable></mujoco>)");
  corten::Data<double> data(model);
  const auto m = corten::bind(model).value();
  const double force = 0.01, inertia = corten::pi * std::pow(0.02, 4) / 4;
  data.soft_force()[3 * 7 + 2] = -force;
  for (int i = 0; i < 600; ++i) REQUIRE(corten::step(m, data).ok());
  const double expected = force * std::pow(0.2, 3) / (1e7 * inertia) * 91;  // 1 + 4 + … + 36
  CHECK(near_relative(-data.soft_pos()[3 * 7 + 2], expected, 0.01));
}

TEST_CASE("a solid keeps its volume under load", "[soft][004-11.9]") {
  const auto sag = [](const char* poisson) {
    const auto model = support::parse(std::string(R"(<mujoco><option timestep="0.01"/><deformable>
        <softbody count="3 3 3" spacing="0.07" young="2e4" density="1000" damping="10"
          iterations="4" substeps="5" pin="0 1 2 3 4 5 6 7 8" poisson=")") +
                                      poisson + R"("/></deformable></mujoco>)");
    corten::Data<double> data(model);
    const auto m = corten::bind(model).value();
    for (int i = 0; i < 60; ++i) REQUIRE(corten::step(m, data).ok());
    double volume = 0;
    for (std::size_t e = 0; e < std::size_t(model.n.nsoftelem); ++e) {
      Vec3<double> x[4], g[4];
      for (std::size_t c = 0; c < 4; ++c) {
        x[c] = corten::vec3<double>(data.ref().soft_pos, model.softelem_vert[4 * e + c]);
      }
      volume += corten::SoftVolume::gradient(x, g);
    }
    return 1 - volume / std::pow(0.14, 3);
  };
  const double loose = sag("0"), tight = sag("0.499");
  CHECK(loose > 0.002);
  CHECK(tight < 0.2 * loose);
}
