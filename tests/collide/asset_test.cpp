// SPDX-License-Identifier: Apache-2.0
//
// Contacts of meshes and height fields: where they are, and their derivatives against differences.
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"
#include "../support/near.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using Dual8 = corten::Dual<double, 8>;
using corten::Vec3;
using support::near;

namespace {

// one contact: distance, position, normal
template <class S>
using Numbers = std::vector<S>;

// The contacts of a model whose last body is moved along t: translated, then rotated in its own
// frame.
template <class S>
std::vector<Numbers<S>> contacts(const corten::Model<double>& model, const corten::Vec6<S>& t) {
  corten::Data<S> data(model);
  auto q = data.qpos();
  const std::size_t at = q.size() - 7;
  for (std::size_t i = 0; i < 3; ++i) q[at + i] += t[int(i)];
  const corten::Quat<S> turned = corten::integrate(
      corten::Quat<S>(q[at + 3], q[at + 4], q[at + 5], q[at + 6]), Vec3<S>(t[3], t[4], t[5]), S(1));
  for (std::size_t i = 0; i < 4; ++i) q[at + 3 + i] = turned[int(i)];
  REQUIRE(corten::forward(model, data).ok());
  std::vector<Numbers<S>> out;
  const auto d = data.ref();
  for (int c = 0; c < data.ncon(); ++c) {
    out.push_back({d.contact_dist[c]});
    for (int k = 0; k < 3; ++k) out.back().push_back(d.contact_pos[3 * c + k]);
    for (int k = 0; k < 3; ++k) out.back().push_back(d.contact_frame[9 * c + k]);
  }
  // rounding may swap two points of one pair
  const auto along = [](const Numbers<S>& n) {
    return corten::value(n[1]) + 2 * corten::value(n[2]) + 3 * corten::value(n[3]);
  };
  std::sort(out.begin(), out.end(),
            [&](const Numbers<S>& a, const Numbers<S>& b) { return along(a) < along(b); });
  return out;
}

// the largest difference between a derivative and central differences; negative without a contact
double derivative_error(const corten::Model<double>& model, double step) {
  corten::Vec6<Dual8> seeded;
  for (int i = 0; i < 6; ++i) seeded[i] = Dual8(0.0, i);
  const auto exact = contacts<Dual8>(model, seeded);
  double worst = exact.empty() ? -1 : 0;
  for (int i = 0; i < 6; ++i) {
    corten::Vec6<double> t = corten::Vec6<double>::Zero();
    t[i] = step;
    const auto plus = contacts<double>(model, t), minus = contacts<double>(model, -t);
    REQUIRE((plus.size() == exact.size() && minus.size() == exact.size()));
    for (std::size_t c = 0; c < exact.size(); ++c) {
      for (std::size_t k = 0; k < exact[c].size(); ++k) {
        const double slope = (plus[c][k] - minus[c][k]) / (2 * step);
        worst = std::max(worst, std::abs(slope - exact[c][k].v[i]));
      }
    }
  }
  return worst;
}

// a fixed body and a free one, in this order or the other
corten::Model<double> model_of(const std::string& geom1, const std::string& geom2,
                               const std::string& pose2, bool free_first = false,
                               const std::string& rest = "") {
  const std::string standing = "<body><geom name='standing' " + geom1 + "/></body>";
  const std::string free =
      "<body " + pose2 + "><freejoint/><geom name='free' " + geom2 + "/></body>";
  return support::parse(
      "<mujoco><option gravity='0 0 0' ccd_tolerance='1e-10'/><asset>"
      "<mesh name='cube' vertex='-.5 -.5 -.5 .5 -.5 -.5 -.5 .5 -.5 .5 .5 -.5"
      " -.5 -.5 .5 .5 -.5 .5 -.5 .5 .5 .5 .5 .5'/>"
      "<mesh name='stone' vertex='-.5 -.4 -.3 .6 -.5 -.4 -.5 .5 -.3 .4 .5 -.5 0 .1 .6'/>"
      "<mesh name='ball' builtin='sphere' params='1' scale='.5 .5 .5'/>"
      "<hfield name='hill' nrow='3' ncol='4' size='2 1.5 .5 .2' elevation='0 1 0 1 2 3 1 0 1 0 1 "
      "2'/>"
      "</asset><worldbody>" +
      (free_first ? free + standing : standing + free) + "</worldbody>" + rest + "</mujoco>");
}

}  // namespace

