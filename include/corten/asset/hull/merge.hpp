// SPDX-License-Identifier: Apache-2.0
//
// Merges coplanar facets. A new triangle whose neighbour on the rim is coplanar with the new point
// is merged into that neighbour, which then has more than three sides; ridges record them. A vertex
// that belongs to only two facets lies in the middle of an edge and is removed.
//
// qhull merges in more ways, for facets that rounding makes concave, crossed or degenerate.
// Coordinates in mesh files are floats, so in double precision these cases hardly ever occur. Where
// they do, exact.hpp computes the hull instead.
#pragma once

#include <corten/asset/hull/points.hpp>
#include <corten/core/list.hpp>

namespace corten::asset::detail {

class HullMerge : protected HullPoints {
 protected:
  using HullPoints::HullPoints;

  // merges the new facets where needed
  CORTEN_BULK void merge_new_facets() {
    if (is_clearly_convex()) return;
    bool any = false;
    for (int f = first_new_, after; f > tail; f = after) {
      after = facet(f).next;
      if (facet(f).has_plane) continue;
      for (std::size_t i = 1; i < 3; ++i) vertex(facet(f).vertex[i]).lost_ridge = true;
      merge_into_neighbour(f, facet(f).neighbour[0]);
      if (failed_) return;
      any = true;
    }
    for (int f = first_new_; f > tail; f = facet(f).next) {
      if (!facet(f).in_plane) continue;
      check_neighbours(f);
      facet(f).in_plane = false;
    }
    check_convexity();
    if (any && !failed_) take_out_vertices();
  }

  // lists the facets around each vertex; kept up to date from the first merge on
  CORTEN_BULK void find_vertex_neighbours() {
    if (has_vertex_neighbours_) return;
    has_vertex_neighbours_ = true;
    for (int f = first_facet_; f > tail; f = facet(f).next) {
      if (facet(f).visible) continue;
      for (const int v : facet(f).vertex) vertex(v).neighbour.push_back(f);
    }
  }

  bool has_vertex_neighbours_ = false;

 private:
  // whether all new facets are triangles between triangles, with the vertices opposite their edges
  // clearly below
  CORTEN_BULK bool is_clearly_convex() {
    for (int f = first_new_; f > tail; f = facet(f).next) {
      if (!facet(facet(f).neighbour[0]).triangle || !facet(f).has_plane) return false;
    }
    for (int f = first_new_; f > tail; f = facet(f).next) {
      const HullFacet& x = facet(f);
      for (std::size_t i = 1; i < 3; ++i) {
        if (height(facet(x.neighbour[i]), place(x.vertex[i])) >= -in_plane_) return false;
      }
      for (const int v : facet(x.neighbour[0]).vertex) {
        if (v == x.vertex[1] || v == x.vertex[2]) continue;
        if (height(x, place(v)) >= -in_plane_) return false;
        break;
      }
    }
    return true;
  }

  // adds the ridges that a triangle does not have yet
  CORTEN_BULK void make_ridges(int f) {
    HullFacet& x = facet(f);
    if (!x.triangle) return;
    x.triangle = false;
    for (const int g : x.neighbour) facet(g).seen = false;
    for (const int r : x.ridge) facet(beyond(r, f)).seen = true;
    for (std::size_t i = 0; i < x.neighbour.size(); ++i) {
      const int g = x.neighbour[i];
      if (facet(g).seen) continue;
      const int r = new_ridge(x.vertex[i == 0 ? 1 : 0], x.vertex[i == 2 ? 1 : 2]);
      const bool top = x.top != (i % 2 == 1);
      ridge(r).top = top ? f : g;
      ridge(r).bottom = top ? g : f;
      add_ridge(f, r);
      add_ridge(g, r);
    }
  }

  // merges triangle f, whose first vertex is the new point, into its neighbour g
  CORTEN_BULK void merge_into_neighbour(int f, int g) {
    if (num_facets_ - num_visible_ <= 4) {
      failed_ = true;
      return;
    }
    ++num_merges_;
    find_vertex_neighbours();
    make_ridges(f);
    make_ridges(g);
    facet(g).merges += facet(f).merges + 1;
    facet(g).merged = true;
    forget_centre(g);
    join_vertices(f, g);
    join_ridges(f, g);
    remove(g);
    append(g);
    facet(g).fresh = true;
    will_delete(f, g);
  }

