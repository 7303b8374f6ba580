// SPDX-License-Identifier: Apache-2.0
//
// A tree of boxes around the colliding geoms of each body, in the body's inertial frame. MuJoCo's
// midphase descends such trees to find geoms that are near each other. Here the trees tell which
// barely touching pairs MuJoCo leaves out (collide/sweep.hpp), and in which order geoms of a body
// meet the elements of a flex (collide/flex_tree.hpp), so their boxes are rounded exactly as MuJoCo
// rounds them.
#pragma once

#include <corten/core/list.hpp>
#include <corten/math/quat.hpp>
#include <corten/model/model.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace corten {

namespace detail {

template <class S>
class BoxTree {
 public:
  CORTEN_COLD BoxTree(Model<S>& model, int body)
      : m(model), centre_(point(m.body_ipos, body)), back_(conjugate(quat(m.body_iquat, body))) {
    List<Element> elements;
    const int first = m.body_geomadr[index(body)], n = m.body_geomnum[index(body)];
    for (int g = first; g < first + n; ++g) {
      if (m.geom_contype[index(g)] == 0 && m.geom_conaffinity[index(g)] == 0) continue;
      elements.push_back({g, turned(back_, point(m.geom_pos, g) - centre_)});
    }
    if (elements.size() > 0) add(elements.data(), elements.data() + elements.size());
  }

 private:
  static constexpr double least = 1e-14;

  struct Element {
    int geom;
    Vec3<double> place;  // in the inertial frame
  };

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  template <class F>
  static Vec3<double> point(const F& field, int i) {
    const std::size_t k = 3 * index(i);
    return {double(value(field[k])), double(value(field[k + 1])), double(value(field[k + 2]))};
  }
  template <class F>
  static Quat<double> quat(const F& field, int i) {
    Quat<double> q;
    for (int k = 0; k < 4; ++k) q[k] = double(value(field[4 * index(i) + index(k)]));
    return q;
  }

  // skips a rotation that changes nothing, and with it the rounding
  static Vec3<double> turned(const Quat<double>& q, const Vec3<double>& v) {
    const bool same = q[0] == 1 && q[1] == 0 && q[2] == 0 && q[3] == 0;
    return same || (v[0] == 0 && v[1] == 0 && v[2] == 0) ? v : rotate(q, v);
  }

  // widens a box to contain that of a geom
  CORTEN_COLD void widen(int g, Vec3<double>& low, Vec3<double>& high) const {
    const Quat<double> q = quat(m.geom_quat, g);
    const Vec3<double> off = point(m.geom_pos, g) - centre_;
    const Vec3<double> middle = point(m.geom_aabb, 2 * g), half = point(m.geom_aabb, 2 * g + 1);
    for (int v = 0; v < 8; ++v) {
      Vec3<double> corner;
      for (int k = 0; k < 3; ++k) {
        corner[k] = (v >> k & 1) != 0 ? middle[k] + half[k] : middle[k] - half[k];
      }
      corner = turned(back_, turned(q, corner) + off);
      low = low.cwiseMin(corner);
      high = high.cwiseMax(corner);
    }
  }

  // adds the box around some geoms and all boxes below it; returns its number
  CORTEN_COLD int add(Element* begin, Element* end) {
    constexpr double infinite = std::numeric_limits<double>::max();
    Vec3<double> low(infinite, infinite, infinite), high = -low;
    for (const Element* e = begin; e != end; ++e) widen(e->geom, low, high);
    for (int k = 0; k < 3; ++k) {
      if (std::fabs(low[k] - high[k]) < least) low[k] -= least, high[k] += least;
    }
    const int box = m.n.nbox++;
    for (int k = 0; k < 2; ++k) m.box_child.push_back(-1);
    for (int k = 0; k < 3; ++k) m.box_aabb.push_back(S((high[k] + low[k]) / 2));
    for (int k = 0; k < 3; ++k) m.box_aabb.push_back(S((high[k] - low[k]) / 2));
    if (end - begin == 1) {
      m.geom_box[index(begin->geom)] = box;
      m.box_child[2 * index(box) + 1] = begin->geom;
      return box;
    }
    const Vec3<double> edge = high - low;
    int axis = edge[1] >= edge[0] + least ? 1 : 0;
    if (edge[2] >= edge[axis] + least) axis = 2;
    Element* const half = begin + (end - begin) / 2;
    std::nth_element(begin, half, end, [axis](const Element& a, const Element& b) {
      if (std::fabs(a.place[axis] - b.place[axis]) > least) return a.place[axis] < b.place[axis];
      return a.geom < b.geom;
    });
    const int first = add(begin, half), second = add(half, end);
    m.box_child[2 * index(box)] = first;
    m.box_child[2 * index(box) + 1] = second;
    return box;
  }

  Model<S>& m;
  Vec3<double> centre_;
  Quat<double> back_;
};

}  // namespace detail

// Builds the boxes of all bodies. Each box comes after its parent, and the subtree of its first
// child before that of its second. Without bodies of several geoms MuJoCo has no midphase, and
// there are no boxes.
template <class S>
CORTEN_COLD void body_boxes(Model<S>& m) {
  m.n.nbox = 0;
  m.box_child.clear();
  m.box_aabb.clear();
  m.body_boxadr.assign(m.body_geomnum.size(), -1);
  m.geom_box.assign(m.geom_type.size(), -1);
  if (std::none_of(m.body_geomnum.begin(), m.body_geomnum.end(), [](int n) { return n > 1; }))
    return;
  for (int b = 0; b < m.n.nbody; ++b) {
    const int first = m.n.nbox;
    detail::BoxTree<S>(m, b);
    if (m.n.nbox > first) m.body_boxadr[static_cast<std::size_t>(b)] = first;
  }
}

}  // namespace corten