TEST_CASE("a cube that is a mesh rests on its four corners", "[collide]") {
  for (const std::string base :
       {"type='box' size='1 1 .5' pos='0 0 -.5'", "type='mesh' mesh='cube' pos='0 0 -.5'"}) {
    const auto model = model_of(base, "type='mesh' mesh='cube'", "pos='.1 .2 .49'");
    const auto hits = contacts<double>(model, corten::Vec6<double>::Zero());
    REQUIRE(hits.size() == 4);
    for (const auto& hit : hits) {
      CHECK(near(hit[0], -0.01, 1e-12));
      CHECK(near(hit[3], -0.005, 1e-12));
      CHECK(near(std::abs(hit[6]), 1, 1e-12));
    }
  }
  // three contacts with a plane: the deepest corner and two neighbours
  const auto model =
      model_of("type='plane' size='1 1 1'", "type='mesh' mesh='cube'", "pos='0 0 .49'");
  const auto hits = contacts<double>(model, corten::Vec6<double>::Zero());
  REQUIRE(hits.size() == 3);
  for (const auto& hit : hits) CHECK(near(hit[0], -0.01, 1e-12));
  CHECK(hits[1] != hits[2]);
}

// The bounding box of a mesh keeps it from being searched far above a plane, and only there. A cube
// fills its box.
TEST_CASE("a mesh meets a tilted plane as soon as its deepest vertex does", "[collide]") {
  const auto model = model_of("type='plane' size='1 1 1' quat='.9 .3 -.2 .1' margin='.01'",
                              "type='mesh' mesh='cube'", "pos='.1 .2 2'");
  const auto m = corten::bind(model).value();
  corten::Data<double> data(model);
  int touching = 0;
  for (int k = 0; k < 40; ++k) {
    const auto qpos = data.ref().qpos;
    const double spin[4] = {std::cos(1.0 * k), std::sin(2.0 * k), std::cos(3.0 * k), 0.3};
    for (int i = 0; i < 4; ++i) qpos[3 + i] = spin[i];
    qpos[2] = 2;
    REQUIRE(corten::forward(m, data).ok());
    const auto d = data.ref();
    const Vec3<double> normal = corten::mat3<double>(d.geom_xmat, 0).col(2),
                       foot = corten::vec3<double>(d.geom_xpos, 0);
    const corten::Mat3<double> turn = corten::mat3<double>(d.geom_xmat, 1);
    double lowest = 1e9;
    const int mesh = m.geom_dataid[1], first = m.mesh_vertadr[mesh];
    for (int v = first; v < first + m.mesh_vertnum[mesh]; ++v) {
      const Vec3<double> p = corten::vec3<double>(m.mesh_vert, v);
      lowest = std::min(lowest, normal.dot(corten::vec3<double>(d.geom_xpos, 1) + turn * p - foot));
    }
    for (const double gap : {0.01 - 1e-9, 0.01 + 1e-9}) {
      qpos[2] = 2 - (lowest - gap) / normal[2];
      REQUIRE(corten::forward(m, data).ok());
      CHECK((data.ncon() > 0) == (gap < 0.01));
      touching += data.ncon();
    }
  }
  CHECK(touching >= 40);
}

// Numbers from MuJoCo 3.12.0.
TEST_CASE("sides of many corners meet in four points", "[collide]") {
  std::string ring;
  for (int i = 0; i < 120; ++i) {
    const double t = 6.283185307179586 * (i + 0.25) / 120;
    const std::string at =
        std::to_string(0.1 * std::cos(t)) + " " + std::to_string(0.07 * std::sin(t)) + " ";
    ring += at + "-.02 " + at + ".02 ";
  }
  const auto model =
      support::parse("<mujoco><asset><mesh name='d' vertex='" + ring +
                     "'/></asset><worldbody><geom type='mesh' mesh='d'/><body pos='.01 "
                     ".02 .0399' quat='10 0 0 3'><freejoint/><geom type='mesh' "
                     "mesh='d'/></body></worldbody></mujoco>");
  const auto hits = contacts<double>(model, corten::Vec6<double>::Zero());
  const double place[4][2] = {{-0.001961385060887855, -0.05879771350310512},
                              {-0.08115744628217275, -0.015239833586533268},
                              {-0.027143999934196625, 0.06737200170755411},
                              {0.09652101862953813, 0.018242556409578732}};
  REQUIRE(hits.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(near(hits[i][0], -1e-4, 1e-8));
    for (std::size_t k = 0; k < 2; ++k) CHECK(near(hits[i][1 + k], place[i][k], 1e-7));
  }
}

