// SPDX-License-Identifier: Apache-2.0
//
// Sleep: who falls asleep, who wakes and why, and what those asleep show meanwhile. The numbers of
// all stages are compared with MuJoCo's in pipeline/conformance.cpp (model sleep).
#include <corten/data/state.hpp>

#include "../support/golden.hpp"

using namespace corten;

namespace {

using Numbers = std::vector<double>;
using Trees = std::vector<int>;

Trees asleep(const Data<double>& data) {
  const auto& d = data.ref();
  return {d.tree_asleep.data, d.tree_asleep.data + d.n.nsleep};
}

Trees list(const Field<int>& field, int count) { return {field.data, field.data + count}; }

void take_steps(const Model<double>& model, Data<double>& data, int count) {
  for (int i = 0; i < count; ++i) REQUIRE(step(model, data).ok());
}

Numbers state_of(const Data<double>& data) {
  Numbers x(std::size_t(state_size(data, state_integration)));
  REQUIRE(get_state(data, x, state_integration).ok());
  return x;
}

// two boxes side by side on the ground, a slider beside them, all asleep
std::string boxes(const std::string& option = "", const std::string& more = "") {
  return R"(<mujoco><option )" + option + R"(><flag sleep="enable"/></option><worldbody>
    <geom type="plane" size="9 9 1"/>
    <body name="a" pos="0 0 0.0999"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body name="b" pos="1 0 0.0999"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
    <body name="c" pos="2 0 1"><joint type="slide" axis="1 0 0" damping="1"/>
      <geom size="0.1" contype="0" conaffinity="0"/></body>
    <body name="hand" mocap="true" pos="0 0 2"><geom size="0.1"/></body>
  </worldbody>)" +
         more + "</mujoco>";
}

Data<double> sleeping(const Model<double>& model, int limit = 400) {
  Data<double> data(model);
  for (int i = 0; i < limit && (i == 0 || data.ref().ntree_awake > 0); ++i) {
    take_steps(model, data, 1);
  }
  REQUIRE(data.ref().ntree_awake == 0);
  return data;
}

const Trees all_asleep{0, 1, 2};

}  // namespace

TEST_CASE("trees fall asleep and wake in the same steps as in MuJoCo", "[solver][sleep]") {
  const Model<double> model = golden::converged(support::load("sleep"));
  const io::Json tree = golden::load_golden("sleep");
  Data<double> data(model);
  REQUIRE(data.reset(model, "roll").ok());
  int now = 0, compared = 0;
  for (const auto& entry : *tree.find("data")->array()) {
    if (*entry.find("kind")->string() != "step") continue;
    const int when = int(*entry.find("step")->number());
    take_steps(model, data, when - now);
    now = when;
    Numbers expected;
    golden::flatten(*entry.find("tree_asleep"), expected);
    INFO("step " << when);
    CHECK(asleep(data) == Trees(expected.begin(), expected.end()));
    ++compared;
  }
  CHECK(compared == 11);
}

TEST_CASE("until something sleeps, sleep changes nothing", "[solver][sleep]") {
  for (const Integrator integrator :
       {Integrator::euler, Integrator::rk4, Integrator::implicit, Integrator::implicitfast}) {
    INFO(int(integrator));
    Model<double> with = support::load("sleep");
    with.opt.integrator = int(integrator);
    for (int& policy : with.tree_sleep_policy) {
      if (policy == int(SleepPolicy::init)) policy = int(SleepPolicy::allowed);
    }
    Model<double> without = with;
    without.opt.enableflags &= ~enable_sleep;
    Data<double> x(with), y(without);
    REQUIRE(x.reset(with, "roll").ok());
    REQUIRE(y.reset(without, "roll").ok());
    int steps = 0;
    for (; x.ref().ntree_awake == with.n.ntree && steps < 100; ++steps) {
      CHECK(Numbers(x.qpos().begin(), x.qpos().end()) == Numbers(y.qpos().begin(), y.qpos().end()));
      CHECK(Numbers(x.qvel().begin(), x.qvel().end()) == Numbers(y.qvel().begin(), y.qvel().end()));
      take_steps(with, x, 1);
      take_steps(without, y, 1);
    }
    CHECK(steps > 8);
    CHECK(steps < 100);
  }
}

