// SPDX-License-Identifier: Apache-2.0
//
// A world as things to draw: where they are, what they look like, and what is left out.
#include <corten/asset/png_write.hpp>
#include <corten/corten.hpp>
#include <corten/scene/assets.hpp>
#include <corten/scene/scene.hpp>

#include "../../examples/kinds/torus.hpp"
#include "../support/catch.hpp"
#include "../support/near.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace scene = corten::scene;
using scene::Kind;
using scene::Shape;

namespace {

struct Stage {
  corten::Spec spec;
  corten::Model<double> model;
  corten::Data<double> data;

  explicit Stage(const std::string& mjcf) : spec(parsed(mjcf)), model(compiled(spec)), data(model) {
    REQUIRE(corten::forward(model, data));
  }
  static corten::Spec parsed(const std::string& mjcf) {
    auto spec = corten::mjcf::parse(mjcf);
    if (!spec) FAIL(spec.error().to_string());
    return *std::move(spec);
  }
  static corten::Model<double> compiled(const corten::Spec& spec) {
    auto model = corten::compile(spec);
    if (!model) FAIL(model.error().to_string());
    return *std::move(model);
  }
  scene::Scene draw(const scene::Options& options = {}) const {
    return scene::draw(model, data, options);
  }
};

int count(const scene::Scene& s, Kind kind) {
  return static_cast<int>(std::count_if(s.items.begin(), s.items.end(),
                                        [&](const auto& item) { return item.kind == kind; }));
}

const char* const robot = R"(
<mujoco>
  <visual><headlight ambient=".3 .2 .1"/><global azimuth="140"/><map force=".02"/></visual>
  <asset>
    <texture name="sky" type="skybox" builtin="gradient" rgb1="0 0 1" rgb2="1 1 1" width="8"/>
    <texture name="tiles" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="4"
      height="4"/>
    <texture name="skin" type="cube" builtin="flat" rgb1="0 1 0" rgb2="1 1 0" mark="edge"
      width="6"/>
    <material name="floor" texture="tiles" texrepeat="3 2" texuniform="true" reflectance=".25"/>
    <material name="skin" texture="skin" rgba=".9 .8 .7 1" specular=".1" shininess=".9"/>
    <mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
    <hfield name="hill" nrow="3" ncol="4" size="2 1 .5 .1"/>
  </asset>
  <worldbody>
    <light name="lamp" pos="0 0 4" diffuse=".6 .5 .4" castshadow="false"/>
    <camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <geom name="floor" type="plane" size="2 2 .1" material="floor"/>
    <geom name="hill" type="hfield" hfield="hill" pos="5 0 0"/>
    <body name="arm" pos="0 0 .05">
      <joint name="lift" type="slide" axis="0 0 1"/>
      <geom name="ball" size=".1" material="skin"/>
      <geom name="bone" type="capsule" size=".02 .1" group="3"/>
      <geom name="red" type="box" size=".1 .1 .1" pos="0 0 .5" rgba="1 0 0 1" material="skin"/>
      <geom name="part" type="mesh" mesh="wedge" pos="0 0 2"/>
      <geom name="ghost" size=".1" pos="0 0 4" rgba="1 1 1 0"/>
      <site name="tip" pos="0 0 .2" rgba="0 1 0 .5"/>
      <site name="end" pos="0 0 .4" group="4"/>
    </body>
  </worldbody>
  <tendon><spatial name="string" rgba=".1 .2 .3 1" width=".01">
    <site site="tip"/><site site="end"/></spatial></tendon>
</mujoco>)";

}  // namespace

TEST_CASE("scene: items stand where the data says", "[scene]") {
  const Stage s(robot);
  const auto drawn = s.draw();
  CHECK(count(drawn, Kind::geom) == 5);  // not group 3, not the transparent one
  CHECK(count(drawn, Kind::site) == 1);
  CHECK(count(drawn, Kind::tendon) == 1);
  for (const scene::Item& item : drawn.items) {
    const bool site = item.kind == Kind::site;
    if (item.kind != Kind::geom && !site) continue;
    for (int k = 0; k < 3; ++k) {
      const auto& d = s.data.ref();
      CHECK(item.pos[k] == (site ? d.site_xpos : d.geom_xpos)[3 * item.id + k]);
    }
  }
  const auto& string = *std::find_if(drawn.items.begin(), drawn.items.end(),
                                     [](const auto& i) { return i.kind == Kind::tendon; });
  CHECK(string.shape == Shape::capsule);
  CHECK(support::near(string.size[1], 0.1, 1e-12));
  CHECK(support::near(string.pos[2], 0.35, 1e-12));
  CHECK(string.rgba == scene::Rgba{0.1f, 0.2f, 0.3f, 1});
}

