// SPDX-License-Identifier: Apache-2.0
//
// A sensor of your own: the mechanical power of an actuator, its force times its velocity. It is a
// struct with a function, listed in the policies, and <user> in MJCF. A motor swings a pendulum
// without friction, so the work that it does must be the energy that the pendulum gains.
#include <corten/corten.hpp>

#include <cmath>
#include <cstdio>

// read after accelerations, because forces are known then; one number
struct Power : corten::SensorTraits<corten::SensorType::user, corten::Stage::acceleration, 1> {
  template <class M, class D, class O>
  static void evaluate(const M& m, const D& d, int sensor, const O& out) {
    const int actuator = m.sensor_objid[sensor], output = m.actuator_outadr[actuator];
    out[0] = d.actuator_force[output] * d.actuator_velocity[output];
  }
};

// only what this program needs; corten::DefaultSensors::with<Power> has all kinds as well
struct MyPolicies : corten::Policies<corten::Sensors<Power>, corten::Joints<corten::Hinge>,
                                     corten::Geoms<corten::Capsule>> {};

constexpr const char* pendulum = R"(
<mujoco>
  <option integrator="RK4" timestep="0.001"><flag energy="enable"/></option>
  <worldbody>
    <body><joint name="pivot" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -1" size="0.02" mass="1"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="pivot"/></actuator>
  <sensor><user name="power" objtype="actuator" objname="motor" dim="1" needstage="acc"/></sensor>
</mujoco>)";

int main() {
  const auto model = corten::load_string(pendulum);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  corten::Data<double> data(*model);

  double work = 0, before = 0, start = 0;
  for (int k = 0; k <= 3000; ++k) {
    data.ctrl()[0] = 2 * std::sin(3 * data.time());
    if (const auto status = corten::forward<MyPolicies>(*model, data); !status) {
      return std::puts(status.to_string().c_str()), 1;
    }
    const double power = data.sensor(*model, "power").value()[0];
    const double energy = data.energy()[0] + data.energy()[1];
    if (k == 0) start = energy;
    if (k > 0) work += 0.5 * model->opt.timestep * (before + power);
    before = power;
    if (k % 500 == 0) {
      std::printf("%.1f s  power %7.3f W  work %.4f J  energy gained %.4f J\n", data.time(), power,
                  work, energy - start);
    }
    // the torque is constant within a step, which trapezoids do not see
    if (k == 3000) return std::abs(work - (energy - start)) < 1e-3 * work ? 0 : 1;
    if (!corten::step<MyPolicies>(*model, data)) return 1;
  }
}
