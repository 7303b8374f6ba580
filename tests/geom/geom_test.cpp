// SPDX-License-Identifier: Apache-2.0
//
// Kinds of geom: volume, inertia and bounds, against each other and against numerical integration.
#include <corten/geom/geoms.hpp>
#include <corten/scalar/dual.hpp>

#include "../support/catch.hpp"

#include <cmath>
#include <string>

using namespace corten;

namespace {

using Vec3d = Vec3<double>;

// Is a point inside a geom? An independent definition of the shapes.
bool inside(GeomType type, const Vec3d& s, const Vec3d& p) {
  const double radial = std::hypot(p[0], p[1]);
  switch (type) {
    case GeomType::sphere: return p.norm() <= s[0];
    case GeomType::capsule: {
      const double beyond = std::max(0.0, std::fabs(p[2]) - s[1]);
      return std::hypot(radial, beyond) <= s[0];
    }
    case GeomType::ellipsoid: return p.cwiseQuotient(s).norm() <= 1;
    case GeomType::cylinder: return radial <= s[0] && std::fabs(p[2]) <= s[1];
    case GeomType::box: return (p.cwiseAbs() - s).maxCoeff() <= 0;
    default: return false;
  }
}

struct Moments {
  double volume = 0;
  Vec3d inertia = Vec3d::Zero();  // with density 1
};

// midpoint rule on a grid that fills the bounding box
Moments integrate(GeomType type, const Vec3d& size, const Vec3d& half, int n = 60) {
  Moments out;
  const Vec3d cell = 2 * half / n;
  const double dv = cell.prod();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        const Vec3d p = -half + cell.cwiseProduct(Vec3d(i + 0.5, j + 0.5, k + 0.5));
        if (!inside(type, size, p)) continue;
        const Vec3d q = p.cwiseProduct(p);
        out.volume += dv;
        out.inertia += dv * Vec3d(q[1] + q[2], q[0] + q[2], q[0] + q[1]);
      }
    }
  }
  return out;
}

const Vec3d size(0.2, 0.3, 0.25);

// calls f(kind) for each kind that its sizes fully describe and that has a volume
template <class F>
void each_solid(F f) {
  for (const GeomType type : DefaultGeoms::all()) {
    const bool asset = type == GeomType::hfield || type >= GeomType::mesh;
    if (type != GeomType::plane && !asset) DefaultGeoms::visit(type, f);
  }
}

}  // namespace

TEST_CASE("volume, inertia and bounds by numerical integration", "[geom]") {
  each_solid([](auto kind) {
    using G = decltype(kind);
    INFO(G::name);
    const Vec6<double> box = G::aabb(size);
    CHECK(box.head<3>().norm() == 0);
    const Vec3d half = box.tail<3>();
    const Moments got = integrate(G::type, size, half);
    const double volume = G::volume(size);
    CHECK(near_relative(got.volume, volume, 0.01));
    const Vec3d inertia = G::inertia(size, volume);
    for (int k = 0; k < 3; ++k) CHECK(near_relative(got.inertia[k], inertia[k], 0.01));

    // the box is tight, and the bounding sphere is not smaller than its largest half side
    CHECK(inside(G::type, size, Vec3d(0.999 * half[0], 0, 0)));
    CHECK(inside(G::type, size, Vec3d(0, 0.999 * half[1], 0)));
    CHECK(inside(G::type, size, Vec3d(0, 0, 0.999 * half[2])));
    const double radius = G::bounding_radius(size);
    CHECK(radius >= half.maxCoeff());
    CHECK(radius <= half.norm() * (1 + 1e-12));
  });
}

TEST_CASE("a shell is the derivative of a growing solid", "[geom]") {
  // the surface of a body that grows by e on all sides: d volume / de, d (density inertia) / de
  using D = Dual<double, 1>;
  each_solid([](auto kind) {
    using G = decltype(kind);
    if constexpr (G::type != GeomType::ellipsoid) {  // its parallel surface is not an ellipsoid
      INFO(G::name);
      const bool radial = G::type == GeomType::sphere || G::type == GeomType::capsule;
      Vec3<D> grown;
      for (int k = 0; k < 3; ++k) grown[k] = D(size[k], 0);
      if (G::type == GeomType::capsule) grown[1] = D(size[1]);  // its ends grow with its radius
      const D volume = G::volume(grown);
      CHECK(near(volume.v[0], G::area(size), 1e-12));
      const Vec3<D> solid = G::inertia(grown, volume);
      const Vec3d shell = G::shell_inertia(size, G::area(size));
      for (int k = 0; k < 3; ++k) CHECK(near_relative(solid[k].v[0], shell[k], 1e-9));
      CHECK((radial || G::num_sizes >= 2));
    }
  });
}

