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
// contacts than it has room for, is stepped alone, as in a Batch; so are all worlds of a batch whose worlds
// have model numbers of their own. step_all(n) brings a world's state up to
// date at every step, and all else that it shows (positions of bodies, forces) after the last.
#pragma once

#include <corten/batch/batch.hpp>
#include <corten/pipeline/lane_step.hpp>

#include <type_traits>

namespace corten {

template <class T, int N = native_lanes<T>, class P = DefaultPolicies>
class LaneBatch : public Batch<T, P> {
  using Base = Batch<T, P>;
  using Block = Data<Pack<T, N>>;

  static_assert(std::is_same_v<typename P::Pipeline, DefaultPipeline>,
                "corten: lanes run the default pipeline; use Batch for one of your own");

 public:
  static constexpr int lanes = N;

  LaneBatch(const Model<T>& model, int worlds, Capacity capacity = {},
            int threads = default_threads())
      : Base(model, worlds, capacity, threads) {
    const int blocks = threads < 1 ? 1 : threads;
    for (int i = 0; i < blocks; ++i) blocks_.emplace_back(model, Capacity{0, 0});
  }

  // Timesteps of every world with the controls that it has.
  std::span<const Status> step_all(int steps = 1) {
    if (alone()) return Base::step_all(steps);
    return run(steps, false, keep_controls, [](int, int, const Data<T>&) {});
  }

  // As Batch::rollout: control(world, step, ctrl) before a step, record(world, step, data) after it.
  template <class Control, class Record>
  std::span<const Status> rollout(int steps, Control&& control, Record&& record) {
    if (alone()) return Base::rollout(steps, control, record);
    const auto set = [&](int world, int step, std::span<T> ctrl) {
      control(world, step, ctrl);
      return true;
    };
    return run(steps, true, set, record);
  }

  // Many steps from and to matrices, or an error about the size of one of them.
  Result<std::span<const Status>> rollout(const Rollout<T>& r) {
    if (alone()) return Base::rollout(r);
    const Sizes& n = Base::model_->n;
    if (auto problem = check(r, n, Base::size())) return *problem;
    const int nstate = Base::state_size(), nu = n.nu, nsensor = n.nsensordata;
    const auto row = [&](int world, int step) {
      return static_cast<std::ptrdiff_t>(world) * r.steps + step;
    };
    const auto m = make_ref<P>(*Base::model_);
    for (int i = 0; i < Base::size() && !r.initial.empty(); ++i) {
      reset_state(m, (*this)[i].ref());
      write_state((*this)[i].ref(), Field<const T>{r.initial.data() + std::ptrdiff_t{i} * nstate});
    }

    const auto set = [&](int world, int step, std::span<T> ctrl) {
      if (r.controls.empty()) return false;
      copy(Field<T>{ctrl.data()}, Field<const T>{r.controls.data() + row(world, step) * nu}, nu);
      return true;
    };
    const auto write = [&](int world, int step, const auto& d) {
      const std::ptrdiff_t at = row(world, step);
      if (!r.states.empty()) read_state(d, Field<T>{r.states.data() + at * nstate});
      if (!r.sensors.empty())
        copy(Field<T>{r.sensors.data() + at * nsensor}, d.sensordata, nsensor);
    };

    // rows after the failure of a world repeat its last
    std::vector<int> taken(static_cast<std::size_t>(Base::size()), 0);
    run(r.steps, false, set, [&](int world, int step, const Data<T>& data) {
      write(world, step, data.ref());
      taken[static_cast<std::size_t>(world)] = step + 1;
    });
    for (int i = 0; i < Base::size(); ++i) {
      for (int k = taken[static_cast<std::size_t>(i)]; k < r.steps; ++k)
        write(i, k, (*this)[i].ref());
    }
    return std::span<const Status>(Base::status_);
  }

 private:
  // the worlds of a block: where they begin, how many, and which still go on
  struct Group {
    int first, count;
    unsigned moving;
  };

  static constexpr auto keep_controls = [](int, int, std::span<T>) { return false; };

  // worlds with model numbers of their own cannot share registers
  bool alone() const { return !Base::variations_.list().empty(); }

  // `watched`: does someone look at all of a world after every step, or only after the last?
  template <class Control, class Record>
  std::span<const Status> run(int steps, bool watched, Control&& control, Record&& record) {
    const auto m = make_ref<P>(*Base::model_);
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
    for (int k = 0; k < steps && group.moving != 0; ++k) {
      each_lane(group.moving, [&](int lane) {
        Data<T>& world = (*this)[group.first + lane];
        if (control(group.first + lane, k, world.ctrl())) load_controls(d, lane, world.ref());
      });
      const unsigned advanced = lane_step(m, d, worlds, group.moving);
      step_alone(m, d, group, group.moving & ~advanced);
      each_lane(group.moving, [&](int lane) {
        Data<T>& world = (*this)[group.first + lane];
        const bool look = watched || k + 1 == steps;
        if (look && (advanced >> lane & 1u) != 0) {
          publish_lane(d, lane, world.ref());
          tendon_points(m, world.ref());
        }
        record(group.first + lane, k, static_cast<const Data<T>&>(world));
        const Status status{world.ref().status};
        Base::status_[static_cast<std::size_t>(group.first + lane)].bits |= status.bits;
        if (!goes_on(status)) group.moving &= ~(1u << lane);
      });
    }
  }

  // what lockstep could not do: one world at a time, and back into its lane
  template <class M, class D>
  void step_alone(const M& m, const D& d, const Group& group, unsigned which) {
    each_lane(which, [&](int lane) {
      Data<T>& world = (*this)[group.first + lane];
      world.ref().status = Base::step_world(m, world).bits;
      load_lane(d, lane, world.ref());
    });
  }

  std::vector<Block> blocks_;  // one a thread
};

}  // namespace corten
