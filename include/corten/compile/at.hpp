// SPDX-License-Identifier: Apache-2.0
//
// Arrays of a model addressed by int, checked in debug builds.
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>

#include <cstddef>

namespace corten::compiler {

template <class T>
T& at(List<T>& v, int i) {
  CORTEN_ASSERT(i >= 0 && static_cast<std::size_t>(i) < v.size());
  return v[static_cast<std::size_t>(i)];
}
template <class T>
const T& at(const List<T>& v, int i) {
  CORTEN_ASSERT(i >= 0 && static_cast<std::size_t>(i) < v.size());
  return v[static_cast<std::size_t>(i)];
}

template <class E>
void put(List<int>& field, int i, E v) {
  at(field, i) = static_cast<int>(v);
}

}  // namespace corten::compiler
