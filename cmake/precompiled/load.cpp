// SPDX-License-Identifier: Apache-2.0
#include <corten/load_impl.hpp>