  // the centre of a facet moves as the facet grows, until the facet is large
  CORTEN_BULK void forget_centre(int g) {
    HullFacet& x = facet(g);
    if (!x.has_centre) return;
    if (x.vertex.size() > 3 + 5) x.keeps_centre = true;
    if (x.vertex.size() == 3) x.keeps_centre = false;
    if (!x.keeps_centre) x.has_centre = false;
  }

  CORTEN_BULK void join_vertices(int f, int g) {
    const int apex = facet(f).vertex[0];
    bool is_new = false;
    if (!facet(g).fresh) {
      for (const int v : facet(g).vertex) refresh_vertex(v);
    }
    if (facet(g).vertex[0] != apex) {
      facet(g).vertex.insert_front(apex);
      is_new = true;
    }
    for (const int v : facet(f).vertex) {
      HullSet& around = vertex(v).neighbour;
      if (v == apex && is_new) {
        around.replace(f, g);
        continue;
      }
      around.drop(f);
      if (around.size() > 1) continue;
      // it was a corner of these two facets only
      facet(g).vertex.drop_in_order(v);
      vertex(v).deleted = true;
      deleted_.push_back(v);
    }
  }

  CORTEN_BULK void join_ridges(int f, int g) {
    ++visit_;
    for (const int h : facet(g).neighbour) facet(h).visit = visit_;
    for (std::size_t i = 0; i < facet(f).ridge.size();) {
      const int r = facet(f).ridge[i], h = beyond(r, f);
      if (h == g) {
        forget_ridge(r);
        facet(g).neighbour.drop(f);
        continue;
      }
      add_ridge(g, r);
      if (facet(h).visit != visit_) {
        facet(g).neighbour.push_back(h);
        facet(h).neighbour.replace(f, g);
        facet(h).visit = visit_;
      } else {
        make_ridges(h);
        if (facet(h).neighbour[0] == f) {
          facet(h).neighbour.drop(g);
          facet(h).neighbour.replace(f, g);
        } else {
          facet(h).neighbour.drop(f);
        }
      }
      (ridge(r).top == f ? ridge(r).top : ridge(r).bottom) = g;
      ++i;
    }
  }

  CORTEN_BULK void forget_ridge(int r) {
    for (const int v : ridge(r).vertex) {
      if (v != none) vertex(v).lost_ridge = true;
    }
    facet(ridge(r).top).ridge.drop(r);
    facet(ridge(r).bottom).ridge.drop(r);
    delete_ridge(r);
  }

  // ---- what is left to the exact hull -----------------------------------------------------------

  // whether every corner of `inner` is a corner of `outer`
  CORTEN_BULK bool is_within(int inner, int outer) {
    ++vertex_visit_;
    for (const int v : facet(outer).vertex) vertex(v).visit = vertex_visit_;
    for (const int v : facet(inner).vertex) {
      if (vertex(v).visit != vertex_visit_) return false;
    }
    return true;
  }

  // fails on facets with two neighbours, or without a corner of their own
  CORTEN_BULK void check_neighbours(int f) {
    if (facet(f).neighbour.size() < 3) failed_ = true;
    for (const int g : facet(f).neighbour) {
      if (is_within(g, f)) failed_ = true;
    }
  }

  CORTEN_BULK void check_facet(int f) {
    if (facet(f).neighbour.size() < 3) failed_ = true;
    for (const int g : facet(f).neighbour) {
      if (is_within(f, g)) failed_ = true;
    }
  }

  // checks that the centres of new facets are below the planes of their neighbours, and vice versa
  CORTEN_BULK void check_convexity() {
    ++visit_;
    for (int f = first_new_; f > tail; f = facet(f).next) {
      facet(f).visit = visit_;
      for (const int g : facet(f).neighbour) {
        if (facet(g).visit == visit_) continue;
        set_centre(f);
        set_centre(g);
        if (height(facet(g), facet(f).centre) >= -in_plane_ ||
            height(facet(f), facet(g).centre) >= -in_plane_) {
          failed_ = true;
        }
      }
    }
  }

  // ---- vertices in the middle of edges ----------------------------------------------------------

