// SPDX-License-Identifier: Apache-2.0
//
// A written spec reads back as the same model.
#include <corten/asset/png_write.hpp>
#include <corten/corten.hpp>
#include <corten/io/inspect.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "../support/catch.hpp"

using namespace corten;

namespace {

std::string arrays(const Model<double>& model) {
  io::JsonWriter out;
  io::write_model(out, model);
  return out.take();
}

// the model of a text, as JSON; `again` is the model read back from what was written
using Load = std::function<std::optional<std::string>(const std::string&)>;

void round_trip(const Spec& spec, const std::string& directory, const Load& load = {}) {
  const auto model = compile(spec);
  INFO((model.ok() ? "" : model.error().to_string()));
  REQUIRE(model.ok());
  const auto text = save_string(spec);
  INFO((text.ok() ? *text : text.error().to_string()));
  REQUIRE(text.ok());
  const auto read = mjcf::parse(*text, {.file = "again.xml", .directory = directory, .load = load});
  INFO((read.ok() ? "" : read.error().to_string()));
  REQUIRE(read.ok());
  const auto again = compile(*read);
  REQUIRE(again.ok());
  CHECK(arrays(*model) == arrays(*again));
}

// the same by way of the bytes of the compiled model, which carry text and files
Spec restored(const Spec& spec) {
  const Model<double> model = compile(spec).value();
  const auto packed = source_of(spec);
  INFO((packed.ok() ? "" : packed.error().to_string()));
  REQUIRE(packed.ok());
  const Source source = source_from_bytes(to_bytes(model, *packed)).value();
  const std::string text = save_string(source, "in here").value();
  INFO(text);
  const auto again = mjcf::parse(
      text, {.load = [&](const std::string& path) {
        const std::string folder = "in here/";
        const Source::File* file =
            path.starts_with(folder) ? source.find(path.substr(folder.size())) : nullptr;
        return file != nullptr ? std::optional(file->bytes) : std::nullopt;
      }});
  INFO((again.ok() ? "" : again.error().to_string()));
  REQUIRE(again.ok());
  CHECK(arrays(model) == arrays(compile(*again).value()));
  return *again;
}

constexpr const char* tetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

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
    round_trip(*spec, directory);
    ++count;
  }
  CHECK(count > 25);
}

