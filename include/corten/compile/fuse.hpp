// SPDX-License-Identifier: Apache-2.0
//
// fusestatic: bodies that cannot move relative to their parents become part of them, unless
// something refers to them. Their geoms and sites are appended to those of the parent.
#pragma once

#include <corten/compile/bodies.hpp>
#include <corten/compile/rows.hpp>
#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/spec/references.hpp>

#include <algorithm>

namespace corten::compiler {

namespace detail {

struct Fuser {
  Draft& d;
  List<List<int>> children, geoms, sites, cameras, lights;  // of each body
  int left;                                                 // number of remaining bodies
  spec::NameSet names;

  CORTEN_COLD explicit Fuser(Draft& draft) : d(draft), left(draft.m.n.nbody), names(draft.spec) {
    const std::size_t count = d.bodies.size();
    children.resize(count);
    geoms.resize(count);
    sites.resize(count);
    cameras.resize(count);
    lights.resize(count);
    for (int b = 1; b < d.m.n.nbody; ++b) at(children, at(d.bodies, b).parent).push_back(b);
    for (int g = 0; g < d.m.n.ngeom; ++g) at(geoms, at(d.m.geom_bodyid, g)).push_back(g);
    for (int s = 0; s < d.m.n.nsite; ++s) at(sites, at(d.m.site_bodyid, s)).push_back(s);
    for (int c = 0; c < d.m.n.ncam; ++c) at(cameras, at(d.m.cam_bodyid, c)).push_back(c);
    for (int l = 0; l < d.m.n.nlight; ++l) at(lights, at(d.m.light_bodyid, l)).push_back(l);
  }

  template <class T>
  CORTEN_COLD bool all_resolve(const spec::ElementsOf<T>& elements) const {
    for (const T& e : elements) {
      if (!spec::resolves(names, e)) return false;
    }
    return true;
  }

  // do all references to bodies resolve with the remaining names?
  CORTEN_COLD bool names_suffice() const {
    const auto there = [&](const Optional<std::string>& name) {
      return !name || name->empty() || names.has(ObjectType::body, *name);
    };
    for (const spec::Camera& e : d.cameras) {
      if (!there(e.target)) return false;
    }
    for (const spec::Light& e : d.lights) {
      if (!there(e.target)) return false;
    }
    return all_resolve(d.spec.skins) && all_resolve(d.spec.excludes) && all_resolve(d.equalities) &&
           all_resolve(d.actuators) && all_resolve(d.sensors) && all_resolve(d.spec.tuples);
  }

  // does a sensor measure the force or torque between the body and its parent? Fusing would lose
  // it.
  CORTEN_COLD bool feels_force(int b) const {
    for (const spec::Sensor& e : d.sensors) {
      if (e.type != SensorType::force && e.type != SensorType::torque) continue;
      const int site = d.index.site.find(e.objname);
      if (site >= 0 && at(d.m.site_bodyid, site) == b) return true;
    }
    return false;
  }

  // true if the body does not move relative to its parent and nothing refers to it
  CORTEN_COLD bool can_fuse(int b) {
    const BodyEntry& body = at(d.bodies, b);
    const std::string& name = body.spec->name;
    bool can = body.num_joints == 0 && !body.spec->mocap.value_or(false);
    if (can && !name.empty()) {
      names.erase(ObjectType::body, name);
      can = names_suffice() && !feels_force(b);
    }
    if (!can) names.add(ObjectType::body, name);
    return can;
  }

  // adds mass and inertia of body b to its parent
  CORTEN_COLD Result<void> add_inertia(int parent, int b) {
    Model<double>& m = d.m;
    const Pose pose{row<3>(m.body_pos, b), row<4>(m.body_quat, b)};
    const Pose inner = compose(pose, {row<3>(m.body_ipos, b), row<4>(m.body_iquat, b)});
    const Pose outer{row<3>(m.body_ipos, parent), row<4>(m.body_iquat, parent)};
    const double masses[2] = {at(m.body_mass, parent), at(m.body_mass, b)};
    const double mass = masses[0] + masses[1];
    const Vec3d centre = (masses[0] * outer.pos + masses[1] * inner.pos) / mass;
    Mat3d tensor = Mat3d::Zero(), part = Mat3d::Zero();
    add_tensor(row<3>(m.body_inertia, parent), outer.quat, masses[0], outer.pos - centre, tensor);
    add_tensor(row<3>(m.body_inertia, b), inner.quat, masses[1], inner.pos - centre, part);
    const PrincipalAxes axes = principal_axes(tensor + part);
    if (axes.moments[2] < tiny) {
      return at(d.bodies, b).spec->error("its inertia fused with its parent's must be positive");
    }
    put(m.body_mass, parent, mass);
    put(m.body_ipos, parent, centre);
    put(m.body_iquat, parent, axes.quat);
    put(m.body_inertia, parent, axes.moments);
    return {};
  }

