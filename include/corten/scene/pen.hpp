// SPDX-License-Identifier: Apache-2.0
//
// What a kind of geom looks like. A kind says it in its function draw, with one call of a pen:
//
//   template <class Pen>
//   static void draw(const Vec3<double>& size, Pen& pen) {
//     pen.capsule(size[0], size[1]);
//   }
//
// What is no plane, sphere, capsule, ellipsoid, cylinder, box, mesh or height field is drawn as
// triangles, or as the surface where a function of a point is zero (negative inside):
//
//   pen.triangles([&](auto& out) {
//     const int a = out.vertex(0, 0, 0), b = …;
//     out.face(a, b, c);               // counter-clockwise, seen from outside
//   });
//   pen.field(low, high, [&](const Vec3<double>& p) { return …; });
//
// The function runs only where triangles are wanted. A kind without draw that has a signed_distance
// is drawn as its field. Anything else has no figure: assets() names it, and nothing is drawn. A
// kind that inherits from one of the library, for its inertia say, need not have its shape: what it
// inherits from there is not taken for a drawing.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/list.hpp>
#include <corten/geom/geoms.hpp>
#include <corten/math/types.hpp>
#include <corten/scene/field_surface.hpp>
#include <corten/scene/surface.hpp>

#include <type_traits>

namespace corten::scene {

// Sizes are those of geoms: half lengths, radius first. Arrows start at `pos` and point along z;
// size is (radius, radius, length). Segments are capsules. The script of the page knows shapes by
// these numbers (view/page/world.hpp), which for MuJoCo's kinds of geoms are MuJoCo's.
enum class Shape : int {
  none = -1,
  plane = 0,
  hfield,
  sphere,
  capsule,
  ellipsoid,
  cylinder,
  box,
  mesh,
  arrow,
  surface,  // a deformable: Item::mesh is an index in Scene::surfaces
  own       // a geom with triangles of its own, in Assets::own
};

static_assert(static_cast<int>(Shape::plane) == static_cast<int>(GeomType::plane) &&
              static_cast<int>(Shape::mesh) == static_cast<int>(GeomType::mesh));

struct Figure {
  Shape shape = Shape::none;
  int mesh = -1;  // mesh or height field of the model, or index in Assets::own
  Vec3<double> size = Vec3<double>::Zero();
};

// Without `Triangles` a pen notes which shape it is, and no more.
template <bool Triangles>
class Pen {
 public:
  Figure figure;
  Surface own;  // if the shape is Shape::own

  explicit Pen(const Vec3<double>& size) { figure.size = size; }

  void plane(double x, double y) { set(Shape::plane, {x, y, figure.size[2]}); }
  void sphere(double radius) { set(Shape::sphere, {radius, 0, 0}); }
  void capsule(double radius, double half) { set(Shape::capsule, {radius, half, 0}); }
  void ellipsoid(const Vec3<double>& axes) { set(Shape::ellipsoid, axes); }
  void cylinder(double radius, double half) { set(Shape::cylinder, {radius, half, 0}); }
  void box(const Vec3<double>& half) { set(Shape::box, half); }
  void mesh(int id) { refer(Shape::mesh, id); }
  void hfield(int id) { refer(Shape::hfield, id); }

  template <class F>
  void triangles(const F& make) {
    figure.shape = Shape::own;
    if constexpr (Triangles) {
      Builder out;
      make(out);
      own = smooth_surface(out.vert, out.faces);
    }
  }

  // a box without bounds cannot be searched
  template <class F>
  void field(const Vec3<double>& low, const Vec3<double>& high, const F& distance) {
    constexpr double far = 1e9;
    for (int k = 0; k < 3; ++k) {
      if (!(high[k] > low[k]) || !(high[k] - low[k] < far)) return;
    }
    figure.shape = Shape::own;
    if constexpr (Triangles) own = field_surface(low, high, distance);
  }

 private:
  struct Builder {
    List<float> vert;
    List<int> faces;

    int vertex(double x, double y, double z) {
      vert.append({static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)});
      return static_cast<int>(vert.size() / 3) - 1;
    }
    void face(int a, int b, int c) { faces.append({a, b, c}); }
  };

  void set(Shape shape, const Vec3<double>& size) { figure.shape = shape, figure.size = size; }
  void refer(Shape shape, int id) {
    if (id >= 0) figure.shape = shape, figure.mesh = id;
  }
};

// Can geoms of this kind with equal sizes share their triangles?
template <class Geom, class M>
constexpr bool drawn_by_size = !requires(const M& m, Pen<true>& pen) {
  Geom::draw_in(m, 0, pen);
};

namespace detail {

// the functions of a kind that can be inherited
template <class P>
struct DrawFunction {
  template <class Geom>
  static constexpr auto of() requires requires {
    &Geom::template draw<P>;
  }
  { return &Geom::template draw<P>; }
};
struct DistanceFunction {
  template <class Geom>
  static constexpr auto of() requires requires {
    &Geom::template signed_distance<double>;
  }
  { return &Geom::template signed_distance<double>; }
};

// Has a kind this function from one of the library's?
template <class Geom, class Base, class Function>
constexpr bool inherits() {
  if constexpr (std::is_same_v<Geom, Base> || !std::is_base_of_v<Base, Geom>) {
    return false;
  } else if constexpr (requires {
                         Function::template of<Geom>() == Function::template of<Base>();
                       }) {
    return Function::template of<Geom>() == Function::template of<Base>();
  } else {
    return false;
  }
}

template <class Geom, class P, class... Base>
constexpr bool draws(const Geoms<Base...>&) {
  return requires(const Vec3<double>& size, P& pen) { Geom::draw(size, pen); }
  &&!(inherits<Geom, Base, DrawFunction<P>>() || ...);
}
template <class Geom, class... Base>
constexpr bool has_distance(const Geoms<Base...>&) {
  return requires(const Vec3<double>& size) { Geom::signed_distance(size, size); }
  &&!(inherits<Geom, Base, DistanceFunction>() || ...);
}

}  // namespace detail

// Draws geom `g` of the view `m`, or something like it: a site has its kind and size, but no data
// (g = -1). A kind that is not in the list leaves the pen as it is.
template <class Geoms, class M, class P>
void draw_kind(const M& m, GeomType type, int g, P& pen) {
  Geoms::visit(type, [&](auto kind) {
    using Geom = decltype(kind);
    const Vec3<double> size = pen.figure.size;
    if constexpr (requires { Geom::draw_in(m, g, pen); }) {
      if (g >= 0) Geom::draw_in(m, g, pen);
    } else if constexpr (detail::draws<Geom, P>(DefaultGeoms())) {
      Geom::draw(size, pen);
    } else if constexpr (detail::has_distance<Geom>(DefaultGeoms())) {
      const Vec6<double> box = Geom::aabb(size);
      const Vec3<double> centre = box.template head<3>(), half = box.template tail<3>();
      pen.field(centre - half, centre + half,
                [&](const Vec3<double>& p) { return Geom::signed_distance(size, p); });
    }
  });
}

}  // namespace corten::scene
