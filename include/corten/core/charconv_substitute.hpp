// SPDX-License-Identifier: Apache-2.0
//
// std::from_chars and std::to_chars for floating-point numbers where the standard library lacks
// them. fast_float reads the numbers if its headers are found. Otherwise a stream with the classic
// locale does, which is just as exact but slow. snprintf writes them.
#pragma once

#include <corten/config.hpp>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#if __has_include(<fast_float/fast_float.h>)
#include <fast_float/fast_float.h>
#define CORTEN_FAST_FLOAT
#endif

namespace corten::substitute {

// ---- reading ------------------------------------------------------------------------------------

// A number other than 0 that reads as 0 or infinity is out of range; `out` then keeps its value.
template <class T>
std::from_chars_result in_range(const char* first, const char* stop, T x, T& out) {
  std::string_view digits(first, static_cast<std::size_t>(stop - first));
  digits = digits.substr(0, digits.find_first_of("eE"));
  const bool is_zero = digits.find_first_of("123456789") == std::string_view::npos;
  if (!is_zero && (x == T(0) || std::isinf(x))) return {stop, std::errc::result_out_of_range};
  out = x;
  return {stop, std::errc()};
}

#ifdef CORTEN_FAST_FLOAT
template <class T>
std::from_chars_result read_fast(const char* first, const char* last, T& out) {
  T x{};
  const auto [stop, code] = fast_float::from_chars(first, last, x);
  if (code == std::errc::invalid_argument) return {first, code};
  return in_range(first, stop, x, out);
}
#endif

// the end of "inf", "infinity" or "nan", in either case, at the start of the text; nullptr if there
// is no such word
CORTEN_COLD const char* skip_word(const char* first, const char* last) {
  for (const std::string_view word : {"infinity", "inf", "nan"}) {
    if (static_cast<std::size_t>(last - first) < word.size()) continue;
    std::size_t same = 0;
    while (same < word.size() && (first[same] | 0x20) == word[same]) ++same;
    if (same == word.size()) return first + same;
  }
  return nullptr;
}

// the end of a decimal number, or `first` if there is none
CORTEN_COLD const char* skip_digits(const char* first, const char* last) {
  const auto run = [&](const char* at) {
    while (at != last && *at >= '0' && *at <= '9') ++at;
    return at;
  };
  const char* stop = run(first);
  bool any = stop != first;
  if (stop != last && *stop == '.') {
    const char* fraction = stop + 1;
    any = any || run(fraction) != fraction;
    stop = run(fraction);
  }
  if (!any) return first;
  if (stop == last || (*stop != 'e' && *stop != 'E')) return stop;
  const char* exponent = stop + 1;
  if (exponent != last && (*exponent == '+' || *exponent == '-')) ++exponent;
  return run(exponent) == exponent ? stop : run(exponent);
}

template <class T>
std::from_chars_result read_stream(const char* first, const char* last, T& out) {
  const bool negative = first != last && *first == '-';
  const char* const from = first + (negative ? 1 : 0);
  if (const char* stop = skip_word(from, last)) {
    using Limits = std::numeric_limits<T>;
    const T x = (*from | 0x20) == 'n' ? Limits::quiet_NaN() : Limits::infinity();
    out = negative ? -x : x;
    return {stop, std::errc()};
  }
  const char* const stop = skip_digits(from, last);
  if (stop == from) return {first, std::errc::invalid_argument};
  std::istringstream stream(std::string(from, stop));
  stream.imbue(std::locale::classic());
  T x{};
  stream >> x;
  // for a number out of range, the stream yields the largest finite number or infinity
  if (stream.fail() && x == std::numeric_limits<T>::max()) {
    return {stop, std::errc::result_out_of_range};
  }
  return in_range(from, stop, negative ? -x : x, out);
}

template <class T>
std::from_chars_result from_chars(const char* first, const char* last, T& out) {
  if constexpr (requires { std::from_chars(first, last, out); }) {
    return std::from_chars(first, last, out);
  } else {
#ifdef CORTEN_FAST_FLOAT
    return read_fast(first, last, out);
#else
    return read_stream(first, last, out);
#endif
  }
}

// ---- writing ------------------------------------------------------------------------------------

// a number as snprintf prints it, with the locale's decimal separator replaced by a point
CORTEN_COLD std::string printed(double x, std::chars_format format, int precision) {
  char text[400];  // at most 308 digits or zeros, then the precision
  switch (format) {
    case std::chars_format::fixed: std::snprintf(text, sizeof text, "%.*f", precision, x); break;
    case std::chars_format::scientific:
      std::snprintf(text, sizeof text, "%.*e", precision, x);
      break;
    default: std::snprintf(text, sizeof text, "%.*g", precision, x);
  }
  std::string out;
  for (const char c : std::string_view(text)) {
    const bool ours = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '+';
    if (ours || !out.ends_with('.')) out += ours ? c : '.';
  }
  return out;
}

// The fewest digits that read back to the same number. Any number with at most 15 significant
// digits is found at the first attempt, at 15 digits. Subnormal numbers have fewer and are tried
// from one digit up.
CORTEN_COLD std::string shortest(double x) {
  if (!std::isfinite(x)) return printed(x, std::chars_format::general, 6);
  int digits = std::isnormal(x) ? 15 : 1;
  std::string scientific;
  for (;; ++digits) {
    scientific = printed(x, std::chars_format::scientific, digits - 1);
    double back = 0;
    substitute::from_chars(scientific.data(), scientific.data() + scientific.size(), back);
    if (back == x || digits == 17) break;
  }
  const std::size_t e = scientific.find('e');
  for (std::size_t i = e; digits > 1 && scientific[--i] == '0';) --digits;
  int exponent = 0;
  const char* const sign = scientific.data() + e + 1;
  std::from_chars(sign + (*sign == '+' ? 1 : 0), scientific.data() + scientific.size(), exponent);
  scientific = printed(x, std::chars_format::scientific, digits - 1);
  const int decimals = digits - 1 - exponent;
  std::string fixed = printed(x, std::chars_format::fixed, decimals > 0 ? decimals : 0);
  return fixed.size() <= scientific.size() ? fixed : scientific;
}

CORTEN_COLD std::to_chars_result put(std::string_view text, char* first, char* last) {
  if (text.size() > static_cast<std::size_t>(last - first)) {
    return {last, std::errc::value_too_large};
  }
  return {first + text.copy(first, text.size()), std::errc()};
}

template <class T>
std::to_chars_result to_chars(char* first, char* last, T x) {
  if constexpr (requires { std::to_chars(first, last, x); }) {
    return std::to_chars(first, last, x);
  } else {
    return put(shortest(x), first, last);
  }
}

template <class T>
std::to_chars_result to_chars(char* first, char* last, T x, std::chars_format format,
                              int precision) {
  if constexpr (requires { std::to_chars(first, last, x, format, precision); }) {
    return std::to_chars(first, last, x, format, precision);
  } else {
    return put(printed(x, format, precision), first, last);
  }
}

}  // namespace corten::substitute
