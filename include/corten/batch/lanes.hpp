// SPDX-License-Identifier: Apache-2.0
//
// LaneBatch: a batch whose worlds share SIMD registers. N worlds at a time take the smooth stages of a step
// in packs (scalar/pack.hpp), and collision and solver one after the other.
//
//     corten::LaneBatch<double> batch(model, 256);       // lanes as wide as the machine's registers
//     batch.step_all();
//
// Everything else is Batch's: worlds, status, states as a matrix. The results are those of a Batch to
// rounding, and the same for any number of threads and any neighbours. A world that fails, or finds more
// contacts than it has room for, is stepped alone, as in a Batch. step_all(n) brings a world's state up to
// date at every step, and all else that it shows (positions of bodies, forces) after the last.
#pragma once

#include <corten/batch/batch.hpp>
#include <corten/pipeline/lane_step.hpp>

namespace corten {

template <class T, int N = native_lanes<T>, class P = DefaultPolicies>
class LaneBatch : public Batch<T, P> {
  using Base = Batch<T, P>;
  using Block = Data<Pack<T, N>>;

 public:
  static constexpr int lanes = N;

  LaneBatch(const Model<T>& model, int worlds, Capacity capacity = {},
            int threads = default_threads())
      : Base(model, worlds, capacity, threads) {
    const int blocks = threads < 1 ? 1 : threads;
    for (int i = 0; i < blocks; ++i) blocks_.emplace_back(model, Capacity{0, 0});
  }

  // one timestep of every world
  std::span<const Status> step_all() { return step_all(1); }

  // several timesteps of every world with the same controls
  std::span<const Status> step_all(int steps) {
    return run(
        steps, false, [](int, int, std::span<T>) { return false; },
        [](int, int, const Data<T>&) {});
  }

  // As Batch::rollout: control(world, step, ctrl) before a step, record(world, step, data) after it.
  template <class Control, class Record>
  std::span<const Status> rollout(int steps, Control&& control, Record&& record) {
    return run(
        steps, true,
        [&](int world, int step, std::span<T> ctrl) {
          control(world, step, ctrl);
          return true;
        },
        record);
  }

 private:
  // the worlds of a block: where they begin, how many, and which still go on
  struct Group {
    int first, count;
    unsigned moving;
  };

  // `watched`: does someone look at the worlds after every step, or only after the last?
  template <class Control, class Record>
  std::span<const Status> run(int steps, bool watched, Control&& control, Record&& record) {
    const auto m = Base::view();
    const bool covered = covers<P>(m);
    const int worlds = Base::size();
    for (Status& s : Base::status_) s = covered ? Status{} : Status{not_covered};
    if (!covered || steps < 1) return Base::status_;
    parallel_for((worlds + N - 1) / N, Base::threads_, [&](int block) {
      const int first = block * N, count = worlds - first < N ? worlds - first : N;
      Group group{first, count, (1u << count) - 1};
      run_group(m, group, steps, watched, control, record);
    });
    return Base::status_;
  }

  template <class M, class Control, class Record>
  void run_group(const M& m, Group& group, int steps, bool watched, Control& control,
                 Record& record) {
    const auto& d = blocks_[static_cast<std::size_t>(thread_index())].ref();
    LaneWorlds<T, N> worlds;
    for (int lane = 0; lane < N; ++lane) {
      // lanes beyond the last world repeat the first one and are never looked at
      worlds.world[lane] = &(*this)[group.first + (lane < group.count ? lane : 0)].ref();
      load_lane(d, lane, worlds[lane]);
    }
    unsigned advanced = 0;
    for (int k = 0; k < steps && group.moving != 0; ++k) {
      each_lane(group.moving, [&](int lane) {
        Data<T>& world = (*this)[group.first + lane];
        if (control(group.first + lane, k, world.ctrl())) load_controls(d, lane, world.ref());
      });
      advanced = lane_step(m, d, worlds, group.moving);
      step_alone(m, d, group, group.moving & ~advanced);
      each_lane(group.moving, [&](int lane) {
        Data<T>& world = (*this)[group.first + lane];
        const bool look = watched || k + 1 == steps;
        if (look && (advanced >> lane & 1u) != 0) publish_lane(d, lane, world.ref());
        record(group.first + lane, k, static_cast<const Data<T>&>(world));
        const Status status = Status{world.ref().status};
        Base::status_[static_cast<std::size_t>(group.first + lane)] = status;
        if (!status.ok()) group.moving &= ~(1u << lane);
      });
    }
  }

  // what lockstep could not do: one world at a time, and back into its lane
  template <class M, class D>
  void step_alone(const M& m, const D& d, const Group& group, unsigned which) {
    each_lane(which, [&](int lane) {
      Data<T>& world = (*this)[group.first + lane];
      world.ref().status = Base::step_world(m, group.first + lane).bits;
      load_lane(d, lane, world.ref());
    });
  }

  std::vector<Block> blocks_;  // one a thread
};

}  // namespace corten
