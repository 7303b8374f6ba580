// SPDX-License-Identifier: Apache-2.0
//
// Every function of scalars, for plain numbers, duals and nested duals: at generic points against
// formulas and differences; at 0, at branch points and at infinities against what is documented
// next to the function.
#include <corten/scalar/dual.hpp>

#include "../support/catch.hpp"

#include <cmath>
#include <limits>
#include <string>

using corten::Dual;
using corten::value;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double pi = 3.14159265358979323846;

template <class T>
using First = Dual<T, 1>;
template <class T>
using Second = Dual<Dual<T, 1>, 1>;
template <class T>
using Third = Dual<Dual<Dual<T, 1>, 1>, 1>;

// x with tangent 1 at every level
template <class T>
First<T> first(T x) {
  return First<T>(x, 0);
}
template <class T>
Second<T> second(T x) {
  return Second<T>(first(x), 0);
}
template <class T>
Third<T> third(T x) {
  return Third<T>(second(x), 0);
}

// the tolerance of a check
template <class T>
struct Accuracy {
  static constexpr double derivative = 1e-12, difference = 1e-8;
};
template <>
struct Accuracy<float> {
  static constexpr double derivative = 2e-4, difference = 0.05;
};

#define CHECK_NEAR(got, want, tolerance) CHECK(near_relative(got, want, tolerance, 1))

// f and its first three derivatives at some points, with T, duals and differences
template <class T, class F, class D1, class D2, class D3>
void check(const char* name, F f, D1 d1, D2 d2, D3 d3, std::initializer_list<double> points) {
  using A = Accuracy<T>;
  for (double at : points) {
    INFO(name << " at " << at);
    const T x = T(at);
    const Dual<T, 1> a = f(first(x));
    CHECK(a.a == f(x));
    CHECK_NEAR(a.v[0], d1(double(x)), A::derivative);

    // the same tangent in the second of three directions, scaled, the others zero
    Dual<T, 3> wide(x);
    wide.v[1] = T(2);
    const Dual<T, 3> b = f(wide);
    CHECK(b.v[0] == T(0));
    CHECK_NEAR(b.v[1], 2 * a.v[0], A::derivative);
    CHECK(b.v[2] == T(0));

    const Second<T> c = f(second(x));
    CHECK(c.a.a == a.a);
    CHECK_NEAR(c.a.v[0], a.v[0], A::derivative);
    CHECK_NEAR(c.v[0].a, a.v[0], A::derivative);
    CHECK_NEAR(c.v[0].v[0], d2(double(x)), A::derivative);
    CHECK_NEAR(f(third(x)).v[0].v[0].v[0], d3(double(x)), 10 * A::derivative);

    // differences of fourth order
    const double h = std::is_same_v<T, float> ? 1e-2 : 1e-3;
    const auto g = [&](double y) { return double(f(T(y))); };
    const double slope = (8 * (g(at + h) - g(at - h)) - g(at + 2 * h) + g(at - 2 * h)) / (12 * h);
    const double scale = std::max(1.0, std::fabs(d3(double(x))));
    CHECK(near(a.v[0], slope, A::difference * scale));
  }
}

// the overload that stage code finds
#define FUNCTION(name) #name, [](const auto& x) { return corten::name(x); }

// f and g agree in value, first and second derivative
template <class F, class G>
void check_identity(const char* name, F f, G g, std::initializer_list<double> points) {
  for (double at : points) {
    INFO(name << " at " << at);
    const Second<double> x = f(second(at)), y = g(second(at));
    CHECK_NEAR(x.a.a, y.a.a, 1e-14);
    CHECK_NEAR(x.a.v[0], y.a.v[0], 1e-13);
    CHECK_NEAR(x.v[0].a, y.v[0].a, 1e-13);
    CHECK_NEAR(x.v[0].v[0], y.v[0].v[0], 1e-11);
  }
}

}  // namespace

