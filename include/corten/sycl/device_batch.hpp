// SPDX-License-Identifier: Apache-2.0
//
// Device: worlds in the memory of a SYCL device. A step of all worlds is one kernel with one work
// item per world, made of the same stage functions as on the host.
//
//     auto batch = corten::DeviceBatch<float>::create(model, 4096);
//     if (!batch) return std::puts(batch.error().to_string().c_str());
//     if (auto done = batch->step_all(10); !done) …
//     if (auto done = batch->read_states(states); !done) …
//
// When it pays: a world is one thread of the device, so it takes thousands of worlds to fill a GPU,
// and transfers to and from the host (states, controls) should be rare compared with steps. On a
// CPU device a Batch on threads is as fast. float is the usual scalar: many GPUs are slow in double
// precision. The same inputs give the same results from run to run, since the queue is in order and
// no kernel uses atomics.
//
// The layout L is how worlds lie in memory: Contiguous suits a CPU, Strided (each number beside the
// same number of the next world) lets neighbouring threads of a GPU read neighbouring memory.
//
// The model is copied to the device when the batch is created: later changes, of the timestep for
// example, are not seen. Memory does not grow on a device. A world with more contacts or rows than
// capacity() keeps its state and gets the status contacts_full or rows_full; needed() returns a
// sufficient capacity.
#pragma once

#include <corten/batch/batch.hpp>
#include <corten/sycl/device_model.hpp>
#include <corten/sycl/kernel.hpp>

#include <limits>
#include <type_traits>

namespace corten {

template <class L = Contiguous>
struct Device {
  template <class S, class P>
  class Worlds;
};

// A batch in the memory of a device.
template <class S, class P = DefaultPolicies, class L = Contiguous>
using DeviceBatch = Batch<S, P, Device<L>>;

// The worlds, and the queue that steps them.
template <class L>
template <class S, class P>
class Device<L>::Worlds {
  static_assert(std::is_trivially_copyable_v<S>,
                "corten: this scalar is not trivially copyable, as devices need it");
  using Kind = BatchError::Kind;

 public:
  static constexpr bool on_host = false;

  // Checks, in this order: integrator, device, memory.
  static BatchResult<Worlds> create(const Model<S>& model, std::uint64_t worlds, Capacity capacity,
                                    DeviceOptions options = {}) {
    if (!P::Integrators::has(static_cast<Integrator>(model.opt.integrator))) {
      return BatchError(
          Kind::unsupported_integrator,
          "the policies do not list integrator " + std::to_string(model.opt.integrator),
          "add it to Integrators<…>");
    }
    const auto device = find_device(options.kind);
    if (!device) return BatchError(Kind::not_available, "there is no SYCL device of this kind");
    if (sizeof(value_t<S>) == 8 && !device->has(::sycl::aspect::fp64)) {
      return BatchError(Kind::not_available, describe(*device) + " has no double precision",
                        "use float");
    }
    if (auto fits = check_memory(model, worlds, capacity, options, *device); !fits) {
      return fits.error();
    }
    return make(model, static_cast<int>(worlds), capacity, *device);
  }

  int size() const { return worlds_ ? host_.count : 0; }  // none if it was moved from
  std::string device() const { return describe(queue_.queue.get_device()); }
  Capacity capacity() const { return host_.first.n.capacity(); }
  std::size_t bytes() const { return bytes_; }

  // ---- what a Batch asks of its stepper ---------------------------------------------------------

