// SPDX-License-Identifier: Apache-2.0
//
// Batch: many worlds of one model.
//
//     corten::Batch<double> batch(model, 256);
//     if (auto done = batch.step_all(); !done) …         // every world, one timestep
//     if (!batch.all_ok()) batch.reset_where(failed);    // a failed world affects no other
//
// The last template argument says who steps the worlds. Apart from that all batches are alike:
//
//     Batch<S, P>               threads of the CPU (threads.hpp)
//     LaneBatch<S, N, P>        threads and the lanes of SIMD registers (lanes.hpp)
//     DeviceBatch<S, P, L>      a SYCL device (sycl/device_batch.hpp)
//     AutoBatch<S, P>           a device where there is one, else threads (sycl/auto_batch.hpp)
//
// Failures come in two kinds. What goes wrong in a world is its Status: the world stays as it is
// and fails again until it is reset; a batch never resets a world by itself. What goes wrong with
// the call (sizes, indices, a lost device) is a BatchError.
//
// Worlds may differ in the numbers of their model, without a copy of the model for each:
//
//     std::span<double> mass = batch.vary(&corten::Model<double>::body_mass);   // worlds × nbody
//     batch.vary(&corten::Option<double>::gravity)[3] = {0, 0, -1.6};           // on the moon
//
// A number from which others are computed (a mass: subtree masses, inverse weights) is better
// edited in a copy of the model, followed by set_const(); set_model(world, copy) keeps only what
// differs.
#pragma once

#include <corten/batch/error.hpp>
#include <corten/batch/rollout.hpp>
#include <corten/batch/threads.hpp>
#include <corten/batch/variation.hpp>

#include <optional>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace corten {

template <class S, class P = DefaultPolicies, class Stepper = Threads>
class Batch {
 public:
  using Worlds = typename Stepper::template Worlds<S, P>;
  static constexpr bool on_host = Worlds::on_host;

  // The batch refers to the model, which must outlive it and keep its sizes: if it is replaced by
  // another, every world gets the status wrong_model. A given capacity is fixed: a world that needs
  // more keeps its state and says so in its status. If the policies do not cover the model, every
  // world gets the status not_covered. A negative number of worlds makes an empty batch. Options
  // are those of the stepper: the number of threads, or which device to look for. Devices may
  // refuse: they are made by create().
  template <class... Options>
      explicit Batch(const Model<S>& model, int worlds, Capacity capacity = {},
                     Options... options) requires std::is_constructible_v < Worlds,
      const Model<S>
  &, int, Capacity,
      Options... > : Batch(model, Worlds(model, worlds < 0 ? 0 : worlds, capacity, options...)) {}
  template <class... Options>
  explicit Batch(const Model<S>&&, int, Capacity = {}, Options...) = delete;

  // The same for any number of worlds and any stepper, or why not.
  template <class... Options>
  static BatchResult<Batch> create(const Model<S>& model, std::uint64_t worlds,
                                   Capacity capacity = {}, Options... options) {
    auto made = Worlds::create(model, worlds, capacity, options...);
    if (!made) return made.error();
    return Batch(model, *std::move(made));
  }
  template <class... Options>
  static BatchResult<Batch> create(const Model<S>&&, std::uint64_t, Capacity = {},
                                   Options...) = delete;

  // The same, where the absence of a device is not an error: the optional is empty then.
  template <class... Options>
  static BatchResult<std::optional<Batch>> try_create(const Model<S>& model, std::uint64_t worlds,
                                                      Capacity capacity = {}, Options... options) {
    auto made = create(model, worlds, capacity, options...);
    if (made) return std::optional<Batch>(*std::move(made));
    if (made.error().kind == BatchError::Kind::not_available) return std::optional<Batch>{};
    return made.error();
  }
  template <class... Options>
  static BatchResult<std::optional<Batch>> try_create(const Model<S>&&, std::uint64_t,
                                                      Capacity = {}, Options...) = delete;

