// SPDX-License-Identifier: Apache-2.0
//
// The few macros of the library.
//
//   CORTEN_FN      marks every function that may run on a device (stage code and what it calls)
//   CORTEN_ASSERT  checks an index or a precondition in debug builds; define it before including
//                  corten to use your own handler
#pragma once

#include <cassert>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define CORTEN_FN __host__ __device__ inline
#else
#define CORTEN_FN inline
#endif

#ifndef CORTEN_ASSERT
#define CORTEN_ASSERT(condition) assert(condition)
#endif
