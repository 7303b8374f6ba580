// SPDX-License-Identifier: Apache-2.0
//
// The whole stage: which geoms are tested, the order and the parameters of contacts, and what
// happens if they do not fit.

#include <corten/compile/candidates.hpp>
#include <corten/stage/collision.hpp>
#include <corten/stage/kinematics.hpp>

#include "../support/model.hpp"
#include "pairs.hpp"

#include <map>
#include <set>

using namespace corten;

namespace {

// a contact as numbers, in the order of golden/collide_order.txt
using Row = std::vector<double>;

std::map<std::string, std::vector<Row>> read_rows() {
  std::ifstream file(std::string(CORTEN_TEST_DIR) + "/golden/collide_order.txt");
  std::map<std::string, std::vector<Row>> out;
  std::string name;
  for (std::string line; std::getline(file, line);) {
    if (line[0] == '#') continue;
    std::istringstream in(line);
    if (std::isalpha(line[0])) {
      in >> name;
      continue;
    }
    Row row;
    for (double x; in >> x;) row.push_back(x);
    REQUIRE(row.size() == 32);
    out[name].push_back(row);
  }
  return out;
}

template <class D>
Row row_of(const D& d, int k) {
  Row out = {double(d.contact_geom[2 * k]), double(d.contact_geom[2 * k + 1]),
             double(d.contact_dim[k]), double(d.contact_exclude[k]), d.contact_dist[k]};
  const auto add = [&](const auto& field, int width) {
    for (int i = 0; i < width; ++i) out.push_back(field[width * k + i]);
  };
  add(d.contact_pos, 3);
  add(d.contact_frame, 9);
  add(d.contact_includemargin, 1);
  add(d.contact_friction, 5);
  add(d.contact_solref, 2);
  add(d.contact_solreffriction, 2);
  add(d.contact_solimp, 5);
  return out;
}

// contacts at the reference pose
template <class S, class SM>
void run(const Model<SM>& model, Data<S>& data) {
  const auto m = make_ref<DefaultPolicies>(model);
  kinematics(m, data.ref());
  collision(m, data.ref());
}

std::set<std::pair<int, int>> candidates(const Model<double>& m) {
  std::set<std::pair<int, int>> out;
  for (std::size_t k = 0; k < m.candidate_pair.size(); ++k) {
    out.insert({m.candidate_geom[2 * k], m.candidate_geom[2 * k + 1]});
  }
  return out;
}

const char* const three_balls = R"(
  <mujoco>
    <worldbody>
      <body pos="0 0 0"><freejoint/><geom name="a" size="0.1"/></body>
      <body pos="0.15 0 0"><freejoint/><geom name="b" size="0.1"/></body>
      <body pos="0.3 0 0"><freejoint/><geom name="c" size="0.1"/></body>
    </worldbody>
  </mujoco>)";

}  // namespace

TEST_CASE("contacts of a heap come in MuJoCo's order with its parameters", "[collide][stage]") {
  auto golden = read_rows();
  REQUIRE(golden.size() == 5);
  Model<double> model = support::load("collide_order");
  const Option<double> plain = model.opt;
  for (const auto& [name, rows] : golden) {
    INFO(name);
    model.opt = plain;
    if (name == "midphase") model.opt.disableflags |= disable_midphase;
    if (name == "filterparent") model.opt.disableflags |= disable_filterparent;
    if (name == "multiccd") model.opt.disableflags |= disable_multiccd;
    if (name == "override") {
      model.opt.enableflags |= enable_override;
      model.opt.o_margin = 0.03;
      model.opt.o_solref[0] = 0.04;
      const double friction[] = {0.7, 0.6, 0.01, 0.02, 0.03};
      for (int i = 0; i < 5; ++i) model.opt.o_friction[i] = friction[i];
    }
    collision_candidates(model);
    Data<double> data(model, {100, 1000});
    run(model, data);
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    CHECK(data.ncon() > 40);
#else
    REQUIRE(data.ncon() == int(rows.size()));
    for (int k = 0; k < data.ncon(); ++k) {
      const Row row = row_of(data.ref(), k), &expected = rows[std::size_t(k)];
      INFO("contact " << k << " of geoms " << row[0] << " " << row[1]);
      for (std::size_t i = 0; i < 4; ++i) CHECK(row[i] == expected[i]);
      for (std::size_t i = 4; i < row.size(); ++i) CHECK(near(row[i], expected[i], 1e-6));
    }
#endif
  }
}