TEST_CASE("every section is written", "[mjcf][write]") {
  round_trip(parsed(R"(<mujoco model="a &lt;b&gt; &quot;c&quot;">
  <compiler angle="radian" eulerseq="XYZ"><lengthrange mode="none" inttotal="2"/></compiler>
  <option timestep="0.003" gravity="0 0 -1" actuatorgroupdisable="1 3">
    <flag energy="enable"/></option>
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
  <asset><texture name="t" builtin="flat" type="2d" width="2" height="2"/>
    <material name="m" texture="t"/></asset>
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
  <contact><pair geom1="first" geom2="floor" condim="1"/>
    <exclude body1="b" body2="child"/></contact>
  <tendon>
    <fixed name="tf" range="-1 1"><joint joint="j" coef="2"/></fixed>
    <spatial name="ts"><site site="s"/><geom geom="second" sidesite="r"/><site site="r"/>
      <pulley divisor="2"/><site site="s"/><site site="r"/></spatial>
  </tendon>
  <equality><weld body1="b" body2="child" active="false"/>
    <joint joint1="j" polycoef="0.1"/></equality>
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

TEST_CASE("parts under other settings are written under one", "[mjcf][write]") {
  // the meshes of the model are in one directory, those of its parts in others, above or below
  const std::map<std::string, std::string> files{{"d/m.xml", R"(<mujoco>
  <compiler meshdir="meshes" strippath="true" settotalmass="7"/>
  <default><joint damping="5"/><geom type="capsule" size="0.1 0.2" euler="10 20 30"/>
    <position kp="7" inheritrange="0.5"/></default>
  <asset><model name="r" file="parts/radian.xml"/><model name="o" file="../o/other.xml"/>
    <mesh file="x/tet.obj"/><texture name="t" builtin="flat" width="2" height="2" type="2d"/>
    <material name="m"><layer role="rgb" texture="t"/>
      <layer role="orm" texture="t"/></material></asset>
  <worldbody>
    <geom/><geom type="mesh" mesh="tet" material="m"/>
    <body name="own" euler="30 0 0"><joint range="-30 60" ref="10"/><geom/>
      <attach model="r" body="a" prefix="r_"/></body>
    <attach model="o" prefix="o_"/>
  </worldbody>
  <actuator><position joint="r_j"/></actuator>
</mujoco>)"},
                                                 {"d/parts/radian.xml", R"(<mujoco model="r">
  <compiler angle="radian" eulerseq="XYZ" autolimits="false"/>
  <default>
    <joint damping="0.1" range="-1 1" limited="true"/>
    <geom rgba="1 0 0 1" euler="0.1 0.2 0.3"/>
    <default class="c"><joint type="slide" range="-0.2 0.3" ref="0.1"/>
      <geom type="box" size="0.1 0.2 0.3"/>
      <site euler="0.3 0 0"/><camera axisangle="1 0 0 0.5"/></default>
  </default>
  <asset><mesh name="t" file="tet2.obj"/></asset>
  <worldbody><body name="a" euler="0.5 0.4 0.3" childclass="c">
    <joint name="j"/><geom name="g"/><site name="s"/><camera name="cam"/>
    <frame euler="1 0 0.2"><geom type="mesh" mesh="t" mass="2"/>
      <body><joint type="hinge" range="-2 2" ref="0.5" springref="0.4" stiffness="3"/>
        <joint type="hinge" axis="1 0 0" limited="false" range="-2 2"/>
        <inertial pos="0 0 0.1" mass="2" diaginertia="1 2 2.5" euler="0.1 0 0"/></body>
      <frame quat="0.292 -0.341 0.282 0.691" pos="0.1 0.2 0.3">
        <body pos="0.31 0.17 -0.23"/></frame></frame>
    <body pos="0 0 1"><joint type="ball" range="0 2"/><geom/></body>
  </body></worldbody>
  <sensor><framepos objtype="site" objname="s"/></sensor>
  <keyframe><key name="k" qpos="0.2 0.3 0.4 1 0 0 0"/></keyframe>
</mujoco>)"},
                                                 {"o/other.xml", R"(<mujoco model="o">
  <compiler inertiafromgeom="true" boundmass="0.5" boundinertia="0.01" balanceinertia="true"
    alignfree="true"
    inertiagrouprange="0 2" assetdir="stuff"/>
  <asset><mesh name="t" file="tet3.obj"/></asset>
  <worldbody>
    <body><freejoint/><geom size="0.1" pos="0.1 0.2 0"/><geom group="3" size="1"/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
    <body><freejoint align="false"/><geom type="mesh" mesh="t" density="10"/></body>
    <body pos="1 2 3"><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 9"/></body>
    <body pos="1 2 3"><geom size="0.3"/><body pos="0 0 1"><geom group="4" size="1"/></body></body>
  </worldbody>
</mujoco>)"},
                                                 {"d/meshes/tet.obj", tetrahedron},
                                                 {"d/parts/tet2.obj", tetrahedron},
                                                 {"o/stuff/tet3.obj", tetrahedron}};
  const auto load = [&](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return std::nullopt;
    return found->second;
  };
  const auto spec = mjcf::parse_file("d/m.xml", {.load = load});
  INFO((spec.ok() ? "" : spec.error().to_string()));
  REQUIRE(spec.ok());
  round_trip(*spec, "d", load);
  CHECK(mjcf::write(*spec).error().remedy == "use save or save_string");
  // MuJoCo has no classes of sensors, so a sensor must be written with all its attributes
  CHECK(save_string(*spec)->find("<framepos objtype") != std::string::npos);
}

TEST_CASE("classes that lack attributes of their parent are written", "[mjcf][write]") {
  round_trip(parsed(R"(<mujoco>
  <default><geom rgba="1 0 0 1" condim="4"/><joint damping="2"/><site size="0.02"/><motor gear="3"/>
    <mesh scale="2 2 2"/><tendon width="0.1"/><pair condim="1"/><equality solref="0.1 1"/>
    <default class="k"><geom condim="6"/></default></default>
  <asset><mesh name="t" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
  <worldbody>
    <geom name="w" size="0.3"/><site name="ws"/>
    <frame pos="0 0 1"><geom size="0.2"/>
      <frame childclass="k"><geom size="0.1" pos="1 0 0"/></frame></frame>
    <body name="b" pos="0 0 2"><joint name="j"/><geom name="bg" size="0.1"/>
      <geom class="main" size="0.2"/>
      <geom type="mesh" mesh="t" class="k"/>
      <composite type="cable" prefix="c" count="5 1 1" size="1" curve="s" initial="none">
        <joint kind="main" damping="0.01"/><geom type="capsule" size="0.01"/></composite></body>
    <body name="d" childclass="k" pos="3 0 0"><freejoint/><geom size="0.1"/>
      <geom class="main" size="0.1"/></body>
  </worldbody>
  <actuator><motor joint="j"/></actuator>
  <contact><pair geom1="w" geom2="bg"/></contact>
  <tendon><spatial><site site="ws"/><site site="cS_last"/></spatial></tendon>
  <equality><connect body1="b" body2="d" anchor="0 0 0"/></equality>
</mujoco>)"),
             "");
}

TEST_CASE("free joints that are aligned in one part only are written", "[mjcf][write]") {
  const auto model = [](const std::string& attributes) {
    const std::string child = R"(<mujoco model="c"><compiler alignfree="true"/>
      <default><default class="f"><joint type="free" group="2"/></default></default><worldbody>
      <body name="a" pos="1 2 3"><joint class="f")" +
                              attributes + R"(/><geom size="0.1" pos="0.1 0.2 0"/></body>
      </worldbody></mujoco>)";
    const auto load = [child](const std::string& path) -> std::optional<std::string> {
      if (path == "c.xml") return child;
      return std::nullopt;
    };
    auto spec = mjcf::parse(R"(<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody>
      <body name="b"><joint type="free" damping="1"/><geom size="0.1" pos="0.1 0.2 0"/></body>
      <attach model="c" prefix="c_"/></worldbody></mujoco>)",
                            {.load = load});
    INFO((spec.ok() ? "" : spec.error().to_string()));
    REQUIRE(spec.ok());
    return *spec;
  };
  round_trip(model(""), "");
  CHECK(save_string(model(" armature='1'")).error().message.find("alignfree") != std::string::npos);
}

