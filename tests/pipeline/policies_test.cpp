// SPDX-License-Identifier: Apache-2.0
#include "../support/model.hpp"

using namespace corten;

namespace {

// a stage that counts its calls
struct Count {
  template <class M, class D>
  static void run(const M&, const D& d) {
    d.userdata[0] += typename D::Scalar(1);
  }
};

struct Reading {
  template <class M, class D>
  static void after_velocity(const M&, const D& d) {
    d.userdata[1] += typename D::Scalar(1);
  }
};

// few kinds, to compile fast
template <class Pipeline>
using Few = Policies<Joints<Slide>, Geoms<Plane, Sphere>, Sensors<Clock>, Solvers<Solver::newton>,
                     Pipeline>;
struct Counting
    : Few<DefaultPipeline::before<stages::Solve, Count>::after<stages::Sensing, Reading>> {};
struct Ghost : Few<DefaultPipeline::without<stages::Collision>> {};

// Default lists are not checked where they are used. In another order they are.
template <template <class...> class List, class First, class... Rest>
constexpr bool is_sound(List<First, Rest...>) {
  return List<Rest..., First>::Sound::value;
}
template <class Position, class Velocity, class Acceleration, class Readings>
constexpr bool is_sound(Pipeline<Position, Velocity, Acceleration, Readings>) {
  return Pipeline<Velocity, Acceleration, Position, Readings>::Sound::value;
}

// rules and contacts of a user's own, switched by numbers of the data
struct Rule {
  template <class M, class D>
  static bool may_touch(const M&, const D& d, int, int) {
    return value(d.userdata[0]) != 1;
  }
  template <class M, class D>
  static bool accept(const M&, const D& d, int k) {
    d.contact_solref[2 * k] *= typename D::Scalar(2);
    return value(d.userdata[0]) != 2;
  }
};

// the contact of the ball with the floor, as the collider finds it
struct ByHand {
  template <class M, class D>
  static void run(const M& m, const D& d) {
    using S = typename D::Scalar;
    const Vec3<S> centre = vec3<S>(d.geom_xpos, 1), up = Vec3<S>::Unit(2);
    const S dist = centre[2] - S(m.geom_size[3]);
    if (value(d.userdata[1]) == 0 || value(dist) > 0) return;
    const int ball = value(d.userdata[1]) == 2 ? 99 : 1;  // there is no geom 99
    add_contact(m, d, 0, ball, plane_hit(up, Vec3<S>(centre - up * S(m.geom_size[3])), dist));
  }
};
struct Ruled
    : Policies<Joints<Slide>, Geoms<Plane, Sphere>, Sensors<Clock>, Solvers<Solver::newton>,
               ContactRules<Rule>, DefaultPipeline::after<stages::Collision, ByHand>> {};

using Small = Stages<stages::Com, stages::Bias>;

// the error of bind<P> for a model
template <class P>
std::string refusal(const Model<double>& model) {
  const auto bound = bind<P>(model);
  return bound ? "" : bound.error().to_string();
}

bool mentions(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

constexpr const char* ball_on_floor = R"(
<mujoco>
  <size nuserdata="2"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body pos="0 0 0.2"><joint name="lift" type="slide" axis="0 0 1"/>
      <geom name="ball" size="0.1"/></body>
  </worldbody>
  <sensor><clock name="watch"/></sensor>
</mujoco>)";

}  // namespace

TEST_CASE("choices of policies come in any order, the rest is the default", "[pipeline]") {
  using P = Policies<Solvers<Solver::newton>, Geoms<Plane, Sphere>, Joints<Hinge>>;
  CHECK(std::is_same_v<P::Joints, Joints<Hinge>>);
  CHECK(std::is_same_v<P::Colliders, Colliders<PlaneSphere, SphereSphere>>);
  CHECK(std::is_same_v<P::Sensors, DefaultSensors>);
  CHECK(std::is_same_v<P::Pipeline, DefaultPipeline>);
  CHECK(std::is_same_v<DefaultPolicies::Colliders, DefaultColliders>);
  CHECK(std::is_same_v<Policies<Colliders<PlaneBox>>::Colliders, Colliders<PlaneBox>>);
  CHECK(std::is_same_v<Joints<Hinge>::with<Ball>, Joints<Hinge, Ball>>);
}

