// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of contacts: closed forms against differences, iterative pairs against closed forms
// of the same geometry, and finite numbers where a contact is not smooth.

#include "pairs.hpp"

#include <random>

using corten::GeomType;
using corten::Vec3;
using corten::Vec6;
using D = corten::Dual<double, 6>;

namespace {

struct Poses {
  std::mt19937 random{7};
  double operator()(double low, double high) {
    return low + (high - low) * double(random()) / 4294967296.0;
  }
  Vec3<double> vec(double low, double high) {
    const double x = (*this)(low, high), y = (*this)(low, high), z = (*this)(low, high);
    return {x, y, z};
  }
};

Vec6<D> seeded() {
  Vec6<D> t;
  for (int i = 0; i < 6; ++i) t[i] = D(0.0, i);
  return t;
}

Vec6<double> along(int i, double step) {
  Vec6<double> t = Vec6<double>::Zero();
  t[i] = step;
  return t;
}

// largest difference between the derivatives of one hit and central differences; negative if the
// number of contacts changes nearby
template <class C>
double difference_error(const corten::Shape<double>& a, const corten::Shape<double>& b) {
  const double step = 1e-6, margin = 0.02;
  corten::Hit<D> hits[8];
  const int n = C::collide(pairs::convert<D>(a), pairs::moved(pairs::convert<D>(b), seeded()),
                           D(margin), hits);
  double worst = 0;
  for (int i = 0; i < 6; ++i) {
    corten::Hit<double> plus[8], minus[8];
    if (C::collide(a, pairs::moved(b, along(i, step)), margin, plus) != n) return -1;
    if (C::collide(a, pairs::moved(b, along(i, -step)), margin, minus) != n) return -1;
    for (int k = 0; k < n; ++k) {
      const auto slope = [&](double p, double m) { return (p - m) / (2 * step); };
      worst = std::max(worst, std::abs(slope(plus[k].dist, minus[k].dist) - hits[k].dist.v[i]));
      for (int j = 0; j < 3; ++j) {
        worst =
            std::max(worst, std::abs(slope(plus[k].pos[j], minus[k].pos[j]) - hits[k].pos[j].v[i]));
        worst = std::max(
            worst, std::abs(slope(plus[k].normal[j], minus[k].normal[j]) - hits[k].normal[j].v[i]));
      }
    }
  }
  return n > 0 ? worst : -1;
}

template <class List>
struct ForEach;
template <class... C>
struct ForEach<corten::Colliders<C...>> {
  template <class F>
  static void run(const F& f) {
    (f.template operator()<C>(), ...);
  }
};

using ClosedForms =
    corten::Colliders<corten::PlaneSphere, corten::PlaneCapsule, corten::PlaneEllipsoid,
                      corten::PlaneCylinder, corten::PlaneBox, corten::SphereSphere,
                      corten::SphereCapsule, corten::SphereCylinder, corten::SphereBox,
                      corten::CapsuleCapsule, corten::CapsuleBox, corten::BoxBox>;

}  // namespace

TEST_CASE("closed forms have exact derivatives", "[collide]") {
  ForEach<ClosedForms>::run([]<class C>() {
    INFO("types " << int(C::first) << " " << int(C::second));
    Poses poses;
    int used = 0, good = 0;
    for (int k = 0; k < 60; ++k) {
      const auto a = pairs::shape(Vec3<double>::Zero(), poses.vec(-2, 2), poses.vec(0.1, 0.3));
      const auto b = pairs::shape(poses.vec(-0.35, 0.35), poses.vec(-2, 2), poses.vec(0.1, 0.3));
      const double error = difference_error<C>(a, b);
      if (error < 0) continue;
      ++used;
      good += error < 1e-5 ? 1 : 0;
    }
    CHECK(used > 15);
    CHECK(good >= used - 1);  // a pose may lie on a kink
  });
}

