// SPDX-License-Identifier: Apache-2.0
//
// The kernels of a device batch, run one after the other in a loop on the host: no SYCL is needed
// to see that a sequence of kernels computes what a step does.
#include <corten/sycl/sequence.hpp>

#include "../support/model.hpp"

#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <functional>

using namespace corten;

namespace {

// A team whose threads take turns on one thread of the host: each runs until it waits, then the
// next. So it is quick even where other programs keep the cores busy. The order of turns changes
// from wait to wait, so that a thread that reads what another has not written yet, or has written
// already, does so in every run of the test.
class Turns {
 public:
  struct Thread {
    static constexpr bool many = true;
    int number;
    Turns* turns;

    int rank() const { return number; }
    int size() const { return int(turns->threads_.size()); }
    bool leads() const { return number == 0; }
    void wait() const { swapcontext(&turns->threads_[std::size_t(number)], &turns->host_); }
  };

  // f(thread) by all threads of a team
  template <class F>
  void run(int count, F f) {
    work_ = f;
    threads_.resize(std::size_t(count));
    std::vector<std::vector<double>> stacks(threads_.size(), std::vector<double>(1 << 15));
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      REQUIRE(getcontext(&threads_[t]) == 0);
      threads_[t].uc_stack.ss_sp = stacks[t].data();
      threads_[t].uc_stack.ss_size = stacks[t].size() * sizeof(double);
      threads_[t].uc_link = &host_;
      makecontext(&threads_[t], &begin, 0);
    }
    for (running_ = count; running_ > 0;) {
      random_ = random_ * 1103515245u + 12345u;
      const int first = int((random_ >> 16) % unsigned(count)), way = (random_ >> 30) % 2 ? 1 : -1;
      for (int i = 0; i < count; ++i) {
        now_ = {(first + way * i + count) % count, this};
        current = this;
        swapcontext(&host_, &threads_[std::size_t(now_.number)]);
      }
      if (running_ != count && running_ != 0) FAIL("some threads wait for one that has left");
    }
  }

 private:
  static void begin() {
    Turns& turns = *current;
    turns.work_(turns.now_);
    --turns.running_;
  }

  static inline Turns* current = nullptr;
  ucontext_t host_{};
  std::vector<ucontext_t> threads_;
  std::function<void(Thread)> work_;
  Thread now_{};
  int running_ = 0;
  unsigned random_ = 1;
};

// launches by a loop, from the last item to the first: items must not depend on each other
struct Loop {
  int threads = 0, memory = 0;  // of the teams that solve, if any
  int count = 0;

  int team_memory() const { return threads > 0 ? memory : 0; }
  template <class K>
  void teams(const K& kernel, std::size_t worlds, int bytes) {
    ++count;
    std::vector<double> room(std::size_t(bytes) / sizeof(double) + 1);
    const TeamRoom shared{reinterpret_cast<Byte*>(room.data()), bytes};
    for (std::size_t i = 0; i < worlds; ++i) {
      Turns{}.run(threads, [&](const Turns::Thread& t) { kernel(t, int(i), shared); });
    }
  }
  template <class K>
  void operator()(const K& kernel, std::size_t items) {
    ++count;
    for (std::size_t i = items; i > 0; --i) kernel(i - 1);
  }
};

// worlds in the memory of the host, as a device has them
template <class S, class P, class L>
struct HostWorlds {
  using W = DeviceWorlds<S, P, L>;
  ModelRef<S, P> m;
  W worlds;
  std::vector<Status> status;
  std::vector<Progress<S>> progress;
  std::vector<double> memory;
  std::vector<int> counts, blocks, list;
  int launches = 0;

