// SPDX-License-Identifier: Apache-2.0
//
// Reconciles the options and sizes of a model with those of a model attached to it. Where they
// differ, the compiler's `conflict` setting decides: the model keeps its own value with a warning,
// the two values are merged, or it is an error. Values that only one model sets are never an error;
// values that both set are one under `merge` too, if there is no way to merge them.
#pragma once

#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/spec/spec.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace corten::spec {

namespace detail {

enum class Merge { lower, higher, never };

struct Conflicts {
  Conflict mode = Conflict::warning;
  List<std::string> errors, warnings;

  // 0: keep the model's own value, 1: use the other's, -1: use the lower or higher of both
  CORTEN_COLD int decide(const char* name, bool own_given, bool other_given, Merge merge) {
    if (!other_given) return 0;
    if (!own_given && mode == Conflict::merge)
      return note(name, "the attached model's value is used", 1);
    if (!own_given || mode == Conflict::warning)
      return note(name, "the attached model's value is ignored", 0);
    if (mode == Conflict::merge && merge != Merge::never) {
      const bool lower = merge == Merge::lower;
      return note(name, lower ? "the lower value is used" : "the higher value is used", -1);
    }
    errors.push_back(name);
    return 0;
  }

  // a number, a keyword or an array; `usual` is its default
  template <class T>
  void operator()(const char* name, Optional<T>& own, const Optional<T>& other, const T& usual,
                  Merge merge = Merge::never) {
    const T& ours = own ? *own : usual;
    const T& theirs = other ? *other : usual;
    if (ours == theirs) return;
    const int choice = decide(name, own.has_value(), other.has_value(), merge);
    if (choice == 1) own = other;
    if (choice == -1) {
      own = (merge == Merge::lower) == (theirs < ours) ? theirs : ours;
    }
  }

  template <std::size_t N>
  void operator()(const char* name, Leading<N>& own, const Leading<N>& other,
                  const Numbers<N>& usual, Merge) {
    if (own.value_or(usual) == other.value_or(usual)) return;
    if (decide(name, own.has_value(), other.has_value(), Merge::never) == 1) own = other;
  }

 private:
  int note(const char* name, const char* what, int choice) {
    warnings.push_back(std::string(name) + ": " + what);
    return choice;
  }
};

CORTEN_COLD void compare_options(Option& own, const Option& other, Conflicts& c) {
  Option::pairs<Merge>(own, other, c);
}

// the flags in the order of their bits
struct ListFlags {
  List<Optional<Switch>*> flags;
  List<const char*> names;

  CORTEN_COLD void operator()(Attribute a, Optional<Switch>& flag) {
    flags.push_back(&flag);
    names.push_back(a.name);
  }
};

// Disable flags and enable flags are compared separately, and either kind only if the other model
// sets one of that kind.
CORTEN_COLD void compare_flags(Flags& own, Flags other, Conflicts& c) {
  ListFlags ours, theirs;
  Flags::fields(ours, own);
  Flags::fields(theirs, other);
  for (std::size_t i = 0; i < ours.flags.size(); ++i) {
    const bool off = i < static_cast<std::size_t>(Flags::num_disable);
    if ((off ? other.disableflags() : other.enableflags()) == 0) continue;
    Optional<Switch>& mine = *ours.flags[i];
    const Optional<Switch>& flag = *theirs.flags[i];
    if (c.mode == Conflict::merge) {
      if (flag == (off ? Switch::disable : Switch::enable)) mine = flag;
    } else if (mine && flag && *mine != *flag) {
      (c.mode == Conflict::error ? c.errors : c.warnings)
          .push_back(std::string("flag ") + ours.names[i]);
    }
  }
}

// a size that equals its default counts as not given
CORTEN_COLD void compare_size(const char* name, Optional<int>& own, Optional<int> other, int usual,
                              Conflicts& c) {
  Optional<int> mine = own;
  if (mine == usual) mine.reset();
  if (other == usual) other.reset();
  c(name, mine, other, usual, Merge::higher);
  if (mine) own = mine;
}

CORTEN_COLD void compare_sizes(Size& own, const Size& other, Conflicts& c) {
  compare_size("nuserdata", own.nuserdata, other.nuserdata, 0, c);
  compare_size("nkey", own.nkey, other.nkey, 0, c);
  compare_size("nuser_body", own.nuser_body, other.nuser_body, -1, c);
  compare_size("nuser_jnt", own.nuser_jnt, other.nuser_jnt, -1, c);
  compare_size("nuser_geom", own.nuser_geom, other.nuser_geom, -1, c);
  compare_size("nuser_site", own.nuser_site, other.nuser_site, -1, c);
  compare_size("nuser_cam", own.nuser_cam, other.nuser_cam, -1, c);
  compare_size("nuser_tendon", own.nuser_tendon, other.nuser_tendon, -1, c);
  compare_size("nuser_actuator", own.nuser_actuator, other.nuser_actuator, -1, c);
  compare_size("nuser_sensor", own.nuser_sensor, other.nuser_sensor, -1, c);
}

}  // namespace detail

// Reconciles a model with one attached to it, or returns an error that names all conflicts.
CORTEN_COLD Result<void> resolve_conflicts(Spec& own, const Spec& other, const Location& where) {
  detail::Conflicts c{own.compiler.conflict.value_or(Conflict::warning), {}, {}};
  Option option = own.option;
  Size size = own.size;
  detail::compare_options(option, other.option, c);
  detail::compare_flags(option.flag, other.option.flag, c);
  detail::compare_sizes(size, other.size, c);
  if (c.mode == Conflict::merge && other.option.actuatorgroupdisable) {
    List<int> groups = option.actuatorgroupdisable.value_or(List<int>{});
    const List<int>& more = *other.option.actuatorgroupdisable;
    groups.append(more);
    option.actuatorgroupdisable = groups;
  }
  if (!c.errors.empty()) {
    std::string all;
    for (const std::string& name : c.errors) all += (all.empty() ? "" : ", ") + name;
    return Error{where, "mujoco", "the attached model '" + other.model_name + "' differs in " + all,
                 "make them equal, or set conflict=\"warning\" in <compiler>"};
  }
  for (const std::string& w : c.warnings) {
    own.warnings.push_back({where, "mujoco", "attaching '" + other.model_name + "': " + w, {}});
  }
  own.option = std::move(option);
  own.size = std::move(size);
  return {};
}

}  // namespace corten::spec
