// SPDX-License-Identifier: Apache-2.0
//
// Principal axes of an inertia tensor. Users see them as body_iquat, so order and signs are
// MuJoCo's.
#pragma once

#include <corten/compile/frames.hpp>
#include <corten/math/principal.hpp>

namespace corten::compiler {

using PrincipalAxes = corten::PrincipalAxes<double>;

CORTEN_COLD PrincipalAxes principal_axes(const Mat3d& tensor) {
  return corten::principal_axes(tensor, [](Quatd& q) { normalized(q); });
}

}  // namespace corten::compiler
