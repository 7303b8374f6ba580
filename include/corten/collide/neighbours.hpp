// SPDX-License-Identifier: Apache-2.0
//
// The broad phase of large models. A model with many geoms has no list of the pairs that can ever
// touch (compile/candidates.hpp); the data has one of the pairs that may touch soon. It holds while
// no geom has moved, or grown, by more than its slack; until then a step costs one test per pair of
// the list, as in small models. When it no longer holds, the pairs are found again with a grid.
//
// The grid has levels. The cells of a level are at least as wide as the geoms that it holds, each
// in the cell of its centre, so geoms that touch lie in neighbouring cells of the larger one's
// level. Cells are chains in a hash table. Geoms are entered from the largest level to the
// smallest, and each looks for those that are there already: every pair is found once, in time
// proportional to the number of geoms and of pairs. Geoms without bounds are paired with all
// others.
//
// A few hundred geoms of many sizes, as those of a crowd, have few in each cell and many cells to
// look into. They are sorted along the axis on which they are spread most instead, and each is
// compared with those that start before it ends: 22 humanoids take half the time. The estimated
// cost decides, and has no effect on the result.
//
// The pairs are then sorted into MuJoCo's order. So which contacts are found, and their order, is
// the same as with a list of all pairs, to the bit, and does not depend on when the pairs were
// found.
#pragma once

#include <corten/collide/filter.hpp>
#include <corten/collide/pair_filter.hpp>
#include <corten/collide/pair_order.hpp>
#include <corten/collide/sorted_geoms.hpp>
#include <corten/core/bits.hpp>

#include <bit>
#include <cstdint>

namespace corten {

template <class M, class D>
class Neighbours {
  using V = value_t<typename D::Scalar>;
  using P = typename D::Primal;

 public:
  // how pairs are found; the result is the same
  enum class Way { cheapest, grid, sorted };

  CORTEN_FN Neighbours(const M& model, const D& data, Way way = Way::cheapest)
      : m(model), d(data), filter_(model), way_(way) {}

  // Makes the list hold; place_bounds() comes first. Returns false if there is no room for it.
  CORTEN_FN bool update() {
    d.near_age = d.near_age + 1;
    return holds() || find();
  }

 private:
  // Slack, relative to the radius: enough for some steps, little enough for few pairs.
  static constexpr double least_slack = 0.1, most_slack = 0.4, slack_steps = 6;
  // Cells are wider than the geoms in them, because single precision moves geoms by up to 0.016 of
  // a cell if they are 2^18 cells away; those that are farther away share the outermost cells.
  static constexpr float cell_margin = 2.1f;
  static constexpr int farthest = (1 << 18) - 2;
  static constexpr int levels = 32, absent = -1, unbounded = -2;

  // ---- does the list hold? ----------------------------------------------------------------------

  // what the list depends on, besides the poses; never 0
  CORTEN_FN int key() const {
    const int flags = m.opt.disableflags & (disable_filterparent | disable_midphase);
    return (m.grid_key[0] ^ flags << 8) | 1;
  }

  CORTEN_FN V distance2(int g) const {
    V sum = V(0);
    for (int k = 0; k < 3; ++k) {
      const V moved = value(d.geom_bound[4 * g + k]) - value(d.near_bound[5 * g + k]);
      sum += moved * moved;
    }
    return sum;
  }

  CORTEN_FN bool holds() const {
    if (d.near_key != key()) return false;
    int out = 1;  // without branches
    for (int g = 0; g < m.n.ngeom; ++g) {
      const V grown = value(d.geom_bound[4 * g + 3]) - value(d.near_bound[5 * g + 3]);
      const V room = value(d.near_bound[5 * g + 4]) - grown;
      out &= int(room >= V(0)) & int(distance2(g) <= V(0.98) * room * room);
    }
    return out != 0;
  }

  // ---- finding the pairs ------------------------------------------------------------------------

  CORTEN_FN bool find() {
    place();
    d.near_count = 0;
    for (int k = 0; k < m.n.npair; ++k) {
      const int g1 = m.pair_geom1[k], g2 = m.pair_geom2[k];
      if (filter_.types_collide(g1, g2)) append(g1, g2, k);
    }
    if (d.n.paired_bodies() > 0) {
      pair_bodies();
    } else if (sorting_pays()) {
      sweep_sorted();
    } else {
      fill_grid();
    }
    for (int g = 0; g < m.n.ngeom; ++g) {
      if (d.grid_level[g] == unbounded) pair_with_all(g);
    }
    d.near_needed = d.near_count;
    const bool fits = d.near_count <= d.n.nnear;
    if (fits) PairOrder(m, d).make();
    d.near_key = fits ? key() : 0;
    d.near_age = 0;
    return fits;
  }

