// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of the integrators. An integrator advances the velocity by the acceleration a' that
// solves N a' = M a, where a is the acceleration of the forces and N = M + Δ the integrator's
// matrix. Hence
//
//   N da' = M da + ∂M (a - a') - ∂Δ a',     or     da' = da - N⁻¹ (Δ da - ∂M (a - a') + ∂Δ a').
//
// The change in brackets is what the functions here collect in `change`, a row per dof. Without
// constraints M da = -∂g/∂θ, so one solve with N is enough:
//
//   N da' = -(∂g/∂θ - ∂M (a - a') + ∂Δ a')
//
// The first two terms are ∂g/∂θ at a' instead of a, so a' is found first (`direct`). The rest is
// added to it, and `change` is not needed. Large matrices do not fit into the cache, where that
// saves more than its operations.
#pragma once

#include <corten/derive/analytic/actuator_slope.hpp>
#include <corten/derive/analytic/fluid_change.hpp>
#include <corten/derive/analytic/tree_slope.hpp>
#include <corten/derive/position.hpp>
#include <corten/integrate/integrate.hpp>
#include <corten/joint/joints.hpp>

namespace corten::derive::analytic {

// derivative of Damping::slope
template <class T>
T damping_bend(const Damping<T>& b, const T& v) {
  return T(2) * (v < T(0) ? -b.p0 : b.p0) + T(6) * v * b.p1;
}

// Adds -∂M (a - a'), unless it is there already, and the part of dampers, which all integrators
// share.
template <class M, class D, class T>
void begin_change(const M& m, const D& d, const Workspace<T>& w, const Field<T>& change,
                  bool direct) {
  const T h = T(m.opt.timestep);
  if (!direct) {
    for (int i = 0; i < w.nv; ++i) w.rest[i] = w.advance[i] - d.qacc[i];
    inertia_slope(m, d, w, w.rest, change);
  }
  if (m.opt.disabled(disable_damper)) return;
  for (int i = 0; i < w.nv; ++i) {
    const T bend = damping_bend(dof_damping<T>(m, i), T(d.qvel[i]));
    change[i * w.width + w.velocity + i] += h * bend * w.advance[i];
  }
}

// `change`, or `slope` if that is still ∂g/∂θ
template <class T>
Field<T> clear_change(const Workspace<T>& w, bool direct) {
  if (direct) return w.slope;
  fill(w.change, w.nv * w.width, T(0));
  return w.change;
}

// change += Δ da, with Δ in the pattern of the tree: lower[k] and upper[k] as in math/tree_lu.hpp
template <class P, class T>
void add_product(const P& rows, const Workspace<T>& w, const Field<T>& lower,
                 const Field<T>& upper) {
  for (int i = 0; i < w.nv; ++i) {
    const int row = rows.M_rowadr[i], diag = row + rows.M_rownnz[i] - 1;
    T* const own = w.change.data + i * w.width;
    const T* const da = w.row(i);
    for (int a = row; a <= diag; ++a) {
      const int j = rows.M_colind[a];
      const T* const other = w.row(j);
      for (int k = 0; k < w.width; ++k) own[k] += lower[a] * other[k];
      if (a == diag || upper[a] == T(0)) continue;
      T* const out = w.change.data + j * w.width;
      for (int k = 0; k < w.width; ++k) out[k] += upper[a] * da[k];
    }
  }
}

// da' from N⁻¹ times the changes
template <class T>
void finish_change(const Workspace<T>& w, bool direct) {
  if (direct) {
    for (int i = 0; i < w.nv * w.width; ++i) w.slope[i] = -w.slope[i];
  } else {
    for (int i = 0; i < w.nv * w.width; ++i) w.slope[i] -= w.change[i];
  }
}

// The matrix N of implicitfast (`fast`), or of Euler's method with implicit damping, factored in
// `matrix` with inverse pivots in `pivots`; Δ in `upper`, only its diagonal for Euler's method; a'
// in `advance`. Returns bits of the status.
template <class M, class D, class T>
int factor_integrator(const M& m, const D& d, const Workspace<T>& w, bool fast,
                      const Field<T>& pivots) {
  const T h = T(m.opt.timestep);
  if (fast) {
    corten::detail::implicitfast_matrix(m, d);
    // the matrix leaves out trees that sleep; a regular one in its place does no harm
    each_sleeper(m, d, [&](int t) {
      const int first = m.tree_dofadr[t], end = first + m.tree_dofnum[t];
      for (int k = m.dof_Madr[first]; k < m.M_rowadr[end - 1] + m.M_rownnz[end - 1]; ++k) {
        d.work_M[k] = d.M[k];
      }
    });
    copy(w.matrix, d.work_M, m.n.nM);
    for (int k = 0; k < m.n.nM; ++k) w.upper[k] = d.work_M[k] - d.M[k];
  } else {
    copy(w.matrix, d.M, m.n.nM);
    for (int i = 0; i < w.nv; ++i) {
      w.upper[i] = h * dof_damping<T>(m, i).slope(d.qvel[i]);
      w.matrix[m.M_rowadr[i] + m.M_rownnz[i] - 1] += w.upper[i];
    }
  }
  corten::detail::total_force(m, d, w.advance);
  const bool ok = tree_factor(m, w.nv, w.matrix, pivots, Pivots::any_sign);
  tree_solve(m, w.nv, w.matrix, pivots, w.advance);
  if (!fast) return 0;
  int bits = ok ? 0 : singular_step;
  for (int i = 0; i < w.nv; ++i) {
    if (pivots[i] < T(0)) bits |= indefinite_step;
  }
  return bits;
}

// Replaces da/dθ in `slope` by da'/dθ, for Euler's method with implicit damping: Δ = h B(v). With
// `direct`, `slope` is ∂g/∂θ at a' before.
template <class M, class D, class T>
void euler_slope(const M& m, const D& d, const Workspace<T>& w, bool direct) {
  const auto added = w.upper;
  const Field<T> change = clear_change(w, direct);
  begin_change(m, d, w, change, direct);
  for (int i = 0; i < w.nv && !direct; ++i) {
    T* const out = change.data + i * w.width;
    const T* const da = w.row(i);
    for (int k = 0; k < w.width; ++k) out[k] += added[i] * da[k];
  }
  if (DeepTree<T>::suits(m)) {
    w.deep.factor(m, d, added.data);
    w.deep.solve(m, change.data, w.width);
  } else {
    tree_columns(m, w.nv, w.matrix, w.pivots, change, w.width);
  }
  finish_change(w, direct);
}

// ---- implicit integrators -----------------------------------------------------------------------

// Is entry (i, j) part of the integrator's matrix?
template <class M>
bool in_matrix(const M& m, int i, int j, bool symmetric) {
  const int last = i > j ? i : j, first = i > j ? j : i;
  if (last == first) return true;
  if (symmetric && m.dof_simplenum[last] > 0) return false;
  const int row = m.dof_Madr[last];
  for (int k = row; k < row + m.dof_depth[last]; ++k) {
    if (m.M_colind[k] == first) return true;
  }
  return false;
}

// change(i) += scale · row_i Σ_j row_j a'_j · gradient, within the matrix, for a force along a row
// whose slope by velocity has that gradient
template <class M, class T, class R, class I, class F>
void add_slope_change(const M& m, const Workspace<T>& w, const Field<T>& change, const T& scale,
                      int nnz, const R& row, const I& col, bool symmetric, F&& gradient) {
  for (int a = 0; a < nnz; ++a) {
    T sum = T(0);
    for (int b = 0; b < nnz; ++b) {
      if (in_matrix(m, col[a], col[b], symmetric)) sum += row[b] * w.advance[col[b]];
    }
    sum *= scale * row[a];
    if (sum != T(0)) gradient(sum, change.data + col[a] * w.width);
  }
}

// the same for the change of the row itself, of which Δ = scale · row row'
template <class M, class T, class R, class I>
void add_row_change(const M& m, const Workspace<T>& w, const Field<T>& change, const T& scale,
                    const Bend<T>& bend, const R& row, const I& col, bool symmetric) {
  if (scale == T(0)) return;
  for (int a = 0; a < bend.rows; ++a) {
    T* const out = change.data + col[a] * w.width;
    for (int b = 0; b < bend.rows; ++b) {
      if (!in_matrix(m, col[a], col[b], symmetric)) continue;
      const T x = scale * w.advance[col[b]];
      for (int k = 0; k < bend.dofs; ++k) {
        out[bend.dof[k]] += x * (bend.entry(a, k) * row[b] + row[a] * bend.entry(b, k));
      }
    }
  }
}

// ∂Δ a' of actuators, tendons and fluid, Δ = -h D. Moment arms are constant or have a Bend.
template <class M, class D, class E, class T>
void add_slope_changes(const M& m, const D& d, const E& dual, const Workspace<T>& w,
                       const Field<T>& change, bool symmetric) {
  using S = typename E::Scalar;
  const T h = T(m.opt.timestep);
  add_fluid_changes<S>(m, d, w, change, symmetric);
  for (int a = 0; a < m.n.nactuator && !m.opt.disabled(disable_actuation); ++a) {
    const bool bent = acts_along_bend(m, a);
    if (actuator_disabled(m, a) || (has_constant_slope(m, a) && !bent)) continue;
    const int o = m.actuator_outadr[a], adr = d.moment_rowadr[o];
    const S slope = actuator_slope(m, dual, a);
    if (bent) {
      add_row_change(m, w, change, T(-h * primal(slope)), w.bends.actuator(m, a),
                     d.actuator_moment.from(adr), d.moment_colind.from(adr), symmetric);
    }
    T local[static_cast<std::size_t>(tangent_count<S>)];
    for (int k = 0; k < tangent_count<S>; ++k) local[k] = tangent(slope, k);
    add_slope_change(m, w, change, T(-h), d.moment_rownnz[o], d.actuator_moment.from(adr),
                     d.moment_colind.from(adr), symmetric, [&](const T& scale, T* out) {
                       chain_inputs(m, d, dual, w, a, local, scale, out);
                     });
  }
  for (int t = 0; t < m.n.ntendon && !m.opt.disabled(disable_damper); ++t) {
    const int adr = m.ten_J_rowadr[t], nnz = m.ten_J_rownnz[t];
    const Damping<T> damping = tendon_damping<T>(m, t);
    const T growth = damping_bend(damping, T(d.ten_velocity[t]));
    const Bend<T> bend = w.bends.tendon(t);
    add_row_change(m, w, change, T(h * damping.slope(d.ten_velocity[t])), bend, d.ten_J.from(adr),
                   m.ten_J_colind.from(adr), symmetric);
    if (growth == T(0)) continue;
    add_slope_change(m, w, change, T(h * growth), nnz, d.ten_J.from(adr), m.ten_J_colind.from(adr),
                     symmetric, [&](const T& scale, T* out) {
                       bend.each(d.qvel,
                                 [&](int k, const T&, const T& rate) { out[k] += scale * rate; });
                       for (int k = adr; k < adr + nnz; ++k) {
                         out[w.velocity + m.ten_J_colind[k]] += scale * d.ten_J[k];
                       }
                     });
  }
}

// The bias force is quadratic in the velocity, c(v) = c(v, v), so the derivative of
// ∂c/∂v · a' = c(v + a') - c(v) - c(a') follows from those of c.
template <class M, class D, class T>
void add_bias_changes(const M& m, const D& d, const Workspace<T>& w, const Field<T>& advance,
                      const Field<T>& change) {
  const T h = T(m.opt.timestep);
  for (int i = 0; i < w.nv; ++i) w.rest[i] = d.qvel[i] + advance[i];
  bias_columns(m, d, w, w.rest, h, T(0), change);
  bias_columns(m, d, w, advance, T(-h), h, change);
  for (int i = 0; i < w.nv; ++i) w.rest[i] = d.qvel[i];
  bias_columns(m, d, w, w.rest, T(-h), T(0), change);
}

// implicit: Δ = -h D, with the derivative D of all smooth forces by velocity. Returns false if the
// matrix is singular.
template <class M, class D, class E, class T>
bool implicit_slope(const M& m, const D& d, const E& dual, const Workspace<T>& w) {
  const auto rows = tree_rows(m);
  corten::detail::implicit_matrix(m, d);
  for (int i = 0; i < w.nv; ++i) {
    const int known = m.M_rowadr[i], end = known + m.M_rownnz[i];
    for (int k = m.dof_Madr[i]; k < end; ++k) {
      const T inertia = k < known ? T(0) : T(d.M[k]);
      w.matrix[k] = d.work_M[k] - inertia, w.upper[k] = d.work_U[k] - inertia;
    }
  }
  if (!tree_lu_factor(rows, w.nv, d.work_M, d.work_U, w.pivots)) return false;
  corten::detail::total_force(m, d, w.advance);
  tree_lu_solve(rows, w.nv, d.work_M, d.work_U, w.pivots, w.advance);
  const Field<T> change = clear_change(w, false);
  begin_change(m, d, w, change, false);
  add_product(rows, w, w.matrix, w.upper);
  add_slope_changes(m, d, dual, w, change, false);
  add_bias_changes(m, d, w, w.advance, change);
  for (int c = 0; c < w.columns; ++c) {
    for (int i = 0; i < w.nv; ++i) w.rest[i] = change[i * w.width + c];
    tree_lu_solve(rows, w.nv, d.work_M, d.work_U, w.pivots, w.rest);
    for (int i = 0; i < w.nv; ++i) change[i * w.width + c] = w.rest[i];
  }
  finish_change(w, false);
  return true;
}

// change = N⁻¹ change for a deep tree. Returns false if Δ, in `upper`, is not diagonal.
template <class M, class D, class T>
bool deep_fast_columns(const M& m, const D& d, const Workspace<T>& w, const Field<T>& change) {
  if (!DeepTree<T>::suits(m)) return false;
  for (int i = 0; i < w.nv; ++i) {
    const int diag = m.M_rowadr[i] + m.M_rownnz[i] - 1;
    for (int k = m.M_rowadr[i]; k < diag; ++k) {
      if (w.upper[k] != T(0)) return false;
    }
    w.rest[i] = w.upper[diag];
  }
  w.deep.factor(m, d, w.rest.data);
  w.deep.solve(m, change.data, w.width);
  return true;
}

template <class M>
bool has_free_body(const M& m) {
  bool out = false;
  for (int j = 0; j < m.n.njnt; ++j) out = out || is_free_body(m, m.jnt_bodyid[j]);
  return out;
}

// The matrix of a lone free body in implicitfast, which contains the bias forces, and its inertia.
template <class T>
struct FreeMatrices {
  using Matrix = corten::detail::Mat6<T>;
  Matrix whole, inertia = Matrix::Zero();

