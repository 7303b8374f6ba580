// SPDX-License-Identifier: Apache-2.0
//
// Controls for simulate: hold, zero, sines or noise. Sines and noise stay within the control ranges
// and are rounded to multiples of 2⁻²⁰, so that another program can reproduce them exactly.
#pragma once

#include "args.hpp"

#include <corten/corten.hpp>
#include <corten/io/options.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// splitmix64; uniform() is in [0, 1)
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

struct ControlSettings {
  enum class Kind { hold, zero, sine, noise } kind = Kind::hold;
  double amplitude = 0.5;
  double frequency = 1;    // of sines
  int hold = 10;           // steps between draws of noise
  std::uint64_t seed = 1;  // of noise

  // hold, zero, sin[:AMPLITUDE,FREQUENCY], noise[:AMPLITUDE,HOLD,SEED]
  static corten::Result<ControlSettings> parse(std::string_view text) {
    ControlSettings out;
    const std::size_t colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    constexpr std::string_view names[] = {"hold", "zero", "sin", "noise"};
    int kind = 0;
    while (kind < 4 && names[kind] != name) ++kind;
    if (kind == 4) {
      return usage_error("--ctrl: unknown kind '" + std::string(name) + "'",
                         "hold, zero, sin or noise");
    }
    out.kind = static_cast<Kind>(kind);
    std::vector<double> numbers;
    if (colon != std::string_view::npos) {
      for (const std::string_view part : corten::io::split(text.substr(colon + 1), ',')) {
        const auto x = corten::io::to_number<double>(part);
        if (!x) return usage_error("--ctrl: '" + std::string(part) + "' is not a number");
        numbers.push_back(*x);
      }
    }
    if (!numbers.empty()) out.amplitude = numbers[0];
    if (numbers.size() > 1 && out.kind == Kind::sine) out.frequency = numbers[1];
    if (numbers.size() > 1 && out.kind == Kind::noise) {
      out.hold = std::max(1, static_cast<int>(numbers[1]));
    }
    if (numbers.size() > 2) out.seed = static_cast<std::uint64_t>(numbers[2]);
    return out;
  }
};

// Sets the controls before a step.
template <class S>
class Controller {
 public:
  // Controls vary around those of the keyframe, or else around the middle of their ranges.
  Controller(const ControlSettings& settings, const corten::Model<S>& model,
             const corten::Data<S>& data, bool from_key)
      : settings_(settings), random_(settings.seed) {
    for (std::size_t i = 0; i < data.ctrl().size(); ++i) {
      const double low = static_cast<double>(model.actuator_ctrlrange[2 * i]);
      const double high = static_cast<double>(model.actuator_ctrlrange[2 * i + 1]);
      const bool limited = model.actuator_ctrllimited[i] != 0;
      centre_.push_back(from_key  ? static_cast<double>(data.ctrl()[i])
                        : limited ? 0.5 * (low + high)
                                  : 0);
      half_.push_back(limited ? 0.5 * (high - low) : 1);
    }
  }

  void operator()(corten::Data<S>& data, int step) {
    using Kind = ControlSettings::Kind;
    if (settings_.kind == Kind::hold ||
        (settings_.kind == Kind::noise && step % settings_.hold != 0))
      return;
    const double t = static_cast<double>(data.time());
    for (std::size_t i = 0; i < centre_.size(); ++i) {
      double share = 0;
      if (settings_.kind == Kind::sine) {
        const double rate = 1 + 0.25 * static_cast<double>(i % 4);
        share = std::sin(2 * 3.14159265358979323846 * settings_.frequency * rate * t +
                         static_cast<double>(i));
      } else if (settings_.kind == Kind::noise) {
        share = 2 * random_.uniform() - 1;
      }
      const double u = centre_[i] + settings_.amplitude * half_[i] * share;
      data.ctrl()[i] = settings_.kind == Kind::zero
                           ? S(0)
                           : static_cast<S>(std::floor(u * 0x1p20 + 0.5) * 0x1p-20);
    }
  }

 private:
  ControlSettings settings_;
  Random random_;
  std::vector<double> centre_, half_;
};

}  // namespace cli
