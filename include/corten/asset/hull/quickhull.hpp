// SPDX-License-Identifier: Apache-2.0
//
// Quickhull (Barber, Dobkin, Huhdanpaa 1996). Starting from a tetrahedron, it repeatedly adds the
// farthest point outside a facet, replaces the facets visible from it by a cone of new ones, and
// merges coplanar facets. In the end, facets with more than three sides are cut into triangles.
//
// The result equals that of qhull with option Qt, down to the order of vertices, triangles and
// edges. MuJoCo takes its hulls from qhull, and the order decides which corners of a mesh touch a
// plane, where the search for a support point begins, and which of several equal ones it finds. So
// every list is kept in the order in which qhull keeps it. The library stays header-only, which it
// could not if it linked qhull.
#pragma once

#include <corten/asset/hull/merge.hpp>
#include <corten/core/list.hpp>

namespace corten::asset {

// Triangles over points, counter-clockwise seen from outside; empty if the points are coplanar.
struct Hull {
  List<int> vert;  // indices of points
  List<int> face;  // three points per triangle
  List<int> edge;  // per vertex: the points at the other ends of its edges, then -1
};

namespace detail {

class Quickhull : private HullMerge {
 public:
  // limit is the maximum number of vertices, or -1
  CORTEN_BULK Quickhull(const List<double>& points, int limit) : HullMerge(points), limit_(limit) {}

  // returns false in the cases that are left to exact.hpp
  CORTEN_BULK bool run(Hull& out) {
    start();
    if (failed_) return false;
    share_out_points();
    next_ = first_facet_;
    farthest_next();
    for (int left = 2 * num_points(); !failed_; --left) {
      const int f = next_facet();
      if (f == none || (limit_ >= 0 && num_vertices_ >= limit_)) break;
      add_point(take_last(facet(f).outside), f);
      if (left == 0) failed_ = true;
    }
    if (failed_) return false;
    cut_into_triangles();
    find_vertex_neighbours();
    write(out);
    return is_closed(out);
  }

 private:
  // the next facet with points outside
  CORTEN_BULK int next_facet() {
    while (next_ != tail && facet(next_).outside.first == none) next_ = facet(next_).next;
    if (next_ == tail) return none;
    if (limit_ >= 0) farthest_next();
    return next_;
  }

  // moves the facet with the farthest point to the front of those still to come
  CORTEN_BULK void farthest_next() {
    int best = none;
    for (int f = first_facet_; f > tail; f = facet(f).next) {
      if (facet(f).outside.first == none) continue;
      if (best == none || facet(f).farthest > facet(best).farthest) best = f;
    }
    if (best == none) return;
    remove(best);
    prepend(best, next_);
  }

  CORTEN_BULK void add_point(int p, int f) {
    find_visible(p, f);
    make_cone(p);
    if (failed_) return;
    match_cone();
    for (int g = first_new_; g > tail && !failed_; g = facet(g).next) {
      if (facet(g).joins) continue;
      set_plane(g);
      if (!is_outwards(g)) failed_ = true;
    }
    if (failed_) return;
    update_vertices();
    merge_new_facets();
    if (failed_) return;
    searches_all_ = many_merges();
    for (int g = first_new_; g > tail; g = facet(g).next) {
      if (!facet(g).triangle) searches_all_ = true;
    }
    give_back_points();
    searches_all_ = not_sharp_ = false;
    delete_visible();
    reset_lists();
  }

  // ---- the cone ---------------------------------------------------------------------------------

  // moves the facets visible from the point to the end of the list; those around them stay
  CORTEN_BULK void find_visible(int p, int start) {
    const double* at = point(p);
    remove(start);
    append(start);
    num_visible_ = 1;
    first_visible_ = start;
    facet(start).visible = true;
    facet(start).replaced_by = none;
    ++visit_;
    for (int f = first_visible_; f > tail; f = facet(f).next) {
      facet(f).visit = visit_;
      for (const int g : facet(f).neighbour) {
        HullFacet& x = facet(g);
        if (x.visit == visit_) continue;
        x.visit = visit_;
        const double h = height(x, at);
        if (h > in_plane_) {
          remove(g);
          append(g);
          x.visible = true;
          x.replaced_by = none;
          ++num_visible_;
          continue;
        }
        x.in_plane = h >= -in_plane_;
        if (x.in_plane && h > 0) max_outside_ = std::max(max_outside_, h);
      }
    }
  }

