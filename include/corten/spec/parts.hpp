// SPDX-License-Identifier: Apache-2.0
//
// Elements that refer to the body tree by name: contact pairs, tendons, sensors, keyframes; and
// textures, materials and custom data. The compiler resolves the names.
#pragma once

#include <string>

#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/core/sensors.hpp>
#include <corten/spec/actuator.hpp>
#include <corten/spec/elements_of.hpp>
#include <corten/spec/fields.hpp>
#include <corten/spec/keywords.hpp>

namespace corten::spec {

// Textures and materials are for renderers: they are read and checked, and can be referred to by
// name, but their files are not loaded.
struct Texture : Element {
  Optional<TextureType> type;       // cube
  Optional<ColorSpace> colorspace;  // auto
  Optional<std::string> content_type, file;
  Optional<std::array<int, 2>> gridsize;
  Optional<std::string> gridlayout;
  Optional<std::string> fileright, fileleft, fileup, filedown, filefront, fileback;
  Optional<Builtin> builtin;  // none
  Optional<Numbers<3>> rgb1, rgb2;
  Optional<Mark> mark;  // none
  Optional<Numbers<3>> markrgb;
  Optional<double> random;
  Optional<int> width, height;
  Optional<bool> hflip, vflip;
  Optional<int> nchannel;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f("name", g.name...);
    f("type", g.type...);
    f("colorspace", g.colorspace...);
    f("content_type", g.content_type...);
    f("file", g.file...);
    f("gridsize", g.gridsize...);
    f("gridlayout", g.gridlayout...);
    f("fileright", g.fileright...);
    f("fileleft", g.fileleft...);
    f("fileup", g.fileup...);
    f("filedown", g.filedown...);
    f("filefront", g.filefront...);
    f("fileback", g.fileback...);
    f("builtin", g.builtin...);
    f("rgb1", g.rgb1...);
    f("rgb2", g.rgb2...);
    f("mark", g.mark...);
    f("markrgb", g.markrgb...);
    f("random", g.random...);
    f("width", g.width...);
    f("height", g.height...);
    f("hflip", g.hflip...);
    f("vflip", g.vflip...);
    f("nchannel", g.nchannel...);
  }
};

// the purposes that a texture of a material can have
inline constexpr Keyword texture_roles[] = {{"rgb", 1},      {"occlusion", 2}, {"roughness", 3},
                                            {"metallic", 4}, {"normal", 5},    {"opacity", 6},
                                            {"emissive", 7}, {"rgba", 8},      {"orm", 9}};

struct Material : Element {
  CORTEN_COLD Material() = default;

  // a texture for one purpose
  struct Layer {
    std::string role;               // one of texture_roles
    Optional<std::string> texture;  // required
    Location where;
  };

  Optional<std::string> texture;
  Optional<Numbers<2>> texrepeat;
  Optional<bool> texuniform;
  Optional<double> emission, specular, shininess, reflectance, metallic, roughness;
  Optional<Numbers<4>> rgba;  // 1 1 1 1
  ElementsOf<Layer> layers;   // instead of texture

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    identity(f, g...);
    f("texture", g.texture...);
    f("texrepeat", g.texrepeat...);
    f("texuniform", g.texuniform...);
    f("emission", g.emission...);
    f("specular", g.specular...);
    f("shininess", g.shininess...);
    f("reflectance", g.reflectance...);
    f("metallic", g.metallic...);
    f("roughness", g.roughness...);
    f("rgba", g.rgba...);
  }
};

// A contact pair that is always tested. Its parameters do not come from the geoms. There are two
// extensions. With `combine`, parameters that are not given do come from the geoms, as for any
// other contact. With `replace`, the pair replaces earlier pairs of the same two geoms; otherwise
// each of these pairs makes its own contacts.
struct Pair : Element {
  CORTEN_COLD Pair() = default;

  Optional<std::string> geom1, geom2;  // required
  Optional<int> condim;                // 3
  Leading<5> friction;                 // 1 1 0.005 0.0001 0.0001
  Leading<2> solref;                   // 0.02 1
  Leading<2> solreffriction;           // 0 0: same as solref
  Leading<5> solimp;                   // 0.9 0.95 0.001 0.5 2
  Optional<double> gap, margin;        // 0
  Optional<double> adhesion;           // 0
  Optional<bool> combine, replace;     // false

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    identity(f, g...);
    f({"geom1", no_default}, g.geom1...);
    f({"geom2", no_default}, g.geom2...);
    f("condim", g.condim...);
    f("friction", g.friction...);
    f("solref", g.solref...);
    f("solreffriction", g.solreffriction...);
    f("solimp", g.solimp...);
    f("gap", g.gap...);
    f("margin", g.margin...);
    f("adhesion", g.adhesion...);
    f("combine", g.combine...);
    f("replace", g.replace...);
  }
};

// two bodies whose geoms never collide
struct Exclude : Element {
  Optional<std::string> body1, body2;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f("name", g.name...);
    f({"body1", required}, g.body1...);
    f({"body2", required}, g.body2...);
  }
};

// <fixed> is a weighted sum of joint positions; <spatial> is a string through sites, around geoms
// and over pulleys. The first entry of the path decides which of the two a tendon is.
struct Tendon : Element {
  static constexpr unsigned kind_fixed = kind_a;
  static constexpr unsigned kind_spatial = kind_b;

  CORTEN_COLD Tendon() = default;

  // a joint with its coefficient, a site, a geom with an optional side site, or a pulley
  struct Entry {
    enum class Kind { joint, site, geom, pulley };

    std::string joint;
    double coef = 1;
    Location where;
    Kind kind = Kind::joint;
    std::string site, geom, sidesite;
    double divisor = 1;
  };

