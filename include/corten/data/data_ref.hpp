// SPDX-License-Identifier: Apache-2.0
//
// DataRef: what stages see of the data of one world. A view of fields; the layout says how the memory
// lies. Trivially copyable, so it can be a kernel argument.
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
