// SPDX-License-Identifier: Apache-2.0
//
// Models and states for tests.
#pragma once

#include <corten/corten.hpp>

#include "catch.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace support {

inline corten::Model<double> checked(corten::Result<corten::Model<double>> model) {
  if (!model) FAIL(model.error().to_string());
  return *std::move(model);
}

// a model from MJCF text
inline corten::Model<double> parse(std::string_view text) {
  return checked(corten::load_string(std::string(text)));
}

// a model of tests/models
inline corten::Model<double> load(const std::string& name) {
  return checked(corten::load(std::string(CORTEN_TEST_DIR) + "/models/" + name + ".xml"));
}

// uniform numbers in [-1, 1], the same everywhere (splitmix64)
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double operator()() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return double((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
  }

 private:
  std::uint64_t state_;
};

// move the configuration along random directions on the manifold, and add random velocities and controls
template <class S>
void perturb(const corten::Model<double>& model, corten::Data<S>& data, std::uint64_t seed,
             double position = 0.1, double velocity = 0.5, double control = 0.5) {
  Random random(seed);
  std::vector<S> direction(std::size_t(model.n.nv));
  for (S& x : direction) x = S(corten::value_t<S>(position * random()));
  const auto m = corten::make_ref<corten::DefaultPolicies>(model);
  corten::integrate_position(m, data.ref().qpos, corten::Field<S>{direction.data()}, S(1));
  for (S& v : data.qvel()) v += S(corten::value_t<S>(velocity * random()));
  for (S& u : data.ctrl()) u = S(corten::value_t<S>(control * random()));
}

}  // namespace support
