// SPDX-License-Identifier: Apache-2.0
//
// Parses the numbers in attributes, which are separated by any white space, independently of the
// locale. from_chars does the work, except for a leading '+', which MJCF allows and from_chars does
// not.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

#include <corten/core/charconv.hpp>
#include <corten/core/list.hpp>
#include <corten/core/result.hpp>
#include <corten/mjcf/xml_check.hpp>

namespace corten::mjcf {

// parses one number
template <class T>
CORTEN_COLD Result<void> parse_number(std::string_view token, T& out) {
  const auto quoted = [&] { return "'" + std::string(token.substr(0, 40)) + "'"; };
  std::string_view digits = token;
  if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
  const char* end = digits.data() + digits.size();
  const auto [stop, code] = from_chars(digits.data(), end, out);
  if (code == std::errc::result_out_of_range) return Error(quoted() + " is out of range");
  if (code != std::errc() || stop != end) {
    return Error(quoted() + (std::is_integral_v<T> ? " is not an integer" : " is not a number"));
  }
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(out)) return Error("NaN is not a number");
  }
  return {};
}

// parses all numbers of a text; the error is about the first bad one
CORTEN_COLD Result<void> parse_numbers(std::string_view text, bool integral, List<double>& out) {
  out.clear();
  for (std::size_t i = 0; i < text.size();) {
    if (is_space(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && !is_space(text[end])) ++end;
    const std::string_view token = text.substr(i, end - i);
    double number = 0;
    int integer = 0;
    if (auto done = integral ? parse_number(token, integer) : parse_number(token, number); !done)
      return done;
    out.push_back(integral ? integer : number);
    i = end;
  }
  return {};
}

}  // namespace corten::mjcf
