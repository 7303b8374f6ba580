// SPDX-License-Identifier: Apache-2.0
//
// Device: worlds in the memory of a SYCL device. The stages of the pipeline become kernels
// (sequence.hpp), made of the same functions as on the host.
//
//     auto batch = corten::DeviceBatch<float>::create(model, 4096);
//     if (!batch) return std::puts(batch.error().to_string().c_str());
//     if (auto done = batch->step_all(10); !done) …
//     if (auto done = batch->read_states(states); !done) …
//
// When it pays: it takes thousands of worlds to fill a GPU, and transfers to and from the host
// (states, controls) should be rare compared with steps. On a CPU device a Batch on threads is as
// fast. float is the usual scalar: many GPUs are slow in double precision. The same inputs give the
// same results from run to run, since the queue is in order and no kernel uses atomics.
//
// The layout L is how worlds lie in memory: Contiguous suits a CPU, Strided (each number beside the
// same number of the next world) lets neighbouring threads of a GPU read neighbouring memory. The
// division says how stages become kernels. Both have defaults that suit the devices that the
// program is compiled for.
//
// create() runs every kernel once, on worlds that do not move. Where kernels are compiled at run
// time this takes a while (README.md), and a kernel that does not compile is found there.
//
// The model is copied to the device when the batch is created: later changes, of the timestep for
// example, are not seen. A world with more contacts or rows than there is room for waits until the
// others have taken their steps; then all worlds get more memory, and it goes on. Nothing is lost.
// If the capacity is given, or if the memory is not enough, it keeps its state and gets the status
// contacts_full or rows_full; needed() returns a sufficient capacity.
#pragma once

#include <corten/batch/batch.hpp>
#include <corten/sycl/device_model.hpp>
#include <corten/sycl/sequence.hpp>

#include <limits>
#include <optional>
#include <type_traits>

namespace corten {

// AdaptiveCpp compiles kernels for GPUs, or at run time for whatever there is; otherwise a kernel
// is an ordinary function of this program, on this CPU.
#if defined(__ACPP_ENABLE_LLVM_SSCP_TARGET__) || defined(__ACPP_ENABLE_CUDA_TARGET__) || \
    defined(__ACPP_ENABLE_HIP_TARGET__)
using DeviceLayout = Strided;
using DeviceDivision = Fused;
inline constexpr bool compiles_kernels = true;
#else
using DeviceLayout = Contiguous;
using DeviceDivision = Whole;
inline constexpr bool compiles_kernels = false;
#endif

// The stepper of a Batch on a device.
template <class L = DeviceLayout, class Division = DeviceDivision>
struct Device {
  template <class S, class P>
  class Worlds;
};

// A batch in the memory of a device.
template <class S, class P = DefaultPolicies, class L = DeviceLayout,
          class Division = DeviceDivision>
using DeviceBatch = Batch<S, P, Device<L, Division>>;

// The worlds, and the queue that steps them.
template <class L, class Division>
template <class S, class P>
class Device<L, Division>::Worlds {
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
    if ((divided || !L::contiguous) && model.n.nflex > 0) {
      return BatchError(
          Kind::not_available, "contacts of flexes are not divided into kernels yet",
          "use a Batch, or the division Whole with contiguous worlds on a CPU device");
    }
    const auto device = find_device(options.kind, options.index);
    if (!device) return BatchError(Kind::not_available, "there is no SYCL device of this kind");
    if (sizeof(value_t<S>) == 8 && !device->has(::sycl::aspect::fp64)) {
      return BatchError(Kind::not_available, describe(*device) + " has no double precision",
                        "use float");
    }
    if (auto fits = check_memory(model, worlds, starting(model, capacity), options, *device);
        !fits) {
      return fits.error();
    }
    return make(model, static_cast<int>(worlds), capacity, options, *device);
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
    if (auto done = control(control::Start<S>{there}); !done) return done;
    if (auto done = take_steps(there); !done) return done;
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
    const int width = Matrix::width(host_.first.n);
    if (auto done = control(control::ReadRow<Matrix, S>{rows.get(), width}); !done) return done;
    return fetch(out, static_cast<const S*>(rows.get()));
  }
  template <class Matrix>
  BatchResult<> write(std::span<const S> in) {
    if (size() == 0) return {};
    const auto rows = detail::allocate_device<S>(queue_.queue, in.size());
    if (!rows) return no_room("a matrix");
    if (auto done = send(rows.get(), in); !done) return done;
    const int width = Matrix::width(host_.first.n);
    return control(control::WriteRow<Matrix, S>{rows.get(), width});
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
    if (auto done = control(control::ReadNeeds{counts.get()}); !done) return done.error();
    std::vector<Capacity> all(count);
    if (auto done = fetch(std::span<Capacity>(all), static_cast<const Capacity*>(counts.get()));
        !done) {
      return done.error();
    }
    for (const Capacity& one : all) most = join(most, one);
    return most;
  }

