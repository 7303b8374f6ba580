// SPDX-License-Identifier: Apache-2.0
//
// Linear systems with many right-hand sides, which are the columns of a row-major matrix. They are
// solved a few columns at a time, so that a row of such a block stays in registers.
#pragma once

#include <corten/math/field.hpp>

#include <Eigen/Core>

#include <type_traits>

namespace corten::derive::analytic {

// columns are processed in blocks of this width
inline constexpr int block = 8;

namespace detail {

template <class T, int W>
using Block = Eigen::Array<T, W, 1>;
template <class T, int W>
Eigen::Map<Block<T, W>> block_at(T* x) {
  return Eigen::Map<Block<T, W>>(x);
}

// x = (L L')⁻¹ x for W columns that start at x. Row i of L begins at column start[i], and `inverse`
// holds the inverse diagonal.
template <int W, class A, class T>
void cholesky_block(const A& lower, int n, const Field<int>& start, const Field<T>& inverse, T* x,
                    int width) {
  for (int i = 0; i < n; ++i) {
    const auto row = lower.from(i * n);
    Block<T, W> sum = block_at<T, W>(x + i * width);
    for (int j = start[i]; j < i; ++j) sum -= row[j] * block_at<T, W>(x + j * width);
    block_at<T, W>(x + i * width) = sum * inverse[i];
  }
  for (int i = n - 1; i >= 0; --i) {
    const auto row = lower.from(i * n);
    const Block<T, W> own = block_at<T, W>(x + i * width) * inverse[i];
    block_at<T, W>(x + i * width) = own;
    for (int j = start[i]; j < i; ++j) block_at<T, W>(x + j * width) -= row[j] * own;
  }
}

// x = (L'DL)⁻¹ x for W columns, with the sparsity of the tree
template <int W, class M, class A, class T>
void tree_block(const M& m, int n, const A& mat, const A& inverse, T* x, int width) {
  const auto rowadr = m.M_rowadr, rownnz = m.M_rownnz, colind = m.M_colind;
  for (int i = n - 1; i >= 0; --i) {
    const int row = rowadr[i], diag = row + rownnz[i] - 1;
    const Block<T, W> own = block_at<T, W>(x + i * width);
    for (int a = row; a < diag; ++a) block_at<T, W>(x + colind[a] * width) -= mat[a] * own;
  }
  for (int i = 0; i < n; ++i) {
    const int row = rowadr[i], diag = row + rownnz[i] - 1;
    Block<T, W> sum = block_at<T, W>(x + i * width) * T(inverse[i]);
    for (int a = row; a < diag; ++a) sum -= mat[a] * block_at<T, W>(x + colind[a] * width);
    block_at<T, W>(x + i * width) = sum;
  }
}

// calls f(integral constant: columns, first column) for blocks that make up the whole width
template <class F>
void each_block(int width, F&& f) {
  int c = 0;
  for (; c + 4 * block <= width; c += 4 * block) f(std::integral_constant<int, 4 * block>{}, c);
  if (c + 2 * block <= width) f(std::integral_constant<int, 2 * block>{}, c), c += 2 * block;
  if (c < width) f(std::integral_constant<int, block>{}, c);
}

}  // namespace detail

// x = (L'DL)⁻¹ x, where L and D are what tree_factor() left in `mat`
template <class M, class A, class T>
void tree_columns(const M& m, int n, const A& mat, const A& inverse, const Field<T>& x, int width) {
  detail::each_block(width, [&](auto count, int c) {
    detail::tree_block<decltype(count)::value>(m, n, mat, inverse, x.data + c, width);
  });
}

}  // namespace corten::derive::analytic