  CORTEN_FN void fill_grid() {
    for (int i = 0; i < d.n.nslot; ++i) d.grid_head[i] = -1;
    for (int level = levels - 1; level >= 0; --level) {
      if ((present_ >> level & 1) == 0) continue;
      for (int g = 0; g < m.n.ngeom; ++g) {
        if (d.grid_level[g] == level) enter(g, level);
      }
    }
  }

  // Slack grows with the speed, up to a limit: fast geoms would soon use it up.
  CORTEN_FN V slack(int g, bool moved) const {
    const V reach = value(d.geom_bound[4 * g + 3]);
    const V least = V(least_slack) * reach, most = V(most_slack) * reach;
    if (!moved) return max(least, V(0));
    const V wanted = V(slack_steps) * sqrt(distance2(g)) / V(d.near_age > 0 ? d.near_age : 1);
    return max(min(V(least + wanted), most), V(0));
  }

  // chooses the levels of geoms, and notes where they are
  CORTEN_FN void place() {
    const bool moved = d.near_key == key();
    float least = 1e30f;
    for (int g = 0; g < m.n.ngeom; ++g) {
      const bool bounded = value(m.geom_rbound[g]) > 0, present = filter_.collides(g);
      const V room = present && bounded ? slack(g, moved) : V(1e18);
      for (int k = 0; k < 4; ++k) d.near_bound[5 * g + k] = d.geom_bound[4 * g + k];
      d.near_bound[5 * g + 4] = P(room);
      d.grid_level[g] = !present ? absent : bounded ? 0 : unbounded;
      if (d.grid_level[g] != 0) continue;
      const float width = width_of(g);
      if (width > 0 && width < least) least = width;
    }
    unit_ = 1.3f * least;  // geoms of about the same size share a level
    present_ = 0;
    for (int g = 0; g < m.n.ngeom; ++g) {
      if (d.grid_level[g] != 0) continue;
      const int level = level_of(width_of(g) / unit_);
      d.grid_level[g] = level < levels ? level : unbounded;
      if (level < levels) present_ |= std::uint32_t{1} << level;
    }
  }

  CORTEN_FN float width_of(int g) const {
    return cell_margin *
           static_cast<float>(V(value(d.near_bound[5 * g + 3]) + value(d.near_bound[5 * g + 4])));
  }

  // the smallest level whose cells, 2^level wide, are wider than this
  CORTEN_FN static int level_of(float width) {
    if (width < 1) return 0;
    const auto exponent = bits_as<std::uint32_t>(width) >> 23;
    return static_cast<int>(exponent) - 126;
  }

  CORTEN_FN static float power_of_two(int exponent) {
    return bits_as<float>(static_cast<std::uint32_t>(127 + exponent) << 23);
  }

  struct Cell {
    int at[3];
  };

  CORTEN_FN Cell cell_of(int g, int level) const {
    const float scale = power_of_two(-level) / unit_;
    Cell out;
    for (int k = 0; k < 3; ++k) {
      const float x = static_cast<float>(V(value(d.near_bound[5 * g + k]))) * scale;
      const float limit = static_cast<float>(farthest);
      const float in = x > -limit ? (x < limit ? x : limit) : -limit;  // no number: -limit
      const int whole = static_cast<int>(in);
      out.at[k] = whole - (in < static_cast<float>(whole) ? 1 : 0);
    }
    return out;
  }

  // 19 bits for each coordinate
  CORTEN_FN static std::uint64_t code_of(int x, int y, int z, int level) {
    const auto bits = [](int i) { return static_cast<std::uint64_t>(i + (1 << 18)); };
    return bits(x) | bits(y) << 19 | bits(z) << 38 | static_cast<std::uint64_t>(level) << 57;
  }

  CORTEN_FN int slot_of(std::uint64_t code) const {
    const std::uint64_t mixed = code * 0x9E3779B97F4A7C15u;
    return static_cast<int>(mixed >> 40) & (d.n.nslot - 1);
  }

