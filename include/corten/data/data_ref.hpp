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

}  // namespace corten