TEST_CASE("a tree sleeps after ten slow steps, with any integrator", "[solver][sleep]") {
  for (const char* name : {"Euler", "RK4", "implicit", "implicitfast", "implicitspringdamper"}) {
    INFO(name);
    const Model<double> model =
        support::parse(boxes("integrator='" + std::string(name) + "' sleep_tolerance='1'"));
    Data<double> data(model);
    for (int i = 1; i < 10; ++i) {
      take_steps(model, data, 1);
      CHECK(asleep(data) == Trees(3, i - 11));
    }
    take_steps(model, data, 1);
    CHECK(asleep(data) == all_asleep);
    take_steps(model, data, 1);  // as in MuJoCo, the warm start follows a step later
    const Numbers before = state_of(data);
    take_steps(model, data, 20);
    Numbers after = state_of(data);
    CHECK(near(after[0], 31 * 0.002, 1e-12));
    after[0] = before[0];
    CHECK(before == after);
  }
}

TEST_CASE("the user wakes the trees that are disturbed, and no others", "[solver][sleep]") {
  const Model<double> model = support::parse(boxes());
  Data<double> data = sleeping(model);
  REQUIRE(asleep(data) == all_asleep);
  take_steps(model, data, 5);
  REQUIRE(asleep(data) == all_asleep);
  auto& d = data.ref();
  SECTION("by a force on a body") { d.xfrc_applied[6 * 2 + 2] = 1e-9; }
  SECTION("by a generalised force") { d.qfrc_applied[6] = 1e-9; }
  SECTION("by a velocity") { d.qvel[7] = 1e-9; }
  SECTION("by a position") { d.qpos[8] += 1e-9; }
  SECTION("by a state") {
    Numbers x = state_of(data);
    x[1 + 8] += 1e-9;  // after the time; the vector says that the tree sleeps, so it does
    REQUIRE(set_state(data, x, state_integration).ok());
    take_steps(model, data, 1);
    CHECK(asleep(data) == all_asleep);
    d.qpos[8] += 1e-9;
  }
  SECTION("by a mocap body that touches it") {
    d.mocap_pos[0] = 1;
    d.mocap_pos[2] = 0.29;
  }
  take_steps(model, data, 1);
  CHECK(d.tree_asleep[0] == 0);
  CHECK(d.tree_asleep[1] < 0);
  CHECK(d.tree_asleep[2] == 2);
  CHECK(d.ntree_awake == 1);
  CHECK(d.nv_awake == 6);
  CHECK(list(d.dof_awake_ind, 6) == Trees{6, 7, 8, 9, 10, 11});
}

TEST_CASE("everything that follows from tree_asleep is listed as in MuJoCo", "[solver][sleep]") {
  const Model<double> model = support::parse(R"(<mujoco>
    <option gravity="0 0 0"><flag sleep="enable"/></option><worldbody>
    <body><joint type="ball"/><geom size="1" contype="0" conaffinity="0"/></body>
    <body><geom size="1" contype="0" conaffinity="0"/></body>
    <body><joint/><geom size="1" contype="0" conaffinity="0"/>
      <body pos="1 0 0"><joint/><geom size="1" contype="0" conaffinity="0"/></body></body>
    </worldbody></mujoco>)");
  Data<double> data(model);
  auto& d = data.ref();
  CHECK(asleep(data) == Trees{-11, -11});
  CHECK(d.ntree_awake == 2);
  CHECK(d.nv_awake == 5);
  const auto check = [&](int first, int second, const Trees& bodies, const Trees& parents,
                         const Trees& dofs, const Trees& states) {
    d.tree_asleep[0] = first;
    d.tree_asleep[1] = second;
    REQUIRE(forward(model, data).ok());
    CHECK(list(d.body_awake_ind, d.nbody_awake) == bodies);
    CHECK(list(d.parent_awake_ind, d.nparent_awake) == parents);
    CHECK(list(d.dof_awake_ind, d.nv_awake) == dofs);
    CHECK(list(d.body_awake, 5) == states);
    CHECK(list(d.tree_awake, 2) == Trees{first < 0, second < 0});
    CHECK(d.ntree_awake == (first < 0) + (second < 0));
  };
  check(0, -1, {0, 2, 3, 4}, {1, 2, 3, 4}, {3, 4}, {-1, 0, -1, 1, 1});
  check(-1, 1, {0, 1, 2}, {1, 2, 3}, {0, 1, 2}, {-1, 1, -1, 0, 0});
  check(0, 1, {0, 2}, {1, 2, 3}, {}, {-1, 0, -1, 0, 0});
  check(-1, -1, {0, 1, 2, 3, 4}, {1, 2, 3, 4}, {0, 1, 2, 3, 4}, {-1, 1, -1, 1, 1});
}

