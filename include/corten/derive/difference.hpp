// SPDX-License-Identifier: Apache-2.0
//
// The linearisation of a step by finite differences, as MuJoCo does it: the reference that exact
// derivatives are checked against. Positions are perturbed in the tangent space of the
// configuration. Except with RK4, the columns of velocity, activation and control reuse the
// position stages of the nominal state.
#pragma once

#include <corten/derive/matrices.hpp>
#include <corten/derive/polish.hpp>
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
  Perturbed(const ModelRef<S, P>& m, const Data<T>& from)
      : m_(m), from_(from), data_(from), direction_(static_cast<std::size_t>(m.n.nv)) {
    if (!has_scratch(m, data_.ref())) data_.grow(m, data_.needed());
  }

  // evaluates forward at the nominal state, whose position stages run() can then reuse
  Status nominal() {
    restore();
    return forward(m_, data_);
  }

  // sets the nominal state with input `column` of (position, velocity, activation, control) moved
  // by h; a negative column moves nothing
  void place(int column, const T& h) {
    restore();
    if (column >= 0) nudge(column, h);
  }

  // places the state and takes a step from it; with `reuse` the position stages are skipped
  Status run(int column, const T& h, bool reuse) {
    place(column, h);
    if (!reuse) {
      // trees that sleep do so in the place that they have been moved to
      fill(data_.ref().tree_rest, data_.ref().n.nsleep, 0);
      return step(m_, data_);
    }
    const auto& d = data_.ref();
    if (reads_kinetic_energy(m_)) read_position(m_, d);
    forward_velocity(m_, d);
    read_velocity(m_, d);
    forward_acceleration(m_, d);
    read_acceleration(m_, d);
    d.status = 0;
    corten::detail::integrate_alone(m_, d);
    return Status{d.status};
  }

  const auto& ref() const { return data_.ref(); }
  const Data<T>& data() const { return data_; }

 private:
  void restore() { copy_states(from_.ref(), data_.ref()); }

  void nudge(int column, const T& h) {
    if (T* const x = input_at(m_, data_.ref(), column)) {
      *x += h;
      return;
    }
    std::fill(direction_.begin(), direction_.end(), T(0));
    direction_[static_cast<std::size_t>(column)] = T(1);
    integrate_position(m_, data_.ref().qpos, Field<T>{direction_.data()}, h);
  }

  const ModelRef<S, P> m_;
  const Data<T>& from_;
  Data<T> data_;
  std::vector<T> direction_;
};

}  // namespace detail

namespace detail {

// why these differences cannot be taken
template <class P, class S, class T>
Status check_difference(const ModelRef<S, P>& m, const Data<T>& data, const T& h, int first,
                        int last, const Transition<T>& out) {
  if (!data.fits(m)) return Status{wrong_model};
  if (!covers<P>(m)) return Status{not_covered};
  if (!corten::detail::advances(m)) return Status{bad_timestep};
  const bool columns = first >= 0 && first <= last && last <= out.nx + out.nu;
  const bool fits = out.fits(m.n) && columns && h > T(0) && !(h > T(0.01));
  return fits ? Status{} : Status{bad_argument};
}

}  // namespace detail

// Fills columns first to before last of `out`, by forward differences with step h or centred
// differences with steps ±h, of steps that are polished or not (polish.hpp). The status has
// bad_argument if h is not in (0, 0.01], or there are no such columns in `out`.
template <class P = DefaultPolicies, class S, class T>
void difference(const Model<S>& model, const Data<T>& data, const T& h, bool centered, int first,
                int last, Transition<T>& out, bool polish = false) {
  const auto m = detail::differentiated<P>(model, polish);
  if (Status s = detail::check_difference(m, data, h, first, last, out); !s) {
    out.status.bits |= s.bits;
    return;
  }
  const Sizes& n = model.n;
  detail::Perturbed<P, S, T> plus(m, data), minus(m, data);
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
    for (int i = 0; i < out.ns; ++i) {
      out.put(out.C, out.D, i, c, (a.sensordata[i] - b.sensordata[i]) / width);
    }
  };
  for (int c = std::max(first, n.nv); c < last; ++c) column(c);
  for (int c = first; c < std::min(last, n.nv); ++c) column(c);
}

template <class P = DefaultPolicies, class S, class T>
Transition<T> difference(const Model<S>& model, const Data<T>& data, const T& h, bool centered,
                         bool polish = false, bool sensors = true) {
  Transition<T> out;
  out.resize(model.n, sensors);
  difference<P>(model, data, h, centered, 0, out.nx + out.nu, out, polish);
  return out;
}

}  // namespace corten::derive
