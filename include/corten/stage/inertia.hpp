// SPDX-License-Identifier: Apache-2.0
//
// The joint-space inertia matrix by the composite rigid body algorithm (Featherstone 2008, section
// 6.2), plus the armature of dofs, actuators and tendons. Writes crb M.
//
// M is symmetric and has the sparsity of the tree: entry (i, j) is non-zero only if one dof is an
// ancestor of the other. Row i of the stored lower triangle lists the ancestors of dof i, root
// first, itself last. For simple bodies only the diagonal is written; the rest of their rows is
// never read.
#pragma once

#include <corten/core/plain.hpp>
#include <corten/math/field.hpp>
#include <corten/math/spatial.hpp>
#include <corten/tree/awake.hpp>
#include <corten/tree/contribution.hpp>

namespace corten {

namespace detail {

// M += armature · J'J for a tendon with armature, within the sparsity pattern of M: entries between
// dofs on different branches of the tree, and between dofs of simple bodies, stay zero as in
// MuJoCo.
template <class M, class D>
CORTEN_FN void add_tendon_armature(const M& m, const D& d, int t,
                                   const typename D::Scalar& armature) {
  using S = typename D::Scalar;
  const int row = m.ten_J_rowadr[t], end = row + m.ten_J_rownnz[t];
  for (int a = row; a < end; ++a) {
    const int i = m.ten_J_colind[a];
    const S scaled = armature * d.ten_J[a];
    int k = m.M_rowadr[i];
    for (int b = m.dof_simplenum[i] > 0 ? a : row; b <= a; ++b) {
      while (m.M_colind[k] < m.ten_J_colind[b]) ++k;
      if (m.M_colind[k] == m.ten_J_colind[b]) d.M[k] += scaled * d.ten_J[b];
    }
  }
}

}  // namespace detail

template <class M, class D>
CORTEN_ENTRY void inertia(const M& m, const D& d) {
  using S = typename D::Scalar;

  // composite inertias: sum towards the root
  const auto carry = [&](int b) {
    const int parent = m.body_parentid[b];
    if (parent > 0)
      store(d.crb, parent, Inertia<S>(vec<S, 10>(d.crb, parent) + vec<S, 10>(d.crb, b)));
  };
  store(d.crb, 0, vec<S, 10>(d.cinert, 0));
  each_run(m, d, [&](const Run& r) {
    copy(d.crb.from(10 * r.body), d.cinert.from(10 * r.body), 10 * (r.body_end - r.body));
  });
  each_sleeper(m, d, [&](int t) { carry(m.tree_bodyadr[t]); });
  each_run_back(m, d, [&](const Run& r) {
    for (int b = r.body_end - 1; b >= r.body; --b) carry(b);
  });

  // M(i, j) = cdof_j · (crb_i cdof_i) for each ancestor j of i
  const auto mat = d.M, cdof = d.cdof;
  const auto colind = m.M_colind;
  each_awake_dof(m, d, [&](int i) {
    const Vec6<S> axis = vec6<S>(cdof, i);
    const Inertia<S> inert = vec<S, 10>(d.crb, m.dof_bodyid[i]);
    const S armature = S(m.dof_armature[i]) + joint_armature<S>(m, m.dof_jntid[i]);
    const int row = m.M_rowadr[i], diag = row + m.M_rownnz[i] - 1;
    const Vec6<S> momentum = multiply(inert, axis);
    for (int k = row; k < diag; ++k) mat[k] = vec6<S>(cdof, colind[k]).dot(momentum);
    mat[diag] = axis.dot(momentum) + armature;
  });

  const bool some = some_asleep(m, d);
  for (int t = 0; t < m.n.ntendon; ++t) {
    if (some && tendon_asleep(m, d, t)) continue;
    const S armature = S(m.tendon_armature[t]) + tendon_armature<S>(m, t);
    if (!vanishes(armature)) detail::add_tendon_armature(m, d, t, armature);
  }
}
CORTEN_PLAIN(inertia)

}  // namespace corten
