// SPDX-License-Identifier: Apache-2.0
//
// The stage that another is put after is not in the pipeline.
// refused: Gusts pipeline pipeline/pipeline.hpp
#include <corten/pipeline/policies.hpp>

struct Wind {
  template <class M, class D>
  static void run(const M&, const D&) {}
};
struct Gusts : Wind {};

corten::Policies<corten::DefaultPipeline::after<Gusts, Wind>> policies;