  BatchResult<> run(const WorldModels<S, P>& models, const Rollout<S>& r,
                    std::span<Status> status) {
    if (size() == 0) return {};
    if (auto done = send_variations(models.variations()); !done) return done;
    const auto room = [&](auto span) {
      return detail::allocate_device<S>(queue_.queue, span.size());
    };
    const auto initial = room(r.initial), controls = room(r.controls);
    const auto states = room(r.states), sensors = room(r.sensors);
    if (!initial || !controls || !states || !sensors) return no_room("the rollout's matrices");
    if (auto done = send(initial.get(), r.initial); !done) return done;
    if (auto done = send(controls.get(), r.controls); !done) return done;

    const auto wanted = [](auto& memory, auto span) {
      return span.empty() ? nullptr : memory.get();
    };
    const RolloutRef<S> there{r.steps, wanted(initial, r.initial), wanted(controls, r.controls),
                              wanted(states, r.states), wanted(sensors, r.sensors)};
    const Kernel* worlds = worlds_.get();
    if (auto done = for_worlds([=](int i) { roll_world(*worlds, there, i); }); !done) return done;
    if (auto done = fetch(status, device_status_.get()); !done) return done;
    if (auto done = fetch(r.states, states.get()); !done) return done;
    return fetch(r.sensors, sensors.get());
  }

  BatchResult<> reset(const WorldModels<S, P>& models, int first,
                      std::span<const unsigned char> marks, std::span<Status> status) {
    if (size() == 0) return {};
    if (auto done = send_variations(models.variations()); !done) return done;
    if (auto done = reset_marked(first, marks); !done) return done;
    return fetch(status, device_status_.get());
  }

  template <class Matrix>
  BatchResult<> read(std::span<S> out) const {
    if (size() == 0) return {};
    const auto rows = detail::allocate_device<S>(queue_.queue, out.size());
    if (!rows) return no_room("a matrix");
    S* to = rows.get();
    const Kernel* worlds = worlds_.get();
    const int width = Matrix::width(host_.first.n);
    if (auto done = for_worlds([=](int i) {
          Matrix::read(worlds->data(i), Field<S>{to + static_cast<std::ptrdiff_t>(i) * width});
        });
        !done) {
      return done;
    }
    return fetch(out, static_cast<const S*>(to));
  }
  template <class Matrix>
  BatchResult<> write(std::span<const S> in) {
    if (size() == 0) return {};
    const auto rows = detail::allocate_device<S>(queue_.queue, in.size());
    if (!rows) return no_room("a matrix");
    if (auto done = send(rows.get(), in); !done) return done;
    const S* from = rows.get();
    const Kernel* worlds = worlds_.get();
    const int width = Matrix::width(host_.first.n);
    return for_worlds([=](int i) {
      Matrix::write(worlds->data(i), Field<const S>{from + static_cast<std::ptrdiff_t>(i) * width});
    });
  }

  BatchResult<> download(int i, Data<S>& out) const {
    out = Data<S>(*model_, capacity());
    if (auto same = check_layout(out); !same) return same;
    const Kernel* worlds = worlds_.get();
    DataRef<S, Contiguous> staged = out.ref();
    arrange(staged, staging_.get());
    if (auto done = queue_.run(
            Kind::device_lost,
            [&](::sycl::queue& q) { q.single_task([=] { copy_data(staged, worlds->data(i)); }); });
        !done) {
      return done;
    }
    return fetch(out.memory(), staging_.get());
  }
  BatchResult<> upload(int i, const Data<S>& in) {
    if (auto same = check_layout(in); !same) return same;
    if (auto done = send(staging_.get(), in.memory()); !done) return done;
    const Kernel* worlds = worlds_.get();
    DataRef<S, Contiguous> staged = in.ref();
    arrange(staged, staging_.get());
    return queue_.run(Kind::device_lost, [&](::sycl::queue& q) {
      q.single_task([=] { copy_data(worlds->data(i), staged); });
    });
  }

  BatchResult<Capacity> needed() const {
    Capacity most = capacity();
    if (size() == 0) return most;
    const auto count = static_cast<std::size_t>(size());
    const auto counts = detail::allocate_device<Capacity>(queue_.queue, count);
    if (!counts) return no_room("counts").error();
    Capacity* out = counts.get();
    const Kernel* worlds = worlds_.get();
    if (auto done = for_worlds([=](int i) { out[i] = capacity_needed(worlds->data(i)); }); !done) {
      return done.error();
    }
    std::vector<Capacity> all(count);
    if (auto done = fetch(std::span<Capacity>(all), out); !done) return done.error();
    for (const Capacity& one : all) most = join(most, one);
    return most;
  }

