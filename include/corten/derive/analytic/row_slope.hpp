// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of the forces of constraint rows in joint space at constant acceleration: limits,
// friction loss and couplings.
//
// The residual of a row is x = J a - aref with aref = -B J v - K d(r) r. Its force is -D x while it
// is on a quadratic piece. Impedance d, and with it D, depends on the distance r, whose gradient is
// J.
#pragma once

#include <corten/constraint/rows.hpp>
#include <corten/derive/analytic/element_slope.hpp>
#include <corten/derive/analytic/force_slope.hpp>
#include <corten/joint/joints.hpp>
#include <corten/tendon/path.hpp>

namespace corten::derive::analytic {

// how the force of a row changes with its distance, at constant J, and with its velocity
template <class T>
struct RowSlope {
  T by_distance, by_velocity;
};

template <class D>
auto row_slope(const D& d, int r) {
  using T = typename D::Scalar;
  const Vec<T, 4> kbip = vec<T, 4>(d.efc_KBIP, r);
  const bool active = d.efc_state[r] == static_cast<int>(ConstraintState::quadratic);
  const T stiff = active ? T(d.efc_D[r]) : T(0), depth = d.efc_pos[r] - d.efc_margin[r];
  const T growth = active ? T(kbip[3] * stiffness_growth(kbip[2], T(d.efc_R[r]))) : T(0);
  return RowSlope<T>{growth * d.efc_force[r] - stiff * kbip[0] * (kbip[3] * depth + kbip[2]),
                     -stiff * kbip[1]};
}

// a row whose J does not change, over the dofs col[0 … nnz)
template <class D, class T, class I>
void add_constant_row(const D& d, const Workspace<T>& w, int r, bool moves, int nnz, const I& col) {
  const RowSlope<T> s = row_slope(d, r);
  for (int a = 0; a < nnz; ++a) {
    const int i = col[a];
    const T ji = row_entry(d, r, i);
    for (int b = 0; b < nnz; ++b) {
      const int k = col[b];
      const T product = ji * row_entry(d, r, k);
      if (moves) w.at(i)[k] -= product * s.by_distance;
      w.at(i)[w.velocity + k] -= product * s.by_velocity;
    }
  }
}

// y = c0 + c1 x + … couples two joints: J = (1, -slope), which changes with x
template <class M, class D, class T>
void add_joint_coupling(const M& m, const D& d, const Workspace<T>& w, int r) {
  const int e = d.efc_id[r], j1 = m.eq_obj1id[e], j2 = m.eq_obj2id[e];
  const int col[2] = {m.jnt_dofadr[j1], j2 >= 0 ? int(m.jnt_dofadr[j2]) : -1};
  if (j2 < 0) return add_constant_row(d, w, r, true, 1, col);
  if (col[0] == col[1]) return;  // refused by the coverage
  add_constant_row(d, w, r, true, 2, col);
  const int q = m.jnt_qposadr[j2];
  const Vec<T, 5> c = vec<T, 5>(m.eq_data.from(11 * e), 0);
  const T x = d.qpos[q] - T(m.qpos0[q]);
  const T bend = -(T(2) * c[2] + x * (T(6) * c[3] + x * T(12) * c[4]));
  const T stiff = d.efc_D[r], damping = d.efc_KBIP[4 * r + 1];
  const int k = col[1];
  const T change = -stiff * bend * (d.qacc[k] + damping * d.qvel[k]);
  for (const int i : col) w.at(i)[k] -= row_entry(d, r, i) * change;
  w.at(k)[k] -= bend * d.efc_force[r];
}

// A row along one or two tendons, each with a factor. `moves`: does its distance follow their
// lengths?
template <class M, class D, class T>
void add_tendon_row(const M& m, const D& d, const Workspace<T>& w, int r, bool moves,
                    const int (&tendon)[2], const T (&factor)[2]) {
  const RowSlope<T> s = row_slope(d, r);
  const auto each = [&](auto&& f) {
    for (int side = 0; side < 2; ++side) {
      const int t = tendon[side];
      if (t < 0) continue;
      for (int k = m.ten_J_rowadr[t]; k < m.ten_J_rowadr[t] + m.ten_J_rownnz[t]; ++k) {
        f(m.ten_J_colind[k], T(factor[side] * d.ten_J[k]));
      }
    }
  };
  each([&](int i, const T& ji) {
    each([&](int k, const T& jk) { w.at(i)[w.velocity + k] -= ji * jk * s.by_velocity; });
    for (int side = 0; moves && side < 2; ++side) {
      if (tendon[side] < 0) continue;
      const T scale = ji * factor[side] * s.by_distance;
      each_stretch(m, d, tendon[side], w.bends.tendon(tendon[side]),
                   [&](int k, const T& x) { w.at(i)[k] -= scale * x; });
    }
  });
  const bool active = d.efc_state[r] == static_cast<int>(ConstraintState::quadratic);
  const T stiff = active ? T(d.efc_D[r]) : T(0), damping = d.efc_KBIP[4 * r + 1];
  for (int side = 0; side < 2; ++side) {
    if (tendon[side] < 0) continue;
    const Bend<T> bend = w.bends.tendon(tendon[side]);
    const T push = factor[side] * d.efc_force[r], pull = factor[side] * stiff;
    bend.each_entry([&](int i, int k, const T& entry) { w.at(i)[k] -= push * entry; });
    const auto add = [&](const T& weight, const auto& x) {
      if (weight == T(0)) return;
      bend.each(x, [&](int k, const T&, const T& rate) {
        each([&](int i, const T& ji) { w.at(i)[k] += weight * ji * rate; });
      });
    };
    add(pull, d.qacc);
    add(T(pull * damping), d.qvel);
  }
}

// a coupling of the lengths of tendons, by a linear function
template <class M, class D, class T>
void add_tendon_coupling(const M& m, const D& d, const Workspace<T>& w, int r) {
  const int e = d.efc_id[r];
  add_tendon_row<M, D, T>(m, d, w, r, true, {m.eq_obj1id[e], m.eq_obj2id[e]},
                          {T(1), T(-m.eq_data[11 * e + 1])});
}

// The row of a limit of a tendon is its Jacobian or, at the upper end, minus that.
template <class M, class D>
auto limit_side(const M& m, const D& d, int t, int r) {
  using T = typename D::Scalar;
  T same = T(0);
  for (int k = m.ten_J_rowadr[t]; k < m.ten_J_rowadr[t] + m.ten_J_rownnz[t]; ++k) {
    same += row_entry(d, r, m.ten_J_colind[k]) * d.ten_J[k];
  }
  return T(same < T(0) ? -1 : 1);
}

// the limit of a joint that is not plain, by duals over its motion
template <class M, class D, class E, class T>
void add_joint_limit(const M& m, const D& d, const E& dual, const Workspace<T>& w, int r) {
  using S = typename E::Scalar;
  const int j = d.efc_id[r], v = m.jnt_dofadr[j];
  const bool active = d.efc_state[r] == static_cast<int>(ConstraintState::quadratic);
  const Vec<T, 4> kbip = vec<T, 4>(d.efc_KBIP, r);
  if (!active) return;
  int before = 0;  // rows of the same joint, such as that of the other end of its range
  while (before < r && d.efc_type[r - before - 1] == d.efc_type[r] &&
         d.efc_id[r - before - 1] == j) {
    ++before;
  }
  const auto row = [&](const S& distance, const auto& gradient) {
    if (before-- != 0) return;
    const S depth = distance - S(d.efc_margin[r]);
    S impedance = S(kbip[2]), stiff = S(d.efc_D[r]), x = S(T(0));
    const T growth = d.efc_D[r] * stiffness_growth(kbip[2], T(d.efc_R[r]));
    for (int n = 0; n < tangent_count<S>; ++n) {
      tangent(impedance, n) = kbip[3] * tangent(depth, n);
      tangent(stiff, n) = growth * tangent(impedance, n);
    }
    for (int k = 0; k < gradient.size(); ++k) {
      x += gradient[k] * S(d.qacc[v + k] + kbip[1] * d.qvel[v + k]);
    }
    const S force = -stiff * (x + S(kbip[0]) * impedance * depth);
    for (int i = 0; i < gradient.size(); ++i) {
      const S own = gradient[i] * force;
      for (int k = 0; k < gradient.size(); ++k) {
        w.at(v + i)[v + k] -= tangent(own, k);
        w.at(v + i)[w.velocity + v + k] +=
            primal(gradient[i]) * d.efc_D[r] * kbip[1] * primal(gradient[k]);
      }
    }
  };
  M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) {
    seed_joint(kind, m, d, dual, j);
    kind.limits(m, dual, j, row);
  });
}

