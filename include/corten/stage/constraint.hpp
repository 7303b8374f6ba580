// SPDX-License-Identifier: Apache-2.0
//
// Constraint rows: equality (equality.hpp), friction loss, joint and tendon limits, contacts.
// constraint() writes efc_type efc_id efc_J efc_pos efc_margin efc_frictionloss and the counts, then
// impedance() fills efc_diagA efc_R efc_D efc_KBIP; reference() writes efc_vel efc_aref.
// MuJoCo documentation, Computation, "Constraint model".
#pragma once

#include <corten/core/status.hpp>
#include <corten/fwd.hpp>
#include <corten/math/dense.hpp>
#include <corten/stage/equality.hpp>
#include <corten/stage/impedance.hpp>
#include <corten/stage/surface.hpp>

namespace corten {

namespace detail {

// Does the tendon move anything? Of the columns of a joint that comes again, the last counts.
template <class M, class D>
CORTEN_FN bool tendon_moves(const M& m, const D& d, int t) {
  const int row = m.ten_J_rowadr[t], end = row + m.ten_J_rownnz[t];
  for (int k = row; k < end; ++k) {
    const bool last = k + 1 == end || m.ten_J_colind[k + 1] != m.ten_J_colind[k];
    if (last && value(d.ten_J[k]) != 0) return true;
  }
  return false;
}

template <class M, class D>
CORTEN_FN void friction_rows(const M& m, const D& d) {
  using S = typename D::Scalar;
  for (int i = 0; i < m.n.nv; ++i) {
    if (!(value(m.dof_frictionloss[i]) > 0)) continue;
    const int row = reserve_rows(d, 1);
    if (row < 0) continue;
    d.efc_J[row * m.n.nv + i] = S(1);
    set_row(d, row, ConstraintType::friction_dof, i, S(0), S(0), S(m.dof_frictionloss[i]));
  }
  for (int t = 0; t < m.n.ntendon; ++t) {
    if (!(value(m.tendon_frictionloss[t]) > 0) || !tendon_moves(m, d, t)) continue;
    const int row = reserve_rows(d, 1);
    if (row < 0) continue;
    tendon_row(m, d, row, t, S(1));
    set_row(d, row, ConstraintType::friction_tendon, t, S(0), S(0), S(m.tendon_frictionloss[t]));
  }
}

template <class M, class D>
CORTEN_FN void limit_rows(const M& m, const D& d) {
  using S = typename D::Scalar;
  for (int j = 0; j < m.n.njnt; ++j) {
    if (!m.jnt_limited[j]) continue;
    const auto add = [&](const S& dist, const auto& jacobian) {
      const int row = reserve_rows(d, 1);
      if (row < 0) return;
      for (int k = 0; k < jacobian.size(); ++k) {
        d.efc_J[row * m.n.nv + m.jnt_dofadr[j] + k] = jacobian[k];
      }
      set_row(d, row, ConstraintType::limit_joint, j, dist, S(m.jnt_margin[j]), S(0));
    };
    M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) { kind.limits(m, d, j, add); });
  }
  for (int t = 0; t < m.n.ntendon; ++t) {
    if (!m.tendon_limited[t] || !tendon_moves(m, d, t)) continue;
    for (int side = 0; side < 2; ++side) {
      const S sign = side == 0 ? S(1) : S(-1);
      const S dist = sign * (d.ten_length[t] - S(m.tendon_range[2 * t + side]));
      if (!(value(dist) < value(S(m.tendon_margin[t])))) continue;
      const int row = reserve_rows(d, 1);
      if (row < 0) continue;
      tendon_row(m, d, row, t, sign);
      set_row(d, row, ConstraintType::limit_tendon, t, dist, S(m.tendon_margin[t]), S(0));
    }
  }
}

// What the rows of contact c are made of. An elliptic cone has a row for each direction, normal first; a
// pyramid a pair of edges (normal ± friction · direction) for each friction direction.
template <class M>
CORTEN_FN ConstraintType contact_type(const M& m, int dim) {
  if (dim == 1) return ConstraintType::contact_frictionless;
  if constexpr (M::Policies::Cones::has(Cone::elliptic)) {
    if (m.opt.cone == static_cast<int>(Cone::elliptic)) return ConstraintType::contact_elliptic;
  }
  return ConstraintType::contact_pyramidal;
}

// column i of the rows: the relative motion of the geoms in the contact frame
template <class D, class S>
CORTEN_FN void contact_column(const D& d, int c, int row, int i, ConstraintType type,
                              const Vec3<S>& linear, const Vec3<S>& angular) {
  const int nv = d.n.nv, dim = d.contact_dim[c];
  const auto direction = [&](int k) { return k < 3 ? linear[k] : angular[k - 3]; };
  if (type != ConstraintType::contact_pyramidal) {
    for (int k = 0; k < dim; ++k) d.efc_J[(row + k) * nv + i] = direction(k);
    return;
  }
  for (int k = 1; k < dim; ++k) {
    const S side = d.contact_friction[5 * c + k - 1] * direction(k);
    d.efc_J[(row + 2 * k - 2) * nv + i] = linear[0] + side;
    d.efc_J[(row + 2 * k - 1) * nv + i] = linear[0] - side;
  }
}

