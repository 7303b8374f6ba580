// SPDX-License-Identifier: Apache-2.0
//
// Coriolis, centrifugal and gravitational forces by recursive Newton-Euler in the c-frame
// (Featherstone 2008, section 5.3). Writes qfrc_bias. Its scratch is work_body; it leaves cacc and
// cfrc_int alone.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/plain.hpp>
#include <corten/math/field.hpp>
#include <corten/math/spatial.hpp>
#include <corten/tendon/armature.hpp>
#include <corten/tree/awake.hpp>

namespace corten {

// whole trees; the forces of tendons come after all bodies
template <class M, class D>
CORTEN_ENTRY void bias(const M& m, const D& d, const Run& r) {
  using S = typename D::Scalar;

  // accelerations at zero qacc, from the root outwards; the world accelerates against gravity, and
  // with it all static bodies
  Vec6<S> world = Vec6<S>::Zero();
  if (!m.opt.disabled(disable_gravity)) {
    for (int k = 0; k < 3; ++k) world[3 + k] = S(-m.opt.gravity[k]);
  }
  // the numbers of a block are all that work_body holds, so they stay in the cache
  each_block(m, r, [&](int from, int end) {
    for (int b = from; b < end; ++b) {
      Vec6<S> own = Vec6<S>::Zero();
      const int first = m.body_dofadr[b], parent = m.body_parentid[b];
      for (int i = first; i < first + m.body_dofnum[b]; ++i) {
        own += vec6<S>(d.cdof_dot, i) * d.qvel[i];
      }
      const Vec6<S> base = parent < from ? world : vec6<S>(d.work_body, parent - from);
      store(d.work_body, b - from, base + own);
    }

    // body forces I a + v × I v, which overwrite the accelerations
    CORTEN_ONE_BY_ONE
    for (int b = from; b < end; ++b) {
      const Inertia<S> inert = vec<S, 10>(d.cinert, b);
      const Vec6<S> v = vec6<S>(d.cvel, b);
      store(d.work_body, b - from,
            multiply(inert, vec6<S>(d.work_body, b - from)) + cross_force(v, multiply(inert, v)));
    }

    // sum towards the root, and project onto the motion axes
    for (int b = end - 1; b >= from; --b) {
      const Vec6<S> force = vec6<S>(d.work_body, b - from);
      const int first = m.body_dofadr[b], parent = m.body_parentid[b];
      for (int i = first; i < first + m.body_dofnum[b]; ++i) {
        d.qfrc_bias[i] = vec6<S>(d.cdof, i).dot(force);
      }
      if (parent >= from)
        store(d.work_body, parent - from, vec6<S>(d.work_body, parent - from) + force);
    }
  });
}

template <class M, class D>
CORTEN_ENTRY void bias(const M& m, const D& d) {
  each_run(m, d, [&](const Run& r) { bias(m, d, r); });
  tendon_bias(m, d);
}
CORTEN_PLAIN(bias)
CORTEN_PLAIN_RUN(bias)

}  // namespace corten
