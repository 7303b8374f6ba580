// SPDX-License-Identifier: Apache-2.0
#include <corten/precompiled.hpp>

namespace corten {
CORTEN_INSTANTIATE_MODEL(, Dual8)
CORTEN_INSTANTIATE(, Dual8, Dual8)
CORTEN_INSTANTIATE_DUAL_PARTS(, Dual8)
}  // namespace corten
