// SPDX-License-Identifier: Apache-2.0
//
// Functions for users against MuJoCo 3.12.0, at a state with contacts, velocities and applied
// forces (golden/support.json), and relations between them.
#include <corten/query/query.hpp>

#include "../support/golden.hpp"
#include "../support/misuse.hpp"

using namespace corten;

namespace {

using Numbers = std::vector<double>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Numbers numbers(const io::Json& from) {
  Numbers out;
  golden::flatten(from, out);
  return out;
}

double worst(const Numbers& a, const Numbers& b) {
  REQUIRE(a.size() == b.size());
  double out = 0, scale = 1;
  for (double x : b) scale = std::max(scale, std::fabs(x));
  for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, std::fabs(a[i] - b[i]));
  return out / scale;
}

struct World {
  io::Json golden = golden::load_golden("support");
  Model<double> model = support::load("implicit");
  Data<double> data{model};

  World() {
    model.opt.tolerance = 0;
    model.opt.iterations = 200;
    if (const auto done = io::read_state(*golden.find("pre"), data); !done)
      FAIL(done.error().to_string());
    REQUIRE(forward(model, data).ok());
  }

  Vec3<double> vector(const char* name) const {
    const Numbers x = numbers(*golden.find(name));
    return Vec3<double>(x[0], x[1], x[2]);
  }
  int number(const char* name) const { return int(*golden.find(name)->number()); }

  // f(jacp, jacr) against MuJoCo's output
  template <class F>
  void check_pair(const char* name, F&& f) {
    Numbers p(at(3 * model.n.nv), 7), r = p;
    INFO(name);
    CHECK(f(p, r));
    CHECK(worst(p, numbers(*golden.find(name)->find("p"))) < 1e-12);
    CHECK(worst(r, numbers(*golden.find(name)->find("r"))) < 1e-12);
  }
};

}  // namespace

TEST_CASE("Jacobians", "[query]") {
  World w;
  const io::Json& golden = w.golden;
  const Model<double>& model = w.model;
  const Data<double>& data = w.data;
  const int body = w.number("body"), leaf = w.number("leaf"), tree = w.number("arm");
  const Vec3<double> point = w.vector("point"), axis = w.vector("axis");
  w.check_pair("jac", [&](auto& p, auto& r) { return jac(model, data, body, point, p, r); });
  w.check_pair("jac_body", [&](auto& p, auto& r) { return jac_body(model, data, body, p, r); });
  w.check_pair("jac_body_com",
               [&](auto& p, auto& r) { return jac_body_com(model, data, body, p, r); });
  w.check_pair("jac_geom", [&](auto& p, auto& r) { return jac_geom(model, data, 2, p, r); });
  w.check_pair("jac_site", [&](auto& p, auto& r) { return jac_site(model, data, 0, p, r); });
  w.check_pair("jac_point_axis", [&](auto& p, auto& a) {
    return jac_point_axis(model, data, body, point, axis, p, a);
  });
  w.check_pair("jac_dot",
               [&](auto& p, auto& r) { return jac_dot(model, data, body, point, p, r); });
  w.check_pair("jac_dot_leaf",
               [&](auto& p, auto& r) { return jac_dot(model, data, leaf, point, p, r); });

  Numbers com(at(3 * model.n.nv)), momentum = com;
  CHECK(jac_subtree_com(model, data, tree, com));
  CHECK(worst(com, numbers(*golden.find("jac_subtree_com"))) < 1e-12);
  CHECK(jac_subtree_angmom(model, data, tree, momentum));
  CHECK(worst(momentum, numbers(*golden.find("jac_subtree_angmom"))) < 1e-12);

  // either is optional; a wrong size is refused and nothing is written
  Numbers alone(at(3 * model.n.nv)), small(3, 7);
  CHECK(jac_site(model, data, 0, {}, alone));
  CHECK(worst(alone, numbers(*golden.find("jac_site")->find("r"))) < 1e-12);
  CHECK_FALSE(jac_site(model, data, 0, small, alone));
  CHECK_FALSE(jac_subtree_com(model, data, tree, {}));
  CHECK(small == Numbers(3, 7));
}

