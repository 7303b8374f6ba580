// SPDX-License-Identifier: Apache-2.0
//
// Orientations, end points and frames. Golden numbers: MuJoCo 3.12.0.
#include "support.hpp"

using namespace corten;
using compile_test::check;
using compile_test::compile;

// golden arrays
// clang-format off

TEST_CASE("orientations in every form", "[compile][frames]") {
  const Model<double> m = compile(R"(
<mujoco>
  <compiler angle="degree" eulerseq="zYx"/>
  <default>
    <default class="tilt"><geom euler="10 20 30"/><site zaxis="1 1 0"/></default>
  </default>
  <worldbody>
    <body name="euler" pos="1 2 3" euler="30 -50 70">
      <geom size="0.1" quat="2 0 0 1"/>
      <geom size="0.1" axisangle="1 1 0 50"/>
      <geom size="0.1" xyaxes="0 1 0 -1 0 0.2"/>
      <geom size="0.1" xyaxes="-1 0 0 0 1 0.1"/>
      <geom size="0.1" zaxis="1 2 -3"/>
      <geom size="0.1" zaxis="0 0 -1"/>
      <geom size="0.1" class="tilt"/>
      <geom size="0.1" class="tilt" quat="0 1 0 0"/>
      <geom size="0.1" class="tilt" zaxis="0 1 0"/>
      <site class="tilt"/>
      <site class="tilt" euler="0 90 0"/>
    </body>
  </worldbody>
</mujoco>)");
  check(m, "body_pos", {0, 0, 0, 1, 2, 3});
  check(m, "body_quat",
        {1, 0, 0, 0, 0.7798458177008251, 0.4125235753599314, -0.19984886033586308,
         0.4262924271075514});
  check(m, "geom_quat",
        {0.8944271909999159, 0, 0, 0.4472135954999579, 0.9063077870366499, 0.29883623873011983,
         0.29883623873011983, 0, 0.7036655234717202, 0.06967661786618205, 0.06967661786618205,
         0.7036655234717203, 0, 0, 0.998758526924799, 0.049813701880159766, 0.31481444873347764,
         -0.8489484615068863, 0.42447423075344315, 0, 6.123233995736766e-17, 1, 0, 0,
         0.943714364147489, 0.2685358227515692, 0.18930785741199999, 0.03813457647485015,
         0.943714364147489, 0.2685358227515692, 0.18930785741199999, 0.03813457647485015,
         0.7071067811865476, -0.7071067811865475, 0, 0});
  check(m, "site_quat",
        {0.7071067811865476, -0.4999999999999999, 0.4999999999999999, 0, 0.7071067811865476, 0,
         0.7071067811865475, 0});
}

TEST_CASE("euler angles in radians about other axes", "[compile][frames]") {
  const Model<double> m = compile(R"(
<mujoco>
  <compiler angle="radian" eulerseq="XZy"/>
  <worldbody>
    <geom type="plane" size="0 0 1" euler="0.1 -0.2 0.3"/>
    <geom type="plane" size="0 0 1" axisangle="0 2 0 0.5"/>
  </worldbody>
</mujoco>)");
  check(m, "geom_quat",
        {0.9833474432563558, 0.06407134770607116, 0.1435721750273919, -0.09115754934299071,
         0.9689124217106447, 0, 0.24740395925452294, 0});
}

TEST_CASE("geoms and sites given by end points", "[compile][frames]") {
  const Model<double> m = compile(R"(
<mujoco>
  <worldbody>
    <geom type="capsule" size="0.1" fromto="0 0 0 0.5 0.2 -0.3"/>
    <geom type="cylinder" size="0.1" fromto="0 0 0 0 0 -0.3"/>
    <geom type="ellipsoid" size="0.1" fromto="0 0 0 0 0 0.3"/>
    <geom type="box" size="0.1" fromto="1 0 0 1 1 0"/>
    <site type="box" size="0.1" fromto="0 0 0.3 0.1 0 0"/>
    <site type="capsule" fromto="0 0 0 1 0 0"/>
  </worldbody>
</mujoco>)");
  check(m, "geom_pos", {0.25, 0.1, -0.15, 0, 0, -0.15, 0, 0, 0.15, 1, 0.5, 0});
  check(m, "geom_quat",
        {0.8621671135552224, 0.1881554266919648, -0.470388566729912, 0, 1, 0, 0, 0,
         6.123233995736766e-17, 1, 0, 0, 0.7071067811865476, 0.7071067811865475, 0, 0});
  check(m, "geom_size", {0.1, 0.3082207001484488, 0, 0.1, 0.15, 0, 0.1, 0.1, 0.15, 0.1, 0.1, 0.5});
  check(m, "geom_rbound", {0.4082207001484488, 0.18027756377319948, 0.15, 0.5196152422706632});
  check(m, "geom_aabb",
        {0, 0, 0, 0.1, 0.1, 0.4082207001484488, 0, 0, 0, 0.1, 0.1, 0.15, 0, 0, 0, 0.1, 0.1, 0.15,
         0, 0, 0, 0.1, 0.1, 0.5});
  check(m, "site_pos", {0.05, 0, 0.15, 0.5, 0, 0});
  check(m, "site_quat",
        {0.9870874576374967, 0, -0.16018224300696726, 0, 0.7071067811865476, 0,
         -0.7071067811865475, 0});
  check(m, "site_size", {0.1, 0.1, 0.15811388300841897, 0.005, 0.5, 0.005});
  check(m, "site_type", {6, 3});
}

