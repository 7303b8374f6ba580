// SPDX-License-Identifier: Apache-2.0
//
// Runs episodes in many worlds of one model, one episode per world: a corten batch, or as many
// mjData on as many threads. All worlds take `hold` steps with one control, world by world, before
// the next control is set.
#pragma once

#include "episode.hpp"

#include <corten/batch.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace bench {

using Episodes = std::vector<Episode>;

// B is corten::Batch<T> or corten::LaneBatch<T, N>
template <class T, class B>
class CortenWorlds {
 public:
  CortenWorlds(const corten::Model<T>& model, const Episodes& episodes, int threads)
      : episodes_(episodes), batch_(model, static_cast<int>(episodes.size()), {}, threads) {}

  void start() {
    ok_ = batch_.reset().ok();
    for (int i = 0; i < batch_.size(); ++i) {
      const Episode& e = episodes_[static_cast<std::size_t>(i)];
      write(e.qpos, batch_[i].qpos());
      write(e.qvel, batch_[i].qvel());
    }
  }

  // takes the steps from k on for which the control is held
  void hold(int k) {
    for (int i = 0; i < batch_.size(); ++i) {
      const double* row = episodes_[static_cast<std::size_t>(i)].controls(k);
      for (T& u : batch_[i].ctrl()) u = static_cast<T>(*row++);
    }
    ok_ = batch_.step_all(episodes_[0].hold).ok() && ok_;
  }

  double qpos(int world, int i) const {
    return static_cast<double>(batch_[world].qpos()[static_cast<std::size_t>(i)]);
  }
  bool ok() const { return ok_ && batch_.all_ok(); }

 private:
  static void write(const std::vector<double>& from, std::span<T> to) {
    std::transform(from.begin(), from.end(), to.begin(),
                   [](double x) { return static_cast<T>(x); });
  }

  const Episodes& episodes_;
  B batch_;
  bool ok_ = true;
};

// runs the episodes of all worlds
template <class Worlds>
void run(Worlds& worlds, const Episodes& episodes) {
  worlds.start();
  for (int k = 0; k < episodes[0].steps; k += episodes[0].hold) worlds.hold(k);
}

}  // namespace bench
