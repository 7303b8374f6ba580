// SPDX-License-Identifier: Apache-2.0
//
// Convex hulls and their faces, mesh files, pictures: each from points or bytes that are made here.
#include <corten/asset/builtin.hpp>
#include <corten/asset/hull.hpp>
#include <corten/asset/msh.hpp>
#include <corten/asset/obj.hpp>
#include <corten/asset/png.hpp>
#include <corten/asset/polygons.hpp>
#include <corten/asset/stl.hpp>

#include <cmath>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "../support/catch.hpp"

using namespace corten::asset;

namespace {

struct Numbers {
  std::mt19937 random{3};
  float operator()() { return float(random()) / 2147483648.0f - 1.0f; }
  int below(int n) { return int(random() % unsigned(n)); }
};

// n points, each made by make()
template <class F>
std::vector<double> points(int n, const F& make) {
  std::vector<double> out;
  for (int i = 0; i < n; ++i) {
    const std::vector<float> p = make();
    out.insert(out.end(), p.begin(), p.end());
  }
  return out;
}

const double* at(const std::vector<double>& p, int i) { return &p[3 * std::size_t(i)]; }

// Nothing is above a face, the surface is closed, and only its corners are part of it. Its edges
// are those of its faces.
void check_hull(const std::vector<double>& p, const Hull& hull) {
  REQUIRE(hull.vert.size() >= 4);
  CHECK(hull.face.size() / 3 == 2 * hull.vert.size() - 4);  // Euler
  int outside = 0;
  for (std::size_t f = 0; f < hull.face.size(); f += 3) {
    for (int i = 0; i < int(p.size() / 3); ++i) {
      const int side =
          side_of(at(p, hull.face[f]), at(p, hull.face[f + 1]), at(p, hull.face[f + 2]), at(p, i));
      outside += side > 0 ? 1 : 0;
    }
  }
  CHECK(outside == 0);
  CHECK(std::set<int>(hull.face.begin(), hull.face.end()) ==
        std::set<int>(hull.vert.begin(), hull.vert.end()));
  std::set<std::pair<int, int>> around, along;
  for (std::size_t f = 0; f < hull.face.size(); ++f) {
    along.emplace(hull.face[f], hull.face[f % 3 == 2 ? f - 2 : f + 1]);
  }
  std::size_t edge = 0;
  for (const int v : hull.vert) {
    for (; edge < hull.edge.size() && hull.edge[edge] >= 0; ++edge)
      around.emplace(v, hull.edge[edge]);
    ++edge;
  }
  CHECK(edge == hull.edge.size());
  CHECK(around == along);
}

// both algorithms, which must find the same corners
void check_both(const std::vector<double>& p) {
  Hull found;
  REQUIRE(detail::Quickhull(p, -1).run(found));
  const Hull exact = detail::ExactHull(p, -1).run();
  check_hull(p, found);
  check_hull(p, exact);
  const auto places = [&](const Hull& hull) {
    std::set<std::vector<double>> out;
    for (const int v : hull.vert) out.insert({at(p, v)[0], at(p, v)[1], at(p, v)[2]});
    return out;
  };
  CHECK(places(found) == places(exact));
}

std::vector<double> vertices(const Triangles& t) { return {t.vert.begin(), t.vert.end()}; }

template <class T>
void put(std::string& out, T x) {
  out.append(reinterpret_cast<const char*>(&x), sizeof(x));
}

// a binary STL file of triangles given by their corners
std::string stl(const std::vector<float>& corners) {
  std::string out(80, 'x');
  put(out, std::uint32_t(corners.size() / 9));
  for (std::size_t i = 0; i < corners.size(); i += 9) {
    out.append(12, '\0');
    for (std::size_t k = 0; k < 9; ++k) put(out, corners[i + k]);
    out.append(2, '\0');
  }
  return out;
}

const std::vector<float> two_triangles = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

// ---- pictures: stored, without compression ------------------------------------------------------

void put_big(std::string& out, std::uint32_t x) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(char(x >> shift & 255));
}

