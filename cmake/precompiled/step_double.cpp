// SPDX-License-Identifier: Apache-2.0
#include <corten/precompiled.hpp>

namespace corten {
CORTEN_INSTANTIATE(, double, double)
}
