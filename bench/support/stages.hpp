// SPDX-License-Identifier: Apache-2.0
//
// A step with a clock between the stages. It repeats the order of pipeline/forward.hpp and
// pipeline/step.hpp; same_as_step() checks that it still computes the same numbers.
#pragma once

#include "clock.hpp"
#include "corten_engine.hpp"

#include <array>
#include <cstddef>

namespace bench {

// clang-format off
#define CORTEN_BENCH_STAGES(X)                                                              \
  X(kinematics) X(com) X(tendon) X(inertia) X(factor) X(collision) X(constraint)            \
  X(transmission) X(velocity) X(passive) X(reference) X(bias) X(actuation) X(acceleration)  \
  X(solve) X(sensors) X(integrate)
// clang-format on

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

using StageTicks = BestTicks<stage_count>;

// charges the time since the last lap to a stage
class StageClock {
 public:
  void start() {
    spent_.fill(0);
    last_ = ticks();
  }
  void lap(Stage stage) {
    const std::uint64_t now = ticks(), passed = now - last_;
    spent_[static_cast<std::size_t>(stage)] += passed > read_ ? passed - read_ : 0;
    last_ = now;
  }
  const StageTicks::Times& spent() const { return spent_; }

 private:
  std::uint64_t last_ = 0, read_ = ticks_per_read();
  StageTicks::Times spent_{};
};

namespace detail {

template <class M, class D>
void staged_forward(const M& m, const D& d, StageClock& clock, bool with_sensors) {
  const bool sensors = with_sensors && !m.opt.disabled(corten::disable_sensor);
  const bool energy = m.opt.enabled(corten::enable_energy);
  d.status = 0;
  // clang-format off
#define X(name)        \
  corten::name(m, d); \
  clock.lap(Stage::name);
  X(kinematics) X(com) X(tendon) X(inertia) X(factor) X(collision) X(constraint) X(transmission)
  if (sensors) corten::sensor_position(m, d);
  if (energy) corten::potential_energy(m, d);
  clock.lap(Stage::sensors);
  X(velocity) X(passive) X(reference) X(bias)
  if (sensors) corten::sensor_velocity(m, d);
  if (energy) corten::kinetic_energy(m, d);
  clock.lap(Stage::sensors);
  X(actuation) X(acceleration) X(solve)
  if (sensors) corten::sensor_acceleration(m, d);
  clock.lap(Stage::sensors);
#undef X
  // clang-format on
}

}  // namespace detail

// One step of a model that raises no warnings: capacities suffice and the state is good.
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
    corten::integrate(m, d);
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

  // the times of the last step
  const StageTicks::Times& spent() const { return clock_.spent(); }

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
