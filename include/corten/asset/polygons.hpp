// SPDX-License-Identifier: Apache-2.0
//
// The sides of a convex mesh: adjacent triangles of its hull whose normals agree to a hundredth of
// a radian form one polygon. Two sides that lie on each other touch in several points, which the
// collider finds by clipping one polygon against the other.
//
// As in MuJoCo, each normal is assigned to a cell of azimuth and polar angle, and triangles of the
// same cell that share edges are joined.
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>
#include <corten/core/sort.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace corten::asset {

struct Polygons {
  List<int> corner;  // of all polygons, counter-clockwise seen from outside
  List<int> first, count;

  int size() const { return static_cast<int>(first.size()); }
};

namespace detail {

struct PolygonEdge {
  int from, to, island;
};

// The triangles of one cell, stored as the boundary edges of the islands that they form.
class Side {
 public:
  CORTEN_BULK void add(int a, int b, int c) {
    const int v[4] = {a, b, c, a};
    int island = -1;
    bool open[3];
    for (int k = 0; k < 3; ++k) {
      open[k] = true;
      for (std::size_t i = 0; i < edges_.size(); ++i) {
        if (edges_[i].from != v[k + 1] || edges_[i].to != v[k]) continue;
        open[k] = false;
        const int touched = edges_[i].island;
        edges_.erase(edges_.begin() + static_cast<std::ptrdiff_t>(i));
        island = island < 0 ? touched : join(island, touched);
        break;
      }
    }
    if (island < 0) island = islands_++;
    for (int k = 0; k < 3; ++k) {
      if (open[k]) edges_.push_back({v[k], v[k + 1], island});
    }
  }

  // If only three edges remain, MuJoCo takes them in storage order, which may be the wrong way
  // round. The normal of such a side points inwards, so nothing will ever rest on it.
  CORTEN_BULK void trace(Polygons& out) const {
    if (edges_.size() == 3) {
      out.first.push_back(static_cast<int>(out.corner.size()));
      out.count.push_back(3);
      for (const PolygonEdge& e : edges_) out.corner.push_back(e.from);
      return;
    }
    for (int i = 0; i < islands_; ++i) trace(i, out);
  }

 private:
  // merges two islands into the one with the smaller number; numbers above the larger one move down
  CORTEN_BULK int join(int a, int b) {
    if (a == b) return a;
    if (b < a) std::swap(a, b);
    for (PolygonEdge& e : edges_) {
      if (e.island == b) {
        e.island = a;
      } else if (e.island > b) {
        --e.island;
      }
    }
    --islands_;
    return a;
  }

  const PolygonEdge* leaving(int vertex, int island) const {
    for (const PolygonEdge& e : edges_) {
      if (e.island == island && e.from == vertex) return &e;
    }
    return nullptr;
  }

  // walks around an island, and keeps the polygon if the walk returns to its start
  CORTEN_BULK void trace(int island, Polygons& out) const {
    const auto start = std::find_if(edges_.begin(), edges_.end(),
                                    [&](const PolygonEdge& e) { return e.island == island; });
    if (start == edges_.end()) return;
    const std::size_t first = out.corner.size();
    out.corner.push_back(start->from);
    int vertex = start->to;
    while (vertex != start->from && out.corner.size() - first <= edges_.size()) {
      out.corner.push_back(vertex);
      const PolygonEdge* e = leaving(vertex, island);
      if (e == nullptr) break;
      vertex = e->to;
    }
    const std::size_t count = out.corner.size() - first;
    if (vertex != start->from || count < 3) {
      out.corner.resize(first);
      return;
    }
    out.first.push_back(static_cast<int>(first));
    out.count.push_back(static_cast<int>(count));
  }

