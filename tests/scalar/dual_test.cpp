// SPDX-License-Identifier: Apache-2.0
#include <corten/math/types.hpp>
#include <corten/scalar/dual.hpp>

#include "../support/catch.hpp"

#include <cmath>
#include <limits>

using corten::Dual;
using D1 = Dual<double, 1>;
using DD = Dual<D1, 1>;

namespace {

// derivative from duals against central differences
template <class F>
void check_unary(F f, std::initializer_list<double> points) {
  for (double x : points) {
    const double h = 1e-6 * std::max(1.0, std::fabs(x));
    const double difference = (f(x + h) - f(x - h)) / (2 * h);
    const D1 y = f(D1(x, 0));
    INFO("x = " << x);
    CHECK(y.a == f(x));
    CHECK(near_relative(y.v[0], difference, 1e-7, 0.1));

    // second derivative from a dual of duals
    const DD z = f(DD(D1(x, 0), 0));
    const double k = 1e-4 * std::max(1.0, std::fabs(x));
    const double second = (f(x + k) - 2 * f(x) + f(x - k)) / (k * k);
    CHECK(near(z.v[0].a, y.v[0], 1e-14));
    CHECK(near_relative(z.v[0].v[0], second, 1e-5, 1));
  }
}

}  // namespace

// calls find the library's overloads for both doubles and duals
#define CHECK_UNARY(name, ...) check_unary([](auto x) { return corten::name(x); }, __VA_ARGS__)

TEST_CASE("functions of one dual", "[scalar]") {
  CHECK_UNARY(sin, {-2.0, -0.3, 0.0, 0.7, 3.0});
  CHECK_UNARY(cos, {-2.0, -0.3, 0.0, 0.7, 3.0});
  CHECK_UNARY(tan, {-1.2, -0.3, 0.0, 0.7, 1.2});
  CHECK_UNARY(exp, {-2.0, 0.0, 1.5});
  CHECK_UNARY(log, {0.2, 1.0, 5.0});
  CHECK_UNARY(sqrt, {0.25, 1.0, 9.0});
  CHECK_UNARY(tanh, {-1.0, 0.0, 0.4});
  CHECK_UNARY(asin, {-0.9, 0.0, 0.5});
  CHECK_UNARY(acos, {-0.9, 0.0, 0.5});
  CHECK_UNARY(atan, {-3.0, 0.0, 0.5});
  CHECK_UNARY(abs, {-3.0, 0.5, 2.0});
}

TEST_CASE("functions of two duals", "[scalar]") {
  for (double x : {-1.5, 0.3, 2.0}) {
    for (double y : {-0.7, 0.4, 3.0}) {
      Dual<double, 2> a(x, 0), b(y, 1);
      const auto angle = atan2(b, a);
      const double r2 = x * x + y * y;
      CHECK(angle.a == std::atan2(y, x));
      CHECK(near(angle.v[0], -y / r2, 1e-12));
      CHECK(near(angle.v[1], x / r2, 1e-12));
      const auto quotient = a / b;
      CHECK(near(quotient.v[0], 1 / y, 1e-12));
      CHECK(near(quotient.v[1], -x / (y * y), 1e-12));
      const auto product = a * b - b;
      CHECK(product.v[0] == y);
      CHECK(product.v[1] == x - 1);
    }
  }
  const Dual<double, 2> base(2.0, 0), power(3.0, 1);
  const auto p = pow(base, power);
  CHECK(near(p.v[0], 12.0, 1e-12));
  CHECK(near(p.v[1], 8.0 * std::log(2.0), 1e-12));
}

TEST_CASE("derivatives stay finite where functions have none", "[scalar]") {
  const D1 zero(0.0, 0), one(1.0, 0);
  CHECK(sqrt(zero).v[0] == 0);
  CHECK(corten::safe_sqrt(zero).v[0] == 0);
  CHECK(acos(one).v[0] == 0);
  CHECK(asin(D1(-1.0, 0)).v[0] == 0);
  CHECK(atan2(zero, zero).v[0] == 0);
  CHECK(abs(zero).v[0] == 1);
  CHECK(finite(pow(zero, D1(2.0))));
  CHECK(pow(zero, D1(0.0)).v[0] == 0);
  CHECK(!finite(D1(std::numeric_limits<double>::quiet_NaN())));

  // ties use the first argument's derivative
  CHECK(min(one, D1(1.0)).v[0] == 1);
  CHECK(max(one, D1(1.0)).v[0] == 1);
  CHECK(corten::clamp(one, D1(0.0), D1(2.0)).v[0] == 1);
  CHECK(corten::clamp(D1(3.0, 0), D1(0.0), D1(2.0)).v[0] == 0);
}

TEST_CASE("identities hold in value and derivative", "[scalar]") {
  for (double x : {0.2, 0.9, 1.7}) {
    const D1 t(x, 0);
    CHECK(near((sqrt(t) * sqrt(t)).v[0], 1.0, 1e-12));
    CHECK(near((sin(t) * sin(t) + cos(t) * cos(t)).v[0], 0.0, 1e-15));
    CHECK(near(exp(log(t)).v[0], 1.0, 1e-12));
    CHECK(near(tan(atan(t)).v[0], 1.0, 1e-12));
    CHECK(near((t / t).v[0], 0.0, 1e-15));
  }
}

TEST_CASE("branches look at values", "[scalar]") {
  const D1 small(1.0, 0), large(2.0);
  CHECK(small < large);
  CHECK(small == D1(1.0));
  CHECK(corten::value(DD(D1(3.0, 0), 0)) == 3.0);
  CHECK(corten::primal(DD(D1(3.0, 0), 0)).v[0] == 1.0);
  CHECK(corten::select(small < large, small, large).v[0] == 1);
}

TEMPLATE_TEST_CASE("duals live in Eigen", "[scalar]", float, double) {
  using D = Dual<TestType, 2>;
  corten::Mat3<D> m;
  m << D(1), D(2), D(3), D(0), D(1), D(4), D(5), D(6), D(TestType(0), 0);
  const corten::Vec3<D> v(D(1), D(TestType(2), 1), D(3));
  const corten::Vec3<D> y = m * v;
  CHECK(y[0].a == TestType(14));
  CHECK(y[0].v[1] == TestType(2));
  CHECK(y[2].v[0] == TestType(3));
  CHECK(corten::value(D(v.dot(y))) == TestType(1 * 14 + 2 * 14 + 3 * 17));
}