// the general collider, with derivatives from tangency, against the closed form of the same pair;
// sizes are differentiated too
template <class General, class Closed>
void compare_with_closed_form() {
  Poses poses;
  int used = 0;
  for (int k = 0; k < 150; ++k) {
    auto a = pairs::convert<D>(
        pairs::shape(Vec3<double>::Zero(), poses.vec(-2, 2), poses.vec(0.1, 0.3)));
    auto b = pairs::moved(pairs::convert<D>(pairs::shape(poses.vec(-0.5, 0.5), poses.vec(-2, 2),
                                                         poses.vec(0.1, 0.3))),
                          seeded());
    a.size[0].v[0] += 0.3;
    b.size[0].v[1] += 0.4;
    b.size[1].v[2] -= 0.2;
    corten::Effort<D> effort{1e-12, 300, false, false};
    corten::Hit<D> general[8], closed[8];
    const int n = General::collide(a, b, D(0.03), effort, general);
    if (n == 0 || Closed::collide(a, b, D(0.03), closed) == 0) continue;
    // deep inside each other, the two may choose different sides
    if (std::abs(general[0].dist.a - closed[0].dist.a) > 1e-7) continue;
    if ((general[0].normal - closed[0].normal).norm().a > 1e-5) continue;
    ++used;
    for (int i = 0; i < 6; ++i) {
      CHECK(near(general[0].dist.v[i], closed[0].dist.v[i], 1e-4));
      for (int j = 0; j < 3; ++j) {
        CHECK(near(general[0].pos[j].v[i], closed[0].pos[j].v[i], 1e-3));
        CHECK(near(general[0].normal[j].v[i], closed[0].normal[j].v[i], 1e-3));
      }
    }
  }
  CHECK(used > 10);
}

TEST_CASE("the general collider has the derivatives of closed forms", "[collide]") {
  using enum GeomType;
  compare_with_closed_form<corten::ConvexPair<sphere, capsule>, corten::SphereCapsule>();
  compare_with_closed_form<corten::ConvexPair<sphere, cylinder>, corten::SphereCylinder>();
  compare_with_closed_form<corten::ConvexPair<sphere, box>, corten::SphereBox>();
  compare_with_closed_form<corten::ConvexPair<capsule, capsule>, corten::CapsuleCapsule>();
  compare_with_closed_form<corten::ConvexPair<capsule, box>, corten::CapsuleBox>();
}

// A cylinder that lies on a box touches it at both ends. The second point is found after a small
// turn about the first, and moves like a point that was found there. Differences of positions along
// the cylinder are accurate to a percent, since the iteration stops somewhere.
TEST_CASE("further points move as their differences say", "[collide]") {
  Poses poses;
  for (int k = 0; k < 4; ++k) {
    const double step = 1e-5, tilt = poses(-3e-4, 3e-4);
    const auto a = pairs::shape({poses(-0.1, 0.1), poses(-0.1, 0.1), 0.147},
                                {0, std::acos(-1.0) / 2 + tilt, 0}, {0.05, 0.2, 0});
    const auto b = pairs::shape(Vec3<double>::Zero(), Vec3<double>::Zero(), {0.5, 0.5, 0.1});
    corten::Effort<D> effort{1e-9, 50, true, false};
    corten::Effort<double> plain = effort.values();
    corten::Hit<D> hits[5];
    const int n = corten::CylinderBox::collide(
        pairs::convert<D>(a), pairs::moved(pairs::convert<D>(b), seeded()), D(0), effort, hits);
    REQUIRE(n > 1);
    for (int i = 0; i < 6; ++i) {
      corten::Hit<double> plus[5], minus[5];
      const auto at = [&](double h, corten::Hit<double>* out) {
        return corten::CylinderBox::collide(a, pairs::moved(b, along(i, h)), 0.0, plain, out);
      };
      REQUIRE(at(step, plus) == n);
      REQUIRE(at(-step, minus) == n);
      for (int h = 0; h < n; ++h) {
        INFO("point " << h << " along " << i);
        CHECK(near(hits[h].dist.v[i], (plus[h].dist - minus[h].dist) / (2 * step), 1e-3));
        for (int j = 0; j < 3; ++j) {
          CHECK(near(hits[h].pos[j].v[i], (plus[h].pos[j] - minus[h].pos[j]) / (2 * step), 2e-2));
        }
      }
    }
  }
}

