// SPDX-License-Identifier: Apache-2.0
//
// On which side of the plane through three points does a fourth lie? The sign is exact for points
// whose coordinates are floats, so rounding cannot make a hull built with it inconsistent. It is
// first computed in double precision with an error bound. If that cannot decide, it is the sign of
// a sum of exact products (Shewchuk, "Adaptive precision floating-point arithmetic and fast robust
// geometric predicates", 1997).
#pragma once

#include <corten/config.hpp>

#include <cmath>

namespace corten::asset {

namespace detail {

// A sum of doubles without rounding, stored as non-overlapping parts from small to large.
class ExactSum {
 public:
  CORTEN_COLD void add(double x) {
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
      // x + parts_[i] as a rounded sum and its rounding error
      const double sum = x + parts_[i], part = sum - x;
      const double lost = (x - (sum - part)) + (parts_[i] - part);
      if (lost != 0) parts_[kept++] = lost;
      x = sum;
    }
    if (x != 0) parts_[kept++] = x;
    count_ = kept;
  }

  // -1, 0 or 1: the sign of the largest part
  int sign() const { return count_ == 0 ? 0 : (parts_[count_ - 1] > 0 ? 1 : -1); }

 private:
  double parts_[200];  // at most one per term
  int count_ = 0;
};

// a b as a rounded product and its rounding error (Dekker 1971)
inline void exact_product(double a, double b, double& product, double& lost) {
  constexpr double splitter = 134217729.0;  // 2²⁷ + 1
  const double ca = splitter * a, cb = splitter * b;
  const double a1 = ca - (ca - a), a0 = a - a1, b1 = cb - (cb - b), b0 = b - b1;
  product = a * b;
  lost = a0 * b0 - (((product - a1 * b1) - a0 * b1) - a1 * b0);
}

// adds ± x y z
CORTEN_COLD void add_product(ExactSum& sum, double sign, double x, double y, double z) {
  if (x == 0 || y == 0 || z == 0) return;
  double p[2], q[2];
  exact_product(x, y, p[0], p[1]);
  for (const double part : p) {
    if (part == 0) continue;
    exact_product(part, z, q[0], q[1]);
    for (const double term : q) {
      if (term != 0) sum.add(sign * term);
    }
  }
}

// sign of the determinant with rows a - d, b - d, c - d, each entry a rounded difference plus its
// error
CORTEN_COLD int exact_side(const double* a, const double* b, const double* c, const double* d) {
  double m[3][3][2];
  const double* rows[3] = {a, b, c};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double x = rows[i][k], y = d[k], diff = x - y, part = x - diff;
      m[i][k][0] = diff;
      m[i][k][1] = (x - (diff + part)) + (part - y);
    }
  }
  constexpr int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
  ExactSum sum;
  for (int p = 0; p < 6; ++p) {
    for (int bits = 0; bits < 8; ++bits) {
      add_product(sum, p < 3 ? 1 : -1, m[0][order[p][0]][bits & 1],
                  m[1][order[p][1]][bits >> 1 & 1], m[2][order[p][2]][bits >> 2]);
    }
  }
  return sum.sign();
}

}  // namespace detail

// 1 if d lies on the side from which a, b, c run counter-clockwise, -1 if on the other side, 0 if
// in the plane
CORTEN_COLD int side_of(const double* a, const double* b, const double* c, const double* d) {
  double u[3], v[3], w[3];
  for (int k = 0; k < 3; ++k) u[k] = a[k] - d[k], v[k] = b[k] - d[k], w[k] = c[k] - d[k];
  const double p = v[0] * w[1], q = v[1] * w[0], r = w[0] * u[1], s = w[1] * u[0];
  const double t = u[0] * v[1], x = u[1] * v[0];
  const double det = u[2] * (p - q) + v[2] * (r - s) + w[2] * (t - x);
  const double size = (std::fabs(p) + std::fabs(q)) * std::fabs(u[2]) +
                      (std::fabs(r) + std::fabs(s)) * std::fabs(v[2]) +
                      (std::fabs(t) + std::fabs(x)) * std::fabs(w[2]);
  const double bound = 8e-16 * size;
  if (det > bound) return -1;
  if (-det > bound) return 1;
  return -detail::exact_side(a, b, c, d);
}

}  // namespace corten::asset
