// SPDX-License-Identifier: Apache-2.0
//
// Ray casting and distances between geoms, for a Model and a Data. Call them after forward.
#pragma once

#include <corten/collide/distance.hpp>
#include <corten/collide/ray.hpp>
#include <corten/query/views.hpp>

#include <cstddef>
#include <type_traits>

namespace corten {

namespace detail {

// Does the ray start somewhere and lead elsewhere?
template <class S>
bool is_ray(const Vec3<S>& point, const Vec3<S>& direction) {
  bool moves = false, good = true;
  for (int k = 0; k < 3; ++k) {
    good = good && !is_bad(value(point[k])) && !is_bad(value(direction[k]));
    moves = moves || value(direction[k]) != 0;
  }
  return good && moves;
}

}  // namespace detail

// see collide/ray.hpp
template <class P = DefaultPolicies, class SM, class S>
Result<RayHit<S>> cast_ray(const Model<SM>& model, const Data<S>& data, const Vec3<S>& point,
                           const Vec3<S>& direction, const RayFilter& filter = {}) {
  if (!data.fits(model)) return Error(Status::describe(wrong_model));
  if (!detail::is_ray(point, direction)) {
    return Error("the ray holds NaN, infinity or a number above 1e10, or its direction is zero");
  }
  return cast_ray(make_ref<P>(model), data.ref(), point, direction, filter);
}

// Many rays from one point, as of a lidar: hits[i] is what directions[i] hits. Returns bad_argument
// if there are not as many hits as directions, or a ray is none.
template <class P = DefaultPolicies, class SM, class S>
Status cast_rays(const Model<SM>& model, const Data<S>& data, const Vec3<S>& point,
                 In<Vec3<S>> directions, Out<RayHit<S>> hits, const RayFilter& filter = {}) {
  if (!data.fits(model)) return Status{wrong_model};
  if (directions.size() != hits.size()) return Status{bad_argument};
  for (const Vec3<S>& direction : directions) {
    if (!detail::is_ray(point, direction)) return Status{bad_argument};
  }
  const auto m = make_ref<P>(model);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    hits[i] = cast_ray(m, data.ref(), point, directions[i], filter);
  }
  return {};
}

// see collide/distance.hpp
template <class P = DefaultPolicies, class SM, class S>
Result<Nearest<S>> geom_distance(const Model<SM>& model, const Data<S>& data, int geom1, int geom2,
                                 const std::type_identity_t<S>& largest) {
  for (const int geom : {geom1, geom2}) {
    const Result<void> known = detail::check_id(model, data, "geom", geom, model.n.ngeom);
    if (!known) return known.error();
  }
  if (value(largest) != value(largest)) return Error("the largest distance is NaN");
  return geom_distance(make_ref<P>(model), data.ref(), geom1, geom2, largest);
}

}  // namespace corten
