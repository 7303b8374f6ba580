// SPDX-License-Identifier: Apache-2.0
//
// Tactile: each vertex of a mesh, carried by a geom, reads how deep it is inside the geoms that the
// body of its geom touches, and how fast they slide across it. The numbers are the depths of all
// vertices, then the speeds along the first tangents, then those along the second. Only meshes with
// tangents read speeds.
#pragma once

#include <corten/collide/ray.hpp>
#include <corten/sensor/common.hpp>

namespace corten {

namespace detail {

// The other geom of contact c, if the one on `side` is of a body welded to `weld`; -1 if it is not,
// or if an earlier contact has the same other geom.
template <class M, class D>
CORTEN_FN int touching_geom(const M& m, const D& d, int c, int side, int weld) {
  const auto other = [&](int contact, int which) {
    if (m.body_weldid[some_contact_body(m, d, contact, which)] != weld) return -1;
    return static_cast<int>(d.contact_geom[2 * contact + 1 - which]);
  };
  const int geom = other(c, side);
  if (geom < 0) return -1;
  for (int earlier = 0; earlier <= c; ++earlier) {
    for (int which = 0; which < 2; ++which) {
      if (earlier == c && which >= side) break;
      if (other(earlier, which) == geom) return -1;
    }
  }
  return geom;
}

// The distance of a world point from a geom, negative inside; 0 for meshes and height fields.
template <class M, class D, class S>
CORTEN_FN S geom_depth(const M& m, const D& d, int g, const Vec3<S>& point) {
  const Vec3<S> local = mat3<S>(d.geom_xmat, g).transpose() * (point - vec3<S>(d.geom_xpos, g));
  const Vec3<S> size = vec3<S>(m.geom_size, g);
  S out = S(0);
  with_geom_kind(m, m.geom_type[g], [&](auto kind) {
    if constexpr (requires { kind.distance_in(m, g, local); }) {
      out = kind.distance_in(m, g, local);
      return;
    }
    if constexpr (requires { kind.ray_in(m, g, local, local, &out); }) return;
    if constexpr (requires { kind.signed_distance(size, local); }) {
      out = kind.signed_distance(size, local);
    }
  });
  return out;
}

}  // namespace detail

struct Tactile : SensorTraits<SensorType::tactile> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    const int weld = m.body_weldid[m.geom_bodyid[m.sensor_refid[i]]];
    fill(out, m.sensor_dim[i], S(0));
    for (int c = 0; c < d.ncon; ++c) {
      for (int side = 0; side < 2; ++side) {
        const int geom = detail::touching_geom(m, d, c, side, weld);
        if (geom >= 0) feel(m, d, i, weld, geom, out);
      }
    }
  }

 private:
  // adds what the vertices feel of one geom
  template <class M, class D, class O>
  CORTEN_FN static void feel(const M& m, const D& d, int i, int weld, int geom, const O& out) {
    using S = typename D::Scalar;
    const int mesh = m.sensor_objid[i], own = m.sensor_refid[i], n = m.mesh_vertnum[mesh];
    const int tangents = m.mesh_tangentadr[mesh];
    const Vec3<S> pos = vec3<S>(d.geom_xpos, own);
    const Mat3<S> mat = mat3<S>(d.geom_xmat, own);
    const Vec3<S> moves =
        point_velocity(m, d, m.geom_bodyid[geom], vec3<S>(d.geom_xpos, geom)).template tail<3>();
    for (int v = 0; v < n; ++v) {
      const Vec3<S> x = pos + mat * vec3<S>(m.mesh_vert, m.mesh_vertadr[mesh] + v);
      const S depth = -detail::geom_depth(m, d, geom, x);
      if (!(value(depth) > 0)) continue;
      out[v] = max(out[v], depth);
      if (tangents < 0) continue;
      // as in MuJoCo the tangents are those of the mesh's own frame, however its geom is turned
      const Vec3<S> slides = point_velocity(m, d, weld, x).template tail<3>() - moves;
      for (int k = 0; k < 2; ++k) {
        const Vec3<S> along = vec3<S>(m.mesh_tangent, 2 * (tangents + v) + k);
        out[(1 + k) * n + v] += abs(S(slides.dot(along)));
      }
    }
  }
};

}  // namespace corten
