// SPDX-License-Identifier: Apache-2.0
//
// Islands: groups of kinematic trees that constraint rows connect, directly or through other trees.
//
// Rows of different islands do not interact: a row has non-zero entries only at the dofs of its own
// trees, and the inertia matrix does not couple trees at all. So the constraint problem falls apart
// into one problem per island, and each is solved alone, with its own dense matrices: many small
// ones instead of a large one that is mostly zero. The world is no tree and connects nothing, so
// boxes that only touch the ground are an island each, while a heap of them is a single one. A tree
// without rows is in no island, and keeps its smooth acceleration.
//
// How they are found. Each row names the trees that it moves (trees() of its kind), and union-find
// with path halving joins them (connect_trees). The smaller number always becomes the root, so the
// root of a set is its first tree, and one pass in the order of the trees numbers islands by their
// first tree, as in MuJoCo. A counting sort then lists rows and dofs island by island in their old
// order, as in MuJoCo: Gauss-Seidel sweeps depend on it.
//
// Why not by flood fill, which is what MuJoCo does? It has to store the edges between trees and
// sort them by tree first, in memory that grows with the rows, and it needs a stack. Union-find
// needs two numbers per tree and one pass. Time does not decide: for 64 boxes that lie apart (1024
// rows) union-find takes 9.0 µs and a flood fill 9.5 µs, since both spend most of it on asking rows
// for their trees.
//
// How they are solved. take_island() copies the part of an island out of the whole, and the solvers
// run on that as if it were everything (solve.hpp). Index lists would save the copies, but put an
// indirection into every inner loop of every solver. What is in one piece already is not copied:
// the vectors and the inertia of a single tree. Of compressed rows only the patterns are copied,
// with the island's numbers of the columns; their entries stay where they are. One island is copied
// at a time, so the memory is that of a single problem; it has to hold an island of all rows,
// though, so for dense rows isl_J is as large as efc_J. Models with one tree, or with islands
// disabled, do without that memory (n.nisl).
// If one island has all dofs, nothing is copied: the whole is solved in place. Newton and CG take
// their tolerances relative to the inertia of the island, and solver_niter is that of the longest
// one. noslip sweeps island by island too, but over the rows of the whole. Derivatives
// (implicit_diff.hpp) are those of the whole and do not read islands. A step goes through islands
// in turn and stays free of synchronisation, since a batch has plenty of worlds for its threads; a
// pipeline for one large world may solve them on threads (batch/island_threads.hpp).
//
// What they bring. The time of a whole step without islands, divided by the time with islands, for
// boxes on a plane (double, g++ 12 -O3, CPU time, the best of several runs):
//
//   boxes               rows   islands   Newton      CG      PGS
//   4 apart               64         4     1.1×    1.0×     1.6×
//   16 apart             256        16     2.7×    1.5×     9.1×
//   64 apart            1024        64      11×    2.9×      85×
//   16 stacks of 4     1024+        16     9.6×    5.1×      33×
//   8 in a heap         ~200         1    0.96×   0.97×    1.00×
//   and one that flies  ~200         1    0.84×   0.86×    1.00×
//
// Newton gains because it factors a dense matrix of all dofs, PGS because its matrix is of all
// rows; CG, which only multiplies by J and M, gains least. The last two lines are the price. In a
// heap the search is in vain: with Newton it takes 1.9 of 64 µs. A single island that lacks some
// dofs has to be copied: 80 µs instead of 67. Models of one tree pay for neither.
#pragma once

#include <corten/constraint/constraints.hpp>
#include <corten/solver/problem.hpp>
#include <corten/tree/awake.hpp>

