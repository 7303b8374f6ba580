// SPDX-License-Identifier: Apache-2.0
//
// The sparsity of Newton's Hessian M + J' D J, island by island, and the memory of its factor.
//
// Chains of the trees and rows are cliques of dofs. Dofs that always occur together, as the six of
// a free body do, are one vertex of the graph (math/min_degree.hpp). Rows of one constraint share a
// pattern, so a pile has about as many cliques as pairs of bodies that touch. A row that follows a
// single chain to its root lies within the pattern of M, and adds nothing.
//
// Patterns are made right after the rows, since they tell how much memory the solver will need.
// The pattern of an island is kept while its rows keep theirs, which a sum over them tells
// (island_key). In a crowd of thirty some contact comes or goes in most steps, but few islands
// change: making all patterns took as long as all rows.
// Small islands have none: their Hessian is dense.
#pragma once

#include <corten/constraint/rows.hpp>
#include <corten/math/sparse_cholesky.hpp>

#include <cstdint>
#include <limits>

namespace corten {

// The rows of an island in the positions of the factor: rows row[g] … row[g + 1] - 1 are those of
// group g. Their entries fall into pieces at consecutive positions; piece[at[g]] is the number of
// pieces, followed by position, first entry and length of each, positions ascending.
template <class I>
struct RowPieces {
  int groups = 0;
  I row, at, piece;
};

template <class I>
struct HessianPattern {
  FactorPattern<I> factor;
  RowPieces<I> rows;
  I inertia;  // where each entry of the island's part of M is among the numbers of the factor
  I scratch;  // of the factorisation

  CORTEN_FN bool sparse() const { return factor.panels > 0; }
};

// islands with at most so many dofs have a dense Hessian
inline constexpr int dense_hessian = 20;

namespace detail {

// the numbers at the start of an island's pattern
enum PatternNumber {
  at_size,  // of everything, with these numbers
  at_tree,  // the island's first
  at_low,   // two halves of its key
  at_high,
  at_dofs,
  at_panels,
  at_entries,
  at_values,
  at_work,
  at_groups,
  at_numbers,
  at_inertia,
  pattern_head
};

// A sum over numbers that depends on their order. The terms do not depend on each other, so the
// processor can work on several at once.
struct PatternKey {
  std::uint64_t sum = 0, place = 0;

