// SPDX-License-Identifier: Apache-2.0
#include <corten/compile/compile_impl.hpp>