TEMPLATE_TEST_CASE("functions of one scalar and three derivatives", "[scalar]", float, double) {
  using T = TestType;
  using std::cos, std::sin, std::exp, std::log, std::sqrt, std::tanh, std::tan, std::pow;
  const auto zero = [](double) { return 0.0; };
  check<T>(
      FUNCTION(sin), [](double x) { return cos(x); }, [](double x) { return -sin(x); },
      [](double x) { return -cos(x); }, {-2.1, -0.3, 0, 0.7, pi / 2, 3});
  check<T>(
      FUNCTION(cos), [](double x) { return -sin(x); }, [](double x) { return -cos(x); },
      [](double x) { return sin(x); }, {-2.1, -0.3, 0, 0.7, pi / 2, 3});
  check<T>(
      FUNCTION(tan), [](double x) { return 1 + pow(tan(x), 2); },
      [](double x) { return 2 * tan(x) * (1 + pow(tan(x), 2)); },
      [](double x) { return (2 + 6 * pow(tan(x), 2)) * (1 + pow(tan(x), 2)); },
      {-0.8, 0, 0.4, 0.9});
  check<T>(
      FUNCTION(exp), [](double x) { return exp(x); }, [](double x) { return exp(x); },
      [](double x) { return exp(x); }, {-2, 0, 1.5});
  check<T>(
      FUNCTION(log), [](double x) { return 1 / x; }, [](double x) { return -1 / (x * x); },
      [](double x) { return 2 / pow(x, 3); }, {0.5, 1, 2, 7});
  check<T>(
      FUNCTION(sqrt), [](double x) { return 0.5 / sqrt(x); },
      [](double x) { return -0.25 * pow(x, -1.5); }, [](double x) { return 0.375 * pow(x, -2.5); },
      {0.5, 1, 9});
  check<T>(
      "safe_sqrt", [](const auto& x) { return corten::safe_sqrt(x); },
      [](double x) { return 0.5 / sqrt(x); }, [](double x) { return -0.25 * pow(x, -1.5); },
      [](double x) { return 0.375 * pow(x, -2.5); }, {0.5, 1, 9});
  check<T>(
      FUNCTION(tanh), [](double x) { return 1 - pow(tanh(x), 2); },
      [](double x) { return -2 * tanh(x) * (1 - pow(tanh(x), 2)); },
      [](double x) { return (6 * pow(tanh(x), 2) - 2) * (1 - pow(tanh(x), 2)); }, {-1, 0, 0.4, 2});
  check<T>(
      FUNCTION(asin), [](double x) { return 1 / sqrt(1 - x * x); },
      [](double x) { return x * pow(1 - x * x, -1.5); },
      [](double x) { return (1 + 2 * x * x) * pow(1 - x * x, -2.5); }, {-0.6, 0, 0.5});
  check<T>(
      FUNCTION(acos), [](double x) { return -1 / sqrt(1 - x * x); },
      [](double x) { return -x * pow(1 - x * x, -1.5); },
      [](double x) { return -(1 + 2 * x * x) * pow(1 - x * x, -2.5); }, {-0.6, 0, 0.5});
  check<T>(
      FUNCTION(atan), [](double x) { return 1 / (1 + x * x); },
      [](double x) { return -2 * x / pow(1 + x * x, 2); },
      [](double x) { return (6 * x * x - 2) / pow(1 + x * x, 3); }, {-3, 0, 0.5, 10});
  check<T>(FUNCTION(abs), [](double x) { return x < 0 ? -1.0 : 1.0; }, zero, zero, {-3, 0.5, 2});
  check<T>(FUNCTION(floor), zero, zero, zero, {-1.5, 0.3, 2.7});
  check<T>(
      "power 3", [](const auto& x) { return corten::pow(x, std::decay_t<decltype(x)>(3)); },
      [](double x) { return 3 * x * x; }, [](double x) { return 6 * x; },
      [](double) { return 6.0; }, {-1.5, 0.3, 2});
  check<T>(
      "power 2.5", [](const auto& x) { return corten::pow(x, std::decay_t<decltype(x)>(2.5)); },
      [](double x) { return 2.5 * pow(x, 1.5); }, [](double x) { return 3.75 * pow(x, 0.5); },
      [](double x) { return 1.875 * pow(x, -0.5); }, {0.5, 1, 3});
  check<T>(
      "2 to the power", [](const auto& x) { return corten::pow(std::decay_t<decltype(x)>(2), x); },
      [](double x) { return log(2.0) * pow(2, x); },
      [](double x) { return pow(log(2.0), 2) * pow(2, x); },
      [](double x) { return pow(log(2.0), 3) * pow(2, x); }, {-1, 0, 1, 2.5});
  check<T>(
      "reciprocal", [](const auto& x) { return std::decay_t<decltype(x)>(1) / x; },
      [](double x) { return -1 / (x * x); }, [](double x) { return 2 / pow(x, 3); },
      [](double x) { return -6 / pow(x, 4); }, {-0.8, 1, 3});
  check<T>(
      "polynomial", [](const auto& x) { return x * x * x - x * x + x; },
      [](double x) { return 3 * x * x - 2 * x + 1; }, [](double x) { return 6 * x - 2; },
      [](double) { return 6.0; }, {-0.8, 0, 3});
}

