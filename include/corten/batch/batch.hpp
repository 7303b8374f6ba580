// SPDX-License-Identifier: Apache-2.0
//
// Batch: many worlds of one model, stepped on CPU threads.
//
//     corten::Batch<double> batch(model, 256);
//     batch.step_all();                                  // every world, one timestep
//     if (!batch.all_ok()) batch.reset_where(failed);    // a failed world touches no other
//
// The result is bit-identical to stepping the worlds one by one, for any number of threads and any
// order. A batch never resets a world by itself: one whose state or acceleration is bad is reported
// in status(), stays as it is, and fails again until it is reset.
//
// Worlds may differ in the numbers of their model, without a copy of the model for each:
//
//     std::span<double> mass = batch.vary(&corten::Model<double>::body_mass);   // worlds × nbody
//     batch.vary(&corten::Option<double>::gravity)[3] = {0, 0, -1.6};           // on the moon
//
// A number that others follow from (a mass: subtree masses, inverse weights) is better edited in a
// copy of the model, with set_const() after it; set_model(world, copy) keeps what differs and
// nothing else.
#pragma once

#include <corten/batch/parallel.hpp>
#include <corten/batch/rollout.hpp>
#include <corten/batch/variation.hpp>
#include <corten/pipeline/step.hpp>

#include <span>
#include <vector>

namespace corten {

// Room for what a world of a batch usually needs; those that need more grow. Many worlds are a
// matter of memory, and most of it is rows of constraints.
template <class S>
Capacity batch_capacity(const Model<S>& model, Capacity asked) {
  if (asked.contacts >= 0 || asked.rows >= 0) return asked;
  const int contacts = model.n.ncandidate == 0 ? 0 : 8;

  // friction loss is always there, limits now and then
  int rows = 4 * contacts;
  for (const S& x : model.dof_frictionloss) rows += value(x) > 0 ? 1 : 0;
  for (const S& x : model.tendon_frictionloss) rows += value(x) > 0 ? 1 : 0;
  rows += (model.n.njnt + model.n.ntendon) / 4;
  return {contacts, rows, true};
}

// Worlds of one model, as told above.
template <class S, class P = DefaultPolicies>
class Batch {
 public:
  // The model is referred to, not copied: it must outlive the batch. Policies that do not cover it
  // give every world the status not_covered. A capacity that is given is fixed: a world that needs
  // more keeps its state and says so. `threads` counts where the program is built with OpenMP.
  Batch(const Model<S>& model, int worlds, Capacity capacity = {}, int threads = default_threads())
      : model_(&model),
        threads_(threads < 1 ? 1 : threads),
        variations_(model, worlds < 0 ? 0 : worlds),
        status_(static_cast<std::size_t>(worlds < 0 ? 0 : worlds)) {
    const Data<S> fresh(model, batch_capacity(model, capacity));
    worlds_.assign(status_.size(), fresh);
  }

  int size() const { return static_cast<int>(worlds_.size()); }
  bool empty() const { return worlds_.empty(); }
  const Model<S>& model() const { return *model_; }
  int threads() const { return threads_; }

  // The data of a world: inputs are set there, results read. world() checks the index: null if it
  // is none.
  Data<S>& operator[](int world) { return worlds_[static_cast<std::size_t>(world)]; }
  const Data<S>& operator[](int world) const { return worlds_[static_cast<std::size_t>(world)]; }
  Data<S>* world(int i) { return i >= 0 && i < size() ? &(*this)[i] : nullptr; }
  const Data<S>* world(int i) const { return i >= 0 && i < size() ? &(*this)[i] : nullptr; }
  auto begin() { return worlds_.begin(); }
  auto end() { return worlds_.end(); }
  auto begin() const { return worlds_.begin(); }
  auto end() const { return worlds_.end(); }

  // what the last steps said of each world
  std::span<const Status> status() const { return status_; }
  bool all_ok() const {
    for (const Status& s : status_) {
      if (!s.ok()) return false;
    }
    return true;
  }

  // ---- steps ------------------------------------------------------------------------------------

  // Timesteps of every world with the controls that it has, without meeting the others in between.
  std::span<const Status> step_all(int steps = 1) {
    run(RolloutRef<S>{steps});
    return status_;
  }

  // Many steps from and to matrices (batch/rollout.hpp), or an error about the size of one of them.
  Result<std::span<const Status>> rollout(const Rollout<S>& r) {
    if (auto problem = check(r, model_->n, size())) return *problem;
    run(view(r));
    return std::span<const Status>(status_);
  }

  // The same for a program: control(world, step, ctrl) sets the controls before a step,
  // record(world, step, data) sees the data after it; both are called from the world's own thread.
  // A world that failed stops.
  template <class Control, class Record>
  std::span<const Status> rollout(int steps, Control&& control, Record&& record) {
    for_worlds([&](const ModelRef<S, P>& m, int i) {
      Data<S>& world = (*this)[i];
      int bits = 0;
      bool moving = true;
      for (int k = 0; k < steps && moving; ++k) {
        control(i, k, world.ctrl());
        const Status status = step_world(m, world);
        record(i, k, static_cast<const Data<S>&>(world));
        bits |= status.bits;
        moving = goes_on(status);
      }
      return Status{bits};
    });
    return status_;
  }

