// SPDX-License-Identifier: Apache-2.0
//
// Dense kernels over fields: dot, axpy, matrix times vector, Cholesky. Plain loops serve every
// scalar and layout. Contiguous floats and doubles are worked on in strips (strip.hpp), because
// compilers may not change the order of additions in a loop to use vector registers.
#pragma once

#include <corten/math/field.hpp>
#include <corten/math/strip.hpp>

#include <cstddef>

namespace corten {

namespace detail {

// Where Eigen is told not to use vector registers, as in kernels, sums have one order in every
// layout.
#ifdef EIGEN_DONT_VECTORIZE
template <class T, class L>
inline constexpr bool vectorizes = false;
#else
template <class T, class L>
inline constexpr bool vectorizes = (L::contiguous &&
                                    std::is_floating_point_v<std::remove_const_t<T>>);
#endif

// sums_r = Σ a_i b_i for rows r of a, `step` numbers apart. Each is added up in two strips.
template <class T, std::size_t K>
CORTEN_FN void dots(const T* a, std::ptrdiff_t step, const T* b, int n, T (&sums)[K]) {
  Strip<T, strip_size> even[K] = {}, odd[K] = {};
  int i = 0;
  for (; i + 2 * strip_size <= n; i += 2 * strip_size) {
    const auto first = strip_at<strip_size>(b + i),
               second = strip_at<strip_size>(b + i + strip_size);
    for (std::size_t k = 0; k < K; ++k) {
      const T* const row = a + std::ptrdiff_t(k) * step + i;
      even[k] = even[k] + strip_at<strip_size>(row) * first;
      odd[k] = odd[k] + strip_at<strip_size>(row + strip_size) * second;
    }
  }
  if (i + strip_size <= n) {
    const auto first = strip_at<strip_size>(b + i);
    for (std::size_t k = 0; k < K; ++k) {
      even[k] = even[k] + strip_at<strip_size>(a + std::ptrdiff_t(k) * step + i) * first;
    }
    i += strip_size;
  }
  for (std::size_t k = 0; k < K; ++k) sums[k] = sum(even[k] + odd[k]);
  for (; i < n; ++i) {
    for (std::size_t k = 0; k < K; ++k) sums[k] += a[std::ptrdiff_t(k) * step + i] * b[i];
  }
}

}  // namespace detail

// Σ a_i b_i
template <class A, class B, class L>
CORTEN_FN auto dot(const Field<A, L>& a, const Field<B, L>& b, int n) {
  using T = std::remove_const_t<A>;
  if constexpr (detail::vectorizes<A, L>) {
    T sums[1];
    detail::dots<T>(a.data, 0, b.data, n, sums);
    return sums[0];
  } else {
    T sum = T(0);
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
  }
}

// Adds f(i, terms) for i = 0 … count - 1 to several sums at once. Partial sums keep an addition
// from waiting for the one before it, and let compilers use vector registers.
inline constexpr int sum_width = 8;

template <std::size_t K, class T, class F>
CORTEN_FN void sum_up(int count, T (&sums)[K], F&& f) {
  if (count <= 0) return;
  constexpr std::size_t width = sum_width;
  T part[K][width], term[K];
  for (std::size_t k = 0; k < K; ++k) {
    for (std::size_t w = 0; w < width; ++w) part[k][w] = T(0);
  }
  int i = 0;
  for (; i + int(width) <= count; i += int(width)) {
    for (std::size_t w = 0; w < width; ++w) {
      f(i + int(w), term);
      for (std::size_t k = 0; k < K; ++k) part[k][w] += term[k];
    }
  }
  for (; i < count; ++i) {
    f(i, term);
    for (std::size_t k = 0; k < K; ++k) part[k][0] += term[k];
  }
  for (std::size_t k = 0; k < K; ++k) {
    for (std::size_t w = 0; w < width; ++w) sums[k] += part[k][w];
  }
}

// y += s x
template <class X, class T, class L>
CORTEN_FN void axpy(const std::type_identity_t<T>& s, const Field<X, L>& x, const Field<T, L>& y,
                    int n) {
  if constexpr (detail::vectorizes<T, L>) {
    detail::each_strip(0, n, [&](auto count, int i) {
      constexpr int size = count();
      (detail::strip_at<size>(y.data + i) + s * detail::strip_at<size>(x.data + i))
          .store(y.data + i);
    });
  } else {
    for (int i = 0; i < n; ++i) y[i] += s * x[i];
  }
}

// x *= s
template <class T, class L>
CORTEN_FN void scale_by(const std::type_identity_t<T>& s, const Field<T, L>& x, int n) {
  if constexpr (detail::vectorizes<T, L>) {
    detail::each_strip(0, n, [&](auto count, int i) {
      (s * detail::strip_at<count()>(x.data + i)).store(x.data + i);
    });
  } else {
    for (int i = 0; i < n; ++i) x[i] *= s;
  }
}

// y = A x for a row-major matrix
template <class A, class X, class Y, class L>
CORTEN_FN void multiply(const Field<A, L>& mat, int rows, int cols, const Field<X, L>& x,
                        const Field<Y, L>& y) {
  int r = 0;
  if constexpr (detail::vectorizes<A, L> && detail::vectorizes<X, L>) {
    using T = std::remove_const_t<A>;
    constexpr int together = 4;
    for (; r + together <= rows; r += together) {
      T sums[together];
      detail::dots<T>(mat.data + r * cols, cols, x.data, cols, sums);
      for (int k = 0; k < together; ++k) y[r + k] = sums[k];
    }
  }
  for (; r < rows; ++r) y[r] = dot(mat.from(r * cols), x, cols);
}

// In place: replaces the lower triangle of a symmetric matrix by its factor L with L L' = A. Works
// column by column, so that the dot products of a column do not wait for each other. Returns false
// if the matrix is not positive definite; such a pivot is replaced by the smallest trusted one.
template <class T, class L>
CORTEN_FN bool cholesky(const Field<T, L>& a, int n) {
  bool ok = true;
  for (int j = 0; j < n; ++j) {
    const auto row = a.from(j * n);
    T pivot = row[j] - dot(row, row, j);
    if (!(value(pivot) > value_t<T>(min_value))) {
      pivot = T(min_value);
      ok = false;
    }
    row[j] = sqrt(pivot);
    const T inverse = T(1) / row[j];
    for (int i = j + 1; i < n; ++i) {
      const auto below = a.from(i * n);
      below[j] = (below[j] - dot(below, row, j)) * inverse;
    }
  }
  return ok;
}

// x = (L L')⁻¹ x
template <class T, class X, class L>
CORTEN_FN void cholesky_solve(const Field<T, L>& a, int n, const Field<X, L>& x) {
  for (int i = 0; i < n; ++i) {
    const auto row = a.from(i * n);
    x[i] = (x[i] - dot(row, x, i)) / row[i];
  }
  for (int i = n - 1; i >= 0; --i) {
    const auto row = a.from(i * n);
    x[i] /= row[i];
    axpy(X(-x[i]), row, x, i);
  }
}

}  // namespace corten
