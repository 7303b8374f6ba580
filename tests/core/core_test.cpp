// SPDX-License-Identifier: Apache-2.0
#include <corten/core/charconv.hpp>
#include <corten/core/charconv_substitute.hpp>
#include <corten/core/list.hpp>
#include <corten/core/result.hpp>
#include <corten/core/status.hpp>
#include <corten/math/field.hpp>
#include <corten/scalar/dual.hpp>

#include "../support/catch.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

using namespace corten;

namespace {

// the result of reading a text: the end, the error code and the bits of the number
template <class T, class Read>
std::string outcome(Read read, std::string_view text) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  T x = T(77);
  const auto [stop, code] = read(text.data(), text.data() + text.size(), x);
  const auto bits = std::isnan(x) ? 0 : std::bit_cast<Bits>(x);
  return std::to_string(stop - text.data()) + " " + std::to_string(static_cast<int>(code)) + " " +
         std::to_string(bits);
}

template <class... Format>
std::string written(double x, Format... format) {
  char text[400];
  return {text, to_chars(text, text + sizeof text, x, format...).ptr};
}

// numbers of all magnitudes, with few digits and with all of them
template <class F>
void for_many_numbers(F f) {
  std::uint64_t bits = 1;
  for (int i = 0; i < 2000; ++i) {
    bits = bits * 6364136223846793005u + 1442695040888963407u;
    const double any = std::bit_cast<double>(bits);
    if (!std::isfinite(any)) continue;
    f(any);
    f(static_cast<double>(static_cast<std::int64_t>(bits) >> (i % 60)) / 1000);
  }
}

struct CommaLocale : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

}  // namespace

TEST_CASE("an error says where, what and what to do", "[core]") {
  Error e{{"robot.xml", 12, 5},
          "mujoco/worldbody/geom 'foot'",
          "size must be positive",
          "give one radius"};
  CHECK(e.to_string() ==
        "robot.xml:12:5: mujoco/worldbody/geom 'foot': size must be positive (give one radius)");
  e.where = {};
  e.remedy.clear();
  CHECK(e.to_string() == "mujoco/worldbody/geom 'foot': size must be positive");
}

TEST_CASE("a result is a value or an error", "[core]") {
  Result<std::vector<int>> good = std::vector<int>{1, 2};
  REQUIRE(good);
  CHECK(good->size() == 2);
  CHECK((*good)[1] == 2);
  CHECK(std::move(good).value().size() == 2);
  const Result<std::vector<int>> bad = Error("no");
  CHECK_FALSE(bad.ok());
  CHECK(bad.error().message == "no");
}

TEST_CASE("a result without a value is done or an error", "[core]") {
  Result<void> done;
  CHECK(done);
  CHECK(done.ok());
  const Result<void> failed = Error("no");
  CHECK_FALSE(failed);
  CHECK(failed.error().message == "no");
  done = failed;
  CHECK(done.error().message == "no");
  CHECK(&done.error() != &failed.error());
  const Result<void> moved = std::move(done);
  CHECK(moved.error().message == "no");
  CHECK(Result<int>(failed.error()).error().message == "no");
}

TEST_CASE("status bits", "[core]") {
  CHECK(Status{}.ok());
  CHECK(Status{contacts_full}.overflow());
  CHECK_FALSE(Status{bad_qpos}.overflow());
  CHECK(Status{bad_qpos | rows_full}.has(bad_qpos));
}

TEMPLATE_TEST_CASE("fields load and store small values in any layout", "[core]", float, double,
                   (Dual<double, 2>)) {
  using S = TestType;
  std::vector<S> memory(60);
  const Field<S> dense{memory.data()};
  const Field<S, Strided> strided{memory.data(), {2}};
  store(dense, 1, Vec3<S>(S(1), S(2), S(3)));
  CHECK(memory[3] == S(1));
  CHECK(vec3<S>(dense, 1)[2] == S(3));
  CHECK(dense.from(3)[1] == S(2));

  Mat3<S> m = Mat3<S>::Identity();
  m(0, 1) = S(7);
  store(strided, 2, m);
  CHECK(memory[2 * 19] == S(7));
  CHECK(mat3<S>(strided, 2)(0, 1) == S(7));

  // loads convert: a model in double serves data in another scalar
  const double source[] = {1, 2, 3, 4};
  CHECK(quat<S>(Field<const double>{source}, 0)[3] == S(4));
}

TEST_CASE("cells read and assign like numbers", "[core]") {
  int n = 3;
  const Cell<int> cell{&n};
  cell = cell + 2;
  CHECK(n == 5);
  CHECK(cell < 6);
}

