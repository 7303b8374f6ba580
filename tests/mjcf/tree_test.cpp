// SPDX-License-Identifier: Apache-2.0
//
// Reading <frame>, <replicate>, <attach>, <composite>, models as assets and skins.
#include <corten/mjcf/read.hpp>

#include "../support/catch.hpp"

#include <map>
#include <string>

using namespace corten;

namespace {

using Files = std::map<std::string, std::string>;

Result<Spec> read(const Files& files) {
  mjcf::ReadOptions options;
  options.load = [&files](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return std::nullopt;
    return found->second;
  };
  return mjcf::parse_file("m.xml", options);
}

// reads a line inside <worldbody>, which is line 3
Result<Spec> in_world(const std::string& line, const std::string& before = "") {
  return read(
      {{"m.xml", "<mujoco>" + before + "\n<worldbody>\n" + line + "\n</worldbody></mujoco>"},
       {"part.xml",
        "<mujoco model='part'><worldbody><frame name='f'/><body name='b'/>"
        "</worldbody></mujoco>"}});
}

std::string failure(const std::string& line, const std::string& before = "") {
  const auto spec = in_world(line, before);
  return spec.ok() ? "no error" : spec.error().to_string();
}

}  // namespace

TEST_CASE("elements know their frames", "[mjcf][tree]") {
  const auto spec = in_world(
      "<geom name='g0'/><frame name='a' pos='1 2 3'><geom name='g1'/><frame euler='0 0 90'>"
      "<site name='s'/></frame><body name='b'/></frame><geom name='g2'/>");
  REQUIRE(spec.ok());
  const spec::Body& world = spec->world;
  REQUIRE(world.frames.size() == 2);
  CHECK(world.frames[0].pos == spec::Numbers<3>{1, 2, 3});
  CHECK(world.frames[1].frame == 0);
  CHECK(world.geoms[0].frame == -1);
  CHECK(world.geoms[1].frame == 0);
  CHECK(world.geoms[2].frame == -1);
  CHECK(world.sites[0].frame == 1);
  CHECK(world.sites[0].path == "mujoco/worldbody/frame 'a'/frame/site 's'");
  CHECK(world.bodies[0].frame == 0);
}

TEST_CASE("copies have the numbers in their names", "[mjcf][tree]") {
  const auto spec = in_world(
      "<replicate count='10' sep='-' offset='1 0 0'><geom name='g'/></replicate>"
      "<replicate count='2'><geom name='g'/></replicate><replicate count='0'><geom name='g'/>"
      "</replicate><geom name='g'/>");
  REQUIRE(spec.ok());
  REQUIRE(spec->world.geoms.size() == 13);
  CHECK(spec->world.geoms[9].name == "g-09");
  CHECK(spec->world.geoms[11].name == "g1");
  CHECK(spec->world.geoms[12].name == "g");
  CHECK(spec->world.frames[9].pos == spec::Numbers<3>{9, 0, 0});
}

TEST_CASE("broken structure", "[mjcf][tree]") {
  CHECK(failure("<replicate/>") ==
        "m.xml:3:2: mujoco/worldbody/replicate: attribute 'count' is missing");
  CHECK(failure("<replicate count='-1'/>") ==
        "m.xml:3:12: mujoco/worldbody/replicate: count cannot be negative");
  CHECK(failure("<replicate count='2000000000'/>") ==
        "m.xml:3:12: mujoco/worldbody/replicate: count cannot exceed 1000000");
  CHECK(
      failure("<replicate count='5000'><replicate count='5000'><geom/></replicate></replicate>") ==
      "m.xml:3:2: mujoco/worldbody/replicate: the copies would exceed 1000000 elements");
  CHECK(
      failure("<replicate count='50'><geom size='1'/></replicate>", "<sensor><clock/></sensor>") ==
      "m.xml:3:2: mujoco/worldbody/replicate: the copies would exceed 1000000 elements");
  CHECK(failure("<frame childclass='c'/>") ==
        "m.xml:3:8: mujoco/worldbody/frame: unknown default class 'c'");
  CHECK(failure("<frame name='f'/><frame name='f'/>").find("repeated frame name 'f'") !=
        std::string::npos);
  CHECK(failure("<frame><joint/></frame>") ==
        "m.xml:3:9: mujoco/worldbody/frame/joint: the world cannot have <joint> (put it into a "
        "<body>)");
}

