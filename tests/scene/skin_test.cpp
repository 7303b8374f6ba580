// SPDX-License-Identifier: Apache-2.0
//
// Skins: from the element or an SKN file, moved by the bodies that they follow.
#include <corten/asset/file.hpp>
#include <corten/asset/skn.hpp>
#include <corten/corten.hpp>
#include <corten/scene/assets.hpp>
#include <corten/scene/scene.hpp>

#include "../support/catch.hpp"
#include "../support/near.hpp"

#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

#include <unistd.h>

namespace scene = corten::scene;

namespace {

// A strip over two bodies, bound where they are at the start. Its middle follows both, and its
// weights do not add up to one.
std::string strip(const std::string& skin) {
  return R"(<mujoco><asset><material name="pink" rgba="1 0.5 0.5 1"/>)" + skin + R"(</asset>
    <worldbody><body name="a"><joint name="turn" axis="0 0 1"/><geom size=".1"/></body>
      <body name="b" pos="2 0 0"><joint name="lift" type="slide" axis="0 0 1"/>
        <geom size=".1"/></body></worldbody></mujoco>)";
}
const char* const written = R"(<skin name="strip" material="pink" group="1"
    vertex="0 0 0  0 1 0  1 0 0  2 0 0  2 1 0" face="0 2 1  1 2 4  2 3 4">
  <bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 2"/>
  <bone body="b" bindpos="2 0 0" bindquat="1 0 0 0" vertid="2 3 4" vertweight="2 1 1"/></skin>)";

struct Stage {
  corten::Spec spec;
  corten::Model<double> model;
  corten::Data<double> data;
  scene::Assets assets;

  explicit Stage(const std::string& skin)
      : spec(corten::mjcf::parse(strip(skin)).value()),
        model(corten::compile(spec).value()),
        data(model),
        assets(scene::assets(model, spec)) {
    data.qpos()[0] = 1.5707963267948966;  // a quarter turn about z
    data.qpos()[1] = 0.5;
    REQUIRE(corten::forward(model, data));
  }
};

void check_strip(const corten::List<float>& vert) {
  // turned; turned; the mean of (0 1 0) and (1 0 0.5); lifted; lifted
  const double expected[] = {0, 0, 0, -1, 0, 0, 0.5, 0.5, 0.25, 2, 0, 0.5, 2, 1, 0.5};
  REQUIRE(vert.size() == 15);
  for (std::size_t k = 0; k < 15; ++k) {
    CHECK(support::near(static_cast<double>(vert[k]), expected[k], 1e-6));
  }
}

std::string missing(const std::string& skin) {
  const Stage s(skin);
  CHECK(s.assets.skins.empty());
  REQUIRE(s.assets.missing.size() == 1);
  return s.assets.missing[0].to_string();
}

template <class T>
void put(std::string& out, std::initializer_list<T> numbers) {
  for (const T x : numbers) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &x, sizeof(T));
    out.append(bytes, sizeof(T));
  }
}

// the same strip as a file
std::string skn() {
  std::string out;
  put(out, {5, 5, 3, 2});
  put(out, {0.f, 0.f, 0.f, 0.f, 1.f, 0.f, 1.f, 0.f, 0.f, 2.f, 0.f, 0.f, 2.f, 1.f, 0.f});
  put(out, {0.f, 0.f, 0.f, 1.f, .5f, 0.f, 1.f, 0.f, 1.f, 1.f});
  put(out, {0, 2, 1, 1, 2, 4, 2, 3, 4});
  out += "a" + std::string(39, '\0');
  put(out, {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f});
  put(out, {3, 0, 1, 2});
  put(out, {1.f, 1.f, 2.f});
  out += "b" + std::string(39, '\0');
  put(out, {2.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f});
  put(out, {3, 2, 3, 4});
  put(out, {2.f, 1.f, 1.f});
  return out;
}

}  // namespace

TEST_CASE("skin: follows its bodies", "[scene]") {
  const Stage s(written);
  CHECK(s.assets.missing.empty());
  REQUIRE(s.assets.skins.size() == 1);
  check_strip(scene::bend(s.assets.skins[0], s.data.ref()));

  const scene::Scene drawn = scene::draw(s.model, s.data, s.assets.skins);
  REQUIRE(drawn.surfaces.size() == 1);
  check_strip(drawn.surfaces[0].vert);
  const scene::Item& item = drawn.items.back();
  CHECK(item.kind == scene::Kind::skin);
  CHECK(item.rgba[1] == 0.5f);  // of the material
  scene::Options none;
  none.skingroup[1] = false;
  CHECK(scene::draw(s.model, s.data, s.assets.skins, none).surfaces.empty());
  CHECK(scene::draw(s.model, s.data).surfaces.empty());
}

TEST_CASE("skin: inflated along its normals", "[scene]") {
  std::string fat(written);
  fat.replace(fat.find("group"), 5, "inflate=\"0.25\" group");
  Stage s(fat);
  s.data.reset(s.model);
  REQUIRE(corten::forward(s.model, s.data));
  const auto vert = scene::bend(s.assets.skins[0], s.data.ref());
  for (std::size_t v = 0; v < 5; ++v) CHECK(support::near(vert[3 * v + 2], 0.25f, 1e-6));
}

TEST_CASE("skin: read from a file", "[scene]") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("corten_skin_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const std::string path = (folder / "strip.skn").string();
  REQUIRE(corten::save_file(path, skn()));
  const Stage s("<skin file=\"" + path + "\"/>");
  fs::remove_all(folder);
  if (!s.assets.missing.empty()) FAIL(s.assets.missing[0].to_string());
  REQUIRE(s.assets.skins.size() == 1);
  check_strip(scene::bend(s.assets.skins[0], s.data.ref()));
  CHECK(s.assets.skins[0].texcoord[1] == 1);  // from below, where the file counts from above

  for (std::size_t cut = 0; cut < skn().size(); cut += 3) {
    corten::asset::SkinNumbers numbers;
    CHECK(!corten::asset::read_skn(skn().substr(0, cut), numbers));
  }
  corten::asset::SkinNumbers numbers;
  CHECK(!corten::asset::read_skn(skn() + "x", numbers));
}

TEST_CASE("skin: what cannot be drawn is named, and the rest goes on", "[scene]") {
  const auto broken = [](const char* from, const char* to) {
    std::string text(written);
    text.replace(text.find(from), std::strlen(from), to);
    return missing(text);
  };
  CHECK(broken("2 3 4\"", "2 3 5\"").find("not valid") != std::string::npos);
  CHECK(broken("vertid=\"2 3 4\"", "vertid=\"2 3 9\"").find("has not") != std::string::npos);
  CHECK(broken("vertid=\"2 3 4\"", "vertid=\"2 3 3\"").find("no bone") != std::string::npos);
  CHECK(
      broken("bindpos=\"2 0 0\" bindquat=\"1", "bindpos=\"2 0 0\" bindquat=\"0").find("bindquat") !=
      std::string::npos);
  CHECK(missing(R"(<skin file="nowhere.skn"/>)").find("cannot read 'nowhere.skn'") !=
        std::string::npos);
  CHECK(missing(R"(<skin name="s"/>)").find("vertices, faces and bones") != std::string::npos);
}
