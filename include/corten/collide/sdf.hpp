// SPDX-License-Identifier: Apache-2.0
//
// A signed distance field and any other geom. The other geom is treated as a distance field too, so
// that one collider serves all pairs. Where two fields A and B meet, the point midway between the
// surfaces has A = B. The normals ∇A and ∇B are opposite if the surfaces face each other, and then
// A + B is their distance, negative if they overlap.
//
// The search starts at several points of the boxes around what both shapes may share: first the
// corners of these boxes, which lead to the outermost contacts of flat sides, then points of a
// Halton sequence, as in MuJoCo. Each start moves to A = B, and down the slope of A + B as far as
// that is curved: on round shapes all points meet at the deepest one, on flat ones they stay where
// they are. Of the points found, the deepest is kept, and then always the one farthest from those
// kept before.
//
// MuJoCo descends on other functions of A and B, and reports about half of the depth or less,
// depending on the last step of its line search. Here the depth is that of the other colliders. As
// in MuJoCo, a plane collides with the hull of the mesh.
//
// Values decide which points are kept. These are then found again in the scalar of the data, so
// that derivatives are those of the search.
#pragma once

#include <corten/collide/plane_mesh.hpp>
#include <corten/geom/geoms.hpp>

#include <type_traits>

namespace corten {

namespace detail {

// A geom as a distance field, as its kind defines it. For an ellipsoid and above the slopes of a
// height field distances are exact only near the surface; for the hull of a mesh they are distances
// to the plane of the nearest side.
template <class S, class Kinds>
struct DistanceField {
  using V = value_t<S>;
  GeomType type;
  Shape<S> shape;
  mutable int hint = 0;  // for the kind to use as it likes

  CORTEN_FN S distance(const Vec3<S>& p) const {
    const Vec3<S> x = shape.to_local(p);
    S out = S(0);
    Kinds::visit(type, [&](auto kind) {
      if constexpr (requires { kind.field_distance(shape, x, hint); }) {
        out = kind.field_distance(shape, x, hint);
      } else {
        out = kind.signed_distance(shape.size, x);
      }
    });
    return out;
  }

  // the unit vector along which the distance grows
  CORTEN_FN Vec3<S> normal(const Vec3<S>& p) const {
    Vec3<S> out;
    bool known = false;
    Kinds::visit(type, [&](auto kind) {
      if constexpr (requires { kind.field_normal(shape, p, hint); }) {
        out = kind.field_normal(shape, shape.to_local(p), hint);
        known = true;
      }
    });
    if (known) return out;
    const S step = S((sizeof(V) > 4 ? V(1e-5) : V(1e-3)) * value(shape.size[0]));
    for (int k = 0; k < 3; ++k) {
      Vec3<S> up = p, down = p;
      up[k] += step;
      down[k] -= step;
      out[k] = distance(up) - distance(down);
    }
    normalize(out);
    return out;
  }

  // its bounding box, in its own frame
  CORTEN_FN void box(Vec3<S>& low, Vec3<S>& high) const {
    Kinds::visit(type, [&](auto kind) {
      if constexpr (requires { kind.field_box(shape, low, high); }) {
        kind.field_box(shape, low, high);
      } else {
        const Vec6<S> around = kind.aabb(shape.size);
        low = around.template head<3>() - around.template tail<3>();
        high = around.template head<3>() + around.template tail<3>();
      }
    });
  }
};

// The region that two fields may share, as a box in the frame of each, and the search for contact
// points in it.
template <class S, class Kinds>
class FieldSearch {
  using V = value_t<S>;
  using Distances = DistanceField<S, Kinds>;

