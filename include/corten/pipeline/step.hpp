// SPDX-License-Identifier: Apache-2.0
//
// step: forward, then integrate. The functions on views (ModelRef, DataRef) allocate nothing and run
// anywhere; those on Model and Data bind policies, the default ones if none are named, and enlarge the data
// when contacts or rows do not fit.
#pragma once

#include <corten/data/data.hpp>
#include <corten/integrate/integrate.hpp>
#include <corten/integrate/rk4.hpp>
#include <corten/pipeline/forward.hpp>
#include <corten/pipeline/inverse.hpp>
#include <corten/pipeline/policies.hpp>

namespace corten {

namespace detail {

template <class F>
CORTEN_FN bool any_bad(const F& x, int n) {
  for (int i = 0; i < n; ++i) {
    if (any(is_bad(x[i]))) return true;
  }
  return false;
}

// report a bad state, and start again from the reference pose if that is wanted
template <class M, class D>
CORTEN_FN int report_bad(const M& m, const D& d, StatusBit bit, bool restart) {
  if (restart) reset_state(m, d);
  return bit;
}

}  // namespace detail

// What a step does about a bad state or acceleration: what the options of the model say, which is to reset
// it or to go on with it (as MuJoCo); or to leave the state as it is, time included, for the user to see.
enum class BadState { by_option, keep };

// each bit that a step has reported
template <class D>
CORTEN_FN void count_warnings(const D& d, int bits) {
  for (int b = 0; bits >> b != 0; ++b) d.warning[b] += bits >> b & 1;
}

namespace detail {

// histories of sensors, if the pipeline has any
template <class S, class P, class D>
CORTEN_FN void keep_readings(const ModelRef<S, P>& m, const D& d) {
  if constexpr (P::Pipeline::template has<stages::Sensing>) remember_readings(m, d);
}

template <class S, class P, class D>
CORTEN_FN Status take_step(const ModelRef<S, P>& m, const D& d, BadState policy) {
  const bool keep = policy == BadState::keep;
  const bool restart = !keep && !m.opt.disabled(disable_autoreset);
  int bits = 0;
  if (!has_scratch(m, d)) return d.status = no_scratch, Status{no_scratch};
  if (detail::any_bad(d.qpos, m.n.nq)) bits |= detail::report_bad(m, d, bad_qpos, restart);
  if (detail::any_bad(d.qvel, m.n.nv)) bits |= detail::report_bad(m, d, bad_qvel, restart);
  if (keep && bits != 0) return d.status = bits, Status{bits};
  bits |= forward(m, d).bits;
  if (Status{bits}.overflow()) return Status{bits};
  if (detail::any_bad(d.qacc, m.n.nv)) {
    bits |= detail::report_bad(m, d, bad_qacc, restart);
    if (keep) return d.status = bits, Status{bits};
    if (restart) bits |= forward(m, d).bits;
  }

  if constexpr (P::Integrators::has(Integrator::rk4)) {
    if (is_rk4(m)) {
      if (m.opt.enabled(enable_fwdinv)) compare_inverse(m, d);
      const auto evaluate = [&](const auto& model, const auto& data) {
        const Status trial = forward(model, data, false);
        bits |= trial.bits;
        return !trial.overflow();
      };
      // late sensors see what the last trial state has left, as in MuJoCo
      rk4(m, d, evaluate, [&] { keep_readings(m, d); });
      return d.status = bits, Status{bits};
    }
  }
  if (m.opt.enabled(enable_fwdinv)) compare_inverse(m, d);
  keep_readings(m, d);
  integrate(m, d);
  return d.status = bits | d.status, Status{d.status};
}

}  // namespace detail

// One timestep. On overflow of contacts or rows the state is not advanced.
template <class S, class P, class D>
CORTEN_ENTRY Status step(const ModelRef<S, P>& m, const D& d,
                         BadState policy = BadState::by_option) {
  const Status status = detail::take_step(m, d, policy);
  count_warnings(d, status.bits);
  return status;
}

namespace detail {

// run f; if contacts or rows do not fit and the data may grow, make room and run it again
template <class S, class SD, class F>
Status with_growth(const Model<S>& model, Data<SD>& data, F&& f) {
  Status status = f();
  while (status.overflow() && data.growable()) {
    data.grow(model, data.needed());
    status = f();
  }
  return status;
}

// f on views of model and data, if the policies cover the model
template <class P, class S, class SD, class F>
Status on_views(const Model<S>& model, Data<SD>& data, F&& f) {
  const auto m = make_ref<P>(model);
  if (!covers<P>(m)) return Status{not_covered};
  return with_growth(model, data, [&] { return f(m, data.ref()); });
}

}  // namespace detail

// step<MyPolicies>(model, data) takes policies of your own
template <class P = DefaultPolicies, class S, class SD>
Status forward(const Model<S>& model, Data<SD>& data) {
  return detail::on_views<P>(model, data,
                             [](const auto& m, const auto& d) { return forward(m, d); });
}

template <class P = DefaultPolicies, class S, class SD>
Status inverse(const Model<S>& model, Data<SD>& data) {
  return detail::on_views<P>(model, data,
                             [](const auto& m, const auto& d) { return inverse(m, d); });
}

template <class P = DefaultPolicies, class S, class SD>
Status step(const Model<S>& model, Data<SD>& data) {
  return detail::on_views<P>(model, data, [](const auto& m, const auto& d) { return step(m, d); });
}

}  // namespace corten