void chunk(std::string& out, const std::string& type, const std::string& body) {
  put_big(out, std::uint32_t(body.size()));
  out += type + body;
  put_big(out, detail::crc(type + body));
}

std::string png(int width, int height, int depth, int color, const std::string& zlib) {
  std::string out("\x89PNG\r\n\x1a\n", 8), header;
  put_big(header, std::uint32_t(width));
  put_big(header, std::uint32_t(height));
  for (const int x : {depth, color, 0, 0, 0}) header.push_back(char(x));
  chunk(out, "IHDR", header);
  chunk(out, "IDAT", zlib);
  chunk(out, "IEND", "");
  return out;
}

std::string stored(const std::string& raw) {
  std::string out("\x78\x01\x01", 3);
  const auto n = unsigned(raw.size());
  for (const unsigned x : {n, n >> 8, ~n, ~n >> 8}) out.push_back(char(x & 255));
  out += raw;
  std::uint32_t a = 1, b = 0;
  for (const char c : raw) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  put_big(out, b << 16 | a);
  return out;
}

// the digits of 0, 1, 4, 9 … 299², compressed by zlib at level 9: dynamic codes and copies
const unsigned char compressed[] = {
    0x78, 0xda, 0x2d, 0x94, 0xc9, 0x75, 0xc4, 0x40, 0x08, 0x44, 0x53, 0x6a, 0x76, 0xc8, 0x3f, 0x31,
    0xff, 0x92, 0xe7, 0xf9, 0xe0, 0x9e, 0x96, 0x80, 0xa2, 0x16, 0x3d, 0xcb, 0xb3, 0xf6, 0x8a, 0xce,
    0xeb, 0x5c, 0xb3, 0xf7, 0xcc, 0xcd, 0x32, 0xad, 0xcf, 0xae, 0xdd, 0xcb, 0xab, 0x7d, 0x2f, 0x3c,
    0xa3, 0x2d, 0xdf, 0xe3, 0x49, 0x6e, 0x96, 0x5f, 0x4d, 0x53, 0xd7, 0xd3, 0xe3, 0x37, 0xcb, 0x9d,
    0xdd, 0x7b, 0xd7, 0x74, 0xf0, 0xb4, 0xb7, 0x67, 0x56, 0x6d, 0xd4, 0x9b, 0x73, 0x19, 0x74, 0x4b,
    0x4a, 0x8b, 0xde, 0xcd, 0x88, 0x66, 0xd2, 0x74, 0xda, 0x32, 0xfd, 0xa2, 0xfd, 0xf9, 0xf7, 0xc4,
    0xfd, 0x9d, 0xc7, 0x4b, 0x4f, 0x50, 0xd4, 0x7b, 0xde, 0xfc, 0x1f, 0x7e, 0x2f, 0xf7, 0xe0, 0x0c,
    0xde, 0x0b, 0x9a, 0x81, 0xe6, 0x02, 0xc8, 0x01, 0xe2, 0xa0, 0x5f, 0x8c, 0x5b, 0x6c, 0x66, 0x5c,
    0x5f, 0x02, 0x22, 0x99, 0x9b, 0x51, 0x9d, 0xb9, 0x97, 0xed, 0x99, 0x03, 0x76, 0xe0, 0xd5, 0x03,
    0x02, 0x43, 0x2b, 0xc0, 0xcf, 0x25, 0xab, 0x55, 0x0d, 0xff, 0xe9, 0xde, 0x6f, 0xf5, 0xaa, 0x35,
    0x4b, 0xf2, 0xc0, 0xd8, 0x2b, 0x7b, 0xf7, 0xe6, 0xb1, 0x24, 0xfd, 0x86, 0xe6, 0x53, 0x7d, 0x33,
    0xb4, 0x3b, 0xb7, 0x85, 0xaa, 0xf5, 0xa5, 0x1b, 0xbc, 0xc1, 0xde, 0x2e, 0x4b, 0x82, 0x8f, 0x47,
    0x1f, 0x08, 0x1a, 0x72, 0xf9, 0xc4, 0x28, 0x0b, 0x3f, 0xd7, 0x29, 0x99, 0xff, 0xfa, 0x1d, 0xfc,
    0xd8, 0xc7, 0x54, 0x99, 0x39, 0xbc, 0xc2, 0x0d, 0x7c, 0x35, 0x84, 0xd8, 0xc2, 0x8c, 0x7f, 0x2a,
    0x04, 0x8c, 0xb0, 0x46, 0xc2, 0x00, 0xec, 0xf9, 0x89, 0x46, 0xf1, 0x19, 0x59, 0x22, 0x14, 0x86,
    0xe3, 0xc0, 0x9b, 0xf6, 0xd5, 0x53, 0x91, 0xaa, 0xcf, 0x5d, 0xed, 0x08, 0x5b, 0x15, 0x6c, 0xad,
    0x0d, 0xad, 0x96, 0x53, 0xdb, 0xc7, 0x20, 0x4f, 0xbf, 0x39, 0x60, 0x7d, 0x36, 0xaa, 0x1d, 0xe8,
    0x46, 0x0c, 0xfa, 0xcd, 0xd1, 0x79, 0x35, 0x03, 0x5d, 0x38, 0x69, 0xee, 0x49, 0xf1, 0x13, 0x96,
    0x93, 0x70, 0xac, 0x69, 0xac, 0x02, 0xc3, 0xdc, 0x9f, 0xbf, 0x41, 0x3c, 0xfb, 0xd4, 0x0b, 0xe4,
    0x43, 0x5b, 0xd6, 0xa7, 0xc4, 0x51, 0x52, 0xe2, 0x23, 0x21, 0xda, 0xb1, 0x0b, 0xbb, 0x7b, 0xa4,
    0xd4, 0x65, 0x26, 0xf2, 0x52, 0x91, 0x28, 0x08, 0xc5, 0x74, 0x91, 0xf5, 0xb8, 0xa0, 0x73, 0x31,
    0xe3, 0xa3, 0xd0, 0xa5, 0x9a, 0xa3, 0xc3, 0x39, 0xc8, 0xda, 0xa5, 0x80, 0x4f, 0xb1, 0xce, 0xa0,
    0x89, 0x03, 0x12, 0x53, 0xc8, 0x60, 0xcb, 0x1e, 0x2e, 0x1e, 0x50, 0x74, 0x13, 0x96, 0xfc, 0x70,
    0xc9, 0x60, 0x15, 0xb9, 0xfa, 0x1d, 0x27, 0x68, 0x3b, 0xd0, 0x6d, 0x06, 0xa0, 0xf9, 0x01, 0x57,
    0xc1, 0x1b, 0x16, 0x61, 0x02, 0x81, 0x47, 0x22, 0xe8, 0x15, 0x72, 0x0d, 0xe4, 0x1e, 0x27, 0x7c,
    0x14, 0x9c, 0xf1, 0x90, 0x9c, 0xd5, 0xe8, 0x11, 0xfd, 0x79, 0x0d, 0xa5, 0x31, 0x1b, 0xee, 0xa3,
    0x2f, 0x64, 0xca, 0x8f, 0x62, 0x34, 0x16, 0x87, 0x22, 0xc7, 0x93, 0x05, 0x9f, 0x72, 0xf2, 0x24,
    0xb6, 0x4e, 0x2b, 0x02, 0xf1, 0xb5, 0x74, 0x12, 0x6d, 0x48, 0xaa, 0x2c, 0x01, 0x3f, 0x0f, 0x44,
    0x78, 0x94, 0xae, 0x0a, 0x9c, 0xb2, 0x05, 0x8f, 0xd0, 0x4a, 0x52, 0x08, 0xe4, 0x65, 0x0d, 0xc4,
    0x28, 0x83, 0xd9, 0x30, 0x91, 0x43, 0xaa, 0x72, 0x4a, 0x76, 0x46, 0x1d, 0x12, 0x47, 0x85, 0xd4,
    0x86, 0x41, 0xbc, 0x7f, 0xe4, 0xb0, 0x90, 0xb4, 0x4b, 0x9b, 0x97, 0x3d, 0x4e, 0xa6, 0x9c, 0xa2,
    0x59, 0xaa, 0x48, 0x3f, 0x88, 0x00, 0xac, 0x63, 0x8d, 0xf5, 0x04, 0xc7, 0x2a, 0x05, 0xd5, 0x55,
    0xcc, 0x80, 0xdb, 0xfb, 0x7c, 0x8f, 0x09, 0x00, 0x55, 0x83, 0x0d, 0xc9, 0x38, 0x15, 0x8b, 0x5b,
    0x0b, 0x82, 0xa0, 0x06, 0x4b, 0xd7, 0x81, 0xed, 0x93, 0xa9, 0x5f, 0xe1, 0x25, 0xfb, 0x52, 0x4f,
    0xb2, 0x48, 0xf1, 0xd3, 0xa7, 0x84, 0xf8, 0x84, 0x4e, 0xa1, 0xbb, 0xd4, 0xd3, 0xd4, 0x7b, 0xa5,
    0x8a, 0x52, 0xad, 0x82, 0xf1, 0x2d, 0xd4, 0xa3, 0x1c, 0x68, 0x06, 0x0c, 0x60, 0x1e, 0xc8, 0x4d,
    0x2c, 0x07, 0x0e, 0xfd, 0xcd, 0x53, 0xea, 0x1e, 0xf8, 0x46, 0x32, 0x0f, 0xce, 0xcc, 0x51, 0x5a,
    0x46, 0x7b, 0x0c, 0xea, 0x18, 0x99, 0xdc, 0x1c, 0x7d, 0x8d, 0xa6, 0xd8, 0x77, 0xe4, 0x76, 0x84,
    0x9d, 0xdf, 0x57, 0x69, 0xe0, 0x65, 0xf8, 0x36, 0xd9, 0x88, 0xab, 0xc1, 0x47, 0xb2, 0xb8, 0xe7,
    0x92, 0x5c, 0xa2, 0x09, 0x84, 0x95, 0x49, 0x97, 0xdb, 0x5e, 0x3a, 0xdf, 0x3a, 0xdc, 0x6f, 0xa0,
    0xc2, 0x4a, 0x0f, 0xa2, 0x4d, 0xbe, 0x0b, 0x8d, 0x16, 0x6f, 0x9d, 0xb4, 0xef, 0x05, 0xd6, 0x7f,
    0x9e, 0x76, 0x51, 0x75, 0x11, 0x5e, 0x1f, 0x99, 0x67, 0x7f, 0x9b, 0x15, 0x13, 0xd3,
};

}  // namespace

