// SPDX-License-Identifier: Apache-2.0
//
// Spatial algebra in MuJoCo's c-frame: motions and forces are (rotation, translation) about a
// common point, the centre of mass of the kinematic tree, in world orientation. See Featherstone,
// Rigid Body Dynamics Algorithms (2008), chapter 2; the packed inertia is described in
// math/types.hpp.
#pragma once

#include <corten/math/vector.hpp>

namespace corten {

// Inertia of a body with principal moments `diag` in a frame of orientation `rot`, whose centre is
// at `offset` from the common point: R diag Rᵀ + m (|c|² 1 - c cᵀ), packed. Sums run from the left
// and match MuJoCo's to the last bit.
template <class S>
CORTEN_FN Inertia<S> inertia_about(const Vec3<S>& diag, const Mat3<S>& rot, const Vec3<S>& offset,
                                   const S& mass) {
  // R diag
  const Mat3<S> t = scale_columns(rot, diag);
  const auto product = [&](int i, int j) {
    return S(rot(i, 0) * t(j, 0) + rot(i, 1) * t(j, 1) + rot(i, 2) * t(j, 2));
  };
  const Vec3<S> mc = mass * offset;
  const S xx = offset[0] * offset[0], yy = offset[1] * offset[1], zz = offset[2] * offset[2];
  Inertia<S> out;
  out[0] = product(0, 0) + mass * (yy + zz);
  out[1] = product(1, 1) + mass * (xx + zz);
  out[2] = product(2, 2) + mass * (xx + yy);
  out[3] = product(0, 1) - mc[0] * offset[1];
  out[4] = product(0, 2) - mc[0] * offset[2];
  out[5] = product(1, 2) - mc[1] * offset[2];
  out[6] = mc[0];
  out[7] = mc[1];
  out[8] = mc[2];
  out[9] = mass;
  return out;
}

// inertia times motion: the spatial momentum
template <class S>
CORTEN_FN Vec6<S> multiply(const Inertia<S>& i, const Vec6<S>& v) {
  Vec6<S> out;
  out[0] = i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5];
  out[1] = i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5];
  out[2] = i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4];
  out[3] = i[8] * v[1] - i[7] * v[2] + i[9] * v[3];
  out[4] = i[6] * v[2] - i[8] * v[0] + i[9] * v[4];
  out[5] = i[7] * v[0] - i[6] * v[1] + i[9] * v[5];
  return out;
}

// motion × motion. Here and below sums are grouped as in MuJoCo: in fast rotations the difference
// shows.
template <class S>
CORTEN_FN Vec6<S> cross_motion(const Vec6<S>& v, const Vec6<S>& s) {
  Vec6<S> out;
  out[0] = -v[2] * s[1] + v[1] * s[2];
  out[1] = v[2] * s[0] - v[0] * s[2];
  out[2] = -v[1] * s[0] + v[0] * s[1];
  out[3] = (-v[2] * s[4] + v[1] * s[5]) + (-v[5] * s[1] + v[4] * s[2]);
  out[4] = (v[2] * s[3] - v[0] * s[5]) + (v[5] * s[0] - v[3] * s[2]);
  out[5] = (-v[1] * s[3] + v[0] * s[4]) + (-v[4] * s[0] + v[3] * s[1]);
  return out;
}

// motion × force
template <class S>
CORTEN_FN Vec6<S> cross_force(const Vec6<S>& v, const Vec6<S>& f) {
  Vec6<S> out;
  out[0] = (-v[2] * f[1] + v[1] * f[2]) + (-v[5] * f[4] + v[4] * f[5]);
  out[1] = (v[2] * f[0] - v[0] * f[2]) + (v[5] * f[3] - v[3] * f[5]);
  out[2] = (-v[1] * f[0] + v[0] * f[1]) + (-v[4] * f[3] + v[3] * f[4]);
  out[3] = -v[2] * f[4] + v[1] * f[5];
  out[4] = v[2] * f[3] - v[0] * f[5];
  out[5] = -v[1] * f[3] + v[0] * f[4];
  return out;
}

// motion of a rotation about `axis` through a point; `offset` leads from that point to the common
// point
template <class S>
CORTEN_FN Vec6<S> rotation_motion(const Vec3<S>& axis, const Vec3<S>& offset) {
  return Vec6<S>(axis, cross(axis, offset));
}

// motion of a translation along `axis`
template <class S>
CORTEN_FN Vec6<S> translation_motion(const Vec3<S>& axis) {
  return Vec6<S>(Vec3<S>::Zero(), axis);
}

}  // namespace corten
