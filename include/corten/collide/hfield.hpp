// SPDX-License-Identifier: Apache-2.0
//
// A height field and a convex geom. Each cell of the grid is two triangles, and the ground under a
// triangle, down to the bottom, is a convex prism: the general collider runs for every prism below
// the geom. A pair may have many contacts, so they are handed on one by one instead of collected in
// an array.
//
// Everything happens in the frame of the height field. As in MuJoCo, a margin raises the ground by
// its full amount and inflates the geom by half of it.
#pragma once

#include <corten/collide/convex.hpp>

namespace corten {

namespace detail {

// The ground under a triangle: three points at the bottom, and three at the top above them.
template <class V>
struct Prism {
  Vec3<V> point[6];

  // as the general collider sees it
  CORTEN_FN ConvexShape<V> convex() const {
    ConvexShape<V> out;
    out.type = GeomType::hfield;
    out.prism = point;
    Vec3<V> sum = Vec3<V>::Zero();
    for (const Vec3<V>& p : point) sum += p;
    out.shape.pos = sum * V(1.0 / 6.0);
    return out;
  }

  // the next triangle of a strip: adds a corner and drops the oldest one
  CORTEN_FN void push(V x, V y, V top, V bottom) {
    for (const int i : {0, 3}) point[i] = point[i + 1], point[i + 1] = point[i + 2];
    point[2] = Vec3<V>(x, y, bottom);
    point[5] = Vec3<V>(x, y, top);
  }

  CORTEN_FN bool is_below(V level) const {
    return point[3][2] < level && point[4][2] < level && point[5][2] < level;
  }

  // the side, edge or corner at a point of the surface, by the planes that contain the point
  template <class S>
  CORTEN_FN Feature<S> feature(const Vec3<V>& at, V tolerance) const {
    constexpr int plane[5][3] = {{3, 4, 5}, {0, 1, 2}, {0, 1, 4}, {1, 2, 5}, {2, 0, 3}};
    Vec3<V> normal[3];
    int n = 0;
    for (const auto& of : plane) {
      const Vec3<V>& a = point[of[0]];
      Vec3<V> side = cross(point[of[1]] - a, point[of[2]] - a);
      normalize(side);
      if (n < 3 && abs(side.dot(at - a)) < tolerance) normal[n++] = side;
    }
    Feature<S> out;
    for (int i = 0; i < 3; ++i) out.c[i] = S(at[i]);
    if (n == 1) {
      const Mat3<V> frame = make_frame(normal[0]);
      for (int k = 0; k < 2; ++k) add(out, frame.row(1 + k));
    } else if (n == 2) {
      Vec3<V> edge = cross(normal[0], normal[1]);
      if (edge.dot(edge) > V(1e-6)) add(out, edge);
    }
    return out;
  }