TEST_CASE("velocities and accelerations of objects", "[query]") {
  World w;
  const io::Json& golden = w.golden;
  const Model<double>& model = w.model;
  const Data<double>& data = w.data;
  const int body = w.number("body");
  const struct {
    const char* name;
    ObjectType type;
    int id;
  } objects[] = {{"body", ObjectType::body, body},
                 {"xbody", ObjectType::xbody, body},
                 {"geom", ObjectType::geom, 2},
                 {"site", ObjectType::site, 0},
                 {"world", ObjectType::body, 0}};
  for (const auto& o : objects) {
    for (const bool local : {false, true}) {
      const std::string key = o.name + std::string(local ? "1" : "0");
      INFO(key);
      const Vec6<double> v = object_velocity(model, data, o.type, o.id, local).value();
      const Vec6<double> a = object_acceleration(model, w.data, o.type, o.id, local).value();
      CHECK(worst(Numbers(v.data(), v.data() + 6), numbers(*golden.find("velocity")->find(key))) <
            1e-12);
      CHECK(worst(Numbers(a.data(), a.data() + 6),
                  numbers(*golden.find("acceleration")->find(key))) < 1e-9);
    }
  }
}

TEST_CASE("forces, configurations and the inertia matrix", "[query]") {
  World w;
  const io::Json& golden = w.golden;
  const Model<double>& model = w.model;
  const Data<double>& data = w.data;
  const int nv = model.n.nv, nq = model.n.nq;
  Numbers force(at(nv));
  CHECK(apply_ft(model, data, Vec3<double>(1, 2, 3), Vec3<double>(0.1, 0.2, 0.3), w.vector("point"),
                 w.number("body"), force));
  CHECK(worst(force, numbers(*golden.find("apply_ft"))) < 1e-12);

  // moves the configuration and takes the difference back
  Numbers moved(data.qpos().begin(), data.qpos().end()), back(at(nv));
  const Numbers start = moved, v(data.qvel().begin(), data.qvel().end());
  CHECK(integrate_pos(model, std::span<double>(moved), v, 0.3));
  CHECK(worst(moved, numbers(*golden.find("integrate_pos"))) < 1e-12);
  CHECK(differentiate_pos(model, std::span<double>(back), 0.2, start, moved));
  CHECK(worst(back, numbers(*golden.find("differentiate_pos"))) < 1e-12);
  CHECK_FALSE(integrate_pos(model, std::span<double>(back), v, 0.3));
  CHECK(nq != nv);

  Numbers full(at(nv * nv)), product(at(nv)), solved = v;
  CHECK(full_m(model, data, full));
  CHECK(worst(full, numbers(*golden.find("full_m"))) < 1e-12);
  CHECK(mul_m(model, data, product, v));
  CHECK(worst(product, numbers(*golden.find("mul_m"))) < 1e-12);
  CHECK(solve_m(model, data, solved));
  CHECK(worst(solved, numbers(*golden.find("solve_m"))) < 1e-10);

  // several vectors at once
  Numbers rows = product;
  rows.insert(rows.end(), v.begin(), v.end());
  CHECK(solve_m(model, data, rows));
  CHECK(worst(Numbers(rows.begin(), rows.begin() + nv), v) < 1e-10);
  CHECK(worst(Numbers(rows.begin() + nv, rows.end()), solved) == 0);
  rows.pop_back();
  CHECK_FALSE(solve_m(model, data, rows));
}

