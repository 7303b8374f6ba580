// SPDX-License-Identifier: Apache-2.0
//
// Errors of the host side (reading, compiling, binding) are values. An Error says where the problem
// is (file, line, column, element), what is wrong and what to do about it. A Result<T> holds a T or
// an Error, a Result<void> an Error or nothing.
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>
#include <corten/fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace corten {

// A place in a text. Line and column count from 1; 0 means unknown, as for elements built in code.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

struct Error {
  Location where;
  std::string element;    // path of the element, e.g. mujoco/worldbody/body 'torso'/geom 'head'
  std::string message;    // what is wrong
  std::string remedy;     // what to do about it; optional
  List<Error> also = {};  // further problems found in the same run

  CORTEN_COLD Error(const Location& place, std::string_view path, std::string_view what,
                    std::string_view hint = {})
      : where(place), element(path), message(what), remedy(hint) {}
  // of a function that does not know where: a caller may
  CORTEN_COLD explicit Error(std::string_view what, std::string_view hint = {})
      : Error({}, {}, what, hint) {}
  CORTEN_COLD Error(const Error&) = default;
  CORTEN_COLD Error(Error&&) noexcept = default;
  CORTEN_COLD Error& operator=(const Error&) = default;
  CORTEN_COLD Error& operator=(Error&&) noexcept = default;
  CORTEN_COLD ~Error() = default;

  // file:line:column: element: message (remedy), followed by one line per further problem
  CORTEN_COLD std::string to_string() const {
    std::string out = line();
    for (const Error& other : also) out += "\n" + other.line();
    return out;
  }

  // the first problem alone
  CORTEN_COLD std::string line() const {
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

// A value or an error. value() on an error is a programming mistake and is caught by CORTEN_ASSERT.
// The error is an Error, except for batches, which have errors of their own.
template <class T, class E>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(E error) : error_(std::move(error)) {}

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  const T& value() const& { return check(), *value_; }
  T& value() & { return check(), *value_; }
  T&& value() && { return check(), std::move(*value_); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  const E& error() const {
    CORTEN_ASSERT(error_ && "Result holds a value");
    return *error_;
  }

 private:
  void check() const { CORTEN_ASSERT(value_ && "Result holds an error"); }

  // exactly one is there; two optionals take far less time to compile than a std::variant
  std::optional<T> value_;
  std::optional<E> error_;
};

// The result of a function that returns no value: done, or an error. A default-constructed one is
// done:
//
//   if (auto done = check(model); !done) return done;  // or done.error(), where a Result<T> is due
//   return {};
//
// It is a pointer: there is rarely an error, and it is passed on in hundreds of places.
template <class E>
class [[nodiscard]] Result<void, E> {
 public:
  Result() = default;
  CORTEN_COLD Result(const E& error) : error_(new E(error)) {}
  CORTEN_COLD Result(const Result& other) : error_(other ? nullptr : new E(*other.error_)) {}
  Result(Result&& other) noexcept : error_(std::exchange(other.error_, nullptr)) {}
  Result& operator=(Result other) noexcept {
    std::swap(error_, other.error_);
    return *this;
  }
  ~Result() {
    if (error_ != nullptr) destroy();
  }

  bool ok() const { return error_ == nullptr; }
  explicit operator bool() const { return ok(); }
  const E& error() const {
    CORTEN_ASSERT(error_ && "Result holds no error");
    return *error_;
  }

 private:
  CORTEN_COLD void destroy() noexcept { delete error_; }

  E* error_ = nullptr;
};

}  // namespace corten
