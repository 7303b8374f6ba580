// SPDX-License-Identifier: Apache-2.0
//
// A reading whose only function is misspelt.
// refused: Log after pipeline/stages.hpp
#include <corten/pipeline/policies.hpp>

struct Log {
  template <class M, class D>
  static void after_positions(const M&, const D&) {}
};

corten::Policies<corten::DefaultPipeline::after<corten::stages::Sensing, Log>> policies;
