// SPDX-License-Identifier: Apache-2.0
//
// The summary that simulate prints at the end of a run.
#pragma once

#include "terminal.hpp"

#include <corten/corten.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

namespace cli {

inline std::string format(const char* pattern, double x) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, pattern, x);
  return buffer;
}

// digits in groups of three
inline std::string grouped(double x) {
  std::string digits = format("%.0f", x), out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0 && digits[i - 1] != '-') out += ' ';
    out += digits[i];
  }
  return out;
}

class Summary {
 public:
  template <class S>
  void step(const corten::Data<S>& data, corten::Status status, double seconds) {
    const auto& d = data.ref();
    ++steps_;
    seconds_ += seconds;
    contacts_.add(d.ncon);
    rows_.add(d.nefc);
    iterations_.add(d.solver_niter);
    for (std::size_t bit = 0; bit < warnings_.size(); ++bit) {
      warnings_[bit] += (status.bits >> bit) & 1;
    }
    time_ = static_cast<double>(data.time());
  }

  template <class S>
  void energy(const corten::Data<S>& data, bool start) {
    const double e = static_cast<double>(data.energy()[0] + data.energy()[1]);
    (start ? energy_start_ : energy_end_) = e;
    if (start) time_start_ = static_cast<double>(data.time());
  }

  int steps() const { return steps_; }

  std::string text() const {
    const double simulated = time_ - time_start_;
    Table t;
    t.row("steps", grouped(steps_));
    t.row("simulated time", format("%.3f s", simulated));
    t.row("contacts", format("%.1f mean", contacts_.mean(steps_)),
          format("%.0f max", contacts_.max));
    t.row("constraint rows", format("%.1f mean", rows_.mean(steps_)),
          format("%.0f max", rows_.max));
    t.row("solver iterations", format("%.1f mean", iterations_.mean(steps_)),
          format("%.0f max", iterations_.max));
    t.row("energy", format("%.2f J start", energy_start_), format("%.2f J end", energy_end_));
    t.row("wall time", format("%.3f s", seconds_), "in steps");
    if (seconds_ > 0) {
      t.row("speed", grouped(steps_ / seconds_) + " steps/s",
            format("%.1f × real time", simulated / seconds_));
    }
    const std::string warned = warnings();
    t.row("warnings", warned.empty() ? "none" : warned);
    return t.text();
  }

 private:
  struct Statistic {
    double sum = 0, max = 0;
    void add(double x) {
      sum += x;
      max = std::max(max, x);
    }
    double mean(int n) const { return n > 0 ? sum / n : 0; }
  };

  std::string warnings() const {
    std::string out;
    for (std::size_t bit = 0; bit < warnings_.size(); ++bit) {
      if (warnings_[bit] == 0) continue;
      const char* name = corten::Status::name(static_cast<corten::StatusBit>(1 << bit));
      out += (out.empty() ? "" : ", ") + std::to_string(warnings_[bit]) + " × " + name;
    }
    return out;
  }

  int steps_ = 0;
  double seconds_ = 0, time_ = 0, time_start_ = 0, energy_start_ = 0, energy_end_ = 0;
  Statistic contacts_, rows_, iterations_;
  std::array<int, corten::status_bits> warnings_{};
};

}  // namespace cli
