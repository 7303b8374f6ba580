// SPDX-License-Identifier: Apache-2.0
//
// Quickhull with exact predicates (orientation.hpp) instead of tolerances and merged facets. It has
// no bad cases: points inside, on a facet or on an edge are never part of the hull, however many
// there are. Vertices are in the order of the points, and the triangles that cover one flat facet
// form a fan around its first vertex. This hull is the fallback where quickhull.hpp gives up.
#pragma once

#include <corten/asset/hull/quickhull.hpp>
#include <corten/asset/orientation.hpp>
#include <corten/core/list.hpp>

namespace corten::asset {

namespace detail {

class ExactHull {
 public:
  // points are three doubles each, holding floats; limit is the maximum number of vertices, or -1
  CORTEN_BULK ExactHull(const List<double>& points, int limit)
      : points_(points), limit_(limit), next_(points.size() / 3, none) {}

  CORTEN_BULK Hull run() {
    Hull out;
    if (!start()) return out;
    int vertices = 4;
    while (limit_ < 0 || vertices < limit_) {
      const int f = limit_ < 0 ? any_face() : farthest_face();
      if (f < 0) break;
      add_point(f);
      ++vertices;
    }
    merge_flat(out);
    add_edges(out);
    return out;
  }

 private:
  struct Face {
    int v[3];
    int adj[3];        // neighbours across the edges 0-1, 1-2, 2-0
    double normal[3];  // not of unit length
    double length;     // of the normal
    int first = none;  // of the points above it, linked through next_
    int far = none;    // the one farthest above
    double height = 0;
    bool dead = false;
    int mark = 0;
  };

  const double* point(int i) const { return &points_[3 * static_cast<std::size_t>(i)]; }
  Face& face(int f) { return faces_[static_cast<std::size_t>(f)]; }
  int& next(int i) { return next_[static_cast<std::size_t>(i)]; }
  int count() const { return static_cast<int>(next_.size()); }

  // height of a point over a face, times the length of the normal
  static double height(const Face& f, const double* a, const double* p) {
    return f.normal[0] * (p[0] - a[0]) + f.normal[1] * (p[1] - a[1]) + f.normal[2] * (p[2] - a[2]);
  }

  // whether p is above face f, exactly; `h` is its height
  bool above(const Face& f, int p, double& h) const {
    h = height(f, point(f.v[0]), point(p));
    if (h > doubt_) return true;
    if (h < -doubt_) return false;
    return side_of(point(f.v[0]), point(f.v[1]), point(f.v[2]), point(p)) > 0;
  }

  CORTEN_BULK int add_face(int a, int b, int c) {
    int f = static_cast<int>(faces_.size());
    if (!free_.empty()) {
      f = free_.back();
      free_.pop_back();
      face(f) = Face{};
    } else {
      faces_.emplace_back();
    }
    Face& out = face(f);
    out.v[0] = a, out.v[1] = b, out.v[2] = c;
    double e[3], g[3];
    for (int k = 0; k < 3; ++k) e[k] = point(b)[k] - point(a)[k], g[k] = point(c)[k] - point(a)[k];
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      out.normal[k] = e[i] * g[j] - e[j] * g[i];
    }
    out.length = std::sqrt(out.normal[0] * out.normal[0] + out.normal[1] * out.normal[1] +
                           out.normal[2] * out.normal[2]);
    return f;
  }

  // assigns a point to a face if it is above the face
  bool assign(int f, int p) {
    Face& to = face(f);
    double h = 0;
    if (!above(to, p, h)) return false;
    if (to.first == none) todo_.push_back(f);
    next(p) = to.first;
    to.first = p;
    if (to.far == none || h > to.height) to.far = p, to.height = h;
    return true;
  }

  // ---- the first tetrahedron --------------------------------------------------------------------

