// SPDX-License-Identifier: Apache-2.0
//
// Soft bodies among rigid ones: contacts with every kind of geom, forces both ways, rest, friction.

#include "support/model.hpp"
#include "support/near.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace {

using corten::Data;
using corten::Model;
using corten::Vec3;
using support::near;
using support::near_relative;

std::string soft_world(const std::string& world, const std::string& softs,
                       const std::string& option = "timestep='0.005'") {
  return "<mujoco><option " + option + "/><worldbody>" + world + "</worldbody><deformable>" +
         softs + "</deformable></mujoco>";
}

void run(const Model<double>& model, Data<double>& data, int steps) {
  const auto m = corten::bind(model).value();
  for (int i = 0; i < steps; ++i) {
    const corten::Status status = corten::step(m, data);
    if (!status) FAIL(status.to_string());
  }
}

double fastest(const Data<double>& data) {
  double out = 0;
  const auto v = data.soft_vel();
  for (std::size_t i = 0; i < v.size(); i += 3) {
    out = std::max(out, std::sqrt(v[i] * v[i] + v[i + 1] * v[i + 1] + v[i + 2] * v[i + 2]));
  }
  return out;
}

// the force of all contacts on soft bodies
Vec3<double> push(const Model<double>& model, const Data<double>& data) {
  Vec3<double> out = Vec3<double>::Zero();
  for (int i = 0; i < data.ref().nscon; ++i) {
    out += corten::soft_contact(model, data, i).value().force;
  }
  return out;
}

// a grid of n x n vertices whose border is pinned
std::string border(int n) {
  std::string out;
  for (int v = 0; v < n * n; ++v) {
    const int i = v % n, j = v / n;
    if (i == 0 || j == 0 || i == n - 1 || j == n - 1) out += std::to_string(v) + " ";
  }
  return out;
}

// the state of the rigid bodies
void copy_motion(const Data<double>& from, Data<double>& to) {
  std::ranges::copy(from.qpos(), to.qpos().begin());
  std::ranges::copy(from.qvel(), to.qvel().begin());
  for (std::size_t i = 0; i < from.qvel().size(); ++i) {
    to.ref().qacc_warmstart[int(i)] = from.ref().qacc_warmstart[int(i)];
  }
}

// one segment whose second vertex is far away and ignores contacts by being pinned
std::string point(double x, double y, double z) {
  const auto triple = [](double a, double b, double c) {
    return std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c) + " ";
  };
  return "<chain vertex='" + triple(x, y, z) + triple(x + 50, y, z) +
         "' element='0 1' pin='1' radius='0.02' young='1'/>";
}

}  // namespace

// ---- detection ----------------------------------------------------------------------------------

TEST_CASE("contacts of a vertex with every kind of geom", "[soft][004-11.7][004-11.11]") {
  struct Case {
    const char* name;
    const char* geom;
    Vec3<double> at, normal;
    double depth;
  };
  // the vertex has a radius of 0.02
  const Case cases[] = {
      {"plane", "type='plane' size='1 1 1'", {0.3, 0.2, 0.015}, {0, 0, 1}, 0.005},
      {"sphere", "type='sphere' size='0.1'", {0.11, 0, 0}, {1, 0, 0}, 0.01},
      {"box", "type='box' size='0.1 0.2 0.3'", {0.05, 0.215, 0.1}, {0, 1, 0}, 0.005},
      {"inside a box", "type='box' size='0.1 0.2 0.3'", {0.02, 0, 0.295}, {0, 0, 1}, 0.025},
      {"capsule", "type='capsule' size='0.1 0.2'", {0, -0.115, 0.1}, {0, -1, 0}, 0.005},
      {"end of a capsule", "type='capsule' size='0.1 0.2'", {0, 0, -0.31}, {0, 0, -1}, 0.01},
      {"cap of a cylinder", "type='cylinder' size='0.1 0.2'", {0.03, 0, 0.21}, {0, 0, 1}, 0.01},
      {"barrel", "type='cylinder' size='0.1 0.2'", {0.112, 0, 0.05}, {1, 0, 0}, 0.008},
      {"rim of a cylinder",
       "type='cylinder' size='0.1 0.2'",
       {0.106, 0, 0.208},
       {0.6, 0, 0.8},
       0.01},
      {"ellipsoid", "type='ellipsoid' size='0.1 0.2 0.3'", {0, 0, 0.312}, {0, 0, 1}, 0.008},
  };
  for (const Case& c : cases) {
    INFO(c.name);
    const auto model = support::parse(
        soft_world(std::string("<geom ") + c.geom + "/>", point(c.at[0], c.at[1], c.at[2])));
    Data<double> data(model);
    REQUIRE(corten::forward(model, data).ok());
    REQUIRE(data.ref().nscon == 1);
    const auto contact = corten::soft_contact(model, data, 0).value();
    const double tolerance = 1e-9;
    CHECK(near(contact.depth, c.depth, tolerance));
    for (int k = 0; k < 3; ++k) {
      CHECK(near(contact.normal()[k], c.normal[k], 10 * tolerance));
      CHECK(near(contact.pos[k], c.at[k] - c.normal[k] * (0.02 - c.depth), 10 * tolerance));
    }
    CHECK((data.ref().soft_flags[0] & corten::soft_colliding) != 0);
    // moving the vertex by normal · depth resolves the overlap, and clears the flag
    for (int k = 0; k < 3; ++k) {
      data.soft_pos()[std::size_t(k)] += contact.normal()[k] * (contact.depth + 2 * tolerance);
    }
    REQUIRE(corten::forward(model, data).ok());
    CHECK(data.ref().nscon == 0);
    CHECK((data.ref().soft_flags[0] & corten::soft_colliding) == 0);
  }
}

