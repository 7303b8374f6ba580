// SPDX-License-Identifier: Apache-2.0
//
// Direct-current motors: torque = K i. The current follows the voltage at once, i = (V - K ω) / R,
// or with an electrical time constant. A controller that sets the voltage, heating of the winding,
// cogging and LuGre friction are optional. MuJoCo documentation, "DC motor".
//
//   gainprm = R, K, alpha, T0, kp, ki, kd, Vmax
//   dynprm  = te, (di/dt)max, thermal resistance, capacitance, ambient temperature, sigma0, sigma1,
//             slewmax, imax
//   biasprm = cogging amplitude, periodicity, phase, Coulomb and static friction, Stribeck velocity
#pragma once

#include <corten/actuator/pid.hpp>

namespace corten {

namespace detail {

// the meaning of a motor's activations: their numbers, counted from its first one; -1: absent
struct MotorSlots {
  int slew = -1, integral = -1, temperature = -1, bristle = -1, current = -1;
  int count = 0;
};

template <class M>
CORTEN_FN MotorSlots motor_slots(const M& m, int a) {
  const auto dyn = [&](int k) { return value(m.actuator_dynprm[10 * a + k]) > 0; };
  MotorSlots out;
  if (dyn(7)) out.slew = out.count++;
  if (value(m.actuator_gainprm[10 * a + 5]) > 0) out.integral = out.count++;
  if (dyn(2)) out.temperature = out.count++;
  if (dyn(5)) out.bristle = out.count++;
  if (dyn(0)) out.current = out.count++;
  return out;
}

// the decay rate of z in LuGre friction: dz/dt = v - sigma0 |v| / g(v) z with
// g = Fc + (Fs - Fc) exp(-(v / vs)²)
template <class M, class D>
CORTEN_FN auto bristle_decay(const M& m, const D& d, int a) {
  using S = typename D::Scalar;
  const S v = d.actuator_velocity[m.actuator_outadr[a]];
  const S coulomb = S(m.actuator_biasprm[10 * a + 3]), still = S(m.actuator_biasprm[10 * a + 4]);
  const S ratio = v / max(S(min_value), S(m.actuator_biasprm[10 * a + 5]));
  const S g = coulomb + (still - coulomb) * exp(S(-ratio * ratio));
  return S(-S(m.actuator_dynprm[10 * a + 5]) * abs(v) / max(S(min_value), g));
}

// resistance of the winding at its temperature
template <class M, class D>
CORTEN_FN auto winding_resistance(const M& m, const D& d, int a, const MotorSlots& slots) {
  using S = typename D::Scalar;
  const auto gain = [&](int k) { return S(m.actuator_gainprm[10 * a + k]); };
  if (slots.temperature < 0) return gain(0);
  const S rise = d.act[m.actuator_actadr[a] + slots.temperature];
  return S(gain(0) * (S(1) + gain(2) * (rise + S(m.actuator_dynprm[10 * a + 4]) - gain(3))));
}

// The voltage at the terminals. The controller asks for a torque, as current control would:
// V = R/K torque + K velocity, within ±Vmax. The raw voltage input is added to it.
template <class M, class D>
CORTEN_FN auto motor_voltage(const M& m, const D& d, int a, const MotorSlots& slots) {
  using S = typename D::Scalar;
  const auto gain = [&](int k) { return S(m.actuator_gainprm[10 * a + k]); };
  const int out = m.actuator_outadr[a];
  const auto input = servo_inputs(m, d, a);
  S voltage = S(0);
  if ((m.actuator_ctrlspec[a] & (input_pos | input_vel | input_ff)) != 0) {
    const S velocity = d.actuator_velocity[out];
    const S z = slots.integral < 0 ? S(0) : S(d.act[m.actuator_actadr[a] + slots.integral]);
    const S torque = gain(4) * (input.pos - d.actuator_length[out]) +
                     gain(6) * (input.vel - velocity) + gain(5) * z + input.ff;
    voltage = gain(0) / gain(1) * torque + gain(1) * velocity;
    if (value(m.actuator_gainprm[10 * a + 7]) > 0) voltage = clamp(voltage, S(-gain(7)), gain(7));
  }
  return S(voltage + input.voltage);
}

}  // namespace detail

struct DcMotorActuator {
  static constexpr const char* name = "dcmotor";
  static constexpr DynamicsType dynamics_type = DynamicsType::dcmotor;
  static constexpr GainType gain_type = GainType::dcmotor;
  static constexpr BiasType bias_type = BiasType::dcmotor;
  static constexpr bool own_limits = true;

