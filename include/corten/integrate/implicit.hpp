// SPDX-License-Identifier: Apache-2.0
//
// Integrators that are implicit in the velocity: (M - h D) a = f with D = df/dv
// (integrate/smooth_slope.hpp).
//
//   implicit              the full D, which is not symmetric; solved by LU
//   implicitfast          D without the bias forces, made symmetric; solved by L'DL. A free body
//                         without other bodies in its tree is solved separately, with its
//                         gyroscopic forces
//   implicitspringdamper  joint springs and dampers only, but implicit in the position too:
//                         (M + h B + h² K) a = f - h K v; not in MuJoCo
//
// See MuJoCo documentation, Computation, "Numerical Integration". d.qacc remains the acceleration
// that the forces produce; the acceleration computed here only advances the velocity. Each
// function returns in which lanes the matrix could be factored. In the other lanes the state that
// it wrote is meaningless.
#pragma once

#include <corten/core/status.hpp>
#include <corten/integrate/advance.hpp>
#include <corten/integrate/smooth_slope.hpp>
#include <corten/math/elimination.hpp>
#include <corten/math/tree_ldl.hpp>
#include <corten/math/tree_lu.hpp>

namespace corten {

namespace detail {

// stores M - h D in work_M and work_U
template <class M, class D>
CORTEN_FN void implicit_matrix(const M& m, const D& d) {
  using S = typename D::Scalar;
  const S h = S(m.opt.timestep);
  smooth_slope(m, d, true);
  each_awake_dof(m, d, [&](int i) {
    const int first = m.dof_Madr[i], known = m.M_rowadr[i], end = known + m.M_rownnz[i];
    for (int k = first; k < end; ++k) {
      const S inertia = k < known ? S(0) : S(d.M[k]);
      d.work_M[k] = inertia - h * d.deriv_lower[k];
      d.work_U[k] = inertia - h * d.deriv_upper[k];
    }
  });
}

// stores the symmetric M - h D in work_M; rows of lone free bodies (is_free_body) are those of M
template <class M, class D>
CORTEN_FN void implicitfast_matrix(const M& m, const D& d) {
  using S = typename D::Scalar;
  const S h = S(m.opt.timestep);
  smooth_slope(m, d, false);
  each_awake_dof(m, d, [&](int i) {
    const int first = m.M_rowadr[i], diag = first + m.M_rownnz[i] - 1;
    if (is_free_body(m, m.dof_bodyid[i])) {
      for (int k = first; k <= diag; ++k) d.work_M[k] = d.M[k];
      return;
    }
    // M is diagonal for a simple body. As in MuJoCo, forces that couple its dofs are left out.
    const int coupled = m.dof_simplenum[i] > 0 ? diag : first;
    for (int k = first; k < coupled; ++k) d.work_M[k] = d.M[k];
    for (int k = coupled; k <= diag; ++k) d.work_M[k] = d.M[k] - h * d.deriv_lower[k];
  });
}

template <class S>
using Mat6 = Eigen::Matrix<S, 6, 6, Eigen::RowMajor | Eigen::DontAlign>;

// h d qfrc_bias / d qvel of a lone free body. The sums and axis rates of bias_slope.hpp are those
// of a single body about its own centre, so only the rotational part remains.
template <class M, class D>
CORTEN_FN auto free_bias_step(const M& m, const D& d, int body) {
  using S = typename D::Scalar;
  const S h = S(m.opt.timestep);
  const int v = m.jnt_dofadr[m.body_jntadr[body]];
  const Inertia<S> inertia = vec<S, 10>(d.cinert, body);
  const Vec6<S> cvel = vec6<S>(d.cvel, body);
  const Feedback<S> f = bias_feedback(inertia, cvel);
  Mat6<S> out;
  for (int j = 0; j < 6; ++j) {
    const Vec6<S> axis = vec6<S>(d.cdof, v + j);
    Vec6<S> column = f.times(axis);
    if (j >= 3) {
      const Vec6<S> rate = vec6<S>(d.cdof_dot, v + j) + cross_motion(cvel, axis);
      column += multiply(inertia, rate);
    }
    for (int i = 0; i < 6; ++i) out(i, j) = h * vec6<S>(d.cdof, v + i).dot(column);
  }
  return out;
}

// M - h D of a lone free body, including the bias forces
template <class M, class D>
CORTEN_FN auto free_matrix(const M& m, const D& d, int body) {
  using S = typename D::Scalar;
  const S h = S(m.opt.timestep);
  const int v = m.jnt_dofadr[m.body_jntadr[body]];
  Mat6<S> out = free_bias_step(m, d, body);
  for (int i = 0; i < 6; ++i) {
    const int row = m.dof_Madr[v + i];
    for (int k = row; k < row + m.dof_depth[v + i]; ++k) {
      const int j = m.M_colind[k] - v;
      const S inertia = k < m.M_rowadr[v + i] ? S(0) : S(d.M[k]);
      out(i, j) += inertia - h * d.deriv_lower[k];
      if (j < i) out(j, i) += inertia - h * d.deriv_upper[k];
    }
  }
  return out;
}

// calls f(body, first dof) for each lone free body
template <class M, class D, class F>
CORTEN_FN void each_free_body(const M& m, const D& d, F&& f) {
  each_run(m, d, [&](const Run& r) {
    for (int j = r.jnt; j < r.jnt_end; ++j) {
      if (is_free_body(m, m.jnt_bodyid[j])) f(m.jnt_bodyid[j], m.jnt_dofadr[j]);
    }
  });
}

// the stiffness of the joint spring along a dof; for ball and free joints the stiffness at rest
template <class M, class D>
CORTEN_FN auto dof_stiffness(const M& m, const D& d, int dof) {
  using S = typename D::Scalar;
  const int j = m.dof_jntid[dof], q = m.jnt_qposadr[j];
  S out = S(m.jnt_stiffness[j]);
  M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) {
    if constexpr (kind.nq == 1) {
      const S x = d.qpos[q] - S(m.qpos_spring[q]);
      out +=
          x * (S(2) * S(m.jnt_stiffnesspoly[2 * j]) + x * S(3) * S(m.jnt_stiffnesspoly[2 * j + 1]));
    }
  });
  return m.opt.disabled(disable_spring) ? S(0) : out;
}