TEST_CASE("contacts with a tilted ellipsoid are at the nearest point", "[soft][004-11.7]") {
  // the normal at a point p of the surface is along p / size²; the vertex is 0.01 away along it
  const Vec3<double> size(0.1, 0.2, 0.3), on(0.06, 0.16 * 0.6, 0.3 * 0.64);
  Vec3<double> p, n;
  for (int k = 0; k < 3; ++k) p[k] = on[k];
  const double scale =
      1 / std::sqrt(std::pow(p[0] / 0.1, 2) + std::pow(p[1] / 0.2, 2) + std::pow(p[2] / 0.3, 2));
  p *= scale;
  for (int k = 0; k < 3; ++k) n[k] = p[k] / (size[k] * size[k]);
  corten::normalize(n);
  const Vec3<double> at = p + n * 0.01;
  const auto model = support::parse(
      soft_world("<geom type='ellipsoid' size='0.1 0.2 0.3' pos='1 0 0'/>", point(1, 0, 10)));
  Data<double> data(model);
  for (int k = 0; k < 3; ++k) data.soft_pos()[std::size_t(k)] = at[k] + (k == 0 ? 1 : 0);
  REQUIRE(corten::forward(model, data).ok());
  const auto contact = corten::soft_contact(model, data, 0).value();
  CHECK(near(contact.depth, 0.01, 1e-12));
  for (int k = 0; k < 3; ++k) CHECK(near(contact.normal()[k], n[k], 1e-12));

  // from inside too; in the middle the shortest way out is along the shortest axis
  for (int k = 0; k < 3; ++k) data.soft_pos()[std::size_t(k)] = p[k] - n[k] * 0.02 + (k ? 0 : 1);
  REQUIRE(corten::forward(model, data).ok());
  CHECK(near(data.ref().scon_depth[0], 0.04, 1e-12));
  for (int k = 0; k < 3; ++k) CHECK(near(data.ref().scon_normal[k], n[k], 1e-12));
  for (const double z : {0.0, 0.01}) {
    data.soft_pos()[0] = 1, data.soft_pos()[1] = 0, data.soft_pos()[2] = z;
    REQUIRE(corten::forward(model, data).ok());
    // F(-0.01) = 0: the foot is at z · 9 / 8
    const double up = z * 9 / 8, out = 0.1 * std::sqrt(1 - up * up / 0.09);
    CHECK(near(data.ref().scon_depth[0], 0.02 + std::hypot(out, up - z), 1e-12));
  }
}

