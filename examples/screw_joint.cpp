// SPDX-License-Identifier: Apache-2.0
//
// A custom joint kind, kinds/screw.hpp, from MJCF and from code. A ball on a vertical spindle
// without friction turns as it falls: with k = pitch / 2π its spin grows by α = m g k / (I + m k²).
#include <corten/corten.hpp>

#include "kinds/screw.hpp"

#include <cmath>
#include <cstdio>

// only what this program needs; corten::DefaultJoints::with<Screw> has all kinds and this one
struct MyPolicies
    : corten::Policies<corten::Joints<corten::Hinge, Screw>, corten::Geoms<corten::Sphere>> {};

struct Nut {
  static constexpr double pitch = 0.1, mass = 0.2, radius = 0.05;
};

constexpr const char* nut = R"(
<mujoco>
  <default><default class="spindle"><joint type="screw" pitch="0.1"/></default></default>
  <worldbody>
    <body>
      <joint name="nut" class="spindle"/>
      <geom size="0.05" mass="0.2"/>
    </body>
  </worldbody>
  <sensor><jointpos joint="nut"/></sensor>
</mujoco>)";

// the same model, built in code
corten::Spec nut_in_code() {
  corten::Spec spec;
  corten::spec::Body& body = spec.world.bodies.emplace_back();
  corten::spec::Joint& joint = body.joints.emplace_back();
  joint.type = Screw::type;
  joint.parameters.set("pitch", Nut::pitch);
  corten::spec::Geom& geom = body.geoms.emplace_back();
  geom.size = {Nut::radius};
  geom.mass = Nut::mass;
  return spec;
}

// falls for a second and compares with the formula
bool falls_as_expected(const char* label, const corten::Model<double>& model) {
  corten::Data<double> data(model);
  while (data.time() < 1) {
    if (!corten::step<MyPolicies>(model, data)) return false;
  }
  constexpr double mass = Nut::mass, inertia = 0.4 * mass * Nut::radius * Nut::radius;
  constexpr double k = Nut::pitch / (2 * 3.14159265358979);
  const double spin = -mass * 9.81 * k / (inertia + mass * k * k) * data.time();
  std::printf("%-8s spin %.6f rad/s, expected %.6f; fallen %.4f m\n", label, data.qvel()[0], spin,
              -data.qpos()[0] * k);
  return std::abs(data.qvel()[0] - spin) < 1e-9 * std::abs(spin);
}

int main() {
  const auto read = corten::load_string<MyPolicies>(nut);
  if (!read) return std::puts(read.error().to_string().c_str()), 1;
  const auto built = corten::compile(nut_in_code(), corten::extensions_of<MyPolicies>());
  if (!built) return std::puts(built.error().to_string().c_str()), 1;

  // policies without the kind refuse the file
  const auto refused = corten::load_string(nut);
  if (refused) return 1;
  std::printf("refused: %s\n", refused.error().to_string().c_str());
  return falls_as_expected("MJCF", *read) && falls_as_expected("code", *built) ? 0 : 1;
}
