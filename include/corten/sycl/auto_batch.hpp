// SPDX-License-Identifier: Apache-2.0
//
// AutoBatch: a DeviceBatch where a device can take the worlds, else a Batch on CPU threads. It
// always works; why_not() says why it is not on a device. Both take a fixed or guessed capacity;
// that of the CPU grows.
#pragma once

#include <corten/batch/batch.hpp>
#include <corten/sycl/error.hpp>

#if __has_include(<sycl/sycl.hpp>)
#include <corten/sycl/device_batch.hpp>
#endif

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace corten {

template <class S, class P = DefaultPolicies>
class AutoBatch {
 public:
  using StepResult = Result<std::span<const Status>, DeviceError>;

  AutoBatch(const Model<S>& model, int worlds, Capacity capacity = {}, DeviceOptions options = {}) {
#if __has_include(<sycl/sycl.hpp>)
    const auto count = static_cast<std::uint64_t>(worlds < 0 ? 0 : worlds);
    auto made = DeviceBatch<S, P>::create(model, count, capacity, options);
    if (made) {
      device_ = std::make_unique<DeviceBatch<S, P>>(*std::move(made));
      return;
    }
    why_not_ = made.error();
#else
    static_cast<void>(options);
    why_not_ = DeviceError{DeviceErrorKind::not_available, "this program was built without SYCL"};
#endif
    cpu_ = std::make_unique<Batch<S, P>>(model, worlds, capacity);
  }

  // where it runs, for a report; why it is not a device, if it is none
  bool on_device() const { return cpu_ == nullptr; }
  const std::optional<DeviceError>& why_not() const { return why_not_; }
  std::string backend() const {
    if (cpu_) return "CPU, " + std::to_string(cpu_->threads()) + " threads";
    return on([](const auto& batch) {
      if constexpr (requires { batch.device(); }) return batch.device();
      return std::string();
    });
  }

  int size() const {
    return on([](const auto& batch) { return batch.size(); });
  }
  int state_size() const {
    return on([](const auto& batch) { return batch.state_size(); });
  }
  std::span<const Status> status() const {
    return on([](const auto& batch) { return batch.status(); });
  }
  bool all_ok() const {
    return on([](const auto& batch) { return batch.all_ok(); });
  }

  StepResult step_all(int steps = 1) {
    return on([&](auto& batch) -> StepResult { return batch.step_all(steps); });
  }
  StepResult rollout(const Rollout<S>& r) {
    return on([&](auto& batch) -> StepResult {
      auto done = batch.rollout(r);
      if (done) return *done;
      if constexpr (std::is_same_v<std::decay_t<decltype(done.error())>, DeviceError>) {
        return done.error();
      } else {
        return DeviceError{DeviceErrorKind::wrong_size, done.error().to_string()};
      }
    });
  }

  // the same answers as those of a DeviceBatch
  std::optional<DeviceError> reset() {
    return on([](auto& batch) { return answer([&] { return batch.reset(); }); });
  }
  std::optional<DeviceError> reset_where(std::span<const bool> marked) {
    return on([&](auto& batch) { return answer([&] { return batch.reset_where(marked); }); });
  }
  std::optional<DeviceError> read_states(std::span<S> out) {
    return on([&](auto& batch) { return answer([&] { return batch.read_states(out); }); });
  }
  std::optional<DeviceError> write_states(std::span<const S> in) {
    return on([&](auto& batch) { return answer([&] { return batch.write_states(in); }); });
  }
  std::optional<DeviceError> write_controls(std::span<const S> in) {
    return on([&](auto& batch) { return answer([&] { return batch.write_controls(in); }); });
  }
  std::optional<DeviceError> read_sensors(std::span<S> out) {
    return on([&](auto& batch) { return answer([&] { return batch.read_sensors(out); }); });
  }

  // numbers of the model for each world; call again before changing them again
  std::span<S> vary(List<S> Model<S>::*field) {
    return on([&](auto& batch) { return batch.vary(field); });
  }
  template <class T>
  std::span<T> vary(T Option<S>::*option) {
    return on([&](auto& batch) { return batch.vary(option); });
  }
  std::optional<Error> set_model(int i, const Model<S>& edited) {
    return on([&](auto& batch) { return batch.set_model(i, edited); });
  }

 private:
  // f on the batch that there is
  template <class F>
  decltype(auto) on(F&& f) const {
#if __has_include(<sycl/sycl.hpp>)
    if (device_) return f(*device_);
#endif
    return f(*cpu_);
  }

  // a Batch answers with nothing, or with false for a matrix of the wrong size
  template <class F>
  static std::optional<DeviceError> answer(F&& f) {
    using Answer = decltype(f());
    if constexpr (std::is_void_v<Answer>) {
      f();
      return {};
    } else if constexpr (std::is_same_v<Answer, bool>) {
      if (f()) return {};
      return DeviceError{DeviceErrorKind::wrong_size, "the matrix has not the size of the batch"};
    } else {
      return f();
    }
  }

#if __has_include(<sycl/sycl.hpp>)
  std::unique_ptr<DeviceBatch<S, P>> device_;
#endif
  std::unique_ptr<Batch<S, P>> cpu_;
  std::optional<DeviceError> why_not_;
};

}  // namespace corten
