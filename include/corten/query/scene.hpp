// SPDX-License-Identifier: Apache-2.0
//
// Ray casting and distances between geoms, for a Model and a Data. Call them after forward.
#pragma once

#include <corten/collide/distance.hpp>
#include <corten/collide/ray.hpp>
#include <corten/query/views.hpp>

#include <type_traits>

namespace corten {

// see collide/ray.hpp
template <class P = DefaultPolicies, class SM, class S>
RayHit<S> cast_ray(const Model<SM>& model, const Data<S>& data, const Vec3<S>& point,
                   const Vec3<S>& direction, const RayFilter& filter = {}) {
  return cast_ray(make_ref<P>(model), data.ref(), point, direction, filter);
}

// see collide/distance.hpp
template <class P = DefaultPolicies, class SM, class S>
Nearest<S> geom_distance(const Model<SM>& model, const Data<S>& data, int geom1, int geom2,
                         const std::type_identity_t<S>& largest) {
  return geom_distance(make_ref<P>(model), data.ref(), geom1, geom2, largest);
}

}  // namespace corten
