// SPDX-License-Identifier: Apache-2.0
#include <corten/corten.hpp>

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const auto model = corten::load(argv[1]);
  if (!model) return 1;
  corten::Data<double> data(*model);
  for (int i = 0; i < 1000; ++i) {
    if (!corten::step(*model, data)) return 1;
  }
}
