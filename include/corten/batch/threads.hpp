// SPDX-License-Identifier: Apache-2.0
//
// Threads: worlds in the host's memory, each stepped as if it were alone. The results are therefore
// bit-identical to stepping the worlds one by one, for any number of threads and in any order.
//
// This file is also the model for other steppers (lanes.hpp, sycl/device_batch.hpp): Batch checks
// indices and sizes, and calls the members of Worlds with arguments that fit.
#pragma once

#include <corten/batch/parallel.hpp>
#include <corten/batch/rollout.hpp>
#include <corten/batch/variation.hpp>
#include <corten/pipeline/step.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace corten {

// Room for what a world of a batch usually needs; worlds that need more grow. Thousands of worlds
// are a matter of memory, and constraint rows take most of it.
template <class S>
Capacity batch_capacity(const Model<S>& model, Capacity asked) {
  if (asked.contacts >= 0 || asked.rows >= 0) return asked;
  const int contacts = model.n.ncandidate == 0 ? 0 : 8;

  // friction loss is always active, limits only now and then
  int rows = 4 * contacts;
  for (const S& x : model.dof_frictionloss) rows += value(x) > 0 ? 1 : 0;
  for (const S& x : model.tendon_frictionloss) rows += value(x) > 0 ? 1 : 0;
  rows += (model.n.njnt + model.n.ntendon) / 4;
  return {contacts, rows, true};
}

// The stepper of a Batch that is not told otherwise.
struct Threads {
  template <class S, class P>
  class Worlds {
   public:
    // the batch can hand out references to the data of its worlds
    static constexpr bool on_host = true;
    static constexpr int most_threads = 1024;

    // `threads` matters only in programs that are built with OpenMP. At least one is used, and no
    // more than there are worlds.
    Worlds(const Model<S>& model, int count, Capacity capacity, int threads = default_threads())
        : threads_(std::max(1, std::min({threads, count, most_threads}))) {
      const Data<S> fresh(model, batch_capacity(model, capacity));
      data_.assign(static_cast<std::size_t>(count < 0 ? 0 : count), fresh);
    }

    static BatchResult<Worlds> create(const Model<S>& model, std::uint64_t count, Capacity capacity,
                                      int threads = default_threads()) {
      if (auto counted = countable(count); !counted) return counted.error();
      return Worlds(model, static_cast<int>(count), capacity, threads);
    }

    // worlds are indexed by int
    static BatchResult<> countable(std::uint64_t count) {
      if (count <= std::numeric_limits<int>::max()) return {};
      BatchError error(BatchError::Kind::batch_too_large,
                       std::to_string(count) + " worlds are more than an int can count");
      error.worlds = count;
      error.required = std::numeric_limits<std::uint64_t>::max();
      return error;
    }

    int size() const { return static_cast<int>(data_.size()); }
    int threads() const { return threads_; }
    std::vector<Data<S>>& data() { return data_; }
    const std::vector<Data<S>>& data() const { return data_; }

    // ---- what a Batch asks of its stepper -------------------------------------------------------

    BatchResult<> run(const WorldModels<S, P>& models, const Rollout<S>& rollout,
                      std::span<Status> status) {
      const RolloutRef<S> r = pointers(rollout);
      for_worlds(models, [&](const ModelRef<S, P>& m, int i) {
        status[static_cast<std::size_t>(i)] =
            roll(m, (*this)[i].ref(), r, i, [&] { return step_world(m, (*this)[i]); });
      });
      return {};
    }

    // for worlds in the host's memory alone: control(world, step, ctrl) and record(world, step,
    // data)
    template <class Control, class Record>
    void run(const WorldModels<S, P>& models, int steps, Control& control, Record& record,
             std::span<Status> status) {
      for_worlds(models, [&](const ModelRef<S, P>& m, int i) {
        Data<S>& world = (*this)[i];
        int bits = 0;
        bool moving = true;
        for (int k = 0; k < steps && moving; ++k) {
          control(i, k, world.ctrl());
          const Status now = step_world(m, world);
          record(i, k, static_cast<const Data<S>&>(world));
          bits |= now.bits;
          moving = goes_on(now);
        }
        status[static_cast<std::size_t>(i)] = Status{bits};
      });
    }

    // Puts the worlds from `first` on whose mark is not zero back to the reference pose, with a
    // good status.
    BatchResult<> reset(const WorldModels<S, P>& models, int first,
                        std::span<const unsigned char> marks, std::span<Status> status) {
      for (int i = first; i < size() && i - first < static_cast<int>(marks.size()); ++i) {
        if (marks[static_cast<std::size_t>(i - first)] == 0) continue;
        (*this)[i].reset(models[i]);
        status[static_cast<std::size_t>(i)] = Status{};
      }
      return {};
    }

    template <class Matrix>
    BatchResult<> read(std::span<S> out) const {
      for_rows<Matrix>(*this, [&](const auto& d, std::ptrdiff_t at) {
        Matrix::read(d, Field<S>{out.data() + at});
      });
      return {};
    }
    template <class Matrix>
    BatchResult<> write(std::span<const S> in) {
      for_rows<Matrix>(*this, [&](const auto& d, std::ptrdiff_t at) {
        Matrix::write(d, Field<const S>{in.data() + at});
      });
      return {};
    }

    BatchResult<> download(int i, Data<S>& out) const {
      out = (*this)[i];
      return {};
    }
    BatchResult<> upload(int i, const Data<S>& in) {
      (*this)[i] = in;
      return {};
    }

    // the capacity with which every world would have had room in its last step
    BatchResult<Capacity> needed() const {
      Capacity most{0, 0};
      for (const Data<S>& world : data_) {
        most = join(most, world.needed());
      }
      return most;
    }

    std::size_t bytes() const {
      std::size_t total = 0;
      for (const Data<S>& world : data_) total += world.bytes() + sizeof world;
      return total;
    }

   protected:
    Data<S>& operator[](int i) { return data_[static_cast<std::size_t>(i)]; }
    const Data<S>& operator[](int i) const { return data_[static_cast<std::size_t>(i)]; }

    static Status step_world(const ModelRef<S, P>& m, Data<S>& world) {
      return step(m, world, BadState::keep);
    }

   private:
    // f(view of the model, world) for every world, each on one thread
    template <class F>
    void for_worlds(const WorldModels<S, P>& models, F&& f) {
      const bool vary = models.vary();
      parallel_for(size(), threads_, [&](int i) {
        if (vary) {
          f(models[i], i);
        } else {
          f(models.shared(), i);
        }
      });
    }

    // f(data of a world, where its row begins in the matrix)
    template <class Matrix, class W, class F>
    static void for_rows(W& worlds, F&& f) {
      for (int i = 0; i < worlds.size(); ++i) {
        const auto& d = worlds[i].ref();
        f(d, static_cast<std::ptrdiff_t>(i) * Matrix::width(d.n));
      }
    }

    int threads_;
    std::vector<Data<S>> data_;
  };
};

}  // namespace corten
