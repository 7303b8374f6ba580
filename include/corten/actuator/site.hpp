// SPDX-License-Identifier: Apache-2.0
//
// Transmission to a site: a wrench in its frame or, with a reference site, the pose of the site in
// the frame of the reference, along the gear. Each function writes a row of moments from `adr` on
// and returns its number of entries.
#pragma once

#include <corten/math/quat.hpp>
#include <corten/tree/jacobian.hpp>

namespace corten {

namespace detail {

// the columns are the dofs of the site's body
template <class M, class D, class S>
CORTEN_ENTRY int site_transmission(const M& m, const D& d, int site, const Vec6<S>& gear, int adr) {
  const Mat3<S> frame = mat3<S>(d.site_xmat, site);
  const Vec3<S> force = frame * gear.template head<3>(), torque = frame * gear.template tail<3>();
  int nnz = 0;
  const auto column = [&](int i, const Vec3<S>& translation, const Vec3<S>& rotation) {
    d.actuator_moment[adr + nnz] = translation.dot(force) + rotation.dot(torque);
    d.moment_colind[adr + nnz] = i;
    ++nnz;
  };
  each_dof(m, d, m.site_bodyid[site], vec3<S>(d.site_xpos, site), column);
  return nnz;
}

// The rotation vector of a site in the frame of another. MuJoCo multiplies the quaternions of a
// site and its body in this order, not body first; that matters for sites that are turned in their
// bodies.
template <class S, class M, class D>
CORTEN_FN Vec3<S> relative_rotation(const M& m, const D& d, int site, int reference) {
  const auto orientation = [&](int i) {
    return multiply(quat<S>(m.site_quat, i), quat<S>(d.xquat, m.site_bodyid[i]));
  };
  return difference(orientation(site), orientation(reference));
}

// the columns are the dofs that move one site relative to the other
template <class M, class D, class S>
CORTEN_ENTRY int site_transmission(const M& m, const D& d, int site, int reference,
                                   const Vec6<S>& gear, int adr, S& length) {
  const Vec3<S> along = gear.template head<3>(), about = gear.template tail<3>();
  const int body1 = m.site_bodyid[reference], body2 = m.site_bodyid[site];
  const Mat3<S> frame = mat3<S>(d.site_xmat, reference);
  const Vec3<S> pos1 = vec3<S>(d.site_xpos, reference), pos2 = vec3<S>(d.site_xpos, site);
  length = (frame.transpose() * (pos2 - pos1)).dot(along);
  if (!(vanishes(about[0]) && vanishes(about[1]) && vanishes(about[2]))) {
    length += relative_rotation<S>(m, d, site, reference).dot(about);
  }

  const Vec3<S> force = frame * along, torque = frame * about;
  int nnz = 0;
  const auto column = [&](int i, bool second, const Vec3<S>& translation, const Vec3<S>& rotation) {
    const S moment = translation.dot(force) + rotation.dot(torque);
    d.actuator_moment[adr + nnz] = second ? moment : S(-moment);
    d.moment_colind[adr + nnz] = i;
    ++nnz;
  };
  each_relative_motion(m, d, d.cdof, body1, body2, pos1, pos2, column);
  return nnz;
}

}  // namespace detail

}  // namespace corten