TEST_CASE("contacts with meshes, height fields and distance fields", "[soft][004-11.7]") {
  const std::string mesh =
      "<mesh name='cube' vertex='-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 "
      "-.1 .1 .1 .1 .1 .1' face='0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 "
      "3 7 5'/>";
  const std::string field =
      "<hfield name='hills' nrow='3' ncol='3' size='.5 .5 .1 .1' "
      "elevation='1 1 1 1 1 1 1 1 0'/>";
  struct Case {
    const char* geom;
    double top, tolerance;
  };
  for (const Case& c : {Case{"type='mesh' mesh='cube'", 0.1, 1e-6},
                        Case{"type='hfield' hfield='hills' pos='.25 -.25 0'", 0.1, 1e-6},
                        Case{"type='sdf' mesh='cube'", 0.1, 2e-3}}) {
    INFO(c.geom);
    const auto model = support::parse(
        "<mujoco><asset>" + mesh + field + "</asset><worldbody><geom " + c.geom +
        "/></worldbody><deformable>" + point(0.01, 0.02, c.top + 0.012) + "</deformable></mujoco>");
    Data<double> data(model);
    REQUIRE(corten::forward(model, data).ok());
    REQUIRE(data.ref().nscon == 1);
    const auto contact = corten::soft_contact(model, data, 0).value();
    CHECK(near(contact.depth, 0.008, c.tolerance));
    CHECK(near(contact.normal()[2], 1, 1e-2));
  }
}

TEST_CASE("three contacts of a vertex in a corner, none of a pinned or filtered one",
          "[soft][004-11.6][004-11.11]") {
  const std::string walls =
      "<geom type='plane' size='1 1 1'/>"
      "<geom type='plane' size='1 1 1' zaxis='1 0 0'/>"
      "<geom type='plane' size='1 1 1' zaxis='0 1 0'/>";
  const auto count = [&](const std::string& attributes, const std::string& vertex) {
    const auto model = support::parse(soft_world(
        walls, "<chain element='0 1' radius='0.02' vertex='" + vertex + "' " + attributes + "/>"));
    Data<double> data(model);
    REQUIRE(corten::forward(model, data).ok());
    return int(data.ref().nscon);
  };
  CHECK(count("", "0.01 0.012 0.014 1 1 1") == 3);
  CHECK(count("pin='0'", "0.01 0.012 0.014 1 1 1") == 0);
  CHECK(count("contype='2' conaffinity='2'", "0.01 0.012 0.014 1 1 1") == 0);
}

TEST_CASE("friction of a contact: maximum, priority, or geometric mean",
          "[soft][004-11.3][004-11.8][000-9.3]") {
  const auto mixed = [](const std::string& soft, const std::string& geom) {
    const auto model = support::parse(
        soft_world("<geom type='plane' size='1 1 1' " + geom + "/>",
                   "<chain element='0 1' vertex='0 0 0.01 1 0 1' radius='0.02' " + soft + "/>"));
    Data<double> data(model);
    REQUIRE(corten::forward(model, data).ok());
    return corten::soft_contact(model, data, 0).value().parameters;
  };
  // √(0.9 · 0.4), √(0.3 · 1.2), √(0.5 · 0.02)
  const std::string mean = " geomean='true'";
  CHECK(near(mixed("material='rubber'" + mean, "friction='0.4'").friction[0], 0.6, 1e-15));
  CHECK(near(mixed("material='silk'" + mean, "friction='1.2'").friction[0], 0.6, 1e-15));
  const auto weak = mixed("friction='0.5'" + mean, "friction='0.02 0.08 0.18'").friction;
  CHECK(near(weak[0], 0.1, 1e-15));
  CHECK(near(weak[1], 0.1, 1e-15));
  CHECK(near(weak[2], 0.2, 1e-15));
  CHECK(near(weak[4], 0.3, 1e-15));
  // MuJoCo's rules are the default
  CHECK(mixed("material='rubber'", "friction='0.4'").friction[0] == 0.9);
  CHECK(mixed("material='silk'", "friction='1.2'").friction[0] == 1.2);
  CHECK(mixed("material='silk' priority='1'", "friction='1.2'").friction[0] == 0.3);
  CHECK(mixed("material='silk' priority='1'", "friction='1.2' priority='2'").friction[0] == 1.2);
  CHECK(mixed("condim='1'", "condim='4'").dim == 4);
  CHECK(near(mixed("solref='0.04 1'", "solmix='3'").solref[0], 0.25 * 0.04 + 0.75 * 0.02, 1e-15));
}

// ---- forces -------------------------------------------------------------------------------------