// An edge of the first mesh lies along a face of the second, of which clipping leaves nothing. The
// contact then comes from EPA, and in MuJoCo 3.12.0 its normal points the wrong way. Derivatives
// have the same sign as the normal.
// Cones of 500 corners on a large box, on a box that cuts off parts of the rim, and on a cone of
// 400 corners: the clipped sides have 500, about 300 and about 800 corners. Numbers of MuJoCo
// 3.12.0.
namespace {

std::string cone(int corners, double turn, double apex) {
  std::string out;
  char text[64];
  for (int i = 0; i < corners; ++i) {
    const double angle = (i + turn) * 2 * M_PI / corners;
    std::snprintf(text, sizeof text, "%.5f %.5f 0 ", .5 * std::cos(angle), .5 * std::sin(angle));
    out += text;
  }
  std::snprintf(text, sizeof text, "0 0 %.5f", apex);
  return out + text;
}

corten::Model<double> cone_on(const std::string& ground) {
  return support::parse("<mujoco><option gravity='0 0 0'/><asset><mesh name='cone' vertex='" +
                        cone(500, .3, .8) + "'/><mesh name='below' vertex='" + cone(400, .25, -.8) +
                        "'/></asset><worldbody><geom " + ground +
                        "/><body pos='.003 -.002 -.001' euler='.1 .05 3'><freejoint/>"
                        "<geom type='mesh' mesh='cone'/></body></worldbody></mujoco>");
}

}  // namespace

TEST_CASE("sides of hundreds of corners meet where MuJoCo says", "[collide]") {
  struct Case {
    std::string ground;
    std::vector<Numbers<double>> expected;  // distance and position
  };
  const std::vector<Case> cases{
      {"type='box' size='1 1 .3' pos='0 0 -.3'",
       {{-0.001905201262119488, 0.043588000534146895, -0.5003496551975701, -0.0009526024446759624},
        {-0.0006359473014037331, -0.4953483462020627, -0.04258843686641829,
         -0.00031797425607850725},
        {-0.0013640526985975454, 0.5013492188665779, 0.038586691538717, -0.0006820276477800124},
        {-0.0000947987378817905, -0.037587127869631615, 0.4963479098698689,
         -0.00004739945918255733}}},
      {"type='box' size='.4 .43 .3' pos='.01 .02 -.3'",
       {{-0.0011965120149338897, -0.38999947792321127, -0.3110941702629819, -0.0005982571464613591},
        {-0.001957039192384935, 0.30928376483582254, -0.39720264449454024, -0.0009785214591547119},
        {-0.000042960807616343466, -0.3032828921713073, 0.393200899166839, -0.0000214804447038078},
        {-0.0008103137849436171, 0.398202208163821, 0.3042824558399542, -0.0004051576638329511}}},
      {"type='mesh' mesh='below'",
       {{-0.0012016959310404728, -0.388327257061247, -0.31322822697659286, -0.0006008491094491453},
        {-0.0019469382875939858, 0.3141508550909762, -0.3889817002338287, -0.0009734709971436664},
        {-0.000048011312133417046, -0.3131273118176492, 0.38538495709192466,
         -0.000024005701769843826},
        {-0.0007850452788935171, 0.38898034375174706, 0.31414932049835875,
         -0.0003925233867538548}}}};
  for (const Case& c : cases) {
    CAPTURE(c.ground);
    const auto model = cone_on(c.ground);
    const auto found = contacts<double>(model, corten::Vec6<double>::Zero());
    REQUIRE(found.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t k = 0; k < 4; ++k) CHECK(near(found[i][k], c.expected[i][k], 1e-9));
    }
    CHECK(derivative_error(model, 1e-5) < 1e-6);
  }
}

