// SPDX-License-Identifier: Apache-2.0
//
// A custom stage in the pipeline, and one stage left out. A drag force pulls every body along with
// the wind; the actuators are not simulated. The library stays untouched, since the pipeline is a
// type.
#include <corten/corten.hpp>

#include <cmath>
#include <cstdio>

// drag towards <option wind="…">, with the first user number of a body as its coefficient
struct Wind {
  template <class M, class D>
  static void run(const M& m, const D& d) {
    using S = typename D::Scalar;
    using Vec3 = corten::Vec3<S>;
    const Vec3 wind(S(m.opt.wind[0]), S(m.opt.wind[1]), S(m.opt.wind[2]));
    for (int b = 1; b < m.n.nbody; ++b) {
      const Vec3 point = corten::vec3<S>(d.xipos, b);
      const Vec3 speed = corten::point_velocity(m, d, b, point).template tail<3>();
      const Vec3 force = (wind - speed) * S(m.body_user[b * m.n.nuser_body]);
      corten::apply_force(m, d, b, point, force, Vec3(Vec3::Zero()), d.qfrc_passive);
    }
  }
};

using WindyPipeline = corten::DefaultPipeline::after<corten::stages::Passive,
                                                     Wind>::without<corten::stages::Actuation>;
struct WindyPolicies : corten::Policies<WindyPipeline, corten::Joints<corten::Slide>,
                                        corten::Geoms<corten::Sphere>> {};

constexpr const char* balloon = R"(
<mujoco>
  <option wind="3 0 0" gravity="0 0 0"/>
  <worldbody>
    <body user="0.5">
      <joint name="x" axis="1 0 0" type="slide"/>
      <joint name="z" axis="0 0 1" type="slide"/>
      <geom size="0.1" mass="2"/>
    </body>
  </worldbody>
  <actuator><motor joint="z" ctrllimited="false"/></actuator>
</mujoco>)";

int main() {
  const auto model = corten::load_string(balloon);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  corten::Data<double> data(*model);
  data.ctrl()[0] = 100;

  while (data.time() < 5) {
    if (!corten::step<WindyPolicies>(*model, data)) return 1;
  }

  // m v' = c (w - v) from rest
  const double expected = 3 * (1 - std::exp(-0.5 / 2 * data.time()));
  std::printf(
      "speed %.4f m/s along the wind, %.4f expected; %g m/s upwards, since the motor is left out\n",
      data.qvel()[0], expected, data.qvel()[1]);
  return std::abs(data.qvel()[0] - expected) < 2e-3 && data.qvel()[1] == 0 ? 0 : 1;
}
