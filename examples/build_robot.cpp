// SPDX-License-Identifier: Apache-2.0
//
// A robot without a file: bodies, joints and motors are elements of a Spec. One leg is built and
// attached four times under different names, then the robot stands for a second. Afterwards it
// loses a leg and is compiled again.
#include <corten/corten.hpp>
#include <corten/spec/edit.hpp>

#include <cstdio>
#include <string>

namespace spec = corten::spec;

// a thigh and a shin with two motors that hold their angles
corten::Spec leg() {
  corten::Spec out;
  out.compiler.angle = spec::Angle::radian;
  spec::Default& main = out.defaults[0];
  main.geom.type = corten::GeomType::capsule;
  main.geom.size = {0.03};
  main.joint.axis = {0, 1, 0};
  main.joint.damping = {0.5};
  spec::Body& thigh = spec::add(out.world.bodies, "thigh");
  spec::add(thigh.joints, "hip").range = {-1, 1};
  spec::add(thigh.geoms, "upper").fromto = {0, 0, 0, 0.1, 0, -0.2};

  spec::Body& shin = spec::add(thigh.bodies, "shin");
  shin.pos = {0.1, 0, -0.2};
  spec::add(shin.joints, "knee").range = {-2, 0};
  spec::add(shin.geoms, "lower").fromto = {0, 0, 0, -0.1, 0, -0.2};

  for (const char* joint : {"hip", "knee"}) {
    spec::Actuator& servo = spec::add(out.actuators, joint);
    servo.kind = spec::Actuator::Kind::position;
    servo.joint = joint;
    servo.kp = 80;
  }
  return out;
}

corten::Spec robot() {
  corten::Spec out;
  spec::add(out.world.geoms, "floor").type = corten::GeomType::plane;
  out.world.geoms.back().size = {2, 2, 0.1};
  spec::Body& torso = spec::add(out.world.bodies, "torso");
  torso.pos = {0, 0, 0.45};
  spec::add(torso.joints, "free").type = corten::JointType::free;
  spec::Geom& hull = spec::add(torso.geoms, "hull");
  hull.type = corten::GeomType::box;
  hull.size = {0.25, 0.12, 0.05};
  return out;
}

// the height after a second, or a negative number if the spec does not compile or a step fails
double stand(const corten::Spec& built) {
  const auto model = corten::compile(built);
  if (!model) return std::fprintf(stderr, "%s\n", model.error().to_string().c_str()), -1;
  corten::Data<double> data(*model);
  while (data.time() < 1) {
    if (!corten::step(*model, data)) return -1;
  }
  std::printf("%d bodies, %d motors: height %.3f m\n", model->n.nbody, model->n.nu, data.qpos()[2]);
  return data.qpos()[2];
}

int main() {
  corten::Spec built = robot();
  const corten::Spec limb = leg();
  spec::Body& torso = *spec::find<spec::Body>(built, "torso");
  for (const std::string side : {"left", "right"}) {
    for (const std::string end : {"front", "back"}) {
      spec::Site& mount = spec::add(torso.sites, end + side);
      mount.pos = {end == "front" ? 0.2 : -0.2, side == "left" ? 0.1 : -0.1, -0.05};
      const spec::Attachment what{.body = "thigh", .prefix = end + side};
      if (const auto done = spec::attach(built, mount.name, limb, what); !done) {
        return std::fprintf(stderr, "%s\n", done.error().to_string().c_str()), 1;
      }
    }
  }
  if (stand(built) < 0.4 || !spec::remove<spec::Body>(built, "backleftthigh")) return 1;
  return stand(built) > 0.3 ? 0 : 1;
}
