// SPDX-License-Identifier: Apache-2.0
//
// C and D: derivatives of sensor readings, once those of the acceleration are known.
//
// A sensor of frames reads pose, velocity and acceleration of one or two bodies. It is evaluated as
// ever, by dual numbers over the six motions of one body at a time, then over its velocities, then
// over its accelerations; the chain rule of tree_slope.hpp leads from there to the dofs. Sensors of
// joints, tendons, limits and actuators read numbers whose derivatives are known. Momenta of
// subtrees have closed forms, and forces of contacts follow from what wrench_slope.hpp says. All
// others (rays, distances, energies, the user's own) are not covered, and the whole step is then
// differentiated by dual numbers.
#pragma once

#include <corten/derive/analytic/row_slope.hpp>
#include <corten/derive/analytic/sensor_coverage.hpp>
#include <corten/derive/analytic/wrench_slope.hpp>
#include <corten/derive/matrices.hpp>
#include <corten/sensor/sensing.hpp>
#include <corten/tendon/path.hpp>

namespace corten::derive::analytic {

// Collects the derivative of one reading by all inputs, and by the accelerations of the dofs.
// `hits` is scratch for contacts.
template <class M, class D, class E, class T>
class Reading {
  using S = typename E::Scalar;
  static constexpr int most = 8;  // numbers that a covered sensor reads

 public:
  Reading(const M& model, const D& data, const E& duals, const Workspace<T>& work, Hit<S>* scratch,
          Transition<T>& to)
      : m(model), d(data), dual(duals), w(work), hits(scratch), out(to) {}

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
      case SensorWay::effort: return effort(i);
      case SensorWay::limit: return limit(i);
      case SensorWay::touch: return touch(i);
      case SensorWay::wrench: return wrench(i);
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
    const Bend<T> bend = w.bends.tendon(t);
    if (!velocity) {
      return each_stretch(m, d, t, bend,
                          [&](int k, const T& x) { out.C(m.sensor_adr[i], k) += x; });
    }
    for (int k = m.ten_J_rowadr[t]; k < m.ten_J_rowadr[t] + m.ten_J_rownnz[t]; ++k) {
      out.C(m.sensor_adr[i], w.velocity + m.ten_J_colind[k]) += T(d.ten_J[k]);
    }
    bend.each(d.qvel, [&](int k, const T&, const T& rate) { out.C(m.sensor_adr[i], k) += rate; });
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
    fill(w.reading, w.columns, T(0));
    chain_inputs(m, d, dual, w, a, local, T(1), w.reading.data);
    write_inputs(i);
  }
  void write_inputs(int i) {
    for (int c = 0; c < out.nx; ++c) out.C(m.sensor_adr[i], c) += w.reading[c];
    for (int c = 0; c < out.nu; ++c) out.D(m.sensor_adr[i], c) += w.reading[out.nx + c];
  }

  // the force of all actuators along a joint or a tendon
  void effort(int i) {
    const bool along_joint =
        static_cast<SensorType>(m.sensor_type[i]) == SensorType::jointactuatorfrc;
    const int id = m.sensor_objid[i], dof = along_joint ? int(m.jnt_dofadr[id]) : -1;
    reading[0] = T(0);
    fill(w.reading, w.columns, T(0));
    for (int a = 0; a < m.n.nactuator; ++a) {
      if (actuator_disabled(m, a)) continue;
      const int o = m.actuator_outadr[a], row = d.moment_rowadr[o];
      T local[static_cast<std::size_t>(tangent_count<S>)] = {}, along = T(0);
      for (int k = 0; k < tangent_count<S>; ++k) local[k] = tangent(dual.actuator_force[o], k);
      if (along_joint) {
        for (int k = row; k < row + d.moment_rownnz[o]; ++k) {
          if (d.moment_colind[k] == dof) along += d.actuator_moment[k];
        }
        add_moment_change(a, dof, T(d.actuator_force[o]));
      } else if (acts_on_tendon(m, a) && m.actuator_trnid[2 * a] == id) {
        along = T(1);
      }
      reading[0] += along * d.actuator_force[o];
      if (along != T(0)) chain_inputs(m, d, dual, w, a, local, along, w.reading.data);
    }
    if ((!along_joint || notices(m, d, dof)) && inside(i, 0)) write_inputs(i);
  }

  // force times the change of the moment arm of actuator a about a dof
  void add_moment_change(int a, int dof, const T& force) {
    if (!acts_on_site(m, a)) {
      return w.bends.actuator(m, a).each_entry([&](int i, int k, const T& entry) {
        if (i == dof) w.reading[k] += force * entry;
      });
    }
    // arm and axis move together with the dofs before this one
    const Vec6<T> pull = site_wrench<T>(m, d, a), axis = vec6<T>(d.cdof, dof);
    bool moves = false;
    const int body = m.site_bodyid[m.actuator_trnid[2 * a]];
    each_chain_dof(m, body, [&](int k) { moves = moves || k == dof; });
    for (int k = last_dof(m, body); moves && k != dof; k = m.dof_parentid[k]) {
      w.reading[k] += force * axis.dot(cross_force(Vec6<T>(vec6<T>(d.cdof, k)), pull));
    }
  }

