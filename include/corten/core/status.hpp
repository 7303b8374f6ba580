// SPDX-License-Identifier: Apache-2.0
//
// Problems during a step are reported as a bit field, never by printing, exiting or throwing:
//
//     const corten::Status status = corten::step(m, data);
//     if (!status) std::cerr << status << '\n';          // names, reasons and remedies
//     if (status.has(corten::bad_qpos)) …
#pragma once

#include <corten/config.hpp>

#include <string>

// One row per bit: X(place, name, what happened, what to do about it). The comment of a function
// says which of them it may report, and why.
// clang-format off
#define CORTEN_STATUS_TABLE(X)                                                                    \
  X(0, bad_qpos,                                                                                  \
    "qpos holds NaN, infinity or a number above 1e10; a step has reset the state, unless "         \
    "autoreset is disabled",                                                                      \
    "lower the timestep, soften the contacts, check the controls")                                \
  X(1, bad_qvel,                                                                                  \
    "qvel holds NaN, infinity or a number above 1e10; a step has reset the state, unless "         \
    "autoreset is disabled",                                                                      \
    "lower the timestep, soften the contacts, check the controls")                                \
  X(2, bad_qacc,                                                                                  \
    "qacc holds NaN, infinity or a number above 1e10; a step has reset the state, unless "         \
    "autoreset is disabled",                                                                      \
    "lower the timestep, soften the contacts, check the controls")                                \
  X(3, bad_ctrl,                                                                                  \
    "ctrl holds NaN, infinity or a number above 1e10; the actuators received zero controls",      \
    "check the controls")                                                                         \
  X(4, contacts_full,                                                                             \
    "the data has no room for all contacts; the state was not advanced",                          \
    "give the Data a larger Capacity, see Data::needed(); step(m, data) enlarges it by itself")   \
  X(5, rows_full,                                                                                 \
    "the data has no room for all constraint rows; the state was not advanced",                   \
    "give the Data a larger Capacity, see Data::needed(); step(m, data) enlarges it by itself")   \
  X(6, bad_inertia,                                                                               \
    "the inertia matrix is not positive definite: a moving body has no mass or inertia, or the "  \
    "armature of a tendon between branches of a tree outweighs the bodies",                        \
    "give every moving body mass and inertia, or its joints armature")                            \
  X(7, collider_limit,                                                                            \
    "note: the convex collider ran out of iterations on some pair, and its best contact was "     \
    "used, which is common for deep contacts between curved shapes",                              \
    "raise opt.ccd_iterations")                                                                   \
  X(8, not_covered,                                                                               \
    "the model contains a kind that the policies do not list; nothing was computed",              \
    "bind<Policies>(model) names the element")                                                    \
  X(9, bad_argument,                                                                              \
    "an argument is out of range or has the wrong size; nothing was computed",                    \
    "see the function's comment")                                                                 \
  X(10, no_scratch,                                                                               \
    "the data was made for another integrator or solver and lacks the arrays that this one "      \
    "needs; nothing was computed",                                                                \
    "make the Data anew; step(m, data) enlarges it by itself unless its capacity is fixed")       \
  X(11, singular_step,                                                                            \
    "the matrix of the implicit integrator is singular: velocities feed back on themselves as "   \
    "fast as the timestep; the state was not advanced",                                           \
    "lower the timestep or the gains")                                                            \
  X(12, indefinite_step,                                                                          \
    "note: the matrix of implicitfast is not positive definite: some force grows with the "       \
    "velocity that it causes faster than a timestep can follow; the step was completed",          \
    "lower the timestep, or use the integrator implicit")                                         \
  X(13, solver_limit,                                                                             \
    "a solver used up its iterations while still improving by more than its tolerance; the step " \
    "was completed with the last iterate (reported only with enable_strictsolver)",               \
    "raise opt.iterations or opt.tolerance")                                                      \
  X(14, wrong_model,                                                                              \
    "the data was made for a model with other sizes; nothing was computed",                       \
    "use the model that the Data was made with, or make a new Data")                              \
  X(15, bad_timestep,                                                                             \
    "opt.timestep is not a positive number; nothing was computed",                                \
    "set opt.timestep, usually to between 0.001 and 0.01 seconds")                                \
  X(16, awake_at_start,                                                                           \
    "a body with sleep=\"init\" did not start asleep: something that must stay awake touches it "  \
    "or is connected with it",                                                                    \
    "let everything that it touches start asleep too, or remove sleep=\"init\"")
// clang-format on

namespace corten {

enum StatusBit : int {
#define X(place, name, what, remedy) name = 1 << place,
  CORTEN_STATUS_TABLE(X)
#undef X
};

// the number of bits above, with room for more
inline constexpr int status_bits = 20;

struct [[nodiscard]] Status {
  int bits = 0;

  // true if there is nothing but notes, which do not make a step bad
  constexpr bool ok() const { return (bits & ~(collider_limit | indefinite_step)) == 0; }
  constexpr explicit operator bool() const { return ok(); }
  constexpr bool has(StatusBit bit) const { return (bits & bit) != 0; }
  constexpr bool overflow() const { return (bits & (contacts_full | rows_full | no_scratch)) != 0; }

  // "ok", or name, reason and remedy of every bit, separated by "; "
  CORTEN_COLD std::string to_string() const {
    std::string out;
#define X(place, name, what, remedy) \
  if (has(name)) out += (out.empty() ? "" : "; ") + describe(name);
    CORTEN_STATUS_TABLE(X)
#undef X
    return out.empty() ? "ok" : out;
  }

  // "bad_qpos: qpos holds NaN … (lower the timestep …)"
  CORTEN_COLD static std::string describe(StatusBit bit) {
    switch (bit) {
#define X(place, name, what, remedy) \
  case name: return #name ": " what " (" remedy ")";
      CORTEN_STATUS_TABLE(X)
#undef X
    }
    return {};
  }

  // "bad_qpos"; empty if there is no such bit
  CORTEN_COLD static const char* name(StatusBit bit) {
    switch (bit) {
#define X(place, name, what, remedy) \
  case name: return #name;
      CORTEN_STATUS_TABLE(X)
#undef X
    }
    return "";
  }

  // for std::ostream and the like, without including them
  template <class Stream>
  friend Stream& operator<<(Stream& out, Status status) requires requires {
    out << std::string();
  }
  {
    out << status.to_string();
    return out;
  }
};

}  // namespace corten
