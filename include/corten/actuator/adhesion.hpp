// SPDX-License-Identifier: Apache-2.0
//
// Transmission to a body: the actuator pulls the body onto what it touches, along the mean of its
// contact normals. Contacts within the gap, which push nothing, count as well: through them
// adhesion acts at a distance.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/tree/jacobian.hpp>

namespace corten {

namespace detail {

// The row has a column for every dof, so that its pattern does not depend on the contacts.
template <class M, class D>
CORTEN_FN int clear_adhesion(const M& m, const D& d, int adr) {
  using S = typename D::Scalar;
  for (int i = 0; i < m.n.nv; ++i) {
    d.actuator_moment[adr + i] = S(0);
    d.moment_colind[adr + i] = i;
  }
  return m.n.nv;
}

// does contact c count for the adhesion of a body?
template <class M, class D>
CORTEN_FN bool touches(const M& m, const D& d, int body, int c) {
  const int g1 = d.contact_geom[2 * c], g2 = d.contact_geom[2 * c + 1];
  if (g1 < 0 || g2 < 0) return false;  // as in MuJoCo, not to flexes
  return (m.geom_bodyid[g1] == body || m.geom_bodyid[g2] == body) && d.contact_exclude[c] <= 1;
}

template <class M, class D>
CORTEN_FN void add_normal(const M& m, const D& d, int contact, int adr) {
  using S = typename D::Scalar;
  const int body1 = m.geom_bodyid[d.contact_geom[2 * contact]];
  const int body2 = m.geom_bodyid[d.contact_geom[2 * contact + 1]];
  const Vec3<S> point = vec3<S>(d.contact_pos, contact);
  const Vec3<S> normal = vec3<S>(d.contact_frame, 3 * contact);
  const auto column = [&](int i, bool second, const Vec3<S>& translation, const Vec3<S>&) {
    const S moved = normal.dot(translation);
    d.actuator_moment[adr + i] += second ? moved : S(-moved);
  };
  each_relative_motion(m, d, d.cdof, body1, body2, point, point, column);
}

// Minus the mean over the contacts of the body. Contacts outside the gap that got no rows count in
// the mean but do not pull.
template <class M, class D>
CORTEN_ENTRY void adhesion_moment(const M& m, const D& d, int body, int adr) {
  using S = typename D::Scalar;
  int count = 0;
  for (int c = 0; c < d.ncon; ++c) {
    if (!touches(m, d, body, c)) continue;
    ++count;
    if (d.contact_exclude[c] == 1 || d.contact_efc_address[c] >= 0) add_normal(m, d, c, adr);
  }
  if (count == 0) return;
  const S share = S(-1) / S(count);
  for (int i = 0; i < m.n.nv; ++i) d.actuator_moment[adr + i] *= share;
}

}  // namespace detail

}  // namespace corten
