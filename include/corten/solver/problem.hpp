// SPDX-License-Identifier: Apache-2.0
//
// The constraint problem that the solvers work on.
//
//   minimise over accelerations a:   ½ (a - a₀)' M (a - a₀) + Σ s_r(J_r a - aref_r)
//
// where s_r is the cost of row r: ½ D x² for equality constraints, the same for x < 0 only for
// limits and frictionless or pyramidal contacts, a Huber function for friction loss. The rows of an
// elliptic cone share one cost (cone.hpp). See MuJoCo documentation, Computation, "Primal problem".
//
// For float and double the problem is a view of the data. For duals it is a copy of their values,
// because the solvers iterate on values and the derivatives follow from the solution
// (implicit_diff.hpp).
#pragma once

#include <corten/constraint/rows.hpp>
#include <corten/core/enums.hpp>
#include <corten/math/field.hpp>
#include <corten/math/row_set.hpp>
#include <corten/math/tree_ldl.hpp>
#include <corten/solver/cone.hpp>
#include <corten/solver/hessian_pattern.hpp>
#include <corten/solver/team.hpp>

namespace corten {

// E: whether elliptic cones can occur. If not, their code is not compiled.
template <class T, class L, bool E>
struct Problem {
  static constexpr bool may_be_elliptic = E;

  int nv = 0, nefc = 0;
  int ne = 0, nf = 0;      // equality rows come first, then friction-loss rows
  bool elliptic = false;   // contacts use elliptic cones
  bool evaluated = false;  // Ma, Jaref, force and state are those at qacc

  // rows
  RowSet<T, L> J;
  Field<const T, L> D, aref, floss;
  Field<int, L> state, type, id;
  Field<T, L> force;

  // contacts
  Field<const T, L> mu, friction;
  Field<int, L> dim;

  // joint space; the pattern of M is the model's or an island's
  Field<const int, Strided> M_rowadr, M_rownnz, M_colind;
  Field<const T, L> M, qLD, qLDiagInv, qfrc_smooth, qacc_smooth;
  Field<T, L> qacc, qfrc_constraint;

