// SPDX-License-Identifier: Apache-2.0
//
// Converts numbers from and to text as std::from_chars and std::to_chars do: independent of the
// locale, correctly rounded, and written in the shortest form that reads back to the same number.
// libc++ cannot read floating-point numbers before version 20 or write them before version 14. For
// those versions a substitute produces the same results.
#pragma once

#include <charconv>

#ifndef __cpp_lib_to_chars
#include <corten/core/charconv_substitute.hpp>
#endif

namespace corten {

#ifdef __cpp_lib_to_chars
using std::from_chars;
using std::to_chars;
#else
using substitute::from_chars;
using substitute::to_chars;
#endif

}  // namespace corten