 public:
  CORTEN_FN FieldSearch(GeomType type, const Shape<S>& a, const Shape<S>& b, const S& margin,
                        int most_steps)
      : a_{type, a, 0}, b_{GeomType::sdf, b, 0}, steps_(most_steps) {
    overlap(a_, b_, margin, low_[0], high_[0]);
    overlap(b_, a_, margin, low_[1], high_[1]);
    const Vec3<S> size = high_[1] - low_[1];
    for (int k = 0; k < 3; ++k) empty_ = empty_ || !(value(size[k]) >= 0);
    reach_ = norm(size);
  }

  CORTEN_FN bool empty() const { return empty_; }
  CORTEN_FN V reach() const { return value(reach_); }  // the diagonal of the shared box

  // Start number i: first the corners of the box in the frame of the grid and, if the other geom is
  // bounded, those of the box in that geom's frame; then points in between.
  CORTEN_FN Vec3<S> start(int i) const {
    const int corners = a_.type == GeomType::plane ? 8 : 16;
    const int side = i < 8 || i >= corners ? 1 : 0;
    Vec3<S> at;
    for (int k = 0; k < 3; ++k) {
      constexpr int base[3] = {2, 3, 5};
      const V inset = V(0.0625);
      const V part =
          i < corners ? (i >> k & 1 ? V(1) - inset : inset) : halton(i - corners + 1, base[k]);
      at[k] = low_[side][k] + (high_[side][k] - low_[side][k]) * S(part);
    }
    return (side == 1 ? b_ : a_).shape.to_world(at);
  }

  // Moves from a start to a point midway between the surfaces: along ∇A - ∇B to where A = B, and
  // perpendicular to that down the slope ∇A + ∇B. How much the last step has changed the slope
  // tells how far away its foot is. As long as that is unknown, the point moves by the distance
  // between the surfaces if it is outside of them, or else by one cell to find out. Where the slope
  // hardly changes, the shapes are flat: the foot is far away and its position ill-defined, so the
  // point goes back and stays.
  CORTEN_FN void settle(Vec3<S>& x) const {
    const V level = V(1e-3);
    const S cell = b_.shape.grid.cell;
    Vec3<S> slid = Vec3<S>::Zero(), slope_before = slid;
    bool tried = false, back = false;
    for (int i = 0; i < steps_; ++i) {
      const S a = a_.distance(x), b = b_.distance(x), apart = a + b;
      const Vec3<S> na = a_.normal(x), nb = b_.normal(x), slope = na + nb;
      const S facing = na.dot(nb), steep = norm(slope), last = slid.dot(slid);
      S along = S(0);
      if (value(steep) > level) {
        const S curved = slid.dot(slope - slope_before) / max(last, S(V(1e-20)));
        if (value(last) > 0 && value(curved) * reach() > V(0.25)) {
          along = S(1) / curved;
        } else if (value(apart) > 0) {
          along = apart / (S(2) * max(S(S(1) + facing), S(0.02)));
        } else if (i > 0 && !tried) {
          along = cell / steep;
          tried = true;
        } else if (tried && !back) {
          x = x - slid;
          back = true;
          slid.setZero();
          continue;
        }
      }
      slid = slope * S(-along);
      Vec3<S> move = slid + (na - nb) * S((b - a) / (S(2) * max(S(S(1) - facing), S(0.1))));
      const S far = norm(move);
      if (value(far) > reach()) {
        move = move * S(reach_ / far);
        slid = slid * S(reach_ / far);
      }
      slope_before = slope;
      x = x + move;
      if (i > 2 && value(far) < V(1e-4) * value(cell)) return;
    }
  }

  // the contact at a point; false if the surfaces do not face each other there
  CORTEN_FN bool touch(const Vec3<S>& x, Hit<S>& hit) const {
    const S a = a_.distance(x), b = b_.distance(x);
    const Vec3<S> na = a_.normal(x), nb = b_.normal(x);
    hit.dist = a + b;
    hit.pos = x;
    hit.normal = na - nb;
    normalize(hit.normal);
    hit.tangent.setZero();
    const V uneven = value(abs(S(a - b))), cell = value(b_.shape.grid.cell);
    return value(na.dot(nb)) < 0 && uneven < V(0.5) * cell;
  }