 private:
  template <class S>
  CORTEN_FN static void add(Feature<S>& f, const Vec3<V>& e) {
    for (int i = 0; i < 3; ++i) f.e[f.n][i] = S(e[i]), f.k[f.n][i] = S(0);
    ++f.n;
  }
};

// shape b in the frame of shape a
template <class S>
CORTEN_FN Shape<S> seen_from(const Shape<S>& a, const Shape<S>& b) {
  Shape<S> out = b;
  out.pos = a.to_local(b.pos);
  for (int k = 0; k < 3; ++k) out.axes[k] = a.turn_back(b.axis(k));
  return out;
}

template <class V>
struct CellRange {
  int first_row, last_row, first_column, last_column;
  V lowest;  // the height of the geom's lowest point
};

// the cells below a geom; false if it cannot touch the ground
template <class V>
CORTEN_FN bool cells_below(const Vec3<V>& size, V depth, const HeightView& grid,
                           const ConvexShape<V>& geom, V margin, CellRange<V>& out) {
  const V low[3] = {-size[0], -size[1], -depth}, reach = geom.bounding_radius() + margin;
  V from[3], to[3];
  for (int k = 0; k < 3; ++k) {
    const V at = geom.centre()[k];
    if (size[k] < at - reach || low[k] > at + reach) return false;
  }
  for (int k = 0; k < 3; ++k) {
    Vec3<V> dir = Vec3<V>::Zero();
    dir[k] = V(1);
    to[k] = geom.support(dir)[k];
    dir[k] = V(-1);
    from[k] = geom.support(dir)[k];
  }
  for (int k = 0; k < 3; ++k) {
    if (from[k] - margin > size[k] || to[k] + margin < low[k]) return false;
  }
  const auto cell = [&](V x, int k, int count) {
    return (x + size[k]) / (V(2) * size[k]) * V(count - 1);
  };
  const auto clamp_to = [](V x, int most) {
    return !(x > 0) ? 0 : x > V(most) ? most : static_cast<int>(x);
  };
  out.first_column = clamp_to(floor(cell(from[0], 0, grid.ncol)), grid.ncol - 1);
  out.last_column = clamp_to(-floor(-cell(to[0], 0, grid.ncol)), grid.ncol - 1);
  out.first_row = clamp_to(floor(cell(from[1], 1, grid.nrow)), grid.nrow - 1);
  out.last_row = clamp_to(-floor(-cell(to[1], 1, grid.nrow)), grid.nrow - 1);
  out.lowest = from[2];
  return true;
}

// the contact with one prism by the portal method
template <class S>
CORTEN_FN bool collide_prism_portal(const Prism<value_t<S>>& prism, ConvexShape<value_t<S>>& geom,
                                    const Shape<S>& shape, value_t<S> margin,
                                    Effort<value_t<S>>& effort, Hit<S>& hit) {
  using V = value_t<S>;
  geom.inflate = V(0.5) * margin;
  const ConvexShape<V> ground = prism.convex();
  Portal<V, ConvexShape<V>, ConvexShape<V>> portal(ground, geom, effort.tolerance,
                                                   effort.iterations);
  PortalContact<V> found;
  const bool overlap = portal.run(found);
  effort.limited = effort.limited || portal.limited;
  if (!overlap) return false;
  write_portal_hit(found, hit);
  if constexpr (is_dual<S>) {
    const V radius = geom.discrete() ? V(0) : geom.bounding_radius();
    const auto moving = moving_contact(
        portal, constant<S>(ground.centre()), shape.pos, effort.tolerance, radius,
        [](const Vec3<V>& x, const Vec3<S>&) { return constant<S>(x); },
        [&](const Vec3<V>& x, const Vec3<S>& dir) { return moving_support(geom, shape, x, dir); });
    add_portal_tangents(moving, hit);
  }
  return true;
}

// the contact with one prism by the native method
template <class S>
CORTEN_FN bool collide_prism_native(const Prism<value_t<S>>& prism, ConvexShape<value_t<S>>& geom,
                                    const Shape<S>& shape, value_t<S> margin,
                                    Effort<value_t<S>>& effort, Hit<S>& hit) {
  using V = value_t<S>;
  Penetration<V> found;
  ConvexShape<V> ground = prism.convex();
  if (!penetration(ground, geom, V(0), margin, effort, found)) return false;
  const Vec3<V> pos = found.pos(), normal = found.normal();
  hit.dist = S(found.dist);
  for (int k = 0; k < 3; ++k) hit.pos[k] = S(pos[k]), hit.normal[k] = S(normal[k]);
  hit.tangent.setZero();
  if constexpr (is_dual<S>) {
    if (has_sides(geom.type) && !(margin > 0)) {
      Vec3<S> x[3], y[3];
      for (int i = 0; i < 3; ++i) {
        const DifferencePoint<V>& p = found.between[i];
        for (int k = 0; k < 3; ++k) x[i][k] = S(p.p1[k]);
        y[i] = EdgeList<V>::template corner_place<S>(geom.type, shape, p.corner2);
      }
      add_face_tangents(x, y, hit);
      return true;
    }
    const V on = V(4) * effort.tolerance + V(1e-5) * geom.bounding_radius();
    const Tangency<S> t(prism.template feature<S>(found.x1, on),
                        feature_at(geom, shape, found.x2, -normal, margin, effort.tolerance),
                        make_frame(normal));
    hit.dist += t.dist();
    hit.pos += t.pos();
    hit.normal += t.normal();
  }
  return true;
}

// the contact with one prism, in the frame of the height field
template <Ccd Parts, class S>
CORTEN_FN bool collide_prism(const Prism<value_t<S>>& prism, ConvexShape<value_t<S>>& geom,
                             const Shape<S>& shape, value_t<S> margin, Effort<value_t<S>>& effort,
                             Hit<S>& hit) {
  if constexpr (Parts == Ccd::all || Parts == Ccd::portal) {
    const bool portal = Parts == Ccd::portal || effort.portal;
    if (portal) return collide_prism_portal(prism, geom, shape, margin, effort, hit);
  }
  if constexpr (Parts == Ccd::portal) {
    return false;
  } else {
    return collide_prism_native(prism, geom, shape, margin, effort, hit);
  }
}

// The contacts of a height field and a geom, one after the other. next() is not inlined, so that
// the search is compiled once, whatever its callers do with the contacts.
template <class S, Ccd Parts = Ccd::all>
class GroundContacts {
  using V = value_t<S>;

