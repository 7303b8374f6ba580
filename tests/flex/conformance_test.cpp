// SPDX-License-Identifier: Apache-2.0
//
// Flexes against MuJoCo 3.12.0: places, lengths, elastic forces, constraints, contacts and the
// implicit metric, one forward or one step at a time from the same input.
#include <corten/query/flex_ray.hpp>

#include "../support/golden.hpp"

#include <cmath>

namespace {

// qacc and what depends on it come out of iterations
bool iterated(const std::string& field) {
  return field.starts_with("qacc") || field == "qvel" || field == "qfrc_constraint" ||
         field == "efc_force" || field == "sensordata";
}

template <class S>
void agree(const char* name, double closed, double solved) {
  golden::compare<S>(name, [&](const std::string& where, const std::string& field, double error) {
    INFO(where << ' ' << field << " error " << error);
    CHECK(error < (iterated(field) ? solved : closed));
  });
}

}  // namespace

TEST_CASE("flexes agree with MuJoCo", "[flex][conformance]") {
  for (const char* name : {"flex_solid", "flex_cells", "flex_metric"}) {
    agree<double>(name, 1e-9, 1e-6);
  }
}

// Depths of contacts are small differences of positions: of seven digits they keep four, and the
// accelerations that contacts aim at no more. Everything else agrees to 1e-4.
TEST_CASE("flexes in single precision agree with MuJoCo", "[flex][conformance]") {
  agree<float>("flex_cells", 1e-3, 1e-3);
}

TEST_CASE("rays at flexes agree with MuJoCo", "[flex][query]") {
  struct Ray {
    int flex;
    corten::Vec3<double> from, along;
    corten::FlexParts parts;
    double dist;
    int vertex;
  };
  constexpr corten::FlexParts edges{false, true, false, false}, faces{false, false, true, false},
      vertices{true, false, false, false}, skin{false, false, false, true};
  const corten::Vec3<double> solid(0.34, -0.21, 0.7), sheet(0.71, -0.23, 0.432);
  const corten::Vec3<double> middle(-0.62, 0.46, -0.84), beside(-0.594, 0.446, -0.818);
  const corten::Vec3<double> corner(-0.52467562642990917, 0.41469483456896178,
                                    -0.98131029074903597),
      rim(-0.614, 0.51, -0.84);
  const Ray rays[] = {
      {1, solid, middle, {}, 0.44801341585003579, 5},
      {1, solid, middle, faces, 0.4519208059611271, 5},
      {1, solid, middle, vertices, -1, -1},
      {1, solid, beside, {}, 0.46515580918463895, 5},
      {1, solid, beside, edges, 0.50787479738374264, 4},
      {1, solid, beside, skin, 0.46515580918463895, 5},
      {1, solid, corner, vertices, 0.49300600716196069, 4},
      {1, solid, corner, faces, -1, -1},
      {1, solid, corner, skin, 0.4789704289106454, 4},
      {2, sheet, beside, {}, 0.48953280834710244, 4},
      {2, sheet, beside, faces, 0.51344743276283622, 4},
      {2, sheet, rim, vertices, 0.48425207774101736, 5},
      {2, sheet, rim, faces, -1, -1},
  };
  const auto model = support::load("flex_solid");
  corten::Data<double> data(model);
  REQUIRE(corten::forward(model, data).ok());
  for (const Ray& ray : rays) {
    INFO("ray " << &ray - rays);
    const auto hit =
        corten::cast_ray_at_flex(model, data, ray.flex, ray.from, ray.along, ray.parts);
    REQUIRE(hit);
    CHECK(std::fabs(hit->dist - ray.dist) < 1e-12);
    CHECK(hit->vertex == ray.vertex);
  }
  CHECK_FALSE(corten::cast_ray_at_flex(model, data, 3, solid, middle));

  const auto lines = support::load("flex_lines");
  corten::Data<double> at(lines);
  REQUIRE(corten::forward(lines, at).ok());
  const corten::Vec3<double> from(0.31, -0.23, 1.22), along(-0.614, 0.46, -0.84);
  const auto hit = [&](const corten::FlexParts& parts) {
    return corten::cast_ray_at_flex(lines, at, 1, from, along, parts).value();
  };
  CHECK(std::fabs(hit({}).dist - 0.49030766960770944) < 1e-12);
  CHECK(hit({}).vertex == 2);
  CHECK(std::fabs(hit(vertices).dist - 0.4929180059587604) < 1e-12);
  CHECK(hit(skin).vertex == -1);  // a line has neither faces nor a skin
}

