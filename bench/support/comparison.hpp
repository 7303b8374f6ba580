// SPDX-License-Identifier: Apache-2.0
//
// One model in both engines: what they compute, and how fast.
//
// An untimed pass warms up, counts contacts and iterations and compares states. Then the engines
// take turns, episode by episode, for a number of rounds. The best CPU time of each episode counts:
// noise from other programs only ever adds time.
#pragma once

#include "corten_engine.hpp"
#include "mujoco_engine.hpp"

#include <corten/io/options.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

struct Options {
  int steps = 1000, episodes = 3, rounds = 5;
  bool replay = false, stages = false;
  std::string json, opt;
  std::vector<std::string> models;
};

// what one engine did: means over all steps of all episodes
struct Run {
  double contacts = 0, iterations = 0;
  double seconds = 0;  // per step
};

// largest |Δ qpos|
struct Differences {
  double first = 0;  // after one step from the start
  double any = 0;    // after one step from any state of MuJoCo's trajectories
  double last = 0;   // at the end of an episode, each engine on its own
};

struct Comparison {
  std::string name;
  Run corten, mujoco;
  Differences differences;
  int status = 0;  // corten's status bits

  double ratio() const { return mujoco.seconds / corten.seconds; }
};

class Contest {
 public:
  // both engines with the model, or null and the reason
  static std::unique_ptr<Contest> load(const std::string& path, const Options& options,
                                       std::string& why);

  Comparison run();

  const corten::Model<double>& model() const { return corten_->model(); }
  CortenEngine<>& corten() { return *corten_; }
  MujocoEngine& mujoco() { return *mujoco_; }
  const std::vector<Episode>& episodes() const { return episodes_; }

 private:
  explicit Contest(const Options& options) : options_(options) {}

  void survey_mujoco(Run& out);
  void survey_corten(Run& out, Differences& differences);
  double difference(std::size_t episode, int step) const;
  template <class Engine>
  double time(Engine& engine, std::size_t episode);

  // MuJoCo's state before a step
  const double* state(std::size_t episode, int step) const {
    return states_[episode].data() + static_cast<std::size_t>(step) * width_;
  }
  double total_steps() const { return static_cast<double>(options_.steps) * options_.episodes; }

  Options options_;
  std::unique_ptr<CortenEngine<>> corten_;
  std::unique_ptr<MujocoEngine> mujoco_;
  std::vector<Episode> episodes_;
  std::vector<std::vector<double>> states_;  // one recording per episode
  std::size_t width_ = 0;                    // numbers per state
};

inline std::unique_ptr<Contest> Contest::load(const std::string& path, const Options& options,
                                              std::string& why) {
  auto model = load_model(corten::mjcf::parse_file(path));
  if (!model) {
    why = "corten: " + model.error().to_string();
    return {};
  }
  const auto opt = corten::io::with_options(model->opt, options.opt);
  if (!opt) {
    why = "corten: " + opt.error().to_string();
    return {};
  }
  model->opt = *opt;
  std::unique_ptr<Contest> c(new Contest(options));
  c->corten_ = std::make_unique<CortenEngine<>>(std::move(model).value());
  c->mujoco_ = MujocoEngine::load(path, why);
  if (!c->mujoco_) {
    why = "MuJoCo: " + why;
    return {};
  }
  if (!options.opt.empty()) c->mujoco_->set(*opt);
  const corten::Sizes& n = c->model().n;
  const mjModel& m = c->mujoco_->model();
  if (n.nq != m.nq || n.nv != m.nv || n.nu != m.nu || n.na != m.na) {
    why = "the engines disagree about nq, nv, nu or na";
    return {};
  }
  c->width_ = static_cast<std::size_t>(n.nq + 2 * n.nv + n.na);
  for (int seed = 1; seed <= options.episodes; ++seed) {
    const auto s = static_cast<std::uint64_t>(seed);
    c->episodes_.push_back(make_episode(c->model(), options.steps, s));
  }
  return c;
}

// largest |Δ qpos| between corten now and MuJoCo before `step`
inline double Contest::difference(std::size_t episode, int step) const {
  double most = 0;
  const double* other = state(episode, step);
  for (double q : std::as_const(*corten_).data().qpos()) {
    const double d = std::abs(q - *other++);
    most = d <= most ? most : d;  // keeps NaN
  }
  return most;
}

// counts contacts and iterations, and records the trajectories
inline void Contest::survey_mujoco(Run& out) {
  const double total = total_steps();
  for (const Episode& e : episodes_) {
    std::vector<double>& states = states_.emplace_back();
    mujoco_->start(e);
    mujoco_->record(states);
    for (int k = 0; k < e.steps; ++k) {
      mujoco_->control(e.controls(k));
      mujoco_->step();
      mujoco_->record(states);
      out.contacts += mujoco_->contacts() / total;
      out.iterations += mujoco_->iterations() / total;
    }
  }
}

// Counts, and compares with the recorded trajectories: each engine on its own, and one step at a
// time from MuJoCo's states, so that differences do not accumulate.
inline void Contest::survey_corten(Run& out, Differences& differences) {
  const auto raise = [](double& most, double x) { most = x <= most ? most : x; };
  const auto count = [&] {
    out.contacts += corten_->contacts() / total_steps();
    out.iterations += corten_->iterations() / total_steps();
  };
  for (std::size_t i = 0; i < episodes_.size(); ++i) {
    const Episode& e = episodes_[i];
    bench::run(*corten_, e, [&](int k) {
      if (!options_.replay) count();
      if (k == 0) raise(differences.first, difference(i, 1));
    });
    raise(differences.last, difference(i, e.steps));

    for (int k = 0; k < e.steps; ++k) {
      corten_->place(state(i, k));
      corten_->control(e.controls(k));
      corten_->step();
      if (options_.replay) count();
      raise(differences.any, difference(i, k + 1));
    }
  }
}

// CPU seconds of an episode
template <class Engine>
double Contest::time(Engine& engine, std::size_t episode) {
  const Episode& e = episodes_[episode];
  const double from = cpu_seconds();
  if (options_.replay) {
    engine.start(e);
    for (int k = 0; k < e.steps; ++k) {
      engine.place(state(episode, k));
      engine.control(e.controls(k));
      engine.step();
    }
  } else {
    bench::run(engine, e);
  }
  return cpu_seconds() - from;
}

inline Comparison Contest::run() {
  Comparison c;
  survey_mujoco(c.mujoco);
  survey_corten(c.corten, c.differences);
  c.status = corten_->status().bits;
  for (std::size_t i = 0; i < episodes_.size(); ++i) {
    double best_corten = std::numeric_limits<double>::max(), best_mujoco = best_corten;
    for (int round = 0; round < options_.rounds; ++round) {
      // who goes first changes every round
      for (int turn = 0; turn < 2; ++turn) {
        if ((turn + round) % 2 == 0) {
          best_corten = std::min(best_corten, time(*corten_, i));
        } else {
          best_mujoco = std::min(best_mujoco, time(*mujoco_, i));
        }
      }
    }
    c.corten.seconds += best_corten / total_steps();
    c.mujoco.seconds += best_mujoco / total_steps();
  }
  return c;
}

}  // namespace bench
