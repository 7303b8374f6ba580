// SPDX-License-Identifier: Apache-2.0
//
// Helpers that compile a text and look up arrays of a model by name.
#pragma once

#include <corten/compile/compile.hpp>
#include <corten/mjcf/read.hpp>

#include "../support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace compile_test {

using corten::Error;
using corten::Model;
using corten::Spec;

inline Spec parse(std::string_view text) {
  auto spec = corten::mjcf::parse(text);
  if (!spec) FAIL(spec.error().to_string());
  return *std::move(spec);
}

inline Model<double> compile(std::string_view text) {
  auto model = corten::compile(parse(text));
  if (!model) FAIL(model.error().to_string());
  return *std::move(model);
}

// the error of a text that can be read but does not compile
inline Error error_of(std::string_view text) {
  const auto model = corten::compile(parse(text));
  REQUIRE_FALSE(model.ok());
  return model.error();
}

// an array of the model by name, integers as numbers
template <class S>
std::vector<S> field(const Model<S>& m, std::string_view name) {
  std::optional<std::vector<S>> found;
  corten::detail::for_arrays<S>([&](const auto& array, auto member) {
    if (name == array.name) found.emplace((m.*member).begin(), (m.*member).end());
  });
  if (!found) FAIL("no field " << name);
  return *std::move(found);
}

// the names of the arrays in which two models differ
inline std::string difference(const Model<double>& a, const Model<double>& b) {
  std::string out = a.n == b.n ? "" : "sizes ";
  corten::detail::for_arrays<double>([&](const auto& array, auto member) {
    if (!(a.*member == b.*member)) out += std::string(array.name) + " ";
  });
  return out;
}

// Compares an array with MuJoCo 3.12.0's, to 1e-9 of its largest entry (at least 1) or to the given
// tolerance. The decimals in the tests are the shortest that read back to MuJoCo's numbers.
inline void check(const Model<double>& m, const char* name, std::initializer_list<double> expected,
                  double tolerance = 1e-9) {
  INFO(name);
  const std::vector<double> got = field(m, name), want(expected);
  REQUIRE(got.size() == want.size());
  double scale = 1;
  for (const double x : want) scale = std::max(scale, std::fabs(x));
  for (std::size_t i = 0; i < got.size(); ++i) {
    INFO("entry " << i << " is " << got[i] << ", expected " << want[i]);
    CHECK(std::fabs(got[i] - want[i]) <= tolerance * scale);
  }
}

}  // namespace compile_test
