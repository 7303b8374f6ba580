// SPDX-License-Identifier: Apache-2.0
//
// Rows of equality constraints. MuJoCo documentation, Computation, "Equality". A connect has three rows, a
// weld six (the last three are the vector part of the quaternion between the bodies, times the torque
// scale), all others one.
#pragma once

#include <corten/math/quat.hpp>
#include <corten/stage/jacobian.hpp>
#include <corten/stage/rows.hpp>

namespace corten::detail {

// the points of two bodies that a connect or weld holds together
template <class S>
struct Anchors {
  int body1, body2;
  Vec3<S> point1, point2;
};

template <class M, class D>
CORTEN_FN auto equality_anchors(const M& m, const D& d, int e) {
  using S = typename D::Scalar;
  const int first = m.eq_obj1id[e], second = m.eq_obj2id[e];
  if (m.eq_objtype[e] == static_cast<int>(ObjectType::site)) {
    return Anchors<S>{m.site_bodyid[first], m.site_bodyid[second], vec3<S>(d.site_xpos, first),
                      vec3<S>(d.site_xpos, second)};
  }
  // a connect has its first anchor first, a weld second
  const int weld = m.eq_type[e] == static_cast<int>(EqualityType::weld) ? 1 : 0;
  const auto point = [&](int body, int which) {
    const Vec3<S> local = vec3<S>(m.eq_data.from(11 * e), which);
    return vec3<S>(d.xpos, body) + mat3<S>(d.xmat, body) * local;
  };
  return Anchors<S>{first, second, point(first, weld), point(second, 1 - weld)};
}

// the orientations that a weld makes equal: of the first body with the relative pose, of the second
template <class M, class D, class S>
CORTEN_FN void equality_turns(const M& m, const D& d, int e, const Anchors<S>& a, Quat<S>& q1,
                              Quat<S>& q2) {
  const int first = m.eq_obj1id[e], second = m.eq_obj2id[e];
  const bool sites = m.eq_objtype[e] == static_cast<int>(ObjectType::site);
  q1 = multiply(quat<S>(d.xquat, a.body1),
                sites ? quat<S>(m.site_quat, first) : quat<S>(m.eq_data.from(11 * e + 6), 0));
  q2 = quat<S>(d.xquat, a.body2);
  if (sites) q2 = multiply(q2, quat<S>(m.site_quat, second));
}

// (0, v) as a quaternion
template <class S>
CORTEN_FN Quat<S> pure(const Vec3<S>& v) {
  return Quat<S>(S(0), v[0], v[1], v[2]);
}

template <class S>
CORTEN_FN Vec3<S> vector_part(const Quat<S>& q) {
  return Vec3<S>(q[1], q[2], q[3]);
}

// does MuJoCo keep compressed rows for this model? It then keeps rows whose entries are all zero.
template <class M>
CORTEN_FN bool keeps_compressed_rows(const M& m) {
  const auto kind = static_cast<JacobianKind>(m.opt.jacobian);
  return kind == JacobianKind::sparse || (kind == JacobianKind::automatic && m.n.nv >= 60);
}

// does anything move the rows? If not they are given back.
template <class M, class D>
CORTEN_FN bool keep_rows(const M& m, const D& d, int row, int count, bool reached) {
  bool moves = reached && keeps_compressed_rows(m);
  for (int k = 0; k < count * m.n.nv && !moves; ++k) {
    moves = value(d.efc_J[row * m.n.nv + k]) != 0;
  }
  if (!moves) drop_rows(d, row, count);
  return moves;
}

// J = jac(body1, point1) - jac(body2, point2), translations and with `turns` rotations; returns whether
// any dof moves one of the bodies
template <class M, class D, class S>
CORTEN_FN bool relative_jacobian(const M& m, const D& d, int row, const Anchors<S>& a, bool turns) {
  const int nv = m.n.nv;
  bool reached = false;
  for (int side = 0; side < 2; ++side) {
    const S sign = side == 0 ? S(1) : S(-1);
    each_dof(m, d, side == 0 ? a.body1 : a.body2, side == 0 ? a.point1 : a.point2,
             [&](int i, const Vec3<S>& move, const Vec3<S>& turn) {
               reached = true;
               for (int k = 0; k < 3; ++k) {
                 d.efc_J[(row + k) * nv + i] += sign * move[k];
                 if (turns) d.efc_J[(row + 3 + k) * nv + i] += sign * turn[k];
               }
             });
  }
  return reached;
}

// Turns rows of relative angular velocity into rows of the quaternion between the bodies: a column w
// becomes the vector part of ½ q2* (0, w) q1, times the torque scale.
template <class M, class D, class S>
CORTEN_FN void quaternion_rows(const M& m, const D& d, int row, const Quat<S>& q1,
                               const Quat<S>& q2, const S& scale) {
  const int nv = m.n.nv;
  const Quat<S> back = conjugate(q2);
  for (int i = 0; i < nv; ++i) {
    const auto at = [&](int k) -> S& { return d.efc_J[(row + k) * nv + i]; };
    const Vec3<S> w(at(0), at(1), at(2));
    if (vanishes(w[0]) && vanishes(w[1]) && vanishes(w[2])) continue;
    const Quat<S> q = multiply(multiply(back, pure(w)), q1);
    for (int k = 0; k < 3; ++k) at(k) = S(0.5) * q[k + 1] * scale;
  }
}

template <class M, class D>
CORTEN_FN void spatial_rows(const M& m, const D& d, int e) {
  using S = typename D::Scalar;
  const bool weld = m.eq_type[e] == static_cast<int>(EqualityType::weld);
  const int count = weld ? 6 : 3, row = reserve_rows(d, count);
  if (row < 0) return;
  const Anchors<S> a = equality_anchors(m, d, e);
  const bool reached = relative_jacobian(m, d, row, a, weld);
  Vec3<S> turn = Vec3<S>::Zero();
  if (weld) {
    const S scale = S(m.eq_data[11 * e + 10]);
    Quat<S> q1, q2;
    equality_turns(m, d, e, a, q1, q2);
    turn = scale * vector_part(multiply(conjugate(q2), q1));
    quaternion_rows(m, d, row + 3, q1, q2, scale);
  }
  const Vec6<S> pos(a.point1 - a.point2, turn);
  if (!keep_rows(m, d, row, count, reached)) return;
  for (int k = 0; k < count; ++k) {
    set_row(d, row + k, ConstraintType::equality, e, S(pos[k]), S(0), S(0));
  }
}

// J(row, :) += factor · (gradient of the position of a joint or tendon)
template <class M, class D, class S>
CORTEN_FN void add_coordinate(const M& m, const D& d, int row, EqualityType type, int id,
                              const S& factor) {
  if (type == EqualityType::joint) {
    d.efc_J[row * m.n.nv + m.jnt_dofadr[id]] += factor;
    return;
  }
  for (int k = m.ten_J_rowadr[id]; k < m.ten_J_rowadr[id] + m.ten_J_rownnz[id]; ++k) {
    d.efc_J[row * m.n.nv + m.ten_J_colind[k]] += factor * d.ten_J[k];
  }
}

// how far a joint or tendon is from its reference
template <class M, class D>
CORTEN_FN auto coordinate(const M& m, const D& d, EqualityType type, int id) {
  using S = typename D::Scalar;
  if (type == EqualityType::tendon) return S(d.ten_length[id] - S(m.tendon_length0[id]));
  return S(d.qpos[m.jnt_qposadr[id]] - S(m.qpos0[m.jnt_qposadr[id]]));
}

// y = c0 + c1 x + … + c4 x⁴ for joint or tendon coordinates x and y, or y = c0
template <class M, class D>
CORTEN_FN void coupling_row(const M& m, const D& d, int e) {
  using S = typename D::Scalar;
  const auto type = static_cast<EqualityType>(m.eq_type[e]);
  const int first = m.eq_obj1id[e], second = m.eq_obj2id[e], row = reserve_rows(d, 1);
  if (row < 0) return;
  const Vec<S, 5> c = vec<S, 5>(m.eq_data.from(11 * e), 0);
  S pos = coordinate(m, d, type, first) - c[0];
  add_coordinate(m, d, row, type, first, S(1));
  if (second >= 0) {
    const S x = coordinate(m, d, type, second);
    pos -= x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
    const S slope = c[1] + x * (S(2) * c[2] + x * (S(3) * c[3] + x * S(4) * c[4]));
    add_coordinate(m, d, row, type, second, S(-slope));
  }
  if (!keep_rows(m, d, row, 1, true)) return;
  set_row(d, row, ConstraintType::equality, e, pos, S(0), S(0));
}

// the distance between the centres of two geoms
template <class M, class D>
CORTEN_FN void distance_row(const M& m, const D& d, int e) {
  using S = typename D::Scalar;
  const int first = m.eq_obj1id[e], second = m.eq_obj2id[e], row = reserve_rows(d, 1);
  if (row < 0) return;
  const Vec3<S> points[2] = {vec3<S>(d.geom_xpos, first), vec3<S>(d.geom_xpos, second)};
  Vec3<S> axis = points[0] - points[1];
  const S length = normalize(axis);
  for (int side = 0; side < 2; ++side) {
    const int body = m.geom_bodyid[side == 0 ? first : second];
    const S sign = side == 0 ? S(1) : S(-1);
    each_dof(m, d, body, points[side], [&](int i, const Vec3<S>& move, const Vec3<S>&) {
      d.efc_J[row * m.n.nv + i] += sign * axis.dot(move);
    });
  }
  if (!keep_rows(m, d, row, 1, false)) return;
  set_row(d, row, ConstraintType::equality, e, S(length - S(m.eq_data[11 * e])), S(0), S(0));
}

template <class M, class D>
CORTEN_FN void equality_rows(const M& m, const D& d) {
  for (int e = 0; e < m.n.neq; ++e) {
    if (!d.eq_active[e]) continue;
    const auto type = static_cast<EqualityType>(m.eq_type[e]);
    if (type == EqualityType::connect || type == EqualityType::weld) {
      spatial_rows(m, d, e);
    } else if (type == EqualityType::distance) {
      distance_row(m, d, e);
    } else {
      coupling_row(m, d, e);
    }
  }
}

// ---- what the Jacobians of connects and welds change while the bodies move ----------------------------

// (rotation, translation) of dJ/dt · v at a point of a body: its acceleration without qacc
template <class M, class D, class S>
CORTEN_FN Vec6<S> jacobian_rate(const M& m, const D& d, int body, const Vec3<S>& point) {
  Vec6<S> out = Vec6<S>::Zero();
  const Vec3<S> offset = point - vec3<S>(d.subtree_com, m.body_rootid[body]);
  const Vec3<S> velocity = point_velocity(m, d, body, point).template tail<3>();
  each_dof(m, d, body, point, [&](int i, const Vec3<S>&, const Vec3<S>& turn) {
    const Vec6<S> rate = axis_rate(m, d, i);
    const Vec3<S> spin = rate.template head<3>();
    const Vec3<S> move = rate.template tail<3>() + cross(spin, offset) + cross(turn, velocity);
    for (int k = 0; k < 3; ++k) {
      out[k] += spin[k] * d.qvel[i];
      out[3 + k] += move[k] * d.qvel[i];
    }
  });
  return out;
}

// d/dt of ½ q2* (0, w) q1 at constant qacc, where w = w1 - w2 and dw/dt = rate
template <class M, class D, class S>
CORTEN_FN Vec3<S> quaternion_rate(const M& m, const D& d, int e, const Anchors<S>& a,
                                  const Vec3<S>& rate) {
  Quat<S> q1, q2;
  equality_turns(m, d, e, a, q1, q2);
  const Vec3<S> w1 = vec6<S>(d.cvel, a.body1).template head<3>();
  const Vec3<S> w2 = vec6<S>(d.cvel, a.body2).template head<3>();
  const Quat<S> w = pure(w1 - w2), back = conjugate(q2);
  const Quat<S> rate1 = S(0.5) * multiply(pure(w1), q1);
  const Quat<S> rate_back = conjugate(S(0.5) * multiply(pure(w2), q2));
  const Quat<S> sum = multiply(multiply(rate_back, w), q1) +
                      multiply(multiply(back, pure(rate)), q1) + multiply(multiply(back, w), rate1);
  return S(0.5) * vector_part(sum);
}

// aref -= dJ/dt · v
template <class M, class D>
CORTEN_FN void equality_drift(const M& m, const D& d) {
  using S = typename D::Scalar;
  for (int row = 0; row < d.ne;) {
    const int e = d.efc_id[row];
    const auto type = static_cast<EqualityType>(m.eq_type[e]);
    const int count = corten::equality_rows(type);
    if (type == EqualityType::connect || type == EqualityType::weld) {
      const Anchors<S> a = equality_anchors(m, d, e);
      const Vec6<S> rate =
          jacobian_rate(m, d, a.body1, a.point1) - jacobian_rate(m, d, a.body2, a.point2);
      for (int k = 0; k < 3; ++k) d.efc_aref[row + k] -= rate[3 + k];
      if (type == EqualityType::weld) {
        const S scale = S(m.eq_data[11 * e + 10]);
        const Vec3<S> turn = quaternion_rate(m, d, e, a, rate.template head<3>());
        for (int k = 0; k < 3; ++k) d.efc_aref[row + 3 + k] -= scale * turn[k];
      }
    }
    row += count;
  }
}

}  // namespace corten::detail
