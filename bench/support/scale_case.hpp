// SPDX-License-Identifier: Apache-2.0
//
// One case of bench_scale: a model in both engines. MuJoCo, if it is there, lets the model settle,
// and its state becomes the start of both; otherwise corten does. From there both take the same
// number of steps, in turns.
#pragma once

#include "clock.hpp"
#include "stages.hpp"
#ifdef CORTEN_BENCH_MUJOCO
#include "mujoco_engine.hpp"
#endif

#include <corten/io/options.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bench {

struct ScaleOptions {
  int settle = 300, steps = 100, rounds = 3, limit = 4;
  std::string solver;
};

// the stages in groups that both engines time
inline constexpr std::size_t scale_groups = 5;
inline constexpr std::array<const char*, scale_groups> scale_group_names = {
    "position, inertia", "collision", "constraint", "solve", "rest"};

struct ScaleRun {
  double load = 0, seconds = 0, bytes = 0;    // seconds: per step
  std::array<double, scale_groups> groups{};  // seconds per step
};

struct ScaleCase {
  int nv = 0, contacts = 0, steps = 0;  // contacts at the start, steps measured
  ScaleRun corten, mujoco;              // mujoco.seconds is 0 without MuJoCo

  double ratio() const { return mujoco.seconds / corten.seconds; }
};

inline std::string scale_opponent() {
#ifdef CORTEN_BENCH_MUJOCO
  return mujoco_build();
#else
  return "MuJoCo was not found";
#endif
}

inline std::string describe(const ScaleOptions& o) {
  return "settled for " + std::to_string(o.settle) + " steps, or " + std::to_string(o.limit) +
         " s; then up to " + std::to_string(o.steps) +
         " steps, as many as fit into the same time, from the same state; best CPU time of " +
         std::to_string(o.rounds) + " rounds, engines taking turns; " +
         (o.solver.empty() ? "Newton" : o.solver) + ", one thread, double precision";
}

namespace detail {

// wall seconds that `work` takes
template <class F>
double wall_seconds(F&& work) {
  using Clock = std::chrono::steady_clock;
  const auto from = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - from).count();
}

template <class F>
double cpu_seconds_of(F&& work) {
  const double from = cpu_seconds();
  work();
  return cpu_seconds() - from;
}

inline double model_bytes(const corten::Model<double>& m) {
  std::size_t total = sizeof m;
#define X(type, name, rows, width, meaning) total += m.name.size() * sizeof(m.name[0]);
  CORTEN_MODEL_FIELDS(X)
#undef X
  return static_cast<double>(total);
}

// qpos, qvel, act and the warm start
inline std::vector<double> corten_state(const corten::Data<double>& data) {
  std::vector<double> out;
  const auto& d = data.ref();
  const auto add = [&](const auto& field, int n) {
    for (int i = 0; i < n; ++i) out.push_back(field[i]);
  };
  add(d.qpos, d.n.nq);
  add(d.qvel, d.n.nv);
  add(d.act, d.n.na);
  add(d.qacc_warmstart, d.n.nv);
  return out;
}

// steps until the model has settled or the time is up
template <class Engine>
void settle(Engine& engine, const ScaleOptions& o) {
  const double from = cpu_seconds();
  for (int k = 0; k < o.settle && cpu_seconds() - from < o.limit; ++k) engine.step();
}

template <class Engine>
void take_steps(Engine& engine, const std::vector<double>& state, int steps) {
  engine.place(state.data());
  for (int k = 0; k < steps; ++k) engine.step();
}

// each stage of each step at its fastest, since other programs only add time
inline void add_corten_groups(CortenEngine<>& engine, const std::vector<double>& state, int steps,
                              int rounds, ScaleRun& out) {
  StageClock clock;
  StageTicks best;
  for (int round = 0; round < rounds; ++round) {
    engine.place(state.data());
    for (int k = 0; k < steps; ++k) {
      staged_step(engine.view(), engine.data().ref(), clock);
      best.update(static_cast<std::size_t>(k), clock.spent());
    }
  }
  for (std::size_t i = 0; i < stage_count; ++i) {
    const auto stage = static_cast<Stage>(i);
    std::size_t group = 4;
    if (stage <= Stage::factor || stage == Stage::transmission) group = 0;
    if (stage == Stage::collision) group = 1;
    if (stage == Stage::constraint) group = 2;
    if (stage == Stage::solve) group = 3;
    out.groups[group] += 1e-9 * best.nanoseconds(i);
  }
}

#ifdef CORTEN_BENCH_MUJOCO