TEST_CASE("filters leave out what cannot touch", "[collide]") {
  const Model<double> m = support::parse(R"(
    <mujoco>
      <worldbody>
        <geom name="floor" type="plane" size="1 1 1"/>
        <geom name="wall" type="plane" size="1 1 1"/>
        <body name="fixed"><geom name="fixed" size="0.1"/></body>
        <body name="parent"><joint/><geom name="parent" size="0.1"/>
          <body name="welded"><geom name="welded" size="0.1"/>
            <body name="child"><joint/><geom name="child" size="0.1"/>
              <body name="grandchild"><joint/><geom name="grandchild" size="0.1"/></body>
            </body>
          </body>
        </body>
        <body name="ghost">
          <joint/><geom name="ghost" size="0.1" contype="0" conaffinity="0"/>
        </body>
        <body name="foe"><joint/><geom name="foe" size="0.1"/></body>
      </worldbody>
      <contact>
        <exclude body1="parent" body2="foe"/>
        <pair geom1="ghost" geom2="foe"/>
      </contact>
    </mujoco>)");
  enum { floor, wall, fixed, parent, welded, child, grandchild, ghost, foe };
  const auto found = candidates(m);
  const auto has = [&](int a, int b) { return found.contains({a, b}); };
  CHECK(has(floor, parent));
  CHECK(has(wall, welded));
  CHECK(has(fixed, parent));
  CHECK(has(parent, grandchild));
  CHECK(has(welded, foe));
  CHECK(has(ghost, foe));            // explicit
  CHECK_FALSE(has(floor, wall));     // planes
  CHECK_FALSE(has(floor, fixed));    // static
  CHECK_FALSE(has(parent, welded));  // welded
  CHECK_FALSE(has(parent, child));   // parent, through the weld
  CHECK_FALSE(has(welded, child));   // parent
  CHECK_FALSE(has(parent, foe));     // excluded
  CHECK_FALSE(has(floor, ghost));    // bits
}

// Boxes side by side, which overlap by 2e-17 according to the collider and are 7e-18 apart
// according to the midphase, which handles bodies with more than one geom. Numbers of contacts from
// MuJoCo 3.12.0.
TEST_CASE("the midphase may discard boxes that just touch", "[collide][stage]") {
  const auto count = [](const std::string& flag, const std::string& more, const std::string& pair) {
    const Model<double> model = support::parse(R"(
      <mujoco>
        <option><flag midphase=")" + flag + R"("/></option>
        <worldbody>
          <body pos="0.1 0.2 0.3" quat="0.6 0.9 0.4 -0.1">
            <freejoint/><geom name="a" type="box" pos="0.0378 0 0" size="0.01 0.01 0.001"/>)" +
                                               more + R"(
          </body>
          <body pos="0.1 0.2 0.3" quat="0.6 0.9 0.4 -0.1">
            <freejoint/><geom name="b" type="box" pos="0.0128 0.005 0" size="0.015 0.01 0.001"/>
          </body>
        </worldbody>
        <contact>)" + pair + R"(</contact>
      </mujoco>)");
    Data<double> data(model);
    run(model, data);
    return data.ncon();
  };
  const std::string ball = R"(<geom pos="0.05 0 0" size="0.001"/>)";
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  CHECK(count("disable", ball, "") == count("enable", "", ""));
#else
  CHECK(count("enable", ball, "") == 0);
  CHECK(count("disable", ball, "") == 4);
  CHECK(count("enable", "", "") == 4);
  CHECK(count("enable", ball, R"(<pair geom1="a" geom2="b"/>)") == 4);
#endif
}

