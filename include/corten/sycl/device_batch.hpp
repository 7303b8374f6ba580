// SPDX-License-Identifier: Apache-2.0
//
// DeviceBatch: the worlds of a Batch in the memory of a SYCL device. A step of all worlds is one
// kernel, a work item a world, made of the same stage functions as on the host.
//
//     auto batch = corten::DeviceBatch<float>::create(model, 4096);
//     if (!batch) return std::puts(batch.error().message.c_str());
//     if (auto done = batch->step_all(10); !done) return std::puts(done.error().message.c_str());
//     batch->read_states(states);
//
// When it pays: a world is one thread of the device, so thousands of worlds are needed to fill a
// GPU, and what goes through the host (states, controls) should be little against the steps
// between; on a CPU device a Batch on threads is as fast. float is the usual scalar there: many
// GPUs have little double precision. The same inputs give the same results from run to run:
// in-order queue, no atomics.
//
// The layout L is how worlds lie in memory: Contiguous suits a CPU, Strided (each number beside the
// same number of the next world) lets neighbouring threads of a GPU read neighbouring memory.
//
// Memory does not grow on a device. Contacts and rows beyond the capacity() give a world the status
// contacts_full or rows_full, and leave its state alone; needed() says what would have been enough.
#pragma once

#include <corten/batch/batch.hpp>
#include <corten/sycl/device_model.hpp>
#include <corten/sycl/kernel.hpp>

#include <limits>

namespace corten {

template <class S, class P = DefaultPolicies, class L = Contiguous>
class DeviceBatch {
 public:
  using StepResult = Result<std::span<const Status>, DeviceError>;

  // The model is referred to (it must outlive the batch), and copied to the device as it is now: a
  // later change of the timestep is not seen. Checks, in this order: integrator, device, memory.
  static Result<DeviceBatch, DeviceError> create(const Model<S>& model, std::uint64_t worlds,
                                                 Capacity capacity = {},
                                                 DeviceOptions options = {}) {
    if (!P::Integrators::has(static_cast<Integrator>(model.opt.integrator))) {
      return DeviceError{DeviceErrorKind::unsupported_integrator,
                         "integrator " + std::to_string(model.opt.integrator) +
                             " is not among those that the policies list"};
    }
    const auto device = find_device(options.kind);
    if (!device)
      return DeviceError{DeviceErrorKind::not_available, "no SYCL device of the kind asked for"};
    if (sizeof(value_t<S>) == 8 && !device->has(::sycl::aspect::fp64)) {
      return DeviceError{DeviceErrorKind::not_available,
                         describe(*device) + " has no double precision"};
    }
    if (auto error = too_large(model, worlds, capacity, options, *device)) return *error;
    return make(model, static_cast<int>(worlds), capacity, *device);
  }

  // The same, where the lack of a device is not an error but no value.
  static Result<std::optional<DeviceBatch>, DeviceError> try_create(const Model<S>& model,
                                                                    std::uint64_t worlds,
                                                                    Capacity capacity = {},
                                                                    DeviceOptions options = {}) {
    auto made = create(model, worlds, capacity, options);
    if (made) return std::optional<DeviceBatch>(*std::move(made));
    if (made.error().kind == DeviceErrorKind::not_available) return std::optional<DeviceBatch>{};
    return made.error();
  }

  int size() const { return host_.count; }
  bool empty() const { return size() == 0; }
  const Model<S>& model() const { return *model_; }
  std::string device() const { return describe(queue_.queue.get_device()); }
  Capacity capacity() const { return {host_.first.n.nconmax, host_.first.n.njmax}; }
  std::size_t bytes() const { return bytes_; }  // of all worlds

  // what the last steps said of each world
  std::span<const Status> status() const { return status_; }
  bool all_ok() const {
    for (const Status& s : status_) {
      if (!s.ok()) return false;
    }
    return true;
  }

  // ---- steps ------------------------------------------------------------------------------------

