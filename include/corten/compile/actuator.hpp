// SPDX-License-Identifier: Apache-2.0
//
// Actuators: transmission, activation, ranges. The elements are already in general form:
// spec/shortcuts.hpp converts motor, position and the other shortcuts. A damping ratio stays in
// biasprm[2] until set_const replaces it.
#pragma once

#include <corten/compile/joints.hpp>
#include <corten/core/optional.hpp>
#include <corten/data/history.hpp>
#include <corten/spec/actuator_shape.hpp>

namespace corten::compiler {

inline bool acts_on_joint(TransmissionType type) {
  return type == TransmissionType::joint || type == TransmissionType::jointinparent;
}

namespace detail {

// the body that an actuator on a joint, site or body acts on
inline int target_body(const Model<double>& m, int a) {
  const auto type = static_cast<TransmissionType>(at(m.actuator_trntype, a));
  const int id = at(m.actuator_trnid, 2 * a);
  if (type == TransmissionType::body) return id;
  const bool ball = type == TransmissionType::so3 && at(m.actuator_trnid, 2 * a + 1) < 0;
  return at(acts_on_joint(type) || ball ? m.jnt_bodyid : m.site_bodyid, id);
}

// finds the second site: the slider of a crank, or the reference of a site transmission
CORTEN_COLD Result<void> find_second_site(const Draft& d, const spec::Actuator& e,
                                          TransmissionType type, int& id) {
  if (type == TransmissionType::slidercrank) {
    if (!e.slidersite) return e.error("a slider-crank needs slidersite");
    if (auto done = find_reference(d.index.site, *e.slidersite, "site", e, id); !done) return done;
    if (e.cranklength.value_or(0) <= 0) return e.error("cranklength must be positive");
  } else if (type == TransmissionType::site && e.refsite) {
    return find_reference(d.index.site, *e.refsite, "site", e, id);
  }
  return {};
}

// An orientation servo turns a ball joint, or one site relative to another. Its forcerange bounds
// the length of the torque vector.
CORTEN_COLD Result<void> check_so3(const Draft& d, const spec::Actuator& e, TransmissionType type,
                                   int id) {
  if (type == TransmissionType::joint && !kind_of(d, id).is_rotation()) {
    return e.error("an so3 actuator on a joint needs a ball joint");
  }
  const spec::Numbers<2> force = e.forcerange.value_or(spec::Numbers<2>{});
  if (is_limited(e.forcelimited.value_or(spec::Tristate::automatic), force) && force[0] != 0) {
    return e.error("forcerange of an so3 actuator bounds a torque's length, so it must start at 0");
  }
  return {};
}

CORTEN_COLD Result<void> write_transmission(Draft& d, int a) {
  Model<double>& m = d.m;
  const spec::Actuator& e = at(d.actuators, a);
  const spec::Transmission t = spec::transmission(e);
  if (t.target.empty()) {
    return e.error("the transmission target is missing",
                   "give one of joint, jointinparent, tendon, cranksite, site, body");
  }
  int id = -1, second = -1;
  const bool tendon = t.type == TransmissionType::tendon;
  if (acts_on_joint(t.type)) {
    if (auto done = find_reference(d.index.joint, t.target, "joint", e, id); !done) return done;
  } else if (tendon) {
    if (auto done = find_reference(d.index.tendon, t.target, "tendon", e, id); !done) return done;
  } else if (t.type == TransmissionType::body) {
    if (auto done = find_reference(d.index.body, t.target, "body", e, id); !done) return done;
  } else {
    if (auto done = find_reference(d.index.site, t.target, "site", e, id); !done) return done;
  }
  if (auto done = find_second_site(d, e, t.type, second); !done) return done;
  if (is_so3(e)) {
    if (auto done = check_so3(d, e, t.type, id); !done) return done;
  }
  put(m.actuator_trntype, a, is_so3(e) ? TransmissionType::so3 : t.type);
  at(m.actuator_trnid, 2 * a) = id;
  at(m.actuator_trnid, 2 * a + 1) = second;

  if (acts_on_joint(t.type) || tendon) return {};
  const spec::Numbers<3> damping = e.damping.value_or({0, 0, 0});
  if (damping != spec::Numbers<3>{0, 0, 0} || e.armature.value_or(0) != 0) {
    return e.error("damping and armature need a joint or tendon transmission");
  }
  return {};
}

// inheritrange: the range of the target, scaled about its midpoint
CORTEN_COLD Result<void> inherit_range(const Draft& d, int a, spec::Numbers<2>& ctrl,
                                       spec::Numbers<2>& act) {
  const Model<double>& m = d.m;
  const spec::Actuator& e = at(d.actuators, a);
  const double scale = e.inheritrange.value_or(0);
  const auto gain = e.gaintype.value_or(GainType::fixed);
  const bool matched = at(m.actuator_gainprm, 10 * a) == -at(m.actuator_biasprm, 10 * a + 1);
  const bool servo = ((gain == GainType::fixed && matched) || gain == GainType::pid) &&
                     e.biastype.value_or(BiasType::none) == BiasType::affine;
  if (scale <= 0 || !servo) return {};

  const auto dynamics = e.dyntype.value_or(DynamicsType::none);
  const bool stateful = dynamics == DynamicsType::integrator;
  if (!stateful && dynamics != DynamicsType::none && dynamics != DynamicsType::filterexact &&
      dynamics != DynamicsType::pid) {
    return e.error("inheritrange needs a position, pid or intvelocity actuator");
  }
  const auto type = static_cast<TransmissionType>(at(m.actuator_trntype, a));
  const int id = at(m.actuator_trnid, 2 * a);
  Vec<double, 2> range;
  if (type == TransmissionType::joint) {
    if (!is_scalar(d, id)) {
      return e.error("inheritrange needs a hinge or slide joint");
    }
    range = row<2>(m.jnt_range, id);
  } else if (type == TransmissionType::tendon) {
    range = row<2>(m.tendon_range, id);
  } else {
    return e.error("inheritrange needs a joint or tendon transmission");
  }
  if (range[0] == range[1]) {
    return e.error("inheritrange is given but the target has no range",
                   "give '" + spec::transmission(e).target + "' a range");
  }
  const double middle = 0.5 * (range[0] + range[1]), radius = 0.5 * (range[1] - range[0]) * scale;
  (stateful ? act : ctrl) = {middle - radius, middle + radius};
  return {};
}

// sets `active` if one of ctrl, force and act is limited, and checks its range
CORTEN_COLD Result<void> check_range(const Draft& d, const spec::Actuator& e, const char* prefix,
                                     spec::Tristate limited, const spec::Numbers<2>& range,
                                     bool& active) {
  if (auto done = check_limited(d.settings_of(e), e, limited, range, prefix); !done) return done;
  active = is_limited(limited, range);
  if (active && range[0] >= range[1]) {
    const std::string name = std::string(prefix) + "range";
    return e.error(name + "[0] must be smaller than " + name + "[1]");
  }
  return {};
}

// ctrlrange is the range of every control of an actuator, except that for a pid it is the range of
// pos only
CORTEN_COLD void write_control_ranges(Model<double>& m, const spec::Actuator& e, int a,
                                      bool limited, const spec::Numbers<2>& range) {
  const int first = at(m.actuator_ctrladr, a), count = at(m.actuator_ctrlnum, a);
  for (int i = first; i < first + count; ++i) {
    put(m.actuator_ctrllimited, i, limited);
    put(m.actuator_ctrlrange, i, range);
  }
  if (e.gaintype.value_or(GainType::fixed) != GainType::pid) return;
  const int spec = at(m.actuator_ctrlspec, a);
  int i = first + ((spec & input_pos) != 0 ? 1 : 0);
  const auto take = [&](int bit, const Optional<spec::Numbers<2>>& given) {
    if ((spec & bit) == 0) return;
    const spec::Numbers<2> own = given.value_or(spec::Numbers<2>{});
    put(m.actuator_ctrllimited, i, own[0] < own[1]);
    put(m.actuator_ctrlrange, i++, own);
  };
  take(input_vel, e.velrange);
  take(input_ff, e.ffrange);
}

CORTEN_COLD Result<void> write_ranges(Draft& d, int a) {
  Model<double>& m = d.m;
  const spec::Actuator& e = at(d.actuators, a);
  constexpr spec::Numbers<2> none{0, 0};
  const auto automatic = spec::Tristate::automatic;
  spec::Numbers<2> ctrl = e.ctrlrange.value_or(none), act = e.actrange.value_or(none);
  const spec::Numbers<2> force = e.forcerange.value_or(none);
  if (auto done = inherit_range(d, a, ctrl, act); !done) return done;
  auto act_limits = e.actlimited.value_or(automatic);
  const bool no_range = act == none && e.dyntype == DynamicsType::integrator;
  if (is_so3(e) && no_range && act_limits == spec::Tristate::yes) act_limits = spec::Tristate::no;
  bool ctrllimited = false, forcelimited = false, actlimited = false;
  if (auto done =
          check_range(d, e, "force", e.forcelimited.value_or(automatic), force, forcelimited);
      !done) {
    return done;
  }
  if (auto done = check_range(d, e, "ctrl", e.ctrllimited.value_or(automatic), ctrl, ctrllimited);
      !done) {
    return done;
  }
  if (auto done = check_range(d, e, "act", act_limits, act, actlimited); !done) {
    return done;
  }
  if (actlimited && e.dyntype.value_or(DynamicsType::none) == DynamicsType::none) {
    return e.error("actrange is given but dyntype is none");
  }
  put(m.actuator_forcelimited, a, forcelimited);
  put(m.actuator_forcerange, a, force);
  put(m.actuator_actlimited, a, actlimited);
  put(m.actuator_actrange, a, act);
  write_control_ranges(m, e, a, ctrllimited, ctrl);
  return {};
}

CORTEN_COLD void write_parameters(Draft& d, int a) {
  Model<double>& m = d.m;
  const spec::Actuator& e = at(d.actuators, a);
  put(m.actuator_dyntype, a, e.dyntype.value_or(DynamicsType::none));
  put(m.actuator_gaintype, a, e.gaintype.value_or(GainType::fixed));
  put(m.actuator_biastype, a, e.biastype.value_or(BiasType::none));
  put(m.actuator_dynprm, a, e.dynprm.value_or({1}));
  put(m.actuator_gainprm, a, e.gainprm.value_or({1}));
  put(m.actuator_biasprm, a, e.biasprm.value_or({}));
  for (int o = 0; o < at(m.actuator_outnum, a); ++o) {
    put(m.actuator_gear, at(m.actuator_outadr, a) + o, e.gear.value_or({1, 0, 0, 0, 0, 0}));
    put(m.actuator_lengthrange, at(m.actuator_outadr, a) + o,
        e.lengthrange.value_or(spec::Numbers<2>{0, 0}));
  }
  put(m.actuator_actearly, a, e.actearly.value_or(false));
  put(m.actuator_group, a, e.group.value_or(0));
  put(m.actuator_cranklength, a, e.cranklength.value_or(0));
  put_polynomial(m.actuator_damping, m.actuator_dampingpoly, a, e.damping);
  put(m.actuator_armature, a, e.armature.value_or(0));
  put(m.actuator_delay, a, e.delay.value_or(0));
  at(m.actuator_history, 2 * a) = e.nsample.value_or(0);
  at(m.actuator_history, 2 * a + 1) = static_cast<int>(e.interp.value_or(spec::Interpolation::zoh));
}

// Checks the parameters of a muscle. If its passive force has none, it takes those of the active
// force; this is not in MuJoCo.
CORTEN_COLD Result<void> check_muscle(Model<double>& m, const spec::Actuator& e, int a) {
  const bool active = e.gaintype == GainType::muscle, passive = e.biastype == BiasType::muscle;
  const Vec<double, 10> bias = row<10>(m.actuator_biasprm, a);
  if (active && passive && bias == Vec<double, 10>::Zero()) {
    for (int k = 0; k < 9; ++k) {
      at(m.actuator_biasprm, 10 * a + k) = at(m.actuator_gainprm, 10 * a + k);
    }
  }
  for (const bool gain : {true, false}) {
    if (gain ? !active : !passive) continue;
    const Vec<double, 10> p = row<10>(gain ? m.actuator_gainprm : m.actuator_biasprm, a);
    if (p[0] >= p[1]) return e.error("a muscle needs range[0] < range[1]");
    if (p[4] >= 1 || p[5] <= 1) return e.error("a muscle needs lmin < 1 < lmax");
    if (p[3] <= 0 || p[6] <= 0 || p[7] <= 0 || p[8] <= 0) {
      return e.error("a muscle needs positive scale, vmax, fpmax and fvmax");
    }
  }
  return {};
}

// addresses of the controls, activations, forces and past controls of an actuator
struct ActuatorAddress {
  int ctrl = 0, act = 0, out = 0, history = 0;
};

CORTEN_COLD Result<void> write_addresses(Draft& d, int a, ActuatorAddress& next) {
  Model<double>& m = d.m;
  const spec::Actuator& e = at(d.actuators, a);
  spec::ActuatorShape shape;
  int samples = 0;
  if (auto done = actuator_shape(e, shape); !done) return done;
  if (auto done = count_samples(e, shape, samples); !done) return done;
  put(m.actuator_actnum, a, shape.actnum);
  put(m.actuator_actadr, a, shape.actnum > 0 ? next.act : -1);
  put(m.actuator_ctrladr, a, next.ctrl);
  put(m.actuator_ctrlnum, a, shape.ctrlnum);
  put(m.actuator_ctrlspec, a, shape.ctrlspec);
  put(m.actuator_outadr, a, next.out);
  put(m.actuator_outnum, a, shape.outnum);
  put(m.actuator_historyadr, a, samples > 0 ? next.history : -1);
  next.act += shape.actnum;
  next.ctrl += shape.ctrlnum;
  next.out += shape.outnum;
  if (samples > 0) next.history += history_size(samples, 1);
  return {};
}

}  // namespace detail

// adds up the sizes of all actuators
CORTEN_COLD void count_actuators(Draft& d) {
  Sizes& n = d.m.n;
  n.nactuator = static_cast<int>(d.actuators.size());
  for (const spec::Actuator& e : d.actuators) {
    spec::ActuatorShape shape;
    int samples = 0;
    if (d.note(e, actuator_shape(e, shape)) || d.note(e, count_samples(e, shape, samples)))
      continue;
    n.nu += shape.ctrlnum;
    n.nout += shape.outnum;
    n.na += shape.actnum;
    if (samples > 0) n.nhistory += history_size(samples, 1);
  }
}

namespace detail {

CORTEN_COLD Result<void> write_actuator(Draft& d, int a, ActuatorAddress& next) {
  Model<double>& m = d.m;
  const spec::Actuator& e = at(d.actuators, a);
  if (auto done = write_addresses(d, a, next); !done) return done;
  write_parameters(d, a);
  if (auto done = check_muscle(m, e, a); !done) return done;
  if (auto done = write_transmission(d, a); !done) return done;
  if (auto done = write_ranges(d, a); !done) return done;
  return put_user(m.actuator_user, m.n.nuser_actuator, "nuser_actuator", a, e);
}

}  // namespace detail

CORTEN_COLD void write_actuators(Draft& d) {
  detail::ActuatorAddress next;
  for (int a = 0; a < d.m.n.nactuator; ++a) {
    const spec::Actuator& e = at(d.actuators, a);
    if (!d.has_failed(e)) d.note(e, detail::write_actuator(d, a, next));
  }
}

// Number of dofs at or above either of two bodies. Dofs above both count only if `common`;
// otherwise they cancel.
CORTEN_COLD int count_dofs(const Model<double>& m, int body1, int body2, bool common) {
  const auto last = [&](int body) {
    const int weld = at(m.body_weldid, body), dofs = at(m.body_dofnum, weld);
    return dofs > 0 ? at(m.body_dofadr, weld) + dofs - 1 : -1;
  };
  int count = 0, v1 = last(body1), v2 = last(body2);
  for (; v1 != v2; ++count) {
    int& later = v1 > v2 ? v1 : v2;
    later = at(m.dof_parentid, later);
  }
  return common && v1 >= 0 ? count + at(m.dof_depth, v1) : count;
}

// number of entries of the moment matrix: the dofs that each actuator can act on
CORTEN_COLD int count_moments(const Draft& d) {
  const Model<double>& m = d.m;
  int count = 0;
  for (int a = 0; a < m.n.nactuator; ++a) {
    const auto type = static_cast<TransmissionType>(at(m.actuator_trntype, a));
    const int id = at(m.actuator_trnid, 2 * a), second = at(m.actuator_trnid, 2 * a + 1);
    if (acts_on_joint(type)) {
      count += detail::kind_of(d, id).nv;
    } else if (type == TransmissionType::so3) {
      count += 3 * (at(m.actuator_trnid, 2 * a + 1) >= 0 ? m.n.nv : 1);
    } else if (type == TransmissionType::tendon) {
      count += at(m.ten_J_rownnz, id);
    } else if (type == TransmissionType::body) {
      count += m.n.nv;
    } else {
      const int other = second >= 0 ? at(m.site_bodyid, second) : 0;
      count += count_dofs(m, at(m.site_bodyid, id), other, type == TransmissionType::slidercrank);
    }
  }
  return count;
}

}  // namespace corten::compiler
