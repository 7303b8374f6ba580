// SPDX-License-Identifier: Apache-2.0
//
// The implicit metric of flexes. With conjugate gradients and an implicit integrator the stiffness
// K of flexes enters the equations of motion where the inertia M does:
//
//     (M + (h² + h b) K) a = f - h K v + J' forces
//
// with the timestep h and the damping b of each flex. That is the linearised implicit step, so
// stiff cloth needs no short timestep. The matrix is never factored: products are taken block by
// block (flex/stiffness.hpp), and the three by three blocks on its diagonal precondition the
// iterations. Everything here is done on values; derivatives follow by solving the same equations
// for tangents.
#pragma once

#include <corten/core/plain.hpp>
#include <corten/core/status.hpp>
#include <corten/flex/stiffness_product.hpp>
#include <corten/solver/cg.hpp>

#include <type_traits>

namespace corten {

namespace detail {

// ---- preconditioner -----------------------------------------------------------------------------

// Stores the Cholesky factor of the block of M + K at three dofs, in metric_block. The block of K
// is given in the axes of the world.
template <class M, class D>
CORTEN_FN void factor_block(const M& m, const D& d, int slot, int body, int dof,
                            const Mat3<typename D::Primal>& world) {
  using T = typename D::Primal;
  const Mat3<T> R = body_turn<T>(d, body);
  Mat3<T> a = R.transpose() * world * R;
  for (int r = 0; r < 3; ++r) {
    const int adr = m.M_rowadr[dof + r];
    for (int k = adr; k < adr + m.M_rownnz[dof + r]; ++k) {
      const int c = m.M_colind[k] - dof;
      if (c < 0 || c > r) continue;
      a(r, c) += convert<T>(d.M[k]);
      if (c != r) a(c, r) += convert<T>(d.M[k]);
    }
  }
  for (int j = 0; j < 3; ++j) {
    T diagonal = a(j, j);
    for (int k = 0; k < j; ++k) diagonal -= a(j, k) * a(j, k);
    a(j, j) = sqrt(max(diagonal, T(min_value)));
    for (int i = j + 1; i < 3; ++i) {
      T sum = a(i, j);
      for (int k = 0; k < j; ++k) sum -= a(i, k) * a(j, k);
      a(i, j) = sum / a(j, j);
    }
  }
  store(d.metric_block, slot, a);
}

// call(flex, slot, body, first dof) for each vertex and node whose block preconditions its dofs
template <class M, class F>
CORTEN_FN void each_block(const M& m, F&& call) {
  for (int f = 0; f < m.n.nflex; ++f) {
    const bool passive = m.flex_passive[f] && !m.flex_rigid[f] && m.flex_interp[f] == 0;
    if (resists_stretch(m, f) || resists_bending(m, f) || passive) {
      for (int v = m.flex_vertadr[f]; v < m.flex_vertadr[f] + m.flex_vertnum[f]; ++v) {
        if (const int dof = free_dofs(m, v); dof >= 0) call(f, v, int(m.flex_vertbodyid[v]), dof);
      }
    }
    if (!resists_strain(m, f)) continue;
    for (int n = m.flex_nodeadr[f]; n < m.flex_nodeadr[f] + m.flex_nodenum[f]; ++n) {
      const int body = m.flex_nodebodyid[n];
      const bool slides = m.body_simple[body] == 2 && m.body_dofnum[body] == 3;
      if (slides) call(f, m.n.nflexvert + n, body, int(m.body_dofadr[body]));
    }
  }
}

// Adds the blocks of passive contacts; each is that of the normal times its share.
template <class M, class D>
CORTEN_FN void store_contacts(const M& m, const D& d) {
  using T = typename D::Primal;
  const T h = convert<T>(m.opt.timestep);
  const auto slot_of = [&](int f, int v) { return m.flex_vertadr[f] + v; };
  for (int c = 0; c < d.ncon; ++c) {
    if (d.contact_exclude[c] != 4) continue;
    const T k = h * h * convert<T>(passive_stiffness(m, d, c));
    const auto add = [&](int v, const T& share) {
      Mat3<T> block;
      for (int r = 0; r < 3; ++r) {
        for (int s = 0; s < 3; ++s) {
          block(r, s) = k * share * share * convert<T>(d.contact_frame[9 * c + r]) *
                        convert<T>(d.contact_frame[9 * c + s]);
        }
      }
      add_block(d.metric_node.from(9 * m.n.nflexnode), v, block);
    };
    for (int side = 0; side < 2; ++side) {
      const int f = d.contact_flex[2 * c + side], vert = d.contact_vert[2 * c + side];
      if (f < 0) continue;
      if (vert >= 0) {
        add(slot_of(f, vert), T(1));
        continue;
      }
      using S = typename D::Scalar;
      const auto shares =
          element_shares(m, d, f, d.contact_elem[2 * c + side], d.contact_vert[2 * c + 1 - side],
                         vec3<S>(d.contact_pos, c));
      for (int i = 0; i < shares.count; ++i) add(shares.vert[i], convert<T>(shares.weight[i]));
    }
  }
}

// Adds the diagonal of bending; products take hinges one by one.
template <class M, class D>
CORTEN_FN void store_hinges(const M& m, const D& d) {
  using T = typename D::Primal;
  const auto scale = step_scale<T>(m);
  const auto blocks = d.metric_node.from(9 * m.n.nflexnode);
  int v[4];
  for (int f = 0; f < m.n.nflex; ++f) {
    const int first = m.flex_edgeadr[f];
    if (!resists_bending(m, f)) continue;
    for (int e = first; e < first + m.flex_edgenum[f]; ++e) {
      if (!hinge_vertices(m, f, e, v)) continue;
      const auto b = m.flex_bending.from(m.flex_bendingadr[f] + bending_width * (e - first));
      for (int i = 0; i < 4; ++i) {
        const T diagonal = scale.of(m, f) * convert<T>(b[5 * i]);
        for (int k = 0; k < 3; ++k) blocks[9 * v[i] + 4 * k] += diagonal;
      }
    }
  }
}

template <class M, class D>
CORTEN_FN void factor_blocks(const M& m, const D& d) {
  using T = typename D::Primal;
  const auto scale = step_scale<T>(m);
  each_block(m, [&](int f, int slot, int body, int dof) {
    const bool node = slot >= m.n.nflexvert;
    const int id = node ? slot - m.n.nflexvert : slot;
    Mat3<T> block = node ? mat3<T>(d.metric_node, id) : mat3<T>(d.metric_vert, id);
    block = block * scale.of(m, f);
    if (!node) block += mat3<T>(d.metric_node.from(9 * m.n.nflexnode), id);
    factor_block(m, d, slot, body, dof, block);
  });
}

// Is bending the only stiffness? Then it is the same in every step, and M + K of the vertices has
// been factored when the model was compiled.
template <class M>
CORTEN_FN bool bends_only(const M& m) {
  if (m.n.nefm0dof == 0) return false;
  for (int f = 0; f < m.n.nflex; ++f) {
    const bool passive = m.flex_passive[f] && !m.flex_rigid[f];
    if (resists_stretch(m, f) || resists_strain(m, f) || passive) return false;
  }
  return true;
}

// x at the dofs of the constant factor L'L, from b there
template <class M, class D, class B, class X>
CORTEN_FN void solve_bending(const M& m, const D& d, const B& b, const X& x) {
  using T = typename D::Primal;
  const auto y = d.metric_move;
  const auto last = [&](int i) { return m.efm0_L_rowadr[i] + m.efm0_L_rownnz[i] - 1; };
  const int n = m.n.nefm0dof;
  for (int i = 0; i < n; ++i) y[i] = b[m.efm0_dofid[i]];
  for (int i = n - 1; i >= 0; --i) {
    y[i] /= convert<T>(m.efm0_L[last(i)]);
    for (int k = m.efm0_L_rowadr[i]; k < last(i); ++k) {
      y[m.efm0_L_colind[k]] -= convert<T>(m.efm0_L[k]) * y[i];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = m.efm0_L_rowadr[i]; k < last(i); ++k) {
      y[i] -= convert<T>(m.efm0_L[k]) * y[m.efm0_L_colind[k]];
    }
    y[i] /= convert<T>(m.efm0_L[last(i)]);
    x[m.efm0_dofid[i]] = y[i];
  }
}

// x = the preconditioner times b
template <class M, class D, class Q, class B, class X>
CORTEN_FN void precondition(const M& m, const D& d, const Q& p, const B& b, const X& x) {
  using T = typename D::Primal;
  copy(x, b, m.n.nv);
  if (bends_only(m)) {
    for (int i = 0; i < m.n.nefm0dof; ++i) x[m.efm0_dofid[i]] = T(0);
    tree_solve(p, m.n.nv, p.qLD, p.qLDiagInv, x);
    return solve_bending(m, d, b, x);
  }
  each_block(m, [&](int, int, int, int dof) { fill(x.from(dof), 3, T(0)); });
  tree_solve(p, m.n.nv, p.qLD, p.qLDiagInv, x);
  each_block(m, [&](int, int slot, int, int dof) {
    const Mat3<T> L = mat3<T>(d.metric_block, slot);
    T y[3];
    for (int i = 0; i < 3; ++i) {
      y[i] = b[dof + i];
      for (int k = 0; k < i; ++k) y[i] -= L(i, k) * y[k];
      y[i] /= L(i, i);
    }
    for (int i = 2; i >= 0; --i) {
      for (int k = i + 1; k < 3; ++k) y[i] -= L(k, i) * y[k];
      y[i] /= L(i, i);
      x[dof + i] = y[i];
    }
  });
}

// what products in values need of M; solvers have it in their problem
template <class T, class L>
struct InertiaView {
  Field<const int, Strided> M_rowadr, M_rownnz, M_colind;
  Field<const T, L> M, qLD, qLDiagInv;
};

template <class M, class D>
CORTEN_FN auto inertia_view(const M& m, const D& d) {
  InertiaView<typename D::Primal, typename D::Layout> out;
  out.M_rowadr = strided(m.M_rowadr);
  out.M_rownnz = strided(m.M_rownnz);
  out.M_colind = strided(m.M_colind);
  if constexpr (is_dual<typename D::Scalar>) {
    for (int k = 0; k < m.n.nM; ++k) {
      d.sol_M[k] = primal(d.M[k]);
      d.sol_M[m.n.nM + k] = primal(d.qLD[k]);
    }
    for (int i = 0; i < m.n.nv; ++i) d.sol_qpos[i] = primal(d.qLDiagInv[i]);
    out.M = read_only(d.sol_M);
    out.qLD = read_only(d.sol_M.from(m.n.nM));
    out.qLDiagInv = read_only(d.sol_qpos);
  } else {
    out.M = read_only(d.M);
    out.qLD = read_only(d.qLD);
    out.qLDiagInv = read_only(d.qLDiagInv);
  }
  return out;
}

// y = (M + K) x, in values
template <class M, class D, class Q, class X, class Y>
CORTEN_FN void metric_product(const M& m, const D& d, const Q& p, const X& x, const Y& y) {
  using T = typename D::Primal;
  tree_multiply(p, m.n.nv, p.M, x, y);
  add_stiffness_product(m, d, step_scale<T>(m), x, d.metric_move, d.metric_nodes, y);
}

// Solves A x = b by preconditioned conjugate gradients, where apply(x, y) computes y = A x. The
// residual shrinks by `tolerance`. b is overwritten.
template <class M, class D, class Q, class B, class X, class A>
CORTEN_FN bool conjugate_solve(const M& m, const D& d, const Q& p, const B& r, const X& x,
                               const typename D::Primal& tolerance, int iterations, A&& apply) {
  using T = typename D::Primal;
  const int nv = m.n.nv;
  const auto z = d.metric_vec.from(nv), s = d.metric_vec.from(2 * nv),
             As = d.metric_vec.from(3 * nv);
  fill(x, nv, T(0));
  const T size = dot(r, r, nv);
  if (!(value(size) > value_t<T>(min_value))) return true;
  precondition(m, d, p, r, z);
  copy(s, z, nv);
  T rz = dot(r, z, nv);
  for (int k = 0; k < iterations; ++k) {
    apply(s, As);
    const T curvature = dot(s, As, nv);
    if (!(value(curvature) > 0)) return true;
    const T alpha = rz / curvature;
    axpy(alpha, s, x, nv);
    axpy(T(-alpha), As, r, nv);
    if (value(dot(r, r, nv)) < value(T(tolerance * tolerance * size))) return true;
    precondition(m, d, p, r, z);
    const T next = dot(r, z, nv), beta = next / rz;
    for (int i = 0; i < nv; ++i) s[i] = z[i] + beta * s[i];
    rz = next;
  }
  return false;
}

}  // namespace detail

// Builds the metric at the current positions, and the shift -h K v of the smooth force.
template <class M, class D>
CORTEN_ENTRY void build_flex_metric(const M& m, const D& d) {
  using S = typename D::Scalar;
  using T = typename D::Primal;
  fill(d.metric_vert, 9 * m.n.nflexvert, T(0));
  fill(d.metric_edge, 9 * m.n.nflexedge, T(0));
  fill(d.metric_node, 9 * (m.n.nflexnode + m.n.nflexvert), T(0));
  for (int f = 0; f < m.n.nflex; ++f) {
    if (resists_stretch(m, f)) detail::store_stretch(m, d, f);
    if (resists_strain(m, f)) detail::store_cells(m, d, f);
  }
  detail::store_contacts(m, d);
  detail::store_hinges(m, d);
  detail::factor_blocks(m, d);
  const S h = S(m.opt.timestep);
  fill(d.metric_shift, m.n.nv, S(0));
  add_stiffness_product(m, d, MetricScale<S>{S(-h), S(0)}, d.qvel, d.metric_wide,
                        d.metric_wide_nodes, d.metric_shift);
}
CORTEN_PLAIN(build_flex_metric)

// qacc_smooth = (M + K)⁻¹ (qfrc_smooth + shift)
template <class M, class D>
CORTEN_ENTRY void flex_metric_acceleration(const M& m, const D& d) {
  using S = typename D::Scalar;
  using T = typename D::Primal;
  const int nv = m.n.nv;
  const auto p = detail::inertia_view(m, d);
  const auto r = d.metric_vec, x = d.metric_vec.from(4 * nv);
  const auto apply = [&](const auto& from, const auto& to) {
    detail::metric_product(m, d, p, from, to);
  };
  for (int i = 0; i < nv; ++i) r[i] = primal(S(d.qfrc_smooth[i] + d.metric_shift[i]));
  const T tolerance = max(convert<T>(m.opt.tolerance), T(std::is_same_v<T, float> ? 1e-6 : 0));
  const bool done = detail::conjugate_solve(m, d, p, r, x, tolerance, m.opt.iterations, apply);
  if (!done && value(tolerance) > 0) d.status = d.status | bad_inertia;
  for (int i = 0; i < nv; ++i) d.qacc_smooth[i] = S(x[i]);
  if constexpr (is_dual<S>) {
    // the residual with derivatives; those of the solution follow
    const auto g = d.work_nv;
    tree_multiply(m, nv, d.M, d.qacc_smooth, g);
    add_stiffness_product(m, d, step_scale<S>(m), d.qacc_smooth, d.metric_wide, d.metric_wide_nodes,
                          g);
    for (int i = 0; i < nv; ++i) g[i] = d.qfrc_smooth[i] + d.metric_shift[i] - g[i];
    for (int k = 0; k < tangent_count<S>; ++k) {
      for (int i = 0; i < nv; ++i) r[i] = tangent(g[i], k);
      detail::conjugate_solve(m, d, p, r, x, T(1e-14), 10 * nv, apply);
      for (int i = 0; i < nv; ++i) tangent(d.qacc_smooth[i], k) = x[i];
    }
  }
}
CORTEN_PLAIN(flex_metric_acceleration)

// ---- the solver ---------------------------------------------------------------------------------

namespace detail {

template <class M, class D, class T, class L, bool E>
CORTEN_FN void metric_gradient(const M& m, const D& d, const Problem<T, L, E>& p) {
  gradient(p);
  precondition(m, d, p, p.grad, p.Mgrad);
}

}  // namespace detail

// Conjugate gradients (solver/cg.hpp) in the metric M + K. p.qfrc_smooth includes the shift.
template <class M, class D, class T, class L, bool E>
CORTEN_ENTRY Ending flex_cg(const M& m, const D& d, const Problem<T, L, E>& p, const T& scale) {
  const int nv = p.nv;
  const T tolerance = convert<T>(m.opt.tolerance);
  const auto old = p.old;
  detail::metric_product(m, d, p, p.qacc, p.Ma);
  residuals(p, p.qacc);
  update_rows(p);
  detail::metric_gradient(m, d, p);
  const T gap = T(0.5) * scale * dot(p.grad, p.Mgrad, nv);
  if (max(value(gap), value_t<T>(0)) < value(tolerance)) return {0, true};
  for (int i = 0; i < nv; ++i) p.search[i] = -p.Mgrad[i];
  int iterations = 0;
  while (iterations < m.opt.iterations) {
    detail::metric_product(m, d, p, p.search, p.Mv);
    T improvement;
    const T alpha = line_search_along(m, p, scale, improvement);
    if (value(alpha) == 0) return {iterations, true};
    move_along(p, alpha);
    copy(old, p.grad, nv);
    copy(old.from(nv), p.Mgrad, nv);
    update_rows(p);
    detail::metric_gradient(m, d, p);
    ++iterations;
    if (has_converged(m, p, scale, improvement)) return {iterations, true};
    const T beta = detail::conjugacy(p, old);
    for (int i = 0; i < nv; ++i) p.search[i] = beta * p.search[i] - p.Mgrad[i];
  }
  return {iterations, false};
}

}  // namespace corten
