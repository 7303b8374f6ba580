// SPDX-License-Identifier: Apache-2.0
//
// A kind that is not derived from SensorTraits lacks a constant.
// refused: Speed has_cutoff sensor/common.hpp
#include <corten/pipeline/policies.hpp>

struct Speed {
  static constexpr corten::SensorType type = corten::SensorType::user;
  static constexpr const char* name = "speed";
  static constexpr corten::Stage stage = corten::Stage::velocity;
  static constexpr int dim = 1;
  static constexpr corten::SensorData data = corten::SensorData::real;
  static constexpr bool cutoff = true;
  static constexpr bool needs_rne_post = false, needs_subtree_velocity = false, by_world = false;

  template <class M, class D, class O>
  static void evaluate(const M&, const D&, int, const O&) {}
};

corten::Policies<corten::Sensors<Speed>> policies;