TEST_CASE("functions of two scalars, first and mixed derivatives", "[scalar]") {
  using D = Dual<Dual<double, 2>, 2>;
  using Inner = Dual<double, 2>;
  for (double x : {-1.5, 0.3, 2.0}) {
    for (double y : {-0.7, 0.4, 3.0}) {
      INFO("x = " << x << ", y = " << y);
      const D a(Inner(x, 0), 0), b(Inner(y, 1), 1);
      const double r2 = x * x + y * y;
      const D angle = atan2(b, a);
      CHECK(angle.a.a == std::atan2(y, x));
      CHECK_NEAR(angle.v[0].a, -y / r2, 1e-14);
      CHECK_NEAR(angle.v[1].a, x / r2, 1e-14);
      CHECK_NEAR(angle.v[0].v[0], 2 * x * y / (r2 * r2), 1e-13);
      CHECK_NEAR(angle.v[0].v[1], (y * y - x * x) / (r2 * r2), 1e-13);
      CHECK_NEAR(angle.v[1].v[1], -2 * x * y / (r2 * r2), 1e-13);

      const D quotient = a / b;
      CHECK_NEAR(quotient.v[0].v[1], -1 / (y * y), 1e-13);
      CHECK_NEAR(quotient.v[1].v[1], 2 * x / (y * y * y), 1e-13);
      const D product = a * b;
      CHECK(product.v[0].v[1] == 1);
      CHECK(product.v[0].v[0] == 0);

      if (x < 0) continue;
      const D power = pow(a, b);
      const double f = std::pow(x, y), l = std::log(x);
      CHECK_NEAR(power.v[0].a, y * std::pow(x, y - 1), 1e-13);
      CHECK_NEAR(power.v[1].a, f * l, 1e-13);
      CHECK_NEAR(power.v[0].v[0], y * (y - 1) * std::pow(x, y - 2), 1e-13);
      CHECK_NEAR(power.v[0].v[1], std::pow(x, y - 1) * (1 + y * l), 1e-13);
      CHECK_NEAR(power.v[1].v[1], f * l * l, 1e-13);
    }
  }
  // ∂²/∂x∂p x^p at p = 0 is 1/x, which must not vanish with the factor p
  CHECK_NEAR(pow(D(Inner(2, 0), 0), D(Inner(0, 1), 1)).v[0].v[1], 0.5, 1e-15);
}

TEST_CASE("identities in value and two derivatives", "[scalar]") {
  using D = Second<double>;
  const auto same = [](const D& x) { return x; };
  const auto one = [](const D&) { return D(1); };
  check_identity("sin² + cos²", [](const D& x) { return sin(x) * sin(x) + cos(x) * cos(x); }, one,
                 {-3, 0, 0.4, 2});
  check_identity(
      "sin 2x", [](const D& x) { return sin(x + x); },
      [](const D& x) { return 2 * sin(x) * cos(x); }, {-3, 0, 0.4, 2});
  check_identity(
      "tan", [](const D& x) { return tan(x); }, [](const D& x) { return sin(x) / cos(x); },
      {-1, 0, 0.4});
  check_identity("exp log", [](const D& x) { return exp(log(x)); }, same, {0.1, 1, 5});
  check_identity("log exp", [](const D& x) { return log(exp(x)); }, same, {-2, 0, 3});
  check_identity("exp x exp -x", [](const D& x) { return exp(x) * exp(-x); }, one, {-2, 0, 3});
  check_identity("sqrt²", [](const D& x) { return sqrt(x) * sqrt(x); }, same, {0.1, 1, 5});
  check_identity(
      "sqrt of square", [](const D& x) { return sqrt(x * x); }, [](const D& x) { return abs(x); },
      {-2, 0.3});
  check_identity(
      "pow ½", [](const D& x) { return pow(x, D(0.5)); }, [](const D& x) { return sqrt(x); },
      {0.1, 1, 5});
  check_identity(
      "pow 2", [](const D& x) { return pow(x, D(2)); }, [](const D& x) { return x * x; },
      {-2, 0, 3});
  check_identity(
      "pow -1", [](const D& x) { return pow(x, D(-1)); }, [](const D& x) { return 1 / x; },
      {-2, 0.5, 3});
  check_identity(
      "x^x", [](const D& x) { return pow(x, x); }, [](const D& x) { return exp(x * log(x)); },
      {0.5, 1, 2});
  check_identity("tan atan", [](const D& x) { return tan(atan(x)); }, same, {-3, 0, 0.5});
  check_identity("sin asin", [](const D& x) { return sin(asin(x)); }, same, {-0.7, 0, 0.5});
  check_identity("cos acos", [](const D& x) { return cos(acos(x)); }, same, {-0.7, 0, 0.5});
  check_identity(
      "asin + acos", [](const D& x) { return asin(x) + acos(x); },
      [](const D&) { return D(pi / 2); }, {-0.7, 0, 0.5});
  check_identity("atan2 of a point on the circle", [](const D& x) { return atan2(sin(x), cos(x)); },
                 same, {-3, -pi / 2, 0, 0.5, 3});
  check_identity(
      "atan2 on the right", [](const D& x) { return atan2(x, D(2)); },
      [](const D& x) { return atan(x / 2); }, {-3, 0, 0.5});
  check_identity(
      "tanh", [](const D& x) { return tanh(x); },
      [](const D& x) { return (exp(2 * x) - 1) / (exp(2 * x) + 1); }, {-1, 0, 0.5});
  check_identity("quotient and product", [](const D& x) { return x / sin(x) * sin(x); }, same,
                 {-1, 0.5});
  check_identity(
      "min + max", [](const D& x) { return min(x, x * x) + max(x, x * x); },
      [](const D& x) { return x + x * x; }, {-1, 0.5, 2});
  check_identity(
      "in place",
      [](D x) {
        D y = x;
        y *= y;
        y += x;
        y -= 3 * x;
        y /= x;
        return +y;
      },
      [](const D& x) { return x - 2; }, {-1, 0.5, 2});
}

