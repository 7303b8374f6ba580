// SPDX-License-Identifier: Apache-2.0
//
// A tree of boxes around the elements of each flex that may collide, made at qpos0. Each box is
// split at the median along its longest axis, by MuJoCo's rules: contacts of a flex with itself
// come in the order in which its tree is descended. Boxes are refitted in each step
// (collide/flex_tree.hpp).
#pragma once

#include <corten/core/list.hpp>
#include <corten/flex/grid.hpp>
#include <corten/math/quat.hpp>
#include <corten/model/model.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace corten {

namespace detail {

template <class S>
class FlexTrees {
 public:
  CORTEN_COLD explicit FlexTrees(Model<S>& model) : m(model) {
    m.n.nflexbvh = 0;
    m.flexbvh_child.clear();
    m.flexbvh_elem.clear();
    place_bodies();
    for (int f = 0; f < m.n.nflex; ++f) add_flex(f);
  }

 private:
  static constexpr double least = 1e-14;

  struct Element {
    int id;
    Vec3<double> low, high;

    Vec3<double> centre() const { return (high + low) * 0.5; }
  };

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  template <class F>
  static Vec3<double> point(const F& field, int i) {
    const std::size_t k = 3 * index(i);
    return {double(value(field[k])), double(value(field[k + 1])), double(value(field[k + 2]))};
  }

  // the frames of bodies at qpos0, where joints do not move them
  CORTEN_COLD void place_bodies() {
    place_.resize(index(m.n.nbody));
    turn_.resize(index(m.n.nbody));
    for (int b = 0; b < m.n.nbody; ++b) {
      Quat<double> q;
      for (int k = 0; k < 4; ++k) q[k] = double(value(m.body_quat[4 * index(b) + index(k)]));
      place_[index(b)] = point(m.body_pos, b);
      turn_[index(b)] = q;
      const int joint = m.body_jntadr[index(b)];
      const bool floats =
          joint >= 0 && m.jnt_type[index(joint)] == static_cast<int>(JointType::free);
      if (b == 0 || floats) continue;
      const std::size_t parent = index(m.body_parentid[index(b)]);
      place_[index(b)] = place_[parent] + rotate(turn_[parent], place_[index(b)]);
      turn_[index(b)] = multiply(turn_[parent], q);
    }
  }

  CORTEN_COLD Vec3<double> vertex(int f, int v) const {
    if (m.flex_interp[index(f)] == 0) {
      const std::size_t b = index(m.flex_vertbodyid[index(v)]);
      return place_[b] + rotate(turn_[b], point(m.flex_vert, v));
    }
    Vec3<double> out = Vec3<double>::Zero();
    const FlexGrid grid = flex_grid(ModelView<double>(m), f);
    each_cell_weight(grid, cell_at(grid, point(m.flex_vert0, v)), [&](int n, double w) {
      out += point(m.flex_node0, m.flex_nodeadr[index(f)] + n) * w;
    });
    return out;
  }

  CORTEN_COLD void add_flex(int f) {
    const int dim = m.flex_dim[index(f)], elements = m.flex_elemadr[index(f)];
    const double radius = double(value(m.flex_radius[index(f)]));
    List<Element> list;
    for (int e = 0; e < m.flex_elemnum[index(f)]; ++e) {
      const bool active = m.flex_elemlayer[index(elements + e)] < m.flex_activelayers[index(f)];
      if (dim == 3 && !active) continue;
      Element one{e, {}, {}};
      for (int i = 0; i <= dim; ++i) {
        const int corner = m.flex_elem[index(m.flex_elemdataadr[index(f)] + e * (dim + 1) + i)];
        const Vec3<double> at = vertex(f, m.flex_vertadr[index(f)] + corner);
        one.low = i == 0 ? at : Vec3<double>(one.low.cwiseMin(at));
        one.high = i == 0 ? at : Vec3<double>(one.high.cwiseMax(at));
      }
      for (int k = 0; k < 3; ++k) one.low[k] -= radius, one.high[k] += radius;
      list.push_back(one);
    }
    first_ = m.n.nflexbvh;
    m.flex_bvhadr[index(f)] = list.empty() ? -1 : first_;
    if (!list.empty()) add(list.data(), list.data() + list.size());
    m.flex_bvhnum[index(f)] = m.n.nflexbvh - first_;
  }

  // adds the box around some elements and all boxes below it; returns its number
  CORTEN_COLD int add(Element* begin, Element* end) {
    Vec3<double> low = begin->low, high = begin->high;
    for (const Element* e = begin; e != end; ++e) {
      low = low.cwiseMin(e->low);
      high = high.cwiseMax(e->high);
    }
    const int box = m.n.nflexbvh++;
    for (int k = 0; k < 2; ++k) m.flexbvh_child.push_back(-1);
    m.flexbvh_elem.push_back(end - begin == 1 ? begin->id : -1);
    if (end - begin == 1) return box - first_;
    const Vec3<double> edge = high - low;
    int axis = edge[1] >= edge[0] + least ? 1 : 0;
    if (edge[2] >= edge[axis] + least) axis = 2;
    Element* const half = begin + (end - begin) / 2;
    std::nth_element(begin, half, end, [axis](const Element& a, const Element& b) {
      const double x = a.centre()[axis], y = b.centre()[axis];
      return std::fabs(x - y) > least ? x < y : a.id < b.id;
    });
    const int first = add(begin, half), second = add(half, end);
    m.flexbvh_child[2 * index(box)] = first;
    m.flexbvh_child[2 * index(box) + 1] = second;
    return box - first_;
  }

  Model<S>& m;
  List<Vec3<double>> place_;
  List<Quat<double>> turn_;
  int first_ = 0;
};

}  // namespace detail

// Each box comes after its parent, and the subtree of its first child before that of its second.
template <class S>
CORTEN_COLD void flex_trees(Model<S>& m) {
  detail::FlexTrees<S>{m};
}

}  // namespace corten
