// SPDX-License-Identifier: Apache-2.0
//
// The factorisation of the inertia matrix, and solves and products with it. factor() writes qLD
// qLDiagInv.
#pragma once

#include <corten/core/status.hpp>
#include <corten/math/tree_ldl.hpp>
#include <corten/stage/awake.hpp>

namespace corten {

template <class M, class D>
CORTEN_FN void factor(const M& m, const D& d) {
  each_run(m, d, [&](const Run& r) {
    const Dofs entries = inertia_entries(m, r);
    copy(d.qLD.from(entries.first), d.M.from(entries.first), entries.end - entries.first);
    const auto ok = tree_factor(m, {r.dof, r.dof_end}, d.qLD, d.qLDiagInv);
    if (!all(ok)) d.status = d.status | bad_inertia;
  });
}

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