  // distance, velocity and force of a limit
  void limit(int i) {
    const bool of_tendon = m.sensor_objtype[i] == static_cast<int>(ObjectType::tendon);
    const auto kind = of_tendon ? ConstraintType::limit_tendon : ConstraintType::limit_joint;
    const int r = corten::detail::limit_row(d, kind, m.sensor_objid[i]), row = m.sensor_adr[i];
    if (r < 0) return;
    RowSlope<T> s{T(1), T(0)};
    T stiff = T(0), by_rate = T(0);  // by the acceleration and by the velocity along the row
    const auto stage = static_cast<Stage>(m.sensor_needstage[i]);
    reading[0] = d.efc_pos[r] - d.efc_margin[r];
    if (stage == Stage::velocity) {
      s = {T(0), T(1)}, by_rate = T(1), reading[0] = d.efc_vel[r];
    } else if (stage == Stage::acceleration) {
      s = row_slope(d, r), by_rate = s.by_velocity, reading[0] = d.efc_force[r];
      if (static_cast<ConstraintState>(d.efc_state[r]) == ConstraintState::quadratic) {
        stiff = d.efc_D[r];
      }
    }
    if (!inside(i, 0)) return;
    each_entry(jacobian_rows(d), r, [&](int k, const T& x) {
      if (!of_tendon) out.C(row, k) += s.by_distance * x;
      out.C(row, w.velocity + k) += s.by_velocity * x;
      accelerate(row, k, T(-stiff * x));
    });
    if (!of_tendon) return;
    const int t = m.sensor_objid[i];
    const T side = limit_side(m, d, t, r);
    const Bend<T> bend = w.bends.tendon(t);
    each_stretch(m, d, t, bend,
                 [&](int k, const T& x) { out.C(row, k) += side * s.by_distance * x; });
    bend.each(d.qvel,
              [&](int k, const T&, const T& rate) { out.C(row, k) += side * by_rate * rate; });
    bend.each(d.qacc,
              [&](int k, const T&, const T& rate) { out.C(row, k) -= side * stiff * rate; });
  }

  // where a row of slopes in joint space is collected: `rest` holds that by accelerations
  NumberSlope<T> collect() {
    fill(w.reading, w.columns, T(0));
    fill(w.rest, w.nv, T(0));
    return {w.reading.data, w.reading.data + w.velocity, w.rest.data};
  }
  void write_collected(int row) {
    for (int c = 0; c < w.activation; ++c) out.C(row, c) += w.reading[c];
    for (int k = 0; k < w.nv; ++k) accelerate(row, k, w.rest[k]);
  }

  // calls f(contact, side, force, motion, hit) as each_contact_tangent() does
  template <class F>
  void contacts(F&& f) {
    const auto p = make_problem(m, d);
    each_contact_tangent(m, d, dual, hits, false, [&](int c, int o, const Hit<S>& hit) {
      f(c, o, contact_force_slope(d, p, c), ContactMotion<T>::of(m, d, w, c), hit);
    });
  }

  void touch(int i) {
    const int site = m.sensor_objid[i];
    reading[0] = T(0);
    for (int c = 0; c < d.ncon; ++c) {
      if (Touch::counts(m, d, site, c)) reading[0] += contact_force(d, c)[0];
    }
    if (!inside(i, 0)) return;
    const NumberSlope<T> to = collect();
    contacts([&](int c, int o, const auto& force, const auto& at, const auto& hit) {
      if (Touch::counts(m, d, site, c)) add_normal_slope(m, d, w, o, force, at, hit, to);
    });
    write_collected(m.sensor_adr[i]);
  }

  // a force or torque between a body and its parent, one component at a time
  void wrench(int i) {
    const int site = m.sensor_objid[i], b = m.site_bodyid[site];
    const Mat3<T> frame = mat3<T>(d.site_xmat, site);
    const Vec3<T> arm = vec3<T>(d.site_xpos, site) - vec3<T>(d.subtree_com, m.body_rootid[b]);
    for (int k = 0; k < 3; ++k) {
      const Vec3<T> along = frame.col(k);
      const bool force = static_cast<SensorType>(m.sensor_type[i]) == SensorType::force;
      const Vec6<T> axis =
          force ? Vec6<T>(Vec3<T>::Zero(), along) : Vec6<T>(along, cross(arm, along));
      AxisForce<M, D, T> sum(m, d, w, b, axis, collect());
      sum.add_inertia();
      sum.add_applied();
      contacts([&](int, int o, const auto& pushed, const auto& at, const auto& hit) {
        sum.add_contact(o, pushed, at, hit);
      });
      reading[k] = sum.value;
      if (inside(i, k)) write_collected(m.sensor_adr[i] + k);
    }
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
  Hit<S>* hits;
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

// C and D, from `slope` = da/dθ at the state of d. Overwrites the sums over subtrees.
template <class M, class D, class E, class T>
void sensor_slopes(const M& m, const D& d, const E& dual, const Workspace<T>& w,
                   Hit<typename E::Scalar>* hits, Transition<T>& out) {
  bool momenta = false, forces = false, wrenches = false;
  for (int i = 0; i < m.n.nsensor; ++i) {
    const auto type = static_cast<SensorType>(m.sensor_type[i]);
    const SensorWay way = sensor_way(type);
    momenta = momenta || way == SensorWay::subtree;
    forces = forces || type == SensorType::actuatorfrc || way == SensorWay::effort;
    wrenches = wrenches || way == SensorWay::wrench;
  }
  if (momenta) gather_momenta(m, d, w);
  if (forces && !m.opt.disabled(disable_actuation)) drive_duals(m, d, dual);
  if (wrenches) {
    inertial_forces(m, d, w);
    gather(m, w);
  }
  Reading<M, D, E, T> reading(m, d, dual, w, hits, out);
  for (int i = 0; i < m.n.nsensor; ++i) reading.add(i);
}

}  // namespace corten::derive::analytic
