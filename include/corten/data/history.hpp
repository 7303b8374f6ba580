// SPDX-License-Identifier: Apache-2.0
//
// Histories: the last n samples of a control or of a sensor reading, each with its time. They are
// kept in data.history and so are part of the state. The memory layout is MuJoCo's:
//
//   user, cursor, times (n), values (n × dim)
//
// `user` is a number for the owner's use. `cursor` is the slot of the newest sample in this ring
// buffer; the oldest sample is in the slot after it, wrapping around at the end. Worlds in lanes
// may be at different times, so each lane is processed on its own.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/math/field.hpp>
#include <corten/scalar/lanes.hpp>

namespace corten {

// how many numbers a history occupies
CORTEN_FN constexpr int history_size(int samples, int dim) { return 2 + samples * (1 + dim); }

namespace detail {

// access to the number of one world: the whole scalar, or one lane of it
struct WholeScalar {
  template <class S>
  CORTEN_FN S get(const S& x) const {
    return x;
  }
  template <class S>
  CORTEN_FN void set(S& x, const S& y) const {
    x = y;
  }
};
struct OneLane {
  int lane;
  template <class S>
  CORTEN_FN auto get(const S& x) const {
    return LaneTraits<S>::get(x, lane);
  }
  template <class S, class T>
  CORTEN_FN void set(S& x, const T& y) const {
    LaneTraits<S>::set(x, lane, y);
  }
};

template <class S, class F>
CORTEN_FN void each_world(F&& f) {
  if constexpr (has_lanes<S>) {
    for (int lane = 0; lane < lane_count<S>; ++lane) f(OneLane{lane});
  } else {
    f(WholeScalar{});
  }
}

// The history of one world. Samples are numbered from 0, the oldest, to n - 1, the newest.
template <class F, class W>
struct HistoryView {
  F data;
  int n, dim;
  W world;

  CORTEN_FN auto number(int i) const { return world.get(data[i]); }
  CORTEN_FN int slot(int sample) const {
    return (static_cast<int>(value(number(1))) + 1 + sample) % n;
  }
  CORTEN_FN auto time(int sample) const { return number(2 + slot(sample)); }
  CORTEN_FN int address(int sample) const { return 2 + n + dim * slot(sample); }
  CORTEN_FN auto sample(int k, int component) const { return number(address(k) + component); }

  // the first sample at or after t; n if t is after the newest
  template <class T>
  CORTEN_FN int find(const T& t) const {
    const auto when = value(t);
    if (when <= value(time(0))) return 0;
    if (when > value(time(n - 1))) return n;
    int low = 0, high = n - 1;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (value(time(middle)) < when ? low : high) = middle;
    }
    return high;
  }
  template <class T>
  CORTEN_FN bool is_at(int sample, const T& t) const {
    const auto when = value(t);
    return abs(when - value(time(sample))) < static_cast<decltype(when)>(min_value);
  }

  // Makes room for a sample at time t and returns the address for its values. A sample at the same
  // time is replaced; otherwise the oldest one is dropped. Times arrive in order unless the clock
  // was set back, in which case older samples are shifted.
  template <class T>
  CORTEN_FN int insert(const T& t) const {
    const int i = find(t);
    if (i < n && is_at(i, t)) return address(i);
    if (i == n) world.set(data[1], decltype(number(1))(slot(0)));
    const int place = i == n ? n - 1 : (i == 0 ? 0 : i - 1);
    for (int k = 0; k < place && i < n; ++k) {
      world.set(data[2 + slot(k)], time(k + 1));
      for (int c = 0; c < dim; ++c) world.set(data[address(k) + c], sample(k + 1, c));
    }
    world.set(data[2 + slot(place)], t);
    return address(place);
  }

  // slope of a component at a sample: Catmull-Rom, from its two neighbours; 0 at the ends
  CORTEN_FN auto slope(int k, int component) const {
    using T = decltype(number(0));
    if (k == 0 || k == n - 1) return T(0);
    return T((sample(k + 1, component) - sample(k - 1, component)) / (time(k + 1) - time(k - 1)));
  }

