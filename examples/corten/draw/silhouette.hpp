// SPDX-License-Identifier: Apache-2.0
//
// A world seen from far away: the outline of every geom, projected onto a plane.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/data/data.hpp>
#include <corten/math/vector.hpp>
#include <corten/scene/deformable.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace cli {

struct Point {
  double x = 0, y = 0;
  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend Point operator*(double s, Point a) { return {s * a.x, s * a.y}; }
};

inline double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
inline double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }

// The plane that a picture shows. The default view looks along +y, with x to the right and z up.
struct View {
  corten::Vec3<double> right{1, 0, 0}, up{0, 0, 1};

  static View front() { return {{0, 1, 0}, {0, 0, 1}}; }
  static View top() { return {{1, 0, 0}, {0, 1, 0}}; }

  Point operator()(const corten::Vec3<double>& p) const { return {right.dot(p), up.dot(p)}; }
  double depth(const corten::Vec3<double>& p) const { return corten::cross(up, right).dot(p); }
};

struct Box2 {
  double left = std::numeric_limits<double>::infinity(), right = -left;
  double bottom = left, top = -left;

  bool empty() const { return !(left <= right); }
  void add(Point p, double radius) {
    left = std::min(left, p.x - radius);
    right = std::max(right, p.x + radius);
    bottom = std::min(bottom, p.y - radius);
    top = std::max(top, p.y + radius);
  }
};

// All points within `radius` of a point, a segment or a convex polygon (counter-clockwise).
struct Silhouette {
  std::vector<Point> points;
  double radius = 0;
  double depth = 0;  // larger is farther away
  int geom = 0;  // after all geoms, the first element of each soft body or flex; the others are -1
  bool fixed = false;  // to the world

  bool contains(Point p) const {
    bool inside = points.size() > 2;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point a = points[i], e = points[(i + 1) % points.size()] - a;
      inside = inside && cross(e, p - a) >= 0;
      const double length = dot(e, e);
      const double t = length > 0 ? std::clamp(dot(p - a, e) / length, 0.0, 1.0) : 0;
      const Point to = p - (a + t * e);
      nearest = std::min(nearest, dot(to, to));
    }
    return inside || nearest <= radius * radius;
  }
};

// The bodies in front of the viewer, and the planes that are seen edge-on, such as the floor.
struct Scene {
  struct Edge {
    Point point, normal;
  };
  double time = 0;
  std::vector<Silhouette> shapes;  // farthest first
  std::vector<Edge> planes;

  Box2 bounds() const {
    Box2 out;
    for (const Silhouette& s : shapes) {
      for (const Point p : s.points) out.add(p, s.radius);
    }
    return out;
  }
};

namespace detail {

// convex hull, counter-clockwise (Andrew's monotone chain)
inline std::vector<Point> hull(std::vector<Point> points) {
  std::sort(points.begin(), points.end(),
            [](Point a, Point b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); });
  std::vector<Point> out;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t start = out.size();
    for (const Point p : points) {
      while (out.size() >= start + 2 &&
             cross(out.back() - out[out.size() - 2], p - out.back()) <= 0) {
        out.pop_back();
      }
      out.push_back(p);
    }
    out.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return out;
}

// The outline of a box, a cylinder or an ellipsoid: the hull of points on its surface. Round edges
// are sampled.
inline std::vector<Point> outline(corten::GeomType type, const corten::Vec3<double>& size,
                                  const corten::Vec3<double>& pos, const corten::Mat3<double>& mat,
                                  const View& view) {
  constexpr int samples = 32;
  std::vector<Point> out;
  const auto add = [&](double x, double y, double z) {
    out.push_back(view(pos + mat * corten::Vec3<double>(x, y, z)));
  };
  const auto angle = [](int k) { return 2 * 3.14159265358979323846 * k / samples; };
  if (type == corten::GeomType::box) {
    for (int k = 0; k < 8; ++k) {
      add(k & 1 ? size[0] : -size[0], k & 2 ? size[1] : -size[1], k & 4 ? size[2] : -size[2]);
    }
  } else if (type == corten::GeomType::cylinder) {
    for (int k = 0; k < samples; ++k) {
      const double c = size[0] * std::cos(angle(k)), s = size[0] * std::sin(angle(k));
      add(c, s, size[1]), add(c, s, -size[1]);
    }
  } else if (type == corten::GeomType::ellipsoid) {
    // the farthest point of the ellipsoid A A' in direction u is A (A' u) / |A' u|
    const corten::Mat3<double> a = corten::scale_columns(mat, size);
    for (int k = 0; k < samples; ++k) {
      const corten::Vec3<double> u = std::cos(angle(k)) * view.right + std::sin(angle(k)) * view.up;
      out.push_back(view(pos + a * (a.transpose() * u).normalized()));
    }
  }
  return hull(std::move(out));
}

