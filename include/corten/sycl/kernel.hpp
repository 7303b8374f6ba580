// SPDX-License-Identifier: Apache-2.0
//
// The worlds of a device as its kernels see them, and the kernels themselves: small structs that a
// launcher calls with the number of a work item. They call the stage functions of the host on views
// of the device's memory. Nothing here needs SYCL, so the same kernels also run in a loop on the
// host (tests/sycl/sequence_test.cpp) and are inspected by the device gate (tests/gate).
#pragma once

#include <corten/batch/rollout.hpp>
#include <corten/batch/variation.hpp>
#include <corten/data/arrange.hpp>
#include <corten/pipeline/step.hpp>

#include <cstddef>

namespace corten {

// How far a world has come in a rollout, and what it takes part in.
template <class S>
struct Progress {
  int bits = 0;      // reported by all steps so far
  int now = 0;       // reported by this step so far
  int next = 0;      // the step to take next
  int moving = 0;    // does it go on?
  int taking = 0;    // does it take this step?
  int stepping = 0;  // and nothing has gone wrong with it yet?
  int passing = 0;   // does it run the stages of this pass?
  int trying = 0;    // do its trial states of RK4 have room?
  int settling = 0;  // is this the pass that trees need before they sleep?
  int fallen = 0;    // trees that fell asleep in this step
  int full = 0;      // it has stopped for lack of room, and goes on when there is more
  S time = S(0), after = S(0);
};

// The colliders that a model needs, numbered from 0 on, by their number in the list of colliders,
// and which parts of the general ones. Found once per model (pair_lists.hpp).
struct ServerNumbers {
  short number[256] = {};  // -1: not needed
  int count = 0;
  Ccd parts = Ccd::native;
};

// Everything that a kernel needs. It lies in the device's memory itself, because views of a model
// and of data are larger than the arguments that some devices accept, and kernels read views of the
// model from there: a private copy would take 3 kB of each work item's stack.
template <class S, class P, class L>
struct DeviceWorlds {
  using Scalar = S;

  const ModelRef<S, P>* models = nullptr;  // one for all worlds, or one each if fields vary
  int own_models = 0;
  DataRef<S, L> first;    // the data of world 0
  std::size_t block = 0;  // bytes from world to world (contiguous)
  int count = 0;
  int growable = 0;  // worlds without room wait for more
  Status* status = nullptr;
  Progress<S>* progress = nullptr;

  // lists of pairs to collide (pair_lists.hpp)
  ServerNumbers servers;
  int* pair_counts = nullptr;  // colliders × worlds
  int* pair_blocks = nullptr;  // colliders × blocks of worlds, and one more
  int* pair_list = nullptr;    // worlds × hits × 2: world, number of the pair in it

  int* launches = nullptr;  // kernels that have run, so that none can fail unnoticed

  CORTEN_FN void note(std::size_t item) const {
    if (item == 0) ++*launches;
  }
  CORTEN_FN DataRef<S, L> data(int world) const { return world_of(first, world, block); }
  CORTEN_FN const ModelRef<S, P>& model(int world) const {
    return models[own_models != 0 ? world : 0];
  }
};

// ---- kernels ------------------------------------------------------------------------------------

// A part of a stage, for the worlds of this pass.
template <class W, class Part>
struct PartKernel {
  const W* worlds;
  Part part;

  CORTEN_FN void operator()(std::size_t item) const {
    worlds->note(item);
    const int world = static_cast<int>(item);
    if (worlds->progress[world].passing != 0) part(worlds->model(world), worlds->data(world));
  }
};

// The same with many items per world. Neighbouring work items have neighbouring worlds.
template <class W, class Part>
struct ItemKernel {
  const W* worlds;
  Part part;