  // component c between samples i - 1 and i
  template <class T>
  CORTEN_FN T between(int i, const T& t, Interpolation how, int c) const {
    const T before = sample(i - 1, c), after = sample(i, c);
    if (how == Interpolation::zoh) return before;
    const T dt = time(i) - time(i - 1), x = (t - time(i - 1)) / dt;
    if (how == Interpolation::linear) return before + x * (after - before);
    // cubic Hermite polynomials
    const T x2 = x * x, x3 = x2 * x;
    return (T(2) * x3 - T(3) * x2 + T(1)) * before + (x3 - T(2) * x2 + x) * dt * slope(i - 1, c) +
           (T(3) * x2 - T(2) * x3) * after + (x3 - x2) * dt * slope(i, c);
  }

  // the values at time t; constant before the oldest and after the newest sample
  template <class T, class O>
  CORTEN_FN void read(const T& t, Interpolation how, const O& out) const {
    const auto when = value(t);
    const auto close = static_cast<decltype(when)>(min_value);
    int at = -1, i = 0;
    if (when <= value(time(0)) + close) {
      at = 0;
    } else if (when >= value(time(n - 1)) - close) {
      at = n - 1;
    } else {
      i = find(t);
      if (is_at(i, t)) at = i;
    }
    for (int c = 0; c < dim; ++c) {
      world.set(out[c], at >= 0 ? sample(at, c) : between(i, t, how, c));
    }
  }
};

template <class F, class W>
HistoryView(F, int, int, W) -> HistoryView<F, W>;

}  // namespace detail

// stores the values at time t in the history that starts at data[0]
template <class F, class S, class V>
CORTEN_FN void push_history(const F& data, int samples, int dim, const S& t, const V& values) {
  detail::each_world<S>([&](auto world) {
    const int address = detail::HistoryView{data, samples, dim, world}.insert(world.get(t));
    for (int c = 0; c < dim; ++c) world.set(data[address + c], world.get(values[c]));
  });
}

// reads the values at time t into out[0] … out[dim - 1]
template <class F, class S, class O>
CORTEN_FN void read_history(const F& data, int samples, int dim, const S& t, Interpolation how,
                            const O& out) {
  detail::each_world<S>([&](auto world) {
    detail::HistoryView{data, samples, dim, world}.read(world.get(t), how, out);
  });
}

// sets all values to zero; the caller then writes the times, in ascending order
template <class F, class S>
CORTEN_FN void clear_history(const F& data, int samples, int dim, const S& user) {
  data[0] = user;
  data[1] = S(samples - 1);
  for (int i = 0; i < samples * dim; ++i) data[2 + samples + i] = S(0);
}

// The initial histories of a world: samples of zero, one timestep or sampling period apart, the
// newest just before the start.
template <class M, class D>
CORTEN_FN void reset_histories(const M& m, const D& d) {
  using S = typename D::Scalar;
  if (m.n.nhistory == 0) return;
  const S h = S(m.opt.timestep);
  for (int a = 0; a < m.n.nactuator; ++a) {
    const int n = m.actuator_history[2 * a];
    if (n == 0) continue;
    const auto data = d.history.from(m.actuator_historyadr[a]);
    clear_history(data, n, 1, S(0));
    for (int k = 0; k < n; ++k) data[2 + k] = S(-(n - k)) * h;
  }
  for (int i = 0; i < m.n.nsensor; ++i) {
    const int n = m.sensor_history[2 * i];
    if (n == 0) continue;
    const auto data = d.history.from(m.sensor_historyadr[i]);
    const S period = S(m.sensor_interval[2 * i]), phase = S(m.sensor_interval[2 * i + 1]);
    const bool periodic = value(m.sensor_interval[2 * i]) > 0;
    const S last = value(m.sensor_interval[2 * i + 1]) == 0 ? S(-period) : phase;
    clear_history(data, n, m.sensor_dim[i], periodic ? last : S(-h));
    for (int k = 0; k < n; ++k) {
      // periodic samples lie on the grid of timesteps
      const S before = last - S(n - 1 - k) * period;
      data[2 + k] = periodic ? S(-floor(S(-before / h)) * h) : S(S(-(n - k)) * h);
    }
  }
}

}  // namespace corten
