// SPDX-License-Identifier: Apache-2.0
//
// The parts of a growing hull: facets with their neighbours, vertices, and ridges between facets
// that have more than three sides. Facets and vertices are in linked lists. The order of these
// lists decides what is processed next, and so the order of the final hull; quickhull.hpp says why
// that matters.
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>

#include <algorithm>
#include <cstddef>

namespace corten::asset::detail {

inline constexpr int none = -1;

// A set of numbers whose order depends on insertions and removals. Up to eight are stored inline,
// since most sets are small.
class HullSet {
 public:
  int* begin() { return data(); }
  int* end() { return data() + size_; }
  const int* begin() const { return size_ <= room ? few_ : many_.data(); }
  const int* end() const { return begin() + size_; }
  std::size_t size() const { return size_; }
  int& operator[](std::size_t i) { return data()[i]; }
  int operator[](std::size_t i) const { return begin()[i]; }
  void clear() { size_ = 0; }

  void push_back(int x) {
    if (size_ >= room) grow();
    ++size_;
    data()[size_ - 1] = x;
  }

  CORTEN_BULK void insert_front(int x) {
    push_back(x);
    std::rotate(begin(), end() - 1, end());
  }

  // the last element takes the place of the removed one
  void drop(int x) {
    int* at = std::find(begin(), end(), x);
    if (at == end()) return;
    *at = data()[size_ - 1];
    shrink();
  }

  CORTEN_BULK void drop_in_order(int x) {
    int* at = std::find(begin(), end(), x);
    if (at == end()) return;
    std::rotate(at, at + 1, end());
    shrink();
  }

  void replace(int x, int by) {
    int* at = std::find(begin(), end(), x);
    if (at != end()) *at = by;
  }

 private:
  static constexpr std::size_t room = 8;

  int* data() { return size_ <= room ? few_ : many_.data(); }

  CORTEN_BULK void grow() {
    if (size_ == room) many_.assign(few_, few_ + room);
    if (many_.size() <= size_) many_.resize(2 * size_);
  }

  void shrink() {
    if (--size_ == room) std::copy(many_.begin(), many_.begin() + room, few_);
  }

  std::size_t size_ = 0;
  int few_[room];
  List<int> many_;
};

// A list of points, linked through an array that all lists share.
struct HullPointList {
  int first = none, last = none, before_last = none;
};

// What searches read comes first, so that it fits in one or two cache lines.
struct HullFacet {
  double normal[3] = {0, 0, 0}, offset = 0;  // outward unit normal
  int visit = 0, next = none, previous = none, replaced_by = none, merges = 0;
  bool top = false;  // vertices are clockwise
  bool triangle = true, fresh = true, visible = false;
  bool has_plane = false, has_centre = false, keeps_centre = false, has_ridges = false;
  bool seen = false, in_plane = false, joins = false, merged = false, fan = false;
  HullSet neighbour;                // in a triangle: opposite the vertex of the same index
  HullSet vertex;                   // from youngest to oldest
  HullSet ridge;                    // in a triangle: only those to facets with more sides
  HullPointList outside, coplanar;  // the farthest is last
  double farthest = 0;              // height of the last point outside
  double centre[3] = {0, 0, 0};     // of the corners, projected onto the plane

  // resets it to its initial state, but keeps the memory of its sets
  void reset() {
    visit = merges = 0;
    replaced_by = none;
    top = visible = has_plane = has_centre = keeps_centre = has_ridges = false;
    seen = in_plane = joins = merged = fan = false;
    triangle = fresh = true;
    for (HullSet* set : {&neighbour, &vertex, &ridge}) set->clear();
    outside = coplanar = {};
    farthest = 0;
  }
};

struct HullVertex {
  int point = none, next = none, previous = none, visit = 0;
  HullSet neighbour;  // facets around it, maintained from the first merge on
  bool fresh = false, deleted = false, lost_ridge = false;
};

struct HullRidge {
  int vertex[2] = {none, none};  // from youngest to oldest
  int top = none, bottom = none;
};

template <class Set>
bool contains(const Set& set, int x) {
  return std::find(set.begin(), set.end(), x) != set.end();
}

// ---- lists --------------------------------------------------------------------------------------

class HullParts {
 protected:
  HullFacet& facet(int f) { return facets_[static_cast<std::size_t>(f)]; }
  HullVertex& vertex(int v) { return vertices_[static_cast<std::size_t>(v)]; }
  HullRidge& ridge(int r) { return ridges_[static_cast<std::size_t>(r)]; }
  const HullFacet& facet(int f) const { return facets_[static_cast<std::size_t>(f)]; }

