// SPDX-License-Identifier: Apache-2.0
//
// C and D: derivatives of sensor readings, once those of the acceleration are known.
//
// A sensor of frames reads pose, velocity and acceleration of one or two bodies. It is evaluated as
// ever, by dual numbers over the six motions of one body at a time, then over its velocities, then
// over its accelerations; the chain rule of tree_slope.hpp leads from there to the dofs. Sensors of
// joints, tendons and actuators read numbers whose derivatives are known. Momenta of subtrees have
// closed forms. All others (forces of constraints, rays, distances, energies, the user's own) are
// not covered, and the whole step is then differentiated by dual numbers.
#pragma once

#include <corten/derive/analytic/actuator_slope.hpp>
#include <corten/derive/analytic/element_slope.hpp>
#include <corten/derive/matrices.hpp>
#include <corten/sensor/sensing.hpp>
#include <corten/tendon/path.hpp>

namespace corten::derive::analytic {

enum class SensorWay { none, frames, joint, tendon, actuator, subtree, constant };

inline SensorWay sensor_way(SensorType type) {
  switch (type) {
    case SensorType::accelerometer:
    case SensorType::velocimeter:
    case SensorType::gyro:
    case SensorType::magnetometer:
    case SensorType::camprojection:
    case SensorType::framepos:
    case SensorType::framequat:
    case SensorType::framexaxis:
    case SensorType::frameyaxis:
    case SensorType::framezaxis:
    case SensorType::framelinvel:
    case SensorType::frameangvel:
    case SensorType::framelinacc:
    case SensorType::frameangacc: return SensorWay::frames;
    case SensorType::jointpos:
    case SensorType::jointvel:
    case SensorType::ballquat:
    case SensorType::ballangvel: return SensorWay::joint;
    case SensorType::tendonpos:
    case SensorType::tendonvel: return SensorWay::tendon;
    case SensorType::actuatorpos:
    case SensorType::actuatorvel:
    case SensorType::actuatorfrc: return SensorWay::actuator;
    case SensorType::subtreecom:
    case SensorType::subtreelinvel:
    case SensorType::subtreeangmom: return SensorWay::subtree;
    case SensorType::insidesite:
    case SensorType::clock: return SensorWay::constant;
    default: return SensorWay::none;
  }
}

// the body of an object of a sensor, or -1 if there is none or its frame does not move with a body
template <class M>
int sensed_body(const M& m, int type, int id) {
  if (id < 0) return -1;
  switch (static_cast<ObjectType>(type)) {
    case ObjectType::body:
    case ObjectType::xbody: return id;
    case ObjectType::site: return m.site_bodyid[id];
    case ObjectType::geom: return m.geom_bodyid[id];
    case ObjectType::camera: return m.cam_bodyid[id];
    default: return -1;
  }
}

template <class M>
bool tracks(const M& m, int type, int id) {
  return id >= 0 && static_cast<ObjectType>(type) == ObjectType::camera &&
         m.cam_mode[id] != static_cast<int>(TrackMode::fixed);
}

// Are the readings of all sensors covered?
template <class M>
bool covers_sensors(const M& m) {
  if (m.opt.disabled(disable_sensor)) return m.n.nsensor == 0;
  for (int i = 0; i < m.n.nsensor; ++i) {
    const SensorWay way = sensor_way(static_cast<SensorType>(m.sensor_type[i]));
    if (way == SensorWay::none) return false;
    if (way == SensorWay::actuator && m.opt.disabled(disable_actuation)) return false;
    if (way == SensorWay::subtree && m.sensor_objid[i] == 0) return false;  // of many trees
    if (way == SensorWay::frames && (tracks(m, m.sensor_objtype[i], m.sensor_objid[i]) ||
                                     tracks(m, m.sensor_reftype[i], m.sensor_refid[i]))) {
      return false;
    }
  }
  return true;
}

// Collects the derivative of one reading by all inputs, and by the accelerations of the dofs.
template <class M, class D, class E, class T>
class Reading {
  using S = typename E::Scalar;
  static constexpr int most = 8;  // numbers that a covered sensor reads

 public:
  Reading(const M& model, const D& data, const E& duals, const Workspace<T>& work,
          Transition<T>& to)
      : m(model), d(data), dual(duals), w(work), out(to) {}

  void add(int i) {
    const int dim = m.sensor_dim[i], adr = m.sensor_adr[i];
    for (int k = 0; k < dim; ++k) {
      out.C.row(adr + k).setZero();
      out.D.row(adr + k).setZero();
    }
    if (!corten::detail::looks_now(m, d, i)) return;
    const auto type = static_cast<SensorType>(m.sensor_type[i]);
    switch (sensor_way(type)) {
      case SensorWay::frames: return frames(i);
      case SensorWay::joint: return joint(i);
      case SensorWay::tendon: return tendon(i);
      case SensorWay::actuator: return actuator(i);
      case SensorWay::subtree: return subtree(i);
      default: return;
    }
  }