  HostWorlds(const Model<S>& model, int count, Capacity capacity)
      : m(make_ref<P>(model)), status(std::size_t(count)), progress(std::size_t(count)) {
    const std::ptrdiff_t stride = L::contiguous ? 1 : count;
    worlds.models = &m;
    worlds.count = count;
    worlds.first.n = data_sizes<S>(model, capacity);
    worlds.block = arrange(worlds.first, nullptr, stride);
    memory.resize(worlds.block * std::size_t(L::contiguous ? count : 1) / sizeof(double) + 8);
    void* start = memory.data();
    std::size_t room = memory.size() * sizeof(double);
    std::align(64, room - 64, start, room);
    arrange(worlds.first, static_cast<std::byte*>(start), stride);
    worlds.status = status.data();
    worlds.progress = progress.data();
    worlds.launches = &launches;
    worlds.servers = number_servers(m);
    counts.resize(std::size_t(worlds.servers.count * count));
    blocks.resize(lists::SumBlocks::items(count, worlds.servers) + 1);
    list.resize(std::size_t(2 * count * worlds.first.n.nhit));
    worlds.pair_counts = counts.data();
    worlds.pair_blocks = blocks.data();
    worlds.pair_list = list.data();
  }

  // takes steps; returns the number of kernels
  template <class Division>
  int run(int steps, Loop loop = {}) {
    const RolloutRef<S> r{steps};
    Sequence<Division, W, ModelRef<S, P>, Loop> sequence(&worlds, m, worlds.servers, worlds.count,
                                                         worlds.first.n, loop);
    sequence.control(control::Start<S>{r});
    sequence.steps(r, 0, steps);
    return loop.count;
  }
};

template <class L, class Division>
double difference(const Model<double>& model, int steps) {
  const Capacity capacity{.contacts = 100, .rows = 500, .hits = 400};
  HostWorlds<double, DefaultPolicies, L> there(model, 3, capacity);
  std::vector<Data<double>> here(3, Data<double>(model, capacity));
  for (int i = 0; i < 3; ++i) {
    auto& d = here[std::size_t(i)];
    support::perturb(model, d, std::uint64_t(i + 1));
    if (i == 2) d.qpos()[0] = std::numeric_limits<double>::quiet_NaN();  // fails at once
    copy_data(there.worlds.data(i), d.ref());
  }
  const int launched = there.template run<Division>(steps);
  CHECK(there.launches == launched);
  const auto m = bind(model).value();
  double worst = 0;
  for (int i = 0; i < 3; ++i) {
    auto& d = here[std::size_t(i)];
    int bits = 0;
    for (int k = 0; k < steps && goes_on(Status{bits}); ++k) {
      bits |= step(m, d.ref(), BadState::keep).bits;
    }
    CHECK(there.status[std::size_t(i)].bits == bits);
    Data<double> seen(model, capacity);
    copy_data(seen.ref(), there.worlds.data(i));
    for (int k = 0; L::contiguous && k < int(seen.ncon()); ++k) {
      const auto x = std::size_t(k);
      if (seen.ref().contact_dist[int(x)] != d.ref().contact_dist[int(x)]) worst = 1;
    }
    if (seen.ncon() != d.ncon()) worst = 1;
    if (i == 2) continue;
    for (int k = 0; k < model.n.nv; ++k) {
      worst = std::max(worst, std::abs(seen.qvel()[std::size_t(k)] - d.qvel()[std::size_t(k)]));
    }
  }
  return worst;
}

// the velocities of interleaved worlds after some steps
template <class S>
std::vector<S> velocities(const Model<double>& wide, int steps, const Loop& loop) {
  const Model<S> model = cast<S>(wide);
  const Capacity capacity{.contacts = 100, .rows = 500, .hits = 400};
  HostWorlds<S, DefaultPolicies, Strided> there(model, 3, capacity);
  for (int i = 0; i < 3; ++i) {
    Data<S> d(model, capacity);
    support::perturb(wide, d, std::uint64_t(i + 1));
    copy_data(there.worlds.data(i), d.ref());
  }
  there.template run<Fused>(steps, loop);
  std::vector<S> out;
  for (int i = 0; i < 3; ++i) {
    const auto d = there.worlds.data(i);
    CHECK(there.status[std::size_t(i)].ok());
    for (int k = 0; k < model.n.nv; ++k) out.push_back(d.qvel[k]);
    out.push_back(S(d.solver_niter));
  }
  return out;
}

