// SPDX-License-Identifier: Apache-2.0
//
// set_const(model) computes the numbers of a model that follow from others (mj_setConst in MuJoCo).
// compile() calls it. Call it again after editing masses, inertias, frames, armature, gears or
// reference positions.
//
// It evaluates the smooth stages at qpos0 and at qpos_spring, in any scalar: the constants of a
// Model<Dual> carry the derivatives of the masses and lengths that they come from.
#pragma once

#include <corten/compile/derived.hpp>
#include <corten/compile/flex_const.hpp>
#include <corten/compile/path.hpp>
#include <corten/compile/same_frame.hpp>
#include <corten/compile/statistics.hpp>
#include <corten/core/list.hpp>
#include <corten/core/sort.hpp>
#include <corten/data/data.hpp>
#include <corten/pipeline/policies.hpp>
#include <corten/stage/camera.hpp>
#include <corten/stage/com.hpp>
#include <corten/stage/factor.hpp>
#include <corten/stage/inertia.hpp>
#include <corten/stage/kinematics.hpp>
#include <corten/stage/transmission.hpp>
#include <corten/tendon/path.hpp>
#include <corten/tree/jacobian.hpp>

#include <array>

namespace corten {

namespace compiler {

namespace detail {

// marks the actuator that adds damping or armature to a joint or tendon: -1 for none, -2 for
// several
template <class S>
CORTEN_COLD void mark_actuators(Model<S>& m) {
  std::fill(m.jnt_actuatorid.begin(), m.jnt_actuatorid.end(), -1);
  std::fill(m.tendon_actuatorid.begin(), m.tendon_actuatorid.end(), -1);
  for (int a = 0; a < m.n.nactuator; ++a) {
    const bool bare = value(at(m.actuator_damping, a)) == 0 &&
                      value(at(m.actuator_armature, a)) == 0 &&
                      value(at(m.actuator_dampingpoly, 2 * a)) == 0 &&
                      value(at(m.actuator_dampingpoly, 2 * a + 1)) == 0;
    if (bare) continue;
    const auto type = static_cast<TransmissionType>(at(m.actuator_trntype, a));
    const bool tendon = type == TransmissionType::tendon;
    if (!tendon && type != TransmissionType::joint && type != TransmissionType::jointinparent) {
      continue;
    }
    int& id = at(tendon ? m.tendon_actuatorid : m.jnt_actuatorid, at(m.actuator_trnid, 2 * a));
    id = id == -1 ? a : -2;
  }
}

// lists the kinematic trees along each tendon: their number, and the first two
template <class S>
CORTEN_COLD void mark_tendon_trees(Model<S>& m) {
  for (int t = 0; t < m.n.ntendon; ++t) {
    List<int> trees;
    for (int w = at(m.tendon_adr, t); w < at(m.tendon_adr, t) + at(m.tendon_num, t); ++w) {
      const int tree = at(m.body_treeid, wrap_body(m, w));
      const bool known = std::find(trees.begin(), trees.end(), tree) != trees.end();
      if (tree >= 0 && !known) trees.push_back(tree);
    }
    put(m.tendon_treenum, t, static_cast<int>(trees.size()));
    for (int k = 0; k < 2; ++k) {
      at(m.tendon_treeid, 2 * t + k) = k < static_cast<int>(trees.size()) ? at(trees, k) : -1;
    }
  }
}

// sets the numbers that do not depend on a configuration
template <class S>
CORTEN_COLD void set_fixed(Model<S>& m) {
  mark_frames(m);
  m.body_subtreemass = m.body_mass;
  m.n.ngravcomp = 0;
  for (int b = m.n.nbody - 1; b > 0; --b) {
    at(m.body_subtreemass, at(m.body_parentid, b)) += at(m.body_subtreemass, b);
    if (value(at(m.body_gravcomp, b)) > 0) ++m.n.ngravcomp;
  }
  count_surfaces(m);
  mark_actuators(m);
  mark_tendon_trees(m);
}

// Solves linear systems with the inertia matrix at qpos0. Set a sparse vector x after clear(). Only
// the trees that x touches take part, so that all constants together take linear time.
template <class M, class D>
class InverseInertia {
 public:
  using S = typename D::Scalar;