  CORTEN_COLD Result<void> fuse(int b) {
    Model<double>& m = d.m;
    const int parent = at(d.bodies, b).parent;
    if (parent > 0 && at(m.body_mass, b) >= min_value) {
      if (auto done = add_inertia(parent, b); !done) return done;
    }
    const Pose pose{row<3>(m.body_pos, b), row<4>(m.body_quat, b)};
    for (const int child : at(children, b)) {
      move_rows(m.body_pos, m.body_quat, child, 1, pose);
      at(d.bodies, child).parent = parent;
      put(m.body_parentid, child, parent);
    }
    for (const int g : at(geoms, b)) {
      move_rows(m.geom_pos, m.geom_quat, g, 1, pose);
      put(m.geom_bodyid, g, parent);
      at(geoms, parent).push_back(g);
    }
    for (const int s : at(sites, b)) {
      move_rows(m.site_pos, m.site_quat, s, 1, pose);
      put(m.site_bodyid, s, parent);
      at(sites, parent).push_back(s);
    }
    for (const int c : at(cameras, b)) {
      put(m.cam_bodyid, c, parent);
      at(cameras, parent).push_back(c);
    }
    for (const int l : at(lights, b)) {
      put(m.light_bodyid, l, parent);
      at(lights, parent).push_back(l);
    }
    List<int>& siblings = at(children, parent);
    const auto place = siblings.erase(std::find(siblings.begin(), siblings.end(), b));
    siblings.insert(place, at(children, b).begin(), at(children, b).end());
    // MuJoCo 3.12 looks up a name by the id from before the fusion, which can be too large by now.
    // So references to later bodies can keep bodies from being fused, here as there.
    if (--left > b) names.erase(ObjectType::body, at(d.bodies, left).spec->name);
    return {};
  }

  // appends the bodies depth first
  CORTEN_COLD void number(int b, List<int>& out) const {
    out.push_back(b);
    for (const int child : at(children, b)) number(child, out);
  }
};

// the elements of all bodies, in the order of the bodies
CORTEN_COLD List<int> in_order(const List<List<int>>& lists, const List<int>& bodies) {
  List<int> out;
  for (const int b : bodies) out.append(at(lists, b));
  return out;
}

}  // namespace detail

// Call it after all bodies and their contents are written, and before anything that refers to their
// ids.
CORTEN_COLD Result<void> fuse_static(Draft& d) {
  if (!d.spec.compiler.fusestatic.value_or(false)) return {};
  Model<double>& m = d.m;
  detail::Fuser fuser(d);
  for (int b = 1; b < m.n.nbody; ++b) {
    if (!fuser.can_fuse(b)) continue;
    if (auto done = fuser.fuse(b); !done) return done;
  }
  List<int> bodies;
  fuser.number(0, bodies);
  take_bodies(d, bodies);
  take_geoms(d, detail::in_order(fuser.geoms, bodies));
  take_sites(d, detail::in_order(fuser.sites, bodies));
  take_cameras(d, detail::in_order(fuser.cameras, bodies));
  take_lights(d, detail::in_order(fuser.lights, bodies));
  for (int b = 0; b < m.n.nbody; ++b) {
    detail::write_ancestry(d, b);
    at(m.body_contype, b) = at(m.body_conaffinity, b) = 0;
    at(m.body_margin, b) = 0;
    detail::write_collision_summary(d, b);
  }
  // as in MuJoCo 3.12, cameras and lights keep the pose that they had in their own bodies
  for (int c = 0; c < m.n.ncam; ++c) {
    if (auto done = write_camera(d, c, at(m.cam_bodyid, c)); !done) return done;
  }
  for (int l = 0; l < m.n.nlight; ++l) {
    if (auto done = write_light(d, l, at(m.light_bodyid, l)); !done) return done;
  }
  return {};
}

}  // namespace corten::compiler
