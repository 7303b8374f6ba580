// SPDX-License-Identifier: Apache-2.0
//
// The rows of a constraint Jacobian, as everything that reads them sees them.
//
// Rows are dense or compressed. A dense row has one entry per dof, and rows follow each other. A
// compressed row has entries only for the dofs that its constraint reaches: one or two chains of
// the tree. Dofs of a chain have consecutive numbers for the most part, so the columns of a row are
// listed as runs, (first column, length), and not one by one: a contact between two free bodies has
// two runs of six, that of a chain's last link a single run. Inner loops are then the same in both
// cases, over adjacent entries and adjacent components of a vector, and a dense row is nothing but
// a single run. All rows of one constraint share a pattern.
//
//   run[runadr[r]]                      number of runs of row r
//   run[runadr[r] + 1 + 2 k], … + 2 k   first column and length of run k, in ascending order
//   entries[rowadr[r] …]                the entries, run after run
#pragma once

#include <corten/math/dense.hpp>

namespace corten {

template <class T, class L>
struct RowSet {
  Field<const T, L> entries;
  int nv = 0;
  bool compressed = false;
  Field<const int, L> rowadr, runadr, run;  // if compressed
};

// f(column, entries, length) for each run of a row, in ascending order
template <class T, class L, class F>
CORTEN_FN void each_run(const RowSet<T, L>& J, int r, F&& f) {
  int at = J.compressed ? J.rowadr[r] : r * J.nv;
  const int shape = J.compressed ? J.runadr[r] : 0, count = J.compressed ? J.run[shape] : 1;
  for (int k = 0; k < count; ++k) {
    const int first = J.compressed ? J.run[shape + 1 + 2 * k] : 0;
    const int length = J.compressed ? J.run[shape + 2 + 2 * k] : J.nv;
    f(first, J.entries.from(at), length);
    at += length;
  }
}

// f(column, entry) for each entry of a row, in ascending order
template <class T, class L, class F>
CORTEN_FN void each_entry(const RowSet<T, L>& J, int r, F&& f) {
  each_run(J, r, [&](int first, const auto& entries, int length) {
    for (int k = 0; k < length; ++k) f(first + k, entries[k]);
  });
}

namespace detail {

// Runs are short: the six dofs of a free body, the three of a vertex, or a few joints. Knowing that
// saves more than half.
template <class A, class B, class L>
CORTEN_FN auto dot_run(const Field<A, L>& a, const Field<B, L>& b, int n) {
  using T = std::remove_const_t<A>;
  if constexpr (vectorizes<A, L> && std::is_same_v<T, std::remove_const_t<B>>) {
    using Six = Eigen::Matrix<T, 6, 1>;
    if (n == 6) return T(Eigen::Map<const Six>(a.data).dot(Eigen::Map<const Six>(b.data)));
    if (n == 3) return T(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
    if (n < 6) {
      T sum = T(0);
      for (int i = 0; i < n; ++i) sum += a[i] * b[i];
      return sum;
    }
  }
  if (n == 6) {  // the order of Eigen's sum, if it does not use vector registers
    const auto x = [&](int i) { return a[i] * b[i]; };
    return T((x(0) + (x(1) + x(2))) + (x(3) + (x(4) + x(5))));
  }
  return T(dot(a, b, n));
}
template <class X, class T, class L>
CORTEN_FN void axpy_run(const std::type_identity_t<T>& s, const Field<X, L>& x,
                        const Field<T, L>& y, int n) {
  if constexpr (vectorizes<T, L>) {
    using Six = Eigen::Matrix<T, 6, 1>;
    if (n == 6) return void(Eigen::Map<Six>(y.data) += s * Eigen::Map<const Six>(x.data));
    if (n == 3) {
      const T y0 = y[0] + s * x[0], y1 = y[1] + s * x[1], y2 = y[2] + s * x[2];
      return void((y[0] = y0, y[1] = y1, y[2] = y2));
    }
    if (n < 6) {
      for (int i = 0; i < n; ++i) y[i] += s * x[i];
      return;
    }
  }
  axpy(s, x, y, n);
}

// Is this the pattern of a row between two vertices of a flex: two runs of three? There may be
// thousands of them, each of its own pattern, so multiplications take them without any loops.
template <class I>
CORTEN_FN bool joins_vertices(const I& run, int shape) {
  return run[shape] == 2 && run[shape + 2] == 3 && run[shape + 4] == 3;
}

}  // namespace detail

// J_r x
template <class T, class L, class X>
CORTEN_FN T row_dot(const RowSet<T, L>& J, int r, const Field<X, L>& x) {
  if (!J.compressed) return dot(J.entries.from(r * J.nv), x, J.nv);
  T sum = T(0);
  each_run(J, r, [&](int first, const auto& entries, int length) {
    sum += detail::dot_run(entries, x.from(first), length);
  });
  return sum;
}

// y += s J_r'
template <class T, class L>
CORTEN_FN void row_axpy(const std::type_identity_t<T>& s, const RowSet<T, L>& J, int r,
                        const Field<T, L>& y) {
  if (!J.compressed) return axpy(s, J.entries.from(r * J.nv), y, J.nv);
  each_run(J, r, [&](int first, const auto& entries, int length) {
    detail::axpy_run(s, entries, y.from(first), length);
  });
}

namespace detail {

// y_r += J_r x, over one run of rows first … end - 1; `at` is the run's first entry in its row
template <class T, class L, class X, class Y>
CORTEN_FN void add_dots(const RowSet<T, L>& J, int first, int end, int at, const Field<X, L>& x,
                        const Field<Y, L>& y, int length) {
  if constexpr (vectorizes<T, L> && std::is_same_v<T, std::remove_const_t<X>>) {
    if (length == 3) {
      const T x0 = x[0], x1 = x[1], x2 = x[2];
      for (int r = first; r < end; ++r) {
        const auto row = J.entries.from(J.rowadr[r] + at);
        y[r] += row[0] * x0 + row[1] * x1 + row[2] * x2;
      }
      return;
    }
  }
  for (int r = first; r < end; ++r) {
    y[r] += dot_run(J.entries.from(J.rowadr[r] + at), x, length);
  }
}

}  // namespace detail

// y = J x
template <class T, class L, class X, class Y>
CORTEN_FN void multiply(const RowSet<T, L>& J, int rows, const Field<X, L>& x,
                        const Field<Y, L>& y) {
  if (!J.compressed) return multiply(J.entries, rows, J.nv, x, y);
  for (int r = 0, end = 0; r < rows; r = end) {  // rows of one pattern read the same parts of x
    const int shape = J.runadr[r], runs = J.run[shape];
    while (end < rows && J.runadr[end] == shape) y[end++] = Y(0);
    if (end == r + 1 && detail::joins_vertices(J.run, shape)) {
      const auto row = J.entries.from(J.rowadr[r]);
      y[r] += detail::dot_run(row, x.from(J.run[shape + 1]), 3);
      y[r] += detail::dot_run(row.from(3), x.from(J.run[shape + 3]), 3);
      continue;
    }
    for (int k = 0, at = 0; k < runs; ++k) {
      const int first = J.run[shape + 1 + 2 * k], length = J.run[shape + 2 + 2 * k];
      detail::add_dots(J, r, end, at, x.from(first), y, length);
      at += length;
    }
  }
}

namespace detail {

// y += Σ_r s_r J_r', over one run of rows first … end - 1; `at` is the run's first entry in its row
template <class T, class L>
CORTEN_FN void add_run(const RowSet<T, L>& J, int first, int end, int at, const Field<T, L>& s,
                       const Field<T, L>& y, int length) {
  if constexpr (vectorizes<T, L>) {
    using Six = Eigen::Matrix<T, 6, 1>;
    if (length == 6) {
      Six sum = Eigen::Map<const Six>(y.data);
      for (int r = first; r < end; ++r) {
        if (vanishes(s[r])) continue;
        sum += s[r] * Eigen::Map<const Six>(J.entries.from(J.rowadr[r] + at).data);
      }
      Eigen::Map<Six> to(y.data);
      to = sum;
      return;
    }
    if (length == 3) {
      T y0 = y[0], y1 = y[1], y2 = y[2];
      for (int r = first; r < end; ++r) {
        if (vanishes(s[r])) continue;
        const auto row = J.entries.from(J.rowadr[r] + at);
        y0 += s[r] * row[0], y1 += s[r] * row[1], y2 += s[r] * row[2];
      }
      y[0] = y0, y[1] = y1, y[2] = y2;
      return;
    }
  }
  for (int r = first; r < end; ++r) {
    if (!vanishes(s[r])) axpy_run(s[r], J.entries.from(J.rowadr[r] + at), y, length);
  }
}

}  // namespace detail

// y += J' s; rows whose factor vanishes are skipped
template <class T, class L>
CORTEN_FN void multiply_transposed(const RowSet<T, L>& J, int rows, const Field<T, L>& s,
                                   const Field<T, L>& y) {
  for (int r = 0; r < rows && !J.compressed; ++r) {
    if (!vanishes(s[r])) row_axpy(s[r], J, r, y);
  }
  for (int r = 0, end = 0; r < rows && J.compressed; r = end) {  // rows of one pattern
    const int shape = J.runadr[r], runs = J.run[shape];
    bool some = false;
    for (; end < rows && J.runadr[end] == shape; ++end) some = some || !vanishes(s[end]);
    if (end == r + 1 && detail::joins_vertices(J.run, shape)) {
      const auto row = J.entries.from(J.rowadr[r]);
      if (some) detail::axpy_run(s[r], row, y.from(J.run[shape + 1]), 3);
      if (some) detail::axpy_run(s[r], row.from(3), y.from(J.run[shape + 3]), 3);
      continue;
    }
    for (int k = 0, at = 0; k < runs && some; ++k) {
      const int first = J.run[shape + 1 + 2 * k], length = J.run[shape + 2 + 2 * k];
      detail::add_run(J, r, end, at, s, y.from(first), length);
      at += length;
    }
  }
}

// x' J_r J_s' for rows with equal patterns
template <class T, class L>
CORTEN_FN T row_product(const RowSet<T, L>& J, int r, int s) {
  if (!J.compressed) return dot(J.entries.from(r * J.nv), J.entries.from(s * J.nv), J.nv);
  const int shape = J.runadr[r];
  int width = 0;
  for (int k = 0; k < J.run[shape]; ++k) width += J.run[shape + 2 + 2 * k];
  return dot(J.entries.from(J.rowadr[r]), J.entries.from(J.rowadr[s]), width);
}

namespace detail {

// sorts in ascending order, in place: Shell's method, which needs no memory and is quick on short
// lists and on lists that consist of a few sorted parts
template <class I>
CORTEN_FN void sort_ascending(const I& list, int count) {
  constexpr int gaps[] = {701, 301, 132, 57, 23, 10, 4, 1};
  for (const int gap : gaps) {
    for (int i = gap; i < count; ++i) {
      const int moved = list[i];
      int j = i;
      for (; j >= gap && list[j - gap] > moved; j -= gap) list[j] = list[j - gap];
      list[j] = moved;
    }
  }
}

// the length of the run of consecutive numbers that starts at list[i]
template <class I>
CORTEN_FN int run_length(const I& list, int i, int count) {
  int end = i + 1;
  while (end < count && list[end] == list[end - 1] + 1) ++end;
  return end - i;
}

// the number of runs in an ascending list
template <class I>
CORTEN_FN int count_runs(const I& list, int count) {
  int runs = 0;
  for (int i = 0; i < count; i += run_length(list, i, count)) ++runs;
  return runs;
}

// writes the pattern of an ascending list of columns; returns how many numbers it takes
template <class I, class R>
CORTEN_FN int write_pattern(const I& list, int count, const R& to) {
  int runs = 0;
  for (int i = 0; i < count; ++runs) {
    const int length = run_length(list, i, count);
    to[1 + 2 * runs] = list[i];
    to[2 + 2 * runs] = length;
    i += length;
  }
  to[0] = runs;
  return 1 + 2 * runs;
}

}  // namespace detail

}  // namespace corten