  CORTEN_FN void add(int first, int second) {
    const auto word = [](int i) { return std::uint64_t{static_cast<std::uint32_t>(i)}; };
    std::uint64_t x = (word(first) | word(second) << 32) + (place += 0x9E3779B97F4A7C15u);
    x = (x ^ x >> 31) * 0x7FB5D329728EA185u;
    sum += (x ^ x >> 29) * 0xD6E8FEB86659FD93u;
  }
  CORTEN_FN int low() const { return static_cast<int>(sum & 0x7fffffffu); }
  CORTEN_FN int high() const { return static_cast<int>(sum >> 33); }
};

// What the pattern of island k depends on: its dofs and their part of M, its rows and their
// columns.
template <class M, class D>
CORTEN_FN PatternKey island_key(const M& m, const D& d, int k) {
  PatternKey key;
  for (int i = d.isl_dofadr[k]; i < d.isl_dofadr[k + 1]; ++i) {
    const int dof = d.isl_dof[i];
    key.add(dof, m.dof_parentid[dof]);
    if (m.M_rownnz[dof] < 2) key.add(0, 0);  // M of a lone body may be diagonal
  }
  const int end = d.isl_rowadr[k + 1];
  for (int i = d.isl_rowadr[k], from = i; i < end; from = i) {
    const int pattern = d.efc_J_runadr[d.isl_row[i]], runs = d.efc_J_run[pattern];
    while (i < end && d.efc_J_runadr[d.isl_row[i]] == pattern) ++i;
    key.add(i - from, runs);
    for (int a = pattern + 1; a < pattern + 2 * runs; a += 2) {
      key.add(d.efc_J_run[a], d.efc_J_run[a + 1]);
    }
  }
  return key;
}

// Dofs, rows and cliques of an island.
template <class I>
struct IslandGraph {
  int dofs = 0, vertices = 0;
  I dof, place;   // dofs of the island; where each dof of the model is among them
  I cut, vertex;  // 1 where a vertex starts; vertex of each dof
  I first_dof;    // of each vertex
  IntLists<I> cliques;
};

// f(first, length) for each run of the chain from dof i of the model to its root
template <class M, class F>
CORTEN_FN void each_chain_run(const M& m, int i, F&& f) {
  const int row = m.M_rowadr[i], end = row + m.M_rownnz[i];
  for (int k = row; k < end;) {
    int next = k + 1;
    while (next < end && m.M_colind[next] == m.M_colind[next - 1] + 1) ++next;
    f(int(m.M_colind[k]), next - k);
    k = next;
  }
}

// are the runs of a pattern those of the chain of its last dof, which has as many dofs?
template <class M, class D>
CORTEN_FN bool on_chain(const M& m, const D& d, int pattern, int last) {
  int a = 0;
  bool same = true;
  each_chain_run(m, last, [&](int first, int length) {
    same = same && a < d.efc_J_run[pattern] && d.efc_J_run[pattern + 1 + 2 * a] == first &&
           d.efc_J_run[pattern + 2 + 2 * a] == length;
    ++a;
  });
  return same;
}

// Calls f with a function that visits the runs of a clique, for each clique of island k: the chains
// of the trees from their leaves, then the rows that are on no single chain.
template <class M, class D, class I, class F>
CORTEN_FN void each_clique(const M& m, const D& d, int k, const IslandGraph<I>& g, F&& f) {
  for (int i = 0; i < g.dofs; ++i) {
    const int dof = g.dof[i];
    const bool inner =
        i + 1 < g.dofs && m.dof_parentid[g.dof[i + 1]] == dof && m.M_rownnz[g.dof[i + 1]] > 1;
    if (!inner && m.M_rownnz[dof] > 1) f([&](auto&& run) { each_chain_run(m, dof, run); });
  }
  for (int i = d.isl_rowadr[k], known = -1; i < d.isl_rowadr[k + 1]; ++i) {
    const int pattern = d.efc_J_runadr[d.isl_row[i]];
    if (pattern == known) continue;
    known = pattern;
    const int runs = d.efc_J_run[pattern];
    int width = 0;
    for (int a = 0; a < runs; ++a) width += d.efc_J_run[pattern + 2 + 2 * a];
    if (width < 2) continue;
    const int last = d.efc_J_run[pattern + 2 * runs - 1] + d.efc_J_run[pattern + 2 * runs] - 1;
    if (m.M_rownnz[last] == width && on_chain(m, d, pattern, last)) continue;
    f([&](auto&& run) {
      for (int a = 0; a < runs; ++a) {
        run(int(d.efc_J_run[pattern + 1 + 2 * a]), int(d.efc_J_run[pattern + 2 + 2 * a]));
      }
    });
  }
}

// Divides the dofs of island k into vertices: a vertex ends where a clique does, or where no clique
// holds two dofs together.
template <class M, class D, class I>
CORTEN_FN void find_vertices(const M& m, const D& d, int k, IslandGraph<I>& g) {
  const I held = g.vertex;
  fill(g.cut, g.dofs + 1, 0);
  fill(held, g.dofs, 0);
  for (int i = 0; i < g.dofs; ++i) g.place[g.dof[i]] = i;
  each_clique(m, d, k, g, [&](auto&& runs) {
    runs([&](int first, int length) {
      const int from = g.place[first];
      g.cut[from] = g.cut[from + length] = 1;
      for (int i = from + 1; i < from + length; ++i) held[i] = 1;
    });
  });
  for (int i = 0; i < g.dofs; ++i) {
    const bool starts = g.cut[i] != 0 || held[i] == 0;
    if (starts) g.first_dof[g.vertices++] = i;
    g.vertex[i] = g.vertices - 1;
  }
  g.first_dof[g.vertices] = g.dofs;
}

// Lists the cliques of island k that have at least two vertices. Equal ones in sequence, such as
// those of the contacts between two boxes, are listed once.
template <class M, class D, class I>
CORTEN_FN void list_cliques_of_island(const M& m, const D& d, int k, IslandGraph<I>& g,
                                      IntRoom<I>& room) {
  int count = 0, entries = 0;
  each_clique(m, d, k, g, [&](auto&& runs) {
    ++count;
    runs([&](int first, int length) {
      const int from = g.place[first];
      entries += g.vertex[from + length - 1] - g.vertex[from] + 1;
    });
  });
  g.cliques.start = room.take_scratch(count + 1);
  g.cliques.item = room.take_scratch(entries);
  if (room.overflows()) return;
  const I start = g.cliques.start, item = g.cliques.item;
  start[0] = 0;
  int end = 0, before = 0;
  each_clique(m, d, k, g, [&](auto&& runs) {
    const int from = end;
    runs([&](int first, int length) {
      const int a = g.vertex[g.place[first]], b = g.vertex[g.place[first] + length - 1];
      for (int v = a; v <= b; ++v) item[end++] = v;
    });
    bool known = end - from == from - before;
    for (int e = 0; known && e < end - from; ++e) known = item[from + e] == item[before + e];
    if (known || end - from < 2) {
      end = from;
      return;
    }
    before = from;
    start[++g.cliques.count] = end;
  });
}

// Cuts the entries of a row's pattern into pieces, sorted by position. Returns how many numbers
// they take; with `write` false it only counts.
template <class D, class I>
CORTEN_FN int cut_pieces(const D& d, int pattern, const IslandGraph<I>& g, const I& place,
                         const I& to, bool write) {
  int count = 0, entry = 0;
  for (int a = 0; a < d.efc_J_run[pattern]; ++a) {
    const int from = g.place[d.efc_J_run[pattern + 1 + 2 * a]];
    const int length = d.efc_J_run[pattern + 2 + 2 * a];
    for (int i = 0, size = 0; i < length; i += size, entry += size, ++count) {
      size = 1;
      while (i + size < length && place[from + i + size] == place[from + i] + size) ++size;
      if (!write) continue;
      int slot = count;
      for (; slot > 0 && to[3 * slot - 2] > place[from + i]; --slot) {
        for (int c = 1; c <= 3; ++c) to[3 * slot + c] = to[3 * slot + c - 3];
      }
      to[3 * slot + 1] = place[from + i];
      to[3 * slot + 2] = entry;
      to[3 * slot + 3] = size;
    }
  }
  if (write) to[0] = count;
  return 1 + 3 * count;
}

template <class I>
CORTEN_FN void take_pieces(RowPieces<I>& p, int groups, int numbers, IntRoom<I>& room) {
  p.groups = groups;
  p.row = room.take(groups + 1), p.at = room.take(groups), p.piece = room.take(numbers);
}

// the groups of rows of island k, and their pieces
template <class D, class I>
CORTEN_FN RowPieces<I> row_pieces(const D& d, int k, const IslandGraph<I>& g, const I& place,
                                  IntRoom<I>& room, int& numbers) {
  RowPieces<I> p;
  const int first = d.isl_rowadr[k], count = d.isl_rowadr[k + 1] - first;
  const auto pattern = [&](int i) { return int(d.efc_J_runadr[d.isl_row[first + i]]); };
  int groups = numbers = 0;
  for (int i = 0; i < count; ++i) {
    if (i > 0 && pattern(i) == pattern(i - 1)) continue;
    ++groups;
    numbers += cut_pieces(d, pattern(i), g, place, place, false);
  }
  take_pieces(p, groups, numbers, room);
  if (room.overflows()) return p;
  int group = 0, end = 0;
  for (int i = 0; i < count; ++i) {
    if (i > 0 && pattern(i) == pattern(i - 1)) continue;
    p.row[group] = i;
    p.at[group++] = end;
    end += cut_pieces(d, pattern(i), g, place, p.piece.from(end), true);
  }
  p.row[group] = count;
  return p;
}

// where a position is among the rows of panel k, which has it
template <class I>
CORTEN_FN int row_in_panel(const FactorPattern<I>& f, int k, int position) {
  const int own = position - f.first[k];
  if (own < f.columns(k)) return own;
  const I row = f.row.from(f.row_at[k]);
  int low = f.columns(k), high = f.rows[k] - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (row[middle] < position) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The places of the entries of M; returns how many there are. Ancestors of a dof mostly follow each
// other in the rows of its panel, so the row after the last one is tried before it is searched for.
template <class M, class I>
CORTEN_FN int place_inertia(const M& m, const IslandGraph<I>& g, const FactorPattern<I>& f,
                            IntRoom<I>& room) {
  int count = 0;
  for (int i = 0; i < g.dofs; ++i) count += m.M_rownnz[g.dof[i]];
  const I to = room.take(count);
  for (int i = 0, entry = 0, last = -1, at = 0; i < g.dofs && !room.overflows(); ++i) {
    const int row = m.M_rowadr[g.dof[i]], a = f.place[i];
    for (int k = row; k < row + m.M_rownnz[g.dof[i]]; ++k) {
      const int b = f.place[g.place[m.M_colind[k]]], low = a < b ? a : b, high = a < b ? b : a;
      const int panel = f.panel_of[low], column = low - f.first[panel];
      ++at;
      if (panel != last || at >= f.rows[panel] || f.row[f.row_at[panel] + at] != high) {
        at = row_in_panel(f, panel, high);
      }
      last = panel;
      to[entry++] = f.value_at[panel] + column * f.rows[panel] + at;
    }
  }
  return count;
}

// Makes the pattern of island k behind a head that says how large it is.
template <class M, class D, class I>
CORTEN_FN FactorPattern<I> make_pattern(const M& m, const D& d, int k, IntRoom<I>& room) {
  FactorPattern<I> f;
  IslandGraph<I> g;
  const int before = room.scratch, start = room.used;
  g.dof = d.isl_dof.from(d.isl_dofadr[k]);
  g.dofs = d.isl_dofadr[k + 1] - d.isl_dofadr[k];
  const I head = room.take(pattern_head);
  g.place = room.take_scratch(m.n.nv), g.cut = room.take_scratch(g.dofs + 1);
  g.vertex = room.take_scratch(g.dofs), g.first_dof = room.take_scratch(g.dofs + 1);
  if (room.overflows()) return f;
  find_vertices(m, d, k, g);
  list_cliques_of_island(m, d, k, g, room);
  if (room.overflows()) return f;
  f = factor_pattern(g.cliques, g.first_dof, g.vertices, room);
  if (room.overflows()) return f;
  int numbers = 0;
  const RowPieces<I> rows = row_pieces(d, k, g, f.place, room, numbers);
  const int inertia = place_inertia(m, g, f, room);
  room.scratch = before;
  if (room.overflows()) return f;
  head[at_size] = room.used - start;
  head[at_dofs] = f.dofs, head[at_panels] = f.panels, head[at_entries] = f.entries;
  head[at_values] = f.values, head[at_work] = f.work;
  head[at_groups] = rows.groups, head[at_numbers] = numbers, head[at_inertia] = inertia;
  return f;
}

// finds a pattern again
template <class I>
CORTEN_FN HessianPattern<I> read_pattern(const I& from) {
  HessianPattern<I> h;
  IntRoom<I> room{from, std::numeric_limits<int>::max()};
  const I head = room.take(pattern_head);
  take_places(h.factor, head[at_dofs], room);
  take_panels(h.factor, head[at_panels], head[at_entries], room);
  take_pieces(h.rows, head[at_groups], head[at_numbers], room);
  h.inertia = room.take(head[at_inertia]);
  h.factor.panels = head[at_panels];
  h.factor.values = head[at_values];
  h.factor.work = head[at_work];
  return h;
}

// The start of sol_factor: the key of all islands, what the patterns need, their length, scratch of
// the factorisation, two halves of the key of each island.
template <class I>
struct FactorHead {
  I key, needs, length, scratch, low, high;
};
template <class M, class I>
CORTEN_FN FactorHead<I> take_factor_head(const M& m, IntRoom<I>& room) {
  return {room.take(2),          room.take(2),         room.take(1),
          room.take(4 * m.n.nv), room.take(m.n.ntree), room.take(m.n.ntree)};
}

// the keys of all islands; returns one of everything
template <class M, class D, class I>
CORTEN_FN PatternKey pattern_keys(const M& m, const D& d, const FactorHead<I>& head) {
  PatternKey all;
  all.add(d.nisland, d.nidof);
  for (int k = 0; k < d.nisland; ++k) {
    const PatternKey key = island_key(m, d, k);
    head.low[k] = key.low(), head.high[k] = key.high();
    all.add(head.low[k], head.high[k]);
  }
  return all;
}

// The patterns of an earlier step, one after another in the order of their islands' first trees.
template <class I>
struct OldPatterns {
  I all;
  int length = 0, at = 0;

  // where the pattern of the island with that first tree and key is, or -1; trees must be asked for
  // in ascending order
  CORTEN_FN int find(int tree, int low, int high) {
    while (at < length && all[at + at_tree] < tree) at += all[at + at_size];
    const bool found = at < length && all[at + at_tree] == tree && all[at + at_low] == low &&
                       all[at + at_high] == high;
    return found ? at : -1;
  }
};

// Makes the patterns of all islands, or copies them from the earlier ones. Returns how many numbers
// the largest Hessian has.
template <class M, class D, class I>
CORTEN_FN int fill_patterns(const M& m, const D& d, const FactorHead<I>& head, IntRoom<I>& room,
                            OldPatterns<I> old) {
  int numbers = 0;
  for (int k = 0; k < d.nisland && !room.overflows(); ++k) {
    const int dofs = d.isl_dofadr[k + 1] - d.isl_dofadr[k], at = room.used;
    const bool dense = dofs <= dense_hessian;
    d.isl_factor[k] = dense ? -1 : at;
    int size = dofs * dofs;
    if (!dense) {
      const int tree = m.dof_treeid[d.isl_dof[d.isl_dofadr[k]]];
      const int known = old.find(tree, head.low[k], head.high[k]);
      if (known < 0) {
        make_pattern(m, d, k, room);
      } else if (const I to = room.take(old.all[known + at_size]); !room.overflows()) {
        copy(to, old.all.from(known), old.all[known + at_size]);
      }
      if (room.overflows()) return numbers;
      const I made = room.all.from(at);
      made[at_tree] = tree, made[at_low] = head.low[k], made[at_high] = head.high[k];
      size = made[at_values];
    }
    numbers = size > numbers ? size : numbers;
  }
  return numbers;
}

}  // namespace detail

// Makes the patterns of all islands, unless they are there, and sets nF_needed and nH_needed: the
// room they need, and the room the numbers of the largest Hessian need.
template <class M, class D>
CORTEN_FN void make_patterns(const M& m, const D& d) {
  using I = Field<int, typename D::Layout>;
  IntRoom<I> room{d.sol_factor, d.n.nfactor};
  const auto head = detail::take_factor_head(m, room);
  d.nH_needed = tile_overhang;
  d.nF_needed = room.needed + room.needed / 2;
  if (room.overflows()) return;
  const detail::PatternKey key = detail::pattern_keys(m, d, head);
  if (head.key[0] != key.low() || head.key[1] != key.high()) {
    const IntRoom<I> empty = room;
    detail::OldPatterns<I> old;
    // Earlier patterns move to the end while they are copied from, if that leaves enough room.
    if (head.length[0] > 0 && head.length[0] < (room.size - room.used) / 3) {
      old.length = head.length[0];
      old.all = room.take_scratch(old.length);
      copy(old.all, room.all.from(room.used), old.length);
    }
    head.key[0] = head.key[1] = head.length[0] = 0;
    int numbers = detail::fill_patterns(m, d, head, room, old);
    if (room.overflows() && old.length > 0) {
      room = empty;
      numbers = detail::fill_patterns(m, d, head, room, detail::OldPatterns<I>{});
    }
    d.nF_needed = room.needed + room.needed / 2;  // if it got no further
    d.nH_needed = numbers + tile_overhang;
    if (room.overflows()) return;
    head.key[0] = key.low(), head.key[1] = key.high();
    head.needs[0] = room.needed, head.needs[1] = numbers;
    head.length[0] = room.used - empty.used;
  }
  d.nF_needed = head.needs[0];
  d.nH_needed = head.needs[1] + tile_overhang;
}

// the pattern of island k, or an empty one if its Hessian is dense
template <class M, class D>
CORTEN_FN auto island_pattern(const M& m, const D& d, int k) {
  using I = Field<int, typename D::Layout>;
  HessianPattern<I> h;
  if (!d.n.compressed() || !takes_hessian<typename D::Scalar>(m.opt)) return h;
  if (d.isl_factor[k] < 0) return h;
  IntRoom<I> room{d.sol_factor, d.n.nfactor};
  h = detail::read_pattern(d.sol_factor.from(d.isl_factor[k]));
  h.scratch = detail::take_factor_head(m, room).scratch;
  return h;
}

}  // namespace corten
