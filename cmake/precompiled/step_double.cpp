// SPDX-License-Identifier: Apache-2.0
#include <corten/precompiled.hpp>

namespace corten {
CORTEN_INSTANTIATE_MODEL(, double)
CORTEN_INSTANTIATE(, double, double)
CORTEN_INSTANTIATE_PARTS(, double)
}  // namespace corten
