// SPDX-License-Identifier: Apache-2.0
//
// A fill-reducing order for sparse Cholesky factors: approximate minimum degree (Amestoy, Davis and
// Duff 1996) on a graph that is given as cliques.
//
// The matrices here are sums of outer products: M is one clique per chain of a kinematic tree, and
// every constraint row is a clique of the dofs that it moves. Eliminating a vertex joins the
// cliques that contain it into a new one, so the graph is a set of cliques all along, and its
// memory only shrinks. No list of edges is ever made. A contact between two bodies costs two
// numbers.
//
// A vertex stands for dofs that occur in the same cliques, such as the six of a free body; its
// weight is their number. Degrees count dofs.
#pragma once

#include <corten/math/field.hpp>

namespace corten {

// Memory for integers: results are handed out from the front, scratch from the back. What does not
// fit is still counted, so that `needed` says afterwards what would have been enough, as far as the
// work got.
template <class I>
struct IntRoom {
  I all;
  int size = 0;
  int used = 0, scratch = 0, needed = 0;

  CORTEN_FN I take(int count) {
    const int at = used;
    used += count;
    return all.from(count_needed() ? at : 0);
  }
  CORTEN_FN I take_scratch(int count) {
    scratch += count;
    return all.from(count_needed() ? size - scratch : 0);
  }
  CORTEN_FN bool count_needed() {
    if (used + scratch > needed) needed = used + scratch;
    return used + scratch <= size;
  }
  CORTEN_FN bool overflows() const { return needed > size; }
};

// Lists of integers, one after another: list k is item[start[k]] … item[start[k + 1] - 1].
template <class I>
struct IntLists {
  int count = 0;
  I start, item;
};

// The order in which vertices are eliminated. Vertices that are eliminated together name their
// pivot in `into`; a pivot names itself. The columns of a pivot are its own dofs and those of the
// vertices eliminated with it, and `rows` counts the dofs below. `parent` is the pivot whose
// elimination joins the clique of this one to another, or -1.
template <class I>
struct EliminationOrder {
  int pivots = 0;
  I pivot, into, parent, columns, rows;
};

namespace detail {

// The state of the elimination. Cliques 0 … given - 1 are those of the matrix; clique given + p is
// the one that pivot p leaves.
template <class I>
struct QuotientGraph {
  int vertices = 0, given = 0, left = 0;
  I weight;                           // dofs of each vertex; 0 once it is gone
  I clique_at, clique_size, members;  // lists of vertices; members has twice the room they need
  I clique_dofs;                      // dofs of each clique; -1 once it is gone
  I beyond;                           // dofs outside the newest clique, plus the tag
  I in_at, in_size, in;               // the cliques of each vertex
  I degree, head, next, previous;     // lists of vertices by degree
  I mark, hash;
  I sequence;  // cliques in the order of their addresses
  int sequence_size = 0, members_end = 0, members_room = 0, tag = 1, lowest = 0;
};

template <class I>
CORTEN_FN void unlink_vertex(QuotientGraph<I>& g, int i) {
  const int before = g.previous[i], after = g.next[i];
  if (before >= 0) g.next[before] = after;
  if (before < 0) g.head[g.degree[i]] = after;
  if (after >= 0) g.previous[after] = before;
}

template <class I>
CORTEN_FN void link_vertex(QuotientGraph<I>& g, int i) {
  const int d = g.degree[i], first = g.head[d];
  g.next[i] = first;
  g.previous[i] = -1;
  if (first >= 0) g.previous[first] = i;
  g.head[d] = i;
  if (d < g.lowest) g.lowest = d;
}

// drops what is gone from the lists of members, and moves them together
template <class I>
CORTEN_FN void compact_members(QuotientGraph<I>& g) {
  int end = 0, kept = 0;
  for (int s = 0; s < g.sequence_size; ++s) {
    const int e = g.sequence[s];
    if (g.clique_dofs[e] < 0) continue;
    const int from = g.clique_at[e], size = g.clique_size[e];
    g.clique_at[e] = end;
    for (int k = from; k < from + size; ++k) {
      if (g.weight[g.members[k]] > 0) g.members[end++] = g.members[k];
    }
    g.clique_size[e] = end - g.clique_at[e];
    g.sequence[kept++] = e;
  }
  g.sequence_size = kept;
  g.members_end = end;
}

// Joins the cliques of pivot p, without p, into the clique given + p. Returns its id.
template <class I>
CORTEN_FN int join_cliques(QuotientGraph<I>& g, int p, const I& parent) {
  const int e = g.given + p;
  int room = 0;
  for (int k = g.in_at[p]; k < g.in_at[p] + g.in_size[p]; ++k) room += g.clique_size[g.in[k]];
  if (g.members_end + room > g.members_room) compact_members(g);
  g.clique_at[e] = g.members_end;
  int dofs = 0;
  for (int k = g.in_at[p]; k < g.in_at[p] + g.in_size[p]; ++k) {
    const int old = g.in[k], at = g.clique_at[old];
    for (int c = at; c < at + g.clique_size[old]; ++c) {
      const int i = g.members[c];
      if (i == p || g.weight[i] == 0 || g.mark[i] == p) continue;
      g.mark[i] = p;
      dofs += g.weight[i];
      g.members[g.members_end++] = i;
    }
    g.clique_dofs[old] = -1;
    if (old >= g.given) parent[old - g.given] = p;
  }
  g.clique_size[e] = g.members_end - g.clique_at[e];
  g.clique_dofs[e] = dofs;
  g.sequence[g.sequence_size++] = e;
  return e;
}

// For each clique that shares vertices with clique e: beyond = tag + dofs outside of e.
template <class I>
CORTEN_FN void count_beyond(QuotientGraph<I>& g, int e) {
  for (int c = g.clique_at[e]; c < g.clique_at[e] + g.clique_size[e]; ++c) {
    const int i = g.members[c];
    for (int k = g.in_at[i]; k < g.in_at[i] + g.in_size[i]; ++k) {
      const int f = g.in[k];
      if (g.clique_dofs[f] < 0) continue;
      if (g.beyond[f] < g.tag) g.beyond[f] = g.tag + g.clique_dofs[f];
      g.beyond[f] -= g.weight[i];
    }
  }
}

// Renews the list of cliques of vertex i, which is in the new clique e, and returns the dofs of its
// neighbours outside of e, counted once per clique. Cliques that lie within e are dropped.
template <class I>
CORTEN_FN int renew_cliques(QuotientGraph<I>& g, int i, int e, const I& parent) {
  int outside = 0, kept = g.in_at[i];
  unsigned sum = static_cast<unsigned>(e);
  for (int k = g.in_at[i]; k < g.in_at[i] + g.in_size[i]; ++k) {
    const int f = g.in[k];
    if (g.clique_dofs[f] < 0) continue;
    const int more = g.beyond[f] - g.tag;
    if (more == 0) {
      g.clique_dofs[f] = -1;
      if (f >= g.given) parent[f - g.given] = e - g.given;
      continue;
    }
    outside += more;
    sum += static_cast<unsigned>(f);
    g.in[kept++] = f;
  }
  g.in[kept++] = e;
  g.in_size[i] = kept - g.in_at[i];
  g.hash[i] = static_cast<int>(sum % static_cast<unsigned>(g.vertices));
  return outside;
}

// Are the vertices in the same cliques? Lists are in the order in which cliques came to be.
template <class I>
CORTEN_FN bool same_cliques(const QuotientGraph<I>& g, int i, int j) {
  if (g.in_size[i] != g.in_size[j]) return false;
  for (int k = g.in_size[i] - 1; k >= 0; --k) {
    if (g.in[g.in_at[i] + k] != g.in[g.in_at[j] + k]) return false;
  }
  return true;
}

// Merges vertices of clique e that are in the same cliques: from here on they are one. `bucket`
// has an entry of -1 per vertex, and is left so.
template <class I>
CORTEN_FN void merge_vertices(QuotientGraph<I>& g, int e, const I& bucket, const I& into) {
  const int from = g.clique_at[e], to = from + g.clique_size[e];
  for (int c = from; c < to; ++c) {
    const int i = g.members[c];
    if (g.weight[i] == 0) continue;
    bool merged = false;
    for (int j = bucket[g.hash[i]]; j >= 0 && !merged; j = g.next[j]) {
      if (!same_cliques(g, i, j)) continue;
      g.weight[j] += g.weight[i];
      g.weight[i] = 0;
      into[i] = j;
      merged = true;
    }
    if (merged) continue;
    g.next[i] = bucket[g.hash[i]];
    bucket[g.hash[i]] = i;
  }
  for (int c = from; c < to; ++c) bucket[g.hash[g.members[c]]] = -1;
}

// Drops vertex i of the new clique e if nothing outside of e depends on it: then it is eliminated
// together with the pivot p, and its weight is returned.
template <class I>
CORTEN_FN int drop_if_inner(QuotientGraph<I>& g, int i, int e, int p,
                            const EliminationOrder<I>& order) {
  const int outside = renew_cliques(g, i, e, order.parent), dofs = g.weight[i];
  if (outside > 0) {
    if (outside < g.degree[i]) g.degree[i] = outside;
    return 0;
  }
  g.clique_dofs[e] -= dofs;
  g.weight[i] = 0;
  order.into[i] = p;
  return dofs;
}

// Eliminates vertex p. The degree of a neighbour is bounded by the new clique plus what it had
// before, or plus the cliques that reach outside of the new one.
template <class I>
CORTEN_FN void eliminate(QuotientGraph<I>& g, int p, const I& bucket,
                         const EliminationOrder<I>& order) {
  int columns = g.weight[p];
  const int e = join_cliques(g, p, order.parent);
  g.weight[p] = 0;
  count_beyond(g, e);
  const int from = g.clique_at[e], to = from + g.clique_size[e];
  for (int c = from; c < to; ++c) {
    unlink_vertex(g, g.members[c]);
    columns += drop_if_inner(g, g.members[c], e, p, order);
  }
  g.left -= columns;
  order.columns[p] = columns;
  order.rows[p] = g.clique_dofs[e];
  merge_vertices(g, e, bucket, order.into);
  int kept = from;
  for (int c = from; c < to; ++c) {
    const int i = g.members[c];
    if (g.weight[i] == 0) continue;
    const int near = g.clique_dofs[e] - g.weight[i] + g.degree[i], most = g.left - g.weight[i];
    g.degree[i] = near < most ? near : most;
    link_vertex(g, i);
    g.members[kept++] = i;
  }
  g.clique_size[e] = kept - from;
  g.members_end = kept;
}

// Memory of the elimination, and its start: vertices with their cliques and degrees.
template <class I>
CORTEN_FN QuotientGraph<I> start_elimination(const IntLists<I>& cliques, const I& weight,
                                             int vertices, IntRoom<I>& room) {
  QuotientGraph<I> g;
  const int given = cliques.count, all = given + vertices;
  const int entries = given > 0 ? cliques.start[given] : 0;
  g.vertices = vertices;
  g.given = given;
  g.members_room = 2 * entries;
  g.members = room.take_scratch(g.members_room);
  g.in = room.take_scratch(entries);
  g.clique_at = room.take_scratch(all), g.clique_size = room.take_scratch(all),
  g.clique_dofs = room.take_scratch(all);
  g.beyond = room.take_scratch(all), g.sequence = room.take_scratch(all);
  g.weight = room.take_scratch(vertices), g.in_at = room.take_scratch(vertices),
  g.in_size = room.take_scratch(vertices);
  g.degree = room.take_scratch(vertices), g.next = room.take_scratch(vertices),
  g.previous = room.take_scratch(vertices);
  g.mark = room.take_scratch(vertices), g.hash = room.take_scratch(vertices);
  if (room.overflows()) return g;
  fill(g.in_size, vertices, 0);
  fill(g.mark, vertices, -1);
  fill(g.beyond, all, 0);
  for (int i = 0; i < vertices; ++i) g.left += g.weight[i] = weight[i];
  for (int e = 0; e < given; ++e) {
    g.clique_at[e] = cliques.start[e];
    g.clique_size[e] = cliques.start[e + 1] - cliques.start[e];
    g.clique_dofs[e] = 0;
    g.sequence[e] = e;
    for (int k = cliques.start[e]; k < cliques.start[e + 1]; ++k) {
      const int i = g.members[k] = cliques.item[k];
      g.clique_dofs[e] += g.weight[i];
      ++g.in_size[i];
    }
  }
  g.sequence_size = given;
  g.members_end = entries;
  return g;
}

// lists the cliques of each vertex, and the vertices of each degree
template <class I>
CORTEN_FN void list_cliques(QuotientGraph<I>& g, const I& head) {
  int next = 0;
  for (int i = 0; i < g.vertices; ++i) {
    g.in_at[i] = next;
    next += g.in_size[i];
    g.in_size[i] = g.degree[i] = 0;
  }
  for (int e = 0; e < g.given; ++e) {
    for (int k = g.clique_at[e]; k < g.clique_at[e] + g.clique_size[e]; ++k) {
      const int i = g.members[k];
      g.in[g.in_at[i] + g.in_size[i]++] = e;
      g.degree[i] += g.clique_dofs[e] - g.weight[i];
    }
  }
  g.head = head;
  g.lowest = g.left;
  fill(g.head, g.left + 1, -1);
  for (int i = g.vertices - 1; i >= 0; --i) {
    const int most = g.left - g.weight[i];
    if (g.degree[i] > most) g.degree[i] = most;
    link_vertex(g, i);
  }
}

}  // namespace detail

// Orders the vertices 0 … vertices - 1 of a graph that is the union of cliques, each vertex at most
// once in a clique. The result is in scratch of `room`; if that is too small, it is empty.
template <class I>
CORTEN_FN EliminationOrder<I> minimum_degree(const IntLists<I>& cliques, const I& weight,
                                             int vertices, IntRoom<I>& room) {
  EliminationOrder<I> order;
  order.pivot = room.take_scratch(vertices), order.into = room.take_scratch(vertices);
  order.parent = room.take_scratch(vertices), order.columns = room.take_scratch(vertices);
  order.rows = room.take_scratch(vertices);
  const int kept = room.scratch;
  auto g = detail::start_elimination(cliques, weight, vertices, room);
  const I bucket = room.take_scratch(vertices), head = room.take_scratch(g.left + 1);
  if (room.overflows()) return order;
  detail::list_cliques(g, head);
  fill(bucket, vertices, -1);
  for (int i = 0; i < vertices; ++i) {
    order.into[i] = i;
    order.parent[i] = -1;
  }
  const int dofs = g.left;
  while (g.left > 0) {
    while (g.head[g.lowest] < 0) ++g.lowest;
    const int p = g.head[g.lowest];
    detail::unlink_vertex(g, p);
    detail::eliminate(g, p, bucket, order);
    order.pivot[order.pivots++] = p;
    g.tag += dofs + 1;
    if (g.tag > 1 << 30) {
      fill(g.beyond, g.given + vertices, 0);
      g.tag = 1;
    }
  }
  room.scratch = kept;
  return order;
}

}  // namespace corten
