// SPDX-License-Identifier: Apache-2.0
//
// Errors of the host side (reading, compiling, binding) are values. An Error says where (file, line,
// column, element), what is wrong, and what to do about it; a Result<T> is a T or an Error.
#pragma once

#include <corten/config.hpp>

#include <string>
#include <utility>
#include <variant>

namespace corten {

// A place in a text: line and column count from 1; 0 means "not known" (built in code).
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

struct Error {
  Location where;
  std::string element;  // path of the element, e.g. mujoco/worldbody/body 'torso'/geom 'head'
  std::string message;  // what is wrong
  std::string remedy;   // what to do about it; may be empty

  // file:line:column: element: message (remedy)
  std::string to_string() const {
    std::string out;
    if (!where.file.empty()) out += where.file + ":";
    if (where.line > 0) {
      out += std::to_string(where.line) + ":" + std::to_string(where.column) + ":";
    }
    if (!out.empty()) out += " ";
    if (!element.empty()) out += element + ": ";
    out += message;
    if (!remedy.empty()) out += " (" + remedy + ")";
    return out;
  }
};

// A value or an Error. value() on an error is a programming mistake and is caught by CORTEN_ASSERT.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const T& value() const& { return *checked<0>(&state_); }
  T& value() & { return *checked<0>(&state_); }
  T&& value() && { return std::move(*checked<0>(&state_)); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  const Error& error() const { return *checked<1>(&state_); }

 private:
  template <std::size_t I, class V>
  static auto checked(V* state) {
    auto* p = std::get_if<I>(state);
    CORTEN_ASSERT(p != nullptr && "Result holds the other alternative");
    return p;
  }
  std::variant<T, Error> state_;
};

}  // namespace corten