  InverseInertia(const M& m, const D& d)
      : m_(m), d_(d), x_(static_cast<std::size_t>(m.n.nv), S(0)), y_(x_) {}

  void clear() {
    for (const int t : trees_) {
      each_dof_of(t, [&](int i) { at(x_, i) = S(0); });
    }
    trees_.clear();
  }
  S& operator[](int i) {
    const int t = m_.dof_treeid[i];
    if (std::find(trees_.begin(), trees_.end(), t) == trees_.end()) trees_.push_back(t);
    return at(x_, i);
  }

  // x · M⁻¹ x
  S quadratic() {
    S sum = S(0);
    solve([&](int i) { sum += at(x_, i) * at(y_, i); });
    return sum;
  }
  // |M⁻¹ x|
  S norm_of_solution() {
    S sum = S(0);
    solve([&](int i) { sum += at(y_, i) * at(y_, i); });
    return safe_sqrt(sum);
  }

 private:
  template <class F>
  void each_dof_of(int tree, F&& f) const {
    const int first = m_.tree_dofadr[tree];
    for (int i = first; i < first + m_.tree_dofnum[tree]; ++i) f(i);
  }

  // y = M⁻¹ x, then f for each dof of the trees of x
  template <class F>
  void solve(F&& f) {
    if (trees_.size() > 1) sort(trees_);
    for (const int t : trees_) {
      each_dof_of(t, [&](int i) { at(y_, i) = at(x_, i); });
      const int first = m_.tree_dofadr[t];
      tree_solve(m_, {first, first + m_.tree_dofnum[t]}, d_.qLD, d_.qLDiagInv,
                 Field<S>{y_.data(), {}});
      each_dof_of(t, f);
    }
  }