  // Starts from the lowest and highest points along each axis. Of these it takes the pair farthest
  // apart in x, then the points that span the largest triangle and tetrahedron. If those are flat,
  // it considers all points.
  CORTEN_BULK bool start() {
    List<int> extreme;
    double extent[3];
    for (int k = 0; k < 3; ++k) {
      int low = 0, high = 0;
      for (int i = 1; i < count(); ++i) {
        if (point(i)[k] < point(low)[k]) low = i;
        if (point(i)[k] > point(high)[k]) high = i;
      }
      extreme.push_back(low);
      extreme.push_back(high);
      extent[k] = point(high)[k] - point(low)[k];
    }
    doubt_ = 1e-13 * std::max({extent[0] * extent[1] * extent[2], 0.0});
    int v[4] = {extreme[0], extreme[1], none, none};
    if (extent[0] == 0) v[0] = extreme[2], v[1] = extreme[3];
    List<int> all(static_cast<std::size_t>(count()));
    for (int i = 0; i < count(); ++i) all[static_cast<std::size_t>(i)] = i;
    for (int n = 2; n < 4; ++n) {
      v[n] = largest(extreme, v, n);
      if (v[n] == none) v[n] = largest(all, v, n);
      if (v[n] == none) return false;
    }
    if (side_of(point(v[0]), point(v[1]), point(v[2]), point(v[3])) > 0) std::swap(v[1], v[2]);
    const int a = add_face(v[0], v[1], v[2]), b = add_face(v[0], v[3], v[1]),
              c = add_face(v[1], v[3], v[2]), d = add_face(v[2], v[3], v[0]);
    const int adj[4][3] = {{b, c, d}, {d, c, a}, {b, d, a}, {c, b, a}};
    for (int f = 0; f < 4; ++f) std::copy(adj[f], adj[f] + 3, face(f).adj);
    for (int p = 0; p < count(); ++p) {
      if (p == v[0] || p == v[1] || p == v[2] || p == v[3]) continue;
      for (int f = 0; f < 4 && !assign(f, p); ++f) {
      }
    }
    return true;
  }

  // the candidate that spans the largest triangle (n = 2) or tetrahedron with the first n of v
  CORTEN_BULK int largest(const List<int>& candidates, const int* v, int n) const {
    int best = none;
    double most = 0;
    for (const int p : candidates) {
      double e[3], g[3], c[3];
      for (int k = 0; k < 3; ++k) {
        e[k] = point(v[1])[k] - point(v[0])[k];
        g[k] = point(n == 2 ? p : v[2])[k] - point(v[0])[k];
      }
      double size = 0;
      for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        c[k] = e[i] * g[j] - e[j] * g[i];
        size += n == 2 ? c[k] * c[k] : c[k] * (point(p)[k] - point(v[0])[k]);
      }
      if (!(std::fabs(size) > most)) continue;
      if (n == 3 && side_of(point(v[0]), point(v[1]), point(v[2]), point(p)) == 0) continue;
      most = std::fabs(size);
      best = p;
    }
    return best;
  }

  // ---- growing ----------------------------------------------------------------------------------

  // a face with points above it
  CORTEN_BULK int any_face() {
    while (!todo_.empty()) {
      const int f = todo_.back();
      if (!face(f).dead && face(f).first != none) return f;
      todo_.pop_back();
    }
    return none;
  }

