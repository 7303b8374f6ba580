// SPDX-License-Identifier: Apache-2.0
//
// Small fixed-size vectors and matrices. Each type is an Eigen matrix and converts from any Eigen
// expression, but what stages do often (arithmetic, products, parts) is defined here and returns
// values, never views. Eigen would create a type for every expression, which costs a user's
// compiler a third of its time, and would add in an order that depends on the instruction set. Here
// sums run from the left, as in MuJoCo: poses agree to the last bit, and iterative colliders take
// the same path.
//
// Two conventions differ from Eigen's: matrices are row-major, as MuJoCo's arrays are, and a
// quaternion is four numbers w x y z. Nothing is aligned beyond its scalar, so values can live in
// any buffer.
#pragma once

#include <corten/config.hpp>
#include <corten/scalar/functions.hpp>

#include <Eigen/Core>

#include <concepts>

namespace corten {

inline constexpr double pi = 3.14159265358979323846;

template <class S, int N>
class Vec : public Eigen::Matrix<S, N, 1, Eigen::DontAlign> {
 public:
  using Base = Eigen::Matrix<S, N, 1, Eigen::DontAlign>;

  Vec() = default;
  Vec(const Vec&) = default;
  CORTEN_FN explicit Vec(const S& a) requires(N == 1) { at(0) = a; }
  CORTEN_FN Vec(const S& a, const S& b) requires(N == 2) { at(0) = a, at(1) = b; }
  CORTEN_FN Vec(const S& a, const S& b, const S& c) requires(N == 3) {
    at(0) = a, at(1) = b, at(2) = c;
  }
  CORTEN_FN Vec(const S& a, const S& b, const S& c, const S& d) requires(N == 4) {
    at(0) = a, at(1) = b, at(2) = c, at(3) = d;
  }
  // from two halves
  CORTEN_FN Vec(const Vec<S, 3>& a, const Vec<S, 3>& b) requires(N == 6) {
    for (int i = 0; i < 3; ++i) at(i) = a[i], at(3 + i) = b[i];
  }
  template <class E>
  CORTEN_FN Vec(const Eigen::MatrixBase<E>& e) : Base(e) {}

  // Assigns to variables only: parts are values, and an assignment to one would be lost.
  Vec& operator=(const Vec&) & = default;

  CORTEN_FN static Vec Constant(const S& x) {
    Vec out;
    for (int i = 0; i < N; ++i) out[i] = x;
    return out;
  }
  CORTEN_FN static Vec Zero() { return Constant(S(0)); }
  CORTEN_FN static Vec Unit(int axis) {
    Vec out = Zero();
    out[axis] = S(1);
    return out;
  }
  CORTEN_FN void setZero() { *this = Zero(); }

  CORTEN_FN const S& operator[](Eigen::Index i) const { return this->data()[i]; }
  CORTEN_FN S& operator[](Eigen::Index i) { return this->data()[i]; }

  template <int M>
  CORTEN_FN Vec<S, M> segment(int first) const {
    Vec<S, M> out;
    for (int i = 0; i < M; ++i) out[i] = at(first + i);
    return out;
  }
  template <int M>
  CORTEN_FN Vec<S, M> head() const {
    return segment<M>(0);
  }
  template <int M>
  CORTEN_FN Vec<S, M> tail() const {
    return segment<M>(N - M);
  }

  CORTEN_FN S dot(const Vec& o) const {
    S sum = at(0) * o[0];
    for (int i = 1; i < N; ++i) sum += at(i) * o[i];
    return sum;
  }
  CORTEN_FN S squaredNorm() const { return dot(*this); }
  CORTEN_FN S sum() const {
    S sum = at(0);
    for (int i = 1; i < N; ++i) sum += at(i);
    return sum;
  }

  CORTEN_FN Vec cwiseProduct(const Vec& o) const {
    Vec out;
    for (int i = 0; i < N; ++i) out[i] = at(i) * o[i];
    return out;
  }
  CORTEN_FN Vec cwiseQuotient(const Vec& o) const {
    Vec out;
    for (int i = 0; i < N; ++i) out[i] = at(i) / o[i];
    return out;
  }
  CORTEN_FN Vec cwiseAbs() const {
    Vec out;
    for (int i = 0; i < N; ++i) out[i] = abs(at(i));
    return out;
  }

