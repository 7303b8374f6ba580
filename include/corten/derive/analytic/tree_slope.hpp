// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of inverse dynamics at constant acceleration, by recursion over the tree.
//
// All vectors are about a fixed point, where the centre of mass of the tree is now. S_k is the
// motion axis of dof k; v_k, a_k and p_k are velocity, acceleration and J q̈ of what carries the
// axis, before the joint moves. The axis is carried along by the dofs before it, and the three axes
// of a ball turn together, so for every body b that dof k moves
//
//   ∂v_b/∂q_k = Ψ_k - v_b × S_k,     Ψ_k = v_k × S_k = d/dt S_k
//   ∂p_b/∂q_k = Θ_k - p_b × S_k,     Θ_k = p_k × S_k
//   ∂f_b/∂q_k = S_k ×* f_b + I_b Ξ_k + C_b Ψ_k,     Ξ_k = a_k × S_k + v_k × Ψ_k
//
// where f_b = I_b a_b + v_b ×* I_b v_b is the force that the body takes, and C_b its derivative by
// velocity (integrate/bias_slope.hpp). The first term is that of a force that moves with the body.
// An external force on the body changes by other amounts: K Ψ_k for its derivative K by velocity,
// and likewise for the others, so these matrices are summed over subtrees as inertias are, and the
// force of dof i, S_i · f, has the derivative
//
//   by q_k, k before i:   S_i · (I Ξ_k + C Ψ_k - …) with the sums of i, as S_i moves like f
//   by q_k, k after i:    S_i · (S_k ×* f + I Ξ_k + C Ψ_k - …) with the sums of k
//
// Carpentier and Mansard, Analytical derivatives of rigid body dynamics algorithms (2018), have the
// same recursion in the frames of the bodies.
#pragma once

#include <corten/derive/analytic/workspace.hpp>
#include <corten/integrate/bias_slope.hpp>
#include <corten/scalar/pack.hpp>

#include <cstring>

namespace corten::derive::analytic {

// calls f(first dof, count) for each set of axes of a body that turn together
template <class M, class F>
void each_group(const M& m, int body, F&& f) {
  for (int j = m.body_jntadr[body]; j < m.body_jntadr[body] + m.body_jntnum[body]; ++j) {
    M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) {
      int fixed = 0;
      if constexpr (requires { kind.fixed_axes; }) fixed = kind.fixed_axes;
      const int v = m.jnt_dofadr[j];
      if (fixed > 0) f(v, fixed);
      f(v + fixed, kind.nv - fixed);
    });
  }
}

// From the root outwards: accelerations of bodies at qacc, Ξ (fallen), Θ (turned) and the rate of
// each axis with the joint's own velocity.
template <class M, class D, class T>
void spread_motion(const M& m, const D& d, const Workspace<T>& w, const Field<T>& qacc) {
  Vec6<T> world = Vec6<T>::Zero();
  if (!m.opt.disabled(disable_gravity)) {
    for (int k = 0; k < 3; ++k) world[3 + k] = T(-m.opt.gravity[k]);
  }
  store(w.acceleration, 0, world);
  store(w.push, 0, Vec6<T>::Zero());
  for (int b = 1; b < m.n.nbody; ++b) {
    const int parent = m.body_parentid[b];
    Vec6<T> v = vec6<T>(d.cvel, parent), a = vec6<T>(w.acceleration, parent),
            p = vec6<T>(w.push, parent);
    each_group(m, b, [&](int first, int count) {
      Vec6<T> dv = Vec6<T>::Zero(), da = dv, dp = dv;
      for (int k = first; k < first + count; ++k) {
        const Vec6<T> axis = vec6<T>(d.cdof, k), lag = vec6<T>(d.cdof_dot, k);
        store(w.fallen, k, cross_motion(a, axis) + cross_motion(v, lag));
        store(w.turned, k, cross_motion(p, axis));
        w.group[k] = first, w.group_end[k] = first + count;
        dv += axis * d.qvel[k];
        dp += axis * qacc[k];
        da += lag * d.qvel[k];
      }
      v += dv, p += dp, a += dp + da;
      for (int k = first; k < first + count; ++k) {
        store(w.rate, k, vec6<T>(d.cdof_dot, k) + cross_motion(v, vec6<T>(d.cdof, k)));
      }
    });
    store(w.acceleration, b, a);
    store(w.push, b, p);
  }
}

