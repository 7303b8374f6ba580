// SPDX-License-Identifier: Apache-2.0
//
// Broken models: every message has the position, the path of the element and, if there is one, a
// remedy.
#include <corten/mjcf/read.hpp>

#include <string>

#include "../support/catch.hpp"

using namespace corten;

namespace {

std::string failure(std::string_view text, bool lenient = false) {
  const auto spec = mjcf::parse(text, {.file = "t.xml", .lenient = lenient});
  return spec.ok() ? "no error" : spec.error().to_string();
}

// the error of a line inside <worldbody>, which is line 3
std::string in_world(const std::string& line) {
  return failure("<mujoco>\n<worldbody>\n" + line + "\n</worldbody>\n</mujoco>");
}

// the error of a line inside <mujoco>, which is line 2
std::string in_mujoco(const std::string& line) {
  return failure("<mujoco>\n" + line + "\n</mujoco>");
}

bool contains(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("unknown names come with a suggestion", "[mjcf]") {
  CHECK(in_world("<geom name='g' size='1' poss='0 0 0'/>") ==
        "t.xml:3:25: mujoco/worldbody/geom 'g': unknown attribute 'poss' of <geom> "
        "(did you mean 'pos'?)");
  CHECK(in_world("<body name='b'>\n  <jiont/>\n</body>") ==
        "t.xml:4:4: mujoco/worldbody/body 'b'/jiont: unknown element <jiont> in <body> "
        "(did you mean 'joint'?)");
  CHECK(in_mujoco("<sensors/>") ==
        "t.xml:2:2: mujoco/sensors: unknown element <sensors> in <mujoco> "
        "(did you mean 'sensor'?)");
  CHECK(in_world("<geom type='spheer' size='1'/>") ==
        "t.xml:3:7: mujoco/worldbody/geom: 'spheer' is not a valid value of attribute 'type' "
        "(did you mean 'sphere'?)");
  CHECK(in_mujoco("<option cone='x'/>") ==
        "t.xml:2:9: mujoco/option: 'x' is not a valid value of attribute 'cone' "
        "(one of: pyramidal, elliptic)");
  CHECK(failure("<muojco/>") == "t.xml:1:2: muojco: the root element is not <mujoco>");
  CHECK(failure("<robot/>") ==
        "t.xml:1:2: robot: the root element is not <mujoco> (URDF is not supported)");
  CHECK(failure("<mujoco\n name='x'/>") ==
        "t.xml:2:2: mujoco: unknown attribute 'name' of <mujoco>");
}

TEST_CASE("wrong numbers in attributes", "[mjcf]") {
  CHECK(in_world("<geom size='a'/>") ==
        "t.xml:3:7: mujoco/worldbody/geom: attribute 'size': 'a' is not a number");
  CHECK(in_world("<geom size='nan'/>") ==
        "t.xml:3:7: mujoco/worldbody/geom: attribute 'size': NaN is not a number");
  CHECK(in_world("<geom size='1 2 3 4'/>") ==
        "t.xml:3:7: mujoco/worldbody/geom: attribute 'size' takes 1 to 3 numbers, not 4");
  CHECK(in_world("<geom size='1'\n pos='0 0'/>") ==
        "t.xml:4:2: mujoco/worldbody/geom: attribute 'pos' takes 3 numbers, not 2");
  CHECK(in_world("<geom mass='1 2'/>") ==
        "t.xml:3:7: mujoco/worldbody/geom: attribute 'mass' takes 1 number, not 2");
  CHECK(in_world("<geom condim='3.5'/>") ==
        "t.xml:3:7: mujoco/worldbody/geom: attribute 'condim': '3.5' is not an integer");
  CHECK(in_world("<geom size='1,2'/>") ==
        "t.xml:3:7: mujoco/worldbody/geom: attribute 'size': '1,2' is not a number");
  CHECK(contains(in_mujoco("<actuator><motor joint='j' gear='1 2 3 4 5 6 7'/></actuator>"),
                 "attribute 'gear' takes 1 to 6 numbers, not 7"));
}

TEST_CASE("what MuJoCo has and corten lacks is refused by name", "[mjcf]") {
  CHECK(contains(in_world("<plugin/>"), "is not supported yet"));
  CHECK(in_world("<flexcomp name='f'><plugin/></flexcomp>") ==
        "t.xml:3:21: mujoco/worldbody/flexcomp 'f'/plugin: <plugin> is not supported yet");
  CHECK(contains(in_mujoco("<sensor><plugin plugin='p'/></sensor>"), "is not supported yet"));
  CHECK(contains(in_mujoco("<compiler coordinate='global'/>"), "not supported"));
  // a lenient reader refuses it too: a missing constraint is not a detail
  CHECK(contains(failure("<mujoco><worldbody><plugin/></worldbody></mujoco>", true),
                 "is not supported yet"));
}

TEST_CASE("equality constraints name two bodies, two sites, or what they couple", "[mjcf]") {
  const auto in_equality = [](const std::string& text) {
    return in_mujoco("<equality>" + text + "</equality>");
  };
  CHECK(in_equality("<weld/>") ==
        "t.xml:2:12: mujoco/equality/weld: neither site1 and site2 nor body1 are given");
  CHECK(in_equality("<connect body1='b'/>") ==
        "t.xml:2:12: mujoco/equality/connect: neither site1 and site2 nor body1 and anchor are "
        "given");
  CHECK(contains(in_equality("<connect site1='s' site2='t' anchor='0 0 0'/>"),
                 "'site1' and 'anchor' exclude each other"));
  CHECK(contains(in_equality("<weld site1='s'/>"), "'site1' and 'site2' belong together"));
  CHECK(contains(in_equality("<weld body1='b' relpose='0 0 0'/>"),
                 "'relpose' takes 7 numbers, not 3"));
  CHECK(contains(in_equality("<connect body1='b' anchor='0 0 0' torquescale='2'/>"),
                 "attribute 'torquescale' does not belong to <connect>"));
  CHECK(contains(in_equality("<joint joint2='j'/>"), "attribute 'joint1' is missing"));
  CHECK(contains(in_equality("<tendon tendon2='t'/>"), "attribute 'tendon1' is missing"));
  CHECK(contains(in_equality("<joint joint1='j' polycoef='1 2 3 4 5 6'/>"),
                 "takes 1 to 5 numbers, not 6"));
  CHECK(contains(in_equality("<distance geom1='g'/>"), "attribute 'geom2' is missing"));
  CHECK(contains(in_mujoco("<default><equality body1='b'/></default>"),
                 "cannot be set in a default class"));
}

TEST_CASE("shortcuts of actuators say what is wrong with them", "[mjcf][001-8.9]") {
  const auto in_actuator = [](const char* element) {
    return in_mujoco("<actuator><" + std::string(element) + " joint='j'/></actuator>");
  };
  CHECK(contains(in_actuator("position kv='1' dampratio='1'"),
                 "kv and dampratio cannot both be given"));
  CHECK(contains(in_actuator("position timeconst='-1'"), "timeconst cannot be negative"));
  CHECK(contains(in_actuator("position timeconst='1 2'"), "timeconst takes one number"));
  CHECK(contains(in_actuator("muscle timeconst='1'"), "takes two numbers"));
  CHECK(contains(in_actuator("muscle tausmooth='-1'"), "tausmooth cannot be negative"));
  CHECK(contains(in_actuator("muscle site='s'"), "attribute 'site' does not belong to <muscle>"));
  CHECK(contains(in_actuator("damper kv='-1'"), "kv cannot be negative"));
  CHECK(
      contains(in_actuator("damper ctrlrange='-1 1'"), "ctrlrange of a damper cannot be negative"));
  CHECK(contains(in_actuator("dcmotor"), "motor constant must be positive"));
  CHECK(contains(in_actuator("dcmotor motorconst='1'"), "resistance must be positive"));
  CHECK(
      contains(in_actuator("dcmotor motorconst='1' resistance='1' inductance='-1'"), "inductance"));
  CHECK(contains(in_actuator("dcmotor motorconst='1' resistance='1' thermal='1'"),
                 "thermal capacitance"));
  CHECK(contains(in_actuator("dcmotor forcerange='0 1'"), "does not belong to <dcmotor>"));
  CHECK(contains(in_actuator("pid slewmax='-1'"), "slewmax cannot be negative"));
  CHECK(contains(in_actuator("pid posrange='0 1' inheritrange='1'"), "posrange and inheritrange"));
  CHECK(contains(in_actuator("intvelocity inheritrange='1' actrange='0 1'"),
                 "actrange and inheritrange"));
  CHECK(contains(in_actuator("general gaintype='invalid'"),
                 "'invalid' is not a valid value of attribute 'gaintype'"));
  for (const char* known : {"fixed", "affine", "muscle"}) {
    CHECK(contains(in_actuator("general gaintype='invalid'"), known));
  }
  CHECK(contains(in_mujoco("<default><muscle tausmooth='1'/></default>"),
                 "cannot be set in a default class"));
}

TEST_CASE("required attributes, and those that exclude each other", "[mjcf]") {
  CHECK(in_world("<body><inertial pos='0 0 0'/></body>") ==
        "t.xml:3:8: mujoco/worldbody/body/inertial: attribute 'mass' is missing");
  CHECK(contains(in_world("<body><inertial pos='0 0 0' mas='1'/></body>"),
                 "unknown attribute 'mas' of <inertial> (did you mean 'mass'?)"));
  CHECK(contains(in_mujoco("<contact><exclude body1='a'/></contact>"), "'body2' is missing"));
  CHECK(contains(in_mujoco("<sensor><gyro/></sensor>"), "'site' is missing"));
  CHECK(contains(in_mujoco("<sensor><framepos/></sensor>"), "'objtype' is missing"));
  CHECK(contains(in_mujoco("<sensor><user/></sensor>"), "'dim' is missing"));
  CHECK(contains(in_mujoco("<sensor><distance geom1='a'/></sensor>"), "geom2"));
  CHECK(contains(in_mujoco("<sensor><rangefinder/></sensor>"), "site"));
  CHECK(contains(in_mujoco("<sensor><tactile geom='g'/></sensor>"), "'mesh' is missing"));
  CHECK(contains(in_mujoco("<sensor><tactile geom='g' mesh='m' cutoff='1'/></sensor>"), "cutoff"));
  CHECK(contains(in_mujoco("<sensor><rangefinder site='s' camera='c'/></sensor>"), "exclude"));
  CHECK(contains(in_mujoco("<sensor><contact body1='b' site='s'/></sensor>"), "exclude"));
  CHECK(contains(in_mujoco("<sensor><contact geom2='b' subtree2='s'/></sensor>"), "exclude"));
  CHECK(contains(in_mujoco("<sensor><contact reduce='most'/></sensor>"), "reduce"));
  CHECK(contains(in_mujoco("<sensor><gyro site='s' data='dist'/></sensor>"), "data"));
  CHECK(contains(in_mujoco("<sensor><rangefinder site='s' num='2'/></sensor>"), "num"));
  CHECK(contains(in_mujoco("<tendon><fixed><joint joint='j'/></fixed></tendon>"),
                 "'coef' is missing"));
  CHECK(contains(in_mujoco("<custom><numeric data='1'/></custom>"), "'name' is missing"));
  CHECK(
      contains(in_mujoco("<sensor><framepos objtype='body' objname='b' reftype='body'/></sensor>"),
               "'reftype' and 'refname' belong together (give 'refname' as well)"));
  CHECK(in_world("<body quat='1 0 0 0' euler='0 0 0'/>") ==
        "t.xml:3:2: mujoco/worldbody/body: an orientation is given in more than one way "
        "(keep one of quat, axisangle, euler, xyaxes, zaxis)");
  CHECK(in_world("<body><inertial pos='0 0 0' mass='1' quat='1 0 0 0' "
                 "fullinertia='1 1 1 0 0 0'/></body>") ==
        "t.xml:3:38: mujoco/worldbody/body/inertial: 'fullinertia' and 'quat' exclude each other "
        "(remove one of them)");
  CHECK(contains(in_mujoco("<size memory='1M' njmax='3'/>"), "exclude each other"));
  CHECK(contains(in_world("<light directional='true' type='spot'/>"), "exclude each other"));
  CHECK(contains(in_world("<body quat='0 0 0 0'/>"),
                 "t.xml:3:7: mujoco/worldbody/body: "
                 "the quaternion is zero"));
}

TEST_CASE("names are unique within their kind", "[mjcf]") {
  CHECK(in_world("<geom name='a' size='1'/>\n<geom name='a' size='1'/>") ==
        "t.xml:4:2: mujoco/worldbody/geom 'a': repeated geom name 'a' "
        "(the first is on line 3 of t.xml)");
  CHECK(in_world("<geom name='a' size='1'/><site name='a'/>") == "no error");
  CHECK(contains(in_world("<body name='world'/>"), "repeated body name 'world'"));
  CHECK(contains(in_world("<body><joint name='j'/><freejoint name='j'/></body>"),
                 "repeated joint name 'j'"));
}

TEST_CASE("default classes", "[mjcf]") {
  CHECK(in_world("<geom class='nope' size='1'/>") ==
        "t.xml:3:7: mujoco/worldbody/geom: unknown default class 'nope'");
  CHECK(contains(in_world("<body childclass='mian'/>"),
                 "t.xml:3:7: mujoco/worldbody/body: unknown default class 'mian'"));
  CHECK(in_mujoco("<default class='top'/>") ==
        "t.xml:2:10: mujoco/default 'top': the top-level default class must be called main, not "
        "'top' "
        "(leave the attribute out, or nest the class)");
  CHECK(contains(in_mujoco("<default><default/></default>"), "needs a name"));
  CHECK(contains(in_mujoco("<default><default class='a'/><default class='a'/></default>"),
                 "repeated default class 'a'"));
  CHECK(contains(in_mujoco("<default><geom name='g'/></default>"),
                 "attribute 'name' cannot be set in a default class"));
  CHECK(contains(in_mujoco("<default><motor joint='g'/></default>"),
                 "attribute 'joint' cannot be set in a default class"));
  CHECK(in_mujoco("<default><geom/>\n<geom/></default>") ==
        "t.xml:3:2: mujoco/default/geom: <geom> is repeated in <default> "
        "(the first is on line 2)");
  CHECK(in_mujoco("<default>\n<position kv='1' dampratio='1'/></default>") ==
        "t.xml:3:2: mujoco/default/position: kv and dampratio cannot both be given");
}

TEST_CASE("elements that do not belong together", "[mjcf]") {
  CHECK(in_world("<joint/>") ==
        "t.xml:3:2: mujoco/worldbody/joint: the world cannot have <joint> (put it into a <body>)");
  CHECK(contains(failure("<mujoco><worldbody name='w'/></mujoco>"),
                 "<worldbody> takes no attributes"));
  CHECK(contains(in_world("<geom size='1'><geom/></geom>"), "unknown element <geom> in <geom>"));
  CHECK(contains(in_mujoco("<actuator><motor joint='j' kp='1'/></actuator>"),
                 "attribute 'kp' does not belong to <motor>"));
  CHECK(contains(in_world("<body><freejoint damping='1'/></body>"),
                 "attribute 'damping' does not belong to <freejoint>"));
  CHECK(contains(in_mujoco("<actuator><motor joint='j' refsite='s'/></actuator>"),
                 "refsite belongs to a site transmission"));
  CHECK(contains(in_mujoco("<actuator><motor joint='j' cranklength='1'/></actuator>"),
                 "belongs to a slider-crank transmission"));
  CHECK(contains(in_mujoco("<actuator><position joint='j' kp='1' kv='-1'/></actuator>"),
                 "kv cannot be negative"));
  CHECK(contains(in_mujoco("<option><flag/><flag/></option>"), "<flag> is repeated"));
}

TEST_CASE("values out of range", "[mjcf]") {
  CHECK(contains(in_mujoco("<compiler eulerseq='xyw'/>"), "is not a sequence of axes"));
  CHECK(contains(in_mujoco("<compiler eulerseq='xy'/>"), "is not a sequence of axes"));
  CHECK(contains(in_mujoco("<size memory='1Q'/>"), "is not a memory size"));
  CHECK(contains(in_mujoco("<size nconmax='-2'/>"), "nconmax cannot be less than -1"));
  CHECK(contains(in_mujoco("<statistic extent='0'/>"), "extent must be positive"));
  CHECK(contains(in_mujoco("<option actuatorgroupdisable='31'/>"), "not between 0 and 30"));
  CHECK(contains(in_mujoco("<custom><numeric name='n' size='0'/></custom>"), "between 1 and 500"));
  CHECK(contains(in_mujoco("<custom><numeric name='n' size='1' data='1 2'/></custom>"),
                 "data has 2 numbers, but size is 1"));
  CHECK(contains(in_mujoco("<custom><text name='n' data=''/></custom>"), "the text is empty"));
  CHECK(contains(in_mujoco("<custom><tuple name='n'><element objtype='x' objname='y'/></tuple>"
                           "</custom>"),
                 "'x' is not a valid value of attribute 'objtype'"));
  CHECK(contains(in_mujoco("<visual><map zneer='1'/></visual>"), "did you mean 'znear'?"));
}

TEST_CASE("a lenient reader warns and goes on", "[mjcf]") {
  const auto out = mjcf::parse(R"(<mujoco>
    <banana/>
    <worldbody>
      <geom name="g" size="1" colour="red" class="nope"/>
    </worldbody>
    <actuator>
      <motor joint="j" gear="1 2 3 4 5 6 7" refsite="s"/>
    </actuator>
  </mujoco>)",
                               {.file = "t.xml", .lenient = true});
  REQUIRE(out.ok());
  REQUIRE(out->warnings.size() == 5);
  CHECK(out->warnings[0].to_string() ==
        "t.xml:2:6: mujoco/banana: unknown element <banana> in <mujoco>");
  CHECK(out->warnings[1].where.line == 4);
  CHECK(out->world.geoms[0].class_name.empty());
  CHECK(out->actuators[0].gear.count == 6);
  CHECK_FALSE(out->actuators[0].refsite.has_value());
  // nonsense stays an error
  CHECK(contains(failure("<mujoco><worldbody><geom size='x'/></worldbody></mujoco>", true),
                 "is not a number"));
}

TEST_CASE("all problems of a file are reported, one per element", "[mjcf]") {
  const std::string text = R"(<mujoco>
  <default>
    <geom size="a" rgba="1"/>
  </default>
  <worldbody>
    <geom name="g" typo="1" size="1 2 3 4"/>
    <body name="b">
      <joint axis="0 0"/>
      <geom size="1"/>
      <geom size="1 x"/>
    </body>
    <body name="b"/>
  </worldbody>
  <sensor>
    <clock/>
    <jointpos/>
  </sensor>
</mujoco>)";
  CHECK(failure(text) ==
        "t.xml:3:11: mujoco/default/geom: attribute 'size': 'a' is not a number\n"
        "t.xml:6:29: mujoco/worldbody/geom 'g': attribute 'size' takes 1 to 3 numbers, not 4\n"
        "t.xml:8:14: mujoco/worldbody/body 'b'/joint: attribute 'axis' takes 3 numbers, not 2\n"
        "t.xml:10:13: mujoco/worldbody/body 'b'/geom: attribute 'size': 'x' is not a number\n"
        "t.xml:12:6: mujoco/worldbody/body 'b': repeated body name 'b' (the first is on line 7 of "
        "t.xml)\n"
        "t.xml:16:6: mujoco/sensor/jointpos: attribute 'joint' is missing");
  const auto spec = mjcf::parse(text, {.file = "t.xml"});
  REQUIRE_FALSE(spec.ok());
  CHECK(spec.error().where.line == 3);
  CHECK(spec.error().also.size() == 5);

