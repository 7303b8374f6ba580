// SPDX-License-Identifier: Apache-2.0
//
// What a kind of constraint is: a struct of static functions, listed in Constraints<…> (constraints.hpp).
// Rows of a kind come in groups that share one impedance: the components of a connect, the edges of a
// friction cone. For a group that begins at `row` and belongs to `id` (efc_id) a kind says
//
//   group                      where its rows stand: RowGroup
//   count(m, d, row)           how many rows the group has; 1 if not said
//   solver_parameters(m, d, id)   solref and solimp, as SolverParameters
//   position(d, row, count)    how far the group is from being met; that of its first row if not said
//   weight(m, d, row, k)       approximate inverse inertia along row k of the group, at qpos0
//   trees(m, d, id, f)         f(tree) for the kinematic trees that its rows move; -1 is the world
//   reference(m, d, id, k, r)  optional: another solref than r for row k
//   is_friction(m, d, row, k)  optional: is row k damped without being pulled back?
//   finish(m, d, row, count)   optional: changes efc_R of the group
//   drift(m, d, id, row)       optional: subtracts dJ/dt · qvel from efc_aref
//   reaction(m, d, id, row, f) optional: f(body, point, force, torque, sign) for what it does to bodies, where
//                              force and torque count sign times
//   complete(m, d, id, data)   optional: fills in what its numbers in eq_data lack, from the pose at qpos0
//
// A kind that holds elements of <equality> derives from Element (element.hpp), has `type`, `name` and `dim`,
// and writes the rows of one element in rows(m, d, e). All others write all their rows in rows(m, d).
#pragma once

#include <corten/core/enums.hpp>
#include <corten/math/field.hpp>

namespace corten {

// rows are sorted by this, because solvers treat the groups differently
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

// what most kinds have in common; a kind hides what it has otherwise
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

}  // namespace corten