TEST_CASE("scene: colours are those of MuJoCo", "[scene]") {
  const Stage s(robot);
  for (const scene::Item& item : s.draw().items) {
    if (item.kind != Kind::geom) continue;
    const auto name = s.model.geom_name(item.id);
    // a colour of its own beats that of the material, and the default gives way to it
    if (name == "ball") CHECK(item.rgba == scene::Rgba{0.9f, 0.8f, 0.7f, 1});
    if (name == "red") CHECK(item.rgba == scene::Rgba{1, 0, 0, 1});
    if (name == "part") CHECK(item.rgba == scene::Rgba{0.5f, 0.5f, 0.5f, 1});
  }
  CHECK(s.model.mat_shininess[1] == 0.9f);
  CHECK(s.model.mat_texrepeat[0] == 3);
  CHECK(s.model.light_diffuse[2] == 0.4f);
}

TEST_CASE("scene: flags and groups", "[scene]") {
  const Stage s(robot);
  scene::Options o;
  o.geomgroup[3] = true, o.sitegroup[4] = true;
  o.joint = o.com = o.inertia = o.contactpoint = o.contactforce = o.camera = o.light = o.frame =
      true;
  const auto drawn = s.draw(o);
  CHECK(count(drawn, Kind::geom) == 6);
  CHECK(count(drawn, Kind::site) == 2);
  CHECK(count(drawn, Kind::joint) == 1);
  CHECK(count(drawn, Kind::com) == 1);
  CHECK(count(drawn, Kind::inertia) == 1);
  CHECK(count(drawn, Kind::frame) == 6);
  CHECK(count(drawn, Kind::camera) == 1);
  CHECK(count(drawn, Kind::light) == 1);
  REQUIRE(s.data.ncon() > 0);
  CHECK(count(drawn, Kind::contact) == s.data.ncon());
  CHECK(count(drawn, Kind::force) > 0);
  REQUIRE(drawn.cameras.size() == 1);
  CHECK(support::near(drawn.cameras[0].mat(1, 2), -1, 1e-12));  // it looks along +y
  REQUIRE(drawn.lights.size() == 1);
  CHECK_FALSE(drawn.lights[0].castshadow);

  o.transparent = true, o.static_bodies = false;
  for (const scene::Item& item : s.draw(o).items) {
    if (item.kind == Kind::geom) CHECK(item.rgba[3] < 0.5f);
  }
}

TEST_CASE("scene: soft bodies are surfaces of moving vertices", "[scene]") {
  const Stage s(R"(<mujoco><deformable>
    <cloth name="towel" count="3 4" spacing=".1 .1" pos="0 0 1"/>
    <softbody name="cube" count="3 3 3" spacing=".1 .1 .1" pos="1 0 1"/>
    <chain name="rope" count="5" spacing=".1" pos="2 0 1"/></deformable></mujoco>)");
  const auto drawn = s.draw();
  REQUIRE(drawn.surfaces.size() == 2);
  CHECK(drawn.surfaces[0].vert.size() == 36);
  CHECK(drawn.surfaces[0].face.size() == 3 * 12);
  CHECK(drawn.surfaces[1].face.size() == 3 * 48);  // the outside of 2 × 2 × 2 cells alone
  CHECK(count(drawn, Kind::soft) == 2 + 4);
}

TEST_CASE("assets: surfaces, textures and settings", "[scene]") {
  const Stage s(robot);
  const scene::Assets a = scene::assets(s.model, s.spec);
  CHECK(a.missing.empty());
  CHECK(a.visual.headlight.ambient[2] == 0.1f);
  CHECK(a.visual.azimuth == 140);
  CHECK(a.visual.force == 0.02f);

  // sharp edges split the four vertices of a tetrahedron into twelve
  REQUIRE(a.meshes.size() == 1);
  CHECK(a.meshes[0].nvert() == 12);
  CHECK(a.meshes[0].nface() == 4);
  REQUIRE(a.hfields.size() == 1);
  CHECK(a.hfields[0].nface() == 2 * 6 + 2 * 10 + 8);

  REQUIRE(a.textures.size() == 3);
  CHECK(a.sky == 0);
  CHECK(a.material_texture[0] == 1);
  const auto& tiles = a.textures[1].picture;
  const auto colour = [](const auto& p, int r, int c) {
    const unsigned char* at = &p.pixels[static_cast<std::size_t>(3 * (r * p.width + c))];
    return std::array<int, 3>{at[0], at[1], at[2]};
  };
  CHECK(colour(tiles, 0, 0) == std::array<int, 3>{255, 0, 0});
  CHECK(colour(tiles, 0, 3) == std::array<int, 3>{0, 0, 255});
  CHECK(colour(tiles, 3, 3) == std::array<int, 3>{255, 0, 0});
  const auto& skin = a.textures[2].picture;
  CHECK(skin.height == 36);
  CHECK(colour(skin, 0, 0) == std::array<int, 3>{0, 0, 0});  // the edge
  CHECK(colour(skin, 2, 2) == std::array<int, 3>{0, 255, 0});
  CHECK(colour(skin, 20, 2) == std::array<int, 3>{255, 255, 0});  // below
  const auto& sky = a.textures[0].picture;
  CHECK(colour(sky, 19, 4)[0] < 40);   // blue above
  CHECK(colour(sky, 28, 4)[0] > 215);  // white below

  CHECK(scene::assets(s.model, s.spec, {.pixels = false}).textures.empty());
  CHECK(scene::assets(s.model).meshes.size() == 1);
}

