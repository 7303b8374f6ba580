// SPDX-License-Identifier: Apache-2.0
//
// The part of a random model that belongs to the world: classes, assets, bodies, joints, geoms,
// sites, cameras, lights and frames. random_model.hpp explains how random models are made.
#pragma once

#include <corten/spec/edit.hpp>

#include "random.hpp"

#include <string>
#include <vector>

namespace support {

namespace spec = corten::spec;
using corten::GeomType;
using corten::JointType;
using spec::Numbers;

// which geoms touch which
enum class Touching { nothing, floor, all };

class TreeBuilder {
 public:
  // A part is attached to some body later, so it has nothing that only children of the world can
  // have.
  TreeBuilder(Draw& draw, corten::Spec& out, bool part) : draw_(draw), spec_(out), part_(part) {}

  Touching touching = Touching::all;
  bool round = false;  // only spheres and capsules

  std::string name(const char* kind) { return kind + std::to_string(next_++); }
  Numbers<3> vec(double r) { return {draw_.in(-r, r), draw_.in(-r, r), draw_.in(-r, r)}; }
  double angle(double radians) {
    const bool degrees = spec_.compiler.angle.value_or(spec::Angle::degree) == spec::Angle::degree;
    return degrees ? std::round(radians * 57.3) : radians;
  }

  void settings() {
    spec::Compiler& c = spec_.compiler;
    if (draw_.chance(0.5)) c.angle = spec::Angle::radian;
    if (draw_.chance(0.2)) c.eulerseq = draw_.pick<const char*>({"zyx", "XYZ", "zxz", "YZx"});
    if (draw_.chance(0.1)) c.boundmass = 0.01;
    if (draw_.chance(0.1)) c.boundinertia = 0.0001;
    if (part_) return;
    if (draw_.chance(0.05)) c.settotalmass = draw_.in(5, 20);
    if (draw_.chance(0.05)) c.inertiafromgeom = spec::Tristate::yes;
    if (draw_.chance(0.1)) c.alignfree = true;
    if (draw_.chance(0.05)) c.fusestatic = true;
    if (draw_.chance(0.03)) c.discardvisual = true;
    if (c.fusestatic) bound_inertia();
  }

  // For fused bodies: two bodies that boundmass turns into points have no inertia about the line
  // through them, which is refused.
  void bound_inertia() {
    if (spec_.compiler.boundmass) spec_.compiler.boundinertia = 0.0001;
  }

  // main and up to three more classes, some nested
  void classes() {
    const int more = draw_.chance(0.5) ? 0 : 1 + draw_.below(3);
    if (draw_.chance(0.3)) fill(spec_.defaults[0]);
    for (int k = 0; k < more; ++k) {
      fill(spec_.add_default(name("c"), draw_.below(int(spec_.defaults.size()))));
    }
  }

  void assets() {
    if (draw_.chance(0.35)) mesh();
    if (draw_.chance(0.1)) mesh();
    if (!part_ && draw_.chance(0.15)) height_field();
  }

  void world() {
    spec::Body& w = spec_.world;
    if (draw_.chance(0.75)) {
      spec::Geom& floor = geom(w, GeomType::plane);
      floor.size = {3, 3, 0.1};
      if (draw_.chance(0.8)) floor.orientation = {};
      floor.pos = {0, 0, draw_.in(-0.5, 0)};
    }
    if (!spec_.hfields.empty()) geom(w, GeomType::hfield);
    if (draw_.chance(0.2)) geom(w, solid());
    if (draw_.chance(0.3)) site(w);
    if (draw_.chance(0.1)) camera(w);
  }

  // `count` bodies, each on an existing one or on the world
  void bodies(int count) {
    const double new_tree = draw_.pick({0.08, 0.3, 0.7});
    std::vector<spec::Body*> all;
    for (int k = 0; k < count; ++k) {
      const bool root = all.empty() || (!part_ && draw_.chance(new_tree));
      spec::Body& parent = root ? spec_.world : *draw_.of(all);
      all.push_back(&body(parent, root));
    }
  }