// stores M + h B + h² K in work_M and calls f(dof, K) for each dof
template <class M, class D, class F>
CORTEN_FN void spring_damper_matrix(const M& m, const D& d, F&& f) {
  using S = typename D::Scalar;
  const S h = S(m.opt.timestep);
  copy(d.work_M, d.M, m.n.nM);
  for (int i = 0; i < m.n.nv; ++i) {
    const S k = dof_stiffness(m, d, i);
    const S b = m.opt.disabled(disable_damper) ? S(0) : dof_damping<S>(m, i).slope(d.qvel[i]);
    d.work_M[m.M_rowadr[i] + m.M_rownnz[i] - 1] += h * (b + h * k);
    f(i, k);
  }
}

template <class M, class D, class Q>
CORTEN_FN void total_force(const M& m, const D& d, const Q& out) {
  each_awake_dof(m, d, [&](int i) { out[i] = d.qfrc_smooth[i] + d.qfrc_constraint[i]; });
}

}  // namespace detail

namespace detail {

// With the implicit metric of flexes the acceleration is that of the implicit step already.
template <class M, class D>
CORTEN_FN bool follows_metric(const M& m, const D& d) {
  if constexpr (may_have_flexes<D>) {
    if (m.n.nflex > 0 && has_flex_metric(m)) {
      advance(m, d, d.act_dot, d.qacc, d.qvel);
      return true;
    }
  }
  return false;
}

}  // namespace detail

template <class M, class D>
CORTEN_FN auto implicit(const M& m, const D& d) {
  if (detail::follows_metric(m, d)) return all_lanes<typename D::Scalar>();
  const auto qacc = d.work_nv, inverse = d.work_nv.from(m.n.nv);
  detail::implicit_matrix(m, d);
  const auto rows = tree_rows(m);
  detail::total_force(m, d, qacc);
  auto ok = all_lanes<typename D::Scalar>();
  each_run(m, d, [&](const Run& r) {
    const Dofs dofs{r.dof, r.dof_end};
    ok = ok && tree_lu_factor(rows, dofs, d.work_M, d.work_U, inverse);
    tree_lu_solve(rows, dofs, d.work_M, d.work_U, inverse, qacc);
  });
  if (any(ok)) advance(m, d, d.act_dot, qacc, d.qvel);
  return ok;
}

template <class M, class D>
CORTEN_FN auto implicitfast(const M& m, const D& d) {
  if (detail::follows_metric(m, d)) return all_lanes<typename D::Scalar>();
  using S = typename D::Scalar;
  const auto qacc = d.work_nv, inverse = d.work_nv.from(m.n.nv);
  detail::implicitfast_matrix(m, d);
  detail::total_force(m, d, qacc);
  auto ok = all_lanes<S>();
  each_run(m, d, [&](const Run& r) {
    const Dofs dofs{r.dof, r.dof_end};
    ok = ok && tree_factor(m, dofs, d.work_M, inverse, Pivots::any_sign);
    for (int i = dofs.first; i < dofs.end; ++i) {
      if (any(value(S(inverse[i])) < value_t<S>(0))) d.status = d.status | indefinite_step;
    }
    tree_solve(m, dofs, d.work_M, inverse, qacc);
  });
  detail::each_free_body(m, d, [&](int body, int v) {
    auto matrix = detail::free_matrix(m, d, body);
    Vec6<S> x;
    for (int i = 0; i < 6; ++i) x[i] = d.qfrc_smooth[v + i] + d.qfrc_constraint[v + i];
    const auto solved = solve_dense<S, 6>(matrix, x);
    for (int i = 0; i < 6; ++i) qacc[v + i] = select(solved, x[i], S(qacc[v + i]));
  });
  if (any(ok)) advance(m, d, d.act_dot, qacc, d.qvel);
  return ok;
}

template <class M, class D>
CORTEN_FN auto implicitspringdamper(const M& m, const D& d) {
  using S = typename D::Scalar;
  const int nv = m.n.nv;
  const S h = S(m.opt.timestep);
  const auto qacc = d.work_nv, inverse = d.work_nv.from(nv);
  detail::total_force(m, d, qacc);
  detail::spring_damper_matrix(m, d, [&](int i, const S& k) { qacc[i] -= h * k * d.qvel[i]; });
  const auto ok = tree_factor(m, nv, d.work_M, inverse, Pivots::any_sign);
  tree_solve(m, nv, d.work_M, inverse, qacc);
  if (any(ok)) advance(m, d, d.act_dot, qacc, d.qvel);
  return ok;
}

}  // namespace corten
