// SPDX-License-Identifier: Apache-2.0
//
// Frames, copies, attached models, cables, fused bodies and discarded geoms: arrays and names of
// whole models. Golden numbers: MuJoCo 3.12.0.
#include "whole_models.hpp"

using namespace corten;

TEST_CASE("whole models with frames, copies and attached parts", "[compile][tree]") {
  compile_test::check_models("tree.json");
}

TEST_CASE("references follow geoms and sites that fusing moves", "[compile][tree]") {
  // MuJoCo 3.12 looks names up by their ids before fusing, and so gets the wrong ones here
  const Model<double> m = compile_test::compile(R"(
<mujoco>
  <compiler fusestatic="true"/>
  <worldbody>
    <body name="p">
      <joint/>
      <geom name="gp" size=".1"/>
      <body name="a"><joint/><geom name="ga" size=".2"/><site name="sa"/></body>
      <body name="b"><geom name="gb" size=".3"/><site name="sb"/></body>
    </body>
  </worldbody>
  <sensor>
    <framepos objtype="geom" objname="ga"/>
    <framepos objtype="site" objname="sb"/>
  </sensor>
</mujoco>)");
  CHECK(m.names.geom == std::vector<std::string>{"gp", "gb", "ga"});
  CHECK(m.names.site == std::vector<std::string>{"sb", "sa"});
  compile_test::check(m, "sensor_objid", {2, 0});
}

TEST_CASE("keyframes of a model that replicates", "[compile][tree]") {
  const char* text = R"(
<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body><joint ref="3"/><geom size=".1"/></body>
    <replicate count="2"><body><joint name="j" ref=".5"/><geom size=".1"/></body></replicate>
  </worldbody>
  <actuator><motor joint="j"/></actuator>
  <keyframe><key name="k" time="1" qpos="1 2" ctrl="4"/></keyframe>
</mujoco>)";
  const Model<double> m = compile_test::compile(text);
  CHECK(m.names.key == std::vector<std::string>{"k0", "k1", "k"});
  compile_test::check(m, "key_time", {1, 1, 1});
  compile_test::check(m, "key_qpos", {1, 2, 0.5, 1, 0.5, 2, 1, 0.5, 0.5});

  // it must fit the model as written
  std::string wrong = text;
  wrong.replace(wrong.find("qpos=\"1 2\""), 10, "qpos=\"123\"");
  const auto spec = mjcf::parse(wrong);
  REQUIRE_FALSE(spec.ok());
  CHECK(spec.error().message == "qpos has 1 values, expected 2");
}
