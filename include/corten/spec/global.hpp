// SPDX-License-Identifier: Apache-2.0
//
// The elements that a model has once: compiler, option, size, statistic, visual. If a file repeats
// a section, later attributes replace earlier ones.
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

// How the feasible lengths of an actuator are computed (<compiler><lengthrange>): a simulation
// without other forces pulls it in one direction and then in the other.
struct LengthRange {
  Optional<LengthRangeMode> mode;  // muscle
  Optional<bool> useexisting;      // true: keeps a lengthrange that is given
  Optional<bool> uselimit;         // false; true: uses the range of a limited joint or tendon
  Optional<double> accel;          // 20: norm of the acceleration that the pull causes
  Optional<double> maxforce;       // 0: no limit
  Optional<double> timeconst;      // 1: of the decay of velocities
  Optional<double> timestep;       // 0.01
  Optional<double> inttotal;       // 10: duration of the simulation
  Optional<double> interval;       // 2: time at its end in which lengths are measured
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

// How the text is interpreted. Parsing does not apply these settings: angles stay as written, and
// the compiler converts them.
struct Compiler {
  Location where;             // of the last <compiler>
  Optional<bool> autolimits;  // true: a range implies a limit
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

// The <flag> child of option, in the order of the bits: first DisableBit (features on by default; a
// set bit turns one off), then EnableBit (off by default).
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

  // as in MuJoCo's mjOption.disableflags and mjOption.enableflags; strictsolver is not in MuJoCo
  int disableflags() const { return bits(0, num_disable, Switch::disable); }
  int enableflags() const { return bits(num_disable, 32, Switch::enable); }

 private:
  // bit i - first is set if flag i in [first, last) has this state
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

// maps the form of an option (core/options.hpp) to the type of its member
struct FormNumber {};
struct FormNumbers {};
struct FormLeading {};

template <class Form, class T, std::size_t W>
struct OptionMember {
  using Member = Optional<Form>;  // a keyword
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

// <option>; the defaults are in core/options.hpp
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

  // f(name, own, other, default, rule) for each option except actuatorgroupdisable, of two Options.
  // The rule says how to merge them: Rules::lower, higher or never.
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
  Optional<int> nuser_body, nuser_jnt, nuser_geom, nuser_site;  // -1: the longest list given
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

// Given values replace those that the compiler would compute from the model.
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

// Settings for a renderer, stored as text: <map znear="0.1"/> is {"map", "znear", "0.1"}.
struct Visual {
  struct Entry {
    std::string element, attribute, value;
  };
  ElementsOf<Entry> entries;
};

}  // namespace corten::spec
