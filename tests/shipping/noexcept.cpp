// SPDX-License-Identifier: Apache-2.0
//
// A program without exceptions and run-time type information that loads the file it is given, steps
// it, differentiates a step and runs a batch. A broken file ends it with the error as text.
#include <corten/batch.hpp>
#include <corten/corten.hpp>
#include <corten/derive.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  const auto model = corten::load(argc > 1 ? argv[1] : "");
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  corten::Data<double> data(*model);
  corten::Batch<double> batch(*model, 2);
  for (int i = 0; i < 20; ++i) {
    if (const auto status = corten::step(*model, data); !status) {
      return std::puts(status.to_string().c_str()), 1;
    }
  }
  if (!batch.step_all(20)) return std::puts("the batch failed"), 1;
  bool same = true;
  for (std::size_t i = 0; i < data.qpos().size(); ++i) {
    same = same && batch[1].qpos()[i] == data.qpos()[i];
  }
  const auto transition = corten::derive::transition(*model, data);
  if (!transition.status) return std::puts(transition.status.to_string().c_str()), 1;
  std::printf("%d states, the batch is %s\n", transition.nx, same ? "the same" : "different");
  return same ? 0 : 1;
}
