// SPDX-License-Identifier: Apache-2.0
//
// A kind with the number of one of the library's.
// refused: Globe type geom/geom.hpp
#include <corten/pipeline/policies.hpp>

struct Globe : corten::Sphere {
  static constexpr const char* name = "globe";
};

corten::Policies<corten::DefaultGeoms::with<Globe>> policies;