TEST_CASE("trees that sleep together wake together", "[solver][sleep]") {
  const Model<double> model = support::load("sleep");
  Data<double> data(model);
  auto& d = data.ref();
  const auto set = [&](const Trees& trees) {
    fill(d.tree_asleep, d.n.nsleep, -11);
    for (std::size_t i = 0; i < trees.size(); ++i) d.tree_asleep[int(i)] = trees[i];
  };
  const auto first = [&](int count) { return list(d.tree_asleep, count); };
  set({-11, 2, 1, 3});
  CHECK(first_of_cycle(d, 2) == 1);
  CHECK(first_of_cycle(d, 3) == 3);
  CHECK(first_of_cycle(d, 0) == -1);
  CHECK(!wake_cycle(d, 0));
  CHECK(wake_cycle(d, 1, -5));
  CHECK(first(4) == Trees{-11, -5, -5, 3});
  CHECK(!wake_cycle(d, 1));
  CHECK(first(4) == Trees{-11, -11, -5, 3});

  // lists that are no cycles end too
  set({1, 2, 1});
  CHECK(first_of_cycle(d, 0) == -1);
  CHECK(wake_cycle(d, 0));
  CHECK(first(3) == Trees{-11, -11, -11});
  set({-1, 99});
  CHECK(first_of_cycle(d, 1) == -1);
  CHECK(wake_cycle(d, 1));
  CHECK(first(2) == Trees{-1, -11});
}

TEST_CASE("policies decide who may sleep, and who starts asleep", "[solver][sleep]") {
  const auto model = [](const char* policy, const char* pos) {
    return support::parse(R"(<mujoco><option><flag sleep="enable"/></option><worldbody>
      <geom type="plane" size="9 9 1"/>
      <body sleep=")" + std::string(policy) +
                          R"(" pos="0 0 1">
        <joint name="j" damping="1"/><geom size="0.1" contype="0" conaffinity="0"/></body>
      <body sleep="init" pos=")" +
                          pos + R"("><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
      <body pos="1 0 0.3"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
      </worldbody><actuator><motor joint="j"/></actuator></mujoco>)");
  };
  const auto run = [](const Model<double>& m, int steps) {
    Data<double> data(m);
    take_steps(m, data, steps);
    return asleep(data);
  };
  // an actuator keeps a tree awake unless the policy says otherwise
  CHECK(run(model("auto", "3 0 1"), 30)[0] == -11);
  CHECK(run(model("never", "3 0 1"), 30)[0] == -11);
  CHECK(run(model("allowed", "3 0 1"), 30)[0] == 0);
  // one that starts asleep hangs in the air
  CHECK(run(model("auto", "3 0 1"), 30)[1] == 1);
  const Model<double> touching = model("auto", "1 0 0.1");
  Data<double> data(touching);
  CHECK(asleep(data) == Trees{-11, -12, -11});
  CHECK(step(touching, data).has(awake_at_start));
  CHECK(data.ref().tree_asleep[1] < 0);
  CHECK(step(touching, data).ok());

  // after a reset, and only if a keyframe or the user leaves it there
  const Model<double> hanging = model("auto", "3 0 1");
  Data<double> moved(hanging);
  moved.qpos()[1] += 0.1;
  take_steps(hanging, moved, 1);
  CHECK(moved.ref().tree_asleep[1] < 0);
  moved.reset(hanging);
  take_steps(hanging, moved, 1);
  CHECK(moved.ref().tree_asleep[1] == 1);
  CHECK(moved.ref().qacc[1 + 2] == 0);
}

