// SPDX-License-Identifier: Apache-2.0
//
// Runs episodes with MuJoCo, with the same functions as CortenEngine.
#pragma once

#include "clock.hpp"
#include "episode.hpp"

#include <corten/model/model.hpp>

#include <cstddef>  // before mujoco.h, which relies on it

#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

// the compiler of the MuJoCo library, as far as CMake could tell, and its flags, which only the
// user knows
#ifndef CORTEN_BENCH_MUJOCO_BUILD
#define CORTEN_BENCH_MUJOCO_BUILD "compiler unknown"
#endif
#ifndef CORTEN_BENCH_MUJOCO_FLAGS
#define CORTEN_BENCH_MUJOCO_FLAGS ""
#endif

namespace bench {

inline std::string mujoco_build() {
  const std::string given = CORTEN_BENCH_MUJOCO_FLAGS;
  return std::string("MuJoCo ") + mj_versionString() + ", " + CORTEN_BENCH_MUJOCO_BUILD + ", " +
         (given.empty() ? "flags unknown" : given);
}

namespace detail {

// The solver's iterations, of the island that needed most. Older versions have no islands.
template <class D>
int mujoco_iterations(const D& d) {
  if constexpr (requires { d.solver_niter[0]; }) {
    const int count = std::clamp(d.nisland, 1, static_cast<int>(mjNISLAND));
    return d.nefc == 0 ? 0 : *std::max_element(d.solver_niter, d.solver_niter + count);
  } else {
    return d.nefc == 0 ? 0 : d.solver_iter;
  }
}

struct DeleteModel {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};
struct DeleteData {
  void operator()(mjData* d) const { mj_deleteData(d); }
};

}  // namespace detail

class MujocoEngine {
 public:
  // null, with a message, if the file does not load
  static std::unique_ptr<MujocoEngine> load(const std::string& path, std::string& message) {
    char error[1000] = "";
    mjModel* model = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
    message = error;
    return model == nullptr ? nullptr : std::unique_ptr<MujocoEngine>(new MujocoEngine(model));
  }

  // the same for a model in a string
  static std::unique_ptr<MujocoEngine> load_text(const std::string& text, std::string& message) {
    const std::unique_ptr<mjVFS> files(new mjVFS);
    mj_defaultVFS(files.get());
    mj_addBufferVFS(files.get(), "model.xml", text.data(), static_cast<int>(text.size()));
    char error[1000] = "";
    mjModel* model = mj_loadXML("model.xml", files.get(), error, sizeof error);
    mj_deleteVFS(files.get());
    message = error;
    return model == nullptr ? nullptr : std::unique_ptr<MujocoEngine>(new MujocoEngine(model));
  }

  void start(const Episode& e) {
    mj_resetData(m_.get(), d_.get());
    std::copy(e.qpos.begin(), e.qpos.end(), d_->qpos);
    std::copy(e.qvel.begin(), e.qvel.end(), d_->qvel);
  }

  // the options that both engines support
  void set(const corten::Option<double>& from) {
#define X(type, name, width, ...) assign(from.name, m_->opt.name);
    CORTEN_MODEL_OPTIONS(X)
#undef X
  }

  void control(const double* row) { std::copy_n(row, m_->nu, d_->ctrl); }
  void step() { mj_step(m_.get(), d_.get()); }

  // the state that the next step starts from, appended to or read from a recording
  void record(std::vector<double>& out) const {
    out.insert(out.end(), d_->qpos, d_->qpos + m_->nq);
    out.insert(out.end(), d_->qvel, d_->qvel + m_->nv);
    out.insert(out.end(), d_->act, d_->act + m_->na);
    out.insert(out.end(), d_->qacc_warmstart, d_->qacc_warmstart + m_->nv);
  }
  void place(const double* row) {
    std::copy_n(row, m_->nq, d_->qpos);
    std::copy_n(row += m_->nq, m_->nv, d_->qvel);
    std::copy_n(row += m_->nv, m_->na, d_->act);
    std::copy_n(row += m_->na, m_->nv, d_->qacc_warmstart);
  }

  int contacts() const { return d_->ncon; }
  int iterations() const { return detail::mujoco_iterations(*d_); }
  const mjModel& model() const { return *m_; }
  mjData& data() { return *d_; }
  const mjData& data() const { return *d_; }

 private:
  explicit MujocoEngine(mjModel* m) : m_(m), d_(mj_makeData(m)) {}

  template <class T>
  static void assign(T from, T& to) {
    to = from;
  }
  template <class T, int N>
  static void assign(const corten::Array<T, N>& from, T* to) {
    std::copy_n(from.data(), N, to);
  }

  std::unique_ptr<mjModel, detail::DeleteModel> m_;
  std::unique_ptr<mjData, detail::DeleteData> d_;
};

// ---- time by groups of stages, from MuJoCo's own timers -----------------------------------------

using MujocoTicks = BestTicks<mjNTIMER>;

// switches the timers on for the lifetime of this object
class MujocoTimers {
 public:
  MujocoTimers() {
    origin();
    mjcb_time = [] { return static_cast<mjtNum>(ticks() - origin()); };
  }
  ~MujocoTimers() { mjcb_time = nullptr; }
  MujocoTimers(const MujocoTimers&) = delete;
  MujocoTimers& operator=(const MujocoTimers&) = delete;

  // what the data has counted since the last call
  static MujocoTicks::Times take(mjData& d) {
    MujocoTicks::Times out;
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = static_cast<std::uint64_t>(d.timer[i].duration);
      d.timer[i] = {};
    }
    return out;
  }

 private:
  // relative to a start, since small numbers keep their digits as mjtNum
  static std::uint64_t origin() {
    static const std::uint64_t first = ticks();
    return first;
  }
};

}  // namespace bench
