// SPDX-License-Identifier: Apache-2.0
//
// Muscles: force = peak · (FL(L) FV(V) activation + FP(L)), pulling. Lengths are in units of the
// optimal length, which follows from the lengths that the actuator can have (lengthrange) and
// `range`. MuJoCo documentation, Modeling, "Muscles". Parameters are
//
//   range[2] force scale lmin lmax vmax fpmax fvmax
//
// If `force` is negative, the peak force is scale / acc0.
#pragma once

#include <corten/actuator/common.hpp>

namespace corten {

namespace detail {

// active force over length: a bump between lmin and lmax made of four parabolas, 1 at length 1
template <class S>
CORTEN_FN S muscle_length_curve(const S& length, const S& lmin, const S& lmax) {
  const S a = S(0.5) * (lmin + S(1)), b = S(0.5) * (S(1) + lmax), least = S(min_value);
  const S up = (length - lmin) / max(least, S(a - lmin));
  const S before = (S(1) - length) / max(least, S(S(1) - a));
  const S after = (length - S(1)) / max(least, S(b - S(1)));
  const S down = (lmax - length) / max(least, S(lmax - b));
  const S rising = select(length <= a, S(S(0.5) * up * up), S(S(1) - S(0.5) * before * before));
  const S falling = select(length <= b, S(S(1) - S(0.5) * after * after), S(S(0.5) * down * down));
  return select(lmin <= length && length <= lmax, select(length <= S(1), rising, falling), S(0));
}

// active force over velocity: 0 at full shortening speed, 1 at rest, up to fvmax
template <class S>
CORTEN_FN S muscle_velocity_curve(const S& velocity, const S& fvmax) {
  const S y = fvmax - S(1), shorten = velocity + S(1), rest = y - velocity;
  const S longer = select(velocity <= y, S(fvmax - rest * rest / max(S(min_value), y)), fvmax);
  return select(velocity <= S(-1), S(0), select(velocity <= S(0), S(shorten * shorten), longer));
}

template <class S>
CORTEN_FN S muscle_velocity_slope(const S& velocity, const S& fvmax) {
  const S y = fvmax - S(1);
  const S longer = select(velocity <= y, S(S(2) * (y - velocity) / max(S(min_value), y)), S(0));
  return select(velocity <= S(-1), S(0),
                select(velocity <= S(0), S(S(2) * (velocity + S(1))), longer));
}

// passive force over length: none below 1, then a parabola, then a line
template <class S>
CORTEN_FN S muscle_passive_curve(const S& length, const S& lmax, const S& fpmax) {
  const S b = S(0.5) * (S(1) + lmax), unit = max(S(min_value), S(b - S(1)));
  const S x = (length - S(1)) / unit, beyond = (length - b) / unit;
  const S curve = select(length <= b, S(S(0.5) * x * x), S(S(0.5) + beyond));
  return select(length <= S(1), S(0), S(fpmax * curve));
}

// quintic step from 0 to 1 over [0, 1], with flat ends
template <class S>
CORTEN_FN S smooth_step(const S& x) {
  const S y = clamp(x, S(0), S(1));
  return y * y * y * (S(3) * y * (S(2) * y - S(5)) + S(10));
}

// the peak force of a muscle, and its length and velocity in the muscle's own units
template <class S>
struct MuscleState {
  S peak, length, velocity, speed;  // speed: the unit of velocity
};

template <class M, class D, class F>
CORTEN_FN auto muscle_state(const M& m, const D& d, int a, const F& prm) {
  using S = typename D::Scalar;
  const int out = m.actuator_outadr[a];
  const auto p = [&](int k) { return S(prm[10 * a + k]); };
  const S low = S(m.actuator_lengthrange[2 * out]), high = S(m.actuator_lengthrange[2 * out + 1]);
  const S optimum = (high - low) / max(S(min_value), S(p(1) - p(0)));
  MuscleState<S> state;
  state.peak =
      value(prm[10 * a + 2]) < 0 ? S(p(3) / max(S(min_value), S(m.actuator_acc0[out]))) : p(2);
  state.length = p(0) + (d.actuator_length[out] - low) / max(S(min_value), optimum);
  state.speed = max(S(min_value), S(optimum * p(6)));
  state.velocity = d.actuator_velocity[out] / state.speed;
  return state;
}

}  // namespace detail

struct MuscleActuator {
  static constexpr const char* name = "muscle";
  static constexpr DynamicsType dynamics_type = DynamicsType::muscle;
  static constexpr GainType gain_type = GainType::muscle;
  static constexpr BiasType bias_type = BiasType::muscle;

  // d act/dt of one activation at control u, with prm = tau_act, tau_deact, tausmooth and the time
  // constants of Millard et al. (2013), doi 10.1115/1.4023390. The switch between the two time
  // constants is hard, or smooth over a width of tausmooth.
  template <class S, class F>
  CORTEN_FN static S rate(const S& u, const S& act, const F& prm, int first) {
    const S speed = S(0.5) + S(1.5) * clamp(act, S(0), S(1));
    const S on = S(prm[first]) * speed, off = S(prm[first + 1]) / speed;
    const S excess = clamp(u, S(0), S(1)) - act;
    S tau = select(excess > S(0), on, off);
    const auto width = value(prm[first + 2]);
    if (width >= static_cast<decltype(width)>(min_value)) {
      tau = off + (on - off) * detail::smooth_step(S(excess / S(prm[first + 2]) + S(0.5)));
    }
    return excess / max(S(min_value), tau);
  }

  template <class M, class D>
  CORTEN_FN static void rates(const M& m, const D& d, int a) {
    using S = typename D::Scalar;
    const int i = m.actuator_actadr[a] + m.actuator_actnum[a] - 1;
    d.act_dot[i] =
        rate(S(d.work_nu[m.actuator_ctrladr[a]]), S(d.act[i]), m.actuator_dynprm, 10 * a);
  }

  template <class M, class D>
  CORTEN_FN static auto gain(const M& m, const D& d, int a) {
    using S = typename D::Scalar;
    const auto& prm = m.actuator_gainprm;
    const auto state = detail::muscle_state(m, d, a, prm);
    const S fl = detail::muscle_length_curve(state.length, S(prm[10 * a + 4]), S(prm[10 * a + 5]));
    const S fv = detail::muscle_velocity_curve(state.velocity, S(prm[10 * a + 8]));
    return S(-state.peak * fl * fv);
  }

  template <class M, class D>
  CORTEN_FN static auto gain_slope(const M& m, const D& d, int a) {
    using S = typename D::Scalar;
    const auto& prm = m.actuator_gainprm;
    const auto state = detail::muscle_state(m, d, a, prm);
    const S fl = detail::muscle_length_curve(state.length, S(prm[10 * a + 4]), S(prm[10 * a + 5]));
    const S fv = detail::muscle_velocity_slope(state.velocity, S(prm[10 * a + 8]));
    return S(-state.peak * fl * fv / state.speed);
  }

  template <class M, class D>
  CORTEN_FN static auto bias(const M& m, const D& d, int a) {
    using S = typename D::Scalar;
    const auto& prm = m.actuator_biasprm;
    const auto state = detail::muscle_state(m, d, a, prm);
    const S fp = detail::muscle_passive_curve(state.length, S(prm[10 * a + 5]), S(prm[10 * a + 7]));
    return S(-state.peak * fp);
  }
};

}  // namespace corten
