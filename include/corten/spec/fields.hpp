// SPDX-License-Identifier: Apache-2.0
//
// What an attribute is, and how an element lists its attributes.
//
// Every element has one list, a static function template
//
//   template <class F, class... G> static void fields(F&& f, G&... g) {
//     f("pos", g.pos...);
//     f({"joint", no_default}, g.joint...);
//     f(nested, g.orientation...);
//   }
//
// that calls f(attribute, member of the first object, member of the second, ...). With one object
// the visitor reads or writes attributes; with two it overlays, copies or compares; with none it
// lists names. Adding an attribute to an element is one member and one line, and everything that
// knows attributes by name follows.
//
// Members carry presence: Optional<T>, or Leading<N> for the lists of which MJCF lets one give
// the first few numbers only. A value that is present was written by the user, even when it equals
// the built-in default; so an explicit value always beats a default class.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

#include <corten/config.hpp>
#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/core/result.hpp>
#include <corten/spec/extensions.hpp>

namespace corten::spec {

template <std::size_t N>
using Numbers = std::array<double, N>;

// The first `count` of N numbers, e.g. size="0.1" of a geom, which has up to three. What was not
// given stays with the default class, and then with the built-in default.
template <std::size_t N>
struct Leading {
  Numbers<N> values{};
  int count = 0;

  Leading() = default;
  Leading(std::initializer_list<double> given) {
    CORTEN_ASSERT(given.size() <= N && "more values than the attribute has");
    for (const double v : given) {
      if (count < static_cast<int>(N)) values[static_cast<std::size_t>(count++)] = v;
    }
  }

  // all of them given
  static Leading all(const Numbers<N>& numbers) {
    Leading out;
    out.values = numbers;
    out.count = static_cast<int>(N);
    return out;
  }

  bool has_value() const { return count > 0; }
  explicit operator bool() const { return has_value(); }
  double operator[](std::size_t i) const { return values[i]; }

  // all N numbers: the given ones, then those of `defaults`
  Numbers<N> value_or(const Numbers<N>& defaults) const {
    Numbers<N> out = defaults;
    std::copy_n(values.begin(), count, out.begin());
    return out;
  }

  // put `over` on top: its entries win, later ones of *this stay
  void overlay(const Leading& over) {
    std::copy_n(over.values.begin(), over.count, values.begin());
    count = std::max(count, over.count);
  }

  friend bool operator==(const Leading& a, const Leading& b) {
    return a.count == b.count &&
           std::equal(a.values.begin(), a.values.begin() + a.count, b.values.begin());
  }
};

// What holds for an attribute besides its type. The kinds restrict an attribute to some of the
// elements that share a struct: kp belongs to <position>, not to <motor>; both are an Actuator.
enum Rule : unsigned {
  required = 1u << 0,      // must be given
  no_default = 1u << 1,    // an element has it, a default class does not
  single_fills = 1u << 2,  // one number stands for all
  kind_a = 1u << 8,
  kind_b = 1u << 9,
  kind_c = 1u << 10,
  kind_d = 1u << 11,
  kind_e = 1u << 12,
  any_kind = 0xfffu << 8  // actuators have twelve
};

struct Attribute {
  const char* name;
  unsigned rules = 0;

  constexpr Attribute(const char* n, unsigned r = 0) : name(n), rules(r) {}

  // may an element of these kinds carry it?
  constexpr bool accepted_by(unsigned kinds) const {
    return (rules & any_kind) == 0 || (rules & any_kind & kinds) != 0;
  }
};

// marks a member that is itself a list of attributes (Orientation)
inline constexpr Attribute nested{""};

// What every element has. The name is empty when it was not given; so is the class. `where` and
// `path` are for messages; they are empty for elements built in code.
struct Element {
  std::string name;
  std::string class_name;
  Location where;
  std::string path;  // e.g. mujoco/worldbody/body 'torso'/geom 'head'
  int origin = 0;    // the model that it was written in: index in Spec::origins + 1; 0: this one

  Element() = default;
  CORTEN_COLD Element(const Element&) = default;
  CORTEN_COLD Element(Element&&) noexcept = default;
  CORTEN_COLD Element& operator=(const Element&) = default;
  CORTEN_COLD Element& operator=(Element&&) noexcept = default;
  CORTEN_COLD ~Element() = default;

  // an error about this element
  CORTEN_COLD Error error(std::string_view message, std::string_view remedy = {}) const {
    return Error{where, path, message, remedy};
  }

  template <class F, class... G>
  static void identity(F&& f, G&... g) {
    f({"name", no_default}, g.name...);
    f({"class", no_default}, g.class_name...);
  }
};

// What an element has in a keyframe of a model that was attached: qpos and qvel of a joint, act and ctrl of
// an actuator, mpos and mquat of a body. Kept with the element, they follow it wherever it is put.
struct Kept {
  std::string key;
  List<double> first, second;  // empty: not given
};

// Numbers that a kind of a user's own has, by their attribute: `joint.parameters.set("pitch", 0.01)`.
// Names are literals: they are referred to, not copied.
struct Parameters {
  using Entry = Parameter;
  List<Entry> entries;

  CORTEN_COLD const double* find(std::string_view name) const {
    for (const Entry& e : entries) {
      if (e.name == name) return &e.value;
    }
    return nullptr;
  }
  CORTEN_COLD void set(const char* name, double value) {
    for (Entry& e : entries) {
      if (std::string_view(e.name) == name) {
        e.value = value;
        return;
      }
    }
    entries.push_back({name, value});
  }
  CORTEN_COLD void inherit(const Parameters& base) {
    for (const Entry& e : base.entries) {
      if (find(e.name) == nullptr) entries.push_back(e);
    }
  }
};

// The ways to give an orientation. At most one is written on an element; the others may come from
// its class. axisangle and euler are in the angle unit of the compiler element, as written.
struct Orientation {
  Optional<Numbers<4>> quat;
  Optional<Numbers<4>> axisangle;
  Optional<Numbers<6>> xyaxes;
  Optional<Numbers<3>> zaxis;
  Optional<Numbers<3>> euler;

  bool has_alternative() const { return axisangle || xyaxes || zaxis || euler; }
  bool has_value() const { return quat || has_alternative(); }

  // how many of the ways are present
  int count() const {
    return int(bool(quat)) + int(bool(axisangle)) + int(bool(xyaxes)) + int(bool(zaxis)) +
           int(bool(euler));
  }

  // As in MuJoCo, a quat and the alternatives to it are inherited apart, and an alternative wins
  // over a quat: a class that gives euler overrules the quat of its elements. Do not rely on it.
  CORTEN_COLD void inherit(const Orientation& base) {
    if (has_alternative()) return;
    const Optional<Numbers<4>> own = quat;
    *this = base;
    if (own) quat = own;
  }

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f("quat", g.quat...);
    f("axisangle", g.axisangle...);
    f("xyaxes", g.xyaxes...);
    f("zaxis", g.zaxis...);
    f("euler", g.euler...);
  }
};

}  // namespace corten::spec
