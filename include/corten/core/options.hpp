// SPDX-License-Identifier: Apache-2.0
//
// The physics options and flags, one line each. These tables define the model's Option, the
// elements <option> and <flag> of a spec, the flag bits, how options merge when models are
// attached, and the words accepted on command lines.
#pragma once

// clang-format off

//   X(type, name, width, form, merge, default …)
// type is the type in the model, S for its scalar. form is how MJCF spells the value: a `number`,
// `numbers` that must all be given, `leading` numbers where later ones may be omitted, or a word of
// an enum. merge says which of two models' values wins when models are merged: the lower, the
// higher, or `never`, where differing values are a conflict.
#define CORTEN_OPTION_TABLE(X)                                                             \
  X(S, timestep, 1, number, lower, 0.002)                                                  \
  X(S, impratio, 1, number, never, 1)                                                      \
  X(S, tolerance, 1, number, lower, 1e-8)                                                  \
  X(S, ls_tolerance, 1, number, lower, 0.01)                                               \
  X(S, noslip_tolerance, 1, number, lower, 1e-6)                                           \
  X(S, ccd_tolerance, 1, number, lower, 1e-6)                                              \
  X(S, sleep_tolerance, 1, number, lower, 1e-3)                                            \
  X(S, gravity, 3, numbers, never, 0, 0, -9.81)                                            \
  X(S, wind, 3, numbers, never, 0, 0, 0)                                                   \
  X(S, magnetic, 3, numbers, never, 0, -0.5, 0)                                            \
  X(S, density, 1, number, never, 0)                                                       \
  X(S, viscosity, 1, number, never, 0)                                                     \
  X(S, o_margin, 1, number, never, 0)                                                      \
  X(S, o_solref, 2, leading, never, 0.02, 1)                                               \
  X(S, o_solimp, 5, leading, never, 0.9, 0.95, 0.001, 0.5, 2)                              \
  X(S, o_friction, 5, leading, never, 1, 1, 0.005, 0.0001, 0.0001)                         \
  X(int, integrator, 1, Integrator, never, 0)                                              \
  X(int, cone, 1, Cone, never, 0)                                                          \
  X(int, jacobian, 1, JacobianKind, never, 2)                                              \
  X(int, solver, 1, Solver, never, 2)                                                      \
  X(int, iterations, 1, number, higher, 100)                                               \
  X(int, ls_iterations, 1, number, higher, 50)                                             \
  X(int, noslip_iterations, 1, number, higher, 0)                                          \
  X(int, ccd_iterations, 1, number, higher, 35)                                            \
  X(int, sdf_iterations, 1, number, higher, 10)                                            \
  X(int, sdf_initpoints, 1, number, higher, 40)

//   D(word, member): on unless disabled.  E(word, member): off unless enabled.
// In the order of MuJoCo's bits. strictsolver does not exist in MuJoCo: it makes a step report
// solver_limit.
#define CORTEN_FLAG_TABLE(D, E)                                                            \
  D(constraint, constraint) D(equality, equality) D(frictionloss, frictionloss)            \
  D(limit, limit) D(contact, contact) D(spring, spring) D(damper, damper)                  \
  D(gravity, gravity) D(clampctrl, clampctrl) D(warmstart, warmstart)                      \
  D(filterparent, filterparent) D(actuation, actuation) D(refsafe, refsafe)                \
  D(sensor, sensor) D(midphase, midphase) D(eulerdamp, eulerdamp) D(autoreset, autoreset)  \
  D(nativeccd, nativeccd) D(island, island) D(multiccd, multiccd)                          \
  E(override, override_) E(energy, energy) E(fwdinv, fwdinv) E(invdiscrete, invdiscrete)   \
  E(sleep, sleep) E(diagexact, diagexact) E(strictsolver, strictsolver)

// clang-format on

#define CORTEN_FLAG_NONE(...)

namespace corten {

namespace detail {

// bit number of each flag
enum DisableNumber : int {
#define X(word, member) disable_number_##word,
  CORTEN_FLAG_TABLE(X, CORTEN_FLAG_NONE)
#undef X
      num_disable
};
enum EnableNumber : int {
#define X(word, member) enable_number_##word,
  CORTEN_FLAG_TABLE(CORTEN_FLAG_NONE, X)
#undef X
      num_enable
};

}  // namespace detail

// bits of Option::disableflags: disable_constraint, …
enum DisableBit : int {
#define X(word, member) disable_##word = 1 << detail::disable_number_##word,
  CORTEN_FLAG_TABLE(X, CORTEN_FLAG_NONE)
#undef X
};

// bits of Option::enableflags: enable_override, …
enum EnableBit : int {
#define X(word, member) enable_##word = 1 << detail::enable_number_##word,
  CORTEN_FLAG_TABLE(CORTEN_FLAG_NONE, X)
#undef X
};

}  // namespace corten