TEST_CASE("specs built in code are written", "[mjcf][write]") {
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
  round_trip(spec, "");
  field.data = {0, 0.5, 0.25, 1};
  round_trip(spec, "");
  CHECK(save_string(spec)->find("normalize") == std::string::npos);

  // assets given as bytes are written as numbers
  spec::Default& main = spec.defaults[0];
  main.mesh.scale = spec::Numbers<3>{1, 1, -2};
  const auto bytes = [](const std::string& text) {
    return std::make_shared<const std::string>(text);
  };
  const auto add_mesh = [&](const char* type, const std::string& content) {
    spec::Mesh& mesh = spec.meshes.emplace_back();
    mesh.name = type;
    mesh.content_type = type;
    mesh.content.bytes = bytes(content);
    spec::Geom& geom = body.geoms.emplace_back();
    geom.type = GeomType::mesh;
    geom.mesh = type;
  };
  std::string msh;
  const auto put = [](std::string& to, auto x) { to.append(reinterpret_cast<const char*>(&x), 4); };
  for (const int n : {4, 0, 0, 4}) put(msh, n);
  for (const float x : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.3f, 0.f, 0.f, 0.f, 1.f}) put(msh, x);
  for (const int v : {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}) put(msh, v);
  add_mesh("model/obj", tetrahedron);
  add_mesh("model/vnd.mujoco.msh", msh);
  std::string heights;
  for (const int n : {2, 3}) put(heights, n);
  for (const float x : {0.1f, 0.7f, 0.3f, 0.9f, 0.2f, 0.4f}) put(heights, x);
  spec::HField& hills = spec.hfields.emplace_back();
  hills.name = "hills";
  hills.size = spec::Numbers<4>{1, 1, 1, 1};
  hills.content_type = "image/vnd.mujoco.hfield";
  hills.content.bytes = bytes(heights);
  round_trip(spec, "");
  hills.normalize = false;
  round_trip(spec, "");
  hills.content.bytes = bytes("short");
  CHECK(mjcf::write(spec).error().message.find("the header is cut off") != std::string::npos);

  const auto done = save(Spec{}, "/no/such/directory/model.xml");
  REQUIRE_FALSE(done);
  CHECK(done.error().message == "cannot write the file");
}

