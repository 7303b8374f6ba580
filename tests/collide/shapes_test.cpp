// SPDX-License-Identifier: Apache-2.0
//
// Properties of every collider: the result does not depend on where the pair is or on which geom
// comes first, and known configurations have known contacts.

#include "pairs.hpp"

using corten::GeomType;
using corten::Vec3;

namespace {

const Vec3<double> zero = Vec3<double>::Zero();

corten::Shape<double> at(const Vec3<double>& pos, const Vec3<double>& size,
                         const Vec3<double>& turn = zero) {
  return pairs::shape(pos, turn, size);
}

const double quarter = 1.5707963267948966;

}  // namespace

TEST_CASE("pairs of one type do not care which geom is first", "[collide]") {
  for (const pairs::Case& c : pairs::read_cases()) {
    if (c.type1 != c.type2 || pairs::iterative(c.type1, c.type2)) continue;
    INFO(c.name);
    const auto forth = pairs::collide(c.type1, c.type2, c.a, c.b, c.margin);
    const auto back = pairs::collide(c.type1, c.type2, c.b, c.a, c.margin);
    // which edge or face is taken, and in which order, may change on ties; the depth does not
    CHECK(forth.empty() == back.empty());
    if (forth.size() != 1 || back.size() != 1) continue;
    CHECK(near(forth[0].dist, back[0].dist, 1e-9));
    if ((c.a.pos - c.b.pos).norm() < 1e-9) continue;
    CHECK((forth[0].normal + back[0].normal).norm() < 1e-6);
    CHECK((forth[0].pos - back[0].pos).norm() < 1e-6);
  }
}

TEST_CASE("moving both geoms moves the contact", "[collide]") {
  const corten::Mat3<double> rot = corten::to_matrix(corten::exp_map(Vec3<double>(0.3, -0.8, 0.5)));
  const Vec3<double> shift(1, -2, 3);
  const auto carry = [&](const corten::Shape<double>& s) {
    corten::Shape<double> out = s;
    out.pos = rot * s.pos + shift;
    for (int j = 0; j < 3; ++j) out.axes[j] = rot * s.axes[j];
    return out;
  };
  int moved = 0;
  for (const pairs::Case& c : pairs::read_cases()) {
    if (pairs::iterative(c.type1, c.type2)) continue;
    const auto here = pairs::collide(c.type1, c.type2, c.a, c.b, c.margin);
    const auto there = pairs::collide(c.type1, c.type2, carry(c.a), carry(c.b), c.margin);
    // ties in degenerate poses may be resolved differently
    if (here.size() != there.size() || here.empty()) continue;
    bool same = true;
    for (std::size_t i = 0; i < here.size(); ++i) {
      same = same && std::abs(here[i].dist - there[i].dist) < 1e-9;
      same = same && (rot * here[i].pos + shift - there[i].pos).norm() < 1e-7;
    }
    moved += same ? 1 : 0;
  }
  CHECK(moved > 60);
}

TEST_CASE("balls", "[collide]") {
  const auto hits = pairs::collide(GeomType::sphere, GeomType::sphere, at(zero, {0.1, 0, 0}),
                                   at({0, 0, 0.25}, {0.2, 0, 0}), 0.0);
  REQUIRE(hits.size() == 1);
  CHECK(near(hits[0].dist, -0.05, 1e-12));
  CHECK(near(hits[0].pos[2], 0.075, 1e-12));
  CHECK(near(hits[0].normal[2], 1, 1e-12));
  // equal centres: some unit normal
  const auto same = pairs::collide(GeomType::sphere, GeomType::sphere, at(zero, {0.1, 0, 0}),
                                   at(zero, {0.2, 0, 0}), 0.0);
  REQUIRE(same.size() == 1);
  CHECK(near(same[0].normal.norm(), 1, 1e-12));
  CHECK(near(same[0].dist, -0.3, 1e-12));
  // exactly at the margin counts, further away does not
  const auto far = [](double z) {
    return pairs::collide(GeomType::sphere, GeomType::sphere, at(zero, {0.25, 0, 0}),
                          at({0, 0, z}, {0.25, 0, 0}), 0.125)
        .size();
  };
  CHECK(far(0.625) == 1);
  CHECK(far(0.6250001) == 0);
}

