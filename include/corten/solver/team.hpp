// SPDX-License-Identifier: Apache-2.0
//
// Who solves a problem: one thread alone, as on a CPU, or a team of threads that share it, as a
// work-group of a device does.
//
// There is one solver, written for a team. All threads run it from the beginning to the end and
// compute every number that decides something (a step length, a tolerance) for themselves, from the
// same memory in the same order, so they take the same branches. What is written is divided: each
// thread computes whole entries of a vector or matrix, each with the additions of a single thread
// in their order. So the bits do not depend on the size of a team, and are those of one thread
// alone. The functions below are the loops of the solver that divide their work. With Alone they
// are the plain functions of the same names, and the solver is what it would be without teams.
//
// A team has a rank and a size, and wait(), which returns when all threads have called it. Before a
// divided loop, other threads may still read what it writes; after it, they read what it wrote: so
// a loop waits at both ends.
#pragma once

#include <corten/math/row_set.hpp>
#include <corten/math/tree_ldl.hpp>

namespace corten {

struct Alone {
  static constexpr bool many = false;
  CORTEN_FN bool leads() const { return true; }
  CORTEN_FN void wait() const {}
};

// f(i) for i < count, divided among the threads
template <class G, class F>
CORTEN_FN void each(const G& team, int count, F&& f) {
  if constexpr (G::many) {
    team.wait();
    for (int i = team.rank(); i < count; i += team.size()) f(i);
    team.wait();
  } else {
    for (int i = 0; i < count; ++i) f(i);
  }
}

// f() by one of the threads
template <class G, class F>
CORTEN_FN void once(const G& team, F&& f) {
  team.wait();
  if (team.leads()) f();
  team.wait();
}

template <class G, class T, class L>
CORTEN_FN void fill(const G& team, Field<T, L> f, int count, const T& v) {
  if constexpr (G::many) {
    each(team, count, [&](int i) { f[i] = v; });
  } else {
    fill(f, count, v);
  }
}

template <class G, class T, class L, class U, class K>
CORTEN_FN void copy(const G& team, Field<T, L> to, Field<U, K> from, int count) {
  if constexpr (G::many) {
    each(team, count, [&](int i) { to[i] = static_cast<T>(from[i]); });
  } else {
    copy(to, from, count);
  }
}

// y += s x
template <class G, class X, class T, class L>
CORTEN_FN void axpy(const G& team, const std::type_identity_t<T>& s, const Field<X, L>& x,
                    const Field<T, L>& y, int n) {
  if constexpr (G::many) {
    each(team, n, [&](int i) { y[i] += s * x[i]; });
  } else {
    axpy(s, x, y, n);
  }
}

// Adds f(i, terms) for i < count to several sums. The partial sums of sum_up() are computed by a
// thread each, and meet in `room`.
template <class G, std::size_t K, class T, class L, class F>
CORTEN_FN void sum_up(const G& team, const Field<T, L>& room, int count, T (&sums)[K], F&& f) {
  if constexpr (G::many) {
    constexpr int width = sum_width;
    const int whole = count / width * width;
    team.wait();
    for (int w = team.rank(); w < width; w += team.size()) {
      T part[K], term[K];
      for (std::size_t k = 0; k < K; ++k) part[k] = T(0);
      const auto add = [&](int i) {
        f(i, term);
        for (std::size_t k = 0; k < K; ++k) part[k] += term[k];
      };
      for (int i = w; i < whole; i += width) add(i);
      for (int i = whole; i < count && w == 0; ++i) add(i);
      for (std::size_t k = 0; k < K; ++k) room[static_cast<int>(k) * width + w] = part[k];
    }
    team.wait();
    for (std::size_t k = 0; k < K; ++k) {
      for (int w = 0; w < width; ++w) sums[k] += room[static_cast<int>(k) * width + w];
    }
  } else {
    sum_up(count, sums, f);
  }
}

// y = J x; the rows of a team are dense
template <class G, class T, class L, class X, class Y>
CORTEN_FN void multiply(const G& team, const RowSet<T, L>& J, int rows, const Field<X, L>& x,
                        const Field<Y, L>& y) {
  if constexpr (G::many) {
    each(team, rows, [&](int r) { y[r] = dot(J.entries.from(r * J.nv), x, J.nv); });
  } else {
    multiply(J, rows, x, y);
  }
}

// y = J' s
template <class G, class T, class L>
CORTEN_FN void multiply_transposed(const G& team, const RowSet<T, L>& J, int rows,
                                   const Field<T, L>& s, const Field<T, L>& y) {
  if constexpr (G::many) {
    each(team, J.nv, [&](int i) {
      T sum = T(0);
      for (int r = 0; r < rows; ++r) {
        if (!vanishes(s[r])) sum += s[r] * J.entries[r * J.nv + i];
      }
      y[i] = sum;
    });
  } else {
    fill(y, J.nv, T(0));
    multiply_transposed(J, rows, s, y);
  }
}

// y = M x for the inertia of a problem. A thread finds the entries of its column: if row k has
// column i, row i is the first part of row k (tree_ldl.hpp).
template <class G, class P, class A, class X, class Y>
CORTEN_FN void tree_multiply(const G& team, const P& m, int n, A mat, X x, Y y) {
  if constexpr (G::many) {
    each(team, n, [&](int i) {
      const int row = m.M_rowadr[i], length = m.M_rownnz[i], diag = row + length - 1;
      auto sum = mat[diag] * x[i];
      for (int a = row; a < diag; ++a) sum += mat[a] * x[m.M_colind[a]];
      for (int k = i + 1; k < n; ++k) {
        const int at = m.M_rowadr[k] + length - 1;
        if (m.M_rownnz[k] > length && m.M_colind[at] == i) sum += mat[at] * x[k];
      }
      y[i] = sum;
    });
  } else {
    tree_multiply(m, n, mat, x, y);
  }
}

}  // namespace corten