TEST_CASE("the side of a plane is decided exactly", "[asset]") {
  const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, c[3] = {0, 1, 0};
  const double up[3] = {0.25, 0.25, 1e-30}, down[3] = {0.25, 0.25, -1e-30}, in[3] = {3, 5, 0};
  CHECK(side_of(a, b, c, up) == 1);
  CHECK(side_of(a, b, c, down) == -1);
  CHECK(side_of(a, b, c, in) == 0);
  // the plane x = y far away, and points a last bit of a float beside it
  const double p[3] = {1e6, 1e6, double(0.1f)}, q[3] = {1e6 + 1, 1e6 + 1, double(0.3f)};
  const double r[3] = {-7, -7, 12}, off = double(std::nextafter(2.0f, 3.0f));
  const double on[3] = {2, 2, 99}, beside[3] = {off, 2, 99}, other[3] = {2, off, 99};
  CHECK(side_of(p, q, r, on) == 0);
  CHECK(side_of(p, q, r, beside) * side_of(p, q, r, other) == -1);
}

TEST_CASE("hulls of points, in general position and not", "[asset]") {
  Numbers number;
  const auto inside = points(400, [&] { return std::vector<float>{number(), number(), number()}; });
  check_both(inside);

  // many points on the faces, edges and corners of a box, most of them twice
  const auto grid = points(600, [&] {
    return std::vector<float>{0.1f * float(number.below(4)), 0.3f * float(number.below(5)),
                              0.7f * float(number.below(6))};
  });
  check_both(grid);
  const Hull box = convex_hull(grid);
  CHECK(box.vert.size() == 8);
  CHECK(make_polygons(box.face, grid).size() == 6);

  // thinner than the rounding of a float
  const auto thin = points(200, [&] {
    return std::vector<float>{number(), number(), 1e-12f * number()};
  });
  check_hull(thin, convex_hull(thin));

  // all points on the hull
  Triangles ball;
  REQUIRE(detail::make_sphere({3}, ball).ok());
  const Hull sphere = convex_hull(vertices(ball));
  check_both(vertices(ball));
  CHECK(sphere.vert.size() == 642);
  CHECK(convex_hull(vertices(ball), 20).vert.size() == 20);
  CHECK(detail::ExactHull(vertices(ball), 20).run().vert.size() == 20);
}

