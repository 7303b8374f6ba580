// SPDX-License-Identifier: Apache-2.0
//
// An element of a flex against a geom, another element, or a vertex: emit(hit) for each hit.
// Segments are capsules and triangles have colliders of their own where MuJoCo has them; all other
// pairs go to the general convex collider, which finds one point.
#pragma once

#include <corten/collide/capsule_box.hpp>
#include <corten/collide/capsule_capsule.hpp>
#include <corten/collide/convex.hpp>
#include <corten/collide/hfield.hpp>
#include <corten/collide/sdf.hpp>
#include <corten/collide/sphere_capsule.hpp>
#include <corten/collide/surface_normal.hpp>
#include <corten/collide/triangle.hpp>

namespace corten {

// One to four vertices of a flex, with a layer around them.
template <class S>
struct FlexPiece {
  int count = 0;
  Vec3<S> corner[4];
  Vec3<S> centre;
  S radius;
};

template <class M, class D>
CORTEN_FN FlexPiece<typename D::Scalar> load_element(const M& m, const D& d, int f, int e) {
  using S = typename D::Scalar;
  FlexPiece<S> out;
  const auto corner = m.flex_elem.from(m.flex_elemdataadr[f] + e * (m.flex_dim[f] + 1));
  for (; out.count <= m.flex_dim[f]; ++out.count) {
    out.corner[out.count] = vec3<S>(d.flexvert_xpos, m.flex_vertadr[f] + corner[out.count]);
  }
  out.centre = vec3<S>(d.flexelem_aabb, 2 * (m.flex_elemadr[f] + e));
  out.radius = S(m.flex_radius[f]);
  return out;
}

template <class M, class D>
CORTEN_FN FlexPiece<typename D::Scalar> load_vertex(const M& m, const D& d, int f, int v) {
  using S = typename D::Scalar;
  FlexPiece<S> out;
  out.count = 1;
  out.corner[0] = out.centre = vec3<S>(d.flexvert_xpos, m.flex_vertadr[f] + v);
  out.radius = S(m.flex_radius[f]);
  return out;
}

namespace detail {

template <class S>
CORTEN_FN Triangle<S> as_triangle(const FlexPiece<S>& p) {
  return {{p.corner[0], p.corner[1], p.corner[2]}, p.radius};
}

// a segment as a capsule; only its z axis matters
template <class S>
CORTEN_FN Shape<S> as_capsule(const FlexPiece<S>& p) {
  Shape<S> out;
  Vec3<S> along = p.corner[0] - p.corner[1];
  const S length = normalize(along);
  const Mat3<S> frame = make_frame(along);
  out.axes[2] = along;
  for (int k = 0; k < 3; ++k) out.axes[0][k] = frame(1, k), out.axes[1][k] = frame(2, k);
  out.pos = (p.corner[0] + p.corner[1]) * S(0.5);
  out.size = Vec3<S>(p.radius, S(0.5) * length, S(0));
  return out;
}

// a vertex as a sphere
template <class S>
CORTEN_FN Shape<S> as_sphere(const FlexPiece<S>& p) {
  Shape<S> out;
  out.pos = p.corner[0];
  for (int k = 0; k < 3; ++k) out.axes[k] = Vec3<S>::Unit(k);
  out.size = Vec3<S>(p.radius, S(0), S(0));
  return out;
}

// as the general collider sees it; `corner` receives the plain values of the corners
template <class S>
CORTEN_FN ConvexShape<value_t<S>> as_convex(const FlexPiece<S>& p, Vec3<value_t<S>> (&corner)[4]) {
  ConvexShape<value_t<S>> out;
  out.type = flex_element;
  out.corners = p.count;
  out.prism = corner;
  out.shape.size[0] = value(p.radius);
  for (int k = 0; k < 3; ++k) {
    out.shape.pos[k] = value(p.centre[k]);
    for (int i = 0; i < p.count; ++i) corner[i][k] = value(p.corner[i][k]);
  }
  return out;
}

// The corner, edge or face of a piece that supports it in direction `dir`: those corners that are
// as far as the farthest, within the tolerance. Its point is any of its points: the conditions of a
// contact (tangency.hpp) find the right one.
template <class S>
CORTEN_FN Feature<S> piece_feature(const FlexPiece<S>& p, const Vec3<value_t<S>>& dir,
                                   const Vec3<value_t<S>>& at, value_t<S> tolerance) {
  using V = value_t<S>;
  V far[4], most = -std::numeric_limits<V>::max();
  for (int i = 0; i < p.count; ++i) {
    far[i] = V(0);
    for (int k = 0; k < 3; ++k) far[i] += value(p.corner[i][k]) * dir[k];
    most = max(most, far[i]);
  }
  Feature<S> out;
  out.radius = p.radius;
  int first = -1;
  for (int i = 0; i < p.count; ++i) {
    if (far[i] < most - tolerance) continue;
    if (first < 0) {
      first = i;
      out.c = p.corner[i];
    } else if (out.n < 2) {
      out.e[out.n] = p.corner[i] - p.corner[first];
      out.k[out.n++] = Vec3<S>::Zero();
    }
  }
  // moves the point to where the contact is, along the directions of the feature
  Vec3<V> rest;
  for (int k = 0; k < 3; ++k) rest[k] = at[k] - value(out.c[k]);
  V g[2][2] = {}, b[2] = {}, u[2] = {};
  for (int i = 0; i < out.n; ++i) {
    for (int k = 0; k < 3; ++k) {
      b[i] += value(out.e[i][k]) * rest[k];
      for (int j = 0; j < out.n; ++j) g[i][j] += value(out.e[i][k]) * value(out.e[j][k]);
    }
  }
  if (out.n == 1 && g[0][0] > 0) u[0] = b[0] / g[0][0];
  if (out.n == 2) {
    const V det = g[0][0] * g[1][1] - g[0][1] * g[1][0];
    if (det > 0) {
      u[0] = (b[0] * g[1][1] - b[1] * g[0][1]) / det;
      u[1] = (b[1] * g[0][0] - b[0] * g[1][0]) / det;
    }
  }
  for (int i = 0; i < out.n; ++i) out.c += out.e[i] * S(u[i]);
  return out;
}

template <class V>
CORTEN_FN V feature_tolerance(const Effort<V>& effort, V size) {
  return V(4) * effort.tolerance + V(1e-5) * size;
}

// the hit that a penetration stands for
template <class S>
CORTEN_FN Hit<S> penetration_hit(const Penetration<value_t<S>>& found, value_t<S> margin) {
  Hit<S> hit;
  hit.dist = S(margin + found.dist);
  hit.pos = constant<S>(found.pos());
  hit.normal = constant<S>(found.normal());
  hit.tangent.setZero();
  return hit;
}

template <class S>
CORTEN_FN void add_tangency(const Tangency<S>& t, Hit<S>& hit) {
  hit.dist += t.dist();
  hit.pos += t.pos();
  hit.normal += t.normal();
}

// A convex shape and a piece; one hit at most. Only duals ask for `feature(found, normal, on)`, the
// feature of the first shape at the contact.
template <class S, class F>
CORTEN_FN int collide_convex_piece(ConvexShape<value_t<S>>& a, const FlexPiece<S>& piece,
                                   const S& margin, Effort<S>& effort, Hit<S>* hits,
                                   [[maybe_unused]] const F& feature) {
  using V = value_t<S>;
  Vec3<V> corner[4];
  ConvexShape<V> b = as_convex(piece, corner);
  Effort<V> spent = effort.values();
  Penetration<V> found;
  const bool touch = penetration(a, b, value(margin), value(margin), spent, found);
  effort.limited = effort.limited || spent.limited;
  if (!touch) return 0;
  hits[0] = penetration_hit<S>(found, value(margin));
  if constexpr (is_dual<S>) {
    const Vec3<V> normal = found.normal();
    const V on = feature_tolerance(spent, value(piece.radius));
    add_tangency(
        Tangency<S>(feature(found, normal, on),
                    piece_feature(piece, Vec3<V>(-normal), found.x2, on), make_frame(normal)),
        hits[0]);
  }
  return 1;
}

// a geom of a kind that has a support function, and a piece
template <class S>
CORTEN_ENTRY int collide_geom_piece(GeomType type, const Shape<S>& geom, const FlexPiece<S>& piece,
                                    const S& margin, Effort<S>& effort, Hit<S>* hits) {
  ConvexShape<value_t<S>> a = convex_values(type, geom);
  return collide_convex_piece(
      a, piece, margin, effort, hits, [&](const auto& found, const auto& normal, auto) {
        return feature_at(a, geom, found.x1, normal, value(margin), effort.tolerance);
      });
}

// two pieces
template <class S>
CORTEN_ENTRY int collide_pieces(const FlexPiece<S>& first, const FlexPiece<S>& second,
                                const S& margin, Effort<S>& effort, Hit<S>* hits) {
  Vec3<value_t<S>> corner[4];
  ConvexShape<value_t<S>> a = as_convex(first, corner);
  return collide_convex_piece(a, second, margin, effort, hits,
                              [&](const auto& found, const auto& normal, auto on) {
                                return piece_feature(first, normal, found.x1, on);
                              });
}

// An element above a height field: the prisms below its corners, in the frame of the field. As in
// MuJoCo the layer around the corners does not count when prisms are chosen.
template <class S, class Emit>
[[gnu::noinline]] CORTEN_FN void collide_ground_piece(const Shape<S>& ground,
                                                      const FlexPiece<S>& world, const S& margin,
                                                      Effort<S>& effort, const Emit& emit) {
  using V = value_t<S>;
  constexpr int most = 50;
  FlexPiece<S> piece = world;
  piece.centre = ground.to_local(world.centre);
  V low[3], high[3];
  for (int i = 0; i < piece.count; ++i) {
    piece.corner[i] = ground.to_local(world.corner[i]);
    for (int k = 0; k < 3; ++k) {
      const V at = value(piece.corner[i][k]);
      low[k] = i == 0 || at < low[k] ? at : low[k];
      high[k] = i == 0 || at > high[k] ? at : high[k];
    }
  }
  const HeightView& grid = ground.heights;
  const V gap = value(margin), depth = value(ground.depth);
  V size[3];
  int first[2], last[2];
  const int count[2] = {grid.ncol, grid.nrow};
  for (int k = 0; k < 3; ++k) {
    size[k] = value(ground.size[k]);
    const V least = k == 2 ? -depth : -size[k];
    if (low[k] - gap > size[k] || high[k] + gap < least) return;
  }
  for (int k = 0; k < 2; ++k) {
    const auto cell = [&](V x) { return (x + size[k]) / (V(2) * size[k]) * V(count[k] - 1); };
    first[k] = static_cast<int>(max(V(0), V(floor(cell(low[k])))));
    last[k] = static_cast<int>(min(V(count[k] - 1), V(-floor(-cell(high[k])))));
  }
  Vec3<V> corner[4];
  ConvexShape<V> shape = as_convex(piece, corner);
  Effort<V> spent = effort.values();
  const V dx = V(2) * size[0] / V(grid.ncol - 1), dy = V(2) * size[1] / V(grid.nrow - 1);
  int found = 0;
  for (int row = first[1]; row < last[1] && found < most; ++row) {
    Prism<V> prism;
    for (int n = 0; first[0] + n / 2 <= last[0] && found < most; ++n) {
      const int c = first[0] + n / 2, r = row + 1 - n % 2;
      prism.push(dx * V(c) - size[0], dy * V(r) - size[1],
                 V(grid.data[r * grid.ncol + c]) * size[2] + gap, -depth);
      if (n < 2 || prism.is_below(low[2])) continue;
      ConvexShape<V> below = prism.convex();
      Penetration<V> deepest;
      if (!penetration(below, shape, V(0), gap, spent, deepest)) continue;
      ++found;
      Hit<S> hit = penetration_hit<S>(deepest, V(0));
      if constexpr (is_dual<S>) {
        const Vec3<V> normal = deepest.normal();
        const V on = feature_tolerance(spent, value(piece.radius));
        add_tangency(
            Tangency<S>(prism.template feature<S>(deepest.x1, on),
                        piece_feature(piece, Vec3<V>(-normal), deepest.x2, on), make_frame(normal)),
            hit);
      }
      hit.pos = ground.to_world(hit.pos);
      hit.normal = ground.turn(hit.normal);
      emit(hit);
    }
  }
  effort.limited = effort.limited || spent.limited;
}

// Moves the shares of a point in the corners of a triangle to where it is deepest in a distance
// field, by the method of Frank and Wolfe, as in MuJoCo: each step goes towards the corner that is
// lowest along the slope. Returns the distance there.
template <class V>
CORTEN_FN V sink_point(const Shape<V>& field, const Vec3<V> (&corner)[3], int steps,
                       V (&share)[3]) {
  int hint = 0;
  const auto point = [&] {
    return field.to_local(
        Vec3<V>(corner[0] * share[0] + corner[1] * share[1] + corner[2] * share[2]));
  };
  for (int i = 0; i < steps; ++i) {
    const Vec3<V> slope = Sdf::field_normal(field, point(), hint);
    int low = 0;
    for (int k = 1; k < 3; ++k) {
      if (corner[k].dot(slope) < corner[low].dot(slope)) low = k;
    }
    const V move = V(2) / V(i + 3);
    for (int k = 0; k < 3; ++k) share[k] += move * (V(k == low ? 1 : 0) - share[k]);
  }
  return Sdf::field_distance(field, point(), hint);
}

// the hit at a point of a triangle, given by its shares in the corners, which derivatives keep
template <class S>
CORTEN_FN Hit<S> field_hit(const Shape<S>& field, const FlexPiece<S>& piece,
                           const value_t<S> (&share)[3]) {
  Vec3<S> x = Vec3<S>::Zero();
  for (int k = 0; k < 3; ++k) x += piece.corner[k] * S(share[k]);
  int hint = 0;
  const Vec3<S> local = field.to_local(x);
  const S dist = Sdf::field_distance(field, local, hint);
  Hit<S> hit;
  hit.dist = dist - piece.radius;
  hit.normal = Sdf::field_normal(field, local, hint);
  hit.pos = x - hit.normal * S(S(0.5) * (dist + piece.radius));
  hit.tangent.setZero();
  return hit;
}

// A triangle and a distance field: its corners, and the point between them that is deeper than all
// three, if there is one. MuJoCo keeps the deepest point alone, so that a sheet on flat ground has
// corners that nothing holds, and does not count the layer around the triangle, which counts for
// all other geoms.
template <class S>
CORTEN_ENTRY int collide_field_triangle(const Shape<S>& geom, const FlexPiece<S>& piece,
                                        const S& margin, const Effort<S>& effort, Hit<S>* hits) {
  using V = value_t<S>;
  if (geom.grid.data == nullptr) return 0;
  const Shape<V> field = plain_shape(geom);
  const V reach = value(margin) + value(piece.radius);
  Vec3<V> corner[3];
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) corner[i][k] = value(piece.corner[i][k]);
  }
  int count = 0;
  V least = std::numeric_limits<V>::max();
  for (int i = 0; i < 4; ++i) {
    const V third = V(1) / V(3);
    V share[3] = {third, third, third};
    for (int k = 0; k < 3 && i < 3; ++k) share[k] = V(k == i ? 1 : 0);
    const V dist = sink_point(field, corner, i < 3 ? 0 : effort.steps, share);
    if (dist <= reach && (i < 3 || dist < least)) hits[count++] = field_hit(geom, piece, share);
    least = min(least, dist);
  }
  return count;
}

}  // namespace detail

