// SPDX-License-Identifier: Apache-2.0
//
// A ball and a box. From outside, the nearest point of the box is the centre clamped to it. From
// inside, the ball leaves through the nearest face.
#pragma once

#include <corten/collide/shape.hpp>

namespace corten {

// a ball of radius r about `centre` (in the world), and a box
template <class S>
CORTEN_ENTRY int ball_box(const Vec3<S>& centre, const S& r, const Shape<S>& box, const S& margin,
                          Hit<S>* hits) {
  const Vec3<S> local = box.to_local(centre);
  Vec3<S> nearest;
  for (int i = 0; i < 3; ++i) nearest[i] = clamp(local[i], S(-box.size[i]), box.size[i]);
  Vec3<S> inward = nearest - local;
  const S length = normalize(inward);
  if (value(S(length - r)) > value(margin)) return 0;

  Hit<S>& hit = hits[0];
  hit.tangent.setZero();
  if (value(length) > value_t<S>(min_value)) {
    hit.dist = length - r;
    // midway between the point of the box and the deepest point of the ball, each rounded once: in
    // rows as stiff as those of bodies without inertia their last bits show
    const Vec3<S> deepest = local + inward * r;
    hit.pos = box.to_world((nearest + deepest) * S(0.5));
    hit.normal = box.turn(inward);
    return 1;
  }

  // inside: the nearest of the six faces -x +x -y +y -z +z, among equals the first
  int axis = 0, side = -1;
  S depth = S(2) * (box.size[0] + box.size[1] + box.size[2]);
  for (int face = 0; face < 6; ++face) {
    const int k = face / 2, sign = face % 2 == 0 ? -1 : 1;
    const S away = abs(S(S(sign) * box.size[k] - local[k]));
    if (value(away) < value(depth)) {
      depth = away;
      axis = k;
      side = sign;
    }
  }
  inward.setZero();
  inward[axis] = S(-side);
  hit.dist = -depth - r;
  hit.pos = box.to_world(local + inward * ((r - depth) * S(0.5)));
  hit.normal = box.turn(inward);
  return 1;
}

struct SphereBox {
  static constexpr GeomType first = GeomType::sphere, second = GeomType::box;
  static constexpr int max_hits = 1;

  template <class S>
  CORTEN_FN static int collide(const Shape<S>& a, const Shape<S>& b, const S& margin,
                               Hit<S>* hits) {
    return ball_box(a.pos, a.size[0], b, margin, hits);
  }
};

}  // namespace corten