// According to the collider the geoms touch, at a distance that is zero up to rounding, but MuJoCo
// 3.12.0 finds no contact, because its sweep finds the bodies apart, or a box around several geoms
// misses the other body. Explicit pairs skip both checks and have contacts.
TEST_CASE("boxes around bodies may discard geoms that just touch", "[collide][stage]") {
  const auto count = [](const std::string& body1, const std::string& body2,
                        const std::string& pair = "") {
    const Model<double> model =
        support::parse("<mujoco><worldbody><body><freejoint/>" + body1 + "</body><body " + body2 +
                       "</body></worldbody><contact>" + pair + "</contact></mujoco>");
    Data<double> data(model);
    run(model, data);
    return data.ncon();
  };
  // two boxes, two contacts each, on a line where the bodies' boxes meet in single precision
  const std::string corner = "<geom type='box' size='.2 .1 .1'/>";
  const std::string swept =
      "pos='.4 0 .3'><freejoint/><geom type='box' size='.2 .1 .2'/>"
      "<geom name='b' type='box' size='.2 .3 .2' pos='0 0 .3'/>";
  const std::string wall = "<geom name='a' type='box' size='.2 .3 .1' pos='0 .3 0'/>";
  // a box beside a capsule
  const std::string pillar = "<geom type='capsule' size='.1 .1'/>";
  const std::string box = "<geom name='a' type='box' size='.15 .2 .2' pos='0 .2 .3'/>";
  const std::string sphere =
      "pos='.3 0 0'><freejoint/><geom name='b' type='capsule' "
      "size='.15 .1'/><geom size='.1' pos='0 .1 0'/>";
#if !defined(__FMA__) && !defined(__ARM_FEATURE_FMA)
  CHECK(count(corner + wall, swept) == 0);
  CHECK(count(pillar + box, sphere) == 0);
  CHECK(count(pillar + box, sphere, "<pair geom1='a' geom2='b'/>") == 2);
#endif
  // slightly nearer, they touch
  CHECK(count(corner + wall, "pos='.4 0 .29999'" + swept.substr(swept.find('>'))) > 0);
  CHECK(count(pillar + box, "pos='.29999 0 0'" + sphere.substr(sphere.find('>'))) == 2);
}

// The result of the general collider depends on its iterations. Beyond the default number, its
// polytope is stored in the data. Depth and normal from MuJoCo 3.12.0.
TEST_CASE("as many iterations as the option says", "[collide][stage]") {
  const std::pair<int, Vec<double, 4>> golden[] = {
      {35, {-0.25674328396590534, -0.016986876046968143, 0.181562723194375, 0.9832326396069284}},
      {50, {-0.2567444787607505, -0.016511768129178015, 0.18079901817761293, 0.9833814501704106}},
      {100, {-0.2567444853224909, -0.016420629533767796, 0.1806370827778056, 0.9834127349446107}}};
  for (const auto& [iterations, expected] : golden) {
    const Model<double> model = support::parse(
        "<mujoco><option ccd_tolerance='1e-9' ccd_iterations='" + std::to_string(iterations) +
        "'/><worldbody><geom type='ellipsoid' size='.3 .2 .1'/><body pos='.02 .01 .03' "
        "quat='5 1 2 3'><freejoint/><geom type='ellipsoid' size='.25 .15 .2'/></body></worldbody>"
        "</mujoco>");
    Data<double> data(model);
    run(model, data);
    INFO(iterations);
    REQUIRE(data.ncon() == 1);
    const auto d = data.ref();
    // rounding may change where the iteration stops, by this much
    CHECK(near(d.contact_dist[0], expected[0], 1e-9));
    for (int k = 0; k < 3; ++k) CHECK(near(d.contact_frame[k], expected[1 + k], 1e-7));
  }
}

TEST_CASE("contacts that do not fit are counted", "[collide]") {
  const Model<double> model = support::parse(three_balls);
  Data<double> data(model, {1, 100});
  run(model, data);
  CHECK(data.ncon() == 1);
  CHECK(data.ref().ncon_needed == 2);
  CHECK(Status{data.ref().status}.has(contacts_full));
  CHECK(data.ref().contact_geom[0] == 0);
  CHECK(data.ref().contact_geom[1] == 1);

  Data<double> enough(model, {2, 100});
  run(model, enough);
  CHECK(enough.ncon() == 2);
  CHECK(Status{enough.ref().status}.ok());
  CHECK(enough.ref().contact_efc_address[0] == -1);
}

