// SPDX-License-Identifier: Apache-2.0
//
// The enumerations of model and data. Their values are those of MuJoCo 3.12, so arrays of them can
// be compared with MuJoCo's. The names are our own.
#pragma once

#include <corten/core/options.hpp>
#include <corten/core/sensor_table.hpp>

namespace corten {

enum class JointType : int { free = 0, ball, slide, hinge };

enum class GeomType : int {
  plane = 0,
  hfield,
  sphere,
  capsule,
  ellipsoid,
  cylinder,
  box,
  mesh,
  sdf
};

// User-defined kinds are numbered from 0: user_joint(0), user_geom(0). At most seven geom kinds
// fit.
constexpr JointType user_joint(int k) { return static_cast<JointType>(4 + k); }
constexpr GeomType user_geom(int k) { return static_cast<GeomType>(9 + k); }
constexpr bool is_user(JointType type) { return type >= user_joint(0); }
constexpr bool is_user(GeomType type) { return type >= user_geom(0); }

// soft bodies, and the constraints between their vertices (soft/kinds.hpp); user_soft(0) is yours
enum class SoftType : int { cloth = 0, body, chain };
enum class SoftConstraint : int { distance = 0, dihedral, bend, volume, stretch, shear, twist };
constexpr SoftConstraint user_soft(int k) { return static_cast<SoftConstraint>(32 + k); }

// flags of a vertex of a soft body: it stays where it is put; something touches it
enum SoftFlag : int { soft_pinned = 1, soft_colliding = 2 };

// how pairs of elements of a flex are found that may touch; automatic: bvh for dim 3, sap else
enum class FlexSelf : int { none = 0, narrow, bvh, sap, automatic };

// implicitspringdamper does not exist in MuJoCo
enum class Integrator : int { euler = 0, rk4, implicit, implicitfast, implicitspringdamper = 100 };
enum class Cone : int { pyramidal = 0, elliptic };
enum class JacobianKind : int { dense = 0, sparse, automatic };
enum class Solver : int { pgs = 0, cg, newton };

enum class EqualityType : int {
  connect = 0,
  weld,
  joint,
  tendon,
  flex,
  flexvert,
  flexstrain,
  distance
};

constexpr EqualityType user_equality(int k) { return static_cast<EqualityType>(100 + k); }
constexpr bool is_user(EqualityType type) { return type >= user_equality(0); }

enum class WrapType : int { none = 0, joint, pulley, site, sphere, cylinder };

enum class TransmissionType : int {
  joint = 0,
  jointinparent,
  slidercrank,
  tendon,
  site,
  body,
  so3,
  undefined = 1000
};

enum class DynamicsType : int {
  none = 0,
  integrator,
  filter,
  filterexact,
  muscle,
  dcmotor,
  pid,
  user
};
enum class GainType : int { fixed = 0, affine, muscle, dcmotor, so3, pid, user };
enum class BiasType : int { none = 0, affine, muscle, dcmotor, so3, user };

// User-defined kinds, as for joints above. The first one is MJCF's `user`.
constexpr DynamicsType user_dynamics(int k) {
  return static_cast<DynamicsType>(int(DynamicsType::user) + k);
}
constexpr GainType user_gain(int k) { return static_cast<GainType>(int(GainType::user) + k); }
constexpr BiasType user_bias(int k) { return static_cast<BiasType>(int(BiasType::user) + k); }
constexpr bool is_user(DynamicsType type) { return type >= DynamicsType::user; }
constexpr bool is_user(GainType type) { return type >= GainType::user; }
constexpr bool is_user(BiasType type) { return type >= BiasType::user; }

// What an actuator's controls mean, in this order (bits of actuator_ctrlspec). The controls of an
// orientation servo are a rotation vector or a quaternion instead.
enum InputBit : int {
  input_pos = 1,
  input_vel = 2,
  input_ff = 4,
  input_voltage = 8,
  input_none = 16  // no controls at all
};
enum InputChart : int { chart_expmap = 1, chart_quat = 2 };

// how a history is read between two samples
enum class Interpolation : int { zoh = 0, linear, cubic };

// how a tree may fall asleep (tree_sleep_policy); the compiler replaces automatic by one of the two
// after it
enum class SleepPolicy : int {
  automatic = 0,
  automatic_never,
  automatic_allowed,
  never,
  allowed,
  init
};

// bodies that have no dofs and do not hang on a mocap body are static
enum class SleepState : int { immobile = -1, asleep, awake };

enum class ObjectType : int {
  unknown = 0,
  body,
  xbody,
  joint,
  dof,
  geom,
  site,
  camera,
  light,
  flex,
  mesh,
  skin,
  hfield,
  texture,
  material,
  pair,
  exclude,
  equality,
  tendon,
  actuator,
  sensor,
  numeric,
  text,
  tuple,
  key,
  plugin,
  frame = 100  // exists in specs only, not in the model
};

// the stage after which a sensor can be evaluated
enum class Stage : int { none = 0, position, velocity, acceleration };

// the sort of number that a sensor returns
enum class SensorData : int { real = 0, positive, axis, quaternion };

// how a camera or light follows its body or looks at another
enum class TrackMode : int { fixed = 0, track, trackcom, targetbody, targetbodycom };
enum class Projection : int { perspective = 0, orthographic };

// what a rangefinder's ray or a contact sensor reports: bit numbers, in output order
enum class RayData : int { dist = 0, dir, origin, point, normal, depth };
enum class ContactData : int { found = 0, force, torque, dist, pos, normal, tangent };
// which contacts a contact sensor reports first, or all of them summed
enum class ContactReduce : int { none = 0, mindist, maxforce, netforce };

// how a geom, site or inertial frame lies in its body
enum class SameFrame : int { none = 0, body, inertia, bodyrot, inertiarot };

// kinds of constraint rows
enum class ConstraintType : int {
  equality = 0,
  friction_dof,
  friction_tendon,
  limit_joint,
  limit_tendon,
  contact_frictionless,
  contact_pyramidal,
  contact_elliptic,
  element_limit  // not in MuJoCo: a limit imposed by a user-defined kind of <equality>
};

// the zone of its cost function that a row is in
enum class ConstraintState : int {
  satisfied = 0,
  quadratic,
  linear_negative,
  linear_positive,
  cone
};

}  // namespace corten
