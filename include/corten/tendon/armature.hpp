// SPDX-License-Identifier: Apache-2.0
//
// Bias forces of the armature of spatial tendons. The Jacobian of a tendon changes as the bodies
// move, so its inertia resists even without acceleration. Adds armature · J' (dJ/dt · qvel) to
// qfrc_bias. MuJoCo documentation, XML reference, tendon/spatial/armature.
#pragma once

#include <corten/tendon/path.hpp>
#include <corten/tree/contribution.hpp>

namespace corten {

namespace detail {

// The acceleration of a point of body2 relative to one of body1 that velocities alone cause. Dofs
// that move both bodies turn the line between the points but do not stretch it, so they are left
// out.
template <class M, class D, class S>
CORTEN_FN Vec3<S> relative_drift(const M& m, const D& d, int body1, int body2,
                                 const Vec3<S>& point1, const Vec3<S>& point2) {
  Vec3<S> out = Vec3<S>::Zero();
  const auto column = [&](int i, bool second, const Vec3<S>& rate, const Vec3<S>&) {
    out += rate * (second ? S(d.qvel[i]) : S(-d.qvel[i]));
  };
  each_relative_motion(m, d, d.cdof_dot, body1, body2, point1, point2, column);
  return out;
}

// dJ/dt · qvel of one span between two sites
template <class M, class D>
CORTEN_FN auto span_drift(const M& m, const D& d, const TendonSpan& span) {
  using S = typename D::Scalar;
  const int site1 = m.wrap_objid[span.first], site2 = m.wrap_objid[span.last];
  const int body1 = m.site_bodyid[site1], body2 = m.site_bodyid[site2];
  if (body1 == body2) return S(0);
  const Vec3<S> from = vec3<S>(d.site_xpos, site1), to = vec3<S>(d.site_xpos, site2);
  Vec3<S> along = to - from;
  const S length = normalize(along);
  const auto usable = length > S(min_value);
  const S inverse = select(usable, S(1), S(0)) / select(usable, length, S(1));

  const Vec6<S> v1 = point_velocity(m, d, body1, from), v2 = point_velocity(m, d, body2, to);
  const Vec3<S> w1 = v1.template head<3>(), w2 = v2.template head<3>();
  const Vec3<S> u1 = v1.template tail<3>(), u2 = v2.template tail<3>(), parting = u2 - u1;
  const Vec3<S> acceleration =
      relative_drift(m, d, body1, body2, from, to) + cross(w2, u2) - cross(w1, u1);
  const S stretching = along.dot(parting);
  const S turning = (S(parting.squaredNorm()) - stretching * stretching) * inverse;
  const S divisor = span.pulley < 0 ? S(1) : S(m.wrap_prm[span.pulley]);
  return S((along.dot(acceleration) + turning) / divisor);
}

}  // namespace detail

template <class M, class D>
CORTEN_FN void tendon_bias(const M& m, const D& d) {
  using S = typename D::Scalar;
  for (int t = 0; t < m.n.ntendon; ++t) {
    const S armature = S(m.tendon_armature[t]) + tendon_armature<S>(m, t);
    if (vanishes(armature) || !is_spatial(m, t)) continue;
    S drift = S(0);
    each_span(m, t, [&](const TendonSpan& span) { drift += detail::span_drift(m, d, span); });
    const S force = armature * drift;
    const int row = m.ten_J_rowadr[t];
    for (int k = row; k < row + m.ten_J_rownnz[t]; ++k) {
      d.qfrc_bias[m.ten_J_colind[k]] += force * d.ten_J[k];
    }
  }
}

}  // namespace corten