  // the face with the farthest point of all, so that a limited hull keeps most of the shape
  CORTEN_BULK int farthest_face() {
    int best = none;
    double most = 0;
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f) {
      const Face& x = face(f);
      if (x.dead || x.first == none) continue;
      const double h = x.height / x.length;
      if (best == none || h > most) best = f, most = h;
    }
    return best;
  }

  // Adds the farthest point above face f: removes the faces visible from it and closes the hole
  // with a fan. Because signs are exact the hole is a disc, so each of its corners starts one edge.
  CORTEN_BULK void add_point(int f) {
    const int p = face(f).far;
    seen_.assign(1, f);
    rim_.clear();
    face(f).mark = ++mark_;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      for (int e = 0; e < 3; ++e) {
        const int g = face(seen_[i]).adj[e];
        if (face(g).mark == mark_) continue;
        double h = 0;
        if (above(face(g), p, h)) {
          face(g).mark = mark_;
          seen_.push_back(g);
        } else {
          rim_.push_back({seen_[i], e});
        }
      }
    }
    close_hole(p);
    for (const int s : seen_) {
      for (int q = face(s).first; q != none;) {
        const int after = next(q);
        if (q != p) {
          for (const int n : fan_) {
            if (assign(n, q)) break;
          }
        }
        q = after;
      }
      face(s).first = none;
      face(s).dead = true;
    }
    free_.append(seen_);
  }

  CORTEN_BULK void close_hole(int p) {
    fan_.clear();
    if (starts_.empty()) starts_.assign(next_.size(), none);
    for (const Edge& edge : rim_) {
      const int a = face(edge.face).v[edge.side], b = face(edge.face).v[(edge.side + 1) % 3];
      const int beyond = face(edge.face).adj[edge.side];
      const int n = add_face(a, b, p);
      face(n).adj[0] = beyond;
      Face& other = face(beyond);
      for (int e = 0; e < 3; ++e) {
        if (other.v[e] == b && other.v[(e + 1) % 3] == a) other.adj[e] = n;
      }
      starts_[static_cast<std::size_t>(a)] = n;
      fan_.push_back(n);
    }
    for (const int n : fan_) {
      const int after = starts_[static_cast<std::size_t>(face(n).v[1])];
      face(n).adj[1] = after;
      face(after).adj[2] = n;
    }
  }

  // ---- flat facets ------------------------------------------------------------------------------

  int root(int f) {
    const auto up = [&](int g) -> int& { return group_[static_cast<std::size_t>(g)]; };
    while (up(f) != f) f = up(f) = up(up(f));
    return f;
  }

  // joins coplanar triangles, and covers each facet anew from its true corners
  CORTEN_BULK void merge_flat(Hull& out) {
    const int n = static_cast<int>(faces_.size());
    for (int f = 0; f < n; ++f) group_.push_back(f);
    for (int f = 0; f < n; ++f) {
      if (face(f).dead) continue;
      for (int e = 0; e < 3; ++e) {
        const int g = face(f).adj[e], rf = root(f), rg = root(g);
        if (rf == rg) continue;
        const int far = opposite(g, f);
        const double h = height(face(f), point(face(f).v[0]), point(far));
        const bool flat =
            h >= -doubt_ && h <= doubt_ &&
            side_of(point(face(f).v[0]), point(face(f).v[1]), point(face(f).v[2]), point(far)) == 0;
        if (flat) group_[static_cast<std::size_t>(std::max(rf, rg))] = std::min(rf, rg);
      }
    }
    for (int f = 0; f < n; ++f) group_[static_cast<std::size_t>(f)] = root(f);
    find_corners();
    for (int f = 0; f < n; ++f) {
      if (!face(f).dead && group_[static_cast<std::size_t>(f)] == f) cover(f, out);
    }
    for (int i = 0; i < count(); ++i) {
      if (corner_[static_cast<std::size_t>(i)] >= 3) out.vert.push_back(i);
    }
  }

  // the corner of g that is not on its edge with f
  int opposite(int g, int f) {
    for (int e = 0; e < 3; ++e) {
      if (face(g).adj[e] == f) return face(g).v[(e + 2) % 3];
    }
    return face(g).v[0];
  }

  // a corner belongs to at least three facets; a point inside a facet or on an edge to one or two
  CORTEN_BULK void find_corners() {
    corner_.assign(next_.size(), 0);
    List<int> known(3 * next_.size(), none);
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f) {
      if (face(f).dead) continue;
      for (const int v : face(f).v) {
        int& facets = corner_[static_cast<std::size_t>(v)];
        if (facets == 3) continue;
        int* list = &known[3 * static_cast<std::size_t>(v)];
        const int g = group_[static_cast<std::size_t>(f)];
        if (std::find(list, list + facets, g) == list + facets) list[facets++] = g;
      }
    }
  }

  // covers the facet of triangle f: its outline without points on edges, as a fan
  CORTEN_BULK void cover(int f, Hull& out) {
    List<int> members(1, f), outline;
    face(f).mark = ++mark_;
    int start = none;
    if (starts_.empty()) starts_.assign(next_.size(), none);
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (int e = 0; e < 3; ++e) {
        const int g = face(members[i]).adj[e], a = face(members[i]).v[e];
        if (group_[static_cast<std::size_t>(g)] != f) {
          starts_[static_cast<std::size_t>(a)] = face(members[i]).v[(e + 1) % 3];
          if (corner_[static_cast<std::size_t>(a)] >= 3 && (start == none || a < start)) start = a;
        } else if (face(g).mark != mark_) {
          face(g).mark = mark_;
          members.push_back(g);
        }
      }
    }
    if (start == none) return;
    int v = start;
    do {
      if (corner_[static_cast<std::size_t>(v)] >= 3) outline.push_back(v);
      v = starts_[static_cast<std::size_t>(v)];
    } while (v != start && outline.size() <= next_.size());
    for (std::size_t i = 2; i < outline.size(); ++i) {
      out.face.append({outline[0], outline[i - 1], outline[i]});
    }
  }

  // lists every edge once from either end: its two triangles traverse it in opposite directions
  CORTEN_BULK void add_edges(Hull& out) const {
    List<int> first(next_.size() + 1, 0);
    for (const int a : out.face) ++first[static_cast<std::size_t>(a) + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    List<int> end(out.face.size()), fill = first;
    for (std::size_t i = 0; i < out.face.size(); ++i) {
      const std::size_t after = i % 3 == 2 ? i - 2 : i + 1;
      int& slot = fill[static_cast<std::size_t>(out.face[i])];
      end[static_cast<std::size_t>(slot++)] = out.face[after];
    }
    for (const int v : out.vert) {
      const auto from = end.begin() + first[static_cast<std::size_t>(v)];
      out.edge.append(from, end.begin() + first[static_cast<std::size_t>(v) + 1]);
      out.edge.push_back(none);
    }
  }

  struct Edge {
    int face, side;
  };

  const List<double>& points_;
  int limit_;
  double doubt_ = 0;  // heights below this are decided exactly
  List<int> next_;
  List<Face> faces_;
  List<int> free_, todo_, seen_, fan_, starts_, group_, corner_;
  List<Edge> rim_;
  int mark_ = 0;
};

}  // namespace detail

}  // namespace corten::asset