 private:
  // the part of one field's box that the box of the other reaches, in the frame of the first
  CORTEN_FN static void overlap(const Distances& own, const Distances& other, const S& margin,
                                Vec3<S>& low, Vec3<S>& high) {
    own.box(low, high);
    if (own.type == GeomType::plane) return;
    if (other.type == GeomType::plane) return below_plane(own, other, margin, low, high);
    Vec3<S> from, to;
    other.box(from, to);
    const Vec3<S> half = (to - from) * S(0.5);
    const Vec3<S> middle = own.shape.to_local(other.shape.to_world(from + half));
    for (int k = 0; k < 3; ++k) {
      S around = margin;
      for (int j = 0; j < 3; ++j) {
        around += abs(own.shape.axis(k).dot(other.shape.axis(j))) * half[j];
      }
      low[k] = max(S(low[k] - margin), S(middle[k] - around));
      high[k] = min(S(high[k] + margin), S(middle[k] + around));
    }
  }

  // shrinks a box to n · x <= d: along each axis, with the least that the other axes can add
  CORTEN_FN static void below_plane(const Distances& own, const Distances& plane, const S& margin,
                                    Vec3<S>& low, Vec3<S>& high) {
    const Vec3<S> n = own.shape.turn_back(plane.shape.axis(2));
    const S d = margin - plane.shape.axis(2).dot(own.shape.pos - plane.shape.pos);
    Vec3<S> least;
    for (int k = 0; k < 3; ++k) least[k] = min(S(n[k] * low[k]), S(n[k] * high[k]));
    for (int k = 0; k < 3; ++k) {
      const S room = d - (least[0] + least[1] + least[2] - least[k]);
      if (value(n[k]) > V(1e-6)) high[k] = min(high[k], S(room / n[k]));
      if (value(n[k]) < V(-1e-6)) low[k] = max(low[k], S(room / n[k]));
    }
  }

  CORTEN_FN static V halton(int index, int base) {
    V out = V(0), part = V(1);
    for (int i = index; i > 0; i /= base) {
      part /= V(base);
      out += part * V(i % base);
    }
    return out;
  }

  Distances a_, b_;
  int steps_;
  Vec3<S> low_[2], high_[2];
  S reach_ = S(0);
  bool empty_ = false;
};

// a shape in plain numbers
template <class S>
CORTEN_FN Shape<value_t<S>> plain_shape(const Shape<S>& s) {
  Shape<value_t<S>> out;
  for (int i = 0; i < 3; ++i) {
    out.pos[i] = value(s.pos[i]);
    out.size[i] = value(s.size[i]);
    for (int j = 0; j < 3; ++j) out.axes[j][i] = value(s.axes[j][i]);
    out.grid.n[i] = s.grid.n[i];
    out.grid.origin[i] = value(s.grid.origin[i]);
  }
  out.depth = value(s.depth);
  out.mesh = s.mesh;
  out.heights = s.heights;
  out.grid.data = s.grid.data;
  out.grid.cell = value(s.grid.cell);
  return out;
}

// The points found, from which the deepest and mutually farthest are taken.
template <class V>
struct FieldPoints {
  static constexpr int room = 64;
  Vec3<V> at[room];
  V dist[room], near[room];  // near: squared distance to the nearest point taken
  int start[room], count = 0, taken = 0;

  CORTEN_FN void add(const Vec3<V>& x, V depth, int from) {
    if (count == room) return;
    at[count] = x;
    dist[count] = depth;
    near[count] = V(1e30);
    start[count++] = from;
  }

