// SPDX-License-Identifier: Apache-2.0
//
// The integrators that need one evaluation of the forces, by the option of the model. RK4, which
// evaluates them again and again, is called by step.
#pragma once

#include <corten/integrate/euler.hpp>
#include <corten/integrate/implicit.hpp>

#include <type_traits>

namespace corten {

namespace detail {

template <Integrator I>
using Method = std::integral_constant<Integrator, I>;

template <class M, class D>
CORTEN_FN auto integrate_by(Method<Integrator::implicit>, const M& m, const D& d) {
  return implicit(m, d);
}
template <class M, class D>
CORTEN_FN auto integrate_by(Method<Integrator::implicitfast>, const M& m, const D& d) {
  return implicitfast(m, d);
}
template <class M, class D>
CORTEN_FN auto integrate_by(Method<Integrator::implicitspringdamper>, const M& m, const D& d) {
  return implicitspringdamper(m, d);
}
template <class M, class D>
CORTEN_FN auto integrate_by(Method<Integrator::euler>, const M& m, const D& d) {
  euler(m, d);
  return all_lanes<typename D::Scalar>();
}

}  // namespace detail

// From accelerations to the next state. The answer says where (in which lanes) it could; elsewhere
// the status has singular_step and nothing of use was written to the state.
template <class M, class D>
CORTEN_FN auto integrate(const M& m, const D& d) {
  auto ok = all_lanes<typename D::Scalar>();
  M::Policies::Integrators::visit(m.opt.integrator, [&](auto method) {
    if constexpr (method != Integrator::rk4) ok = detail::integrate_by(method, m, d);
  });
  if (!all(ok)) d.status = d.status | singular_step;
  return ok;
}

template <class M>
CORTEN_FN bool is_rk4(const M& m) {
  return m.opt.integrator == static_cast<int>(Integrator::rk4);
}

// has the data the room that the integrator needs?
template <class M, class D>
CORTEN_FN bool has_scratch(const M& m, const D& d) {
  return d.n.nslope > 0 || !takes_slopes(m.opt.integrator);
}

}  // namespace corten
