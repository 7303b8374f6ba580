// SPDX-License-Identifier: Apache-2.0
//
// Expands <motor>, <position> and the other shortcuts into the parameters of <general>. Each
// function works on an actuator with all ten parameters present, those of its class where it gives
// none; a shortcut uses these as defaults.
#pragma once

#include <cmath>
#include <string>

#include <corten/core/optional.hpp>
#include <corten/spec/actuator.hpp>

namespace corten::spec::shortcuts {

inline bool is_set(const Optional<Numbers<2>>& range) {
  return range && ((*range)[0] != 0 || (*range)[1] != 0);
}

inline bool is_negative(const Optional<Numbers<2>>& range) {
  return range && ((*range)[0] < 0 || (*range)[1] < 0);
}

inline constexpr const char* one_time_constant = "timeconst takes one number";

inline void set_types(Actuator& a, GainType gain, BiasType bias) {
  a.gaintype = gain;
  a.biastype = bias;
}

// direct drive
CORTEN_COLD Result<void> motor(Actuator& a) {
  a.gainprm.values[0] = 1;
  a.dyntype = DynamicsType::none;
  set_types(a, GainType::fixed, BiasType::none);
  return {};
}

// biasprm[2] of a servo: -kv, or a positive damping ratio, which the compiler turns into -kv
CORTEN_COLD Result<void> servo_damping(Actuator& a) {
  if (a.kv && a.dampratio) return Error("kv and dampratio cannot both be given");
  if (a.kv && *a.kv < 0) return Error("kv cannot be negative");
  if (a.dampratio && *a.dampratio < 0) return Error("dampratio cannot be negative");
  if (a.kv) a.biasprm.values[2] = -*a.kv;
  if (a.dampratio) a.biasprm.values[2] = *a.dampratio;
  return {};
}

// position servo: force = kp (ctrl - length) - kv velocity
CORTEN_COLD Result<void> position(Actuator& a) {
  const double kp = a.kp.value_or(a.gainprm[0]);
  a.gainprm.values[0] = kp;
  a.biasprm.values[1] = -kp;
  if (auto done = servo_damping(a); !done) return done;
  if (a.timeconst) {
    if (a.timeconst.count > 1) return Error(one_time_constant);
    if (a.timeconst[0] < 0) return Error("timeconst cannot be negative");
    a.dynprm.values[0] = a.timeconst[0];
    a.dyntype = a.timeconst[0] == 0 ? DynamicsType::none : DynamicsType::filterexact;
  }
  if (a.inheritrange.value_or(0) > 0 && is_set(a.ctrlrange)) {
    return Error("ctrlrange and inheritrange cannot both be given");
  }
  set_types(a, GainType::fixed, BiasType::affine);
  return {};
}

// A position servo whose set point is the integral of the control. MuJoCo 3.12 ignores errors in
// the servo part, and leaves the types unset then; so does this, so that models mean the same.
CORTEN_COLD Result<void> intvelocity(Actuator& a) {
  static_cast<void>(position(a));
  a.dyntype = DynamicsType::integrator;
  if (a.inheritrange.value_or(0) > 0 && is_set(a.actrange)) {
    return Error("actrange and inheritrange cannot both be given");
  }
  return {};
}

// orientation servo: torque = kp log(current⁻¹ target) - kv velocity
CORTEN_COLD Result<void> orientation(Actuator& a) {
  const double kp = a.kp.value_or(a.gainprm[0]);
  a.gainprm.values[0] = kp;
  a.biasprm.values[1] = -kp;
  if (auto done = servo_damping(a); !done) return done;
  set_types(a, GainType::so3, BiasType::so3);
  a.dyntype = DynamicsType::none;
  return {};
}

// servo with an integral term, a rate limit on the set point, and up to three inputs
CORTEN_COLD Result<void> pid(Actuator& a) {
  const bool same = a.dyntype == DynamicsType::pid;
  const double kp = a.kp.value_or(-a.biasprm[1]);
  const double ki = a.ki.value_or(same ? a.gainprm[0] : 0);
  const double imax = a.imax.value_or(same ? a.dynprm[0] : 0);
  const double slewmax = a.slewmax.value_or(same ? a.dynprm[1] : 0);
  if (a.posrange) a.ctrlrange = a.posrange;
  a.biasprm.values[1] = -kp;
  if (auto done = servo_damping(a); !done) return done;
  if (slewmax < 0) return Error("slewmax cannot be negative");
  a.gainprm.values[0] = ki;
  a.dynprm.values[1] = slewmax;
  a.dyntype = ki != 0 || slewmax != 0 ? DynamicsType::pid : DynamicsType::none;
  if (ki != 0) a.dynprm.values[0] = imax;
  if (a.inheritrange.value_or(0) > 0 && is_set(a.ctrlrange)) {
    return Error("posrange and inheritrange cannot both be given");
  }
  set_types(a, GainType::pid, BiasType::affine);
  return {};
}

// velocity servo: force = kv (ctrl - velocity)
CORTEN_COLD Result<void> velocity(Actuator& a) {
  const double kv = a.kv.value_or(a.gainprm[0]);
  a.gainprm.values[0] = kv;
  a.biasprm = Leading<10>::all(Numbers<10>{0, 0, -kv});
  a.dyntype = DynamicsType::none;
  set_types(a, GainType::fixed, BiasType::affine);
  return {};
}

// force = -kv velocity ctrl
CORTEN_COLD Result<void> damper(Actuator& a) {
  const double kv = a.kv.value_or(a.gaintype == GainType::affine ? -a.gainprm[2] : 0);
  a.gainprm = Leading<10>::all(Numbers<10>{0, 0, -kv});
  a.ctrllimited = Tristate::yes;
  a.dyntype = DynamicsType::none;
  set_types(a, GainType::affine, BiasType::none);
  if (kv < 0) return Error("the damping coefficient kv cannot be negative");
  if (is_negative(a.ctrlrange)) return Error("the ctrlrange of a damper cannot be negative");
  return {};
}

// pneumatic or hydraulic: filtered pressure times area
CORTEN_COLD Result<void> cylinder(Actuator& a) {
  if (a.timeconst.count > 1) return Error(one_time_constant);
  if (a.timeconst) a.dynprm.values[0] = a.timeconst[0];
  if (a.area) a.gainprm.values[0] = *a.area;
  const double diameter = a.diameter.value_or(-1);
  if (diameter >= 0) a.gainprm.values[0] = 3.14159265358979323846 / 4 * diameter * diameter;
  for (std::size_t k = 0; k < 3 && a.bias; ++k) a.biasprm.values[k] = (*a.bias)[k];
  a.dyntype = DynamicsType::filter;
  set_types(a, GainType::fixed, BiasType::affine);
  return {};
}

// a given number, if not negative; else the muscle's own default in place of that of <general>
inline void muscle_parameter(double& out, double general, double own, double given) {
  if (out == general) out = own;
  if (given >= 0) out = given;
}

CORTEN_COLD Result<void> muscle(Actuator& a) {
  if (a.tausmooth.value_or(a.dynprm[2]) < 0) return Error("tausmooth cannot be negative");
  if (a.timeconst.count == 1) return Error("timeconst of a muscle takes two numbers");
  const Numbers<2> tau = a.timeconst.value_or({-1, -1});
  const Numbers<2> range = a.range.value_or(Numbers<2>{-1, -1});
  muscle_parameter(a.dynprm.values[0], 1, 0.01, tau[0]);
  muscle_parameter(a.dynprm.values[1], 0, 0.04, tau[1]);
  if (a.tausmooth) a.dynprm.values[2] = *a.tausmooth;
  double* prm = a.gainprm.values.data();
  muscle_parameter(prm[0], 1, 0.75, range[0]);
  muscle_parameter(prm[1], 0, 1.05, range[1]);
  muscle_parameter(prm[2], 0, -1, a.force.value_or(-1));
  muscle_parameter(prm[3], 0, 200, a.scale.value_or(-1));
  muscle_parameter(prm[4], 0, 0.5, a.lmin.value_or(-1));
  muscle_parameter(prm[5], 0, 1.6, a.lmax.value_or(-1));
  muscle_parameter(prm[6], 0, 1.5, a.vmax.value_or(-1));
  muscle_parameter(prm[7], 0, 1.3, a.fpmax.value_or(-1));
  muscle_parameter(prm[8], 0, 1.2, a.fvmax.value_or(-1));
  for (std::size_t k = 0; k < 9; ++k) a.biasprm.values[k] = prm[k];
  a.dyntype = DynamicsType::muscle;
  set_types(a, GainType::muscle, BiasType::muscle);
  return {};
}

// A gear multiplies the gain. This is an extension, and only a gear on the element itself counts:
// in MuJoCo, classes may set a gear, which adhesion ignores.
CORTEN_COLD Result<void> adhesion(Actuator& a, double own_gear) {
  const double gain = a.gain.value_or(a.gainprm[0]);
  a.gainprm.values[0] = gain * own_gear;
  a.ctrllimited = Tristate::yes;
  set_types(a, GainType::fixed, BiasType::none);
  if (gain < 0) return Error("the gain of an adhesion cannot be negative");
  if (is_negative(a.ctrlrange)) return Error("the ctrlrange of an adhesion cannot be negative");
  return {};
}

// ---- dcmotor: MuJoCo documentation, "DC motor" --------------------------------------------------

// K and R, from the constants or from data sheet values (voltage, stall torque, no-load speed)
CORTEN_COLD Result<void> motor_constants(Actuator& a, bool same) {
  const Numbers<2> constants = a.motorconst.value_or({same ? a.gainprm[1] : 0, 0});
  const Numbers<3> nominal = a.nominal.value_or({0, 0, 0});
  const double kt = constants[0], volts = nominal[0], stall = nominal[1], speed = nominal[2];
  double ke = constants[1], r = a.resistance.value_or(same ? a.gainprm[0] : 0);
  const double b = a.damping.value_or({0, 0, 0})[0];

  // speed = volts ke / (ke² + r b)
  if (volts > 0 && ke <= 0 && speed > 0) {
    ke = volts / speed;
    if (b > 0 && r > 0) {
      const double disc = volts * volts - 4 * r * b * speed * speed;
      if (disc > 0) ke = (volts + std::sqrt(disc)) / (2 * speed);
    } else if (b > 0 && stall > 0) {
      const double exact = volts / speed - volts * b / stall;
      if (exact > 0) ke = exact;
    }
  }
  const double k = kt > 0 && ke > 0 ? std::sqrt(kt * ke) : (kt > 0 ? kt : ke);
  if (r == 0 && volts > 0 && stall > 0 && k > 0) r = k * volts / stall;
  if (k <= 0) return Error("the motor constant must be positive: give motorconst, or nominal");
  if (r <= 0) return Error("the resistance must be positive: give resistance, or nominal");
  a.gainprm.values[0] = r;
  a.gainprm.values[1] = k;
  return {};
}

// the controller, the limits of torque (as a forcerange) and of the current's rate, and cogging
CORTEN_COLD void motor_controller(Actuator& a, bool same) {
  const double kept = same ? 1 : 0;
  Numbers<10>& gain = a.gainprm.values;
  Numbers<10>& dyn = a.dynprm.values;
  const Numbers<6> c = a.controller.value_or({kept * gain[4], kept * gain[5], kept * gain[6],
                                              kept * dyn[7], kept * dyn[8], kept * gain[7]});
  for (std::size_t k = 0; k < 3; ++k) gain[4 + k] = c[k];
  dyn[7] = c[3];
  dyn[8] = c[4];
  if (c[5] > 0) gain[7] = c[5];

  const Numbers<3> limit = a.saturation.value_or({0, 0, kept * dyn[1]});
  if (limit[0] > 0 || limit[1] > 0) {
    const double torque = limit[0] == 0 && limit[1] > 0 ? gain[1] * limit[1] : limit[0];
    a.forcerange = Numbers<2>{-torque, torque};
    a.forcelimited = Tristate::yes;
  }
  if (limit[2] > 0) dyn[1] = limit[2];

  const Numbers<3> cogging =
      a.cogging.value_or({kept * a.biasprm[0], kept * a.biasprm[1], kept * a.biasprm[2]});
  for (std::size_t k = 0; k < 3; ++k) a.biasprm.values[k] = cogging[k];
}

// electrical time constant, heat, friction; `states` is the number of activations that they need
CORTEN_COLD Result<void> motor_states(Actuator& a, bool same, int& states) {
  const double kept = same ? 1 : 0;
  Numbers<10>& gain = a.gainprm.values;
  Numbers<10>& dyn = a.dynprm.values;
  const Numbers<2> l = a.inductance.value_or({0, kept * dyn[0]});
  if (l[0] < 0) return Error("the inductance cannot be negative");
  if (l[1] < 0) return Error("the electrical time constant cannot be negative");
  const Numbers<6> heat = a.thermal.value_or(
      {kept * dyn[2], kept * dyn[3], 0, kept * gain[2], kept * gain[3], kept * dyn[4]});
  const Numbers<5> lugre = a.lugre.value_or({kept * dyn[5], kept * dyn[6], kept * a.biasprm[3],
                                             kept * a.biasprm[4], kept * a.biasprm[5]});
  dyn[0] = l[0] > 0 ? l[0] / gain[0] : l[1];
  states = int(dyn[0] > 0) + int(dyn[7] > 0) + int(gain[5] > 0);

  if (heat[0] > 0 || heat[1] > 0 || heat[2] > 0) {
    double resistance = heat[0], capacitance = heat[1];
    if (heat[2] > 0 && resistance > 0 && capacitance == 0) capacitance = heat[2] / resistance;
    if (heat[2] > 0 && capacitance > 0 && resistance == 0) resistance = heat[2] / capacitance;
    if (resistance <= 0) return Error("the thermal resistance must be positive");
    if (capacitance <= 0) return Error("the thermal capacitance must be positive");
    dyn[2] = resistance;
    dyn[3] = capacitance;
    dyn[4] = heat[5];
    gain[2] = heat[3];
    gain[3] = heat[4];
    ++states;
  }
  if (lugre[0] > 0) {
    dyn[5] = lugre[0];
    dyn[6] = lugre[1];
    for (std::size_t k = 0; k < 3; ++k) a.biasprm.values[3 + k] = lugre[2 + k];
    ++states;
  }
  return {};
}

// A motor inherits parameters and inputs from its class only if that is a motor too.
CORTEN_COLD Result<void> dcmotor(Actuator& a, bool own_input) {
  const bool same = a.gaintype == GainType::dcmotor;
  if (!same && !own_input) a.input.reset();
  if (auto done = motor_constants(a, same); !done) return done;
  motor_controller(a, same);
  int states = 0;
  if (auto done = motor_states(a, same, states); !done) return done;
  a.dyntype = DynamicsType::dcmotor;
  set_types(a, GainType::dcmotor, BiasType::dcmotor);
  a.gainprm.values[8] = 0;
  a.actdim = states;
  a.actlimited = Tristate::no;  // a single range cannot fit states of different units
  a.actearly = true;
  return {};
}

// removes all attributes of the shortcut; only their effect remains
CORTEN_COLD void forget(Actuator& a) {
  const Actuator blank;
  a.kind = Actuator::Kind::general;
  a.kp = a.kv = a.dampratio = a.ki = a.imax = a.slewmax = blank.kp;
  a.area = a.diameter = a.gain = a.resistance = a.tausmooth = a.force = a.scale = blank.kp;
  a.lmin = a.lmax = a.vmax = a.fpmax = a.fvmax = blank.kp;
  a.posrange = a.range = blank.posrange;
  a.bias = blank.bias;
  a.motorconst = a.inductance = a.timeconst = blank.motorconst;
  a.nominal = a.saturation = a.cogging = blank.nominal;
  a.controller = a.thermal = blank.controller;
  a.lugre = blank.lugre;
}

}  // namespace corten::spec::shortcuts
