// SPDX-License-Identifier: Apache-2.0
//
// The body tree and its elements: inertial, joint, geom, site, camera, light. Angles (orientations,
// and range, ref and springref of hinges and balls) are stored as written, in the unit set by the
// compiler's `angle`.
#pragma once

#include <memory>
#include <string>

#include <corten/asset/sdf_grid.hpp>
#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/spec/elements_of.hpp>
#include <corten/spec/fields.hpp>
#include <corten/spec/frame.hpp>
#include <corten/spec/keywords.hpp>

namespace corten::spec {

struct Inertial {
  Location where;
  std::string path;
  Optional<Numbers<3>> pos;  // required
  Orientation orientation;
  Optional<double> mass;  // required
  Optional<Numbers<3>> diaginertia;
  Optional<Numbers<6>> fullinertia;  // xx yy zz xy xz yz

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f({"pos", required}, g.pos...);
    f(nested, g.orientation...);
    f({"mass", required}, g.mass...);
    f("diaginertia", g.diaginertia...);
    f("fullinertia", g.fullinertia...);
  }
};

// <joint> and <freejoint>. A freejoint has type free and ignores default classes.
struct Joint : TreeElement {
  static constexpr unsigned kind_joint = kind_a;
  static constexpr unsigned kind_freejoint = kind_b;

  CORTEN_COLD Joint() = default;

  bool is_freejoint = false;
  Optional<Tristate> align;   // of a freejoint; auto
  Optional<JointType> type;   // hinge
  Optional<int> group;        // 0
  Optional<Numbers<3>> pos;   // 0 0 0
  Optional<Numbers<3>> axis;  // 0 0 1
  Optional<Numbers<2>> springdamper;
  Optional<Tristate> limited;              // auto
  Optional<Tristate> actuatorfrclimited;   // auto
  Leading<2> solreflimit, solreffriction;  // 0.02 1
  Leading<5> solimplimit, solimpfriction;  // 0.9 0.95 0.001 0.5 2
  Leading<3> stiffness;                    // 0; spring polynomial
  Optional<Numbers<2>> range;
  Optional<Numbers<2>> actuatorfrcrange;
  Optional<bool> actuatorgravcomp;
  Optional<double> margin, ref, springref, armature;  // 0
  Leading<3> damping;                                 // 0; damper polynomial
  Optional<double> frictionloss;                      // 0
  Optional<List<double>> user;
  Parameters parameters;  // of a user-defined kind (spec/extensions.hpp)
  List<Kept> kept;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f({"name", no_default}, g.name...);
    f({"class", no_default | kind_joint}, g.class_name...);
    f({"align", kind_freejoint}, g.align...);
    f({"type", kind_joint}, g.type...);
    f("group", g.group...);
    f({"pos", kind_joint}, g.pos...);
    f({"axis", kind_joint}, g.axis...);
    f({"springdamper", kind_joint}, g.springdamper...);
    f({"limited", kind_joint}, g.limited...);
    f({"actuatorfrclimited", kind_joint}, g.actuatorfrclimited...);
    f({"solreflimit", kind_joint}, g.solreflimit...);
    f({"solimplimit", kind_joint}, g.solimplimit...);
    f({"solreffriction", kind_joint}, g.solreffriction...);
    f({"solimpfriction", kind_joint}, g.solimpfriction...);
    f({"stiffness", kind_joint}, g.stiffness...);
    f({"range", kind_joint}, g.range...);
    f({"actuatorfrcrange", kind_joint}, g.actuatorfrcrange...);
    f({"actuatorgravcomp", kind_joint}, g.actuatorgravcomp...);
    f({"margin", kind_joint}, g.margin...);
    f({"ref", kind_joint}, g.ref...);
    f({"springref", kind_joint}, g.springref...);
    f({"armature", kind_joint}, g.armature...);
    f({"damping", kind_joint}, g.damping...);
    f({"frictionloss", kind_joint}, g.frictionloss...);
    f({"user", kind_joint}, g.user...);
    f({"joint", kind_joint}, g.parameters...);
  }
};