TEST_CASE("parallel capsules touch at two points", "[collide]") {
  const auto a = at(zero, {0.1, 0.3, 0});
  const auto side = pairs::collide(GeomType::capsule, GeomType::capsule, a,
                                   at({0.15, 0, 0.2}, {0.1, 0.3, 0}), 0.0);
  REQUIRE(side.size() == 2);
  CHECK(near(side[0].pos[2], 0.3, 1e-12));
  CHECK(near(side[1].pos[2], -0.1, 1e-12));
  for (const auto& h : side) {
    CHECK(near(h.dist, -0.05, 1e-12));
    CHECK(near(h.normal[0], 1, 1e-12));
  }
  // end to end there is one contact point, found from both sides
  const auto line =
      pairs::collide(GeomType::capsule, GeomType::capsule, a, at({0, 0, 0.75}, {0.1, 0.3, 0}), 0.0);
  REQUIRE(line.size() == 2);
  CHECK(near(line[0].normal[2], 1, 1e-12));
  CHECK((line[0].pos - line[1].pos).norm() < 1e-12);
  // in single precision, turned together, they are still parallel
  const auto turned = [](double x) {
    return pairs::convert<float>(pairs::shape({x, 0, 0}, {0, 0.7, 0}, {0.1, 0.3, 0}));
  };
  CHECK(pairs::collide<float>(GeomType::capsule, GeomType::capsule, turned(0), turned(0.1), 0.0f)
            .size() == 2);
}

TEST_CASE("a cylinder stands on three points and lies on two", "[collide]") {
  const auto plane = at(zero, {1, 1, 1});
  const auto standing = pairs::collide(GeomType::plane, GeomType::cylinder, plane,
                                       at({0, 0, 0.19}, {0.1, 0.2, 0}), 0.0);
  REQUIRE(standing.size() == 3);
  for (const auto& h : standing) CHECK(near(h.dist, -0.01, 1e-12));
  const auto lying = pairs::collide(GeomType::plane, GeomType::cylinder, plane,
                                    at({0, 0, 0.09}, {0.1, 0.2, 0}, {quarter, 0, 0}), 0.0);
  REQUIRE(lying.size() == 2);
  CHECK(near(std::abs(lying[0].pos[1] - lying[1].pos[1]), 0.4, 1e-12));
}

TEST_CASE("boxes", "[collide]") {
  const Vec3<double> half(0.1, 0.2, 0.3);
  // face on face: four corners of the smaller one
  const auto stacked = pairs::collide(GeomType::box, GeomType::box, at(zero, {0.5, 0.5, 0.1}),
                                      at({0, 0, 0.39}, half), 0.0);
  REQUIRE(stacked.size() == 4);
  for (const auto& h : stacked) {
    CHECK(near(h.dist, -0.01, 1e-12));
    CHECK(near(h.normal[2], 1, 1e-12));
    CHECK(near(std::abs(h.pos[0]), 0.1, 1e-12));
    CHECK(near(std::abs(h.pos[1]), 0.2, 1e-12));
  }
  // turned by an eighth over an equal face: an octagon
  const auto octagon = pairs::collide(GeomType::box, GeomType::box, at(zero, {0.2, 0.2, 0.2}),
                                      at({0, 0, 0.39}, {0.2, 0.2, 0.2}, {0, 0, quarter / 2}), 0.0);
  CHECK(octagon.size() == 8);
  // crossed edges: one point
  const auto crossed =
      pairs::collide(GeomType::box, GeomType::box, at(zero, {0.1, 1, 0.1}, {0, quarter / 2, 0}),
                     at({0, 0, 0.28}, {1, 0.1, 0.1}, {quarter / 2, 0, 0}), 0.0);
  REQUIRE(crossed.size() == 1);
  CHECK(near(crossed[0].normal[2], 1, 1e-12));
  CHECK(near(crossed[0].dist, 0.28 - 0.2 * std::sqrt(2.0), 1e-12));
  // a ball inside leaves through the nearest face
  const auto inside = pairs::collide(GeomType::sphere, GeomType::box,
                                     at({0.08, 0, 0}, {0.05, 0, 0}), at(zero, half), 0.0);
  REQUIRE(inside.size() == 1);
  CHECK(near(inside[0].dist, -0.07, 1e-12));
  CHECK(near(inside[0].normal[0], -1, 1e-12));
}