TEST_CASE("derivatives at 0 and at branch points are as documented", "[scalar]") {
  using D = First<double>;
  const D zero(0.0, 0), one(1.0, 0);
  CHECK(sqrt(zero).v[0] == 0);
  CHECK(corten::safe_sqrt(zero).v[0] == 0);
  CHECK(corten::safe_sqrt(D(-1.0, 0)).a == 0);
  CHECK(corten::safe_sqrt(D(-1.0, 0)).v[0] == 0);
  CHECK(acos(one).v[0] == 0);
  CHECK(acos(D(-1.0, 0)).v[0] == 0);
  CHECK(asin(one).v[0] == 0);
  CHECK(asin(D(-1.0, 0)).v[0] == 0);
  CHECK(atan2(zero, zero).v[0] == 0);
  CHECK(abs(zero).v[0] == 1);
  CHECK(abs(D(-0.0, 0)).v[0] == 1);
  CHECK(floor(D(2.0, 0)).v[0] == 0);

  // next to the cut of atan2 the derivative is the same on both sides
  const D above = atan2(D(1e-12, 0), D(-1.0)), below = atan2(D(-1e-12, 0), D(-1.0));
  CHECK(above.a > 3);
  CHECK(below.a < -3);
  CHECK(above.v[0] == below.v[0]);

  // powers of 0
  CHECK(pow(zero, D(2.0)).v[0] == 0);
  CHECK(pow(zero, D(1.0)).v[0] == 1);
  CHECK(pow(zero, D(0.0)).a == 1);
  CHECK(pow(zero, D(0.0)).v[0] == 0);
  CHECK(pow(D(0.0), D(0.5)).v[0] == 0);
  CHECK(pow(zero, D(0.5)).v[0] == inf);
  CHECK(pow(D(0.0), D(2.0, 0)).v[0] == 0);
  CHECK(log(zero).a == -inf);
  CHECK(log(zero).v[0] == inf);
  CHECK(log(D(0.0)).v[0] == 0);

  // a dual of a dual with zero tangents keeps them zero
  using DD = Second<double>;
  const DD still(0.0);
  for (const DD& y :
       {sqrt(still), log(still), pow(still, DD(0.5)), acos(DD(1.0)), atan2(still, still)}) {
    CHECK(y.v[0].a == 0);
    CHECK(y.v[0].v[0] == 0);
    CHECK(y.a.v[0] == 0);
  }

  // ties use the first argument; clamp keeps the argument's derivative at its ends
  const D other(1.0);
  CHECK(min(one, other).v[0] == 1);
  CHECK(min(other, one).v[0] == 0);
  CHECK(max(one, other).v[0] == 1);
  CHECK(max(other, one).v[0] == 0);
  CHECK(corten::clamp(one, D(1.0), D(2.0)).v[0] == 1);
  CHECK(corten::clamp(one, D(0.0), D(1.0)).v[0] == 1);
  CHECK(corten::clamp(D(3.0, 0), D(0.0), D(2.0)).v[0] == 0);
  CHECK(corten::clamp(D(-3.0, 0), D(0.0), D(2.0)).a == 0);
  CHECK(corten::clamp(D(3.0), D(0.0), D(2.0, 0)).v[0] == 1);
}