namespace corten {

namespace detail {

// the first tree of a set (union-find with path halving)
template <class I>
CORTEN_FN int first_tree(const I& parent, int t) {
  while (parent[t] != t) t = parent[t] = parent[parent[t]];
  return t;
}

// f(tree) for each tree in which a compressed row has entries
template <class M, class J, class F>
CORTEN_FN void each_tree(const M& m, const J& rows, int r, F&& f) {
  each_run(rows, r, [&](int first, const auto&, int length) {
    for (int i = first; i < first + length;) {
      const int t = m.dof_treeid[i];
      f(t);
      i = m.tree_dofadr[t] + m.tree_dofnum[t];
    }
  });
}

// joins the trees of a flex that is elastic, as MuJoCo does although no row connects them
template <class M, class D, class I>
CORTEN_FN void join_flex(const M& m, const D& d, int f, const I& parent) {
  const int adr = m.flex_stiffnessadr[f];
  const bool elastic = m.flex_bendingadr[f] >= 0 || (adr >= 0 && value(m.flex_stiffness[adr]) != 0);
  if (m.flex_rigid[f] || m.flex_dim[f] < 2 || !elastic) return;
  const bool nodes = m.flex_interp[f] != 0, some = some_asleep(m, d);
  const int first = nodes ? m.flex_nodeadr[f] : m.flex_vertadr[f];
  const int count = nodes ? m.flex_nodenum[f] : m.flex_vertnum[f];
  int one = -1;
  for (int i = first; i < first + count; ++i) {
    const int t = m.body_treeid[nodes ? m.flex_nodebodyid[i] : m.flex_vertbodyid[i]];
    if (t < 0 || t == one || (some && !d.tree_awake[t])) continue;
    if (one < 0) {
      one = t;
      continue;
    }
    for (const int tree : {one, t}) parent[tree] = parent[tree] < 0 ? tree : int(parent[tree]);
    const int a = first_tree(parent, one), b = first_tree(parent, t);
    parent[a < b ? b : a] = a < b ? a : b;
  }
}

// Writes isl_tree and nisland. isl_efc receives one tree of each row.
template <class M, class D>
CORTEN_FN void connect_trees(const M& m, const D& d) {
  const int ntree = m.n.ntree;
  const auto label = d.isl_tree, parent = d.isl_tree.from(ntree);
  fill(parent, ntree, -1);
  for (int r = 0; r < d.nefc; ++r) {
    int root = -1;
    const auto join = [&](int t) {
      if (t < 0) return;
      if (parent[t] < 0) parent[t] = t;
      const int other = first_tree(parent, t);
      if (root < 0) root = other;
      const int low = other < root ? other : root, high = other < root ? root : other;
      root = parent[high] = low;
    };
    if (d.n.compressed()) {
      if (r > 0 && d.efc_J_runadr[r] == d.efc_J_runadr[r - 1]) {
        d.isl_efc[r] = d.isl_efc[r - 1];
        continue;
      }
      each_tree(m, jacobian_rows(d), r, join);
    } else {
      M::Policies::Constraints::visit(m, d, r, [&](auto kind) {
        if constexpr (requires { kind.many_rows; }) {  // each row moves trees of its own
          for (int i = 0; i < m.n.nv; ++i) {
            if (value(d.efc_J[r * m.n.nv + i]) != 0) join(m.dof_treeid[i]);
          }
        } else {
          kind.trees(m, d, d.efc_id[r], join);
        }
      });
    }
    if (root < 0) root = parent[0] = 0;  // a row that moves nothing
    d.isl_efc[r] = root;
  }
  if constexpr (may_have_flexes<D>) {
    for (int f = 0; f < m.n.nflex; ++f) join_flex(m, d, f, parent);
  }
  int count = 0;
  for (int t = 0; t < ntree; ++t) {
    label[t] = parent[t] < 0 ? -1 : parent[t] == t ? count++ : int(label[first_tree(parent, t)]);
  }
  d.nisland = count;
}

// Sorts items by island: order[address[k]] … order[address[k + 1]] are those of island k. each(f)
// calls f(island, first, count) for items first … first + count - 1, which are all of that island.
// Items whose island is negative are left out.
template <class I, class Items>
CORTEN_FN void sort_by_island(int nisland, Items&& each, const I& address, const I& order) {
  fill(address, nisland + 2, 0);
  each([&](int island, int, int count) {
    if (island >= 0) address[island + 2] += count;
  });
  for (int k = 2; k < nisland + 2; ++k) address[k] += address[k - 1];
  each([&](int island, int first, int count) {
    if (island < 0) return;
    const int at = address[island + 1];
    for (int i = 0; i < count; ++i) order[at + i] = first + i;
    address[island + 1] = at + count;
  });
}

// What sorting would find for a single island of all rows and dofs, in much less time for a small
// model.
template <class M, class D>
CORTEN_FN void keep_order(const M& m, const D& d) {
  const auto whole = [](int count, const auto& address, const auto& order) {
    address[0] = 0;
    address[1] = address[2] = count;
    for (int i = 0; i < count; ++i) order[i] = i;
  };
  whole(d.nefc, d.isl_rowadr, d.isl_row);
  whole(m.n.nv, d.isl_dofadr, d.isl_dof);
  d.nidof = m.n.nv;
}

}  // namespace detail

// Finds the islands and sorts rows and dofs by island. If islands are disabled, or there is only
// one tree, a single island contains everything.
template <class M, class D>
CORTEN_FN void find_islands(const M& m, const D& d) {
  if (d.n.nisl > 0 && !m.opt.disabled(disable_island)) {
    detail::connect_trees(m, d);
  } else {
    d.nisland = 1;
    fill(d.isl_tree, m.n.ntree, 0);
    fill(d.isl_efc, d.nefc, 0);
    if (d.nasleep == 0) return detail::keep_order(m, d);
  }
  for (int r = 0; r < d.nefc; ++r) d.isl_efc[r] = d.isl_tree[d.isl_efc[r]];
  const auto rows = [&](auto&& f) {
    for (int r = 0; r < d.nefc; ++r) f(int(d.isl_efc[r]), r, 1);
  };
  const auto dofs = [&](auto&& f) {
    each_run(m, d, [&](const Run& run) {
      for (int i = run.dof, t = 0; i < run.dof_end; i += m.tree_dofnum[t]) {
        t = m.dof_treeid[i];
        f(int(d.isl_tree[t]), i, int(m.tree_dofnum[t]));
      }
    });
  };
  detail::sort_by_island(d.nisland, rows, d.isl_rowadr, d.isl_row);
  detail::sort_by_island(d.nisland, dofs, d.isl_dofadr, d.isl_dof);
  d.nidof = d.isl_dofadr[d.nisland];
}

// Jaref = J a - aref. Entries of J outside a row's island are zero, so they are skipped.
template <class D, class T, class L, bool E, class G = Alone>
CORTEN_FN void island_residuals(const D& d, const Problem<T, L, E>& p, const Field<T, L>& a,
                                const G& team = {}) {
  if (p.J.compressed || (d.nisland == 1 && d.nidof == p.nv)) return residuals(p, a, team);
  for (int k = 0; k < d.nisland; ++k) {
    const auto dofs = d.isl_dof.from(d.isl_dofadr[k]);
    const int count = d.isl_dofadr[k + 1] - d.isl_dofadr[k];
    for (int i = d.isl_rowadr[k]; i < d.isl_rowadr[k + 1]; ++i) {
      const int r = d.isl_row[i];
      const auto row = p.J.entries.from(r * p.nv);
      T sum = -p.aref[r];
      for (int c = 0; c < count; ++c) sum += row[dofs[c]] * a[dofs[c]];
      p.Jaref[r] = sum;
    }
  }
}

namespace detail {

// Copies rows of M and of its factor, and their columns, which are `shift` less in the island. The
// rows of a tree follow each other without a gap, unless it has simple bodies.
template <class M, class P, class I, class F>
CORTEN_FN void gather_entries(const M& m, const P& p, int from, int count, int shift,
                              const I& colind, const F& inertia, const F& factor) {
  copy(inertia, p.M.from(from), count);
  copy(factor, p.qLD.from(from), count);
  for (int a = 0; a < count; ++a) colind[a] = m.M_colind[from + a] - shift;
}

// Are the dofs of island k consecutive? Those of a single tree are.
template <class D>
CORTEN_FN bool is_stretch(const D& d, int k) {
  const int first = d.isl_dofadr[k], last = d.isl_dofadr[k + 1] - 1;
  return d.isl_dof[last] - d.isl_dof[first] == last - first;
}

// The joint-space part of an island whose dofs are consecutive, in place: only columns and
// addresses are copied, because they count from the island's first dof. Returns false if M has gaps
// there, as it has where bodies are simple: the copy might be too long for its place.
template <class M, class D, class P>
CORTEN_FN bool view_dofs(const M& m, const D& d, P& q, int root, const ProblemPlace& at) {
  const int all = m.n.nv, base = m.M_rowadr[root], last = root + q.nv - 1;
  const auto rowadr = d.isl_pattern.from(at.dof), place = d.isl_pattern.from(2 * all + root);
  const auto colind = d.isl_pattern.from(3 * all + at.M);
  int entries = 0;
  for (int i = 0; i < q.nv; ++i) {
    place[i] = i;
    rowadr[i] = entries;
    entries += m.M_rownnz[root + i];
  }
  if (base + entries != m.M_rowadr[last] + m.M_rownnz[last]) return false;
  if (root > 0) {
    for (int a = 0; a < entries; ++a) colind[a] = m.M_colind[base + a] - root;
    q.M_rowadr = strided(rowadr);
    q.M_rownnz = q.M_rownnz.from(root);
    q.M_colind = strided(colind);
  }
  q.M = q.M.from(base);
  q.qLD = q.qLD.from(base);
  q.qLDiagInv = q.qLDiagInv.from(root);
  q.qfrc_smooth = q.qfrc_smooth.from(root);
  q.qacc_smooth = q.qacc_smooth.from(root);
  q.qacc = q.qacc.from(root);
  q.qfrc_constraint = q.qfrc_constraint.from(root);
  return true;
}

// gathers the joint-space part of island k: vectors, inertia and its sparsity pattern
template <class M, class D, class P>
CORTEN_FN void gather_dofs(const M& m, const D& d, const P& p, P& q, int k,
                           const ProblemPlace& at) {
  const int first = d.isl_dofadr[k], nv = d.isl_dofadr[k + 1] - first, all = m.n.nv;
  q.nv = nv;
  if (is_stretch(d, k) && view_dofs(m, d, q, d.isl_dof[first], at)) return;
  const auto rowadr = d.isl_pattern.from(at.dof), rownnz = d.isl_pattern.from(all + at.dof);
  const auto place = d.isl_pattern.from(2 * all), colind = d.isl_pattern.from(3 * all + at.M);
  const auto inertia = d.isl_M.from(at.M), factor = d.isl_M.from(m.n.nM + at.M);
  const auto vec = d.isl_vec.from(5 * at.dof);
  const auto entries = [&](int dof, int count, int to, int shift) {
    gather_entries(m, p, m.M_rowadr[dof], count, shift, colind.from(to), inertia.from(to),
                   factor.from(to));
  };
  int next = 0;
  for (int start = 0, end = 0; start < nv; start = end) {  // tree by tree
    const int root = d.isl_dof[first + start], shift = root - start, before = next;
    end = start + m.tree_dofnum[m.dof_treeid[root]];
    for (int i = start; i < end; ++i) {
      const int dof = i + shift;
      place[dof] = i;
      rowadr[i] = next;
      rownnz[i] = m.M_rownnz[dof];
      next += m.M_rownnz[dof];
      vec[i] = p.qLDiagInv[dof];
      vec[nv + i] = p.qfrc_smooth[dof];
      vec[2 * nv + i] = p.qacc_smooth[dof];
      vec[3 * nv + i] = p.qacc[dof];
    }
    const int last = end - 1 + shift, span = m.M_rowadr[last] + m.M_rownnz[last] - m.M_rowadr[root];
    if (span == next - before) {
      entries(root, span, before, shift);
    } else {
      for (int i = start; i < end; ++i) entries(i + shift, rownnz[i], rowadr[i], shift);
    }
  }
  q.M_rowadr = strided(rowadr);
  q.M_rownnz = strided(rownnz);
  q.M_colind = strided(colind);
  q.M = read_only(inertia);
  q.qLD = read_only(factor);
  q.qLDiagInv = read_only(vec);
  q.qfrc_smooth = read_only(vec.from(nv));
  q.qacc_smooth = read_only(vec.from(2 * nv));
  q.qacc = vec.from(3 * nv);
  q.qfrc_constraint = vec.from(4 * nv);
}

// Gathers the Jacobian of island k. Dense rows are copied without the columns of other islands.
// Compressed rows have none: they stay where they are, and only the columns of their patterns are
// renumbered.
template <class D, class P>
CORTEN_FN void gather_jacobian(const D& d, const P& p, P& q, int k, const ProblemPlace& start) {
  const int first = d.isl_rowadr[k], n = d.isl_rowadr[k + 1] - first;
  q.J.nv = q.nv;
  if (!p.J.compressed) {
    const auto dofs = d.isl_dof.from(d.isl_dofadr[k]);
    const auto J = d.isl_J.from(start.row * p.nv);
    const bool stretch = is_stretch(d, k);
    for (int i = 0; i < n; ++i) {
      const auto from = p.J.entries.from(d.isl_row[first + i] * p.nv);
      const auto to = J.from(i * q.nv);
      if (stretch) {
        copy(to, from.from(dofs[0]), q.nv);
      } else {
        for (int c = 0; c < q.nv; ++c) to[c] = from[dofs[c]];
      }
    }
    q.J.entries = read_only(J);
    return;
  }
  const auto place = d.isl_pattern.from(2 * d.n.nv), run = d.isl_run.from(start.run);
  const auto rowadr = d.isl_Jadr.from(2 * start.row), runadr = rowadr.from(n);
  int known = -1, next = 0, end = 0;  // rows of one constraint share a pattern
  for (int i = 0; i < n; ++i) {
    const int r = d.isl_row[first + i], pattern = p.J.runadr[r];
    if (pattern != known) {
      known = pattern;
      next = end;
      end = next + 1 + 2 * p.J.run[pattern];
      copy(run.from(next), p.J.run.from(pattern), end - next);
      for (int a = next + 1; a < end; a += 2) run[a] = place[run[a]];
    }
    rowadr[i] = p.J.rowadr[r];
    runadr[i] = next;
  }
  q.J.rowadr = read_only(rowadr);
  q.J.runadr = read_only(runadr);
  q.J.run = read_only(run);
}

// gathers the rows of island k
template <class D, class P>
CORTEN_FN void gather_rows(const D& d, const P& p, P& q, int k, const ProblemPlace& at) {
  const int first = d.isl_rowadr[k], n = d.isl_rowadr[k + 1] - first;
  const auto num = d.isl_num.from(4 * at.row);
  q.nefc = n;
  q.ne = q.nf = 0;
  q.state = d.isl_int.from(3 * at.row);
  q.type = q.state.from(n);
  q.id = q.state.from(2 * n);
  for (int i = 0; i < n; ++i) {
    const int r = d.isl_row[first + i];
    q.ne += r < p.ne ? 1 : 0;
    q.nf += r >= p.ne && r < p.ne + p.nf ? 1 : 0;
    num[i] = p.D[r];
    num[n + i] = p.aref[r];
    num[2 * n + i] = p.floss[r];
    num[3 * n + i] = p.force[r];
    q.type[i] = p.type[r];
    q.id[i] = p.id[r];
  }
  q.D = read_only(num);
  q.aref = read_only(num.from(n));
  q.floss = read_only(num.from(2 * n));
  q.force = num.from(3 * n);
}

}  // namespace detail

// the problem restricted to island k
template <class M, class D, class P>
CORTEN_FN P take_island(const M& m, const D& d, const P& p, int k,
                        const detail::ProblemPlace& at = {}) {
  P q = p;
  q.evaluated = false;
  detail::gather_dofs(m, d, p, q, k, at);
  detail::gather_rows(d, p, q, k, at);
  detail::gather_jacobian(d, p, q, k, at);
  detail::lend_scratch(d, q, q.nv, at);
  q.pattern = island_pattern(m, d, k);
  if (q.pattern.sparse()) q.pattern.scratch = q.pattern.scratch.from(4 * at.dof);
  return q;
}

// copies the solution q of island k back into the whole problem p
template <class D, class P>
CORTEN_FN void put_island(const D& d, const P& p, const P& q, int k) {
  const int root = d.isl_dof[d.isl_dofadr[k]];
  for (int i = 0; i < q.nv && q.qacc.data != p.qacc.from(root).data; ++i) {
    const int dof = d.isl_dof[d.isl_dofadr[k] + i];
    p.qacc[dof] = q.qacc[i];
    p.qfrc_constraint[dof] = q.qfrc_constraint[i];
  }
  for (int i = 0; i < q.nefc; ++i) {
    const int r = d.isl_row[d.isl_rowadr[k] + i];
    p.force[r] = q.force[i];
    p.state[r] = q.state[i];
  }
}

}  // namespace corten