  // a body and its elements; where allowed, it may be free or a mocap body
  spec::Body& body(spec::Body& parent, bool root) {
    spec::Body& b = spec::add(parent.bodies, name("b"));
    const bool plain = draw_.chance(0.3);
    b.pos = vec(0.4);
    if (root && !part_) (*b.pos)[2] = draw_.in(0, 0.8);
    if (!plain) b.orientation = orientation();
    if (draw_.chance(0.15)) {
      b.frame = spec::add_frame(parent, name("f"));
      parent.frames.back().pos = vec(0.1);
      parent.frames.back().orientation = orientation();
    }
    if (draw_.chance(0.1)) b.gravcomp = draw_.in(0.2, 1.5);
    if (draw_.chance(0.15) && spec_.defaults.size() > 1)
      b.childclass = draw_.of(spec_.defaults).name;
    if (draw_.chance(0.05)) b.simple = spec::SimplePolicy::no;
    const double role = draw_.unit();
    if (root && !part_ && role < 0.07) {
      b.mocap = true;
    } else if (root && !part_ && role < 0.45) {
      free_joint(b);
    } else if (role < 0.82) {
      joints(b, plain);
    }
    contents(b, plain);
    return b;
  }

  spec::Geom& geom(spec::Body& b, GeomType type, bool plain = false) {
    spec::Geom& g = spec::add(b.geoms, name("g"));
    g.type = type;
    shape(g, type, plain);
    element_class(g);
    contact(g, type == GeomType::plane || type == GeomType::hfield);
    if (draw_.chance(0.1)) g.mass = draw_.in(0.1, 3);
    if (!g.mass && draw_.chance(0.3)) g.density = draw_.in(100, 2000);
    if (type < GeomType::mesh && draw_.chance(0.05)) g.shellinertia = true;
    if (draw_.chance(0.15)) {
      g.fluidshape = spec::FluidShape::ellipsoid;
      if (draw_.chance(0.5)) g.fluidcoef = {0.4, 0.3, draw_.in(0.5, 2), 0.8, draw_.in(0, 1)};
    }
    if (draw_.chance(0.1)) g.group = draw_.below(5);
    return g;
  }

  spec::Site& site(spec::Body& b) {
    spec::Site& s = spec::add(b.sites, name("s"));
    s.type = draw_.pick({GeomType::sphere, GeomType::capsule, GeomType::ellipsoid,
                         GeomType::cylinder, GeomType::box});
    s.size = {draw_.in(0.02, 0.1), draw_.in(0.02, 0.1), draw_.in(0.02, 0.1)};
    s.pos = vec(0.15);
    s.orientation = orientation();
    element_class(s);
    return s;
  }

  spec::Camera& camera(spec::Body& b) {
    spec::Camera& c = spec::add(b.cameras, name("cam"));
    c.pos = vec(0.2);
    c.orientation = orientation();
    c.resolution = std::array<int, 2>{1 + draw_.below(2), 1 + draw_.below(2)};
    if (draw_.chance(0.5)) c.fovy = draw_.in(20, 80);
    if (draw_.chance(0.2)) c.projection = corten::Projection::orthographic;
    return c;
  }

  GeomType solid() {
    if (round) return draw_.pick({GeomType::sphere, GeomType::capsule});
    const int meshes = int(!spec_.meshes.empty());
    const int kind = draw_.below(6 + 2 * meshes);
    if (kind >= 6) return draw_.chance(0.15) ? GeomType::sdf : GeomType::mesh;
    return GeomType(int(GeomType::sphere) + kind % 5);
  }

  // cameras and lights that look at bodies, drawn when the names are known
  void follow(const std::vector<std::string>& bodies) { follow(spec_.world, bodies); }

 private:
  void fill(spec::Default& c) {
    if (draw_.chance(0.4)) c.joint.damping = {draw_.in(0, 0.5)};
    if (draw_.chance(0.3)) c.joint.armature = draw_.in(0, 0.1);
    if (draw_.chance(0.1)) c.joint.frictionloss = draw_.in(0, 0.3);
    if (draw_.chance(0.1)) c.joint.stiffness = {draw_.in(0, 3)};
    if (draw_.chance(0.2)) c.joint.solreflimit = {draw_.in(0.01, 0.04), draw_.in(0.6, 1.2)};
    if (draw_.chance(0.3)) c.geom.friction = {draw_.in(0.2, 1.5), draw_.in(0, 0.02)};
    if (draw_.chance(0.2)) c.geom.solref = {draw_.in(0.01, 0.05), draw_.in(0.6, 1.2)};
    if (draw_.chance(0.2)) c.geom.solimp = {0.8, 0.95, draw_.in(0.001, 0.02)};
    if (draw_.chance(0.2)) c.geom.condim = draw_.pick({1, 3, 4, 6});
    if (draw_.chance(0.1)) c.geom.margin = draw_.in(0, 0.02);
    if (draw_.chance(0.2)) c.geom.density = draw_.in(200, 1500);
    if (draw_.chance(0.1)) c.site.group = 2;
    if (draw_.chance(0.1)) c.camera.fovy = draw_.in(30, 60);
    if (draw_.chance(0.2)) c.tendon.damping = {draw_.in(0, 0.5)};
    if (draw_.chance(0.2)) c.tendon.stiffness = {draw_.in(0, 5)};
    if (draw_.chance(0.2)) c.actuator.gear = {draw_.in(0.5, 2)};
    if (draw_.chance(0.2)) c.equality.solref = {draw_.in(0.01, 0.05), draw_.in(0.6, 1.2)};
    if (draw_.chance(0.2)) c.pair.condim = draw_.pick({1, 3, 4, 6});
    if (draw_.chance(0.1)) c.mesh.scale = {draw_.in(0.5, 1.5), draw_.in(0.5, 1.5), 1};
  }