  const M& m_;
  const D& d_;
  List<S> x_, y_;
  List<int> trees_;
};

// body_invweight0: the mean of the diagonal of J M⁻¹ J', for translation and rotation of the centre
// of mass
template <class S, class M, class D>
CORTEN_COLD void set_body_weights(Model<S>& model, const M& m, const D& d) {
  InverseInertia<M, D> inverse(m, d);
  for (int b = 1; b < m.n.nbody; ++b) {
    S translation = S(0), rotation = S(0);
    if (m.body_dofnum[m.body_weldid[b]] > 0) {
      if (m.body_simple[b] == 2) {
        translation = S(1) / max(S(m.body_mass[b]), S(min_value));
      } else {
        for (int k = 0; k < 6; ++k) {
          inverse.clear();
          each_dof(m, d, b, vec3<S>(d.xipos, b),
                   [&](int i, const Vec3<S>& move, const Vec3<S>& turn) {
                     inverse[i] = k < 3 ? move[k] : turn[k - 3];
                   });
          (k < 3 ? translation : rotation) += inverse.quadratic() / S(3);
        }
      }
    }
    at(model.body_invweight0, 2 * b) = translation;
    at(model.body_invweight0, 2 * b + 1) = rotation;
  }
}

// dof_invweight0: the diagonal of M⁻¹, averaged over the three dofs of a translation or rotation
template <class S, class M, class D>
CORTEN_COLD void set_dof_weights(Model<S>& model, const M& m, const D& d) {
  InverseInertia<M, D> inverse(m, d);
  for (int first = 0; first < m.n.nv;) {
    const int j = m.dof_jntid[first], b = m.dof_bodyid[first];
    int count = 1;  // dofs of this joint, at most three
    while (count < 3 && first + count < m.n.nv && m.dof_jntid[first + count] == j) ++count;
    S mean = S(0);
    if (m.body_simple[b] == 2) {
      mean = S(1) / max(S(m.body_mass[b]), S(min_value));
    } else {
      for (int k = 0; k < count; ++k) {
        inverse.clear();
        inverse[first + k] = S(1);
        mean += inverse.quadratic() / S(count);
      }
    }
    for (int k = 0; k < count; ++k) at(model.dof_invweight0, first + k) = mean;
    first += count;
  }
}

// dof_M0: the diagonal of M without the armature of tendons
template <class S, class M, class D>
CORTEN_COLD void set_dof_inertia(Model<S>& model, const M& m, const D& d) {
  for (int i = 0; i < m.n.nv; ++i) {
    const Vec6<S> axis = vec6<S>(d.cdof, i);
    const S moved = axis.dot(multiply(vec<S, 10>(d.crb, m.dof_bodyid[i]), axis));
    at(model.dof_M0, i) = S(m.dof_armature[i]) + joint_armature<S>(m, m.dof_jntid[i]) + moved;
  }
}

template <class S, class M, class D>
CORTEN_COLD void set_tendons(Model<S>& model, const M& m, const D& d) {
  InverseInertia<M, D> inverse(m, d);
  for (int t = 0; t < m.n.ntendon; ++t) {
    at(model.tendon_length0, t) = d.ten_length[t];
    inverse.clear();
    for (int k = m.ten_J_rowadr[t]; k < m.ten_J_rowadr[t] + m.ten_J_rownnz[t]; ++k) {
      inverse[m.ten_J_colind[k]] = d.ten_J[k];
    }
    at(model.tendon_invweight0, t) = inverse.quadratic();
  }
}

// completes the data of equality constraints from the poses at qpos0
template <class S, class M, class D>
CORTEN_COLD void set_equalities(Model<S>& model, const M& m, const D& d) {
  for (int e = 0; e < m.n.neq; ++e) {
    const Field<S> data{model.eq_data.data() + 11 * e, {}};
    M::Policies::Constraints::visit_element(m, e, [&](auto kind) {
      if constexpr (constraint_policy::names_complete<decltype(kind)>) kind.complete(m, d, e, data);
    });
  }
}

template <class S, class M, class D>
CORTEN_COLD void set_actuators(Model<S>& model, const M& m, const D& d) {
  InverseInertia<M, D> inverse(m, d);
  for (int o = 0; o < m.n.nout; ++o) {
    at(model.actuator_length0, o) = d.actuator_length[o];
    inverse.clear();
    for (int k = d.moment_rowadr[o]; k < d.moment_rowadr[o] + d.moment_rownnz[o]; ++k) {
      inverse[d.moment_colind[k]] = d.actuator_moment[k];
    }
    at(model.actuator_acc0, o) = inverse.norm_of_solution();
  }
}

// position of a camera or light relative to its body, and to the centre of mass that it tracks
template <class S, class D>
CORTEN_COLD void set_offsets(List<S>& from_body, List<S>& from_com, const D& d, int i,
                             const Vec3<S>& x, int body, int target) {
  const Vec3<S> at_body = x - vec3<S>(d.xpos, body);
  const Vec3<S> at_com = x - vec3<S>(d.subtree_com, target >= 0 ? target : body);
  for (int k = 0; k < 3; ++k) {
    at(from_body, 3 * i + k) = at_body[k];
    at(from_com, 3 * i + k) = at_com[k];
  }
}

// sets the poses at qpos0 that tracking cameras and lights use, whatever their mode
template <class S, class M, class D>
CORTEN_COLD void set_cameras(Model<S>& model, const M& m, const D& d) {
  for (int i = 0; i < m.n.ncam; ++i) {
    place_camera(m, d, i);
    set_offsets(model.cam_pos0, model.cam_poscom0, d, i, vec3<S>(d.cam_xpos, i), m.cam_bodyid[i],
                m.cam_targetbodyid[i]);
    for (int k = 9 * i; k < 9 * i + 9; ++k) at(model.cam_mat0, k) = d.cam_xmat[k];
  }
  for (int i = 0; i < m.n.nlight; ++i) {
    place_light(m, d, i);
    set_offsets(model.light_pos0, model.light_poscom0, d, i, vec3<S>(d.light_xpos, i),
                m.light_bodyid[i], m.light_targetbodyid[i]);
    for (int k = 3 * i; k < 3 * i + 3; ++k) at(model.light_dir0, k) = d.light_xdir[k];
  }
}

// A position servo with biasprm[2] > 0 specifies a damping ratio: kv = 2 ratio sqrt(kp m), where m
// is the inertia that the actuator moves at qpos0. Afterwards biasprm[2] is -kv.
template <class S, class M, class D>
CORTEN_COLD void resolve_damping_ratios(Model<S>& model, const M& m, const D& d) {
  for (int a = 0; a < m.n.nactuator; ++a) {
    const S kp = S(-m.actuator_biasprm[10 * a + 1]), ratio = S(m.actuator_biasprm[10 * a + 2]);
    const bool pid = m.actuator_gaintype[a] == static_cast<int>(GainType::pid);
    if (!pid && value(m.actuator_gainprm[10 * a]) != value(kp)) continue;
    if (value(ratio) <= 0) continue;
    S mass = S(0);
    const int o = m.actuator_outadr[a];
    for (int k = d.moment_rowadr[o]; k < d.moment_rowadr[o] + d.moment_rownnz[o]; ++k) {
      const S squared = d.actuator_moment[k] * d.actuator_moment[k];
      if (squared > S(min_value)) mass += S(m.dof_M0[d.moment_colind[k]]) / squared;
    }
    at(model.actuator_biasprm, 10 * a + 2) = S(-2) * ratio * safe_sqrt(S(kp * mass));
  }
}

template <class S, class M, class D>
CORTEN_COLD void evaluate_lengths(const List<S>& qpos, const M& m, const D& d) {
  for (int i = 0; i < m.n.nq; ++i) d.qpos[i] = at(qpos, i);
  kinematics(m, d);
  com(m, d);
  tendon(m, d);
  transmission(m, d);
}

// the constants at qpos0 that do not ask for policies
template <class S>
void set_weights(Model<S>& model, const ModelView<S>& m, const DataRef<S, Contiguous>& d) {
  inertia(m, d);
  factor(m, d);
  set_dof_inertia(model, m, d);
  set_body_weights(model, m, d);
  set_dof_weights(model, m, d);
  if (model.n.nflex > 0) set_flexes(model, m, d, InverseInertia(m, d));
  set_tendons(model, m, d);
  set_actuators(model, m, d);
  set_cameras(model, m, d);
  resolve_damping_ratios(model, m, d);
}

}  // namespace detail

}  // namespace compiler

template <class Policies = DefaultPolicies, class S>
void set_const(Model<S>& model) {
  using namespace compiler::detail;
  using compiler::at;
  set_fixed(model);

  // constants at qpos0
  Data<S> data(model, Capacity{0, 0});
  const auto m = make_ref<Policies>(model);
  const auto& d = data.ref();
  evaluate_lengths(model.qpos0, m, d);
  set_weights(model, without_policies(m), d);
  set_equalities(model, m, d);
  set_statistics(model, m, d);

  // tendon springs without a given rest length are at rest at qpos_spring
  evaluate_lengths(model.qpos_spring, m, d);
  for (int t = 0; t < model.n.ntendon; ++t) {
    S& low = at(model.tendon_lengthspring, 2 * t);
    S& high = at(model.tendon_lengthspring, 2 * t + 1);
    if (value(low) == -1 && value(high) == -1) low = high = d.ten_length[t];
  }
}

}  // namespace corten