TEST_CASE("a vertex slides or sticks as Coulomb says", "[soft][000-9.3][004-11.3]") {
  // A chain lies across a slope of 30 degrees: tan 30° = 0.577. Above that it sticks; below, it
  // accelerates by g (sin 30° - μ cos 30°).
  const auto slide = [](const std::string& friction) {
    const auto model = support::parse(soft_world(
        "<geom type='plane' size='5 5 1' euler='0 30 0' friction='0.01'/>",
        "<chain count='3' spacing='0.1' euler='0 0 90' pos='0.004 0 0.00692' radius='0.008' "
        "damping='0' friction='" +
            friction + "'/>",
        "timestep='0.002'"));
    Data<double> data(model);
    run(model, data, 250);
    return fastest(data);
  };
  CHECK(slide("0.7") < 1e-6);
  const double expected = 9.81 * (std::sin(corten::pi / 6) - 0.3 * std::cos(corten::pi / 6)) * 0.5;
  CHECK(near_relative(slide("0.3"), expected, 0.03));  // the first steps find their depth
}

TEST_CASE("what a soft body gains, a rigid body loses", "[soft][004-11.1][000-9.1]") {
  // a free box and a soft cube collide obliquely in empty space
  const auto model = support::parse(soft_world(
      "<body pos='0.31 0.03 0.02'><freejoint/><geom type='box' size='0.1 0.1 0.1' mass='0.7' "
      "friction='0.8'/></body>",
      "<softbody count='4 4 4' spacing='0.1' density='100' young='1e4' damping='0'/>",
      "timestep='0.004' gravity='0 0 0'"));
  Data<double> data(model);
  data.qvel()[0] = -2;
  data.qvel()[1] = 0.5;
  const auto momentum = [&] {
    Vec3<double> out(0.7 * data.qvel()[0], 0.7 * data.qvel()[1], 0.7 * data.qvel()[2]);
    for (int v = 0; v < model.n.nsoftvert; ++v) {
      out += corten::vec3<double>(data.ref().soft_vel, v) *
             (100 * model.softvert_volume[std::size_t(v)]);
    }
    return out;
  };
  const Vec3<double> before = momentum();
  bool touched = false;
  const auto m = corten::bind(model).value();
  for (int i = 0; i < 100; ++i) {
    REQUIRE(corten::step(m, data).ok());
    touched = touched || data.ref().nscon > 0;
  }
  CHECK(touched);
  CHECK(std::fabs(data.qvel()[0] + 2) > 0.5);
  const Vec3<double> after = momentum();
  for (int k = 0; k < 3; ++k) CHECK(near(after[k], before[k], 1e-12));
}

TEST_CASE("a force sensor feels what lies on its body", "[soft]") {
  // a tray on a post, and a slab of foam on the tray
  const auto model = support::parse(
      "<mujoco><option timestep='0.005'/><worldbody><body pos='0 0 0.5'><joint type='hinge' "
      "axis='0 1 0' stiffness='1e5' damping='1e3'/><geom type='box' size='0.2 0.2 0.02' "
      "mass='1'/><site name='post'/></body></worldbody><deformable><softbody pos='0 0 0.6' "
      "count='3 3 2' spacing='0.1' material='foam' damping='10'/></deformable><sensor><force "
      "site='post'/></sensor></mujoco>");
  Data<double> data(model);
  run(model, data, 300);
  CHECK(near_relative(std::fabs(data.sensordata()[2]), 9.81 * (1 + 60 * 0.2 * 0.2 * 0.1), 1e-3));
}

TEST_CASE("a ball comes to rest on a rubber cloth", "[soft][004-11.1][004-11.11]") {
  const auto model = support::parse(soft_world(
      "<body pos='0 0 1.1'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body>",
      "<cloth pos='0 0 0.5' count='7 7' spacing='0.07' material='rubber' solref='0.01 1' "
      "solimp='0.95 0.99 0.001' priority='1' substeps='4' iterations='3' viscosity='0.02' "
      "damping='1' pin='" +
          border(7) + "'/>",
      "timestep='0.004'"));
  Data<double> data(model);
  run(model, data, 600);
  const Vec3<double> force = push(model, data);
  CHECK(near(-force[2], 9.81, 0.981));
  CHECK(near(data.ref().qfrc_constraint[2], 9.81, 0.981));
  CHECK(data.ref().qfrc_constraint[2] == data.ref().qfrc_soft[2]);
  CHECK(std::fabs(data.qvel()[2]) < 0.01);
  CHECK(data.qpos()[2] < 0.59);  // the cloth gives way
  double deepest = 0;
  for (int i = 0; i < data.ref().nscon; ++i) {
    deepest = std::max(deepest, data.ref().scon_depth[i]);
  }
  CHECK(deepest > 0);
  CHECK(deepest < 2 * 0.002);  // twice the thickness of rubber
}