  template <class T>
  void element_class(T& element) {
    if (spec_.defaults.size() > 1 && draw_.chance(0.25)) {
      element.class_name = draw_.of(spec_.defaults).name;
    }
  }

  void mesh() {
    spec::Mesh& m = spec::add(spec_.meshes, name("mesh"));
    const double s = draw_.in(0.05, 0.15);
    if (draw_.chance(0.5)) {  // a few points, whose hull is the mesh
      corten::List<double> points;
      for (int k = 0, n = 3 * (5 + draw_.below(6)); k < n; ++k) points.push_back(draw_.in(-s, s));
      m.vertex = points;
      m.inertia = spec::MeshInertia::convex;
    } else {
      m.scale = {s, draw_.in(0.05, 0.15), s};
      const int kind = draw_.below(4);
      m.builtin = kind == 0   ? spec::MeshBuiltin::sphere
                  : kind == 1 ? spec::MeshBuiltin::hemisphere
                  : kind == 2 ? spec::MeshBuiltin::cone
                              : spec::MeshBuiltin::supersphere;
      m.params = kind < 2    ? corten::List<double>{double(draw_.below(2))}
                 : kind == 2 ? corten::List<double>{double(3 + draw_.below(4)), draw_.in(0, 0.8)}
                             : corten::List<double>{5, draw_.in(0.3, 1.5), draw_.in(0.3, 1.5)};
      if (draw_.chance(0.3)) m.inertia = spec::MeshInertia::exact;
    }
    if (draw_.chance(0.2)) m.refpos = vec(0.05);
    if (draw_.chance(0.1)) m.maxhullvert = 6;
  }

  void height_field() {
    spec::HField& h = spec::add(spec_.hfields, name("hf"));
    h.nrow = 3 + draw_.below(3);
    h.ncol = 3 + draw_.below(3);
    h.size = {1, 1, 0.2, 0.1};
    corten::List<double> heights;
    for (int k = 0; k < *h.nrow * *h.ncol; ++k) heights.push_back(draw_.in(0, 1));
    h.elevation = heights;
  }

  spec::Orientation orientation() {
    spec::Orientation o;
    const Numbers<3> axis{draw_.in(0.2, 1), draw_.in(-1, 1), draw_.in(-1, 1)};
    switch (draw_.below(8)) {
      case 0: o.quat = {draw_.in(0.2, 1), axis[1], axis[2], axis[0]}; break;
      case 1: o.axisangle = {axis[0], axis[1], axis[2], angle(draw_.in(-2, 2))}; break;
      case 2: o.xyaxes = {axis[0], axis[1], axis[2], 0, axis[0], draw_.in(-1, 1)}; break;
      case 3: o.zaxis = {axis[1], axis[2], axis[0]}; break;
      case 4: o.euler = {angle(axis[0]), angle(axis[1]), angle(axis[2])}; break;
      default: break;
    }
    return o;
  }

  void free_joint(spec::Body& b) {
    spec::Joint& j = spec::add(b.joints, name("j"));
    j.type = JointType::free;
    j.is_freejoint = draw_.chance(0.5);
    if (j.is_freejoint) {
      if (draw_.chance(0.3)) j.align = draw_.chance(0.5) ? spec::Tristate::yes : spec::Tristate::no;
      return;
    }
    element_class(j);
    if (draw_.chance(0.2)) j.damping = {draw_.in(0, 0.3)};
    if (draw_.chance(0.1)) j.armature = draw_.in(0, 0.1);
    if (draw_.chance(0.1)) j.stiffness = {draw_.in(0, 2)};
    if (draw_.chance(0.05)) j.frictionloss = draw_.in(0, 0.2);
  }