  CORTEN_FN Vec cwiseMin(const Vec& o) const {
    Vec out;
    for (int i = 0; i < N; ++i) out[i] = o[i] < at(i) ? o[i] : at(i);
    return out;
  }
  CORTEN_FN Vec cwiseMax(const Vec& o) const {
    Vec out;
    for (int i = 0; i < N; ++i) out[i] = at(i) < o[i] ? o[i] : at(i);
    return out;
  }
  CORTEN_FN S minCoeff() const {
    S out = at(0);
    for (int i = 1; i < N; ++i) out = at(i) < out ? at(i) : out;
    return out;
  }
  CORTEN_FN S maxCoeff() const {
    S out = at(0);
    for (int i = 1; i < N; ++i) out = out < at(i) ? at(i) : out;
    return out;
  }

  CORTEN_FN Vec& operator+=(const Vec& o) {
    for (int i = 0; i < N; ++i) at(i) += o[i];
    return *this;
  }
  CORTEN_FN Vec& operator-=(const Vec& o) {
    for (int i = 0; i < N; ++i) at(i) -= o[i];
    return *this;
  }
  CORTEN_FN Vec& operator*=(const S& scale) {
    for (int i = 0; i < N; ++i) at(i) *= scale;
    return *this;
  }
  CORTEN_FN Vec& operator/=(const S& divisor) {
    for (int i = 0; i < N; ++i) at(i) /= divisor;
    return *this;
  }

 private:
  CORTEN_FN const S& at(int i) const { return this->data()[i]; }
  CORTEN_FN S& at(int i) { return this->data()[i]; }
};

template <class S>
using Vec3 = Vec<S, 3>;

// spatial vector: rotation first, then translation (MuJoCo's order)
template <class S>
using Vec6 = Vec<S, 6>;

// w x y z
template <class S>
using Quat = Vec<S, 4>;

// spatial inertia about a point, packed: Ixx Iyy Izz Ixy Ixz Iyz, mass * offset (3), mass
template <class S>
using Inertia = Vec<S, 10>;

template <class S>
class Mat3 : public Eigen::Matrix<S, 3, 3, Eigen::RowMajor | Eigen::DontAlign> {
 public:
  using Base = Eigen::Matrix<S, 3, 3, Eigen::RowMajor | Eigen::DontAlign>;

  Mat3() = default;
  Mat3(const Mat3&) = default;
  // row by row
  CORTEN_FN Mat3(const S& xx, const S& xy, const S& xz, const S& yx, const S& yy, const S& yz,
                 const S& zx, const S& zy, const S& zz) {
    S* m = this->data();
    m[0] = xx, m[1] = xy, m[2] = xz, m[3] = yx, m[4] = yy, m[5] = yz, m[6] = zx, m[7] = zy,
    m[8] = zz;
  }
  template <class E>
  CORTEN_FN Mat3(const Eigen::MatrixBase<E>& e) : Base(e) {}

  Mat3& operator=(const Mat3&) & = default;

  CORTEN_FN static Mat3 with_diagonal(const S& x, const S& y, const S& z) {
    const S o = S(0);
    return Mat3(x, o, o, o, y, o, o, o, z);
  }
  CORTEN_FN static Mat3 Zero() { return with_diagonal(S(0), S(0), S(0)); }
  CORTEN_FN static Mat3 Identity() { return with_diagonal(S(1), S(1), S(1)); }
  CORTEN_FN static Mat3 from_rows(const Vec3<S>& x, const Vec3<S>& y, const Vec3<S>& z) {
    return Mat3(x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]);
  }
  CORTEN_FN static Mat3 from_columns(const Vec3<S>& x, const Vec3<S>& y, const Vec3<S>& z) {
    return Mat3(x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]);
  }

  CORTEN_FN const S& operator()(Eigen::Index i, Eigen::Index j) const {
    return this->data()[3 * i + j];
  }
  CORTEN_FN S& operator()(Eigen::Index i, Eigen::Index j) { return this->data()[3 * i + j]; }

  // both as column vectors
  CORTEN_FN Vec3<S> row(int i) const {
    return Vec3<S>((*this)(i, 0), (*this)(i, 1), (*this)(i, 2));
  }
  CORTEN_FN Vec3<S> col(int j) const {
    return Vec3<S>((*this)(0, j), (*this)(1, j), (*this)(2, j));
  }
  CORTEN_FN Mat3 transpose() const {
    const S* m = this->data();
    return Mat3(m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]);
  }

  CORTEN_FN Mat3& operator+=(const Mat3& o) {
    for (int i = 0; i < 9; ++i) this->data()[i] += o.data()[i];
    return *this;
  }
  CORTEN_FN Mat3& operator-=(const Mat3& o) {
    for (int i = 0; i < 9; ++i) this->data()[i] -= o.data()[i];
    return *this;
  }
};