  // only the first fifty errors of a file are reported
  std::string many = "<mujoco><worldbody>";
  for (int i = 0; i < 200; ++i) many += "\n<geom size='x'/>";
  const auto full = mjcf::parse(many + "</worldbody></mujoco>", {});
  REQUIRE_FALSE(full.ok());
  CHECK(full.error().also.size() == 49);
}

TEST_CASE("of several targets of an actuator one counts with a warning, or it is an error",
          "[mjcf][002-5.21]") {
  const std::string text =
      "<mujoco>\n<actuator>\n<motor name='m' joint='j' site='s' tendon='t'/>\n</actuator></mujoco>";
  const std::string message =
      "3:2: mujoco/actuator/motor 'm': it has several targets, of which site is used, not joint, "
      "tendon (keep one of them)";
  const auto spec = mjcf::parse(text);
  REQUIRE(spec.ok());
  REQUIRE(spec->warnings.size() == 1);
  CHECK(spec->warnings[0].to_string() == message);

  const auto strict = mjcf::parse(text, {.strict = true});
  REQUIRE_FALSE(strict.ok());
  CHECK(strict.error().to_string() == message);
  CHECK(mjcf::parse("<mujoco><actuator><motor site='s'/></actuator></mujoco>", {.strict = true})
            .ok());
}

