// SPDX-License-Identifier: Apache-2.0
//
// pullback(model, data, λ') applies the adjoint of a step: from the gradient λ' of a cost by the
// next state it returns those by state, control and parameters, λ = A'λ', B'λ' and E'λ'. Neither A
// nor B is formed (Linearizer::pullback says for which integrators).
#pragma once

#include <corten/derive/linearizer.hpp>
#include <corten/derive/parameters.hpp>

#include <span>
#include <type_traits>

namespace corten::derive {

// Adds E'λ' to a gradient.
template <class T>
void pull_parameters(const Matrix<T>& E, std::span<const T> next, std::vector<T>& out) {
  out.resize(static_cast<std::size_t>(E.cols()));
  for (Eigen::Index i = 0; i < E.rows(); ++i) {
    for (Eigen::Index k = 0; k < E.cols(); ++k) {
      out[static_cast<std::size_t>(k)] += next[static_cast<std::size_t>(i)] * E(i, k);
    }
  }
}

// The status has bad_argument if λ' has another size than the state, 2 nv + na. For many steps keep
// a Linearizer and a ParameterLinearizer.
template <class P = DefaultPolicies, class T>
Gradient<T> pullback(const Model<T>& model, const Data<T>& data,
                     std::type_identity_t<std::span<const T>> next,
                     const Parameters& parameters = {}, bool polish = false) {
  Gradient<T> out;
  out.resize(model.n);
  if (next.size() != static_cast<std::size_t>(out.nx)) return out.status = {bad_argument}, out;
  Linearizer<T, 8, P> linearizer(model);
  linearizer.polish = polish;
  out = linearizer.pullback(model, data, next.data());
  if (parameters.size() == 0 || !out.status.ok()) return out;
  ParameterLinearizer<T, 8, P> by_parameters(model, parameters, polish);
  pull_parameters<T>(by_parameters(data), next, out.parameters);
  out.status.bits |= by_parameters.status().bits;
  return out;
}

}  // namespace corten::derive
