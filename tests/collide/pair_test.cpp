// SPDX-License-Identifier: Apache-2.0
//
// Explicit pairs and excluded bodies: which geoms collide, and with which parameters.
#include "../support/model.hpp"

#include <string>

using namespace corten;

namespace {

// Two balls that overlap and a third on the second, each free, above a floor. `ball` are attributes
// of every geom.
std::string balls(const std::string& contact, const std::string& ball = "",
                  const std::string& more = "") {
  return "<mujoco>" + more +
         "<worldbody><geom name='floor' type='plane' size='0 0 1' pos='0 0 -1' " + ball +
         "/><body name='a'><freejoint/><geom name='a' size='0.1' " + ball +
         "/><geom name='a2' size='0.1' pos='0 0.02 0' " + ball +
         "/></body><body name='b' pos='0.15 0 0'><freejoint/><geom name='b' size='0.1' " + ball +
         "/></body><body name='c' pos='0.3 0 0'><freejoint/><geom name='c' size='0.1' " + ball +
         "/></body></worldbody><contact>" + contact + "</contact></mujoco>";
}

Data<double> run(const Model<double>& model) {
  Data<double> data(model);
  REQUIRE(forward(model, data).ok());
  return data;
}

// number of contacts between two geoms of balls()
int between(const Data<double>& data, int g1, int g2) {
  int count = 0;
  for (int c = 0; c < data.ncon(); ++c) {
    const int first = data.ref().contact_geom[2 * c], second = data.ref().contact_geom[2 * c + 1];
    count += (first == g1 && second == g2) || (first == g2 && second == g1);
  }
  return count;
}

enum { floor_geom, a_geom, a2_geom, b_geom, c_geom };

std::string failure(const std::string& text) {
  const auto model = load_string(text);
  return model ? "no error" : model.error().to_string();
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("excluded bodies do not meet, the others do",
          "[collide][002-3.1][002-3.2][002-3.12][002-3.15]") {
  const Data<double> all = run(support::parse(balls("")));
  CHECK(all.ncon() == 3);  // a-b, a2-b, b-c
  for (const char* order : {"body1='a' body2='b'", "body1='b' body2='a'"}) {
    const Data<double> data = run(support::parse(balls("<exclude " + std::string(order) + "/>")));
    CHECK(data.ncon() == 1);
    CHECK(between(data, b_geom, c_geom) == 1);
  }
  // an exclusion does not apply to an explicit pair
  const Data<double> pair =
      run(support::parse(balls("<exclude body1='a' body2='b'/><pair geom1='a' geom2='b'/>")));
  CHECK(pair.ncon() == 2);
  CHECK(between(pair, a_geom, b_geom) == 1);
  // excluding a body from itself is accepted and changes nothing
  CHECK(run(support::parse(balls("<exclude body1='a' body2='a'/>"))).ncon() == 3);
}

TEST_CASE("a pair passes every filter except distance", "[collide][002-3.3][002-3.4]") {
  const std::string silent = "contype='0' conaffinity='0'";
  CHECK(run(support::parse(balls("", silent))).ncon() == 0);
  CHECK(run(support::parse(balls("<pair geom1='b' geom2='a'/>", silent))).ncon() == 1);
  CHECK(run(support::parse(balls("<pair geom1='a' geom2='a2'/>", silent))).ncon() ==
        1);  // of one body
  CHECK(run(support::parse(balls("<pair geom1='a' geom2='c'/>", silent))).ncon() == 0);  // too far

  const auto parent = [](const char* contact) {
    return run(support::parse("<mujoco><worldbody><body><freejoint/><geom name='p' size='0.1'/>"
                              "<body pos='0.1 0 0'><joint/><geom name='q' "
                              "size='0.1'/></body></body></worldbody>"
                              "<contact>" +
                              std::string(contact) + "</contact></mujoco>"))
        .ncon();
  };
  CHECK(parent("") == 0);
  CHECK(parent("<pair geom1='p' geom2='q'/>") == 1);

  // bounding spheres overlap, the boxes do not
  const auto boxes = [](const char* place) {
    return run(support::parse(
                   "<mujoco><worldbody><geom name='p' type='box' size='0.1 0.1 0.1'/><body pos='" +
                   std::string(place) +
                   "'><freejoint/><geom name='q' type='box' size='0.1 0.1 0.1'/></body></worldbody>"
                   "<contact><pair geom1='p' geom2='q'/></contact></mujoco>"))
        .ncon();
  };
  CHECK(boxes("0.25 0 0") == 0);
  CHECK(boxes("0.19 0 0") == 4);
}

TEST_CASE("the parameters of a pair are its own",
          "[collide][002-3.5][002-3.6][002-3.7][002-3.8][002-3.14]") {
  const Model<double> model = support::parse(balls(
      "<pair geom1='a' geom2='b' condim='1' friction='0.1 0.2 0.3 0.4 0.5' solref='0.05 0.8' "
      "solimp='0.85 0.9 0.002 0.4 1.5'/><pair geom1='a2' geom2='b' friction='0.5'/>"
      "<pair geom1='b' geom2='c' class='custom' solref='0.07'/>",
      "friction='2 2 2' condim='6' solref='0.1 0.1'",
      "<default><default class='custom'><pair condim='4' solref='0.03 0.6'/></default></default>"));
  const Data<double> data = run(model);
  REQUIRE(data.ncon() == 3);  // one each, the pair's
  for (const int other : {int(a_geom), int(a2_geom), int(c_geom)})
    CHECK(between(data, other, b_geom) == 1);
  const auto& d = data.ref();
  CHECK(d.contact_dim[0] == 1);
  for (int k = 0; k < 5; ++k) CHECK(near(d.contact_friction[k], 0.1 * (k + 1), 1e-12));
  CHECK((d.contact_solref[0] == 0.05 && d.contact_solref[1] == 0.8));
  const double solimp[] = {0.85, 0.9, 0.002, 0.4, 1.5};
  for (int k = 0; k < 5; ++k) CHECK(d.contact_solimp[k] == solimp[k]);
  // a single number is the first one, the rest are the defaults of pairs
  CHECK(d.contact_dim[1] == 3);
  const double friction[] = {0.5, 1, 0.005, 0.0001, 0.0001};
  for (int k = 0; k < 5; ++k) CHECK(d.contact_friction[5 + k] == friction[k]);
  // from the class, number by number
  CHECK(d.contact_dim[2] == 4);
  CHECK((d.contact_solref[4] == 0.07 && d.contact_solref[5] == 0.6));
}

TEST_CASE("every contact of a pair has its parameters", "[collide][002-3.6]") {
  const Data<double> data =
      run(support::parse("<mujoco><worldbody><geom name='p' type='plane' size='0 0 1'/><body "
                         "pos='0 0 0.099'><freejoint/>"
                         "<geom name='q' type='box' size='0.1 0.1 0.1'/></body></worldbody>"
                         "<contact><pair geom1='q' geom2='p' condim='1'/></contact></mujoco>"));
  REQUIRE(data.ncon() == 4);
  for (int c = 0; c < 4; ++c) CHECK(data.ref().contact_dim[c] == 1);
  CHECK(data.nefc() == 4);
}

// As in MuJoCo 3.12, the margin of a pair is the distance at which forces begin, and the gap
// extends detection beyond it.
TEST_CASE("margin and gap of a pair", "[collide][002-3.9]") {
  const auto seen = [](const char* margin) {
    const Model<double> model = support::parse(
        balls("<pair geom1='a' geom2='c' margin='" + std::string(margin) + "' gap='0.05'/>",
              "contype='0' conaffinity='0'"));
    CHECK(model.pair_gap[0] == 0.05);
    CHECK(model.pair_margin[0] == std::stod(margin));
    const Data<double> data = run(model);  // 0.1 apart
    return data.ncon() == 0 ? -1 : data.ref().contact_exclude[0];
  };
  CHECK(seen("0.01") == -1);
  CHECK(seen("0.06") == 1);
  CHECK(seen("0.11") == 0);
}

TEST_CASE("friction of a pair refers to its solref unless it has its own", "[collide][002-3.10]") {
  const auto slide = [](const std::string& own) {
    const Model<double> model = support::parse(
        balls("<pair geom1='a' geom2='b' solref='0.05 0.8' " + own + "/>",
              "contype='0' conaffinity='0'", "<option cone='elliptic' gravity='0 0 0'/>"));
    Data<double> data(model);
    data.qvel()[1] = 1;
    REQUIRE(forward(model, data).ok());
    REQUIRE(data.nefc() == 3);
    return data.ref().efc_aref[1];
  };
  CHECK(slide("") != 0);
  CHECK(slide("") == slide("solreffriction='0.05 0.8'"));
  CHECK(slide("") != slide("solreffriction='0.2 0.8'"));
}

TEST_CASE("a pair given twice is two pairs, as in MuJoCo", "[collide]") {
  const Data<double> data =
      run(support::parse(balls("<pair geom1='a' geom2='c' condim='1' margin='1'/><pair geom1='c' "
                               "geom2='a' condim='4' margin='1'/>")));
  CHECK(between(data, a_geom, c_geom) == 2);
}

TEST_CASE("pairs and exclusions of missing geoms and bodies", "[collide][002-3.13][002-3.17]") {
  for (const char* attribute : {"geom1", "geom2"}) {
    const std::string other = attribute == std::string("geom1") ? "geom2" : "geom1";
    CHECK(has(failure(balls("<pair " + other + "='a'/>")), attribute));
    const std::string unknown =
        failure(balls("<pair " + other + "='a' " + attribute + "='nowhere'/>"));
    INFO(unknown);
    CHECK(has(unknown, "'nowhere'"));
    CHECK(has(unknown, attribute));
  }
  for (const char* attribute : {"body1", "body2"}) {
    const std::string other = attribute == std::string("body1") ? "body2" : "body1";
    CHECK(has(failure(balls("<exclude " + other + "='a'/>")), attribute));
    const std::string unknown =
        failure(balls("<exclude " + other + "='a' " + attribute + "='nowhere'/>"));
    INFO(unknown);
    CHECK(has(unknown, "'nowhere'"));
    CHECK(has(unknown, attribute));
  }
}

// Height fields and planes are static. MuJoCo lets a mesh collide with a height field, and so does
// corten.
TEST_CASE("height fields do not meet what is static", "[collide][001-6a.11]") {
  const auto met = [](const std::string& other, const std::string& fixed) {
    const Model<double> model = support::parse(
        "<mujoco><asset><hfield name='h' nrow='3' ncol='3' size='1 1 0.2 0.1' elevation='0 1 0 1 2 "
        "1 0 1 0'/>"
        "<mesh name='m' vertex='0 0 0 0.2 0 0 0 0.2 0 0 0 0.2'/></asset>"
        "<worldbody>" +
        fixed + "<body><freejoint/><geom size='0.1' contype='0' conaffinity='0'/><geom name='q' " +
        other + "/></body></worldbody><contact><pair geom1='p' geom2='q'/></contact></mujoco>");
    Data<double> data(model);
    REQUIRE(step(model, data).ok());
    return data.ncon();
  };
  const std::string field = "type='hfield' hfield='h' mass='1'";
  CHECK(met(field, "<geom name='p' type='hfield' hfield='h'/>") == 0);
  CHECK(met(field, "<geom name='p' type='plane' size='1 1 1'/>") == 0);
  CHECK(met("type='mesh' mesh='m'", "<geom name='p' type='hfield' hfield='h'/>") > 0);
}
