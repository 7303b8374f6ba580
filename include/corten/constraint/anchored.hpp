// SPDX-License-Identifier: Apache-2.0
//
// Shared by connect and weld: a point of one body is held at a point of another.
#pragma once

#include <corten/constraint/element.hpp>

namespace corten {

namespace detail {

// the points of two bodies that are held together
template <class S>
struct Anchors {
  int body1, body2;
  Vec3<S> point1, point2;
};

// `first` and `second` are the positions of the two bodies' anchors in eq_data, in units of three
// numbers.
template <class M, class D>
CORTEN_FN auto anchors_of(const M& m, const D& d, int e, int first, int second) {
  using S = typename D::Scalar;
  const int id1 = m.eq_obj1id[e], id2 = m.eq_obj2id[e];
  if (m.eq_objtype[e] == static_cast<int>(ObjectType::site)) {
    return Anchors<S>{m.site_bodyid[id1], m.site_bodyid[id2], vec3<S>(d.site_xpos, id1),
                      vec3<S>(d.site_xpos, id2)};
  }
  const auto point = [&](int body, int which) {
    const Vec3<S> local = vec3<S>(m.eq_data.from(11 * e), which);
    return vec3<S>(d.xpos, body) + mat3<S>(d.xmat, body) * local;
  };
  return Anchors<S>{id1, id2, point(id1, first), point(id2, second)};
}

// Writes J = jac(body1, point1) - jac(body2, point2): three rows of translation and, if there are
// six, three of what `turned` makes of the relative rotation. Returns whether any dof moves one of
// the bodies.
template <int Rows, class M, class D, class S, class F>
CORTEN_FN bool relative_jacobian(const M& m, const D& d, int row, const Anchors<S>& a, F&& turned) {
  RowBlock block;
  const bool fits = fix_columns(d, row, -1, block, [&](auto&& f) {
    each_joint_dof(m, a.body1, a.body2, [&](int i, bool, bool) { f(i); });
  });
  if (!fits) return true;
  const Vec3<S> offset1 = a.point1 - vec3<S>(d.subtree_com, m.body_rootid[a.body1]);
  const Vec3<S> offset2 = a.point2 - vec3<S>(d.subtree_com, m.body_rootid[a.body2]);
  int column = 0;
  each_joint_dof(m, a.body1, a.body2, [&](int i, bool first, bool second) {
    const Vec6<S> axis = vec6<S>(d.cdof, i);
    const Vec3<S> turn = axis.template head<3>(), shift = axis.template tail<3>();
    Vec3<S> move = Vec3<S>::Zero();
    if (first) move = shift + cross(turn, offset1);
    if (second) move -= shift + cross(turn, offset2);
    const auto to = d.efc_J.from(block.at(column++, i));
    for (int k = 0; k < 3; ++k) to[k * block.stride] = move[k];
    if constexpr (Rows > 3) {
      const bool both = first && second;
      const Vec3<S> w = both ? Vec3<S>(Vec3<S>::Zero()) : Vec3<S>((first ? S(1) : S(-1)) * turn);
      const Vec3<S> out = both ? w : Vec3<S>(turned(w));
      for (int k = 0; k < 3; ++k) to[(3 + k) * block.stride] = out[k];
    }
  });
  return column > 0;
}

// (rotation, translation) of dJ/dt · v at a point of a body: the part of its acceleration that does
// not come from qacc
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

template <class M, class D, class S>
CORTEN_FN Vec6<S> relative_rate(const M& m, const D& d, const Anchors<S>& a) {
  return jacobian_rate(m, d, a.body1, a.point1) - jacobian_rate(m, d, a.body2, a.point2);
}

// Reads a point in the frame of `body` from data[from …] and writes the same point, in the frame of
// `other`, to data[to …].
template <class D, class F>
CORTEN_FN void carry_anchor(const D& d, const F& data, int body, int from, int other, int to) {
  using S = typename D::Scalar;
  const Vec3<S> local = vec3<S>(data.from(from), 0);
  const Vec3<S> point = vec3<S>(d.xpos, body) + mat3<S>(d.xmat, body) * local;
  const Vec3<S> arm = point - vec3<S>(d.xpos, other);
  store(data.from(to), 0, mat3<S>(d.xmat, other).transpose() * arm);
}

}  // namespace detail

namespace constraints {

// An element of Dim rows, of which the first three are translations and the others, if any,
// rotations. First and Second are the positions of the two bodies' anchors in eq_data.
template <int Dim, int First, int Second>
struct Anchored : BodyElement {
  static constexpr int dim = Dim;
  static constexpr ObjectType object = ObjectType::body;

  template <class M, class D>
  CORTEN_FN static auto anchors(const M& m, const D& d, int e) {
    return detail::anchors_of(m, d, e, First, Second);
  }

  // As in MuJoCo, the last three rows of a weld count as a torque, although they are those of a
  // quaternion.
  template <class M, class D, class F>
  CORTEN_FN static void reaction(const M& m, const D& d, int e, int row, F&& f) {
    using S = typename D::Scalar;
    const detail::Anchors<S> a = anchors(m, d, e);
    const Vec3<S> force = vec3<S>(d.efc_force.from(row), 0);
    Vec3<S> torque = Vec3<S>::Zero();
    if constexpr (Dim > 3) torque = vec3<S>(d.efc_force.from(row), 1);
    f(a.body1, a.point1, force, torque, S(1));
    f(a.body2, a.point2, force, torque, S(-1));
  }
};

}  // namespace constraints

}  // namespace corten
