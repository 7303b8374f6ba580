// SPDX-License-Identifier: Apache-2.0
//
// Contacts of single pairs against MuJoCo 3.12.0: random and degenerate poses (aligned axes, equal
// sizes, nearly parallel), shallow and deep, with and without margin.

#include "pairs.hpp"

namespace {

double apart(const corten::Vec3<double>& a, const corten::Vec3<double>& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("contacts of pairs are MuJoCo's", "[collide]") {
  // A compiler that contracts a*b + c (GCC with FMA units) changes where an iteration stops, and
  // may resolve ties differently.
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  WARN("built with fused multiply-add: use -ffp-contract=off for results equal to MuJoCo's");
  const double exact = 1e-5, approximate = 1e-3;
  const bool ties = false;
#else
  const double exact = 1e-10, approximate = 1e-6;
  const bool ties = true;
#endif
  int equal = 0, all = 0;
  for (const pairs::Case& c : pairs::read_cases()) {
    INFO(c.name);
    ++all;
    const auto hits = pairs::collide(c.type1, c.type2, c.a, c.b, c.margin);
    if (!ties && hits.size() != c.hits.size()) continue;
    REQUIRE(hits.size() == c.hits.size());
    const double tolerance = pairs::iterative(c.type1, c.type2) ? approximate : exact;
    bool same = true;
    for (std::size_t i = 0; i < hits.size(); ++i) {
      const auto frame = corten::make_frame(hits[i].normal, hits[i].tangent);
      same = same && std::abs(hits[i].dist - c.hits[i].dist) < tolerance &&
             apart(hits[i].pos, c.hits[i].pos) < tolerance &&
             apart(hits[i].normal, c.hits[i].normal) < tolerance &&
             apart(frame.row(1), c.hits[i].tangent) < 10 * tolerance;
    }
    equal += same ? 1 : 0;
    if (ties) CHECK(same);
  }
  CHECK(equal >= (ties ? all : all * 8 / 10));
}

TEST_CASE("single precision finds the same contacts", "[collide]") {
  int compared = 0;
  for (const pairs::Case& c : pairs::read_cases()) {
    INFO(c.name);
    corten::Effort<float> effort;
    effort.tolerance = 1e-5f;
    const auto hits = pairs::collide<float>(c.type1, c.type2, pairs::convert<float>(c.a),
                                            pairs::convert<float>(c.b), float(c.margin), effort);
    for (const auto& h : hits) {
      CHECK(corten::finite(h.dist));
      CHECK(std::abs(h.normal.norm() - 1.0f) < 1e-3f);
    }
    if (hits.size() != c.hits.size()) continue;
    // the deepest contact; positions far from the origin have few digits
    double deepest = 0, found = 0;
    for (std::size_t i = 0; i < hits.size(); ++i) {
      deepest = std::min(deepest, c.hits[i].dist);
      found = std::min(found, double(hits[i].dist));
    }
    compared += std::abs(deepest - found) < 2e-3 ? 1 : 0;
  }
  CHECK(compared > 120);
}

TEST_CASE("duals have the values of plain numbers", "[collide]") {
  using D = corten::Dual<double, 8>;
  for (const pairs::Case& c : pairs::read_cases()) {
    INFO(c.name);
    const auto plain = pairs::collide(c.type1, c.type2, c.a, c.b, c.margin);
    const auto dual = pairs::collide<D>(c.type1, c.type2, pairs::convert<D>(c.a),
                                        pairs::convert<D>(c.b), D(c.margin));
    REQUIRE(plain.size() == dual.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      CHECK(near(dual[i].dist.a, plain[i].dist, 1e-9));
      for (int k = 0; k < 3; ++k) {
        CHECK(near(dual[i].pos[k].a, plain[i].pos[k], 1e-9));
        CHECK(near(dual[i].normal[k].a, plain[i].normal[k], 1e-7));
        CHECK(near(dual[i].pos[k].v[0], 0, 1e-12));
      }
    }
  }
}
