// SPDX-License-Identifier: Apache-2.0
//
// A grid of signed distances (sdf_ fields of the model), as colliders, rays and sensors see it.
#pragma once

#include <corten/math/vector.hpp>

namespace corten {

template <class S>
struct GridView {
  const float* data = nullptr;  // null: no grid
  int n[3] = {0, 0, 0};
  Vec3<S> origin = Vec3<S>::Zero();
  S cell = S(1);

  CORTEN_FN Vec3<S> high() const {
    Vec3<S> out = origin;
    for (int k = 0; k < 3; ++k) out[k] += cell * S(n[k] - 1);
    return out;
  }

  // Distances are trilinear between the nodes. For a point outside the grid, the distance and slope
  // at the nearest point of the grid locate the surface, and the distance is measured to that
  // location.
  CORTEN_FN S distance(const Vec3<S>& p) const {
    Vec3<S> slope, beyond;
    S at[3];
    int first[3];
    bool outside = false;
    for (int k = 0; k < 3; ++k) {
      const S x = (p[k] - origin[k]) / cell;
      const value_t<S> v = value(x), most = value_t<S>(n[k] - 1);
      const bool below = !(v >= 0), above = v > most;  // below includes NaN
      first[k] = below ? 0 : (v >= most ? n[k] - 2 : static_cast<int>(v));
      at[k] = below ? S(0) : (above ? S(1) : S(x - S(first[k])));
      beyond[k] = below || above ? S((x - S(first[k]) - at[k]) * cell) : S(0);
      outside = outside || below || above;
    }
    const S here = interpolate(first, at, slope);
    if (!outside) return here;
    const S far = norm(beyond);
    return value(here) > 0 ? norm(beyond + slope * here) : S(here + far);
  }

  // The direction in which the distance grows, by differences over one cell to both sides. Unlike
  // the slope of the trilinear function, it changes continuously from cell to cell.
  CORTEN_FN Vec3<S> gradient(const Vec3<S>& p) const {
    Vec3<S> out;
    for (int k = 0; k < 3; ++k) {
      Vec3<S> up = p, down = p;
      up[k] += cell;
      down[k] -= cell;
      out[k] = (distance(up) - distance(down)) / (S(2) * cell);
    }
    return out;
  }

 private:
  CORTEN_FN S interpolate(const int (&first)[3], const S (&at)[3], Vec3<S>& slope) const {
    using V = value_t<S>;
    const float* corner = data + first[0] + n[0] * (first[1] + n[1] * first[2]);
    S line[2][2], rise[2][2];  // along x, at the four corners in y and z
    for (int z = 0; z < 2; ++z) {
      for (int y = 0; y < 2; ++y) {
        const float* c = corner + n[0] * (y + n[1] * z);
        const V low = static_cast<V>(c[0]), step = static_cast<V>(c[1]) - low;
        rise[z][y] = S(step);
        line[z][y] = S(low) + at[0] * S(step);
      }
    }
    const S near = line[0][0] + at[1] * (line[0][1] - line[0][0]);
    const S far = line[1][0] + at[1] * (line[1][1] - line[1][0]);
    const S near_x = rise[0][0] + at[1] * (rise[0][1] - rise[0][0]);
    const S far_x = rise[1][0] + at[1] * (rise[1][1] - rise[1][0]);
    const S low_y = line[0][1] - line[0][0], high_y = line[1][1] - line[1][0];
    slope[0] = (near_x + at[2] * (far_x - near_x)) / cell;
    slope[1] = (low_y + at[2] * (high_y - low_y)) / cell;
    slope[2] = (far - near) / cell;
    return near + at[2] * (far - near);
  }
};

// grid `id` of a model in scalar S, as plain numbers if S carries no derivatives
template <class S, class M>
CORTEN_FN GridView<S> grid_view(const M& m, int id) {
  const auto number = [](const auto& x) {
    if constexpr (is_dual<S>) {
      return static_cast<S>(x);
    } else {
      return static_cast<S>(value(x));
    }
  };
  GridView<S> out;
  out.data = m.sdf_data.data + m.sdf_adr[id];
  for (int k = 0; k < 3; ++k) {
    out.n[k] = m.sdf_size[3 * id + k];
    out.origin[k] = number(m.sdf_origin[3 * id + k]);
  }
  out.cell = number(m.sdf_cell[id]);
  return out;
}

}  // namespace corten