// At the state of the first entry of flex_metric, with qacc = sin(1 + i), as mj_inverse gives it.
TEST_CASE("inverse dynamics with the implicit metric agrees with MuJoCo", "[flex][conformance]") {
  const auto model = support::load("flex_metric");
  corten::Data<double> data(model);
  const auto golden = golden::load_golden("flex_metric");
  REQUIRE(corten::io::read_state(*(*golden.find("data")->array())[0].find("pre"), data));
  const int nv = model.n.nv;
  for (int i = 0; i < nv; ++i) data.ref().qacc[i] = std::sin(1.0 + i);
  REQUIRE(corten::inverse(model, data).ok());
  const auto& force = data.ref().qfrc_inverse;
  double sum = 0;
  for (int i = 0; i < nv; ++i) sum += std::cos(double(i)) * force[i];
  CHECK(std::fabs(sum + 2179.8303014290573) < 1e-6);
  const double expected[] = {-1.4715031332419324,  0.012575652022773963, -0.27174461152087992,
                             0.40436205742307951,  33.592967811975576,   0.037474891251018209,
                             0.022965805330043436, 6.5246944135957392,   0.22097033662313378};
  for (int k = 0; k < 9; ++k) CHECK(std::fabs(force[20 * k] - expected[k]) < 1e-8);

  // the acceleration of forward dynamics takes no force
  REQUIRE(corten::forward(model, data).ok());
  REQUIRE(corten::inverse(model, data).ok());
  for (int i = 0; i < nv; ++i) CHECK(std::fabs(force[i]) < 1e-3);
}

// A body has five geoms and the flex 84 triangles: which of their contacts are kept, and in which
// order they are looked at, depends on how the trees of both are descended.
TEST_CASE("of more than 50 contacts of a body with a flex those of MuJoCo are kept",
          "[flex][conformance]") {
  const auto model = support::parse(
      "<mujoco><worldbody><geom type='box' size='.1 .1 .1' pos='-.11 -.11 -.09'/><geom type='box' "
      "size='.1 .1 .1' pos='.11 -.11 -.1'/><geom type='plane' size='1 1 1' pos='0 0 -.5'/><geom "
      "type='box' size='.1 .1 .1' pos='-.11 .11 -.11'/><geom type='sphere' size='.12' pos='.11 .11 "
      "-.1'/><flexcomp name='f' type='grid' count='8 7 1' spacing='.05 .05 .05' pos='0 0 .002' "
      "mass='1' radius='.01' dim='2'><contact selfcollide='none' internal='false'/></flexcomp>"
      "</worldbody></mujoco>");
  const int element[] = {1,  3,  5,  7,  13, 15, 17, 19, 25, 27, 29, 31, 37, 39, 41, 43, 49,
                         51, 53, 54, 54, 61, 63, 63, 64, 64, 64, 65, 65, 65, 72, 73, 74, 74,
                         74, 75, 75, 75, 77, 78, 78, 79, 54, 55, 56, 57, 66, 69, 70, 79};
  corten::Data<double> data(model);
  REQUIRE(corten::forward(model, data).ok());
  const auto& d = data.ref();
  REQUIRE(d.ncon == 50);
  for (int c = 0; c < 50; ++c) {
    CHECK(d.contact_geom[2 * c] == (c < 16 ? 0 : c < 42 ? 1 : 4));
    CHECK(d.contact_elem[2 * c + 1] == element[c]);
  }
}

// the frictionless weight of a sheet that lies on a block, as a box and as a distance field
TEST_CASE("sheets lie on distance fields as on boxes", "[flex]") {
  for (const char* type : {"type='box' size='.2 .2 .05'", "type='sdf' mesh='block'"}) {
    INFO(type);
    const auto model = corten::load_string(
        std::string("<mujoco><asset><mesh name='block' scale='.2 .2 .05' vertex='-1 -1 -1 1 -1 -1 "
                    "-1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1'/></asset><worldbody><geom ") +
        type +
        "/><flexcomp name='f' type='grid' count='4 3 1' spacing='.07 .07 .07' pos='0 0 .061' "
        "mass='.2' radius='.01' dim='2'><elasticity young='2e4' poisson='.2' thickness='1e-2' "
        "elastic2d='both' damping='.01'/><contact selfcollide='none' condim='1'/></flexcomp>"
        "</worldbody></mujoco>");
    if (!model) FAIL(model.error().to_string());
    corten::Data<double> data(*model);
    for (int i = 0; i < 300; ++i) REQUIRE(corten::step(*model, data).ok());
    double force = 0;
    for (int i = 0; i < model->n.nv; i += 3) force += data.ref().qfrc_constraint[i + 2];
    CHECK(std::fabs(force - 0.2 * 9.81) < 0.02);
    for (int v = 0; v < model->n.nflexvert; ++v) {
      CHECK(std::fabs(data.ref().flexvert_xpos[3 * v + 2] - 0.06) < 2e-3);
    }
  }
}