  // one to three joints, at most six dofs, no rotation after a ball
  void joints(spec::Body& b, bool plain) {
    const int kind = draw_.below(9);
    using enum JointType;
    if (kind < 3) joint(b, hinge, plain);
    if (kind == 3) joint(b, slide, plain);
    if (kind == 4) joint(b, ball, plain);
    if (kind == 5) joint(b, slide, plain), joint(b, hinge, plain);
    if (kind == 6) joint(b, slide, plain), joint(b, slide, plain), joint(b, ball, plain);
    if (kind == 7) joint(b, hinge, plain), joint(b, hinge, plain);
    if (kind == 8) joint(b, hinge, plain), joint(b, slide, plain), joint(b, hinge, plain);
  }

  void joint(spec::Body& b, JointType type, bool plain) {
    spec::Joint& j = spec::add(b.joints, name("j"));
    const bool scalar = type != JointType::ball;
    j.type = type;
    element_class(j);
    if (!plain && draw_.chance(0.5)) j.pos = vec(0.1);
    if (scalar && plain) {  // not two along the same axis
      const auto k = (b.joints.size() + std::size_t((*b.pos)[0] > 0)) % 3;
      j.axis = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
    }
    if (scalar && !plain) j.axis = {draw_.in(0.2, 1), draw_.in(-1, 1), draw_.in(-1, 1)};
    if (draw_.chance(0.3)) limits(j, type);
    if (draw_.chance(0.35)) j.damping = {draw_.in(0, 0.5)};
    if (j.damping && draw_.chance(0.2)) j.damping = {j.damping[0], draw_.in(0, 0.2), 0.01};
    if (draw_.chance(0.3)) j.armature = draw_.in(0, 0.1);
    if (draw_.chance(0.12)) j.frictionloss = draw_.in(0, 0.5);
    if (draw_.chance(0.3)) j.stiffness = {draw_.in(0, 5)};
    if (j.stiffness && draw_.chance(0.2)) j.stiffness = {j.stiffness[0], draw_.in(0, 2), 0.5};
    if (!j.stiffness && !j.damping && draw_.chance(0.1)) j.springdamper = {draw_.in(0.1, 1), 1};
    if (scalar && draw_.chance(0.2)) j.springref = turn(type, draw_.in(-0.5, 0.5));
    if (scalar && draw_.chance(0.15)) j.ref = turn(type, draw_.in(-0.5, 0.5));
    if (scalar && draw_.chance(0.1)) j.actuatorfrcrange = {-draw_.in(0.5, 3), draw_.in(0.5, 3)};
    if (draw_.chance(0.1)) j.actuatorgravcomp = true;
    if (draw_.chance(0.1)) j.group = 1;
  }

  double turn(JointType type, double x) { return type == JointType::hinge ? angle(x) : x; }

  // narrow, so that a random state is often beyond them
  void limits(spec::Joint& j, JointType type) {
    const bool ball = type == JointType::ball;
    const double wide = type == JointType::slide ? 0.2 : 0.5;
    if (ball) {
      j.range = {0, angle(draw_.in(0.1, 1))};
    } else {
      j.range = {turn(type, -draw_.in(0.02, wide)), turn(type, draw_.in(0.02, wide) + 0.02)};
    }
    if (draw_.chance(0.2)) j.limited = spec::Tristate::yes;
    if (draw_.chance(0.2)) j.margin = draw_.in(0, 0.05);
    if (draw_.chance(0.2)) j.solreflimit = {draw_.in(0.01, 0.05), draw_.in(0.5, 1.5)};
    if (draw_.chance(0.1)) j.solreflimit = {-draw_.in(100, 500), -draw_.in(1, 20)};
    if (draw_.chance(0.2)) j.solimplimit = {0.7, 0.98, draw_.in(0.01, 0.1), 0.4, draw_.in(1, 3)};
  }

  // inertia, geoms, sites and the like; a body that moves needs a mass
  void contents(spec::Body& b, bool plain) {
    const bool moves = !b.joints.empty();
    const bool explicit_inertia = draw_.chance(0.2);
    if (explicit_inertia) inertial(b, plain);
    const int geoms = moves && !explicit_inertia ? 1 + draw_.below(2) : draw_.below(3);
    for (int k = 0; k < geoms; ++k) {
      spec::Geom& g = geom(b, solid(), plain && k == 0);
      if (k == 0 && !plain && draw_.chance(0.05)) {
        g.frame = spec::add_frame(b, name("f"));
        b.frames.back().orientation = orientation();
      }
    }
    if (!moves && !part_ && &b == &spec_.world.bodies.back() && draw_.chance(0.1)) {
      geom(b, GeomType::plane);
    }
    for (int k = draw_.below(3); k > 0; --k) site(b);
    if (draw_.chance(0.1)) camera(b);
    if (draw_.chance(0.05)) {
      spec::Light& l = spec::add(b.lights, name("light"));
      l.pos = vec(0.2);
      l.dir = {draw_.in(-1, 1), draw_.in(-1, 1), -0.5};
    }
  }

