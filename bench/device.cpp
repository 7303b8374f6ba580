// SPDX-License-Identifier: Apache-2.0
//
// What a step costs on a GPU, as far as it can be computed without one.
//
//     bench_device MODEL.xml [WORLDS] [REGISTERS]
//
// Takes a world that has settled for 500 steps through one more step, kernel by kernel
// (sycl/sequence.hpp), and counts every access to a field of its data: accesses, distinct bytes,
// and the 32-byte sectors that a warp of 32 worlds moves if worlds are interleaved or contiguous.
// REGISTERS is a table of kernel, registers and stack, by name, as ptxas -v reports them.
// From both follows an estimate for named GPUs. It is a model with these assumptions, not a
// measurement:
//
//   - the worlds of a warp do the same, so that each access of an interleaved field is coalesced
//   - a number comes from DRAM when a kernel first touches it; later accesses hit the L1 cache if
//     the numbers of all resident worlds fit there, else the L2 cache
//   - a thread has two accesses under way at a time; arithmetic hides behind memory
//   - as many warps are resident as registers allow; a launch takes 4 µs; model fields are cached
//
// A team of 32 threads solves a world (solver/together.hpp), and is run by as many here. What
// its first thread does counts, since no other does more: its accesses to the data and to the local
// memory of the team, and how often it waits for the others.
//
//   - an access to local memory takes 29 cycles, a wait 30
//   - as many teams are resident as registers and local memory allow
#include <corten/corten.hpp>
#include <corten/sycl/sequence.hpp>

#include <cxxabi.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <typeinfo>
#include <unordered_set>
#include <vector>

namespace corten {

// A layout whose accesses are counted.
struct Counted {
  static constexpr bool contiguous = false;
  std::ptrdiff_t step = 1;
  constexpr std::ptrdiff_t index(int i) const { return i; }
};

namespace traffic {
// of a thread
inline thread_local long accesses = 0, bytes = 0, local = 0;

// of all threads
inline std::mutex mutex;
inline std::unordered_set<const void*> places;
inline long distinct = 0;
inline const Byte *room = nullptr, *room_end = nullptr;

inline void note(const void* at, std::size_t size) {
  if (at >= room && at < room_end) {
    ++local;
    return;
  }
  ++accesses;
  bytes += static_cast<long>(size);
  const std::lock_guard lock(mutex);
  if (places.insert(at).second) distinct += static_cast<long>(size);
}
inline void clear() {
  accesses = bytes = local = distinct = 0;
  places.clear();
}
}  // namespace traffic

template <class T>
struct Field<T, Counted> {
  using Value = T;
  T* data = nullptr;
  Counted layout{};

  T& operator[](int i) const {
    traffic::note(data + i, sizeof(T));
    return data[i];
  }
  Field from(int i) const { return {data + i, layout}; }
};

}  // namespace corten

using namespace corten;

namespace {

struct Kernel {
  std::string name;
  int launches = 0;
  long accesses = 0, bytes = 0, distinct = 0;
  long local = 0, waits = 0;  // of a team's first thread
  int room = 0;               // of a team, in bytes
};

constexpr int team_size = 32, team_memory = 16384;

// a thread of the team
struct Member {
  static constexpr bool many = true;
  int number;
  std::barrier<>* barrier;
  long* waits;

  int rank() const { return number; }
  int size() const { return team_size; }
  bool leads() const { return number == 0; }
  void wait() const {
    if (leads()) ++*waits;
    barrier->arrive_and_wait();
  }
};

// the part or action of a kernel, without namespaces
template <class K>
std::string name_of() {
  const char* mangled = [] {
    if constexpr (requires { &K::part; }) {
      return typeid(decltype(K::part)).name();
    } else {
      return typeid(decltype(K::action)).name();
    }
  }();
  char* text = abi::__cxa_demangle(mangled, nullptr, nullptr, nullptr);
  std::string out = text;
  std::free(text);
  for (const char* prefix :
       {"corten::", "detail::", "stages::", "control::", "lists::", "WholeStage<"}) {
    for (std::size_t at; (at = out.find(prefix)) != std::string::npos;) {
      out.erase(at, std::string(prefix).size());
    }
  }
  std::erase_if(out, [](char c) { return c == ' ' || c == '>'; });
  return out.substr(0, 48);
}

// runs kernels in a loop, and counts
struct Count {
  std::vector<Kernel> kernels;