  CORTEN_BULK void take_out_vertices() {
    for (int f = first_new_; f > tail; f = facet(f).next) {
      if (facet(f).merged && has_extra_vertices(f)) failed_ = true;
    }
    for (int f = first_new_; f > tail && !failed_; f = facet(f).next) {
      if (!facet(f).merged) continue;
      facet(f).merged = false;
      for (std::size_t i = 0; i < facet(f).vertex.size() && !failed_;) {
        const int v = facet(f).vertex[i];
        if (!vertex(v).lost_ridge || !take_out(v, f)) ++i;
      }
    }
    for (int v = first_new_vertex_; v > tail; v = vertex(v).next) {
      if (!vertex(v).deleted) vertex(v).lost_ridge = false;
    }
  }

  // whether some corner has no ridge
  CORTEN_BULK bool has_extra_vertices(int f) {
    ++vertex_visit_;
    for (const int r : facet(f).ridge) {
      for (const int v : ridge(r).vertex) vertex(v).visit = vertex_visit_;
    }
    for (const int v : facet(f).vertex) {
      if (vertex(v).visit != vertex_visit_) return true;
    }
    return false;
  }

  // removes vertex v if only f and one other facet have it: the ridges that end in it become one
  CORTEN_BULK bool take_out(int v, int f) {
    if (vertex(v).neighbour.size() != 2) return false;
    const int g = vertex(v).neighbour[vertex(v).neighbour[0] == f ? 1 : 0];
    List<int> ends;
    for (const int r : facet(f).ridge) {
      const int* e = ridge(r).vertex;
      if (beyond(r, f) == g && (e[0] == v || e[1] == v)) ends.push_back(r);
    }
    const int to = find_end(v, f, g, ends);
    if (to == none) return false;
    for (const int r : ends) rename_end(r, v, to);
    for (const int h : vertex(v).neighbour) {
      facet(h).vertex.drop_in_order(v);
      check_facet(h);
    }
    vertex(v).deleted = true;
    deleted_.push_back(v);
    return true;
  }

  // the vertex that a ridge can be extended to, such that it does not run along another ridge
  CORTEN_BULK int find_end(int v, int f, int g, const List<int>& ends) {
    HullSet both;
    for (const int a : facet(f).vertex) {
      if (contains(facet(g).vertex, a)) both.push_back(a);
    }
    both.drop(v);
    for (std::size_t i = 0; i < both.size();) {
      int count = 0;
      for (const int r : ends) count += other_end(r, v) == both[i] ? 1 : 0;
      if (count > 1) failed_ = true;
      if (count > 0) {
        ++i;
      } else {
        both.drop(both[i]);
      }
    }
    for (const int a : both) {
      if (!runs_along(a, v, ends)) return a;
    }
    return none;
  }

  int other_end(int r, int v) {
    return ridge(r).vertex[0] == v ? ridge(r).vertex[1] : ridge(r).vertex[0];
  }

  CORTEN_BULK bool runs_along(int a, int v, const List<int>& ends) {
    for (const int f : vertex(a).neighbour) {
      for (const int r : facet(f).ridge) {
        if (ridge(r).vertex[0] != a && ridge(r).vertex[1] != a) continue;
        for (const int e : ends) {
          if (e != r && other_end(r, a) == other_end(e, v)) return true;
        }
      }
    }
    return false;
  }

  CORTEN_BULK void rename_end(int r, int v, int to) {
    HullRidge& x = ridge(r);
    const int before = x.vertex[0] == v ? 0 : 1, stays = x.vertex[1 - before];
    if (stays == to) {
      x.vertex[before] = none;
      forget_ridge(r);
      return;
    }
    const int now = stays < to ? 0 : 1;
    x.vertex[now] = to;
    x.vertex[1 - now] = stays;
    if (now != before) std::swap(x.top, x.bottom);
    for (const int f : {x.top, x.bottom}) {
      if (facet(f).triangle || facet(f).merges == 0) continue;
      for (const int other : facet(f).ridge) {
        const int* e = ridge(other).vertex;
        if (other != r && e[0] == ridge(r).vertex[0] && e[1] == ridge(r).vertex[1]) failed_ = true;
      }
    }
  }
};

}  // namespace corten::asset::detail
