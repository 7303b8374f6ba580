// SPDX-License-Identifier: Apache-2.0
//
// Which geoms that barely touch does MuJoCo leave out? Its broad phase sweeps boxes around bodies
// along the principal axes of the cloud of all geoms, the first of them in single precision. Its
// midphase descends trees of boxes around the geoms of a body (compile/boxes.hpp). Geoms that are
// near enough for a contact lie in boxes that overlap, except for rounding: where they touch at a
// distance of exactly zero (or of the margin), as the fingers of a closed gripper do, the last bits
// decide whether there are contacts. So the boxes need not be tested before the colliders run, only
// afterwards, for hits that are almost misses.
#pragma once

#include <corten/collide/filter.hpp>
#include <corten/math/principal.hpp>

#include <limits>

namespace corten {

template <class M, class D>
class Sweep {
  using V = value_t<typename D::Scalar>;

 public:
  CORTEN_FN Sweep(const M& model, const D& data) : m(model), d(data) {}

  // Can rounding decide about two geoms whose deepest hit, at `pos`, is `depth` within their reach?
  // Their boxes overlap by as much, and single precision moves the ends of boxes by less than 1e-7
  // of their coordinates. If margins are overridden the answer is always yes, because MuJoCo's
  // boxes then leave out the gap.
  CORTEN_FN bool decides(V depth, const Vec3<V>& pos) const {
    const V far = abs(pos[0]) + abs(pos[1]) + abs(pos[2]);
    return depth < V(1e-5) * (V(1) + far) || m.opt.enabled(enable_override);
  }

  [[gnu::noinline]] CORTEN_FN bool leaves_out(int g1, int g2) {
    const bool ordered = m.geom_bodyid[g1] < m.geom_bodyid[g2];
    const int first = ordered ? g1 : g2, second = ordered ? g2 : g1;
    return bodies_apart(m.geom_bodyid[first], m.geom_bodyid[second]) ||
           (in_midphase(m, g1, g2, -1) && boxes_apart_above(first, second));
  }

 private:
  struct Extent {
    V low, high;
  };

  CORTEN_FN static float single(V x) { return static_cast<float>(x); }

  // does the sweep separate body a from body b, which comes after it?
  CORTEN_FN bool bodies_apart(int a, int b) {
    if (!is_swept(a) || !is_swept(b)) return false;
    if (!placed_) place();
    // equal ends are in the order of the bodies
    const Extent x = extent(a, axis_.row(0)), y = extent(b, axis_.row(0));
    if (!(single(y.low) < single(x.high)) || single(x.low) > single(y.high)) return true;
    for (int k = 1; k < 3; ++k) {
      const Extent p = extent(a, axis_.row(k)), q = extent(b, axis_.row(k));
      if (p.low > q.high || q.low > p.high) return true;
    }
    return false;
  }

  // The world, and bodies that cannot move and have a plane, are paired with everything instead.
  CORTEN_FN bool is_swept(int body) const {
    if (body == 0) return false;
    if (m.body_dofnum[m.body_weldid[body]] > 0) return true;
    for (int i = 0; i < m.body_geomnum[body]; ++i) {
      const int type = m.geom_type[m.body_geomadr[body] + i];
      if (type == static_cast<int>(GeomType::plane)) return false;
    }
    return true;
  }

  CORTEN_FN Vec3<V> position(int g) const {
    return {value(d.geom_xpos[3 * g]), value(d.geom_xpos[3 * g + 1]),
            value(d.geom_xpos[3 * g + 2])};
  }

  // Finds the sweep axes. As in MuJoCo they are the rows, not the columns, of the matrix whose
  // columns are the principal axes of the cloud.
  CORTEN_FN void place() {
    int count = 0;
    Vec3<V> centre = Vec3<V>::Zero();
    for (int g = 0; g < m.n.ngeom; ++g) {
      if (m.geom_bodyid[g] == 0) continue;
      centre += position(g);
      ++count;
    }
    const V share = V(1) / V(count);
    centre *= share;
    V sum[6] = {V(0), V(0), V(0), V(0), V(0), V(0)};  // 00 01 02 11 12 22
    for (int g = 0; g < m.n.ngeom; ++g) {
      if (m.geom_bodyid[g] == 0) continue;
      const Vec3<V> off = position(g) - centre;
      for (int i = 0, k = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) sum[k++] += off[i] * off[j];
      }
    }
    for (V& x : sum) x *= share;
    const Mat3<V> cloud(sum[0], sum[1], sum[2], sum[1], sum[3], sum[4], sum[2], sum[4], sum[5]);
    axis_ = to_matrix(principal_axes(cloud, [](Quat<V>& q) { renormalize(q); }).quat);
    placed_ = true;
  }

