// SPDX-License-Identifier: Apache-2.0
#include <corten/corten.hpp>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  std::FILE* const file = argc > 1 ? std::fopen(argv[1], "rb") : nullptr;
  if (file == nullptr) return 2;
  std::string bytes(1 << 24, '\0');
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
  const auto model = corten::from_bytes(bytes);
  if (!model) return 1;
  corten::Data<double> data(*model);
  for (int i = 0; i < 1000; ++i) {
    if (!corten::step(*model, data)) return 1;
  }
}
