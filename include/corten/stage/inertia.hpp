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

namespace detail {

// The passes over the bodies and dofs of a run.
template <class M, class D>
struct CompositeInertias {
  using S = typename D::Scalar;
  const M& m;
  const D& d;

  // composite inertias: sum towards the root
  CORTEN_FN void carry(int b) const {
    const int parent = m.body_parentid[b];
    if (parent > 0)
      store(d.crb, parent, Inertia<S>(vec<S, 10>(d.crb, parent) + vec<S, 10>(d.crb, b)));
  }
  CORTEN_FN void start(const Run& r) const {
    copy(d.crb.from(10 * r.body), d.cinert.from(10 * r.body), 10 * (r.body_end - r.body));
  }
  CORTEN_FN void sums(const Run& r) const {
    for (int b = r.body_end - 1; b >= r.body; --b) carry(b);
  }

  // M(i, j) = cdof_j · (crb_i cdof_i) for each ancestor j of i
  CORTEN_FN void rows(const Run& r) const {
    const auto mat = d.M, cdof = d.cdof;
    const auto colind = m.M_colind;
    for (int i = r.dof; i < r.dof_end; ++i) {
      const Vec6<S> axis = vec6<S>(cdof, i);
      const Inertia<S> inert = vec<S, 10>(d.crb, m.dof_bodyid[i]);
      const S armature = S(m.dof_armature[i]) + joint_armature<S>(m, m.dof_jntid[i]);
      const int row = m.M_rowadr[i], diag = row + m.M_rownnz[i] - 1;
      const Vec6<S> momentum = multiply(inert, axis);
      for (int k = row; k < diag; ++k) mat[k] = vec6<S>(cdof, colind[k]).dot(momentum);
      mat[diag] = axis.dot(momentum) + armature;
    }
  }
};

}  // namespace detail

// whole trees, while none sleep and no tendon has armature, after what comes before: the world
template <class M, class D>
CORTEN_ENTRY void inertia(const M& m, const D& d, const Run& r) {
  const detail::CompositeInertias<M, D> pass{m, d};
  pass.start(r);
  pass.sums(r);
  pass.rows(r);
}
template <class M, class D>
CORTEN_FN void begin_inertia(const M&, const D& d) {
  using S = typename D::Scalar;
  store(d.crb, 0, vec<S, 10>(d.cinert, 0));
}

template <class M, class D>
CORTEN_ENTRY void inertia(const M& m, const D& d) {
  using S = typename D::Scalar;
  const detail::CompositeInertias<M, D> pass{m, d};
  begin_inertia(m, d);
  each_run(m, d, [&](const Run& r) { pass.start(r); });
  each_sleeper(m, d, [&](int t) { pass.carry(m.tree_bodyadr[t]); });
  each_run_back(m, d, [&](const Run& r) { pass.sums(r); });
  each_run(m, d, [&](const Run& r) { pass.rows(r); });

  const bool some = some_asleep(m, d);
  for (int t = 0; t < m.n.ntendon; ++t) {
    if (some && tendon_asleep(m, d, t)) continue;
    const S armature = S(m.tendon_armature[t]) + tendon_armature<S>(m, t);
    if (!vanishes(armature)) detail::add_tendon_armature(m, d, t, armature);
  }
}
CORTEN_PLAIN(inertia)
CORTEN_PLAIN_RUN(inertia)

}  // namespace corten
