// SPDX-License-Identifier: Apache-2.0
//
// Which elements of flexes are near something: trees of boxes around the elements, made when the
// model is compiled (compile/flex_trees.hpp) and refitted in each step. Only elements that may
// collide are in the trees. Sweeping along an axis is the alternative within a flex.
#pragma once

#include <corten/collide/filter.hpp>

namespace corten {

namespace detail {

// Trees are balanced: their depth is the logarithm of the number of elements. Descending one of two
// trees takes one from the stack and puts at most two there.
inline constexpr int flex_stack = 128;

// a box of the data: centre and half sizes
template <class V>
struct ElementBox {
  V at[6];

  template <class F>
  CORTEN_FN static ElementBox load(const F& boxes, int i) {
    ElementBox out;
    for (int k = 0; k < 6; ++k) out.at[k] = static_cast<V>(value(boxes[6 * i + k]));
    return out;
  }

  CORTEN_FN bool apart(const ElementBox& o, V margin) const {
    for (int k = 0; k < 3; ++k) {
      if (at[k] + at[3 + k] + margin < o.at[k] - o.at[3 + k]) return true;
      if (o.at[k] + o.at[3 + k] + margin < at[k] - at[3 + k]) return true;
    }
    return false;
  }
  // apart from a cube
  CORTEN_FN bool apart(const Vec3<V>& centre, V half) const {
    for (int k = 0; k < 3; ++k) {
      if (centre[k] + half < at[k] - at[3 + k]) return true;
      if (centre[k] - half > at[k] + at[3 + k]) return true;
    }
    return false;
  }
  // What MuJoCo compares to decide which of two trees to descend. It takes centre and half sizes
  // for two corners; the order of contacts depends on it.
  CORTEN_FN V surface() const {
    const V x = at[3] - at[0], y = at[4] - at[1], z = at[5] - at[2];
    return x * y + y * z + z * x;
  }
};

// Is the bounding box of a geom farther than `reach` from that of an element, along an axis of
// either? Terms are summed in MuJoCo's order, as rounding decides about boxes that barely touch.
template <class V>
CORTEN_FN bool boxes_apart(const BoundingBox<V>& geom, const ElementBox<V>& box, V reach) {
  const Vec3<V> centre(box.at[0], box.at[1], box.at[2]);
  for (int k = 0; k < 3; ++k) {
    const Vec3<V>& n = geom.axis[k];
    const V element = abs(box.at[3] * n[0]) + abs(box.at[4] * n[1]) + abs(box.at[5] * n[2]);
    if (geom.reach(n) + element + reach < abs(centre.dot(n) - geom.centre.dot(n))) return true;
  }
  for (int k = 0; k < 3; ++k) {
    const Vec3<V> n = Vec3<V>::Unit(k);
    if (geom.reach(n) + box.at[3 + k] + reach < abs(box.at[k] - geom.centre[k])) return true;
  }
  return false;
}

template <class V, class F>
CORTEN_FN Vec3<V> value3(const F& field, int i) {
  return {value(field[3 * i]), value(field[3 * i + 1]), value(field[3 * i + 2])};
}

// one of the boxes around the geoms of a body (compile/boxes.hpp), in the world
template <class V, class M, class D>
CORTEN_FN BoundingBox<V> body_box(const M& m, const D& d, int body, int box) {
  return box_in_world<V>(m.box_aabb.from(6 * box), d.ximat.from(9 * body), d.xipos.from(3 * body));
}

}  // namespace detail

// fits the boxes of the tree of a flex to its elements
template <class M, class D>
CORTEN_FN void refit_tree(const M& m, const D& d, int f) {
  using V = value_t<typename D::Scalar>;
  using P = typename D::Primal;
  const int first = m.flex_bvhadr[f], elements = m.flex_elemadr[f];
  for (int i = first + m.flex_bvhnum[f] - 1; i >= first; --i) {
    const auto box = d.flexbvh_aabb.from(6 * i);
    if (const int e = m.flexbvh_elem[i]; e >= 0) {
      for (int k = 0; k < 6; ++k) box[k] = P(value(d.flexelem_aabb[6 * (elements + e) + k]));
      continue;
    }
    const auto a = d.flexbvh_aabb.from(6 * (first + m.flexbvh_child[2 * i]));
    const auto b = d.flexbvh_aabb.from(6 * (first + m.flexbvh_child[2 * i + 1]));
    for (int k = 0; k < 3; ++k) {
      const V low1 = value(a[k]) - value(a[3 + k]), low2 = value(b[k]) - value(b[3 + k]);
      const V high1 = value(a[k]) + value(a[3 + k]), high2 = value(b[k]) + value(b[3 + k]);
      const V low = low1 < low2 ? low1 : low2, high = high1 > high2 ? high1 : high2;
      box[k] = P(V(0.5) * (high + low));
      box[3 + k] = P(V(0.5) * (high - low));
    }
  }
}

// f(element, box) for the elements of a flex whose boxes touch a cube around `centre`, in the order
// in which MuJoCo descends the tree
template <class M, class D, class V, class F>
CORTEN_FN void each_element_near(const M& m, const D& d, int flex, const Vec3<V>& centre, V half,
                                 F&& f) {
  using Bound = detail::ElementBox<V>;
  int stack[detail::flex_stack];
  int size = 1;
  stack[0] = 0;
  const int first = m.flex_bvhadr[flex];
  while (size > 0) {
    const int node = first + stack[--size];
    const Bound box = Bound::load(d.flexbvh_aabb, node);
    if (box.apart(centre, half)) continue;
    if (m.flexbvh_elem[node] >= 0) {
      f(int(m.flexbvh_elem[node]), box);
      continue;
    }
    for (int k = 0; k < 2; ++k) stack[size++] = m.flexbvh_child[2 * node + k];
  }
}

// f(geom, element, box of the element) for the geoms of a body and the elements of a flex that may
// be near each other, in the order in which MuJoCo descends the trees of both. `matters` says which
// geoms are wanted, `reach` how far from a geom elements may be; between boxes around several geoms
// or elements `margin` counts.
template <class M, class D, class V, class Matters, class Reach, class F>
CORTEN_FN void each_geom_element_near(const M& m, const D& d, int body, int flex, V margin,
                                      Matters&& matters, Reach&& reach, F&& f) {
  using Bound = detail::ElementBox<V>;
  int stack[detail::flex_stack][2];
  int size = 1;
  stack[0][0] = m.body_boxadr[body];
  stack[0][1] = 0;
  const int first = m.flex_bvhadr[flex];
  while (size > 0) {
    const int node1 = stack[--size][0], node2 = stack[size][1];
    const Bound elements = Bound::load(d.flexbvh_aabb, first + node2);
    const int e = m.flexbvh_elem[first + node2];
    const bool leaf = m.box_child[2 * node1] < 0;
    if (leaf) {
      const int g = m.box_child[2 * node1 + 1];
      if (!matters(g)) continue;
      const V half = static_cast<V>(value(m.geom_rbound[g])) + reach(g);
      if (elements.apart(detail::value3<V>(d.geom_xpos, g), half)) continue;
      if (e >= 0) {
        f(g, e, elements);
        continue;
      }
    } else if (detail::boxes_apart(detail::body_box<V>(m, d, body, node1), elements, margin)) {
      continue;
    }
    const bool descend1 =
        e >= 0 || (!leaf && Bound::load(m.box_aabb, node1).surface() > elements.surface());
    for (int k = 0; k < 2; ++k) {
      stack[size][0] = descend1 ? int(m.box_child[2 * node1 + k]) : node1;
      stack[size++][1] = descend1 ? node2 : int(m.flexbvh_child[2 * (first + node2) + k]);
    }
  }
}

// f(element of the first flex, element of the second) for elements whose boxes come within `margin`
// of each other, in the order in which MuJoCo descends the two trees. Both may be the same flex.
template <class M, class D, class V, class F>
CORTEN_FN void each_elements_near(const M& m, const D& d, int flex1, int flex2, V margin, F&& f) {
  using Bound = detail::ElementBox<V>;
  int stack[detail::flex_stack][2];
  int size = 1;
  stack[0][0] = stack[0][1] = 0;
  const int first1 = m.flex_bvhadr[flex1], first2 = m.flex_bvhadr[flex2];
  while (size > 0) {
    const int node1 = stack[--size][0], node2 = stack[size][1];
    if (flex1 == flex2 && node1 > node2) continue;
    const int e1 = m.flexbvh_elem[first1 + node1], e2 = m.flexbvh_elem[first2 + node2];
    if (e1 >= 0 && e2 >= 0) {
      f(e1, e2);
      continue;
    }
    const Bound box1 = Bound::load(d.flexbvh_aabb, first1 + node1);
    const Bound box2 = Bound::load(d.flexbvh_aabb, first2 + node2);
    if (box1.apart(box2, margin)) continue;
    const bool descend1 = e2 >= 0 || (e1 < 0 && box1.surface() > box2.surface());
    for (int k = 0; k < 2; ++k) {
      stack[size][0] = descend1 ? int(m.flexbvh_child[2 * (first1 + node1) + k]) : node1;
      stack[size++][1] = descend1 ? node2 : int(m.flexbvh_child[2 * (first2 + node2) + k]);
    }
  }
}

// ---- sweeping -----------------------------------------------------------------------------------

namespace detail {

// Sorts the ends of intervals. Equal ends stay in the order of their numbers.
template <class K, class I>
CORTEN_FN void sort_ends(const K& key, const I& id, int count) {
  constexpr int gaps[] = {8861, 3938, 1750, 701, 301, 132, 57, 23, 10, 4, 1};
  for (const int gap : gaps) {
    for (int i = gap; i < count; ++i) {
      const auto moved = key[i];
      const int number = id[i];
      int j = i;
      for (; j >= gap; j -= gap) {
        const auto before = value(key[j - gap]), now = value(moved);
        if (before < now || (before == now && id[j - gap] < number)) break;
        key[j] = key[j - gap];
        id[j] = id[j - gap];
      }
      key[j] = moved;
      id[j] = number;
    }
  }
}

}  // namespace detail

// The same within one flex, by sweeping along the axis in which the flex is longest, in single
// precision as MuJoCo does.
template <class M, class D, class F>
CORTEN_FN void sweep_elements(const M& m, const D& d, int flex, F&& f) {
  using V = value_t<typename D::Scalar>;
  using P = typename D::Primal;
  using Bound = detail::ElementBox<V>;
  const int elements = m.flex_elemadr[flex], count = m.flex_elemnum[flex];
  const Bound all = Bound::load(d.flexbvh_aabb, m.flex_bvhadr[flex]);
  const V x = all.at[3], y = all.at[4], z = all.at[5];
  const int axis = x > y && x > z ? 0 : y > z ? 1 : 2;
  const int one = axis == 0 ? 1 : 0, two = axis == 2 ? 1 : 2;  // the other axes
  const auto key = d.flex_end.from(2 * elements);
  const auto id = d.flex_order.from(3 * elements),
             open = d.flex_order.from(3 * elements + 2 * count);
  int ends = 0;
  for (int e = 0; e < count; ++e) {
    if (m.flex_dim[flex] == 3 && m.flex_elemlayer[elements + e] >= m.flex_activelayers[flex]) {
      continue;
    }
    const Bound box = Bound::load(d.flexelem_aabb, elements + e);
    for (int end = 0; end < 2; ++end) {
      const V at = end == 0 ? box.at[axis] - box.at[3 + axis] : box.at[axis] + box.at[3 + axis];
      key[ends] = P(static_cast<V>(static_cast<float>(at)));
      id[ends++] = 2 * e + end;
    }
  }
  detail::sort_ends(key, id, ends);
  int width = 0;
  for (int i = 0; i < ends; ++i) {
    const int e = id[i] / 2;
    if (id[i] % 2 == 1) {
      int k = 0;
      while (open[k] != e) ++k;
      for (--width; k < width; ++k) open[k] = open[k + 1];
      continue;
    }
    const Bound box = Bound::load(d.flexelem_aabb, elements + e);
    const V low1 = box.at[one] - box.at[3 + one], high1 = box.at[one] + box.at[3 + one];
    const V low2 = box.at[two] - box.at[3 + two], high2 = box.at[two] + box.at[3 + two];
    for (int k = 0; k < width; ++k) {
      const auto other = d.flexelem_aabb.from(6 * (elements + open[k]));
      const V at1 = value(other[one]), half1 = value(other[3 + one]);
      if (at1 - half1 > high1 || low1 > at1 + half1) continue;
      const V at2 = value(other[two]), half2 = value(other[3 + two]);
      if (at2 - half2 > high2 || low2 > at2 + half2) continue;
      f(int(open[k]), e);
    }
    open[width++] = e;
  }
}

}  // namespace corten
