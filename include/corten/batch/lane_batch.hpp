// SPDX-License-Identifier: Apache-2.0
//
// LaneBatch: a batch whose worlds share SIMD registers. N worlds at a time take the smooth stages of a step
// in packs (scalar/pack.hpp), and collision and solver one after the other. A pipeline of one's own runs in
// lanes as well: its stages say how (pipeline/stages.hpp).
//
//     corten::LaneBatch<double> batch(model, 256);       // lanes as wide as the machine's registers
//     batch.step_all();
//
// Everything else is Batch's: worlds, status, states as a matrix. The results are those of a Batch to
// rounding, and the same for any number of threads and any neighbours. A world that fails, or finds more
// contacts than it has room for, is stepped alone, as in a Batch; so are all worlds of a batch whose worlds
// have model numbers of their own, and those that compare forward and inverse dynamics or remember readings.
// step_all(n) brings a world's state up to date at every step, and all else that it shows (positions of
// bodies, forces) after the last.
#pragma once

#include <corten/batch/batch.hpp>
#include <corten/pipeline/lane_step.hpp>

namespace corten {

template <class T, int N = native_lanes<T>, class P = DefaultPolicies>
class LaneBatch : public Batch<T, P> {
  using Base = Batch<T, P>;
  using S = packed_t<T, N>;

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
    run(steps, false, keep_controls, [](int, int, const Data<T>&) {});
    return Base::status_;
  }

  // As Batch::rollout: control(world, step, ctrl) before a step, record(world, step, data) after it.
  template <class Control, class Record>
  std::span<const Status> rollout(int steps, Control&& control, Record&& record) {
    if (alone()) return Base::rollout(steps, control, record);
    const auto set = [&](int world, int step, std::span<T> ctrl) {
      control(world, step, ctrl);
      return true;
    };
    run(steps, true, set, record);
    return Base::status_;
  }

  // Many steps from and to matrices, or an error about the size of one of them.
  Result<std::span<const Status>> rollout(const Rollout<T>& matrices) {
    if (alone()) return Base::rollout(matrices);
    if (auto problem = check(matrices, Base::model_->n, Base::size())) return *problem;
    const RolloutRef<T> r = view(matrices);
    const auto m = make_ref<P>(*Base::model_);
    for (int i = 0; i < Base::size(); ++i) start_world(m, (*this)[i].ref(), r, i);
    const auto set = [&](int world, int k, std::span<T> ctrl) {
      return set_controls(m, Field<T>{ctrl.data()}, r, world, k);
    };
    run(r.steps, false, set, [&](int world, int k, const Data<T>& data) {
      const auto& d = data.ref();
      write_rows(m, d, r, world, k, !goes_on(Status{d.status}));
    });
    return std::span<const Status>(Base::status_);
  }

 private:
  // the worlds of a block: where they begin, how many, and which still go on
  struct Group {
    int first, count;
    unsigned moving;
  };

  static constexpr auto keep_controls = [](int, int, std::span<T>) { return false; };

  // Worlds with model numbers of their own cannot share registers. To a model that is not covered a Batch
  // has the answer.
  bool alone() const {
    return !Base::variations_.list().empty() || !covers<P>(make_ref<P>(*Base::model_));
  }

  // `watched`: does someone look at all of a world after every step, or only after the last?
  template <class Control, class Record>
  void run(int steps, bool watched, Control&& control, Record&& record) {
    const auto m = make_ref<P>(*Base::model_);
    const int worlds = Base::size();
    for (Status& s : Base::status_) s = Status{};
    parallel_for((worlds + N - 1) / N, Base::threads_, [&](int block) {
      const int first = block * N, count = worlds - first < N ? worlds - first : N;
      Group group{first, count, (1u << count) - 1};
      run_group(m, group, steps, watched, control, record);
    });
  }

  template <class M, class Control, class Record>
  void run_group(const M& m, Group& group, int steps, bool watched, Control& control,
                 Record& record) {
    LaneBlock<S> b{blocks_[static_cast<std::size_t>(thread_index())].ref(), {}};
    for (int lane = 0; lane < N; ++lane) {
      // lanes beyond the last world repeat the first one and are never looked at
      b.world[lane] = &(*this)[group.first + (lane < group.count ? lane : 0)].ref();
      load_lane(b[lane]);
    }
    for (int k = 0; k < steps && group.moving != 0; ++k) {
      each_lane(group.moving, [&](int lane) {
        const int i = group.first + lane;
        if (control(i, k, (*this)[i].ctrl())) load_controls(b[lane]);
      });
      const unsigned advanced = lane_step(m, b, group.moving);
      step_alone(m, b, group, group.moving & ~advanced);
      each_lane(group.moving, [&](int lane) {
        const Data<T>& world = (*this)[group.first + lane];
        const bool look = watched || k + 1 == steps;
        if (look && (advanced >> lane & 1u) != 0) show_lane(m, b[lane]);
        record(group.first + lane, k, world);
        const Status status{world.ref().status};
        Base::status_[static_cast<std::size_t>(group.first + lane)].bits |= status.bits;
        if (!goes_on(status)) group.moving &= ~(1u << lane);
      });
    }
  }

  // what lockstep could not do: one world at a time, and back into its lane
  template <class M>
  void step_alone(const M& m, const LaneBlock<S>& b, const Group& group, unsigned which) {
    each_lane(which, [&](int lane) {
      Data<T>& world = (*this)[group.first + lane];
      world.ref().status = Base::step_world(m, world).bits;
      load_lane(b[lane]);
    });
  }

  std::vector<Data<S>> blocks_;  // one a thread
};

}  // namespace corten
