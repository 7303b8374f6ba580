// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of inverse dynamics: how the force that an acceleration requires, qfrc_inverse,
// depends on position, velocity and acceleration. Constraint forces follow the acceleration, as
// inverse() has it, so the last one is the Hessian M + J' s'' J of the constraint problem.
//
//     corten::derive::InverseLinearizer<double> linearize(model);
//     const auto& t = linearize(model, data);       // at qpos, qvel and qacc of the data
//
// Analytic where the model is covered (analytic/coverage.hpp), else, and in discrete time (the flag
// invdiscrete), by dual numbers.
#pragma once

#include <corten/derive/analytic/step_slope.hpp>
#include <corten/pipeline/step.hpp>
#include <corten/scalar/dual.hpp>

#include <algorithm>
#include <array>

namespace corten::derive {

template <class T>
struct InverseSlopes {
  Matrix<T> by_position, by_velocity, by_acceleration;  // nv × nv
  Status status;
};

template <class T, int N = 8, class P = DefaultPolicies>
class InverseLinearizer {
 public:
  using D = Dual<T, N>;

  template <class S>
  explicit InverseLinearizer(const Model<S>& model)
      : value_(model), dual_(model), direction_(static_cast<std::size_t>(model.n.nv)) {
    work_.resize(model.n);
    local_.hits.resize(static_cast<std::size_t>(P::Colliders::max_hits));
    local_.pair.resize(model.n.nbody);
    for (auto* x : matrices()) x->setZero(model.n.nv, model.n.nv);
  }
  template <class S>
  explicit InverseLinearizer(const Model<S>&&) = delete;

  bool analytically = true;

  template <class S>
  const InverseSlopes<T>& operator()(const Model<S>& model, const Data<T>& data);

 private:
  std::array<Matrix<T>*, 3> matrices() {
    return {&out_.by_position, &out_.by_velocity, &out_.by_acceleration};
  }

  template <class S, class M>
  bool analyse(const Model<S>& model, const M& m, const Data<T>& data) {
    const auto& from = data.ref();
    const auto& d = value_.ref();
    copy_states(from, d);
    copy(d.qacc, from.qacc, m.n.nv);
    fill(d.xfrc_applied, 6 * m.n.nbody, T(0));
    out_.status = inverse<P>(model, value_);
    const auto& now = value_.ref();
    if (out_.status.overflow() || !analytic::stays_awake(m, now) ||
        !analytic::force_slope(m, now, dual_.ref(), work_, local_)) {
      return false;
    }
    const auto& w = work_;
    analytic::assemble_hessian(m, now, make_problem(m, now), w);
    for (int i = 0; i < w.nv; ++i) {
      for (int k = 0; k < w.nv; ++k) {
        out_.by_position(i, k) = w.row(i)[k];
        out_.by_velocity(i, k) = w.row(i)[w.velocity + k];
        out_.by_acceleration(i, k) = w.hessian[std::max(i, k) * w.nv + std::min(i, k)];
      }
    }
    return true;
  }

  // columns c … c + N of (position, velocity, acceleration)
  template <class S>
  void columns(const Model<S>& model, const Data<T>& data, int c) {
    const auto m = make_ref<P>(model);
    const int nv = model.n.nv, count = std::min(N, 3 * nv - c);
    const auto& d = dual_.ref();
    copy_states(data.ref(), d);
    std::fill(direction_.begin(), direction_.end(), D(T(0)));
    for (int i = 0; i < nv; ++i) d.qacc[i] = D(T(data.ref().qacc[i]));
    for (int k = 0; k < count; ++k) {
      const int i = (c + k) % nv, kind = (c + k) / nv;
      D& x = kind == 0   ? direction_[static_cast<std::size_t>(i)]
             : kind == 1 ? d.qvel[i]
                         : d.qacc[i];
      x.v[k] = T(1);
    }
    integrate_position(m, d.qpos, Field<D>{direction_.data()}, D(T(1)));
    out_.status.bits |= inverse<P>(model, dual_).bits;
    for (int k = 0; k < count; ++k) {
      Matrix<T>& to = *matrices()[static_cast<std::size_t>((c + k) / nv)];
      for (int i = 0; i < nv; ++i) to(i, (c + k) % nv) = dual_.ref().qfrc_inverse[i].v[k];
    }
  }

  Data<T> value_;
  Data<D> dual_;
  std::vector<D> direction_;
  analytic::Workspace<T> work_;
  analytic::Local<D> local_;
  InverseSlopes<T> out_;
};

template <class T, int N, class P>
template <class S>
const InverseSlopes<T>& InverseLinearizer<T, N, P>::operator()(const Model<S>& model,
                                                               const Data<T>& data) {
  auto m = make_ref<P>(model);
  out_.status = !data.fits(m) || !dual_.fits(m) ? Status{wrong_model}
                : !covers<P>(m)                 ? Status{not_covered}
                                                : Status{};
  if (!out_.status.ok()) return out_;
  if constexpr (analytic::may_cover<T, N, P>) {
    // neither actuators nor applied forces are part of it, nor does the state advance
    m.opt.disableflags |= disable_actuation;
    m.opt.integrator = static_cast<int>(Integrator::euler);
    if (analytically && !m.opt.enabled(enable_invdiscrete) && analytic::covers_model(m, N) &&
        analyse(model, m, data)) {
      return out_;
    }
  }
  for (int c = 0; c < 3 * model.n.nv && !out_.status.overflow(); c += N) columns(model, data, c);
  return out_;
}

#ifdef CORTEN_EXTERN_DUAL
extern template const InverseSlopes<double>& InverseLinearizer<double, 8>::operator()(
    const Model<double>&, const Data<double>&);
#endif

}  // namespace corten::derive
