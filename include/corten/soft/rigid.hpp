// SPDX-License-Identifier: Apache-2.0
//
// How rigid bodies move while soft bodies push them. A body that a soft body touches moves along
// its velocity and acceleration, and yields to impulses as its tree would: with a 6 x 6 inverse
// inertia W = J M⁻¹ J'. The effect of an impulse on other bodies of the tree is left to the next
// solve of the rigid constraints. All motions are about the centre of mass of the tree, like cvel.
#pragma once

#include <corten/math/tree_ldl.hpp>
#include <corten/tree/jacobian.hpp>

namespace corten {

namespace detail {

// One row of soft_body: the 36 numbers of W, then six vectors.
template <class M, class D>
class SoftRigid {
  using S = typename D::Scalar;

 public:
  // The body that moves with geom g, or -1 if no dof does.
  CORTEN_FN static int body_of(const M& m, int g) {
    const int weld = m.body_weldid[m.geom_bodyid[g]];
    return m.body_dofnum[weld] > 0 ? weld : -1;
  }

  CORTEN_FN SoftRigid(const M& m, const D& d, int body)
      : row_(d.soft_body.from(72 * body)), com_(vec3<S>(d.subtree_com, m.body_rootid[body])) {}

  // velocity and acceleration at the start of the step; impulses of this and of all soft bodies
  CORTEN_FN Vec6<S> velocity() const { return vec6<S>(row_, 6); }
  CORTEN_FN Vec6<S> acceleration() const { return vec6<S>(row_, 7); }
  // displacement before this substep, and within it
  CORTEN_FN Vec6<S> shift() const { return vec6<S>(row_, 8); }
  CORTEN_FN Vec6<S> move() const { return vec6<S>(row_, 9); }
  CORTEN_FN Vec6<S> impulse() const { return vec6<S>(row_, 10); }
  CORTEN_FN Vec6<S> total() const { return vec6<S>(row_, 11); }
  CORTEN_FN void set(int k, const Vec6<S>& v) const { store(row_, k, v); }
  static constexpr int at_velocity = 6, at_acceleration = 7, at_shift = 8, at_move = 9,
                       at_impulse = 10, at_total = 11;

  // W f
  CORTEN_FN Vec6<S> respond(const Vec6<S>& f) const {
    Vec6<S> out = Vec6<S>::Zero();
    for (int k = 0; k < 6; ++k) out += vec6<S>(row_, k) * f[k];
    return out;
  }

  // the motion of a point, and a force there as torque and force
  CORTEN_FN Vec3<S> at(const Vec3<S>& point, const Vec6<S>& motion) const {
    return motion.template tail<3>() + cross(motion.template head<3>(), Vec3<S>(point - com_));
  }
  CORTEN_FN Vec6<S> wrench(const Vec3<S>& point, const Vec3<S>& force) const {
    return Vec6<S>(cross(Vec3<S>(point - com_), force), force);
  }

  // W, by columns: the motion after a unit impulse about or along each axis
  CORTEN_FN void weigh(const M& m, const D& d, int body) const {
    const int tree = m.body_treeid[body], first = m.tree_dofadr[tree], count = m.tree_dofnum[tree];
    for (int k = 0; k < 6; ++k) {
      fill(d.work_nv.from(first), count, S(0));
      each_chain_dof(m, body, [&](int i) { d.work_nv[i] = d.cdof[6 * i + k]; });
      tree_solve(m, Dofs{first, first + count}, d.qLD, d.qLDiagInv, d.work_nv);
      set(k, motion(m, d, body, d.work_nv));
    }
  }

  // the motion that velocities of the dofs give the body
  template <class V>
  CORTEN_FN static Vec6<S> motion(const M& m, const D& d, int body, const V& speed) {
    Vec6<S> out = Vec6<S>::Zero();
    each_chain_dof(m, body, [&](int i) { out += vec6<S>(d.cdof, i) * S(speed[i]); });
    return out;
  }

  // qfrc += J' f
  template <class Q>
  CORTEN_FN static void apply(const M& m, const D& d, int body, const Vec6<S>& f, const Q& qfrc) {
    each_chain_dof(m, body, [&](int i) { qfrc[i] += vec6<S>(d.cdof, i).dot(f); });
  }

 private:
  decltype(D::soft_body) row_;
  Vec3<S> com_;
};

}  // namespace detail

}  // namespace corten
