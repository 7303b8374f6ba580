// SPDX-License-Identifier: Apache-2.0
//
// The inertia matrix for users: as a dense matrix, times a vector, and its inverse times vectors.
// Call these after forward_position. They return bad_argument if a span has the wrong size.
#pragma once

#include <corten/query/views.hpp>
#include <corten/tree/inertia_products.hpp>

namespace corten {

// M, nv × nv
template <class SM, class S>
Status full_m(const Model<SM>& model, const Data<S>& data, Out<S> out) {
  if (!data.fits(model)) return Status{wrong_model};
  const int nv = model.n.nv;
  if (!detail::has_size(out, nv * nv)) return Status{bad_argument};
  const auto m = make_ref<void>(model);
  const auto full = detail::field_of(out);
  fill(full, nv * nv, S(0));
  for (int i = 0; i < nv; ++i) {
    for (int k = m.M_rowadr[i]; k < m.M_rowadr[i] + m.M_rownnz[i]; ++k) {
      const int j = m.M_colind[k];
      full[i * nv + j] = full[j * nv + i] = data.ref().M[k];
    }
  }
  return {};
}

// out = M x
template <class SM, class S>
Status mul_m(const Model<SM>& model, const Data<S>& data, Out<S> out, In<S> x) {
  if (!data.fits(model)) return Status{wrong_model};
  if (!detail::has_size(out, model.n.nv) || !detail::has_size(x, model.n.nv)) {
    return Status{bad_argument};
  }
  multiply_M(make_ref<void>(model), data.ref(), detail::field_of(x), detail::field_of(out));
  return {};
}

// x = M⁻¹ x in place, for each of the vectors that x contains one after the other
template <class SM, class S>
Status solve_m(const Model<SM>& model, const Data<S>& data, Out<S> x) {
  if (!data.fits(model)) return Status{wrong_model};
  const int nv = model.n.nv;
  if (nv == 0 || x.size() % static_cast<std::size_t>(nv) != 0) {
    return x.empty() ? Status{} : Status{bad_argument};
  }
  const auto m = make_ref<void>(model);
  const int count = static_cast<int>(x.size()) / nv;
  for (int k = 0; k < count; ++k) solve_M(m, data.ref(), detail::field_of(x).from(k * nv));
  return {};
}

}  // namespace corten
