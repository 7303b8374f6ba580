// SPDX-License-Identifier: Apache-2.0
//
// Recursive Newton-Euler after the solver, when all accelerations and forces are known
// (Featherstone 2008, section 5.3): the acceleration of each body, the external force on it, and
// the force that its parent exerts on it. Only some sensors read these, so the pipeline runs this
// stage only for a model with such a sensor. Writes cacc cfrc_ext cfrc_int, all in the c-frame
// (math/spatial.hpp). As in MuJoCo, the world accelerates against gravity.
#pragma once

#include <corten/constraint/constraints.hpp>
#include <corten/constraint/contact_force.hpp>
#include <corten/core/enums.hpp>
#include <corten/core/plain.hpp>
#include <corten/math/field.hpp>
#include <corten/math/spatial.hpp>

namespace corten {

namespace detail {

// cfrc_ext += sign · the wrench (force at `point`, torque), about the centre of mass of the body's
// tree
template <class M, class D, class S>
CORTEN_FN void add_external(const M& m, const D& d, int body, const Vec3<S>& point,
                            const Vec3<S>& force, const Vec3<S>& torque, const S& sign) {
  const Vec3<S> arm = point - vec3<S>(d.subtree_com, m.body_rootid[body]);
  const Vec3<S> moment = torque + cross(arm, force);
  for (int k = 0; k < 3; ++k) {
    d.cfrc_ext[6 * body + k] += sign * moment[k];
    d.cfrc_ext[6 * body + 3 + k] += sign * force[k];
  }
}

// forces applied by the user (xfrc_applied), by contacts and by soft bodies
template <class M, class D>
CORTEN_FN void external_forces(const M& m, const D& d) {
  using S = typename D::Scalar;
  fill(d.cfrc_ext, 6 * m.n.nbody, S(0));
  for (int b = 1; b < m.n.nbody; ++b) {
    const Vec6<S> wrench = vec6<S>(d.xfrc_applied, b);
    add_external(m, d, b, vec3<S>(d.xipos, b), wrench.template head<3>(), wrench.template tail<3>(),
                 S(1));
  }

  for (int c = 0; c < d.ncon; ++c) {
    if (d.contact_efc_address[c] < 0) continue;
    const Vec6<S> local = contact_force(d, c);
    const Mat3<S> frame = mat3<S>(d.contact_frame, c);
    const Vec3<S> force = frame.transpose() * local.template head<3>();
    const Vec3<S> torque = frame.transpose() * local.template tail<3>();
    const Vec3<S> point = vec3<S>(d.contact_pos, c);
    for (int side = 0; side < 2; ++side) {
      const int geom = d.contact_geom[2 * c + side], body = geom < 0 ? 0 : int(m.geom_bodyid[geom]);
      if (body > 0) add_external(m, d, body, point, force, torque, side == 0 ? S(-1) : S(1));
    }
  }
  for (int c = 0; c < d.nscon; ++c) {  // of soft bodies
    const int body = m.geom_bodyid[d.scon_geom[c]];
    if (body == 0) continue;
    add_external(m, d, body, vec3<S>(d.scon_pos, c), vec3<S>(d.scon_force, c),
                 Vec3<S>(Vec3<S>::Zero()), S(-1));
  }
}

// forces of constraints between bodies
template <class M, class D>
CORTEN_FN void constraint_forces(const M& m, const D& d) {
  using S = typename D::Scalar;
  const auto add = [&](int body, const Vec3<S>& point, const Vec3<S>& force, const Vec3<S>& torque,
                       const S& sign) {
    if (body > 0) add_external(m, d, body, point, force, torque, sign);
  };
  const int end = d.ne + d.nf + d.nl;
  for (int row = 0; row < end;) {
    int count = 1;
    M::Policies::Constraints::visit(m, d, row, [&](auto kind) {
      const int id = d.efc_id[row];
      count = rows_in_group<decltype(kind)>(m, d, row);
      if constexpr (constraint_policy::names_reaction<decltype(kind)>) {
        kind.reaction(m, d, id, row, add);
      }
    });
    row += count;
  }
}

}  // namespace detail

template <class M, class D>
CORTEN_ENTRY void rne_post(const M& m, const D& d) {
  using S = typename D::Scalar;
  detail::external_forces(m, d);
  detail::constraint_forces(m, d);

  // from the root outwards: accelerations, and the force that each body needs from its joints
  Vec6<S> world = Vec6<S>::Zero();
  if (!m.opt.disabled(disable_gravity)) {
    for (int k = 0; k < 3; ++k) world[3 + k] = S(-m.opt.gravity[k]);
  }
  store(d.cacc, 0, world);
  store(d.cfrc_int, 0, Vec6<S>::Zero());
  for (int b = 1; b < m.n.nbody; ++b) {
    Vec6<S> turned = Vec6<S>::Zero(), moved = Vec6<S>::Zero();
    const int first = m.body_dofadr[b];
    for (int i = first; i < first + m.body_dofnum[b]; ++i) {
      turned += vec6<S>(d.cdof_dot, i) * d.qvel[i];
      moved += vec6<S>(d.cdof, i) * d.qacc[i];
    }
    const Vec6<S> acc = vec6<S>(d.cacc, m.body_parentid[b]) + turned + moved;
    store(d.cacc, b, acc);

    const Inertia<S> inert = vec<S, 10>(d.cinert, b);
    const Vec6<S> v = vec6<S>(d.cvel, b);
    store(d.cfrc_int, b,
          multiply(inert, acc) + cross_force(v, multiply(inert, v)) - vec6<S>(d.cfrc_ext, b));
  }

  // towards the root: a body carries its children
  for (int b = m.n.nbody - 1; b > 0; --b) {
    const int parent = m.body_parentid[b];
    store(d.cfrc_int, parent, vec6<S>(d.cfrc_int, parent) + vec6<S>(d.cfrc_int, b));
  }
}
CORTEN_SHARED(rne_post, lists::constraints)

}  // namespace corten