TEST_CASE("a strict reader reports what MuJoCo ignores as errors, with the others", "[mjcf]") {
  const std::string passed = "<mujoco>\n<worldbody>stray<frame weight='1'/>\n";
  CHECK(mjcf::parse(passed + "</worldbody></mujoco>").ok());
  const auto strict =
      mjcf::parse(passed + "<geom size='x'/></worldbody></mujoco>", {.strict = true});
  REQUIRE_FALSE(strict.ok());
  CHECK(strict.error().also.size() == 2);
  CHECK(strict.error().where.line == 2);
}

TEST_CASE("sections have no attributes", "[mjcf]") {
  for (const char* tag : {"asset", "contact", "tendon", "equality", "actuator", "sensor", "custom",
                          "keyframe", "visual", "deformable", "extension"}) {
    const std::string name = tag;
    CHECK(in_mujoco("<" + name + " name='n'/>") == "t.xml:2:" + std::to_string(name.size() + 3) +
                                                       ": mujoco/" + name + " 'n': <" + name +
                                                       "> takes no attributes");
  }
}

TEST_CASE("a frame or replicate may have unknown attributes", "[mjcf]") {
  const auto spec = mjcf::parse("<mujoco><worldbody><frame weight='1'/></worldbody></mujoco>");
  REQUIRE(spec.ok());
  REQUIRE(spec->warnings.size() == 1);
  CHECK(spec->warnings[0].message == "unknown attribute 'weight' of <frame> is ignored");
}