// Adds all rows except those of contacts. Returns false if some derivative remains unknown.
template <class M, class D, class E, class T, class S>
bool row_slopes(const M& m, const D& d, const E& dual, const Workspace<T>& w, FreePair<S>& pair) {
  int count = 1;
  for (int r = 0; r < d.ne + d.nf + d.nl; r += count) {
    const auto type = static_cast<ConstraintType>(d.efc_type[r]);
    const int id = d.efc_id[r];
    count = 1;
    if (type == ConstraintType::friction_dof) {
      add_constant_row(d, w, r, false, 1, &id);
    } else if (type == ConstraintType::limit_joint) {
      const int dof = m.jnt_dofadr[id];
      if (is_plain_joint(m, id)) {
        add_constant_row(d, w, r, true, 1, &dof);
      } else {
        add_joint_limit(m, d, dual, w, r);
      }
    } else if (type == ConstraintType::friction_tendon) {
      add_tendon_row<M, D, T>(m, d, w, r, false, {id, -1}, {T(1), T(0)});
    } else if (type == ConstraintType::limit_tendon) {
      add_tendon_row<M, D, T>(m, d, w, r, true, {id, -1}, {limit_side(m, d, id, r), T(0)});
    } else if (m.eq_type[id] == static_cast<int>(EqualityType::joint)) {
      add_joint_coupling(m, d, w, r);
    } else if (m.eq_type[id] == static_cast<int>(EqualityType::tendon)) {
      add_tendon_coupling(m, d, w, r);
    } else if (!add_element_rows(m, d, dual, w, pair, r, count)) {
      return false;
    }
  }
  return true;
}

}  // namespace corten::derive::analytic
