// SPDX-License-Identifier: Apache-2.0
//
// Shapes for collider tests, and the contacts that MuJoCo finds between them.
#pragma once

#include <corten/collide/default_colliders.hpp>
#include <corten/math/quat.hpp>
#include <corten/scalar/dual.hpp>

#include "../support/catch.hpp"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace pairs {

using corten::GeomType;
using corten::Hit;
using corten::Shape;
using corten::Vec3;

// a line of golden/collide_pairs.txt
struct Case {
  GeomType type1, type2;
  std::string name;
  double margin = 0;
  Shape<double> a, b;
  std::vector<Hit<double>> hits;  // tangent: second row of the contact frame
};

inline GeomType type_of(const std::string& name) {
  const std::vector<std::string> names = {"plane",     "hfield",   "sphere", "capsule",
                                          "ellipsoid", "cylinder", "box"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<GeomType>(i);
  }
  FAIL("unknown geom type " << name);
  return GeomType::plane;
}

inline Vec3<double> read_vec(std::istream& in) {
  Vec3<double> v;
  for (int i = 0; i < 3; ++i) in >> v[i];
  return v;
}

inline Shape<double> read_shape(std::istream& in) {
  Shape<double> s;
  s.size = read_vec(in);
  s.pos = read_vec(in);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) in >> s.axes[j][i];
  }
  return s;
}

inline std::vector<Case> read_cases() {
  std::ifstream file(std::string(CORTEN_TEST_DIR) + "/golden/collide_pairs.txt");
  std::vector<Case> out;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream in(line);
    std::string t1, t2;
    int n = 0;
    in >> t1 >> t2;
    Case c;
    c.name = t1 + " " + t2 + ", line " + std::to_string(out.size());
    c.type1 = type_of(t1);
    c.type2 = type_of(t2);
    in >> c.margin;
    c.a = read_shape(in);
    c.b = read_shape(in);
    in >> n;
    for (int i = 0; i < n; ++i) {
      Hit<double> h;
      in >> h.dist;
      h.pos = read_vec(in);
      h.normal = read_vec(in);
      h.tangent = read_vec(in);
      c.hits.push_back(h);
    }
    REQUIRE(in);
    out.push_back(c);
  }
  REQUIRE(out.size() > 100);
  return out;
}

template <class S>
Shape<S> convert(const Shape<double>& from) {
  Shape<S> out;
  for (int i = 0; i < 3; ++i) {
    out.pos[i] = S(corten::value_t<S>(from.pos[i]));
    out.size[i] = S(corten::value_t<S>(from.size[i]));
    for (int j = 0; j < 3; ++j) out.axes[j][i] = S(corten::value_t<S>(from.axes[j][i]));
  }
  return out;
}

// all hits of two shapes, with the default list of colliders
template <class S>
std::vector<Hit<S>> collide(GeomType t1, GeomType t2, const Shape<S>& a, const Shape<S>& b,
                            const S& margin, corten::Effort<S> effort = {}) {
  std::vector<Hit<S>> hits(static_cast<std::size_t>(corten::DefaultColliders::max_hits));
  const int n = corten::DefaultColliders::collide(
      t1, t2, [&] { return a; }, [&] { return b; }, margin, effort, hits.data());
  hits.resize(static_cast<std::size_t>(n));
  return hits;
}

// a shape with a position, a rotation vector and sizes
inline Shape<double> shape(const Vec3<double>& pos, const Vec3<double>& turn,
                           const Vec3<double>& size) {
  Shape<double> out;
  const corten::Mat3<double> m = corten::to_matrix(corten::exp_map(turn));
  out.pos = pos;
  out.size = size;
  for (int j = 0; j < 3; ++j) out.axes[j] = m.col(j);
  return out;
}

// the shape moved by t (translation, then rotation about its centre)
template <class S>
Shape<S> moved(const Shape<S>& s, const corten::Vec6<S>& t) {
  Shape<S> out = s;
  const corten::Mat3<S> m = corten::to_matrix(corten::exp_map(Vec3<S>(t[3], t[4], t[5])));
  for (int i = 0; i < 3; ++i) out.pos[i] += t[i];
  for (int j = 0; j < 3; ++j) out.axes[j] = m * s.axes[j];
  return out;
}

// is the pair solved by iterations? All are, except those with a closed form.
inline bool iterative(GeomType a, GeomType b) {
  using enum GeomType;
  if (a == plane) return false;
  if (a == ellipsoid || b == ellipsoid) return true;
  return (a != sphere && b == cylinder) || (a == cylinder && b == box);
}

}  // namespace pairs
