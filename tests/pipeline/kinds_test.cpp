// SPDX-License-Identifier: Apache-2.0
//
// User-defined kinds, from the examples: a screw joint, a torus and a rope.
#include <corten/batch.hpp>
#include <corten/scalar/dual.hpp>

#include "../../examples/kinds/rope.hpp"
#include "../../examples/kinds/screw.hpp"
#include "../../examples/kinds/torus.hpp"
#include "../support/model.hpp"

using namespace corten;

namespace {

struct Toys : Policies<Joints<Free, Hinge, Screw>, Geoms<Plane, Sphere, Torus>,
                       Colliders<PlaneSphere, SphereSphere, PlaneTorus, SphereTorus>,
                       Solvers<Solver::newton>, Integrators<Integrator::euler>, Sensors<>,
                       DefaultPipeline::without<stages::Tendon, stages::Transmission,
                                                stages::Actuation, stages::Sensing>> {};

// a list of constraints with an additional one
struct Roped : Policies<Joints<Hinge, Free>, Geoms<Sphere>, Colliders<SphereSphere>,
                        Constraints<constraints::Connect, Rope, constraints::JointLimit>,
                        Solvers<Solver::newton>, Integrators<Integrator::euler>, Sensors<>,
                        DefaultPipeline::without<stages::Tendon, stages::Transmission,
                                                 stages::Actuation, stages::Sensing>> {};

// replaces the solver in models without constraints
struct Unconstrained {
  template <class M, class D>
  static void run(const M& m, const D& d) {
    copy(d.qacc, d.qacc_smooth, m.n.nv);
  }
};

// joints that move freely, for accurate integration and for derivatives
struct Smooth
    : Policies<Joints<Hinge, Screw>, Geoms<Sphere>, Sensors<>, Solvers<Solver::newton>,
               DefaultPipeline::without<stages::Tendon, stages::Collision, stages::Constraint,
                                        stages::Transmission, stages::Reference, stages::Actuation,
                                        stages::Sensing>::replace<stages::Solve, Unconstrained>> {};

Model<double> toys(const std::string& text) { return support::checked(load_string<Toys>(text)); }

// three joints in series, off-centre and askew
Model<double> chain(const std::string& middle) {
  return toys(R"(
<mujoco>
  <option timestep="0.001"><flag energy="enable"/></option>
  <worldbody>
    <body pos="0 0 1">
      <joint type="hinge" axis="0 1 0.2" stiffness="2"/>
      <geom size="0.1" pos="0.2 0 0"/>
      <body pos="0.4 0 0">
        )" + middle +
              R"(
        <geom size="0.1" pos="0.1 0.2 0"/>
        <body pos="0.2 0 0" quat="1 0.3 0 0">
          <joint type="screw" axis="0 1 0" pitch="-0.3" pos="0.05 0 0.1"/>
          <geom size="0.08" pos="0 0 0.2"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>)");
}

template <class D>
void set_state(D& data) {
  const double q[] = {0.4, -0.7, 1.1}, v[] = {0.5, 2.0, -1.5};
  for (std::size_t i = 0; i < 3; ++i) {
    data.qpos()[i] = q[i];
    data.qvel()[i] = v[i];
  }
}

std::string refusal(const std::string& text) {
  const auto model = load_string<Toys>(text);
  return model ? "" : model.error().to_string();
}

std::string world(const std::string& inside) {
  return "<mujoco>\n<worldbody>\n<body>" + inside +
         "<geom size='0.1'/></body></worldbody></mujoco>";
}

}  // namespace

TEST_CASE("a screw without pitch is a hinge", "[pipeline]") {
  const Model<double> screw = chain("<joint type='screw' axis='1 0 1' range='-60 60'/>");
  const Model<double> hinge = chain("<joint type='hinge' axis='1 0 1' range='-60 60'/>");
  CHECK(screw.jnt_range == hinge.jnt_range);
  CHECK(screw.dof_invweight0 == hinge.dof_invweight0);
  CHECK(screw.dof_length == hinge.dof_length);
  Data<double> a(screw), b(hinge);
  set_state(a), set_state(b);
  for (int i = 0; i < 500; ++i) {
    REQUIRE(step<Toys>(screw, a).ok());
    REQUIRE(step<Toys>(hinge, b).ok());
  }
  CHECK(a.nefc() == b.nefc());
  for (std::size_t i = 0; i < 3; ++i) CHECK(a.qpos()[i] == b.qpos()[i]);
}