template <class M, class D>
CORTEN_FN void contact_rows(const M& m, const D& d, int c) {
  using S = typename D::Scalar;
  const int dim = d.contact_dim[c];
  const ConstraintType type = contact_type(m, dim);
  const bool elliptic = type == ConstraintType::contact_elliptic;
  const int rows = type == ConstraintType::contact_pyramidal ? 2 * (dim - 1) : dim;
  const int body1 = m.geom_bodyid[d.contact_geom[2 * c]];
  const int body2 = m.geom_bodyid[d.contact_geom[2 * c + 1]];
  const int row = reserve_rows(d, rows);
  if (row < 0) return;

  const Vec3<S> point = vec3<S>(d.contact_pos, c);
  const Mat3<S> frame = mat3<S>(d.contact_frame, c);
  const Vec3<S> offset1 = point - vec3<S>(d.subtree_com, m.body_rootid[body1]);
  const Vec3<S> offset2 = point - vec3<S>(d.subtree_com, m.body_rootid[body2]);
  bool moves = false;
  each_relative_dof(m, body1, body2, [&](int i, bool second) {
    moves = true;
    const Vec6<S> axis = vec6<S>(d.cdof, i);
    const Vec3<S> turn = axis.template head<3>();
    const Vec3<S> shift = axis.template tail<3>() + cross(turn, second ? offset2 : offset1);
    const S sign = second ? S(1) : S(-1);
    const Vec3<S> linear = sign * (frame * shift);
    const Vec3<S> angular = dim > 3 ? sign * (frame * turn) : Vec3<S>::Zero();
    contact_column(d, c, row, i, type, linear, angular);
  });

  // nothing to move: give the rows back, unless MuJoCo stores whole rows and does not notice
  if (!moves && keeps_compressed_rows(m)) {
    drop_rows(d, row, rows);
    d.contact_exclude[c] = 3;
    return;
  }

  for (int k = 0; k < rows; ++k) {
    const bool friction = elliptic && k > 0;
    set_row(d, row + k, type, c, friction ? S(0) : S(d.contact_dist[c]),
            friction ? S(0) : S(d.contact_includemargin[c]), S(0));
  }
  d.contact_efc_address[c] = row;
}

}  // namespace detail

template <class M, class D>
CORTEN_FN void constraint(const M& m, const D& d) {
  d.ne = 0;
  d.nf = 0;
  d.nl = 0;
  d.nefc = 0;
  d.nefc_needed = 0;
  for (int c = 0; c < d.ncon; ++c) d.contact_efc_address[c] = -1;
  if (m.n.nv == 0 || m.opt.disabled(disable_constraint)) return;

  if (!m.opt.disabled(disable_equality)) detail::equality_rows(m, d);
  d.ne = d.nefc.get();
  if (!m.opt.disabled(disable_frictionloss)) detail::friction_rows(m, d);
  d.nf = d.nefc - d.ne;
  if (!m.opt.disabled(disable_limit)) detail::limit_rows(m, d);
  d.nl = d.nefc - d.ne - d.nf;
  if (!m.opt.disabled(disable_contact)) {
    for (int c = 0; c < d.ncon; ++c) {
      if (d.contact_exclude[c] == 0) detail::contact_rows(m, d, c);
    }
  }
  if (d.nefc_needed > d.n.njmax) d.status = d.status | rows_full;
  impedance(m, d);
}

// velocity of each row and the acceleration it should have: aref = -B v - K I (pos - margin), more for
// adhesion, and for equality less what the row's Jacobian changes by itself
template <class M, class D>
CORTEN_FN void reference(const M& m, const D& d) {
  using S = typename D::Scalar;
  multiply(d.efc_J, d.nefc, m.n.nv, d.qvel, d.efc_vel);
  if (m.n.nsurfacevel > 0) detail::surface_velocities(m, d);
  for (int r = 0; r < d.nefc; ++r) {
    const Vec<S, 4> kbip = vec<S, 4>(d.efc_KBIP, r);
    d.efc_aref[r] = -kbip[1] * d.efc_vel[r] - kbip[0] * kbip[2] * (d.efc_pos[r] - d.efc_margin[r]);
  }
  if (m.n.nadhesion > 0) detail::adhesion_reference(d);
  if (d.ne > 0) detail::equality_drift(m, d);
}

// ---- worlds in lanes: each has rows of its own --------------------------------------------------------

template <class M, class S>
CORTEN_FN void constraint(const M& m, const Lane<S>& lane) {
  const auto& block = lane.block;
  const auto& world = lane.world;
  // limits of a user's joint may look at anything
  if constexpr (!M::Policies::Joints::builtin) publish_lane(lane);
    // clang-format off
#define X(name, count) lane.take(block.name, world.name, count)
  X(qpos, m.n.nq); X(subtree_com, 3 * m.n.nbody); X(cdof, 6 * m.n.nv);
  X(ten_length, m.n.ntendon); X(ten_J, m.n.nJten);
  if (m.n.neq > 0) {
    X(xpos, 3 * m.n.nbody); X(xmat, 9 * m.n.nbody); X(xquat, 4 * m.n.nbody);
    X(site_xpos, 3 * m.n.nsite); X(geom_xpos, 3 * m.n.ngeom);
  }
  if (m.opt.enabled(enable_diagexact)) {
    X(qLD, m.n.nM); X(qLDiagInv, m.n.nv);
  }
#undef X
  // clang-format on
  constraint(m, world);
}

template <class M, class S>
CORTEN_FN void reference(const M& m, const Lane<S>& lane) {
  const auto& block = lane.block;
  const auto& world = lane.world;
  if (world.nefc == 0) return;
  lane.take(block.qvel, world.qvel, m.n.nv);
  if (world.ne > 0) {
    lane.take(block.cvel, world.cvel, 6 * m.n.nbody);
    lane.take(block.cdof_dot, world.cdof_dot, 6 * m.n.nv);
  }
  reference(m, world);
}

}  // namespace corten
