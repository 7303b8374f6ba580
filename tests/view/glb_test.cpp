// SPDX-License-Identifier: Apache-2.0
//
// .glb files: their structure, and that nodes stand where the bodies do.
#include <corten/corten.hpp>
#include <corten/io/json.hpp>
#include <corten/view/glb.hpp>
#include <corten/view/pack.hpp>

#include "../../examples/kinds/torus.hpp"
#include "../support/catch.hpp"
#include "../support/near.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace view = corten::view;
using corten::io::Json;

namespace {

std::uint32_t word(std::string_view bytes, std::size_t at) {
  std::uint32_t out;
  std::memcpy(&out, bytes.data() + at, 4);
  return out;
}

// the parts of a .glb, with the checks that every reader makes first
struct Glb {
  Json json;
  std::string binary;

  explicit Glb(const std::string& bytes) {
    REQUIRE(bytes.size() % 4 == 0);
    REQUIRE(bytes.substr(0, 4) == "glTF");
    REQUIRE(word(bytes, 4) == 2);
    REQUIRE(word(bytes, 8) == bytes.size());
    const std::size_t length = word(bytes, 12);
    auto tree = corten::io::read_json(std::string_view(bytes).substr(20, length));
    if (!tree) FAIL(tree.error().to_string());
    json = *std::move(tree);
    binary = bytes.substr(28 + length);
    REQUIRE(word(bytes, 20 + length) == binary.size());
  }

  const Json::Array& list(const char* name) const {
    const Json* found = json.find(name);
    REQUIRE(found != nullptr);
    return *found->array();
  }
  std::size_t count(const char* name) const {
    return json.find(name) == nullptr ? 0 : list(name).size();
  }
  double number(const Json& object, const char* key) const {
    REQUIRE(object.find(key) != nullptr);
    return *object.find(key)->number();
  }
  float value(const Json& accessor, std::size_t i) const {
    const auto v = static_cast<std::size_t>(number(accessor, "bufferView"));
    const auto offset = static_cast<std::size_t>(number(list("bufferViews")[v], "byteOffset"));
    float out;
    std::memcpy(&out, binary.data() + offset + 4 * i, 4);
    return out;
  }
};

const char* const machine = R"(
<mujoco><asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/>
  <material name="floor" texture="t" texrepeat="4 4"/></asset>
<worldbody>
  <light pos="0 0 3"/><camera pos="0 -3 1"/>
  <geom type="plane" size="0 0 1" material="floor"/>
  <body name="base" pos="0 0 1"><freejoint/><geom type="box" size=".1 .1 .1"/>
    <body name="left" pos="0 .3 0"><joint axis="1 0 0"/><geom type="box" size=".2 .1 .05"/>
      <body name="fixed" pos="0 .1 0"><geom size=".05"/></body></body>
    <body name="right" pos="0 -.3 0"><geom type="capsule" size=".03 .2"/></body>
  </body></worldbody></mujoco>)";

view::Film run(const corten::Model<double>& model, int steps) {
  corten::Data<double> data(model);
  data.qvel()[3] = 2, data.qvel()[6] = 3;
  view::Film film;
  for (int k = 0; k <= steps; ++k) {
    REQUIRE(corten::forward(model, data));
    film.add(model, data);
    REQUIRE(corten::step(model, data));
  }
  return film;
}

}  // namespace

TEST_CASE("glb: bodies, shared meshes, textures and an animation", "[view]") {
  const auto spec = corten::mjcf::parse(machine);
  const auto model = corten::compile(*spec).value();
  const view::Film film = run(model, 20);
  const Glb glb(view::write_glb(model, corten::scene::assets(model, *spec), film));
  // five bodies, five geoms, a camera and a light
  CHECK(glb.count("nodes") == 12);
  CHECK(glb.count("cameras") == 1);
  CHECK(glb.count("textures") == 1);
  // two boxes of different sizes are one mesh
  CHECK(glb.count("meshes") == 4);
  CHECK(glb.count("animations") == 1);
  // the base moves and turns; the left one turns; the others are fixed to their parents
  const Json& animation = glb.list("animations")[0];
  CHECK(animation.find("channels")->array()->size() == 3);
  for (const Json& view : glb.list("bufferViews")) {
    CHECK(glb.number(view, "byteOffset") + glb.number(view, "byteLength") <=
          static_cast<double>(glb.binary.size()));
  }
}

TEST_CASE("glb: the animation has the poses of the film", "[view]") {
  const auto model = corten::load_string(machine).value();
  const view::Film film = run(model, 20);
  const Glb glb(view::write_glb(model, corten::scene::assets(model), film));
  const view::FrameLayout layout(model);
  for (const Json& channel : *glb.list("animations")[0].find("channels")->array()) {
    const Json& target = *channel.find("target");
    const auto node = static_cast<std::size_t>(glb.number(target, "node"));
    if (*glb.list("nodes")[node].find("name")->string() != "base") continue;
    const bool moves = *target.find("path")->string() == "translation";
    const auto sampler = static_cast<std::size_t>(glb.number(channel, "sampler"));
    const Json& curve = (*glb.list("animations")[0].find("samplers")->array())[sampler];
    const Json& times = glb.list("accessors")[static_cast<std::size_t>(glb.number(curve, "input"))];
    const Json& values =
        glb.list("accessors")[static_cast<std::size_t>(glb.number(curve, "output"))];
    for (const int f : {0, 10, 20}) {
      const float* pose = film.frame(f) + layout.body + 7;
      const auto i = static_cast<std::size_t>(f);
      CHECK(glb.value(times, i) == film.time(f));
      for (std::size_t k = 0; k < 3 && moves; ++k) {
        CHECK(support::near(glb.value(values, 3 * i + k), pose[k], 1e-6));
      }
      for (std::size_t k = 0; k < 4 && !moves; ++k) {  // x y z w
        CHECK(support::near(std::abs(glb.value(values, 4 * i + k)), std::abs(pose[3 + (k + 1) % 4]),
                            1e-6));
      }
    }
  }
}

