// SPDX-License-Identifier: Apache-2.0
//
// What pair colliders work on, what they find, and the contract of a collider.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/polytope_room.hpp>
#include <corten/geom/grid.hpp>
#include <corten/math/field.hpp>
#include <corten/math/vector.hpp>

namespace corten {

// The convex hull of a mesh, as the model has it (model/fields.hpp). Plain numbers: a mesh is not
// differentiated in.
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

// A geom in the world. Axes are kept apart, not as a matrix, so that a collider that needs one of
// them (capsules, planes) loads one.
template <class S>
struct Shape {
  Vec3<S> pos;
  Vec3<S> axes[3];  // columns of the rotation matrix
  Vec3<S> size;     // of a height field: half widths, height of 1
  S depth = S(0);   // of a height field, below 0
  MeshView mesh = {};
  HeightView heights = {};
  GridView<S> grid = {};

  CORTEN_FN const Vec3<S>& axis(int k) const { return axes[k]; }

  // turn a vector into the world, and back
  CORTEN_FN Vec3<S> turn(const Vec3<S>& v) const {
    return axes[0] * v[0] + axes[1] * v[1] + axes[2] * v[2];
  }
  CORTEN_FN Vec3<S> turn_back(const Vec3<S>& v) const {
    return Vec3<S>(axes[0].dot(v), axes[1].dot(v), axes[2].dot(v));
  }

  // between the world and the frame of the geom
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

// What iterative colliders may spend. `limited` is set when they ran out of it.
template <class S>
struct Effort {
  value_t<S> tolerance = value_t<S>(1e-6);
  int iterations = local_iterations;
  bool multi = true;            // look for further points where faces touch
  bool limited = false;         // out: the iterations did not suffice somewhere
  bool portal = false;          // by the portal method (mpr.hpp), not by GJK and EPA
  int starts = 40, steps = 10;  // of the search between fields of distances
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
// before `hits`. One without a limit of hits has max_hits = 0 and `stream(a, b, margin, effort, emit)`
// instead, which calls emit(hit). Types that are listed in Colliders<…> are all that a pipeline knows,
// so a collider of your own is added by naming it there. The first three members of a shape are
// always there, the others for meshes, height fields and fields of distances.
//
// A collider that does not tell how far shapes are apart within the margin says contacts_only = true;
// their distance is then found by GJK (collide/distance.hpp).
//
// Pairs that one function serves name its type as `Shared` (convex.hpp, hfield.hpp): its collide() or
// stream() takes the two types before the shapes, and a list compiles it once, not once a pair.

}  // namespace corten
