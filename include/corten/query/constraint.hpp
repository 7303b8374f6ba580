// SPDX-License-Identifier: Apache-2.0
//
// Products with the Jacobian J of the constraint rows, which maps joint velocities to the
// velocities of the rows and, transposed, forces of the rows to joint forces. Call them after
// forward. They return bad_argument if a vector has the wrong size: nv in joint space, data.nefc()
// for rows.
#pragma once

#include <corten/constraint/rows.hpp>
#include <corten/math/row_set.hpp>
#include <corten/query/views.hpp>

namespace corten {

// out = J x
template <class SM, class S>
Status mul_jac(const Model<SM>& model, const Data<S>& data, Out<S> out, In<S> x) {
  if (!data.fits(model)) return Status{wrong_model};
  const int nv = model.n.nv, rows = data.nefc();
  if (!detail::has_size(out, rows) || !detail::has_size(x, nv)) return Status{bad_argument};
  multiply(jacobian_rows(data.ref()), rows, detail::field_of(x), detail::field_of(out));
  return {};
}

// out = J' f
template <class SM, class S>
Status mul_jac_t(const Model<SM>& model, const Data<S>& data, Out<S> out, In<S> f) {
  if (!data.fits(model)) return Status{wrong_model};
  const int nv = model.n.nv, rows = data.nefc();
  if (!detail::has_size(out, nv) || !detail::has_size(f, rows)) return Status{bad_argument};
  const auto sum = detail::field_of(out);
  fill(sum, nv, S(0));
  for (int r = 0; r < rows; ++r) {
    row_axpy(f[static_cast<std::size_t>(r)], jacobian_rows(data.ref()), r, sum);
  }
  return {};
}

}  // namespace corten
