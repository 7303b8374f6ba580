// SPDX-License-Identifier: Apache-2.0
//
// Slider-crank: a slider moves along the z axis of its site and is joined by a rod to the crank,
// another site. The length is the slider's position. MuJoCo documentation, Computation,
// "Slider-crank".
#pragma once

#include <corten/math/vector.hpp>
#include <corten/tree/jacobian.hpp>

namespace corten {

namespace detail {

// Writes a row of moments from `adr` on, one for each dof that moves one site relative to the
// other, and returns their number. If the rod is too short to reach the axis, the slider stays
// where it is nearest to the crank.
template <class M, class D, class S>
CORTEN_ENTRY int slider_crank(const M& m, const D& d, int crank, int slider, const S& rod,
                              const S& gear, int adr, S& length) {
  const int body1 = m.site_bodyid[slider], body2 = m.site_bodyid[crank];
  const Vec3<S> pos1 = vec3<S>(d.site_xpos, slider), pos2 = vec3<S>(d.site_xpos, crank);
  const Mat3<S> frame = mat3<S>(d.site_xmat, slider);
  const Vec3<S> axis(frame(0, 2), frame(1, 2), frame(2, 2)), arm = pos2 - pos1;

  // the slider is at a'v - sqrt((a'v)² + r² - v'v)
  const S along = arm.dot(axis), square = along * along + rod * rod - arm.dot(arm);
  const auto reaches = square > S(0);
  const S root = safe_sqrt(square),
          inverse = select(reaches, S(1), S(0)) / select(reaches, root, S(1));
  length = gear * (along - root);

  // derivatives of the length with respect to axis and arm
  const S share = S(1) - along * inverse;
  const Vec3<S> by_axis = arm * share, by_arm = axis * share + arm * inverse;
  int nnz = 0;
  const auto column = [&](int i, bool second, const Vec3<S>& translation, const Vec3<S>& rotation) {
    S moment = translation.dot(by_arm);
    if (!second) moment = cross(rotation, axis).dot(by_axis) - moment;
    d.actuator_moment[adr + nnz] = gear * moment;
    d.moment_colind[adr + nnz] = i;
    ++nnz;
  };
  each_relative_motion(m, d, d.cdof, body1, body2, pos1, pos2, column);
  return nnz;
}

}  // namespace detail

}  // namespace corten
