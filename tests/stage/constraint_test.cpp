// SPDX-License-Identifier: Apache-2.0
//
// Constraint rows: what equality constraints hold together, and Jacobians of contacts.
#include "../support/model.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

using namespace corten;

namespace {

// two sliders with a tendon on each, coupled
Model<double> tendons(const std::string& equality, Solver solver = Solver::newton) {
  Model<double> model = support::parse(
      "<mujoco><option gravity='0 0 0'/><worldbody>"
      "<body><joint name='a' type='slide' axis='1 0 0' damping='40' ref='0.2'/><geom size='0.1' "
      "contype='0' "
      "conaffinity='0'/></body>"
      "<body><joint name='b' type='slide' axis='1 0 0' damping='40' ref='-0.1'/><geom size='0.1' "
      "contype='0' "
      "conaffinity='0'/></body>"
      "</worldbody><tendon><fixed name='t1'><joint joint='a' coef='1'/></fixed>"
      "<fixed name='t2'><joint joint='b' coef='1'/></fixed></tendon>"
      "<actuator><position joint='b' kp='100'/></actuator>"
      "<equality>" +
      equality + "</equality></mujoco>");
  model.opt.solver = static_cast<int>(solver);
  return model;
}

// how much longer than at the reference pose both tendons are after some time, with tendon 2 pulled
// to `target`
std::pair<double, double> settle(const Model<double>& model, double target, int steps = 3000) {
  CHECK(model.tendon_length0[0] == 0.2);
  CHECK(model.tendon_length0[1] == -0.1);
  Data<double> data(model);
  data.ctrl()[0] = target - 0.1;
  for (int i = 0; i < steps; ++i) REQUIRE(step(model, data).ok());
  return {data.ref().ten_length[0] - 0.2, data.ref().ten_length[1] + 0.1};
}

}  // namespace

TEST_CASE("tendons coupled by a polynomial",
          "[stage][003-37.1][003-37.2][003-37.3][003-37.4][003-37.5][003-37.9]") {
  for (const double target : {-0.5, 0.2, 0.8}) {
    const auto same = settle(tendons("<tendon tendon1='t1' tendon2='t2'/>"), target);
    CHECK(near(same.second, target, 1e-3));
    CHECK(near(same.first, same.second, 1e-4));
    const auto half =
        settle(tendons("<tendon tendon1='t1' tendon2='t2' polycoef='0 0.5'/>"), target);
    CHECK(near(half.first, 0.5 * half.second, 1e-4));
    const auto shifted =
        settle(tendons("<tendon tendon1='t1' tendon2='t2' polycoef='0.1'/>"), target);
    CHECK(near(shifted.first, 0.1 + shifted.second, 1e-4));
  }
  const auto alone = settle(tendons("<tendon tendon1='t1' polycoef='0.3'/>"), 0.5);
  CHECK(near(alone.first, 0.3, 1e-4));
  const auto off = settle(tendons("<tendon tendon1='t1' tendon2='t2' active='false'/>"), 0.5);
  CHECK(off.first == 0);
}

TEST_CASE("every solver closes the gap, a stiffer reference sooner",
          "[stage][003-37.7][003-37.8]") {
  for (const Solver solver : {Solver::newton, Solver::cg, Solver::pgs}) {
    const auto pair =
        settle(tendons("<tendon tendon1='t1' tendon2='t2' polycoef='0.1 1 0.3'/>", solver), 0.4);
    CHECK(near(pair.first, 0.1 + pair.second + 0.3 * pair.second * pair.second, 1e-3));
  }
  const auto gap = [](const std::string& softness) {
    const auto pair =
        settle(tendons("<tendon tendon1='t1' polycoef='0.3' " + softness + "/>"), 0, 20);
    return 0.3 - pair.first;
  };
  CHECK(gap("solref='0.02 1'") < 0.5 * gap("solref='0.1 1'"));

  // A servo pulls against the row. With an impedance d everywhere, the gap per unit of its force is
  // proportional to 1 - d.
  const auto compliance = [](const char* impedance) {
    const std::string solimp = std::string(impedance) + " " + impedance + " 0.001";
    const double open =
        settle(tendons("<tendon tendon1='t2' solimp='" + solimp + "'/>"), 0.1).second;
    return open / (0.1 - open);
  };
  CHECK(near_relative(compliance("0.2") / compliance("0.9"), 0.8 / 0.1, 1e-3));
}