// to the last bit, which may decide between equal corners of a contact
TEST_CASE("places in frames are MuJoCo's numbers", "[compile][frames]") {
  const Model<double> m = compile(R"(
<mujoco>
  <worldbody>
    <body>
      <frame pos="0.1 0.2 0.3" quat="0.6 0.9 0.4 -0.1">
        <joint pos="0.3 -0.2 0.7"/>
        <geom pos="0.3 -0.2 0.7" size="0.1"/>
      </frame>
    </body>
    <replicate count="4" offset="0.3 0.1 -0.2" euler="10 20 30"><site/></replicate>
  </worldbody>
</mujoco>)");
  const std::vector<double> place{0.3552238805970148, -0.2268656716417909, -0.3104477611940298};
  const std::vector<double> last{0.348758394414028, 0.7355660785186247, -0.4909683010222637};
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  const double rounding = 1e-15;
#else
  const double rounding = 0;
#endif
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(std::abs(m.geom_pos[i] - place[i]) <= rounding);
    CHECK(std::abs(m.jnt_pos[i] - place[i]) <= rounding);
    CHECK(std::abs(m.site_pos[9 + i] - last[i]) <= 1e-15);  // sines and cosines of the rotation
  }
}

TEST_CASE("which frames coincide", "[compile][frames]") {
  const Model<double> m = compile(R"(
<mujoco>
  <worldbody>
    <body><geom size="0.1"/><site/><site pos="1 0 0"/><site euler="10 0 0"/></body>
    <body><geom type="box" size="0.1 0.2 0.3" pos="0 0 1"/><site pos="0 0 1"/></body>
    <body>
      <geom type="box" size="0.1 0.2 0.3" pos="0 0 1" euler="0 30 0"/>
      <site pos="0 0 1" euler="0 30 0"/><site euler="0 30 0"/><site euler="0 31 0"/>
    </body>
  </worldbody>
</mujoco>)");
  check(m, "body_sameframe", {1, 1, 3, 0});
  check(m, "geom_sameframe", {1, 3, 2});
  check(m, "site_sameframe", {1, 3, 0, 3, 2, 4, 0});
}