// ---- arithmetic of values -----------------------------------------------------------------------

template <class S, int N>
CORTEN_FN Vec<S, N> operator+(const Vec<S, N>& a, const Vec<S, N>& b) {
  Vec<S, N> out;
  for (int i = 0; i < N; ++i) out[i] = a[i] + b[i];
  return out;
}

template <class S, int N>
CORTEN_FN Vec<S, N> operator-(const Vec<S, N>& a, const Vec<S, N>& b) {
  Vec<S, N> out;
  for (int i = 0; i < N; ++i) out[i] = a[i] - b[i];
  return out;
}

template <class S, int N>
CORTEN_FN Vec<S, N> operator-(const Vec<S, N>& a) {
  Vec<S, N> out;
  for (int i = 0; i < N; ++i) out[i] = -a[i];
  return out;
}

template <class S, int N, std::convertible_to<S> T>
CORTEN_FN Vec<S, N> operator*(const Vec<S, N>& v, const T& by) {
  const S scale = static_cast<S>(by);
  Vec<S, N> out;
  for (int i = 0; i < N; ++i) out[i] = v[i] * scale;
  return out;
}

template <class S, int N, std::convertible_to<S> T>
CORTEN_FN Vec<S, N> operator*(const T& by, const Vec<S, N>& v) {
  const S scale = static_cast<S>(by);
  Vec<S, N> out;
  for (int i = 0; i < N; ++i) out[i] = scale * v[i];
  return out;
}

template <class S, int N, std::convertible_to<S> T>
CORTEN_FN Vec<S, N> operator/(const Vec<S, N>& v, const T& by) {
  const S divisor = static_cast<S>(by);
  Vec<S, N> out;
  for (int i = 0; i < N; ++i) out[i] = v[i] / divisor;
  return out;
}

template <class S>
CORTEN_FN Mat3<S> operator+(const Mat3<S>& a, const Mat3<S>& b) {
  Mat3<S> out = a;
  out += b;
  return out;
}

template <class S>
CORTEN_FN Mat3<S> operator-(const Mat3<S>& a, const Mat3<S>& b) {
  Mat3<S> out = a;
  out -= b;
  return out;
}

template <class S>
CORTEN_FN Mat3<S> operator-(const Mat3<S>& a) {
  Mat3<S> out;
  for (int i = 0; i < 9; ++i) out.data()[i] = -a.data()[i];
  return out;
}

template <class S, std::convertible_to<S> T>
CORTEN_FN Mat3<S> operator*(const T& by, const Mat3<S>& m) {
  const S scale = static_cast<S>(by);
  Mat3<S> out;
  for (int i = 0; i < 9; ++i) out.data()[i] = scale * m.data()[i];
  return out;
}

template <class S>
CORTEN_FN Vec3<S> operator*(const Mat3<S>& m, const Vec3<S>& v) {
  // without a loop, the compiler sees through a matrix that was just transposed
  return Vec3<S>(m(0, 0) * v[0] + m(0, 1) * v[1] + m(0, 2) * v[2],
                 m(1, 0) * v[0] + m(1, 1) * v[1] + m(1, 2) * v[2],
                 m(2, 0) * v[0] + m(2, 1) * v[1] + m(2, 2) * v[2]);
}

template <class S>
CORTEN_FN Mat3<S> operator*(const Mat3<S>& a, const Mat3<S>& b) {
  Mat3<S> out;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      out(i, j) = a(i, 0) * b(0, j) + a(i, 1) * b(1, j) + a(i, 2) * b(2, j);
  }
  return out;
}

// u vᵀ
template <class S>
CORTEN_FN Mat3<S> outer(const Vec3<S>& u, const Vec3<S>& v) {
  return Mat3<S>::from_rows(u[0] * v, u[1] * v, u[2] * v);
}

// M diag(v)
template <class S>
CORTEN_FN Mat3<S> scale_columns(const Mat3<S>& m, const Vec3<S>& v) {
  return Mat3<S>::from_rows(m.row(0).cwiseProduct(v), m.row(1).cwiseProduct(v),
                            m.row(2).cwiseProduct(v));
}

// the plain numbers, without derivatives
template <class S, int N>
CORTEN_FN Vec<value_t<S>, N> values(const Vec<S, N>& v) {
  Vec<value_t<S>, N> out;
  for (int i = 0; i < N; ++i) out[i] = value(v[i]);
  return out;
}

}  // namespace corten