TEST_CASE("joints coupled by a polynomial, and held", "[stage]") {
  const Model<double> model = support::parse(
      "<mujoco><worldbody><body><joint name='a' axis='0 1 0' ref='20'/><geom size='0.1' pos='0.2 0 "
      "0'/></body>"
      "<body><joint name='b' axis='0 1 0' damping='0.01'/><geom size='0.1' pos='0.1 0 0'/></body>"
      "<body><joint name='c' axis='0 1 0'/><geom size='0.1' pos='0.1 0 0'/></body></worldbody>"
      "<equality><joint joint1='a' joint2='b' polycoef='0.1 0.5 0.2 -0.1 0.05' solref='0.005 1'/>"
      "<joint joint1='c' polycoef='0.3' solref='0.005 1'/></equality>"
      "<default><geom contype='0' conaffinity='0'/></default></mujoco>");
  Data<double> data(model);
  for (int i = 0; i < 500; ++i) REQUIRE(step(model, data).ok());
  const double x = data.qpos()[1], poly = 0.1 + x * (0.5 + x * (0.2 + x * (-0.1 + x * 0.05)));
  CHECK(near(data.qpos()[0] - model.qpos0[0], poly, 1e-2));
  CHECK(near(data.qpos()[2], 0.3, 1e-2));
}

TEST_CASE("a connect is a ball joint, a weld holds the pose, and both can be released", "[stage]") {
  const Model<double> model = support::parse(
      "<mujoco><worldbody><body name='hand' mocap='true'/>"
      "<body name='a' pos='0 0 -0.2'><freejoint/><geom size='0.1'/></body>"
      "<body name='b' pos='1 0 0' euler='0 0 30'><freejoint/><geom type='box' size='0.1 0.1 "
      "0.1'/></body></worldbody>"
      "<equality><connect body1='a' body2='hand' anchor='0 0 0.2'/><weld body1='hand' "
      "body2='b'/></equality></mujoco>");
  Data<double> data(model);
  for (int i = 0; i < 300; ++i) {
    data.ref().mocap_pos[0] = 0.002 * std::min(i, 100);
    REQUIRE(step(model, data).ok());
  }
  const auto& d = data.ref();
  const Vec3<double> anchor =
      vec3<double>(d.xpos, 2) + mat3<double>(d.xmat, 2) * Vec3<double>(0, 0, 0.2);
  CHECK((anchor - vec3<double>(d.xpos, 1)).norm() < 0.02);
  CHECK(near(d.xpos[9] - d.xpos[3], 1, 0.02));
  CHECK(near(d.xquat[12], model.eq_data[11 + 6], 0.01));

  // rows disappear when the constraint is switched off
  CHECK(d.ne == 9);
  data.ref().eq_active[0] = 0;
  REQUIRE(forward(model, data).ok());
  CHECK(data.ref().ne == 6);
  data.reset(model);
  CHECK(data.ref().eq_active[0] == 1);
}

TEST_CASE("a distance between geoms is kept", "[stage]") {
  const Model<double> model = support::parse(
      "<mujoco><worldbody><geom name='a' size='0.1'/>"
      "<body pos='0.6 0 0'><freejoint/><geom name='b' size='0.1'/></body>"
      "<body pos='0.6 0 0.5'><freejoint/><geom name='c' size='0.1'/></body></worldbody>"
      "<equality><distance geom1='a' geom2='b' distance='0.5'/><distance geom1='b' "
      "geom2='c'/></equality></mujoco>");
  CHECK(near(model.eq_data[11], 0.5, 1e-12));
  Data<double> data(model);
  for (int i = 0; i < 400; ++i) REQUIRE(step(model, data).ok());
  const auto at = [&](int g) { return vec3<double>(data.ref().geom_xpos, g); };
  CHECK(near((at(1) - at(0)).norm(), 0.5, 1e-2));
  CHECK(near((at(2) - at(1)).norm(), 0.5, 1e-2));
  CHECK(data.ref().ne == 2);
}

