// SPDX-License-Identifier: Apache-2.0
//
// bench_sycl [MODEL.xml …]: worlds stepped on a SYCL device and on CPU threads, in float and
// double. Ten steps per call, the best of five calls; a three-link pendulum without contact and,
// with contact, any files that are given.
#include "support/build_info.hpp"
#include "support/table.hpp"

#include <corten/corten.hpp>
#include <corten/sycl.hpp>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace bench {
namespace {

constexpr int steps = 10, repeats = 5;

constexpr const char* pendulum = R"(
<mujoco model="pendulum of three links">
  <option timestep="0.004166666666666667"/>
  <default>
    <geom type="capsule" size=".02" fromto="0 0 0 0 0 -1" mass=".1" contype="0" conaffinity="0"/>
  </default>
  <worldbody>
    <body><joint axis="0 1 0" ref="20"/><geom/>
      <body pos="0 0 -1"><joint axis="0 1 0"/><geom/>
        <body pos="0 0 -1"><joint axis="0 1 0"/><geom/></body></body></body>
  </worldbody>
</mujoco>)";

// steps per second of all worlds, in the best of a few calls; 0 if something failed
template <class B>
double rate(B& batch) {
  using Clock = std::chrono::steady_clock;
  bool ok = batch.step_all(steps).ok();
  double best = 0;
  for (int k = 0; k < repeats; ++k) {
    const auto from = Clock::now();
    ok = batch.step_all(steps).ok() && ok;
    const double seconds = std::chrono::duration<double>(Clock::now() - from).count();
    best = std::max(best, steps * batch.size() / seconds);
  }
  return ok && batch.all_ok() ? best : 0;
}

template <class S, class L>
std::string device_rate(const corten::Model<S>& model, int worlds) {
  auto batch = corten::DeviceBatch<S, corten::DefaultPolicies, L>::create(
      model, static_cast<std::uint64_t>(worlds));
  return batch ? grouped(rate(*batch)) : batch.error().to_string();
}

template <class S>
void add_rows(Table& table, const std::string& name, const corten::Model<S>& model) {
  for (int worlds : {64, 256, 1024, 4096}) {
    if (model.n.nv > 10 && worlds > 1024) break;  // would take minutes
    corten::Batch<S> cpu(model, worlds);
    table.add({name, std::is_same_v<S, float> ? "float" : "double", std::to_string(worlds),
               grouped(rate(cpu)), device_rate<S, corten::Contiguous>(model, worlds),
               device_rate<S, corten::Strided>(model, worlds)});
  }
}

int run(int argc, char** argv) {
  const auto device = corten::find_device();
  std::printf("%s\ndevice: %s; CPU batch on %d threads; steps/s of all worlds together\n\n",
              corten_build().c_str(), device ? corten::describe(*device).c_str() : "none",
              corten::default_threads());
  Table table({"model", "scalar", "worlds", "CPU batch", "device", "device, interleaved"});
  for (int i = 0; i < argc; ++i) {
    const auto model = i == 0 ? corten::load_string(pendulum) : corten::load(argv[i]);
    if (!model) return std::fprintf(stderr, "%s\n", model.error().to_string().c_str()), 1;
    add_rows(table, model->names.model, corten::cast<float>(*model));
    add_rows(table, model->names.model, *model);
  }
  table.print();
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) { return bench::run(argc, argv); }