// numbers from MuJoCo 3.12.0: a box has six facets of four corners, which qhull splits in two
TEST_CASE("a box has the hull that qhull finds", "[asset]") {
  std::vector<double> p;
  for (const double x : {-0.5, 0.5}) {
    for (const double y : {-0.25, 0.25}) {
      for (const double z : {-1.0, 1.0}) p.insert(p.end(), {x, y, z});
    }
  }
  const Hull hull = convex_hull(p);
  CHECK(hull.vert == std::vector<int>{6, 2, 0, 4, 5, 1, 7, 3});
  CHECK(hull.edge == std::vector<int>{2, 0, 4,  5, 7, 3, -1, 6, 0, 3, -1, 6, 2, 4,  5,
                                      1, 3, -1, 6, 0, 5, -1, 4, 0, 1, 6,  7, 3, -1, 5,
                                      0, 3, -1, 5, 6, 3, -1, 2, 0, 1, 6,  7, 5, -1});
  CHECK(hull.face == std::vector<int>{2, 6, 0, 6, 4, 0, 4, 5, 0, 5, 1, 0, 6, 5, 4, 5, 6, 7,
                                      3, 2, 0, 1, 3, 0, 3, 6, 2, 6, 3, 7, 5, 3, 1, 3, 5, 7});
}