 private:
  enum class By { pose, velocity, acceleration };

  // is the reading not clamped, so that it notices changes?
  bool inside(int i, int k) const {
    const auto data = static_cast<SensorData>(m.sensor_datatype[i]);
    const T cutoff = T(m.sensor_cutoff[i]), x = reading[k];
    if (!(cutoff > T(0))) return true;
    if (data == SensorData::positive) return x < cutoff;
    return data != SensorData::real || (x < cutoff && x > -cutoff);
  }

  void evaluate(int i, const Field<S>& to) const {
    using corten::detail::Readers;
    switch (static_cast<Stage>(m.sensor_needstage[i])) {
      case Stage::position:
        return corten::detail::evaluate_sensor<Stage::position, Readers::all>(m, dual, i, to);
      case Stage::velocity:
        return corten::detail::evaluate_sensor<Stage::velocity, Readers::all>(m, dual, i, to);
      default:
        return corten::detail::evaluate_sensor<Stage::acceleration, Readers::all>(m, dual, i, to);
    }
  }

  void place(int type, int id, bool moves) const {
    const int b = sensed_body(m, type, id);
    if (b < 0) return;
    const Vec3<T> com = vec3<T>(d.subtree_com, m.body_rootid[b]);
    switch (static_cast<ObjectType>(type)) {
      case ObjectType::site:
        return place_frame(d.site_xpos, d.site_xmat, dual.site_xpos, dual.site_xmat, id, com,
                           moves);
      case ObjectType::geom:
        return place_frame(d.geom_xpos, d.geom_xmat, dual.geom_xpos, dual.geom_xmat, id, com,
                           moves);
      case ObjectType::camera:
        return place_frame(d.cam_xpos, d.cam_xmat, dual.cam_xpos, dual.cam_xmat, id, com, moves);
      case ObjectType::body:
        return place_frame(d.xipos, d.ximat, dual.xipos, dual.ximat, id, com, moves);
      default: return;
    }
  }

  // Puts object and reference where they are; tangents are along what body o does, seen by `by`.
  void place_both(int i, int o, By by) const {
    for (int s = 0; s < 2; ++s) {
      const int type = s == 0 ? m.sensor_objtype[i] : m.sensor_reftype[i];
      const int id = s == 0 ? m.sensor_objid[i] : m.sensor_refid[i];
      const int b = sensed_body(m, type, id);
      if (b < 0) continue;
      const bool moves = b == o && by == By::pose;
      place_body(m, d, dual, b, moves);
      place(type, id, moves);
      for (int k = 0; k < 6; ++k) {
        dual.cacc[6 * b + k] = S(w.acceleration[6 * b + k]);
        if (b != o) continue;
        if (by == By::velocity) tangent(dual.cvel[6 * b + k], k) = T(1);
        if (by == By::acceleration) tangent(dual.cacc[6 * b + k], k) = T(1);
      }
    }
  }

  void frames(int i) {
    const int first = sensed_body(m, m.sensor_objtype[i], m.sensor_objid[i]);
    const int second = sensed_body(m, m.sensor_reftype[i], m.sensor_refid[i]);
    const int dim = m.sensor_dim[i];
    const auto stage = static_cast<Stage>(m.sensor_needstage[i]);
    T own[most][6] = {}, by_v[most][6] = {}, by_a[most][6] = {};
    S y[most];
    const auto differentiate = [&](int o, By by, T(*to)[6]) {
      place_both(i, o, by);
      evaluate(i, Field<S>{y});
      for (int k = 0; k < dim; ++k) {
        for (int n = 0; n < 6; ++n) to[k][n] = tangent(y[k], n);
      }
    };
    for (int s = 0; s < 2; ++s) {
      const int o = s == 0 ? first : second;
      if (o < 0 || (s == 1 && o == first) || m.body_weldid[o] == 0) continue;
      differentiate(o, By::pose, own);
      if (stage != Stage::position) differentiate(o, By::velocity, by_v);
      if (stage == Stage::acceleration) differentiate(o, By::acceleration, by_a);
      for (int k = 0; k < dim; ++k) {
        chain(m.sensor_adr[i] + k, o, load(own[k]), load(by_v[k]), load(by_a[k]));
      }
    }
  }

  static Vec6<T> load(const T* x) {
    Vec6<T> out;
    for (int k = 0; k < 6; ++k) out[k] = x[k];
    return out;
  }

