// SPDX-License-Identifier: Apache-2.0
//
// Frames, copies, attached models, cables, fused bodies and discarded geoms: arrays and names of
// whole models. Golden numbers: MuJoCo 3.12.0.
#include <corten/io/json.hpp>
#include <corten/load.hpp>
#include <corten/version.hpp>

#include "support.hpp"

#include <fstream>
#include <sstream>

using namespace corten;

namespace {

const std::string tests = CORTEN_TEST_DIR;

io::Json read_golden(const std::string& name) {
  std::ifstream in(tests + "/golden/" + name, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  auto tree = io::read_json(text.str());
  if (!tree) FAIL(tree.error().to_string());
  return *std::move(tree);
}

// the names of one kind of element, by id
const List<std::string>& names_of(const Model<double>& m, const std::string& kind) {
#define X(member, word) \
  if (kind == #member) return m.names.member;
  CORTEN_MODEL_NAMES(X)
#undef X
  FAIL("no names of kind " << kind);
  return m.names.body;
}

void check_names(const Model<double>& m, const io::Json& golden) {
  for (const auto& member : *golden.object()) {
    List<std::string> want;
    for (const auto& name : *member.second.array()) want.push_back(*name.string());
    INFO("names of " << member.first);
    CHECK(names_of(m, member.first) == want);
  }
}

void check_arrays(const Model<double>& m, const io::Json& golden) {
  for (const auto& member : *golden.object()) {
    INFO(member.first);
    const std::vector<double> got = compile_test::field(m, member.first);
    std::vector<double> want;
    for (const auto& x : *member.second.array()) want.push_back(*x.number());
    REQUIRE(got.size() == want.size());
    double scale = 1, worst = 0;
    for (const double x : want) scale = std::max(scale, std::fabs(x));
    for (std::size_t i = 0; i < got.size(); ++i)
      worst = std::max(worst, std::fabs(got[i] - want[i]));
    CHECK(worst <= 1e-9 * scale);
  }
}

}  // namespace

TEST_CASE("whole models with frames, copies and attached parts", "[compile][tree]") {
  const io::Json golden = read_golden("tree.json");
  REQUIRE(*golden.find("engine")->string() == CORTEN_MUJOCO_VERSION);
  for (const auto& member : *golden.find("models")->object()) {
    INFO(member.first);
    const auto model = load(tests + "/models/" + member.first + ".xml");
    if (!model) FAIL(model.error().to_string());
    CHECK(model->opt.timestep == *member.second.find("timestep")->number());
    check_names(*model, *member.second.find("names"));
    check_arrays(*model, *member.second.find("arrays"));
  }
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