  int team_memory() const { return ::team_memory; }

  // one world
  template <class K>
  void teams(const K& kernel, std::size_t, int bytes) {
    traffic::clear();
    std::vector<double> room(static_cast<std::size_t>(bytes) / sizeof(double) + 1);
    auto* const data = reinterpret_cast<Byte*>(room.data());
    traffic::room = data, traffic::room_end = data + bytes;
    std::barrier<> barrier(team_size);
    long waits = 0;
    const auto work = [&](int t) { kernel(Member{t, &barrier, &waits}, 0, TeamRoom{data, bytes}); };
    std::vector<std::thread> others;
    for (int t = 1; t < team_size; ++t) others.emplace_back(work, t);
    work(0);
    for (std::thread& t : others) t.join();
    Kernel& k = add<K>();
    k.local += traffic::local;
    k.waits += waits;
    k.room = bytes;
    traffic::room = traffic::room_end = nullptr;
  }

  template <class K>
  void operator()(const K& kernel, std::size_t items) {
    traffic::clear();
    for (std::size_t i = 0; i < items; ++i) kernel(i);
    add<K>();
  }

 private:
  template <class K>
  Kernel& add() {
    const std::string name = name_of<K>();
    auto at = std::find_if(kernels.begin(), kernels.end(),
                           [&](const Kernel& k) { return k.name == name; });
    if (at == kernels.end()) at = kernels.insert(kernels.end(), Kernel{name});
    ++at->launches;
    at->accesses += traffic::accesses;
    at->bytes += traffic::bytes;
    at->distinct += traffic::distinct;
    return *at;
  }
};

struct Gpu {
  const char* name;
  double sms, ghz, dram, l2;  // GB/s
  double local;               // bytes of local memory of a multiprocessor
};
constexpr Gpu gpus[] = {{"A100 40 GB", 108, 1.41, 1555, 5000, 164e3},
                        {"H100 SXM", 132, 1.75, 3350, 7500, 228e3}};

// seconds of a kernel with a team per world
double team_seconds(const Gpu& gpu, const Kernel& k, int registers, double worlds) {
  const double by_registers = std::floor(65536.0 / (team_size * registers));
  const double by_memory = std::floor(gpu.local / (k.room + 1024.0));
  const double resident = std::min({32.0, by_registers, by_memory});
  const double wanted = std::max(1.0, worlds / gpu.sms);
  const double first = static_cast<double>(k.distinct) / 4 / team_size;
  const double again = std::max(0.0, static_cast<double>(k.accesses) - first);
  const double local = static_cast<double>(k.local), waits = static_cast<double>(k.waits);
  const double cycles = (first * 470 + again * 200 + local * 29) / 2 + waits * 30;
  const double latency = cycles / (gpu.ghz * 1e9) * std::max(1.0, wanted / resident);
  const double issue = wanted * (again + local) / (gpu.ghz * 1e9);  // an access per cycle
  const double dram = worlds * static_cast<double>(k.distinct) * 8 / (gpu.dram * 1e9);
  return std::max({latency, issue, dram}) + k.launches * 4e-6;
}

// seconds of one kernel for many worlds
double seconds(const Gpu& gpu, const Kernel& k, int registers, double worlds) {
  if (k.room > 0) return team_seconds(gpu, k, registers, worlds);
  const double resident = std::min(64.0, std::floor(65536.0 / (32.0 * registers)));
  const double wanted = std::max(1.0, worlds / 32 / gpu.sms);
  const double together = std::min(resident, wanted);
  const double each = static_cast<double>(k.distinct) / std::max(1, k.launches);
  const bool in_l1 = together * 32 * each < 160e3;
  const double first = static_cast<double>(k.distinct) / 4;
  const double again = std::max(0.0, static_cast<double>(k.accesses) - first);
  const double cycles = (first * 470 + again * (in_l1 ? 33 : 200)) / 2;
  const double latency = cycles / (gpu.ghz * 1e9) * std::max(1.0, wanted / together);
  const double dram = worlds * static_cast<double>(k.distinct) / (gpu.dram * 1e9);
  const double l2 = in_l1 ? 0 : worlds * static_cast<double>(k.bytes) / (gpu.l2 * 1e9);
  return std::max({latency, dram, l2}) + k.launches * 4e-6;
}

using W = DeviceWorlds<float, DefaultPolicies, Counted>;

// one step of one world, counted
std::vector<Kernel> count(const Model<float>& model, const Data<float>& settled) {
  const ModelRef<float, DefaultPolicies> m = make_ref<DefaultPolicies>(model);
  W w;
  w.models = &m;
  w.count = 1;
  w.first.n = settled.ref().n;
  std::vector<double> memory(arrange(w.first, nullptr) / sizeof(double) + 16);
  arrange(w.first, reinterpret_cast<std::byte*>(memory.data()));
  copy_data(w.data(0), settled.ref());
  Status status;
  Progress<float> progress;
  int launches = 0;
  w.status = &status;
  w.progress = &progress;
  w.launches = &launches;
  w.servers = number_servers(m);
  std::vector<int> counts(256), blocks(257), list(static_cast<std::size_t>(2 * w.first.n.nhit));
  w.pair_counts = counts.data();
  w.pair_blocks = blocks.data();
  w.pair_list = list.data();
  Count launch;
  Sequence<Fused, W, ModelRef<float, DefaultPolicies>, Count> kernels(&w, m, w.servers, 1,
                                                                      w.first.n, launch);
  const RolloutRef<float> r{1};
  kernels.control(control::Start<float>{r});
  launch.kernels.clear();
  kernels.steps(r, 0, 1);
  if (!status.ok()) std::printf("the step reported: %s\n", status.to_string().c_str());
  return launch.kernels;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::puts("bench_device MODEL.xml [WORLDS] [REGISTERS]"), 1;
  const auto loaded = load(argv[1]);
  if (!loaded) return std::puts(loaded.error().to_string().c_str()), 1;
  const double worlds = argc > 2 ? std::atof(argv[2]) : 8192;
  std::map<std::string, int> registers;
  if (argc > 3) {
    std::ifstream table(argv[3]);
    std::string name;
    for (int count = 0, stack = 0; table >> name >> count >> stack;) registers[name] = count;
  }
  const Model<float> model = cast<float>(*loaded);
  Data<float> data(model, Capacity{.contacts = 64, .rows = 300, .hits = 400});
  const auto m = bind(model).value();
  for (int i = 0; i < 500; ++i) static_cast<void>(step(m, data.ref()));

  std::vector<Kernel> kernels = count(model, data);
  std::printf("%d contacts, %d rows\n\n", data.ncon(), int(data.ref().nefc));
  std::puts("| kernel | launches | accesses | distinct bytes | registers |\n|---|---|---|---|---|");
  Kernel all;
  for (const Kernel& k : kernels) {
    const auto known = registers.find(k.name);
    std::printf("| %s | %d | %ld | %ld | %s |\n", k.name.c_str(), k.launches, k.accesses,
                k.distinct, known == registers.end() ? "" : std::to_string(known->second).c_str());
    if (k.room > 0) {
      std::printf("| … by a team: %ld accesses to %d bytes of local memory, %ld waits | | | | |\n",
                  k.local, k.room, k.waits);
    }
    all.launches += k.launches;
    all.accesses += k.accesses;
    all.bytes += k.bytes;
    all.distinct += k.distinct;
  }
  std::printf("| all | %d | %ld | %ld | |\n\n", all.launches, all.accesses, all.distinct);
  std::printf("sectors per warp and step: %ld interleaved, %ld contiguous\n", all.bytes,
              32 * all.accesses);
  for (const Gpu& gpu : gpus) {
    double total = 0;
    for (const Kernel& k : kernels) {
      const auto known = registers.find(k.name);
      total += seconds(gpu, k, known == registers.end() ? 128 : known->second, worlds);
    }
    std::printf("estimate, %s, %.0f worlds: %.2f ms per step, %.2f million steps/s\n", gpu.name,
                worlds, 1e3 * total, worlds / total / 1e6);
  }
}