TEST_CASE("rows of torsion and rolling are relative angular velocities",
          "[stage][002-2.14][002-2.15]") {
  Model<double> model = support::load("cones");
  Data<double> data(model);
  REQUIRE(forward(model, data).ok());
  const auto& d = data.ref();
  const int nv = model.n.nv;
  int seen = 0;
  for (int c = 0; c < d.ncon; ++c) {
    const int row = d.contact_efc_address[c], dim = d.contact_dim[c];
    if (row < 0 || dim < 4) continue;
    ++seen;
    const Mat3<double> frame = mat3<double>(d.contact_frame, c);
    for (int i = 0; i < nv; ++i) {
      Data<double> moved = data;
      for (double& v : moved.qvel()) v = 0;
      moved.qvel()[std::size_t(i)] = 1;
      REQUIRE(forward(model, moved).ok());
      const auto spin = [&](int g) {
        return Vec3<double>(
            vec6<double>(moved.ref().cvel, model.geom_bodyid[std::size_t(g)]).head<3>());
      };
      const Vec3<double> w =
          frame * (spin(d.contact_geom[2 * c + 1]) - spin(d.contact_geom[2 * c]));
      for (int k = 3; k < dim; ++k) CHECK(near(d.efc_J[(row + k) * nv + i], w[k - 3], 1e-12));
    }
  }
  CHECK(seen >= 2);
}

TEST_CASE("a contact has the larger dimension of its geoms", "[stage][002-2.6]") {
  const auto rows = [](const char* floor, const char* ball, Cone cone) {
    Model<double> model = support::parse(
        "<mujoco><worldbody><geom type='plane' size='1 1 1' condim='" + std::string(floor) +
        "'/><body pos='0 0 0.09'><freejoint/><geom size='0.1' condim='" + ball +
        "'/></body></worldbody></mujoco>");
    model.opt.cone = static_cast<int>(cone);
    Data<double> data(model);
    REQUIRE(forward(model, data).ok());
    REQUIRE(data.ncon() == 1);
    return std::pair(int(data.ref().contact_dim[0]), data.nefc());
  };
  CHECK(rows("1", "1", Cone::elliptic) == std::pair(1, 1));
  CHECK(rows("1", "1", Cone::pyramidal) == std::pair(1, 1));
  CHECK(rows("3", "1", Cone::elliptic) == std::pair(3, 3));
  CHECK(rows("1", "6", Cone::elliptic) == std::pair(6, 6));
  CHECK(rows("4", "3", Cone::elliptic) == std::pair(4, 4));
  CHECK(rows("4", "3", Cone::pyramidal) == std::pair(4, 6));
}

namespace {

const char* const ice = "<geom size='0.1' condim='1'/>";
const char* const tyre = "<geom size='0.1' condim='6' friction='1 0.05 0.01'/>";

// free bodies with these geoms on a floor without its own friction; they slide, spin and roll
Model<double> on_floor(const std::vector<std::string>& geoms, Solver solver, Cone cone) {
  std::string bodies;
  for (std::size_t i = 0; i < geoms.size(); ++i) {
    bodies += "<body pos='" + std::to_string(i) + " 0 0.099'><freejoint/>" + geoms[i] + "</body>";
  }
  Model<double> model = support::parse(
      "<mujoco><worldbody><geom type='plane' size='0 0 1' condim='1' friction='0 0 0'/>" + bodies +
      "</worldbody></mujoco>");
  model.opt.solver = static_cast<int>(solver);
  model.opt.cone = static_cast<int>(cone);
  model.opt.tolerance = 0;
  model.opt.iterations = 1000;
  return model;
}

Data<double> sliding(const Model<double>& model, double speed = 1) {
  Data<double> data(model);
  const double v[] = {0.5, -0.2, 0, 0.3, 4, 2};
  for (std::size_t i = 0; i < data.qvel().size(); ++i) data.qvel()[i] = speed * v[i % 6];
  REQUIRE(forward(model, data).ok());
  return data;
}

}  // namespace

