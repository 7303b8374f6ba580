// SPDX-License-Identifier: Apache-2.0
//
// Bodies with everything attached to them: frames, inertia, joints, geoms, sites. They are written
// in the order of ids, parents before their children.
#pragma once

#include <corten/compile/cameras.hpp>
#include <corten/compile/joints.hpp>
#include <corten/compile/shapes.hpp>
#include <corten/core/list.hpp>

namespace corten::compiler {

namespace detail {

// Should the frame of a free body without children move to its inertial frame? This makes its
// inertia matrix diagonal. The joint asks for it by align="true", the compiler element by
// alignfree.
CORTEN_COLD bool wants_alignment(const Draft& d, const BodyEntry& body) {
  if (body.num_joints != 1 || body.num_children != 0) return false;
  const spec::Joint& j = at(d.joints, body.joint);
  if (!kind_of(d, body.joint).floats) return false;
  const spec::Tristate align = j.align.value_or(spec::Tristate::automatic);
  return align == spec::Tristate::yes ||
         (align == spec::Tristate::automatic && d.settings_of(*body.spec).alignfree);
}

CORTEN_COLD void move_rows(List<double>& pos, List<double>& quat, int first, int count,
                           const Pose& by) {
  for (int i = first; i < first + count; ++i) {
    const Pose moved = compose(by, {row<3>(pos, i), row<4>(quat, i)});
    put(pos, i, moved.pos);
    put(quat, i, moved.quat);
  }
}

CORTEN_COLD void align_with_inertia(Draft& d, int b) {
  Model<double>& m = d.m;
  const BodyEntry& body = at(d.bodies, b);
  const Pose inertial{row<3>(m.body_ipos, b), row<4>(m.body_iquat, b)};
  const Pose moved = compose({row<3>(m.body_pos, b), row<4>(m.body_quat, b)}, inertial);
  put(m.body_pos, b, moved.pos);
  put(m.body_quat, b, moved.quat);
  put(m.body_ipos, b, Vec3d::Zero());
  put(m.body_iquat, b, unit_quat<double>());
  const Pose back = inverse(inertial);
  move_rows(m.geom_pos, m.geom_quat, body.geom, body.num_geoms, back);
  move_rows(m.site_pos, m.site_quat, body.site, body.num_sites, back);
  move_rows(m.cam_pos, m.cam_quat, body.camera, body.num_cameras, back);
  for (int l = body.light; l < body.light + body.num_lights; ++l) {
    put(m.light_pos, l, place(back, row<3>(m.light_pos, l)));
    put(m.light_dir, l, rotate(back.quat, row<3>(m.light_dir, l)));
  }
}

// writes parent, weld root and root of body b, from those of its parent
CORTEN_COLD void write_ancestry(Draft& d, int b) {
  Model<double>& m = d.m;
  const BodyEntry& body = at(d.bodies, b);
  const int parent = body.parent;
  const bool moves = body.num_joints > 0 || body.spec->mocap.value_or(false);
  put(m.body_parentid, b, parent);
  put(m.body_weldid, b, b > 0 && !moves ? at(m.body_weldid, parent) : b);
  put(m.body_rootid, b, b > 0 && parent > 0 ? at(m.body_rootid, parent) : b);
}

// combines contype, conaffinity and margin of all geoms of body b
CORTEN_COLD void write_collision_summary(Draft& d, int b) {
  Model<double>& m = d.m;
  const BodyEntry& body = at(d.bodies, b);
  for (int g = body.geom; g < body.geom + body.num_geoms; ++g) {
    at(m.body_contype, b) |= at(m.geom_contype, g);
    at(m.body_conaffinity, b) |= at(m.geom_conaffinity, g);
    at(m.body_margin, b) = std::max(at(m.body_margin, b), at(m.geom_margin, g) + at(m.geom_gap, g));
  }
}

CORTEN_COLD Result<void> write_mocap(Draft& d, int b, int& next) {
  const BodyEntry& body = at(d.bodies, b);
  put(d.m.body_mocapid, b, -1);
  if (b == 0 || !body.spec->mocap.value_or(false)) return {};
  if (body.num_joints > 0 || body.parent != 0) {
    return body.spec->error("a mocap body must be a child of the world without joints");
  }
  put(d.m.body_mocapid, b, next++);
  return {};
}

CORTEN_COLD void write_body(Draft& d, int b) {
  Model<double>& m = d.m;
  const BodyEntry& body = at(d.bodies, b);
  write_ancestry(d, b);
  Pose pose{Vec3d::Zero(), unit_quat<double>()};
  if (b > 0) d.note(*body.spec, read_pose(d.settings_of(*body.spec), *body.spec, pose));
  put(m.body_pos, b, pose.pos);
  put(m.body_quat, b, pose.quat);
  put(m.body_gravcomp, b, body.spec->gravcomp.value_or(0));
  put(m.body_geomnum, b, body.num_geoms);
  put(m.body_geomadr, b, body.num_geoms > 0 ? body.geom : -1);
  d.note(*body.spec, put_user(m.body_user, m.n.nuser_body, "nuser_body", b, *body.spec));
  bool complete = true;
  for (int g = body.geom; g < body.geom + body.num_geoms; ++g) {
    complete = !d.note(at(d.geoms, g), write_geom(d, g, b)) && complete;
  }
  write_collision_summary(d, b);
  if (complete) d.note(*body.spec, write_inertia(d, b));
  pose = in_frame(d, body.parent, body.spec->frame, pose);  // after the inertia, as in MuJoCo
  put(m.body_pos, b, pose.pos);
  put(m.body_quat, b, pose.quat);
  for (int s = body.site; s < body.site + body.num_sites; ++s) {
    d.note(at(d.sites, s), write_site(d, s, b));
  }
  for (int c = body.camera; c < body.camera + body.num_cameras; ++c) {
    d.note(at(d.cameras, c), write_camera(d, c, b));
  }
  for (int l = body.light; l < body.light + body.num_lights; ++l) {
    d.note(at(d.lights, l), write_light(d, l, b));
  }
  if (wants_alignment(d, body)) align_with_inertia(d, b);
}

}  // namespace detail

// writes all bodies, geoms, sites, joints and dofs
CORTEN_COLD void write_bodies(Draft& d) {
  Model<double>& m = d.m;
  d.geom_mass.assign(d.geoms.size(), 0);
  d.geom_inertia.assign(d.geoms.size(), Vec3d::Zero());
  int mocap = 0, q = 0, v = 0;
  for (int b = 0; b < m.n.nbody; ++b) {
    const BodyEntry& body = at(d.bodies, b);
    d.note(*body.spec, detail::check_joints_of_body(d, b));
    d.note(*body.spec, detail::write_mocap(d, b, mocap));
    detail::write_body(d, b);
    const int first = v;
    for (int j = body.joint; j < body.joint + body.num_joints; ++j) {
      const JointKind size = detail::kind_of(d, j);
      put(m.jnt_bodyid, j, b);
      put(m.jnt_qposadr, j, q);
      put(m.jnt_dofadr, j, v);
      d.note(at(d.joints, j), write_joint(d, j));
      q += size.nq;
      v += size.nv;
    }
    put(m.body_jntnum, b, body.num_joints);
    put(m.body_jntadr, b, body.num_joints > 0 ? body.joint : -1);
    put(m.body_dofnum, b, v - first);
    put(m.body_dofadr, b, v > first ? first : -1);
  }
  if (d.errors.empty()) check_moving_bodies(d);  // after errors, inertias may be missing
}

}  // namespace corten::compiler
