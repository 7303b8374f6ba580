// SPDX-License-Identifier: Apache-2.0
//
// Devices and their memory. SYCL reports failures by exceptions; here they become values.
#pragma once

#include <corten/batch/error.hpp>
#include <corten/sycl/options.hpp>

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace corten {

// A device of a kind; empty if there is none. If there are several, `index` says which, and counts
// round: processes that share a machine pass their rank there.
inline std::optional<::sycl::device> find_device(
    DeviceOptions::Kind kind = DeviceOptions::Kind::any, int index = 0) {
  const auto pick = [&](const std::vector<::sycl::device>& list) {
    return list[static_cast<std::size_t>(index < 0 ? 0 : index) % list.size()];
  };
  try {
    using Type = ::sycl::info::device_type;
    const bool gpu = kind != DeviceOptions::Kind::cpu, other = kind != DeviceOptions::Kind::gpu;
    if (const auto found = ::sycl::device::get_devices(Type::gpu); gpu && !found.empty())
      return pick(found);
    const auto rest =
        ::sycl::device::get_devices(kind == DeviceOptions::Kind::cpu ? Type::cpu : Type::all);
    if (other && !rest.empty()) return pick(rest);
  } catch (const std::exception&) {
    // a backend that cannot list its devices counts as absent
  }
  return {};
}

// name, vendor and driver, for a report
inline std::string describe(const ::sycl::device& device) {
  namespace info = ::sycl::info::device;
  return device.get_info<info::name>() + " (" + device.get_info<info::vendor>() + ", driver " +
         device.get_info<info::driver_version>() + ")";
}

namespace detail {

// memory of a queue's device, freed with its owner
struct DeviceFree {
  std::optional<::sycl::queue> queue;
  void operator()(void* p) const { ::sycl::free(p, *queue); }
};
template <class T>
using DeviceMemory = std::unique_ptr<T[], DeviceFree>;

// Uninitialised; null if there is not enough memory.
template <class T>
DeviceMemory<T> allocate_device(const ::sycl::queue& queue, std::size_t count) {
  constexpr std::size_t alignment = 64;  // of which the size must be a multiple
  const std::size_t bytes =
      (std::max<std::size_t>(count * sizeof(T), 1) + alignment - 1) / alignment * alignment;
  void* p = ::sycl::aligned_alloc_device(alignment, bytes, queue);
  return DeviceMemory<T>(static_cast<T*>(p), DeviceFree{queue});
}

// did a kernel fail to compile, or is there none for this device?
inline bool is_build_error(const ::sycl::exception& e) {
  return e.code() == ::sycl::errc::build || e.code() == ::sycl::errc::kernel_not_supported;
}

// An in-order queue that keeps asynchronous errors until run() returns them.
struct DeviceQueue {
  struct Lost {
    std::string text;
    bool build = false;
  };
  std::shared_ptr<Lost> lost = std::make_shared<Lost>();
  ::sycl::queue queue;

  explicit DeviceQueue(const ::sycl::device& device)
      : queue(
            device,
            [lost = lost](const ::sycl::exception_list& list) {
              for (const std::exception_ptr& e : list) {
                try {
                  std::rethrow_exception(e);
                } catch (const ::sycl::exception& x) {
                  lost->text += x.what();
                  lost->build = lost->build || is_build_error(x);
                } catch (const std::exception& x) {
                  lost->text += x.what();
                }
              }
            },
            ::sycl::property_list{::sycl::property::queue::in_order{}}) {}

  // Runs work() and waits for the queue. A failure is reported as `kind`.
  template <class F>
  BatchResult<> run(BatchError::Kind kind, F&& work) {
    try {
      work(queue);
      queue.wait_and_throw();
    } catch (const ::sycl::exception& e) {
      return BatchError(is_build_error(e) ? BatchError::Kind::kernel_compilation : kind, e.what());
    } catch (const std::exception& e) {
      return BatchError(kind, e.what());
    }
    if (lost->text.empty()) return {};
    const BatchError error(
        lost->build ? BatchError::Kind::kernel_compilation : BatchError::Kind::device_lost,
        lost->text);
    *lost = Lost{};
    return error;
  }
};

}  // namespace detail
}  // namespace corten
