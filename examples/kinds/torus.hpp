// SPDX-License-Identifier: Apache-2.0
//
// A geom kind that MJCF does not have: a torus about z. Its sizes are the radius of the ring and
// the radius of the tube. For a plane or a sphere it acts like a ball with the tube's radius, at
// the nearest point of the ring.
#pragma once

#include <corten/dynamics.hpp>

struct Torus {
  static constexpr corten::GeomType type = corten::user_geom(0);
  static constexpr const char* name = "torus";
  static constexpr int num_sizes = 2;
  static constexpr bool has_fromto = false, fixed_only = false;
  static constexpr double pi = 3.14159265358979323846;
  template <class S>
  using Vec3 = corten::Vec3<S>;

  static corten::Result<void> valid(const Vec3<double>& size) {
    if (auto done = corten::geom_math::positive_sizes(size, num_sizes); !done) return done;
    return size[1] < size[0] ? corten::Result<void>()
                             : corten::Error("the tube of a torus must be thinner than its ring");
  }
  template <class S>
  CORTEN_FN static S volume(const Vec3<S>& size) {
    return S(2 * pi * pi) * size[0] * size[1] * size[1];
  }
  template <class S>
  CORTEN_FN static S area(const Vec3<S>& size) {
    return S(4 * pi * pi) * size[0] * size[1];
  }
  template <class S>
  CORTEN_FN static Vec3<S> inertia(const Vec3<S>& size, const S& mass) {
    const S ring = size[0] * size[0], tube = size[1] * size[1];
    const S across = mass * (S(0.5) * ring + S(0.625) * tube);
    return Vec3<S>(across, across, mass * (ring + S(0.75) * tube));
  }
  template <class S>
  CORTEN_FN static Vec3<S> shell_inertia(const Vec3<S>& size, const S& mass) {
    return inertia(Vec3<S>(size[0], size[1] * S(1.41421356237309505), S(0)), mass);
  }
  template <class S>
  CORTEN_FN static corten::Vec6<S> aabb(const Vec3<S>& size) {
    return corten::geom_math::centred_box(S(size[0] + size[1]), S(size[0] + size[1]), size[1]);
  }
  template <class S>
  CORTEN_FN static S bounding_radius(const Vec3<S>& size) {
    return size[0] + size[1];
  }
  template <class S>
  CORTEN_FN static S stat_radius(const Vec3<S>& size) {
    return bounding_radius(size);
  }
  template <class S>
  CORTEN_FN static Vec3<S> semiaxes(const Vec3<S>& size) {
    return Vec3<S>(size[0] + size[1], size[0] + size[1], size[1]);
  }
  // lets corten::SdfPair<Torus> collide it with distance fields
  template <class S>
  CORTEN_FN static S signed_distance(const Vec3<S>& size, const Vec3<S>& p) {
    const S beyond = corten::norm(corten::Vec<S, 2>(p[0], p[1])) - size[0];
    return corten::norm(corten::Vec<S, 2>(beyond, p[2])) - size[1];
  }
};

// The point of the ring in the direction `local`, and the one a quarter of the ring further. If
// `local` is along the axis, all points are equivalent, and the one on x is taken.
template <class S>
CORTEN_FN void ring_axes(const corten::Vec3<S>& local, corten::Vec3<S>& first,
                         corten::Vec3<S>& next) {
  first = corten::Vec3<S>(local[0], local[1], S(0));
  if (corten::value(corten::norm(first)) < 1e-6) first = corten::Vec3<S>(S(1), S(0), S(0));
  corten::normalize(first);
  next = corten::Vec3<S>(-first[1], first[0], S(0));
}

// four points of the ring: the lowest one, and the three others that support a torus lying flat
struct PlaneTorus {
  static constexpr corten::GeomType first = corten::GeomType::plane, second = Torus::type;
  static constexpr int max_hits = 4;

  template <class S>
  CORTEN_FN static int collide(const corten::Shape<S>& plane, const corten::Shape<S>& torus,
                               const S& margin, corten::Hit<S>* hits) {
    const corten::Vec3<S> normal = plane.axis(2);
    corten::Vec3<S> low, side;
    ring_axes(corten::Vec3<S>(-torus.turn_back(normal)), low, side);
    int n = 0;
    for (int k = 0; k < 4; ++k) {
      const S sign = k % 2 == 0 ? S(1) : S(-1);
      const corten::Vec3<S> local = (k < 2 ? low : side) * S(sign * torus.size[0]);
      n += corten::plane_ball(plane.pos, normal, torus.to_world(local), torus.size[1], margin,
                              hits + n);
    }
    return n;
  }
};

struct SphereTorus {
  static constexpr corten::GeomType first = corten::GeomType::sphere, second = Torus::type;
  static constexpr int max_hits = 1;

  template <class S>
  CORTEN_FN static int collide(const corten::Shape<S>& sphere, const corten::Shape<S>& torus,
                               const S& margin, corten::Hit<S>* hits) {
    corten::Vec3<S> near, side;
    ring_axes(torus.to_local(sphere.pos), near, side);
    const corten::Vec3<S> centre = torus.to_world(corten::Vec3<S>(near * torus.size[0]));
    return corten::ball_ball(sphere.pos, sphere.size[0], centre, torus.size[1], margin,
                             sphere.axis(2), torus.axis(2), hits);
  }
};