 private:
  using Kernel = DeviceWorlds<S, P, L>;

  Worlds(const Model<S>& model, const ::sycl::device& device)
      : model_(&model), queue_(device), device_model_(queue_.queue, model) {}

  // Worlds that are a large power of two apart would compete for the same lines of the caches.
  static std::ptrdiff_t stride_for(int worlds) {
    const std::ptrdiff_t padded = (static_cast<std::ptrdiff_t>(worlds) + 15) / 16 * 16;
    return L::contiguous ? 1 : padded % 256 == 0 ? padded + 16 : padded;
  }

  static BatchResult<> check_memory(const Model<S>& model, std::uint64_t worlds, Capacity capacity,
                                    const DeviceOptions& options, const ::sycl::device& device) {
    DataRef<S, Contiguous> one;
    one.n = data_sizes<S>(model, capacity);
    const std::uint64_t block = arrange(one, nullptr);
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t required = worlds > 0 && block > most / worlds ? most : block * worlds;
    std::uint64_t limit =
        std::min<std::uint64_t>(device.get_info<::sycl::info::device::max_mem_alloc_size>(),
                                device.get_info<::sycl::info::device::global_mem_size>());
    if (options.memory_limit > 0) limit = std::min(limit, options.memory_limit);
    constexpr std::uint64_t countable = std::numeric_limits<int>::max();
    if (worlds <= countable && required <= limit) return {};
    BatchError error(Kind::batch_too_large, std::to_string(worlds) + " worlds of " +
                                                std::to_string(block) + " bytes do not fit");
    error.worlds = worlds;
    error.required = required;
    error.limit = limit;
    return error;
  }

  static BatchResult<Worlds> make(const Model<S>& model, int count, Capacity capacity,
                                  const ::sycl::device& device) {
    try {
      Worlds worlds(model, device);
      if (auto done = worlds.allocate(count, capacity); !done) return done.error();
      const std::vector<unsigned char> all(static_cast<std::size_t>(count), 1);
      if (auto done = worlds.reset_marked(0, all); !done) return done.error();
      return worlds;
    } catch (const std::exception& e) {
      return BatchError(Kind::device_lost, e.what());
    }
  }

  // Is this data laid out as the worlds are? It depends on capacity, solver and integrator.
  BatchResult<> check_layout(const Data<S>& data) const {
    if (data.ref().n == host_.first.n) return {};
    return BatchError(Kind::wrong_size,
                      "the data has another capacity than the batch, or its model other options",
                      "make it with the batch's capacity(), and leave the model's options alone");
  }

  static BatchResult<> no_room(const char* what) {
    return BatchError(Kind::batch_too_large, std::string("the device has no memory for ") + what);
  }

  BatchResult<> allocate(int worlds, Capacity capacity) {
    ::sycl::queue& q = queue_.queue;
    const auto count = static_cast<std::size_t>(worlds);
    host_.m = device_model_.view();
    host_.count = worlds;
    host_.first.n = data_sizes<S>(*model_, capacity);

    DataRef<S, Contiguous> one;
    one.n = host_.first.n;
    const std::size_t single = arrange(one, nullptr);
    const std::ptrdiff_t stride = stride_for(worlds);
    host_.block = arrange(host_.first, nullptr, stride);
    bytes_ = L::contiguous ? host_.block * count : host_.block;

    memory_ = detail::allocate_device<std::byte>(q, bytes_);
    staging_ = detail::allocate_device<std::byte>(q, single);
    device_status_ = detail::allocate_device<Status>(q, count);
    worlds_ = detail::allocate_device<Kernel>(q, 1);
    if (!device_model_.ok() || !memory_ || !staging_ || !device_status_ || !worlds_) {
      return no_room("the worlds");
    }
    arrange(host_.first, memory_.get(), stride);
    host_.status = device_status_.get();
    return send(worlds_.get(), std::span<const Kernel>(&host_, 1));
  }