TEST_CASE("infinities and NaN", "[scalar]") {
  using D = First<double>;
  const D up(inf, 0), down(-inf, 0);
  CHECK(exp(down).a == 0);
  CHECK(exp(down).v[0] == 0);
  CHECK(exp(up).a == inf);
  CHECK(log(up).a == inf);
  CHECK(log(up).v[0] == 0);
  CHECK(sqrt(up).a == inf);
  CHECK(sqrt(up).v[0] == 0);
  CHECK(atan(up).a == pi / 2);
  CHECK(atan(up).v[0] == 0);
  CHECK(atan(down).v[0] == 0);
  CHECK(tanh(up).a == 1);
  CHECK(tanh(up).v[0] == 0);
  CHECK(tanh(down).a == -1);
  CHECK((1 / up).a == 0);
  CHECK((1 / up).v[0] == 0);
  CHECK(pow(up, D(-1.0)).a == 0);
  CHECK(pow(up, D(-1.0)).v[0] == 0);
  CHECK(abs(down).a == inf);
  CHECK(abs(down).v[0] == -1);
  CHECK(floor(down).a == -inf);
  CHECK(min(up, D(1.0)).v[0] == 0);
  CHECK(max(up, D(1.0)).v[0] == 1);
  CHECK(corten::clamp(up, D(0.0), D(2.0)).a == 2);
  CHECK(corten::clamp(down, D(0.0), D(2.0)).v[0] == 0);
  CHECK(atan2(D(1.0), up).a == 0);
  CHECK(near(atan2(D(1.0), down).a, pi, 1e-12));
  CHECK(up > D(1e300));
  CHECK(down < up);

  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(finite(up));
  CHECK_FALSE(finite(D(nan)));
  CHECK(finite(D(1e308, 0)));
  D tangent(1.0);
  tangent.v[0] = inf;
  CHECK_FALSE(finite(tangent));
  CHECK_FALSE(finite(Second<double>(tangent)));
  CHECK_FALSE(D(nan) < D(1.0));
  CHECK_FALSE(D(nan) == D(nan));
  CHECK(D(nan) != D(nan));
  CHECK(std::isnan(sin(up).a));
  CHECK(std::isnan(sqrt(D(-1.0, 0)).a));
  CHECK(std::isnan(log(D(-1.0, 0)).a));
  CHECK(std::isnan(asin(D(2.0, 0)).a));
}

TEMPLATE_TEST_CASE("plain numbers have the same functions", "[scalar]", float, double) {
  using T = TestType;
  CHECK(std::is_same_v<decltype(corten::sin(T(1))), T>);
  CHECK(std::is_same_v<decltype(corten::pow(T(1), T(2))), T>);
  CHECK(corten::min(T(1), T(2)) == T(1));
  CHECK(corten::max(T(1), T(2)) == T(2));
  CHECK(corten::abs(T(-2)) == T(2));
  CHECK(corten::clamp(T(5), T(1), T(2)) == T(2));
  CHECK(corten::safe_sqrt(T(-1)) == T(0));
  CHECK(corten::safe_sqrt(T(4)) == T(2));
  CHECK(corten::select(true, T(1), T(2)) == T(1));
  CHECK(corten::select(false, T(1), T(2)) == T(2));
  CHECK(corten::any(true));
  CHECK_FALSE(corten::all(false));
  CHECK(corten::value(T(3)) == T(3));
  CHECK(corten::primal(T(3)) == T(3));
  CHECK_FALSE(corten::is_dual<T>);
  CHECK(corten::is_dual<Dual<T, 2>>);
  CHECK(std::is_same_v<corten::value_t<Second<T>>, T>);
  CHECK(std::is_same_v<corten::primal_t<Second<T>>, Dual<T, 1>>);
}

TEST_CASE("comparisons and conversions of duals", "[scalar]") {
  using D = Dual<double, 2>;
  const D a(1.0, 0), b(2.0, 1);
  CHECK((a < b && a <= b && b > a && b >= a && a != b && a == D(1.0)));
  CHECK((a < 2 && 0.5 < a && a == 1 && 3 >= b));
  CHECK(static_cast<double>(b) == 2);
  CHECK((2 * a + 1 - b / 4).v[0] == 2);
  CHECK((2 * a + 1 - b / 4).v[1] == -0.25);
  CHECK((-a).v[0] == -1);
  CHECK(std::is_trivially_copyable_v<D>);
  CHECK(sizeof(Dual<double, 7>) == 64);
  CHECK(corten::value(third(2.0)) == 2);
  CHECK(std::numeric_limits<D>::epsilon() == std::numeric_limits<double>::epsilon());
}
