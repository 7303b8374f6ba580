// SPDX-License-Identifier: Apache-2.0
//
// Sensors of the distance between geoms, or between all geoms of two bodies: the distance, its
// direction and the segment along which it is measured. The search ends at the cutoff: if the geoms
// are farther apart, the distance reads the cutoff and the other sensors read zero.
#pragma once

#include <corten/collide/distance.hpp>
#include <corten/sensor/common.hpp>

namespace corten {

namespace detail {

// the nearest pair of geoms of sensor i
template <class M, class D>
CORTEN_FN auto sensed_distance(const M& m, const D& d, int i) {
  using S = typename D::Scalar;
  const S cutoff = S(m.sensor_cutoff[i]);
  const auto range = [&](int object, int id, int& first, int& count) {
    const bool body = static_cast<ObjectType>(object) == ObjectType::body;
    first = body ? m.body_geomadr[id] : id;
    count = body ? m.body_geomnum[id] : 1;
  };
  int first1 = 0, count1 = 0, first2 = 0, count2 = 0;
  range(m.sensor_objtype[i], m.sensor_objid[i], first1, count1);
  range(m.sensor_reftype[i], m.sensor_refid[i], first2, count2);

  Nearest<S> out{cutoff};
  for (int g1 = first1; g1 < first1 + count1; ++g1) {
    for (int g2 = first2; g2 < first2 + count2; ++g2) {
      const Nearest<S> pair = geom_distance(m, d, g1, g2, cutoff);
      if (value(pair.dist) < value(out.dist)) out = pair;
    }
  }
  return out;
}

}  // namespace detail

// Kinds that report the nearest points of two geoms, which are searched once per sensor
// (sensing.hpp): report(nearest, out) writes the reading.
template <SensorType Type, class Self>
struct DistanceTraits : SensorTraits<Type> {
  static constexpr bool by_world = true;
  static constexpr bool measures_distance = true;

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    Self::report(detail::sensed_distance(m, d, i), out);
  }
};

struct Distance : DistanceTraits<SensorType::distance, Distance> {
  template <class S, class O>
  CORTEN_FN static void report(const Nearest<S>& nearest, const O& out) {
    out[0] = nearest.dist;
  }
};

// from the first to the second; zero if they are too far apart
struct Normal : DistanceTraits<SensorType::normal, Normal> {
  template <class S, class O>
  CORTEN_FN static void report(const Nearest<S>& nearest, const O& out) {
    Vec3<S> n = nearest.to - nearest.from;
    if (value(S(n.squaredNorm())) > 0) normalize(n);
    store(out, 0, n);
  }
};

struct FromTo : DistanceTraits<SensorType::fromto, FromTo> {
  static constexpr bool has_cutoff = false;

  template <class S, class O>
  CORTEN_FN static void report(const Nearest<S>& nearest, const O& out) {
    store(out, 0, nearest.from);
    store(out, 1, nearest.to);
  }
};

}  // namespace corten
