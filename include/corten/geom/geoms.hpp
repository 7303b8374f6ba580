// SPDX-License-Identifier: Apache-2.0
//
// The geom kinds of the library.
#pragma once

#include <corten/geom/box.hpp>
#include <corten/geom/capsule.hpp>
#include <corten/geom/cylinder.hpp>
#include <corten/geom/ellipsoid.hpp>
#include <corten/geom/geom.hpp>
#include <corten/geom/hfield.hpp>
#include <corten/geom/mesh.hpp>
#include <corten/geom/plane.hpp>
#include <corten/geom/sdf.hpp>
#include <corten/geom/sphere.hpp>

namespace corten {

using DefaultGeoms = Geoms<Plane, HField, Sphere, Capsule, Ellipsoid, Cylinder, Box, Mesh, Sdf>;
template <>
inline constexpr bool detail::is_default<DefaultGeoms> = true;

}  // namespace corten
