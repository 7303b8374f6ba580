// SPDX-License-Identifier: Apache-2.0
//
// Rays and distances as functions: what they detect, what they skip, and their derivatives.
#include <corten/geom/mesh_ray.hpp>
#include <corten/query/scene.hpp>
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"

#include <cmath>

using namespace corten;
using V3 = Vec3<double>;

namespace {

// geoms in a row along x; the second is on its own body
const char* const row = R"(
<mujoco>
  <asset><material name="glass" rgba="1 1 1 0"/></asset>
  <worldbody>
    <geom name="near" type="box" size="0.1 1 1" pos="1 0 0" group="2"/>
    <body name="moves" pos="2 0 0"><freejoint/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <geom name="ball" size="0.5" group="7"/>
    </body>
    <geom name="clear" type="box" size="0.1 1 1" pos="0.5 0 0" rgba="1 0 0 0"/>
    <geom name="glass" type="box" size="0.1 1 1" pos="0.7 0 0" material="glass"/>
    <geom name="far" type="plane" size="1 1 1" pos="4 0 0" zaxis="-1 0 0" group="-3"/>
    <geom name="rod" type="capsule" size="0.1 0.4" pos="0 0 3"/>
    <geom name="can" type="cylinder" size="0.2 0.3" pos="0 2 3" euler="40 0 0"/>
  </worldbody>
</mujoco>)";

struct Row {
  Model<double> model = support::parse(row);
  Data<double> data{model};

  Row() { REQUIRE(forward(model, data).ok()); }
  RayHit<double> cast(const V3& from, const V3& along, const RayFilter& filter = {}) {
    return cast_ray(model, data, from, along, filter).value();
  }
  int geom(const std::string& name) const {
    for (std::size_t g = 0; g < model.names.geom.size(); ++g) {
      if (model.names.geom[g] == name) return int(g);
    }
    return -1;
  }
};

}  // namespace

TEST_CASE("a ray meets the nearest geom that its filter lets through", "[collide][ray]") {
  Row r;
  const V3 x(1, 0, 0), origin(0, 0, 0);
  auto hit = r.cast(origin, x);
  CHECK(hit.geom == r.geom("near"));  // passes through fully transparent geoms
  CHECK(near(hit.dist, 0.9, 1e-12));
  CHECK(hit.normal == V3(-1, 0, 0));

  // distances are multiples of the direction's length
  CHECK(near(r.cast(origin, V3(3, 0, 0)).dist, 0.3, 1e-12));

  // groups, with those out of range clamped to the ends
  hit = r.cast(origin, x, {.groups = ~(1u << 2)});
  CHECK(hit.geom == r.geom("ball"));
  CHECK(near(hit.dist, 1.5, 1e-12));
  CHECK(r.cast(origin, x, {.groups = 1u << 5}).geom == r.geom("ball"));
  CHECK(r.cast(origin, x, {.groups = 1u << 0}).geom == r.geom("far"));
  CHECK(r.cast(origin, x, {.groups = 1u << 3}).geom == -1);

  // without static geoms, and without one body
  CHECK(r.cast(origin, x, {.fixed = false}).geom == r.geom("ball"));
  hit = r.cast(V3(1.2, 0, 0), x, {.exclude_body = 1});
  CHECK(hit.geom == r.geom("far"));
  CHECK(near(hit.dist, 2.8, 1e-12));

  // a plane is hit only from its front and within its size
  CHECK(r.cast(V3(5, 0, 0), V3(-1, 0, 0), {.groups = 1}).geom == -1);
  CHECK(r.cast(V3(3, 1.1, 0), x).geom == -1);
  hit = r.cast(V3(3, 0, 5), V3(0, 0, 1));
  CHECK(hit.geom == -1);
  CHECK(hit.dist == -1);
  CHECK(hit.normal == V3(0, 0, 0));
}

TEST_CASE("normals of rays are gradients of the surface", "[collide][ray]") {
  Row r;
  const auto m = make_ref<DefaultPolicies>(r.model);
  // Points around the rod and the can. The distance falls as the origin moves against the normal.
  for (const auto& [from, to] : {std::pair<V3, V3>{V3(1, 0.1, 3.2), V3(0, 0, 3.1)},
                                 {V3(0.3, 0.2, 4.5), V3(0.02, 0, 3.4)},
                                 {V3(0.6, 1.5, 3.3), V3(0, 2, 3)},
                                 {V3(0.1, 1, 4), V3(0, 1.9, 3.2)}}) {
    const V3 along = (to - from).normalized();
    const auto hit = r.cast(from, along);
    REQUIRE(hit.geom >= 0);
    CHECK(near(hit.normal.norm(), 1, 1e-12));
    const double h = 1e-6;
    for (int k = 0; k < 3; ++k) {
      V3 moved = from;
      moved[k] += h;
      // the plane n · (x + t v) = const through the surface point has dt = - n_k / (n · v)
      const double slope = (r.cast(moved, along).dist - hit.dist) / h;
      CHECK(near(slope, -hit.normal[k] / hit.normal.dot(along), 1e-4));
    }
    // the same with duals
    using D = Dual<double, 8>;
    Data<D> dual(r.model);
    kinematics(m, dual.ref());
    Vec3<D> p = from.cast<D>();
    for (int k = 0; k < 3; ++k) p[k].v[k] = 1;
    const auto both = cast_ray(m, dual.ref(), p, Vec3<D>(along.cast<D>()));
    CHECK(both.geom == hit.geom);
    for (int k = 0; k < 3; ++k) {
      CHECK(near(both.dist.v[k], -hit.normal[k] / hit.normal.dot(along), 1e-10));
    }
  }
}