 public:
  CORTEN_FN GroundContacts(GeomType type, const Shape<S>& ground, const Shape<S>& geom,
                           const S& margin, const Effort<S>& effort)
      : ground_(ground),
        other_(geom),
        type_(type),
        shape_(seen_from(ground, geom)),
        geom_(convex_values(type, shape_)),
        size_(value(ground.size[0]), value(ground.size[1]), value(ground.size[2])),
        depth_(value(ground.depth)),
        gap_(value(margin)),
        spent_(effort.values()) {
    spent_.multi = false;
    const HeightView& grid = ground.heights;
    if (!cells_below(size_, depth_, grid, geom_, gap_, cells_)) return;
    dx_ = V(2) * size_[0] / V(grid.ncol - 1);
    dy_ = V(2) * size_[1] / V(grid.nrow - 1);
    row_ = cells_.first_row;
    last_row_ = cells_.last_row;
  }

  static constexpr int max_contacts = 50;

  CORTEN_FN bool limited() const { return spent_.limited; }

  // the next contact; false if there is none
  [[gnu::noinline]] CORTEN_FN bool next(Hit<S>& hit) {
    while (row_ < last_row_ && found_ < max_contacts) {
      const int column = cells_.first_column + points_ / 2;
      if (column > cells_.last_column) {
        ++row_;
        points_ = 0;
        continue;
      }
      push(row_ + 1 - points_ % 2, column);
      // the first two points of a strip make no triangle yet
      if (++points_ < 3 || prism_.is_below(cells_.lowest)) continue;
      if (!collide_prism<Parts>(prism_, geom_, shape_, gap_, spent_, hit)) continue;
      hit.pos = ground_.to_world(hit.pos);
      hit.normal = ground_.turn(hit.normal);
      if constexpr (Parts == Ccd::all || Parts == Ccd::portal) {
        if (spent_.portal) correct_normal(GeomType::hfield, ground_, type_, other_, hit);
      }
      ++found_;
      return true;
    }
    return false;
  }

 private:
  CORTEN_FN void push(int row, int column) {
    const HeightView& grid = ground_.heights;
    prism_.push(dx_ * V(column) - size_[0], dy_ * V(row) - size_[1],
                V(grid.data[row * grid.ncol + column]) * size_[2] + gap_, -depth_);
  }

  const Shape<S>&ground_, &other_;
  GeomType type_;
  Shape<S> shape_;  // in the frame of the ground
  ConvexShape<V> geom_;
  Vec3<V> size_;
  V depth_, gap_, dx_ = V(0), dy_ = V(0);
  Effort<V> spent_;
  CellRange<V> cells_;
  Prism<V> prism_;
  int row_ = 0, last_row_ = 0, points_ = 0, found_ = 0;
};

}  // namespace detail

template <Ccd Parts>
struct HFieldColliderWith {
  template <Ccd Some>
  using with = HFieldColliderWith<Some == Ccd::small_sides ? Ccd::native : Some>;

  template <class S, class Emit>
  CORTEN_FN static void stream(GeomType, GeomType type, const Shape<S>& a, const Shape<S>& b,
                               const S& margin, Effort<S>& effort, const Emit& emit) {
    detail::GroundContacts<S, Parts> contacts(type, a, b, margin, effort);
    // counted, so that no compiler copies the search in front of the loop
    for (int k = 0; k < contacts.max_contacts; ++k) {
      Hit<S> hit;
      if (!contacts.next(hit)) break;
      emit(hit);
    }
    effort.limited = effort.limited || contacts.limited();
  }
};
using HFieldCollider = HFieldColliderWith<Ccd::all>;

// A pair whose contacts are handed on one by one: emit(hit) for each.
template <GeomType B>
struct HFieldPair {
  using Shared = HFieldCollider;
  static constexpr GeomType first = GeomType::hfield, second = B;
  static constexpr int max_hits = 0;

  template <class S, class Emit>
  CORTEN_FN static void stream(const Shape<S>& a, const Shape<S>& b, const S& margin,
                               Effort<S>& effort, const Emit& emit) {
    HFieldCollider::stream(first, B, a, b, margin, effort, emit);
  }
};

using HFieldSphere = HFieldPair<GeomType::sphere>;
using HFieldCapsule = HFieldPair<GeomType::capsule>;
using HFieldEllipsoid = HFieldPair<GeomType::ellipsoid>;
using HFieldCylinder = HFieldPair<GeomType::cylinder>;
using HFieldBox = HFieldPair<GeomType::box>;
using HFieldMesh = HFieldPair<GeomType::mesh>;

}  // namespace corten
