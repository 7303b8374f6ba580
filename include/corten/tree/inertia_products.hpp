// SPDX-License-Identifier: Apache-2.0
//
// Products with the inertia matrix and with its inverse.
#pragma once

#include <corten/math/tree_ldl.hpp>

namespace corten {

// in place: x = M⁻¹ x
template <class M, class D, class X>
CORTEN_FN void solve_M(const M& m, const D& d, const X& x) {
  tree_solve(m, m.n.nv, d.qLD, d.qLDiagInv, x);
}

// y = M x
template <class M, class D, class X, class Y>
CORTEN_FN void multiply_M(const M& m, const D& d, const X& x, const Y& y) {
  tree_multiply(m, m.n.nv, d.M, x, y);
}

}  // namespace corten
