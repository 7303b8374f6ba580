// SPDX-License-Identifier: Apache-2.0
//
// The only place that knows about threads. parallel_for(n, threads, f) calls f(i) for i in [0, n),
// on that many threads if the program is built with OpenMP, else one after the other. Each i is a
// world that nothing else touches, so the result is the same for any number of threads.
#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

namespace corten {

// The default number of threads: OpenMP's, or 1 without it.
inline int default_threads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

// Changes it, to at least one; nothing happens without OpenMP.
inline void set_default_threads([[maybe_unused]] int threads) {
#ifdef _OPENMP
  omp_set_num_threads(threads < 1 ? 1 : threads);
#endif
}

// The calling thread of a parallel_for: 0 … threads - 1.
inline int thread_index() {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

// Calls f(i) for i in [0, n), in any order.
template <class F>
void parallel_for(int n, [[maybe_unused]] int threads, F&& f) {
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (int i = 0; i < n; ++i) f(i);
#else
  for (int i = 0; i < n; ++i) f(i);
#endif
}

}  // namespace corten