TEST_CASE("distances are symmetric and their points lie on the geoms", "[collide][distance]") {
  const Model<double> model = support::load("sensor_kinds");
  Data<double> data(model);
  support::perturb(model, data, 3, 0.3);
  REQUIRE(forward(model, data).ok());
  int found = 0;
  for (int a = 0; a < model.n.ngeom; ++a) {
    for (int b = 0; b < a; ++b) {
      INFO(model.names.geom[std::size_t(a)] << " and " << model.names.geom[std::size_t(b)]);
      const auto there = geom_distance(model, data, a, b, 5).value();
      const auto back = geom_distance(model, data, b, a, 5).value();
      if (there.dist >= 5) continue;
      ++found;
      CHECK(near(there.dist, back.dist, 1e-5));
      CHECK(near((there.from - there.to).norm(), std::fabs(there.dist), 1e-6));
      if (there.dist > 0.01) CHECK((there.from - back.to).norm() < 0.02);

      // nothing within a smaller cutoff
      if (there.dist <= 0.01) continue;
      const auto less = geom_distance(model, data, a, b, there.dist - 0.005).value();
      CHECK(less.dist == there.dist - 0.005);
      CHECK(less.from == V3(0, 0, 0));
    }
  }
  CHECK(found > 30);
}

TEST_CASE("policies need colliders for sensors of distances", "[collide][distance]") {
  const Model<double> model = support::parse(R"(
<mujoco>
  <worldbody>
    <geom name="a" size="0.1" contype="0" conaffinity="0"/>
    <geom name="b" type="box" size="0.1 0.1 0.1" pos="1 0 0" contype="0" conaffinity="0"/>
  </worldbody>
  <sensor><distance geom1="a" geom2="b" cutoff="2"/></sensor>
</mujoco>)");
  CHECK(bind(model).ok());
  const auto bound = bind<Policies<Colliders<SphereSphere>>>(model);
  REQUIRE_FALSE(bound.ok());
  CHECK(bound.error().message == "no collider for sphere against box");
}

TEST_CASE("a ray through the boxes of a mesh meets the first of all its triangles",
          "[collide][ray]") {
  const Model<double> model = support::parse(
      "<mujoco><asset><mesh name='ring' builtin='supertorus' params='24 .3 1 .8'/></asset>"
      "<worldbody><geom type='mesh' mesh='ring' pos='.1 .2 .3' euler='20 30 "
      "40'/></worldbody></mujoco>");
  Data<double> data(model);
  REQUIRE(forward(model, data).ok());
  const auto m = bind<DefaultPolicies>(model).value();
  const auto d = data.ref();
  int met = 0;
  for (int i = 0; i < 400; ++i) {
    const double a = 0.1 * i, b = 0.37 * i;
    const V3 from(2 * std::cos(a), 2 * std::sin(a) * std::cos(b), 2 * std::sin(a) * std::sin(b));
    // many along axes and through corners, where triangles and boxes are hit at their edges
    V3 along =
        i % 4 == 0 ? V3(0, 0, from[2] < 0 ? 1 : -1) : V3(V3(0.8 * std::sin(b), 0.3, 0.2) - from);
    const detail::LocalRay<double> ray(m, d, 0, from, along);
    rays::TriangleSearch<double> search(ray.point, ray.direction);
    for (int f = 0; f < m.n.nmeshface; ++f) search.offer(rays::mesh_triangle<double>(m, 0, f));
    V3 normal = V3::Zero();
    const double t = ray_geom<double>(m, d, 0, from, along, &normal);
    CHECK((t < 0) == (search.nearest_time() < 0));
    if (t < 0) continue;
    ++met;
    CHECK(t == search.nearest_time());
    CHECK(V3(ray.to_world(search.nearest().unit_normal())) == normal);
  }
  CHECK(met > 100);
  CHECK(met < 400);
}
