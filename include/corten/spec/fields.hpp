// SPDX-License-Identifier: Apache-2.0
//
// Attributes, and how an element lists them.
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
// lists names. Adding an attribute to an element takes one member and one line; all code that
// handles attributes by name follows.
//
// Members record whether they are present: Optional<T>, or Leading<N> for lists of which MJCF
// allows giving only the first few numbers. A value that is present was written by the user, even
// if it equals the built-in default, so an explicit value always overrides a default class.
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

// The first `count` of N numbers, e.g. size="0.1" of a geom, which takes up to three. The others
// come from the default class, then from the built-in default.
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

  // with all N numbers given
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

  // overwrites the numbers that `over` has and keeps the rest
  void overlay(const Leading& over) {
    std::copy_n(over.values.begin(), over.count, values.begin());
    count = std::max(count, over.count);
  }

  friend bool operator==(const Leading& a, const Leading& b) {
    return a.count == b.count &&
           std::equal(a.values.begin(), a.values.begin() + a.count, b.values.begin());
  }
};

// Rules for an attribute besides its type. The kinds restrict an attribute to some of the elements
// that share a struct: both <position> and <motor> are an Actuator, but only <position> has kp.
enum Rule : unsigned {
  required = 1u << 0,      // must be given
  no_default = 1u << 1,    // elements have it, default classes do not
  single_fills = 1u << 2,  // a single number is repeated for all
  kind_a = 1u << 8,
  kind_b = 1u << 9,
  kind_c = 1u << 10,
  kind_d = 1u << 11,
  kind_e = 1u << 12,
  any_kind = 0xfffu << 8  // twelve kinds, as many as actuators have
};

struct Attribute {
  const char* name;
  unsigned rules = 0;

  constexpr Attribute(const char* n, unsigned r = 0) : name(n), rules(r) {}

  // may an element of these kinds have it?
  constexpr bool accepted_by(unsigned kinds) const {
    return (rules & any_kind) == 0 || (rules & any_kind & kinds) != 0;
  }
};

// marks a member that is itself a list of attributes (Orientation)
inline constexpr Attribute nested{""};

// Common to all elements. Name and class are empty if not given. `where` and `path` are for
// messages; they are empty for elements built in code.
struct Element {
  std::string name;
  std::string class_name;
  Location where;
  std::string path;  // e.g. mujoco/worldbody/body 'torso'/geom 'head'
  int origin = 0;    // the model it was written in: index in Spec::origins + 1; 0: this model

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

// An element's values in a keyframe of an attached model: qpos and qvel of a joint, act and ctrl of
// an actuator, mpos and mquat of a body. They are stored with the element so that they move with
// it.
struct Kept {
  std::string key;
  List<double> first, second;  // empty: not given
};

// The parameters of a user-defined kind, by attribute name: `joint.parameters.set("pitch", 0.01)`.
// Names must be string literals, as they are not copied.
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

// The ways to specify an orientation. An element specifies at most one itself; others may come from
// its class. axisangle and euler are stored as written, in the compiler's angle unit.
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

  // As in MuJoCo, quat and its alternatives are inherited separately, and an alternative takes
  // precedence over a quat: a class with euler overrides the quat of its elements. Do not rely on
  // it.
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
