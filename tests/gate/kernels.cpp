// SPDX-License-Identifier: Apache-2.0
//
// All kernels that a device batch with the default policies can launch, as functions: the gate
// (kernels.sh) looks at each. The sequence of kernels is the real one; only the launcher differs.
#include <corten/sycl/sequence.hpp>

namespace {

template <class K>
[[gnu::noinline, gnu::used]] void gate_kernel(const K& kernel, std::size_t item) {
  kernel(item);
}

// A team as a device has it: where a thread is, and a barrier that the device knows.
extern "C" int team_rank();
extern "C" int team_size();
extern "C" void team_wait();
struct Team {
  static constexpr bool many = true;
  int rank() const { return team_rank(); }
  int size() const { return team_size(); }
  bool leads() const { return team_rank() == 0; }
  void wait() const { team_wait(); }
};

template <class K>
[[gnu::noinline, gnu::used]] void gate_kernel_of_team(const K& kernel, int world,
                                                      const corten::TeamRoom& room) {
  kernel(Team{}, world, room);
}

struct Listed {
  int memory;
  int team_memory() const { return memory; }
  template <class K>
  void teams(const K& kernel, std::size_t worlds, int bytes) {
    gate_kernel_of_team(kernel, static_cast<int>(worlds), corten::TeamRoom{nullptr, bytes});
  }
  template <class K>
  void operator()(const K& kernel, std::size_t items) {
    gate_kernel(kernel, items);
  }
};

}  // namespace

using Policies = corten::DefaultPolicies;
using Worlds = corten::DeviceWorlds<float, Policies, corten::Strided>;
using Model = corten::ModelRef<float, Policies>;

void list_kernels(const Worlds* worlds, const Model& m, const corten::DataSizes& n,
                  const corten::RolloutRef<float>& r) {
  namespace control = corten::control;
  Listed launch{n.nv};
  const corten::ServerNumbers servers = corten::number_servers(m);
  corten::Sequence<corten::Fused, Worlds, Model, Listed> kernels(worlds, m, servers, n.nv, n,
                                                                 launch);
  kernels.control(control::Start<float>{r});
  kernels.control(control::Resume{});
  kernels.control(control::Rest{});
  kernels.control(control::Reset{});
  kernels.control(control::ReadRow<corten::StateMatrix, float>{});
  kernels.control(control::WriteRow<corten::StateMatrix, float>{});
  kernels.control(control::ReadNeeds{});
  kernels.control(control::Adopt<Worlds>{});
  kernels.control(control::MakeView<float, Policies>{});
  kernels.steps(r, 0, 1);
}
