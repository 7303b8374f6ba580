// SPDX-License-Identifier: Apache-2.0
//
// What a growing hull is made of: facets with their neighbours, vertices, and ridges between facets
// that have more than three sides. Facets and vertices are in lists whose order decides what comes
// next, and so what the hull's order is in the end; quickhull.hpp says why that matters.
#pragma once

#include <corten/config.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace corten::asset::detail {

inline constexpr int none = -1;

struct HullFacet {
  double normal[3] = {0, 0, 0}, offset = 0;  // outwards, of unit length
  double centre[3] = {0, 0, 0};              // of the corners, put on the plane
  double farthest = 0;                       // height of the last of the points outside
  int next = none, previous = none;
  int visit = 0, replaced_by = none, merges = 0;
  std::vector<int> vertex;             // from young to old
  std::vector<int> neighbour;          // of a triangle: opposite to the vertices
  std::vector<int> ridge;              // to facets with more than three sides, or all of its own
  std::vector<int> outside, coplanar;  // points; the farthest is the last
  bool top = false;                    // vertices are clockwise
  bool triangle = true, fresh = true, visible = false;
  bool has_plane = false, has_centre = false, keeps_centre = false, has_ridges = false;
  bool seen = false, in_plane = false, joins = false, merged = false, fan = false;
};

struct HullVertex {
  int point = none, next = none, previous = none, visit = 0;
  std::vector<int> neighbour;  // facets, from the first merge on
  bool fresh = false, deleted = false, lost_ridge = false;
};

struct HullRidge {
  int vertex[2] = {none, none};  // from young to old
  int top = none, bottom = none;
};

// ---- sets: vectors without an order of their own, but with a history -----------------------------

inline bool contains(const std::vector<int>& set, int x) {
  return std::find(set.begin(), set.end(), x) != set.end();
}

// the last one takes the place of what is dropped
CORTEN_COLD void drop(std::vector<int>& set, int x) {
  const auto at = std::find(set.begin(), set.end(), x);
  if (at == set.end()) return;
  *at = set.back();
  set.pop_back();
}

CORTEN_COLD void drop_in_order(std::vector<int>& set, int x) {
  const auto at = std::find(set.begin(), set.end(), x);
  if (at != set.end()) set.erase(at);
}

CORTEN_COLD void replace(std::vector<int>& set, int x, int by) {
  const auto at = std::find(set.begin(), set.end(), x);
  if (at != set.end()) *at = by;
}

CORTEN_COLD void add_before_last(std::vector<int>& set, int x) {
  set.push_back(set.back());
  set[set.size() - 2] = x;
}

// ---- lists ----------------------------------------------------------------------------------------

class HullParts {
 protected:
  HullFacet& facet(int f) { return facets_[static_cast<std::size_t>(f)]; }
  HullVertex& vertex(int v) { return vertices_[static_cast<std::size_t>(v)]; }
  HullRidge& ridge(int r) { return ridges_[static_cast<std::size_t>(r)]; }
  const HullFacet& facet(int f) const { return facets_[static_cast<std::size_t>(f)]; }

  // item 0 of both lists is their end
  static constexpr int tail = 0;

  HullParts() : facets_(1), vertices_(1) {}

  CORTEN_COLD int new_facet() {
    if (free_facets_.empty()) {
      facets_.emplace_back();
      return static_cast<int>(facets_.size()) - 1;
    }
    const int f = free_facets_.back();
    free_facets_.pop_back();
    return f;
  }

  // keeps the memory of its sets for the next facet
  CORTEN_COLD void delete_facet(int f) {
    remove(f);
    HullFacet blank, &old = facet(f);
    std::vector<int>* from[] = {&old.vertex, &old.neighbour, &old.ridge, &old.outside,
                                &old.coplanar};
    std::vector<int>* to[] = {&blank.vertex, &blank.neighbour, &blank.ridge, &blank.outside,
                              &blank.coplanar};
    for (int i = 0; i < 5; ++i) from[i]->clear(), to[i]->swap(*from[i]);
    std::swap(old, blank);
    free_facets_.push_back(f);
  }

