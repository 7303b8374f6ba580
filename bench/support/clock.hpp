// SPDX-License-Identifier: Apache-2.0
//
// Two clocks: CPU time for whole episodes, which is not disturbed when other programs take the processor
// away, and the processor's counter for stages that last less than a microsecond.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

namespace bench {

// seconds of processor time that this process has used
inline double cpu_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

// the fastest counter there is, in units of its own
inline std::uint64_t ticks() {
#if defined(__x86_64__) || defined(__i386__)
  return __rdtsc();
#elif defined(__aarch64__)
  std::uint64_t now;
  asm volatile("mrs %0, cntvct_el0" : "=r"(now));
  return now;
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

// seconds a tick, measured once
inline double seconds_per_tick() {
  static const double scale = [] {
    using Clock = std::chrono::steady_clock;
    const auto from = Clock::now();
    const std::uint64_t first = ticks();
    while (Clock::now() - from < std::chrono::milliseconds(50)) {
    }
    const std::chrono::duration<double> passed = Clock::now() - from;
    return passed.count() / static_cast<double>(ticks() - first);
  }();
  return scale;
}

// ticks that it takes to read the counter
inline double ticks_per_read() {
  static const double cost = [] {
    const int reads = 100000;
    const std::uint64_t first = ticks();
    std::uint64_t last = first;
    for (int i = 0; i < reads; ++i) last = ticks();
    return static_cast<double>(last - first) / reads;
  }();
  return cost;
}

}  // namespace bench
