// SPDX-License-Identifier: Apache-2.0
//
// Strings and circles in every scalar: first and second derivatives, and lanes whose paths differ.
#include <corten/scalar/dual.hpp>
#include <corten/scalar/pack.hpp>
#include <corten/tendon/wrap.hpp>

#include "../support/catch.hpp"

#include <cmath>

using namespace corten;

namespace {

using Lanes = Pack<double, 2>;

// the length of the path from (-0.3, y) to (0.3, 0.2), around a circle or through it
template <class S>
S way(const S& y, bool inside) {
  const Vec2<S> a(S(-0.3), y), b(S(0.3), S(0.2));
  const CirclePath<S> path =
      inside ? wrap_inside(a, b, S(0.1)) : wrap_outside<S>(a, b, S(0.1), nullptr);
  const S bent = norm(Vec2<S>(path.first - a)) + path.arc + norm(Vec2<S>(b - path.last));
  return select(path.holds, bent, norm(Vec2<S>(b - a)));
}

// The point of first contact. Unlike the length it is not stationary, so its derivative is tested
// separately.
template <class S>
S touch(const S& y, bool inside) {
  const Vec2<S> a(S(-0.3), y), b(S(0.3), S(0.2));
  return (inside ? wrap_inside(a, b, S(0.1)) : wrap_outside<S>(a, b, S(0.1), nullptr)).first[0];
}

}  // namespace

TEST_CASE("first and second derivatives of paths around circles", "[tendon]") {
  using First = Dual<double, 1>;
  using Second = Dual<First, 1>;
  const double h = 1e-5;
  for (const bool inside : {false, true}) {
    const double y = inside ? 0.5 : -0.1;
    for (const auto& f : {+[](const Second&x, bool in) { return way(x, in); },
                          +[](const Second&x, bool in) { return touch(x, in); }}) {
      const auto at = [&](double x) {
        Second s{First(x, 0), 0};
        return f(s, inside);
      };
      const Second here = at(y), plus = at(y + h), minus = at(y - h);
      INFO("inside " << inside);
      CHECK(near_relative(here.a.v[0], (plus.a.a - minus.a.a) / (2 * h), 1e-5));
      CHECK(near_relative(here.v[0].a, here.a.v[0], 1e-12));
      CHECK(near_relative(here.v[0].v[0], (plus.a.v[0] - minus.a.v[0]) / (2 * h), 1e-5));
    }
  }
}

TEST_CASE("derivatives stay finite where wrapping begins and ends", "[tendon]") {
  using S = Dual<double, 1>;
  const auto finite = [](const S& x) { return corten::finite(x); };
  // touching, one end on the circle, one at its centre, both ends together
  for (const double y : {0.1, -0.05, 0.0, 0.2}) {
    CHECK(finite(way(S(y, 0), false)));
    CHECK(finite(way(S(y, 0), true)));
  }
  const Vec2<S> edge(S(0.1, 0), S(0)), centre(S(0), S(0, 0)), far(S(0.3), S(0.0));
  for (const Vec2<S>& p : {edge, centre, far}) {
    const CirclePath<S> outside = wrap_outside<S>(p, far, S(0.1), nullptr),
                        inside = wrap_inside(p, far, S(0.1));
    for (const CirclePath<S>& path : {outside, inside}) {
      CHECK(finite(path.first[0]));
      CHECK(finite(path.last[1]));
      CHECK(finite(path.arc));
    }
  }
}

namespace {

// a string to (0.3, y, 0.05) past an obstacle with a side site at (0, side, 0), optionally wrapped
// from inside
struct Case {
  double y, side;
  bool from_inside;
};

template <class S>
Obstacle<S> obstacle(bool sphere, bool sided) {
  return {Vec3<S>(S(0), S(0), S(0)), Mat3<S>(Mat3<S>::Identity()), S(0.1), sphere, sided,
          Vec3<S>(S(0), S(0), S(0))};
}

Bend<double> alone(const Case& c, bool sphere, bool sided) {
  Obstacle<double> o = obstacle<double>(sphere, sided);
  o.side[1] = c.side;
  return wrap(Vec3<double>(c.from_inside ? -0.01 : -0.3, 0, 0.01), Vec3<double>(0.3, c.y, 0.05), o);
}

Bend<Lanes> together(const Case (&c)[2], bool sphere, bool sided) {
  Obstacle<Lanes> o = obstacle<Lanes>(sphere, sided);
  Vec3<Lanes> from(Lanes(-0.3), Lanes(0), Lanes(0.01)), to(Lanes(0.3), Lanes(0), Lanes(0.05));
  for (int lane = 0; lane < 2; ++lane) {
    o.side[1].set(lane, c[lane].side);
    to[1].set(lane, c[lane].y);
    if (c[lane].from_inside) from[0].set(lane, -0.01);
  }
  return wrap(from, to, o);
}

}  // namespace

TEST_CASE("each lane takes its own path", "[tendon][lanes]") {
  // in the way, on either side; clear; bent from inside; one end inside
  const Case cases[] = {{0, 0.3, false},    {-0.05, -0.3, false}, {0.9, 0.3, false},
                        {0.9, -0.3, false}, {0.9, 0.02, false},   {0.05, -0.05, true}};
  const bool sphere = GENERATE(true, false), sided = GENERATE(true, false);
  int held = 0;
  for (const Case& a : cases) {
    for (const Case& b : cases) {
      const Case both[2] = {a, b};
      const Bend<Lanes> got = together(both, sphere, sided);
      for (int lane = 0; lane < 2; ++lane) {
        const Bend<double> expected = alone(both[lane], sphere, sided);
        INFO("sphere " << sphere << ", sided " << sided << ", y " << both[lane].y);
        CHECK(got.holds[lane] == expected.holds);
        CHECK(near(got.length[lane], expected.length, 1e-12));
        for (int k = 0; k < 3; ++k) {
          CHECK(near(got.first[k][lane], expected.first[k], 1e-12));
          CHECK(near(got.last[k][lane], expected.last[k], 1e-12));
        }
        held += expected.holds ? 1 : 0;
      }
    }
  }
  CHECK(held > 0);
  CHECK(held < 72);
}

TEMPLATE_TEST_CASE("the arc around a circle", "[tendon]", float, double, (Dual<double, 2>)) {
  using S = TestType;
  const Vec2<S> a(S(-0.2), S(0)), b(S(0), S(0.2));
  const CirclePath<S> path = wrap_outside<S>(a, b, S(0.15), nullptr);
  REQUIRE(path.holds);
  const double expected = 0.15 * (3.14159265358979 / 2 - 2 * std::acos(0.75));
  CHECK(near_relative(path.arc, expected, 1e-5));
}