TEST_CASE("contacts one by one", "[query]") {
  const Model<double> model = load_string(R"(<mujoco>
    <option cone="elliptic"/>
    <default><geom mass="2" size="0.1 0.1 0.1"/></default>
    <worldbody>
      <geom name="floor" type="plane" size="5 5 1"/>
      <body name="ball" pos="0 0 0.099"><freejoint/><geom mass="3"/></body>
      <body pos="2 0 500"><freejoint/><geom/></body>
      <body name="box" pos="1 0 0.099"><freejoint/><geom type="box"/></body>
    </worldbody></mujoco>)")
                                  .value();
  Data<double> data(model);
  CHECK(contacts(model, data).empty());
  data.body(model, "box").value().force()[0] = 1;  // less than friction can hold
  for (int i = 0; i < 1000; ++i) REQUIRE(step(model, data).ok());
  REQUIRE(forward(model, data).ok());
  const int floor = model.geom("floor").value(), box = model.body("box").value();
  Vec3<double> on_box = Vec3<double>::Zero(), on_ball = on_box;
  int count = 0;
  for (const auto& c : contacts(model, data)) {
    CHECK(c.id == count++);
    CHECK(c.geoms[0] == floor);
    CHECK(c.bodies[0] == 0);
    CHECK(c.bodies[1] == model.geom_bodyid[at(c.geoms[1])]);
    CHECK(c.dim == 3);
    CHECK(c.dist < 0);
    CHECK(std::fabs(c.pos[2]) < 0.01);
    CHECK(c.normal()[2] == 1);
    CHECK(c.force[0] == contact_force(model, data, c.id).value()[0]);
    (c.bodies[1] == box ? on_box : on_ball) += c.world_force();
  }
  CHECK(count == 5);
  CHECK(contacts(model, data).size() == 5);
  // at rest: the weights, and what holds the box against the push; soft friction creeps
  CHECK(std::fabs(on_ball[2] - 3 * 9.81) < 1e-3);
  CHECK(std::fabs(on_box[2] - 2 * 9.81) < 1e-3);
  CHECK(std::fabs(on_box[0] + 1) < 1e-3);

  CHECK(contact_force(model, data, 5).error().to_string() ==
        "there is no contact 5 (ids count from 0 to 4)");
  CHECK_FALSE(contact_force(model, data, -1).ok());
  const Model<double> other = load_string("<mujoco/>").value();
  CHECK(contacts(other, data).empty());
  CHECK_FALSE(contact_force(other, data, 0).ok());
}

TEST_CASE("products with the Jacobian of the rows", "[query]") {
  World w;
  Model<double>& model = w.model;
  Data<double>& data = w.data;
  REQUIRE(data.nefc() > 0);
  Numbers rows(at(data.nefc())), joints(at(model.n.nv));
  for (const JacobianKind kind : {JacobianKind::sparse, JacobianKind::dense}) {
    model.opt.jacobian = int(kind);
    Data<double> here(model);
    copy_states(data.ref(), here.ref());
    REQUIRE(forward(model, here).ok());
    REQUIRE(here.nefc() == data.nefc());
    REQUIRE(mul_jac(model, here, rows, data.qvel()));
    const double* velocity = data.ref().efc_vel.data;
    CHECK(worst(rows, Numbers(velocity, velocity + data.nefc())) < 1e-12);
    const double* force = data.ref().efc_force.data;
    REQUIRE(mul_jac_t(model, here, joints, Numbers(force, force + data.nefc())));
    const double* constraint = data.ref().qfrc_constraint.data;
    CHECK(worst(joints, Numbers(constraint, constraint + model.n.nv)) < 1e-12);
  }

  CHECK(mul_jac(model, data, joints, data.qvel()).bits == bad_argument);
  CHECK(mul_jac_t(model, data, rows, rows).bits == bad_argument);
  const Model<double> other = load_string("<mujoco/>").value();
  CHECK(mul_jac(other, data, rows, data.qvel()).bits == wrong_model);
  CHECK(mul_jac_t(other, data, joints, rows).bits == wrong_model);
}

