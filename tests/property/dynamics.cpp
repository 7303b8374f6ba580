// SPDX-License-Identifier: Apache-2.0
//
// Laws of mechanics that the stages of a step must obey together.
#include <corten/query/query.hpp>
#include <corten/stage/rne_post.hpp>
#include <corten/stage/subtree.hpp>

#include "property.hpp"

#include <vector>

namespace property {

namespace {

using namespace corten;

// Is M(i, j), j ≤ i, an entry of the matrix? There are none between branches of the tree, and none
// off the diagonal of bodies whose inertia is diagonal.
bool in_pattern(const Model<double>& m, int i, int j) {
  const auto row = std::size_t(i);
  for (int k = 0; k < m.M_rownnz[row]; ++k) {
    if (m.M_colind[std::size_t(m.M_rowadr[row] + k)] == j) return true;
  }
  return false;
}

// the inertia that armature adds between two dofs, if M has an entry for it
double armature(const Model<double>& m, const Data<double>& data, int i, int j) {
  const auto& d = data.ref();
  double out = 0;
  const auto joint = std::size_t(m.dof_jntid[std::size_t(i)]);
  if (i == j) out = m.dof_armature[std::size_t(i)];
  const auto share = [&](TransmissionType type, std::size_t id) {
    double sum = 0;
    for (std::size_t a = 0; a < std::size_t(m.n.nactuator); ++a) {
      const bool same = TransmissionType(m.actuator_trntype[a]) == type;
      if (!same || m.actuator_trnid[2 * a] != int(id)) continue;
      const double gear = m.actuator_gear[6 * std::size_t(m.actuator_outadr[a])];
      sum += gear * gear * m.actuator_armature[a];
    }
    return sum;
  };
  if (i == j) {
    out += share(TransmissionType::joint, joint) + share(TransmissionType::jointinparent, joint);
  }
  for (std::size_t t = 0; t < std::size_t(m.n.ntendon); ++t) {
    const int begin = m.ten_J_rowadr[t], end = begin + m.ten_J_rownnz[t];
    const double own = m.tendon_armature[t] + share(TransmissionType::tendon, t);
    for (int a = begin; a < end; ++a) {
      for (int b = begin; b < end; ++b) {
        const bool here =
            m.ten_J_colind[std::size_t(a)] == i && m.ten_J_colind[std::size_t(b)] == j;
        if (here) out += own * d.ten_J[a] * d.ten_J[b];
      }
    }
  }
  return out;
}

}  // namespace

// Column i of M is the force that recursive Newton-Euler computes for a unit acceleration of dof i
// from rest, without gravity. Rounding is relative to the inertia of whole trees about a common
// point, of which M may be a small part.
std::string inertia_is_inverse_dynamics(const Case& c) {
  Model<double> m = c.model;
  m.opt.disableflags |= disable_constraint | disable_contact | disable_gravity | disable_actuation;
  Data<double> data = c.data;
  for (double& v : data.qvel()) v = 0;
  for (double& f : data.xfrc_applied()) f = 0;
  const int nv = m.n.nv;
  if (const Status s = forward(m, data); !s) return failure("forward", s);
  std::vector<double> full(std::size_t(nv * nv));
  if (const Status s = full_m(m, data, full); !s) return failure("full_m", s);
  double scale = 1;
  const auto& d = data.ref();
  for (int k = 0; k < 10 * m.n.nbody; ++k) scale = std::max(scale, std::fabs(double(d.cinert[k])));

  Comparison compare;
  const auto view = make_ref<DefaultPolicies>(m);
  for (int i = 0; i < nv; ++i) {
    for (int k = 0; k < nv; ++k) d.qacc[k] = k == i ? 1 : 0;
    rne_post(view, d);
    for (int j = 0; j <= i; ++j) {
      const int body = m.dof_bodyid[std::size_t(j)];
      double force = vec6<double>(d.cdof, j).dot(vec6<double>(d.cfrc_int, body));
      const double ours = full[std::size_t(i * nv + j)];
      if (in_pattern(m, i, j)) force += armature(m, data, i, j);
      compare.near("M", i * nv + j, ours, force, 1e-12 * scale);
    }
  }
  return compare.text();
}

// Inverse dynamics recovers the applied forces from the result of forward dynamics, up to the
// accuracy of the solver (force_scale), with a margin for a hundred rows. The solver does not know
// the forces of rows that are too hard; in that case constraints are disabled.
std::string forward_agrees_with_inverse(const Case& c) {
  Model<double> m = converging(c.model);
  Data<double> data = c.data;
  if (const Status s = forward(m, data); !s) return failure("forward", s);
  if (has_hard_rows(data)) {
    m.opt.disableflags |= disable_constraint;
    data = c.data;
    if (const Status s = forward(m, data); !s) return failure("forward", s);
  }
  if (!has_converged(m, data)) return {};
  const auto& d = data.ref();
  const double scale = force_scale(m, data);
  std::vector<double> applied;
  for (int i = 0; i < m.n.nv; ++i) {
    applied.push_back(d.qfrc_smooth[i] + d.qfrc_bias[i] - d.qfrc_passive[i]);
  }
  if (const Status s = inverse(m, data); !s) return failure("inverse", s);
  Comparison compare;
  for (int i = 0; i < m.n.nv; ++i) {
    compare.near("qfrc_inverse", i, applied[std::size_t(i)], d.qfrc_inverse[i], 1e-6 * scale);
  }
  return compare.text();
}

namespace {

// does M have entries for the whole inertia of a tendon?
bool fits(const Model<double>& m, std::size_t t) {
  const int begin = m.ten_J_rowadr[t], end = begin + m.ten_J_rownnz[t];
  for (int a = begin; a < end; ++a) {
    for (int b = begin; b <= a; ++b) {
      const int i = m.ten_J_colind[std::size_t(a)], j = m.ten_J_colind[std::size_t(b)];
      if (!in_pattern(m, std::max(i, j), std::min(i, j))) return false;
    }
  }
  return true;
}

// Nothing but gravity, springs and inertia. As in MuJoCo, the inertia of a tendon for which M has
// no entries is lost, and energy with it, so such tendons have none here.
Model<double> conservative(const Model<double>& from) {
  Model<double> m = from;
  for (std::size_t a = 0; a < std::size_t(m.n.nactuator); ++a) {
    const bool pulls = TransmissionType(m.actuator_trntype[a]) == TransmissionType::tendon;
    if (pulls && !fits(m, std::size_t(m.actuator_trnid[2 * a]))) m.actuator_armature[a] = 0;
  }
  for (std::size_t t = 0; t < std::size_t(m.n.ntendon); ++t) {
    if (!fits(m, t)) m.tendon_armature[t] = 0;
  }
  m.opt.disableflags |= disable_constraint | disable_contact | disable_actuation | disable_damper;
  m.opt.disableflags &= ~disable_gravity;
  m.opt.enableflags |= enable_energy;
  m.opt.density = m.opt.viscosity = 0;
  m.opt.integrator = int(Integrator::rk4);
  m.opt.timestep = 2e-4;
  for (double& x : m.body_gravcomp) x = 0;
  m.n.ngravcomp = 0;
  return m;
}

Data<double> unforced(const Model<double>& m, const Case& c) {
  Data<double> data(m);
  for (std::size_t i = 0; i < std::size_t(m.n.nq); ++i) data.qpos()[i] = c.data.qpos()[i];
  for (std::size_t i = 0; i < std::size_t(m.n.nv); ++i) data.qvel()[i] = c.data.qvel()[i];
  return data;
}

// A conserved quantity changes only by the error of RK4. With twice as many steps over the same
// time the error falls to a sixteenth, or to a quarter where balls turn or at kinks of springs and
// paths. The effect of a force that should not exist is the same with many steps as with few.
class Kept {
 public:
  Kept(const char* what, int index, double before) : what_(what), index_(index), before_(before) {}
  void compare(double coarse, double fine, double scale, Comparison& out) const {
    const double error = std::fabs(coarse - before_) / 2;
    out.near(what_, index_, before_, fine, std::max(error, 1e-10 * scale));
  }

