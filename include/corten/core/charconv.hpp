// SPDX-License-Identifier: Apache-2.0
//
// Numbers from text and back as std::from_chars and std::to_chars have them: whatever the locale, correctly
// rounded, in the shortest form that reads back to the same number. libc++ reads no floating point before
// version 20, and writes none before version 14; there, a substitute has the same results.
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