// A geom other than a height field and an element; the normal points to the element. Height fields
// have no limit on the number of hits, so they take another way and less of the stack.
template <class S, class Emit>
[[gnu::noinline]] CORTEN_FN void collide_shape_element(GeomType type, const Shape<S>& geom,
                                                       const FlexPiece<S>& piece, const S& margin,
                                                       Effort<S>& effort, const Emit& emit) {
  Hit<S> hits[11];
  int count = 0;
  const int dim = piece.count - 1;
  if (dim == 1 && type == GeomType::sphere) {
    count = SphereCapsule::collide(geom, detail::as_capsule(piece), margin, hits);
  } else if (dim == 1 && type == GeomType::capsule) {
    count = CapsuleCapsule::collide(geom, detail::as_capsule(piece), margin, hits);
  } else if (dim == 1 && type == GeomType::box) {
    count = CapsuleBox::collide(detail::as_capsule(piece), geom, margin, hits);
    for (int i = 0; i < count; ++i) hits[i].normal = -hits[i].normal;
  } else if (dim == 2 && type == GeomType::sphere) {
    count = sphere_triangle(geom.pos, geom.size[0], detail::as_triangle(piece), margin, hits);
  } else if (dim == 2 && type == GeomType::capsule) {
    count = capsule_triangle(geom, detail::as_triangle(piece), margin, hits);
  } else if (dim == 2 && type == GeomType::box) {
    count = box_triangle(geom, detail::as_triangle(piece), margin, hits);
  } else if (type == GeomType::sdf) {  // as in MuJoCo, lines and solids do not touch fields
    if (dim == 2) count = detail::collide_field_triangle(geom, piece, margin, effort, hits);
  } else {
    count = detail::collide_geom_piece(type, geom, piece, margin, effort, hits);
    if (count > 0 && dim == 2) {
      Vec3<S> normal = hits[0].normal;
      if (detail::surface_normal(type, geom, hits[0].pos, normal)) hits[0].normal = normal;
    }
  }
  for (int i = 0; i < count; ++i) emit(hits[i]);
}