TEST_CASE("trial states of RK4 keep the soft bodies of the first state", "[soft][004-11.11]") {
  auto model = support::parse(
      soft_world("<body pos='0 0 0.6'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body>",
                 "<cloth pos='0 0 0.5' count='7 7' spacing='0.07' material='rubber' pin='" +
                     border(7) + "'/>"));
  Data<double> euler(model);
  run(model, euler, 20);
  REQUIRE(euler.ref().nscon > 0);
  Data<double> rk4 = euler;
  REQUIRE(corten::step(model, euler).ok());
  model.opt.integrator = static_cast<int>(corten::Integrator::rk4);
  REQUIRE(corten::step(model, rk4).ok());
  CHECK(std::ranges::equal(rk4.soft_pos(), euler.soft_pos()));
  CHECK(std::ranges::equal(rk4.soft_vel(), euler.soft_vel()));
  CHECK_FALSE(std::ranges::equal(rk4.qpos(), euler.qpos()));
  // contacts too: in trial states the ball has moved, and its depths would be others
  const auto a = rk4.ref(), b = euler.ref();
  REQUIRE(a.nscon == b.nscon);
  for (int c = 0; c < b.nscon; ++c) {
    CHECK(a.scon_depth[c] == b.scon_depth[c]);
    CHECK(a.scon_vert[c] == b.scon_vert[c]);
  }
}

// A box with an arm beside a ball that falls on a pinned cloth and is lifted off it: nothing of the
// cloth reaches the box, and nothing of it stays with the ball.
TEST_CASE("rigid bodies that touch no soft one move in the same bits", "[soft][004-11.10]") {
  const std::string world =
      "<geom type='plane' size='1 1 1'/><body pos='0 0 .055' euler='5 3 0'><freejoint/><geom "
      "type='box' size='.1 .07 .05'/><body pos='.1 0 0'><joint axis='0 1 0'/><geom type='capsule' "
      "size='.03' fromto='0 0 0 .2 0 .05'/></body></body><body pos='2 0 .61'><freejoint/>"
      "<geom size='.1' mass='.05'/></body>";
  const std::string cloth =
      "<cloth pos='2 0 .5' count='7 7' spacing='.07' material='rubber' pin='" + border(7) +
      "' repeat='2'/><cloth pos='.6 0 .01' count='4 4' "
      "spacing='.1'/>";
  constexpr int nq = 8, nv = 7;  // of the box and its arm
  for (const char* integrator : {"Euler", "RK4", "implicitfast"}) {
    INFO(integrator);
    const std::string option = std::string("integrator='") + integrator + "'";
    const auto alone = support::parse(soft_world(world, "", option));
    const auto beside = support::parse(soft_world(world, cloth, option));
    Data<double> a(alone), b(beside);
    a.qvel()[nv + 2] = b.qvel()[nv + 2] = -2;
    int touching = 0, apart = 0;  // steps of the ball on the cloth, and after that
    for (int i = 0; i < 100 && apart < 20; ++i) {
      run(alone, a, 1);
      run(beside, b, 1);
      REQUIRE(std::ranges::equal(a.qpos().first(nq), b.qpos().first(nq)));
      REQUIRE(std::ranges::equal(a.qvel().first(nv), b.qvel().first(nv)));
      if (touching < 4) {
        touching += b.ref().qfrc_soft[nv + 2] > 0.1 ? 1 : 0;
        if (touching < 4) continue;
        b.qpos()[nq + 2] += 1;
        copy_motion(b, a);
        continue;
      }
      ++apart;
      REQUIRE(std::ranges::equal(a.qpos(), b.qpos()));
      REQUIRE(std::ranges::equal(a.qvel(), b.qvel()));
    }
    CHECK(apart == 20);
    CHECK(a.ref().ncon > 0);
    CHECK(b.ref().nscon > 0);  // the second cloth lies on the ground
  }
}

