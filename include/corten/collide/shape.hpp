// SPDX-License-Identifier: Apache-2.0
//
// The input and output of pair colliders, and the contract that a collider fulfils.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/polytope_room.hpp>
#include <corten/geom/grid.hpp>
#include <corten/math/field.hpp>
#include <corten/math/vector.hpp>

namespace corten {

// The convex hull of a mesh, as the model stores it (model/fields.hpp). Plain numbers: there are no
// derivatives with respect to a mesh.
struct MeshView {
  const float* vert = nullptr;
  int nvert = 0;
  const int* graph = nullptr;    // null: no hull
  const int* extrema = nullptr;  // null: too few vertices for a search along edges
  int nside = 0;
  const double* normal = nullptr;                                             // of the sides
  const int *side_adr = nullptr, *side_num = nullptr, *side_vert = nullptr;   // corners of sides
  const int *around_adr = nullptr, *around_num = nullptr, *around = nullptr;  // sides of vertices

  template <class S>
  CORTEN_FN Vec3<S> vertex(int i) const {
    return Vec3<S>(S(vert[3 * i]), S(vert[3 * i + 1]), S(vert[3 * i + 2]));
  }
};

// the heights of a height field
struct HeightView {
  const float* data = nullptr;
  int nrow = 0, ncol = 0;
};

// A geom in the world. Its axes are separate vectors rather than a matrix, so that a collider that
// needs one of them (capsules, planes) loads only one.
template <class S>
struct Shape {
  Vec3<S> pos;
  Vec3<S> axes[3];  // columns of the rotation matrix
  Vec3<S> size;     // height field: half widths, and the height that 1 stands for
  S depth = S(0);   // height field: how far it extends below 0
  MeshView mesh = {};
  HeightView heights = {};
  GridView<S> grid = {};

  CORTEN_FN const Vec3<S>& axis(int k) const { return axes[k]; }

  // rotate a vector from the frame of the geom to the world, and back
  CORTEN_FN Vec3<S> turn(const Vec3<S>& v) const {
    return axes[0] * v[0] + axes[1] * v[1] + axes[2] * v[2];
  }
  CORTEN_FN Vec3<S> turn_back(const Vec3<S>& v) const {
    return Vec3<S>(axes[0].dot(v), axes[1].dot(v), axes[2].dot(v));
  }

  // transform a point between the world and the frame of the geom
  CORTEN_FN Vec3<S> to_local(const Vec3<S>& p) const { return turn_back(Vec3<S>(p - pos)); }
  CORTEN_FN Vec3<S> to_world(const Vec3<S>& p) const { return turn(p) + pos; }
};

// One point of contact: the normal points from the first geom to the second, pos is midway between
// the two surfaces. A tangent, if not zero, suggests the second axis of the contact frame.
template <class S>
struct Hit {
  S dist;
  Vec3<S> pos, normal, tangent;
};

// the contact of a plane with a point at height `dist` above it
template <class S>
CORTEN_FN Hit<S> plane_hit(const Vec3<S>& normal, const Vec3<S>& point, const S& dist) {
  return {dist, point - normal * (dist * S(0.5)), normal, Vec3<S>::Zero()};
}

// Which parts of the general colliders a function has: all of them, or only those that a kernel
// needs for its model. Sides of hundreds of corners are clipped by a part of their own (clip.hpp).
enum class Ccd { all, native, small_sides, portal };

// How much work iterative colliders may do. They set `limited` when they run out of it.
template <class S>
struct Effort {
  value_t<S> tolerance = value_t<S>(1e-6);
  int iterations = local_iterations;
  bool multi = true;            // look for further points where faces touch
  bool limited = false;         // out: some search ran out of iterations
  bool portal = false;          // use the portal method (mpr.hpp) instead of GJK and EPA
  int starts = 40, steps = 10;  // of the search between distance fields (sdf.hpp)
  Byte* room = nullptr;         // memory for more iterations than local_iterations (polytope.hpp)
  int room_vertices = 0;

  // the same for colliders on plain values
  CORTEN_FN Effort<value_t<S>> values() const {
    return {tolerance, iterations, multi, false, portal, starts, steps, room, room_vertices};
  }
};

// A collider is a type with
//
//   static constexpr GeomType first, second;      // first <= second
//   static constexpr int max_hits;
//   template <class S> static int collide(const Shape<S>& a, const Shape<S>& b, const S& margin,
//                                         Hit<S>* hits);
//
// that writes the contacts that are at most `margin` apart and returns their number. Values decide
// branches; the numbers written carry derivatives. An iterative collider takes an `Effort<S>&`
// before `hits`. A collider without a limit on the number of hits has max_hits = 0 and, instead of
// collide(), `stream(a, b, margin, effort, emit)`, which calls emit(hit). A pipeline knows only the
// colliders listed in its Colliders<…>, so a collider of your own is added by naming it there. The
// first three members of a shape are always set, the others only for meshes, height fields and
// distance fields.
//
// A collider that does not report how far shapes within the margin are apart declares
// contacts_only = true; GJK then finds their distance (collide/distance.hpp).
//
// Pairs that share an implementation name its type as `Shared` (convex.hpp, hfield.hpp): its
// collide() or stream() takes the two geom types before the shapes, and a list compiles it once,
// not once per pair.

}  // namespace corten
