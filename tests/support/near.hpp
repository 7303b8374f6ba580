// SPDX-License-Identifier: Apache-2.0
//
// Are two numbers as close as a test demands, and no looser?
//
//     CHECK(near(got, expected, 1e-12));           // |got - expected| <= 1e-12
//     CHECK(near_relative(got, expected, 1e-9));   // |got - expected| <= 1e-9 |expected|
//     CHECK(near_relative(got, expected, 1e-9, 1));  // ... <= 1e-9 max(|expected|, 1)
//
// Nothing is added to the tolerance. Infinities are near themselves, NaN is near nothing. Numbers
// of any scalar are compared by their values in double. A failure prints both numbers, their
// difference and the tolerance.
#pragma once

#include <algorithm>
#include <cmath>
#include <ostream>
#include <sstream>
#include <type_traits>

namespace support {

struct Nearness {
  double got, expected, tolerance;

  double difference() const { return std::fabs(got - expected); }
  explicit operator bool() const { return got == expected || difference() <= tolerance; }
};

inline std::ostream& operator<<(std::ostream& out, const Nearness& n) {
  std::ostringstream text;  // enough digits to tell the two apart
  text.precision(17);
  text << n.got << " is near " << n.expected;
  text.precision(3);
  text << ": off by " << n.difference() << " where " << n.tolerance << " is allowed";
  return out << text.str();
}

// the value of a scalar
template <class S>
double plain(const S& x) {
  if constexpr (std::is_arithmetic_v<S>) {
    return double(x);
  } else {
    return double(value(x));
  }
}

template <class A, class B>
Nearness near(const A& got, const B& expected, double tolerance) {
  return {plain(got), plain(expected), tolerance};
}

// relative to the expected number, or to `least` if that is larger
template <class A, class B>
Nearness near_relative(const A& got, const B& expected, double fraction, double least = 0) {
  const double scale = std::max(std::fabs(plain(expected)), least);
  return {plain(got), plain(expected), fraction * scale};
}

}  // namespace support

using support::near;
using support::near_relative;