// The portal method against differences. Its result depends on where the iteration stops, and jumps
// where a face can be split into triangles in several ways. Poses where differences with two step
// sizes disagree are skipped.
TEST_CASE("the portal method has the derivatives of its differences", "[collide][mpr]") {
  using enum GeomType;
  const GeomType types[][2] = {{sphere, box},       {capsule, cylinder}, {capsule, ellipsoid},
                               {sphere, ellipsoid}, {cylinder, box},     {box, box}};
  const auto slope = [](const corten::Hit<double>& p, const corten::Hit<double>& m, double step) {
    Eigen::Matrix<double, 7, 1> out;
    out << p.dist - m.dist, p.pos - m.pos, p.normal - m.normal;
    return Eigen::Matrix<double, 7, 1>(out / (2 * step));
  };
  for (const auto& [t1, t2] : types) {
    INFO("types " << int(t1) << " " << int(t2));
    Poses poses;
    int used = 0, good = 0;
    for (int k = 0; k < 60; ++k) {
      const auto a = pairs::shape(Vec3<double>::Zero(), poses.vec(-2, 2), poses.vec(0.1, 0.3));
      const auto b = pairs::shape(poses.vec(-0.3, 0.3), poses.vec(-2, 2), poses.vec(0.1, 0.3));
      corten::Effort<D> effort{1e-13, 3000, false, false, true};
      corten::Effort<double> plain{1e-13, 3000, false, false, true};
      corten::Hit<D> hit[1];
      const auto b_seeded = pairs::moved(pairs::convert<D>(b), seeded());
      if (corten::detail::collide_portal(t1, t2, true, pairs::convert<D>(a), b_seeded, D(0), effort,
                                         hit) == 0) {
        continue;
      }
      bool steady = true;
      double worst = 0;
      for (int i = 0; i < 6 && steady; ++i) {
        corten::Hit<double> at[4];
        for (int j = 0; j < 4 && steady; ++j) {
          const double step = (j % 2 == 0 ? 1 : -1) * (j < 2 ? 1e-5 : 1e-6);
          steady = corten::detail::collide_portal(t1, t2, true, a, pairs::moved(b, along(i, step)),
                                                  0.0, plain, &at[j]) == 1;
        }
        if (!steady) break;
        const auto coarse = slope(at[0], at[1], 1e-5), fine = slope(at[2], at[3], 1e-6);
        steady = (coarse - fine).cwiseAbs().maxCoeff() < 1e-2;
        Eigen::Matrix<double, 7, 1> exact;
        exact[0] = hit[0].dist.v[i];
        for (int j = 0; j < 3; ++j) {
          exact[1 + j] = hit[0].pos[j].v[i];
          exact[4 + j] = hit[0].normal[j].v[i];
        }
        worst = std::max(worst, (coarse - exact).cwiseAbs().maxCoeff());
      }
      if (!steady) continue;
      ++used;
      good += worst < 1e-2 ? 1 : 0;
    }
    CHECK(used > 4);
    CHECK(good >= used - 2);
  }
}

