// SPDX-License-Identifier: Apache-2.0
//
// DataRef: the data of one world as stages see it. It is a view: a pointer per field, and a layout
// that says how far apart the numbers of a field are. Trivially copyable, so it can be passed to a
// kernel.
#pragma once

#include <corten/core/status.hpp>
#include <corten/data/capacity.hpp>
#include <corten/data/fields.hpp>
#include <corten/math/field.hpp>

namespace corten {

template <class S, class L = Contiguous>
struct DataRef {
  using Scalar = S;
  using Primal = primal_t<S>;
  using Layout = L;

  DataSizes n;

#define X(type, name, meaning) Cell<type> name;
  CORTEN_DATA_CELLS(X)
#undef X
#define X(type, name, rows, width, meaning) Field<type, L> name;
  CORTEN_DATA_FIELDS(X)
#undef X
};

// the capacity with which the last pass would have had enough room
template <class D>
CORTEN_FN Capacity capacity_needed(const D& d) {
  const Capacity counted{.contacts = d.ncon_needed,
                         .rows = d.nefc_needed,
                         .pairs = d.near_needed,
                         .hits = d.nhit_needed,
                         .entries = d.nJ_needed,
                         .weighted = d.nY_needed,
                         .hessian = d.nH_needed,
                         .factor = d.nF_needed};
  return join(d.n.capacity(), counted);
}

// the sizes of the data with counts instead of capacities
template <class D>
CORTEN_FN DataSizes sizes_in_use(const D& d) {
  DataSizes n = d.n;
  n.nconmax = d.ncon;
  n.njmax = d.nefc;
  if (n.compressed()) {
    n.njnz = d.nJ;
    n.nrun = d.nJ > 0 ? int(d.nrun) : 0;
  }
  return n;
}

}  // namespace corten