  template <class M, class D>
  CORTEN_FN static void rates(const M& m, const D& d, int a) {
    using S = typename D::Scalar;
    const auto dyn = [&](int k) { return S(m.actuator_dynprm[10 * a + k]); };
    const detail::MotorSlots slots = detail::motor_slots(m, a);
    const int first = m.actuator_actadr[a], u = m.actuator_ctrladr[a], out = m.actuator_outadr[a];
    const S velocity = d.actuator_velocity[out], k = S(m.actuator_gainprm[10 * a + 1]);

    if (slots.slew >= 0) {
      d.work_nu[u] = detail::slewed(m, d, first + slots.slew, S(d.work_nu[u]), dyn(7), S(0));
    }
    if (slots.integral >= 0) {
      const int i = first + slots.integral;
      d.act_dot[i] = detail::wound(S(d.work_nu[u] - d.actuator_length[out]), S(d.act[i]), dyn(8));
    }
    const S voltage = detail::motor_voltage(m, d, a, slots);
    const S r = detail::winding_resistance(m, d, a, slots);
    if (slots.temperature >= 0) {
      const S current =
          slots.current >= 0 ? S(d.act[first + slots.current]) : S((voltage - k * velocity) / r);
      const int i = first + slots.temperature;
      d.act_dot[i] = (r * current * current - d.act[i] / dyn(2)) / dyn(3);
    }
    if (slots.bristle >= 0) {
      const int i = first + slots.bristle;
      d.act_dot[i] = detail::bristle_decay(m, d, a) * d.act[i] + velocity;
    }
    if (slots.current >= 0) {
      const int i = first + slots.current;
      S rate = (voltage / r - k / r * velocity - d.act[i]) / dyn(0);
      if (value(m.actuator_dynprm[10 * a + 1]) > 0) rate = clamp(rate, S(-dyn(1)), dyn(1));
      d.act_dot[i] = rate;
    }
  }

  // advances current and bristle exactly, for a constant voltage and velocity
  template <class M, class D, class S>
  CORTEN_FN static S next(const M& m, const D& d, int a, int i, const S& rate) {
    const detail::MotorSlots slots = detail::motor_slots(m, a);
    const S h = S(m.opt.timestep), before = d.act[i];
    const int slot = i - m.actuator_actadr[a];
    if (slot == slots.current) {
      const S te = max(S(min_value), S(m.actuator_dynprm[10 * a]));
      return before + rate * te * (S(1) - exp(S(-h / te)));
    }
    if (slot == slots.bristle) {
      const S decay = detail::bristle_decay(m, d, a);
      const auto moving = abs(decay) > S(min_value);
      const S kept = exp(S(decay * h));
      const S gained = select(moving, S((kept - S(1)) / select(moving, decay, S(1))), h);
      return kept * before + gained * d.actuator_velocity[m.actuator_outadr[a]];
    }
    const S after = before + rate * h;
    if (slot == slots.integral && value(m.actuator_dynprm[10 * a + 8]) > 0) {
      const S limit = S(m.actuator_dynprm[10 * a + 8]);
      return clamp(after, S(-limit), limit);
    }
    return after;
  }

