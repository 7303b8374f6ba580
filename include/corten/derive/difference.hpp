// SPDX-License-Identifier: Apache-2.0
//
// The linearisation of a step by finite differences, as MuJoCo does it: the reference that exact
// derivatives are checked against. Positions are perturbed in the tangent space of the
// configuration. Except with RK4, the columns of velocity, activation and control reuse the
// position stages of the nominal state.
#pragma once

#include <corten/derive/matrices.hpp>
#include <corten/pipeline/step.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace corten::derive {

namespace detail {

// Takes steps from perturbed states. Every step starts from the state and inputs of `from`.
template <class P, class S, class T>
class Perturbed {
 public:
  Perturbed(const Model<S>& model, const Data<T>& from)
      : model_(model), from_(from), data_(from), direction_(static_cast<std::size_t>(model.n.nv)) {
    if (!has_scratch(make_ref<P>(model), data_.ref())) data_.grow(model, data_.needed());
  }

  // evaluates forward at the nominal state, whose position stages run() can then reuse
  Status nominal() {
    restore();
    return forward<P>(model_, data_);
  }

  // sets the nominal state with input `column` of (position, velocity, activation, control) moved
  // by h; a negative column moves nothing
  void place(int column, const T& h) {
    restore();
    if (column >= 0) nudge(make_ref<P>(model_), column, h);
  }

  // places the state and takes a step from it; with `reuse` the position stages are skipped
  Status run(int column, const T& h, bool reuse) {
    place(column, h);
    if (!reuse) return step<P>(model_, data_);
    const auto m = make_ref<P>(model_);
    const auto& d = data_.ref();
    if (reads_kinetic_energy(m)) read_position(m, d);
    forward_velocity(m, d);
    read_velocity(m, d);
    forward_acceleration(m, d);
    read_acceleration(m, d);
    d.status = 0;
    integrate(m, d);
    return Status{d.status};
  }

  const auto& ref() const { return data_.ref(); }

 private:
  void restore() { copy_states(from_.ref(), data_.ref()); }

  template <class M>
  void nudge(const M& m, int column, const T& h) {
    if (T* const x = input_at(m, data_.ref(), column)) {
      *x += h;
      return;
    }
    std::fill(direction_.begin(), direction_.end(), T(0));
    direction_[static_cast<std::size_t>(column)] = T(1);
    integrate_position(m, data_.ref().qpos, Field<T>{direction_.data()}, h);
  }

  const Model<S>& model_;
  const Data<T>& from_;
  Data<T> data_;
  std::vector<T> direction_;
};

}  // namespace detail

// Fills columns first … last of `out`, by forward differences with step h or centred differences
// with steps ±h. The status has bad_argument if h is not in (0, 0.01].
template <class P = DefaultPolicies, class S, class T>
void difference(const Model<S>& model, const Data<T>& data, const T& h, bool centered, int first,
                int last, Transition<T>& out) {
  if (!(h > T(0)) || h > T(0.01)) {
    out.status.bits |= bad_argument;
    return;
  }
  if (!data.fits(model)) {
    out.status.bits |= wrong_model;
    return;
  }
  const Sizes& n = model.n;
  const auto m = make_ref<P>(model);
  detail::Perturbed<P, S, T> plus(model, data), minus(model, data);
  std::vector<T> dq(static_cast<std::size_t>(n.nv));
  const T width = centered ? T(2) * h : h;
  const bool one_stage = !is_rk4(m);
  if (one_stage) out.status.bits |= plus.nominal().bits | minus.nominal().bits;
  if (!centered) out.status.bits |= minus.run(-1, T(0), false).bits;

  // columns that do not move positions come first, while the position stages are still nominal
  const auto column = [&](int c) {
    const bool reuse = one_stage && c >= n.nv;
    out.status.bits |= plus.run(c, h, reuse).bits;
    if (centered) out.status.bits |= minus.run(c, T(-h), reuse).bits;
    const auto &a = plus.ref(), &b = minus.ref();
    differentiate_position(m, b.qpos, a.qpos, width, Field<T>{dq.data()});
    for (int i = 0; i < n.nv; ++i) out.put(out.A, out.B, i, c, dq[static_cast<std::size_t>(i)]);
    for (int i = 0; i < n.nv; ++i)
      out.put(out.A, out.B, n.nv + i, c, (a.qvel[i] - b.qvel[i]) / width);
    for (int i = 0; i < n.na; ++i)
      out.put(out.A, out.B, 2 * n.nv + i, c, (a.act[i] - b.act[i]) / width);
    for (int i = 0; i < n.nsensordata; ++i) {
      out.put(out.C, out.D, i, c, (a.sensordata[i] - b.sensordata[i]) / width);
    }
  };
  for (int c = std::max(first, n.nv); c < last; ++c) column(c);
  for (int c = first; c < std::min(last, n.nv); ++c) column(c);
}

template <class P = DefaultPolicies, class S, class T>
Transition<T> difference(const Model<S>& model, const Data<T>& data, const T& h, bool centered) {
  Transition<T> out;
  out.resize(model.n);
  difference<P>(model, data, h, centered, 0, out.nx + out.nu, out);
  return out;
}

}  // namespace corten::derive
