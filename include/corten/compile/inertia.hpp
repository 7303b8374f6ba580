// SPDX-License-Identifier: Apache-2.0
//
// Mass, centre of mass and principal axes of each body, from its <inertial> element or its geoms.
#pragma once

#include <corten/compile/principal.hpp>
#include <corten/core/list.hpp>

namespace corten::compiler {

// mass and inertia of a body while they are computed
struct BodyInertia {
  bool placed = false;  // is the inertial frame known?
  Pose frame{Vec3d::Zero(), unit_quat<double>()};
  double mass = 0;
  Vec3d moments = Vec3d::Zero();
};

namespace detail {

CORTEN_COLD Error inertial_error(const spec::Inertial& from, std::string_view message,
                                 std::string_view remedy = {}) {
  return Error{from.where, from.path, message, remedy};
}

inline Mat3d symmetric(const spec::Numbers<6>& v) {
  return Mat3d(v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2]);
}

// adds the tensor of a part whose centre is at c: R diag(moments) Rᵀ + m (|c|² 1 - c cᵀ)
CORTEN_COLD void add_tensor(const Vec3d& moments, const Quatd& quat, double mass, const Vec3d& c,
                            Mat3d& sum) {
  const Mat3d r = to_matrix(quat);
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const double turned = r(i, 0) * (r(j, 0) * moments[0]) + r(i, 1) * (r(j, 1) * moments[1]) +
                            r(i, 2) * (r(j, 2) * moments[2]);
      const int k = i == 0 ? 1 : 0, l = i == 2 ? 1 : 2;  // the other two axes, for the diagonal
      const double moved = i == j ? mass * (c[k] * c[k] + c[l] * c[l]) : -mass * c[i] * c[j];
      sum(i, j) = sum(i, j) + turned + moved;
      sum(j, i) = sum(i, j);
    }
  }
}

CORTEN_COLD Result<void> read_inertial(const Settings& settings, const spec::Inertial& from,
                                       BodyInertia& out) {
  if (!from.pos || !from.mass) return inertial_error(from, "pos and mass must be given");
  out.placed = true;
  out.frame.pos = to_vec(*from.pos);
  out.mass = *from.mass;
  if (from.diaginertia) out.moments = to_vec(*from.diaginertia);
  const auto done = read_orientation(settings, from.orientation, out.frame.quat);
  if (!done) return inertial_error(from, done.error().message);
  if (!from.fullinertia) return {};

  if (from.orientation.has_alternative()) {
    return inertial_error(from, "fullinertia and an orientation cannot both be given");
  }
  if (from.diaginertia && out.moments.squaredNorm() > 0) {
    return inertial_error(from, "fullinertia and diaginertia cannot both be given");
  }
  const PrincipalAxes axes = principal_axes(symmetric(*from.fullinertia));
  if (axes.moments[2] < tiny) {
    return inertial_error(from, "fullinertia must have positive eigenvalues");
  }
  out.frame.quat = axes.quat;
  out.moments = axes.moments;
  return {};
}

}  // namespace detail

// does this geom count towards the inertia of its body?
inline bool in_inertia_group(const Settings& settings, const spec::Geom& geom) {
  const int group = geom.group.value_or(0);
  return group >= settings.inertiagrouprange[0] && group <= settings.inertiagrouprange[1];
}

// Inertia from the geoms of body b, if any of them has mass. A single geom provides its own frame,
// so nothing has to be diagonalised.
CORTEN_COLD Result<void> inertia_from_geoms(const Draft& d, int b, BodyInertia& out) {
  const BodyEntry& body = at(d.bodies, b);
  List<int> parts;
  for (int g = body.geom; g < body.geom + body.num_geoms; ++g) {
    if (in_inertia_group(d.settings_of(*body.spec), at(d.geoms, g)) && at(d.geom_mass, g) > tiny) {
      parts.push_back(g);
    }
  }
  if (parts.empty()) return {};
  out.placed = true;
  if (parts.size() == 1) {
    const int g = parts[0];
    out.frame = {row<3>(d.m.geom_pos, g), row<4>(d.m.geom_quat, g)};
    out.mass = at(d.geom_mass, g);
    out.moments = at(d.geom_inertia, g);
    return {};
  }

  Vec3d centre = Vec3d::Zero();
  out.mass = 0;
  for (const int g : parts) {
    out.mass += at(d.geom_mass, g);
    centre += at(d.geom_mass, g) * row<3>(d.m.geom_pos, g);
  }
  centre /= out.mass;
  Mat3d tensor = Mat3d::Zero();
  for (const int g : parts) {
    const Vec3d offset = row<3>(d.m.geom_pos, g) - centre;
    detail::add_tensor(at(d.geom_inertia, g), row<4>(d.m.geom_quat, g), at(d.geom_mass, g), offset,
                       tensor);
  }
  const PrincipalAxes axes = principal_axes(tensor);
  if (axes.moments[2] < tiny) {
    return body.spec->error("the inertia of its geoms must have positive eigenvalues");
  }
  out.frame = {centre, axes.quat};
  out.moments = axes.moments;
  return {};
}