  // timesteps of every world with the controls that it has, all in one kernel
  StepResult step_all(int steps = 1) { return run(RolloutRef<S>{steps}); }

  // many steps from and to matrices (batch/rollout.hpp), in one kernel
  StepResult rollout(const Rollout<S>& r) {
    if (auto problem = check(r, model_->n, size())) {
      return DeviceError{DeviceErrorKind::wrong_size, problem->to_string()};
    }
    if (empty()) return std::span<const Status>(status_);
    const auto room = [&](auto span) {
      return detail::allocate_device<S>(queue_.queue, span.size());
    };
    const auto initial = room(r.initial), controls = room(r.controls);
    const auto states = room(r.states), sensors = room(r.sensors);
    if (!initial || !controls || !states || !sensors) {
      return DeviceError{DeviceErrorKind::batch_too_large,
                         "no room for the matrices of the rollout"};
    }
    if (auto error = send(initial.get(), r.initial)) return *error;
    if (auto error = send(controls.get(), r.controls)) return *error;

    const auto wanted = [](auto& memory, auto span) {
      return span.empty() ? nullptr : memory.get();
    };
    auto result = run({r.steps, wanted(initial, r.initial), wanted(controls, r.controls),
                       wanted(states, r.states), wanted(sensors, r.sensors)});
    if (!result) return result;
    if (auto error = fetch(r.states, states.get())) return *error;
    if (auto error = fetch(r.sensors, sensors.get())) return *error;
    return result;
  }

  // ---- reset: one world (false: there is no such world), the marked ones, all -------------------

  Result<bool, DeviceError> reset(int i) {
    if (i < 0 || i >= size()) return false;
    std::vector<unsigned char> marks(static_cast<std::size_t>(i) + 1, 0);
    marks.back() = 1;
    if (auto error = reset_marked(marks)) return *error;
    return true;
  }
  std::optional<DeviceError> reset_where(std::span<const bool> marked) {
    return reset_marked(std::vector<unsigned char>(marked.begin(), marked.end()));
  }
  std::optional<DeviceError> reset() {
    return reset_marked(std::vector<unsigned char>(static_cast<std::size_t>(size()), 1));
  }

  // ---- row-major matrices, a row a world --------------------------------------------------------

  int state_size() const { return corten::state_size(model_->n); }

  std::optional<DeviceError> read_states(std::span<S> out) {
    return read_rows(out, state_size(),
                     [](const auto& d, const Field<S>& row) { read_state(d, row); });
  }
  std::optional<DeviceError> write_states(std::span<const S> in) {
    return write_rows(in, state_size(),
                      [](const auto& d, const Field<const S>& row) { write_state(d, row); });
  }
  std::optional<DeviceError> write_controls(std::span<const S> in) {
    return write_rows(in, model_->n.nu,
                      [](const auto& d, const Field<const S>& row) { copy(d.ctrl, row, d.n.nu); });
  }
  std::optional<DeviceError> read_sensors(std::span<S> out) {
    return read_rows(out, model_->n.nsensordata, [](const auto& d, const Field<S>& row) {
      copy(row, d.sensordata, d.n.nsensordata);
    });
  }

  // ---- all data of one world --------------------------------------------------------------------

  std::optional<DeviceError> download(int i, Data<S>& out) {
    if (auto error = no_world(i)) return error;
    out = Data<S>(*model_, capacity());
    const auto* worlds = worlds_.get();
    DataRef<S, Contiguous> staged = out.ref();
    arrange(staged, staging_.get());
    if (auto error = queue_.run(DeviceErrorKind::device_lost, [&](::sycl::queue& q) {
          q.single_task([=] { copy_data(staged, worlds->data(i)); });
        })) {
      return error;
    }
    return fetch(out.memory(), staging_.get());
  }
  std::optional<DeviceError> upload(int i, const Data<S>& in) {
    if (auto error = no_world(i)) return error;
    if (in.ref().n.nconmax != capacity().contacts || in.ref().n.njmax != capacity().rows) {
      return DeviceError{DeviceErrorKind::wrong_size, "the data has not the capacity of the batch"};
    }
    if (auto error = send(staging_.get(), in.memory())) return error;
    const auto* worlds = worlds_.get();
    DataRef<S, Contiguous> staged = in.ref();
    arrange(staged, staging_.get());
    return queue_.run(DeviceErrorKind::device_lost, [&](::sycl::queue& q) {
      q.single_task([=] { copy_data(worlds->data(i), staged); });
    });
  }

