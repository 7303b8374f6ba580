// SPDX-License-Identifier: Apache-2.0
//
// Lanes: worlds in the host's memory that share SIMD registers. N worlds at a time take the smooth
// stages of a step together, one world per lane of a Pack. The stages where worlds diverge
// (collision, constraint rows, solver) run one world after the other, because worlds touch the
// ground at different times. scalar/pack.hpp argues for packs and data/lanes.hpp for the copies
// between the two, both with figures.
//
//     corten::LaneBatch<double> batch(model, 256);    // lanes as wide as the machine's registers
//     if (!batch.step_all()) …
//
// The results are those of Threads to rounding, and the same for any number of threads and any
// neighbours. Pipelines of your own run in lanes too; their stages say how (pipeline/stages.hpp).
//
// A world that fails, or finds more contacts than it has room for, is stepped alone for that step,
// as by Threads. All worlds are stepped alone if some have model numbers of their own (a register
// would need a different model in each lane), if the model compares forward and inverse dynamics or
// lets trees sleep, or if sensors remember readings. step_all(n) brings the state of a world up to
// date at every step, and everything else that it shows (positions of bodies, forces) after the
// last.
#pragma once

#include <corten/batch/batch.hpp>
#include <corten/pipeline/lane_step.hpp>

namespace corten {

// N = 0: as many lanes as the machine's registers have
template <int N = 0>
struct Lanes {
  template <class T, class P>
  class Worlds : public Threads::Worlds<T, P> {
    using Base = Threads::Worlds<T, P>;

   public:
    static constexpr int lanes = N > 0 ? N : native_lanes<T>;

    Worlds(const Model<T>& model, int count, Capacity capacity, int threads = default_threads())
        : Base(model, count, capacity, threads) {
      for (int i = 0; i < Base::threads(); ++i) blocks_.emplace_back(model, Capacity{0, 0});
    }

    static BatchResult<Worlds> create(const Model<T>& model, std::uint64_t count, Capacity capacity,
                                      int threads = default_threads()) {
      if (auto counted = Base::countable(count); !counted) return counted.error();
      return Worlds(model, static_cast<int>(count), capacity, threads);
    }

    BatchResult<> run(const WorldModels<T, P>& models, const Rollout<T>& rollout,
                      std::span<Status> status) {
      if (models.vary()) return Base::run(models, rollout, status);
      const RolloutRef<T> r = pointers(rollout);
      const ModelRef<T, P>& m = models.shared();
      for (int i = 0; i < Base::size(); ++i) start_world(m, (*this)[i].ref(), r, i);
      const auto set = [&](int world, int k, std::span<T> ctrl) {
        return set_controls(m, Field<T>{ctrl.data()}, r, world, k);
      };
      const auto record = [&](int world, int k, const Data<T>& data) {
        const auto& d = data.ref();
        write_rows(m, d, r, world, k, !goes_on(Status{d.status}));
      };
      run(m, Job{r.steps, false}, set, record, status);
      return {};
    }

    template <class Control, class Record>
    void run(const WorldModels<T, P>& models, int steps, Control& control, Record& record,
             std::span<Status> status) {
      if (models.vary()) return Base::run(models, steps, control, record, status);
      const auto set = [&](int world, int step, std::span<T> ctrl) {
        control(world, step, ctrl);
        return true;
      };
      run(models.shared(), Job{steps, true}, set, record, status);
    }

   private:
    using S = packed_t<T, lanes>;

    // `watched`: someone looks at all of a world after every step, not only after the last
    struct Job {
      int steps;
      bool watched;
    };

    // the worlds of a block: the first, how many, and which still go on
    struct Group {
      int first, count;
      unsigned moving;
    };

    // control() says whether it has changed the controls
    template <class Control, class Record>
    void run(const ModelRef<T, P>& m, const Job& job, Control& control, Record& record,
             std::span<Status> status) {
      const int worlds = Base::size();
      for (Status& s : status) s = Status{};
      parallel_for((worlds + lanes - 1) / lanes, Base::threads(), [&](int block) {
        const int first = block * lanes, count = worlds - first < lanes ? worlds - first : lanes;
        Group group{first, count, (1u << count) - 1};
        run_group(m, group, job, control, record, status);
      });
    }

    template <class Control, class Record>
    void run_group(const ModelRef<T, P>& m, Group& group, const Job& job, Control& control,
                   Record& record, std::span<Status> status) {
      LaneBlock<S> b{blocks_[static_cast<std::size_t>(thread_index())].ref(), {}};
      for (int lane = 0; lane < lanes; ++lane) {
        // lanes beyond the last world repeat the first one; nothing reads their results
        b.world[lane] = &(*this)[group.first + (lane < group.count ? lane : 0)].ref();
        load_lane(b[lane]);
      }
      for (int k = 0; k < job.steps && group.moving != 0; ++k) {
        each_lane(group.moving, [&](int lane) {
          const int i = group.first + lane;
          if (control(i, k, (*this)[i].ctrl())) load_controls(b[lane]);
        });
        const unsigned advanced = lane_step(m, b, group.moving);
        step_alone(m, b, group, group.moving & ~advanced);
        each_lane(group.moving, [&](int lane) {
          const Data<T>& world = (*this)[group.first + lane];
          const bool look = job.watched || k + 1 == job.steps;
          if (look && (advanced >> lane & 1u) != 0) show_lane(m, b[lane]);
          record(group.first + lane, k, world);
          const Status now{world.ref().status};
          status[static_cast<std::size_t>(group.first + lane)].bits |= now.bits;
          if (!goes_on(now)) group.moving &= ~(1u << lane);
        });
      }
    }

    // steps worlds that lockstep gave back, and loads them into their lanes again
    void step_alone(const ModelRef<T, P>& m, const LaneBlock<S>& b, const Group& group,
                    unsigned which) {
      each_lane(which, [&](int lane) {
        Data<T>& world = (*this)[group.first + lane];
        world.ref().status = Base::step_world(m, world).bits;
        load_lane(b[lane]);
      });
    }

    std::vector<Data<S>> blocks_;  // one per thread
  };
};

// A batch whose worlds share SIMD registers.
template <class T, int N = 0, class P = DefaultPolicies>
using LaneBatch = Batch<T, P, Lanes<N>>;

}  // namespace corten
