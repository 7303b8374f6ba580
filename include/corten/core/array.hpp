// SPDX-License-Identifier: Apache-2.0
//
// A fixed number of values. Unlike an Eigen vector it is trivially copyable, so structs that
// contain one can be passed to a kernel. Unlike std::array it is indexed by int.
#pragma once

#include <corten/config.hpp>

#include <cstddef>

namespace corten {

template <class T, int N>
struct Array {
  T items[static_cast<std::size_t>(N)];

  CORTEN_FN constexpr T& operator[](int i) { return items[i]; }
  CORTEN_FN constexpr const T& operator[](int i) const { return items[i]; }
  constexpr T* data() { return items; }
  constexpr const T* data() const { return items; }
  static constexpr int size() { return N; }

  friend bool operator==(const Array& a, const Array& b) {
    for (int i = 0; i < N; ++i) {
      if (!(a[i] == b[i])) return false;
    }
    return true;
  }
};

}  // namespace corten
