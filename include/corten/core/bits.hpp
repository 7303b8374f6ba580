// SPDX-License-Identifier: Apache-2.0
//
// The bits of a number as another type. It is std::bit_cast, which the libc++ of emscripten 3.1.6
// (Debian 12) does not have yet; the compilers have what is below it.
#pragma once

#include <corten/config.hpp>

#include <type_traits>

namespace corten {

template <class To, class From>
CORTEN_FN constexpr To bits_as(const From& x) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<From>);
  return __builtin_bit_cast(To, x);
}

}  // namespace corten