TEST_CASE("every kind of the library is complete and has a number of its own", "[pipeline]") {
  CHECK(is_sound(DefaultJoints{}));
  CHECK(is_sound(DefaultGeoms{}));
  CHECK(is_sound(DefaultConstraints{}));
  CHECK(is_sound(DefaultActuators{}));
  CHECK(is_sound(DefaultSensors{}));
  CHECK(is_sound(DefaultPipeline{}));
}

TEST_CASE("stages are inserted and left out by type", "[pipeline]") {
  using P = Pipeline<Small, Stages<>, Stages<stages::Solve>, Stages<>>;
  CHECK(std::is_same_v<P::before<stages::Com, Count>::position,
                       Stages<Count, stages::Com, stages::Bias>>);
  CHECK(std::is_same_v<P::after<stages::Com, Count>::position,
                       Stages<stages::Com, Count, stages::Bias>>);
  CHECK(std::is_same_v<P::replace<stages::Solve, Count>::acceleration, Stages<Count>>);
  CHECK(std::is_same_v<P::without<stages::Com, stages::Solve>,
                       Pipeline<Stages<stages::Bias>, Stages<>, Stages<>, Stages<>>>);
  CHECK(P::has<stages::Bias>);
  CHECK_FALSE(P::has<Count>);
}

TEST_CASE("a user-defined stage runs with the others", "[pipeline]") {
  Model<double> model = support::parse(ball_on_floor);
  Data<double> plain(model), counting(model);
  for (int i = 0; i < 100; ++i) {
    REQUIRE(step(model, plain).ok());
    REQUIRE(step<Counting>(model, counting).ok());
  }
  CHECK(counting.ref().userdata[0] == 100);
  CHECK(counting.ref().userdata[1] == 100);
  CHECK(plain.qpos()[0] == counting.qpos()[0]);
  CHECK(plain.ncon() == 1);

  // stages run at the trial states of RK4, readings do not
  model.opt.integrator = static_cast<int>(Integrator::rk4);
  REQUIRE(step<Counting>(model, counting).ok());
  CHECK(counting.ref().userdata[0] == 104);
  CHECK(counting.ref().userdata[1] == 101);
}

TEST_CASE("without collisions a ball falls through the floor", "[pipeline]") {
  const Model<double> model = support::parse(ball_on_floor);
  Data<double> data(model);
  for (int i = 0; i < 500; ++i) REQUIRE(step<Ghost>(model, data).ok());
  CHECK(data.ncon() == 0);
  CHECK(near(data.qvel()[0], -9.81, 1e-12));
}

TEST_CASE("rules decide which geoms touch, and change contacts", "[pipeline]") {
  const Model<double> model = support::parse(ball_on_floor);
  Data<double> data(model), plain(model);
  data.qpos()[0] = plain.qpos()[0] = -0.11;
  REQUIRE(forward(model, plain).ok());
  REQUIRE(plain.ncon() == 1);
  REQUIRE(forward<Ruled>(model, data).ok());
  CHECK(data.ncon() == 1);
  CHECK(data.ref().contact_solref[0] == 2 * plain.ref().contact_solref[0]);
  for (const double refuses : {1, 2}) {
    data.ref().userdata[0] = refuses;
    REQUIRE(forward<Ruled>(model, data).ok());
    CHECK(data.ncon() == 0);
    CHECK(data.nefc() == 0);
  }

  // an explicit pair touches whatever may_touch says, but its contacts can be refused
  std::string text = ball_on_floor;
  text.insert(text.find("<sensor>"),
              "<contact><pair geom1='floor' geom2='ball' friction='1'/></contact>");
  const Model<double> paired = support::parse(text);
  Data<double> pair(paired);
  pair.qpos()[0] = -0.11;
  pair.ref().userdata[0] = 1;
  REQUIRE(forward<Ruled>(paired, pair).ok());
  CHECK(pair.ncon() == 1);
  pair.ref().userdata[0] = 2;
  REQUIRE(forward<Ruled>(paired, pair).ok());
  CHECK(pair.ncon() == 0);
}

