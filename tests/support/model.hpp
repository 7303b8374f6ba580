// SPDX-License-Identifier: Apache-2.0
//
// Models and states for tests.
#pragma once

#include <corten/corten.hpp>

#include "catch.hpp"
#include "random.hpp"

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

// a model from tests/models
inline corten::Model<double> load(const std::string& name) {
  return checked(corten::load(std::string(CORTEN_TEST_DIR) + "/models/" + name + ".xml"));
}

// moves the configuration along random directions on the manifold, and adds random velocities and
// controls
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
