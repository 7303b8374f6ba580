// SPDX-License-Identifier: Apache-2.0
//
// Kinds of the user's own that say enough about themselves are differentiated analytically, exactly
// like the library's: a joint, a constraint and an actuator, and a geom, which has to say nothing.
// A stage of the user's own may do anything, so it goes through dual numbers, as exactly.
#include <corten/derive.hpp>

#include "../../examples/kinds/rope.hpp"
#include "../../examples/kinds/screw.hpp"
#include "../../examples/kinds/torus.hpp"
#include "../support/model.hpp"

#include <cmath>

using namespace corten;

namespace {

// a motor that fades with its speed
struct Fading {
  static constexpr const char* name = "fading motor";
  static constexpr GainType gain_type = user_gain(0);
  static constexpr bool is_local = true;

  template <class M, class D>
  static auto gain(const M& m, const D& d, int a) {
    using S = typename D::Scalar;
    const S speed = d.actuator_velocity[m.actuator_outadr[a]];
    return S(S(m.actuator_gainprm[10 * a]) / (S(1) + speed * speed));
  }
};

// the same, saying nothing
struct Silent : Fading {
  static constexpr bool is_local = false;
};

template <class Motor>
struct Own : Policies<Actuators<Motor>, Joints<Hinge, Slide, Screw>, Geoms<Plane, Sphere, Torus>,
                      Colliders<PlaneSphere, PlaneTorus, SphereTorus>,
                      DefaultConstraints::with<Rope>, Sensors<>> {};

constexpr const char* text = R"(<mujoco>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <site name="hook" pos="-.1 0 .1"/>
    <body pos=".1 0 .15">
      <joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 0 0" damping=".1"/>
      <joint name="bolt" type="screw" axis="0 .2 1" pitch=".3" stiffness=".5" damping=".1"
        limited="true" range="-20 20"/>
      <geom type="torus" size=".2 .05" mass="1" pos=".02 0 0"/>
      <site name="eye" pos=".1 .1 0"/>
      <body pos="0 0 .1"><joint name="elbow" axis="0 1 0"/><geom size=".05" pos=".2 0 0" mass=".3"/>
      </body>
    </body>
  </worldbody>
  <equality><rope site1="hook" site2="eye" length=".35"/></equality>
  <actuator><general joint="bolt" gaintype="user" gainprm="2"/>
    <general joint="elbow" gaintype="user" gainprm="1"/></actuator></mujoco>)";

// a stage: a spring that hardens with the distance and drag that grows with the speed
struct Thicket {
  template <class M, class D>
  static void run(const M& m, const D& d) {
    using S = typename D::Scalar;
    for (int i = 0; i < m.n.nv; ++i) {
      const S x = d.qpos[i], v = d.qvel[i];
      d.qfrc_passive[i] -= S(2) * x * x * x + S(0.3) * (S(1) + x * x) * v * v * v;
    }
  }
};

struct InThicket : Policies<DefaultPipeline::after<stages::Passive, Thicket>, Joints<Slide>,
                            Geoms<Sphere>, Colliders<>, Constraints<constraints::JointLimit>,
                            Solvers<Solver::newton>, Integrators<Integrator::euler>, Sensors<>> {};

}  // namespace

TEST_CASE("a stage of the user's own is differentiated exactly", "[derive]") {
  const Model<double> model = load_string(R"(<mujoco><option timestep=".01" gravity="0 0 0"/>
    <worldbody><body><joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="2"/></body>
    </worldbody><actuator><motor joint="x" gear="3"/></actuator></mujoco>)")
                                  .value();
  Data<double> data(model);
  const double x = 0.7, v = 1.1, mass = 2, h = 0.01;
  data.qpos()[0] = x, data.qvel()[0] = v, data.ctrl()[0] = 0.4;
  derive::Linearizer<double, 8, InThicket> linearize(model);
  CHECK(!linearize.is_analytic(make_ref<InThicket>(model)));
  const auto& t = linearize(model, data);
  REQUIRE(t.status.ok());
  const double by_x = -(6 * x * x + 0.6 * x * v * v * v), by_v = -0.9 * (1 + x * x) * v * v;
  CHECK(std::fabs(t.A(1, 0) - (h * by_x / mass)) < 1e-14);
  CHECK(std::fabs(t.A(1, 1) - (1 + h * by_v / mass)) < 1e-14);
  CHECK(std::fabs(t.A(0, 0) - (1 + h * h * by_x / mass)) < 1e-14);
  CHECK(std::fabs(t.A(0, 1) - (h + h * h * by_v / mass)) < 1e-14);
  CHECK(std::fabs(t.B(1, 0) - (h * 3 / mass)) < 1e-14);

  // without the stage, the same model is differentiated analytically, and moves on as it was
  const auto plain = derive::transition(model, data);
  CHECK(plain.A(1, 0) == 0);
  CHECK(plain.A(1, 1) == 1);
}

TEST_CASE("kinds of the user's own are differentiated analytically", "[derive]") {
  using P = Own<Fading>;
  auto loaded = load_string<P>(text);
  REQUIRE(loaded.ok());
  Model<double> model = std::move(loaded).value();
  const auto m = bind<P>(model).value();
  Data<double> data(model);
  data.ctrl()[0] = 0.7, data.ctrl()[1] = -0.4, data.qvel()[1] = 1;
  derive::Linearizer<double, 8, P> analytic(model), dual(model);
  dual.analytically = false;
  REQUIRE(analytic.is_analytic(m));
  bool taut = false, touching = false;
  for (int i = 0; i < 12; ++i) {
    for (int k = 0; k < 25; ++k) REQUIRE(step(m, data).ok());
    for (int r = 0; r < data.nefc(); ++r) {
      const auto type = static_cast<ConstraintType>(data.ref().efc_type[r]);
      taut = taut || type == ConstraintType::element_limit;
      touching = touching || type == ConstraintType::contact_pyramidal;
    }
    const auto &a = analytic(model, data), &b = dual(model, data);
    CHECK(a.status.ok());
    INFO("after " << 25 * (i + 1) << " steps, " << data.nefc() << " rows");
    CHECK((a.A - b.A).cwiseAbs().maxCoeff() < 1e-10 * b.A.cwiseAbs().maxCoeff());
    CHECK((a.B - b.B).cwiseAbs().maxCoeff() < 1e-10);
  }
  CHECK(taut);
  CHECK(touching);
  CHECK(!derive::analytic::covers_model(make_ref<Own<Silent>>(model), 8));
}