TEST_CASE("screws conserve energy", "[pipeline]") {
  Model<double> model = chain("<joint type='screw' axis='1 0 1' pitch='0.5' ref='10'/>");
  model.opt.integrator = static_cast<int>(Integrator::rk4);
  Data<double> data(model);
  set_state(data);
  REQUIRE(forward<Smooth>(model, data).ok());
  const double before = data.energy()[0] + data.energy()[1];
  for (int i = 0; i < 2000; ++i) REQUIRE(step<Smooth>(model, data).ok());
  REQUIRE(forward<Smooth>(model, data).ok());
  CHECK(std::abs(data.qpos()[1]) > 0.5);
  CHECK(near_relative(data.energy()[0] + data.energy()[1], before, 1e-8));
}

TEST_CASE("derivatives of a screw's acceleration", "[pipeline]") {
  using D = Dual<double, 8>;
  const Model<double> model = chain("<joint type='screw' axis='1 0 1' pitch='0.5'/>");
  REQUIRE(model.n.nparam_jnt == 1);
  CHECK(model.jnt_param == std::vector<double>{0, 0.5, -0.3});
  CHECK(bind<Smooth>(model).ok());

  // tangents: the coordinate and the velocity of the middle joint, and its pitch
  Model<D> dual_model = cast<D>(model);
  dual_model.jnt_param[1] = D(0.5, 2);
  Data<D> dual(dual_model);
  set_state(dual);
  dual.qpos()[1].v[0] = dual.qvel()[1].v[1] = 1;
  REQUIRE(forward(make_ref<Smooth>(dual_model), dual.ref()).ok());

  const double h = 1e-5;
  for (int k = 0; k < 3; ++k) {
    std::vector<double> acceleration[2];
    for (int side = 0; side < 2; ++side) {
      const double by = side == 0 ? -h : h;
      Model<double> moved = model;
      Data<double> data(moved);
      set_state(data);
      (k == 0 ? data.qpos()[1] : k == 1 ? data.qvel()[1] : moved.jnt_param[1]) += by;
      REQUIRE(forward(make_ref<Smooth>(moved), data.ref()).ok());
      acceleration[side].assign(data.qacc().begin(), data.qacc().end());
    }
    for (std::size_t i = 0; i < 3; ++i) {
      INFO("tangent " << k << " of dof " << i);
      const double difference = (acceleration[1][i] - acceleration[0][i]) / (2 * h);
      CHECK(near_relative(dual.qacc()[i].v[k], difference, 1e-6, 0.1));
    }
  }
}

TEST_CASE("kinds that the policies do not list are refused", "[pipeline]") {
  const std::string text = world("<joint type='screw' pitch='1'/>");
  const auto plain = load_string(text);
  REQUIRE_FALSE(plain.ok());
  CHECK(plain.error().where.line == 3);
  CHECK(plain.error().where.column == 14);
  CHECK(plain.error().message == "'screw' is not a valid value of attribute 'type'");
  CHECK(load_string(world("<joint pitch='1'/>")).error().message ==
        "unknown attribute 'pitch' of <joint>");
  CHECK(refusal(text).empty());

  // the same in code
  Spec spec;
  spec::Body& body = spec.world.bodies.emplace_back();
  body.joints.emplace_back().type = Screw::type;
  body.geoms.emplace_back().size = {0.1};
  CHECK(compile(spec).error().message == "unknown kind of joint");
  CHECK(compile(spec, extensions_of<Toys>()).ok());
  body.joints[0].parameters.set("lead", 1);
  CHECK(compile(spec, extensions_of<Toys>()).error().message ==
        "a screw joint has no attribute 'lead'");
  body.joints.clear();
  body.geoms[0].type = Torus::type;
  CHECK(compile(spec).error().message == "unknown kind of geom");
}

