// SPDX-License-Identifier: Apache-2.0
//
// Dual numbers: exact derivatives by arithmetic.
//
// A Dual<T, N> is a value a and N tangents v. It stands for  a + v·ε  with ε² = 0. Pushing duals
// through a computation carries the derivative along with the value, because for any smooth f
//
//     f(a + v ε) = f(a) + f'(a) v ε.
//
// Example: the derivative of x² + sin(x) at 3. Seed x with tangent 1 and read the tangent of the
// result.
//
//     Dual<double, 1> x(3.0, 0);                 // value 3, tangent 0 is the unit vector
//     Dual<double, 1> y = x * x + sin(x);        // y.a = 9 + sin 3,  y.v[0] = 6 + cos 3
//
// Why duals: a stage is a template over its scalar, so the derivative comes from the same code as
// the value, without a tape and without allocation, and is exact to rounding. Finite differences
// would need a step size and lose half of the digits. Forward mode costs one pass per N directions,
// which suits the Jacobians of a step. All N tangents share one evaluation of the value, so N > 1
// is cheaper than N passes with N = 1.
//
// Duals nest: Dual<Dual<double, 1>, 1> carries second derivatives. Comparisons look at values only,
// so a branch goes the same way as for plain numbers, and the derivative is that of the branch
// taken. If the values are packs, a comparison is a mask and the functions below choose lane by
// lane. An iterative solver should not be differentiated through its iterations: primal(x) removes
// one level of derivatives, and the solvers restore it by the implicit function theorem.
//
// At some points a function has no derivative or an infinite one: sqrt at 0, acos at ±1, abs at 0.
// A simulator must not turn a resting body into NaN, so there the tangent is 0 if the argument's
// tangent is 0. Otherwise the slope stated beside the function applies.
#pragma once

#include <corten/scalar/functions.hpp>

#include <Eigen/Core>

#include <cstddef>
#include <limits>

namespace corten {

template <class T, int N>
struct Dual {
  static constexpr int tangents = N;

  T a{};                               // value
  T v[static_cast<std::size_t>(N)]{};  // tangents

  constexpr Dual() = default;
  constexpr Dual(const T& x) : a(x) {}

  // from a plain number: a literal, or the innermost number of nested duals
  // clang-format off
  template <class U>
    requires(std::is_arithmetic_v<U> && !std::is_same_v<U, T>)
  constexpr Dual(U x) : a(static_cast<T>(x)) {}
  // clang-format on

  // the same dual in every lane
  // clang-format off
  template <class U>
    requires(is_lanes<T> && std::is_convertible_v<U, T> && !std::is_same_v<U, T>)
  explicit constexpr Dual(const Dual<U, N>& x) : a(x.a) {
    for (int i = 0; i < N; ++i) v[i] = T(x.v[i]);
  }
  // clang-format on

  // value x, with tangent k seeded to 1
  constexpr Dual(const T& x, int k) : a(x) { v[k] = T(1); }

  // a dual converts to its value only on request
  explicit constexpr operator T() const { return a; }

  CORTEN_FN Dual& operator+=(const Dual& y) {
    a += y.a;
    for (int i = 0; i < N; ++i) v[i] += y.v[i];
    return *this;
  }
  CORTEN_FN Dual& operator-=(const Dual& y) {
    a -= y.a;
    for (int i = 0; i < N; ++i) v[i] -= y.v[i];
    return *this;
  }
  CORTEN_FN Dual& operator*=(const Dual& y) { return *this = *this * y; }
  CORTEN_FN Dual& operator/=(const Dual& y) { return *this = *this / y; }

  // the chain rule for a function with value f and derivative d at x
  CORTEN_FN static Dual chain(const T& f, const T& d, const Dual& x) {
    Dual out(f);
    for (int i = 0; i < N; ++i) out.v[i] = d * x.v[i];
    return out;
  }

  CORTEN_FN friend Dual operator+(const Dual& x) { return x; }
  CORTEN_FN friend Dual operator-(const Dual& x) { return chain(-x.a, T(-1), x); }
  CORTEN_FN friend Dual operator+(Dual x, const Dual& y) { return x += y; }
  CORTEN_FN friend Dual operator-(Dual x, const Dual& y) { return x -= y; }

