// SPDX-License-Identifier: Apache-2.0
//
// The elements that a model has once: compiler, option, size, statistic, visual. A file may repeat
// the section; later attributes then replace earlier ones.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/spec/elements_of.hpp>
#include <corten/spec/fields.hpp>
#include <corten/spec/keywords.hpp>

namespace corten::spec {

// How the lengths that an actuator can have are found (<compiler><lengthrange>): it is pulled one
// way and then the other in a simulation without other forces.
struct LengthRange {
  Optional<LengthRangeMode> mode;  // muscle
  Optional<bool> useexisting;      // true: a lengthrange that is given is kept
  Optional<bool> uselimit;         // false; true: the range of a limited joint or tendon is taken
  Optional<double> accel;          // 20: length of the acceleration that the pull makes
  Optional<double> maxforce;       // 0: none
  Optional<double> timeconst;      // 1: of a decay of velocities
  Optional<double> timestep;       // 0.01
  Optional<double> inttotal;       // 10: time of the simulation
  Optional<double> interval;       // 2: time at its end in which lengths are looked at
  Optional<double> tolrange;       // 0.05: how much they may vary, relative to the range

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f("mode", g.mode...);
    f("useexisting", g.useexisting...);
    f("uselimit", g.uselimit...);
    f("accel", g.accel...);
    f("maxforce", g.maxforce...);
    f("timeconst", g.timeconst...);
    f("timestep", g.timestep...);
    f("inttotal", g.inttotal...);
    f("interval", g.interval...);
    f("tolrange", g.tolrange...);
  }
};

// How the text is to be understood. Nothing here is applied to the spec: angles stay as written,
// and compile converts them.
struct Compiler {
  Location where;             // of the last <compiler>
  Optional<bool> autolimits;  // true: a range makes a limit
  Optional<double> boundmass;
  Optional<double> boundinertia;
  Optional<double> settotalmass;
  Optional<bool> balanceinertia;
  Optional<bool> strippath;
  Optional<Coordinate> coordinate;  // only local
  Optional<Angle> angle;            // degree
  Optional<bool> fitaabb;
  Optional<std::string> eulerseq;  // three of xyzXYZ; xyz
  Optional<std::string> meshdir;
  Optional<std::string> texturedir;
  Optional<bool> discardvisual;
  Optional<bool> usethread;
  Optional<bool> fusestatic;
  Optional<Tristate> inertiafromgeom;              // auto
  Optional<std::array<int, 2>> inertiagrouprange;  // 0 5
  Optional<bool> saveinertial;
  Optional<std::string> assetdir;
  Optional<bool> alignfree;
  Optional<Conflict> conflict;
  LengthRange lengthrange;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f("autolimits", g.autolimits...);
    f("boundmass", g.boundmass...);
    f("boundinertia", g.boundinertia...);
    f("settotalmass", g.settotalmass...);
    f("balanceinertia", g.balanceinertia...);
    f("strippath", g.strippath...);
    f("coordinate", g.coordinate...);
    f("angle", g.angle...);
    f("fitaabb", g.fitaabb...);
    f("eulerseq", g.eulerseq...);
    f("meshdir", g.meshdir...);
    f("texturedir", g.texturedir...);
    f("discardvisual", g.discardvisual...);
    f("usethread", g.usethread...);
    f("fusestatic", g.fusestatic...);
    f("inertiafromgeom", g.inertiafromgeom...);
    f("inertiagrouprange", g.inertiagrouprange...);
    f("saveinertial", g.saveinertial...);
    f("assetdir", g.assetdir...);
    f("alignfree", g.alignfree...);
    f("conflict", g.conflict...);
  }
};

// The <flag> child of option. The order is that of the bits: first DisableBit (on by default, a
// set bit switches off), then EnableBit (off by default).
struct Flags {
#define X(word, member) Optional<Switch> member;
  CORTEN_FLAG_TABLE(X, X)
#undef X

  static constexpr int num_disable = corten::detail::num_disable;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
#define X(word, member) f(#word, g.member...);
    CORTEN_FLAG_TABLE(X, X)
#undef X
  }

  // as MuJoCo's mjOption.disableflags and mjOption.enableflags, which ends before strictsolver
  int disableflags() const { return bits(0, num_disable, Switch::disable); }
  int enableflags() const { return bits(num_disable, 32, Switch::enable); }

 private:
  // bit i - first is set when flag i in [first, last) has this state
  int bits(int first, int last, Switch state) const {
    int out = 0;
    int i = 0;
    fields(
        [&](Attribute, const Optional<Switch>& flag) {
          if (i >= first && i < last && flag == state) out |= 1 << (i - first);
          ++i;
        },
        *this);
    return out;
  }
};

