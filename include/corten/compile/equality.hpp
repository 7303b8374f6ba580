// SPDX-License-Identifier: Apache-2.0
//
// Equality constraints. Numbers of eq_data that the spec leaves out are filled in by set_const,
// from the poses at qpos0.
#pragma once

#include <corten/compile/joints.hpp>
#include <corten/compile/refusals.hpp>
#include <corten/model/model_ref.hpp>
#include <corten/spec/kinds.hpp>

#include <algorithm>
#include <cmath>

namespace corten::compiler {

namespace detail {

CORTEN_COLD const char* object_word(ObjectType type) {
  for (const auto& k : spec::object_words) {
    if (k.value == static_cast<int>(type)) return k.word.data();
  }
  return "object";
}

// checks what the MJCF reader would have checked: a constraint can also be built in code
CORTEN_COLD Result<void> check_equality(const spec::Equality& e, const EqualityKind& kind) {
  if (kind.dim == 0) return e.error("unknown kind of constraint", tell_compiler);
  if (e.site1 && (e.body1 || e.body2 || e.anchor || e.relpose)) {
    return e.error("sites and bodies cannot be mixed", "give two sites, or bodies and an anchor");
  }
  if (const char* name = unknown_parameter(e.parameters, kind.parameters)) {
    return e.error(std::string("a ") + kind.name + " has no attribute '" + name + "'");
  }
  if (kind.valid == nullptr) return {};
  if (auto done = kind.valid(e); !done) return e.error(done.error().message);
  return {};
}

// a flex that a constraint holds must be able to deform, and the cell must exist
CORTEN_COLD Result<void> check_held_flex(const Draft& d, int i, int flex) {
  const spec::Equality& e = at(d.equalities, i);
  if (!d.errors.empty()) return {};  // there may be no flexes
  if (at(d.m.flex_rigid, flex) != 0) return e.error("flex '" + *e.flex + "' is rigid");
  if (e.type != EqualityType::flexstrain) {
    if (at(d.m.flex_interp, flex) == 0) return {};
    return e.error("flex '" + *e.flex + "' has nodes", "use <flexstrain>");
  }
  const spec::Numbers<3> cell = e.cell.value_or(spec::Numbers<3>{0, 0, 0});
  const int* n = &at(d.m.flex_cellnum, 3 * flex);
  const bool shell = at(d.m.flex_interp, flex) < 0;
  const double faces = 2.0 * (double(n[0]) * n[1] + double(n[0]) * n[2] + double(n[1]) * n[2]);
  for (int k = 0; k < (shell ? 1 : 3); ++k) {
    const double x = cell[static_cast<std::size_t>(k)], most = shell ? faces : n[k];
    if (x >= 0 && x < most && x == std::floor(x)) continue;
    return e.error("cell is out of range",
                   "numbers run from 0 to " + std::to_string(static_cast<int>(most) - 1));
  }
  return {};
}

// the number of rows, which depends on the flex
CORTEN_COLD int count_flex_rows(const Draft& d, int i) {
  if (!d.errors.empty()) return 0;
  const ModelView<double> m(d.m);
  switch (at(d.equalities, i).type) {
    case EqualityType::flex: return constraints::FlexEdges::total(m, i);
    case EqualityType::flexvert: return constraints::FlexVertices::total(m, i);
    default: return constraints::FlexStrain::total(m, i);
  }
}

CORTEN_COLD Result<void> find_objects(Draft& d, int i, ObjectType type) {
  const spec::Equality& e = at(d.equalities, i);
  const Optional<std::string>&name1 = e.name_of(type, 0), &name2 = e.name_of(type, 1);
  const Index& index = *d.index.of(type);
  const char* word = object_word(type);
  if (!name1) return e.error(std::string("the first ") + word + " is missing");
  int first = -1, second = type == ObjectType::body ? 0 : -1;
  if (auto done = find_reference(index, *name1, word, e, first); !done) return done;
  if (name2 && !name2->empty()) {
    if (auto done = find_reference(index, *name2, word, e, second); !done) return done;
  } else if (type == ObjectType::site || type == ObjectType::geom) {
    return e.error(std::string("the second ") + word + " is missing");
  }
  if (first == second) {
    return e.error(std::string(word) + " '" + *name1 + "' is constrained to itself");
  }
  if (type == ObjectType::joint && !(is_scalar(d, first) && (second < 0 || is_scalar(d, second)))) {
    return e.error("only slide and hinge joints can be constrained");
  }
  if (type == ObjectType::flex) {
    if (auto done = check_held_flex(d, i, first); !done) return done;
  }
  put(d.m.eq_obj1id, i, first);
  put(d.m.eq_obj2id, i, second);
  return {};
}

// the numbers of eq_data: from the function of the kind, or else from its parameters
CORTEN_COLD spec::Numbers<11> equality_data(const spec::Equality& e, const EqualityKind& kind) {
  spec::Numbers<11> data{};
  if (kind.object == ObjectType::flex) data[1] = data[10] = 1;  // unused, but MuJoCo's
  if (e.cell) std::copy(e.cell->begin(), e.cell->end(), data.begin());
  if (kind.data != nullptr) kind.data(e, data.data());
  std::size_t next = 0;
  for (const Parameter& p : kind.parameters) {
    const double* given = e.parameters.find(p.name);
    if (kind.data == nullptr && next < data.size()) data[next++] = given ? *given : p.value;
  }
  return data;
}

}  // namespace detail

CORTEN_COLD void write_equalities(Draft& d) {
  Model<double>& m = d.m;
  for (int i = 0; i < m.n.neq; ++i) {
    const spec::Equality& e = at(d.equalities, i);
    const EqualityKind kind = find_equality(d.extensions, e.type);
    const ObjectType type = e.object(kind);
    if (d.note(e, detail::check_equality(e, kind))) continue;
    if (d.note(e, detail::find_objects(d, i, type))) continue;
    const bool by_type =
        type == ObjectType::joint || type == ObjectType::tendon || type == ObjectType::flex;
    put(m.eq_type, i, e.type);
    put(m.eq_dim, i, kind.dim);
    put(m.eq_objtype, i,
        by_type ? ObjectType::unknown : type);  // as in MuJoCo, where eq_type implies it
    put(m.eq_active0, i, e.active.value_or(true));
    put(m.eq_solref, i, e.solref.value_or(default_solref));
    put(m.eq_solimp, i, e.solimp.value_or(default_solimp));
    put(m.eq_data, i, detail::equality_data(e, kind));
    if (type == ObjectType::flex) put(m.eq_dim, i, detail::count_flex_rows(d, i));
  }
}

}  // namespace corten::compiler
