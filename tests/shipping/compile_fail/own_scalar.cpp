// SPDX-License-Identifier: Apache-2.0
//
// Two scalars that compile as they are, but not with -DNO_x for any x below: one with a derivative,
// and one that keeps its derivative on a tape, where corten cannot see it. The messages are in
// tests/shipping/scalars.cmake.
#include <corten/scalar/concept.hpp>

namespace own {

template <bool taped>
struct Number {
  double a = 0, v = 0;

  Number() = default;
#ifndef NO_conversion
  explicit Number(double x) : a(x) {}
#endif
#ifdef NO_trivial_destructor
  ~Number() {}
#endif

#ifdef NO_sum
  friend double operator+(const Number&, const Number&);
#else
  friend Number operator+(const Number&, const Number&);
#endif
  friend Number operator-(const Number&, const Number&);
  friend Number operator*(const Number&, const Number&);
  friend Number operator/(const Number&, const Number&);
  friend Number operator-(const Number&);
  Number& operator+=(const Number&);
  Number& operator-=(const Number&);
  Number& operator*=(const Number&);
  Number& operator/=(const Number&);

#ifndef NO_comparison
  friend bool operator<(const Number&, const Number&);
#endif
  friend bool operator>(const Number&, const Number&);
  friend bool operator<=(const Number&, const Number&);
  friend bool operator>=(const Number&, const Number&);
  friend bool operator==(const Number&, const Number&);
  friend bool operator!=(const Number&, const Number&);

#ifndef NO_sqrt
  friend Number sqrt(const Number&);
#endif
#ifndef NO_sin
  friend Number sin(const Number&);
#endif
#ifndef NO_cos
  friend Number cos(const Number&);
#endif
#ifndef NO_tan
  friend Number tan(const Number&);
#endif
#ifndef NO_asin
  friend Number asin(const Number&);
#endif
#ifndef NO_exp
  friend Number exp(const Number&);
#endif
#ifndef NO_floor
  friend Number floor(const Number&);
#endif
#ifndef NO_abs
  friend Number abs(const Number&);
#endif
#ifndef NO_atan2
  friend Number atan2(const Number&, const Number&);
#endif
#ifndef NO_pow
  friend Number pow(const Number&, const Number&);
#endif
};

using Jet = Number<false>;
using Taped = Number<true>;

}  // namespace own

#ifndef NO_traits
template <>
struct corten::ScalarTraits<own::Jet> {
  using Value = double;
#ifdef NO_other_primal
  using Primal = own::Jet;
#else
  using Primal = double;
#endif
#ifndef NO_tangents
  static constexpr int tangents = 1;
#endif
#ifndef NO_primal
  static double primal(const own::Jet& x) { return x.a; }
#endif
#ifndef NO_tangent
  static double tangent(const own::Jet& x, int) { return x.v; }
  static double& tangent(own::Jet& x, int) { return x.v; }
#endif
};
#endif

#ifdef NO_limits
template <>
struct corten::ScalarTraits<own::Taped> : corten::PlainScalar<own::Taped> {};
#else
template <>
struct corten::ScalarTraits<own::Taped> {
  using Value = double;
  using Primal = own::Taped;
  static constexpr int tangents = 0;
#ifndef NO_value
  static double value(const own::Taped& x) { return x.a; }
#endif
#ifndef NO_vanishes
  static bool vanishes(const own::Taped&) { return false; }
#endif
};
#endif

static_assert(corten::detail::check_scalar<own::Jet>() && corten::Scalar<own::Jet>);
static_assert(corten::detail::check_scalar<own::Taped>() && corten::Scalar<own::Taped>);
