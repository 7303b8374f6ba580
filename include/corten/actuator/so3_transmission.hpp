// SPDX-License-Identifier: Apache-2.0
//
// The transmission of an orientation servo: three lengths, which make a rotation vector, and three
// rows of moment arms. The rotation is that of a ball joint, or of a site relative to another;
// torques and velocities are in the frame of the body or site that turns.
#pragma once

#include <corten/actuator/site.hpp>
#include <corten/tree/jacobian.hpp>

namespace corten {

namespace detail {

// writes the three rows of actuator a from address adr on; returns the number of entries
template <class M, class D>
CORTEN_ENTRY int so3_transmission(const M& m, const D& d, int a, int adr) {
  using S = typename D::Scalar;
  const int out = m.actuator_outadr[a], id = m.actuator_trnid[2 * a];
  const int reference = m.actuator_trnid[2 * a + 1], first = adr;
  Vec3<S> length;
  if (reference < 0) {
    Quat<S> q = vec<S, 4>(d.qpos.from(m.jnt_qposadr[id]), 0);
    renormalize(q);
    length = log_map(q);
  } else {
    length = relative_rotation<S>(m, d, id, reference);
  }
  for (int k = 0; k < 3; ++k) {
    d.actuator_length[out + k] = length[k];
    d.moment_rowadr[out + k] = adr;
    if (reference < 0) {
      d.actuator_moment[adr] = S(1);
      d.moment_colind[adr++] = m.jnt_dofadr[id] + k;
    } else {
      const Vec3<S> axis = mat3<S>(d.site_xmat, id).col(k);
      each_relative_dof(m, m.site_bodyid[reference], m.site_bodyid[id], [&](int i, bool own) {
        const Vec6<S> motion = vec6<S>(d.cdof, i);
        d.actuator_moment[adr] = S(own ? 1 : -1) * S(axis.dot(motion.template head<3>()));
        d.moment_colind[adr++] = i;
      });
    }
    d.moment_rownnz[out + k] = adr - d.moment_rowadr[out + k];
  }
  return adr - first;
}

}  // namespace detail

}  // namespace corten
