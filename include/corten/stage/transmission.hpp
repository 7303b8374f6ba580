// SPDX-License-Identifier: Apache-2.0
//
// Actuator lengths and moment arms. Writes actuator_length actuator_moment and moment_rownnz
// moment_rowadr moment_colind.
#pragma once

#include <corten/actuator/adhesion.hpp>
#include <corten/actuator/site.hpp>
#include <corten/actuator/slider_crank.hpp>
#include <corten/actuator/so3_transmission.hpp>
#include <corten/core/enums.hpp>
#include <corten/core/plain.hpp>
#include <corten/fwd.hpp>
#include <corten/tree/awake.hpp>
#include <corten/tree/jacobian.hpp>

namespace corten {

template <class M, class D>
CORTEN_ENTRY void transmission(const M& m, const D& d) {
  using S = typename D::Scalar;
  const auto& plain = without_policies(m);  // only joints ask for policies
  int adr = 0;
  const bool some = some_asleep(m, d);
  for (int a = 0; a < m.n.nactuator; ++a) {
    if (some && actuator_asleep(m, d, a)) {
      for (int o = m.actuator_outadr[a]; o < m.actuator_outadr[a] + m.actuator_outnum[a]; ++o) {
        d.moment_rowadr[o] = adr;
        d.moment_rownnz[o] = 0;
      }
      continue;
    }
    const int out = m.actuator_outadr[a], id = m.actuator_trnid[2 * a];
    const Vec6<S> gear = vec6<S>(m.actuator_gear, out);
    const auto kind = static_cast<TransmissionType>(m.actuator_trntype[a]);
    int nnz = 0;
    S length = S(0);
    if (kind == TransmissionType::so3) {
      adr += detail::so3_transmission(plain, d, a, adr);
      continue;
    }

    if (kind == TransmissionType::joint || kind == TransmissionType::jointinparent) {
      const bool in_parent = kind == TransmissionType::jointinparent;
      M::Policies::Joints::visit(m.jnt_type[id], [&](auto joint) {
        Vec<S, decltype(joint)::nv> moment;
        length = joint.transmission(m, d, id, gear, in_parent, moment);
        for (; nnz < joint.nv; ++nnz) {
          d.actuator_moment[adr + nnz] = moment[nnz];
          d.moment_colind[adr + nnz] = m.jnt_dofadr[id] + nnz;
        }
      });
    } else if (kind == TransmissionType::tendon) {
      length = gear[0] * d.ten_length[id];
      for (; nnz < m.ten_J_rownnz[id]; ++nnz) {
        const int k = m.ten_J_rowadr[id] + nnz;
        d.actuator_moment[adr + nnz] = gear[0] * d.ten_J[k];
        d.moment_colind[adr + nnz] = m.ten_J_colind[k];
      }
    } else if (kind == TransmissionType::slidercrank) {
      // by actuator; MuJoCo counts outputs here, and reads another rod behind an orientation servo
      const S rod = S(m.actuator_cranklength[a]);
      nnz = detail::slider_crank(plain, d, id, m.actuator_trnid[2 * a + 1], rod, gear[0], adr,
                                 length);
    } else if (kind == TransmissionType::site && m.actuator_trnid[2 * a + 1] >= 0) {
      nnz = detail::site_transmission(plain, d, id, m.actuator_trnid[2 * a + 1], gear, adr, length);
    } else if (kind == TransmissionType::site) {
      nnz = detail::site_transmission(plain, d, id, gear, adr);
    } else if (kind == TransmissionType::body) {
      nnz = detail::clear_adhesion(m, d, adr);
      // in lanes each world has its own contacts
      if constexpr (!is_lanes<S>) detail::adhesion_moment(plain, d, id, adr);
    }

    d.actuator_length[out] = length;
    d.moment_rowadr[out] = adr;
    d.moment_rownnz[out] = nnz;
    adr += nnz;
  }
}
CORTEN_SHARED(transmission, lists::joints)

// one world in lanes: the moments of actuators that act through its own contacts
template <class M, class S>
CORTEN_FN void transmission(const M& m, const Lane<S>& lane) {
  const auto& block = lane.block;
  const auto& world = lane.world;
  for (int a = 0; a < m.n.nactuator; ++a) {
    if (static_cast<TransmissionType>(m.actuator_trntype[a]) != TransmissionType::body) continue;
    lane.take(block.subtree_com, world.subtree_com, 3 * m.n.nbody);
    lane.take(block.cdof, world.cdof, 6 * m.n.nv);
    const int adr = block.moment_rowadr[m.actuator_outadr[a]];
    detail::clear_adhesion(m, world, adr);
    detail::adhesion_moment(without_policies(m), world, m.actuator_trnid[2 * a], adr);
    lane.give(world.actuator_moment.from(adr), block.actuator_moment.from(adr), m.n.nv);
  }
}

}  // namespace corten