  int size() const { return worlds_.size(); }
  bool empty() const { return size() == 0; }
  const Model<S>& model() const { return *model_; }

  // where the worlds live: the number of threads, the name of the device and the like
  const Worlds& worlds() const { return worlds_; }

  // how the last steps of each world went
  std::span<const Status> status() const { return status_; }
  bool all_ok() const {
    for (const Status& s : status_) {
      if (!s.ok()) return false;
    }
    return true;
  }

  // ---- steps ------------------------------------------------------------------------------------

  using Steps = BatchResult<std::span<const Status>>;

  // Takes timesteps with every world, with the controls that it has.
  Steps step_all(int steps = 1) { return rollout(Rollout<S>{steps}); }

  // Takes many steps from and to matrices (rollout.hpp).
  Steps rollout(const Rollout<S>& r) {
    if (auto fits = check(r, sizes_, size()); !fits) return fits.error();
    return run([&](const auto& models) { return worlds_.run(models, r, status_); });
  }

  // The same for a program: control(world, step, data, ctrl), or without the data, sets the
  // controls before a step; record(world, step, data) sees the data after it. Both are called from
  // the thread that steps the world, and must not throw. A world that fails stops.
  template <class Control, class Record>
  Steps rollout(int steps, Control&& control, Record&& record) requires on_host {
    if (auto counted = check(Rollout<S>{steps}, sizes_, size()); !counted) {
      return counted.error();
    }
    const auto set = [&](int world, int step, std::span<S> ctrl) {
      if constexpr (std::is_invocable_v<Control&, int, int, const Data<S>&, std::span<S>>) {
        control(world, step, std::as_const(*this)[world], ctrl);
      } else {
        control(world, step, ctrl);
      }
    };
    return run([&](const auto& models) {
      worlds_.run(models, steps, set, record, status_);
      return BatchResult<>{};
    });
  }
  template <class Control>
  Steps rollout(int steps, Control&& control) requires on_host {
    return rollout(steps, control, [](int, int, const Data<S>&) {});
  }

  // ---- reset ------------------------------------------------------------------------------------

  // Puts worlds back to the reference pose, with everything else zero and a good status: one world,
  // those with a true mark (worlds beyond the end of a short list have none; marks without a world
  // are ignored), or all.
  BatchResult<> reset(int i) {
    if (auto there = find(i); !there) return there;
    const unsigned char mark = 1;
    return reset_marked(i, {&mark, 1});
  }
  template <std::ranges::input_range Marks>
  BatchResult<> reset_where(const Marks& marked) {
    std::vector<unsigned char> marks;
    for (const bool mark : marked) marks.push_back(mark ? 1 : 0);
    return reset_marked(0, marks);
  }
  BatchResult<> reset() { return reset_marked(0, std::vector<unsigned char>(status_.size(), 1)); }

  // Puts worlds at a keyframe of the model, given by its name or id, with everything else zero and
  // a good status: one world, or all.
  BatchResult<> reset_to(NameOrId key, int i) {
    if (auto there = find(i); !there) return there;
    return reset_to(key, i, i + 1);
  }
  BatchResult<> reset_to(NameOrId key) { return reset_to(key, 0, size()); }

  // Resets one world to the reference pose, but keeps the forces that the user applies to it
  // (qfrc_applied, xfrc_applied).
  BatchResult<> reset_keep_forces(int i) requires on_host {
    const auto view = world_view(i);
    if (!view) return view.error();
    (*this)[i].reset_keep_forces(*view);
    status_[static_cast<std::size_t>(i)] = Status{};
    return {};
  }

  // ---- row-major matrices, one row per world ----------------------------------------------------

  // qpos, then qvel, then act
  int state_size() const { return corten::state_size(sizes_); }

