// SPDX-License-Identifier: Apache-2.0
//
// Paths of tendons and targets of transmissions. Golden numbers: MuJoCo 3.12.0.
#include "support.hpp"

using namespace corten;
using compile_test::check;
using compile_test::compile;
using compile_test::error_of;

namespace {

const std::string world = R"(<mujoco><worldbody><site name="a"/>
<geom name="ball" size="0.1"/><geom name="box" type="box" size="1 1 1"/>
<body name="link"><joint name="j"/><geom name="drum" type="cylinder" size="0.1 0.1"/>
<site name="b" pos="1 0 0"/><site name="c" pos="1 1 0"/></body></worldbody>
)";

void refuses(const std::string& rest, const char* message) {
  INFO(rest);
  const Error error = error_of(world + rest + "</mujoco>");
  INFO(error.to_string());
  CHECK(error.message.find(message) != std::string::npos);
  CHECK(error.where.line == 6);
}

void refuses_path(const std::string& path, const char* message,
                  const std::string& attributes = "") {
  refuses("<tendon><spatial " + attributes + ">\n" + path + "</spatial></tendon>", message);
}

}  // namespace

TEST_CASE("wrap objects, pattern of the Jacobian and trees of spatial tendons",
          "[compile][tendon]") {
  const Model<double> m = compile(R"(
<mujoco>
  <worldbody>
    <site name="w"/><site name="side" pos="0 0 1"/>
    <geom name="pole" type="cylinder" size="0.1 1" pos="0.5 0 0"/>
    <body name="one" pos="1 0 0"><joint/><joint type="slide"/><geom size="0.1"/>
      <site name="s1" pos="0 0.3 0"/>
      <body pos="1 0 0"><joint type="ball"/><geom size="0.1"/><site name="s2" pos="0 0 0.2"/></body>
      <body pos="0 1 0"><joint axis="0 1 0"/><geom name="ball" size="0.1"/></body></body>
    <body name="two" pos="3 0 0"><freejoint/><geom size="0.2"/><site name="s3"/></body>
  </worldbody>
  <tendon>
    <spatial springlength="0.5"><pulley divisor="2"/><site site="w"/>
      <geom geom="pole" sidesite="side"/><site site="s3"/></spatial>
    <spatial name="t1" armature="1"><site site="s2"/><site site="s1"/><site site="s3"/></spatial>
    <spatial><site site="s1"/><geom geom="ball"/><site site="w"/></spatial>
    <spatial><site site="w"/><site site="side"/></spatial>
  </tendon>
  <actuator>
    <motor tendon="t1"/>
    <motor site="s2" refsite="s1"/>
    <motor cranksite="s2" slidersite="s3" cranklength="0.5"/>
    <motor site="s2"/>
    <general body="two"/>
  </actuator>
</mujoco>)");
  check(m, "tendon_adr", {0, 4, 7, 10});
  check(m, "tendon_num", {4, 3, 3, 2});
  check(m, "tendon_treenum", {1, 2, 1, 0});
  check(m, "tendon_treeid", {1, -1, 0, 1, 0, -1, -1, -1});
  check(m, "wrap_type", {2, 3, 5, 3, 3, 3, 3, 3, 4, 3, 3, 3});
  check(m, "wrap_objid", {-1, 0, 0, 4, 3, 2, 4, 2, 3, 0, 0, 1});
  check(m, "wrap_prm", {2, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, 0});
  check(m, "ten_J_rownnz", {6, 11, 3, 0});
  check(m, "ten_J_rowadr", {0, 6, 17, 20});
  check(m, "ten_J_colind", {6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 0, 1, 5});
  check(m, "tendon_width", {0.003, 0.003, 0.003, 0.003});
  check(m, "tendon_length0", {1.5060170037152134, 3.0853894228891336, 1.044030650891055, 1});
  check(m, "tendon_invweight0",
        {0.007251832177498235, 0.7271612785160116, 0.009785653707283104, 0});
  check(m, "tendon_lengthspring",
        {0.5, 0.5, 3.0853894228891336, 3.0853894228891336, 1.044030650891055, 1.044030650891055, 1,
         1});
  check(m, "body_simple", {1, 0, 0, 0, 0});
  check(m, "actuator_trntype", {3, 4, 2, 4, 5});
  check(m, "actuator_trnid", {1, -1, 3, 2, 3, 4, 3, -1, 4, -1});
  check(m, "actuator_cranklength", {0, 0, 0.5, 0, 0});
  check(m, "actuator_acc0",
        {3.5384701919808728, 4.891194034934946, 1.8670323703423248, 4.891194034934946, 0});
  check(m, "actuator_length0", {3.0853894228891336, 1, 0.2, 0, 0});
  check(m, "tree_sleep_policy", {1, 1});
  CHECK(m.n.nJmom == 42);
  CHECK(m.n.nJten == 20);
}

