// SPDX-License-Identifier: Apache-2.0
//
// Two clocks: CPU time for whole episodes, which is not disturbed when other programs take the
// processor away, and the processor's counter for stages that last less than a microsecond.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <vector>

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

namespace bench {

// seconds of CPU time that this process has used
inline double cpu_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

// the fastest counter available, in its own units
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

// seconds per tick, measured once
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

// ticks needed to read the counter
inline std::uint64_t ticks_per_read() {
  static const std::uint64_t cost = [] {
    std::array<std::uint64_t, 1001> reads;
    std::uint64_t last = ticks();
    for (std::uint64_t& r : reads) {
      const std::uint64_t now = ticks();
      r = now - last;
      last = now;
    }
    std::nth_element(reads.begin(), reads.begin() + 500, reads.end());
    return reads[500];
  }();
  return cost;
}

// The ticks of N parts of each step. A run is deterministic: step k does the same work in every
// round, so the smallest time that part i of step k ever took is the one without interruptions.
template <std::size_t N>
class BestTicks {
 public:
  using Times = std::array<std::uint64_t, N>;

  void update(std::size_t step, const Times& times) {
    if (step >= best_.size()) {
      Times never;
      never.fill(~std::uint64_t{0});
      best_.resize(step + 1, never);
    }
    for (std::size_t i = 0; i < N; ++i) best_[step][i] = std::min(best_[step][i], times[i]);
  }

  // mean over the steps, in nanoseconds
  double nanoseconds(std::size_t part) const {
    double sum = 0;
    for (const Times& t : best_) sum += static_cast<double>(t[part]);
    return 1e9 * seconds_per_tick() * sum / static_cast<double>(best_.size());
  }

 private:
  std::vector<Times> best_;
};

}  // namespace bench
