// SPDX-License-Identifier: Apache-2.0
//
// Default classes, from the text to the arrays of the model.
#include "support.hpp"

using namespace corten;
using compile_test::check;

namespace {

// a model with these classes, whose body `b` has a joint, and a geom with more attributes
Model<double> with(const std::string& classes, const std::string& joint = "",
                   const std::string& geom = "", const std::string& more = "") {
  return compile_test::compile("<mujoco>" + classes + "<worldbody><body name='b'><joint name='j' " +
                               joint + "/><geom size='0.1' " + geom + "/></body></worldbody>" +
                               more + "</mujoco>");
}

}  // namespace

TEST_CASE("an attribute is the element's own, else its class's",
          "[compile][002-1.1][002-1.2][002-1.9]") {
  check(with("<default><joint damping='0.5'/></default>"), "dof_damping", {0.5});
  const std::string heavy =
      "<default><default class='heavy'><joint damping='0.5'/></default></default>";
  check(with(heavy, "class='heavy' damping='1'"), "dof_damping", {1});
  check(with(heavy), "dof_damping", {0});
  // even if it equals the built-in default
  check(with(heavy, "class='heavy' damping='0'"), "dof_damping", {0});
}

TEST_CASE("a class adds to the classes that it is in", "[compile][002-1.3]") {
  const Model<double> m = with(
      "<default><joint damping='0.1'/><default class='robot'><joint damping='0.5'/>"
      "<default class='arm'><joint armature='0.01'/></default></default></default>",
      "class='arm'");
  check(m, "dof_damping", {0.5});
  check(m, "dof_armature", {0.01});
}

TEST_CASE("defaults of every kind of element", "[compile][002-1.4][002-1.5][002-1.6][002-1.7]") {
  const Model<double> m = with(
      "<default><geom friction='0.8 0.01 0.001'/><actuator gear='100'/><tendon stiffness='1000'/>"
      "<sensor noise='0.01'/></default>",
      "", "",
      "<tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon><actuator><motor "
      "joint='j'/>"
      "</actuator><sensor><jointpos joint='j'/></sensor>");
  check(m, "geom_friction", {0.8, 0.01, 0.001});
  check(m, "actuator_gear", {100, 0, 0, 0, 0, 0});
  check(m, "tendon_stiffness", {1000});
  check(m, "sensor_noise", {0.01});
}

TEST_CASE("classes act before inertia is taken from geoms", "[compile][002-1.8]") {
  const double sphere = 4.0 / 3 * 3.14159265358979323846 * 1e-3;
  check(with("<default><geom density='500'/></default>"), "body_mass", {0, 500 * sphere});
  check(with("<default><geom density='500'/></default>", "", "density='1000'"), "body_mass",
        {0, 1000 * sphere});
}

TEST_CASE("the class of an element that names none is the nearest childclass, of a body or a frame",
          "[compile]") {
  const Model<double> m = compile_test::compile(R"(
<mujoco>
  <default>
    <geom size=".1"/>
    <default class="a"><geom size=".2"/></default>
    <default class="b"><geom size=".3"/></default>
  </default>
  <worldbody>
    <geom/>
    <frame childclass="a">
      <geom/>
      <body>
        <geom/>
        <frame childclass="b">
          <geom/>
          <body><geom/><geom class="main"/></body>
        </frame>
        <body childclass="b"><geom/></body>
        <replicate count="1" childclass="b"><geom/></replicate>
      </body>
    </frame>
  </worldbody>
</mujoco>)");
  check(m, "geom_size",
        {.1, 0, 0, .2, 0, 0, .2, 0, 0, .3, 0, 0, .3, 0, 0, .3, 0, 0, .1, 0, 0, .3, 0, 0});
}

TEST_CASE("a class that does not exist", "[compile][002-1.10]") {
  const std::string text =
      "<mujoco><worldbody><body><joint class='none' damping='3'/><geom "
      "size='1'/></body></worldbody></mujoco>";
  CHECK_FALSE(mjcf::parse(text).ok());
  const auto spec = mjcf::parse(text, {.lenient = true});
  REQUIRE(spec.ok());
  CHECK(spec->warnings.size() == 1);
  check(corten::compile(*spec).value(), "dof_damping", {3});
}