// checks signs, applies lower bounds, and enforces A + B >= C
CORTEN_COLD Result<void> check_inertia(const Settings& settings, const spec::Body& body,
                                       BodyInertia& inertia) {
  const auto error = [&](const char* message, const char* remedy) {
    return body.inertial ? detail::inertial_error(*body.inertial, message, remedy)
                         : body.error(message, remedy);
  };
  if (inertia.mass < 0 || inertia.moments.minCoeff() < 0) {
    return error("mass and inertia cannot be negative", "");
  }
  inertia.mass = std::max(inertia.mass, settings.boundmass);
  inertia.moments = inertia.moments.cwiseMax(Vec3d::Constant(settings.boundinertia));
  const Vec3d& i = inertia.moments;
  if (i[0] + i[1] >= i[2] && i[0] + i[2] >= i[1] && i[1] + i[2] >= i[0]) return {};
  if (!settings.balanceinertia) {
    return error("inertia must satisfy A + B >= C",
                 "correct the moments, or set balanceinertia=\"true\" in <compiler>");
  }
  inertia.moments = Vec3d::Constant((i[0] + i[1] + i[2]) / 3);
  return {};
}

// writes body_ipos, body_iquat, body_mass and body_inertia of body b; its geoms must be in place
CORTEN_COLD Result<void> write_inertia(Draft& d, int b) {
  const spec::Body& body = *at(d.bodies, b).spec;
  const Settings& settings = d.settings_of(body);
  BodyInertia inertia;
  if (b > 0) {
    if (body.inertial) {
      if (auto done = detail::read_inertial(settings, *body.inertial, inertia); !done) return done;
    }
    const spec::Tristate from_geoms = settings.inertiafromgeom;
    if (from_geoms == spec::Tristate::yes ||
        (from_geoms == spec::Tristate::automatic && !inertia.placed)) {
      if (auto done = inertia_from_geoms(d, b, inertia); !done) return done;
    }
  }
  // For a body without inertia, the inertial frame gets the pose of the body in its parent, as in
  // MuJoCo. It is meaningless, and has no effect because the mass is zero.
  if (!inertia.placed) inertia.frame = {row<3>(d.m.body_pos, b), row<4>(d.m.body_quat, b)};
  if (b > 0) {
    if (auto done = check_inertia(settings, body, inertia); !done) return done;
  }
  put(d.m.body_ipos, b, inertia.frame.pos);
  put(d.m.body_iquat, b, inertia.frame.quat);
  put(d.m.body_mass, b, inertia.mass);
  put(d.m.body_inertia, b, inertia.moments);
  return {};
}

// does the body, or something welded to it, have mass and inertia?
CORTEN_COLD bool has_inertia(const Draft& d, int b) {
  const Vec3d moments = row<3>(d.m.body_inertia, b);
  if (at(d.m.body_mass, b) >= min_value && moments.minCoeff() >= min_value) return true;
  for (int child = b + 1; child < d.m.n.nbody; ++child) {
    const BodyEntry& entry = at(d.bodies, child);
    if (entry.parent == b && entry.num_joints == 0 && has_inertia(d, child)) return true;
  }
  return false;
}

CORTEN_COLD void check_moving_bodies(Draft& d) {
  for (int b = 1; b < d.m.n.nbody; ++b) {
    const BodyEntry& body = at(d.bodies, b);
    if (body.num_joints == 0 || has_inertia(d, b)) continue;
    d.note(*body.spec,
           body.spec->error(
               "mass and inertia of moving bodies must be larger than mjMINVAL (1e-15)",
               "add a geom with mass or an <inertial> element, or remove the body's joints"));
  }
}

// scales all masses and inertias to a given total mass
CORTEN_COLD void set_total_mass(Model<double>& m, double total) {
  double now = 0;
  for (int b = 1; b < m.n.nbody; ++b) now += at(m.body_mass, b);
  const double scale = std::max(min_value, total / std::max(min_value, now));
  for (int b = 1; b < m.n.nbody; ++b) {
    at(m.body_mass, b) *= scale;
    put(m.body_inertia, b, scale * row<3>(m.body_inertia, b));
  }
}

}  // namespace corten::compiler
