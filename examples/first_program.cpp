// SPDX-License-Identifier: Apache-2.0
//
// The program at the top of the README: a humanoid falls for five seconds.
#include <corten/corten.hpp>

#include <cstdio>

int main() {
  const auto model = corten::load("humanoid.xml");  // a model, or an error with file, line, remedy
  if (!model) return std::puts(model.error().to_string().c_str()), 1;

  const auto m = corten::bind(*model).value();  // checked once, then stepped
  corten::Data<double> data(*model);
  while (data.time() < 5.0) {
    const corten::Status status = corten::step(m, data);
    if (!status) return std::printf("%s\n", status.to_string().c_str()), 1;
  }
  std::printf("height %g m, %d contacts\n", data.qpos()[2], data.ncon());
}
