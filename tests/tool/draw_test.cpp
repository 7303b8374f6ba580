// SPDX-License-Identifier: Apache-2.0
#include <corten/corten.hpp>

#include "../support/catch.hpp"
#include "draw/canvas.hpp"
#include "draw/picture.hpp"
#include "draw/plot.hpp"
#include "quantity.hpp"
#include "terminal.hpp"

#include <cmath>
#include <rapidxml/rapidxml.hpp>
#include <string>
#include <vector>

namespace {

// the number of elements with this name in well-formed XML; fails otherwise
int count_elements(std::string text, const std::string& name) {
  rapidxml::xml_document<> document;
  try {
    document.parse<rapidxml::parse_validate_closing_tags>(text.data());
  } catch (const rapidxml::parse_error& e) {
    FAIL(e.what());
  }
  const auto* root = document.first_node();
  if (root == nullptr || std::string(root->name()) != "svg") FAIL("the root is not <svg>");
  const auto count = [&](const auto& self, const rapidxml::xml_node<>* node) -> int {
    int n = node->name() == name ? 1 : 0;
    for (const auto* c = node->first_node(); c != nullptr; c = c->next_sibling())
      n += self(self, c);
    return n;
  };
  return count(count, root);
}

corten::Model<double> shapes() {
  auto model = corten::load_string(R"(
    <mujoco>
      <worldbody>
        <geom type="plane" size="1 1 .1"/>
        <geom type="plane" size="1 1 .1" zaxis="0 1 0" pos="0 -5 0"/>
        <body pos="0 0 2"><freejoint/><geom type="sphere" size=".2"/></body>
        <body pos="1 0 2"><freejoint/><geom type="capsule" size=".1 .3" euler="0 90 0"/></body>
        <body pos="2 0 2"><freejoint/><geom type="box" size=".1 .2 .3" euler="0 45 0"/></body>
        <body pos="3 0 2"><freejoint/><geom type="cylinder" size=".1 .3"/></body>
        <body pos="4 0 2"><freejoint/><geom type="ellipsoid" size=".1 .2 .3"/></body>
      </worldbody>
    </mujoco>)");
  if (!model) FAIL(model.error().to_string());
  return *std::move(model);
}

}  // namespace

TEST_CASE("ticks are at round numbers and enclose the data", "[tool]") {
  for (const double low : {-3.7, 0.0, 1e-7, 123.0, -1e9}) {
    for (const double size : {1e-6, 0.3, 1.0, 7.0, 4e5}) {
      const auto t = cli::Ticks::around(low, low + size, 5);
      INFO(low << " " << size);
      CHECK(t.low <= low + 1e-6 * t.step);
      CHECK(t.high >= low + size - 1e-6 * t.step);
      CHECK(t.count() >= 3);
      CHECK(t.count() <= 8);
      const double lead = t.step / std::pow(10, std::floor(std::log10(t.step) + 1e-9));
      CHECK((near(lead, 1, 1e-9) || near(lead, 2, 1e-9) || near(lead, 5, 1e-9)));
    }
  }
  const auto t = cli::Ticks::around(-0.4, 1, 5);
  CHECK(t.label(0) == "−0.5");
  CHECK(t.label(1) == "0.0");
  CHECK(cli::Ticks::around(2, 2, 5).count() >= 3);
}

TEST_CASE("plot: a well-formed picture, whatever the numbers", "[tool]") {
  cli::Figure figure{
      "<a> & \"b\"", "time (s)", {}, {{"one", {{"x", {}}}}, {"two", {{"y", {}}, {"z", {}}}}}};
  CHECK(count_elements(cli::plot_svg(figure), "path") == 5);  // two axes, three lines

  for (int i = 0; i < 50000; ++i) {
    const double t = 1e-3 * i;
    figure.x.push_back(t);
    figure.panels[0].lines[0].y.push_back(std::sin(t));
    figure.panels[1].lines[0].y.push_back(i % 100 == 0 ? std::nan("") : 1e12 * t);
    figure.panels[1].lines[1].y.push_back(i == 7 ? HUGE_VAL : 0);
  }
  const std::string text = cli::plot_svg(figure);
  CHECK(count_elements(text, "path") == 5);
  CHECK(text.size() < 400000);  // fewer points than samples
  CHECK(text.find("nan") == std::string::npos);
  CHECK(text.find("inf") == std::string::npos);
}

TEST_CASE("silhouettes of the geoms", "[tool]") {
  const auto model = shapes();
  corten::Data<double> data(model);
  REQUIRE(corten::forward(model, data).ok());
  const cli::Scene scene = cli::scene(model, data);
  REQUIRE(scene.shapes.size() == 5);
  CHECK(scene.planes.size() == 1);  // the other one is seen from its front
  const auto inside = [&](double x, double z) {
    for (const auto& s : scene.shapes) {
      if (s.contains({x, z})) return true;
    }
    return false;
  };
  CHECK(inside(0.19, 2));
  CHECK_FALSE(inside(0.21, 2));
  CHECK(inside(1.39, 2));  // the capsule lies along x
  CHECK_FALSE(inside(1, 2.11));
  CHECK(inside(2.2, 2.2));  // the box is turned from z towards x
  CHECK_FALSE(inside(2.2, 1.8));
  CHECK(inside(3.09, 2.29));
  CHECK_FALSE(inside(3.11, 2));
  CHECK(inside(4, 2.28));
  CHECK_FALSE(inside(4.09, 2.2));
  const cli::Box2 box = scene.bounds();
  CHECK(near(box.left, -0.2, 1e-12));
  CHECK(near(box.right, 4.1, 1e-12));
}

