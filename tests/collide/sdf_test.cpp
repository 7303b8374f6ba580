// SPDX-License-Identifier: Apache-2.0
//
// Distance fields against every kind of geom: where they touch, the normal and the depth, how
// contacts change with the pose, and what rays and sensors see of them. The grids are sampled from
// formulas here.
#include <corten/compile/grid.hpp>

#include "../support/model.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace corten;

namespace {

using Dual8 = Dual<double, 8>;

using Grid = std::shared_ptr<const asset::SdfGrid>;

// samples a formula over a box around the origin
template <class F>
Grid make_grid(const Vec3<double>& half, double cell, const F& distance) {
  auto out = std::make_shared<asset::SdfGrid>();
  out->cell = cell;
  for (int k = 0; k < 3; ++k) {
    out->n[k] = 2 * int(std::ceil(half[k] / cell)) + 1;
    out->origin[k] = -cell * (out->n[k] - 1) / 2;
  }
  for (int z = 0; z < out->n[2]; ++z) {
    for (int y = 0; y < out->n[1]; ++y) {
      for (int x = 0; x < out->n[0]; ++x) {
        const Vec3<double> p(out->origin[0] + cell * x, out->origin[1] + cell * y,
                             out->origin[2] + cell * z);
        out->data.push_back(float(distance(p)));
      }
    }
  }
  return out;
}

Grid ball(double radius = 0.1) {
  const double half = 1.2 * radius;
  return make_grid({half, half, half}, radius / 20,
                   [&](const Vec3<double>& p) { return p.norm() - radius; });
}

Grid slab() {
  const Vec3<double> size(0.2, 0.2, 0.05);
  return make_grid({0.23, 0.23, 0.08}, 0.01, [&](const Vec3<double>& p) {
    const Vec3<double> q = p.cwiseAbs() - size;
    return q.cwiseMax(Vec3<double>::Zero()).norm() + std::min(q.maxCoeff(), 0.0);
  });
}

// a ring around the z axis
Grid ring() {
  return make_grid({0.26, 0.26, 0.08}, 0.01, [](const Vec3<double>& p) {
    return std::hypot(std::hypot(p[0], p[1]) - 0.2, p[2]) - 0.05;
  });
}

constexpr const char* assets =
    "<asset><mesh name='cube' vertex='-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 "
    "-.1 .1 -.1 .1 "
    ".1 .1 .1 .1'/><mesh name='round' builtin='sphere' params='3' scale='.1 .1 .1'/>"
    "<hfield name='hill' nrow='5' ncol='5' size='1 1 .1 .1' elevation='0 0 0 0 0 0 1 0 0 0 0 0 0 0 "
    "0 0 0 0 0 0 "
    "0 0 0 0 0'/></asset>";

// A geom of the world and a free body with another one. Geoms whose text says sdf get the grids, in
// order.
Model<double> model_of(const std::string& fixed, const std::string& moving, const std::string& pose,
                       const std::vector<Grid>& grids) {
  auto spec = mjcf::parse("<mujoco><option gravity='0 0 -9.81'/>" + std::string(assets) +
                          "<worldbody><geom " + fixed + "/><body " + pose + "><freejoint/><geom " +
                          moving + "/></body></worldbody></mujoco>");
  REQUIRE(spec.ok());
  std::size_t next = 0;
  for (spec::Geom* g : {&spec->world.geoms[0], &spec->world.bodies[0].geoms[0]}) {
    if (g->type == GeomType::sdf && next < grids.size()) g->grid = grids[next++];
  }
  return support::checked(compile(*spec));
}

struct Contact {
  double dist;
  Vec3<double> pos, normal;
};

std::vector<Contact> contacts(const Model<double>& model) {
  Data<double> data(model);
  REQUIRE(forward(model, data).ok());
  const auto d = data.ref();
  std::vector<Contact> out;
  for (int c = 0; c < data.ncon(); ++c) {
    out.push_back(
        {d.contact_dist[c], vec3<double>(d.contact_pos, c), vec3<double>(d.contact_frame, 3 * c)});
  }
  std::sort(out.begin(), out.end(),
            [](const Contact& a, const Contact& b) { return a.dist < b.dist; });
  return out;
}

// the numbers of all contacts when the free body is moved along t
template <class S>
std::vector<S> moved(const Model<double>& model, const Vec6<S>& t) {
  Data<S> data(model);
  auto q = data.qpos();
  for (std::size_t i = 0; i < 3; ++i) q[i] += t[int(i)];
  const Quat<S> turned =
      integrate(Quat<S>(q[3], q[4], q[5], q[6]), Vec3<S>(t[3], t[4], t[5]), S(1));
  for (std::size_t i = 0; i < 4; ++i) q[3 + i] = turned[int(i)];
  REQUIRE(forward(model, data).ok());
  std::vector<S> out;
  const auto d = data.ref();
  for (int c = 0; c < data.ncon(); ++c) {
    out.push_back(d.contact_dist[c]);
    for (int k = 0; k < 3; ++k) out.push_back(d.contact_pos[3 * c + k]);
    for (int k = 0; k < 3; ++k) out.push_back(d.contact_frame[9 * c + k]);
  }
  return out;
}

// the largest difference between a derivative and central differences
double derivative_error(const Model<double>& model, double step) {
  Vec6<Dual8> seeded;
  for (int i = 0; i < 6; ++i) seeded[i] = Dual8(0.0, i);
  const auto exact = moved<Dual8>(model, seeded);
  REQUIRE(!exact.empty());
  double worst = 0;
  for (int i = 0; i < 6; ++i) {
    Vec6<double> t = Vec6<double>::Zero();
    t[i] = step;
    const auto plus = moved<double>(model, t), minus = moved<double>(model, Vec6<double>(-t));
    REQUIRE((plus.size() == exact.size() && minus.size() == exact.size()));
    for (std::size_t k = 0; k < exact.size(); ++k) {
      worst = std::max(worst, std::abs((plus[k] - minus[k]) / (2 * step) - exact[k].v[i]));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("a field of distances meets every kind of geom",
          "[collide][001-6b.1][001-6b.7][001-6b.8]") {
  struct Case {
    const char* geom;
    std::size_t least;  // contacts
    double error;       // of the depth
  };
  const Case cases[] = {{"type='plane' size='1 1 1'", 4, 1e-6},
                        {"type='sphere' size='.1' pos='0 0 -.1'", 1, 1e-6},
                        {"type='capsule' size='.1 .1' pos='0 0 -.1' euler='90 0 0'", 2, 1e-6},
                        {"type='capsule' size='.1 .1' pos='0 0 -.2'", 1, 1e-6},
                        {"type='ellipsoid' size='.2 .15 .1' pos='0 0 -.1'", 1, 1e-6},
                        {"type='cylinder' size='.1 .1' pos='0 0 -.1'", 4, 1e-6},
                        {"type='cylinder' size='.1 .1' pos='0 0 -.1' euler='90 0 0'", 2, 1e-6},
                        {"type='box' size='.1 .1 .1' pos='0 0 -.1' euler='0 0 30'", 4, 1e-6},
                        {"type='mesh' mesh='cube' pos='0 0 -.1'", 4, 1e-6},
                        {"type='mesh' mesh='round' pos='0 0 -.1'", 1, 2e-5},
                        {"type='sdf' pos='0 0 -.05'", 4, 1e-6}};
  for (const Case& c : cases) {
    INFO(c.geom);
    // a flat side that is 1 mm deep
    const auto found = contacts(model_of(c.geom, "type='sdf'", "pos='0 0 .049'", {slab(), slab()}));
    REQUIRE(found.size() >= c.least);
    CHECK(found.size() <= 16);
    CHECK(near(found[0].dist, -0.001, c.error));
    CHECK(near(found[0].pos[2], -0.0005, c.error + 1e-6));
    CHECK(near(found[0].normal[2], 1, 1e-3));
    if (c.least == 1) CHECK(found.size() == 1);  // round: all points meet
    for (const Contact& hit : found) CHECK(hit.normal[2] > 0.99);
    // no contact out of reach, but one within a margin
    const std::string above = "pos='0 0 .052'";
    CHECK(contacts(model_of(c.geom, "type='sdf'", above, {slab(), slab()})).empty());
    const auto apart =
        contacts(model_of(c.geom, "type='sdf' margin='.003'", above, {slab(), slab()}));
    REQUIRE(!apart.empty());
    CHECK(near(apart[0].dist, 0.002, 2 * c.error));
  }
}

TEST_CASE("a field of distances lies on the hill of a height field",
          "[collide][001-6b.1][001-6b.10]") {
  // the hill is at a node away from the middle
  const auto at = [&](const char* pose) {
    return contacts(
        model_of("type='hfield' hfield='hill' pos='1 2 3'", "type='sdf'", pose, {ball()}));
  };
  const auto top = at("pos='.5 2.5 3.198'");
  REQUIRE(top.size() >= 1);
  CHECK(near(top[0].dist, -0.002, 2e-4));
  CHECK(near(top[0].pos[0], 0.5, 0.02));
  CHECK(near(top[0].pos[1], 2.5, 0.02));
  CHECK(top[0].normal[2] > 0.95);
  CHECK(at("pos='1.5 2.5 3.15'").empty());
  CHECK(at("pos='1.5 2.5 3.098'").size() == 1);
}

TEST_CASE("normals go from the first geom to the second", "[collide][001-6b.5][001-6b.6]") {
  // either of two fields may be above the other
  for (const double side : {1.0, -1.0}) {
    const std::string pose = "pos='0 0 " + std::to_string(0.149 * side) + "'";
    const auto two = contacts(model_of("type='sdf'", "type='sdf'", pose, {slab(), ball()}));
    REQUIRE(two.size() == 1);
    CHECK(near(two[0].dist, -0.001, 2e-5));
    CHECK(near(two[0].normal[2], side, 1e-3));
    // a field is always the second geom of a pair with another kind, whichever was written first
    const auto other = contacts(model_of("type='sdf'", "size='.1'", pose, {slab()}));
    REQUIRE(other.size() == 1);
    CHECK(near(other[0].normal[2], -side, 1e-3));
    // with a plane, the normal is the plane's
    const auto plane =
        contacts(model_of("type='plane' size='1 1 1'", "type='sdf'", "pos='0 0 .099'", {ball()}));
    REQUIRE(plane.size() == 1);
    CHECK(near(plane[0].dist, -0.001, 2e-5));
    CHECK(near(plane[0].normal[2], 1, 1e-3));
  }
}

TEST_CASE("a ring hangs on a rod that goes through it", "[collide][001-6b.1]") {
  const auto through = [&](const char* pose) {
    return contacts(model_of("type='capsule' size='.05 1'", "type='sdf'", pose, {ring()}));
  };
  CHECK(through("pos='0 0 0'").empty());  // its hull would be full
  const auto found = through("pos='.101 0 0'");
  REQUIRE(found.size() >= 1);
  CHECK(near(found[0].dist, -0.001, 1e-4));
  CHECK(near(found[0].pos[0], -0.0495, 1e-3));
  CHECK(near(found[0].normal[0], -1, 1e-2));
}

TEST_CASE("contacts of fields have the derivatives of differences", "[collide][001-6b.1]") {
  struct Case {
    const char *fixed, *moving, *pose;
    double error;
  };
  const Case cases[] = {
      {"size='.1' pos='0 0 -.1'", "type='sdf'", "pos='.01 .02 .0485' euler='1 2 3'", 1e-4},
      {"type='plane' size='1 1 1'", "type='sdf'", "pos='.01 .02 .048' euler='.2 .3 3'", 1e-4},
      {"type='box' size='.3 .1 .1' pos='0 0 -.1'", "type='sdf'",
       "pos='.01 .02 .048' euler='.2 .3 3'", 1e-4},
      {"type='sdf'", "type='ellipsoid' size='.1 .07 .05'", "pos='.013 .021 .098' euler='10 20 30'",
       1e-4},
      {"type='sdf'", "type='sdf'", "pos='.013 .021 .1483' euler='10 20 30'", 1e-3},
      {"type='mesh' mesh='cube' pos='0 0 -.1'", "type='sdf'", "pos='.01 .02 .048' euler='.2 .3 3'",
       1e-4}};
  for (const Case& c : cases) {
    INFO(c.fixed << ' ' << c.moving);
    CHECK(derivative_error(model_of(c.fixed, c.moving, c.pose, {slab(), ball()}), 1e-6) < c.error);
  }
}

TEST_CASE("fields rest on fields, in double and in float", "[collide][001-6b.5]") {
  const Model<double> model = model_of("type='sdf' pos='0 0 -.05'", "type='sdf' mass='1'",
                                       "pos='.03 .02 .06' euler='3 2 20'", {slab(), slab()});
  Data<double> data(model);
  for (int i = 0; i < 300; ++i) REQUIRE(step(model, data).ok());
  CHECK(near(data.qpos()[2], 0.05, 1e-3));
  CHECK(std::abs(data.qvel()[2]) < 1e-3);
  CHECK(data.ncon() >= 3);
  const Model<float> narrow = cast<float>(model);
  Data<float> single(narrow);
  for (int i = 0; i < 300; ++i) REQUIRE(step(narrow, single).ok());
  CHECK(near(single.qpos()[2], 0.05, 1e-3));
}

TEST_CASE("a place is filled in code, and rays and sensors see what is there",
          "[collide][001-6b.2][001-6b.3]") {
  Model<double> model = support::parse(R"(<mujoco><option gravity="0 0 0"/><worldbody>
    <geom name="part" type="sdf" pos="1 0 0"/><body pos="1 0 0.25"><freejoint/>
    <geom name="probe" size="0.05"/><site name="s" zaxis="0 0 -1"/></body></worldbody><sensor>
    <rangefinder site="s"/><distance geom1="part" geom2="probe" cutoff="1"/></sensor></mujoco>)");
  Data<double> before(model);
  REQUIRE(forward(model, before).ok());
  CHECK(before.ref().sensordata[0] == -1);
  CHECK(before.ref().sensordata[1] == 1);
  CHECK(model.n.ncandidate == 0);

  CHECK(set_grid(model, 7, *ball()).error().message == "there is no such geom");
  CHECK(set_grid(model, 1, *ball()).error().message == "the geom is not an sdf");
  asset::SdfGrid bad = *ball();
  bad.data.pop_back();
  CHECK(set_grid(model, 0, bad).error().message.find("distances for") != std::string::npos);
  REQUIRE(set_grid(model, 0, *ball()).ok());
  CHECK(model.n.nsdf == 1);
  CHECK(model.n.ncandidate == 1);
  const double half = ball()->high(0);
  CHECK(near(model.geom_rbound[0], std::sqrt(3.0) * half, 1e-12));
  CHECK(near(model.geom_aabb[3], half, 1e-12));
  Data<Dual8> data(model);
  data.qpos()[2] = Dual8(0.25, 0);
  data.qpos()[0] = Dual8(1, 1);
  REQUIRE(forward(model, data).ok());
  CHECK(near(data.ref().sensordata[0], 0.15, 1e-4));
  CHECK(near(data.ref().sensordata[0].v[0], 1, 1e-6));
  CHECK(near(data.ref().sensordata[1], 0.1, 1e-3));
  CHECK(near(data.ref().sensordata[1].v[0], 1, 1e-2));
}
