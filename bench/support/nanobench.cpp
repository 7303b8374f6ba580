// SPDX-License-Identifier: Apache-2.0
//
// The compiled part of nanobench, if it is found.
#if __has_include(<nanobench.h>)
#define ANKERL_NANOBENCH_IMPLEMENT
#include <nanobench.h>
#endif