TEST_CASE("a grid of distances cannot be written, a mesh of type sdf can", "[mjcf][write]") {
  Spec spec = parsed(R"(<mujoco><asset><mesh name="t" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
    <worldbody><geom type="sdf" mesh="t"/><geom type="sdf" size="1 2 3"/></worldbody></mujoco>)");
  round_trip(spec, "");
  spec.world.geoms[1].grid = std::make_shared<const asset::SdfGrid>();
  CHECK(mjcf::write(spec).error().message == "a distance grid set in code cannot be written");
}

TEST_CASE("compiled models are turned back into MJCF", "[mjcf][write]") {
  for (const char* name : {"actuators", "flex_attach", "flex_solids", "meshes", "soft", "tendons",
                           "terrain", "tree_attach_all"}) {
    INFO(name);
    const auto spec = mjcf::parse_file(std::string(CORTEN_TEST_DIR "/models/") + name + ".xml");
    REQUIRE(spec.ok());
    restored(*spec);
  }
}

TEST_CASE("a compiled model is turned back into MJCF with its files", "[mjcf][write]") {
  namespace fs = std::filesystem;
  const fs::path root = fs::temp_directory_path() / "corten_restored";
  fs::create_directories(root / "part/meshes");
  const auto put = [&](const char* name, const std::string& bytes) {
    REQUIRE(save_file((root / name).string(), bytes).ok());
  };
  std::string larger = tetrahedron;
  larger.replace(larger.find("v 1 0 0"), 7, "v 3 0 0");
  const asset::Picture heights{.width = 2, .height = 2, .channels = 1, .pixels = {0, 90, 200, 40}};
  put("tet.obj", tetrahedron);
  put("part/meshes/tet.obj", larger);
  put("part/a b.png", asset::write_png(heights));
  put("part/part.xml", R"(<mujoco model="part"><compiler meshdir="meshes" angle="radian"/>
    <asset><mesh name="tet" file="tet.obj"/><texture name="t" type="2d" file="a b.png"/>
      <material name="m" texture="t"/></asset>
    <worldbody>
      <body name="b"><joint range="-1 1"/><geom type="mesh" mesh="tet" material="m"/></body>
    </worldbody></mujoco>)");
  put("whole.xml", R"(<mujoco>
    <default><geom rgba="1 0 0 1"/><default class="thin"><geom size=".01"/></default></default>
    <asset><mesh name="tet" file="tet.obj"/><mesh name="same" file="tet.obj" scale="2 1 1"/>
      <hfield name="h" size="1 1 1 .1" file="part/a b.png"/>
      <model name="part" file="part/part.xml"/>
      <texture name="lost" type="2d" file="nowhere.png"/></asset>
    <worldbody><geom type="hfield" hfield="h"/><geom class="thin"/>
      <body><freejoint/><geom type="mesh" mesh="tet"/><geom type="mesh" mesh="same"/></body>
      <body name="frame" pos="0 0 2"><attach model="part" body="b" prefix="p_"/></body>
      <flexcomp name="sheet" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" mass="1">
        <edge equality="true"/></flexcomp></worldbody>
    <keyframe><key name="k" time="2"/></keyframe></mujoco>)");
  const auto spec = mjcf::parse_file((root / "whole.xml").string());
  INFO((spec.ok() ? "" : spec.error().to_string()));
  REQUIRE(spec.ok());
  const Source source = source_of(*spec).value();
  List<std::string> names;
  for (const Source::File& file : source.files) names.push_back(file.name);
  CHECK(names == List<std::string>{"a_b.png", "tet.obj", "tet_2.obj"});
  CHECK(source.find("tet_2.obj")->bytes == larger);
  const Spec again = restored(*spec);
  REQUIRE(again.textures.size() == 2);
  CHECK(*again.textures[0].file == "nowhere.png");  // a picture that nobody can read is no error
  CHECK(*again.textures[1].file == "a_b.png");
  CHECK(again.keys[0].name == "k");
  CHECK(again.find_default("thin") > 0);
  fs::remove_all(root);
}
