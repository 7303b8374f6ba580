// SPDX-License-Identifier: Apache-2.0
//
// Where the time of a step goes: stage by stage in corten, and by the groups that MuJoCo's own timers
// distinguish in both.
#pragma once

#include "comparison.hpp"
#include "stages.hpp"
#include "table.hpp"

#include <array>
#include <cstdio>
#include <initializer_list>
#include <string>

namespace bench {

// nanoseconds a step
struct StageReport {
  struct Group {
    const char* name;
    double corten, mujoco;
  };
  std::array<double, stage_count> corten{};
  std::vector<Group> groups;
};

namespace detail {

// MuJoCo's time for each of its groups; what no timer covers is in the last one
inline void add_groups(StageReport& out, const MujocoTimers& timers, double scale) {
  const auto sum = [&](std::initializer_list<Stage> stages) {
    double total = 0;
    for (Stage s : stages) total += out.corten[static_cast<std::size_t>(s)];
    return total;
  };
  double rest = timers[mjTIMER_STEP] * scale;
  const auto add = [&](const char* name, double corten, double mujoco) {
    out.groups.push_back({name, corten, mujoco * scale});
    rest -= mujoco * scale;
  };
  using enum Stage;
  add("kinematics com tendon transmission", sum({kinematics, com, tendon, transmission}),
      timers[mjTIMER_POS_KINEMATICS]);
  add("inertia factor", sum({inertia, factor}), timers[mjTIMER_POS_INERTIA]);
  add("collision", sum({collision}), timers[mjTIMER_POS_COLLISION]);
  add("constraint", sum({constraint}), timers[mjTIMER_POS_MAKE]);
  add("velocity passive reference bias", sum({velocity, passive, reference, bias}),
      timers[mjTIMER_VELOCITY]);
  add("actuation", sum({actuation}), timers[mjTIMER_ACTUATION]);
  add("solve", sum({solve}), timers[mjTIMER_POS_PROJECT] + timers[mjTIMER_CONSTRAINT]);
  out.groups.push_back({"acceleration sensors integrate", sum({acceleration, sensors, integrate}), rest});
}

}  // namespace detail

// the fastest of some rounds over all episodes
inline StageReport measure_stages(Contest& contest, int rounds) {
  StageReport out;
  const double steps = static_cast<double>(contest.episodes()[0].steps) *
                       static_cast<double>(contest.episodes().size());
  double best = 0;
  for (int round = 0; round < rounds; ++round) {
    StagedEngine staged(contest.corten());
    for (const Episode& e : contest.episodes()) run(staged, e);
    const double total = staged.clock().seconds();
    if (round > 0 && total >= best) continue;
    best = total;
    for (std::size_t i = 0; i < stage_count; ++i) {
      out.corten[i] = 1e9 * staged.clock().seconds(static_cast<Stage>(i)) / steps;
    }
  }

  double best_step = 0;
  for (int round = 0; round < rounds; ++round) {
    MujocoTimers timers;
    for (const Episode& e : contest.episodes()) {
      run(contest.mujoco(), e);
      timers.add(contest.mujoco().data());
    }
    if (round > 0 && timers[mjTIMER_STEP] >= best_step) continue;
    best_step = timers[mjTIMER_STEP];
    out.groups.clear();
    detail::add_groups(out, timers, 1e9 * seconds_per_tick() / steps);
  }
  return out;
}

inline void print_stages(const std::string& name, const StageReport& report) {
  double all = 0, corten = 0, mujoco = 0;
  for (double x : report.corten) all += x;
  Table stages({name + ": stages of corten", "ns/step", "%"});
  for (std::size_t i = 0; i < stage_count; ++i) {
    stages.add({stage_names[i], grouped(report.corten[i]), format("%.1f", 100 * report.corten[i] / all)});
  }
  stages.print();
  std::printf("\n");

  Table groups({name + ": groups of both", "corten ns/step", "MuJoCo ns/step", "ratio"});
  for (const auto& g : report.groups) {
    groups.add({g.name, grouped(g.corten), grouped(g.mujoco), format("%.2f", g.mujoco / g.corten)});
    corten += g.corten;
    mujoco += g.mujoco;
  }
  groups.add({"all", grouped(corten), grouped(mujoco), format("%.2f", mujoco / corten)});
  groups.print();
  std::printf("\n");
}

}  // namespace bench