TEST_CASE("impossible paths", "[compile][error][002-4.17]") {
  const std::string a = "<site site='a'/>", b = "<site site='b'/>", c = "<site site='c'/>";
  const std::string ball = "<geom geom='ball'/>", pulley = "<pulley divisor='2'/>";
  refuses_path(a + b + pulley, "ends with a pulley");
  refuses_path(a + b + pulley + pulley + a + b, "two pulleys");
  refuses_path(a + pulley + b + c, "'a' is alone");
  refuses_path(a + b + pulley + c, "'c' is alone");
  refuses_path(a + a, "'a' is repeated");
  refuses_path(ball + a + b, "between two sites");
  refuses_path(a + ball, "between two sites");
  refuses_path(a + ball + ball + b, "between two sites");
  refuses_path(pulley + ball + a + b, "between two sites");
  refuses_path(a + ball + pulley + a + b, "between two sites");
  refuses_path(a + b + pulley + ball + b, "between two sites");
  refuses_path(a + "<geom geom='box'/>" + b, "not a sphere or cylinder");
  refuses_path(a + "<site site='bb'/>", "unknown site 'bb'");
  refuses_path(a + "<geom geom='balls'/>" + b, "unknown geom 'balls'");
  refuses_path(a + "<geom geom='ball' sidesite='d'/>" + b, "unknown site 'd'");
  refuses_path(a + b + "<pulley divisor='0'/>" + a + b, "divisor");
  refuses_path(a + b + "<pulley divisor='-1'/>" + a + b, "divisor");
  refuses_path(a + ball + b, "armature", "armature='1'");
  refuses("\n<tendon><spatial>" + a + "</spatial></tendon>", "at least two");
  refuses("\n<tendon><spatial/></tendon>", "the path is empty");
  refuses("\n<worldbody><geom name='point' size='0'/></worldbody><tendon><spatial>" + a +
              "<geom geom='point'/>" + b + "</spatial></tendon>",
          "size");
  refuses("\n<tendon><spatial width='0'>" + a + b + "</spatial></tendon>", "width");
  refuses("\n<tendon><spatial armature='-1'>" + a + b + "</spatial></tendon>", "armature");
  refuses("\n<tendon><spatial name='t'>" + a + ball + b +
              "</spatial></tendon><actuator><motor tendon='t' armature='1'/></actuator>",
          "wraps around geoms");

  // joints belong to fixed tendons, which the reader already checks
  const auto joined = mjcf::parse(world + "<tendon><spatial>" + a + "<joint joint='j' coef='1'/>" +
                                  b + "</spatial></tendon></mujoco>");
  REQUIRE_FALSE(joined.ok());
  CHECK(joined.error().message == "unknown element <joint> in <spatial>");
}

TEST_CASE("paths built in code", "[compile][error]") {
  using Entry = spec::Tendon::Entry;
  Spec spec = compile_test::parse(world + "<tendon><spatial/></tendon></mujoco>");
  Entry joint, site;
  joint.joint = "j";
  site.kind = Entry::Kind::site;
  site.site = "a";
  spec.tendons[0].entries = {joint, site};
  CHECK(corten::compile(spec).error().message.find("only joints") != std::string::npos);
  spec.tendons[0].entries = {site, joint};
  CHECK(corten::compile(spec).error().message.find("cannot have joints") != std::string::npos);
  Entry other = site;
  other.site = "b";
  spec.tendons[0].entries = {site, other};
  CHECK(corten::compile(spec).ok());
}

TEST_CASE("impossible transmissions", "[compile][error]") {
  refuses("\n<actuator><motor cranksite='b' cranklength='1'/></actuator>", "slidersite");
  refuses("\n<actuator><motor cranksite='b' slidersite='a'/></actuator>", "cranklength");
  refuses("\n<actuator><motor cranksite='b' slidersite='d' cranklength='1'/></actuator>",
          "unknown site 'd'");
  refuses("\n<actuator><motor site='b' refsite='d'/></actuator>", "unknown site 'd'");
  refuses("\n<actuator><general body='links'/></actuator>", "unknown body 'links'");
  refuses("\n<actuator><general body='link' armature='1'/></actuator>", "joint or tendon");
}
