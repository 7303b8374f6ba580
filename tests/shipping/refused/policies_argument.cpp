// SPDX-License-Identifier: Apache-2.0
//
// A kind where a list of kinds is expected.
// refused: corten::Hinge Policies pipeline/policies.hpp
#include <corten/pipeline/policies.hpp>

corten::Policies<corten::Hinge> policies;