  // ---- reset ------------------------------------------------------------------------------------

  // Back at the reference pose, everything else zero and the status good: one world (false: there
  // is no such world), the marked ones (worlds beyond a short mask are not), or all.
  bool reset(int i) {
    if (i < 0 || i >= size()) return false;
    worlds_[static_cast<std::size_t>(i)].reset(world_view(i));
    status_[static_cast<std::size_t>(i)] = Status{};
    return true;
  }
  void reset_where(std::span<const bool> marked) {
    for (int i = 0; i < size() && static_cast<std::size_t>(i) < marked.size(); ++i) {
      if (marked[static_cast<std::size_t>(i)]) reset(i);
    }
  }
  void reset() {
    for (int i = 0; i < size(); ++i) reset(i);
  }

  // the same for one world, but what the user applies to it (qfrc_applied, xfrc_applied) stays
  bool reset_keep_forces(int i) {
    if (i < 0 || i >= size()) return false;
    const Data<S> before = (*this)[i];
    reset(i);
    const auto &d = (*this)[i].ref(), &old = before.ref();
    copy(d.qfrc_applied, old.qfrc_applied, d.n.nv);
    copy(d.xfrc_applied, old.xfrc_applied, 6 * d.n.nbody);
    return true;
  }

  // ---- row-major matrices, a row a world; false: the span has not the size of the matrix --------

  // qpos, then qvel, then act
  int state_size() const { return corten::state_size(model_->n); }

  bool read_states(std::span<S> out) const {
    return rows(out.size(), state_size(), [&](int i, std::ptrdiff_t at) {
      read_state((*this)[i].ref(), Field<S>{out.data() + at});
    });
  }
  bool write_states(std::span<const S> in) {
    return rows(in.size(), state_size(), [&](int i, std::ptrdiff_t at) {
      write_state((*this)[i].ref(), Field<const S>{in.data() + at});
    });
  }
  bool write_controls(std::span<const S> in) {
    return rows(in.size(), model_->n.nu, [&](int i, std::ptrdiff_t at) {
      copy((*this)[i].ref().ctrl, Field<const S>{in.data() + at}, model_->n.nu);
    });
  }
  bool read_sensors(std::span<S> out) const {
    return rows(out.size(), model_->n.nsensordata, [&](int i, std::ptrdiff_t at) {
      copy(Field<S>{out.data() + at}, (*this)[i].ref().sensordata, model_->n.nsensordata);
    });
  }

  // ---- worlds with model numbers of their own ---------------------------------------------------

  // A matrix with a row a world that starts as the model has it; valid as long as the batch.
  std::span<S> vary(List<S> Model<S>::*field) { return variations_.of(field); }
  template <class T>
  std::span<T> vary(T Option<S>::*option) {
    return variations_.of(option);
  }
  const Variations<S, P>& variations() const { return variations_; }
  Variations<S, P>& variations() { return variations_; }

  // World i gets the numbers of an edited copy of the model; an Error if the copy has another
  // structure.
  std::optional<Error> set_model(int i, const Model<S>& edited) {
    if (i < 0 || i >= size())
      return Error{{}, "world " + std::to_string(i), "there is no such world"};
    return variations_.take(i, edited);
  }

  // the model as a world sees it
  ModelRef<S, P> world_view(int i) const {
    ModelRef<S, P> m = make_ref<P>(*model_);
    apply(m, variations_.list().data(), static_cast<int>(variations_.list().size()), i);
    return m;
  }

  // what a world takes, and the numbers it has for itself
  std::size_t bytes(int i) const {
    std::size_t total = (*this)[i].bytes() + sizeof(Data<S>) + sizeof(Status);
    for (const Variation<S>& v : variations_.list())
      total += sizeof(S) * static_cast<std::size_t>(v.width);
    return total;
  }

 protected:  // for batches that step in another way (lanes.hpp)
  // f(view of the model, world) → Status for every world, each on a thread of its own
  template <class F>
  void for_worlds(F&& f) {
    const ModelRef<S, P> shared = make_ref<P>(*model_);
    const bool covered = covers<P>(shared), vary = !variations_.list().empty();
    parallel_for(size(), threads_, [&](int i) {
      Status& status = status_[static_cast<std::size_t>(i)];
      status = !covered ? Status{not_covered} : vary ? f(world_view(i), i) : f(shared, i);
    });
  }

  void run(const RolloutRef<S>& r) {
    for_worlds([&](const ModelRef<S, P>& m, int i) {
      Data<S>& world = (*this)[i];
      return roll(m, world.ref(), r, i, [&] { return step_world(m, world); });
    });
  }

  Status step_world(const ModelRef<S, P>& m, Data<S>& world) const {
    return step(m, world, BadState::keep);
  }

  template <class F>
  bool rows(std::size_t got, int width, F&& f) const {
    if (got != worlds_.size() * static_cast<std::size_t>(width)) return false;
    for (int i = 0; i < size(); ++i) f(i, static_cast<std::ptrdiff_t>(i) * width);
    return true;
  }

  const Model<S>* model_;
  int threads_;
  Variations<S, P> variations_;
  std::vector<Status> status_;
  std::vector<Data<S>> worlds_;
};

}  // namespace corten