  // (a + u ε)(b + v ε) = ab + (a v + b u) ε
  CORTEN_FN friend Dual operator*(const Dual& x, const Dual& y) {
    Dual out(x.a * y.a);
    for (int i = 0; i < N; ++i) out.v[i] = x.a * y.v[i] + y.a * x.v[i];
    return out;
  }

  // (a + u ε)/(b + v ε) = a/b + (u - (a/b) v)/b ε
  CORTEN_FN friend Dual operator/(const Dual& x, const Dual& y) {
    const T q = x.a / y.a;
    Dual out(q);
    for (int i = 0; i < N; ++i) out.v[i] = (x.v[i] - q * y.v[i]) / y.a;
    return out;
  }

  // comparisons look at values only
  CORTEN_FN friend mask_t<T> operator<(const Dual& x, const Dual& y) { return x.a < y.a; }
  CORTEN_FN friend mask_t<T> operator>(const Dual& x, const Dual& y) { return x.a > y.a; }
  CORTEN_FN friend mask_t<T> operator<=(const Dual& x, const Dual& y) { return x.a <= y.a; }
  CORTEN_FN friend mask_t<T> operator>=(const Dual& x, const Dual& y) { return x.a >= y.a; }
  CORTEN_FN friend mask_t<T> operator==(const Dual& x, const Dual& y) { return x.a == y.a; }
  CORTEN_FN friend mask_t<T> operator!=(const Dual& x, const Dual& y) { return x.a != y.a; }
};

template <class T, int N>
struct ScalarTraits<Dual<T, N>> {
  using Value = value_t<T>;
  using Primal = T;
  static constexpr int tangents = N;
  static constexpr bool zero_bytes = corten::zero_bytes<T>;