// Force and C of each body alone; external forces are still to be added.
template <class M, class D, class T>
void inertial_forces(const M& m, const D& d, const Workspace<T>& w) {
  for (int b = 0; b < m.n.nbody; ++b) {
    const Inertia<T> inertia = vec<T, 10>(d.cinert, b);
    w.touched[b] = 0;
    if (m.body_weldid[b] == 0) {
      store(w.force, b, multiply(inertia, vec6<T>(w.acceleration, b)));
      fill(w.damping.from(36 * b), 36, T(0));
      continue;
    }
    const Vec6<T> v = vec6<T>(d.cvel, b);
    store(w.force, b,
          multiply(inertia, vec6<T>(w.acceleration, b)) + cross_force(v, multiply(inertia, v)));
    corten::detail::bias_feedback(inertia, v).store_to(w.damping, b);
  }
}

// the matrices that external forces add to; they are zero until a body is first touched
template <class T>
void touch(const Workspace<T>& w, int b) {
  if (w.touched[b] != 0) return;
  w.touched[b] = 1;
  fill(w.stiffness.from(36 * b), 36, T(0));
  fill(w.resistance.from(36 * b), 36, T(0));
}

template <class T>
void add(const Field<T>& sums, int b, const Feedback<T>& f) {
  Feedback<T> sum = Feedback<T>::load(sums, b);
  sum += f;
  sum.store_to(sums, b);
}

// Sums forces and matrices over the subtree of each body.
template <class M, class T>
void gather(const M& m, const Workspace<T>& w) {
  for (int b = m.n.nbody - 1; b > 0; --b) {
    const int parent = m.body_parentid[b];
    if (parent == 0) continue;
    store(w.force, parent, vec6<T>(w.force, parent) + vec6<T>(w.force, b));
    for (int k = 0; k < 36; ++k) w.damping[36 * parent + k] += w.damping[36 * b + k];
    if (w.touched[b] == 0) continue;
    touch(w, parent);
    for (int k = 0; k < 36; ++k) w.stiffness[36 * parent + k] += w.stiffness[36 * b + k];
    for (int k = 0; k < 36; ++k) w.resistance[36 * parent + k] += w.resistance[36 * b + k];
  }
}

// Row i of ∂g/∂(q, v) for the dofs before it and of its group, and column i for those before it.
template <class M, class D, class T>
void project(const M& m, const D& d, const Workspace<T>& w, int i) {
  const int b = m.dof_bodyid[i], nv = w.nv;
  const bool touched = w.touched[b] != 0;
  const Inertia<T> inertia = vec<T, 10>(d.crb, b);
  const Feedback<T> damping = Feedback<T>::load(w.damping, b);
  const Vec6<T> axis = vec6<T>(d.cdof, i), lag = vec6<T>(d.cdof_dot, i);
  const Vec6<T> momentum = multiply(inertia, axis), drag = damping.transposed_times(axis);
  Vec6<T> by_q = multiply(inertia, vec6<T>(w.fallen, i)) + damping.times(lag) +
                 cross_force(axis, vec6<T>(w.force, b));
  const Vec6<T> by_v = multiply(inertia, vec6<T>(w.rate, i)) + damping.times(axis);
  Vec6<T> spring = Vec6<T>::Zero(), push = spring;
  if (touched) {
    const Feedback<T> k = Feedback<T>::load(w.stiffness, b), r = Feedback<T>::load(w.resistance, b);
    spring = k.transposed_times(axis), push = r.transposed_times(axis);
    by_q -= k.times(axis) + r.times(vec6<T>(w.turned, i));
  }

  T* const row = w.row(i);
  const auto before = [&](int k) {
    const Vec6<T> other = vec6<T>(d.cdof, k);
    T sum = momentum.dot(vec6<T>(w.fallen, k)) + drag.dot(vec6<T>(d.cdof_dot, k));
    if (touched) sum -= spring.dot(other) + push.dot(vec6<T>(w.turned, k));
    row[k] += sum;
    row[nv + k] += momentum.dot(vec6<T>(w.rate, k)) + drag.dot(other);
  };
  for (int k = w.group[i]; k < w.group_end[i]; ++k) before(k);
  for (int k = m.dof_parentid[w.group[i]]; k >= 0; k = m.dof_parentid[k]) {
    before(k);
    const Vec6<T> other = vec6<T>(d.cdof, k);
    w.row(k)[i] += other.dot(by_q);
    w.row(k)[nv + i] += other.dot(by_v);
  }
}