TEST_CASE("flags switch collision off", "[collide]") {
  Model<double> model = support::parse(three_balls);
  Data<double> data(model);
  for (int flag : {int(disable_contact), int(disable_constraint)}) {
    model.opt.disableflags = flag;
    run(model, data);
    CHECK(data.ncon() == 0);
  }
  model.opt.disableflags = 0;
  run(model, data);
  CHECK(data.ncon() == 2);
}

TEST_CASE("margin detects, gap reports without force", "[collide]") {
  Model<double> model = support::parse(three_balls);
  const auto count = [&](double margin, double gap) {
    for (auto& x : model.geom_margin) x = margin / 2;
    for (auto& x : model.geom_gap) x = gap / 2;
    Data<double> data(model);
    data.qpos()[0] -= 1;     // a out of the way
    data.qpos()[7] -= 0.08;  // b and c 0.03 apart
    run(model, data);
    return data.ncon() == 0 ? -1 : data.ref().contact_exclude[0];
  };
  CHECK(count(0, 0) == -1);
  CHECK(count(0.04, 0) == 0);
  CHECK(count(0.02, 0.02) == 1);
  CHECK(count(0, 0.04) == 1);
  CHECK(count(0, 0.02) == -1);
}

TEST_CASE("adhesive contacts in the gap pull with a normal row only", "[collide]") {
  Model<double> model = support::parse(three_balls);
  for (auto& x : model.geom_gap) x = 0.1;
  model.geom_adhesion[1] = 5;
  Data<double> data(model);
  data.qpos()[0] -= 1;
  data.qpos()[7] -= 0.08;
  run(model, data);
  REQUIRE(data.ncon() == 1);
  CHECK(data.ref().contact_exclude[0] == 0);
  CHECK(data.ref().contact_dim[0] == 1);
  CHECK(near(data.ref().contact_adhesion[0], 5, 1e-12));
}

TEMPLATE_TEST_CASE("the stage runs in every scalar", "[collide]", float, (Dual<double, 8>)) {
  const Model<double> plain = support::load("collide_order");
  Data<double> expected(plain);
  run(plain, expected);
  const Model<TestType> model = cast<TestType>(plain);
  Data<TestType> data(model);
  run(model, data);
  CHECK(std::abs(data.ncon() - expected.ncon()) <= 6);
  for (int k = 0; k < data.ncon(); ++k) CHECK(corten::finite(data.ref().contact_dist[k]));
}

TEST_CASE("parameters of the model have derivatives too", "[collide]") {
  using D = Dual<double, 8>;
  Model<D> model = cast<D>(support::parse(three_balls));
  model.geom_size[0].v[0] = 1;      // radius of a
  model.geom_friction[0].v[0] = 1;  // and its friction
  model.geom_friction[0].a = 2;
  Data<D> data(model);
  run(model, data);
  REQUIRE(data.ncon() == 2);
  CHECK(near(data.ref().contact_dist[0].v[0], -1, 1e-12));
  CHECK(near(data.ref().contact_pos[0].v[0], 0.5, 1e-12));
  CHECK(near(data.ref().contact_friction[0].v[0], 1, 1e-12));
  CHECK(near(data.ref().contact_dist[1].v[0], 0, 1e-12));
}

TEST_CASE("nothing meets an sdf without data, and all goes on", "[collide][001-6b.11]") {
  const Model<double> model =
      support::parse(R"(<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
    <body pos="0 0 0.1"><freejoint/><geom name="sdf" type="sdf" size="0.2 0.3 0.6"/>
      <site name="s" pos="0 0 2"
      zaxis="0 0 -1"/></body>
    <body pos="0 0 0.2"><freejoint/><geom size="0.1"/></body></worldbody>
    <contact><pair geom1="floor" geom2="sdf"/></contact>
    <sensor><rangefinder site="s"/></sensor></mujoco>)");
  Data<double> data(model);
  for (int i = 0; i < 10; ++i) REQUIRE(step(model, data));
  CHECK(data.ncon() == 0);
  REQUIRE(forward(model, data).ok());
  CHECK(near_relative(data.ref().sensordata[0], 1.8, 0.01));  // to the sphere: the sdf is not seen
}
