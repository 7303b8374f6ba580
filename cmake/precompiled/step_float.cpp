// SPDX-License-Identifier: Apache-2.0
#include <corten/precompiled.hpp>

namespace corten {
CORTEN_INSTANTIATE_MODEL(, float)
CORTEN_INSTANTIATE(, float, float)
CORTEN_INSTANTIATE(, double, float)
CORTEN_INSTANTIATE_PARTS(, float)
}  // namespace corten