TEST_CASE("a body rests on a soft slab with the force it has on rigid ground",
          "[soft][000-9.1][000-9.2]") {
  const std::string body =
      "<body pos='0 0 0.25'><joint type='slide' axis='0 0 1'/>"
      "<geom type='box' size='0.1 0.1 0.1' mass='0.5'/></body>";
  const auto soft = support::parse(
      soft_world("<geom type='plane' size='1 1 1'/>" + body,
                 "<softbody pos='0 0 0.08' count='4 4 3' spacing='0.08 0.08 0.075' material='foam' "
                 "viscosity='0.02' damping='2' substeps='5' solref='0.01 1' priority='1'/>"));
  const auto rigid =
      support::parse("<mujoco><worldbody><geom type='box' size='0.12 0.12 0.08' pos='0 0 0.07'/>" +
                     body + "</worldbody></mujoco>");
  Data<double> on_soft(soft), on_rigid(rigid);
  run(soft, on_soft, 200);
  const auto m = corten::bind(rigid).value();
  for (int i = 0; i < 1000; ++i) REQUIRE(corten::step(m, on_rigid).ok());
  CHECK(near_relative(on_soft.ref().qfrc_constraint[0], on_rigid.ref().qfrc_constraint[0], 1e-6));
  // the ground bears the slab and the body: nothing is lost in between
  double mass = 0;
  for (int v = 0; v < soft.n.nsoftvert; ++v) mass += 60 * soft.softvert_volume[std::size_t(v)];
  CHECK(near_relative(push(soft, on_soft)[2], 9.81 * mass, 1e-6));
  CHECK(near_relative(mass, 60 * 0.24 * 0.24 * 0.15, 1e-12));
  // and the slab keeps its edges and volumes within what its stiffness allows
  const auto& x = on_soft.ref().soft_pos;
  for (std::size_t c = 0; c < std::size_t(soft.n.nsoftcon); ++c) {
    const auto vert = [&](std::size_t k) {
      return corten::vec3<double>(x, soft.softcon_vert[4 * c + k]);
    };
    if (soft.softcon_type[c] == int(corten::SoftConstraint::distance)) {
      CHECK(
          near_relative(corten::norm(Vec3<double>(vert(1) - vert(0))), soft.softcon_rest[c], 0.1));
    } else {
      const Vec3<double> p[4] = {vert(0), vert(1), vert(2), vert(3)};
      Vec3<double> g[4];
      CHECK(near_relative(corten::SoftVolume::gradient(p, g), soft.softcon_rest[c], 0.15));
    }
  }
}

// ---- rest ---------------------------------------------------------------------------------------

TEST_CASE("a chain over the edge of a box comes to rest", "[soft][004-11.2][004-11.11][000-9.7]") {
  const auto model = support::parse(
      soft_world("<geom type='box' size='0.2 0.2 0.2' pos='0 0 0.2'/>",
                 "<chain pos='0.13 0 0.42' count='11' spacing='0.05' material='rope' radius='0.01' "
                 "damping='3'/>",
                 "timestep='0.016666666666666666'"));
  CHECK(model.soft_repeat[0] == 1);
  Data<double> data(model);
  run(model, data, 500);
  CHECK(fastest(data) < 1e-4);
  CHECK(data.soft_pos()[2] > 0.4);           // one end on the box
  CHECK(data.soft_pos()[3 * 10 + 2] < 0.3);  // the other one hangs
  // an inextensible rope stays one
  for (int i = 0; i < 10; ++i) {
    const auto a = corten::vec3<double>(data.ref().soft_pos, i);
    const auto b = corten::vec3<double>(data.ref().soft_pos, i + 1);
    CHECK(near_relative(corten::norm(Vec3<double>(b - a)), 0.05, 0.03));
  }
}

