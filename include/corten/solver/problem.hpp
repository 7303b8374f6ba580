// SPDX-License-Identifier: Apache-2.0
//
// The constraint problem that solvers work on, as plain numbers.
//
//   minimise over accelerations a:   ½ (a - a₀)' M (a - a₀) + Σ s_r(J_r a - aref_r)
//
// where s_r is the cost of row r: ½ D x² on one side (limits, contacts), or a Huber function (friction
// loss). MuJoCo documentation, Computation, "Primal problem". For float and double the problem is a view
// of the data; for duals it is a copy of the values, since solvers iterate on values and derivatives
// follow from the solution (implicit_diff.hpp).
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/field.hpp>
#include <corten/math/dense.hpp>
#include <corten/math/tree_ldl.hpp>

namespace corten {

template <class T, class L>
struct Problem {
  int nv = 0, nefc = 0, nf = 0;

  // rows
  Field<const T, L> J, D, aref, floss;
  Field<int, L> state;
  Field<T, L> force;

  // joint space
  Field<const T, L> M, qLD, qLDiagInv, qfrc_smooth, qacc_smooth;
  Field<T, L> qacc, qfrc_constraint;

  // scratch
  Field<T, L> Jaref, Jv, row_work, Ma, grad, Mgrad, search, Mv, work, H, AR, Y;
  Field<int, L> old_state, order;
};

namespace detail {

// a view of the data where the scalar is plain
template <class D>
CORTEN_FN auto view_problem(const D& d) {
  using T = typename D::Scalar;
  const auto as_const = [](const auto& f) {
    return Field<const T, typename D::Layout>{f.data, f.layout};
  };
  Problem<T, typename D::Layout> p;
  p.J = as_const(d.efc_J);
  p.D = as_const(d.efc_D);
  p.aref = as_const(d.efc_aref);
  p.floss = as_const(d.efc_frictionloss);
  p.force = d.efc_force;
  p.M = as_const(d.M);
  p.qLD = as_const(d.qLD);
  p.qLDiagInv = as_const(d.qLDiagInv);
  p.qfrc_smooth = as_const(d.qfrc_smooth);
  p.qacc_smooth = as_const(d.qacc_smooth);
  p.qacc = d.qacc;
  p.qfrc_constraint = d.qfrc_constraint;
  return p;
}

// the place for a copy of the values, where the scalar carries derivatives
template <class D>
CORTEN_FN auto kept_problem(const D& d) {
  using T = typename D::Primal;
  const int nv = d.n.nv;
  const auto as_const = [](const auto& f) {
    return Field<const T, typename D::Layout>{f.data, f.layout};
  };
  Problem<T, typename D::Layout> p;
  p.J = as_const(d.sol_J);
  p.D = as_const(d.sol_D);
  p.aref = as_const(d.sol_aref);
  p.floss = as_const(d.sol_floss);
  p.force = d.sol_force;
  p.M = as_const(d.sol_M);
  p.qLD = as_const(d.sol_M.from(d.n.nM));
  p.qLDiagInv = as_const(d.sol_qpos);
  p.qfrc_smooth = as_const(d.sol_qpos.from(nv));
  p.qacc_smooth = as_const(d.sol_qpos.from(2 * nv));
  p.qacc = d.sol_qpos.from(3 * nv);
  p.qfrc_constraint = d.sol_qpos.from(4 * nv);
  return p;
}

template <class D>
CORTEN_FN void copy_values(const D& d) {
  const int nv = d.n.nv, nefc = d.nefc, nM = d.n.nM;
  const auto values = [](const auto& to, const auto& from, int count) {
    for (int i = 0; i < count; ++i) to[i] = primal(from[i]);
  };
  values(d.sol_J, d.efc_J, nefc * nv);
  values(d.sol_D, d.efc_D, nefc);
  values(d.sol_aref, d.efc_aref, nefc);
  values(d.sol_floss, d.efc_frictionloss, nefc);
  values(d.sol_M, d.M, nM);
  values(d.sol_M.from(nM), d.qLD, nM);
  values(d.sol_qpos, d.qLDiagInv, nv);
  values(d.sol_qpos.from(nv), d.qfrc_smooth, nv);
  values(d.sol_qpos.from(2 * nv), d.qacc_smooth, nv);
}

}  // namespace detail

// With `kept`, the copy is what an earlier solve left.
template <class D>
CORTEN_FN auto make_problem(const D& d, bool kept = false) {
  auto p = [&] {
    if constexpr (is_dual<typename D::Scalar>) {
      if (!kept) detail::copy_values(d);
      return detail::kept_problem(d);
    } else {
      return detail::view_problem(d);
    }
  }();
  const int nv = d.n.nv;
  p.nv = nv;
  p.nefc = d.nefc;
  p.nf = d.nf;
  p.state = d.efc_state;
  p.Jaref = d.sol_Jaref;
  p.Jv = d.sol_Jv;
  p.row_work = d.sol_row;
  p.Ma = d.sol_nv;
  p.grad = d.sol_nv.from(nv);
  p.Mgrad = d.sol_nv.from(2 * nv);
  p.search = d.sol_nv.from(3 * nv);
  p.Mv = d.sol_nv.from(4 * nv);
  p.work = d.sol_nv.from(5 * nv);
  p.H = d.sol_H;
  p.AR = d.sol_AR;
  p.Y = d.sol_Y;
  p.old_state = d.sol_state;
  p.order = d.sol_order;
  return p;
}

// Force and state of each row at residual x = J a - aref, and the sum of the row costs. Rows before nf are
// friction loss, all others push one way only.
template <class T, class L>
CORTEN_FN T update_rows(const Problem<T, L>& p) {
  T cost = T(0);
  for (int r = 0; r < p.nefc; ++r) {
    const T x = p.Jaref[r], D = p.D[r];
    if (r < p.nf) {
      const T f = p.floss[r], bound = f / D;
      if (value(x) <= value(T(-bound))) {
        p.force[r] = f;
        p.state[r] = static_cast<int>(ConstraintState::linear_negative);
        cost += f * (-x - T(0.5) * bound);
        continue;
      }
      if (value(x) >= value(bound)) {
        p.force[r] = -f;
        p.state[r] = static_cast<int>(ConstraintState::linear_positive);
        cost += f * (x - T(0.5) * bound);
        continue;
      }
    } else if (value(x) >= 0) {
      p.force[r] = T(0);
      p.state[r] = static_cast<int>(ConstraintState::satisfied);
      continue;
    }
    p.force[r] = -D * x;
    p.state[r] = static_cast<int>(ConstraintState::quadratic);
    cost += T(0.5) * D * x * x;
  }
  return cost;
}

// qfrc_constraint = J' force
template <class T, class L>
CORTEN_FN void map_forces(const Problem<T, L>& p) {
  fill(p.qfrc_constraint, p.nv, T(0));
  for (int r = 0; r < p.nefc; ++r) {
    if (value(p.force[r]) != 0) axpy(p.force[r], p.J.from(r * p.nv), p.qfrc_constraint, p.nv);
  }
}

// Jaref = J a - aref
template <class T, class L>
CORTEN_FN void residuals(const Problem<T, L>& p, const Field<T, L>& a) {
  multiply(p.J, p.nefc, p.nv, a, p.Jaref);
  for (int r = 0; r < p.nefc; ++r) p.Jaref[r] -= p.aref[r];
}

}  // namespace corten
