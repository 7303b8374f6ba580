// SPDX-License-Identifier: Apache-2.0
//
// Jacobians against differences of the quantities that they differentiate, along a random
// direction.
#include <corten/query/query.hpp>

#include "property.hpp"

#include <vector>

namespace property {

namespace {

using namespace corten;

constexpr double h = 1e-6;

// a state and its two neighbours along a direction of length 1
struct Neighbours {
  Data<double> minus, here, plus;
  std::vector<double> direction;
  Status status;

  Neighbours(const Model<double>& m, const Case& c) : minus(c.data), here(c.data), plus(c.data) {
    support::Random random(c.seed);
    direction = random_vector(random, m.n.nv);
    double square = 1e-9;
    for (const double x : direction) square += x * x;
    for (double& x : direction) x /= std::sqrt(square);
    move(m, minus, direction, -h);
    move(m, plus, direction, h);
    status.bits = forward(m, minus).bits | forward(m, here).bits | forward(m, plus).bits;
  }

  template <class Jacobian>
  double along(const Jacobian& row) const {
    double sum = 0;
    for (std::size_t i = 0; i < direction.size(); ++i) sum += row[i] * direction[i];
    return sum;
  }
};

// Differences over 2e-6 are accurate to 1e-9: the rounding of lengths of a few metres divided by
// the step, plus the step's square times third derivatives.
constexpr double tolerance = 1e-7;

// f(data) is a field with three numbers per object
template <class F>
void compare_points(const char* what, int id, const Neighbours& n, const std::vector<double>& jac,
                    F f, Comparison& out) {
  const auto nv = n.direction.size();
  for (int k = 0; k < 3; ++k) {
    const int i = 3 * id + k;
    const Slope slope(f(n.minus)[i], f(n.here)[i], f(n.plus)[i], h);
    const double ours = n.along(jac.data() + std::size_t(k) * nv);
    out.near(what, i, ours, slope.value, tolerance + slope.margin);
  }
}

// columns of a rotation matrix turn with the angular velocity
template <class F>
void compare_axes(const char* what, int id, const Neighbours& n, const std::vector<double>& jac,
                  F f, Comparison& out) {
  const auto nv = n.direction.size();
  Vec3<double> w;
  for (int k = 0; k < 3; ++k) w[k] = n.along(jac.data() + std::size_t(k) * nv);
  const Mat3<double> here = mat3<double>(f(n.here), id);
  for (int column = 0; column < 3; ++column) {
    const Vec3<double> axis(here(0, column), here(1, column), here(2, column));
    const Vec3<double> rate = cross(w, axis);
    for (int k = 0; k < 3; ++k) {
      const int i = 9 * id + 3 * k + column;
      const Slope slope(f(n.minus)[i], f(n.here)[i], f(n.plus)[i], h);
      out.near(what, i, rate[k], slope.value, tolerance + slope.margin);
    }
  }
}

void compare_lengths(const Model<double>& m, const Neighbours& n, Comparison& out) {
  const auto& d = n.here.ref();
  for (int t = 0; t < m.n.ntendon; ++t) {
    double ours = 0;
    const int begin = m.ten_J_rowadr[std::size_t(t)];
    for (int k = begin; k < begin + m.ten_J_rownnz[std::size_t(t)]; ++k) {
      ours += d.ten_J[k] * n.direction[std::size_t(m.ten_J_colind[std::size_t(k)])];
    }
    const Slope slope(n.minus.ref().ten_length[t], d.ten_length[t], n.plus.ref().ten_length[t], h);
    out.near("ten_length", t, ours, slope.value, tolerance + slope.margin);
  }
  for (int a = 0; a < m.n.nactuator; ++a) {
    const auto type = TransmissionType(m.actuator_trntype[std::size_t(a)]);
    const int id = m.actuator_trnid[2 * std::size_t(a)];
    const bool joint = type == TransmissionType::joint || type == TransmissionType::jointinparent;
    const bool scalar = joint && m.jnt_type[std::size_t(id)] >= int(JointType::slide);
    // other transmissions act along axes that have no length
    if (!scalar && type != TransmissionType::tendon && type != TransmissionType::slidercrank)
      continue;
    const int o = m.actuator_outadr[std::size_t(a)];
    double ours = 0;
    for (int k = d.moment_rowadr[o]; k < d.moment_rowadr[o] + d.moment_rownnz[o]; ++k) {
      ours += d.actuator_moment[k] * n.direction[std::size_t(d.moment_colind[k])];
    }
    const Slope slope(n.minus.ref().actuator_length[o], d.actuator_length[o],
                      n.plus.ref().actuator_length[o], h);
    out.near("actuator_length", o, ours, slope.value, tolerance + slope.margin);
  }
}

}  // namespace

// of bodies, centres of mass, geoms and sites, of tendons, and of actuators that have a length
std::string jacobians_are_differences(const Case& c) {
  Model<double> m = c.model;
  m.opt.disableflags |= disable_constraint | disable_contact;
  const Neighbours n(m, c);
  if (!n.status) return failure("forward", n.status);
  Comparison out;
  Status status;
  std::vector<double> p(std::size_t(3 * m.n.nv)), r(p.size());
  for (int b = 1; b < m.n.nbody; ++b) {
    status.bits |= jac_body(m, n.here, b, p, r).bits;
    compare_points(
        "xpos", b, n, p, [](const auto& x) { return x.ref().xpos; }, out);
    compare_axes(
        "xmat", b, n, r, [](const auto& x) { return x.ref().xmat; }, out);
    status.bits |= jac_body_com(m, n.here, b, p, {}).bits;
    compare_points(
        "xipos", b, n, p, [](const auto& x) { return x.ref().xipos; }, out);
    if (m.body_subtreemass[std::size_t(b)] <= 0 || m.n.nv == 0) continue;
    status.bits |= jac_subtree_com(m, n.here, b, p).bits;
    compare_points(
        "subtree_com", b, n, p, [](const auto& x) { return x.ref().subtree_com; }, out);
  }
  for (int g = 0; g < m.n.ngeom; ++g) {
    status.bits |= jac_geom(m, n.here, g, p, r).bits;
    compare_points(
        "geom_xpos", g, n, p, [](const auto& x) { return x.ref().geom_xpos; }, out);
    compare_axes(
        "geom_xmat", g, n, r, [](const auto& x) { return x.ref().geom_xmat; }, out);
  }
  for (int s = 0; s < m.n.nsite; ++s) {
    status.bits |= jac_site(m, n.here, s, p, r).bits;
    compare_points(
        "site_xpos", s, n, p, [](const auto& x) { return x.ref().site_xpos; }, out);
    compare_axes(
        "site_xmat", s, n, r, [](const auto& x) { return x.ref().site_xmat; }, out);
  }
  if (!status) return failure("Jacobians", status);
  compare_lengths(m, n, out);
  return out.text();
}

namespace {

// Is the depth of this contact the depth of a fixed point of one of the geoms? Points cut out of
// the edges of boxes move along them, and those on the rim of a cylinder move around it.
bool has_depth(const Model<double>& m, const Data<double>& data, int contact) {
  const int* geoms = &data.ref().contact_geom[2 * contact];
  bool flat = false, rim = false;
  for (int side = 0; side < 2; ++side) {
    const auto type = GeomType(m.geom_type[std::size_t(geoms[side])]);
    flat = flat || type == GeomType::plane || type == GeomType::sphere;
    rim = rim || type == GeomType::cylinder;
  }
  return is_closed_form(m, data, contact) && flat && !rim;
}

std::string pair_of(const Model<double>& m, const Data<double>& data, int contact) {
  const int* geoms = &data.ref().contact_geom[2 * contact];
  const auto word = [&](int side) {
    return std::string(spec::word_of(GeomType(m.geom_type[std::size_t(geoms[side])])));
  };
  return word(0) + "-" + word(1);
}

bool same_rows(const Data<double>& a, const Data<double>& b) {
  const auto &x = a.ref(), &y = b.ref();
  if (x.nefc != y.nefc || x.ncon != y.ncon) return false;
  for (int r = 0; r < x.nefc; ++r) {
    if (x.efc_type[r] != y.efc_type[r] || x.efc_id[r] != y.efc_id[r]) return false;
  }
  for (int k = 0; k < 2 * x.ncon; ++k) {
    if (x.contact_geom[k] != y.contact_geom[k]) return false;
  }
  return true;
}

}  // namespace

// Constraint rows are the derivatives of their positions: all rows of equality constraints and
// limits, and those along the normal of contacts. Friction has no position.
std::string rows_are_differences(const Case& c) {
  Model<double> m = c.model;
  m.opt.iterations = 1;  // the rows exist before their forces
  const Neighbours n(m, c);
  if (!n.status) return failure("forward", n.status);
  if (!same_rows(n.here, n.plus) || !same_rows(n.here, n.minus)) return {};
  const auto& d = n.here.ref();
  Comparison out;
  for (int r = 0; r < d.nefc; ++r) {
    const auto type = ConstraintType(d.efc_type[r]);
    const bool contact = type >= ConstraintType::contact_frictionless;
    if (type == ConstraintType::friction_dof || type == ConstraintType::friction_tendon) continue;
    if (contact &&
        (d.contact_efc_address[d.efc_id[r]] != r || !has_depth(m, n.here, d.efc_id[r]))) {
      continue;
    }
    const auto along = [&](int row) { return n.along(jacobian_row(d, row).data()); };
    double ours = along(r);
    // the normal is the mean of the first two edges of a pyramid
    if (type == ConstraintType::contact_pyramidal) {
      ours = (ours + along(r + 1)) / 2;
    }
    const Slope slope(n.minus.ref().efc_pos[r], d.efc_pos[r], n.plus.ref().efc_pos[r], h);
    const std::string what =
        contact ? "efc_J of a contact " + pair_of(m, n.here, d.efc_id[r]) : "efc_J";
    out.near(what.c_str(), r, ours, slope.value, tolerance + slope.margin);
  }
  return out.text();
}

}  // namespace property