 private:
  using Kernel = DeviceWorlds<S, P, L>;
  static constexpr bool divided = !std::is_same_v<Division, Whole>;

  // what the worlds start with; a step in pieces also keeps hits between its pieces
  static Capacity starting(const Model<S>& model, Capacity asked) {
    Capacity out = batch_capacity(model, asked);
    if (divided && out.hits < 0) out.hits = 16 + 4 * (out.contacts > 0 ? out.contacts : 0);
    return out;
  }

  Worlds(const Model<S>& model, const DeviceOptions& options, const ::sycl::device& device)
      : model_(&model),
        m_(make_ref<P>(model)),
        options_(options),
        team_(options.team > 0  ? options.team
              : device.is_gpu() ? 32
                                : 1),
        queue_(device),
        device_model_(queue_.queue, model) {}

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
                                  const DeviceOptions& options, const ::sycl::device& device) {
    try {
      Worlds worlds(model, options, device);
      worlds.host_.growable = capacity.grow || (capacity.contacts < 0 && capacity.rows < 0) ? 1 : 0;
      if (auto done = worlds.allocate(count, starting(model, capacity)); !done) {
        return done.error();
      }
      const std::vector<unsigned char> all(static_cast<std::size_t>(count), 1);
      if (auto done = worlds.reset_marked(0, all); !done) return done.error();
      if (auto done = worlds.compile(); !done) return done.error();
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
    host_.count = worlds;
    model_view_ = detail::allocate_device<ModelRef<S, P>>(q, 1);
    device_status_ = detail::allocate_device<Status>(q, count);
    progress_ = detail::allocate_device<Progress<S>>(q, count);
    launches_ = detail::allocate_device<int>(q, 1);
    worlds_ = detail::allocate_device<Kernel>(q, 1);
    if (!device_model_.ok() || !model_view_ || !device_status_ || !progress_ || !launches_ ||
        !worlds_) {
      return no_room("the worlds");
    }
    if (auto done = send(model_view_.get(), std::span(&device_model_.view(), 1)); !done)
      return done;
    host_.models = model_view_.get();
    host_.status = device_status_.get();
    host_.progress = progress_.get();
    host_.launches = launches_.get();
    if constexpr (divided) host_.servers = number_servers(m_);
    return make_room(capacity);
  }

  // Memory for worlds of a capacity; the numbers in it are for the caller to set.
  BatchResult<> make_room(Capacity capacity) {
    ::sycl::queue& q = queue_.queue;
    DataRef<S, Contiguous> one;
    one.n = data_sizes<S>(m_, capacity);
    const std::size_t single = arrange(one, nullptr);
    const std::ptrdiff_t stride = stride_for(host_.count);
    DataRef<S, L> first;
    first.n = one.n;
    const std::size_t block = arrange(first, nullptr, stride);
    const std::size_t bytes = L::contiguous ? block * static_cast<std::size_t>(host_.count) : block;
    if (options_.memory_limit > 0 && bytes > options_.memory_limit) return no_room("the worlds");

    auto memory = detail::allocate_device<std::byte>(q, bytes);
    auto staging = detail::allocate_device<std::byte>(q, single);
    if (!memory || !staging) return no_room("the worlds");
    if (auto done = make_lists(first.n); !done) return done;
    arrange(first, memory.get(), stride);
    host_.first = first;
    host_.block = block;
    bytes_ = bytes;
    memory_ = std::move(memory);
    staging_ = std::move(staging);
    return send_worlds();
  }

  // Memory for the lists of pairs to collide.
  BatchResult<> make_lists(const DataSizes& n) {
    if constexpr (!divided) return {};
    ::sycl::queue& q = queue_.queue;
    const auto count = static_cast<std::size_t>(host_.count);
    const auto servers = static_cast<std::size_t>(host_.servers.count);
    const std::size_t blocks = lists::SumBlocks::items(host_.count, host_.servers) + 1;
    auto list = detail::allocate_device<int>(q, 2 * count * static_cast<std::size_t>(n.nhit));
    pair_counts_ = detail::allocate_device<int>(q, servers * count);
    pair_blocks_ = detail::allocate_device<int>(q, blocks);
    if (!list || !pair_counts_ || !pair_blocks_) return no_room("pairs");
    pair_list_ = std::move(list);
    host_.pair_counts = pair_counts_.get();
    host_.pair_blocks = pair_blocks_.get();
    host_.pair_list = pair_list_.get();
    return {};
  }

  BatchResult<> send_worlds() { return send(worlds_.get(), std::span<const Kernel>(&host_, 1)); }

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
    const auto count = static_cast<std::size_t>(size());
    if (!views_) views_ = detail::allocate_device<ModelRef<S, P>>(queue_.queue, count);
    if (!views_) return no_room("varied fields");
    if (auto done = control(control::MakeView<S, P>{model_view_.get(), views_.get(), table_.get(),
                                                    static_cast<int>(table.size())});
        !done) {
      return done;
    }
    host_.models = views_.get();
    host_.own_models = 1;
    if (auto done = send_worlds(); !done) return done;
    sent_ = variations.version();
    return {};
  }

  // ---- kernels ----------------------------------------------------------------------------------

  // the threads of a work-group as a team
  struct Group {
    static constexpr bool many = true;
    const ::sycl::nd_item<1>* item;

    CORTEN_FN int rank() const { return static_cast<int>(item->get_local_id(0)); }
    CORTEN_FN int size() const { return static_cast<int>(item->get_local_range(0)); }
    CORTEN_FN bool leads() const { return rank() == 0; }
    CORTEN_FN void wait() const { ::sycl::group_barrier(item->get_group()); }
  };

  // launches kernels, and counts them
  struct Launch {
    ::sycl::queue& q;
    int team = 1;  // threads
    int count = 0;

    // A third of what a multiprocessor has, so that it can have several teams; 16 kB are enough for
    // the Hessian and the vectors of a humanoid.
    int team_memory() const {
      if (team <= 1) return 0;
      const auto all = q.get_device().template get_info<::sycl::info::device::local_mem_size>();
      return static_cast<int>(std::min<std::uint64_t>(all / 3, 16384));
    }
    template <class K>
    void teams(const K& kernel, std::size_t worlds, int bytes) {
      ++count;
      const auto size = static_cast<std::size_t>(team);
      q.submit([&](::sycl::handler& h) {
        ::sycl::local_accessor<double, 1> memory(static_cast<std::size_t>(bytes + 7) / 8, h);
        h.parallel_for(::sycl::nd_range<1>(worlds * size, size), [kernel, memory,
                                                                  bytes](::sycl::nd_item<1> item) {
          auto* data = reinterpret_cast<Byte*>(&memory[0]);
          kernel(Group{&item}, static_cast<int>(item.get_group_linear_id()), TeamRoom{data, bytes});
        });
      });
    }

    // Runtimes compile a kernel again for each size of work-groups, which they derive from the
    // number of items. So that neither the number of worlds nor their capacity matters, the size is
    // fixed where kernels are compiled at run time.
    template <class K>
    void operator()(const K& kernel, std::size_t items) {
      ++count;
      if constexpr (compiles_kernels) {
        const std::size_t size = q.get_device().is_gpu() ? 64 : 16;
        const ::sycl::nd_range<1> range((items + size - 1) / size * size, size);
        q.parallel_for(range, [kernel, items](::sycl::nd_item<1> item) {
          if (item.get_global_id(0) < items) kernel(item.get_global_id(0));
        });
      } else {
        q.parallel_for(::sycl::range<1>(items), [kernel](::sycl::id<1> i) { kernel(i[0]); });
      }
    }
  };

  // Launches what f(launch) asks for, and checks that every kernel has run: some failures are only
  // printed by the runtime.
  template <class F>
  BatchResult<> launch_all(F&& f) const {
    int zero = 0, ran = 0;
    if (auto done = send(launches_.get(), std::span<const int>(&zero, 1)); !done) return done;
    Launch launch{queue_.queue, team_};
    if (auto done = queue_.run(Kind::device_lost, [&](::sycl::queue&) { f(launch); }); !done) {
      return done;
    }
    if (auto done = fetch(std::span<int>(&ran, 1), static_cast<const int*>(launches_.get()));
        !done) {
      return done;
    }
    if (ran == launch.count) return {};
    return BatchError(Kind::kernel_compilation,
                      std::to_string(launch.count - ran) + " of " + std::to_string(launch.count) +
                          " kernels did not run",
                      "the messages of the SYCL runtime may say why (ACPP_DEBUG_LEVEL=3)");
  }

  template <class Action>
  BatchResult<> control(const Action& action) const {
    if (size() == 0) return {};
    return launch_all([&](Launch& launch) {
      launch(ControlKernel<Kernel, Action>{worlds_.get(), action},
             static_cast<std::size_t>(size()));
    });
  }

  // the kernels of steps `from` … r.steps - 1
  void launch_steps(Launch& launch, const RolloutRef<S>& r, int from) const {
    if constexpr (std::is_same_v<Division, Whole>) {
      using Action = control::TakeSteps<S>;
      launch(ControlKernel<Kernel, Action>{worlds_.get(), Action{r}},
             static_cast<std::size_t>(size()));
    } else {
      Sequence<Division, Kernel, ModelRef<S, P>, Launch> sequence(worlds_.get(), m_, host_.servers,
                                                                  size(), host_.first.n, launch);
      for (int k = from; k < r.steps; ++k) {
        sequence.steps(r, k, k + 1);
        if (k % 16 == 15) queue_.queue.wait();  // runtimes keep a record of each launch until then
      }
    }
  }

  // every kernel, once, on worlds that do not move
  BatchResult<> compile() const {
    if (size() == 0) return {};
    if (auto done = control(control::Rest{}); !done) return done;
    return launch_all([&](Launch& launch) { launch_steps(launch, RolloutRef<S>{1}, 0); });
  }

  // Takes the steps of a rollout, with more memory for those worlds that turn out to need it.
  BatchResult<> take_steps(const RolloutRef<S>& r) {
    int from = 0;
    for (;;) {
      if (auto done = launch_all([&](Launch& launch) { launch_steps(launch, r, from); }); !done) {
        return done;
      }
      if (host_.growable == 0) return {};
      std::vector<Progress<S>> progress(static_cast<std::size_t>(size()));
      if (auto done = fetch(std::span<Progress<S>>(progress),
                            static_cast<const Progress<S>*>(progress_.get()));
          !done) {
        return done;
      }
      from = r.steps;
      for (const Progress<S>& p : progress) {
        if (p.full != 0) from = std::min(from, p.next);
      }
      if (from == r.steps) return {};
      if (auto done = grow(); !done) return done;
      if (auto done = control(control::Resume{}); !done) return done;
    }
  }

  // More memory for all worlds. If there is none, they have to report what does not fit.
  BatchResult<> grow() {
    const auto wanted = needed();
    if (!wanted) return wanted.error();
    const auto before = detail::allocate_device<Kernel>(queue_.queue, 1);
    if (!before) return no_room("the worlds");
    if (auto done = send(before.get(), std::span<const Kernel>(&host_, 1)); !done) return done;
    detail::DeviceMemory<std::byte> kept = std::move(memory_);
    const Kernel old = host_;
    if (auto roomy = make_room(enlarged(capacity(), *wanted)); !roomy) {
      memory_ = std::move(kept);
      host_ = old;
      host_.growable = 0;
      return send_worlds();
    }
    return control(control::Adopt<Kernel>{before.get()});
  }

  BatchResult<> reset_marked(int first, std::span<const unsigned char> marks) {
    const auto marked = detail::allocate_device<unsigned char>(queue_.queue, marks.size());
    if (!marked) return no_room("marks");
    if (auto done = send(marked.get(), marks); !done) return done;
    return control(control::Reset{marked.get(), first, static_cast<int>(marks.size())});
  }

  const Model<S>* model_;
  ModelRef<S, P> m_;  // on the host, as it was when the batch was made
  DeviceOptions options_;
  int team_ = 1;                       // threads that solve a world
  mutable detail::DeviceQueue queue_;  // reading results is work for the device too
  DeviceModel<S, P> device_model_;
  Kernel host_;   // what worlds_ holds on the device
  int sent_ = 0;  // the version of the variations that the device has
  std::size_t bytes_ = 0;
  detail::DeviceMemory<std::byte> memory_, staging_;
  detail::DeviceMemory<Status> device_status_;
  detail::DeviceMemory<Progress<S>> progress_;
  detail::DeviceMemory<int> launches_, pair_counts_, pair_blocks_, pair_list_;
  detail::DeviceMemory<ModelRef<S, P>> model_view_, views_;  // common to all worlds; one each
  detail::DeviceMemory<Kernel> worlds_;
  detail::DeviceMemory<Variation<S>> table_;
  std::vector<detail::DeviceMemory<S>> varied_rows_;
};

}  // namespace corten
