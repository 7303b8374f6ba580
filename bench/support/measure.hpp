// SPDX-License-Identifier: Apache-2.0
//
// measure(work, batch): the time of one unit of work, where each call of `work` does `batch` units.
// nanobench measures if its header is found, otherwise a small timer with the same method on CPU
// time: epochs long enough for the clock. The best epoch counts, since other programs can only add
// time. The error is the median deviation from the median epoch.
#pragma once

#include "clock.hpp"

#if __has_include(<nanobench.h>)
#define CORTEN_BENCH_NANOBENCH 1
#include <nanobench.h>
#else
#define CORTEN_BENCH_NANOBENCH 0
#endif

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace bench {

struct Measurement {
  double seconds = 0;  // per unit, in the best epoch
  double error = 0;    // median of the epochs' relative deviations from their median
};

// short epochs, so that a busy machine leaves some of them undisturbed
inline constexpr int epochs = 31;
inline constexpr std::chrono::milliseconds epoch_time{5};

#if CORTEN_BENCH_NANOBENCH

inline std::string timer_name() {
  return "nanobench " + std::to_string(ANKERL_NANOBENCH_VERSION_MAJOR) + "." +
         std::to_string(ANKERL_NANOBENCH_VERSION_MINOR) + "." +
         std::to_string(ANKERL_NANOBENCH_VERSION_PATCH);
}

template <class F>
Measurement measure(F&& work, double batch) {
  using Measure = ankerl::nanobench::Result::Measure;
  ankerl::nanobench::Bench b;
  b.output(nullptr).epochs(epochs).minEpochTime(epoch_time).warmup(1).run(work);
  const ankerl::nanobench::Result& r = b.results().back();
  return {r.minimum(Measure::elapsed) / batch, r.medianAbsolutePercentError(Measure::elapsed)};
}

#else

inline std::string timer_name() { return "CPU time (nanobench was not found)"; }

inline double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  const std::size_t half = x.size() / 2;
  return x.size() % 2 == 1 ? x[half] : 0.5 * (x[half - 1] + x[half]);
}

template <class F>
Measurement measure(F&& work, double batch) {
  const auto seconds = [&work](std::size_t calls) {
    const double from = cpu_seconds();
    for (std::size_t i = 0; i < calls; ++i) work();
    return cpu_seconds() - from;
  };

  // warm up, and find how many calls fill an epoch
  work();
  const double once = std::max(seconds(1), 1e-6),
               wanted = std::chrono::duration<double>(epoch_time).count();
  const auto calls = static_cast<std::size_t>(std::max(1.0, std::ceil(wanted / once)));

  std::vector<double> times, deviations;
  for (int i = 0; i < epochs; ++i) times.push_back(seconds(calls) / static_cast<double>(calls));
  const double middle = median(times);
  for (double t : times) deviations.push_back(std::abs(t - middle) / middle);
  return {*std::min_element(times.begin(), times.end()) / batch, median(deviations)};
}

#endif

}  // namespace bench
