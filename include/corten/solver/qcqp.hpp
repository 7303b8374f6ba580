// SPDX-License-Identifier: Apache-2.0
//
// The friction of a contact whose normal force r is known: minimise ½ x'A x + x'b over the
// ellipsoid Σ (x_k / d_k)² ≤ r², for up to five unknowns. In the coordinates y_k = x_k / d_k the
// ellipsoid is a ball, and y = -(A + λ)⁻¹ b (A and b scaled accordingly), where λ = 0 if that y
// lies inside the ball and otherwise λ > 0 puts y on its surface. Newton's method on λ approaches
// the root from below without overshooting, because |y|² is convex in λ.
#pragma once

#include <corten/math/types.hpp>

namespace corten {

template <class T>
struct FrictionProblem {
  int n = 0;
  T A[25], b[5], d[5];  // A is row-major, n × n
};

namespace detail {

// Cholesky factor L of A + λ. Returns false if the matrix is too close to singular to be trusted.
template <class T>
CORTEN_FN bool factor_shifted(const FrictionProblem<T>& q, const T& lambda, T* L) {
  T determinant = T(1);
  bool ok = true;
  for (int i = 0; i < q.n; ++i) {
    for (int j = 0; j <= i; ++j) {
      T sum = q.A[i * q.n + j] * q.d[i] * q.d[j] + (i == j ? lambda : T(0));
      for (int k = 0; k < j; ++k) sum -= L[i * q.n + k] * L[j * q.n + k];
      if (j < i) {
        L[i * q.n + j] = sum / L[j * q.n + j];
        continue;
      }
      determinant *= sum;
      // as in MuJoCo, the determinant decides for small problems and the pivots for large ones
      ok = ok && value(sum) > 0 && (q.n < 4 || value(sum) >= value_t<T>(1e-10));
      L[i * q.n + i] = ok ? sqrt(sum) : T(1);
    }
  }
  return ok && (q.n > 3 || value(determinant) >= value_t<T>(1e-10));
}

// x = (L L')⁻¹ x
template <class T>
CORTEN_FN void solve_factored(const T* L, int n, T* x) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) x[i] -= L[i * n + k] * x[k];
    x[i] /= L[i * n + i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) x[i] -= L[k * n + i] * x[k];
    x[i] /= L[i * n + i];
  }
}

}  // namespace detail

// Scales x onto the surface of the ellipsoid. With `inside_too`, an x inside it is left alone.
template <class T>
CORTEN_FN void project_ellipsoid(int n, const T* d, const T& r, bool inside_too, T* x) {
  T sum = T(0);
  for (int k = 0; k < n; ++k) sum += x[k] * x[k] / (d[k] * d[k]);
  if (inside_too && !(value(sum) > value(T(r * r)))) return;
  const T scale = safe_sqrt(T(r * r / max(T(min_value), sum)));
  for (int k = 0; k < n; ++k) x[k] *= scale;
}

template <class T>
CORTEN_FN void solve_friction(const FrictionProblem<T>& q, const T& r, T* x) {
  T L[25], step[5], lambda = T(0);
  const auto small = value_t<T>(1e-10);
  bool active = false;
  for (int iteration = 0; iteration < 20; ++iteration) {
    if (!detail::factor_shifted(q, lambda, L)) {
      for (int k = 0; k < q.n; ++k) x[k] = T(0);
      return;
    }
    for (int k = 0; k < q.n; ++k) x[k] = -q.b[k] * q.d[k];
    detail::solve_factored(L, q.n, x);

    // |y|² - r² and its slope -2 y'(A + λ)⁻¹ y
    T excess = -r * r, slope = T(0);
    for (int k = 0; k < q.n; ++k) {
      excess += x[k] * x[k];
      step[k] = x[k];
    }
    if (value(excess) < small && !(is_dual<T> && active)) break;
    detail::solve_factored(L, q.n, step);
    for (int k = 0; k < q.n; ++k) slope -= T(2) * x[k] * step[k];
    const T change = -excess / slope;
    // The derivatives of λ lag its value by one step, so duals take one more.
    if (is_dual<T> && active && !(value(change) >= small)) {
      for (int k = 0; k < q.n; ++k) x[k] -= change * step[k];
      break;
    }
    if (value(change) < small) break;
    lambda += change;
    active = true;
  }
  for (int k = 0; k < q.n; ++k) x[k] *= q.d[k];
  if (active) project_ellipsoid(q.n, q.d, r, false, x);
}

}  // namespace corten