// a geom and an element
template <class S, class Emit>
CORTEN_FN void collide_geom_element(GeomType type, const Shape<S>& geom, const FlexPiece<S>& piece,
                                    const S& margin, Effort<S>& effort, const Emit& emit) {
  if (type == GeomType::hfield) {
    detail::collide_ground_piece(geom, piece, margin, effort, emit);
  } else {
    collide_shape_element(type, geom, piece, margin, effort, emit);
  }
}

// two elements
template <class S, class Emit>
CORTEN_FN void collide_elements(const FlexPiece<S>& a, const FlexPiece<S>& b, const S& margin,
                                Effort<S>& effort, const Emit& emit) {
  Hit<S> hits[2];
  const int count =
      a.count == 2 && b.count == 2
          ? CapsuleCapsule::collide(detail::as_capsule(a), detail::as_capsule(b), margin, hits)
          : detail::collide_pieces(a, b, margin, effort, hits);
  for (int i = 0; i < count; ++i) emit(hits[i]);
}

// a vertex and an element of the same flex; the normal points to the element
template <class S, class Emit>
CORTEN_FN void collide_vertex_element(const FlexPiece<S>& vertex, const FlexPiece<S>& element,
                                      Effort<S>& effort, const Emit& emit) {
  Hit<S> hits[1];
  int count = 0;
  if (element.count == 2) {
    count =
        SphereCapsule::collide(detail::as_sphere(vertex), detail::as_capsule(element), S(0), hits);
  } else if (element.count == 3) {
    count =
        sphere_triangle(vertex.corner[0], vertex.radius, detail::as_triangle(element), S(0), hits);
  } else {
    count = detail::collide_pieces(vertex, element, S(0), effort, hits);
  }
  for (int i = 0; i < count; ++i) emit(hits[i]);
}

}  // namespace corten
