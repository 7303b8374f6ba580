// SPDX-License-Identifier: Apache-2.0
//
// A user-defined scalar that counts operations goes through a whole step. All that it provides is
// below: arithmetic, functions, and two specialisations.
#include <Eigen/Core>

#include <cmath>
#include <type_traits>

namespace counting {

struct Real {
  double x = 0;

  static inline long long operations = 0;

  Real() = default;
  // clang-format off
  template <class T>
    requires std::is_arithmetic_v<T>
  Real(T v) : x(static_cast<double>(v)) {}
  // clang-format on
  explicit operator double() const { return x; }

  static Real count(double v) { return ++operations, Real(v); }

  friend Real operator+(const Real& a) { return a; }
  friend Real operator-(const Real& a) { return count(-a.x); }
  friend Real operator+(const Real& a, const Real& b) { return count(a.x + b.x); }
  friend Real operator-(const Real& a, const Real& b) { return count(a.x - b.x); }
  friend Real operator*(const Real& a, const Real& b) { return count(a.x * b.x); }
  friend Real operator/(const Real& a, const Real& b) { return count(a.x / b.x); }
  Real& operator+=(const Real& b) { return *this = *this + b; }
  Real& operator-=(const Real& b) { return *this = *this - b; }
  Real& operator*=(const Real& b) { return *this = *this * b; }
  Real& operator/=(const Real& b) { return *this = *this / b; }

  friend bool operator<(const Real& a, const Real& b) { return a.x < b.x; }
  friend bool operator>(const Real& a, const Real& b) { return a.x > b.x; }
  friend bool operator<=(const Real& a, const Real& b) { return a.x <= b.x; }
  friend bool operator>=(const Real& a, const Real& b) { return a.x >= b.x; }
  friend bool operator==(const Real& a, const Real& b) { return a.x == b.x; }
  friend bool operator!=(const Real& a, const Real& b) { return a.x != b.x; }
};

#define COUNTED(name) \
  inline Real name(const Real& a) { return Real::count(std::name(a.x)); }
COUNTED(sqrt)
COUNTED(sin)
COUNTED(cos)
COUNTED(tan)
COUNTED(asin)
COUNTED(acos)
COUNTED(atan)
COUNTED(exp)
COUNTED(log)
COUNTED(tanh)
COUNTED(floor)
COUNTED(abs)
#undef COUNTED
inline Real atan2(const Real& a, const Real& b) { return Real::count(std::atan2(a.x, b.x)); }
inline Real pow(const Real& a, const Real& b) { return Real::count(std::pow(a.x, b.x)); }
inline Real min(const Real& a, const Real& b) { return b.x < a.x ? b : a; }
inline Real max(const Real& a, const Real& b) { return a.x < b.x ? b : a; }
inline bool isfinite(const Real& a) { return std::isfinite(a.x); }
inline double value(const Real& a) { return a.x; }
inline Real primal(const Real& a) { return a; }

}  // namespace counting

template <>
struct Eigen::NumTraits<counting::Real> : Eigen::NumTraits<double> {
  using Real = counting::Real;
  using NonInteger = counting::Real;
  using Nested = counting::Real;
};

#include <corten/scalar/traits.hpp>

template <>
struct corten::ScalarTraits<counting::Real> {
  using Value = double;
  using Primal = counting::Real;
};

#include "../support/model.hpp"

using namespace corten;
using counting::Real;

// every stage has work to do: contacts, limits, friction, tendons, actuators, sensors
TEST_CASE("a user-defined scalar goes through a step", "[scalar]") {
  const Model<double> model = support::load("walker");
  Data<double> plain(model);
  Data<Real> counted(model);
  support::perturb(model, plain, 3, 0.05, 0.5);
  support::perturb(model, counted, 3, 0.05, 0.5);
  int contacts = 0;
  for (int i = 0; i < 100; ++i) {
    Real::operations = 0;
    REQUIRE(step(model, plain).ok());
    REQUIRE(step(model, counted).ok());
    contacts += plain.ncon();
    REQUIRE(counted.ncon() == plain.ncon());
    CHECK(Real::operations > 100 * model.n.nv);
  }
  CHECK(contacts > 0);
  for (std::size_t i = 0; i < plain.qpos().size(); ++i) {
    CHECK(near_relative(counted.qpos()[i].x, plain.qpos()[i], 1e-9, 1));
  }

  // the count depends only on the work: it is the same from the same state
  Data<Real> again = counted;
  Real::operations = 0;
  REQUIRE(step(model, counted).ok());
  const long long once = Real::operations;
  Real::operations = 0;
  REQUIRE(step(model, again).ok());
  CHECK(Real::operations == once);
}
