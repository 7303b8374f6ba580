// SPDX-License-Identifier: Apache-2.0
//
// A weld makes two bodies keep their relative pose. It has six rows: the vector between the
// anchors, then the vector part of the quaternion between the bodies, times the torque scale.
// eq_data holds the anchor in the second body, the anchor in the first, the relative orientation
// and the torque scale.
#pragma once

#include <corten/constraint/anchored.hpp>
#include <corten/core/kinds.hpp>
#include <corten/core/result.hpp>
#include <corten/math/quat.hpp>

#include <algorithm>

namespace corten {

namespace detail {

// (0, v) as a quaternion
template <class S>
CORTEN_FN Quat<S> pure(const Vec3<S>& v) {
  return Quat<S>(S(0), v[0], v[1], v[2]);
}

template <class S>
CORTEN_FN Vec3<S> vector_part(const Quat<S>& q) {
  return Vec3<S>(q[1], q[2], q[3]);
}

// the orientations that a weld makes equal: of the first body, with the relative pose applied, and
// of the second
template <class S>
struct Turns {
  Quat<S> first, second;
};

template <class M, class D, class S>
CORTEN_FN Turns<S> weld_turns(const M& m, const D& d, int e, const Anchors<S>& a) {
  const bool sites = m.eq_objtype[e] == static_cast<int>(ObjectType::site);
  Turns<S> out{multiply(quat<S>(d.xquat, a.body1), sites ? quat<S>(m.site_quat, m.eq_obj1id[e])
                                                         : quat<S>(m.eq_data.from(11 * e + 6), 0)),
               quat<S>(d.xquat, a.body2)};
  if (sites) out.second = multiply(out.second, quat<S>(m.site_quat, m.eq_obj2id[e]));
  return out;
}

// Converts a relative angular velocity w into the velocity of the quaternion between the bodies:
// the vector part of ½ q2* (0, w) q1, times the torque scale.
template <class S>
CORTEN_FN Vec3<S> quaternion_velocity(const Turns<S>& q, const S& scale, const Vec3<S>& w) {
  if (vanishes(w[0]) && vanishes(w[1]) && vanishes(w[2])) return w;
  const Quat<S> rate = multiply(multiply(conjugate(q.second), pure(w)), q.first);
  return Vec3<S>(S(0.5) * rate[1] * scale, S(0.5) * rate[2] * scale, S(0.5) * rate[3] * scale);
}

// d/dt of ½ q2* (0, w) q1 at constant qacc, where w = w1 - w2 and dw/dt = rate
template <class M, class D, class S>
CORTEN_FN Vec3<S> quaternion_rate(const M& m, const D& d, int e, const Anchors<S>& a,
                                  const Vec3<S>& rate) {
  const Turns<S> q = weld_turns(m, d, e, a);
  const Vec3<S> w1 = vec6<S>(d.cvel, a.body1).template head<3>();
  const Vec3<S> w2 = vec6<S>(d.cvel, a.body2).template head<3>();
  const Quat<S> w = pure(w1 - w2), back = conjugate(q.second);
  const Quat<S> rate1 = S(0.5) * multiply(pure(w1), q.first);
  const Quat<S> rate_back = conjugate(S(0.5) * multiply(pure(w2), q.second));
  const Quat<S> sum = multiply(multiply(rate_back, w), q.first) +
                      multiply(multiply(back, pure(rate)), q.first) +
                      multiply(multiply(back, w), rate1);
  return S(0.5) * vector_part(sum);
}

}  // namespace detail

namespace constraints {

struct Weld : Anchored<6, 1, 0> {
  static constexpr EqualityType type = EqualityType::weld;
  static constexpr bool plain = true;
  static constexpr const char* name = "weld";
  static constexpr unsigned attributes = takes_anchor | takes_pose;

  template <class M, class D>
  CORTEN_FN static void rows(const M& m, const D& d, int e) {
    using S = typename D::Scalar;
    const int row = reserve_rows(d, dim);
    if (row < 0) return;
    const detail::Anchors<S> a = anchors(m, d, e);
    const S scale = S(m.eq_data[11 * e + 10]);
    const detail::Turns<S> q = detail::weld_turns(m, d, e, a);
    const bool reached = detail::relative_jacobian<dim>(
        m, d, row, a, [&](const Vec3<S>& w) { return detail::quaternion_velocity(q, scale, w); });
    if (!keep_rows(m, d, row, dim, reached)) return;
    const Vec3<S> turn = scale * detail::vector_part(multiply(conjugate(q.second), q.first));
    const Vec6<S> apart(a.point1 - a.point2, turn);
    for (int k = 0; k < dim; ++k) set_row(d, row + k, ConstraintType::equality, e, S(apart[k]));
  }

  template <class M, class D>
  CORTEN_FN static void drift(const M& m, const D& d, int e, int row) {
    using S = typename D::Scalar;
    const detail::Anchors<S> a = anchors(m, d, e);
    const Vec6<S> rate = detail::relative_rate(m, d, a);
    const S scale = S(m.eq_data[11 * e + 10]);
    const Vec3<S> turn = detail::quaternion_rate(m, d, e, a, rate.template head<3>());
    for (int k = 0; k < 3; ++k) {
      d.efc_aref[row + k] -= rate[3 + k];
      d.efc_aref[row + 3 + k] -= scale * turn[k];
    }
  }

  template <class E>
  static Result<void> valid(const E& e) {
    return e.relpose && e.relpose->size() != 7 ? Error("relpose takes 7 numbers") : Result<void>();
  }
  // if relpose is not given, the relative pose at qpos0 is used (complete)
  template <class E>
  static void data(const E& e, double* out) {
    out[1] = e.site1 ? 1 : 0;  // as in MuJoCo
    if (e.anchor) std::copy(e.anchor->begin(), e.anchor->end(), out);
    if (e.relpose) std::copy(e.relpose->begin(), e.relpose->end(), out + 3);
    out[10] = e.torquescale.value_or(1);
  }
  template <class M, class D, class F>
  CORTEN_FN static void complete(const M& m, const D& d, int e, const F& data) {
    using S = typename D::Scalar;
    if (m.eq_objtype[e] != static_cast<int>(ObjectType::body)) return;
    const int first = m.eq_obj1id[e], second = m.eq_obj2id[e];
    Quat<S> turn = quat<S>(data.from(6), 0);
    if (value(S(turn.squaredNorm())) == 0) {
      detail::carry_anchor(d, data, second, 0, first, 3);
      turn = multiply(conjugate(quat<S>(d.xquat, first)), quat<S>(d.xquat, second));
    } else {
      renormalize(turn);
    }
    store(data.from(6), 0, turn);
  }
};

}  // namespace constraints

}  // namespace corten
