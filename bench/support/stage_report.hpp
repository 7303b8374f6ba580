// SPDX-License-Identifier: Apache-2.0
//
// Where the time of a step goes: stage by stage in corten, and in both engines by the groups that
// MuJoCo's own timers distinguish.
#pragma once

#include "comparison.hpp"
#include "stages.hpp"
#include "table.hpp"

#include <array>
#include <cstdio>
#include <initializer_list>
#include <string>

namespace bench {

// nanoseconds per step
struct StageReport {
  struct Group {
    const char* name;
    double corten, mujoco;
  };
  std::array<double, stage_count> corten{};
  std::vector<Group> groups;
};

namespace detail {

// the groups that MuJoCo's timers distinguish; the last one holds what no timer covers
inline void add_groups(StageReport& out, const MujocoTicks& timers) {
  const auto sum = [&](std::initializer_list<Stage> stages) {
    double total = 0;
    for (Stage s : stages) total += out.corten[static_cast<std::size_t>(s)];
    return total;
  };
  double rest = timers.nanoseconds(mjTIMER_STEP);
  const auto add = [&](const char* name, double corten, std::initializer_list<mjtTimer> covered) {
    double mujoco = 0;
    for (mjtTimer t : covered) mujoco += timers.nanoseconds(static_cast<std::size_t>(t));
    out.groups.push_back({name, corten, mujoco});
    rest -= mujoco;
  };
  using enum Stage;
  add("kinematics com tendon transmission", sum({kinematics, com, tendon, transmission}),
      {mjTIMER_POS_KINEMATICS});
  add("inertia factor", sum({inertia, factor}), {mjTIMER_POS_INERTIA});
  add("collision", sum({collision}), {mjTIMER_POS_COLLISION});
  add("constraint", sum({constraint}), {mjTIMER_POS_MAKE});
  add("velocity passive reference bias", sum({velocity, passive, reference, bias}),
      {mjTIMER_VELOCITY});
  add("actuation", sum({actuation}), {mjTIMER_ACTUATION});
  add("solve", sum({solve}), {mjTIMER_POS_PROJECT, mjTIMER_CONSTRAINT});
  out.groups.push_back(
      {"acceleration sensors integrate", sum({acceleration, sensors, integrate}), rest});
}

}  // namespace detail

// each part of each step at its fastest, in several rounds over all episodes
inline StageReport measure_stages(Contest& contest, int rounds) {
  StageTicks stages;
  MujocoTicks timers;
  const MujocoTimers on;
  for (int round = 0; round < rounds; ++round) {
    std::size_t at = 0, other = 0;
    for (const Episode& e : contest.episodes()) {
      StagedEngine staged(contest.corten());
      run(staged, e, [&](int) { stages.update(at++, staged.spent()); });
      MujocoEngine& mujoco = contest.mujoco();
      run(mujoco, e, [&](int) { timers.update(other++, MujocoTimers::take(mujoco.data())); });
    }
  }
  StageReport out;
  for (std::size_t i = 0; i < stage_count; ++i) out.corten[i] = stages.nanoseconds(i);
  detail::add_groups(out, timers);
  return out;
}

inline void print_stages(const std::string& name, const StageReport& report) {
  double all = 0, corten = 0, mujoco = 0;
  for (double x : report.corten) all += x;
  Table stages({name + ": stages of corten", "ns/step", "%"});
  for (std::size_t i = 0; i < stage_count; ++i) {
    stages.add(
        {stage_names[i], grouped(report.corten[i]), format("%.1f", 100 * report.corten[i] / all)});
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
