// SPDX-License-Identifier: Apache-2.0
#include <corten/io/csv.hpp>
#include <corten/io/json.hpp>
#include <corten/scalar/dual.hpp>

#include "../support/catch.hpp"

#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

using corten::io::Json;
using corten::io::JsonWriter;
using corten::io::read_json;

namespace {

// what is wrong with a text, as line:column: message
std::string problem(const std::string& text) {
  const auto tree = read_json(text, "t.json");
  return tree ? "none" : tree.error().to_string();
}

}  // namespace

TEST_CASE("JSON: numbers survive writing and reading, bit by bit", "[io]") {
  const std::vector<double> numbers{0.0,
                                    -0.0,
                                    1.0,
                                    0.1,
                                    1.0 / 3,
                                    -2.5e-300,
                                    6.02214076e23,
                                    5e-324,
                                    std::numeric_limits<double>::max(),
                                    std::numeric_limits<double>::min(),
                                    123456789012345680.0,
                                    std::numeric_limits<double>::infinity(),
                                    -std::numeric_limits<double>::infinity(),
                                    std::numeric_limits<double>::quiet_NaN()};
  JsonWriter out;
  out.begin_object().key("x").numbers(numbers).end_object();
  const auto tree = read_json(out.text());
  REQUIRE(tree.ok());
  const Json::Array* items = tree->find("x")->array();
  REQUIRE(items != nullptr);
  REQUIRE(items->size() == numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double x = (*items)[i].number().value();
    if (std::isnan(numbers[i])) {
      CHECK(std::isnan(x));
    } else {
      CHECK(x == numbers[i]);
      CHECK(std::signbit(x) == std::signbit(numbers[i]));
    }
  }
}

TEST_CASE("JSON: the writer's layout", "[io]") {
  JsonWriter out;
  out.begin_object();
  out.key("zero").number(-0.0).key("third").number(1.0 / 3).key("int").number(7);
  out.key("nan").number(std::nan("")).key("float").number(0.5f);
  out.key("dual").number(corten::Dual<double, 2>(1.5));
  out.key("names").strings(std::vector<std::string>{"a", "b\"c\n"});
  out.key("empty").begin_array().end_array();
  out.key("list").begin_array().begin_object().end_object().number(1).end_array();
  out.end_object();
  CHECK(out.text() ==
        "{\n \"zero\": -0,\n \"third\": 0.3333333333333333,\n \"int\": 7,\n \"nan\": \"NaN\",\n"
        " \"float\": 0.5,\n \"dual\": 1.5,\n \"names\": [\"a\",\"b\\\"c\\u000a\"],\n"
        " \"empty\": [],\n \"list\": [\n  {},\n  1\n ]\n}");
  CHECK(read_json(out.text()).ok());
}

TEST_CASE("JSON: values of every kind", "[io]") {
  const auto tree = read_json(R"( {"a": [true, false, null, "x", -1.5e+2], "b": {"c": {}}} )");
  REQUIRE(tree.ok());
  const Json::Array& a = *tree->find("a")->array();
  CHECK(a[0].number() == 1.0);
  CHECK(a[1].number() == 0.0);
  CHECK_FALSE(a[2].number().has_value());
  CHECK(*a[3].string() == "x");
  CHECK(a[4].number() == -150.0);
  CHECK(tree->find("b")->find("c")->object()->empty());
  CHECK(tree->find("d") == nullptr);
  CHECK(a[0].find("x") == nullptr);
  CHECK(*read_json(R"("\u00e9\ud83d\ude00\t\/")")->string() == "é😀\t/");
}

TEST_CASE("JSON: bad text is refused with line and column", "[io]") {
  CHECK(problem("") == "t.json:1:1: the text ends where a value is expected");
  CHECK(problem("[1, 2") == "t.json:1:6: expected ',' or ']'");
  CHECK(problem("[1,\n 2,\n]") == "t.json:3:1: not a JSON value");
  CHECK(problem("{\"a\": 1,\n \"a\": 2}") == "t.json:2:2: the key \"a\" appears twice");
  CHECK(problem("{\"a\" 1}") == "t.json:1:6: expected ':'");
  CHECK(problem("{a: 1}") == "t.json:1:2: expected a key in quotes");
  CHECK(problem("{\"a\": 1") == "t.json:1:8: expected ',' or '}'");
  CHECK(problem("1 2") == "t.json:1:3: text after the end of the value");
  CHECK(problem("[nul]") == "t.json:1:2: not a JSON value");
  CHECK(problem("\"abc") == "t.json:1:5: the text ends inside a string");
  CHECK(problem("\"a\nb\"") == "t.json:1:3: a control character in a string");
  CHECK(problem("\"\\x\"") == "t.json:1:3: unknown escape in a string");
  CHECK(problem("\"\\ud800\"") == "t.json:1:8: a surrogate without its other half");
  CHECK(problem("\"\\u12g4\"") == "t.json:1:6: expected four hexadecimal digits");
  CHECK(problem(std::string("[1\0]", 4)) == "t.json:1:3: expected ',' or ']'");
}

TEST_CASE("JSON: numbers in other notations are refused", "[io]") {
  for (const char* text :
       {"01", "+1", ".5", "1.", "1e", "1e+", "0x10", "NaN", "Infinity", "-", "1e999"}) {
    INFO(text);
    CHECK_FALSE(read_json(text).ok());
  }
}

TEST_CASE("JSON: depth is limited", "[io]") {
  const std::string deep(100000, '[');
  CHECK(problem(deep) == "t.json:1:201: nested too deeply");
  CHECK(read_json("[[[]]]", "", 3).ok());
  CHECK_FALSE(read_json("[[[]]]", "", 2).ok());
}

TEST_CASE("CSV: header and rows", "[io]") {
  std::ostringstream stream;
  corten::io::CsvWriter csv(stream);
  csv.header(std::vector<std::string>{"time", "a,b", "say \"hi\""});
  csv.row(std::vector<double>{0.1, -0.0, 1e300});
  csv.row(std::vector<double>{std::nan(""), HUGE_VAL, 3});
  CHECK(stream.str() == "time,\"a,b\",\"say \"\"hi\"\"\"\n0.1,-0,1e+300\nnan,inf,3\n");
}