  template <class M, class D>
  FreeMatrices(const M& m, const D& d, int body, int v)
      : whole(corten::detail::free_matrix(m, d, body)) {
    for (int i = 0; i < 6; ++i) {
      const int row = m.M_rowadr[v + i];
      for (int k = row; k < row + m.M_rownnz[v + i]; ++k) {
        const int j = m.M_colind[k] - v;
        inertia(i, j) = inertia(j, i) = d.M[k];
      }
    }
  }

  // x = N⁻¹ x; false if the matrix is singular, in which case the integrator takes the inertia
  bool solve(Vec6<T>& x) const {
    Matrix matrix = whole;
    return solve_dense<T, 6>(matrix, x);
  }
};

// a' of lone free bodies
template <class M, class D, class T>
void free_advance(const M& m, const D& d, const Workspace<T>& w) {
  corten::detail::each_free_body(m, d, [&](int body, int v) {
    Vec6<T> x;
    for (int i = 0; i < 6; ++i) x[i] = d.qfrc_smooth[v + i] + d.qfrc_constraint[v + i];
    if (!FreeMatrices<T>(m, d, body, v).solve(x)) return;
    for (int i = 0; i < 6; ++i) w.advance[v + i] = x[i];
  });
}

// Adds Δ da and ∂Δ a' of lone free bodies. The accelerations of all others count as zero.
template <class M, class D, class T>
void add_free_changes(const M& m, const D& d, const Workspace<T>& w) {
  const Field<T> alone = w.reading;
  fill(alone, w.nv, T(0));
  corten::detail::each_free_body(m, d, [&](int body, int v) {
    const FreeMatrices<T> f(m, d, body, v);
    for (int i = 0; i < 6; ++i) {
      alone[v + i] = w.advance[v + i];
      T* const own = w.change.data + (v + i) * w.width;
      for (int j = 0; j < 6; ++j) {
        const T added = f.whole(i, j) - f.inertia(i, j);
        const T* const da = w.row(v + j);
        for (int k = 0; k < w.columns; ++k) own[k] += added * da[k];
      }
    }
  });
  add_bias_changes(m, d, w, alone, w.change);
}

// Turns M⁻¹ change into N⁻¹ change for lone free bodies.
template <class M, class D, class T>
void free_columns(const M& m, const D& d, const Workspace<T>& w) {
  corten::detail::each_free_body(m, d, [&](int body, int v) {
    const FreeMatrices<T> f(m, d, body, v);
    corten::detail::Mat6<T> share;  // N⁻¹ M
    for (int k = 0; k < 6; ++k) {
      Vec6<T> x = f.inertia.col(k);
      if (!f.solve(x)) return;
      share.col(k) = x;
    }
    T* const rows = w.change.data + v * w.width;
    for (int k = 0; k < w.columns; ++k) {
      Vec6<T> x;
      for (int i = 0; i < 6; ++i) x[i] = rows[i * w.width + k];
      x = (share * x).eval();
      for (int i = 0; i < 6; ++i) rows[i * w.width + k] = x[i];
    }
  });
}

// implicitfast: the same without the bias forces, and symmetric. Lone free bodies have bias forces
// after all.
template <class M, class D, class E, class T>
void implicitfast_slope(const M& m, const D& d, const E& dual, const Workspace<T>& w, bool direct) {
  const bool free = has_free_body(m);
  if (free) free_advance(m, d, w);
  const Field<T> change = clear_change(w, direct);
  begin_change(m, d, w, change, direct);
  if (!direct) add_product(m, w, w.upper, w.upper);
  add_slope_changes(m, d, dual, w, change, true);
  if (free) add_free_changes(m, d, w);
  if (!deep_fast_columns(m, d, w, change)) {
    tree_columns(m, w.nv, w.matrix, w.pivots, change, w.width);
  }
  if (free) free_columns(m, d, w);
  finish_change(w, direct);
}

template <class M>
bool is_fast(const M& m) {
  return m.opt.integrator == static_cast<int>(Integrator::implicitfast);
}

// Can the integrator be `direct`? It needs a matrix of its own, which always has an inverse, and
// no force may depend on the acceleration. Lone free bodies have another matrix in implicitfast.
template <class M, class D>
bool takes_direct(const M& m, const D& d) {
  if (d.nefc > 0) return false;
  if (is_fast(m)) return !has_free_body(m);
  return m.opt.integrator == static_cast<int>(Integrator::euler) && corten::detail::damped(m, d);
}

// Replaces da/dθ by da'/dθ, and writes a' to `advance`. With `direct`, factor_integrator() has run,
// and `slope` is ∂g/∂θ at a' before. Returns bits of the status.
template <class M, class D, class E, class T>
int integrator_slope(const M& m, const D& d, const E& dual, const Workspace<T>& w, bool direct) {
  const auto method = static_cast<Integrator>(m.opt.integrator);
  if (method == Integrator::implicit) return implicit_slope(m, d, dual, w) ? 0 : singular_step;
  const bool fast = is_fast(m);
  if (!fast && !corten::detail::damped(m, d)) return copy(w.advance, d.qacc, w.nv), 0;
  const int bits = direct ? 0 : factor_integrator(m, d, w, fast, w.pivots);
  if (fast) {
    implicitfast_slope(m, d, dual, w, direct);
  } else {
    euler_slope(m, d, w, direct);
  }
  return bits;
}

// ---- positions ----------------------------------------------------------------------------------

// calls f(first dof, ∂q'/∂q, ∂q'/∂φ) for each rotation that the velocity turns in a time h
template <class M, class T, class F>
void each_rotation(const M& m, const Field<T>& velocity, const T& h, F&& f) {
  for (int j = 0; j < m.n.njnt; ++j) {
    const int quat = joint_quat(m, j);
    if (quat < 0) continue;
    const int v = m.jnt_dofadr[j] + quat;  // the coordinates before it have a velocity each
    const Vec3<T> phi(h * velocity[v], h * velocity[v + 1], h * velocity[v + 2]);
    Mat3<T> by_q, by_phi;
    rotation_slope(phi, by_q, by_phi);
    f(v, by_q, by_phi);
  }
}

// The derivative of the position after a time h from that of the velocity, a row per dof each.
template <class M, class T>
void position_rows(const M& m, const Workspace<T>& w, const Field<T>& velocity, const T& h,
                   const T* from, T* out) {
  for (int i = 0; i < w.nv * w.width; ++i) out[i] = h * from[i];
  for (int i = 0; i < w.nv; ++i) out[i * w.width + i] += T(1);
  each_rotation(m, velocity, h, [&](int v, const Mat3<T>& by_q, const Mat3<T>& by_phi) {
    T* const to = out + v * w.width;
    for (int c = 0; c < w.columns; ++c) {
      const T* const dv = from + v * w.width + c;
      const Vec3<T> rate(dv[0], dv[w.width], dv[2 * w.width]);
      Vec3<T> change = h * (by_phi * rate);
      if (c >= v && c < v + 3) change += by_q.col(c - v);
      for (int k = 0; k < 3; ++k) to[k * w.width + c] = change[k];
    }
  });
}

}  // namespace corten::derive::analytic