// ---- the adjoint --------------------------------------------------------------------------------
//
// With ẑ_b the motion of body b at velocity ζ, the sums over i in ζ·∂g/∂q_k become sums over the
// bodies that dof k moves,
//
//   ζ·∂g/∂q_k = Σ_b ẑ_b · (I_b Ξ_k + C_b Ψ_k - …) + ẑ · (S_k ×* f)
//
// where the last ẑ is that of what carries the axis. So vectors are summed over subtrees instead of
// matrices, and the cost is linear in the number of dofs. They take the place of `damping`, and the
// motions that of `stiffness`; `force` has the factor of Ξ and of rates.
// What multiplies S_k is collected first, by x · (y × S) = -S · (y ×* x), since it is the same for
// all axes that turn together.
//
// With constraints an integrator's matrix adds y·∂M x at constant x and y. With Θ_k(x) = p × S_k
// for the motion p at velocity x and h(x) the momenta I p, it is Θ_k(x) · h(y) + Θ_k(y) · h(x): all
// else cancels. So four motions (at q̈, ζ, x and y) meet four forces: they are worked on in lanes.
template <class T>
struct Moved {
  Field<T> x, y;
  explicit operator bool() const { return x.data != nullptr; }
};

template <class T>
struct Pulled {
  using Four = Pack<T, 4>;
  // lanes of forces (factor of Θ, f, h(y) and h(x)) and of motions
  static constexpr int push = 0, force = 1, by_y = 2, by_x = 3;
  static constexpr int of_qacc = 0, of_weight = 1, of_x = 2, of_y = 3;
  // the others, as vectors: factor of Ψ, of S, and of Ξ and of rates
  static constexpr int drag = 4, spring = 5;

  static Field<T> of(const Workspace<T>& w, int b) { return w.damping.from(36 * b); }
  static Field<T> motions(const Workspace<T>& w, int b) { return w.stiffness.from(36 * b); }

  static Vec6<Four> load(const Field<T>& from) {
    Vec6<Four> out;
    for (int k = 0; k < 6; ++k) std::memcpy(&out[k].v, from.data + 4 * k, sizeof(out[k].v));
    return out;
  }
  static void store(const Field<T>& to, const Vec6<Four>& x) {
    for (int k = 0; k < 6; ++k) std::memcpy(to.data + 4 * k, &x[k].v, sizeof(x[k].v));
  }
  static Vec6<T> lane(const Vec6<Four>& x, int i) {
    Vec6<T> out;
    for (int k = 0; k < 6; ++k) out[k] = x[k].v[i];
    return out;
  }
  static Four lanes(const T& a, const T& b, const T& c, const T& d) {
    Four out;
    out.v = typename Four::Vector{a, b, c, d};
    return out;
  }
  // the velocities of a dof for the four motions
  static Four rates(const Workspace<T>& w, const Field<T>& qacc, const Moved<T>& moved, int k) {
    return moved ? lanes(qacc[k], w.weight[k], moved.x[k], moved.y[k])
                 : lanes(qacc[k], w.weight[k], T(0), T(0));
  }
  static void carry(Vec6<Four>& motions, const Vec6<T>& axis, const Four& rate) {
    for (int k = 0; k < 6; ++k) motions[k] += Four(axis[k]) * rate;
  }

  // What elements add, of one kind, to the sums of body b.
  static void add(const Workspace<T>& w, int b, int kind, const Vec6<T>& x) {
    const Field<T> sums = of(w, b);
    if (kind >= drag) return corten::store(sums, kind, vec6<T>(sums, kind) + x);
    for (int k = 0; k < 6; ++k) sums[4 * k + kind] += x[k];
  }
};

