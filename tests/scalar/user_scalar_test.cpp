// SPDX-License-Identifier: Apache-2.0
//
// A scalar that the library has never heard of goes through whole steps, derivatives included. It
// has what such types usually have and no more: explicit conversions, copies that are not trivial,
// infinite slopes where Dual has finite ones (sqrt at 0 yields NaN), no min, max or isfinite. One
// specialisation of ScalarTraits adapts it.
#include <cmath>
#include <cstddef>

namespace jets {

template <int N>
struct Jet {
  double a;
  double v[std::size_t(N)];

  Jet() : Jet(0.0) {}
  explicit Jet(double x) : a(x) {
    for (double& t : v) t = 0;
  }
  Jet(const Jet& x) { *this = x; }
  Jet& operator=(const Jet& x) {
    a = x.a;
    for (int i = 0; i < N; ++i) v[i] = x.v[i];
    return *this;
  }

  // f(x, y) by its value and its partial derivatives
  static Jet chain(double f, double dx, const Jet& x, double dy, const Jet& y) {
    Jet out(f);
    for (int i = 0; i < N; ++i) out.v[i] = dx * x.v[i] + dy * y.v[i];
    return out;
  }
  static Jet chain(double f, double dx, const Jet& x) {
    Jet out(f);
    for (int i = 0; i < N; ++i) out.v[i] = dx * x.v[i];
    return out;
  }

  friend Jet operator-(const Jet& x) { return chain(-x.a, -1, x); }
  friend Jet operator+(const Jet& x, const Jet& y) { return chain(x.a + y.a, 1, x, 1, y); }
  friend Jet operator-(const Jet& x, const Jet& y) { return chain(x.a - y.a, 1, x, -1, y); }
  friend Jet operator*(const Jet& x, const Jet& y) { return chain(x.a * y.a, y.a, x, x.a, y); }
  friend Jet operator/(const Jet& x, const Jet& y) {
    const double inverse = 1 / y.a, q = x.a * inverse;
    return chain(q, inverse, x, -q * inverse, y);
  }
  Jet& operator+=(const Jet& y) { return *this = *this + y; }
  Jet& operator-=(const Jet& y) { return *this = *this - y; }
  Jet& operator*=(const Jet& y) { return *this = *this * y; }
  Jet& operator/=(const Jet& y) { return *this = *this / y; }

  friend bool operator<(const Jet& x, const Jet& y) { return x.a < y.a; }
  friend bool operator>(const Jet& x, const Jet& y) { return x.a > y.a; }
  friend bool operator<=(const Jet& x, const Jet& y) { return x.a <= y.a; }
  friend bool operator>=(const Jet& x, const Jet& y) { return x.a >= y.a; }
  friend bool operator==(const Jet& x, const Jet& y) { return x.a == y.a; }
  friend bool operator!=(const Jet& x, const Jet& y) { return x.a != y.a; }

  friend Jet sqrt(const Jet& x) { return chain(std::sqrt(x.a), 0.5 / std::sqrt(x.a), x); }
  friend Jet sin(const Jet& x) { return chain(std::sin(x.a), std::cos(x.a), x); }
  friend Jet cos(const Jet& x) { return chain(std::cos(x.a), -std::sin(x.a), x); }
  friend Jet tan(const Jet& x) {
    return chain(std::tan(x.a), 1 + std::tan(x.a) * std::tan(x.a), x);
  }
  friend Jet asin(const Jet& x) { return chain(std::asin(x.a), 1 / std::sqrt(1 - x.a * x.a), x); }
  friend Jet exp(const Jet& x) { return chain(std::exp(x.a), std::exp(x.a), x); }
  friend Jet floor(const Jet& x) { return Jet(std::floor(x.a)); }
  friend Jet abs(const Jet& x) { return chain(std::fabs(x.a), x.a < 0 ? -1 : 1, x); }
  friend Jet atan2(const Jet& y, const Jet& x) {
    const double r2 = x.a * x.a + y.a * y.a;
    return chain(std::atan2(y.a, x.a), x.a / r2, y, -y.a / r2, x);
  }
  friend Jet pow(const Jet& x, const Jet& p) {
    const double f = std::pow(x.a, p.a);
    return chain(f, p.a * std::pow(x.a, p.a - 1), x, f * std::log(x.a), p);
  }
};

}  // namespace jets

#include <corten/scalar/traits.hpp>