TEST_CASE("attributes of a user-defined kind are read like others", "[pipeline]") {
  CHECK(refusal(world("<joint type='hinge' pitch='1'/>"))
            .find("a hinge joint has no attribute 'pitch'") != std::string::npos);
  CHECK(refusal(world("<joint type='screw' pitch='fast'/>")).find("3:27: ") != std::string::npos);
  CHECK(refusal(world("<joint type='scrow'/>")).find("screw") != std::string::npos);
  CHECK(refusal(world("<freejoint pitch='1'/>")).find("pitch") != std::string::npos);
  CHECK(refusal(world("<joint type='ball'/>")).find("the policies list free, hinge, screw") !=
        std::string::npos);

  const Model<double> model = toys(R"(
<mujoco>
  <default><joint type="screw" pitch="2"/>
    <default class="fine"><joint pitch="0.1"/></default></default>
  <worldbody>
    <body><joint/><geom size="1"/>
      <body><joint class="fine"/><geom size="1"/>
        <body><joint class="fine" pitch="7"/><geom size="1"/></body></body></body>
  </worldbody>
</mujoco>)");
  CHECK(model.jnt_param == std::vector<double>{2, 0.1, 7});
  CHECK(model.body_simple == std::vector<int>{1, 0, 0, 0});
}

TEST_CASE("a torus has its mass, moments and bounds", "[pipeline]") {
  const Model<double> model = toys(R"(
<mujoco><worldbody>
  <body><freejoint/><geom type="torus" size="0.3 0.1" density="100"/></body>
</worldbody></mujoco>)");
  const double mass = 100 * 2 * pi * pi * 0.3 * 0.01;
  CHECK(near(model.body_mass[1], mass, 1e-12));
  CHECK(near(model.body_inertia[5], mass * (0.09 + 0.75 * 0.01), 1e-12));
  CHECK(near(model.body_inertia[3], mass * (0.5 * 0.09 + 0.625 * 0.01), 1e-12));
  CHECK(near(model.geom_rbound[0], 0.4, 1e-12));
  CHECK(refusal(world("<geom type='torus' size='0.1 0.2'/>")).find("thinner") != std::string::npos);
  CHECK(refusal(world("<joint/><geom type='torus' size='0.1 -1'/>")).find("has 2 sizes") !=
        std::string::npos);
  CHECK(refusal(world("<site type='torus'/>")).find("a site cannot be") != std::string::npos);
}

TEST_CASE("a torus comes to rest on a plane", "[pipeline]") {
  const Model<double> model = toys(R"(
<mujoco><worldbody>
  <geom type="plane" size="2 2 .1" quat="0.98 0.1 0 0"/>
  <body quat="0.95 0.1 0.05 0"><freejoint/><geom type="torus" size="0.2 0.05"/></body>
</worldbody></mujoco>)");
  Data<double> data(model);
  data.qpos()[2] = 0.3;
  for (int i = 0; i < 3000; ++i) REQUIRE(step<Toys>(model, data).ok());

  // its axis is along the normal, and four points of its tube carry its weight
  const auto& d = data.ref();
  const Vec3<double> normal = mat3<double>(d.geom_xmat, 0).col(2),
                     axis = mat3<double>(d.geom_xmat, 1).col(2);
  CHECK(near_relative(normal.dot(axis), 1, 1e-6));
  CHECK(near(normal.dot(vec3<double>(d.geom_xpos, 1)), 0.05, 1e-3));
  CHECK(data.ncon() == 4);
  for (double v : data.qvel()) CHECK(std::abs(v) < 2e-3);
}

TEST_CASE("colliders of a torus measure its signed distance", "[pipeline]") {
  using D = Dual<double, 8>;
  Shape<D> torus{{D(0.1), D(0.2), D(0.3)}, {}, {D(0.5), D(0.1), D(0)}},
      ball{{}, {}, {D(0.2), D(0), D(0)}};
  const Mat3<double> turned = to_matrix(axis_angle(Vec3<double>(0.6, 0.8, 0), 0.7));
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) torus.axes[k][i] = D(turned(i, k));
    for (int i = 0; i < 3; ++i) ball.axes[k][i] = D(i == k);
  }
  const auto signed_distance = [&](const Vec3<double>& p) {
    const Vec3<double> local = turned.transpose() * (p - Vec3<double>(0.1, 0.2, 0.3));
    return std::hypot(std::hypot(local[0], local[1]) - 0.5, local[2]) - 0.1;
  };
  support::Random random(4);
  for (int n = 0; n < 50; ++n) {
    const Vec3<double> p(0.1 + 0.6 * random(), 0.2 + 0.6 * random(), 0.3 + 0.6 * random());
    for (int i = 0; i < 3; ++i) ball.pos[i] = D(p[i], i);
    Hit<D> hit;
    REQUIRE(SphereTorus::collide(ball, torus, D(10), &hit) == 1);
    CHECK(near(hit.dist.a, signed_distance(p) - 0.2, 1e-12));
    for (int i = 0; i < 3; ++i) {
      Vec3<double> low = p, high = p;
      low[i] -= 1e-6, high[i] += 1e-6;
      const double slope = (signed_distance(high) - signed_distance(low)) / 2e-6;
      CHECK(near(hit.dist.v[i], slope, 1e-6));
      CHECK(near(hit.normal[i].a, -slope, 1e-6));
    }
  }
}