  // pairs a geom with those that are in the grid, and enters it
  CORTEN_FN void enter(int g, int level) {
    for (int other = level; other < levels; ++other) {
      if ((present_ >> other & 1) != 0) search(g, cell_of(g, other), other);
    }
    const Cell home = cell_of(g, level);
    const std::uint64_t code = code_of(home.at[0], home.at[1], home.at[2], level);
    const int slot = slot_of(code);
    d.grid_code[2 * g] = static_cast<int>(code & 0xffffffffu);
    d.grid_code[2 * g + 1] = static_cast<int>(code >> 32);
    d.grid_next[g] = d.grid_head[slot];
    d.grid_head[slot] = g;
  }

  CORTEN_FN void search(int g, const Cell& c, int level) {
    const int body = body_of(g);  // its other geoms, which may be many, are not looked at
    for (int z = c.at[2] - 1; z <= c.at[2] + 1; ++z) {
      for (int y = c.at[1] - 1; y <= c.at[1] + 1; ++y) {
        for (int x = c.at[0] - 1; x <= c.at[0] + 1; ++x) {
          const std::uint64_t code = code_of(x, y, z, level);
          const int low = static_cast<int>(code & 0xffffffffu), high = static_cast<int>(code >> 32);
          for (int o = d.grid_head[slot_of(code)]; o >= 0; o = d.grid_next[o]) {
            const bool there = d.grid_code[2 * o] == low && d.grid_code[2 * o + 1] == high;
            if (there && body_of(o) != body && may_meet(g, o)) append_allowed(g, o);
          }
        }
      }
    }
  }

  // can the spheres around two geoms touch while neither moves farther than its slack?
  CORTEN_FN bool may_meet(int a, int b) const {
    V sum = V(0), reach = V(0);
    for (int k = 0; k < 3; ++k) {
      const V off = value(d.near_bound[5 * a + k]) - value(d.near_bound[5 * b + k]);
      sum += off * off;
    }
    for (const int g : {a, b}) {
      reach += value(d.near_bound[5 * g + 3]) + value(d.near_bound[5 * g + 4]);
    }
    return sum <= reach * reach;
  }

  // ---- few geoms of many sizes ------------------------------------------------------------------

  // Sets the axes on which the centres of geoms are spread most, and says whether to sort along the
  // first, if that is left open. In nanoseconds, fitted to piles and crowds of 10 to 400: a
  // comparison takes 1.5, sorting 5 per geom and merge, and the cells of a level 200 per geom that
  // looks into them.
  CORTEN_FN bool sorting_pays() {
    V low[3] = {}, high[3] = {}, widths = V(0);
    int count = 0, searched = 0;
    for (int g = 0; g < m.n.ngeom; ++g) {
      if (d.grid_level[g] < 0) continue;
      for (int k = 0; k < 3; ++k) {
        const V x = value(d.near_bound[5 * g + k]);
        low[k] = count == 0 ? x : min(low[k], x);
        high[k] = count == 0 ? x : max(high[k], x);
      }
      widths += V(2) * reach_of(g);
      for (auto left = present_ >> d.grid_level[g]; left != 0; left &= left - 1) ++searched;
      ++count;
    }
    if (count == 0) return false;
    V spread[3];
    for (int k = 0; k < 3; ++k) spread[k] = high[k] - low[k];
    axis_ = spread[1] > spread[0] ? 1 : 0;
    other_ = 1 - axis_;
    if (spread[2] > spread[other_]) other_ = 2;
    if (spread[2] > spread[axis_]) {
      other_ = axis_;
      axis_ = 2;
    }
    int merges = 0;
    while (count >> merges > 1) ++merges;
    const V sorting = V(20 + 5 * merges) * V(count), searching = V(200) * V(searched);
    const bool cheaper = V(1.5) * V(count) * widths < (searching - sorting) * spread[axis_];
    return way_ == Way::sorted || (cheaper && way_ == Way::cheapest);
  }

  CORTEN_FN void sweep_sorted() {
    SortedGeoms(m, d, axis_, other_).each_near([&](int g, int o) {
      if (may_meet(g, o) && body_of(o) != body_of(g)) append_allowed(g, o);
    });
  }

  // ---- few bodies of many geoms -----------------------------------------------------------------