  // the extent of a body's geoms along n: of their boxes, or bounding spheres where these are
  // smaller
  CORTEN_FN Extent extent(int body, const Vec3<V>& n) const {
    const V o_margin = static_cast<V>(V(0.5) * static_cast<V>(value(m.opt.o_margin)));
    const bool override_margin = m.opt.enabled(enable_override) && o_margin != 0;
    Extent out{std::numeric_limits<V>::max(), -std::numeric_limits<V>::max()};
    for (int i = 0; i < m.body_geomnum[body]; ++i) {
      const int g = m.body_geomadr[body] + i;
      const V margin = override_margin ? o_margin
                                       : static_cast<V>(value(m.geom_margin[g])) +
                                             static_cast<V>(value(m.geom_gap[g]));
      const BoundingBox<V> box = bounding_box<V>(m, d, g);
      const V radius = static_cast<V>(value(m.geom_rbound[g])), half = box.reach(n);
      const V middle = box.centre.dot(n), place = position(g).dot(n);
      const V low = max(V(place - radius), V(middle - half)) - margin;
      const V high = min(V(place + radius), V(middle + half)) + margin;
      if (low < out.low) out.low = low;
      if (high > out.high) out.high = high;
    }
    return out;
  }

  // does the midphase separate two geoms, by the boxes on the way down to both?
  CORTEN_FN bool boxes_apart_above(int g1, int g2) const {
    const int leaf[2] = {m.geom_box[g1], m.geom_box[g2]};
    const int body[2] = {m.geom_bodyid[g1], m.geom_bodyid[g2]};
    int box[2] = {m.body_boxadr[body[0]], m.body_boxadr[body[1]]};
    if (leaf[0] < 0 || leaf[1] < 0) return false;
    const V margin = m.opt.enabled(enable_override) ? static_cast<V>(value(m.opt.o_margin))
                                                    : margin_of(body[0]) + margin_of(body[1]);
    while (box[0] != leaf[0] || box[1] != leaf[1]) {
      if (nodes_apart(box, body, margin)) return true;
      int down = box[0] == leaf[0] ? 1 : 0;
      if (box[0] != leaf[0] && box[1] != leaf[1]) down = surface(box[0]) > surface(box[1]) ? 0 : 1;
      const int child[2] = {m.box_child[2 * box[down]], m.box_child[2 * box[down] + 1]};
      box[down] = leaf[down] >= child[1] ? child[1] : child[0];
    }
    return false;
  }

  CORTEN_FN V margin_of(int body) const {
    V most = V(0);
    for (int i = 0; i < m.body_geomnum[body]; ++i) {
      const int g = m.body_geomadr[body] + i;
      most = max(most,
                 V(static_cast<V>(value(m.geom_margin[g])) + static_cast<V>(value(m.geom_gap[g]))));
    }
    return most;
  }

  CORTEN_FN V box_number(int box, int k) const {
    return static_cast<V>(value(m.box_aabb[6 * box + k]));
  }

  // What MuJoCo takes for the surface area of a box: it subtracts the centre where the lower corner
  // would be right.
  CORTEN_FN V surface(int box) const {
    V e[3];
    for (int k = 0; k < 3; ++k) e[k] = box_number(box, 3 + k) - box_number(box, k);
    return e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
  }

  CORTEN_FN Vec3<V> inertial_axis(int body, int k) const {
    return {value(d.ximat[9 * body + k]), value(d.ximat[9 * body + 3 + k]),
            value(d.ximat[9 * body + 6 + k])};
  }

  // are two boxes apart along an axis of either? The box of a plane is infinite
  CORTEN_FN bool nodes_apart(const int (&box)[2], const int (&body)[2], V margin) const {
    const V infinite = V(1e10);
    int endless[2];
    for (int i = 0; i < 2; ++i) {
      endless[i] = 0;
      for (int k = 0; k < 3; ++k) endless[i] += box_number(box[i], 3 + k) >= infinite ? 1 : 0;
      if (endless[i] == 3) return false;
    }
    for (int j = 0; j < 2; ++j) {
      for (int k = 0; k < 3 && endless[1 - j] == 0; ++k) {
        const Vec3<V> n = inertial_axis(body[j], k);
        V middle[2], half[2];
        for (int i = 0; i < 2; ++i) {
          V c[3], h[3];
          for (int l = 0; l < 3; ++l) {
            const V along = inertial_axis(body[i], l).dot(n);
            c[l] = box_number(box[i], l) * along;
            h[l] = abs(V(box_number(box[i], 3 + l) * along));
          }
          const Vec3<V> centre(value(d.xipos[3 * body[i]]), value(d.xipos[3 * body[i] + 1]),
                               value(d.xipos[3 * body[i] + 2]));
          middle[i] = c[0] + c[1] + c[2] + centre.dot(n);
          half[i] = h[0] + h[1] + h[2];
        }
        if (half[0] + half[1] + margin < abs(V(middle[1] - middle[0]))) return true;
      }
    }
    return false;
  }

  const M& m;
  const D& d;
  bool placed_ = false;
  Mat3<V> axis_;
};

}  // namespace corten