inline void add_mujoco_groups(MujocoEngine& engine, const std::vector<double>& state, int steps,
                              int rounds, ScaleRun& out) {
  const MujocoTimers on;
  MujocoTicks best;
  MujocoTimers::take(engine.data());
  for (int round = 0; round < rounds; ++round) {
    engine.place(state.data());
    for (int k = 0; k < steps; ++k) {
      engine.step();
      best.update(static_cast<std::size_t>(k), MujocoTimers::take(engine.data()));
    }
  }
  const auto seconds = [&](mjtTimer t) {
    return 1e-9 * best.nanoseconds(static_cast<std::size_t>(t));
  };
  out.groups[0] = seconds(mjTIMER_POS_KINEMATICS) + seconds(mjTIMER_POS_INERTIA);
  out.groups[1] = seconds(mjTIMER_POS_COLLISION);
  out.groups[2] = seconds(mjTIMER_POS_MAKE);
  out.groups[3] = seconds(mjTIMER_POS_PROJECT) + seconds(mjTIMER_CONSTRAINT);
  out.groups[4] =
      seconds(mjTIMER_STEP) - out.groups[0] - out.groups[1] - out.groups[2] - out.groups[3];
}

inline double mujoco_bytes(const mjModel& m, const mjData& d) {
  return static_cast<double>(sizeof m) + static_cast<double>(m.nbuffer) +
         static_cast<double>(sizeof d) + static_cast<double>(d.nbuffer) +
         static_cast<double>(d.maxuse_arena);
}

#endif

}  // namespace detail

// A model in the engines that are there.
class ScaleContest {
 public:
  // null, with the reason, if an engine refuses the model
  static std::unique_ptr<ScaleContest> load(const std::string& text, const ScaleOptions& o,
                                            std::string& why) {
    std::unique_ptr<ScaleContest> c(new ScaleContest(o));
    c->out_.corten.load = detail::wall_seconds([&] { c->load_corten(text, why); });
    if (!c->corten_) return {};
    c->out_.nv = c->corten_->model().n.nv;
#ifdef CORTEN_BENCH_MUJOCO
    c->out_.mujoco.load =
        detail::wall_seconds([&] { c->mujoco_ = MujocoEngine::load_text(text, why); });
    if (!c->mujoco_) return {};
    c->mujoco_->set(c->corten_->model().opt);
#endif
    return c;
  }

  ScaleCase run() {
    settle();
    out_.steps = steps_that_fit();
    measure();
    out_.corten.bytes =
        detail::model_bytes(corten_->model()) + static_cast<double>(corten_->data().bytes());
    detail::add_corten_groups(*corten_, state_, out_.steps, o_.rounds, out_.corten);
#ifdef CORTEN_BENCH_MUJOCO
    out_.mujoco.bytes = detail::mujoco_bytes(mujoco_->model(), mujoco_->data());
    detail::add_mujoco_groups(*mujoco_, state_, out_.steps, o_.rounds, out_.mujoco);
#endif
    return out_;
  }

  // what corten reported, apart from data that had to grow
  int problems() const {
    return corten_->status().bits & ~(corten::contacts_full | corten::rows_full);
  }

 private:
  explicit ScaleContest(const ScaleOptions& o) : o_(o) {}

  void load_corten(const std::string& text, std::string& why) {
    auto model = load_model(corten::mjcf::parse(text));
    if (!model) return void(why = model.error().to_string());
    const std::string solver = o_.solver.empty() ? "" : "solver=" + o_.solver;
    const auto opt = corten::io::with_options(model->opt, solver);
    if (!opt) return void(why = opt.error().to_string());
    model->opt = *opt;
    corten_ = std::make_unique<CortenEngine<>>(std::move(model).value());
  }

  void settle() {
#ifdef CORTEN_BENCH_MUJOCO
    detail::settle(*mujoco_, o_);
    mujoco_->record(state_);
#else
    detail::settle(*corten_, o_);
    state_ = detail::corten_state(corten_->data());
#endif
    detail::take_steps(*corten_, state_, 1);
    out_.contacts = corten_->contacts();
  }

  // f(its results, a function that times so many steps) for each engine
  template <class F>
  void each(F&& f) {
    const auto time = [&](auto& engine, int steps) {
      return detail::cpu_seconds_of([&] { detail::take_steps(engine, state_, steps); });
    };
    f(out_.corten, [&](int steps) { return time(*corten_, steps); });
#ifdef CORTEN_BENCH_MUJOCO
    f(out_.mujoco, [&](int steps) { return time(*mujoco_, steps); });
#endif
  }

  // the steps of all rounds, and of the stages, share the time limit
  int steps_that_fit() {
    double once = 1e-9;
    each([&](ScaleRun&, auto&& time) { once += time(1); });
    const double fit = o_.limit / (once * 2 * o_.rounds);
    return static_cast<int>(std::clamp(fit, 1.0, static_cast<double>(o_.steps)));
  }

  // small models get more rounds, until the clock is fine enough
  void measure() {
    each([](ScaleRun& run, auto&&) { run.seconds = std::numeric_limits<double>::max(); });
    double spent = 0;
    for (int round = 0; round < o_.rounds || spent < 0.2; ++round) {
      each([&](ScaleRun& run, auto&& time) {
        const double t = time(out_.steps);
        spent += t;
        run.seconds = std::min(run.seconds, t / out_.steps);
      });
    }
  }

  ScaleOptions o_;
  ScaleCase out_;
  std::unique_ptr<CortenEngine<>> corten_;
#ifdef CORTEN_BENCH_MUJOCO
  std::unique_ptr<MujocoEngine> mujoco_;
#endif
  std::vector<double> state_;
};

}  // namespace bench
