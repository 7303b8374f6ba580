// SPDX-License-Identifier: Apache-2.0
//
// A kind of constraint is a struct of static functions, listed in Constraints<…> (constraints.hpp).
// Its rows come in groups that share one impedance: the components of a connect, the edges of a
// friction cone. For a group that starts at `row` and belongs to object `id` (efc_id), a kind
// defines
//
//   group                        RowGroup: where its rows are sorted
//   count(m, d, row)             number of rows in the group; 1 by default
//   solver_parameters(m, d, id)  solref and solimp, as SolverParameters
//   position(d, row, count)      residual of the group; by default that of its first row
//   weight(m, d, row, k)         approximate inverse inertia along row k of the group, at qpos0
//   trees(m, d, id, f)           calls f(tree) for the kinematic trees its rows move; -1: the world
//   reference(m, d, id, k, r)    optional: a solref for row k, instead of r
//   is_friction(m, d, row, k)    optional: is row k damped without being pulled back?
//   finish(m, d, row, count)     optional: changes efc_R of the group
//   one_weight                   optional, a constant: finish() sets efc_R of all rows from that of
//                                the first, so no other row's weight is asked for
//   drift(m, d, id, row)         optional: subtracts dJ/dt · qvel from efc_aref
//   reaction(m, d, id, row, f)   optional: calls f(body, point, force, torque, sign) for each body
//                                it acts on, with sign times force and torque
//   complete(m, d, id, data)     optional: fills in missing numbers of eq_data, at qpos0
//
// A kind that consists of elements of <equality> derives from Element (element.hpp), has `type`,
// `name` and `dim`, and writes the rows of one element in rows(m, d, e). Every other kind writes
// all its rows in rows(m, d).
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/policy.hpp>
#include <corten/math/field.hpp>

#include <concepts>
#include <type_traits>

namespace corten {

// Rows are sorted by group, because solvers treat the groups differently.
enum class RowGroup { equality, friction, limit, contact };

template <class S>
struct SolverParameters {
  Vec<S, 2> ref;  // time constant and damping ratio, or -stiffness and -damping
  Vec<S, 5> imp;  // dmin dmax width midpoint power
};

template <class S, class Ref, class Imp>
CORTEN_FN SolverParameters<S> load_parameters(const Ref& ref, const Imp& imp, int id) {
  return {vec<S, 2>(ref, id), vec<S, 5>(imp, id)};
}

namespace constraints {

// the defaults; a kind hides those that do not suit it
struct Rows {
  template <class M, class D>
  CORTEN_FN static int count(const M&, const D&, int) {
    return 1;
  }
  template <class D>
  CORTEN_FN static auto position(const D& d, int row, int) {
    return typename D::Scalar(d.efc_pos[row] - d.efc_margin[row]);
  }
  template <class M, class D, class Ref>
  CORTEN_FN static Ref reference(const M&, const D&, int, int, const Ref& ref) {
    return ref;
  }
  template <class M, class D>
  CORTEN_FN static bool is_friction(const M&, const D&, int, int) {
    return false;
  }
  template <class M, class D>
  CORTEN_FN static void finish(const M&, const D&, int, int) {}
};

// sum of the inverse weights of two bodies, in translation (0) or rotation (1)
template <class S, class M>
CORTEN_FN S bodies_weight(const M& m, int body1, int body2, int rotation) {
  return S(m.body_invweight0[2 * body1 + rotation]) + S(m.body_invweight0[2 * body2 + rotation]);
}

}  // namespace constraints

namespace detail {

// does the kind consist of elements of <equality>?
template <class K>
inline constexpr bool holds_elements = requires {
  K::dim;
};

}  // namespace detail

// what a kind must have; Rows has some of it
namespace constraint_policy {

CORTEN_POLICY_NAMES(type, dim, object, owns, drift, reaction, complete, rows, count,
                    solver_parameters, position, weight, trees, reference, is_friction, finish)
CORTEN_POLICY_NAME(type)
CORTEN_POLICY_NAME(dim)
CORTEN_POLICY_NAME(object)
CORTEN_POLICY_NAME(owns)
CORTEN_POLICY_NAME(drift)
CORTEN_POLICY_NAME(reaction)
CORTEN_POLICY_NAME(complete)

// is it meant to consist of elements of <equality>?
template <class Kind>
inline constexpr bool is_element = names_type<Kind> || names_dim<Kind> || names_object<Kind>;

// clang-format off
CORTEN_POLICY_CONSTANT("constraint", "constraint/kind.hpp", RowGroup, group)
CORTEN_POLICY_RULE("constraint", "constraint/kind.hpp", type, "has no EqualityType type",
                   !is_element<Kind> ||
                   requires { { Kind::type } -> std::convertible_to<EqualityType>; })
CORTEN_POLICY_RULE("constraint", "constraint/kind.hpp", name, "has no const char* name",
                   !is_element<Kind> ||
                   requires { { Kind::name } -> std::convertible_to<const char*>; })
CORTEN_POLICY_RULE("constraint", "constraint/kind.hpp", dim, "has no int dim",
                   !is_element<Kind> ||
                   requires { { Kind::dim } -> std::convertible_to<int>; })
CORTEN_POLICY_RULE("constraint", "constraint/kind.hpp", object, "has no ObjectType object",
                   !is_element<Kind> ||
                   requires { { Kind::object } -> std::convertible_to<ObjectType>; })
CORTEN_POLICY_RULE("constraint", "constraint/kind.hpp", row_type,
                   "has no type, for elements of <equality>, and no row_type or owns(type)",
                   is_element<Kind> || names_owns<Kind> ||
                   requires { { Kind::row_type } -> std::convertible_to<ConstraintType>; })
CORTEN_POLICY_FUNCTION("constraint", "constraint/kind.hpp", rows, "(m, d) or (m, d, e)")
CORTEN_POLICY_FUNCTION("constraint", "constraint/kind.hpp", count, "(m, d, row)")
CORTEN_POLICY_FUNCTION("constraint", "constraint/kind.hpp", solver_parameters, "(m, d, id)")
CORTEN_POLICY_FUNCTION("constraint", "constraint/kind.hpp", position, "(d, row, count)")
CORTEN_POLICY_FUNCTION("constraint", "constraint/kind.hpp", weight, "(m, d, row, k)")
CORTEN_POLICY_FUNCTION("constraint", "constraint/kind.hpp", trees, "(m, d, id, f)")
CORTEN_POLICY_FUNCTION("constraint", "constraint/kind.hpp", reference, "(m, d, id, k, r)")
CORTEN_POLICY_FUNCTION("constraint", "constraint/kind.hpp", is_friction, "(m, d, row, k)")
CORTEN_POLICY_FUNCTION("constraint", "constraint/kind.hpp", finish, "(m, d, row, count)")
CORTEN_POLICY_NUMBER("constraint", "constraint/kind.hpp", type)
CORTEN_POLICY_NUMBER("constraint", "constraint/kind.hpp", row_type)
// clang-format on

struct Rules
    : detail::Rules<group, type, name, dim, object, row_type, rows, count, solver_parameters,
                    position, weight, trees, reference, is_friction, finish> {};

}  // namespace constraint_policy

template <class K>
concept ConstraintPolicy = constraint_policy::Rules::obeyed<K>;

}  // namespace corten