TEST_CASE("broken attachments", "[mjcf][tree]") {
  const std::string part = "<asset><model file='part.xml'/></asset>";
  CHECK(failure("<attach model='part' prefix='a'/>", part) == "no error");
  CHECK(failure("<attach model='part'/>", part) ==
        "m.xml:3:2: mujoco/worldbody/attach: attribute 'prefix' is missing");
  CHECK(failure("<attach model='prat' prefix='a'/>", part) ==
        "m.xml:3:9: mujoco/worldbody/attach: unknown model 'prat' (did you mean 'part'?)");
  CHECK(failure("<attach model='part' body='c' prefix='a'/>", part) ==
        "m.xml:3:2: mujoco/worldbody/attach: unknown body 'c' in model 'part'");
  CHECK(
      failure("<attach model='part' body='b' frame='f' prefix='a'/>", part).find("exclude each") !=
      std::string::npos);
  CHECK(failure("<attach prefix='a'/>") ==
        "m.xml:3:2: mujoco/worldbody/attach: body or frame must be given if model is not");
  CHECK(
      failure("<attach body='late' prefix='a'/><body name='late'/>").find("unknown body 'late'") !=
      std::string::npos);
  CHECK(failure("", "<asset><model file='none.xml'/></asset>") ==
        "m.xml:1:23: mujoco/asset/model: cannot read 'none.xml' (looked for none.xml)");
  CHECK(failure("", "<asset><model file='m.xml'/></asset>") ==
        "m.xml:1:23: mujoco/asset/model: 'm.xml' contains itself as a model");
  const auto broken =
      read({{"m.xml", "<mujoco><asset><model file='d/p.xml'/></asset></mujoco>"},
            {"d/p.xml", "<mujoco>\n<worldbody><geom poss='1'/></worldbody></mujoco>"}});
  REQUIRE_FALSE(broken.ok());
  CHECK(broken.error().where.file == "d/p.xml");
  CHECK(broken.error().where.line == 2);
}

TEST_CASE("broken composites", "[mjcf][tree]") {
  CHECK(failure("<composite type='cable' count='4' curve='s'><geom type='capsule' size='.1'/>"
                "</composite>") == "no error");
  CHECK(failure("<composite type='grid'/>") ==
        "m.xml:3:12: mujoco/worldbody/composite: composite type 'grid' is no longer in MuJoCo "
        "(use a cable, <replicate> or <flexcomp>)");
  CHECK(failure("<composite type='cabel'/>").find("unknown composite type 'cabel'") !=
        std::string::npos);
  CHECK(
      failure("<composite type='cable' count='4' curve='s'><geom size='.1'/></composite>") ==
      "m.xml:3:2: mujoco/worldbody/composite: the geoms of a cable must be capsules, cylinders or "
      "boxes");
  CHECK(
      failure("<composite type='cable' count='4' curve='t'><geom type='box'/></composite>") ==
      "m.xml:3:35: mujoco/worldbody/composite: 't' is not a coordinate of a curve (use s, cos(s), "
      "sin(s) or 0)");
  CHECK(failure("<composite type='cable' count='4 2'/>").find("a cable takes one positive count") !=
        std::string::npos);
  CHECK(failure("<composite type='cable' count='1000000000' curve='s'/>").find("too large") !=
        std::string::npos);
  CHECK(failure("<composite type='cable' vertex='0 0 0'><geom type='box'/></composite>") ==
        "m.xml:3:2: mujoco/worldbody/composite: a cable needs at least two points");
  CHECK(failure("<composite type='cable'><plugin plugin='mujoco.elasticity.cable'/></composite>")
            .find("<plugin> is not supported yet") != std::string::npos);
}

TEST_CASE("plugins are refused by name, skins are not", "[mjcf][tree]") {
  CHECK(failure("", "<extension/>") == "no error");
  CHECK(failure("", "<extension><plugin plugin='mujoco.pid'/></extension>") ==
        "m.xml:1:21: mujoco/extension/plugin: plugin 'mujoco.pid' is not supported");
  const std::string bone = "<bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0' ";
  const auto skin = in_world("<body name='b'/>", "<deformable><skin face='0 1 2'>" + bone +
                                                     "vertweight='1'/></skin></deformable>");
  REQUIRE(skin.ok());
  CHECK(skin->skins[0].bones[0].body == "b");
  CHECK(failure("", "<asset><skin>" + bone + "vertweight='1 2'/></skin></asset>")
            .find("different sizes") != std::string::npos);
}

TEST_CASE("unknown attributes of frames and replicates are warnings, as MuJoCo ignores them",
          "[mjcf]") {
  const auto spec = mjcf::parse(
      "<mujoco><worldbody>\n<replicate count='2' prefix='x'><geom size='1'/></replicate>\n"
      "<frame poss='1 2 3'><geom size='1'/></frame></worldbody></mujoco>");
  REQUIRE(spec.ok());
  REQUIRE(spec->warnings.size() == 2);
  CHECK(spec->warnings[0].message == "unknown attribute 'prefix' of <replicate> is ignored");
  CHECK(spec->warnings[1].where.line == 3);
}