 private:
  const char* what_;
  int index_;
  double before_;
};

// the states one timestep later, reached in `steps` steps and in twice as many
struct Later {
  Data<double> coarse, fine;
  Status status;

  Later(const Model<double>& m, const Data<double>& from, int steps) : coarse(from), fine(from) {
    advance(m, coarse, steps);
    advance(m, fine, 2 * steps);
  }

 private:
  void advance(Model<double> m, Data<double>& data, int steps) {
    m.opt.timestep /= steps;
    for (int k = 0; k < steps; ++k) status.bits |= step(m, data).bits;
    status.bits |= forward(m, data).bits;
  }
};

// The error of a single long step may be small by luck, where its third- and fourth-order terms
// cancel. In that case four steps are tried.
std::string at_some_step(const Case& c, std::string (*holds)(const Case&, int steps)) {
  const std::string first = holds(c, 1);
  if (first.empty()) return {};
  return holds(c, 4).empty() ? std::string() : first;
}

std::string momentum_after(const Case& c, int steps) {
  Model<double> m = conservative(c.model);
  m.n.ntendon = 0;  // tendons may pull on a tree from outside
  for (double& x : m.actuator_armature) x = 0;
  for (std::size_t j = 0; j < std::size_t(m.n.njnt); ++j) {
    const bool floats = m.jnt_type[j] == int(JointType::free);
    if (floats)
      m.jnt_stiffness[j] = m.jnt_stiffnesspoly[2 * j] = m.jnt_stiffnesspoly[2 * j + 1] = 0;
    for (int i = 0; floats && i < 6; ++i) m.dof_armature[std::size_t(m.jnt_dofadr[j] + i)] = 0;
  }
  Data<double> before = unforced(m, c);
  if (const Status s = forward(m, before); !s) return failure("forward", s);
  Later later(m, before, steps);
  if (!later.status) return failure("step", later.status);
  const auto view = make_ref<DefaultPolicies>(m);
  for (Data<double>* data : {&before, &later.coarse, &later.fine}) {
    subtree_velocity(view, data->ref());
  }

  Comparison out;
  const auto &x = before.ref(), &y = later.coarse.ref(), &z = later.fine.ref();
  for (std::size_t j = 0; j < std::size_t(m.n.njnt); ++j) {
    if (m.jnt_type[j] != int(JointType::free)) continue;
    const auto b = std::size_t(m.jnt_bodyid[j]);
    const double mass = m.body_subtreemass[b];
    for (int k = 0; k < 3; ++k) {
      const int i = 3 * int(b) + k;
      const double pull = m.opt.timestep * m.opt.gravity[k];
      Kept("velocity", i, x.subtree_linvel[i] + pull)
          .compare(y.subtree_linvel[i], z.subtree_linvel[i], 1, out);
      Kept("angular momentum", i, x.subtree_angmom[i])
          .compare(y.subtree_angmom[i], z.subtree_angmom[i], 1 + mass, out);
    }
  }
  return out.text();
}

std::string energy_after(const Case& c, int steps) {
  const Model<double> m = conservative(c.model);
  Data<double> before = unforced(m, c);
  if (const Status s = forward(m, before); !s) return failure("forward", s);
  const Later later(m, before, steps);
  if (!later.status) return failure("step", later.status);
  const auto total = [](const Data<double>& x) { return x.energy()[0] + x.energy()[1]; };
  Comparison out;
  Kept("energy", 0, total(before))
      .compare(total(later.coarse), total(later.fine),
               1 + std::fabs(before.energy()[0]) + before.energy()[1], out);
  return out.text();
}

}  // namespace

// A tree that floats freely conserves its angular momentum about its centre of mass, and its
// momentum changes by its weight.
std::string momentum_is_kept(const Case& c) { return at_some_step(c, momentum_after); }

// Without dissipation the sum of kinetic and potential energy is constant.
std::string energy_is_kept(const Case& c) { return at_some_step(c, energy_after); }

}  // namespace property