  // In a grid the geoms of one body are each other's neighbours, and looking through them in vain
  // takes most of the time. So a few bodies of many geoms are compared in pairs instead, by boxes
  // around their geoms.
  CORTEN_FN V reach_of(int g) const { return detail::near_reach<V>(d, g); }

  // does the box of a body meet the sphere around a geom, or the box of another?
  CORTEN_FN bool box_meets(int b, int g) const {
    int out = 1;  // bits instead of branches
    for (int k = 0; k < 3; ++k) {
      const V x = value(d.near_bound[5 * g + k]), r = reach_of(g);
      out &= int(x - r <= value(d.near_box[6 * b + 3 + k]));
      out &= int(x + r >= value(d.near_box[6 * b + k]));
    }
    return out != 0;
  }
  CORTEN_FN bool boxes_meet(int a, int b) const {
    int out = 1;
    for (int k = 0; k < 3; ++k) {
      out &= int(value(d.near_box[6 * a + k]) <= value(d.near_box[6 * b + 3 + k]));
      out &= int(value(d.near_box[6 * b + k]) <= value(d.near_box[6 * a + 3 + k]));
    }
    return out != 0;
  }

  // an empty box meets nothing
  CORTEN_FN void place_boxes() {
    for (int b = 0; b < m.n.nbody; ++b) {
      for (int k = 0; k < 6; ++k) d.near_box[6 * b + k] = P(k < 3 ? 1e30 : -1e30);
    }
    for (int g = 0; g < m.n.ngeom; ++g) {
      if (d.grid_level[g] < 0) continue;
      const auto box = d.near_box.from(6 * body_of(g));
      for (int k = 0; k < 3; ++k) {
        const V x = value(d.near_bound[5 * g + k]), r = reach_of(g);
        box[k] = P(min(value(box[k]), V(x - r)));
        box[3 + k] = P(max(value(box[3 + k]), V(x + r)));
      }
    }
  }

  CORTEN_FN void pair_bodies() {
    place_boxes();
    for (int b1 = 0; b1 < m.n.nbody; ++b1) {
      for (int b2 = b1 + 1; b2 < m.n.nbody; ++b2) {
        if (boxes_meet(b1, b2) && filter_.bodies_may_touch(b1, b2)) pair_geoms(b1, b2);
      }
    }
  }

  CORTEN_FN void pair_geoms(int b1, int b2) {
    const int first = m.body_geomadr[b1], end = first + m.body_geomnum[b1];
    for (int g = first; g < end; ++g) {
      if (d.grid_level[g] < 0 || !box_meets(b2, g)) continue;
      for (int o = m.body_geomadr[b2]; o < m.body_geomadr[b2] + m.body_geomnum[b2]; ++o) {
        if (d.grid_level[o] >= 0 && may_meet(g, o)) append_allowed(g, o);
      }
    }
  }

  CORTEN_FN void pair_with_all(int g) {
    for (int o = 0; o < m.n.ngeom; ++o) {
      const int level = d.grid_level[o];
      if (level >= 0 || (level == unbounded && o > g)) append_allowed(g, o);
    }
  }

  CORTEN_FN int body_of(int g) const { return m.geom_bodyid[g]; }

  CORTEN_FN void append_allowed(int g1, int g2) {
    if (!filter_.bits_match(g1, g2) || !filter_.types_collide(g1, g2)) return;
    const int b1 = body_of(g1), b2 = body_of(g2);
    if (!filter_.bodies_may_touch(b1, b2)) return;
    if (b1 < b2) {
      append(g1, g2, -1);
    } else {
      append(g2, g1, -1);
    }
  }

  // counts a pair, and writes it if there is room
  CORTEN_FN void append(int g1, int g2, int pair) {
    const int k = d.near_count;
    d.near_count = k + 1;
    if (k >= d.n.nnear) return;
    const GeomPair geoms = filter_.in_order(g1, g2);
    d.near_pair[3 * k] = geoms.first;
    d.near_pair[3 * k + 1] = geoms.second;
    d.near_pair[3 * k + 2] = pair;
  }

  const M& m;
  const D& d;
  PairFilter<M> filter_;
  Way way_;
  std::uint32_t present_ = 0;  // levels that have geoms
  float unit_ = 1;             // width of the cells of level 0
  int axis_ = 0, other_ = 1;   // on which geoms are spread most
};

}  // namespace corten
