// SPDX-License-Identifier: Apache-2.0
//
// A std::vector that is created, copied, moved and destroyed by calls. A Model has some hundreds of them,
// and inlining each would be most of the time that a program takes to compile.
#pragma once

#include <corten/config.hpp>

#include <cstddef>
#include <vector>

namespace corten {

template <class T>
struct List : std::vector<T> {
  CORTEN_COLD List() noexcept {}
  CORTEN_COLD List(const List&) = default;
  CORTEN_COLD List(List&&) noexcept = default;
  CORTEN_COLD List& operator=(const List&) = default;
  CORTEN_COLD List& operator=(List&&) noexcept = default;
  CORTEN_COLD ~List() = default;

  using std::vector<T>::operator=;

  // so many zeros
  CORTEN_COLD void allocate(std::size_t length) { this->assign(length, T{}); }
};

}  // namespace corten
