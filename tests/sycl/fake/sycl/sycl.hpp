// SPDX-License-Identifier: Apache-2.0
//
// As much of SYCL as corten/sycl uses, in ordinary C++: a device whose kernels are loops and which
// fails when a test tells it to. Devices that fail on request are rare; what corten does then can
// be tried on any machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sycl {

enum class errc { runtime, build, kernel_not_supported };

struct exception : std::runtime_error {
  exception(errc code, const std::string& text) : std::runtime_error(text), code_(code) {}
  errc code() const { return code_; }

 private:
  errc code_;
};
using exception_list = std::vector<std::exception_ptr>;

// ---- what the test decides ----------------------------------------------------------------------

enum class Failure {
  none,
  refuses,  // a kernel does not compile: an exception when it is launched
  later,    // the same, reported when the queue is waited for
  silent,   // a kernel is not run, and nobody says so
  copy,     // copies from and to the device fail
  memory    // there is no memory
};
struct Fake {
  Failure failure = Failure::none;
  int after = 0;     // this many launches or allocations succeed first
  int launches = 0;  // so far
  bool gpu = true;
};
inline Fake fake;

// is it time to fail in this way?
inline bool fails(Failure way) { return fake.failure == way && fake.after-- <= 0; }

// ---- devices ------------------------------------------------------------------------------------

enum class aspect { fp64 };
namespace info {
enum class device_type { cpu, gpu, all };
namespace device {
struct name {
  static std::string value() { return "a fake"; }
};
struct vendor {
  static std::string value() { return "nobody"; }
};
struct driver_version {
  static std::string value() { return "0"; }
};
struct max_mem_alloc_size {
  static std::uint64_t value() { return std::uint64_t(1) << 30; }
};
struct global_mem_size : max_mem_alloc_size {};
struct local_mem_size {
  static std::uint64_t value() { return 48 * 1024; }
};
}  // namespace device
}  // namespace info

struct device {
  static std::vector<device> get_devices(info::device_type type) {
    const bool there =
        type == info::device_type::all || (type == info::device_type::gpu) == fake.gpu;
    return std::vector<device>(there ? 1 : 0);
  }
  template <class Info>
  auto get_info() const {
    return Info::value();
  }
  bool is_gpu() const { return fake.gpu; }
  bool is_cpu() const { return !fake.gpu; }
  bool has(aspect) const { return true; }
};

// ---- ranges: one dimension, work-groups of one item ---------------------------------------------

template <int>
struct range {
  std::size_t size;
  explicit range(std::size_t n) : size(n) {}
};
template <int>
struct id {
  std::size_t at;
  std::size_t operator[](int) const { return at; }
};
template <int>
struct nd_range {
  std::size_t all, local;
  nd_range(std::size_t items, std::size_t in_group) : all(items), local(in_group) {}
};
struct group {};
inline void group_barrier(const group&) {}
template <int>
struct nd_item {
  std::size_t number;
  std::size_t get_global_id(int) const { return number; }
  std::size_t get_local_id(int) const { return 0; }
  std::size_t get_local_range(int) const { return 1; }
  std::size_t get_group_linear_id() const { return number; }
  group get_group() const { return {}; }
};

// ---- queues -------------------------------------------------------------------------------------

// runs or fails
template <class F>
void launch(std::exception_ptr& pending, F&& run) {
  ++fake.launches;
  const auto refusal = exception(errc::build, "this kernel does not compile");
  if (fails(Failure::refuses)) throw refusal;
  if (fails(Failure::later)) {
    pending = std::make_exception_ptr(refusal);
    return;
  }
  if (!fails(Failure::silent)) run();
}

struct handler {
  std::exception_ptr* pending;
  template <class F>
  void parallel_for(nd_range<1> r, const F& f) {
    launch(*pending, [&] {
      for (std::size_t i = 0; i < r.all / r.local; ++i) f(nd_item<1>{i});
    });
  }
};
template <class T, int>
struct local_accessor {
  T* memory;
  local_accessor(std::size_t, handler&) : memory(nullptr) {}
  T& operator[](std::size_t i) const { return memory[i]; }
};

namespace property::queue {
struct in_order {};
}  // namespace property::queue
struct property_list {
  explicit property_list(property::queue::in_order) {}
};

struct event {
  void wait() const {}
};
class queue {
 public:
  template <class Handler>
  queue(const device& d, Handler&& errors, const property_list&) : device_(d), errors_(errors) {}

  const device& get_device() const { return device_; }
  event memcpy(void* to, const void* from, std::size_t bytes) {
    if (fails(Failure::copy)) throw exception(errc::runtime, "the bus is broken");
    std::memcpy(to, from, bytes);
    return {};
  }
  template <class F>
  void parallel_for(range<1> r, const F& f) {
    launch(pending_, [&] {
      for (std::size_t i = 0; i < r.size; ++i) f(id<1>{i});
    });
  }
  template <class F>
  void single_task(const F& f) {
    launch(pending_, f);
  }
  template <class F>
  void submit(const F& f) {
    handler h{&pending_};
    f(h);
  }
  void wait() {}
  void wait_and_throw() {
    if (!pending_) return;
    const exception_list list{std::exchange(pending_, nullptr)};
    errors_(list);
  }

 private:
  device device_;
  std::function<void(const exception_list&)> errors_;
  std::exception_ptr pending_;
};

inline void* aligned_alloc_device(std::size_t alignment, std::size_t bytes, const queue&) {
  return fails(Failure::memory) ? nullptr : std::aligned_alloc(alignment, bytes);
}
inline void free(void* p, const queue&) { std::free(p); }

}  // namespace sycl
