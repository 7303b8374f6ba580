// SPDX-License-Identifier: Apache-2.0
//
// A value that may be absent, with the interface of std::optional and one thing more: values in
// braces, as in body.pos = {0, 0, 1} and pos.value_or({0, 0, 0}). std::optional::value_or takes no
// braces before C++26, and elements of a spec are written with them everywhere. Compile time is the
// same with either (examples/load_and_step.cpp, header-only, g++ 12 -O2: 39 s, within the noise).
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

namespace corten {

template <class T>
class Optional {
 public:
  using value_type = T;

  Optional() = default;
  Optional(std::nullopt_t) {}
  // clang-format off
  template <class U = T>
    requires(std::is_constructible_v<T, U> && !std::is_same_v<std::remove_cvref_t<U>, Optional>)
  explicit(!std::is_convertible_v<U, T>) Optional(U&& value)
      : value_(std::forward<U>(value)), given_(true) {}
  // clang-format on

  // Assigns values in braces: pos = {0, 0, 1}. A lone {} means an empty Optional, so it removes the
  // value.
  // clang-format off
  template <class U = T>
    requires(std::is_constructible_v<T, U> && !std::is_scalar_v<T> &&
             !std::is_same_v<std::remove_cvref_t<U>, Optional>)
  Optional& operator=(U&& value) {
    value_ = static_cast<T>(std::forward<U>(value));
    given_ = true;
    return *this;
  }
  // clang-format on

  bool has_value() const { return given_; }
  explicit operator bool() const { return given_; }
  T& operator*() { return value_; }
  const T& operator*() const { return value_; }
  T* operator->() { return &value_; }
  const T* operator->() const { return &value_; }
  T& value() { return value_; }
  const T& value() const { return value_; }
  T value_or(T other) const { return given_ ? value_ : other; }

  template <class... Args>
  T& emplace(Args&&... args) {
    value_ = T(std::forward<Args>(args)...);
    given_ = true;
    return value_;
  }
  void reset() { *this = Optional(); }

  friend bool operator==(const Optional& a, const Optional& b) {
    return a.given_ == b.given_ && (!a.given_ || a.value_ == b.value_);
  }

 private:
  T value_{};
  bool given_ = false;
};

}  // namespace corten