TEST_CASE(
    "what MuJoCo's grammar lets pass and its reader ignores is a warning, or strictly an error",
    "[mjcf]") {
  const char* const inside = "<mujoco>\n<worldbody>";
  const char* const end = "</worldbody></mujoco>";
  const std::pair<std::string, std::string> cases[] = {
      {"<mujoco>\n<body name='b'/></mujoco>",
       "2:2: mujoco/body 'b': <body> directly in <mujoco> is ignored (only elements in "
       "<worldbody> are part of the model)"},
      {"<mujoco>\n<frame/></mujoco>",
       "2:2: mujoco/frame: <frame> directly in <mujoco> is ignored (only elements in "
       "<worldbody> are part of the model)"},
      {std::string(inside) + "<frame><body><geom size='1' weight='2'/></body></frame>" + end,
       "2:40: mujoco/worldbody/frame/body/geom: unknown attribute 'weight' of <geom> is ignored"},
      {std::string(inside) + "<replicate count='1'><geom size='1'><hue/></geom></replicate>" + end,
       "2:49: mujoco/worldbody/replicate/geom/hue: unknown element <hue> in <geom> is ignored"},
      {std::string(inside) +
           "<frame><composite type='cable' count='3 1 1' size='1' curve='s'><geom type='box'/>"
           "<geom size='.2'/></composite></frame>" +
           end,
       "2:95: mujoco/worldbody/frame/composite/geom: <geom> is repeated in <composite> "
       "(the first is on line 2)"},
  };
  for (const auto& [text, warning] : cases) {
    const auto spec = mjcf::parse(text);
    REQUIRE(spec.ok());
    REQUIRE(spec->warnings.size() == 1);
    CHECK(spec->warnings[0].to_string() == warning);
    CHECK(spec->world.bodies.size() + spec->world.geoms.size() <= 1);
    const auto strict = mjcf::parse(text, {.strict = true});
    REQUIRE_FALSE(strict.ok());
    CHECK(strict.error().to_string() == warning);
  }
  // elsewhere the grammar is enforced, and the reader looks at every element of a body
  for (const std::string text :
       {"<body><geom size='1' weight='2'/></body>", "<frame><hue/></frame>", "<worldbody/>"}) {
    CHECK_FALSE(mjcf::parse(inside + text + end).ok());
  }
}
