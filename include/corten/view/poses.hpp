// SPDX-License-Identifier: Apache-2.0
//
// After a step, the data has a new state, but bodies where they were before it: the next step moves
// them. update_poses does so at once, for a picture whose time is that of the state. Contacts and
// their forces stay those of the step. It costs a tenth of a step, and changes no later one.
#pragma once

#include <corten/flex/edges.hpp>
#include <corten/stage/camera.hpp>
#include <corten/stage/com.hpp>
#include <corten/stage/kinematics.hpp>
#include <corten/tendon/path.hpp>

namespace corten::view {

// m is bind(model).value(), d is data.ref()
template <class M, class D>
void update_poses(const M& m, const D& d) {
  kinematics(m, d);
  com(m, d);
  flex(m, d);
  tendon(m, d);
  camera(m, d);
}

}  // namespace corten::view