  CORTEN_FN static const T& primal(const Dual<T, N>& x) { return x.a; }
  CORTEN_FN static const T& tangent(const Dual<T, N>& x, int k) { return x.v[k]; }
  CORTEN_FN static T& tangent(Dual<T, N>& x, int k) { return x.v[k]; }
};

// lane by lane; select(bool, …) handles plain values
// clang-format off
template <class C, class T, int N>
  requires(!std::is_same_v<C, bool>)
CORTEN_FN Dual<T, N> select(const C& c, const Dual<T, N>& x, const Dual<T, N>& y) {
  Dual<T, N> out(select(c, x.a, y.a));
  for (int i = 0; i < N; ++i) out.v[i] = select(c, x.v[i], y.v[i]);
  return out;
}
// clang-format on

// slope · tangent for a slope that may be infinite: a zero tangent stays zero
template <class T>
CORTEN_FN T scaled(const T& slope, const T& tangent) {
  if constexpr (std::is_same_v<decltype(tangent == tangent), bool>) {
    return vanishes(tangent) ? T(0) : T(slope * tangent);
  } else {
    return select(tangent == T(0), T(0), T(slope * tangent));
  }
}

// sin(a + v ε) = sin a + cos a · v ε
template <class T, int N>
CORTEN_FN Dual<T, N> sin(const Dual<T, N>& x) {
  return Dual<T, N>::chain(sin(x.a), cos(x.a), x);
}

// cos(a + v ε) = cos a - sin a · v ε
template <class T, int N>
CORTEN_FN Dual<T, N> cos(const Dual<T, N>& x) {
  return Dual<T, N>::chain(cos(x.a), -sin(x.a), x);
}

// tan' = 1 + tan²
template <class T, int N>
CORTEN_FN Dual<T, N> tan(const Dual<T, N>& x) {
  const T t = tan(x.a);
  return Dual<T, N>::chain(t, T(1) + t * t, x);
}

// sqrt' = 1 / (2 sqrt); 0 at 0
template <class T, int N>
CORTEN_FN Dual<T, N> sqrt(const Dual<T, N>& x) {
  const T r = sqrt(x.a);
  return Dual<T, N>::chain(r, select(value(r) > 0, T(T(0.5) / r), T(0)), x);
}

// exp' = exp
template <class T, int N>
CORTEN_FN Dual<T, N> exp(const Dual<T, N>& x) {
  const T e = exp(x.a);
  return Dual<T, N>::chain(e, e, x);
}

// log' = 1/x; infinite at 0
template <class T, int N>
CORTEN_FN Dual<T, N> log(const Dual<T, N>& x) {
  Dual<T, N> out(log(x.a));
  const T slope = T(1) / x.a;
  for (int i = 0; i < N; ++i) out.v[i] = scaled(slope, x.v[i]);
  return out;
}

// tanh' = 1 - tanh²
template <class T, int N>
CORTEN_FN Dual<T, N> tanh(const Dual<T, N>& x) {
  const T t = tanh(x.a);
  return Dual<T, N>::chain(t, T(1) - t * t, x);
}

// floor is flat
template <class T, int N>
CORTEN_FN Dual<T, N> floor(const Dual<T, N>& x) {
  return Dual<T, N>(floor(x.a));
}

// asin' = 1/sqrt(1 - x²); 0 at ±1
template <class T, int N>
CORTEN_FN Dual<T, N> asin(const Dual<T, N>& x) {
  const T c = T(1) - x.a * x.a;
  return Dual<T, N>::chain(asin(x.a), select(value(c) > 0, T(T(1) / sqrt(c)), T(0)), x);
}

// acos' = -1/sqrt(1 - x²); 0 at ±1
template <class T, int N>
CORTEN_FN Dual<T, N> acos(const Dual<T, N>& x) {
  const T c = T(1) - x.a * x.a;
  return Dual<T, N>::chain(acos(x.a), select(value(c) > 0, T(T(-1) / sqrt(c)), T(0)), x);
}

// atan' = 1/(1 + x²)
template <class T, int N>
CORTEN_FN Dual<T, N> atan(const Dual<T, N>& x) {
  return Dual<T, N>::chain(atan(x.a), T(1) / (T(1) + x.a * x.a), x);
}

// d atan2(y, x) = (x dy - y dx)/(x² + y²); 0 at the origin
template <class T, int N>
CORTEN_FN Dual<T, N> atan2(const Dual<T, N>& y, const Dual<T, N>& x) {
  const T r2 = x.a * x.a + y.a * y.a;
  const T s = select(value(r2) > 0, T(T(1) / r2), T(0));
  Dual<T, N> out(atan2(y.a, x.a));
  for (int i = 0; i < N; ++i) out.v[i] = s * (x.a * y.v[i] - y.a * x.v[i]);
  return out;
}

// d x^p = p x^(p-1) dx + x^p log(x) dp, the second term only where x > 0. At x = 0 the slope is 0
// for p = 0 and infinite for p < 1.
template <class T, int N>
CORTEN_FN Dual<T, N> pow(const Dual<T, N>& x, const Dual<T, N>& p) {
  const T f = pow(x.a, p.a);
  const T slope = p.a * pow(x.a, T(p.a - T(1)));
  const T dx = select(value(p.a) == 0, select(value(x.a) == 0, T(0), slope), slope);
  const T dp = select(value(x.a) > 0, T(f * log(x.a)), T(0));
  Dual<T, N> out(f);
  for (int i = 0; i < N; ++i) out.v[i] = scaled(dx, x.v[i]) + scaled(dp, p.v[i]);
  return out;
}

// abs' = sign; +1 at 0
template <class T, int N>
CORTEN_FN Dual<T, N> abs(const Dual<T, N>& x) {
  return select(value(x) < 0, -x, x);
}

// on a tie, the result is the first argument with its derivative
template <class T, int N>
CORTEN_FN Dual<T, N> min(const Dual<T, N>& x, const Dual<T, N>& y) {
  return select(value(y) < value(x), y, x);
}
template <class T, int N>
CORTEN_FN Dual<T, N> max(const Dual<T, N>& x, const Dual<T, N>& y) {
  return select(value(x) < value(y), y, x);
}

}  // namespace corten

template <class T, int N>
struct std::numeric_limits<corten::Dual<T, N>> : std::numeric_limits<corten::value_t<T>> {};

template <class T, int N>
struct Eigen::NumTraits<corten::Dual<T, N>> : Eigen::NumTraits<corten::value_t<T>> {
  using Real = corten::Dual<T, N>;
  using NonInteger = corten::Dual<T, N>;
  using Nested = corten::Dual<T, N>;
  using Literal = corten::value_t<T>;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = N + 1,
    AddCost = N + 1,
    MulCost = 2 * N + 1
  };
};
