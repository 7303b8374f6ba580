// SPDX-License-Identifier: Apache-2.0
//
// bench_memory MODELS...: bytes per world, alone and in a batch, at the start and after some steps.
// If MuJoCo is found, also the bytes that mjData allocates, and how many of them the same steps
// use.
#include "support/command_line.hpp"

#include <corten/batch.hpp>
#include <corten/corten.hpp>

#ifdef CORTEN_BENCH_MUJOCO
#include <mujoco/mujoco.h>
#endif

#include <cstdio>

namespace {

constexpr int steps = 1000;

#ifdef CORTEN_BENCH_MUJOCO
void measure_mujoco(const char* path) {
  char error[500] = "";
  mjModel* m = mj_loadXML(path, nullptr, error, sizeof error);
  if (!m) return void(std::printf("  MuJoCo: %s\n", error));
  mjData* d = mj_makeData(m);
  for (int k = 0; k < steps; ++k) mj_step(m, d);
  const double fixed = static_cast<double>(sizeof(mjData)) + static_cast<double>(d->nbuffer);
  std::printf("  MuJoCo %s: mjData, buffer and arena  %10.0f\n", mj_versionString(),
              fixed + static_cast<double>(d->narena));
  std::printf("    of that, used by %d steps          %10.0f\n", steps,
              fixed + static_cast<double>(d->maxuse_arena));
  mj_deleteData(d);
  mj_deleteModel(m);
}
#endif

template <class S>
void measure(const char* scalar, const corten::Model<S>& model) {
  corten::Batch<S> batch(model, 2);
  const std::size_t start = batch.bytes(0).value();
  if (!batch.step_all(steps)) return;
  const corten::Data<S> alone(model);
  std::printf("  corten %-7s Data alone              %10zu\n", scalar,
              alone.bytes() + sizeof alone);
  std::printf("    a world of a batch, at the start     %10zu\n", start);
  std::printf("    the same after %d steps            %10zu   (contacts %d, rows %d)%s\n", steps,
              batch.bytes(0).value(), batch[0].ncon(), batch[0].nefc(),
              batch.all_ok() ? "" : "  failed");
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> models;
  const char* usage = "usage: bench_memory MODELS...\n";
  if (const auto code = bench::read_command_line(argc, argv, usage, {}, &models)) return *code;
  for (const std::string& path : models) {
    const auto model = corten::load(path);
    if (!model) return std::fprintf(stderr, "%s\n", model.error().to_string().c_str()), 1;
    std::printf("%s: nv %d, bytes\n", path.c_str(), model->n.nv);
    measure("double", *model);
    measure("float", corten::cast<float>(*model));
#ifdef CORTEN_BENCH_MUJOCO
    measure_mujoco(path.c_str());
#endif
  }
  return 0;
}