  CORTEN_BULK void make_cone(int p) {
    first_new_ = tail;
    first_new_vertex_ = tail;
    const int apex = new_vertex(p);
    append_vertex(apex);
    ++num_vertices_;
    ++visit_;
    // as in qhull, the last facet made from ridges also stands in for the visible facets after it
    int made = none, made_by_ridges = none;
    for (int f = first_visible_; f > tail && facet(f).visible; f = facet(f).next) {
      for (const int g : facet(f).neighbour) facet(g).seen = false;
      if (facet(f).has_ridges) {
        facet(f).visit = visit_;
        made_by_ridges = cone_over_ridges(f, apex);
      }
      if (facet(f).triangle) made = cone_over_triangle(f, apex);
      if (made_by_ridges != none) made = made_by_ridges;
      if (made != none) facet(f).replaced_by = made;
      facet(f).ridge.clear();
      facet(f).neighbour.clear();
    }
  }

  CORTEN_BULK int add_triangle(int apex, int young, int old, bool top, int neighbour) {
    const int f = new_facet();
    HullFacet& x = facet(f);
    for (const int v : {apex, young, old}) x.vertex.push_back(v);
    x.top = top;
    x.neighbour.push_back(neighbour);
    for (const int v : x.vertex) refresh_vertex(v);
    append(f);
    return f;
  }

  CORTEN_BULK int cone_over_ridges(int f, int apex) {
    int made = none;
    for (std::size_t i = 0; i < facet(f).ridge.size(); ++i) {
      const int r = facet(f).ridge[i], g = beyond(r, f);
      if (facet(g).visible) {
        if (facet(g).visit == visit_) delete_ridge(r);
        facet(g).seen = true;
        continue;
      }
      const bool top = ridge(r).top == f;
      made = add_triangle(apex, ridge(r).vertex[0], ridge(r).vertex[1], top, g);
      if (facet(g).in_plane) {
        facet(made).joins = true;
        if (facet(g).seen) failed_ = true;
      }
      if (facet(g).seen) {
        facet(g).neighbour.push_back(made);
      } else {
        facet(g).neighbour.replace(f, made);
      }
      if (facet(g).triangle) {
        facet(g).ridge.drop(r);
        delete_ridge(r);
      } else {
        add_ridge(made, r);
        (top ? ridge(r).top : ridge(r).bottom) = made;
      }
      facet(g).seen = true;
    }
    return made;
  }

  CORTEN_BULK int cone_over_triangle(int f, int apex) {
    int made = none;
    for (std::size_t i = 0; i < facet(f).neighbour.size(); ++i) {
      const int g = facet(f).neighbour[i];
      if (facet(g).seen || facet(g).visible) continue;
      const HullSet& around = facet(g).neighbour;
      const auto skip =
          static_cast<std::size_t>(std::find(around.begin(), around.end(), f) - around.begin());
      if (skip > 2 || facet(g).vertex.size() != 3) {
        failed_ = true;
        continue;
      }
      const bool odd = skip % 2 == 1;
      made = add_triangle(apex, facet(g).vertex[skip == 0 ? 1 : 0],
                          facet(g).vertex[skip == 2 ? 1 : 2], facet(g).top ? odd : !odd, g);
      if (facet(g).in_plane) facet(made).joins = true;
      facet(g).neighbour[skip] = made;
    }
    return made;
  }

  // links neighbours within the cone: exactly two triangles share each vertex of the rim
  CORTEN_BULK void match_cone() {
    mate_.resize(vertices_.size(), none);
    int open = 0;
    for (int f = first_new_; f > tail; f = facet(f).next) {
      for (int k = 0; k < 2; ++k) facet(f).neighbour.push_back(none);
      for (std::size_t skip = 1; skip < 3; ++skip) {
        int& mate = mate_[static_cast<std::size_t>(facet(f).vertex[3 - skip])];
        if (mate == none) {
          mate = 4 * f + static_cast<int>(skip);
          ++open;
          continue;
        }
        const int g = mate / 4;
        const auto other = static_cast<std::size_t>(mate % 4);
        if (((skip ^ other) % 2 == 0) != (facet(f).top != facet(g).top)) failed_ = true;
        facet(f).neighbour[skip] = g;
        facet(g).neighbour[other] = f;
        mate = none;
        --open;
      }
    }
    if (open != 0) failed_ = true;
    for (int f = first_new_; failed_ && f > tail; f = facet(f).next) {
      for (const int v : facet(f).vertex) mate_[static_cast<std::size_t>(v)] = none;
    }
  }

