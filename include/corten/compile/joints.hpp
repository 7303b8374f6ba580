// SPDX-License-Identifier: Apache-2.0
//
// Joints and their dofs: ranges and reference angles in radians, unit axes, addresses.
#pragma once

#include <corten/compile/frames.hpp>
#include <corten/joint/joints.hpp>

namespace corten::compiler {

namespace detail {

inline JointType type_of(const spec::Joint& j) {
  return j.is_freejoint ? JointType::free : j.type.value_or(JointType::hinge);
}

inline JointKind kind_of(const Draft& d, int i) { return d.joint_kind(type_of(at(d.joints, i))); }
inline bool is_scalar(const Draft& d, int i) { return kind_of(d, i).is_scalar(); }

// writes the limits of the joint and of the actuator force on it
CORTEN_COLD Result<void> write_joint_limits(Draft& d, int i) {
  const spec::Joint& j = at(d.joints, i);
  const JointKind kind = d.joint_kind(type_of(j));
  const Settings& settings = d.settings_of(j);
  spec::Numbers<2> range = j.range.value_or(spec::Numbers<2>{0, 0});
  spec::Tristate limited = j.limited.value_or(spec::Tristate::automatic);
  if (kind.floats) limited = spec::Tristate::no;
  if (auto done = check_limited(d.settings_of(j), j, limited, range, ""); !done) return done;
  const bool active = is_limited(limited, range);
  put(d.m.jnt_limited, i, active);
  if (active) {
    if (kind.is_rotation() && range[0] != 0) {
      return j.error("range[0] of a ball joint must be 0", "write range=\"0 largest_angle\"");
    }
    if (!kind.is_rotation() && range[0] >= range[1]) {
      return j.error("range[0] must be smaller than range[1]",
                     j.range ? "" : "give a range, or remove limited");
    }
    // as in MuJoCo, an inactive range keeps the units it was written in
    if (kind.turns) {
      range = {settings.joint_radians(range[0]), settings.joint_radians(range[1])};
    }
  }
  put(d.m.jnt_range, i, range);

  const spec::Numbers<2> force = j.actuatorfrcrange.value_or(spec::Numbers<2>{0, 0});
  spec::Tristate force_limited = j.actuatorfrclimited.value_or(spec::Tristate::automatic);
  if (!kind.is_scalar()) force_limited = spec::Tristate::no;
  if (auto done = check_limited(d.settings_of(j), j, force_limited, force, "actuatorfrc"); !done)
    return done;
  if (is_limited(force_limited, force) && force[0] >= force[1]) {
    return j.error("actuatorfrcrange[0] must be smaller than actuatorfrcrange[1]");
  }
  put(d.m.jnt_actfrclimited, i, is_limited(force_limited, force));
  put(d.m.jnt_actfrcrange, i, force);
  return {};
}

CORTEN_COLD Result<void> write_joint_axis(Draft& d, int i) {
  const spec::Joint& j = at(d.joints, i);
  const JointType type = type_of(j);
  Vec3d axis = to_vec(j.axis.value_or(spec::Numbers<3>{0, 0, 1}));
  const int b = at(d.m.jnt_bodyid, i);
  const Pose frame = in_frame(d, b, j.frame, {Vec3d::Zero(), unit_quat<double>()});
  axis = is_scalar(d, i) || is_user(type) ? rotate(frame.quat, axis) : Vec3d(0, 0, 1);
  if (normalized(axis) == 0) return j.error("axis is too short", "give an axis that is not zero");
  Vec3d pos = to_vec(j.pos.value_or(spec::Numbers<3>{0, 0, 0}));
  pos = kind_of(d, i).floats ? Vec3d::Zero() : place(frame, pos);
  put(d.m.jnt_axis, i, axis);
  put(d.m.jnt_pos, i, pos);
  return {};
}

// writes the coordinates of joint i in qpos0 and qpos_spring
CORTEN_COLD void write_reference(Draft& d, int i) {
  Model<double>& m = d.m;
  const spec::Joint& j = at(d.joints, i);
  const JointType type = type_of(j);
  const JointKind kind = d.joint_kind(type);
  const int q = at(m.jnt_qposadr, i), b = at(m.jnt_bodyid, i);
  if (kind.is_scalar()) {
    const double ref = j.ref.value_or(0), rest = j.springref.value_or(0);
    const Settings& settings = d.settings_of(j);
    at(m.qpos0, q) = kind.turns ? settings.joint_radians(ref) : ref;
    at(m.qpos_spring, q) = kind.turns ? settings.joint_radians(rest) : rest;
    return;
  }
  if (is_user(type)) {
    for (std::size_t k = 0; k < kind.reference.size(); ++k) {
      at(m.qpos0, q + static_cast<int>(k)) = kind.reference[k];
      at(m.qpos_spring, q + static_cast<int>(k)) = kind.reference[k];
    }
    return;
  }
  const bool free = type == JointType::free;
  const Quatd quat = free ? row<4>(m.body_quat, b) : unit_quat<double>();
  for (int k = 0; free && k < 3; ++k) at(m.qpos0, q + k) = at(m.body_pos, 3 * b + k);
  for (int k = 0; k < 4; ++k) at(m.qpos0, q + (free ? 3 : 0) + k) = quat[k];
  for (int k = 0; k < (free ? 7 : 4); ++k) at(m.qpos_spring, q + k) = at(m.qpos0, q + k);
}

CORTEN_COLD void write_dofs(Draft& d, int i) {
  Model<double>& m = d.m;
  const spec::Joint& j = at(d.joints, i);
  const int first = at(m.jnt_dofadr, i), count = kind_of(d, i).nv;
  for (int v = first; v < first + count; ++v) {
    put(m.dof_bodyid, v, at(m.jnt_bodyid, i));
    put(m.dof_jntid, v, i);
    put(m.dof_solref, v, j.solreffriction.value_or(default_solref));
    put(m.dof_solimp, v, j.solimpfriction.value_or(default_solimp));
    put(m.dof_frictionloss, v, j.frictionloss.value_or(0));
    put(m.dof_armature, v, j.armature.value_or(0));
    put_polynomial(m.dof_damping, m.dof_dampingpoly, v, j.damping);
  }
}

// writes the parameters of a user-defined kind
CORTEN_COLD void write_joint_parameters(Draft& d, int i) {
  const spec::Joint& j = at(d.joints, i);
  int column = i * d.m.n.nparam_jnt;
  for (const Parameter& p : kind_of(d, i).parameters) {
    const double* given = j.parameters.find(p.name);
    at(d.m.jnt_param, column++) = given != nullptr ? *given : p.value;
  }
}

// checks that MuJoCo allows this combination of joints on a body
CORTEN_COLD Result<void> check_joints_of_body(const Draft& d, int b) {
  const BodyEntry& body = at(d.bodies, b);
  int dofs = 0;
  bool ball = false;
  for (int i = body.joint; i < body.joint + body.num_joints; ++i) {
    const spec::Joint& j = at(d.joints, i);
    const JointKind kind = kind_of(d, i);
    if (kind.floats && body.num_joints > 1) {
      return j.error("a free joint can only appear by itself", "remove the body's other joints");
    }
    if (kind.floats && body.parent != 0) {
      return j.error("a free joint can only be used at the top level",
                     "move the body to <worldbody>, or use slide and ball joints");
    }
    if (ball && kind.turns) return j.error("a ball joint cannot be followed by a rotation");
    ball = ball || kind.is_rotation();
    dofs += kind.nv;
  }
  if (dofs > 6) return body.spec->error("more than 6 dofs in a body");
  return {};
}

}  // namespace detail

// writes everything about joint i except its addresses, which must be set already
CORTEN_COLD Result<void> write_joint(Draft& d, int i) {
  Model<double>& m = d.m;
  const spec::Joint& j = at(d.joints, i);
  put(m.jnt_type, i, detail::type_of(j));
  detail::write_dofs(d, i);
  put(m.jnt_group, i, j.group.value_or(0));
  put(m.jnt_actgravcomp, i, j.actuatorgravcomp.value_or(false));
  put(m.jnt_solref, i, j.solreflimit.value_or(default_solref));
  put(m.jnt_solimp, i, j.solimplimit.value_or(default_solimp));
  put_polynomial(m.jnt_stiffness, m.jnt_stiffnesspoly, i, j.stiffness);
  put(m.jnt_margin, i, j.margin.value_or(0));
  if (auto done = detail::write_joint_limits(d, i); !done) return done;
  if (auto done = detail::write_joint_axis(d, i); !done) return done;
  detail::write_reference(d, i);
  const spec::Numbers<2> spring = j.springdamper.value_or(spec::Numbers<2>{0, 0});
  if ((spring[0] != 0 || spring[1] != 0) && (spring[0] <= 0 || spring[1] <= 0)) {
    return j.error("springdamper values must be positive");
  }
  detail::write_joint_parameters(d, i);
  return put_user(m.jnt_user, m.n.nuser_jnt, "nuser_jnt", i, j);
}

// springdamper: stiffness and damping from a time constant and a damping ratio, using the mean
// inertia at qpos0, as for solref. It runs late because it needs dof_invweight0.
CORTEN_COLD void apply_springdampers(Draft& d) {
  Model<double>& m = d.m;
  for (int i = 0; i < m.n.njnt; ++i) {
    const spec::Joint& j = at(d.joints, i);
    if (!j.springdamper || (*j.springdamper)[0] <= 0 || (*j.springdamper)[1] <= 0) continue;
    const double time = (*j.springdamper)[0], ratio = (*j.springdamper)[1];
    const int first = at(m.jnt_dofadr, i), count = detail::kind_of(d, i).nv;
    double inverse = 0;
    for (int v = first; v < first + count; ++v) inverse += at(m.dof_invweight0, v);
    const double inertia = count / std::max(min_value, inverse);
    at(m.jnt_stiffness, i) = inertia / std::max(min_value, time * time * ratio * ratio);
    for (int v = first; v < first + count; ++v) {
      at(m.dof_damping, v) = 2 * inertia / std::max(min_value, time);
    }
  }
}

}  // namespace corten::compiler
