// SPDX-License-Identifier: Apache-2.0
//
// A convex mesh: the hull of its vertices collides. Sizes: half lengths of its bounding box,
// written by the compiler. Vertices, hull and inertia are in the model's mesh_ fields.
#pragma once

#include <corten/geom/box.hpp>
#include <corten/geom/mesh_ray.hpp>

namespace corten {

struct Mesh : Box {
  static constexpr GeomType type = GeomType::mesh;
  static constexpr const char* name = "mesh";
  static constexpr int num_sizes = 0;
  static constexpr bool has_fromto = false;

  static Result<void> valid(const Vec3<double>&) { return {}; }

  // a ray in the frame of geom g; its shape is in the model
  template <class T, class M>
  CORTEN_FN static T ray_in(const M& m, int g, const Vec3<T>& p, const Vec3<T>& v,
                            Vec3<T>* normal) {
    return rays::mesh(m, m.geom_dataid[g], g, p, v, normal);
  }

  // height above the plane of the nearest side of the hull; hint is that side
  template <class S>
  CORTEN_FN static S field_distance(const Shape<S>& shape, const Vec3<S>& p, int& hint) {
    const auto& m = shape.mesh;
    hint = nearest_side(shape, p, hint);
    const Vec3<S> above = p - m.template vertex<S>(m.side_vert[m.side_adr[hint]]);
    return side_normal(shape, hint).dot(above);
  }
  template <class S>
  CORTEN_FN static Vec3<S> field_normal(const Shape<S>& shape, const Vec3<S>& p, int& hint) {
    hint = nearest_side(shape, p, hint);
    return shape.turn(side_normal(shape, hint));
  }

  // see scene/pen.hpp
  template <class M, class Pen>
  static void draw_in(const M& m, int g, Pen& pen) {
    pen.mesh(m.geom_dataid[g]);
  }

 private:
  template <class S>
  CORTEN_FN static Vec3<S> side_normal(const Shape<S>& shape, int side) {
    Vec3<S> out;
    for (int k = 0; k < 3; ++k) {
      out[k] = S(static_cast<value_t<S>>(shape.mesh.normal[3 * side + k]));
    }
    return out;
  }

  // The side of the hull that the point is highest above, by values. If there are few sides, test
  // them all. Otherwise walk from side to side around the corners, in two passes: first to the side
  // through which the ray from the centre of mass through the point leaves, where every step gets
  // closer, and from there to the side that the point is highest above.
  template <class S>
  CORTEN_FN static int nearest_side(const Shape<S>& shape, const Vec3<S>& p, int hint) {
    using V = value_t<S>;
    constexpr int few = 32;
    const auto& m = shape.mesh;
    const Vec3<V> at = values(p);
    int best = m.nside > few ? hint : 0;
    for (int i = 1; i < m.nside && m.nside <= few; ++i) {
      if (score(m, at, i, false) > score(m, at, best, false)) best = i;
    }
    for (int pass = 0; pass < 2 && m.nside > few; ++pass) {
      V most = score(m, at, best, pass == 0);
      for (int from = -1; from != best;) {
        from = best;
        for (int c = m.side_adr[from]; c < m.side_adr[from] + m.side_num[from]; ++c) {
          const int v = m.side_vert[c];
          for (int j = m.around_adr[v]; j < m.around_adr[v] + m.around_num[v]; ++j) {
            const V other = score(m, at, m.around[j], pass == 0);
            if (other > most) most = other, best = m.around[j];
          }
        }
      }
    }
    return best;
  }

  // the height of a point above a side, or (by_ray) its distance from the centre along the normal,
  // relative to the side's
  template <class Hull, class V>
  CORTEN_FN static V score(const Hull& m, const Vec3<V>& at, int side, bool by_ray) {
    const float* corner = m.vert + 3 * m.side_vert[m.side_adr[side]];
    V above = V(0), height = V(0);
    for (int k = 0; k < 3; ++k) {
      const V n = static_cast<V>(m.normal[3 * side + k]);
      above += n * at[k];
      height += n * static_cast<V>(corner[k]);
    }
    return by_ray ? above / max(height, V(1e-10)) : above - height;
  }
};

static_assert(GeomPolicy<Mesh>);

}  // namespace corten
