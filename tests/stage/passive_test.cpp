// SPDX-License-Identifier: Apache-2.0
//
// Gravity compensation: how carrying a share of the weight affects falling bodies and hanging arms.
#include "../support/model.hpp"

#include <cmath>
#include <string>
#include <vector>

using namespace corten;

namespace {

// a free body whose centre of mass is away from its frame; `share` is empty or an attribute
Model<double> falling(const std::string& share, const std::string& option = "") {
  return support::parse(
      "<mujoco><option " + option + "/><worldbody><body " + share +
      "><freejoint/><geom size='0.1' pos='0.2 0 0' mass='2'/></body></worldbody></mujoco>");
}

// three links in series, with their geoms at `offset` along them
Model<double> chain(const std::string& share, const std::string& offset = "0.15 0 0") {
  std::string links;
  for (int i = 0; i < 3; ++i) {
    links += "<body pos='" + std::string(i == 0 ? "0 0 1" : "0.3 0 0") + "' " + share +
             "><joint axis='0 1 0'/><geom size='0.05' mass='1' contype='0' conaffinity='0' pos='" +
             offset + "'/>";
  }
  return support::parse("<mujoco><worldbody>" + links +
                        "</body></body></body></worldbody></mujoco>");
}

Data<double> forwarded(const Model<double>& model) {
  Data<double> data(model);
  for (int i = 0; i < model.n.njnt && model.n.nq == model.n.nv; ++i)
    data.qpos()[std::size_t(i)] = 0.2 * (i + 1);
  REQUIRE(forward(model, data).ok());
  return data;
}

// acceleration of the centre of mass along z
double fall(const Model<double>& model) {
  const Data<double> data = forwarded(model);
  return data.qacc()[2] - 0.2 * data.qacc()[4];
}

}  // namespace

TEST_CASE("a share of the weight is carried",
          "[stage][003-35.1][003-35.2][003-35.3][003-35.4][003-35.5]") {
  CHECK(near(fall(falling("")), -9.81, 1e-12));
  CHECK(near(fall(falling("gravcomp='1'")), 0, 1e-12));
  CHECK(near(fall(falling("gravcomp='0.5'")), -9.81 / 2, 1e-12));
  CHECK(near(fall(falling("gravcomp='2'")), 9.81, 1e-12));

  // a share of zero changes nothing, and causes no warning
  const auto spec = mjcf::parse("<mujoco><worldbody><body gravcomp='0'/></worldbody></mujoco>");
  REQUIRE(spec.ok());
  CHECK(spec->warnings.empty());
  const Model<double> none = chain(""), zero = chain("gravcomp='0'");
  CHECK(zero.n.ngravcomp == 0);
  Data<double> a = forwarded(none), b = forwarded(zero);
  for (int i = 0; i < 100; ++i) {
    REQUIRE(step(none, a).ok());
    REQUIRE(step(zero, b).ok());
  }
  for (std::size_t i = 0; i < 3; ++i) CHECK(a.qpos()[i] == b.qpos()[i]);
}

TEST_CASE("an arm without weight stays where it is", "[stage][003-35.6]") {
  const Model<double> model = chain("gravcomp='1'");
  Data<double> data = forwarded(model);
  const std::vector<double> start(data.qpos().begin(), data.qpos().end());
  for (int i = 0; i < 3; ++i) {
    CHECK(std::fabs(data.ref().qfrc_passive[i]) > 0.5);
    CHECK(data.ref().qfrc_passive[i] == data.ref().qfrc_gravcomp[i]);
    CHECK(near(data.ref().qfrc_passive[i], data.ref().qfrc_bias[i], 1e-12));
  }
  for (int i = 0; i < 1000; ++i) REQUIRE(step(model, data).ok());
  for (std::size_t i = 0; i < 3; ++i) CHECK(near(data.qpos()[i], start[i], 1e-9));
}

TEST_CASE("no gravity, nothing to carry", "[stage][003-35.7]") {
  const Model<double> still = falling("gravcomp='1'", "gravity='0 0 0'");
  const Data<double> floating = forwarded(still);
  for (int i = 0; i < 6; ++i) CHECK(floating.ref().qfrc_gravcomp[i] == 0);

  // no force remains if gravity is switched off later
  Model<double> model = chain("gravcomp='1'");
  Data<double> data = forwarded(model);
  CHECK(data.ref().qfrc_gravcomp[0] != 0);
  model.opt.disableflags |= disable_gravity;
  REQUIRE(forward(model, data).ok());
  for (int i = 0; i < 3; ++i) CHECK(data.ref().qfrc_gravcomp[i] == 0);
  model.opt.disableflags = disable_spring | disable_damper;
  REQUIRE(forward(model, data).ok());
  for (int i = 0; i < 3; ++i) CHECK(data.ref().qfrc_gravcomp[i] == 0);
}

TEST_CASE("the force is at the centre of mass, and on the dofs that move it",
          "[stage][003-35.8][003-35.9]") {
  const Data<double> centred =
      forwarded(support::parse("<mujoco><worldbody><body gravcomp='1'><freejoint/><geom size='0.1' "
                               "mass='2'/></body></worldbody></mujoco>"));
  const Data<double> shifted = forwarded(falling("gravcomp='1'"));
  CHECK(near(centred.ref().qfrc_gravcomp[2], 2 * 9.81, 1e-12));
  CHECK(near(shifted.ref().qfrc_gravcomp[2], 2 * 9.81, 1e-12));
  CHECK(near(centred.ref().qfrc_gravcomp[4], 0, 1e-12));
  CHECK(near(shifted.ref().qfrc_gravcomp[4], -0.2 * 2 * 9.81, 1e-12));

  // the middle one of three links: its own joint and the one before
  Model<double> model = chain("");
  model.body_gravcomp[2] = 1;
  model.n.ngravcomp = 1;
  const Data<double> middle = forwarded(model);
  CHECK(middle.ref().qfrc_gravcomp[0] != 0);
  CHECK(near(middle.ref().qfrc_gravcomp[1], -9.81 * 0.15 * std::cos(0.6), 1e-12));
  CHECK(middle.ref().qfrc_gravcomp[2] == 0);
}

TEST_CASE("carried weight is MuJoCo's", "[stage][conformance][003-35.10]") {
  const Model<double> model = support::parse(R"(
<mujoco><worldbody>
  <body gravcomp="0.7">
    <joint axis="0 1 0"/><geom type="capsule" size="0.03" fromto="0 0 0 0.3 0 0"/>
    <body pos="0.3 0 0" gravcomp="0.7">
      <joint type="ball"/><geom type="box" size="0.1 0.05 0.03" pos="0.1 0.02 0.01"/>
      <body pos="0.2 0 0" gravcomp="0.7">
        <joint axis="0 0.6 0.8"/><joint type="slide" axis="1 0 0"/>
        <geom size="0.05" pos="0.1 0 0.05"/>
      </body>
    </body>
  </body>
</worldbody></mujoco>)");
  Data<double> data(model);
  const double pose[] = {0.3, 0.8, 0.2, -0.4, 0.4, -0.5, 0.1};
  for (std::size_t i = 0; i < 7; ++i) data.qpos()[i] = pose[i];
  REQUIRE(forward(model, data).ok());
  // MuJoCo 3.12.0
  const double expected[] = {-5.517030938374062, -0.18083203078991666, -1.2143489844008464,
                             0.5678721052825196, 0.15009916374437726,  2.4894131094030936};
  for (int i = 0; i < 6; ++i) CHECK(near(data.ref().qfrc_passive[i], expected[i], 1e-10));
}
