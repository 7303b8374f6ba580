// SPDX-License-Identifier: Apache-2.0
//
// User-defined pipelines in lanes: added stages that run in packs, that run world by world, or that
// say nothing about lanes; a reading; a stage left out; few kinds, one of them user-defined.
#include <corten/batch.hpp>

#include "../support/model.hpp"

#include <cmath>

using namespace corten;

namespace {

// smooth: drag towards the wind
struct Wind {
  static constexpr int lanes = in_packs;

  template <class M, class D>
  static void run(const M& m, const D& d) {
    using S = typename D::Scalar;
    const Vec3<S> wind(S(m.opt.wind[0]), S(m.opt.wind[1]), S(m.opt.wind[2]));
    for (int b = 1; b < m.n.nbody; ++b) {
      const Vec3<S> point = vec3<S>(d.xipos, b);
      const Vec3<S> speed = point_velocity(m, d, b, point).template tail<3>();
      apply_force(m, d, b, point, Vec3<S>(wind - speed), Vec3<S>(Vec3<S>::Zero()), d.qfrc_passive);
    }
  }
};

// branches, and declares which fields it needs
struct Wall {
  static constexpr int lanes = by_world;

  template <class M, class D>
  static void run(const M&, const D& d) {
    if (d.qpos[0] > 0.1) d.qfrc_passive[0] -= 50 * (d.qpos[0] - 0.1);
  }
  template <class M, class S>
  static void run(const M& m, const Lane<S>& lane) {
    lane.take(lane.block.qpos, lane.world.qpos, m.n.nq);
    lane.take(lane.block.qfrc_passive, lane.world.qfrc_passive, m.n.nv);
    run(m, lane.world);
    lane.give(lane.world.qfrc_passive, lane.block.qfrc_passive, m.n.nv);
  }
};

// branches, and declares nothing: the stage runs on whole worlds, contacts included
struct Brake {
  template <class M, class D>
  static void run(const M& m, const D& d) {
    for (int i = 0; d.ncon > 0 && i < m.n.nv; ++i) d.qfrc_smooth[i] -= d.cvel[9] * d.M[0];
  }
};

struct Steps {
  template <class M, class D>
  static void after_acceleration(const M&, const D& d) {
    d.userdata[0] += 1;
    d.userdata[1] = d.qacc[0];
  }
};

// a joint with a stop that depends on what kinematics has computed
struct Rail : Slide {
  static constexpr JointType type = user_joint(0);
  static constexpr const char* name = "rail";

  template <class M, class D, class F>
  static void limits(const M& m, const D& d, int j, F&& row) {
    using S = typename D::Scalar;
    const S dist = d.xaxis[3 * j] * S(m.jnt_range[2 * j + 1]) - d.qpos[m.jnt_qposadr[j]];
    if (value(dist) < 0) row(dist, Vec<S, 1>(S(-1)));
  }
};

// contacts that depend on a pose which collision itself does not need
struct Soft {
  template <class M, class D>
  static bool accept(const M&, const D& d, int k) {
    using S = typename D::Scalar;
    d.contact_solref[2 * k] = S(0.02) + S(0.05) * d.xpos[5];
    return true;
  }
};

struct Windy
    : Policies<ContactRules<Soft>,
               DefaultPipeline::after<stages::Passive, Wind, Wall>::before<stages::Solve, Brake>::
                   after<stages::Sensing, Steps>::without<stages::Actuation, stages::Tendon>,
               Joints<Slide, Rail>, Geoms<Plane, Sphere>, Sensors<Clock>, Solvers<Solver::newton>,
               Integrators<Integrator::euler, Integrator::rk4>> {};

// balls that reach the floor one after the other
constexpr const char* balls = R"(
<mujoco>
  <size nuserdata="2"/>
  <default><geom condim="1"/></default>
  <option wind="3 0 0" timestep="0.005"/>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 0.15"><joint axis="1 0 0" type="slide" range="-1 0.12"/>
      <joint name="z" axis="0 0 1" type="slide"/><geom size="0.1" mass="0.5"/></body>
    <body pos="0 1 0.2"><joint axis="0 0 1" type="slide"/><geom size="0.1" mass="0.5"/></body>
    <body pos="0 2 0.25"><joint axis="0 0 1" type="slide"/><geom size="0.1" mass="0.5"/></body>
    <body pos="0 3 0.4"><joint axis="0 0 1" type="slide"/><geom size="0.1" mass="0.5"/></body>
  </worldbody>
  <actuator><motor joint="z"/></actuator>
  <sensor><clock/></sensor>
</mujoco>)";

