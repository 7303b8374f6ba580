// SPDX-License-Identifier: Apache-2.0
//
// Batch: many worlds of one model, stepped on CPU threads.
//
//     corten::Batch<double> batch(model, 256);
//     batch.step_all();                                  // every world, one timestep
//     if (!batch.all_ok()) batch.reset_where(failed);    // a failed world touches no other
//
// The result is bit-identical to stepping the worlds one by one, for any number of threads and any order.
// A batch never resets a world by itself: a bad state is reported in status() and stays for the user to see.
#pragma once

#include <corten/batch/parallel.hpp>
#include <corten/pipeline/step.hpp>

#include <span>
#include <vector>

namespace corten {

template <class S, class P = DefaultPolicies>
class Batch {
 public:
  // The model is referred to, not copied: it must outlive the batch. Policies that do not cover it give
  // every world the status not_covered.
  Batch(const Model<S>& model, int worlds, Capacity capacity = {}, int threads = default_threads())
      : model_(&model), threads_(threads), status_(static_cast<std::size_t>(worlds)) {
    worlds_.reserve(static_cast<std::size_t>(worlds));
    for (int i = 0; i < worlds; ++i) worlds_.emplace_back(model, capacity);
  }

  int size() const { return static_cast<int>(worlds_.size()); }
  Data<S>& operator[](int world) { return worlds_[static_cast<std::size_t>(world)]; }
  const Data<S>& operator[](int world) const { return worlds_[static_cast<std::size_t>(world)]; }

  // what the last step_all said of each world
  std::span<const Status> status() const { return status_; }
  bool all_ok() const {
    for (const Status& s : status_) {
      if (!s.ok()) return false;
    }
    return true;
  }

  // one timestep of every world
  std::span<const Status> step_all() { return step_all(1); }

  // several timesteps of every world with the same controls, without meeting the others in between
  std::span<const Status> step_all(int steps) {
    const auto m = view();
    const bool covered = covers<P>(m);
    parallel_for(size(), threads_, [&](int i) {
      Status& status = status_[static_cast<std::size_t>(i)];
      status = covered ? Status{} : Status{not_covered};
      for (int k = 0; k < steps && status.ok(); ++k) status = step_world(m, i);
    });
    return status_;
  }

  // Runs `steps` timesteps of every world. control(world, step, ctrl) sets the controls before a step,
  // record(world, step, data) sees the data after it; both are called from the world's own thread.
  template <class Control, class Record>
  std::span<const Status> rollout(int steps, Control&& control, Record&& record) {
    const auto m = view();
    const bool covered = covers<P>(m);
    parallel_for(size(), threads_, [&](int i) {
      Status& status = status_[static_cast<std::size_t>(i)];
      status = covered ? Status{} : Status{not_covered};
      Data<S>& world = (*this)[i];
      for (int k = 0; k < steps && status.ok(); ++k) {
        control(i, k, world.ctrl());
        status = step_world(m, i);
        record(i, k, static_cast<const Data<S>&>(world));
      }
    });
    return status_;
  }

  // every world, or those that are marked, back at the reference pose
  void reset() {
    parallel_for(size(), threads_, [&](int i) { reset_world(i); });
  }
  void reset_where(std::span<const bool> marked) {
    parallel_for(size(), threads_, [&](int i) {
      if (marked[static_cast<std::size_t>(i)]) reset_world(i);
    });
  }

  // ---- states as one row-major matrix: a row a world, qpos then qvel then act ------------------------

  int state_size() const { return model_->n.nq + model_->n.nv + model_->n.na; }

  void read_states(std::span<S> out) const {
    for (int i = 0; i < size(); ++i) {
      const auto& d = (*this)[i].ref();
      const Field<S> row{out.data() + static_cast<std::ptrdiff_t>(i) * state_size()};
      copy(row, d.qpos, d.n.nq);
      copy(row.from(d.n.nq), d.qvel, d.n.nv);
      copy(row.from(d.n.nq + d.n.nv), d.act, d.n.na);
    }
  }
  void write_states(std::span<const S> in) {
    for (int i = 0; i < size(); ++i) {
      auto& d = (*this)[i].ref();
      const Field<const S> row{in.data() + static_cast<std::ptrdiff_t>(i) * state_size()};
      copy(d.qpos, row, d.n.nq);
      copy(d.qvel, row.from(d.n.nq), d.n.nv);
      copy(d.act, row.from(d.n.nq + d.n.nv), d.n.na);
    }
  }

 protected:  // for batches that step in another way (lanes.hpp)
  // the model as the worlds see it: bad states are reported, not reset
  ModelRef<S, P> view() const {
    ModelRef<S, P> m = make_ref<P>(*model_);
    m.opt.disableflags |= disable_autoreset;
    return m;
  }

  Status step_world(const ModelRef<S, P>& m, int i) {
    Data<S>& world = (*this)[i];
    Status status = step(m, world.ref());
    while (status.overflow() && world.growable()) {
      world.grow(*model_, world.needed());
      status = step(m, world.ref());
    }
    return status;
  }

  void reset_world(int i) {
    (*this)[i].reset(*model_);
    status_[static_cast<std::size_t>(i)] = Status{};
  }

  const Model<S>* model_;
  int threads_;
  std::vector<Data<S>> worlds_;
  std::vector<Status> status_;
};

}  // namespace corten