// C'ẑ, only the part about rotations, as the other vanishes (integrate/bias_slope.hpp)
template <class T>
Vec3<T> pulled_bias(const Inertia<T>& i, const Vec6<T>& v, const Vec6<T>& h, const Vec6<T>& z) {
  const Vec3<T> w = v.template head<3>(), u = v.template tail<3>(), c(i[6], i[7], i[8]);
  const Vec3<T> turn = z.template head<3>(), move = z.template tail<3>();
  const auto tensor = [&](const Vec3<T>& x) {
    return Vec3<T>(i[0] * x[0] + i[3] * x[1] + i[4] * x[2], i[3] * x[0] + i[1] * x[1] + i[5] * x[2],
                   i[4] * x[0] + i[5] * x[1] + i[2] * x[2]);
  };
  Vec3<T> out = cross(w, tensor(turn)) - tensor(cross(w, turn)) - u * c.dot(turn) - c * u.dot(turn);
  out += cross(Vec3<T>(h.template head<3>()), turn) + turn * T(T(2) * c.dot(u));
  return out + T(2) * cross(Vec3<T>(h.template tail<3>()), move);
}

// From the root outwards: accelerations of bodies at qacc, ẑ (motion), the inertial forces and what
// they add to the sums. External forces are still to be added.
template <class M, class D, class T>
void begin_pull(const M& m, const D& d, const Workspace<T>& w, const Field<T>& qacc,
                const Moved<T>& moved) {
  using P = Pulled<T>;
  using Four = typename P::Four;
  Vec6<T> world = Vec6<T>::Zero();
  store(w.push, 0, world), store(w.motion, 0, world), store(w.force, 0, world);
  fill(P::of(w, 0), 36, T(0)), fill(P::motions(w, 0), 24, T(0));
  if (!m.opt.disabled(disable_gravity)) {
    for (int k = 0; k < 3; ++k) world[3 + k] = T(-m.opt.gravity[k]);
  }
  store(w.acceleration, 0, world);
  for (int b = 1; b < m.n.nbody; ++b) {
    const int parent = m.body_parentid[b];
    Vec6<Four> motions = P::load(P::motions(w, parent));
    Vec6<T> drift = vec6<T>(w.acceleration, parent) - vec6<T>(w.push, parent);
    each_group(m, b, [&](int first, int count) {
      for (int k = first; k < first + count; ++k) {
        w.group[k] = first, w.group_end[k] = first + count;
        P::carry(motions, vec6<T>(d.cdof, k), P::rates(w, qacc, moved, k));
        drift += vec6<T>(d.cdof_dot, k) * d.qvel[k];
      }
    });
    const Vec6<T> p = P::lane(motions, P::of_qacc), z = P::lane(motions, P::of_weight);
    P::store(P::motions(w, b), motions);
    store(w.acceleration, b, p + drift), store(w.push, b, p), store(w.motion, b, z);
    const Inertia<T> inertia = vec<T, 10>(d.cinert, b);
    Inertia<Four> wide;
    for (int k = 0; k < 10; ++k) wide[k] = Four(inertia[k]);
    const Vec6<Four> momenta = multiply(wide, motions);
    const Vec6<T> v = vec6<T>(d.cvel, b), h = multiply(inertia, v);
    const Vec6<T> inertial =
        P::lane(momenta, P::of_qacc) + multiply(inertia, drift) + cross_force(v, h);
    const Field<T> sums = P::of(w, b);
    for (int k = 0; k < 6; ++k) {
      const auto& own = momenta[k].v;
      const Four own_forces = P::lanes(T(0), inertial[k], own[P::of_y], own[P::of_x]);
      std::memcpy(sums.data + 4 * k, &own_forces.v, sizeof(own_forces.v));
    }
    store(sums, P::drag, Vec6<T>(pulled_bias(inertia, v, h, z), Vec3<T>::Zero()));
    store(sums, P::spring, Vec6<T>::Zero());
    store(w.force, b, P::lane(momenta, P::of_weight));
  }
}