  // the same worlds on the CPU, to compare with
  Result<Batch<S, P>, DeviceError> cpu_reference(int threads = default_threads()) {
    Batch<S, P> out(*model_, size(), capacity(), threads);
    out.variations() = variations_;
    for (int i = 0; i < size(); ++i) {
      if (auto error = download(i, out[i])) return *error;
    }
    return out;
  }

  // the capacity with which every world would have had room in its last step
  Result<Capacity, DeviceError> needed() {
    Capacity most = capacity();
    const auto counts = detail::allocate_device<int>(queue_.queue, 2 * status_.size());
    if (!counts) return DeviceError{DeviceErrorKind::batch_too_large, "no room for counts"};
    int* out = counts.get();
    const auto* worlds = worlds_.get();
    if (auto error = for_worlds([=](int i) {
          const auto d = worlds->data(i);
          out[2 * i] = d.ncon_needed;
          out[2 * i + 1] = d.nefc_needed;
        })) {
      return *error;
    }
    std::vector<int> all(2 * status_.size());
    if (auto error = fetch(std::span<int>(all), out)) return *error;
    for (std::size_t i = 0; i < status_.size(); ++i) {
      most.contacts = std::max(most.contacts, all[2 * i]);
      most.rows = std::max(most.rows, all[2 * i + 1]);
    }
    return most;
  }

  // ---- worlds with model numbers of their own ---------------------------------------------------

  // As in a Batch. The numbers go to the device with the first step after each of these calls: call
  // again before changing them again.
  std::span<S> vary(List<S> Model<S>::*field) { return varied_ = true, variations_.of(field); }
  template <class T>
  std::span<T> vary(T Option<S>::*option) {
    return varied_ = true, variations_.of(option);
  }
  std::optional<Error> set_model(int i, const Model<S>& edited) {
    if (i < 0 || i >= size())
      return Error{{}, "world " + std::to_string(i), "there is no such world"};
    varied_ = true;
    return variations_.take(i, edited);
  }

 private:
  using Worlds = DeviceWorlds<S, P, L>;

  DeviceBatch(const Model<S>& model, int worlds, const ::sycl::device& device)
      : model_(&model),
        queue_(device),
        device_model_(queue_.queue, model),
        variations_(model, worlds),
        status_(static_cast<std::size_t>(worlds)) {}

  // worlds apart by a number that is no multiple of a large power of two, which would crowd the
  // caches
  static std::ptrdiff_t stride_for(int worlds) {
    const std::ptrdiff_t padded = (static_cast<std::ptrdiff_t>(worlds) + 15) / 16 * 16;
    return L::contiguous ? 1 : padded % 256 == 0 ? padded + 16 : padded;
  }

  static std::optional<DeviceError> too_large(const Model<S>& model, std::uint64_t worlds,
                                              Capacity capacity, const DeviceOptions& options,
                                              const ::sycl::device& device) {
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
    return DeviceError{DeviceErrorKind::batch_too_large,
                       std::to_string(worlds) + " worlds of " + std::to_string(block) + " bytes",
                       worlds, required, limit};
  }

  static Result<DeviceBatch, DeviceError> make(const Model<S>& model, int worlds, Capacity capacity,
                                               const ::sycl::device& device) {
    try {
      DeviceBatch batch(model, worlds, device);
      if (auto error = batch.allocate(worlds, capacity)) return *error;
      if (auto error = batch.reset()) return *error;
      return batch;
    } catch (const std::exception& e) {
      return DeviceError{DeviceErrorKind::device_lost, e.what()};
    }
  }

