// SPDX-License-Identifier: Apache-2.0
//
// The derivative of bias forces with respect to velocities, in the pattern of the inertia matrix.
//
// All quantities are about the centre of mass of the tree. S_j is the motion axis of dof j; v_k,
// I_k and h_k = I_k v_k are velocity, inertia and momentum of body k. For j between root and body k
//
//   ∂v_k/∂q̇_j = S_j,    ∂a_k/∂q̇_j = r_j - v_k × S_j,    r_j = d/dt S_j + v_j × S_j
//
// where v_j is the velocity after the joint of j. So the force I a + v ×* I v of body k changes by
//
//   I_k r_j + C_k S_j,    C_k S = v_k ×* I_k S + S ×* h_k - I_k (v_k × S),
//
// and the sum over a subtree needs only the sums of I and C, not a matrix per body and dof. See
// Carpentier and Mansard, Analytical derivatives of rigid body dynamics algorithms (2018).
// Multiplied out, half of C cancels, and the rest acts on rotations only.
#pragma once

#include <corten/joint/common.hpp>
#include <corten/math/feedback.hpp>
#include <corten/tree/awake.hpp>

namespace corten {

namespace detail {

// C of a body
template <class S>
CORTEN_ENTRY Feedback<S> bias_feedback(const Inertia<S>& i, const Vec6<S>& v) {
  const Vec6<S> h = multiply(i, v);
  const Vec3<S> w = v.template head<3>(), u = v.template tail<3>(), c(i[6], i[7], i[8]);
  const Vec3<S> spin = h.template head<3>(), momentum = h.template tail<3>();
  const Mat3<S> tensor(i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2]);

  const Mat3<S> turned = skew(w) * tensor;
  const Mat3<S> lever = outer(u, c);
  Feedback<S> out = Feedback<S>::zero();
  out.rr = turned + turned.transpose() - lever - lever.transpose() - skew(spin);
  const S twice = S(2) * c.dot(u);
  for (int k = 0; k < 3; ++k) out.rr(k, k) += twice;
  out.tr = S(-2) * skew(momentum);
  return out;
}

// Adds the motion of the dofs v … v + count to the velocity `cvel`, then writes r_j of each dof.
template <class D, class S>
CORTEN_FN void axis_rates(const D& d, int v, int count, Vec6<S>& cvel) {
  for (int k = v; k < v + count; ++k) cvel += vec6<S>(d.cdof, k) * d.qvel[k];
  CORTEN_ONE_BY_ONE
  for (int k = v; k < v + count; ++k) {
    store(d.work_rate, k, vec6<S>(d.cdof_dot, k) + cross_motion(cvel, vec6<S>(d.cdof, k)));
  }
}

// writes r_j of all dofs to work_rate
template <class M, class D>
CORTEN_FN void axis_rates(const M& m, const D& d) {
  using S = typename D::Scalar;
  const bool some = some_asleep(m, d);
  for (int b = 1; b < m.n.nbody; ++b) {
    if (some && is_asleep(d, b)) continue;
    Vec6<S> cvel = vec6<S>(d.cvel, m.body_parentid[b]);
    const int first = m.body_jntadr[b];
    for (int j = first; j < first + m.body_jntnum[b]; ++j) {
      M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) {
        int fixed = 0;
        if constexpr (requires { kind.fixed_axes; }) fixed = kind.fixed_axes;
        const int v = m.jnt_dofadr[j];
        axis_rates(d, v, fixed, cvel);
        axis_rates(d, v + fixed, kind.nv - fixed, cvel);
      });
    }
  }
}

}  // namespace detail

}  // namespace corten
