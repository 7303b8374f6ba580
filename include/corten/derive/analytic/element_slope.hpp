// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of the forces of <equality> elements between two bodies: connect, weld, distance. The
// kind writes its rows as ever, but in a world of its own, where both bodies move freely with six
// dofs each. The entries of its Jacobian are then wrenches on the two bodies, and dual numbers over
// the motion of one body at a time give their derivatives, whatever the kind is. A seventh dof per
// body, which moves nothing, has the acceleration that velocities cause as the rate of its axis.
#pragma once

#include <corten/constraint/constraints.hpp>
#include <corten/derive/analytic/body_force.hpp>

#include <vector>

namespace corten::derive::analytic {

// The growth of D with the impedance, ∂ln D/∂d. It is zero where R = 1/D is at the bound below
// which it is not allowed to fall, as in rows of bodies that cannot move along them.
template <class T>
T stiffness_growth(const T& impedance, const T& R, const T& least = T(min_value)) {
  return R > least ? T(T(1) / (impedance * (T(1) - impedance))) : T(0);
}

// Memory of that world.
template <class S>
struct FreePair {
  static constexpr int each = 7, dofs = 2 * each, most_rows = 6;
  std::vector<int> weld, count, first;  // per body
  int parent[dofs], joint[dofs], kind[1] = {static_cast<int>(JointType::hinge)};
  S axes[6 * dofs], rates[6 * dofs], speed[dofs], J[most_rows * dofs];
  S pos[most_rows], margin[most_rows], loss[most_rows], aref[most_rows];
  int type[most_rows], id[most_rows], used = 0, needed = 0;

  void resize(int bodies) {
    const auto size = static_cast<std::size_t>(bodies);
    weld.resize(size), count.resize(size), first.resize(size);
    for (int i = 0; i < dofs; ++i) {
      parent[i] = i % each == 0 ? -1 : i - 1;
      joint[i] = 0;
      for (int k = 0; k < 6; ++k)
        axes[6 * i + k] = S(i % each == k ? 1 : 0), rates[6 * i + k] = S(0);
    }
  }

  // the views of the model and the data that the kind sees
  template <class M>
  M model(M m) const {
    m.n.nv = dofs;
    m.opt.jacobian = static_cast<int>(JacobianKind::dense);
    m.body_weldid.data = weld.data();
    m.body_dofnum.data = count.data();
    m.body_dofadr.data = first.data();
    m.dof_parentid.data = parent;
    m.dof_jntid.data = joint;
    m.jnt_type.data = kind;
    return m;
  }
  template <class E>
  E data(E d) {
    d.n.nv = dofs, d.n.njmax = most_rows, d.n.njnz = 0;  // dense rows
    d.cdof.data = axes, d.cdof_dot.data = rates, d.qvel.data = speed;
    d.efc_J.data = J, d.efc_pos.data = pos, d.efc_margin.data = margin;
    d.efc_frictionloss.data = loss, d.efc_aref.data = aref;
    d.efc_type.data = type, d.efc_id.data = id;
    d.nefc.data = &used, d.nefc_needed.data = &needed;
    return d;
  }
};

// Gives item i of some frames its pose in the data with duals, with tangents along the six motions
// of its body if `moves`.
template <class T, class S>
void place_frame(const Field<T>& pos, const Field<T>& mat, const Field<S>& to_pos,
                 const Field<S>& to_mat, int i, const Vec3<T>& com, bool moves) {
  for (int k = 0; k < 3; ++k) to_pos[3 * i + k] = S(pos[3 * i + k]);
  for (int k = 0; k < 9; ++k) to_mat[9 * i + k] = S(mat[9 * i + k]);
  if (!moves) return;
  const Vec3<T> arm = vec3<T>(pos, i) - com;
  for (int n = 0; n < 3; ++n) {
    const Vec3<T> axis = Vec3<T>::Unit(n), shift = cross(axis, arm);
    tangent(to_pos[3 * i + n], 3 + n) = T(1);
    for (int k = 0; k < 3; ++k) {
      tangent(to_pos[3 * i + k], n) = shift[k];
      const Vec3<T> turned = cross(axis, mat3<T>(mat, i).col(k));
      for (int l = 0; l < 3; ++l) tangent(to_mat[9 * i + 3 * l + k], n) = turned[l];
    }
  }
}

// the same for a body, with its quaternion
template <class M, class D, class E>
void place_body(const M& m, const D& d, const E& dual, int b, bool moves) {
  using T = typename D::Scalar;
  using S = typename E::Scalar;
  const int root = m.body_rootid[b];
  const Vec3<T> com = vec3<T>(d.subtree_com, root);
  for (int k = 0; k < 3; ++k) dual.subtree_com[3 * root + k] = S(com[k]);
  for (int k = 0; k < 6; ++k) dual.cvel[6 * b + k] = S(d.cvel[6 * b + k]);
  place_frame(d.xpos, d.xmat, dual.xpos, dual.xmat, b, com, moves);
  const Quat<T> q = quat<T>(d.xquat, b);
  for (int k = 0; k < 4; ++k) dual.xquat[4 * b + k] = S(q[k]);
  for (int n = 0; moves && n < 3; ++n) {
    Quat<T> turn = Quat<T>::Zero();
    turn[n + 1] = T(0.5);
    const Quat<T> rate = multiply(turn, q);
    for (int k = 0; k < 4; ++k) tangent(dual.xquat[4 * b + k], n) = rate[k];
  }
}

// A force on b that depends on o: dense, over the dofs of both. The acceleration is the whole one,
// velocities included, which kinds with a drift take into account.
template <class M, class D, class T>
void add_element(const M& m, const D& d, const Workspace<T>& w, int b, int o,
                 const ForceSlope<T>& s) {
  const Vec6<T> v = vec6<T>(d.cvel, o), a = vec6<T>(w.acceleration, o);
  const Feedback<T> pose =
      minus(minus(s.pose, after_cross(s.velocity, v)), after_cross(s.acceleration, a));
  const Feedback<T> drag = minus(s.velocity, after_cross(s.acceleration, v));
  if (w.pulled != nullptr) {
    using P = Pulled<T>;
    const Vec6<T> z = vec6<T>(w.motion, b);
    store(w.force, o, vec6<T>(w.force, o) - s.acceleration.transposed_times(z));
    P::add(w, o, P::drag, Vec6<T>(-drag.transposed_times(z)));
    return P::add(w, o, P::spring, pose.transposed_times(z));
  }
  each_chain_dof(m, o, [&](int k) {
    const Vec6<T> axis = vec6<T>(d.cdof, k);
    const Vec6<T> by_q = pose.times(axis) + drag.times(vec6<T>(d.cdof_dot, k)) +
                         s.acceleration.times(vec6<T>(w.fallen, k));
    const Vec6<T> by_v = drag.times(axis) + s.acceleration.times(vec6<T>(w.rate, k));
    each_chain_dof(m, b, [&](int i) {
      const Vec6<T> other = vec6<T>(d.cdof, i);
      w.at(i)[k] -= other.dot(by_q);
      w.at(i)[w.velocity + k] -= other.dot(by_v);
    });
  });
}

// The forces of one element, which is of the given kind.
template <class Kind, class M, class D, class E, class T>
class Element {
  using S = typename E::Scalar;
  using Pair = FreePair<S>;