// a stage over the dofs of all worlds
struct Drag {
  struct PerDof {
    static constexpr Over over = Over::item;
    int items(const DataSizes& n) const { return n.nv; }
    template <class M, class D>
    CORTEN_FN void operator()(const M&, const D& d, int dof) const {
      d.qfrc_passive[dof] -= d.qvel[dof];
    }
  };
  template <class M, class F>
  static void parts(const M&, F&& f) {
    f(PerDof{});
  }
  template <class M, class D>
  static void run(const M& m, const D& d) {
    for (int i = 0; i < m.n.nv; ++i) PerDof{}(m, d, i);
  }
};
using WithDrag = Policies<DefaultPipeline::after<stages::Passive, Drag>>;

}  // namespace

TEST_CASE("a step as a sequence of kernels is the same step", "[sycl][000-11.1]") {
  // RK4; contacts; histories of sensors; trees that sleep; soft bodies
  for (const char* name : {"walker", "contacts", "terrain", "sensor_history", "sleep", "soft"}) {
    INFO(name);
    CHECK(difference<Contiguous, Fused>(support::load(name), 30) == 0);
  }
}

TEMPLATE_TEST_CASE("a team of threads solves as one thread does", "[sycl][000-11.1]", float,
                   double) {
  // One island and several, equalities and friction, sleep; a room for everything, and for little.
  // In double the factor is changed row by row, in float it is made anew.
  using S = TestType;
  for (const char* name : {"walker", "contacts", "terrain", "sleep"}) {
    for (const auto method : {Solver::newton, Solver::pgs}) {
      for (const auto cone : {Cone::pyramidal, Cone::elliptic}) {
        INFO(name << ", method " << static_cast<int>(method) << ", cone "
                  << static_cast<int>(cone));
        Model<double> model = support::load(name);
        model.opt.cone = static_cast<int>(cone);
        model.opt.solver = static_cast<int>(method);
        const std::vector<S> alone = velocities<S>(model, 10, {});
        CHECK(velocities<S>(model, 10, {.threads = 3, .memory = 1 << 20}) == alone);
        CHECK(velocities<S>(model, 10, {.threads = 2, .memory = 6000}) == alone);
      }
    }
  }
}

TEST_CASE("a stage over items of worlds is launched for all of them", "[sycl]") {
  const Model<double> model = support::load("actuators");
  const Capacity capacity{.contacts = 50, .rows = 200, .hits = 100};
  HostWorlds<double, WithDrag, Contiguous> there(model, 2, capacity);
  Data<double> here(model, capacity);
  support::perturb(model, here, 1);
  for (int i = 0; i < 2; ++i) copy_data(there.worlds.data(i), here.ref());
  there.run<Apart>(5);
  const auto m = bind<WithDrag>(model).value();
  for (int k = 0; k < 5; ++k) REQUIRE(step(m, here));
  for (int i = 0; i < 2; ++i) {
    Data<double> seen(model, capacity);
    copy_data(seen.ref(), there.worlds.data(i));
    CHECK(std::ranges::equal(seen.qvel(), here.qvel()));
  }
}

TEST_CASE("which colliders a model needs is found with its worlds", "[sycl]") {
  const Model<double> model = support::load("contacts");
  HostWorlds<double, DefaultPolicies, Contiguous> there(model, 2,
                                                        {.contacts = 50, .rows = 200, .hits = 100});
  const int all = there.run<Fused>(1), needed = there.worlds.servers.count;
  REQUIRE(needed > 1);
  there.worlds.servers.count = 0;  // launches go by what was found, and do not look again
  CHECK(there.run<Fused>(1) < all - needed);

  Model<double> meshes = support::load("meshes");
  CHECK(number_servers(bind(meshes).value()).parts == Ccd::small_sides);
  meshes.mesh_polyvertnum[0] = 65;
  CHECK(number_servers(bind(meshes).value()).parts == Ccd::native);
  meshes.opt.disableflags |= disable_nativeccd;
  CHECK(number_servers(bind(meshes).value()).parts == Ccd::portal);
}
