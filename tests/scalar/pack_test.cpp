// SPDX-License-Identifier: Apache-2.0
#include <corten/math/quat.hpp>
#include <corten/scalar/pack.hpp>

#include "../support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using corten::Pack;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// generic numbers, zeros, branch points, quadrants, huge and tiny numbers, infinities and NaN
const std::vector<double> points = {0.0,
                                    -0.0,
                                    0.3,
                                    -0.7,
                                    1.0,
                                    -1.0,
                                    0.5,
                                    1.5707963267948966,
                                    -1.5707963267948966,
                                    3.14159265358979,
                                    -6.28318530717959,
                                    2.0,
                                    -3.7,
                                    17.25,
                                    -100.5,
                                    7999.0,
                                    12345.0,
                                    -99999.0,
                                    1e5,
                                    3e7,
                                    1e30,
                                    -1e30,
                                    1e-30,
                                    infinite,
                                    -infinite,
                                    not_a_number};

template <class T>
bool same(T a, T b, T tolerance = 0) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::fabs(a - b) <= tolerance;
}

// f of packs against f of each lane, with every point in every lane
template <class P, class F>
void check_unary(F f, typename P::Lane tolerance = 0) {
  using T = typename P::Lane;
  for (std::size_t first = 0; first < points.size(); ++first) {
    P x;
    for (int i = 0; i < P::lanes; ++i)
      x.set(i, T(points[(first + std::size_t(i)) % points.size()]));
    const P y = f(x);
    for (int i = 0; i < P::lanes; ++i) {
      INFO("f(" << x[i] << ") = " << y[i] << ", not " << f(T(x[i])));
      CHECK(same(T(y[i]), T(f(T(x[i]))), tolerance));
    }
  }
}

template <class P, class F>
void check_binary(F f) {
  using T = typename P::Lane;
  for (double a : points) {
    for (std::size_t first = 0; first < points.size(); first += std::size_t(P::lanes)) {
      P y;
      for (int i = 0; i < P::lanes; ++i)
        y.set(i, T(points[(first + std::size_t(i)) % points.size()]));
      const P z = f(P(a), y);
      for (int i = 0; i < P::lanes; ++i) {
        INFO("f(" << a << ", " << y[i] << ")");
        CHECK(same(T(z[i]), T(f(T(a), T(y[i])))));
      }
    }
  }
}

template <class P>
P counting() {
  P x;
  for (int i = 0; i < P::lanes; ++i) x.set(i, typename P::Lane(i + 1));
  return x;
}

}  // namespace

#define CHECK_UNARY(name) \
  check_unary<TestType>([](const auto& x) { return corten::name(x); }, exact)
#define CHECK_NEAR(name) check_unary<TestType>([](const auto& x) { return corten::name(x); }, near)
#define CHECK_BINARY(expression) \
  check_binary<TestType>([](const auto& x, const auto& y) { return expression; })

// half, whole and double the width of a plain machine's registers
using Four = Pack<double, 4>;
using Two = Pack<double, 2>;
using FourFloats = Pack<float, 4>;
using EightFloats = Pack<float, 8>;

TEMPLATE_TEST_CASE("functions of packs are those of their lanes", "[scalar]", Two, Four, FourFloats,
                   EightFloats) {
  using T = typename TestType::Lane;
  const T exact = 0;
  CHECK_UNARY(sqrt);
  CHECK_UNARY(abs);
  CHECK_UNARY(floor);
  CHECK_UNARY(exp);
  CHECK_UNARY(log);
  CHECK_UNARY(tan);
  CHECK_UNARY(asin);
  CHECK_UNARY(acos);
  CHECK_UNARY(atan);
  CHECK_UNARY(tanh);
  CHECK_UNARY(safe_sqrt);

  // the packs' own functions, to two units in the last place of 1
  const T near = std::numeric_limits<T>::epsilon();
  CHECK_NEAR(sin);
  CHECK_NEAR(cos);

  CHECK_BINARY(corten::atan2(x, y));
  CHECK_BINARY(corten::pow(x, y));
  CHECK_BINARY(corten::min(x, y));
  CHECK_BINARY(corten::max(x, y));
  CHECK_BINARY(x + y);
  CHECK_BINARY(x - y);
  CHECK_BINARY(x * y);
  CHECK_BINARY(x / y);
}

