// SPDX-License-Identifier: Apache-2.0
//
// Quaternions as four numbers w x y z. Rotations act from the left: rotate(q, v) = q v q*.
#pragma once

#include <corten/math/vector.hpp>

namespace corten {

template <class S>
CORTEN_FN Quat<S> unit_quat() {
  return Quat<S>(S(1), S(0), S(0), S(0));
}

// Restores a unit quaternion that rounding has changed, and carries the derivative of the scaling.
// A value within 1e-15 of unit length is left alone, as in MuJoCo, so that geometry which just
// touches does not move by a last bit. A zero quaternion becomes the identity.
template <class S>
CORTEN_FN void renormalize(Quat<S>& q) {
  if constexpr (!is_dual<S>) {
    // the usual case needs no square root: |q|² - 1 is about 2 (|q| - 1)
    const S length2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (all(abs(S(length2 - S(1))) < S(1.5 * min_value))) return;
  }
  const S length = norm(q);
  const auto usable = length > S(min_value), unit = abs(S(length - S(1))) <= S(min_value);
  S scale = S(1) / select(usable, length, S(1));
  scale += select(unit, S(S(1) - S(value(scale))), S(0));
  for (int i = 0; i < 4; ++i) q[i] = select(usable, S(q[i] * scale), S(i == 0 ? 1 : 0));
}

template <class S>
CORTEN_FN Quat<S> multiply(const Quat<S>& a, const Quat<S>& b) {
  return Quat<S>(a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                 a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                 a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                 a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]);
}

template <class S>
CORTEN_FN Quat<S> conjugate(const Quat<S>& q) {
  return Quat<S>(q[0], -q[1], -q[2], -q[3]);
}

// v + 2 u × (w v + u × v), with q = (w, u)
template <class S>
CORTEN_FN Vec3<S> rotate(const Quat<S>& q, const Vec3<S>& v) {
  const Vec3<S> t(q[0] * v[0] + q[2] * v[2] - q[3] * v[1], q[0] * v[1] + q[3] * v[0] - q[1] * v[2],
                  q[0] * v[2] + q[1] * v[1] - q[2] * v[0]);
  return v + S(2) * cross(Vec3<S>(q[1], q[2], q[3]), t);
}

template <class S>
CORTEN_FN Mat3<S> to_matrix(const Quat<S>& q) {
  const S ww = q[0] * q[0], xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
  const S wx = q[0] * q[1], wy = q[0] * q[2], wz = q[0] * q[3];
  const S xy = q[1] * q[2], xz = q[1] * q[3], yz = q[2] * q[3];
  Mat3<S> m;
  m(0, 0) = ww + xx - yy - zz;
  m(1, 1) = ww - xx + yy - zz;
  m(2, 2) = ww - xx - yy + zz;
  m(0, 1) = S(2) * (xy - wz);
  m(0, 2) = S(2) * (xz + wy);
  m(1, 0) = S(2) * (xy + wz);
  m(1, 2) = S(2) * (yz - wx);
  m(2, 0) = S(2) * (xz - wy);
  m(2, 1) = S(2) * (yz + wx);
  return m;
}

// rotation by `angle` about the unit vector `axis`
template <class S>
CORTEN_FN Quat<S> axis_angle(const Vec3<S>& axis, const S& angle) {
  S s, c;
  sincos(S(angle * S(0.5)), s, c);
  return Quat<S>(c, s * axis[0], s * axis[1], s * axis[2]);
}

// exp of a rotation vector: q = (cos |v|/2, sin(|v|/2) v/|v|). Near zero, the Taylor series
// replaces sin(x/2)/x. It has the right derivative where the quotient has none.
template <class S>
CORTEN_FN Quat<S> exp_map(const Vec3<S>& v) {
  const S angle2 = S(v.squaredNorm());
  const auto tiny = angle2 < S(1e-8);
  const S angle = sqrt(select(tiny, S(1), angle2));
  S s, c;
  sincos(S(angle * S(0.5)), s, c);
  const S factor = select(tiny, S(S(0.5) - angle2 * S(1.0 / 48)), S(s / angle));
  const S w = select(tiny, S(S(1) - angle2 * S(0.125)), c);
  return Quat<S>(w, factor * v[0], factor * v[1], factor * v[2]);
}

// log of a unit quaternion: the rotation vector with angle in [-pi, pi]
template <class S>
CORTEN_FN Vec3<S> log_map(const Quat<S>& q) {
  const Vec3<S> u(q[1], q[2], q[3]);
  const S s = norm(u);
  const auto tiny = s < S(1e-8);
  S angle = S(2) * atan2(s, q[0]);
  angle = select(angle > S(3.14159265358979323846), S(angle - S(6.28318530717958647692)), angle);
  // near zero: 2 atan2(s, w)/s → 2/w
  const S factor = select(tiny, S(2) / select(tiny, q[0], S(1)), S(angle / select(tiny, S(1), s)));
  return factor * u;
}

// q * exp(v h): the orientation after turning with local angular velocity v for time h
template <class S>
CORTEN_FN Quat<S> integrate(const Quat<S>& q, const Vec3<S>& v, const S& h) {
  return multiply(q, exp_map(v * h));
}

// the rotation vector from b to a, in the frame of b: log(b* a)
template <class S>
CORTEN_FN Vec3<S> difference(const Quat<S>& a, const Quat<S>& b) {
  return log_map(multiply(conjugate(b), a));
}

}  // namespace corten