  // ---- between host and device ------------------------------------------------------------------

  template <class T>
  BatchResult<> send(std::remove_const_t<T>* to, std::span<T> from) const {
    return move(Kind::device_lost, to, from.data(), from.size_bytes());
  }
  template <class T>
  BatchResult<> fetch(std::span<T> to, const T* from) const {
    return move(Kind::buffer_readback, to.data(), from, to.size_bytes());
  }
  BatchResult<> move(Kind kind, void* to, const void* from, std::size_t bytes) const {
    if (bytes == 0) return {};
    return queue_.run(kind, [&](::sycl::queue& q) { q.memcpy(to, from, bytes); });
  }

  // varied numbers, and the table that points at them
  BatchResult<> send_variations(const Variations<S, P>& variations) {
    if (variations.version() == sent_) return {};
    const auto list = variations.list();
    std::vector<Variation<S>> table(list.begin(), list.end());
    varied_rows_.clear();
    for (std::size_t i = 0; i < table.size(); ++i) {
      const std::vector<S>& rows = variations.rows(static_cast<int>(i));
      varied_rows_.push_back(detail::allocate_device<S>(queue_.queue, rows.size()));
      if (!varied_rows_.back()) return no_room("varied fields");
      if (auto done = send(varied_rows_.back().get(), std::span<const S>(rows)); !done) return done;
      table[i].rows = varied_rows_.back().get();
    }
    table_ = detail::allocate_device<Variation<S>>(queue_.queue, table.size());
    if (!table_) return no_room("varied fields");
    if (auto done = send(table_.get(), std::span<const Variation<S>>(table)); !done) return done;
    host_.variations = table_.get();
    host_.nvariation = static_cast<int>(table.size());
    if (auto done = send(worlds_.get(), std::span<const Kernel>(&host_, 1)); !done) return done;
    sent_ = variations.version();
    return {};
  }

  // ---- kernels ----------------------------------------------------------------------------------

  // f(world) on the device, for all worlds
  template <class F>
  BatchResult<> for_worlds(const F& f) const {
    if (size() == 0) return {};
    return queue_.run(Kind::device_lost, [&](::sycl::queue& q) {
      q.parallel_for(::sycl::range<1>(static_cast<std::size_t>(size())),
                     [f](::sycl::id<1> i) { f(static_cast<int>(i[0])); });
    });
  }

  BatchResult<> reset_marked(int first, std::span<const unsigned char> marks) {
    const auto marked = detail::allocate_device<unsigned char>(queue_.queue, marks.size());
    if (!marked) return no_room("marks");
    if (auto done = send(marked.get(), marks); !done) return done;
    const Kernel* worlds = worlds_.get();
    const unsigned char* mark = marked.get();
    const int count = static_cast<int>(marks.size());
    return for_worlds([=](int i) {
      if (i >= first && i - first < count && mark[i - first] != 0) reset_world(*worlds, i);
    });
  }

  const Model<S>* model_;
  mutable detail::DeviceQueue queue_;  // reading results is work for the device too
  DeviceModel<S, P> device_model_;
  Kernel host_;   // what worlds_ holds on the device
  int sent_ = 0;  // the version of the variations that the device has
  std::size_t bytes_ = 0;
  detail::DeviceMemory<std::byte> memory_, staging_;
  detail::DeviceMemory<Status> device_status_;
  detail::DeviceMemory<Kernel> worlds_;
  detail::DeviceMemory<Variation<S>> table_;
  std::vector<detail::DeviceMemory<S>> varied_rows_;
};

}  // namespace corten
