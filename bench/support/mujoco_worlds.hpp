// SPDX-License-Identifier: Apache-2.0
//
// MuJoCo's worlds: one mjModel, one mjData per world, the same threads as corten's batches.
#pragma once

#include "mujoco_engine.hpp"
#include "worlds.hpp"

#include <memory>
#include <string>

namespace bench {

class MujocoWorlds {
 public:
  MujocoWorlds(const std::string& path, const Episodes& episodes, int threads)
      : episodes_(episodes), threads_(threads) {
    char error[1000] = "";
    m_.reset(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
    if (!m_) return;
    for (std::size_t i = 0; i < episodes.size(); ++i) d_.emplace_back(mj_makeData(m_.get()));
  }

  bool loaded() const { return m_ != nullptr; }

  void start() {
    for (std::size_t i = 0; i < d_.size(); ++i) {
      mj_resetData(m_.get(), d_[i].get());
      std::copy(episodes_[i].qpos.begin(), episodes_[i].qpos.end(), d_[i]->qpos);
      std::copy(episodes_[i].qvel.begin(), episodes_[i].qvel.end(), d_[i]->qvel);
    }
  }

  void hold(int k) {
    corten::parallel_for(static_cast<int>(d_.size()), threads_, [&](int world) {
      const Episode& e = episodes_[static_cast<std::size_t>(world)];
      mjData* d = d_[static_cast<std::size_t>(world)].get();
      std::copy_n(e.controls(k), m_->nu, d->ctrl);
      for (int i = 0; i < e.hold; ++i) mj_step(m_.get(), d);
    });
  }

  double qpos(int world, int i) const { return d_[static_cast<std::size_t>(world)]->qpos[i]; }

 private:
  const Episodes& episodes_;
  int threads_;
  std::unique_ptr<mjModel, detail::DeleteModel> m_;
  std::vector<std::unique_ptr<mjData, detail::DeleteData>> d_;
};

}  // namespace bench