TEST_CASE("glb: soft bodies change their shape", "[view]") {
  const auto model = corten::load_string(R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
    </worldbody><deformable>
    <cloth count="3 3" spacing=".1 .1" pos="0 0 5"/></deformable></mujoco>)")
                         .value();
  corten::Data<double> data(model);
  view::Film film;
  for (int k = 0; k < 5; ++k) {
    REQUIRE(corten::forward(model, data));
    film.add(model, data);
    REQUIRE(corten::step(model, data));
  }
  const Glb glb(view::write_glb(model, corten::scene::assets(model), film));
  bool found = false;
  for (const Json& mesh : glb.list("meshes")) {
    const Json& primitive = (*mesh.find("primitives")->array())[0];
    if (primitive.find("targets") == nullptr) continue;
    found = true;
    CHECK(primitive.find("targets")->array()->size() == 4);
  }
  CHECK(found);
  // a page looks at them too
  const std::string packed = view::pack(model, corten::scene::assets(model), {});
  const auto tree = corten::io::read_json(std::string_view(packed).substr(8, word(packed, 4)));
  CHECK((*tree->find("center")->array())[2].number().value() > 1);
}

namespace {

struct WithRings {
  using Geoms = corten::DefaultGeoms::with<Torus>;
};

}  // namespace

TEST_CASE("glb and page: a kind of the user's own is drawn as itself or not at all", "[view]") {
  auto model = corten::load_string(R"(<mujoco><worldbody><geom type="box" size=".2 .05 .1"/>
    <geom name="ring" type="box" size=".2 .05 .1"/></worldbody></mujoco>)")
                   .value();
  const view::Film film = [&] {
    corten::Data<double> data(model);
    REQUIRE(corten::forward(model, data));
    view::Film out;
    out.add(model, data);
    return out;
  }();
  model.geom_type[1] = static_cast<int>(Torus::type);
  const auto assets = corten::scene::assets<WithRings>(model);
  const Glb glb(view::write_glb(model, assets, film));
  CHECK(glb.count("meshes") == 2);
  const Json& ring = (*glb.list("meshes")[1].find("primitives")->array())[0];
  const auto place = static_cast<std::size_t>(glb.number(*ring.find("attributes"), "POSITION"));
  const Json& high = *glb.list("accessors")[place].find("max");
  CHECK(support::near(*(*high.array())[0].number(), 0.25, 1e-3));
  CHECK(support::near(*(*high.array())[2].number(), 0.05, 1e-3));
  CHECK(view::pack(model, assets, {}).find(R"("shape": 10)") != std::string::npos);

  const auto unknown = corten::scene::assets(model);
  CHECK(unknown.missing.size() == 1);
  CHECK(Glb(view::write_glb(model, unknown, film)).count("meshes") == 1);
}

TEST_CASE("glb: a skin follows the nodes of its bodies", "[view]") {
  const auto spec = corten::mjcf::parse(R"(<mujoco><asset>
      <skin name="strip" vertex="0 0 0  0 1 0  1 0 0" face="0 2 1">
        <bone body="a" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 .25"/>
        <bone body="b" bindpos="2 0 0" bindquat="0 0 0 1" vertid="2" vertweight=".75"/></skin>
    </asset><worldbody><body name="a"><joint/><geom size=".1"/></body>
      <body name="b" pos="2 0 0"><joint/><geom size=".1"/></body></worldbody></mujoco>)");
  const auto model = corten::compile(*spec).value();
  corten::Data<double> data(model);
  REQUIRE(corten::forward(model, data));
  view::Film film;
  film.add(model, data);
  const Glb glb(view::write_glb(model, corten::scene::assets(model, *spec), film));
  REQUIRE(glb.count("skins") == 1);
  const Json& skin = glb.list("skins")[0];
  const Json::Array& joints = *skin.find("joints")->array();
  REQUIRE(joints.size() == 2);
  for (const std::size_t b : {std::size_t{0}, std::size_t{1}}) {
    const Json& node = glb.list("nodes")[static_cast<std::size_t>(*joints[b].number())];
    CHECK(*node.find("name")->string() == (b == 0 ? "a" : "b"));
  }
  // its own node is a second root of the scene, as the format wants it
  CHECK(glb.list("scenes")[0].find("nodes")->array()->size() == 2);
  const auto accessor = [&](double id) -> const Json& {
    return glb.list("accessors")[static_cast<std::size_t>(id)];
  };
  // half a turn about z and back from x = 2: the last column of the second matrix is (2, 0, 0, 1)
  const Json& unbind = accessor(glb.number(skin, "inverseBindMatrices"));
  CHECK(support::near(glb.value(unbind, 16), -1.0f, 1e-6));
  CHECK(support::near(glb.value(unbind, 28), 2.0f, 1e-6));
  const Json& mesh = glb.list("meshes").back();
  const Json& attributes = *(*mesh.find("primitives")->array())[0].find("attributes");
  const Json& weights = accessor(glb.number(attributes, "WEIGHTS_0"));
  CHECK(glb.value(weights, 0) == 1);
  CHECK(glb.value(weights, 8) == 0.75f);  // the heaviest first
  CHECK(glb.value(weights, 9) == 0.25f);
}