struct Geom : TreeElement {
  CORTEN_COLD Geom() = default;

  Optional<GeomType> type;             // sphere
  Optional<int> contype, conaffinity;  // 1
  Optional<int> condim;                // 3
  Optional<int> group, priority;       // 0
  Leading<3> size;                     // 0 0 0
  Optional<std::string> material;
  Leading<3> friction;          // 1 0.005 0.0001
  Optional<double> mass;        // overrides density
  Optional<double> density;     // 1000
  Optional<bool> shellinertia;  // false
  Optional<double> solmix;      // 1
  Leading<2> solref;            // 0.02 1
  Leading<5> solimp;            // 0.9 0.95 0.001 0.5 2
  Optional<double> margin, gap;
  Leading<6> surfacevel;
  Optional<double> adhesion;
  Optional<Numbers<6>> fromto;  // beats pos and orientation
  Optional<Numbers<3>> pos;     // 0 0 0
  Orientation orientation;
  Optional<std::string> hfield, mesh;
  Optional<double> fitscale;        // 1
  Optional<Numbers<4>> rgba;        // 0.5 0.5 0.5 1
  Optional<FluidShape> fluidshape;  // none
  Leading<5> fluidcoef;             // 0.5 0.25 1.5 1 1
  Optional<List<double>> user;
  std::shared_ptr<const asset::SdfGrid> grid;  // for type sdf, instead of a mesh; only in code

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    identity(f, g...);
    f("type", g.type...);
    f("contype", g.contype...);
    f("conaffinity", g.conaffinity...);
    f("condim", g.condim...);
    f("group", g.group...);
    f("priority", g.priority...);
    f("size", g.size...);
    f("material", g.material...);
    f("friction", g.friction...);
    f("mass", g.mass...);
    f("density", g.density...);
    f("shellinertia", g.shellinertia...);
    f("solmix", g.solmix...);
    f("solref", g.solref...);
    f("solimp", g.solimp...);
    f("margin", g.margin...);
    f("gap", g.gap...);
    f("surfacevel", g.surfacevel...);
    f("adhesion", g.adhesion...);
    f("fromto", g.fromto...);
    f("pos", g.pos...);
    f(nested, g.orientation...);
    f("hfield", g.hfield...);
    f("mesh", g.mesh...);
    f("fitscale", g.fitscale...);
    f("rgba", g.rgba...);
    f("fluidshape", g.fluidshape...);
    f("fluidcoef", g.fluidcoef...);
    f("user", g.user...);
  }
};

struct Site : TreeElement {
  CORTEN_COLD Site() = default;

  Optional<GeomType> type;   // sphere
  Optional<int> group;       // 0
  Optional<Numbers<3>> pos;  // 0 0 0
  Orientation orientation;
  Optional<std::string> material;
  Leading<3> size;              // 0.005 0.005 0.005
  Optional<Numbers<6>> fromto;  // beats pos and orientation
  Optional<Numbers<4>> rgba;    // 0.5 0.5 0.5 1
  Optional<List<double>> user;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    identity(f, g...);
    f("type", g.type...);
    f("group", g.group...);
    f("pos", g.pos...);
    f(nested, g.orientation...);
    f("material", g.material...);
    f("size", g.size...);
    f("fromto", g.fromto...);
    f("rgba", g.rgba...);
    f("user", g.user...);
  }
};

struct Camera : TreeElement {
  CORTEN_COLD Camera() = default;