  CORTEN_FN void operator()(std::size_t item) const {
    worlds->note(item);
    const auto count = static_cast<std::size_t>(worlds->count);
    const int world = static_cast<int>(item % count);
    if (worlds->progress[world].passing == 0) return;
    part(worlds->model(world), worlds->data(world), static_cast<int>(item / count));
  }
};

// The same with a team of threads per world, which shares memory.
template <class W, class Part>
struct TeamKernel {
  const W* worlds;
  Part part;

  template <class G, class Room>
  CORTEN_FN void operator()(const G& team, int world, const Room& room) const {
    if (team.leads()) worlds->note(static_cast<std::size_t>(world));
    if (worlds->progress[world].passing == 0) return;
    part(team, worlds->model(world), worlds->data(world), room);
  }
};

// A part over something else, which sees all worlds.
template <class W, class Part>
struct BatchKernel {
  const W* worlds;
  Part part;

  CORTEN_FN void operator()(std::size_t item) const {
    worlds->note(item);
    part(*worlds, item);
  }
};

// What happens between the stages: action(worlds, world, m, d, progress).
template <class W, class Action>
struct ControlKernel {
  const W* worlds;
  Action action;

  CORTEN_FN void operator()(std::size_t item) const {
    worlds->note(item);
    const int world = static_cast<int>(item);
    action(*worlds, world, worlds->model(world), worlds->data(world), worlds->progress[world]);
  }
};

// ---- what happens between the stages ------------------------------------------------------------

namespace control {

// Puts the world into the initial state of a rollout, if one is given.
template <class S>
struct Start {
  RolloutRef<S> r;

  template <class W, class M, class D>
  CORTEN_FN void operator()(const W& w, int world, const M& m, const D& d, Progress<S>& p) const {
    p = Progress<S>{};
    p.moving = 1;
    w.status[world] = Status{};
    start_world(m, d, r, world);
  }
};

// Worlds that had no room go on, now that there is more.
struct Resume {
  template <class W, class M, class D, class S>
  CORTEN_FN void operator()(const W&, int, const M&, const D&, Progress<S>& p) const {
    if (p.full != 0) p.moving = 1;
    p.full = 0;
  }
};

// Ends step k of a world with the bits in p.now. Without room it stays where it is, and takes the
// step again when there is some.
template <class W, class M, class D, class S>
CORTEN_FN void conclude(const W& w, int world, const M& m, const D& d, const RolloutRef<S>& r,
                        int k, Progress<S>& p) {
  if (w.growable != 0 && Status{p.now}.overflow()) {
    p.full = 1;
    p.moving = 0;
    return;
  }
  p.bits |= p.now;
  p.next = k + 1;
  p.moving = goes_on(Status{p.now}) ? 1 : 0;
  write_rows(m, d, r, world, k, p.moving == 0);
  w.status[world] = Status{p.bits};
}

// All steps of a world, one after the other: a single kernel for everything.
template <class S>
struct TakeSteps {
  RolloutRef<S> r;

  template <class W, class M, class D>
  CORTEN_FN void operator()(const W& w, int world, const M& m, const D& d, Progress<S>& p) const {
    for (int k = p.next; k < r.steps && p.moving != 0; ++k) {
      set_controls(m, d.ctrl, r, world, k);
      p.now = step(m, d, BadState::keep).bits;
      conclude(w, world, m, d, r, k, p);
    }
  }
};

// Before the stages of step k.
template <class S>
struct BeginStep {
  RolloutRef<S> r;
  int k;