TEST_CASE("assets: a texture that cannot be read is named, the rest is there", "[scene]") {
  const Stage s(R"(<mujoco><asset>
    <texture name="wood" type="2d" file="nowhere.png"/>
    <material name="wood" texture="wood"/></asset>
    <worldbody><geom size=".1" material="wood"/></worldbody></mujoco>)");
  const scene::Assets a = scene::assets(s.model, s.spec);
  REQUIRE(a.missing.size() == 1);
  CHECK(a.missing[0].to_string().find("nowhere.png") != std::string::npos);
  CHECK(a.missing[0].where.line == 2);
  CHECK(a.material_texture[0] == -1);
}

TEST_CASE("surfaces: smooth shapes stay smooth and keep their texture coordinates", "[scene]") {
  // a strip of two triangles that fold by a small angle, and one by a right angle
  const corten::List<float> vert{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0.1f};
  const corten::List<int> face{0, 1, 2, 1, 3, 2};
  CHECK(scene::smooth_surface(vert, face).nvert() == 4);
  const corten::List<float> sharp{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 5};
  CHECK(scene::smooth_surface(sharp, face).nvert() == 6);
  const corten::List<float> uv{0, 0, 1, 0, 0, 1, 0.5f, 0.5f};
  const corten::List<int> index{0, 1, 2, 3, 1, 2};  // another coordinate at vertex 1
  const scene::Surface s = scene::smooth_surface(vert, face, {&uv, &index});
  CHECK(s.nvert() == 5);
  CHECK(s.texcoord.size() == 10);
}

TEST_CASE("pictures: what is written is read back", "[scene]") {
  corten::asset::Picture p;
  p.width = 37, p.height = 23, p.channels = 4;
  unsigned state = 1;
  for (int i = 0; i < 37 * 23 * 4; ++i) {
    state = state * 1103515245u + 12345u;
    p.pixels.push_back(
        static_cast<unsigned char>(i % 300 < 200 ? static_cast<unsigned>(i / 40) : state >> 16));
  }
  const std::string png = corten::asset::write_png(p);
  corten::asset::Picture back;
  back.channels = 4;
  REQUIRE(corten::asset::read_png(png, back));
  CHECK(back.width == 37);
  CHECK(std::equal(back.pixels.begin(), back.pixels.end(), p.pixels.begin(), p.pixels.end()));

  // repetitions beyond every range of lengths and distances
  std::string text, out;
  for (int i = 0; i < 200000; ++i)
    text += static_cast<char>(i % 7 == 0 ? i >> 9 : i % 251 / (1 + i / 9000));
  const std::string packed = corten::asset::deflate(text);
  CHECK(packed.size() < text.size() / 2);
  REQUIRE(corten::asset::inflate(packed, text.size(), out));
  CHECK(out == text);
}

namespace {

// a pyramid says which triangles it has
struct Pyramid : corten::Box {
  static constexpr corten::GeomType type = corten::user_geom(1);
  static constexpr const char* name = "pyramid";

  template <class Pen>
  static void draw(const corten::Vec3<double>& size, Pen& pen) {
    pen.triangles([&](auto& out) {
      const int a = out.vertex(-size[0], -size[1], 0), b = out.vertex(size[0], -size[1], 0);
      const int c = out.vertex(0, size[1], 0), top = out.vertex(0, 0, size[2]);
      out.face(a, c, b), out.face(a, b, top), out.face(b, c, top), out.face(c, a, top);
    });
  }
};
// this one is a capsule to look at
struct Pill : corten::Box {
  static constexpr corten::GeomType type = corten::user_geom(2);
  static constexpr const char* name = "pill";