  // Adds a reading that changes by p, v and a with pose, velocity and acceleration of body o.
  void chain(int row, int o, const Vec6<T>& p, const Vec6<T>& v, const Vec6<T>& a) {
    const Vec6<T> speed = vec6<T>(d.cvel, o), fall = vec6<T>(w.acceleration, o);
    each_chain_dof(m, o, [&](int k) {
      const Vec6<T> axis = vec6<T>(d.cdof, k), lag = vec6<T>(d.cdof_dot, k);
      const Vec6<T> turned = cross_motion(speed, axis);
      const Vec6<T> by_q =
          vec6<T>(w.fallen, k) - cross_motion(speed, lag) - cross_motion(fall, axis);
      out.C(row, k) += p.dot(axis) + v.dot(lag - turned) + a.dot(by_q);
      out.C(row, w.velocity + k) += v.dot(axis) + a.dot(vec6<T>(w.rate, k) - turned);
      accelerate(row, k, a.dot(axis));
    });
  }

  // adds a reading that changes by `by` with the acceleration of dof k
  void accelerate(int row, int k, const T& by) {
    if (by == T(0)) return;
    const T* const da = w.row(k);
    for (int c = 0; c < out.nx; ++c) out.C(row, c) += by * da[c];
    for (int c = 0; c < out.nu; ++c) out.D(row, c) += by * da[out.nx + c];
  }

  // readings of a joint, by duals over its motion and its velocity
  void joint(int i) {
    const int j = m.sensor_objid[i], v = m.jnt_dofadr[j], dim = m.sensor_dim[i];
    M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) {
      const bool velocity = static_cast<Stage>(m.sensor_needstage[i]) == Stage::velocity;
      S y[most];
      seed_joint(kind, m, d, dual, j);
      for (int k = 0; k < kind.nv; ++k) {
        dual.qvel[v + k] = S(d.qvel[v + k]);
        if (velocity) tangent(dual.qvel[v + k], k) = T(1);
      }
      evaluate(i, Field<S>{y});
      for (int r = 0; r < dim; ++r) {
        for (int k = 0; k < kind.nv; ++k) {
          out.C(m.sensor_adr[i] + r, (velocity ? w.velocity : 0) + v + k) += tangent(y[r], k);
        }
      }
    });
  }

  // lengths and velocities of tendons
  void tendon(int i) {
    const int t = m.sensor_objid[i];
    const bool velocity = static_cast<Stage>(m.sensor_needstage[i]) == Stage::velocity;
    reading[0] = velocity ? T(d.ten_velocity[t]) : T(d.ten_length[t]);
    if (!inside(i, 0)) return;
    for (int k = m.ten_J_rowadr[t]; k < m.ten_J_rowadr[t] + m.ten_J_rownnz[t]; ++k) {
      out.C(m.sensor_adr[i], (velocity ? w.velocity : 0) + m.ten_J_colind[k]) += T(d.ten_J[k]);
    }
    if (!velocity) return;
    w.bends.tendon(t).each(
        d.qvel, [&](int k, const T&, const T& rate) { out.C(m.sensor_adr[i], k) += rate; });
  }

  void actuator(int i) {
    const int a = m.sensor_objid[i], o = m.actuator_outadr[a];
    const auto type = static_cast<SensorType>(m.sensor_type[i]);
    T local[static_cast<std::size_t>(tangent_count<S>)] = {};
    if (type == SensorType::actuatorpos) local[0] = T(1), reading[0] = d.actuator_length[o];
    if (type == SensorType::actuatorvel) local[1] = T(1), reading[0] = d.actuator_velocity[o];
    if (type == SensorType::actuatorfrc) {
      if (m.opt.disabled(disable_actuation) || actuator_disabled(m, a)) return;
      reading[0] = d.actuator_force[o];
      for (int k = 0; k < tangent_count<S>; ++k) local[k] = tangent(dual.actuator_force[o], k);
    }
    if (!inside(i, 0)) return;
    for (int k = 0; k < w.columns; ++k) w.reading[k] = T(0);
    chain_inputs(m, d, dual, w, a, local, T(1), w.reading.data);
    for (int c = 0; c < out.nx; ++c) out.C(m.sensor_adr[i], c) += w.reading[c];
    for (int c = 0; c < out.nu; ++c) out.D(m.sensor_adr[i], c) += w.reading[out.nx + c];
  }

  // Centre of mass, its velocity, and the angular momentum about it, of the bodies below b. With h
  // the momentum about the fixed point, its derivative by q_k is S_k ×* h + I Ψ_k, and that by v_k
  // is I S_k, over the bodies that are both below b and moved by k.
  void subtree(int i) {
    const int b = m.sensor_objid[i], adr = m.sensor_adr[i];
    const auto type = static_cast<SensorType>(m.sensor_type[i]);
    const T mass = T(m.body_subtreemass[b]);
    const Vec3<T> centre = vec3<T>(d.subtree_com, b),
                  arm = centre - vec3<T>(d.subtree_com, m.body_rootid[b]);
    if (mass < T(min_value)) return;
    const Vec6<T> total = vec6<T>(w.motion, b);
    read_subtree(type, total, arm, centre, mass);
    const auto write = [&](int column, const Vec3<T>& x) {
      for (int r = 0; r < 3; ++r) {
        if (inside(i, r)) out.C(adr + r, column) += x[r];
      }
    };
    // k moves the bodies below `top`, of which there are `inertia` and `h`
    const auto add = [&](int k, const Inertia<T>& inertia, const Vec6<T>& h) {
      const Vec6<T> axis = vec6<T>(d.cdof, k), moved = multiply(inertia, axis);
      const Vec3<T> shift = moved.template tail<3>() / mass;
      if (type == SensorType::subtreecom) return write(k, shift);
      const Vec6<T> dh = cross_force(axis, h) + multiply(inertia, vec6<T>(d.cdof_dot, k));
      write(k, derived(type, dh, total, arm, shift, mass));
      write(w.velocity + k, derived(type, moved, total, arm, Vec3<T>(Vec3<T>::Zero()), mass));
    };
    const Inertia<T> whole = vec<T, 10>(d.crb, b);
    each_chain_dof(m, b, [&](int k) { add(k, whole, total); });
    for (int c = b + 1; c < m.n.nbody && m.body_parentid[c] >= b; ++c) {
      const Vec6<T> h = vec6<T>(w.motion, c);
      const Inertia<T> part = vec<T, 10>(d.crb, c);
      for (int k = m.body_dofadr[c]; k < m.body_dofadr[c] + m.body_dofnum[c]; ++k) add(k, part, h);
    }
  }

  // the change of velocity or angular momentum with that of h, when the centre moves by `shift`
  static Vec3<T> derived(SensorType type, const Vec6<T>& dh, const Vec6<T>& h, const Vec3<T>& arm,
                         const Vec3<T>& shift, const T& mass) {
    const Vec3<T> push = dh.template tail<3>();
    if (type == SensorType::subtreelinvel) return push / mass;
    return dh.template head<3>() - cross(arm, push) - cross(shift, Vec3<T>(h.template tail<3>()));
  }
  void read_subtree(SensorType type, const Vec6<T>& h, const Vec3<T>& arm, const Vec3<T>& centre,
                    const T& mass) {
    const Vec3<T> x = type == SensorType::subtreecom
                          ? centre
                          : derived(type, h, h, arm, Vec3<T>(Vec3<T>::Zero()), mass);
    for (int k = 0; k < 3; ++k) reading[k] = x[k];
  }

  const M& m;
  const D& d;
  const E& dual;
  const Workspace<T>& w;
  Transition<T>& out;
  T reading[most] = {};
};