  template <class W, class M, class D>
  CORTEN_FN void operator()(const W&, int world, const M& m, const D& d, Progress<S>& p) const {
    p.taking = p.moving != 0 && p.next == k ? 1 : 0;
    p.stepping = p.passing = p.fallen = p.now = 0;
    if (p.taking == 0) return;
    set_controls(m, d.ctrl, r, world, k);
    p.stepping = p.passing = detail::begin_step(m, d, BadState::keep, p.now) ? 1 : 0;
    if (p.stepping != 0) begin_pass(d);
  }
};

// Do trees need a pass of everything before they sleep?
struct BeginSettling {
  template <class W, class M, class D, class S>
  CORTEN_FN void operator()(const W&, int, const M& m, const D& d, Progress<S>& p) const {
    p.settling = p.passing;
    if (p.passing != 0) p.passing = detail::begin_settling(m, d) ? 1 : 0;
  }
};
struct EndSettling {
  template <class W, class M, class D, class S>
  CORTEN_FN void operator()(const W&, int, const M& m, const D& d, Progress<S>& p) const {
    if (p.passing != 0) detail::end_settling(m, d);
    p.passing = p.settling != 0 && !Status{d.status}.overflow() ? 1 : 0;
    p.settling = 0;
  }
};

// A world whose contacts or rows do not fit runs no further stages.
struct CheckRoom {
  template <class W, class M, class D, class S>
  CORTEN_FN void operator()(const W&, int, const M&, const D& d, Progress<S>& p) const {
    if (p.passing == 0 || !Status{d.status}.overflow()) return;
    if (p.settling != 0) detail::give_up_settling(d);
    p.passing = 0;
  }
};

// After the first pass of a step.
struct CheckPass {
  template <class W, class M, class D, class S>
  CORTEN_FN void operator()(const W&, int, const M& m, const D& d, Progress<S>& p) const {
    if (p.stepping == 0) return;
    p.now |= d.status;
    if (!Status{p.now}.overflow() && detail::any_bad_awake(m, d, d.qacc)) p.now |= bad_qacc;
    if (Status{p.now}.overflow() || (p.now & bad_qacc) != 0) p.stepping = 0;
    p.passing = p.stepping;
  }
};

// Advances the state, unless RK4 does. Each integrator has a kernel.
template <Integrator Method>
struct Integrate {
  template <class W, class M, class D, class S>
  CORTEN_FN void operator()(const W&, int, const M& m, const D& d, Progress<S>& p) const {
    if (p.stepping == 0) return;
    p.time = d.time;
    p.fallen = detail::let_sleep(m, d);
    integrate_by<Integrators<Method>>(m, d);
    detail::advance_softs(m, d);
    p.now |= d.status;
  }
};

// RK4, between its four passes.
struct BeginRk4 {
  template <class W, class M, class D, class S>
  CORTEN_FN void operator()(const W&, int, const M& m, const D& d, Progress<S>& p) const {
    p.trying = p.stepping;
    if (p.stepping == 0) return;
    p.time = d.time;
    p.fallen = detail::let_sleep(m, d);
    d.soft_hold = 1;
    Rk4(m, d).begin();
  }
};
struct TryState {
  int stage;

  template <class W, class M, class D, class S>
  CORTEN_FN void operator()(const W&, int, const M& m, const D& d, Progress<S>& p) const {
    p.passing = p.trying;
    if (p.trying == 0) return;
    Rk4(m, d).try_state(stage, p.time);
    begin_pass(d);
  }
};
struct AddRates {
  int stage;

  template <class W, class M, class D, class S>
  CORTEN_FN void operator()(const W&, int, const M& m, const D& d, Progress<S>& p) const {
    if (p.trying == 0) return;
    p.now |= d.status;
    Rk4(m, d).add(stage);
    p.trying = Status{d.status}.overflow() ? 0 : 1;
  }
};
struct RestoreState {
  template <class W, class M, class D, class S>
  CORTEN_FN void operator()(const W&, int, const M& m, const D& d, Progress<S>& p) const {
    if (p.stepping != 0) Rk4(m, d).restore(p.time);
    p.passing = p.trying;
  }
};
struct EndRk4 {
  template <class W, class M, class D, class S>
  CORTEN_FN void operator()(const W&, int, const M& m, const D& d, Progress<S>& p) const {
    if (p.stepping == 0) return;
    if (p.trying != 0) Rk4(m, d).advance();
    d.soft_hold = 0;
    if (p.trying != 0) detail::advance_softs(m, d);
  }
};

// Trees that fell asleep show what they would at rest.
struct BeginFallen {
  template <class W, class M, class D, class S>
  CORTEN_FN void operator()(const W&, int, const M& m, const D& d, Progress<S>& p) const {
    p.passing = p.stepping != 0 && p.fallen > 0 ? 1 : 0;
    if (p.passing != 0) p.after = detail::begin_fallen(m, d, p.time);
  }
};
struct EndFallen {
  template <class W, class M, class D, class S>
  CORTEN_FN void operator()(const W&, int, const M& m, const D& d, Progress<S>& p) const {
    if (p.passing != 0) detail::end_fallen(m, d, p.after);
    if (p.stepping != 0) detail::wake_by_softs(m, d);
  }
};

// After everything.
template <class S>
struct EndStep {
  RolloutRef<S> r;
  int k;

