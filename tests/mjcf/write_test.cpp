// SPDX-License-Identifier: Apache-2.0
//
// What is written reads as the same model.
#include <corten/corten.hpp>
#include <corten/io/inspect.hpp>

#include <filesystem>
#include <string>

#include "../support/catch.hpp"

using namespace corten;

namespace {

std::string arrays(const Model<double>& model) {
  io::JsonWriter out;
  io::write_model(out, model);
  return out.take();
}

// the model of a text, as JSON; `again` is that of what is written of it
void round_trip(const Spec& spec, const std::string& directory) {
  const auto model = compile(spec);
  INFO((model.ok() ? "" : model.error().to_string()));
  REQUIRE(model.ok());
  const auto text = save_string(spec);
  INFO((text.ok() ? *text : text.error().to_string()));
  REQUIRE(text.ok());
  const auto read = mjcf::parse(*text, {.file = "again.xml", .directory = directory});
  INFO((read.ok() ? "" : read.error().to_string()));
  REQUIRE(read.ok());
  const auto again = compile(*read);
  REQUIRE(again.ok());
  CHECK(arrays(*model) == arrays(*again));
}

Spec parsed(const std::string& text) {
  auto spec = mjcf::parse(text);
  INFO((spec.ok() ? "" : spec.error().to_string()));
  REQUIRE(spec.ok());
  return *spec;
}

}  // namespace

TEST_CASE("models that are written and read again are the same", "[mjcf][write]") {
  const std::string directory = CORTEN_TEST_DIR "/models/";
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() != ".xml") continue;
    INFO(entry.path().string());
    const auto spec = mjcf::parse_file(entry.path().string());
    if (!spec) continue;  // parts that are only included
    if (!save_string(*spec)) continue;  // below
    round_trip(*spec, directory);
    ++count;
  }
  CHECK(count > 25);
}

TEST_CASE("every section is written", "[mjcf][write]") {
  round_trip(parsed(R"(<mujoco model="a &lt;b&gt; &quot;c&quot;">
  <compiler angle="radian" eulerseq="XYZ"><lengthrange mode="none" inttotal="2"/></compiler>
  <option timestep="0.003" gravity="0 0 -1" actuatorgroupdisable="1 3"><flag energy="enable"/></option>
  <size nuserdata="3"/>
  <visual><map znear="0.1"/></visual>
  <visual><map znear="0.2"/></visual>
  <statistic extent="3"/>
  <default>
    <geom size="0.1" rgba="1 0 0 1"/>
    <default class="thin">
      <geom size="0.05"/>
      <joint damping="1 2" range="-1 1"/>
      <position kp="7"/>
      <default class="thinner"><geom size="0.01"/></default>
    </default>
  </default>
  <asset><texture name="t" builtin="flat" type="2d" width="2" height="2"/><material name="m" texture="t"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="b" pos="0 0 1" euler="0.1 0.2 0.3" childclass="thin">
      <inertial pos="0 0 0" mass="1" fullinertia="2 2.5 3 0.1 0.2 0.3"/>
      <geom name="first"/>
      <frame name="f" pos="0 0 0.1" childclass="thinner">
        <geom name="second"/>
        <frame name="g" axisangle="0 0 1 0.5"><site name="s" pos="1 0 0"/></frame>
        <joint name="j" axis="0 1 0"/>
      </frame>
      <geom name="third" class="main"/>
      <site name="r"/>
      <camera name="c" pos="0 0 1"/>
      <body name="child" pos="1 0 0"><joint type="ball" class="main"/><geom mass="1"/></body>
    </body>
  </worldbody>
  <contact><pair geom1="first" geom2="floor" condim="1"/><exclude body1="b" body2="child"/></contact>
  <tendon>
    <fixed name="tf" range="-1 1"><joint joint="j" coef="2"/></fixed>
    <spatial name="ts"><site site="s"/><geom geom="second" sidesite="r"/><site site="r"/>
      <pulley divisor="2"/><site site="s"/><site site="r"/></spatial>
  </tendon>
  <equality><weld body1="b" body2="child" active="false"/><joint joint1="j" polycoef="0.1"/></equality>
  <actuator>
    <position name="p" joint="j" class="thin" kv="1"/>
    <general tendon="ts" gainprm="3" biastype="affine" biasprm="0 1"/>
    <muscle tendon="ts" force="5" lengthrange="0.1 2"/>
  </actuator>
  <sensor>
    <jointpos joint="j"/><framepos objtype="site" objname="s" reftype="body" refname="b"/>
    <distance geom1="first" body2="child" cutoff="1"/><clock/><user dim="2" name="u"/>
  </sensor>
  <custom><numeric name="n" size="3" data="1 2"/><text name="x" data="line&#10;two"/>
    <tuple name="q"><element objtype="body" objname="b" prm="0.5"/></tuple></custom>
  <keyframe><key name="k" qpos="0.1 1 0 0 0" ctrl="1 2 3"/></keyframe>
</mujoco>)"),
             "");
}

TEST_CASE("parts under other settings cannot be written", "[mjcf][write]") {
  const auto spec = mjcf::parse_file(CORTEN_TEST_DIR "/models/tree_attach_all.xml");
  REQUIRE(spec.ok());
  const auto text = save_string(*spec);
  REQUIRE_FALSE(text.ok());
  CHECK(text.error().message == "an attached model has other compiler settings, which cannot be written");

  const auto cable = mjcf::parse_file(CORTEN_TEST_DIR "/models/tree_cable.xml");
  REQUIRE(cable.ok());
  const auto classes = save_string(*cable);
  REQUIRE_FALSE(classes.ok());
  CHECK(classes.error().message == "a class that lacks what its parent gives cannot be written");
}

TEST_CASE("what was built in code is written", "[mjcf][write]") {
  Spec spec;
  spec::Body& body = spec.world.bodies.emplace_back();
  body.name = "b";
  body.joints.emplace_back().stiffness = {1, 2};
  body.geoms.emplace_back().size = {0.1};
  round_trip(spec, "");

  spec::HField& field = spec.hfields.emplace_back();
  field.name = "h";
  field.nrow = field.ncol = 2;
  field.size = spec::Numbers<4>{1, 1, 1, 1};
  field.data = {0, 1, 2, 3};
  const auto text = save_string(spec);
  REQUIRE_FALSE(text.ok());
  CHECK(text.error().message == "raw heights cannot be written");

  const auto problem = save(Spec{}, "/no/such/directory/model.xml");
  REQUIRE(problem);
  CHECK(problem->message == "cannot write the file");
}