  // The next point to take, or -1 if all are nearer than `apart` to those already taken. Among
  // points that are equally good up to rounding it is the first, so that the choice stays the same
  // while the shapes move.
  CORTEN_FN int take(V apart, V same) {
    int best = -1;
    for (int i = 0; i < count; ++i) {
      const bool first = taken == 0;
      const bool better =
          best < 0 || (first ? dist[i] < dist[best] - same : near[i] > near[best] + same * same);
      if (better) best = i;
    }
    if (best < 0 || near[best] < apart * apart) return -1;
    for (int i = 0; i < count; ++i) {
      const Vec3<V> away = at[i] - at[best];
      near[i] = min(near[i], away.dot(away));
    }
    ++taken;
    return best;
  }
};

}  // namespace detail

// All pairs of a distance field and a kind in the list; the types are known at run time. The field
// is the second geom of a pair with a kind of MJCF and the first of a pair with a user's kind.
template <class Kinds>
struct SdfCollider {
  static constexpr int max_hits = 8;

  template <class S>
  CORTEN_FN static int collide(GeomType type1, GeomType type2, const Shape<S>& first,
                               const Shape<S>& second, const S& margin, Effort<S>& effort,
                               Hit<S>* hits) {
    using V = value_t<S>;
    const bool turned = is_user(type2);
    const GeomType type = turned ? type2 : type1;
    const Shape<S>&a = turned ? second : first, &b = turned ? first : second;
    if (type == GeomType::plane && b.mesh.nvert > 0) return PlaneMesh::collide(a, b, margin, hits);
    if (b.grid.data == nullptr || (type == GeomType::sdf && a.grid.data == nullptr)) return 0;
    if (type == GeomType::mesh && a.mesh.nside == 0) return 0;
    const detail::FieldSearch<V, Kinds> search(type, detail::plain_shape(a), detail::plain_shape(b),
                                               value(margin), effort.steps);
    if (search.empty()) return 0;
    detail::FieldPoints<V> points;
    for (int i = 0; i < effort.starts; ++i) {
      Vec3<V> x = search.start(i);
      Hit<V> hit;
      search.settle(x);
      if (search.touch(x, hit) && hit.dist <= value(margin)) points.add(x, hit.dist, i);
    }
    // find the kept points again, in the scalar of the data
    const detail::FieldSearch<S, Kinds> exact(type, a, b, margin, effort.steps);
    const V cell = value(b.grid.cell), apart = max(cell, V(0.25) * search.reach());
    int n = 0;
    for (; n < max_hits; ++n) {
      const int i = points.take(apart, V(1e-3) * cell);
      if (i < 0) break;
      Vec3<S> x = exact.start(points.start[i]);
      if constexpr (std::is_same_v<S, V>) {
        x = points.at[i];
      } else {
        exact.settle(x);
      }
      exact.touch(x, hits[n]);
      if (turned) hits[n].normal = -hits[n].normal;
    }
    return n;
  }
};

// A pair of a distance field and a kind. MJCF's kinds share one collider. A kind of your own
// collides with distance fields if it has a signed_distance and SdfPair<Yours> is in your
// Colliders<…>.
template <GeomPolicy Kind>
struct SdfPair {
  using Shared =
      SdfCollider<std::conditional_t<is_user(Kind::type), Geoms<Kind, Sdf>, DefaultGeoms>>;
  static constexpr GeomType first = is_user(Kind::type) ? Sdf::type : Kind::type;
  static constexpr GeomType second = is_user(Kind::type) ? Kind::type : Sdf::type;
  static constexpr int max_hits = Shared::max_hits;
};

using PlaneSdf = SdfPair<Plane>;
using HFieldSdf = SdfPair<HField>;
using SphereSdf = SdfPair<Sphere>;
using CapsuleSdf = SdfPair<Capsule>;
using EllipsoidSdf = SdfPair<Ellipsoid>;
using CylinderSdf = SdfPair<Cylinder>;
using BoxSdf = SdfPair<Box>;
using MeshSdf = SdfPair<Mesh>;
using SdfSdf = SdfPair<Sdf>;

}  // namespace corten