 public:
  Element(const M& model, const D& data, const E& duals, const Workspace<T>& work, Pair& pair,
          int row)
      : m(model), d(data), dual(duals), w(work), world(pair), r(row), e(data.efc_id[row]) {
    for (int s = 0; s < 2; ++s) {
      body[s] = Kind::body(m, e, s);
      moves[s] = m.body_weldid[body[s]] != 0;
      world.weld[at(body[s])] = body[s];
      world.count[at(body[s])] = moves[s] ? Pair::each : 0;
      world.first[at(body[s])] = s * Pair::each;
    }
  }

  // adds the effect of the motion of side o; returns false if the kind wrote other rows than before
  bool add(int o) {
    if (!residuals(o, false)) return false;
    ForceSlope<T> out[2];
    Vec6<T> force = Vec6<T>::Zero();
    for (int s = 0; s < 2; ++s) {
      for (int i = 0; i < 6; ++i) {
        S sum = S(T(0));
        for (int k = 0; k < Kind::dim; ++k) {
          if (pushes(k)) sum -= stiff[k] * x[k] * entry(k, s, i);
        }
        if (s == o) force[i] = primal(sum);
        for (int n = 0; n < 6; ++n) at(out[s].pose, i, n) = tangent(sum, n);
      }
    }
    out[o].pose = minus(out[o].pose, carried(force));
    take_force(w, body[o], force);
    if (!residuals(o, true)) return false;
    for (int s = 0; s < 2; ++s) {
      for (int i = 0; i < 6; ++i) {
        for (int n = 0; n < 6; ++n) {
          T v = T(0), a = T(0);
          for (int k = 0; k < Kind::dim; ++k) {
            if (!pushes(k)) continue;
            const T pull = T(d.efc_D[r + k]) * primal(entry(k, s, i));
            v -= pull * tangent(x[k], n);
            a -= pull * primal(entry(k, o, n));
          }
          at(out[s].velocity, i, n) = v, at(out[s].acceleration, i, n) = a;
        }
      }
    }
    for (int s = 0; s < 2; ++s) {
      if (!moves[s]) continue;
      if constexpr (constraint_policy::names_drift<Kind>) {
        add_element(m, d, w, body[s], body[o], out[s]);
      } else {
        add_coupling(m, d, w, body[s], body[o], out[s]);
      }
    }
    return true;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static T& at(Feedback<T>& f, int i, int n) {
    Mat3<T>& part = i < 3 ? (n < 3 ? f.rr : f.rt) : (n < 3 ? f.tr : f.tt);
    return part(i % 3, n % 3);
  }
  // is row k on the quadratic piece of its cost, as those of equalities always are?
  bool pushes(int k) const {
    return d.efc_state[r + k] == static_cast<int>(ConstraintState::quadratic);
  }
  const S& entry(int k, int s, int i) const { return world.J[k * Pair::dofs + s * Pair::each + i]; }

  // poses and velocities of both sides; tangents are the motions, or the velocities, of side o
  void place(int o, bool by_velocity) {
    const bool sites = m.eq_objtype[e] == static_cast<int>(ObjectType::site);
    const bool geoms = m.eq_objtype[e] == static_cast<int>(ObjectType::geom);
    Vec6<T> gravity = vec6<T>(w.acceleration, 0);
    for (int s = 0; s < 2; ++s) {
      const int b = body[s], id = s == 0 ? m.eq_obj1id[e] : m.eq_obj2id[e];
      const bool turns = s == o && !by_velocity;
      const Vec3<T> com = vec3<T>(d.subtree_com, m.body_rootid[b]);
      place_body(m, d, dual, b, turns);
      if (sites) {
        place_frame(d.site_xpos, d.site_xmat, dual.site_xpos, dual.site_xmat, id, com, turns);
      }
      if (geoms) {
        place_frame(d.geom_xpos, d.geom_xmat, dual.geom_xpos, dual.geom_xmat, id, com, turns);
      }
      const Vec6<T> drift = vec6<T>(w.acceleration, b) - gravity - vec6<T>(w.push, b);
      const int first = s * Pair::each;
      for (int k = 0; k < 6; ++k) {
        world.rates[6 * (first + 6) + k] = S(drift[k]);
        world.speed[first + k] = S(d.cvel[6 * b + k]);
        push[s][k] = w.push[6 * b + k];
        if (s != o || !by_velocity) continue;
        tangent(world.speed[first + k], k) = T(1);
        tangent(dual.cvel[6 * b + k], k) = T(1);
      }
      world.speed[first + 6] = S(T(1));
    }
  }

  // residuals x of the rows and their D, with tangents along the motions or velocities of side o
  bool residuals(int o, bool by_velocity) {
    place(o, by_velocity);
    const M local = world.model(m);
    const E view = world.data(dual);
    world.used = world.needed = 0;
    Kind::rows(local, view, e);
    if (world.used != Kind::dim) return false;
    const Vec<T, 4> kbip = vec<T, 4>(d.efc_KBIP, r);
    const S distance = Kind::position(view, 0, Kind::dim);
    S impedance = S(kbip[2]);
    for (int n = 0; n < 6; ++n) tangent(impedance, n) = kbip[3] * tangent(distance, n);
    for (int k = 0; k < Kind::dim; ++k) {
      S velocity = S(T(0));
      for (int c = 0; c < Pair::dofs; ++c) velocity += world.J[k * Pair::dofs + c] * world.speed[c];
      const T* const own = d.efc_KBIP.data + 4 * (r + k);
      world.aref[k] = -S(own[1]) * velocity - S(own[0]) * impedance * world.pos[k];
      const T D0 = d.efc_D[r + k], growth = stiffness_growth(kbip[2], T(d.efc_R[r + k]));
      stiff[k] = S(D0);
      for (int n = 0; n < 6; ++n) tangent(stiff[k], n) = D0 * growth * tangent(impedance, n);
    }
    if constexpr (constraint_policy::names_drift<Kind>) Kind::drift(local, view, e, 0);
    for (int k = 0; k < Kind::dim; ++k) {
      x[k] = -world.aref[k];
      for (int s = 0; s < 2; ++s) {
        for (int i = 0; i < 6; ++i) x[k] += entry(k, s, i) * S(push[s][i]);
      }
    }
    return true;
  }

  const M& m;
  const D& d;
  const E& dual;
  const Workspace<T>& w;
  Pair& world;
  int r, e, body[2];
  bool moves[2];
  T push[2][6];
  S x[6], stiff[6];
};

// Adds an element between two bodies whose first row is r, and writes the number of its rows.
template <class M, class D, class E, class T, class S>
bool add_element_rows(const M& m, const D& d, const E& dual, const Workspace<T>& w,
                      FreePair<S>& pair, int r, int& count) {
  bool ok = false;
  M::Policies::Constraints::visit_element(m, d.efc_id[r], [&](auto kind) {
    using Kind = decltype(kind);
    if constexpr (requires { Kind::body(m, 0, 0); }) {
      count = Kind::dim;
      Element<Kind, M, D, E, T> element(m, d, dual, w, pair, r);
      ok = true;
      for (int o = 0; o < 2; ++o) {
        if (m.body_weldid[Kind::body(m, d.efc_id[r], o)] != 0) ok = ok && element.add(o);
      }
    }
  });
  return ok;
}

}  // namespace corten::derive::analytic
