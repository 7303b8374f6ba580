// SPDX-License-Identifier: Apache-2.0
//
// The points that are not in the hull yet. Each is in the list of a facet that it is outside of.
// When facets are removed, their points go to new facets. These are found by walking towards the
// facet that the point is farthest above, or, where new facets lie all around, by searching all of
// them.
#pragma once

#include <corten/asset/hull/planes.hpp>
#include <corten/core/list.hpp>

namespace corten::asset::detail {

class HullPoints : protected HullPlanes {
 protected:
  CORTEN_BULK explicit HullPoints(const List<double>& points)
      : HullPlanes(points), after_(points.size() / 3, none) {}

  // ---- the first facets -------------------------------------------------------------------------

  CORTEN_BULK void share_out_points() {
    List<int> left, above;
    for (int p = 0; p < num_points(); ++p) left.push_back(p);
    for (int v = first_vertex_; v > tail; v = vertex(v).next) {
      left[static_cast<std::size_t>(vertex(v).point)] = none;
    }
    const double enough = far_outside();
    for (int f = first_facet_; f > tail; f = facet(f).next) {
      std::size_t kept = 0;
      HullFacet& x = facet(f);
      int best = none;
      for (const int p : left) {
        if (p == none) continue;
        const double h = height(x, point(p));
        if (h < enough) {
          left[kept++] = p;
        } else if (best == none || h > x.farthest) {
          if (best != none) add_last(x.outside, best);
          best = p;
          x.farthest = h;
        } else {
          add_last(x.outside, p);
        }
      }
      if (best != none) add_last(x.outside, best);
      left.resize(kept);
    }
    searches_all_ = true;
    for (const int p : left) {
      if (p != none) give(p, first_facet_);
    }
    searches_all_ = false;
  }

  // ---- a point ----------------------------------------------------------------------------------

  // assigns p to a facet that it is outside of, searching from facet f
  CORTEN_BULK void give(int p, int f) {
    Found best;
    if (searches_all_) {
      find_among_new(p, f, false, best);
    } else {
      find_from(p, f, false, true, best);
    }
    if (!best.outside) {
      if (best.height >= -near_inside_) keep_in_plane(p, best.facet, best.height);
      return;
    }
    HullFacet& x = facet(best.facet);
    if (x.outside.first != none) {
      if (x.farthest < best.height) {
        add_last(x.outside, p);
        x.farthest = best.height;
      } else {
        add_before_last(x.outside, p);
      }
      return;
    }
    add_last(x.outside, p);
    x.farthest = best.height;
    if (next_ == best.facet) return;
    // the facet must come after next_
    if (x.fresh) {
      if (facet(next_).fresh) next_ = first_new_;
    } else {
      remove(best.facet);
      append(best.facet);
      if (first_new_ != none) x.fresh = true;
    }
  }

  // a point near a facet's plane stays with it, and sets how far off the plane points may be
  CORTEN_BULK void keep_in_plane(int p, int f, double h) {
    if (h > max_outside_) {
      if (h > 30 * std::max({max_outside_, one_merge_ + rounding_, outside_})) failed_ = true;
      max_outside_ = h;
    }
    HullPointList& set = facet(f).coplanar;
    if (set.first == none || height(facet(f), point(set.last)) < h) {
      add_last(set, p);
    } else {
      add_before_last(set, p);
    }
  }

  // reassigns a point that was near a facet, or a former vertex
  CORTEN_BULK void give_near(int p, int f, bool search_all) {
    Found best;
    if (search_all) {
      find_among_new(p, f, true, best);
    } else {
      find_from(p, f, true, false, best);
    }
    if (best.height < -near_inside_) return;
    if (best.height > max_outside_ && f != best.facet && cosine(facet(f), facet(best.facet)) < 0) {
      // it is outside after all, around a corner
      const bool before = searches_all_;
      searches_all_ = false;
      give(p, best.facet);
      searches_all_ = before;
      return;
    }
    keep_in_plane(p, best.facet, best.height);
  }

  // reassigns the points of removed facets, and the vertices removed with them
  CORTEN_BULK void give_back_points() {
    for (int f = first_visible_; f > tail && facet(f).visible; f = facet(f).next) {
      if (facet(f).outside.first == none && facet(f).coplanar.first == none) continue;
      int to = f;
      while (to != none && facet(to).visible) to = facet(to).replaced_by;
      if (to == none) to = first_new_;
      for (int p = facet(f).outside.first, next; p != none; p = next) {
        next = after(p);
        give(p, to);
      }
      for (int p = facet(f).coplanar.first, next; p != none; p = next) {
        next = after(p);
        give_near(p, to, searches_all_);
      }
    }
    for (const int v : deleted_) give_near(vertex(v).point, first_new_, true);
  }