  CORTEN_COLD int new_vertex(int point) {
    vertices_.emplace_back();
    vertices_.back().point = point;
    return static_cast<int>(vertices_.size()) - 1;
  }

  CORTEN_COLD int new_ridge(int young, int old) {
    int r = static_cast<int>(ridges_.size());
    if (free_ridges_.empty()) {
      ridges_.emplace_back();
    } else {
      r = free_ridges_.back();
      free_ridges_.pop_back();
    }
    ridge(r).vertex[0] = young, ridge(r).vertex[1] = old;
    return r;
  }

  void delete_ridge(int r) { free_ridges_.push_back(r); }
  int beyond(int r, int f) { return ridge(r).top == f ? ridge(r).bottom : ridge(r).top; }

  void add_ridge(int f, int r) {
    facet(f).ridge.push_back(r);
    facet(f).has_ridges = true;
  }

  CORTEN_COLD void append(int f) {
    if (first_new_ == tail) {
      first_new_ = f;
      if (first_visible_ == tail) first_visible_ = f;
    }
    if (next_ == tail) next_ = f;
    link(f, tail);
  }

  CORTEN_COLD void prepend(int f, int& list) {
    if (list == none) list = tail;
    const int before = list;
    link(f, before);
    if (next_ == before) next_ = f;
    list = f;
  }

  CORTEN_COLD void remove(int f) {
    const int after = facet(f).next, before = facet(f).previous;
    if (f == first_new_) first_new_ = after;
    if (f == next_) next_ = after;
    if (f == first_visible_) first_visible_ = after;
    (before == none ? first_facet_ : facet(before).next) = after;
    facet(after).previous = before;
    --num_facets_;
  }

  // out of the list of those that stay; its points go to `by` or to one near it
  CORTEN_COLD void will_delete(int f, int by) {
    remove(f);
    prepend(f, first_visible_);
    ++num_visible_;
    facet(f).visible = true;
    facet(f).replaced_by = by;
    facet(f).ridge.clear();
    facet(f).neighbour.clear();
  }

  CORTEN_COLD void append_vertex(int v) {
    if (first_new_vertex_ == tail) first_new_vertex_ = v;
    const int last = vertex(tail).previous;
    vertex(v).fresh = true;
    vertex(v).previous = last;
    vertex(v).next = tail;
    (last == none ? first_vertex_ : vertex(last).next) = v;
    vertex(tail).previous = v;
  }

  CORTEN_COLD void remove_vertex(int v) {
    const int after = vertex(v).next, before = vertex(v).previous;
    if (v == first_new_vertex_) first_new_vertex_ = after;
    (before == none ? first_vertex_ : vertex(before).next) = after;
    vertex(after).previous = before;
  }

  // to the end of the list, once for a point that is added
  void refresh_vertex(int v) {
    if (vertex(v).fresh) return;
    remove_vertex(v);
    append_vertex(v);
  }

  CORTEN_COLD void reset_lists() {
    for (int v = first_new_vertex_; v > tail; v = vertex(v).next) vertex(v).fresh = false;
    for (int f = first_new_; f > tail; f = facet(f).next) facet(f).fresh = false;
    first_new_vertex_ = first_new_ = first_visible_ = none;
  }

  std::vector<HullFacet> facets_;
  std::vector<HullVertex> vertices_;
  std::vector<HullRidge> ridges_;
  int first_facet_ = tail, first_vertex_ = tail;
  int first_new_ = tail, first_visible_ = none, next_ = none, first_new_vertex_ = tail;
  int num_facets_ = 0, num_visible_ = 0;
  int visit_ = 0, vertex_visit_ = 0;
  bool failed_ = false;  // a case that is left to exact.hpp

 private:
  CORTEN_COLD void link(int f, int before) {
    const int last = facet(before).previous;
    facet(f).previous = last;
    facet(f).next = before;
    (last == none ? first_facet_ : facet(last).next) = f;
    facet(before).previous = f;
    ++num_facets_;
  }

  std::vector<int> free_facets_, free_ridges_;
};

}  // namespace corten::asset::detail
