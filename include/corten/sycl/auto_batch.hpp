// SPDX-License-Identifier: Apache-2.0
//
// AutoBatch: a batch on a device if there is one that can take the worlds, else on CPU threads. It
// always works; worlds().why_not() says why it is not on a device. A device that is this CPU is
// used only if the options ask for one (DeviceOptions::Kind::cpu): threads are faster. If a device
// fails later on, the call returns its error, and from then on the worlds are on threads, in the
// reference pose.
#pragma once

#include <corten/batch/batch.hpp>
#include <corten/sycl/options.hpp>

#if __has_include(<sycl/sycl.hpp>)
#include <corten/sycl/device_batch.hpp>
#endif

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace corten {

struct DeviceOrThreads {
  template <class S, class P>
  class Worlds {
   public:
    static constexpr bool on_host = false;

    Worlds(const Model<S>& model, int count, Capacity capacity, DeviceOptions options = {})
        : model_(&model) {
#if __has_include(<sycl/sycl.hpp>)
      const auto wanted = static_cast<std::uint64_t>(count < 0 ? 0 : count);
      const auto found = find_device(options.kind, options.index);
      if (options.kind == DeviceOptions::Kind::any && found && found->is_cpu()) {
        why_not_.emplace(BatchError::Kind::not_available, "the only device is this CPU");
      } else if (auto made = OnDevice::create(model, wanted, capacity, options); made) {
        device_.emplace(*std::move(made));
        return;
      } else {
        why_not_ = made.error();
      }
#else
      static_cast<void>(options);
      why_not_.emplace(BatchError::Kind::not_available, "this program was built without SYCL");
#endif
      threads_.emplace(model, count, capacity);
    }

    static BatchResult<Worlds> create(const Model<S>& model, std::uint64_t count, Capacity capacity,
                                      DeviceOptions options = {}) {
      if (auto counted = OnThreads::countable(count); !counted) return counted.error();
      return Worlds(model, static_cast<int>(count), capacity, options);
    }

    // where the worlds are, for a report, and why they are not on a device
    bool on_device() const { return !threads_.has_value(); }
    const std::optional<BatchError>& why_not() const { return why_not_; }
    std::string backend() const {
      if (threads_) return "CPU, " + std::to_string(threads_->threads()) + " threads";
      return on(*this, [](const auto& worlds) {
        if constexpr (requires { worlds.device(); }) return worlds.device();
        return std::string();
      });
    }

    int size() const {
      return on(*this, [](const auto& worlds) { return worlds.size(); });
    }
    std::size_t bytes() const {
      return on(*this, [](const auto& worlds) { return worlds.bytes(); });
    }

    // ---- what a Batch asks of its stepper -------------------------------------------------------

    BatchResult<> run(const WorldModels<S, P>& models, const Rollout<S>& r,
                      std::span<Status> status) {
      auto done = on(*this, [&](auto& worlds) { return worlds.run(models, r, status); });
      if (!done) leave_device(models, done.error(), status);
      return done;
    }
    BatchResult<> reset(const WorldModels<S, P>& models, int first,
                        std::span<const unsigned char> marks, std::span<Status> status) {
      return on(*this, [&](auto& worlds) { return worlds.reset(models, first, marks, status); });
    }
    template <class Matrix>
    BatchResult<> read(std::span<S> out) const {
      return on(*this, [&](auto& worlds) { return worlds.template read<Matrix>(out); });
    }
    template <class Matrix>
    BatchResult<> write(std::span<const S> in) {
      return on(*this, [&](auto& worlds) { return worlds.template write<Matrix>(in); });
    }
    BatchResult<> download(int i, Data<S>& out) const {
      return on(*this, [&](auto& worlds) { return worlds.download(i, out); });
    }
    BatchResult<> upload(int i, const Data<S>& in) {
      return on(*this, [&](auto& worlds) { return worlds.upload(i, in); });
    }
    BatchResult<Capacity> needed() const {
      return on(*this, [](auto& worlds) { return worlds.needed(); });
    }

   private:
    using OnThreads = Threads::Worlds<S, P>;

    // After a failure of the device the worlds go on, on threads, in the reference pose.
    void leave_device([[maybe_unused]] const WorldModels<S, P>& models,
                      [[maybe_unused]] const BatchError& error,
                      [[maybe_unused]] std::span<Status> status) {
#if __has_include(<sycl/sycl.hpp>)
      using Kind = BatchError::Kind;
      const bool failed = error.kind == Kind::device_lost || error.kind == Kind::buffer_readback ||
                          error.kind == Kind::kernel_compilation;
      if (!device_ || !failed) return;
      why_not_ = error;
      threads_.emplace(*model_, device_->size(), Capacity{});
      device_.reset();
      const std::vector<unsigned char> all(status.size(), 1);
      static_cast<void>(threads_->reset(models, 0, all, status));
#endif
    }

    // f on the worlds that exist
    template <class W, class F>
    static decltype(auto) on(W& self, F&& f) {
#if __has_include(<sycl/sycl.hpp>)
      if (self.device_) return f(*self.device_);
#endif
      return f(*self.threads_);
    }

#if __has_include(<sycl/sycl.hpp>)
    using OnDevice = Device<>::Worlds<S, P>;
    std::optional<OnDevice> device_;
#endif
    const Model<S>* model_;
    std::optional<OnThreads> threads_;
    std::optional<BatchError> why_not_;
  };
};

// A batch on a device or, without one, on threads.
template <class S, class P = DefaultPolicies>
using AutoBatch = Batch<S, P, DeviceOrThreads>;

}  // namespace corten