// Numbers from MuJoCo 3.12.0. The last point is so close to the fourth that triangles with both are
// slivers.
TEST_CASE("points close together have the hull that qhull finds", "[asset]") {
  std::vector<double> p;
  for (const float x :
       {0.0248992f,  0.108675f,    -0.105307f,  -0.116017f,  0.0239378f,   -0.0210501f,
        0.0994447f,  -0.118306f,   0.0436687f,  0.102001f,   -0.00516668f, 0.0806716f,
        -0.0360985f, 0.0937911f,   -0.0311071f, -0.0044256f, -0.0561763f,  -0.0331326f,
        0.0977119f,  -0.00539739f, 0.0804571f}) {
    p.push_back(double(x));
  }
  Hull hull;
  REQUIRE(detail::Quickhull(p, -1).run(hull));
  check_hull(p, hull);
  CHECK(hull.vert == std::vector<int>{5, 2, 4, 0, 3, 6, 1});
  CHECK(hull.face == std::vector<int>{2, 0, 3, 5, 2, 1, 0, 5, 1, 5, 0, 2, 2, 6, 1,
                                      6, 2, 3, 0, 4, 3, 4, 6, 3, 4, 0, 1, 6, 4, 1});
}

TEST_CASE("points in a plane, on a line or in one place have no hull", "[asset]") {
  Numbers number;
  CHECK(convex_hull(points(50, [&] {
          return std::vector<float>{number(), number(), 3};
        })).face.empty());
  CHECK(convex_hull(points(50, [&] {
          const float x = number();
          return std::vector<float>{x, x, -x};
        })).face.empty());
  CHECK(convex_hull(points(50, [&] { return std::vector<float>{1, 2, 3}; })).face.empty());
  CHECK(convex_hull({}).face.empty());
}