  std::optional<DeviceError> allocate(int worlds, Capacity capacity) {
    ::sycl::queue& q = queue_.queue;
    host_.m = device_model_.view();
    host_.covered = covers<P>(make_ref<P>(*model_));
    host_.count = worlds;
    host_.first.n = data_sizes<S>(*model_, capacity);

    DataRef<S, Contiguous> one;
    one.n = host_.first.n;
    const std::size_t single = arrange(one, nullptr);
    const std::ptrdiff_t stride = stride_for(worlds);
    host_.block = arrange(host_.first, nullptr, stride);
    bytes_ = L::contiguous ? host_.block * static_cast<std::size_t>(worlds) : host_.block;

    memory_ = detail::allocate_device<std::byte>(q, bytes_);
    staging_ = detail::allocate_device<std::byte>(q, single);
    device_status_ = detail::allocate_device<Status>(q, status_.size());
    worlds_ = detail::allocate_device<Worlds>(q, 1);
    if (!device_model_.ok() || !memory_ || !staging_ || !device_status_ || !worlds_) {
      return DeviceError{DeviceErrorKind::batch_too_large, "the device gave no memory",
                         static_cast<std::uint64_t>(worlds), bytes_, 0};
    }
    arrange(host_.first, memory_.get(), stride);
    host_.status = device_status_.get();
    return send(worlds_.get(), std::span<const Worlds>(&host_, 1));
  }

  // ---- between host and device ------------------------------------------------------------------

  template <class T>
  std::optional<DeviceError> send(std::remove_const_t<T>* to, std::span<T> from) {
    return move(DeviceErrorKind::device_lost, to, from.data(), from.size_bytes());
  }
  template <class T>
  std::optional<DeviceError> fetch(std::span<T> to, const T* from) {
    return move(DeviceErrorKind::buffer_readback, to.data(), from, to.size_bytes());
  }
  std::optional<DeviceError> move(DeviceErrorKind kind, void* to, const void* from,
                                  std::size_t bytes) {
    if (bytes == 0) return {};
    return queue_.run(kind, [&](::sycl::queue& q) { q.memcpy(to, from, bytes); });
  }

  // varied numbers, and the table that points at them
  std::optional<DeviceError> send_variations() {
    if (!varied_) return {};
    const auto list = variations_.list();
    std::vector<Variation<S>> table(list.begin(), list.end());
    varied_rows_.clear();
    for (std::size_t i = 0; i < table.size(); ++i) {
      const std::vector<S>& rows = variations_.rows(static_cast<int>(i));
      varied_rows_.push_back(detail::allocate_device<S>(queue_.queue, rows.size()));
      if (!varied_rows_.back())
        return DeviceError{DeviceErrorKind::batch_too_large, "no room for varied fields"};
      if (auto error = send(varied_rows_.back().get(), std::span<const S>(rows))) return error;
      table[i].rows = varied_rows_.back().get();
    }
    table_ = detail::allocate_device<Variation<S>>(queue_.queue, table.size());
    if (!table_) return DeviceError{DeviceErrorKind::batch_too_large, "no room for varied fields"};
    if (auto error = send(table_.get(), std::span<const Variation<S>>(table))) return error;
    host_.variations = table_.get();
    host_.nvariation = static_cast<int>(table.size());
    if (auto error = send(worlds_.get(), std::span<const Worlds>(&host_, 1))) return error;
    varied_ = false;
    return {};
  }

  // ---- kernels ----------------------------------------------------------------------------------

  // f(world) on the device, for all worlds
  template <class F>
  std::optional<DeviceError> for_worlds(const F& f) {
    if (empty()) return {};
    return queue_.run(DeviceErrorKind::device_lost, [&](::sycl::queue& q) {
      q.parallel_for(::sycl::range<1>(status_.size()),
                     [f](::sycl::id<1> i) { f(static_cast<int>(i[0])); });
    });
  }