  // item 0 marks the end of both lists
  static constexpr int tail = 0;

  CORTEN_BULK HullParts() : facets_(1), vertices_(1) {
    facets_.reserve(512);
    vertices_.reserve(256);
  }

  CORTEN_BULK int new_facet() {
    if (free_facets_.empty()) {
      facets_.emplace_back();
      return static_cast<int>(facets_.size()) - 1;
    }
    const int f = free_facets_.back();
    free_facets_.pop_back();
    return f;
  }

  CORTEN_BULK void delete_facet(int f) {
    remove(f);
    facet(f).reset();
    free_facets_.push_back(f);
  }

  CORTEN_BULK int new_vertex(int point) {
    vertices_.emplace_back();
    vertices_.back().point = point;
    return static_cast<int>(vertices_.size()) - 1;
  }

  CORTEN_BULK int new_ridge(int young, int old) {
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

  CORTEN_BULK void append(int f) {
    if (first_new_ == tail) {
      first_new_ = f;
      if (first_visible_ == tail) first_visible_ = f;
    }
    if (next_ == tail) next_ = f;
    link(f, tail);
  }

  CORTEN_BULK void prepend(int f, int& list) {
    if (list == none) list = tail;
    const int before = list;
    link(f, before);
    if (next_ == before) next_ = f;
    list = f;
  }

  CORTEN_BULK void remove(int f) {
    const int after = facet(f).next, before = facet(f).previous;
    if (f == first_new_) first_new_ = after;
    if (f == next_) next_ = after;
    if (f == first_visible_) first_visible_ = after;
    (before == none ? first_facet_ : facet(before).next) = after;
    facet(after).previous = before;
    --num_facets_;
  }

  // moves f to the list of facets to delete; its points go to `by` or to a facet near it
  CORTEN_BULK void will_delete(int f, int by) {
    remove(f);
    prepend(f, first_visible_);
    ++num_visible_;
    facet(f).visible = true;
    facet(f).replaced_by = by;
    facet(f).ridge.clear();
    facet(f).neighbour.clear();
  }

  CORTEN_BULK void append_vertex(int v) {
    if (first_new_vertex_ == tail) first_new_vertex_ = v;
    const int last = vertex(tail).previous;
    vertex(v).fresh = true;
    vertex(v).previous = last;
    vertex(v).next = tail;
    (last == none ? first_vertex_ : vertex(last).next) = v;
    vertex(tail).previous = v;
  }

  CORTEN_BULK void remove_vertex(int v) {
    const int after = vertex(v).next, before = vertex(v).previous;
    if (v == first_new_vertex_) first_new_vertex_ = after;
    (before == none ? first_vertex_ : vertex(before).next) = after;
    vertex(after).previous = before;
  }

  // moves it to the end of the list, once per added point
  void refresh_vertex(int v) {
    if (vertex(v).fresh) return;
    remove_vertex(v);
    append_vertex(v);
  }

  CORTEN_BULK void reset_lists() {
    for (int v = first_new_vertex_; v > tail; v = vertex(v).next) vertex(v).fresh = false;
    for (int f = first_new_; f > tail; f = facet(f).next) facet(f).fresh = false;
    first_new_vertex_ = first_new_ = first_visible_ = none;
  }

  List<HullFacet> facets_;
  List<HullVertex> vertices_;
  List<HullRidge> ridges_;
  int first_facet_ = tail, first_vertex_ = tail;
  int first_new_ = tail, first_visible_ = none, next_ = none, first_new_vertex_ = tail;
  int num_facets_ = 0, num_visible_ = 0;
  int visit_ = 0, vertex_visit_ = 0;
  bool failed_ = false;  // a case left to exact.hpp

 private:
  CORTEN_BULK void link(int f, int before) {
    const int last = facet(before).previous;
    facet(f).previous = last;
    facet(f).next = before;
    (last == none ? first_facet_ : facet(last).next) = f;
    facet(before).previous = f;
    ++num_facets_;
  }

  List<int> free_facets_, free_ridges_;
};

}  // namespace corten::asset::detail