Model<double> load_balls() {
  Model<double> model = support::parse(balls);
  model.jnt_type[0] = static_cast<int>(Rail::type);
  return model;
}

}  // namespace

TEST_CASE("a pipeline of the user's runs in lanes as in a batch", "[batch][lanes]") {
  Model<double> model = load_balls();
  for (Integrator integrator : {Integrator::euler, Integrator::rk4}) {
    model.opt.integrator = static_cast<int>(integrator);
    LaneBatch<double, 2, Windy> lanes(model, 5);
    Batch<double, Windy> batch(model, 5);
    for (int i = 0; i < 5; ++i) {
      for (Data<double>* world : {&lanes[i], &batch[i]}) {
        support::perturb(model, *world, std::uint64_t(i + 1), 0.05, 0.2);
        world->grow(model, Capacity{1, 4});  // too small within a step
        world->ctrl()[0] = 100;
      }
    }
    REQUIRE(lanes.step_all(60));
    REQUIRE(batch.step_all(60));
    CHECK(lanes.all_ok());
    for (int i = 0; i < 5; ++i) {
      INFO("integrator " << int(integrator) << ", world " << i);
      const auto& a = lanes[i].ref();
      const auto& b = batch[i].ref();
      CHECK(near(a.time.get(), b.time.get(), 1e-12));
      CHECK(a.ncon.get() == 4);
      CHECK(a.ncon.get() == b.ncon.get());
      CHECK(a.nl.get() == 1);
      CHECK(a.nl.get() == b.nl.get());
      for (int k = 0; k < model.n.nv; ++k) {
        CHECK(near_relative(a.qpos[k], b.qpos[k], 1e-9, 1));
        CHECK(near_relative(a.qvel[k], b.qvel[k], 1e-9, 1));
        CHECK(near_relative(a.qfrc_passive[k], b.qfrc_passive[k], 1e-8, 1));
        CHECK(a.qfrc_actuator[k] == 0);
      }
      CHECK(a.qpos[0] > 0.1);      // blown against the wall
      CHECK(a.userdata[0] >= 60);  // a repeated step counts again
      CHECK(near_relative(a.userdata[1], b.userdata[1], 1e-8, 1));
      CHECK(near(a.sensordata[0], b.sensordata[0], 1e-12));
    }
  }
}

TEST_CASE("duals of packs take a whole step, through contacts", "[batch][lanes]") {
  using D = Dual<double, 2>;
  using S = packed_t<D, 2>;
  static_assert(std::is_same_v<S, Dual<Pack<double, 2>, 2>> && std::is_same_v<lane_t<S>, D>);
  const Model<double> model = load_balls();
  const auto m = make_ref<Windy>(model);
  const Data<S> block(model, Capacity{0, 0});
  std::vector<Data<D>> alone, worlds;
  LaneBlock<S> b{block.ref(), {}};
  for (int i = 0; i < 2; ++i) {
    Data<D>& world = alone.emplace_back(model);
    support::perturb(model, world, std::uint64_t(i + 1), 0.05, 0.2);
    world.qvel()[0].v[0] = 1;
    world.qpos()[1].v[1] = 1;
  }
  worlds = alone;
  for (int i = 0; i < 2; ++i) {
    b.world[i] = &worlds[std::size_t(i)].ref();
    load_lane(b[i]);
  }
  for (int k = 0; k < 40; ++k) {
    REQUIRE(lane_step(m, b, 3u) == 3u);
    for (Data<D>& world : alone) REQUIRE(step(m, world.ref()).ok());
  }
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(worlds[i].ncon() == 3);
    CHECK(worlds[i].qpos()[1].v[1] != 1);
    for (std::size_t k = 0; k < worlds[i].qpos().size(); ++k) {
      const D expected = alone[i].qpos()[k], got = worlds[i].qpos()[k];
      INFO("world " << i << ", dof " << k);
      CHECK(near_relative(got.a, expected.a, 1e-9, 1));
      for (int t = 0; t < 2; ++t) {
        CHECK(near_relative(got.v[t], expected.v[t], 1e-8, 1));
      }
    }
  }
}
