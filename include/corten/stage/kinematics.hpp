// SPDX-License-Identifier: Apache-2.0
//
// Forward kinematics: from qpos to the Cartesian frames of bodies, inertias, geoms and sites.
// Writes xpos xquat xmat xipos ximat xanchor xaxis geom_x* site_x*.
#pragma once

#include <corten/core/plain.hpp>
#include <corten/joint/common.hpp>
#include <corten/tree/awake.hpp>
#include <corten/tree/frame.hpp>

namespace corten {

namespace detail {

// Writes the world pose of a body-fixed frame, item i of `pos` and `quats`. `same` (SameFrame)
// names the frame it coincides with, if any, which saves the products.
template <class M, class D, class F, class P, class R>
CORTEN_FN void local_to_world(const M&, const D& d, int body, int same, F pos, F quats, P out_pos,
                              R out_mat, int i) {
  using S = typename D::Scalar;
  // derivatives may move frames that coincide apart
  const auto kind = is_dual<typename M::Scalar> ? SameFrame::none : static_cast<SameFrame>(same);

  if (kind == SameFrame::body) {
    store(out_pos, i, vec3<S>(d.xpos, body));
  } else if (kind == SameFrame::inertia) {
    store(out_pos, i, vec3<S>(d.xipos, body));
  } else {
    store(out_pos, i, vec3<S>(d.xpos, body) + mat3<S>(d.xmat, body) * vec3<S>(pos, i));
  }

  if (kind == SameFrame::body || kind == SameFrame::bodyrot) {
    store(out_mat, i, mat3<S>(d.xmat, body));
  } else if (kind == SameFrame::inertia || kind == SameFrame::inertiarot) {
    store(out_mat, i, mat3<S>(d.ximat, body));
  } else {
    store(out_mat, i,
          to_matrix(multiply(corten::quat<S>(d.xquat, body), corten::quat<S>(quats, i))));
  }
}

}  // namespace detail

// the bodies of a run and their geoms: parents come before children
template <class M, class D>
CORTEN_ENTRY void kinematics(const M& m, const D& d, const Run& r) {
  using S = typename D::Scalar;
  for (int b = r.body; b < r.body_end; ++b) {
    Frame<S> frame = detail::body_frame(m, d, b);
    const int first = m.body_jntadr[b];
    for (int j = first; j < first + m.body_jntnum[b]; ++j) {
      M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) { kind.transform(m, d, j, frame); });
    }
    renormalize(frame.quat);
    store(d.xpos, b, frame.pos);
    store(d.xquat, b, frame.quat);
    store(d.xmat, b, to_matrix(frame.quat));
    detail::local_to_world(m, d, b, m.body_sameframe[b], m.body_ipos, m.body_iquat, d.xipos,
                           d.ximat, b);
  }
  for (int g = r.geom; g < r.geom_end; ++g) {
    detail::local_to_world(m, d, m.geom_bodyid[g], m.geom_sameframe[g], m.geom_pos, m.geom_quat,
                           d.geom_xpos, d.geom_xmat, g);
  }
}

// what comes before the bodies: the world
template <class M, class D>
CORTEN_FN void begin_kinematics(const M&, const D& d) {
  using S = typename D::Scalar;
  store(d.xpos, 0, Vec3<S>::Zero());
  store(d.xquat, 0, unit_quat<S>());
  store(d.xmat, 0, Mat3<S>::Identity());
  store(d.xipos, 0, Vec3<S>::Zero());
  store(d.ximat, 0, Mat3<S>::Identity());
}

// and after them: the sites
template <class M, class D>
CORTEN_FN void end_kinematics(const M& m, const D& d) {
  const bool some = some_asleep(m, d);
  for (int s = 0; s < m.n.nsite; ++s) {
    if (some && is_asleep(d, m.site_bodyid[s])) continue;
    detail::local_to_world(m, d, m.site_bodyid[s], m.site_sameframe[s], m.site_pos, m.site_quat,
                           d.site_xpos, d.site_xmat, s);
  }
}

template <class M, class D>
CORTEN_ENTRY void kinematics(const M& m, const D& d) {
  begin_kinematics(m, d);
  each_run(m, d, [&](const Run& r) { kinematics(m, d, r); });
  end_kinematics(m, d);
}
CORTEN_SHARED(kinematics, lists::joints)
CORTEN_SHARED_RUN(kinematics)

}  // namespace corten