  template <class Pen>
  static void draw(const corten::Vec3<double>& size, Pen& pen) {
    pen.capsule(size[1], size[2]);
  }
};
// and this one does not say; it has a box's inertia, which does not make it a box
struct Mystery : corten::Box {
  static constexpr corten::GeomType type = corten::user_geom(3);
  static constexpr const char* name = "mystery";
};
struct OwnKinds : corten::Policies<corten::DefaultGeoms::with<Torus, Pyramid, Pill, Mystery>> {};

}  // namespace

TEST_CASE("scene: kinds of geoms of the user's own have their own shapes", "[scene]") {
  Stage s(R"(<mujoco><worldbody>
    <geom name="ring" type="box" size=".2 .05 .1"/><geom name="ring2" type="box" size=".2 .05 .1"/>
    <geom name="tent" type="box" size=".1 .2 .3"/><geom name="pill" type="box" size=".1 .2 .3"/>
    <geom name="what" type="box" size=".1 .2 .3"/><geom name="box" type="box" size=".1 .2 .3"/>
    </worldbody></mujoco>)");
  const corten::GeomType types[] = {Torus::type, Torus::type, Pyramid::type, Pill::type,
                                    Mystery::type};
  for (std::size_t g = 0; g < 5; ++g) s.model.geom_type[g] = static_cast<int>(types[g]);

  const scene::Assets a = scene::assets<OwnKinds>(s.model);
  CHECK(a.geoms[0].shape == Shape::own);
  CHECK(a.geoms[1].mesh == a.geoms[0].mesh);  // equal ones share their triangles
  CHECK(a.geoms[2].shape == Shape::own);
  CHECK(a.own.size() == 2);
  CHECK(a.own[1].nface() == 4);
  CHECK(a.geoms[3].shape == Shape::capsule);
  CHECK(a.geoms[3].size[0] == 0.2);
  CHECK(a.geoms[5].shape == Shape::box);
  CHECK(a.geoms[4].shape == Shape::none);
  REQUIRE(a.missing.size() == 1);
  CHECK(a.missing[0].to_string().find("geom 'what'") != std::string::npos);

  const auto drawn = scene::draw<OwnKinds>(s.model, s.data);
  CHECK(count(drawn, Kind::geom) == 5);  // all but one
  CHECK(drawn.items[0].shape == Shape::own);
  // policies that do not list them draw the box and name the others
  CHECK(count(scene::draw(s.model, s.data), Kind::geom) == 1);
  CHECK(scene::assets(s.model).missing.size() == 4);
}

TEST_CASE("scene: a signed distance is drawn as a closed surface", "[scene]") {
  const corten::Vec3<double> size(0.2, 0.05, 0);
  scene::Pen<true> pen(size);
  scene::draw_kind<corten::Geoms<Torus>>(0, Torus::type, 0, pen);
  const scene::Surface& ring = pen.own;
  REQUIRE(ring.nvert() > 1000);
  double off = 0, area = 0, facing = 1;
  std::set<std::pair<int, int>> edges;
  for (int v = 0; v < ring.nvert(); ++v) {
    const auto at = scene::detail::get3(ring.vert, v), n = scene::detail::get3(ring.normal, v);
    const corten::Vec3<double> p(at[0], at[1], at[2]), up(n[0], n[1], n[2]);
    off = std::max(off, std::abs(Torus::signed_distance(size, p)));
    facing = std::min(facing, Torus::signed_distance<double>(size, p + 1e-3 * up) / 1e-3);
  }
  for (std::size_t f = 0; f < ring.face.size(); f += 3) {
    for (std::size_t k = 0; k < 3; ++k) {
      edges.insert({ring.face[f + k], ring.face[f + (k + 1) % 3]});
    }
  }
  for (const auto& n : scene::detail::area_normals(ring.vert, ring.face)) {
    area += 0.5 * std::sqrt(static_cast<double>(scene::detail::dot3(n, n)));
  }
  CHECK(off < 1e-5);
  CHECK(facing > 0.98);  // normals point outwards, as the distance grows
  CHECK(support::near(area, Torus::area(size), 0.01));
  // each edge has a triangle on both sides, and there is one hole
  CHECK(edges.size() == ring.face.size());
  CHECK(std::all_of(edges.begin(), edges.end(), [&](const auto& e) {
    return edges.count({e.second, e.first}) == 1;
  }));
  CHECK(ring.nvert() - static_cast<int>(edges.size()) / 2 + ring.nface() == 0);
}
