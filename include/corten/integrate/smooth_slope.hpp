// SPDX-License-Identifier: Apache-2.0
//
// The derivative of smooth forces with respect to velocities,
//
//   D = d (qfrc_actuator + qfrc_passive - qfrc_bias) / d qvel,
//
// restricted to entries between dofs and their ancestors (MuJoCo's qDeriv). Call it after forward.
// Writes deriv_lower and deriv_upper: D(i, j) and D(j, i) for each entry (i, j) of the pattern.
#pragma once

#include <corten/actuator/slope.hpp>
#include <corten/flex/vertices.hpp>
#include <corten/integrate/bias_slope.hpp>
#include <corten/integrate/fluid_slope.hpp>
#include <corten/tree/contribution.hpp>

namespace corten {

// Is this a lone free body: one with a free joint, no other joints in its tree, and no children
// with mass?
template <class M>
CORTEN_FN bool is_free_body(const M& m, int b) {
  if (m.body_jntnum[b] != 1) return false;
  const int j = m.body_jntadr[b];
  return joint_floats(m, j) && m.tree_dofnum[m.dof_treeid[m.jnt_dofadr[j]]] == 6 &&
         value(m.body_subtreemass[b]) == value(m.body_mass[b]);
}

namespace detail {

// D += slope · J'J for a sparse row J with `nnz` entries. work_nv must be zero, and is zero again
// afterwards.
template <class M, class D, class F, class I>
CORTEN_FN void add_row_slope(const M& m, const D& d, const typename D::Scalar& slope, int nnz,
                             const F& row, const I& col) {
  using S = typename D::Scalar;
  if (vanishes(slope)) return;
  for (int k = 0; k < nnz; ++k) d.work_nv[col[k]] += row[k];
  for (int k = 0; k < nnz; ++k) {
    const int i = col[k], first = m.dof_Madr[i], end = first + m.dof_depth[i];
    const S scale = slope * row[k];
    for (int a = first; a < end; ++a) d.deriv_lower[a] += scale * d.work_nv[m.M_colind[a]];
  }
  for (int k = 0; k < nnz; ++k) d.work_nv[col[k]] = S(0);
}

template <class M, class D>
CORTEN_FN void actuator_slopes(const M& m, const D& d) {
  if (m.opt.disabled(disable_actuation)) return;
  for (int a = 0; a < m.n.nactuator; ++a) {
    if (actuator_disabled(m, a)) continue;
    const auto slope = actuator_slope(m, d, a);
    for (int o = m.actuator_outadr[a]; o < m.actuator_outadr[a] + m.actuator_outnum[a]; ++o) {
      const int adr = d.moment_rowadr[o];
      add_row_slope(m, d, slope, d.moment_rownnz[o], d.actuator_moment.from(adr),
                    d.moment_colind.from(adr));
    }
  }
}

// dampers along the edges of flexes, as far as they couple dofs of one tree
template <class M, class D>
CORTEN_FN void edge_damper_slopes(const M& m, const D& d) {
  using S = typename D::Scalar;
  each_edged_flex(m, [&](int f) {
    const S damping = S(m.flex_edgedamping[f]);
    if (vanishes(damping)) return;
    for (int e = m.flex_edgeadr[f]; e < m.flex_edgeadr[f] + m.flex_edgenum[f]; ++e) {
      const int adr = m.flexedge_J_rowadr[e];
      if (m.flexedge_rigid[e]) continue;
      add_row_slope(m, d, S(-damping), m.flexedge_J_rownnz[e], d.flexedge_J.from(adr),
                    m.flexedge_J_colind.from(adr));
    }
  });
}

template <class M, class D>
CORTEN_FN void damper_slopes(const M& m, const D& d) {
  using S = typename D::Scalar;
  if (m.opt.disabled(disable_damper)) return;
  each_awake_dof(m, d, [&](int i) {
    d.deriv_lower[m.M_rowadr[i] + m.M_rownnz[i] - 1] -= dof_damping<S>(m, i).slope(d.qvel[i]);
  });
  for (int t = 0; t < m.n.ntendon; ++t) {
    const int adr = m.ten_J_rowadr[t];
    add_row_slope(m, d, S(-tendon_damping<S>(m, t).slope(d.ten_velocity[t])), m.ten_J_rownnz[t],
                  d.ten_J.from(adr), m.ten_J_colind.from(adr));
  }
  if constexpr (may_have_flexes<D>) edge_damper_slopes(m, d);
}

// The derivative of the forces on each body with respect to its own velocity, in work_feedback:
// fluid forces if `medium`, bias forces if `inertia`, each summed over the subtree of the body.
template <class M, class D>
CORTEN_FN void body_feedback(const M& m, const D& d, bool medium, bool inertia) {
  using S = typename D::Scalar;
  fill(d.work_feedback, 36 * m.n.nbody, S(0));
  const auto add = [&](int b, const Feedback<S>& f) {
    Feedback<S> sum = Feedback<S>::load(d.work_feedback, b);
    sum += f;
    sum.store_to(d.work_feedback, b);
  };
  if (medium) {
    each_in_medium(
        m, d, [&](int b) { add(b, box_slope(m, d, b)); },
        [&](int g) {
          const int b = m.geom_bodyid[g];
          add(b, ellipsoid_slope_of(m, d, g, !inertia && !is_free_body(m, b)));
        });
  }
  const bool some = some_asleep(m, d);
  for (int b = 1; inertia && b < m.n.nbody; ++b) {
    if (some && is_asleep(d, b)) continue;
    Feedback<S> f = bias_feedback(vec<S, 10>(d.cinert, b), vec6<S>(d.cvel, b));
    f.rr = -f.rr, f.tr = -f.tr;
    add(b, f);
  }

  // a body carries its children
  for (int b = m.n.nbody - 1; b > 0; --b) {
    const int parent = m.body_parentid[b];
    if (parent > 0) add(parent, Feedback<S>::load(d.work_feedback, b));
  }
}

// projects work_feedback and the rates of the axes onto the dofs
template <class M, class D>
CORTEN_FN void add_body_slopes(const M& m, const D& d, bool inertia) {
  using S = typename D::Scalar;
  each_awake_dof(m, d, [&](int i) {
    const Vec6<S> axis = vec6<S>(d.cdof, i);
    const Feedback<S> f = Feedback<S>::load(d.work_feedback, m.dof_bodyid[i]);
    Vec6<S> column = f.times(axis);
    const Vec6<S> row = f.transposed_times(axis);
    Vec6<S> momentum = Vec6<S>::Zero();
    if (inertia) {
      const Inertia<S> crb = vec<S, 10>(d.crb, m.dof_bodyid[i]);
      momentum = multiply(crb, axis);
      column -= multiply(crb, vec6<S>(d.work_rate, i));
    }
    const int first = m.dof_Madr[i], end = first + m.dof_depth[i];
    for (int k = first; k < end; ++k) {
      const int j = m.M_colind[k];
      const Vec6<S> other = vec6<S>(d.cdof, j);
      d.deriv_upper[k] += other.dot(column);
      d.deriv_lower[k] += other.dot(row);
      if (inertia) d.deriv_lower[k] -= momentum.dot(vec6<S>(d.work_rate, j));
    }
  });
}

}  // namespace detail

// Computes D. Without `bias`, as implicitfast needs it, qfrc_bias is left out and the rest is made
// symmetric, except for lone free bodies.
template <class M, class D>
CORTEN_FN void smooth_slope(const M& m, const D& d, bool bias) {
  using S = typename D::Scalar;
  CORTEN_ASSERT(d.n.nslope > 0 && "the data was made for another integrator");
  fill(d.deriv_lower, m.n.nM, S(0));
  fill(d.work_nv, m.n.nv, S(0));
  detail::actuator_slopes(m, d);
  const bool passive = !m.opt.disabled(disable_spring) || !m.opt.disabled(disable_damper);
  if (passive) detail::damper_slopes(m, d);
  copy(d.deriv_upper, d.deriv_lower, m.n.nM);

  const bool medium = passive && has_fluid(m);
  if (!medium && !bias) return;
  detail::body_feedback(m, d, medium, bias);
  if (bias) detail::axis_rates(m, d);
  detail::add_body_slopes(m, d, bias);
}

}  // namespace corten
