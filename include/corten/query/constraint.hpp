// SPDX-License-Identifier: Apache-2.0
//
// Products with the Jacobian J of the constraint rows, which maps joint velocities to the
// velocities of the rows and, transposed, forces of the rows to joint forces. Call them after
// forward. They return bad_argument if a vector has the wrong size: nv in joint space, data.nefc()
// for rows.
#pragma once

#include <corten/query/views.hpp>

namespace corten {

// out = J x
template <class SM, class S>
Status mul_jac(const Model<SM>& model, const Data<S>& data, Out<S> out, In<S> x) {
  if (!data.fits(model)) return Status{wrong_model};
  const int nv = model.n.nv, rows = data.nefc();
  if (!detail::has_size(out, rows) || !detail::has_size(x, nv)) return Status{bad_argument};
  const auto y = detail::field_of(out);
  const auto v = detail::field_of(x);
  for (int r = 0; r < rows; ++r) {
    y[r] = S(0);
    for (int i = 0; i < nv; ++i) y[r] += data.ref().efc_J[r * nv + i] * v[i];
  }
  return {};
}

// out = J' f
template <class SM, class S>
Status mul_jac_t(const Model<SM>& model, const Data<S>& data, Out<S> out, In<S> f) {
  if (!data.fits(model)) return Status{wrong_model};
  const int nv = model.n.nv, rows = data.nefc();
  if (!detail::has_size(out, nv) || !detail::has_size(f, rows)) return Status{bad_argument};
  const auto y = detail::field_of(out);
  const auto force = detail::field_of(f);
  fill(y, nv, S(0));
  for (int r = 0; r < rows; ++r) {
    for (int i = 0; i < nv; ++i) y[i] += data.ref().efc_J[r * nv + i] * force[r];
  }
  return {};
}

}  // namespace corten
