// SPDX-License-Identifier: Apache-2.0
//
// How many controls, activations and force outputs an actuator has, and what its controls mean.
// Most actuators have one control and one output; orientation servos, pid servos and motors differ.
#pragma once

#include <corten/spec/resolve.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace corten::spec {

struct ActuatorShape {
  int ctrlnum = 1, ctrlspec = 0, outnum = 1, actnum = 0;
};

inline bool is_so3(const Actuator& e) {
  return e.gaintype == GainType::so3 || e.biastype == BiasType::so3;
}

namespace detail {

inline constexpr Keyword input_words[] = {{"pos", input_pos},
                                          {"vel", input_vel},
                                          {"ff", input_ff},
                                          {"voltage", input_voltage}};

// Parses `input` into bits: a chart, none, or a subset of pos, vel, ff, voltage in this order.
CORTEN_COLD Result<void> read_input(const Actuator& e, int& spec) {
  std::string_view text = e.input ? std::string_view(*e.input) : std::string_view();
  spec = 0;
  if (text == "expmap") spec = chart_expmap;
  if (text == "quat") spec = chart_quat;
  if (text == "none") spec = input_none;
  if (spec != 0) return {};
  constexpr std::string_view space = " \t\r\n";
  int last = 0;
  for (;;) {
    const std::size_t begin = text.find_first_not_of(space);
    if (begin == std::string_view::npos) return {};
    const std::size_t end = std::min(text.find_first_of(space, begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    int bit = 0;
    for (const auto& k : input_words) {
      if (k.word == word) bit = k.value;
    }
    if (bit == 0) {
      return e.error("'" + std::string(word) + "' is not an input",
                     "use pos, vel, ff, voltage; or none, expmap or quat alone");
    }
    if (bit <= last) return e.error("inputs must be distinct, in the order pos vel ff voltage");
    last = bit;
    spec |= bit;
  }
}

inline int count_bits(int spec) {
  int count = 0;
  for (const auto& k : input_words) count += (spec & k.value) != 0 ? 1 : 0;
  return count;
}

// an orientation servo: three or four controls, three forces
CORTEN_COLD Result<void> so3_shape(const Actuator& e, ActuatorShape& out) {
  const auto dynamics = e.dyntype.value_or(DynamicsType::none);
  const bool integrates = dynamics == DynamicsType::integrator;
  if (e.gaintype != GainType::so3 || e.biastype != BiasType::so3) {
    return e.error("gaintype and biastype must both be so3");
  }
  if (dynamics != DynamicsType::none && !integrates) {
    return e.error("so3 needs dyntype none or integrator");
  }
  if (e.gainprm.value_or({1})[0] != -e.biasprm.value_or({})[1]) {
    return e.error("so3 needs gainprm[0] == -biasprm[1]");
  }
  const Transmission t = transmission(e);
  if (t.type == TransmissionType::site) {
    if (!e.refsite) return e.error("an so3 actuator on a site needs refsite");
  } else if (t.type != TransmissionType::joint) {
    return e.error("an so3 actuator needs a ball joint, or site and refsite");
  }
  if (out.ctrlspec == 0) out.ctrlspec = chart_expmap;
  if (e.input && *e.input != "expmap" &&
      *e.input != "quat") {  // compare words, since pid and dcmotor give the bits other meanings
    return e.error("the input of an so3 actuator must be expmap or quat");
  }
  const bool by_quat = out.ctrlspec == chart_quat;
  if (by_quat && integrates) return e.error("input quat needs dyntype none");
  if (integrates && e.actdim.value_or(-1) > 0 && *e.actdim != 3) {
    return e.error("an so3 integrator needs actdim 3");
  }
  out.ctrlnum = by_quat ? 4 : 3;
  out.outnum = 3;
  out.actnum = integrates ? 3 : 0;
  return {};
}

CORTEN_COLD Result<void> pid_shape(const Actuator& e, ActuatorShape& out) {
  const auto dynamics = e.dyntype.value_or(DynamicsType::none);
  const Numbers<10> dyn = e.dynprm.value_or({1}), gain = e.gainprm.value_or({1});
  const bool stateful = dynamics == DynamicsType::pid;
  if (e.biastype.value_or(BiasType::none) != BiasType::affine) {
    return e.error("gaintype pid needs biastype affine");
  }
  if (dynamics != DynamicsType::none && !stateful) {
    return e.error("gaintype pid needs dyntype none or pid");
  }
  if (!stateful && gain[0] != 0) return e.error("ki (gainprm[0]) needs dyntype pid");
  if (transmission(e).type == TransmissionType::body) {
    return e.error("gaintype pid cannot act on a body");
  }
  if (out.ctrlspec == 0) out.ctrlspec = input_pos | input_vel;
  if ((out.ctrlspec & ~(input_pos | input_vel | input_ff)) != 0) {
    return e.error("a pid takes only the inputs pos, vel, ff");
  }
  out.ctrlnum = count_bits(out.ctrlspec);
  if (!stateful) return {};
  if (dyn[0] < 0) return e.error("imax (dynprm[0]) cannot be negative");
  if (dyn[1] < 0) return e.error("slewmax (dynprm[1]) cannot be negative");
  if ((out.ctrlspec & input_pos) == 0) return e.error("ki and slewmax need the input pos");
  // MuJoCo 3.12 rejects the combination of both, although it has code for it
  out.actnum = int(dyn[1] > 0) + int(gain[0] > 0);
  if (out.actnum == 0) return e.error("dyntype pid needs a positive ki or slewmax");
  if (e.actdim.value_or(-1) > 0 && *e.actdim != out.actnum) {
    return e.error("actdim must be " + std::to_string(out.actnum) + " for this pid");
  }
  return {};
}

// the number of activations that a motor's parameters require (actuator/dcmotor.hpp)
inline int count_motor_states(const Numbers<10>& dyn, const Numbers<10>& gain) {
  return int(dyn[0] > 0) + int(dyn[2] > 0) + int(dyn[5] > 0) + int(dyn[7] > 0) + int(gain[5] > 0);
}

CORTEN_COLD Result<void> motor_shape(const Actuator& e, ActuatorShape& out) {
  const Numbers<10> dyn = e.dynprm.value_or({1}), gain = e.gainprm.value_or({1});
  if (out.ctrlspec == 0) out.ctrlspec = input_voltage;
  constexpr int controller = input_pos | input_vel | input_ff;
  if (out.ctrlspec != input_none && (out.ctrlspec & ~(controller | input_voltage)) != 0) {
    return e.error("a dcmotor takes input none, or some of pos, vel, ff, voltage");
  }
  const bool controlled = (out.ctrlspec & controller) != 0;
  if (controlled && gain[1] <= 0) {
    return e.error("the inputs pos, vel, ff need a positive motor constant");
  }
  if (!controlled && (gain[4] != 0 || gain[5] != 0 || gain[6] != 0)) {
    return e.error("controller gains need one of the inputs pos, vel, ff");
  }
  if (gain[5] > 0 && (out.ctrlspec & input_pos) == 0) {
    return e.error("the integral gain needs the input pos");
  }
  if (!controlled && dyn[7] > 0) return e.error("slewmax needs one of the inputs pos, vel, ff");
  out.ctrlnum = count_bits(out.ctrlspec);
  return {};
}

// the number of activations of motors, and of all actuators except so3 and pid
CORTEN_COLD Result<void> count_activations(const Actuator& e, ActuatorShape& out) {
  const auto dynamics = e.dyntype.value_or(DynamicsType::none);
  const bool stateful = dynamics != DynamicsType::none;
  const bool motor = dynamics == DynamicsType::dcmotor;
  const int actdim = e.actdim.value_or(-1);
  if (actdim > 1 && !motor && !is_user(dynamics)) {
    return e.error("actdim above 1 needs dyntype user or dcmotor");
  }
  if (actdim == 1 && !stateful) return e.error("actdim is 1 but dyntype is none");
  if (actdim == 0 && stateful && !motor) return e.error("actdim is 0 but dyntype is not none");
  out.actnum = actdim >= 0 ? actdim : (stateful && !motor ? 1 : 0);
  if (motor && !e.actearly.value_or(false)) {
    return e.error("dyntype dcmotor needs actearly=\"true\"");
  }
  const Numbers<10> dyn = e.dynprm.value_or({1}), gain = e.gainprm.value_or({1});
  const bool friction = e.biastype == BiasType::dcmotor && dyn[5] > 0;
  if (motor || e.gaintype == GainType::dcmotor || friction) {
    const int needed = count_motor_states(dyn, gain);
    if (out.actnum != needed || (needed > 0 && !motor)) {
      return e.error("the motor's parameters need dyntype dcmotor and actdim " +
                     std::to_string(needed));
    }
  }
  return {};
}

}  // namespace detail

CORTEN_COLD Result<void> actuator_shape(const Actuator& e, ActuatorShape& out) {
  const auto gain = e.gaintype.value_or(GainType::fixed);
  if (auto done = detail::read_input(e, out.ctrlspec); !done) return done;
  if (is_so3(e)) return detail::so3_shape(e, out);
  if (gain == GainType::pid) return detail::pid_shape(e, out);
  if (e.dyntype == DynamicsType::pid) return e.error("dyntype pid needs gaintype pid");
  if (gain == GainType::dcmotor) {
    if (auto done = detail::motor_shape(e, out); !done) return done;
  } else if (out.ctrlspec != 0) {
    return e.error("input is only for so3, pid and dcmotor actuators");
  }
  return detail::count_activations(e, out);
}

// the number of past controls that the actuator keeps
CORTEN_COLD Result<void> count_samples(const Actuator& e, const ActuatorShape& shape,
                                       int& samples) {
  samples = e.nsample.value_or(0);
  const double delay = e.delay.value_or(0);
  if (samples < 0) return e.error("nsample cannot be negative");
  if (samples > 1 << 24) return e.error("nsample is above 16777216");
  if (delay > 0 && samples == 0) return e.error("a delay needs a history", "give nsample");
  if ((delay > 0 || samples > 0) && shape.ctrlnum == 0) {
    return e.error("a history needs an input");
  }
  return {};
}

}  // namespace corten::spec
