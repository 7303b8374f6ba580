// SPDX-License-Identifier: Apache-2.0
//
// User-defined gains, biases and activation dynamics, with derivatives.
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"

using namespace corten;

namespace {

// a spring that hardens: biastype="user", force = -k l³
struct HardSpring {
  static constexpr const char* name = "hard spring";
  static constexpr BiasType bias_type = user_bias(0);

  template <class M, class D>
  CORTEN_FN static auto bias(const M& m, const D& d, int a) {
    using S = typename D::Scalar;
    const S length = d.actuator_length[m.actuator_outadr[a]];
    return S(-S(m.actuator_biasprm[10 * a]) * length * length * length);
  }
};

// a force that decreases with speed: gaintype="user"
struct Fading {
  static constexpr const char* name = "fading";
  static constexpr GainType gain_type = user_gain(0);

  template <class M, class D>
  CORTEN_FN static auto gain(const M& m, const D& d, int a) {
    using S = typename D::Scalar;
    const S v = d.actuator_velocity[m.actuator_outadr[a]];
    return S(S(m.actuator_gainprm[10 * a]) / (S(1) + v * v));
  }
};

// two filters in series: dyntype="user" actdim="2"
struct TwoFilters {
  static constexpr const char* name = "two filters";
  static constexpr DynamicsType dynamics_type = user_dynamics(0);

  template <class M, class D>
  CORTEN_FN static void rates(const M& m, const D& d, int a) {
    using S = typename D::Scalar;
    const int i = m.actuator_actadr[a];
    const S tau = S(m.actuator_dynprm[10 * a]);
    d.act_dot[i] = (d.work_nu[m.actuator_ctrladr[a]] - d.act[i]) / tau;
    d.act_dot[i + 1] = (d.act[i] - d.act[i + 1]) / tau;
  }
};

// replaces the solver in a model without constraints
struct Unconstrained {
  template <class M, class D>
  static void run(const M& m, const D& d) {
    copy(d.qacc, d.qacc_smooth, m.n.nv);
  }
};

struct Mine
    : Policies<Joints<Slide>, Geoms<Sphere>, Sensors<>, Solvers<Solver::newton>,
               Integrators<Integrator::euler>, Actuators<FixedGain, HardSpring, Fading, TwoFilters>,
               DefaultPipeline::without<stages::Tendon, stages::Collision, stages::Constraint,
                                        stages::Reference,
                                        stages::Sensing>::replace<stages::Solve, Unconstrained>> {};

std::string text(const std::string& actuators) {
  return "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='x' type='slide'/>"
         "<geom size='0.1' mass='2'/></body></worldbody><actuator>" +
         actuators + "</actuator></mujoco>";
}

const char* const everything =
    "<general joint='x' gaintype='user' gainprm='3' biastype='user' biasprm='5'/>"
    "<general name='slow' joint='x' dyntype='user' actdim='2' dynprm='0.1'/>";

}  // namespace

TEST_CASE("user-defined gains, biases and dynamics", "[actuator][pipeline]") {
  const Model<double> model = support::checked(load_string<Mine>(text(everything)));
  REQUIRE(model.n.na == 2);
  Data<double> data(model);
  data.qpos()[0] = 0.5;
  data.qvel()[0] = 2;
  data.ctrl()[0] = 0.7;
  data.ctrl()[1] = 1;
  data.act()[0] = 0.4;
  data.act()[1] = 0.3;
  REQUIRE(step<Mine>(model, data).ok());
  CHECK(near(data.ref().actuator_force[0], 3 / 5.0 * 0.7 - 5 * 0.125, 1e-12));
  CHECK(near(data.ref().actuator_force[1], 0.3, 1e-12));  // the last activation
  CHECK(near(data.act()[0], 0.4 + 0.002 * 6, 1e-12));
  CHECK(near(data.act()[1], 0.3 + 0.002 * 1, 1e-12));
}

TEST_CASE("derivatives pass through user-defined kinds", "[actuator][pipeline][derivative]") {
  const Model<double> model = support::checked(load_string<Mine>(text(everything)));
  using D = Dual<double, 8>;
  Data<D> data(model);
  data.qpos()[0] = D(0.5, 0);
  data.qvel()[0] = D(2, 1);
  data.ctrl()[0] = D(0.7);
  REQUIRE(forward<Mine>(model, data).ok());
  const D acceleration = data.qacc()[0];
  CHECK(near(acceleration.v[0], -5 * 3 * 0.25 / 2, 1e-12));
  CHECK(near(acceleration.v[1], -3 * 2 * 2 / 25.0 * 0.7 / 2, 1e-12));
}

TEST_CASE("kinds of actuators that are not listed are refused", "[actuator][pipeline][001-8.10]") {
  const auto refusal = [](const Result<Model<double>>& model) {
    REQUIRE_FALSE(model.ok());
    return model.error().to_string();
  };
  const std::string plain =
      refusal(load_string(text("<general name='spring' joint='x' biastype='user'/>")));
  CHECK(plain.find("actuator 'spring'") != std::string::npos);
  CHECK(plain.find("is biastype user; the policies list fixed, affine") != std::string::npos);
  CHECK(refusal(load_string(text("<general joint='x' gaintype='user'/>"))).find("gaintype user") !=
        std::string::npos);
  CHECK(
      refusal(load_string<Mine>(text("<position joint='x'/>")))
          .find("is biastype affine; the policies list fixed, hard spring, fading, two filters") !=
      std::string::npos);
  CHECK(load_string<Mine>(text("<motor joint='x'/>")).ok());
}