TEST_CASE("the general collider agrees with closed forms", "[collide]") {
  int compared = 0;
  for (const pairs::Case& c : pairs::read_cases()) {
    if (c.type1 != GeomType::sphere || c.type2 != GeomType::cylinder) continue;
    if (c.hits.empty() || c.hits[0].dist < -0.9 * c.a.size[0]) continue;
    using Pair = corten::ConvexPair<GeomType::sphere, GeomType::cylinder>;
    corten::Hit<double> hits[Pair::max_hits];
    corten::Effort<double> effort;
    REQUIRE(Pair::collide(c.a, c.b, c.margin, effort, hits) == 1);
    CHECK(near(hits[0].dist, c.hits[0].dist, 1e-5));
    CHECK((hits[0].pos - c.hits[0].pos).norm() < 1e-4);
    ++compared;
  }
  CHECK(compared > 2);
}

TEST_CASE("GJK measures distances", "[collide]") {
  using Convex = corten::ConvexShape<double>;
  const Convex box{GeomType::box, at(zero, {0.1, 0.2, 0.3})};
  const Convex ball{GeomType::sphere, at({0.5, 0, 0.5}, {0.1, 0, 0})};
  corten::Gjk<double, Convex, Convex> gjk(box, ball, 1e-9, 100, 10.0);
  const auto r = gjk.run();
  CHECK(near(r.dist, std::sqrt(0.16 + 0.04) - 0.1, 1e-6));
  CHECK(near(r.x1[0], 0.1, 1e-6));
  CHECK(near(r.x1[2], 0.3, 1e-6));
  CHECK(!gjk.limited());
  // with a cutoff of 0 it only reports that they are apart
  corten::Gjk<double, Convex, Convex> quick(box, ball, 1e-9, 100, 0.0);
  CHECK(quick.run().separated);
}

TEST_CASE("running out of iterations is reported, not hidden", "[collide]") {
  const auto a = at(zero, {0.2, 0.3, 0.25}),
             b = at({0.1, 0.15, 0.2}, {0.3, 0.2, 0.2}, {0.4, 0.3, 0.2});
  using Pair = corten::EllipsoidEllipsoid;
  corten::Hit<double> hits[1];
  corten::Effort<double> plenty, little;
  little.iterations = 4;
  CHECK(Pair::collide(a, b, 0.0, plenty, hits) == 1);
  const bool found = Pair::collide(a, b, 0.0, little, hits) == 1;
  CHECK((little.limited || !found));
}

// a user-defined collider: spheres that are only noticed when half way in
struct Shy {
  static constexpr GeomType first = GeomType::sphere, second = GeomType::sphere;
  static constexpr int max_hits = 1;
  template <class S>
  static int collide(const corten::Shape<S>& a, const corten::Shape<S>& b, const S&,
                     corten::Hit<S>* hits) {
    return corten::ball_ball(a.pos, S(a.size[0] / 2), b.pos, S(b.size[0] / 2), S(0), a.axis(2),
                             b.axis(2), hits);
  }
};

TEST_CASE("a list knows its pairs in either order", "[collide]") {
  using List = corten::Colliders<Shy, corten::PlaneBox>;
  static_assert(List::max_hits == 4);
  static_assert(List::has(GeomType::sphere, GeomType::sphere));
  static_assert(List::has(GeomType::box, GeomType::plane));
  static_assert(!List::has(GeomType::sphere, GeomType::box));
  corten::Hit<double> hits[List::max_hits];
  corten::Effort<double> effort;
  const auto run = [&](double z) {
    return List::collide(
        GeomType::sphere, GeomType::sphere,
        [] {
          return at(zero, {0.1, 0, 0});
        },
        [z] {
          return at({0, 0, z}, {0.1, 0, 0});
        },
        0.0, effort, hits);
  };
  CHECK(run(0.15) == 0);
  CHECK(run(0.09) == 1);
}
