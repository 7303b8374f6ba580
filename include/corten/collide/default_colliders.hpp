// SPDX-License-Identifier: Apache-2.0
//
// The pairs that come with the library. For a list of your own include colliders.hpp and the pairs.
#pragma once

#include <corten/collide/box_box.hpp>
#include <corten/collide/capsule_box.hpp>
#include <corten/collide/capsule_capsule.hpp>
#include <corten/collide/colliders.hpp>
#include <corten/collide/convex.hpp>
#include <corten/collide/hfield.hpp>
#include <corten/collide/plane_box.hpp>
#include <corten/collide/plane_capsule.hpp>
#include <corten/collide/plane_cylinder.hpp>
#include <corten/collide/plane_ellipsoid.hpp>
#include <corten/collide/plane_mesh.hpp>
#include <corten/collide/plane_sphere.hpp>
#include <corten/collide/sdf.hpp>
#include <corten/collide/sphere_box.hpp>
#include <corten/collide/sphere_capsule.hpp>
#include <corten/collide/sphere_cylinder.hpp>
#include <corten/collide/sphere_sphere.hpp>

namespace corten {

using DefaultColliders =
    Colliders<CapsuleCapsule, PlaneCapsule, SphereCapsule, PlaneSphere, SphereSphere, PlaneBox,
              SphereBox, CapsuleBox, BoxBox, PlaneCylinder, SphereCylinder, PlaneEllipsoid,
              CapsuleCylinder, CylinderCylinder, CylinderBox, SphereEllipsoid, CapsuleEllipsoid,
              EllipsoidEllipsoid, EllipsoidCylinder, EllipsoidBox, PlaneMesh, SphereMesh,
              CapsuleMesh, EllipsoidMesh, CylinderMesh, BoxMesh, MeshMesh, HFieldSphere,
              HFieldCapsule, HFieldEllipsoid, HFieldCylinder, HFieldBox, HFieldMesh, PlaneSdf,
              HFieldSdf, SphereSdf, CapsuleSdf, EllipsoidSdf, CylinderSdf, BoxSdf, MeshSdf, SdfSdf>;

}  // namespace corten
