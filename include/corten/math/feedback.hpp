// SPDX-License-Identifier: Apache-2.0
//
// A linear map from spatial motions to spatial forces (rotation first, then translation), stored as
// four blocks. An example is the derivative of a force on a body with respect to its velocity.
#pragma once

#include <corten/math/field.hpp>
#include <corten/math/vector.hpp>

namespace corten {

// skew(a) b = a × b
template <class S>
CORTEN_FN Mat3<S> skew(const Vec3<S>& a) {
  return Mat3<S>(S(0), -a[2], a[1], a[2], S(0), -a[0], -a[1], a[0], S(0));
}

template <class S>
struct Feedback {
  Mat3<S> rr, rt, tr, tt;  // rt maps translation to torque

  CORTEN_FN static Feedback zero() {
    return {Mat3<S>::Zero(), Mat3<S>::Zero(), Mat3<S>::Zero(), Mat3<S>::Zero()};
  }

  template <class F>
  CORTEN_FN static Feedback load(const F& f, int i) {
    return {mat3<S>(f, 4 * i), mat3<S>(f, 4 * i + 1), mat3<S>(f, 4 * i + 2), mat3<S>(f, 4 * i + 3)};
  }
  template <class F>
  CORTEN_FN void store_to(const F& f, int i) const {
    store(f, 4 * i, rr);
    store(f, 4 * i + 1, rt);
    store(f, 4 * i + 2, tr);
    store(f, 4 * i + 3, tt);
  }

  CORTEN_FN Feedback& operator+=(const Feedback& o) {
    rr += o.rr, rt += o.rt, tr += o.tr, tt += o.tt;
    return *this;
  }

  // the mean of the map and its transpose
  CORTEN_FN Feedback symmetric() const {
    const S half = S(0.5);
    const Mat3<S> across = half * (rt + tr.transpose());
    return {half * (rr + rr.transpose()), across, across.transpose(), half * (tt + tt.transpose())};
  }

  // The same map about another point and in world axes, given that this one is expressed in a frame
  // with orientation `axes` at `offset` from that point.
  CORTEN_FN Feedback from_local(const Mat3<S>& axes, const Vec3<S>& offset) const {
    const auto turned = [&](const Mat3<S>& x) { return axes * (x * axes.transpose()); };
    const Mat3<S> arm = skew(offset);
    Feedback out{turned(rr), turned(rt), turned(tr), turned(tt)};
    out.tr -= out.tt * arm;
    out.rr += arm * out.tr - out.rt * arm;
    out.rt += arm * out.tt;
    return out;
  }

  CORTEN_FN Vec6<S> times(const Vec6<S>& v) const {
    const Vec3<S> a = v.template head<3>(), b = v.template tail<3>();
    return Vec6<S>(rr * a + rt * b, tr * a + tt * b);
  }
  CORTEN_FN Vec6<S> transposed_times(const Vec6<S>& v) const {
    const Vec3<S> a = v.template head<3>(), b = v.template tail<3>();
    return Vec6<S>(rr.transpose() * a + tr.transpose() * b,
                   rt.transpose() * a + tt.transpose() * b);
  }
};

}  // namespace corten