  // removes the farthest point from a list that no more points are added to
  CORTEN_BULK int take_last(HullPointList& list) {
    const int p = list.last;
    if (list.first == p) {
      list = {};
    } else {
      list.last = list.before_last;
      after(list.last) = none;
    }
    return p;
  }

  bool searches_all_ = false;  // a walk over the new facets could miss the best one
  bool not_sharp_ = false;     // the normals of the new facets are all in one octant
  List<int> deleted_;          // vertices

 private:
  int& after(int p) { return after_[static_cast<std::size_t>(p)]; }

  void add_last(HullPointList& list, int p) {
    after(p) = none;
    (list.first == none ? list.first : after(list.last)) = p;
    list.before_last = list.last;
    list.last = p;
  }

  void add_before_last(HullPointList& list, int p) {
    after(p) = list.last;
    (list.first == list.last ? list.first : after(list.before_last)) = p;
    list.before_last = p;
  }

  struct Found {
    int facet = none;
    double height = -std::numeric_limits<double>::max() / 2;
    bool outside = true;
  };

  // walks from neighbour to neighbour while the point's height increases
  CORTEN_BULK void find_from(int p, int start, bool needs_best, bool only_new, Found& best) {
    const double* at = point(p);
    const int visit = ++visit_;
    best.facet = start;
    best.height = height(facet(start), at);
    if (!needs_best && best.height >= outside_) return;
    facet(start).visit = visit;
    for (int f = start, last = none; f != last;) {
      last = f;
      for (const int g : facet(f).neighbour) {
        HullFacet& x = facet(g);
        if ((only_new && !x.fresh) || x.visit == visit) continue;
        x.visit = visit;
        const double h = height(x, at);
        if (!(h > best.height)) continue;
        best.facet = f = g;
        best.height = h;
        if (!needs_best && h >= outside_) return;
        break;
      }
    }
    if (only_new && !not_sharp_ && best.height < -rounding_) {
      if (is_sharp()) {
        const int from = best.facet;
        best = Found{};
        find_among_new(p, from, needs_best, best);
        searches_all_ = true;
        if (best.height < outside_) best.outside = false;
        return;
      }
      not_sharp_ = true;
    }
    find_beyond(at, best);
    best.outside = !(best.height < outside_);
  }

  // searches all facets from `start` on, and the new ones
  CORTEN_BULK void find_among_new(int p, int start, bool needs_best, Found& best) {
    const double* at = point(p);
    const double enough = far_outside();
    const int visit = ++visit_;
    for (int round = 0; round < 2; ++round) {
      for (int f = round == 0 ? start : first_new_; f > tail; f = facet(f).next) {
        if (f == start && round == 1) break;
        facet(f).visit = visit;
        const double h = height(facet(f), at);
        if (!(h > best.height)) continue;
        best.facet = f;
        best.height = h;
        if (!needs_best && h >= enough) return;
      }
    }
    find_beyond(at, best);
    best.outside = !(best.height < outside_);
  }

  // looks for better facets nearby, passing over facets that are only slightly lower
  CORTEN_BULK void find_beyond(const double* at, Found& best) {
    const int visit = ++visit_;
    const double reach = search_distance();
    double least = best.height - reach;
    int f = best.facet, after = none;
    waiting_.clear();
    facet(f).visit = visit;
    for (;;) {
      for (const int g : facet(f).neighbour) {
        HullFacet& x = facet(g);
        if (x.visit == visit) continue;
        x.visit = visit;
        const double h = height(x, at);
        if (h > best.height) {
          least = h - reach;
          if (h > best.height + reach) waiting_.clear();
          best.facet = g;
          best.height = h;
        } else if (h < least) {
          continue;
        }
        if (after != none) waiting_.push_back(after);
        after = g;
      }
      f = after;
      after = none;
      if (f != none) continue;
      if (waiting_.empty()) return;
      f = waiting_.back();
      waiting_.pop_back();
    }
  }

  // whether the normals of the new facets are in different octants
  CORTEN_BULK bool is_sharp() const {
    const double* first = facet(first_new_).normal;
    for (int f = first_new_; f > tail; f = facet(f).next) {
      for (int k = 0; k < 3; ++k) {
        if ((facet(f).normal[k] > 0) != (first[k] > 0)) return true;
      }
    }
    return false;
  }

  List<int> waiting_, after_;
};

}  // namespace corten::asset::detail
