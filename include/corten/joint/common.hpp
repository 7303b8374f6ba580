// SPDX-License-Identifier: Apache-2.0
//
// Building blocks shared by several joint kinds.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/math/field.hpp>
#include <corten/math/quat.hpp>
#include <corten/math/spatial.hpp>

namespace corten {

// the frame of a body while its joints are applied one after the other
template <class S>
struct Frame {
  Vec3<S> pos;
  Quat<S> quat;
};

// stiffness that can grow with the displacement: k + p0 x + p1 x²; the force is -x times this
template <class S, class F, class G>
CORTEN_FN S polynomial(const F& linear, const G& poly, int i, const S& x) {
  return S(linear[i]) + x * (S(poly[2 * i]) + x * S(poly[2 * i + 1]));
}

// ∫ x (k + p0 x + p1 x²) dx
template <class S, class F, class G>
CORTEN_FN S polynomial_energy(const F& linear, const G& poly, int i, const S& x) {
  return x * x *
         (S(linear[i]) * S(0.5) + x * (S(poly[2 * i]) / S(3) + x * S(poly[2 * i + 1]) / S(4)));
}

// Is the anchor of a joint the origin of its body? Most are, and need no rotated offsets.
template <class M>
CORTEN_FN bool is_centred(const M& m, int j) {
  return vanishes(m.jnt_pos[3 * j]) && vanishes(m.jnt_pos[3 * j + 1]) &&
         vanishes(m.jnt_pos[3 * j + 2]);
}

// rotates a frame by `turn` about an anchor that stays in place
template <class M, class S>
CORTEN_FN void turn_about_anchor(const M& m, int j, const Vec3<S>& anchor, const Quat<S>& turn,
                                 Frame<S>& frame) {
  frame.quat = multiply(frame.quat, turn);
  if (!is_centred(m, j)) frame.pos = anchor - rotate(frame.quat, vec3<S>(m.jnt_pos, j));
}

// ---- rotation by a quaternion: the whole of a ball joint, half of a free joint ------------------

// coordinates q..q+3, velocities v..v+2 (the angular velocity in the body's frame)
struct Rotation {
  template <class Q>
  CORTEN_FN static auto unit(const Q& qpos, int q) {
    using S = std::remove_const_t<typename Q::Value>;
    Quat<S> out(qpos[q], qpos[q + 1], qpos[q + 2], qpos[q + 3]);
    renormalize(out);
    return out;
  }

  template <class Q, class V, class S>
  CORTEN_FN static void integrate(const Q& qpos, int q, const V& qvel, int v, const S& h) {
    const Vec3<S> w(qvel[v], qvel[v + 1], qvel[v + 2]);
    const Quat<S> out = corten::integrate(unit(qpos, q), w, h);
    for (int k = 0; k < 4; ++k) qpos[q + k] = out[k];
  }

  template <class Q, class V, class S>
  CORTEN_FN static void difference(const Q& q1, const Q& q2, int q, const S& h, const V& out,
                                   int v) {
    const Quat<S> a(q2[q], q2[q + 1], q2[q + 2], q2[q + 3]);
    const Quat<S> b(q1[q], q1[q + 1], q1[q + 2], q1[q + 3]);
    const Vec3<S> w = corten::difference(a, b) / h;
    for (int k = 0; k < 3; ++k) out[v + k] = w[k];
  }

  // the rotation vector from the spring's rest orientation to the current one
  template <class M, class D>
  CORTEN_FN static auto displacement(const M& m, const D& d, int q) {
    using S = typename D::Scalar;
    const Quat<S> rest(S(m.qpos_spring[q]), S(m.qpos_spring[q + 1]), S(m.qpos_spring[q + 2]),
                       S(m.qpos_spring[q + 3]));
    return corten::difference(unit(d.qpos, q), rest);
  }

  // the motion axes: rotations about the axes of the body's frame, through the anchor
  template <class M, class D>
  CORTEN_FN static void motion_axes(const M& m, const D& d, int j, int v) {
    using S = typename D::Scalar;
    const int body = m.jnt_bodyid[j];
    const Mat3<S> frame = mat3<S>(d.xmat, body);
    const Vec3<S> offset = vec3<S>(d.subtree_com, m.body_rootid[body]) - vec3<S>(d.xanchor, j);
    for (int k = 0; k < 3; ++k) {
      store(d.cdof, v + k, rotation_motion(frame.col(k), offset));
    }
  }
};

// a spring that pulls a displacement vector to zero, acting on dofs v..v+2
template <class M, class D, class S>
CORTEN_FN void vector_spring(const M& m, const D& d, int j, const Vec3<S>& x, int v) {
  const S k = polynomial<S>(m.jnt_stiffness, m.jnt_stiffnesspoly, j, norm(x));
  for (int i = 0; i < 3; ++i) d.qfrc_spring[v + i] -= k * x[i];
}

// stores the joint's axis and anchor in the world, before the joint is applied; returns the anchor
template <class M, class D, class S>
CORTEN_FN Vec3<S> place_axes(const M& m, const D& d, int j, const Frame<S>& frame) {
  const Vec3<S> axis = rotate(frame.quat, vec3<S>(m.jnt_axis, j));
  Vec3<S> anchor = frame.pos;
  if (!is_centred(m, j)) anchor = anchor + rotate(frame.quat, vec3<S>(m.jnt_pos, j));
  store(d.xaxis, j, axis);
  store(d.xanchor, j, anchor);
  return anchor;
}

// computes cdof_dot = cvel × cdof for `count` dofs from v on, then adds their velocity to cvel
template <class D, class S>
CORTEN_FN void axes_rate(const D& d, int v, int count, Vec6<S>& cvel) {
  Vec6<S> sum = Vec6<S>::Zero();
  for (int k = v; k < v + count; ++k) {
    const Vec6<S> axis = vec6<S>(d.cdof, k);
    store(d.cdof_dot, k, cross_motion(cvel, axis));
    sum += axis * d.qvel[k];
  }
  cvel += sum;
}

}  // namespace corten