TEST_CASE("where nothing is left of an edge the normal is MuJoCo's", "[collide]") {
  const auto model = support::parse(
      "<mujoco><option gravity='0 0 0'/><asset>"
      "<mesh name='a' vertex='0 -.08 -.07 -.09 .02 .02 .01 -.07 .07 .07 -.04 -.06 -.04 .03 -.06'/>"
      "<mesh name='b' vertex='0 0 .02 .05 .02 .01 -.05 -.01 .04 .01 -.03 -.06'/></asset>"
      "<worldbody><geom type='mesh' mesh='a'/><body pos='-.063 .01 -.042' quat='-1 6 4 7'>"
      "<freejoint/><geom type='mesh' mesh='b'/></body></worldbody></mujoco>");
  const auto hits = contacts<double>(model, corten::Vec6<double>::Zero());
  const double expected[7] = {-0.009293849105716102, -0.07487144836425393, 0.0183257551210221,
                              -0.001652686617642357, 0.3003653221030102,   -0.9513389099695202,
                              0.06881098499484055};
  REQUIRE(hits.size() == 1);
  for (std::size_t k = 0; k < 7; ++k) CHECK(near(hits[0][k], expected[k], 1e-7));
  CHECK(near(derivative_error(model, 1e-6), 0, 1e-6));
}

TEST_CASE("contacts of meshes have the derivatives of differences", "[collide]") {
  const std::string stone = "type='mesh' mesh='stone'", cube = "type='mesh' mesh='cube'";
  struct Case {
    std::string geom1, geom2, pose2;
  };
  const Case cases[] = {
      {"type='plane' size='1 1 1'", stone, "pos='.1 .2 .45' euler='10 20 30'"},
      {stone, "type='sphere' size='.3'", "pos='.15 .5 .2'"},
      {stone, "type='sphere' size='.3'", "pos='0 .1 .85'"},
      {stone, "type='capsule' size='.2 .4'", "pos='.1 .5 .4' euler='70 10 5'"},
      {cube, "type='ellipsoid' size='.3 .4 .2'", "pos='.1 .05 .65' euler='20 10 30'"},
      {cube, "type='ellipsoid' size='.3 .4 .2' margin='.01'", "pos='.1 .05 .705' euler='20 10 30'"},
      {stone, "type='box' size='.4 .3 .2'", "pos='.1 .1 -.55' euler='20 35 10'"},
      {cube, "type='box' size='.3 .2 .2'", "pos='.1 .05 .69' euler='.5 .8 20'"},
      {cube, stone, "pos='.1 .05 .85' euler='10 20 30'"},
      {cube, cube, "pos='.28 -.39 .98' euler='-1 -1.8 40'"},
      {"type='mesh' mesh='ball'", stone, "pos='.1 .05 .75' euler='15 25 35'"},
  };
  for (const Case& c : cases) {
    INFO(c.geom1 << " against " << c.geom2);
    const double error = derivative_error(model_of(c.geom1, c.geom2, c.pose2), 1e-6);
    CHECK(error >= 0);
    CHECK(error < 2e-4);
  }
}

TEST_CASE("contacts of height fields have the derivatives of differences", "[collide]") {
  const std::string hill = "type='hfield' hfield='hill' pos='0 0 -.2' euler='2 3 10'";
  struct Case {
    std::string geom, pose;
  };
  const Case cases[] = {{"type='sphere' size='.4'", "pos='.2 .1 .45'"},
                        {"type='capsule' size='.2 .3'", "pos='-.5 .2 .4' euler='70 10 0'"},
                        {"type='ellipsoid' size='.3 .4 .3'", "pos='.4 -.2 .25' euler='20 10 5'"},
                        {"type='box' size='.3 .2 .3'", "pos='.3 .3 .3' euler='20 15 5'"},
                        {"type='mesh' mesh='stone'", "pos='.3 .2 .35' euler='20 15 5'"}};
  for (const Case& c : cases) {
    INFO(c.geom);
    const double error = derivative_error(model_of(hill, c.geom, c.pose), 1e-6);
    CHECK(error >= 0);
    CHECK(error < 2e-4);
  }
}