  List<PolygonEdge> edges_;
  int islands_ = 0;
};

inline constexpr double polygon_angle = 0.01;

// the cell of a triangle's normal; false for a degenerate triangle
CORTEN_BULK bool polygon_cell(const double* a, const double* b, const double* c,
                              std::pair<int, int>& cell) {
  double e[3], f[3], n[3];
  for (int k = 0; k < 3; ++k) e[k] = b[k] - a[k], f[k] = c[k] - a[k];
  n[0] = e[1] * f[2] - e[2] * f[1];
  n[1] = e[2] * f[0] - e[0] * f[2];
  n[2] = e[0] * f[1] - e[1] * f[0];
  const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  if (length < 1e-15) return false;
  for (double& x : n) x = x / length + 0.0;  // no negative zeros
  if (std::fabs(n[2]) > 1 - 1e-7) {
    cell = {0, n[2] < 0 ? static_cast<int>(std::round(3.14159265358979323846 / polygon_angle)) : 0};
  } else {
    cell = {static_cast<int>(std::round(std::atan2(n[1], n[0]) / polygon_angle)),
            static_cast<int>(std::round(std::acos(n[2]) / polygon_angle))};
  }
  return true;
}

// The cells are in the order of MuJoCo's hash table, which depends on its standard library. This is
// the order of 32-bit libc++, as in MuJoCo's own WebAssembly build, which produced the reference
// numbers of the tests. The order decides which of several sides that could touch is tried first.
class CellTable {
 public:
  // adds a cell, which must not be in the table yet
  CORTEN_BULK void add(const std::pair<int, int>& cell) {
    const int n = static_cast<int>(hash_.size());
    hash_.push_back(hash_of(cell.first) ^ hash_of(cell.second));
    next_.push_back(none);
    if (hash_.size() > before_.size()) grow();
    int& before = before_[bucket(n)];
    if (before != none) {
      follow(n, before);
      return;
    }
    // an empty bucket: insert at the front
    follow(n, front);
    before = front;
    if (next(n) != none) before_[bucket(next(n))] = n;
  }

  int first() const { return first_; }
  int next(int n) const { return next_[static_cast<std::size_t>(n)]; }

 private:
  static constexpr int none = -1, front = -2;

  std::size_t bucket(int n) const {
    return hash_[static_cast<std::size_t>(n)] % static_cast<std::uint32_t>(before_.size());
  }

  int& after(int n) { return n == front ? first_ : next_[static_cast<std::size_t>(n)]; }

  void follow(int n, int before) {
    after(n) = after(before);
    after(before) = n;
  }

  // grows to a prime number of buckets
  CORTEN_BULK void grow() {
    std::size_t size = before_.empty() ? 2 : 2 * before_.size() + 1;
    for (std::size_t k = 2; k * k <= size; ++k) {
      if (size % k == 0) ++size, k = 1;
    }
    before_.assign(size, none);
    for (int last = front, n = first_; n != none; n = after(last)) {
      int& before = before_[bucket(n)];
      if (before == none) before = last;
      if (before == last || (last != front && bucket(last) == bucket(n))) {
        last = n;
        continue;
      }
      after(last) = next(n);
      follow(n, before);
    }
  }

  // MurmurHash2 (Appleby) of the eight bytes of a number
  CORTEN_BULK static std::uint32_t hash_of(int number) {
    if (number == 0) return 0;
    const double x = number;
    std::uint32_t word[2], out = 8;
    std::memcpy(word, &x, sizeof(x));
    constexpr std::uint32_t m = 0x5bd1e995;
    for (std::uint32_t k : word) {
      k *= m;
      k ^= k >> 24;
      out = (out * m) ^ (k * m);
    }
    out = (out ^ out >> 13) * m;
    return out ^ out >> 15;
  }

  List<std::uint32_t> hash_;
  List<int> next_, before_;
  int first_ = none;
};

}  // namespace detail

// joins the triangles of a hull into polygons
CORTEN_BULK Polygons make_polygons(const List<int>& face, const List<double>& vert) {
  List<std::pair<std::pair<int, int>, int>> cells;  // cell, triangle
  const auto at = [&](int v) { return &vert[3 * static_cast<std::size_t>(v)]; };
  for (std::size_t i = 0; i + 2 < face.size(); i += 3) {
    std::pair<int, int> cell;
    if (detail::polygon_cell(at(face[i]), at(face[i + 1]), at(face[i + 2]), cell)) {
      cells.emplace_back(cell, static_cast<int>(i));
    }
  }
  sort(cells);
  // where the triangles of each cell begin, ordered by each cell's first triangle
  List<std::pair<int, int>> starts;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0 && cells[i].first == cells[i - 1].first) continue;
    starts.emplace_back(cells[i].second, static_cast<int>(i));
  }
  sort(starts);
  detail::CellTable table;
  for (const std::pair<int, int>& start : starts) {
    table.add(cells[static_cast<std::size_t>(start.second)].first);
  }
  Polygons out;
  for (int n = table.first(); n >= 0; n = table.next(n)) {
    detail::Side side;
    std::size_t i = static_cast<std::size_t>(starts[static_cast<std::size_t>(n)].second);
    const std::pair<int, int> cell = cells[i].first;
    for (; i < cells.size() && cells[i].first == cell; ++i) {
      const int* v = &face[static_cast<std::size_t>(cells[i].second)];
      side.add(v[0], v[1], v[2]);
    }
    side.trace(out);
  }
  return out;
}

}  // namespace corten::asset
