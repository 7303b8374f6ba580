// SPDX-License-Identifier: Apache-2.0
//
// The few macros of the library.
//
//   CORTEN_FN      marks every function that may run on a device (stage code and what it calls)
//   CORTEN_ENTRY   marks a function template that is too large to inline, such as a whole step.
//                  Without `inline` it can be instantiated elsewhere (corten::precompiled)
//   CORTEN_HOST    marks an ordinary host function, such as reading a file, that is compiled only
//                  once if corten::precompiled is linked
//   CORTEN_COLD    marks a host function that runs at most once per model: never inlined, compiled
//                  for size. Structs of many strings and arrays put it on their special members,
//                  which the compiler would otherwise copy into every caller
//   CORTEN_BULK    marks a host function that loops over a whole file or mesh: not inlined, but
//                  compiled for speed
//   CORTEN_ONE_BY_ONE  before a loop over items of several numbers each. With instructions that
//                  gather numbers clang would take four items at once, which made the bias forces
//                  three times as slow
//   CORTEN_ASSERT  checks an index or a precondition in debug builds; define it before including
//                  corten to use your own handler
#pragma once

#include <cassert>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define CORTEN_FN __host__ __device__ inline
#define CORTEN_ENTRY __host__ __device__
#else
#define CORTEN_FN inline
#define CORTEN_ENTRY
#endif

#ifdef CORTEN_EXTERN_TEMPLATES
#define CORTEN_HOST
#else
#define CORTEN_HOST inline
#endif

#if defined(__GNUC__)
#define CORTEN_COLD __attribute__((cold, noinline)) inline
#define CORTEN_BULK __attribute__((noinline)) inline
#else
#define CORTEN_COLD inline
#define CORTEN_BULK inline
#endif

#if defined(__clang__)
#define CORTEN_ONE_BY_ONE _Pragma("clang loop vectorize(disable)")
#else
#define CORTEN_ONE_BY_ONE
#endif

#ifndef CORTEN_ASSERT
#define CORTEN_ASSERT(condition) assert(condition)
#endif
