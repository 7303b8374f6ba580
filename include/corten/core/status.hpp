// SPDX-License-Identifier: Apache-2.0
//
// Problems during a step are reported as a bit field, never by printing, exiting or throwing. Each
// bit has its remedy beside it.
#pragma once

#include <corten/config.hpp>

namespace corten {

enum StatusBit : int {
  // qpos holds NaN, infinity or a number above 1e10. The state was reset, or left alone if
  // autoreset is disabled. Lower the timestep, soften the contacts, check the controls.
  bad_qpos = 1 << 0,
  bad_qvel = 1 << 1,  // likewise for qvel
  bad_qacc = 1 << 2,  // likewise for qacc
  bad_ctrl = 1 << 3,  // likewise for ctrl; the actuators received zero controls

  // More contacts or rows were found than the data has room for; Data::needed() says how many. The
  // state was not advanced. Give the Data a larger Capacity; the host functions step() and
  // forward() do so by themselves.
  contacts_full = 1 << 4,
  rows_full = 1 << 5,

  // the inertia matrix is singular: a moving body has no mass or inertia
  bad_inertia = 1 << 6,

  // The convex collider ran out of iterations on some pair, and its best contact was used. This is
  // common for deep contacts between curved shapes. It is a note: the status is still ok().
  collider_limit = 1 << 7,

  // The model contains a joint kind or a pair of geom kinds that the policies do not list. Nothing
  // was computed. bind<Policies>(model) names the element.
  not_covered = 1 << 8,

  // An argument is out of the range given in the function's comment. Nothing was computed.
  bad_argument = 1 << 9,

  // The data was made for a model with another integrator and lacks the arrays that this one needs.
  // Nothing was computed. Make the Data anew; the host functions enlarge it, unless its capacity is
  // fixed.
  no_scratch = 1 << 10,

  // The matrix of an implicit integrator is singular: velocities feed back on themselves as fast as
  // the timestep. The state was not advanced. Lower the timestep or the gains.
  singular_step = 1 << 11,

  // The matrix of implicitfast is not positive definite: some force grows with the velocity that it
  // causes, faster than a timestep can follow. It is a note: the step was completed.
  indefinite_step = 1 << 12,

  // A solver used up its iterations while still improving by more than its tolerance (or at all, if
  // the tolerance is 0). The step was completed with the last iterate. Reported only if
  // enable_strictsolver is set. Raise opt.iterations or opt.tolerance.
  solver_limit = 1 << 13
};

// the number of bits above, with room for more
inline constexpr int status_bits = 16;

struct Status {
  int bits = 0;

  constexpr bool ok() const { return (bits & ~(collider_limit | indefinite_step)) == 0; }
  constexpr explicit operator bool() const { return ok(); }
  constexpr bool has(StatusBit bit) const { return (bits & bit) != 0; }
  constexpr bool overflow() const { return (bits & (contacts_full | rows_full | no_scratch)) != 0; }
};

}  // namespace corten
