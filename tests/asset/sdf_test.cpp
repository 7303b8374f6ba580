// SPDX-License-Identifier: Apache-2.0
//
// Grids of distances from triangles, against formulas: surfaces with holes, thin and broken ones.
#include <corten/asset/builtin.hpp>
#include <corten/asset/sdf_make.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "../support/catch.hpp"

using namespace corten::asset;

namespace {

const std::vector<int> cube_faces{0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                  2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

std::vector<double> cube(double x, double y, double z) {
  std::vector<double> out;
  for (int i = 0; i < 8; ++i) {
    out.insert(out.end(), {i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z});
  }
  return out;
}

// the largest difference from f(x, y, z) over all nodes
template <class F>
double error(const SdfGrid& g, const F& f) {
  double worst = 0;
  for (int z = 0; z < g.n[2]; ++z) {
    for (int y = 0; y < g.n[1]; ++y) {
      for (int x = 0; x < g.n[0]; ++x) {
        const double exact =
            f(g.origin[0] + g.cell * x, g.origin[1] + g.cell * y, g.origin[2] + g.cell * z);
        worst = std::max(worst, std::abs(double(g.data[std::size_t(g.index(x, y, z))]) - exact));
      }
    }
  }
  return worst;
}

double to_box(double x, double y, double z, double a, double b, double c) {
  const double q[3] = {std::abs(x) - a, std::abs(y) - b, std::abs(z) - c};
  const double inside = std::min(std::max({q[0], q[1], q[2]}), 0.0);
  return inside + std::hypot(std::max(q[0], 0.0), std::max(q[1], 0.0), std::max(q[2], 0.0));
}

}  // namespace

TEST_CASE("distances to a box, at every node", "[asset][001-6b.1]") {
  const SdfGrid g = make_sdf(cube(0.3, 0.2, 0.1), cube_faces);
  CHECK(check_grid(g).ok());
  CHECK(near(g.cell, 0.6 / 48, 1e-12));
  CHECK(g.n[0] == 48 + 5);
  CHECK(near(g.low(0), -0.3 - 2 * g.cell, 1e-12));
  CHECK(g.high(2) >= 0.1 + 2 * g.cell - 1e-12);
  const auto box = [](double x, double y, double z) { return to_box(x, y, z, 0.3, 0.2, 0.1); };
  CHECK(error(g, box) < 1e-6);
  // turned inside out the result is the same
  std::vector<int> turned = cube_faces;
  for (std::size_t i = 0; i < turned.size(); i += 3) std::swap(turned[i], turned[i + 1]);
  CHECK(error(make_sdf(cube(0.3, 0.2, 0.1), turned), box) < 1e-6);
}

TEST_CASE("a surface with a hole still has an inside", "[asset][001-6b.1]") {
  const SdfGrid whole = make_sdf(cube(0.1, 0.1, 0.1), cube_faces);
  for (const std::ptrdiff_t missing : {0, 5, 10}) {
    std::vector<int> open = cube_faces;
    open.erase(open.begin() + 3 * missing, open.begin() + 3 * missing + 3);
    const SdfGrid g = make_sdf(cube(0.1, 0.1, 0.1), open);
    REQUIRE(g.data.size() == whole.data.size());
    int wrong = 0;
    for (std::size_t i = 0; i < g.data.size(); ++i) {
      wrong += std::abs(whole.data[i]) > 1e-6f && (g.data[i] > 0) != (whole.data[i] > 0);
    }
    CHECK(wrong == 0);
  }
  // a sheet has no inside
  const SdfGrid sheet = make_sdf(cube(0.1, 0.1, 0.1), {0, 2, 1, 1, 2, 3});
  CHECK(*std::min_element(sheet.data.begin(), sheet.data.end()) >= 0);
}

TEST_CASE("round, hollow, thin and impossible grids", "[asset][001-6b.1]") {
  Triangles ring;
  REQUIRE(detail::make_supertorus({32, 0.25, 1, 1}, ring).ok());
  const std::vector<double> vert(ring.vert.begin(), ring.vert.end());
  const SdfGrid g = make_sdf(vert, ring.face);
  const int middle = g.index(g.n[0] / 2, g.n[1] / 2, g.n[2] / 2);
  CHECK(g.data[std::size_t(middle)] > 0.5f);  // the hole
  CHECK(near(*std::min_element(g.data.begin(), g.data.end()), -0.25, 0.02));

  const SdfGrid plate = make_sdf(cube(1, 1, 0.005), cube_faces);
  CHECK(plate.data.size() <= 400000);
  CHECK(*std::min_element(plate.data.begin(), plate.data.end()) < 0);

  CHECK(make_sdf({}, {}).data.empty());
  CHECK(check_grid(make_sdf({}, {})).error().message ==
        "a grid needs at least 2 nodes along each axis");
  SdfGrid bad;
  for (int& n : bad.n) n = 1 << 20;
  CHECK(check_grid(bad).error().message == "the grid is too large");
  for (int& n : bad.n) n = 2;
  CHECK(check_grid(bad).error().message == "the cell size of a grid must be positive");
  bad.cell = 1;
  CHECK(check_grid(bad).error().message == "there are 0 distances for 8 nodes");
  bad.data.assign(8, std::nanf(""));
  CHECK(check_grid(bad).error().message == "a distance is not finite");
}