TEST_CASE("an ellipsoid with equal axes has the derivatives of a sphere", "[collide]") {
  Poses poses;
  int used = 0;
  for (int k = 0; k < 40; ++k) {
    const double r1 = poses(0.1, 0.3), r2 = poses(0.1, 0.3);
    const auto a = pairs::convert<D>(
        pairs::shape(Vec3<double>::Zero(), poses.vec(-2, 2), Vec3<double>::Constant(r1)));
    const auto b =
        pairs::moved(pairs::convert<D>(pairs::shape(poses.vec(-0.4, 0.4), poses.vec(-2, 2),
                                                    Vec3<double>::Constant(r2))),
                     seeded());
    corten::Effort<D> effort{1e-8, 100, false, false};
    corten::Hit<D> round[1], ball[1];
    if (corten::SphereEllipsoid::collide(a, b, D(0), effort, round) == 0) continue;
    if (corten::SphereSphere::collide(a, b, D(0), ball) == 0) continue;
    if (std::abs(ball[0].dist.a) > 0.9 * std::min(r1, r2)) continue;
    ++used;
    for (int i = 0; i < 6; ++i) {
      CHECK(near(round[0].dist.v[i], ball[0].dist.v[i], 1e-3));
      for (int j = 0; j < 3; ++j) {
        CHECK(near(round[0].normal[j].v[i], ball[0].normal[j].v[i], 2e-2));
        CHECK(near(round[0].pos[j].v[i], ball[0].pos[j].v[i], 2e-2));
      }
    }
  }
  CHECK(used > 5);
}

TEST_CASE("derivatives are finite where contacts are not smooth", "[collide]") {
  const Vec3<double> zero = Vec3<double>::Zero();
  const Vec3<double> size(0.2, 0.2, 0.2);
  const Vec3<double> places[] = {zero,          {0, 0, 0.2},    {0, 0, 0.4},   {0.2, 0, 0},
                                 {0.4, 0, 0},   {0.2, 0.2, 0},  {0.4, 0.4, 0}, {0, 0, 1e-12},
                                 {0, 0.2, 0.2}, {0.2, 0.2, 0.2}};
  const Vec3<double> turns[] = {zero, {0, 0, 0.5}, {1.5707963267948966, 0, 0}, {1e-9, 0, 0}};
  for (int t1 = 0; t1 <= int(GeomType::box); ++t1) {
    for (int t2 = t1; t2 <= int(GeomType::box); ++t2) {
      const auto first = static_cast<GeomType>(t1), second = static_cast<GeomType>(t2);
      if (!corten::DefaultColliders::has(first, second)) continue;
      if (first == GeomType::hfield) continue;  // has no limit of hits, and its own tests
      for (const auto& place : places) {
        for (const auto& turn : turns) {
          const auto a = pairs::convert<D>(pairs::shape(zero, zero, size));
          const auto b = pairs::moved(pairs::convert<D>(pairs::shape(place, turn, size)), seeded());
          for (const bool portal : {false, true}) {
            corten::Effort<D> effort;
            effort.portal = portal;
            for (const auto& h : pairs::collide<D>(first, second, a, b, D(0.01), effort)) {
              INFO("types " << t1 << " " << t2 << " at " << place.transpose() << " turned "
                            << turn.transpose());
              CHECK(finite(h.dist));
              for (int k = 0; k < 3; ++k) {
                CHECK(finite(h.pos[k]));
                CHECK(finite(h.normal[k]));
              }
            }
          }
        }
      }
    }
  }
}

TEST_CASE("duals of duals give second derivatives", "[collide]") {
  using D1 = corten::Dual<double, 1>;
  using D2 = corten::Dual<D1, 1>;
  // two balls with a sideways offset x: dist = sqrt(z² + x²) - r1 - r2
  auto a =
      pairs::convert<D2>(pairs::shape(Vec3<double>::Zero(), Vec3<double>::Zero(), {0.2, 0, 0}));
  auto b = pairs::convert<D2>(pairs::shape({0.1, 0, 0.3}, Vec3<double>::Zero(), {0.2, 0, 0}));
  b.pos[0].a.v[0] = 1;
  b.pos[0].v[0] = D1(1);
  corten::Hit<D2> hits[1];
  REQUIRE(corten::SphereSphere::collide(a, b, D2(0), hits) == 1);
  const double r = std::sqrt(0.1);
  CHECK(near(hits[0].dist.a.v[0], 0.1 / r, 1e-12));
  CHECK(near(hits[0].dist.v[0].v[0], 0.09 / (r * r * r), 1e-12));
}