namespace detail {

// what core/options.hpp calls the form of an option, as a member
struct FormNumber {};
struct FormNumbers {};
struct FormLeading {};

template <class Form, class T, std::size_t W>
struct OptionMember {
  using Member = Optional<Form>;  // a word
  static Form usual(double x) { return static_cast<Form>(static_cast<int>(x)); }
};
template <class T, std::size_t W>
struct OptionMember<FormNumber, T, W> {
  using Member = Optional<T>;
  static T usual(double x) { return static_cast<T>(x); }
};
template <class T, std::size_t W>
struct OptionMember<FormNumbers, T, W> {
  using Member = Optional<Numbers<W>>;
  template <class... X
  > static Numbers<W> usual(X... x) { return {static_cast<double>(x)...}; }
};
template <class T, std::size_t W>
struct OptionMember<FormLeading, T, W> : OptionMember<FormNumbers, T, W> {
  using Member = Leading<W>;
};

}  // namespace detail

// <option>; core/options.hpp has the defaults
class Option {
  using S = double;
  using number = detail::FormNumber;
  using numbers = detail::FormNumbers;
  using leading = detail::FormLeading;

 public:
  Location where;  // of the last <option>
#define X(type, name, width, form, merge, ...) \
  typename detail::OptionMember<form, type, width>::Member name;
  CORTEN_OPTION_TABLE(X)
#undef X
  Optional<List<int>> actuatorgroupdisable;  // groups 0 to 30
  Flags flag;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
#define X(type, name, width, form, merge, ...) f(#name, g.name...);
    CORTEN_OPTION_TABLE(X)
#undef X
    f("actuatorgroupdisable", g.actuatorgroupdisable...);
  }

  // f(name, own, other, default, rule) for each option of two of them but the groups; the rule is that of
  // merging: Rules::lower, higher or never
  template <class Rules, class F>
  static void pairs(Option& own, const Option& other, F&& f) {
#define X(type, name, width, form, merge, ...)                                                \
  f(#name, own.name, other.name, detail::OptionMember<form, type, width>::usual(__VA_ARGS__), \
    Rules::merge);
    CORTEN_OPTION_TABLE(X)
#undef X
  }
};

struct Size {
  Optional<std::string> memory;          // bytes with a suffix K M G T P E; "-1": automatic
  Optional<int> njmax, nconmax, nstack;  // legacy sizes; -1: automatic
  Optional<int> nuserdata, nkey;
  Optional<int> nuser_body, nuser_jnt, nuser_geom, nuser_site;  // -1: as many as were given
  Optional<int> nuser_cam, nuser_tendon, nuser_actuator, nuser_sensor;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f("memory", g.memory...);
    f("njmax", g.njmax...);
    f("nconmax", g.nconmax...);
    f("nstack", g.nstack...);
    f("nuserdata", g.nuserdata...);
    f("nkey", g.nkey...);
    f("nuser_body", g.nuser_body...);
    f("nuser_jnt", g.nuser_jnt...);
    f("nuser_geom", g.nuser_geom...);
    f("nuser_site", g.nuser_site...);
    f("nuser_cam", g.nuser_cam...);
    f("nuser_tendon", g.nuser_tendon...);
    f("nuser_actuator", g.nuser_actuator...);
    f("nuser_sensor", g.nuser_sensor...);
  }
};

// Given values replace those that compile would work out from the model.
struct Statistic {
  Optional<double> meaninertia, meanmass, meansize, extent;
  Optional<Numbers<3>> center;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f("meaninertia", g.meaninertia...);
    f("meanmass", g.meanmass...);
    f("meansize", g.meansize...);
    f("extent", g.extent...);
    f("center", g.center...);
  }
};

// Settings for a renderer, kept as text: <map znear="0.1"/> is {"map", "znear", "0.1"}.
struct Visual {
  struct Entry {
    std::string element, attribute, value;
  };
  ElementsOf<Entry> entries;
};

}  // namespace corten::spec
