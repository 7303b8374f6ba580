// SPDX-License-Identifier: Apache-2.0
//
// An actuator of your own: a motor whose torque falls with its speed, down to zero at a no-load
// speed. It is a struct with a gain, listed in the policies, and gaintype="user" in MJCF. From rest
// it spins up a flywheel as ω(t) = ω₀ (1 - exp(-t τ / (I ω₀))). The same struct works with duals:
// how does the speed depend on the stall torque τ?
#include <corten/corten.hpp>

#include <cmath>
#include <cstdio>

struct FadingMotor {
  static constexpr const char* name = "fading motor";
  static constexpr corten::GainType gain_type = corten::user_gain(0);

  // gainprm: stall torque, no-load speed. The force of an actuator is its gain times its control.
  template <class M, class D>
  static auto gain(const M& m, const D& d, int a) {
    using S = typename D::Scalar;
    const S stall = S(m.actuator_gainprm[10 * a]), top = S(m.actuator_gainprm[10 * a + 1]);
    return S(stall * (S(1) - d.actuator_velocity[m.actuator_outadr[a]] / top));
  }
};

// only what this program needs; corten::DefaultActuators::with<FadingMotor> has all kinds as well
struct MyPolicies : corten::Policies<corten::Actuators<FadingMotor>, corten::Joints<corten::Hinge>,
                                     corten::Geoms<corten::Sphere>, corten::Sensors<>> {};

constexpr const char* flywheel = R"(
<mujoco>
  <option integrator="RK4"/>
  <worldbody>
    <body><joint name="axle" axis="0 0 1"/>
      <inertial pos="0 0 0" mass="1" diaginertia="0.05 0.05 0.1"/></body>
  </worldbody>
  <actuator><general joint="axle" gaintype="user" gainprm="2 30"/></actuator>
</mujoco>)";

int main() {
  const auto loaded = corten::load_string<MyPolicies>(flywheel);
  if (!loaded) return std::puts(loaded.error().to_string().c_str()), 1;

  // policies without the kind refuse the file
  const auto refused = corten::load_string(flywheel);
  if (refused) return 1;
  std::printf("refused: %s\n", refused.error().to_string().c_str());

  using Dual = corten::Dual<double, 8>;  // the width that corten::precompiled has
  auto model = corten::cast<Dual>(*loaded);
  model.actuator_gainprm[0] = Dual(2.0, 0);  // the direction of all derivatives
  corten::Data<Dual> data(model);
  data.ctrl()[0] = 1.0;
  while (data.time() < 2) {
    if (const auto status = corten::step<MyPolicies>(model, data); !status) {
      return std::puts(status.to_string().c_str()), 1;
    }
  }

  const double top = 30, rate = 2 / (0.1 * top), rest = std::exp(-rate * data.time().a);
  const double speed = top * (1 - rest), slope = data.time().a / 0.1 * rest;
  const Dual& found = data.qvel()[0];
  std::printf("speed %.9f rad/s, expected %.9f\n", found.a, speed);
  std::printf("its derivative by the stall torque %.9f, expected %.9f\n", found.v[0], slope);
  return std::abs(found.a - speed) < 1e-9 && std::abs(found.v[0] - slope) < 1e-9 ? 0 : 1;
}