TEST_CASE("picture: the bodies at several instants", "[tool]") {
  const auto model = shapes();
  corten::Data<double> data(model);
  std::vector<cli::Scene> scenes;
  for (int k = 0; k <= 1000; ++k) {
    if (k % 10 == 0) {
      REQUIRE(corten::forward(model, data).ok());
      scenes.push_back(cli::scene(model, data));
    }
    REQUIRE(corten::step(model, data).ok());
  }
  const auto few = cli::by_motion(scenes, 6);
  REQUIRE(few.size() == 6);
  CHECK(few.front().time == 0);
  CHECK(few.back().time == scenes.back().time);
  CHECK(few[4].time < 1.0);  // they fall in the first 0.6 s
  const std::string text = cli::picture_svg(few, "shapes");
  CHECK(count_elements(text, "g") == 6);
  CHECK(count_elements(text, "polygon") == 18);
  CHECK(count_elements(cli::picture_svg({}, "nothing"), "g") == 0);
}

TEST_CASE("picture: flexes and soft bodies by their outside, the surroundings in grey", "[tool]") {
  const auto model = corten::load_string(R"(<mujoco><worldbody>
    <geom type="box" size=".1 .1 .1"/><body mocap="true"><geom size=".1"/></body>
    <flexcomp name="f" type="grid" count="3 3 3" spacing=".1 .1 .1" dim="3" radius=".001"
      mass="1" pos="0 0 1"/></worldbody>
    <deformable><cloth count="3 3" spacing=".1" pos="0 0 2"/></deformable></mujoco>)")
                         .value();
  corten::Data<double> data(model);
  REQUIRE(corten::forward(model, data).ok());
  const cli::Scene scene = cli::scene(model, data);
  // a box, a ball, 6 sides of 8 triangles, a cloth of 8 triangles
  CHECK(scene.shapes.size() == 2 + 48 + 8);
  int fixed = 0;
  for (const cli::Silhouette& s : scene.shapes) fixed += s.fixed ? 1 : 0;
  CHECK(fixed == 1);
  CHECK(cli::picture_svg({scene}, "x").find("#b4bac2") != std::string::npos);
}

TEST_CASE("canvas: braille dots", "[tool]") {
  cli::Scene scene;
  cli::Canvas canvas(4, 2);
  canvas.draw(scene, {{0, 0}, 2});
  CHECK(canvas.text() == "⠀⠀⠀⠀\n⠀⠀⠀⠀\n");
  scene.shapes.push_back({{{-1, 0}, {1, 0}}, 0.2, 0, 0});
  scene.planes.push_back({{0, -0.75}, {0, 1}});
  canvas.draw(scene, {{0, 0}, 2});
  CHECK(canvas.text() == "⣀⣀⣀⣀\n⣉⣉⣉⣉\n");
}

TEST_CASE("table and bar", "[tool]") {
  cli::Table table;
  table.row("a", "1", "22");
  table.row("naïve", "333");
  CHECK(table.text() == "a        1  22\nnaïve  333\n");
  CHECK(cli::bar(0.5, 4) == "██  ");
  CHECK(cli::bar(2, 2) == "██");
}

TEST_CASE("quantities are picked by name and index", "[tool]") {
  const auto loaded = corten::load_string(R"(
    <mujoco>
      <worldbody>
        <geom type="plane" size="1 1 .1"/>
        <body pos="0 0 .099"><freejoint/><geom size=".1"/></body>
        <body pos="2 0 1"><joint name="hinge"/><geom size=".05" pos=".1 0 0"/></body>
      </worldbody>
      <sensor><jointpos name="angle" joint="hinge"/><clock name="now"/></sensor>
    </mujoco>)");
  REQUIRE(loaded.ok());
  const corten::Model<double>& model = *loaded;
  corten::Data<double> data(model);
  REQUIRE(corten::step(model, data).ok());
  const auto& sizes = data.ref().n;
  const auto pick = [&](const char* text) { return cli::pick<double>(model, sizes, text); };

  REQUIRE(pick("qpos").ok());
  CHECK(pick("qpos")->quantities.size() == 8);
  CHECK(pick("qpos:2")->quantities.at(0)(data.ref()) == data.qpos()[2]);
  CHECK(pick("ncon")->quantities.at(0)(data.ref()) == 1);
  CHECK(pick("energy")->quantities.size() == 3);
  CHECK(pick("sensor:now")->quantities.at(0)(data.ref()) == data.sensordata()[1]);
  CHECK_FALSE(pick("efc_J").ok());
  CHECK_FALSE(pick("qpos:8").ok());
  CHECK_FALSE(pick("qpos:x").ok());
  CHECK(pick("qpoz").error().remedy == "did you mean 'qpos'?");
  CHECK(pick("sensor:angl").error().remedy == "did you mean 'angle'?");
}