TEST_CASE("geoms scale", "[geom]") {
  each_solid([](auto kind) {
    using G = decltype(kind);
    INFO(G::name);
    const Vec3d twice = 2 * size;
    CHECK(near(G::volume(twice), 8 * G::volume(size), 1e-12));
    CHECK(near(G::area(twice), 4 * G::area(size), 1e-12));
    CHECK(near(G::bounding_radius(twice), 2 * G::bounding_radius(size), 1e-12));
    const double mass = 3;
    for (int k = 0; k < 3; ++k) {
      CHECK(near(G::inertia(twice, mass)[k], 4 * G::inertia(size, mass)[k], 1e-12));
      const double shell = G::shell_inertia(size, mass)[k];
      CHECK(near_relative(G::shell_inertia(twice, mass)[k], 4 * shell, 1e-4));
      CHECK(near(G::inertia(size, 2 * mass)[k], 2 * G::inertia(size, mass)[k], 1e-12));
      // a shell has its mass farther out
      CHECK(shell > G::inertia(size, mass)[k]);
    }
    // A + B >= C
    const Vec3d i = G::inertia(size, mass);
    CHECK(2 * i.maxCoeff() <= i.sum() * (1 + 1e-12));
  });
}

TEST_CASE("round kinds agree where they are the same", "[geom]") {
  const double r = 0.3, mass = 2;
  const Vec3d ball = Vec3d::Constant(r), flat(r, 0, 0);
  for (int k = 0; k < 3; ++k) {
    const double expected = Sphere::inertia(ball, mass)[k];
    const double shell = Sphere::shell_inertia(ball, mass)[k];
    CHECK(near(Ellipsoid::inertia(ball, mass)[k], expected, 1e-12));
    CHECK(near(Capsule::inertia(flat, mass)[k], expected, 1e-12));
    CHECK(near_relative(Ellipsoid::shell_inertia(ball, mass)[k], shell, 1e-5));
    CHECK(near(Capsule::shell_inertia(flat, mass)[k], shell, 1e-12));
  }
  CHECK(near(Ellipsoid::volume(ball), Sphere::volume(ball), 1e-12));
  CHECK(near(Ellipsoid::area(ball), Sphere::area(ball), 1e-12));
  CHECK(near(Capsule::volume(flat), Sphere::volume(ball), 1e-12));
  CHECK(near(Capsule::area(flat), Sphere::area(ball), 1e-12));
}

TEST_CASE("invalid sizes", "[geom]") {
  const Vec3d none = Vec3d::Zero(), nan = Vec3d::Constant(std::nan(""));
  each_solid([&](auto kind) {
    using G = decltype(kind);
    INFO(G::name);
    CHECK(G::valid(size));
    CHECK_FALSE(G::valid(none));
    CHECK_FALSE(G::valid(nan));
    // only the sizes that the kind uses are checked
    Vec3d partial = -size;
    for (int i = 0; i < G::num_sizes; ++i) partial[i] = size[i];
    CHECK(G::valid(partial));
  });
  CHECK(Plane::valid(Vec3d(0, 0, 1)));
  CHECK_FALSE(Plane::valid(Vec3d(1, 1, 0)));
}

TEST_CASE("end points set the length", "[geom]") {
  CHECK(Capsule::stretch(size, 7) == Vec3d(0.2, 7, 0.25));
  CHECK(Cylinder::stretch(size, 7) == Vec3d(0.2, 7, 0.25));
  CHECK(Box::stretch(size, 7) == Vec3d(0.2, 0.2, 7));
  CHECK(Ellipsoid::stretch(size, 7) == Vec3d(0.2, 0.2, 7));
  CHECK_FALSE(Sphere::has_fromto);
  CHECK_FALSE(Plane::has_fromto);
}

TEST_CASE("planes are unbounded and weigh nothing", "[geom]") {
  CHECK(Plane::fixed_only);
  CHECK(Plane::volume(size) == 0);
  CHECK(Plane::inertia(size, 1.0).norm() == 0);
  CHECK(Plane::bounding_radius(size) == 0);
  CHECK(Plane::aabb(size)[5] == 5e9);
  CHECK(near(Plane::stat_radius(Vec3d(3, 2, 1)), 0.3, 1e-12));
  CHECK(near(Plane::stat_radius(Vec3d(0, 0, 1)), 0.01, 1e-12));
}

TEST_CASE("lists of kinds", "[geom]") {
  using Few = Geoms<Sphere, Box>;
  static_assert(Few::count == 2);
  static_assert(Few::has(GeomType::box) && !Few::has(GeomType::plane));
  static_assert(Few::all()[1] == GeomType::box);
  static_assert(DefaultGeoms::count == 9);
  CHECK(std::string(Few::name(GeomType::box)) == "box");
  CHECK(std::string(Few::name(GeomType::mesh)) == "unknown");

  int calls = 0;
  CHECK(Few::visit(GeomType::sphere, [&](auto kind) {
    ++calls;
    CHECK(decltype(kind)::type == GeomType::sphere);
  }));
  CHECK(calls == 1);
  CHECK_FALSE(Few::visit(GeomType::plane, [&](auto) { ++calls; }));
  CHECK(calls == 1);
  CHECK(Few::get(GeomType::sphere, -1, [](auto kind) { return decltype(kind)::num_sizes; }) == 1);
  CHECK(Few::get(GeomType::plane, -1, [](auto kind) { return decltype(kind)::num_sizes; }) == -1);
}
