// SPDX-License-Identifier: Apache-2.0
//
// A step with a clock between the stages. It repeats the order of pipeline/forward.hpp and
// pipeline/step.hpp; same_as_step() checks that it still computes the same.
#pragma once

#include "clock.hpp"
#include "corten_engine.hpp"

#include <array>
#include <cstddef>

namespace bench {

#define CORTEN_BENCH_STAGES(X)                                                              \
  X(kinematics) X(com) X(tendon) X(inertia) X(factor) X(collision) X(constraint)            \
  X(transmission) X(velocity) X(passive) X(reference) X(bias) X(actuation) X(acceleration)  \
  X(solve) X(sensors) X(integrate)

enum class Stage : int {
#define X(name) name,
  CORTEN_BENCH_STAGES(X)
#undef X
  count
};

inline constexpr std::size_t stage_count = static_cast<std::size_t>(Stage::count);

inline constexpr std::array<const char*, stage_count> stage_names = {
#define X(name) #name,
    CORTEN_BENCH_STAGES(X)
#undef X
};

// charges the time since the last lap to a stage
class StageClock {
 public:
  void start() { last_ = ticks(); }
  void lap(Stage stage) {
    const std::uint64_t now = ticks();
    const auto i = static_cast<std::size_t>(stage);
    total_[i] += now - last_;
    ++laps_[i];
    last_ = now;
  }

  // without what the readings of the counter took
  double seconds(Stage stage) const {
    const auto i = static_cast<std::size_t>(stage);
    const double spent = static_cast<double>(total_[i]) - ticks_per_read() * static_cast<double>(laps_[i]);
    return spent > 0 ? spent * seconds_per_tick() : 0;
  }
  double seconds() const {
    double sum = 0;
    for (std::size_t i = 0; i < stage_count; ++i) sum += seconds(static_cast<Stage>(i));
    return sum;
  }

 private:
  std::uint64_t last_ = 0;
  std::array<std::uint64_t, stage_count> total_{}, laps_{};
};

namespace detail {

template <class M, class D>
void staged_forward(const M& m, const D& d, StageClock& clock, bool with_sensors) {
  const bool sensors = with_sensors && !m.opt.disabled(corten::disable_sensor);
  d.status = 0;
#define X(name)        \
  corten::name(m, d); \
  clock.lap(Stage::name);
  X(kinematics) X(com) X(tendon) X(inertia) X(factor) X(collision) X(constraint) X(transmission)
  if (sensors) corten::sensor_position(m, d);
  clock.lap(Stage::sensors);
  X(velocity) X(passive) X(reference) X(bias)
  if (sensors) corten::sensor_velocity(m, d);
  clock.lap(Stage::sensors);
  X(actuation) X(acceleration) X(solve)
  if (sensors) corten::sensor_acceleration(m, d);
  clock.lap(Stage::sensors);
#undef X
}

}  // namespace detail

// One step of a model without warnings: capacities suffice and the state is good.
template <class M, class D>
void staged_step(const M& m, const D& d, StageClock& clock) {
  clock.start();
  detail::staged_forward(m, d, clock, true);
  if (static_cast<corten::Integrator>(m.opt.integrator) == corten::Integrator::rk4) {
    corten::rk4(m, d, [&clock](const auto& model, const auto& data) {
      clock.lap(Stage::integrate);
      detail::staged_forward(model, data, clock, false);
      return true;
    });
  } else {
    corten::euler(m, d);
  }
  clock.lap(Stage::integrate);
}

// an engine that steps with the clock
class StagedEngine {
 public:
  explicit StagedEngine(CortenEngine<>& engine) : engine_(engine) {}
  void start(const Episode& e) { engine_.start(e); }
  void control(const double* row) { engine_.control(row); }
  void step() { staged_step(engine_.view(), engine_.data().ref(), clock_); }
  const StageClock& clock() const { return clock_; }

 private:
  CortenEngine<>& engine_;
  StageClock clock_;
};

// do the staged step and the step of the library lead to the same state, to the last bit?
inline bool same_as_step(CortenEngine<>& engine, const Episode& episode) {
  run(engine, episode);
  const std::vector<double> expected(engine.data().qpos().begin(), engine.data().qpos().end());
  StagedEngine staged(engine);
  run(staged, episode);
  return std::equal(expected.begin(), expected.end(), engine.data().qpos().begin());
}

}  // namespace bench