TEST_CASE("a towel on a sphere hangs still, and sleeps",
          "[soft][000-9.6][000-9.2][000-9.7][004-11.6]") {
  const auto model = support::parse(
      soft_world("<geom type='sphere' size='0.3' pos='0 0 0.8'/>",
                 "<cloth pos='0 0 1.12' count='9 9' spacing='0.12' material='cotton' damping='5' "
                 "substeps='3' sleep='2e-4'/>"));
  Data<double> data(model);
  run(model, data, 500);
  int colliding = 0;
  for (int v = 0; v < 81; ++v) {
    colliding += (data.ref().soft_flags[v] & corten::soft_colliding) != 0 ? 1 : 0;
  }
  CHECK(colliding >= 81 / 5);
  CHECK(colliding <= 2 * 81 / 5);
  double mass = 0;
  for (int v = 0; v < 81; ++v) mass += 400 * model.softvert_volume[std::size_t(v)];
  CHECK(near_relative(push(model, data)[2], 9.81 * mass, 0.01));
  for (std::size_t c = 0; c < std::size_t(model.n.nsoftcon); ++c) {
    if (model.softcon_type[c] != int(corten::SoftConstraint::distance)) continue;
    const auto a = corten::vec3<double>(data.ref().soft_pos, model.softcon_vert[4 * c]);
    const auto b = corten::vec3<double>(data.ref().soft_pos, model.softcon_vert[4 * c + 1]);
    CHECK(near_relative(corten::norm(Vec3<double>(b - a)), model.softcon_rest[c], 0.05));
  }

  // no jitter: the speed keeps falling until it sleeps, and then nothing moves at all
  const double before = fastest(data);
  run(model, data, 300);
  CHECK(fastest(data) < 0.1 * before);
  CHECK(data.ref().soft_idle[0] == corten::soft_steps_to_sleep);
  CHECK(fastest(data) == 0);
  const std::vector<double> asleep(data.soft_pos().begin(), data.soft_pos().end());
  run(model, data, 20);
  CHECK(std::equal(asleep.begin(), asleep.end(), data.soft_pos().begin()));
  data.soft_force()[2] = 1;  // a pull at a corner wakes it
  run(model, data, 1);
  CHECK(data.ref().soft_idle[0] == 0);
  CHECK(data.soft_pos()[2] > asleep[2]);
}

TEST_CASE("repetitions find contacts that a step would jump over", "[soft][000-9.7]") {
  const auto deepest = [](int repeat) {
    const auto model = support::parse(
        soft_world("<geom type='plane' size='1 1 1'/>",
                   "<chain count='3' spacing='0.1' pos='0 0 0.06' radius='0.01' repeat='" +
                       std::to_string(repeat) + "'/>",
                   "timestep='0.01'"));
    Data<double> data(model);
    for (std::size_t v = 0; v < 3; ++v) data.soft_vel()[3 * v + 2] = -8;
    double lowest = 1;
    const auto m = corten::bind(model).value();
    for (int i = 0; i < 10; ++i) {
      REQUIRE(corten::step(m, data).ok());
      lowest = std::min(lowest, data.soft_pos()[2]);
    }
    return 0.01 - lowest;
  };
  CHECK(deepest(1) > 0.02);
  CHECK(deepest(2) < 1e-3);
}

TEST_CASE("a cloth wakes what it falls on, and keeps it awake", "[soft]") {
  const auto model = corten::load_string(
      "<mujoco><option timestep='.005'><flag sleep='enable'/></option><worldbody>"
      "<geom type='plane' size='2 2 1'/>"
      "<body pos='0 0 .05'><freejoint/><geom type='box' size='.1 .1 .05' mass='1'/></body>"
      "<body pos='1 0 .05'><freejoint/><geom type='box' size='.1 .1 .05' mass='1'/></body>"
      "</worldbody><deformable><cloth pos='0 0 .6' count='5 5' spacing='.05' damping='2'/>"
      "</deformable></mujoco>");
  if (!model) FAIL(model.error().to_string());
  corten::Data<double> data(*model);
  bool slept = false;
  for (int i = 0; i < 300; ++i) {
    REQUIRE(corten::step(*model, data).ok());
    slept = slept || data.ref().tree_asleep[0] >= 0;
    if (data.ref().nscon > 0) CHECK(data.ref().tree_asleep[0] < 0);
  }
  CHECK(slept);
  CHECK(data.ref().tree_asleep[1] >= 0);
  // the box bears the cloth, and the floor both
  REQUIRE(data.ref().nscon > 0);
  double mass = 0;
  for (const double v : model->softvert_volume) mass += v * model->soft_density[0];
  CHECK(data.ref().qfrc_soft[2] < -0.5 * mass * 9.81);
  CHECK(std::fabs(data.ref().qfrc_constraint[2] - 9.81) < 0.05);
}
