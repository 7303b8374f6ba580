// SPDX-License-Identifier: Apache-2.0
//
// Physics options as text, for command lines: "integrator=RK4,solver=PGS,disable=contact+warmstart,
// tolerance=0,gravity=0+0+-1.62". Keywords are those of MJCF, in upper or lower case; the numbers
// of a vector are joined by '+'.
#pragma once

#include <corten/core/charconv.hpp>
#include <corten/core/result.hpp>
#include <corten/model/model.hpp>
#include <corten/spec/keywords.hpp>
#include <corten/spec/suggest.hpp>

#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace corten::io {

// names of the flags, in the order of their bits
inline constexpr std::string_view disable_names[] = {
#define X(word, member) #word,
    CORTEN_FLAG_TABLE(X, CORTEN_FLAG_NONE)
#undef X
};
inline constexpr std::string_view enable_names[] = {
#define X(word, member) #word,
    CORTEN_FLAG_TABLE(CORTEN_FLAG_NONE, X)
#undef X
};

// splits a text at separators; an empty text has no parts
inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

// a text as a number, if all of it is one
template <class T>
std::optional<T> to_number(std::string_view text) {
  T x{};
  const char* end = text.data() + text.size();
  const auto [stop, code] = from_chars(text.data(), end, x);
  if (code != std::errc() || stop != end) return {};
  return x;
}

namespace detail {

inline Error option_error(std::string_view key, std::string message, std::string remedy = {}) {
  return Error{{}, "option " + std::string(key), std::move(message), std::move(remedy)};
}

template <class E>
Result<void> set_word(std::string_view key, std::string_view word, int& to) {
  std::vector<std::string_view> known;
  for (const auto& k : spec::keywords<E>) {
    if (spec::edit_distance(word, k.word, 0) == 0) {
      to = k.value;
      return {};
    }
    known.push_back(k.word);
  }
  return option_error(key, "unknown value '" + std::string(word) + "'", spec::suggest(word, known));
}

template <class Names>
Result<void> set_bits(std::string_view key, std::string_view words, const Names& names, int& to) {
  for (const std::string_view word : split(words, '+')) {
    std::size_t bit = 0;
    while (bit < std::size(names) && spec::edit_distance(word, names[bit], 0) != 0) ++bit;
    if (bit == std::size(names)) {
      return option_error(key, "unknown flag '" + std::string(word) + "'",
                          spec::suggest(word, names));
    }
    to |= 1 << bit;
  }
  return {};
}

inline Result<void> set_number(std::string_view key, std::string_view text, int& to) {
  const auto x = to_number<int>(text);
  if (!x) return option_error(key, "'" + std::string(text) + "' is not an integer");
  to = *x;
  return {};
}

template <class S>
Result<void> set_number(std::string_view key, std::string_view text, S& to) {
  const auto x = to_number<double>(text);
  if (!x) return option_error(key, "'" + std::string(text) + "' is not a number");
  to = static_cast<S>(*x);
  return {};
}

template <class S, int W>
Result<void> set_number(std::string_view key, std::string_view text, Array<S, W>& to) {
  const std::vector<std::string_view> parts = split(text, '+');
  if (parts.size() != static_cast<std::size_t>(W)) {
    return option_error(key, "needs " + std::to_string(W) + " numbers joined by '+'");
  }
  for (int i = 0; i < W; ++i) {
    if (auto done = set_number(key, parts[static_cast<std::size_t>(i)], to[i]); !done) return done;
  }
  return {};
}

template <class S>
Result<void> set_option(Option<S>& opt, std::string_view key, std::string_view value) {
  if (key == "integrator") return set_word<Integrator>(key, value, opt.integrator);
  if (key == "solver") return set_word<Solver>(key, value, opt.solver);
  if (key == "cone") return set_word<Cone>(key, value, opt.cone);
  if (key == "jacobian") return set_word<JacobianKind>(key, value, opt.jacobian);
  if (key == "disable") return set_bits(key, value, disable_names, opt.disableflags);
  if (key == "enable") return set_bits(key, value, enable_names, opt.enableflags);
#define X(type, name, width, ...) \
  if (key == #name) return set_number(key, value, opt.name);
  CORTEN_MODEL_OPTIONS(X)
#undef X
  std::vector<std::string_view> known{"disable", "enable"};
#define X(type, name, width, ...) known.push_back(#name);
  CORTEN_MODEL_OPTIONS(X)
#undef X
  return option_error(key, "unknown option", spec::suggest(key, known));
}

}  // namespace detail

// the options, changed as "key=value,key=value" says
template <class S>
Result<Option<S>> with_options(Option<S> opt, std::string_view text) {
  for (const std::string_view item : split(text, ',')) {
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) return detail::option_error(item, "expected key=value");
    if (auto done = detail::set_option(opt, item.substr(0, equals), item.substr(equals + 1));
        !done) {
      return done.error();
    }
  }
  return opt;
}

}  // namespace corten::io