  // scratch
  Field<T, L> Jaref, Jv, row_work, Ma, grad, Mgrad, search, Mv, work, old, H, AR, Y, z;
  Field<int, L> old_state, order, Yadr, Yrun, slot, list;
  HessianPattern<Field<int, L>> pattern;  // if it is sparse
};

// How a solver ended: converged, or stopped at the iteration limit.
struct Ending {
  int iterations;
  bool converged;
};

namespace detail {

template <class T, class L>
CORTEN_FN Field<const T, L> read_only(const Field<T, L>& f) {
  return {f.data, f.layout};
}

// for plain scalars: a view of the data
template <bool E, class D>
CORTEN_FN auto view_problem(const D& d) {
  Problem<typename D::Scalar, typename D::Layout, E> p;
  p.J = jacobian_rows(d);
  p.D = read_only(d.efc_D);
  p.aref = read_only(d.efc_aref);
  p.floss = read_only(d.efc_frictionloss);
  p.force = d.efc_force;
  p.mu = read_only(d.contact_mu);
  p.friction = read_only(d.contact_friction);
  p.M = read_only(d.M);
  p.qLD = read_only(d.qLD);
  p.qLDiagInv = read_only(d.qLDiagInv);
  p.qfrc_smooth = read_only(d.qfrc_smooth);
  p.qacc_smooth = read_only(d.qacc_smooth);
  p.qacc = d.qacc;
  p.qfrc_constraint = d.qfrc_constraint;
  return p;
}

// for scalars with derivatives: a view of the copy that copy_values() makes
template <bool E, class D>
CORTEN_FN auto kept_problem(const D& d) {
  const int nv = d.n.nv;
  Problem<typename D::Primal, typename D::Layout, E> p;
  p.J = jacobian_rows(d, d.sol_J);
  p.D = read_only(d.sol_D);
  p.aref = read_only(d.sol_aref);
  p.floss = read_only(d.sol_floss);
  p.force = d.sol_force;
  p.mu = read_only(d.sol_mu);
  p.friction = read_only(d.sol_friction);
  p.M = read_only(d.sol_M);
  p.qLD = read_only(d.sol_M.from(d.n.nM));
  p.qLDiagInv = read_only(d.sol_qpos);
  p.qfrc_smooth = read_only(d.sol_qpos.from(nv));
  p.qacc_smooth = read_only(d.sol_qpos.from(2 * nv));
  p.qacc = d.sol_qpos.from(3 * nv);
  p.qfrc_constraint = d.sol_qpos.from(4 * nv);
  return p;
}

template <bool E, class D>
CORTEN_FN void copy_values(const D& d) {
  const int nv = d.n.nv, nefc = d.nefc, nM = d.n.nM;
  const auto values = [](const auto& to, const auto& from, int count) {
    for (int i = 0; i < count; ++i) to[i] = primal(from[i]);
  };
  values(d.sol_J, d.efc_J, d.nJ);
  values(d.sol_D, d.efc_D, nefc);
  values(d.sol_aref, d.efc_aref, nefc);
  values(d.sol_floss, d.efc_frictionloss, nefc);
  if (E && d.ncon > 0) {
    values(d.sol_mu, d.contact_mu, d.ncon);
    values(d.sol_friction, d.contact_friction, 5 * d.ncon);
  }
  values(d.sol_M, d.M, nM);
  values(d.sol_M.from(nM), d.qLD, nM);
  values(d.sol_qpos, d.qLDiagInv, nv);
  values(d.sol_qpos.from(nv), d.qfrc_smooth, nv);
  values(d.sol_qpos.from(2 * nv), d.qacc_smooth, nv);
}

template <class T, class L>
CORTEN_FN Field<const T, Strided> strided(const Field<T, L>& f) {
  return {f.data, {f.layout.index(1)}};
}

// the fields that need no copy, whatever the scalar
template <class M, class D, class P>
CORTEN_FN void share(const M& m, const D& d, P& p) {
  p.M_rowadr = strided(m.M_rowadr);
  p.M_rownnz = strided(m.M_rownnz);
  p.M_colind = strided(m.M_colind);
  p.nv = d.n.nv;
  p.nefc = d.nefc;
  p.ne = d.ne;
  p.nf = d.nf;
  p.state = d.efc_state;
  p.type = d.efc_type;
  p.id = d.efc_id;
  p.dim = d.contact_dim;
}

// Where the copy and the scratch of a problem begin, in numbers per dof, per row and so on: at zero
// if one problem is solved after another, apart if several are solved at once.
struct ProblemPlace {
  int dof = 0, row = 0, M = 0, run = 0, H = 0;
};

// scratch memory of the solvers
template <class D, class P>
CORTEN_FN void lend_scratch(const D& d, P& p, int nv, const ProblemPlace& at = {}) {
  p.Jaref = d.sol_Jaref.from(at.row);
  p.Jv = d.sol_Jv.from(at.row);
  p.row_work = d.sol_row.from(3 * at.row);
  const auto vectors = d.sol_nv.from(8 * at.dof);
  p.Ma = vectors;
  p.grad = vectors.from(nv);
  p.Mgrad = vectors.from(2 * nv);
  p.search = vectors.from(3 * nv);
  p.Mv = vectors.from(4 * nv);
  p.work = vectors.from(5 * nv);
  p.old = vectors.from(6 * nv);
  p.H = d.sol_H.from(at.H);
  p.AR = d.sol_AR;
  p.Y = d.sol_Y;
  p.z = d.sol_z;
  p.Yadr = d.sol_Yadr;
  p.Yrun = d.sol_Yrun;
  p.slot = d.open_slot;
  p.list = d.open_dof;
  p.old_state = d.sol_state.from(at.row);
  p.order = d.sol_order;
}

}  // namespace detail

// The problem in the data. With `kept`, a problem with duals reuses the copy that an earlier solve
// left.
template <class M, class D>
CORTEN_FN auto make_problem(const M& m, const D& d, bool kept = false) {
  constexpr bool E = M::Policies::Cones::has(Cone::elliptic);
  auto p = [&] {
    if constexpr (is_dual<typename D::Scalar>) {
      if (!kept) detail::copy_values<E>(d);
      return detail::kept_problem<E>(d);
    } else {
      return detail::view_problem<E>(d);
    }
  }();
  p.elliptic = E && m.opt.cone == static_cast<int>(Cone::elliptic);
  const int nv = d.n.nv;
  detail::share(m, d, p);
  detail::lend_scratch(d, p, nv);
  if (d.nisland == 1 && d.nidof == nv) p.pattern = island_pattern(m, d, 0);
  return p;
}

namespace detail {

template <class T, class L, bool E>
CORTEN_FN void set_state(const Problem<T, L, E>& p, int r, ConstraintState state) {
  p.state[r] = static_cast<int>(state);
}

// Sets force and state of a friction row on one of the three pieces of its cost. Returns the cost.
template <class T, class L, bool E>
CORTEN_FN T update_friction(const Problem<T, L, E>& p, int r) {
  const T x = p.Jaref[r], D = p.D[r], f = p.floss[r], bound = f / D;
  if (value(x) <= value(T(-bound))) {
    p.force[r] = f;
    set_state(p, r, ConstraintState::linear_negative);
    return f * (-x - T(0.5) * bound);
  }
  if (value(x) >= value(bound)) {
    p.force[r] = -f;
    set_state(p, r, ConstraintState::linear_positive);
    return f * (x - T(0.5) * bound);
  }
  p.force[r] = -D * x;
  set_state(p, r, ConstraintState::quadratic);
  return T(0.5) * D * x * x;
}

// Sets force and state of a row that pushes in one direction only, or with `both` in either.
// Returns the cost.
template <class T, class L, bool E>
CORTEN_FN T update_row(const Problem<T, L, E>& p, int r, bool both) {
  const T x = p.Jaref[r], D = p.D[r];
  if (!both && value(x) >= 0) {
    p.force[r] = T(0);
    set_state(p, r, ConstraintState::satisfied);
    return T(0);
  }
  p.force[r] = -D * x;
  set_state(p, r, ConstraintState::quadratic);
  return T(0.5) * D * x * x;
}

// Sets force and state of all rows of an elliptic cone; returns their cost. Known is the number of
// rows, or 0 if it is not known.
template <int Known, class T, class L, bool E>
CORTEN_FN T update_cone_rows(const Problem<T, L, E>& p, int r, int rows) {
  const int dim = Known > 0 ? Known : rows;
  const ConeScale<T> scale = cone_scale(p, r, dim);
  const Vec<T, 6> x = cone_rows<T>(p.Jaref, r, dim), D = cone_rows<T>(p.D, r, dim);
  const ConePoint<T> at = cone_point(scale, x);
  const ConstraintState zone = cone_zone(scale, at);
  const Vec<T, 6> force = cone_force(scale, at, zone, x, D);
  for (int k = 0; k < dim; ++k) {
    p.force[r + k] = force[k];
    set_state(p, r + k, zone);
  }
  return cone_cost(scale, at, zone, x, D);
}
template <class T, class L, bool E>
CORTEN_ENTRY T update_cone(const Problem<T, L, E>& p, int r, int dim) {
  return with_known_dim(dim, [&](auto known) { return update_cone_rows<known()>(p, r, dim); });
}

// is row r a further row of the cone that the row before it belongs to?
template <class P>
CORTEN_FN bool continues_cone(const P& p, int r) {
  return r > p.ne + p.nf && cone_dim(p, r) > 0 && cone_dim(p, r - 1) > 0 && p.id[r] == p.id[r - 1];
}

// f(r, dim) for each cone from row `first` on, which has dim rows, and with dim = 0 for the rows
// between them
template <class P, class F, class G>
CORTEN_FN void each_block(const P& p, int first, F&& f, const G& team) {
  if constexpr (G::many) {
    each(team, p.nefc - first, [&](int i) {
      if (!continues_cone(p, first + i)) f(first + i, cone_dim(p, first + i));
    });
  } else {
    for (int r = first; r < p.nefc;) {
      const int dim = cone_dim(p, r);
      f(r, dim);
      r += dim > 0 ? dim : 1;
    }
  }
}

// A thread updates rows, or the whole cone that starts at a row. The costs meet in row_work, which
// only the line search uses.
template <class T, class L, bool E, class G>
CORTEN_FN T update_rows_together(const Problem<T, L, E>& p, const G& team) {
  each(team, p.nefc, [&](int r) {
    const int dim = r < p.ne + p.nf ? 0 : cone_dim(p, r);
    if (dim > 0) {
      p.row_work[r] = continues_cone(p, r) ? T(0) : update_cone(p, r, dim);
    } else if (r >= p.ne && r < p.ne + p.nf) {
      p.row_work[r] = update_friction(p, r);
    } else {
      p.row_work[r] = update_row(p, r, r < p.ne);
    }
  });
  T cost = T(0);
  for (int r = 0; r < p.nefc; ++r) cost += p.row_work[r];
  return cost;
}

}  // namespace detail

// Sets force and state of each row at the residuals p.Jaref. Returns the sum of the row costs.
template <class T, class L, bool E, class G = Alone>
CORTEN_FN T update_rows(const Problem<T, L, E>& p, const G& team = {}) {
  if constexpr (G::many) return detail::update_rows_together(p, team);
  T cost = T(0);
  int r = 0;
  for (; r < p.ne; ++r) cost += detail::update_row(p, r, true);
  for (; r < p.ne + p.nf; ++r) cost += detail::update_friction(p, r);
  while (r < p.nefc) {
    const int dim = cone_dim(p, r);
    cost += dim > 0 ? detail::update_cone(p, r, dim) : detail::update_row(p, r, false);
    r += dim > 0 ? dim : 1;
  }
  return cost;
}

// qfrc_constraint = J' force
template <class T, class L, bool E, class G = Alone>
CORTEN_FN void map_forces(const Problem<T, L, E>& p, const G& team = {}) {
  multiply_transposed(team, p.J, p.nefc, p.force, p.qfrc_constraint);
}

// Jaref = J a - aref
template <class T, class L, bool E, class G = Alone>
CORTEN_FN void residuals(const Problem<T, L, E>& p, const Field<T, L>& a, const G& team = {}) {
  multiply(team, p.J, p.nefc, a, p.Jaref);
  each(team, p.nefc, [&](int r) { p.Jaref[r] -= p.aref[r]; });
}

}  // namespace corten
