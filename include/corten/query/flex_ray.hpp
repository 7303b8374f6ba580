// SPDX-License-Identifier: Apache-2.0
//
// What a ray hits of a flex. As in MuJoCo, cast_ray() and rangefinders look at geoms alone; flexes
// are asked one by one, with the layer of their radius around edges or vertices, and without it
// around faces.
#pragma once

#include <corten/geom/capsule.hpp>
#include <corten/geom/sphere.hpp>
#include <corten/math/vector.hpp>
#include <corten/query/views.hpp>

namespace corten {

// which parts of a flex a ray can hit; without edges, vertices count if they are asked for
struct FlexParts {
  bool vertices = true, edges = true, faces = true;
  bool skin = true;  // of solids, the faces of elements at the surface; otherwise those of `layer`
  int layer = 0;
};

// `dist` in lengths of the direction, -1: nothing is hit; the nearest vertex of the flex
template <class S>
struct FlexHit {
  S dist = S(-1);
  int vertex = -1;
};

namespace detail {

template <class S>
CORTEN_FN void keep_nearer(const S& t, int vertex, FlexHit<S>& hit) {
  if (value(t) >= 0 && (value(hit.dist) < 0 || value(t) < value(hit.dist))) hit = {t, vertex};
}

// the one of some vertices that is nearest to a point
template <class D, class S, class I>
CORTEN_FN int nearest_vertex(const D& d, int base, const I& vertices, int count,
                             const Vec3<S>& point) {
  int best = 0;
  value_t<S> least(0);
  for (int i = 0; i < count; ++i) {
    const Vec3<S> arm = vec3<S>(d.flexvert_xpos, base + vertices[i]) - point;
    const auto away = value(S(arm.dot(arm)));
    if (i == 0 || away < least) least = away, best = vertices[i];
  }
  return best;
}

template <class M, class D, class S>
CORTEN_FN void ray_edges(const M& m, const D& d, int f, const Vec3<S>& p, const Vec3<S>& v,
                         FlexHit<S>& hit) {
  const int base = m.flex_vertadr[f];
  for (int e = m.flex_edgeadr[f]; e < m.flex_edgeadr[f] + m.flex_edgenum[f]; ++e) {
    const int end[2] = {m.flex_edge[2 * e], m.flex_edge[2 * e + 1]};
    const Vec3<S> a = vec3<S>(d.flexvert_xpos, base + end[0]);
    const Vec3<S> b = vec3<S>(d.flexvert_xpos, base + end[1]);
    Vec3<S> z = b - a;
    const S half = S(0.5) * normalize(z);
    const Mat3<S> frame = make_frame(z);  // rows: z, and two axes across
    const Vec3<S> x = frame.row(1), y = frame.row(2), off = p - (a + b) * S(0.5);
    const Vec3<S> size(S(m.flex_radius[f]), half, S(0));
    const S t = Capsule::ray(size, Vec3<S>(x.dot(off), y.dot(off), z.dot(off)),
                             Vec3<S>(x.dot(v), y.dot(v), z.dot(v)));
    if (value(t) >= 0) keep_nearer(t, nearest_vertex(d, base, end, 2, Vec3<S>(p + v * t)), hit);
  }
}

template <class M, class D, class S>
CORTEN_FN void ray_vertices(const M& m, const D& d, int f, const Vec3<S>& p, const Vec3<S>& v,
                            FlexHit<S>& hit) {
  const Vec3<S> size(S(m.flex_radius[f]), S(0), S(0));
  for (int i = 0; i < m.flex_vertnum[f]; ++i) {
    const Vec3<S> at = vec3<S>(d.flexvert_xpos, m.flex_vertadr[f] + i);
    keep_nearer(Sphere::ray(size, Vec3<S>(p - at), v), i, hit);
  }
}

// where a ray meets a triangle, by Möller and Trumbore; -1: nowhere
template <class S>
CORTEN_FN S ray_triangle(const Vec3<S> (&x)[3], const Vec3<S>& p, const Vec3<S>& v) {
  const Vec3<S> e1 = x[1] - x[0], e2 = x[2] - x[0], q = cross(v, e2), to = p - x[0];
  const S det = e1.dot(q);
  if (abs(value(det)) < value_t<S>(min_value)) return S(-1);
  const S inverse = S(1) / det, a = to.dot(q) * inverse;
  const Vec3<S> r = cross(to, e1);
  const S b = v.dot(r) * inverse, t = e2.dot(r) * inverse;
  const bool inside = value(a) >= 0 && value(b) >= 0 && value(S(a + b)) <= 1;
  return inside && value(t) >= 0 ? t : S(-1);
}

template <class M, class D, class S>
CORTEN_FN void ray_faces(const M& m, const D& d, int f, const Vec3<S>& p, const Vec3<S>& v,
                         const FlexParts& parts, FlexHit<S>& hit) {
  constexpr int face[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
  const int dim = m.flex_dim[f], base = m.flex_vertadr[f];
  for (int e = 0; e < m.flex_elemnum[f]; ++e) {
    const int layer = m.flex_elemlayer[m.flex_elemadr[f] + e];
    if (dim == 3 && (parts.skin ? layer > 0 : layer != parts.layer)) continue;
    const auto corner = m.flex_elem.from(m.flex_elemdataadr[f] + e * (dim + 1));
    for (int k = 0; k < (dim == 2 ? 1 : 4); ++k) {
      const int vert[3] = {corner[face[k][0]], corner[face[k][1]], corner[face[k][2]]};
      Vec3<S> x[3];
      for (int i = 0; i < 3; ++i) x[i] = vec3<S>(d.flexvert_xpos, base + vert[i]);
      const S t = ray_triangle(x, p, v);
      if (value(t) >= 0) keep_nearer(t, nearest_vertex(d, base, vert, 3, Vec3<S>(p + v * t)), hit);
    }
  }
}

}  // namespace detail

// What the ray from `point` along `direction` hits of flex `flex`. Call it after forward.
template <class P = DefaultPolicies, class SM, class S>
Result<FlexHit<S>> cast_ray_at_flex(const Model<SM>& model, const Data<S>& data, int flex,
                                    const Vec3<S>& point, const Vec3<S>& direction,
                                    const FlexParts& parts = {}) {
  const Result<void> known = detail::check_id(model, data, "flex", flex, model.n.nflex);
  if (!known) return known.error();
  const auto m = make_ref<P>(model);
  const auto& d = data.ref();
  FlexHit<S> hit;
  const bool solid = m.flex_dim[flex] > 1;
  if (parts.edges || (solid && parts.skin)) {
    detail::ray_edges(m, d, flex, point, direction, hit);
  } else if (parts.vertices) {
    detail::ray_vertices(m, d, flex, point, direction, hit);
  }
  if (solid && (parts.faces || parts.skin)) {
    detail::ray_faces(m, d, flex, point, direction, parts, hit);
  }
  return hit;
}

}  // namespace corten