  Optional<int> group;                    // 0
  Optional<Tristate> limited;             // auto
  Optional<Tristate> actuatorfrclimited;  // auto
  Optional<Numbers<2>> range;
  Optional<Numbers<2>> actuatorfrcrange;
  Leading<2> solreflimit, solreffriction;  // 0.02 1
  Leading<5> solimplimit, solimpfriction;  // 0.9 0.95 0.001 0.5 2
  Optional<double> frictionloss;           // 0
  Optional<Numbers<2>> springlength;       // -1 -1: length at qpos0; a single number sets both
  Optional<double> width;                  // 0.003
  Optional<std::string> material;
  Optional<double> margin;  // 0
  Leading<3> stiffness;     // 0; spring polynomial
  Leading<3> damping;       // 0; damper polynomial
  Optional<double> armature;
  Optional<Numbers<4>> rgba;  // 0.5 0.5 0.5 1
  Optional<List<double>> user;
  ElementsOf<Entry> entries;

  bool is_spatial() const { return !entries.empty() && entries[0].kind != Entry::Kind::joint; }

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    identity(f, g...);
    f("group", g.group...);
    f("limited", g.limited...);
    f({"actuatorfrclimited", no_default}, g.actuatorfrclimited...);
    f("range", g.range...);
    f({"actuatorfrcrange", no_default}, g.actuatorfrcrange...);
    f("solreflimit", g.solreflimit...);
    f("solimplimit", g.solimplimit...);
    f("solreffriction", g.solreffriction...);
    f("solimpfriction", g.solimpfriction...);
    f("frictionloss", g.frictionloss...);
    f({"springlength", single_fills}, g.springlength...);
    f({"width", kind_spatial}, g.width...);
    f({"material", kind_spatial}, g.material...);
    f("margin", g.margin...);
    f("stiffness", g.stiffness...);
    f("damping", g.damping...);
    f({"armature", no_default}, g.armature...);
    f({"rgba", kind_spatial}, g.rgba...);
    f("user", g.user...);
  }
};

// Any sensor. joint="knee" or site="imu" in MJCF becomes objtype and objname here, where the
// sensor's type implies the objtype; a reference frame becomes reftype and refname. Default classes
// for sensors are an extension of MJCF.
struct Sensor : Element {
  static constexpr unsigned kind_simulated = kind_a;
  static constexpr unsigned kind_user = kind_b;
  static constexpr unsigned kind_ray = kind_c;
  static constexpr unsigned kind_contact = kind_d;
  static constexpr unsigned kind_tactile = kind_e;

  CORTEN_COLD Sensor() = default;

  SensorType type = SensorType::user;
  ObjectType objtype = ObjectType::unknown;
  std::string objname;
  ObjectType reftype = ObjectType::unknown;
  std::string refname;
  Optional<int> nsample;
  Optional<Interpolation> interp;
  Optional<double> delay;
  Leading<2> interval;
  Optional<double> cutoff;  // 0: none
  Optional<double> noise;   // 0
  Optional<List<double>> user;
  // user sensors only
  Optional<SensorData> datatype;  // real
  Optional<Stage> needstage;      // acceleration
  Optional<int> dim;
  // rangefinders and contact sensors only: keywords in the order of RayData or ContactData
  Optional<std::string> data;  // dist; found
  // contact sensors only
  Optional<ContactReduce> reduce;  // none
  Optional<int> num;               // 1

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    identity(f, g...);
    f({"nsample", kind_simulated | kind_tactile}, g.nsample...);
    f({"interp", kind_simulated | kind_tactile}, g.interp...);
    f({"delay", kind_simulated | kind_tactile}, g.delay...);
    f({"interval", kind_simulated | kind_tactile}, g.interval...);
    f({"cutoff", kind_simulated | kind_user}, g.cutoff...);
    f({"noise", kind_simulated | kind_user}, g.noise...);
    f("user", g.user...);
    f({"datatype", kind_user}, g.datatype...);
    f({"needstage", kind_user}, g.needstage...);
    f({"dim", kind_user | required}, g.dim...);
    f({"data", kind_ray | kind_contact}, g.data...);
    f({"reduce", kind_contact}, g.reduce...);
    f({"num", kind_contact}, g.num...);
  }
};

// custom numbers; data is padded with zeros to the given size
struct Numeric : Element {
  Optional<int> size;
  Optional<List<double>> data;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f({"name", required}, g.name...);
    f("size", g.size...);
    f("data", g.data...);
  }
};

struct Text : Element {
  std::string data;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f({"name", required}, g.name...);
    f({"data", required}, g.data...);
  }
};

// a list of objects of any type, each with a number
struct Tuple : Element {
  struct Entry {
    ObjectType objtype = ObjectType::unknown;
    std::string objname;
    double prm = 0;
    Location where;
  };
  ElementsOf<Entry> entries;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f({"name", required}, g.name...);
  }
};

// A state to start from. Absent parts default to qpos0, rest and zero control.
struct Key : Element {
  Optional<double> time;
  Optional<List<double>> qpos, qvel, act, mpos, mquat, ctrl;
  Optional<List<double>> softpos, softvel;  // extensions: vertices of soft bodies
  bool attached = false;  // its numbers are stored with the elements (Kept), under its name

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f("name", g.name...);
    f("time", g.time...);
    f("qpos", g.qpos...);
    f("qvel", g.qvel...);
    f("act", g.act...);
    f("mpos", g.mpos...);
    f("mquat", g.mquat...);
    f("ctrl", g.ctrl...);
    f("softpos", g.softpos...);
    f("softvel", g.softvel...);
  }
};

}  // namespace corten::spec
