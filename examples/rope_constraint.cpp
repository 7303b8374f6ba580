// SPDX-License-Identifier: Apache-2.0
//
// A custom constraint kind, kinds/rope.hpp, from MJCF and from code: a ball falls, and a rope
// catches it.
#include <corten/corten.hpp>

#include "kinds/rope.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

struct MyPolicies : corten::Policies<corten::DefaultConstraints::with<Rope>> {};

constexpr const char* on_a_rope = R"(
<mujoco>
  <worldbody>
    <site name="hook" pos="0 0 1"/>
    <body pos="0.2 0 1">
      <freejoint/>
      <geom size="0.05" mass="0.2"/>
      <site name="eye"/>
    </body>
  </worldbody>
  <equality><rope site1="hook" site2="eye" length="0.5"/></equality>
</mujoco>)";

// the same model, built in code
corten::Spec in_code() {
  corten::Spec spec;
  corten::spec::Site& hook = spec.world.sites.emplace_back();
  hook.name = "hook";
  hook.pos = {0, 0, 1};
  corten::spec::Body& body = spec.world.bodies.emplace_back();
  body.pos = {0.2, 0, 1};
  body.joints.emplace_back().type = corten::JointType::free;
  corten::spec::Geom& geom = body.geoms.emplace_back();
  geom.size = {0.05};
  geom.mass = 0.2;
  body.sites.emplace_back().name = "eye";
  corten::spec::Equality& rope = spec.equalities.emplace_back();
  rope.type = Rope::type;
  rope.site1 = "hook";
  rope.site2 = "eye";
  rope.parameters.set("length", 0.5);
  return spec;
}

// how far the ball gets from the hook in two seconds, where free fall would take it 20 m
double farthest(const corten::Model<double>& model) {
  corten::Data<double> data(model);
  double out = 0;
  while (data.time() < 2) {
    if (!corten::step<MyPolicies>(model, data)) return -1;
    const auto q = data.qpos();
    out = std::max(out, std::hypot(q[0], q[1], q[2] - 1));
  }
  return out;
}

int main() {
  const auto read = corten::load_string<MyPolicies>(on_a_rope);
  if (!read) return std::puts(read.error().to_string().c_str()), 1;
  const auto built = corten::compile(in_code(), corten::extensions_of<MyPolicies>());
  if (!built) return std::puts(built.error().to_string().c_str()), 1;

  // policies without the kind refuse the file
  const auto refused = corten::load_string(on_a_rope);
  if (refused) return 1;
  std::printf("refused: %s\n", refused.error().to_string().c_str());

  const double first = farthest(*read), second = farthest(*built);
  std::printf("rope of 0.5 m: the ball gets %.4f m away (MJCF), %.4f m (code)\n", first, second);
  return first == second && first > 0.5 && first < 0.52 ? 0 : 1;
}