template <class T>
corten::Vec3<double> load3(const T& field, int i) {
  const auto at = [&](int k) { return static_cast<double>(corten::value(field[3 * i + k])); };
  return {at(0), at(1), at(2)};
}

// the outside of soft bodies and flexes: triangles, or segments
template <class S, class D>
void add_deformables(const corten::Model<S>& model, const D& d, const View& view,
                     std::vector<Silhouette>& out) {
  int id = model.n.ngeom;
  for (const corten::scene::Deformable& body : corten::scene::deformables(model)) {
    const corten::List<int>& list = body.face.empty() ? body.segment : body.face;
    const std::size_t corners = body.face.empty() ? 2 : 3;
    for (std::size_t i = 0; i < list.size(); i += corners) {
      Silhouette shape{{}, body.radius, 0, i == 0 ? id : -1};
      for (std::size_t k = 0; k < corners; ++k) {
        corten::Vec3<double> at;
        for (int x = 0; x < 3; ++x) {
          at[x] = static_cast<double>(
              corten::scene::moving_vertex(model, d, body.first + list[i + k], x));
        }
        shape.points.push_back(view(at));
        shape.depth = k == 0 ? view.depth(at) : std::max(shape.depth, view.depth(at));
      }
      // seen along its plane, a triangle may have no hull
      if (std::vector<Point> around = hull(shape.points); around.size() > 2) {
        shape.points = std::move(around);
      } else {
        shape.points.resize(2);
      }
      out.push_back(std::move(shape));
    }
    ++id;
  }
}

// is a geom part of the surroundings? mocap bodies have no joints either, but move
template <class S>
bool is_fixed(const corten::Model<S>& model, int geom) {
  const auto body = static_cast<std::size_t>(model.geom_bodyid[static_cast<std::size_t>(geom)]);
  const auto root = static_cast<std::size_t>(model.body_rootid[body]);
  return model.body_weldid[body] == 0 && model.body_mocapid[root] < 0;
}

}  // namespace detail

// The world after forward(). Meshes, height fields and other kinds of geoms are not drawn.
template <class S, class SD>
Scene scene(const corten::Model<S>& model, const corten::Data<SD>& data, const View& view = {}) {
  Scene out;
  const auto& d = data.ref();
  out.time = static_cast<double>(corten::value(d.time.get()));
  for (int g = 0; g < model.n.ngeom; ++g) {
    const auto i = static_cast<std::size_t>(g);
    const auto type = static_cast<corten::GeomType>(model.geom_type[i]);
    const corten::Vec3<double> size = detail::load3(model.geom_size.data(), g);
    const corten::Vec3<double> pos = detail::load3(d.geom_xpos, g);
    corten::Mat3<double> mat;
    for (int k = 0; k < 9; ++k) {
      mat(k / 3, k % 3) = static_cast<double>(corten::value(d.geom_xmat[9 * g + k]));
    }
    const corten::Vec3<double> axis = mat.col(2);

    Silhouette s{{}, size[0], view.depth(pos), g, detail::is_fixed(model, g)};
    if (type == corten::GeomType::plane) {
      const Point normal = view(axis);
      if (dot(normal, normal) > 0.999) out.planes.push_back({view(pos), normal});
    } else if (type == corten::GeomType::sphere) {
      s.points = {view(pos)};
    } else if (type == corten::GeomType::capsule) {
      s.points = {view(pos - size[1] * axis), view(pos + size[1] * axis)};
    } else {
      s.radius = 0;
      s.points = detail::outline(type, size, pos, mat, view);
    }
    if (!s.points.empty()) out.shapes.push_back(std::move(s));
  }
  detail::add_deformables(model, d, view, out.shapes);
  std::stable_sort(out.shapes.begin(), out.shapes.end(),
                   [](const Silhouette& a, const Silhouette& b) { return a.depth > b.depth; });
  return out;
}

}  // namespace cli