TEST_CASE("STL, binary and as text", "[asset]") {
  Triangles out;
  REQUIRE(read_stl(stl(two_triangles), out).ok());
  CHECK(out.nvert() == 4);  // two corners are shared
  CHECK(out.face == std::vector<int>{0, 1, 2, 1, 3, 2});

  Triangles text;
  REQUIRE(read_stl("solid x\n facet normal 0 0 1\n outer loop\n vertex 0 0 0\n vertex 1e0 0 0\n"
                   " vertex 0 +1 0\n endloop\n endfacet\nendsolid x\n",
                   text)
              .ok());
  CHECK(text.face == std::vector<int>{0, 1, 2});

  const std::string good = stl(two_triangles);
  for (const std::string& bad :
       {std::string(), good.substr(0, 50), good.substr(0, good.size() - 1), good + "x",
        std::string(84, '\xff'), std::string(80, ' ') + std::string("\xff\xff\xff\x7f", 4),
        std::string("solid x\nvertex 0 0\n"), std::string("solid x\nvertex 0 0 nan\n")}) {
    Triangles t;
    CHECK_FALSE(read_stl(bad, t).ok());
  }
}

TEST_CASE("OBJ: the first group, relative numbers, polygons cut into ears", "[asset]") {
  Triangles out;
  REQUIRE(read_obj("# a comment\nv 0 0 0\nv 2 0 0 1\nv 2 2 0\r\nv 0 2 0\nvt 0 0\nvn 0 0 1\n"
                   "g side\nf 1/1/1 2//1 3 4\nf -1 -2 -3\nusemtl red\nf 1 2 4\ng other\nf 1 2 3\n"
                   "v 1 1 1\n",
                   out)
              .ok());
  CHECK(out.nvert() == 5);
  CHECK(out.face == std::vector<int>{0, 1, 2, 0, 2, 3, 3, 2, 1, 0, 1, 3});
  CHECK(out.has_normal);

  // an L in the x-z plane: six corners, four triangles, none outside
  Triangles l;
  REQUIRE(
      read_obj("v 0 0 0\nv 3 0 0\nv 3 0 1\nv 1 0 1\nv 1 0 3\nv 0 0 3\nf 1 2 3 4 5 6\n", l).ok());
  REQUIRE(l.nface() == 4);
  double area = 0;
  for (std::size_t i = 0; i < l.face.size(); i += 3) {
    const auto x = [&](std::size_t k) { return l.vert[3 * std::size_t(l.face[i + k])]; };
    const auto z = [&](std::size_t k) { return l.vert[3 * std::size_t(l.face[i + k]) + 2]; };
    area += 0.5 * double((x(1) - x(0)) * (z(2) - z(0)) - (z(1) - z(0)) * (x(2) - x(0)));
  }
  CHECK(area == 5);

  for (const char* bad :
       {"", "v 0 0\n", "v 0 0 1e99\n", "v 0 0 x\n", "v 0 0 0\nf 0 1 2\n", "v 0 0 0\nf 1 2 3\n",
        "f -1 -2 -3\n", "f 99999999999 1 1\n", "f a b c\n"}) {
    Triangles t;
    CHECK_FALSE(read_obj(bad, t).ok());
  }
}

TEST_CASE("MSH: counts must be those of the file", "[asset]") {
  std::string good;
  for (const int n : {4, 4, 0, 1}) put(good, n);
  for (int i = 0; i < 24; ++i) put(good, float(i));
  for (const int v : {0, 1, 2}) put(good, v);
  Triangles out, mirrored;
  REQUIRE(read_msh(good, false, out).ok());
  CHECK(out.nvert() == 4);
  CHECK(out.face == std::vector<int>{0, 1, 2});
  REQUIRE(read_msh(good, true, mirrored).ok());
  CHECK(mirrored.face == std::vector<int>{0, 2, 1});

  for (std::size_t cut = 0; cut < good.size(); cut += 3) {
    Triangles t;
    CHECK_FALSE(read_msh(good.substr(0, cut), false, t).ok());
  }
  for (const int count : {-1, 3, 1 << 30, 0x7fffffff}) {
    std::string bad;
    put(bad, count);
    Triangles t;
    CHECK_FALSE(read_msh(bad + good.substr(4), false, t).ok());
  }
}