TEST_CASE("a torus collides with a distance field by its own distances", "[pipeline]") {
  using D = Dual<double, 8>;
  using Pair = Colliders<SdfPair<Torus>>;
  std::vector<float> data;  // of a ball of radius 0.1, with cells of a tenth of that
  const int n = 25;
  for (int i = 0; i < n * n * n; ++i) {
    const Vec3<double> p(i % n - 12, i / n % n - 12, i / n / n - 12);
    data.push_back(float(0.01 * p.norm() - 0.1));
  }
  Shape<D> torus{Vec3<D>::Zero(), {}, {D(0.5), D(0.1), D(0)}};
  for (int k = 0; k < 3; ++k) torus.axes[k] = Vec3<D>::Unit(k);
  Shape<D> ball = torus;
  ball.grid = {data.data(), {n, n, n}, Vec3<D>::Constant(D(-0.12)), D(0.01)};
  const auto collide = [&](double x, double y, Hit<D>* hits) {
    ball.pos = Vec3<D>(D(x, 0), D(y, 1), D(0.0, 2));
    Effort<D> effort;
    return Pair::collide(
        GeomType::sdf, Torus::type, [&] { return ball; }, [&] { return torus; }, D(0), effort,
        hits);
  };
  Hit<D> hits[Pair::max_hits];
  CHECK(collide(0, 0, hits) == 0);  // in the hole
  // from outside and from the hole; the normal points from the field, which is the first geom, to
  // the torus
  for (const double side : {1.0, -1.0}) {
    const double far = 0.5 + 0.199 * side;
    REQUIRE(collide(0.6 * far, 0.8 * far, hits) == 1);
    CHECK(near(hits[0].dist.a, -0.001, 2e-4));
    CHECK(near(hits[0].dist.v[0], 0.6 * side, 3e-2));
    CHECK(near(hits[0].dist.v[1], 0.8 * side, 3e-2));
    CHECK(near(hits[0].normal[0].a, -0.6 * side, 1e-2));
    CHECK(near(hits[0].normal[1].a, -0.8 * side, 1e-2));
  }
}

namespace {

// a ball on a rope below an arm that turns
const std::string roped = R"(
<mujoco>
  <option tolerance="0"/>
  <worldbody>
    <body pos="0 0 1">
      <joint axis="0 1 0" stiffness="20" damping="0.1"/>
      <geom size="0.05" pos="0.3 0 0"/>
      <site name="tip" pos="0.3 0 0"/>
    </body>
    <body pos="0.25 0.1 0.5">
      <freejoint/>
      <geom size="0.05" mass="0.2"/>
      <site name="eye" pos="0 0 0.05"/>
    </body>
  </worldbody>
  <equality><rope name="r" site1="tip" site2="eye" length="0.45" solref="0.01 1"/></equality>
</mujoco>)";

}  // namespace

TEST_CASE("a rope pulls when it is taut and never pushes", "[pipeline]") {
  const Model<double> model = support::checked(load_string<Roped>(roped));
  CHECK(model.eq_dim == std::vector<int>{1});
  CHECK(model.eq_data[0] == 0.45);
  CHECK(bind<Roped>(model).ok());
  CHECK(bind(model).error().message.find("the policies list connect") != std::string::npos);
  Data<double> data(model);
  int slack = 0, taut = 0;
  for (int i = 0; i < 600; ++i) {
    REQUIRE(step<Roped>(model, data).ok());
    data.nefc() == 0 ? ++slack : ++taut;
    for (int r = 0; r < data.nefc(); ++r) REQUIRE(data.ref().efc_force[r] >= 0);
  }
  CHECK(slack > 10);
  CHECK(taut > 100);
  for (int i = 0; i < 1500; ++i) {  // until the swing has died down
    for (double& v : data.qvel()) v *= 0.95;
    REQUIRE(step<Roped>(model, data).ok());
  }
  REQUIRE(data.nefc() == 1);
  CHECK(near_relative(data.ref().efc_force[0], 0.2 * 9.81, 1e-3));
}

