// SPDX-License-Identifier: Apache-2.0
//
// A step of N worlds in lockstep. The smooth stages run in packs, one world a lane; collision, constraint
// rows, the solver and sensors that look at contacts run world by world, because worlds touch the ground at
// different times. The integrator runs in packs again.
//
// Whatever is out of the ordinary (a bad state, contacts that do not fit) is not decided here: the lane is
// handed back with its state untouched, and the caller steps that world alone. A lane's numbers do not
// depend on its neighbours.
#pragma once

#include <corten/pipeline/lanes.hpp>
#include <corten/pipeline/step.hpp>

namespace corten {

namespace detail {

// lanes with a number that physics cannot go on with
template <class T, int N>
CORTEN_FN unsigned bad_lanes(Field<Pack<T, N>> x, int count) {
  mask_t<Pack<T, N>> bad = is_bad(Pack<T, N>(0));
  for (int i = 0; i < count; ++i) bad = bad || is_bad(x[i]);
  return lane_bits(bad);
}

// lanes where a pivot of the inertia was too small, and replaced (tree_factor)
template <class T, int N>
CORTEN_FN unsigned singular_lanes(Field<Pack<T, N>> inverse_pivots, int count) {
  const Pack<T, N> most(1 / min_value);
  mask_t<Pack<T, N>> bad = most < most;
  for (int i = 0; i < count; ++i) bad = bad || !(inverse_pivots[i] < most);
  return lane_bits(bad);
}

// lanes where the matrix of an integrator has a negative pivot
template <class T, int N>
CORTEN_FN unsigned indefinite_lanes(Field<Pack<T, N>> inverse_pivots, int count) {
  mask_t<Pack<T, N>> bad = Pack<T, N>(0) < Pack<T, N>(0);
  for (int i = 0; i < count; ++i) bad = bad || inverse_pivots[i] < Pack<T, N>(0);
  return lane_bits(bad);
}

// Contacts and rows of one world at the positions of its lane; false if they do not fit.
template <class M, class T, int N>
CORTEN_FN bool find_constraints(const M& m, const DataRef<Pack<T, N>>& d, int lane,
                                const DataRef<T>& world) {
  // clang-format off
#define X(name, count) take_lane(world.name, d.name, lane, count)
  X(qpos, m.n.nq); X(qvel, m.n.nv); X(subtree_com, 3 * m.n.nbody); X(cdof, 6 * m.n.nv);
  X(ten_length, m.n.ntendon); X(ten_J, m.n.nJten);
  if (m.n.neq > 0) {
    X(xpos, 3 * m.n.nbody); X(xmat, 9 * m.n.nbody); X(xquat, 4 * m.n.nbody); X(site_xpos, 3 * m.n.nsite);
  }
  if (m.opt.enabled(enable_diagexact)) {
    X(qLD, m.n.nM); X(qLDiagInv, m.n.nv);
  }
  if (m.n.ncandidate > 0 || m.n.neq > 0) {
    X(geom_xpos, 3 * m.n.ngeom); X(geom_xmat, 9 * m.n.ngeom);
  }
#undef X
  // clang-format on
  world.status = 0;
  collision(m, world);
  constraint(m, world);
  return !Status{world.status}.overflow();
}

// The pull of the contacts of one world, into its lane.
template <class M, class T, int N>
CORTEN_FN void adhesion_lane(const M& m, const DataRef<Pack<T, N>>& d, int lane,
                             const DataRef<T>& world) {
  adhesion(m, world);
  give_lane(d.qfrc_adhesion, world.qfrc_adhesion, lane, m.n.nv);
  for (int i = 0; i < m.n.nv; ++i) {
    d.qfrc_passive[i].set(lane, d.qfrc_passive[i][lane] + world.qfrc_adhesion[i]);
  }
}

// Moments of actuators that act through contacts, from one world into its lane.
template <class M, class T, int N>
CORTEN_FN void moment_lane(const M& m, const DataRef<Pack<T, N>>& d, int lane,
                             const DataRef<T>& world) {
  for (int a = 0; a < m.n.nactuator; ++a) {
    if (static_cast<TransmissionType>(m.actuator_trntype[a]) != TransmissionType::body) continue;
    const int adr = d.moment_rowadr[m.actuator_outadr[a]];
    clear_adhesion(m, world, adr);
    adhesion_moment(m, world, m.actuator_trnid[2 * a], adr);
    give_lane(d.actuator_moment.from(adr), world.actuator_moment.from(adr), lane, m.n.nv);
  }
}

// Forces of the rows of one world, and the acceleration with them, into its lane.
template <class M, class T, int N>
CORTEN_FN void solve_lane(const M& m, const DataRef<Pack<T, N>>& d, int lane,
                          const DataRef<T>& world) {
  const int nv = m.n.nv;
  if (world.nefc == 0) {
    world.solver_niter = 0;
    return;
  }
  // clang-format off
#define X(name, count) take_lane(world.name, d.name, lane, count)
  X(M, m.n.nM); X(qLD, m.n.nM); X(qLDiagInv, nv); X(qfrc_smooth, nv); X(qacc_smooth, nv);
  if (world.ne > 0) {
    X(cvel, 6 * m.n.nbody); X(cdof_dot, 6 * nv);
  }
#undef X
  // clang-format on
  reference(m, world);
  solve(m, world);
  give_lane(d.qacc, world.qacc, lane, nv);
  give_lane(d.qfrc_constraint, world.qfrc_constraint, lane, nv);
}

// readings: in the block where they can be, in the worlds where they look at contacts
template <class M, class T, int N>
CORTEN_FN void lane_sensors(const M& m, const DataRef<Pack<T, N>>& d,
                            const LaneWorlds<T, N>& worlds, unsigned active) {
  if (m.n.nsensor == 0 || m.opt.disabled(disable_sensor)) return;
  sensor_position(m, d);
  sensor_velocity(m, d);
  const bool alone = reads_worlds(m);
  each_lane(active, [&](int lane) {
    take_lane(worlds[lane].sensordata, d.sensordata, lane, m.n.nsensordata);
    if (!alone) return;
    publish_lane(d, lane, worlds[lane]);
    sensors_by_world(m, worlds[lane]);
  });
}

}  // namespace detail

// From states and inputs of the lanes to accelerations. Returns the lanes that got there: those of `active`
// whose contacts and rows fit.
template <class M, class T, int N>
CORTEN_ENTRY unsigned lane_forward(const M& m, const DataRef<Pack<T, N>>& d,
                                   const LaneWorlds<T, N>& worlds, unsigned active,
                                   bool with_sensors = true) {
  using S = Pack<T, N>;
  d.status = 0;
  d.energy[0] = d.energy[1] = S(0);

  kinematics(m, d);
  com(m, d);
  tendon(m, d);
  inertia(m, d);
  factor(m, d);
  transmission(m, d);
  each_lane(active, [&](int lane) {
    if (!detail::find_constraints(m, d, lane, worlds[lane])) active &= ~(1u << lane);
    detail::moment_lane(m, d, lane, worlds[lane]);
  });

  velocity(m, d);
  passive(m, d);
  const bool forces = !m.opt.disabled(disable_spring) || !m.opt.disabled(disable_damper);
  if (m.n.nadhesion > 0 && forces) {
    each_lane(active, [&](int lane) { detail::adhesion_lane(m, d, lane, worlds[lane]); });
  }
  bias(m, d);
  actuation(m, d);
  acceleration(m, d);

  if (Status{d.status}.has(bad_inertia)) active &= ~detail::singular_lanes(d.qLDiagInv, m.n.nv);
  copy(d.qacc, d.qacc_smooth, m.n.nv);
  fill(d.qfrc_constraint, m.n.nv, S(0));
  each_lane(active, [&](int lane) { detail::solve_lane(m, d, lane, worlds[lane]); });

  if (m.opt.enabled(enable_energy)) {
    potential_energy(m, d);
    kinetic_energy(m, d);
  }
  camera(m, d);
  if (!with_sensors) return active;
  detail::lane_sensors(m, d, worlds, active);
  return active;
}

// One timestep of the lanes in `active`, from the state and inputs in the block (load_lane). Returns the
// lanes that were advanced, in the block and, their state, in the worlds, with the status of each in its
// world. The others have their state of before in the world, and nothing of use in the block.
template <class M, class T, int N>
CORTEN_ENTRY unsigned lane_step(const M& m, const DataRef<Pack<T, N>>& d,
                                const LaneWorlds<T, N>& worlds, unsigned active) {
  const int nq = m.n.nq, nv = m.n.nv;
  if (!has_scratch(m, d)) return 0;
  if (detail::remembers_readings(m)) return 0;  // each world has its own times
  active &= ~(detail::bad_lanes(d.qpos, nq) | detail::bad_lanes(d.qvel, nv) |
              detail::bad_lanes(d.ctrl, m.n.nu));
  int bits[static_cast<std::size_t>(N)] = {};
  const auto note = [&] {
    each_lane(active, [&](int lane) { bits[lane] |= worlds[lane].status; });
  };

  active = lane_forward(m, d, worlds, active);
  active &= ~detail::bad_lanes(d.qacc, nv);
  note();
  if (active == 0) return 0;

  if (is_rk4(m)) {
    const unsigned started = active;
    rk4(m, d, [&](const auto& model, const auto& block) {
      active = lane_forward(model, block, worlds, active, false);
      note();
      return true;
    });
    // trial states were in the worlds too
    each_lane(started & ~active, [&](int lane) {
      take_lane(worlds[lane].qpos, d.rk_state, lane, nq);
      take_lane(worlds[lane].qvel, d.rk_state.from(nq), lane, nv);
    });
  } else {
    d.status = 0;
    active &= lane_bits(integrate(m, d));
    if (Status{d.status}.has(indefinite_step)) {
      each_lane(detail::indefinite_lanes(d.work_nv.from(nv), nv),
                [&](int lane) { bits[lane] |= indefinite_step; });
    }
  }

  each_lane(active, [&](int lane) {
    store_state(d, lane, worlds[lane]);
    worlds[lane].status = bits[lane];
    count_warnings(worlds[lane], bits[lane]);
  });
  return active;
}

}  // namespace corten