TEMPLATE_TEST_CASE("sine and cosine of packs over many turns", "[scalar]", Two, EightFloats) {
  using T = typename TestType::Lane;
  double worst = 0, off_circle = 0;
  for (int k = -20000; k < 20000; ++k) {
    const T x = T(0.37 * k);
    TestType s, c;
    sincos(TestType(x), s, c);
    worst = std::fmax(worst, std::fabs(double(s[0]) - std::sin(double(x))));
    worst = std::fmax(worst, std::fabs(double(c[1]) - std::cos(double(x))));
    off_circle = std::fmax(
        off_circle, std::fabs(double(s[1]) * double(s[1]) + double(c[0]) * double(c[0]) - 1));
  }
  const double unit = double(std::numeric_limits<T>::epsilon());
  CHECK(worst < unit);
  CHECK(off_circle < 2 * unit);
}

TEMPLATE_TEST_CASE("comparisons give masks", "[scalar]", Two, Four, FourFloats, EightFloats) {
  const TestType x = counting<TestType>(), two(2);
  const auto small = x<two, large = x> two;
  for (int i = 0; i < TestType::lanes; ++i) {
    CHECK(small[i] == (i + 1 < 2));
    CHECK(large[i] == (i + 1 > 2));
    CHECK((x <= two)[i] == (i + 1 <= 2));
    CHECK((x >= two)[i] == (i + 1 >= 2));
    CHECK((x == two)[i] == (i + 1 == 2));
    CHECK((x != two)[i] == (i + 1 != 2));
    CHECK((!small)[i] == !small[i]);
    CHECK((small || large)[i] == (i + 1 != 2));
    CHECK((small && large)[i] == false);
    CHECK(select(small, x, -x)[i] == (i + 1 < 2 ? x[i] : -x[i]));
  }
  CHECK(any(small));
  CHECK_FALSE(all(small));
  CHECK_FALSE(any(small && large));
  CHECK(all(x > TestType(0)));
  CHECK(lane_bits(small) == 1u);
  CHECK(lane_bits(x > TestType(1)) == (1u << TestType::lanes) - 2);
  CHECK_FALSE(any(TestType(not_a_number) == TestType(not_a_number)));
  CHECK_FALSE(any(finite(TestType(infinite))));
  CHECK(all(finite(x)));
}

TEST_CASE("a number converts to a pack unchanged", "[scalar]") {
  CHECK(std::signbit(Two(-0.0)[1]));
  CHECK_FALSE(std::signbit(Two(0.0)[1]));
  CHECK(Two(3)[0] == 3.0);
  CHECK((2 * counting<Two>() + 1.0)[1] == 5.0);
  CHECK(FourFloats(0.1)[3] == 0.1f);
}

TEST_CASE("quaternions of packs, each lane on its own branch", "[scalar]") {
  using corten::Quat;
  using corten::Vec3;

  // no rotation, a tiny one, a usual one, nearly a full turn
  const double size[] = {0, 1e-9, 0.8, 6.0};
  Vec3<Four> v;
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 4; ++i) v[k].set(i, size[i] * (k == 0 ? 0.6 : k == 1 ? -0.8 : 0));
  }
  const Quat<Four> q = corten::exp_map(v);
  const Vec3<Four> back = corten::log_map(q);
  Quat<Four> scaled = q * Four(1.5);
  corten::renormalize(scaled);
  for (int i = 0; i < 4; ++i) {
    const Vec3<double> lane(v[0][i], v[1][i], v[2][i]);
    const Quat<double> expected = corten::exp_map(lane);
    const Vec3<double> log = corten::log_map(expected);
    for (int k = 0; k < 4; ++k) {
      CHECK(near(q[k][i], expected[k], 1e-15));
      CHECK(near(scaled[k][i], expected[k], 1e-15));
    }
    for (int k = 0; k < 3; ++k) CHECK(near(back[k][i], log[k], 1e-15));
  }
}