TEST_CASE("a step with a rope has derivatives, and runs in lanes", "[pipeline]") {
  const Model<double> model = support::checked(load_string<Roped>(roped));
  Data<double> data(model);
  data.qvel()[3] = -1;
  while (data.nefc() == 0) REQUIRE(step<Roped>(model, data).ok());
  const std::vector<double> qpos(data.qpos().begin(), data.qpos().end()),
      qvel(data.qvel().begin(), data.qvel().end());

  using D = Dual<double, 8>;
  const auto put = [&](auto& to) {
    for (std::size_t i = 0; i < qpos.size(); ++i) to.qpos()[i] = qpos[i];
    for (std::size_t i = 0; i < qvel.size(); ++i) to.qvel()[i] = qvel[i];
  };
  Data<D> dual(model);
  put(dual);
  dual.qpos()[0].v[0] = dual.qpos()[3].v[1] = dual.qvel()[2].v[2] = 1;
  REQUIRE(step<Roped>(model, dual).ok());
  REQUIRE(dual.nefc() == 1);
  const double h = 1e-6;
  for (int k = 0; k < 3; ++k) {
    std::vector<double> after[2];
    for (int side = 0; side < 2; ++side) {
      Data<double> moved(model);
      put(moved);
      (k == 0 ? moved.qpos()[0] : k == 1 ? moved.qpos()[3] : moved.qvel()[2]) += side ? h : -h;
      REQUIRE(step<Roped>(model, moved).ok());
      after[side].assign(moved.qvel().begin(), moved.qvel().end());
    }
    for (std::size_t i = 0; i < after[0].size(); ++i) {
      CHECK(near(dual.qvel()[i].v[k], (after[1][i] - after[0][i]) / (2 * h), 1e-6));
    }
  }

  Batch<double, Roped> one_by_one(model, 6);
  LaneBatch<double, 4, Roped> lanes(model, 6);
  for (int w = 0; w < 6; ++w) {
    one_by_one[w].qvel()[3] = lanes[w].qvel()[3] = -0.2 * w;
  }
  REQUIRE(one_by_one.step_all(300));
  REQUIRE(lanes.step_all(300));
  for (int w = 0; w < 6; ++w) {
    for (int i = 0; i < model.n.nq; ++i) {
      const auto at = static_cast<std::size_t>(i);
      CHECK(near(lanes[w].qpos()[at], one_by_one[w].qpos()[at], 1e-9));
    }
  }
}

TEST_CASE("user-defined constraints are read, checked and written", "[pipeline]") {
  const auto changed = [](const char* from, const char* to) {
    std::string text = roped;
    text.replace(text.find(from), std::string(from).size(), to);
    const auto model = load_string<Roped>(text);
    return model ? std::string() : model.error().to_string();
  };
  CHECK(changed("length=\"0.45\"", "length=\"-1\"") ==
        "16:14: mujoco/equality/rope 'r': length must be positive");
  CHECK(changed("length", "lenght").find("unknown attribute 'lenght' of <rope>") !=
        std::string::npos);
  CHECK(changed("site2=\"eye\"", "").find("the second site is missing") != std::string::npos);
  CHECK(changed("<rope", "<rod").find("unknown element <rod> in <equality>") != std::string::npos);

  const Extensions extensions = extensions_of<Roped>();
  const auto spec = mjcf::parse(roped, {.extensions = &extensions});
  REQUIRE(spec.ok());
  CHECK_FALSE(mjcf::write(*spec).ok());
  const auto text = mjcf::write(*spec, extensions);
  REQUIRE(text.ok());
  const Model<double> again = support::checked(load_string<Roped>(*text));
  CHECK(again.eq_data == support::checked(load_string<Roped>(roped)).eq_data);
}