TEMPLATE_TEST_CASE("substitutes read what the standard library reads", "[core]", float, double) {
  using T = TestType;
  const auto check = [](std::string_view text) {
    INFO(text);
    const std::string expected = outcome<T>([](auto&&... x) { return from_chars(x...); }, text);
    CHECK(outcome<T>([](auto&&... x) { return substitute::read_stream(x...); }, text) == expected);
#ifdef CORTEN_FAST_FLOAT
    CHECK(outcome<T>([](auto&&... x) { return substitute::read_fast(x...); }, text) == expected);
#endif
  };
  for (const char* text : {"",
                           "-",
                           "+1",
                           ".",
                           "-.e5",
                           "e5",
                           "x",
                           "0x10",
                           "1",
                           "-1.",
                           ".5",
                           "-0",
                           "1e",
                           "1e+",
                           "1e-x",
                           "1.5e3,",
                           "1,5",
                           "1.2.3",
                           "inf",
                           "-INFinity",
                           "infinit",
                           "nan",
                           "NaN",
                           "in",
                           "1e400",
                           "-1e400",
                           "1e-400",
                           "0e400",
                           "1e39",
                           "1e-46",
                           "4e-324",
                           "2e-324",
                           "1e-310",
                           "1e-40",
                           "1 2",
                           " 1",
                           "00012",
                           "0.1e-3",
                           "--1",
                           "-+1",
                           "9007199254740993",
                           "3.4028235677973366e38",
                           "0.1000000000000000055511151231257827"}) {
    check(text);
  }
  for_many_numbers([&](double x) { check(written(x)); });
}

TEST_CASE("substitutes write what the standard library writes", "[core]") {
  for_many_numbers([](double x) {
    const std::string text = substitute::shortest(x), expected = written(x);
    double back = 0;
    from_chars(text.data(), text.data() + text.size(), back);
    CHECK(back == x);
    // at a power of two the nearest short text may read back as the number below, and another digit
    // is needed
    const bool is_power = std::bit_cast<std::uint64_t>(x) << 12 == 0;
    if (!is_power) CHECK(text == expected);
    CHECK(substitute::printed(x, std::chars_format::fixed, 2) ==
          written(x, std::chars_format::fixed, 2));
    CHECK(substitute::printed(x, std::chars_format::general, 4) ==
          written(x, std::chars_format::general, 4));
  });
  const double inf = std::numeric_limits<double>::infinity();
  for (const double x : {0.0, -0.0, 1.0, 1e5, 1e22, 123456789012345680000.0, 5e-324, inf, -inf}) {
    CHECK(substitute::shortest(x) == written(x));
  }
  char small[3];
  CHECK(substitute::put("1234", small, small + 3).ec == std::errc::value_too_large);
}

TEST_CASE("substitutes ignore the locale", "[core]") {
  const std::locale before = std::locale::global(std::locale(std::locale(), new CommaLocale));
  double x = 0;
  const std::string_view text = "1234.5";
  const auto read = substitute::read_stream(text.data(), text.data() + text.size(), x);
  const std::string back = substitute::shortest(x);
  std::locale::global(before);
  CHECK(read.ptr == text.data() + text.size());
  CHECK(x == 1234.5);
  CHECK(back == text);
}

TEST_CASE("a list converts to a vector", "[core]") {
  STATIC_REQUIRE_FALSE(std::is_convertible_v<List<int>, std::vector<int>>);
  const List<int> list{1, 2, 3};
  CHECK(std::vector<int>(list) == std::vector<int>{1, 2, 3});
}

TEST_CASE("near adds nothing to its tolerance", "[core]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(near(1.5, 1, 0.5));
  CHECK_FALSE(near(1.5000001, 1, 0.5));
  CHECK_FALSE(near(1e6 + 1, 1e6, 0.5));  // no relative tolerance
  CHECK(near(1, 1, 0));
  CHECK_FALSE(near(nan, nan, 1));
  CHECK(near(infinity, infinity, 0));
  CHECK_FALSE(near(infinity, -infinity, 1e300));
  CHECK(near_relative(101.0f, 100, 0.01));
  CHECK(near(Dual<double, 2>(2.5, 1), 2.5, 0));
  CHECK_FALSE(near_relative(1e-9, 0, 0.01));
  CHECK(near_relative(1e-9, 0, 0.01, 1e-7));
  CHECK_FALSE(near_relative(1.02, 1, 0.01, 0.5));
  std::ostringstream text;
  text << near(0.5, 0.25, 0.125);
  CHECK(text.str() == "0.5 is near 0.25: off by 0.25 where 0.125 is allowed");
}
