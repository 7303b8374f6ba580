// SPDX-License-Identifier: Apache-2.0
//
// Equality constraints. What their data lack is filled in by set_const, from the poses at qpos0.
#pragma once

#include <corten/compile/joints.hpp>

#include <algorithm>

namespace corten::compiler {

namespace detail {

CORTEN_COLD ObjectType equality_object(const spec::Equality& e) {
  switch (e.type) {
    case EqualityType::joint: return ObjectType::joint;
    case EqualityType::tendon: return ObjectType::tendon;
    case EqualityType::distance: return ObjectType::geom;
    default: return e.site1 ? ObjectType::site : ObjectType::body;
  }
}

CORTEN_COLD const char* object_word(ObjectType type) {
  for (const auto& k : spec::object_words) {
    if (k.value == static_cast<int>(type)) return k.word.data();
  }
  return "object";
}

// a constraint that is built in code may lack what the reader asks for
CORTEN_COLD Problem check_equality(const spec::Equality& e) {
  const bool spatial = e.type == EqualityType::connect || e.type == EqualityType::weld;
  if (e.type > EqualityType::tendon && e.type != EqualityType::distance) {
    return e.error("equality constraints of flexes are not supported yet");
  }
  if (spatial && e.site1 && (e.body1 || e.body2 || e.anchor || e.relpose)) {
    return e.error("sites and bodies cannot be mixed", "give two sites, or bodies and an anchor");
  }
  if (e.type == EqualityType::connect && !e.site1 && !e.anchor) return e.error("anchor is missing");
  if (e.relpose && e.relpose->size() != 7) return e.error("relpose takes 7 numbers");
  if (e.distance.value_or(0) < 0) return e.error("distance cannot be negative");
  return {};
}

CORTEN_COLD Problem find_objects(Draft& d, int i) {
  const spec::Equality& e = at(d.equalities, i);
  const ObjectType type = equality_object(e);
  const Index& index = *d.index.of(type);
  const char* word = object_word(type);
  if (!e.first()) return e.error(std::string("its first ") + word + " is missing");
  int first = -1, second = type == ObjectType::body ? 0 : -1;
  if (Problem p = find_reference(index, *e.first(), word, e, first)) return p;
  if (e.second() && !e.second()->empty()) {
    if (Problem p = find_reference(index, *e.second(), word, e, second)) return p;
  } else if (type == ObjectType::site || type == ObjectType::geom) {
    return e.error(std::string("its second ") + word + " is missing");
  }
  if (first == second) {
    return e.error(std::string(word) + " '" + *e.first() + "' is constrained to itself");
  }
  if (type == ObjectType::joint && !(is_scalar(d, first) && (second < 0 || is_scalar(d, second)))) {
    return e.error("only slide and hinge joints can be constrained");
  }
  put(d.m.eq_obj1id, i, first);
  put(d.m.eq_obj2id, i, second);
  return {};
}

// anchor, relative pose and torque scale; or the polynomial; or the distance, if it was given
CORTEN_COLD spec::Numbers<11> equality_data(const spec::Equality& e) {
  spec::Numbers<11> data{0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  if (e.type == EqualityType::joint || e.type == EqualityType::tendon) {
    const spec::Numbers<5> poly = e.polycoef.value_or({0, 1, 0, 0, 0});
    std::copy(poly.begin(), poly.end(), data.begin());
    return data;
  }
  if (e.type == EqualityType::distance) {
    data[1] = 0;
    data[0] = e.distance.value_or(-1);
    return data;
  }
  if (e.type == EqualityType::weld && !e.site1) data[1] = 0;
  if (e.anchor) std::copy(e.anchor->begin(), e.anchor->end(), data.begin());
  if (e.relpose) std::copy(e.relpose->begin(), e.relpose->end(), data.begin() + 3);
  data[10] = e.torquescale.value_or(1);
  return data;
}

}  // namespace detail

CORTEN_COLD void write_equalities(Draft& d) {
  Model<double>& m = d.m;
  for (int i = 0; i < m.n.neq; ++i) {
    const spec::Equality& e = at(d.equalities, i);
    if (d.note(e, detail::check_equality(e)) || d.note(e, detail::find_objects(d, i))) continue;
    const ObjectType type = detail::equality_object(e);
    const bool by_type = type == ObjectType::joint || type == ObjectType::tendon;
    put(m.eq_type, i, e.type);
    put(m.eq_objtype, i,
        by_type ? ObjectType::unknown : type);  // as MuJoCo, which needs none there
    put(m.eq_active0, i, e.active.value_or(true));
    put(m.eq_solref, i, e.solref.value_or(default_solref));
    put(m.eq_solimp, i, e.solimp.value_or(default_solimp));
    put(m.eq_data, i, detail::equality_data(e));
  }
}

}  // namespace corten::compiler