  // masses on three axes have moments that are physically possible
  void inertial(spec::Body& b, bool plain) {
    spec::Inertial& i = b.inertial.emplace();
    i.pos = plain ? Numbers<3>{0, 0, 0} : vec(0.1);
    i.mass = draw_.in(0.1, 3);
    const Numbers<3> part{draw_.in(0.002, 0.02), draw_.in(0.002, 0.02), draw_.in(0.002, 0.02)};
    const Numbers<3> sum{part[1] + part[2], part[0] + part[2], part[0] + part[1]};
    if (draw_.chance(0.3) && !plain) {
      i.fullinertia = {sum[0], sum[1], sum[2], draw_.in(-0.001, 0.001), 0, 0.001};
    } else {
      i.diaginertia = sum;
      if (!plain) i.orientation = orientation();
    }
  }

  void shape(spec::Geom& g, GeomType type, bool plain) {
    const Numbers<3> s{draw_.in(0.03, 0.12), draw_.in(0.03, 0.12), draw_.in(0.03, 0.12)};
    const bool long_one = type == GeomType::capsule || type == GeomType::cylinder;
    if (type == GeomType::plane) {
      g.size = {draw_.in(0, 1), draw_.in(0, 1), 0.1};
    } else if (type == GeomType::mesh || type == GeomType::sdf) {
      g.mesh = draw_.of(spec_.meshes).name;
    } else if (type == GeomType::hfield) {
      g.hfield = spec_.hfields[0].name;
      g.pos = {0, 0, -0.5};
      return;
    } else if (long_one && !plain && draw_.chance(0.4)) {
      g.size = {s[0]};
      g.fromto = {0, 0, 0, s[1] + 0.1, draw_.in(-0.2, 0.2), s[2]};
      return;
    } else {
      g.size = {s[0], s[1], s[2]};
    }
    if (plain) return;
    if (draw_.chance(0.5)) g.pos = vec(0.1);
    g.orientation = orientation();
  }

  void contact(spec::Geom& g, bool ground) {
    if (touching == Touching::nothing) g.contype = g.conaffinity = 0;
    if (touching == Touching::floor) {
      g.contype = ground ? 2 : 1;
      g.conaffinity = ground ? 1 : 2;
    }
    if (draw_.chance(0.3)) g.condim = draw_.pick({1, 3, 4, 6});
    if (draw_.chance(0.2)) g.friction = {draw_.in(0.1, 2), draw_.in(0, 0.05), draw_.in(0, 0.01)};
    if (draw_.chance(0.1)) g.solref = {draw_.in(0.01, 0.05), draw_.in(0.5, 1.5)};
    if (draw_.chance(0.05)) g.solref = {-draw_.in(500, 2000), -draw_.in(5, 50)};
    if (draw_.chance(0.1)) g.solimp = {0.8, 0.97, draw_.in(0.002, 0.02)};
    if (draw_.chance(0.2)) g.margin = draw_.in(0, 0.05);
    if (draw_.chance(0.1)) g.gap = draw_.in(0, 0.02);
    if (draw_.chance(0.1)) g.priority = draw_.below(3);
    if (draw_.chance(0.1)) g.solmix = draw_.in(0.5, 3);
    if (draw_.chance(0.05)) g.surfacevel = {draw_.in(-1, 1), draw_.in(-1, 1), 0, 0, 0, 0.5};
    if (draw_.chance(0.05)) g.adhesion = draw_.in(0, 2);
  }

  void follow(spec::Body& b, const std::vector<std::string>& bodies) {
    using corten::TrackMode;
    for (spec::Camera& c : b.cameras) {
      if (!draw_.chance(0.5) || bodies.empty()) continue;
      c.mode = TrackMode(draw_.below(5));
      if (*c.mode >= TrackMode::targetbody) c.target = draw_.of(bodies);
    }
    for (spec::Light& l : b.lights) {
      l.mode = TrackMode(draw_.below(3));
    }
    for (spec::Body& child : b.bodies) follow(child, bodies);
  }

  Draw& draw_;
  corten::Spec& spec_;
  bool part_;
  int next_ = 0;
};

}  // namespace support