TEST_CASE("a contact of a geom that does not exist is left out", "[pipeline][misuse]") {
  static_assert(ContactRulePolicy<Rule> && !ContactRulePolicy<Count>);
  const Model<double> model = support::parse(ball_on_floor);
  Data<double> data(model);
  data.qpos()[0] = -0.11;
  data.ref().userdata[0] = 1;
  data.ref().userdata[1] = 2;
  CHECK(forward<Ruled>(model, data).bits == bad_argument);
  CHECK(step<Ruled>(model, data).bits == bad_argument);
  CHECK(data.ncon() == 0);
}

TEST_CASE("a contact that is added by hand holds like any other", "[pipeline]") {
  const Model<double> model = support::parse(ball_on_floor);
  Data<double> data(model), plain(model), fixed(model, {0, 10});
  data.grow(model, {0, 0});  // the step makes room for it
  for (Data<double>* by_hand : {&data, &fixed}) {
    by_hand->ref().userdata[0] = 1;
    by_hand->ref().userdata[1] = 1;
  }
  for (int i = 0; i < 300; ++i) {
    REQUIRE(step<Ruled>(model, data).ok());
    REQUIRE(step(model, plain).ok());
  }
  CHECK(plain.ncon() == 1);
  CHECK(data.ncon() == 1);
  CHECK(near(data.qpos()[0], plain.qpos()[0], 1e-12));
  CHECK(near(contact_force(data.ref(), 0)[0], contact_force(plain.ref(), 0)[0], 1e-9));

  fixed.qpos()[0] = -0.11;
  CHECK(step<Ruled>(model, fixed).has(contacts_full));
  CHECK(fixed.ref().ncon_needed == 1);
}

TEST_CASE("bind names what the policies do not cover", "[pipeline]") {
  Model<double> model = support::parse(ball_on_floor);
  CHECK(refusal<DefaultPolicies>(model).empty());

  const std::string joint = refusal<Policies<Joints<Hinge, Free>>>(model);
  CHECK(mentions(joint, "joint 'lift': is slide; the policies list hinge, free"));
  const std::string pair = refusal<Policies<Geoms<Plane, Box>>>(model);
  CHECK(mentions(pair, "geom 'floor' and geom 'ball': no collider for plane against sphere"));
  const std::string sensor = refusal<Policies<Sensors<JointPos>>>(model);
  CHECK(mentions(sensor, "sensor 'watch': is clock; the policies list jointpos"));

  // policies without a stage need no kinds for it
  CHECK(refusal<Policies<Geoms<Box>, Sensors<>,
                         DefaultPipeline::without<stages::Collision, stages::Sensing>>>(model)
            .empty());

  using Fixed =
      Policies<Solvers<Solver::newton>, Integrators<Integrator::euler>, Cones<Cone::pyramidal>>;
  CHECK(refusal<Fixed>(model).empty());
  model.opt.solver = static_cast<int>(Solver::pgs);
  CHECK(mentions(refusal<Fixed>(model), "option solver: is PGS; the policies list Newton"));
  CHECK(refusal<DefaultPolicies>(model).empty());
  model.opt.solver = static_cast<int>(Solver::cg);
  CHECK(mentions(refusal<Fixed>(model), "option solver: is CG; the policies list Newton"));
  CHECK(refusal<DefaultPolicies>(model).empty());
  model.opt.solver = static_cast<int>(Solver::newton);
  model.opt.integrator = static_cast<int>(Integrator::rk4);
  CHECK(mentions(refusal<Fixed>(model), "option integrator: is RK4; the policies list Euler"));
  model.opt.integrator = static_cast<int>(Integrator::euler);
  model.opt.cone = static_cast<int>(Cone::elliptic);
  CHECK(mentions(refusal<Fixed>(model), "option cone: is elliptic; the policies list pyramidal"));

  CHECK(refusal<DefaultPolicies>(model).empty());

  // and a step reports it
  model.opt.solver = 9;
  CHECK(mentions(refusal<DefaultPolicies>(model),
                 "option solver: is unknown; the policies list PGS, CG, Newton"));
  Data<double> data(model);
  CHECK(step(model, data).has(not_covered));
}