  template <class W, class M, class D>
  CORTEN_FN void operator()(const W& w, int world, const M& m, const D& d, Progress<S>& p) const {
    if (p.taking == 0) return;
    if (p.stepping != 0 && !is_rk4(m)) p.now |= d.status;
    d.status = p.now;
    count_warnings(d, p.now);
    conclude(w, world, m, d, r, k, p);
  }
};

// Puts a world into the reference pose, with a good status, if it is marked.
struct Reset {
  const unsigned char* marks;
  int first, count;

  template <class W, class M, class D, class S>
  CORTEN_FN void operator()(const W& w, int world, const M& m, const D& d, Progress<S>&) const {
    if (world < first || world - first >= count || marks[world - first] == 0) return;
    clear_data(d);
    reset_state(m, d);
    w.status[world] = Status{};
  }
};

// Makes nobody move: the kernels that follow do nothing, but are compiled.
struct Rest {
  template <class W, class M, class D, class S>
  CORTEN_FN void operator()(const W& w, int world, const M&, const D&, Progress<S>& p) const {
    p = Progress<S>{};
    w.status[world] = Status{};
  }
};

// Writes a row of a matrix from a world, or a world from a row.
template <class Matrix, class S>
struct ReadRow {
  S* rows;
  int width;

  template <class W, class M, class D>
  CORTEN_FN void operator()(const W&, int world, const M&, const D& d, Progress<S>&) const {
    Matrix::read(d, Field<S>{rows + static_cast<std::ptrdiff_t>(world) * width});
  }
};
template <class Matrix, class S>
struct WriteRow {
  const S* rows;
  int width;

  template <class W, class M, class D>
  CORTEN_FN void operator()(const W&, int world, const M&, const D& d, Progress<S>&) const {
    Matrix::write(d, Field<const S>{rows + static_cast<std::ptrdiff_t>(world) * width});
  }
};

// The capacity that each world would have needed.
struct ReadNeeds {
  Capacity* out;

  template <class W, class M, class D, class S>
  CORTEN_FN void operator()(const W&, int world, const M&, const D& d, Progress<S>&) const {
    out[world] = capacity_needed(d);
  }
};

// Takes over state, inputs and warning counts from the smaller block that a world has outgrown.
template <class W>
struct Adopt {
  const W* before;

  template <class M, class D, class S>
  CORTEN_FN void operator()(const W&, int world, const M&, const D& d, Progress<S>&) const {
    const auto old = before->data(world);
    clear_data(d);
    copy_states(old, d);
    copy(d.warning, old.warning, status_bits);
  }
};

// The model as a world sees it: a copy of the view that is common to all, with its own fields.
template <class S, class P>
struct MakeView {
  const ModelRef<S, P>* shared;
  ModelRef<S, P>* views;
  const Variation<S>* variations;
  int count;

  template <class W, class M, class D>
  CORTEN_FN void operator()(const W&, int world, const M&, const D&, Progress<S>&) const {
    views[world] = *shared;
    apply(views[world], variations, count, world);
  }
};

}  // namespace control
}  // namespace corten
