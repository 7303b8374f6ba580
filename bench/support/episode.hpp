// SPDX-License-Identifier: Apache-2.0
//
// What is simulated: an episode starts near the reference pose, and its controls are noise, held
// for a few steps. Everything follows from a seed, so that two engines, two builds and two machines
// simulate the same thing.
#pragma once

#include <corten/integrate/advance.hpp>
#include <corten/pipeline/policies.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

// Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators"
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  // in [-1, 1)
  double symmetric() { return 2 * (static_cast<double>(next() >> 11) * 0x1p-53) - 1; }

 private:
  std::uint64_t state_;
};

struct Episode {
  int steps = 0;
  int hold = 10;                   // steps for which a control is kept
  std::vector<double> qpos, qvel;  // the start
  std::vector<double> ctrl;        // one row of nu numbers per `hold` steps
  std::size_t nu = 0;

  const double* controls(int step) const {
    return ctrl.data() + static_cast<std::size_t>(step / hold) * nu;
  }
};

// how far from the reference pose and from rest an episode starts, and how strong its controls are
struct Noise {
  double position = 0.01;
  double velocity = 0.1;
  double control = 0.5;  // relative to half the control range, or to 1 without a range
};

namespace detail {

inline void perturb(const corten::Model<double>& model, const Noise& noise, SplitMix64& random,
                    Episode& e) {
  using View = corten::Field<double>;
  std::vector<double> direction(static_cast<std::size_t>(model.n.nv));
  for (double& x : direction) x = noise.position * random.symmetric();
  e.qpos.assign(model.qpos0.begin(), model.qpos0.end());
  const auto m = corten::make_ref<corten::DefaultPolicies>(model);
  corten::integrate_position(m, View{e.qpos.data(), {}}, View{direction.data(), {}}, 1.0);
  e.qvel.resize(direction.size());
  for (double& x : e.qvel) x = noise.velocity * random.symmetric();
}

}  // namespace detail

inline Episode make_episode(const corten::Model<double>& model, int steps, std::uint64_t seed,
                            const Noise& noise = {}) {
  Episode e;
  e.steps = steps;
  e.nu = static_cast<std::size_t>(model.n.nu);
  SplitMix64 start(seed), control(seed);
  detail::perturb(model, noise, start, e);
  for (int row = 0; row * e.hold < steps; ++row) {
    for (std::size_t i = 0; i < e.nu; ++i) {
      const double low = model.actuator_ctrlrange[2 * i],
                   high = model.actuator_ctrlrange[2 * i + 1];
      const bool limited = model.actuator_ctrllimited[i] != 0;
      const double middle = limited ? 0.5 * (low + high) : 0,
                   half = limited ? 0.5 * (high - low) : 1;
      // few bits, so that every engine reads the same number
      const double x = middle + noise.control * half * control.symmetric();
      e.ctrl.push_back(std::floor(x * 0x1p20 + 0.5) * 0x1p-20);
    }
  }
  return e;
}

// Runs an episode from its start; after(k) is called when step k is done. An engine has
// start(episode), control(row) and step().
template <class Engine, class After>
void run(Engine& engine, const Episode& episode, After&& after) {
  engine.start(episode);
  for (int k = 0; k < episode.steps; ++k) {
    if (k % episode.hold == 0) engine.control(episode.controls(k));
    engine.step();
    after(k);
  }
}

template <class Engine>
void run(Engine& engine, const Episode& episode) {
  run(engine, episode, [](int) {});
}

}  // namespace bench