TEST_CASE("builtin shapes say what their parameters lack", "[asset]") {
  Triangles t;
  CHECK_FALSE(detail::make_sphere({5}, t).ok());
  CHECK_FALSE(detail::make_hemisphere({-1}, t).ok());
  CHECK_FALSE(detail::make_supersphere({2, 1, 1}, t).ok());
  CHECK_FALSE(detail::make_supertorus({8, 2, 1, 1}, t).ok());
  CHECK_FALSE(detail::make_cone({1e9, 0}, t).ok());
  CHECK_FALSE(detail::make_wedge({4, 4, 200, 10, 0}, t).ok());
  CHECK_FALSE(detail::make_plate({0, 1}, t).ok());
  CHECK(t.vert.empty());
}

TEST_CASE("zlib streams", "[asset]") {
  const std::string stream(reinterpret_cast<const char*>(compressed), sizeof(compressed));
  std::string expected, out;
  for (int i = 0; i < 300; ++i) expected += std::to_string(i * i);
  REQUIRE(inflate(stream, expected.size(), out).ok());
  CHECK(out == expected);

  CHECK_FALSE(inflate(stream, expected.size() - 1, out).ok());
  CHECK_FALSE(inflate(stream, expected.size() + 1, out).ok());
  CHECK_FALSE(inflate(stream, std::size_t{1} << 40, out).ok());
  int refused = 0;
  for (std::size_t cut = 0; cut < stream.size(); ++cut) {
    refused += inflate(stream.substr(0, cut), expected.size(), out).ok() ? 0 : 1;
  }
  CHECK(refused == int(stream.size()));
  // damage anywhere is an error, since at least the checksum is wrong then
  refused = 0;
  for (std::size_t i = 0; i < stream.size(); ++i) {
    std::string bad = stream;
    bad[i] = char(bad[i] ^ 0x55);
    refused += inflate(bad, expected.size(), out).ok() ? 0 : 1;
  }
  CHECK(refused == int(stream.size()));
}

TEST_CASE("PNG pictures", "[asset]") {
  // three rows with different filters: none, left, above
  const std::string raw("\0\x0a\x14\x1e\1\x0a\x0a\x0a\2\x01\x01\x01", 12);
  Picture out;
  REQUIRE(read_png(png(3, 3, 8, 0, stored(raw)), out).ok());
  CHECK(out.width == 3);
  CHECK(out.at(0, 2) == 30);
  CHECK(out.at(1, 2) == 30);
  CHECK(out.at(2, 0) == 11);

  // four bits per pixel, spread to eight; the red channel of a colour picture
  Picture half, red;
  REQUIRE(read_png(png(3, 1, 4, 0, stored(std::string("\0\x0f\x80", 3))), half).ok());
  CHECK((half.at(0, 0) == 0 && half.at(0, 1) == 255 && half.at(0, 2) == 136));
  REQUIRE(read_png(png(1, 1, 8, 2, stored(std::string("\0\x07\x08\x09", 4))), red).ok());
  CHECK(red.at(0, 0) == 7);

  const std::string good = png(3, 3, 8, 0, stored(raw));
  int refused = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    Picture p;
    std::string bad = good;
    bad[i] = char(bad[i] ^ 0x40);
    refused += read_png(bad, p).ok() || read_png(good.substr(0, i), p).ok() ? 0 : 1;
  }
  CHECK(refused == int(good.size()));
  Picture p;
  CHECK_FALSE(read_png(png(1 << 30, 1 << 30, 8, 0, stored(raw)), p).ok());
  CHECK_FALSE(read_png(png(3, 3, 3, 0, stored(raw)), p).ok());
  CHECK_FALSE(read_png(png(3, 3, 1, 3, stored(raw)), p).ok());  // no palette
}
