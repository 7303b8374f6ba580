// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of a device batch do for one world: they call the stage functions of the host on
// views of the device's memory. A whole step is one kernel, so nothing moves between host and
// device from stage to stage.
#pragma once

#include <corten/batch/rollout.hpp>
#include <corten/batch/variation.hpp>
#include <corten/data/arrange.hpp>
#include <corten/pipeline/step.hpp>

namespace corten {

// Everything that a kernel needs. It lies in the device's memory itself, because views of a model
// and of data are larger than the arguments that some devices accept.
template <class S, class P, class L>
struct DeviceWorlds {
  ModelRef<S, P> m;
  DataRef<S, L> first;    // the data of world 0
  std::size_t block = 0;  // bytes from world to world (contiguous)
  int count = 0;
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

// Takes all steps of world i.
template <class W, class S>
CORTEN_FN void roll_world(const W& worlds, const RolloutRef<S>& r, int i) {
  const auto d = worlds.data(i);
  worlds.with_model(i, [&](const auto& m) {
    worlds.status[i] = roll(m, d, r, i, [&] { return step(m, d, BadState::keep); });
  });
}

// Puts world i into the reference pose, with a good status.
template <class W>
CORTEN_FN void reset_world(const W& worlds, int i) {
  const auto d = worlds.data(i);
  clear_data(d);
  worlds.with_model(i, [&](const auto& m) { reset_state(m, d); });
  worlds.status[i] = Status{};
}

}  // namespace corten
