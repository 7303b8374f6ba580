// SPDX-License-Identifier: Apache-2.0
//
// run is misspelt.
// refused: Wind run pipeline/pipeline.hpp
#include <corten/pipeline/policies.hpp>

struct Wind {
  template <class M, class D>
  static void runs(const M&, const D&) {}
};

corten::Policies<corten::DefaultPipeline::after<corten::stages::Passive, Wind>> policies;