TEST_CASE("a free body is moved to its inertial frame", "[compile][frames]") {
  const Model<double> m = compile(R"(
<mujoco>
  <compiler alignfree="true"/>
  <worldbody>
    <body pos="1 2 3" euler="10 20 30">
      <freejoint/>
      <geom type="box" size="0.1 0.2 0.3" pos="0 0.1 0" euler="0 20 0"/>
      <geom type="box" size="0.1 0.3 0.3" pos="0.3 0.1 0"/>
      <site pos="1 0 0" euler="40 0 0"/>
    </body>
    <body pos="1 2 3"><freejoint align="false"/><geom size="0.1" pos="0 0.1 0"/></body>
    <body pos="1 2 3">
      <joint type="free"/><geom size="0.1" pos="0 0.1 0"/>
      <body pos="1 0 0"><geom size="0.1"/></body>
    </body>
  </worldbody>
</mujoco>)");
  check(m, "qpos0",
        {1.0994989516035918, 2.1802081601113685, 2.9950022345932017, 0.3981654981440318,
         0.3264063125787218, 0.2673854179684879, 0.8145110149373641, 1, 2, 3, 1, 0, 0, 0, 1, 2,
         3, 1, 0, 0, 0});
  check(m, "body_pos",
        {0, 0, 0, 1.0994989516035918, 2.1802081601113685, 2.9950022345932017, 1, 2, 3, 1, 2, 3,
         1, 0, 0});
  check(m, "body_quat",
        {1, 0, 0, 0, 0.3981654981440318, 0.3264063125787218, 0.2673854179684879,
         0.8145110149373641, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  check(m, "body_ipos", {0, 0, 0, 0, 0, 0, 0, 0.1, 0, 0, 0.1, 0, 0, 0, 0});
  check(m, "body_iquat", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  check(m, "body_inertia",
        {0, 0, 0, 6.591999999999999, 6.535358174959098, 5.656641825040901, 0.01675516081914557,
         0.01675516081914557, 0.01675516081914557, 0.01675516081914557, 0.01675516081914557,
         0.01675516081914557, 0.01675516081914557, 0.01675516081914557, 0.01675516081914557});
  check(m, "body_sameframe", {1, 1, 3, 3, 1});
  check(m, "body_simple", {1, 1, 0, 0, 0});
  check(m, "geom_pos",
        {-1.3877787807814457e-17, 0.14794654749732863, -0.10252716266249036, 0,
         -0.09863103166488577, 0.0683514417749936, 0, 0.1, 0, 0, 0.1, 0, 0, 0, 0});
  check(m, "geom_quat",
        {0.7012792218338004, -0.09059499447640493, -0.09059499447640493, -0.7012792218338004,
         0.6748935589917215, -0.2109945118515842, -0.2109945118515842, -0.6748935589917215, 1, 0,
         0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  check(m, "site_pos", {-0.1000000000000001, -0.6739787163767195, 0.46706818546245615});
  check(m, "site_quat",
        {0.7063568703848682, 0.03255720596266071, -0.4290971775891778, -0.5620281240160516});
}

// A last bit may decide which of two equally good corners a contact starts with, and contracted
// operations round differently from MuJoCo's.
TEST_CASE("places are rounded as MuJoCo rounds them", "[compile][frames]") {
#if defined(__FMA__) || defined(__aarch64__)
  constexpr double exact = 1e-14;
#else
  constexpr double exact = 0;
#endif
  const Model<double> m = compile(R"(
<mujoco>
  <worldbody>
    <frame pos=".1 .2 .3" quat="1 .3 .2 .1">
      <frame pos=".3 .1 -.2" quat=".2 .5 .7 -.4">
        <site pos=".3 -.1 .2" quat=".4 -.3 .2 .9"/>
        <camera pos=".7 .1 .6" quat=".3 .5 -.2 .8"/>
        <geom size=".1" pos=".2 .3 .4" quat=".7 .1 .1 .3"/>
      </frame>
    </frame>
    <body pos="0 0 1">
      <joint ref="17" springref="-13" range="-61 47"/>
      <geom type="capsule" size=".1 .2"/>
    </body>
    <body pos="0 1 1" euler="20 30 40">
      <freejoint align="true"/>
      <geom type="box" size=".1 .2 .3" pos=".1 .2 .3" euler="15 25 35"/>
      <geom size=".2" pos=".3 -.2 .1"/>
      <site pos=".2 .4 .1"/>
    </body>
  </worldbody>
</mujoco>)");
  check(m, "site_pos",
        {-0.04393430384471814, 0.5422918999626727, -0.04639790966778648,
         0.2400514272508081, -0.17924181790498905, -0.23928353991445264}, exact);
  check(m, "site_quat",
        {0.15105362535606745, 0.9689537431377007, 0.06078987361890521, 0.1860538556214976,
         0.5400492528444603, -0.7816314673053686, -0.3069582858056861,
         -0.05635303537018266}, exact);
  check(m, "cam_pos", {-0.29895483389324357, 0.7728256812243374, -0.5381485628966031}, exact);
  check(m, "cam_quat",
        {0.1702564461735368, 0.7384155980110694, -0.17216943995076758,
         -0.6293749527089167}, exact);
  check(m, "geom_pos",
        {0.23437849944008954, 0.6061590145576706, -0.40481522956326976, 0, 0, 0,
         0.0026964551495301803, 0.0002755884902951311, -0.2013873920902707,
         -0.003862387492859859, -0.0003947514344072589, 0.2884661903479702}, exact);
  check(m, "geom_quat",
        {-0.10725226524947948, 0.7258234694790356, 0.6011115331424316,
         -0.31676831829497437, 1, 0, 0, 0, 0.708366705382418, -0.7026779298972003,
         0.04715211365595862, 0.047297100532919245, 0.5400492528444603,
         -0.7816314673053686, -0.3069582858056861, -0.05635303537018266}, exact);
  check(m, "qpos0",
        {0.29670597283903605, 0.20998656509006802, 1.0911182663894141, 1.1717530980444684,
         0.20647640064086717, 0.7163055192199622, 0.6415528720106962,
         0.18078664643231032}, exact);
  check(m, "qpos_spring",
        {-0.22689280275926285, 0.20998656509006802, 1.0911182663894141,
         1.1717530980444684, 0.20647640064086717, 0.7163055192199622, 0.6415528720106962,
         0.18078664643231032}, exact);
}