// out -= ζ·∂g/∂(q, v) for everything that has been added to the sums, and y·∂M x
template <class M, class D, class T>
void end_pull(const M& m, const D& d, const Workspace<T>& w, const Field<T>& qacc,
              const Moved<T>& moved, T* out) {
  using P = Pulled<T>;
  for (int b = m.n.nbody - 1; b > 0; --b) {
    const int parent = m.body_parentid[b];
    if (parent == 0) continue;
    const Field<T> sums = P::of(w, b), above = P::of(w, parent);
    store(w.force, parent, vec6<T>(w.force, parent) + vec6<T>(w.force, b));
    for (int k = 0; k < 36; ++k) above[k] += sums[k];
  }
  for (int b = 1; b < m.n.nbody; ++b) {
    const int parent = m.body_parentid[b], end = m.body_dofadr[b] + m.body_dofnum[b];
    if (m.body_dofnum[b] == 0) continue;
    const Field<T> sums = P::of(w, b);
    const Vec6<typename P::Four> forces = P::load(sums);
    const Vec6<T> momentum = vec6<T>(w.force, b), drag = vec6<T>(sums, P::drag),
                  spring = vec6<T>(sums, P::spring);
    Vec6<typename P::Four> motions = P::load(P::motions(w, parent));
    Vec6<T> v = vec6<T>(d.cvel, parent), a = vec6<T>(w.acceleration, parent);
    each_group(m, b, [&](int first, int count) {
      const Vec6<typename P::Four> crossed = cross_force(motions, forces);
      Vec6<T> by_axis = cross_force(a, momentum) + spring;
      const Vec6<T> by_lag = drag - cross_force(v, momentum);
      for (int k = 0; k < 6; ++k) {
        const auto& x = crossed[k].v;
        by_axis[k] = x[P::push] - (x[P::force] + x[P::by_y] + x[P::by_x]) - by_axis[k];
      }
      const bool carries = first + count < end;
      for (int k = first; k < first + count; ++k) {
        const Vec6<T> axis = vec6<T>(d.cdof, k), lag = vec6<T>(d.cdof_dot, k);
        out[k] -= axis.dot(by_axis) + lag.dot(by_lag);
        if (count == 1) out[w.velocity + k] -= axis.dot(by_lag) + lag.dot(momentum);
        if (count == 1 && !carries) continue;
        v += axis * d.qvel[k];
        a += lag * d.qvel[k] + axis * qacc[k];
        P::carry(motions, axis, P::rates(w, qacc, moved, k));
      }
      if (count == 1) return;  // an axis does not change when it turns about itself
      const Vec6<T> by_rate = drag - cross_force(v, momentum);
      for (int k = first; k < first + count; ++k) {
        out[w.velocity + k] -=
            vec6<T>(d.cdof, k).dot(by_rate) + vec6<T>(d.cdof_dot, k).dot(momentum);
      }
    });
  }
}

// p = J x of each body (push), and Θ of each dof (turned)
template <class M, class D, class T>
void spread_push(const M& m, const D& d, const Workspace<T>& w, const Field<T>& x) {
  store(w.push, 0, Vec6<T>::Zero());
  for (int b = 1; b < m.n.nbody; ++b) {
    Vec6<T> p = vec6<T>(w.push, m.body_parentid[b]);
    each_group(m, b, [&](int first, int count) {
      Vec6<T> own = Vec6<T>::Zero();
      for (int k = first; k < first + count; ++k) {
        const Vec6<T> axis = vec6<T>(d.cdof, k);
        store(w.turned, k, cross_motion(p, axis));
        own += axis * x[k];
      }
      p += own;
    });
    store(w.push, b, p);
  }
}

// Adds ∂(M x)/∂q at constant x to the position columns of `out`. Overwrites push, turned and force.
template <class M, class D, class T>
void inertia_slope(const M& m, const D& d, const Workspace<T>& w, const Field<T>& x,
                   const Field<T>& out) {
  spread_push(m, d, w, x);
  for (int b = 1; b < m.n.nbody; ++b) {
    store(w.force, b, multiply(Inertia<T>(vec<T, 10>(d.cinert, b)), Vec6<T>(vec6<T>(w.push, b))));
  }
  for (int b = m.n.nbody - 1; b > 0; --b) {
    const int parent = m.body_parentid[b];
    if (parent > 0) store(w.force, parent, vec6<T>(w.force, parent) + vec6<T>(w.force, b));
  }
  for (int i = 0; i < w.nv; ++i) {
    const int b = m.dof_bodyid[i];
    const Inertia<T> inertia = vec<T, 10>(d.crb, b);
    const Vec6<T> axis = vec6<T>(d.cdof, i), momentum = multiply(inertia, axis);
    const Vec6<T> by_q =
        multiply(inertia, vec6<T>(w.turned, i)) + cross_force(axis, vec6<T>(w.force, b));
    T* const row = out.data + i * w.width;
    for (int k = w.group[i]; k < w.group_end[i]; ++k) row[k] += momentum.dot(vec6<T>(w.turned, k));
    for (int k = m.dof_parentid[w.group[i]]; k >= 0; k = m.dof_parentid[k]) {
      row[k] += momentum.dot(vec6<T>(w.turned, k));
      out[k * w.width + i] += vec6<T>(d.cdof, k).dot(by_q);
    }
  }
}