template <int N>
struct corten::ScalarTraits<jets::Jet<N>> {
  using Value = double;
  using Primal = double;
  static constexpr int tangents = N;
  static const double& primal(const jets::Jet<N>& x) { return x.a; }
  static const double& tangent(const jets::Jet<N>& x, int k) { return x.v[k]; }
  static double& tangent(jets::Jet<N>& x, int k) { return x.v[k]; }
};

#include "../support/model.hpp"

using namespace corten;
using Jet = jets::Jet<8>;

namespace {

// how far the derivatives of two scalars are apart, relative to the largest
template <class A, class B>
double apart(std::span<const A> a, std::span<const B> b) {
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (int k = 0; k < tangent_count<A>; ++k) {
      const double x = tangent(a[i], k), y = tangent(b[i], k);
      if (!std::isfinite(x) || !std::isfinite(y)) return INFINITY;
      largest = std::max(largest, std::fabs(y));
      difference = std::max(difference, std::fabs(x - y));
    }
  }
  return largest > 0 ? difference / largest : difference;
}

}  // namespace

// every stage has something to do: contacts, limits, friction, tendons, actuators, sensors
TEST_CASE("a scalar of the user's own goes through a step, with its derivatives", "[scalar]") {
  using D = Dual<double, 8>;
  static_assert(corten::Scalar<Jet> && !std::is_trivially_copyable_v<Jet>);
  const Model<double> model = support::load("walker");
  Data<double> plain(model);
  support::perturb(model, plain, 3, 0.05, 0.5);
  int contacts = 0;
  for (int i = 0; i < 100; ++i) {
    Data<Jet> jet(model);
    Data<D> dual(model);
    const auto seed = [&](auto& data) {
      using S = std::remove_cvref_t<decltype(data.time())>;
      const auto set = [](auto to, auto from) {
        for (std::size_t k = 0; k < from.size(); ++k) to[k] = S(from[k]);
      };
      set(data.qpos(), plain.qpos());
      set(data.qvel(), plain.qvel());
      set(data.act(), plain.act());
      set(data.ctrl(), plain.ctrl());
      for (int k = 0; k < 8; ++k) {
        tangent(data.qvel()[std::size_t(k)], k) = 1;
        tangent(data.ctrl()[std::size_t(k % model.n.nu)], k) = 0.5;
      }
    };
    seed(jet);
    seed(dual);
    for (int twice = 0; twice < 2; ++twice) {
      REQUIRE(step(model, jet).ok());
      REQUIRE(step(model, dual).ok());
    }
    INFO("step " << i);
    for (std::size_t k = 0; k < plain.qvel().size(); ++k) {
      CHECK(near_relative(jet.qvel()[k].a, dual.qvel()[k].a, 1e-12, 1));
    }
    CHECK(apart<Jet, D>(jet.qvel(), dual.qvel()) < 1e-12);
    CHECK(apart<Jet, D>(jet.qpos(), dual.qpos()) < 1e-12);
    CHECK(apart<Jet, D>(jet.sensordata(), dual.sensordata()) < 1e-12);
    REQUIRE(step(model, plain).ok());
    contacts += plain.ncon();
  }
  CHECK(contacts > 0);
}

TEST_CASE("what the library derives from ScalarTraits", "[scalar]") {
  Jet x(0.0), y(0.0);
  x.v[7] = 2;
  CHECK(value(x) == 0);
  CHECK(primal(x) == 0);
  CHECK(std::is_same_v<decltype(primal(x)), double>);
  CHECK(tangent(x, 7) == 2);

  // zero in its value is not enough: a product with it has a derivative
  CHECK_FALSE(vanishes(x));
  CHECK(vanishes(y));
  CHECK_FALSE(vanishes(Jet(1)));
  CHECK(finite(x));
  CHECK_FALSE(finite(Jet(INFINITY)));
  CHECK_FALSE(finite(Jet(NAN)));
  y.v[3] = NAN;
  CHECK_FALSE(finite(y));

  // ties take the first argument; a square root of zero has no slope
  CHECK(corten::min(x, Jet(0)).v[7] == 2);
  CHECK(corten::max(Jet(0), x).v[7] == 0);
  CHECK(corten::select(true, x, Jet(1)).v[7] == 2);
  CHECK(corten::clamp(x, Jet(-1), Jet(1)).v[7] == 2);
  CHECK(corten::safe_sqrt(x).v[7] == 0);
  CHECK(std::isinf(sqrt(x).v[7]));
  CHECK(convert<double>(Jet(3)) == 3);
  CHECK(convert<Jet>(3.0).a == 3);
  CHECK(convert<Jet>(x).v[7] == 2);
}
