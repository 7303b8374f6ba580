// SPDX-License-Identifier: Apache-2.0
//
// Second derivatives of a step where it is smooth: how the gradient λ of a pullback,
// λ = (A B)' λ', changes with the inputs at constant λ'. This is what differential dynamic
// programming adds to iLQR.
//
// The columns are centred differences of exact gradients, extrapolated from two widths
// (Richardson): 4 (nx + nu) adjoints, with errors of some 1e-9 of the largest entry. Beyond the
// nearest kink, such as a contact that forms within the width, they mean nothing. Exact second
// derivatives of small models are those of a Linearizer of duals, Linearizer<Dual<double, 4>, 4>.
//
// Positions vary in the tangent space, whose frame moves along, so for free and ball joints the
// matrix is not symmetric.
#pragma once

#include <corten/derive/difference.hpp>
#include <corten/derive/linearizer.hpp>

#include <span>
#include <type_traits>

namespace corten::derive {

template <class T>
struct Curvature {
  Matrix<T> matrix;  // rows: λ and ∇u; columns: state and control
  Status status;
};

// `h` is the wider of the two steps.
template <class P = DefaultPolicies, class T>
Curvature<T> curvature(const Model<T>& model, const Data<T>& data,
                       std::type_identity_t<std::span<const T>> next, double h = 4e-4) {
  const auto m = detail::differentiated<P>(model, true);
  const int nx = 2 * model.n.nv + model.n.na, count = nx + model.n.nu;
  Curvature<T> out;
  out.matrix.setZero(count, count);
  if (!data.fits(m)) return out.status = Status{wrong_model}, out;
  if (next.size() != static_cast<std::size_t>(nx) || !(h > 0) || h > 0.01) {
    return out.status = Status{bad_argument}, out;
  }
  Linearizer<T, 8, P> linearizer(model);
  linearizer.polish = true;
  detail::Perturbed<P, T, T> moved(m, data);
  for (int c = 0; c < count; ++c) {
    const auto add = [&](const T& step, const T& weight) {
      moved.place(c, step);
      const Gradient<T>& g = linearizer.pullback(model, moved.data(), next.data());
      out.status.bits |= g.status.bits;
      for (int i = 0; i < count; ++i) {
        out.matrix(i, c) += weight * g.inputs[static_cast<std::size_t>(i)];
      }
    };
    const T wide = T(h), narrow = T(h / 2);
    add(wide, T(-1) / (T(6) * wide)), add(-wide, T(1) / (T(6) * wide));
    add(narrow, T(4) / (T(6) * narrow)), add(-narrow, T(-4) / (T(6) * narrow));
  }
  return out;
}

}  // namespace corten::derive