  Optional<Projection> projection;          // perspective
  Optional<double> fovy;                    // 45; always in degrees
  Optional<double> ipd;                     // 0.068
  Optional<std::array<int, 2>> resolution;  // 1 1
  Optional<std::string> output;             // keywords: rgb depth distance normal segmentation
  Optional<Numbers<3>> pos;                 // 0 0 0
  Orientation orientation;
  Optional<TrackMode> mode;      // fixed
  Optional<std::string> target;  // a body
  Optional<Numbers<2>> focal, focalpixel, principal, principalpixel, sensorsize;
  Optional<List<double>> user;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    identity(f, g...);
    f("projection", g.projection...);
    f("fovy", g.fovy...);
    f("ipd", g.ipd...);
    f("resolution", g.resolution...);
    f("output", g.output...);
    f("pos", g.pos...);
    f(nested, g.orientation...);
    f("mode", g.mode...);
    f({"target", no_default}, g.target...);
    f("focal", g.focal...);
    f("focalpixel", g.focalpixel...);
    f("principal", g.principal...);
    f("principalpixel", g.principalpixel...);
    f("sensorsize", g.sensorsize...);
    f("user", g.user...);
  }
};

struct Light : TreeElement {
  CORTEN_COLD Light() = default;

  Optional<bool> directional;         // the older form of type
  Optional<LightType> type;           // spot
  Optional<bool> castshadow, active;  // true
  Optional<Numbers<3>> pos;           // 0 0 0
  Optional<Numbers<3>> dir;           // 0 0 -1
  Optional<double> bulbradius, intensity, range;
  Optional<Numbers<3>> attenuation;
  Optional<double> cutoff, softness, exponent;
  Optional<Numbers<3>> ambient, diffuse, specular;
  Optional<TrackMode> mode;      // fixed
  Optional<std::string> target;  // a body
  Optional<std::string> texture;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    identity(f, g...);
    f("directional", g.directional...);
    f("type", g.type...);
    f("castshadow", g.castshadow...);
    f("active", g.active...);
    f("pos", g.pos...);
    f("dir", g.dir...);
    f("bulbradius", g.bulbradius...);
    f("intensity", g.intensity...);
    f("range", g.range...);
    f("attenuation", g.attenuation...);
    f("cutoff", g.cutoff...);
    f("softness", g.softness...);
    f("exponent", g.exponent...);
    f("ambient", g.ambient...);
    f("diffuse", g.diffuse...);
    f("specular", g.specular...);
    f("mode", g.mode...);
    f({"target", no_default}, g.target...);
    f({"texture", no_default}, g.texture...);
  }
};

// A body and its subtree. Children are in document order; the compiler assigns the ids.
struct Body : TreeElement {
  std::string childclass;    // default class of the subtree; empty: the parent's
  Optional<Numbers<3>> pos;  // 0 0 0
  Orientation orientation;
  Optional<bool> mocap;           // false
  Optional<double> gravcomp;      // 0
  Optional<SleepPolicy> sleep;    // auto
  Optional<SimplePolicy> simple;  // auto
  Optional<List<double>> user;
  List<Kept> kept;

  Optional<Inertial> inertial;
  ElementsOf<Frame> frames;
  ElementsOf<Joint> joints;
  ElementsOf<Geom> geoms;
  ElementsOf<Site> sites;
  ElementsOf<Camera> cameras;
  ElementsOf<Light> lights;
  ElementsOf<Body> bodies;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f("name", g.name...);
    f("childclass", g.childclass...);
    f("pos", g.pos...);
    f(nested, g.orientation...);
    f("mocap", g.mocap...);
    f("gravcomp", g.gravcomp...);
    f("sleep", g.sleep...);
    f("simple", g.simple...);
    f("user", g.user...);
  }
};

// f(list) for each list of elements that can be in a frame, except the frames; for several bodies,
// f(list of the first, list of the second, ...)
template <class F, class... B>
void each_list(F&& f, B&... body) {
  f(body.joints...);
  f(body.geoms...);
  f(body.sites...);
  f(body.cameras...);
  f(body.lights...);
  f(body.bodies...);
}

}  // namespace corten::spec
