// SPDX-License-Identifier: Apache-2.0
//
// Steps a batch and prints a hash of its states. Built with and without OpenMP (001-9.6, 001-9.7).
//   shipping_batch MODEL.xml
#include <corten/batch.hpp>
#include <corten/corten.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>

#if defined(CORTEN_TEST_SERIAL) && defined(_OPENMP)
#error "built with OpenMP"
#endif

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const auto model = corten::load(argv[1]);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
#ifdef CORTEN_TEST_SERIAL
  if (corten::default_threads() != 1) return 1;
#endif

  corten::Batch<double> batch(*model, 11, {}, 3);
  for (int i = 0; i < batch.size(); ++i) {
    for (double& v : batch[i].qvel()) v = 0.1 * i;
  }
  if (!batch.step_all(50)) return 1;

  std::uint64_t hash = 0xCBF29CE484222325ULL;
  std::vector<double> states(static_cast<std::size_t>(batch.size() * batch.state_size()));
  if (!batch.all_ok() || !batch.read_states(states)) return 1;
  for (const double x : states) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    hash = (hash ^ bits) * 0x100000001B3ULL;
  }
  std::printf("%016llx\n", static_cast<unsigned long long>(hash));
  return 0;
}