TEST_CASE("contacts of one row and of six side by side", "[stage][002-2.5]") {
  for (const Solver solver : {Solver::newton, Solver::cg, Solver::pgs}) {
    for (const Cone cone : {Cone::pyramidal, Cone::elliptic}) {
      INFO(int(solver) << ' ' << int(cone));
      const Data<double> both = sliding(on_floor({ice, tyre}, solver, cone));
      const auto& d = both.ref();
      REQUIRE(d.ncon == 2);
      CHECK(d.contact_dim[0] == 1);
      CHECK(d.contact_dim[1] == 6);
      CHECK(d.contact_efc_address[1] == 1);
      CHECK(d.nefc == 1 + (cone == Cone::elliptic ? 6 : 10));

      // each as if the other did not exist
      const Data<double> first = sliding(on_floor({ice}, solver, cone));
      const Data<double> second = sliding(on_floor({tyre}, solver, cone));
      for (int i = 0; i < 6; ++i) {
        CHECK(near(d.qacc[i], first.ref().qacc[i], 1e-9));
        CHECK(near(d.qacc[6 + i], second.ref().qacc[i], 1e-9));
      }
      const Vec6<double> slippery = contact_force(d, 0), rough = contact_force(d, 1);
      CHECK(slippery[0] > 0);
      for (int k = 1; k < 6; ++k) {
        CHECK(slippery[k] == 0);
        // a few edges of a pyramid may carry the whole force
        if (cone == Cone::elliptic) CHECK(std::fabs(rough[k]) > 1e-4 * rough[0]);
        CHECK(std::fabs(rough[k]) <= d.contact_friction[5 + k - 1] * rough[0] * (1 + 1e-9));
      }
      CHECK(rough.tail<5>().norm() > 0.1 * rough[0]);

      // and as two feet of the same body
      const std::string feet = ice + std::string("<geom size='0.1' condim='6' pos='0.3 0 0'/>");
      const Data<double> walker = sliding(on_floor({feet}, solver, cone), 0.01);
      REQUIRE(walker.ncon() == 2);
      CHECK(walker.nefc() == d.nefc);
      CHECK(contact_force(walker.ref(), 0)[0] > 0);
      for (int k = 1; k < 6; ++k) CHECK(contact_force(walker.ref(), 0)[k] == 0);
      CHECK(contact_force(walker.ref(), 1)[1] != 0);
    }
  }
}

TEST_CASE("without friction a contact is one row, and its force is along the normal",
          "[stage][002-2.16]") {
  for (const Cone cone : {Cone::pyramidal, Cone::elliptic}) {
    const char* const box = "<geom type='box' size='0.2 0.15 0.1' condim='1'/>";
    Model<double> model = on_floor({ice, box, ice}, Solver::newton, cone);
    model.opt.iterations = 10;  // the accuracy of the forces does not matter here
    Data<double> data(model);
    for (const int i : {0, 3, 4, 12, 17}) data.qvel()[std::size_t(i)] = 0.3;
    const std::vector<double> start(data.qvel().begin(), data.qvel().end());
    for (int k = 0; k < 300; ++k) {
      REQUIRE(step(model, data).ok());
      CHECK(data.nefc() == data.ncon());
      const auto& d = data.ref();
      for (int c = 0; c < d.ncon; ++c) {
        const Vec6<double> f = contact_force(d, c);
        CHECK(f[0] >= 0);
        CHECK(f.tail<5>().norm() == 0);
      }
    }
    REQUIRE(data.ncon() == 6);
    double carried = 0;
    for (int c = 0; c < 6; ++c) carried += contact_force(data.ref(), c)[0];
    CHECK(
        near_relative(carried, 9.81 * model.body_subtreemass[0], 1e-3));  // nothing rises or falls
    // nothing was pushed along the floor or turned
    for (std::size_t i = 0; i < 18; ++i) {
      if (i % 6 != 2) CHECK(near(data.qvel()[i], start[i], 1e-9));
    }
  }
}

// as MuJoCo 3.12.0 does: dense rows are kept even if nothing moves them, compressed ones are not
TEST_CASE("a pair within a body has rows of zeros, or none if rows are compressed", "[stage]") {
  for (const auto kind : {JacobianKind::dense, JacobianKind::sparse}) {
    Model<double> model = support::parse(
        "<mujoco><worldbody><body><joint type='slide'/><geom name='a' size='0.1'/>"
        "<geom name='b' size='0.1' pos='0.1 0 0'/></body></worldbody>"
        "<contact><pair geom1='a' geom2='b'/></contact></mujoco>");
    model.opt.jacobian = static_cast<int>(kind);
    Data<double> data(model);
    REQUIRE(forward(model, data).ok());
    const auto d = data.ref();
    REQUIRE(d.ncon == 1);
    const bool whole = kind == JacobianKind::dense;
    CHECK(d.contact_exclude[0] == (whole ? 0 : 3));
    CHECK(d.nefc == (whole ? 4 : 0));
    for (int i = 0; i < d.nefc; ++i) CHECK(d.efc_J[i] == 0);
    CHECK(near(d.qacc[0], -9.81, 1e-12));
  }
}