  BatchResult<> read_states(std::span<S> out) const { return read<StateMatrix>(out); }
  BatchResult<> write_states(std::span<const S> in) { return write<StateMatrix>(in); }
  BatchResult<> write_controls(std::span<const S> in) { return write<ControlMatrix>(in); }
  BatchResult<> read_sensors(std::span<S> out) const { return read<SensorMatrix>(out); }

  // ---- all data of one world --------------------------------------------------------------------

  // References, for worlds in the host's memory: operator[] does not check the index, world()
  // returns null if it is out of range.
  Data<S>& operator[](int i) requires on_host {
    return worlds_.data()[static_cast<std::size_t>(i)];
  }
  const Data<S>& operator[](int i) const requires on_host {
    return worlds_.data()[static_cast<std::size_t>(i)];
  }
  Data<S>* world(int i) requires on_host { return i >= 0 && i < size() ? &(*this)[i] : nullptr; }
  const Data<S>* world(int i) const requires on_host {
    return i >= 0 && i < size() ? &(*this)[i] : nullptr;
  }
  auto begin() requires on_host { return worlds_.data().begin(); }
  auto end() requires on_host { return worlds_.data().end(); }
  auto begin() const requires on_host { return worlds_.data().begin(); }
  auto end() const requires on_host { return worlds_.data().end(); }

  // Copies, from and to anywhere.
  BatchResult<> download(int i, Data<S>& out) const {
    if (auto there = find(i); !there) return there;
    return worlds_.download(i, out);
  }
  BatchResult<> upload(int i, const Data<S>& in) {
    if (auto there = find(i); !there) return there;
    if (static_cast<const Sizes&>(in.ref().n) != sizes_) {
      return BatchError(BatchError::Kind::wrong_size, "the data belongs to another model",
                        "pass data that was made with the batch's model");
    }
    return worlds_.upload(i, in);
  }

  // the capacity with which every world would have had room in its last step
  BatchResult<Capacity> needed() const { return worlds_.needed(); }

  // a copy of the worlds that threads step, to compare with
  BatchResult<Batch<S, P>> cpu_reference(int threads = default_threads()) const {
    if (auto same = same_model(); !same) return same.error();
    Batch<S, P> out(*model_, size(), {}, threads);
    out.variations_ = variations_;
    for (int i = 0; i < size(); ++i) {
      if (auto done = download(i, out[i]); !done) return done.error();
    }
    return out;
  }

  // ---- worlds with model numbers of their own ---------------------------------------------------

  // A matrix with one row per world that starts as a copy of the model's numbers; valid as long as
  // the batch, and empty if the model was replaced by another. A device fetches the numbers with
  // the first step after each of these calls: call again before changing them again.
  std::span<S> vary(List<S> Model<S>::*field) {
    return same_model() ? variations_.of(field) : std::span<S>{};
  }
  template <class T>
  std::span<T> vary(T Option<S>::*option) {
    return same_model() ? variations_.of(option) : std::span<T>{};
  }

  // Gives world i the numbers of an edited copy of the model, which must have the same structure.
  BatchResult<> set_model(int i, const Model<S>& edited) {
    if (auto there = find(i); !there) return there;
    if (auto same = same_model(); !same) return same;
    const Result<void> taken = variations_.take(i, edited);
    if (!taken) return BatchError(BatchError::Kind::wrong_model, taken.error());
    return {};
  }

  // the model as a world sees it
  BatchResult<ModelRef<S, P>> world_view(int i) const {
    if (auto there = find(i); !there) return there.error();
    if (auto same = same_model(); !same) return same.error();
    return WorldModels<S, P>(*model_, variations_)[i];
  }

  // memory of all worlds or of one, with the model numbers that they have for themselves
  std::size_t bytes() const { return worlds_.bytes() + status_.size() * own_bytes(); }
  BatchResult<std::size_t> bytes(int i) const requires on_host {
    if (auto there = find(i); !there) return there.error();
    return (*this)[i].bytes() + sizeof(Data<S>) + own_bytes();
  }