TEST_CASE("equality constraints wake what they hold, tendons too", "[solver][sleep]") {
  const std::string held = R"(<tendon><fixed name="x"><joint joint="j" coef="1"/></fixed>
    <fixed name="y"><joint joint="k" coef="1"/></fixed></tendon>
    <equality><connect body1="a" body2="b" anchor="0.5 0 0" active="false"/>
    <tendon tendon1="x" tendon2="y" active="false"/></equality>)";
  std::string text = boxes("", held);
  text.replace(text.find("<joint type"), 6, "<joint name='j'");
  text.replace(text.find("<body name=\"hand\""), 0,
               R"(<body pos="3 0 1"><joint name="k" type="slide" axis="1 0 0" damping="1"/>
      <geom size="0.1" contype="0" conaffinity="0"/></body>)");
  const Model<double> model = support::parse(text);
  Data<double> data = sleeping(model);
  auto& d = data.ref();
  REQUIRE(asleep(data) == Trees{0, 1, 2, 3});
  SECTION("bodies that slept apart") {
    d.eq_active[0] = 1;
    take_steps(model, data, 1);
    CHECK(d.ne == 3);
    CHECK(asleep(data) == Trees{-10, -10, 2, 3});
    for (int i = 0; i < 300 && d.ntree_awake > 0; ++i) take_steps(model, data, 1);
    CHECK(asleep(data) == Trees{1, 0, 2, 3});
    take_steps(model, data, 3);  // now they sleep together
    CHECK(asleep(data) == Trees{1, 0, 2, 3});
    CHECK(d.nefc == 0);
    d.qvel[0] = 0.1;
    take_steps(model, data, 1);
    CHECK(d.tree_asleep[0] < 0);
    CHECK(d.tree_asleep[1] < 0);
  }
  SECTION("coupled tendons") {
    d.eq_active[1] = 1;
    take_steps(model, data, 1);
    CHECK(d.ne == 1);
    CHECK(asleep(data) == Trees{0, 1, -10, -10});
    for (int i = 0; i < 300 && d.ntree_awake > 0; ++i) take_steps(model, data, 1);
    CHECK(asleep(data) == Trees{0, 1, 3, 2});
    d.qvel[12] = 0.1;
    take_steps(model, data, 50);
    CHECK(d.tree_asleep[3] < 0);
    CHECK(near(d.qpos[14], d.qpos[15], 1e-3));
    CHECK(d.qpos[15] > 0.001);
  }
}

TEST_CASE("a state with sleeping trees resumes exactly, in any data", "[solver][sleep]") {
  const Model<double> model = support::load("sleep");
  Data<double> data(model);
  REQUIRE(data.reset(model, "roll").ok());
  take_steps(model, data, 60);
  REQUIRE(data.ref().ntree_awake < model.n.ntree);
  const Numbers saved = state_of(data);
  Data<double> fresh(model), small(model, Capacity{1, 1, true}), used(model), copied = data;
  take_steps(model, used, 40);
  for (Data<double>* other : {&fresh, &small, &used}) {
    REQUIRE(set_state(*other, saved, state_integration).ok());
  }
  for (int i = 0; i < 100; ++i) {
    take_steps(model, data, 1);
    const Numbers expected = state_of(data);
    const Numbers sensors(data.sensordata().begin(), data.sensordata().end());
    for (Data<double>* other : {&fresh, &small, &used, &copied}) {
      take_steps(model, *other, 1);
      REQUIRE(state_of(*other) == expected);
      for (std::size_t k = 0; k < sensors.size(); ++k) {
        CHECK(near(other->sensordata()[k], sensors[k], 1e-6));
      }
    }
  }
}

TEST_CASE("sleep can be switched on and off", "[solver][sleep]") {
  Model<double> model = support::parse(boxes());
  Data<double> data = sleeping(model);
  model.opt.enableflags &= ~enable_sleep;
  const double before = data.qpos()[2];
  data.qvel()[2] = 1;
  take_steps(model, data, 3);
  CHECK(data.qpos()[2] > before);
  model.opt.enableflags |= enable_sleep;
  take_steps(model, data, 1);
  CHECK(data.ref().tree_asleep[0] < 0);

  // data that has no room for it makes some
  Model<double> awake = support::parse(boxes());
  awake.opt.enableflags &= ~enable_sleep;
  Data<double> later(awake);
  take_steps(awake, later, 1);
  CHECK(later.ref().n.nsleep == 0);
  take_steps(model, later, 1);
  CHECK(asleep(later) == Trees{-10, -10, -10});
}