TEST_CASE("heights are those of the data", "[collide][001-6a.2][001-6a.3][001-6a.4][001-6a.5]") {
  // Set in code, heights stay as they are: 0.5 of a height of 10 is 5 above the geom.
  auto spec = corten::mjcf::parse(
      "<mujoco><option gravity='0 0 0'/><asset>"
      "<hfield name='h' nrow='3' ncol='11' size='5 5 10 1'/></asset><worldbody>"
      "<geom type='hfield' hfield='h' pos='0 0 -1'/><body pos='.4 .3 4.9'><freejoint/>"
      "<geom size='1'/></body></worldbody></mujoco>");
  REQUIRE(spec.ok());
  spec->hfields[0].data.assign(33, 0.5);
  const auto model = support::checked(corten::compile(*spec));
  CHECK(model.hfield_data[0] == 0.5f);
  // the deepest contact is on level ground; neighbouring cells are touched at their edges
  Numbers<double> deepest(7, 0.0);
  for (const auto& hit : contacts<double>(model, corten::Vec6<double>::Zero())) {
    if (hit[0] < deepest[0]) deepest = hit;
  }
  CHECK(near(deepest[0], -0.1, 1e-6));
  CHECK(near(deepest[6], 1, 1e-6));
  CHECK(near(deepest[3], 3.95, 1e-6));
  // columns run from -5 to 5, one apart; a step between the fifth and the sixth is at x = -1 … 0
  for (std::size_t i = 0; i < 33; ++i) spec->hfields[0].data[i] = i % 11 < 5 ? 0.5 : 0.0;
  const auto steps = support::checked(corten::compile(*spec));
  corten::Vec6<double> t = corten::Vec6<double>::Zero();
  CHECK(contacts<double>(steps, t).empty());  // at x = 0.4 the ground is too low
  t[0] = -1.4;
  CHECK_FALSE(contacts<double>(steps, t).empty());
}

TEST_CASE("every kind of geom meets a height field, in either order",
          "[collide][001-6a.6][001-6a.13]") {
  for (const std::string geom : {"type='sphere' size='.3'", "type='capsule' size='.2 .2'",
                                 "type='box' size='.3 .2 .3'", "type='cylinder' size='.3 .2'",
                                 "type='ellipsoid' size='.3 .2 .3'", "type='mesh' mesh='stone'"}) {
    INFO(geom);
    const std::string hill = "type='hfield' hfield='hill' pos='0 0 -.3'", pose = "pos='.3 .2 .2'";
    const std::string pair = "<contact><pair geom1='free' geom2='standing'/></contact>";
    const std::vector<Numbers<double>> usual =
        contacts<double>(model_of(hill, geom, pose), corten::Vec6<double>::Zero());
    REQUIRE(!usual.empty());
    for (const bool free_first : {false, true}) {
      for (const std::string& rest : {std::string(), pair}) {
        const auto model = model_of(hill, geom, pose, free_first, rest);
        CHECK(contacts<double>(model, corten::Vec6<double>::Zero()) == usual);
        corten::Data<double> data(model);
        REQUIRE(corten::step(model, data).ok());
        const auto d = data.ref();
        for (int c = 0; c < d.ncon; ++c) {
          // the height field is always the first geom, and the normal points to the geom on it
          CHECK(d.contact_geom[2 * c] == (free_first ? 1 : 0));
          CHECK(d.contact_geom[2 * c + 1] == (free_first ? 0 : 1));
          const Vec3<double> to = corten::vec3<double>(d.geom_xpos, d.contact_geom[2 * c + 1]) -
                                  corten::vec3<double>(d.contact_pos, c);
          CHECK(d.contact_frame[9 * c] * to[0] + d.contact_frame[9 * c + 1] * to[1] +
                    d.contact_frame[9 * c + 2] * to[2] >
                0);
        }
      }
    }
  }
}

TEST_CASE("no corner of a height field is out of reach", "[collide][001-6a.10]") {
  const auto model = model_of("type='hfield' hfield='hill' pos='.5 -.3 1' euler='20 -30 40'",
                              "size='.05'", "pos='0 0 9'");
  corten::Data<double> data(model);
  REQUIRE(corten::forward(model, data).ok());
  CHECK(data.ncon() == 0);
  const Vec3<double> origin = corten::vec3<double>(data.ref().geom_xpos, 0);
  const corten::Mat3<double> turn = corten::mat3<double>(data.ref().geom_xmat, 0);
  // a ball just above each node of the grid, and just below the base there
  for (int node = 0; node < 12; ++node) {
    const double x = -2 + node % 4 * 4.0 / 3, y = -1.5 + node / 4 * 1.5;
    for (const double z : {0.5 * double(model.hfield_data[std::size_t(node)]) + 0.02, -0.22}) {
      const Vec3<double> place = origin + turn * Vec3<double>(x, y, z);
      for (int k = 0; k < 3; ++k) data.qpos()[std::size_t(k)] = place[k];
      REQUIRE(corten::forward(model, data).ok());
      INFO(x << ' ' << y << ' ' << z);
      CHECK(data.ncon() > 0);
    }
  }
}
