// SPDX-License-Identifier: Apache-2.0
//
// What a benchmark was built with. A number without its compiler and flags is worth nothing, so
// every program prints these first. CMake passes the flags as CORTEN_BENCH_FLAGS.
#pragma once

#include <corten/version.hpp>

#include <string>

#ifndef CORTEN_BENCH_FLAGS
#define CORTEN_BENCH_FLAGS ""
#endif

namespace bench {

inline std::string compiler() {
#if defined(__clang__)
  return "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__) + "." +
         std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
  return "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__) + "." +
         std::to_string(__GNUC_PATCHLEVEL__);
#elif defined(_MSC_VER)
  return "MSVC " + std::to_string(_MSC_VER);
#else
  return "unknown compiler";
#endif
}

inline std::string flags() {
  const std::string given = CORTEN_BENCH_FLAGS;
  return given.empty() ? "flags unknown" : given;
}

// the instruction set that the compiler may use; its macros tell, even if the flags are unknown
inline std::string instruction_set() {
#if defined(__AVX512F__)
  return "AVX-512";
#elif defined(__AVX2__)
  return "AVX2";
#elif defined(__AVX__)
  return "AVX";
#elif defined(__SSE2__)
  return "SSE2";
#elif defined(__ARM_NEON)
  return "NEON";
#else
  return "no SIMD";
#endif
}

inline std::string corten_version() {
  return std::to_string(CORTEN_VERSION_MAJOR) + "." + std::to_string(CORTEN_VERSION_MINOR) + "." +
         std::to_string(CORTEN_VERSION_PATCH);
}

inline std::string corten_build() {
#if defined(NDEBUG)
  const char* asserts = "";
#else
  const char* asserts = ", asserts on: not a fair measurement";
#endif
  return "corten " + corten_version() + ", " + compiler() + ", " + flags() + " (" +
         instruction_set() + ")" + asserts;
}

}  // namespace bench
