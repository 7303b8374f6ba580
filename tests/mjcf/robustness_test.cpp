// SPDX-License-Identifier: Apache-2.0
//
// Damaged text must produce a spec or an error, never a crash or a hang. Run under sanitizers.
#include <corten/mjcf/read.hpp>

#include <cstdint>
#include <string>

#include "../support/catch.hpp"

using namespace corten;

namespace {

// a model that uses every section
constexpr std::string_view model = R"(<?xml version="1.0"?>
<mujoco model="all">
  <compiler angle="radian" eulerseq="xyz"/>
  <option timestep="0.01"><flag gravity="disable"/></option>
  <size memory="1M"/>
  <visual><map znear="0.1"/></visual>
  <statistic extent="1"/>
  <default>
    <geom friction="1 .5"/>
    <motor gear="2"/>
    <default class="leg"><joint damping="1"/><position kp="3"/></default>
  </default>
  <asset>
    <texture name="t" builtin="flat" width="1" height="1"/>
    <material name="m" texture="t"/>
  </asset>
  <worldbody>
    <light pos="0 0 1"/>
    <geom type="plane" size="1 1 1" material="m"/>
    <body name="b" childclass="leg" pos="0 0 1">
      <inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 0"/>
      <joint name="j" axis="1 0 0" range="-1 1"/>
      <geom name="g" size="0.1" fromto="0 0 0 1 0 0" type="capsule"/>
      <site name="s" zaxis="0 1 0"/>
      <camera name="c" mode="track"/>
      <body><freejoint/><geom name="h" size=".1 .2 .3" type="box"/></body>
    </body>
  </worldbody>
  <contact><pair geom1="g" geom2="h"/><exclude body1="b" body2="world"/></contact>
  <tendon><fixed name="f"><joint joint="j" coef="1"/></fixed></tendon>
  <actuator><position joint="j" class="leg"/><general tendon="f" gainprm="1 2"/></actuator>
  <sensor><jointpos joint="j"/><framepos objtype="site" objname="s"/></sensor>
  <custom><numeric name="n" data="1 2"/><text name="x" data="a&lt;b"/></custom>
  <keyframe><key qpos="1"/></keyframe>
</mujoco>
)";

std::uint32_t next(std::uint32_t& state) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

}  // namespace

TEST_CASE("the model itself reads", "[mjcf]") {
  const auto out = mjcf::parse(model);
  INFO((out.ok() ? "" : out.error().to_string()));
  CHECK(out.ok());
}

TEST_CASE("truncated anywhere, it is an error with a line", "[mjcf]") {
  const std::size_t end = model.rfind('>');
  for (std::size_t n = 0; n < end; ++n) {
    const auto out = mjcf::parse(model.substr(0, n));
    INFO(n);
    REQUIRE_FALSE(out.ok());
    REQUIRE(out.error().where.line > 0);
  }
}

TEST_CASE("flipped bytes", "[mjcf]") {
  std::uint32_t state = 1;
  for (int round = 0; round < 3000; ++round) {
    std::string text(model);
    const auto changes = 1 + next(state) % 4;
    for (std::uint32_t i = 0; i < changes; ++i) {
      text[next(state) % text.size()] = static_cast<char>(next(state));
    }
    const auto out = mjcf::parse(text, {.lenient = round % 2 == 0});
    if (!out.ok()) REQUIRE(out.error().where.line > 0);
  }
}

TEST_CASE("pieces moved about", "[mjcf]") {
  std::uint32_t state = 7;
  for (int round = 0; round < 1000; ++round) {
    std::string text(model);
    const std::size_t from = next(state) % text.size();
    const std::string piece = text.substr(from, next(state) % 80);
    const std::size_t to = next(state) % text.size();
    if (round % 2 == 0) text.erase(from, piece.size());
    text.insert(std::min(to, text.size()), piece);
    const auto out = mjcf::parse(text);
    if (!out.ok()) REQUIRE(out.error().where.line > 0);
  }
}

TEST_CASE("large junk is refused quickly", "[mjcf]") {
  const std::size_t size = 20'000'000;
  CHECK_FALSE(mjcf::parse(std::string(size, 'x')).ok());
  CHECK_FALSE(mjcf::parse(std::string(size, '\n')).ok());
  CHECK_FALSE(mjcf::parse(std::string(size, '<')).ok());
  CHECK_FALSE(mjcf::parse("<mujoco a='" + std::string(size, '&') + "'/>").ok());
  CHECK_FALSE(mjcf::parse("<mujoco><!--" + std::string(size, '-')).ok());
  std::string tags;
  while (tags.size() < size) tags += "<a/>";
  CHECK_FALSE(mjcf::parse("<mujoco>" + tags + "</mujoco>").ok());
}