  // updates the facets around vertices, and deletes vertices that have none left
  CORTEN_BULK void update_vertices() {
    if (has_vertex_neighbours_) {
      for (int v = first_new_vertex_; v > tail; v = vertex(v).next) {
        HullSet& around = vertex(v).neighbour;
        for (std::size_t i = 0; i < around.size();) {
          if (facet(around[i]).visible) {
            around.drop(around[i]);
          } else {
            ++i;
          }
        }
      }
      for (int f = first_new_; f > tail; f = facet(f).next) {
        for (const int v : facet(f).vertex) vertex(v).neighbour.push_back(f);
      }
    }
    for (int f = first_visible_; f > tail && facet(f).visible; f = facet(f).next) {
      for (const int v : facet(f).vertex) {
        if (vertex(v).fresh || vertex(v).deleted) continue;
        bool alive = false;
        for (const int g : vertex(v).neighbour) alive = alive || !facet(g).visible;
        if (alive) {
          vertex(v).neighbour.drop(f);
        } else {
          vertex(v).deleted = true;
          deleted_.push_back(v);
        }
      }
    }
  }

  CORTEN_BULK void delete_visible() {
    for (int f = first_visible_, after; f > tail && facet(f).visible; f = after) {
      after = facet(f).next;
      delete_facet(f);
    }
    num_visible_ = 0;
    num_vertices_ -= static_cast<int>(deleted_.size());
    for (const int v : deleted_) remove_vertex(v);
    deleted_.clear();
  }

  // ---- triangles --------------------------------------------------------------------------------

  // Turns facets with more sides into fans around their youngest vertex, at the end of the list.
  // The two sides that end at that vertex yield triangles without area, which are dropped.
  CORTEN_BULK void cut_into_triangles() {
    ++visit_;
    first_new_vertex_ = tail;
    int first_changed = none;
    List<int> many;
    for (int f = first_facet_; f > tail; f = facet(f).next) {
      if (!facet(f).triangle) many.push_back(f);
    }
    for (const int f : many) {
      for (const int g : facet(f).neighbour) facet(g).seen = facet(g).in_plane = false;
      first_visible_ = first_new_ = tail;
      facet(f).visit = visit_;
      cone_over_ridges(f, facet(f).vertex[0]);
      will_delete(f, none);
      for (int g = first_new_; g > tail; g = facet(g).next) {
        for (const int v : facet(g).vertex) vertex(v).neighbour.push_back(g);
      }
      if (first_changed == none) first_changed = first_new_vertex_;
      for (int g = first_new_; g > tail; g = facet(g).next) {
        facet(g).fan = true;
        facet(g).fresh = false;
      }
      first_new_vertex_ = first_new_ = first_visible_ = none;
    }
    for (int f = first_facet_; f > tail; f = facet(f).next) {
      if (facet(f).fan && facet(f).vertex[0] == facet(f).vertex[1]) facet(f).visible = true;
    }
    for (int v = first_changed; v > tail; v = vertex(v).next) {
      const HullSet before = vertex(v).neighbour;
      vertex(v).neighbour.clear();
      for (const int f : before) {
        if (!facet(f).visible) vertex(v).neighbour.push_back(f);
      }
    }
  }

  CORTEN_BULK void write(Hull& out) {
    for (int v = first_vertex_; v > tail; v = vertex(v).next) {
      out.vert.push_back(vertex(v).point);
      const std::size_t first = out.edge.size();
      for (const int f : vertex(v).neighbour) {
        for (const int w : facet(f).vertex) {
          const int p = vertex(w).point;
          if (w == v || std::find(out.edge.begin() + static_cast<std::ptrdiff_t>(first),
                                  out.edge.end(), p) != out.edge.end()) {
            continue;
          }
          out.edge.push_back(p);
        }
      }
      out.edge.push_back(none);
    }
    for (int f = first_facet_; f > tail; f = facet(f).next) {
      if (facet(f).visible) continue;
      const int a = facet(f).top ? 1 : 0;
      for (const int k : {a, 1 - a, 2}) {
        out.face.push_back(vertex(facet(f).vertex[static_cast<std::size_t>(k)]).point);
      }
    }
  }

  // whether vertices and triangles list equally many edges, as many as Euler's formula requires
  static bool is_closed(const Hull& h) {
    const std::size_t verts = h.vert.size(), faces = h.face.size() / 3;
    return h.edge.size() == verts + 3 * faces && faces + 4 == 2 * verts;
  }

  int limit_;
  int num_vertices_ = 4;
  List<int> mate_;
};

}  // namespace detail

}  // namespace corten::asset
