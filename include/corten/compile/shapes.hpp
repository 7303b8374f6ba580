// SPDX-License-Identifier: Apache-2.0
//
// Geoms and sites: their frames, sizes and bounds, and the mass and inertia of geoms. Everything
// that depends on the kind of a geom comes from its policy (geom/).
#pragma once

#include <corten/compile/assets.hpp>
#include <corten/compile/fluid.hpp>
#include <corten/compile/inertia.hpp>
#include <corten/compile/sdf.hpp>
#include <corten/geom/geoms.hpp>

namespace corten::compiler {

namespace detail {

// frame and sizes of a geom or site, from pos and orientation or from two end points
template <class Element>
CORTEN_COLD Result<void> read_shape(const Settings& settings, const Element& e,
                                    const GeomFunctions& kind, Pose& pose, Vec3d& size) {
  if (!e.fromto) {
    if (auto done = read_pose(settings, e, pose); !done) return done;
  } else {
    if (!kind.has_fromto) {
      return e.error("fromto needs a capsule, cylinder, box or ellipsoid");
    }
    if (e.pos && to_vec(*e.pos).squaredNorm() > 0) {
      return e.error("pos and fromto cannot both be given");
    }
    double half = 0;
    if (auto done = read_fromto(e, pose, half); !done) return done;
    size = kind.stretch(size, half);
  }
  return {};
}

CORTEN_COLD Result<void> check_size(const spec::Element& e, const GeomFunctions& kind,
                                    const Vec3d& size) {
  const Result<void> valid = kind.valid(size);
  if (valid) return {};
  return e.error(valid.error().message, std::string("a ") + kind.name + " has " +
                                            std::to_string(kind.num_sizes) +
                                            (kind.num_sizes == 1 ? " size" : " sizes"));
}

// Mass and principal moments of geom g, from its mass or density. The inertia of a mesh is that of
// its equivalent box.
CORTEN_COLD Result<void> weigh_geom(Draft& d, int g, const GeomFunctions& kind, const Vec3d& size) {
  const spec::Geom& e = at(d.geoms, g);
  double mass = 0, density = e.density.value_or(1000);
  Vec3d moments = Vec3d::Zero();
  const bool shell = e.shellinertia.value_or(false);
  const bool is_mesh = has_form_of_mesh(geom_type(e)) && at(d.m.geom_dataid, g) >= 0;
  const Solid* solid = is_mesh ? &at(d.solids, at(d.m.geom_dataid, g)) : nullptr;
  const double volume = is_mesh ? solid->volume : kind.volume(size, shell);
  if (e.mass) {
    mass = volume > tiny ? *e.mass : 0;
    density = volume > tiny ? mass / volume : 0;
  } else {
    mass = density * volume;
  }
  if (mass != 0) moments = kind.inertia(is_mesh ? solid->box : size, mass, shell);
  if ((e.mass && *e.mass < 0) || mass < 0 || moments.minCoeff() < 0 || density < 0) {
    return e.error("mass, inertia and density of a geom cannot be negative");
  }
  at(d.geom_mass, g) = mass;
  at(d.geom_inertia, g) = moments;
  return {};
}

CORTEN_COLD Result<void> check_geom(const Draft& d, const spec::Geom& e, int body,
                                    const GeomFunctions& kind) {
  const int condim = e.condim.value_or(3);
  if (!is_condim(condim)) {
    return e.error("condim is " + std::to_string(condim), "condim must be 1, 3, 4 or 6");
  }
  // such geoms (planes) are allowed only on static and mocap bodies
  if (kind.fixed_only) {
    const int weld = at(d.m.body_weldid, body);
    if (weld != 0 && !at(d.bodies, weld).spec->mocap.value_or(false)) {
      return e.error(std::string("a ") + kind.name + " is only allowed on static bodies");
    }
  }
  return {};
}

CORTEN_COLD void write_geom_contact(Model<double>& m, int g, const spec::Geom& e) {
  put(m.geom_contype, g, e.contype.value_or(1));
  put(m.geom_conaffinity, g, e.conaffinity.value_or(1));
  put(m.geom_condim, g, e.condim.value_or(3));
  put(m.geom_priority, g, e.priority.value_or(0));
  put(m.geom_solmix, g, e.solmix.value_or(1));
  put(m.geom_solref, g, e.solref.value_or(default_solref));
  put(m.geom_solimp, g, e.solimp.value_or(default_solimp));
  put(m.geom_friction, g, e.friction.value_or({1, 0.005, 0.0001}));
  put(m.geom_margin, g, e.margin.value_or(0));
  put(m.geom_gap, g, e.gap.value_or(0));
  put(m.geom_surfacevel, g, e.surfacevel.value_or({0, 0, 0, 0, 0, 0}));
  put(m.geom_adhesion, g, e.adhesion.value_or(0));
}

}  // namespace detail

// writes geom g of a body whose weldid is already known
CORTEN_COLD Result<void> write_geom(Draft& d, int g, int body) {
  Model<double>& m = d.m;
  const spec::Geom& e = at(d.geoms, g);
  const GeomType type = e.type.value_or(GeomType::sphere);
  const GeomFunctions& kind = *find_geom(d.extensions, type);  // refuse_geom has checked it
  put(m.geom_type, g, type);
  put(m.geom_bodyid, g, body);
  if (auto done = detail::check_geom(d, e, body, kind); !done) return done;
  Pose pose;
  Vec3d size = to_vec(e.size.value_or({0, 0, 0}));
  spec::Numbers<6> surfacevel = e.surfacevel.value_or({0, 0, 0, 0, 0, 0});
  int mesh = -1, hfield = -1;
  if (auto done = detail::find_asset(d.index.mesh, e.mesh, "mesh", e, mesh); !done) return done;
  if (auto done = detail::find_asset(d.index.hfield, e.hfield, "hfield", e, hfield); !done)
    return done;
  if (auto done = detail::read_shape(d.settings_of(e), e, kind, pose, size); !done) return done;
  if (mesh >= 0) {
    if (auto done = place_mesh_geom(d, e, mesh, pose, size, surfacevel); !done) return done;
  }
  if (auto done = detail::check_size(e, kind, size); !done) return done;
  pose = in_frame(d, body, e.frame, pose);
  if (hfield >= 0) size = hfield_extent(d, hfield);
  if (e.grid != nullptr) size = grid_extent(*e.grid);

  put(m.geom_dataid, g, mesh >= 0 ? mesh : hfield);  // a fitted geom keeps its mesh
  put(m.geom_sdf, g, -1);                            // write_grids sets it
  put(m.geom_group, g, e.group.value_or(0));
  put(m.geom_size, g, size);
  put(m.geom_pos, g, pose.pos);
  put(m.geom_quat, g, pose.quat);
  Vec6<double> aabb;
  kind.bounds(size, aabb, at(m.geom_rbound, g));
  if ((has_form_of_mesh(type) || type == GeomType::hfield) && at(m.geom_dataid, g) >= 0) {
    asset_bounds(d, type, at(m.geom_dataid, g), aabb, at(m.geom_rbound, g));
  }
  if (e.grid != nullptr) aabb = grid_box(*e.grid);
  put(m.geom_aabb, g, aabb);
  detail::write_geom_contact(m, g, e);
  write_fluid(m, g, e, kind.semiaxes(size));
  put(m.geom_matid, g, material_of(d, e));
  put_colour(m.geom_rgba, g, e.rgba.value_or(spec::Numbers<4>{0.5, 0.5, 0.5, 1}));
  put(m.geom_surfacevel, g, surfacevel);
  if (auto done = put_user(m.geom_user, m.n.nuser_geom, "nuser_geom", g, e); !done) return done;

  // geoms of the world, and of bodies with an <inertial> element, contribute no mass
  const spec::Body& owner = *at(d.bodies, body).spec;
  const Settings& settings = d.settings_of(owner);
  const bool weighs = body > 0 && in_inertia_group(settings, e) &&
                      (!owner.inertial || settings.inertiafromgeom == spec::Tristate::yes);
  if (weighs) return detail::weigh_geom(d, g, kind, size);
  return {};
}

CORTEN_COLD Result<void> write_site(Draft& d, int s, int body) {
  Model<double>& m = d.m;
  const spec::Site& e = at(d.sites, s);
  const GeomType type = e.type.value_or(GeomType::sphere);
  const GeomFunctions* kind = find_geom({}, type);
  put(m.site_bodyid, s, body);
  if (kind == nullptr || kind->fixed_only || type == GeomType::hfield || type >= GeomType::mesh) {
    return e.error("a site cannot be a plane, mesh, hfield, sdf or a user-defined kind");
  }
  Pose pose;
  Vec3d size = to_vec(e.size.value_or({0.005, 0.005, 0.005}));
  if (auto done = detail::read_shape(d.settings_of(e), e, *kind, pose, size); !done) return done;
  if (auto done = detail::check_size(e, *kind, size); !done) return done;
  pose = in_frame(d, body, e.frame, e.fromto ? pose : as_written(e, pose));
  put(m.site_type, s, type);
  put(m.site_group, s, e.group.value_or(0));
  put(m.site_size, s, size);
  put(m.site_pos, s, pose.pos);
  put(m.site_quat, s, pose.quat);
  put(m.site_matid, s, material_of(d, e));
  put_colour(m.site_rgba, s, e.rgba.value_or(spec::Numbers<4>{0.5, 0.5, 0.5, 1}));
  return put_user(m.site_user, m.n.nuser_site, "nuser_site", s, e);
}

}  // namespace corten::compiler
