// SPDX-License-Identifier: Apache-2.0
//
// Where a body is before its joints move it.
#pragma once

#include <corten/joint/common.hpp>

namespace corten {

namespace detail {

// Pose of a body before its joints are applied: fixed in the parent, or set by the user for mocap
template <class M, class D>
CORTEN_FN auto body_frame(const M& m, const D& d, int body) {
  using S = typename D::Scalar;
  const int mocap = m.body_mocapid[body];
  Frame<S> local{vec3<S>(m.body_pos, body), quat<S>(m.body_quat, body)};
  if (mocap >= 0) {
    local = {vec3<S>(d.mocap_pos, mocap), quat<S>(d.mocap_quat, mocap)};
    renormalize(local.quat);
  }
  const int parent = m.body_parentid[body];
  if (parent == 0) return local;
  return Frame<S>{vec3<S>(d.xpos, parent) + mat3<S>(d.xmat, parent) * local.pos,
                  multiply(quat<S>(d.xquat, parent), local.quat)};
}

}  // namespace detail

}  // namespace corten
