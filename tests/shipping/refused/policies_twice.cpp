// SPDX-License-Identifier: Apache-2.0
//
// Two lists of joints, the second of which would be ignored.
// refused: corten::Slide Policies pipeline/policies.hpp
#include <corten/pipeline/policies.hpp>

corten::Policies<corten::Joints<corten::Hinge>, corten::Joints<corten::Slide>> policies;
