// SPDX-License-Identifier: Apache-2.0
//
// Selects the integrator by the model's option, among those that evaluate the forces once. RK4
// evaluates them four times, so step() calls it directly.
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

// Advances the state by the accelerations, with the model's integrator, which is one of Methods.
// Returns in which lanes this succeeded. If it failed in some lane, the status has singular_step
// and the state of that lane is meaningless.
template <class Methods, class M, class D>
CORTEN_FN auto integrate_by(const M& m, const D& d) {
  auto ok = all_lanes<typename D::Scalar>();
  Methods::visit(m.opt.integrator, [&](auto method) {
    if constexpr (method != Integrator::rk4) ok = detail::integrate_by(method, m, d);
  });
  if (!all(ok)) d.status = d.status | singular_step;
  return ok;
}
template <class M, class D>
CORTEN_FN auto integrate(const M& m, const D& d) {
  return integrate_by<typename M::Policies::Integrators>(m, d);
}

template <class M>
CORTEN_FN bool is_rk4(const M& m) {
  return m.opt.integrator == static_cast<int>(Integrator::rk4);
}

}  // namespace corten