  // K if the current is a state, else K / R
  template <class M, class D>
  CORTEN_FN static auto gain(const M& m, const D& d, int a) {
    using S = typename D::Scalar;
    const detail::MotorSlots slots = detail::motor_slots(m, a);
    const S k = S(m.actuator_gainprm[10 * a + 1]);
    if (slots.current >= 0) return k;
    return S(k / max(S(min_value), detail::winding_resistance(m, d, a, slots)));
  }

  template <class M, class D>
  CORTEN_FN static void drive(const M& m, const D& d, int a) {
    using S = typename D::Scalar;
    const detail::MotorSlots slots = detail::motor_slots(m, a);
    const int i = m.actuator_actadr[a] + m.actuator_actnum[a] - 1;
    S input = S(0);
    if (slots.current >= 0) {
      input = m.actuator_actearly[a] ? next_activation(m, d, a, i, S(d.act_dot[i])) : S(d.act[i]);
    } else if (m.actuator_ctrlnum[a] > 0) {
      input = detail::motor_voltage(m, d, a, slots);
    }
    d.actuator_force[m.actuator_outadr[a]] = gain(m, d, a) * input;
  }

  // back electromotive force; where the current is a state, its rate contains it already
  template <class M, class D, class S>
  CORTEN_FN static S bias(const M& m, const D& d, int a, const S& gain) {
    if (value(m.actuator_dynprm[10 * a]) > 0) return S(0);
    return -gain * S(m.actuator_gainprm[10 * a + 1]) * d.actuator_velocity[m.actuator_outadr[a]];
  }

  // The slopes are MuJoCo's: at the winding's reference temperature, without the voltage limit, and
  // with only the sigma1 damping of the friction.
  template <class M, class D>
  CORTEN_FN static auto bias_slope(const M& m, const D&, int a) {
    using S = typename D::Scalar;
    const S k = S(m.actuator_gainprm[10 * a + 1]);
    if (value(m.actuator_dynprm[10 * a]) > 0) return S(0);
    return S(-k * k / max(S(min_value), S(m.actuator_gainprm[10 * a])));
  }

  template <class M, class D>
  CORTEN_FN static auto drive_slope(const M& m, const D&, int a) {
    using S = typename D::Scalar;
    const S r = max(S(min_value), S(m.actuator_gainprm[10 * a]));
    const S k = S(m.actuator_gainprm[10 * a + 1]), te = S(m.actuator_dynprm[10 * a]);
    // slope of the controller's voltage: its damping, and its compensation of the back
    // electromotive force
    const bool controlled = (m.actuator_ctrlspec[a] & (input_pos | input_vel | input_ff)) != 0;
    const S volts = controlled ? S(k - S(m.actuator_gainprm[10 * a + 6]) * r / k) : S(0);
    S slope = k * volts / r;
    if (value(m.actuator_dynprm[10 * a]) > 0) {
      slope = k * (volts - k) / r * (S(1) - exp(S(-S(m.opt.timestep) / te)));
    }
    return S(slope - max(S(0), S(m.actuator_dynprm[10 * a + 6])));
  }

  // cogging and friction are mechanical: the limit of the motor's torque does not apply to them
  template <class M, class D>
  CORTEN_FN static void late_force(const M& m, const D& d, int a) {
    using S = typename D::Scalar;
    const int out = m.actuator_outadr[a];
    const auto prm = [&](int k) { return S(m.actuator_biasprm[10 * a + k]); };
    if (!vanishes(m.actuator_biasprm[10 * a])) {
      d.actuator_force[out] += prm(0) * sin(S(prm(1) * d.actuator_length[out] + prm(2)));
    }
    const detail::MotorSlots slots = detail::motor_slots(m, a);
    if (slots.bristle < 0) return;
    const int i = m.actuator_actadr[a] + slots.bristle;
    d.actuator_force[out] -= S(m.actuator_dynprm[10 * a + 5]) * d.act[i] +
                             S(m.actuator_dynprm[10 * a + 6]) * d.act_dot[i];
  }
};

}  // namespace corten
