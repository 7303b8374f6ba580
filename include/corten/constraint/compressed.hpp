// SPDX-License-Identifier: Apache-2.0
//
// Which models have compressed rows (math/row_set.hpp).
#pragma once

#include <corten/config.hpp>
#include <corten/core/enums.hpp>

namespace corten {

// Are the rows of the Jacobian compressed? The option decides, with MuJoCo's limit for "auto".
template <class M>
CORTEN_FN bool compresses_rows(const M& m) {
  const auto kind = static_cast<JacobianKind>(m.opt.jacobian);
  return kind == JacobianKind::sparse || (kind == JacobianKind::automatic && m.n.nv >= 60);
}

}  // namespace corten
