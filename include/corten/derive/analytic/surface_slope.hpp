// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of the motion of conveyor belts and turntables.
#pragma once

#include <corten/math/field.hpp>
#include <corten/math/vector.hpp>

namespace corten::derive::analytic {

// What the surfaces of a contact move by on their own (stage/surface.hpp): they slide along the
// tangents and spin about the normal.
template <class T>
struct SurfaceMotion {
  bool moves = false;
  Vec3<T> slide, spin;
  Vec3<T> straight[2], turning[2], arm[2], from_tree[2];  // by side; arms from geom and tree

  template <class M, class D>
  static SurfaceMotion of(const M& m, const D& d, int c) {
    SurfaceMotion out;
    if (m.n.nsurfacevel == 0) return out;
    out.moves = true;
    out.slide = out.spin = Vec3<T>::Zero();
    for (int s = 0; s < 2; ++s) {
      const int g = d.contact_geom[2 * c + s];
      const Vec6<T> own = vec6<T>(m.geom_surfacevel, g) * T(s == 0 ? -1 : 1);
      const Mat3<T> frame = mat3<T>(d.geom_xmat, g);
      const Vec3<T> at = vec3<T>(d.geom_xpos, g);
      out.straight[s] = frame * own.template head<3>();
      out.turning[s] = frame * own.template tail<3>();
      out.arm[s] = vec3<T>(d.contact_pos, c) - at;
      out.from_tree[s] = at - vec3<T>(d.subtree_com, m.body_rootid[m.geom_bodyid[g]]);
      out.slide += out.straight[s] + cross(out.turning[s], out.arm[s]);
      out.spin += out.turning[s];
    }
    return out;
  }

  // its change with motion n of side o, by which the contact shifts
  void change(int o, int n, const Vec3<T>& shift, Vec3<T>& by_slide, Vec3<T>& by_spin) const {
    const Vec3<T> axis = Vec3<T>::Unit(n % 3);
    by_slide = cross(spin, shift), by_spin = Vec3<T>::Zero();
    if (n >= 3) return static_cast<void>(by_slide -= cross(turning[o], axis));
    by_spin = cross(axis, turning[o]);
    by_slide += cross(axis, straight[o]) + cross(by_spin, arm[o]) -
                cross(turning[o], cross(axis, from_tree[o]));
  }
};

}  // namespace corten::derive::analytic