// Adds by_q ∂c/∂q and by_v ∂c/∂v to the columns of `out`, for the bias force c without gravity, at
// another velocity than that of the data. Overwrites what spread_motion() and gather() wrote.
template <class M, class D, class T>
void bias_columns(const M& m, const D& d, const Workspace<T>& w, const Field<T>& qvel,
                  const T& by_q, const T& by_v, const Field<T>& out) {
  store(w.motion, 0, Vec6<T>::Zero());
  store(w.acceleration, 0, Vec6<T>::Zero());
  for (int b = 1; b < m.n.nbody; ++b) {
    Vec6<T> v = vec6<T>(w.motion, m.body_parentid[b]),
            a = vec6<T>(w.acceleration, m.body_parentid[b]);
    each_group(m, b, [&](int first, int count) {
      Vec6<T> dv = Vec6<T>::Zero(), da = dv;
      for (int k = first; k < first + count; ++k) {
        const Vec6<T> axis = vec6<T>(d.cdof, k), lag = cross_motion(v, axis);
        store(w.lag, k, lag);
        store(w.fallen, k, cross_motion(a, axis) + cross_motion(v, lag));
        dv += axis * qvel[k];
        da += lag * qvel[k];
      }
      v += dv, a += da;
      for (int k = first; k < first + count; ++k) {
        store(w.rate, k, vec6<T>(w.lag, k) + cross_motion(v, vec6<T>(d.cdof, k)));
      }
    });
    const Inertia<T> inertia = vec<T, 10>(d.cinert, b);
    store(w.motion, b, v);
    store(w.acceleration, b, a);
    store(w.force, b, multiply(inertia, a) + cross_force(v, multiply(inertia, v)));
    corten::detail::bias_feedback(inertia, v).store_to(w.damping, b);
    w.touched[b] = 0;
  }
  gather(m, w);
  for (int i = 0; i < w.nv; ++i) {
    const int b = m.dof_bodyid[i];
    const Inertia<T> inertia = vec<T, 10>(d.crb, b);
    const Feedback<T> damping = Feedback<T>::load(w.damping, b);
    const Vec6<T> axis = vec6<T>(d.cdof, i), momentum = multiply(inertia, axis);
    const Vec6<T> drag = damping.transposed_times(axis);
    const Vec6<T> force = multiply(inertia, vec6<T>(w.fallen, i)) +
                          damping.times(vec6<T>(w.lag, i)) + cross_force(axis, vec6<T>(w.force, b));
    const Vec6<T> push = multiply(inertia, vec6<T>(w.rate, i)) + damping.times(axis);
    T* const row = out.data + i * w.width;
    const auto before = [&](int k) {
      row[k] += by_q * (momentum.dot(vec6<T>(w.fallen, k)) + drag.dot(vec6<T>(w.lag, k)));
      row[w.velocity + k] +=
          by_v * (momentum.dot(vec6<T>(w.rate, k)) + drag.dot(vec6<T>(d.cdof, k)));
    };
    for (int k = w.group[i]; k < w.group_end[i]; ++k) before(k);
    for (int k = m.dof_parentid[w.group[i]]; k >= 0; k = m.dof_parentid[k]) {
      before(k);
      out[k * w.width + i] += by_q * vec6<T>(d.cdof, k).dot(force);
      out[k * w.width + w.velocity + i] += by_v * vec6<T>(d.cdof, k).dot(push);
    }
  }
}

}  // namespace corten::derive::analytic