TEST_CASE("many rays from one point", "[query]") {
  World w;
  const Vec3<double> point(0.1, -0.2, 1.5);
  std::vector<Vec3<double>> directions;
  for (int i = 0; i < 64; ++i) {
    directions.emplace_back(std::sin(0.4 * i), std::cos(0.7 * i), std::sin(1.3 * i) - 0.5);
  }
  std::vector<RayHit<double>> hits(directions.size());
  REQUIRE(cast_rays(w.model, w.data, point, directions, hits));
  int found = 0;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const auto alone = cast_ray(w.model, w.data, point, directions[i]).value();
    CHECK(hits[i].geom == alone.geom);
    CHECK(hits[i].dist == alone.dist);
    CHECK(hits[i].normal == alone.normal);
    found += hits[i].geom >= 0 ? 1 : 0;
  }
  CHECK(found > 0);
  CHECK(found < 64);
  hits.pop_back();
  CHECK(cast_rays(w.model, w.data, point, directions, hits).bits == bad_argument);
}

// ---- what a user can get wrong ------------------------------------------------------------------

namespace {

using support::misuse::Case, support::misuse::check, support::misuse::explained,
    support::misuse::is, support::misuse::huge, support::misuse::infinity,
    support::misuse::not_a_number;
using Toy = support::misuse::World;
using V3 = Vec3<double>;

const Case other_model[] = {
    {"Jacobians",
     [](Toy& w) {
       return is(jac_body(w.other, w.data, 0, w.p, {}), wrong_model) &&
              is(jac_subtree_com(w.other, w.data, 0, w.p), wrong_model);
     }},
    {"products",
     [](Toy& w) {
       return is(mul_m(w.other, w.data, w.x, w.x), wrong_model) &&
              is(solve_m(w.other, w.data, w.x), wrong_model) &&
              is(mul_jac(w.other, w.data, w.x, w.x), wrong_model) &&
              is(mul_jac_t(w.other, w.data, w.x, w.x), wrong_model);
     }},
    {"motions and forces",
     [](Toy& w) {
       return explained(object_velocity(w.other, w.data, ObjectType::body, 0)) &&
              explained(object_acceleration(w.other, w.data, ObjectType::body, 0)) &&
              is(apply_ft(w.other, w.data, V3(0, 0, 1), V3(0, 0, 0), V3(0, 0, 0), 0, w.x),
                 wrong_model);
     }},
    {"rays and distances",
     [](Toy& w) {
       return explained(cast_ray(w.other, w.data, V3(0, 0, 1), V3(0, 0, -1))) &&
              explained(geom_distance(w.other, w.data, 0, 1, 1));
     }},
    {"contacts",
     [](Toy& w) {
       return explained(contact_force(w.other, w.data, 0)) && contacts(w.other, w.data).empty();
     }},
    {"queries of empty data",
     [](Toy& w) {
       return explained(contact_force(w.model, w.empty, 0)) && contacts(w.model, w.empty).empty() &&
              is(jac_body(w.model, w.empty, 1, w.p, {}), wrong_model) &&
              explained(cast_ray(w.model, w.empty, V3(0, 0, 0), V3(1, 0, 0))) &&
              explained(w.empty.body(w.model, 1)) && is(w.empty.store_key(w.model, 0), wrong_model);
     }},
};

const Case out_of_range[] = {
    {"Jacobians of no object",
     [](Toy& w) {
       for (const int id : {-1, 99, huge}) {
         for (const Status s :
              {jac(w.model, w.data, id, V3(0, 0, 0), w.p, {}),
               jac_body(w.model, w.data, id, w.p, {}), jac_site(w.model, w.data, id, w.p, {}),
               jac_dot(w.model, w.data, id, V3(0, 0, 0), w.p, {})}) {
           if (!is(s, bad_argument)) return false;
         }
       }
       return true;
     }},
    {"motions of no object",
     [](Toy& w) {
       return explained(object_velocity(w.model, w.data, ObjectType::site, 1)) &&
              explained(object_acceleration(w.model, w.data, ObjectType::geom, -1)) &&
              explained(object_velocity(w.model, w.data, ObjectType::tendon, 0));
     }},
    {"a force on no body",
     [](Toy& w) {
       return is(apply_ft(w.model, w.data, V3(0, 0, 1), V3(0, 0, 0), V3(0, 0, 0), 3, w.x),
                 bad_argument);
     }},
    {"distances of no geom",
     [](Toy& w) {
       return explained(geom_distance(w.model, w.data, 0, 3, 1)) &&
              explained(geom_distance(w.model, w.data, -1, 0, 1));
     }},
    {"no contact",
     [](Toy& w) {
       return explained(contact_force(w.model, w.data, 1)) &&
              explained(contact_force(w.model, w.data, -1));
     }},
};

const Case wrong_size[] = {
    {"matrices for Jacobians",
     [](Toy& w) {
       return is(jac_body(w.model, w.data, 1, w.x, {}), bad_argument) &&
              is(jac_site(w.model, w.data, 0, {}, w.x), bad_argument) &&
              is(jac_subtree_com(w.model, w.data, 1, {}), bad_argument);
     }},
    {"vectors for products with J",
     [](Toy& w) {
       return is(mul_jac(w.model, w.data, w.p, w.x), bad_argument) &&
              is(mul_jac_t(w.model, w.data, w.x, w.p), bad_argument);
     }},
    {"vectors for products with M",
     [](Toy& w) {
       return is(full_m(w.model, w.data, w.x), bad_argument) &&
              is(mul_m(w.model, w.data, w.x, w.p), bad_argument) &&
              is(solve_m(w.model, w.data, std::span(w.p).first(3)), bad_argument);
     }},
    {"hits for rays",
     [](Toy& w) {
       std::vector<V3> rays(2, V3(0, 0, -1));
       std::vector<RayHit<double>> hits(1);
       return is(cast_rays(w.model, w.data, V3(0, 0, 1), rays, hits), bad_argument);
     }},
    {"positions and velocities",
     [](Toy& w) {
       return is(integrate_pos(w.model, w.data.qpos(), w.p, 1), bad_argument) &&
              is(differentiate_pos(w.model, w.data.qpos(), 1, w.data.qpos(), w.data.qpos()),
                 bad_argument);
     }},
};

const Case no_numbers[] = {
    {"rays",
     [](Toy& w) {
       return explained(cast_ray(w.model, w.data, V3(0, 0, 1), V3(0, not_a_number, 1))) &&
              explained(cast_ray(w.model, w.data, V3(0, infinity, 1), V3(0, 0, -1)));
     }},
    {"a ray that leads nowhere",
     [](Toy& w) {
       const std::vector<V3> rays(1, V3(0, 0, 0));
       std::vector<RayHit<double>> hits(1);
       return explained(cast_ray(w.model, w.data, V3(0, 0, 1), rays[0])) &&
              is(cast_rays(w.model, w.data, V3(0, 0, 1), rays, hits), bad_argument);
     }},
    {"a distance",
     [](Toy& w) { return explained(geom_distance(w.model, w.data, 0, 1, not_a_number)); }},
    {"the time between positions",
     [](Toy& w) {
       const auto q = w.data.qpos();
       const std::span<double> v(w.x);
       return is(differentiate_pos(w.model, v, 0, q, q), bad_argument) &&
              is(differentiate_pos(w.model, v, not_a_number, q, q), bad_argument) &&
              is(integrate_pos(w.model, q, w.x, infinity), bad_argument);
     }},
};

}  // namespace

TEST_CASE("queries refuse another model", "[query][misuse]") { check(other_model); }
TEST_CASE("queries refuse ids that do not exist", "[query][misuse]") { check(out_of_range); }
TEST_CASE("queries refuse memory of the wrong size", "[query][misuse]") { check(wrong_size); }
TEST_CASE("queries refuse NaN and the like", "[query][misuse]") { check(no_numbers); }

TEST_CASE("a query that is refused writes nothing, and says why", "[query][misuse]") {
  Toy w;
  const Numbers before(w.p.size(), 7);
  w.p = before;
  CHECK(jac_body(w.model, w.data, 3, w.p, {}).bits == bad_argument);
  CHECK(jac_subtree_angmom(w.model, w.data, -1, w.p).bits == bad_argument);
  CHECK(w.p == before);
  CHECK(object_velocity(w.model, w.data, ObjectType::geom, 99).error().to_string() ==
        "there is no geom 99 (ids count from 0 to 2)");
}
