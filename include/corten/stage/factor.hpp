// SPDX-License-Identifier: Apache-2.0
//
// The factorisation of the inertia matrix. factor() writes qLD qLDiagInv.
#pragma once

#include <corten/core/status.hpp>
#include <corten/math/tree_ldl.hpp>
#include <corten/tree/awake.hpp>

namespace corten {

template <class M, class D>
CORTEN_FN void factor(const M& m, const D& d, const Run& r) {
  const Dofs entries = inertia_entries(m, r);
  copy(d.qLD.from(entries.first), d.M.from(entries.first), entries.end - entries.first);
  const auto ok = tree_factor(m, {r.dof, r.dof_end}, d.qLD, d.qLDiagInv);
  if (!all(ok)) d.status = d.status | bad_inertia;
}
template <class M, class D>
CORTEN_FN void factor(const M& m, const D& d) {
  each_run(m, d, [&](const Run& r) { factor(m, d, r); });
}

}  // namespace corten