 private:
  template <class, class, class>
  friend class Batch;

  Batch(const Model<S>& model, Worlds worlds)
      : model_(&model),
        sizes_(model.n),
        variations_(model, worlds.size()),
        status_(static_cast<std::size_t>(worlds.size())),
        worlds_(std::move(worlds)) {}

  template <class F>
  Steps run(F&& f) {
    const WorldModels<S, P> models(*model_, variations_);
    const Status reason{!same_model()                 ? int(wrong_model)
                        : !covers<P>(models.shared()) ? int(not_covered)
                                                      : 0};
    if (!reason.ok()) {
      for (Status& s : status_) s = reason;
    } else if (auto done = f(models); !done) {
      return done.error();
    }
    return std::span<const Status>(status_);
  }

  // The user may have moved the model away, or put another in its place. One that was moved from
  // lacks even the world body.
  BatchResult<> same_model() const {
    if (model_->n == sizes_ && sizes_.nbody > 0) return {};
    return BatchError(BatchError::Kind::wrong_model,
                      "the model has other sizes than when the batch was made",
                      "make a new batch, and leave its model where it is");
  }

  // marks are those of the worlds from `first` on
  BatchResult<> reset_marked(int first, std::span<const unsigned char> marks) {
    if (auto same = same_model(); !same) return same;
    return worlds_.reset(WorldModels<S, P>(*model_, variations_), first, marks, status_);
  }

  // worlds from `first` to before `end`; those on a device are copied to the host and back
  BatchResult<> reset_to(NameOrId key, int first, int end) {
    const Result<int> id = model_->names.find(Names::Kind::key, key, model_->n.nkey);
    if (!id) return BatchError(BatchError::Kind::no_such_key, id.error());
    const std::vector<unsigned char> marks(static_cast<std::size_t>(end - first), 1);
    if (auto done = reset_marked(first, marks); !done) return done;
    const WorldModels<S, P> models(*model_, variations_);
    for (int i = first; i < end; ++i) {
      if constexpr (on_host) {
        set_key(models[i], (*this)[i].ref(), *id);
      } else {
        Data<S> data;
        if (auto done = worlds_.download(i, data); !done) return done;
        set_key(models[i], data.ref(), *id);
        if (auto done = worlds_.upload(i, data); !done) return done;
      }
    }
    return {};
  }

  template <class Matrix>
  BatchResult<> read(std::span<S> out) const {
    if (auto fits = check_rows(out.size(), Matrix::width(sizes_)); !fits) return fits;
    return worlds_.template read<Matrix>(out);
  }
  template <class Matrix>
  BatchResult<> write(std::span<const S> in) {
    if (auto fits = check_rows(in.size(), Matrix::width(sizes_)); !fits) return fits;
    return worlds_.template write<Matrix>(in);
  }

  // of a world, besides its data
  std::size_t own_bytes() const {
    std::size_t total = sizeof(Status);
    for (const Variation<S>& v : variations_.list())
      total += sizeof(S) * static_cast<std::size_t>(v.width);
    return total;
  }

  BatchResult<> check_rows(std::size_t got, int width) const {
    if (got == status_.size() * static_cast<std::size_t>(width)) return {};
    return BatchError(BatchError::Kind::wrong_size,
                      "the matrix has " + std::to_string(got) + " numbers",
                      "pass " + std::to_string(size()) + " worlds × " + std::to_string(width));
  }
  BatchResult<> find(int i) const {
    if (i >= 0 && i < size()) return {};
    return BatchError(BatchError::Kind::no_such_world, "there is no world " + std::to_string(i),
                      "worlds count from 0 to " + std::to_string(size() - 1));
  }

  const Model<S>* model_;
  Sizes sizes_;  // of the model, when the batch was made
  Variations<S, P> variations_;
  std::vector<Status> status_;
  Worlds worlds_;
};

}  // namespace corten
