// SPDX-License-Identifier: Apache-2.0
#include <corten/precompiled.hpp>

namespace corten {
CORTEN_INSTANTIATE(, float, float)
CORTEN_INSTANTIATE(, double, float)
}  // namespace corten
