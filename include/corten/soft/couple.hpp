// SPDX-License-Identifier: Apache-2.0
//
// Moves the soft bodies through a step, and lets rigid bodies feel it.
//
// soft_dynamics is a stage after the solver of the rigid constraints. It takes the motion that the
// solver has found for the rigid bodies, runs the soft bodies through the step against them, and
// sums up the impulses that they exchange. These act on the rigid bodies as a constant force over
// the step: the rigid constraints are solved again with it, so a table bears the weight of its
// cloth. The force is then part of qfrc_constraint, and qfrc_soft holds it by itself. All of this
// happens in scratch memory, so forward() changes no state; soft_advance() adopts the new state
// once the rigid bodies have taken their step.
//
// With `repeat` > 1 contacts are found again at the new positions, and the step is taken again
// against the improved motion of the rigid bodies.
#pragma once

#include <corten/core/plain.hpp>
#include <corten/soft/contact.hpp>
#include <corten/soft/detect.hpp>
#include <corten/soft/xpbd.hpp>
#include <corten/solver/solve.hpp>
#include <corten/solver/wake.hpp>
#include <corten/tree/awake.hpp>

namespace corten {

// a soft body sleeps after this many steps at rest
inline constexpr int soft_steps_to_sleep = 10;

namespace detail {

// f(body) for each rigid body that some soft body touches and that can move
template <class M, class D, class F>
CORTEN_FN void each_touched(const M& m, const D& d, F&& f) {
  for (int b = 1; b < m.n.nbody; ++b) {
    if (d.soft_near[m.n.ngeom + b] != 0) f(b, SoftRigid<M, D>(m, d, b));
  }
}

// Lists the rigid bodies that one soft body touches, behind the marks of those that any does, and
// returns their number. So a substep costs what the soft body touches, whatever else there is.
template <class M, class D>
CORTEN_FN int list_touched(const M& m, const D& d, int soft) {
  const auto mark = d.soft_near.from(m.n.ngeom), list = mark.from(m.n.nbody);
  const int first = d.soft_scon[2 * soft], end = first + d.soft_scon[2 * soft + 1];
  int count = 0;
  for (int c = first; c < end; ++c) {
    const int body = SoftRigid<M, D>::body_of(m, d.scon_geom[c]);
    if (body < 0 || mark[body] == soft + 2) continue;
    mark[body] = soft + 2;
    list[count++] = body;
  }
  return count;
}

// f(rigid) for each of them
template <class M, class D, class F>
CORTEN_FN void each_listed(const M& m, const D& d, int count, F&& f) {
  const auto list = d.soft_near.from(m.n.ngeom + m.n.nbody);
  for (int k = 0; k < count; ++k) f(SoftRigid<M, D>(m, d, list[k]));
}

// Marks the rigid bodies that soft bodies touch, and computes how they move and yield. Returns
// whether there are any. From the second time on, the acceleration holds the reaction found before,
// which is taken out again.
template <class M, class D>
CORTEN_FN bool start_rigid(const M& m, const D& d, bool first) {
  using S = typename D::Scalar;
  using Body = SoftRigid<M, D>;
  const auto touched = d.soft_near.from(m.n.ngeom);
  const S rate = S(1) / S(m.opt.timestep);
  bool some = false;
  if (first) fill(touched, m.n.nbody, 0);
  for (int c = 0; c < d.nscon; ++c) {
    const int body = Body::body_of(m, d.scon_geom[c]);
    if (body < 0 || touched[body] != 0) continue;
    const Body rigid(m, d, body);
    touched[body] = 1;
    rigid.weigh(m, d, body);
    rigid.set(Body::at_velocity, Body::motion(m, d, body, d.qvel));
    rigid.set(Body::at_total, Vec6<S>::Zero());
  }
  each_touched(m, d, [&](int body, const Body& rigid) {
    some = true;
    touched[body] = 1;
    const Vec6<S> before = rigid.respond(Vec6<S>(rigid.total() * rate));
    rigid.set(Body::at_acceleration, Vec6<S>(Body::motion(m, d, body, d.qacc) - before));
    rigid.set(Body::at_total, Vec6<S>::Zero());
  });
  return some;
}

// Where rigid bodies are going in a substep, before anything pushes them.
template <class M, class D, class S>
CORTEN_FN void start_substep(const M& m, const D& d, int bodies, int step, const S& h) {
  using Body = SoftRigid<M, D>;
  each_listed(m, d, bodies, [&](const Body& rigid) {
    if (step == 0) {
      rigid.set(Body::at_shift, Vec6<S>::Zero());
      rigid.set(Body::at_impulse, Vec6<S>::Zero());
    } else {
      rigid.set(Body::at_shift, Vec6<S>(rigid.shift() + rigid.move()));
    }
    const Vec6<S> speed = rigid.velocity() + rigid.acceleration() * (S(step + 1) * h) +
                          rigid.respond(rigid.impulse());
    rigid.set(Body::at_move, Vec6<S>(speed * h));
  });
}

// the impulses of a soft body that has been solved count for those that follow
template <class M, class D>
CORTEN_FN void finish_rigid(const M& m, const D& d, int bodies) {
  using S = typename D::Scalar;
  using Body = SoftRigid<M, D>;
  const S rate = S(1) / S(m.opt.timestep);
  each_listed(m, d, bodies, [&](const Body& rigid) {
    const Vec6<S> f = rigid.impulse();
    rigid.set(Body::at_acceleration,
              Vec6<S>(rigid.acceleration() + rigid.respond(Vec6<S>(f * rate))));
    rigid.set(Body::at_total, Vec6<S>(rigid.total() + f));
  });
}

// takes a soft body through a step
template <class M, class D>
CORTEN_ENTRY void step_soft(const M& m, const D& d, int soft) {
  using S = typename D::Scalar;
  const int substeps = m.soft_substeps[soft], first = d.soft_scon[2 * soft];
  const int end = first + d.soft_scon[2 * soft + 1], bodies = list_touched(m, d, soft);
  const S h = S(m.opt.timestep) / S(substeps), share = S(1) / (S(m.opt.timestep) * h);
  start_soft(m, d, soft);
  for (int c = first; c < end; ++c) {
    SoftContact<M, D>(m, d, c, soft).weigh();
    store(d.scon_force, c, Vec3<S>(Vec3<S>::Zero()));
  }
  for (int step = 0; step < substeps; ++step) {
    start_substep(m, d, bodies, step, h);
    for (int c = first; c < end; ++c) {
      SoftContact<M, D>(m, d, c, soft)
          .begin(m, soft_parameters<S>(m, soft, d.scon_geom[c]), step, h);
    }
    predict(m, d, soft, h);
    fill(d.soft_lambda.from(m.soft_conadr[soft]), m.soft_connum[soft], S(0));
    for (int i = 0; i < m.soft_iterations[soft]; ++i) {
      sweep(m, d, soft, h);
      for (int c = first; c < end; ++c) SoftContact<M, D>(m, d, c, soft).project(h);
    }
    for (int c = first; c < end; ++c) {
      const Vec3<S> force = SoftContact<M, D>(m, d, c, soft).force() * share;
      store(d.scon_force, c, Vec3<S>(vec3<S>(d.scon_force, c) + force));
    }
    update_velocities(m, d, soft, h);
  }
  finish_rigid(m, d, bodies);
}

// A soft body at rest sleeps until something moves it: a velocity, an applied force, or a body that
// is free to move.
template <class M, class D>
CORTEN_FN bool soft_sleeps(const M& m, const D& d, int soft) {
  if (!(value(m.soft_sleep[soft]) > 0) || d.soft_idle[soft] < soft_steps_to_sleep) return false;
  const int first = 3 * m.soft_vertadr[soft], end = first + 3 * m.soft_vertnum[soft];
  for (int i = first; i < end; ++i) {
    if (!vanishes(d.soft_vel[i]) || !vanishes(d.soft_force[i])) return false;
  }
  const int contact = d.soft_scon[2 * soft];
  for (int c = contact; c < contact + d.soft_scon[2 * soft + 1]; ++c) {
    if (SoftRigid<M, D>::body_of(m, d.scon_geom[c]) >= 0) return false;
  }
  return true;
}

// Adds the reaction in qfrc_soft to the forces, and solves the rigid constraints again.
// Trees that sleep are left out.
template <class M, class D>
CORTEN_FN void solve_with_reaction(const M& m, const D& d) {
  const auto accelerate = [&](const Run& r) {
    copy(d.qacc_smooth.from(r.dof), d.qfrc_smooth.from(r.dof), r.dof_end - r.dof);
    tree_solve(m, Dofs{r.dof, r.dof_end}, d.qLD, d.qLDiagInv, d.qacc_smooth);
  };
  each_awake_dof(m, d, [&](int i) { d.qfrc_smooth[i] += d.qfrc_soft[i]; });
  each_run(m, d, accelerate);
  solve(m, d);
  each_awake_dof(m, d, [&](int i) { d.qfrc_smooth[i] -= d.qfrc_soft[i]; });
  each_run(m, d, accelerate);
  each_awake_dof(m, d, [&](int i) { d.qfrc_constraint[i] += d.qfrc_soft[i]; });
}

}  // namespace detail

// how often soft_dynamics takes the step
template <class M>
CORTEN_FN int soft_rounds(const M& m) {
  int most = 1;
  for (int s = 0; s < m.n.nsoft; ++s) most = m.soft_repeat[s] > most ? m.soft_repeat[s] : most;
  return most;
}

// One round of the stage below, from the contacts that have been found.
template <class M, class D>
CORTEN_FN void soft_round(const M& m, const D& d, int round) {
  using S = typename D::Scalar;
  using Body = detail::SoftRigid<M, D>;
  if (m.n.nsoft == 0) return;
  bool reacts = false;
  if (d.soft_hold != 0) {
    for (int i = 0; i < m.n.nv && !reacts && round == 0; ++i) reacts = !vanishes(d.qfrc_soft[i]);
  } else {
    const S rate = S(1) / S(m.opt.timestep);
    if (round == 0) fill(d.qfrc_soft, m.n.nv, S(0));
    reacts = detail::start_rigid(m, d, round == 0);
    for (int s = 0; s < m.n.nsoft; ++s) {
      if (detail::soft_sleeps(m, d, s)) {
        detail::start_soft(m, d, s);
      } else {
        detail::step_soft(model_asked<lists::softs>(m), d, s);
      }
    }
    if (reacts) fill(d.qfrc_soft, m.n.nv, S(0));
    detail::each_touched(m, d, [&](int body, const Body& rigid) {
      if (reacts) Body::apply(m, d, body, Vec6<S>(rigid.total() * rate), d.qfrc_soft);
    });
  }
  if (reacts) detail::solve_with_reaction(m, d);
}

// The contacts at the positions that the last round has found.
template <class M, class D>
CORTEN_FN void soft_detect_again(const M& m, const D& d) {
  if (m.n.nsoft > 0 && d.soft_hold == 0) detail::detect(m, d, d.soft_x);
}

// The stage: new positions and velocities of soft bodies, and their reaction.
template <class M, class D>
CORTEN_ENTRY void soft_dynamics(const M& m, const D& d) {
  const int rounds = soft_rounds(m);
  for (int r = 0; r < rounds; ++r) {
    if (r > 0) soft_detect_again(m, d);
    soft_round(m, d, r);
  }
}
CORTEN_SHARED(soft_dynamics,
              lists::softs | lists::geoms | lists::colliders | lists::constraints | lists::methods)

// one of the worlds in lanes
template <class M, class S>
CORTEN_FN void soft_dynamics(const M& m, const Lane<S>& lane) {
  if (m.n.nsoft == 0) return;
  publish_lane(lane);
  soft_dynamics(m, lane.world);
  lane.give(lane.world.qacc, lane.block.qacc, m.n.nv);
  lane.give(lane.world.qfrc_constraint, lane.block.qfrc_constraint, m.n.nv);
}

// At the end of a step: trees that soft bodies touch wake, and stay awake. Bodies that slept do not
// feel the first touch, as they have not moved in that step.
template <class M, class D>
CORTEN_FN void soft_wake(const M& m, const D& d) {
  if (m.n.nsoft == 0 || !m.opt.enabled(enable_sleep)) return;
  bool woken = false;
  for (int c = 0; c < d.nscon; ++c) {
    const int tree = m.body_treeid[m.geom_bodyid[d.scon_geom[c]]];
    if (tree >= 0) woken |= wake_cycle(d, tree);
  }
  if (woken) list_awake(m, d);
}

// At the end of a step: the state that soft_dynamics has prepared.
template <class M, class D>
CORTEN_FN void soft_advance(const M& m, const D& d) {
  using S = typename D::Scalar;
  for (int s = 0; s < m.n.nsoft; ++s) {
    const int first = m.soft_vertadr[s], count = m.soft_vertnum[s];
    const bool sleeps = detail::soft_sleeps(m, d, s);
    copy(d.soft_pos.from(3 * first), d.soft_x.from(3 * first), 3 * count);
    copy(d.soft_vel.from(3 * first), d.soft_v.from(3 * first), 3 * count);
    const auto limit = static_cast<value_t<S>>(value(m.soft_sleep[s]));
    bool still = limit > 0;
    for (int v = first; v < first + count && still; ++v) {
      still = value(S(vec3<S>(d.soft_v, v).squaredNorm())) < limit * limit;
    }
    if (sleeps) continue;
    d.soft_idle[s] = still ? d.soft_idle[s] + 1 : 0;
    if (d.soft_idle[s] == soft_steps_to_sleep) fill(d.soft_vel.from(3 * first), 3 * count, S(0));
  }
}

}  // namespace corten