  StepResult run(const RolloutRef<S>& r) {
    if (auto error = send_variations()) return *error;
    const Worlds* worlds = worlds_.get();
    if (auto error = for_worlds([=](int i) { roll_world(*worlds, r, i); })) return *error;
    if (auto error = fetch(std::span<Status>(status_), device_status_.get())) return *error;
    return std::span<const Status>(status_);
  }

  // worlds beyond a short list of marks stay as they are
  std::optional<DeviceError> reset_marked(const std::vector<unsigned char>& marks) {
    if (auto error = send_variations()) return error;
    const auto marked = detail::allocate_device<unsigned char>(queue_.queue, marks.size());
    if (!marked) return DeviceError{DeviceErrorKind::batch_too_large, "no room for marks"};
    if (auto error = send(marked.get(), std::span<const unsigned char>(marks))) return error;
    const Worlds* worlds = worlds_.get();
    const unsigned char* mark = marked.get();
    const auto count = static_cast<int>(std::min(marks.size(), status_.size()));
    if (auto error = for_worlds([=](int i) {
          if (i < count && mark[i] != 0) reset_world(*worlds, i);
        })) {
      return error;
    }
    return fetch(std::span<Status>(status_), device_status_.get());
  }

  template <class F>
  std::optional<DeviceError> read_rows(std::span<S> out, int width, const F& read) {
    if (auto error = check_rows(out.size(), width)) return error;
    const auto rows = detail::allocate_device<S>(queue_.queue, out.size());
    if (!rows) return DeviceError{DeviceErrorKind::batch_too_large, "no room for a matrix"};
    S* to = rows.get();
    const Worlds* worlds = worlds_.get();
    if (auto error = for_worlds([=](int i) {
          read(worlds->data(i), Field<S>{to + static_cast<std::ptrdiff_t>(i) * width});
        })) {
      return error;
    }
    return fetch(out, static_cast<const S*>(to));
  }

  template <class F>
  std::optional<DeviceError> write_rows(std::span<const S> in, int width, const F& write) {
    if (auto error = check_rows(in.size(), width)) return error;
    const auto rows = detail::allocate_device<S>(queue_.queue, in.size());
    if (!rows) return DeviceError{DeviceErrorKind::batch_too_large, "no room for a matrix"};
    if (auto error = send(rows.get(), in)) return error;
    const S* from = rows.get();
    const Worlds* worlds = worlds_.get();
    return for_worlds([=](int i) {
      write(worlds->data(i), Field<const S>{from + static_cast<std::ptrdiff_t>(i) * width});
    });
  }

  std::optional<DeviceError> check_rows(std::size_t got, int width) const {
    if (got == status_.size() * static_cast<std::size_t>(width)) return {};
    return DeviceError{DeviceErrorKind::wrong_size,
                       "a matrix of " + std::to_string(got) + " numbers; " +
                           std::to_string(size()) + " × " + std::to_string(width) + " are needed"};
  }
  std::optional<DeviceError> no_world(int i) const {
    if (i >= 0 && i < size()) return {};
    return DeviceError{DeviceErrorKind::wrong_size, "there is no world " + std::to_string(i)};
  }

  const Model<S>* model_;
  detail::DeviceQueue queue_;
  DeviceModel<S, P> device_model_;
  Variations<S, P> variations_;
  bool varied_ = false;
  std::vector<Status> status_;
  Worlds host_;  // what worlds_ holds on the device
  std::size_t bytes_ = 0;
  detail::DeviceMemory<std::byte> memory_, staging_;
  detail::DeviceMemory<Status> device_status_;
  detail::DeviceMemory<Worlds> worlds_;
  detail::DeviceMemory<Variation<S>> table_;
  std::vector<detail::DeviceMemory<S>> varied_rows_;
};

}  // namespace corten
