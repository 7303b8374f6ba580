// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of a device batch do for one world: the stage functions of the host, on views of
// the device's memory. A whole step is one kernel, so nothing goes back and forth between the
// stages.
#pragma once

#include <corten/batch/rollout.hpp>
#include <corten/batch/variation.hpp>
#include <corten/data/arrange.hpp>
#include <corten/pipeline/step.hpp>

namespace corten {

// Everything that a kernel needs. It lies in the device's memory itself: views of a model and of
// data are more than some devices take as arguments.
template <class S, class P, class L>
struct DeviceWorlds {
  ModelRef<S, P> m;
  DataRef<S, L> first;    // the data of world 0
  std::size_t block = 0;  // bytes from world to world (contiguous)
  int count = 0;
  bool covered = true;
  Status* status = nullptr;
  const Variation<S>* variations = nullptr;
  int nvariation = 0;

  CORTEN_FN DataRef<S, L> data(int world) const { return world_of(first, world, block); }

  // f(view of the model as the world sees it)
  template <class F>
  CORTEN_FN void with_model(int world, F&& f) const {
    if (nvariation == 0) return f(m);
    ModelRef<S, P> own = m;
    apply(own, variations, nvariation, world);
    f(own);
  }
};

// all steps of world i
template <class W, class S>
CORTEN_FN void roll_world(const W& worlds, const RolloutRef<S>& r, int i) {
  if (!worlds.covered) {
    worlds.status[i] = Status{not_covered};
    return;
  }
  const auto d = worlds.data(i);
  worlds.with_model(i, [&](const auto& m) {
    worlds.status[i] = roll(m, d, r, i, [&] { return step(m, d, BadState::keep); });
  });
}

// world i at the reference pose, its status good
template <class W>
CORTEN_FN void reset_world(const W& worlds, int i) {
  const auto d = worlds.data(i);
  clear_data(d);
  worlds.with_model(i, [&](const auto& m) { reset_state(m, d); });
  worlds.status[i] = Status{};
}

}  // namespace corten