// momenta of subtrees, in `motion`
template <class M, class D, class T>
void gather_momenta(const M& m, const D& d, const Workspace<T>& w) {
  for (int b = 1; b < m.n.nbody; ++b) {
    store(w.motion, b, multiply(Inertia<T>(vec<T, 10>(d.cinert, b)), vec6<T>(d.cvel, b)));
  }
  for (int b = m.n.nbody - 1; b > 0; --b) {
    const int parent = m.body_parentid[b];
    if (parent > 0) store(w.motion, parent, vec6<T>(w.motion, parent) + vec6<T>(w.motion, b));
  }
}

// C and D, from `slope` = da/dθ at the state of d
template <class M, class D, class E, class T>
void sensor_slopes(const M& m, const D& d, const E& dual, const Workspace<T>& w,
                   Transition<T>& out) {
  bool momenta = false, forces = false;
  for (int i = 0; i < m.n.nsensor; ++i) {
    const auto type = static_cast<SensorType>(m.sensor_type[i]);
    momenta = momenta || sensor_way(type) == SensorWay::subtree;
    forces = forces || type == SensorType::actuatorfrc;
  }
  if (momenta) gather_momenta(m, d, w);
  if (forces && !m.opt.disabled(disable_actuation)) drive_duals(m, d, dual);
  Reading<M, D, E, T> reading(m, d, dual, w, out);
  for (int i = 0; i < m.n.nsensor; ++i) reading.add(i);
}

}  // namespace corten::derive::analytic
