// SPDX-License-Identifier: Apache-2.0
#include <corten/compile/compile_impl.hpp>
#include <corten/load_impl.hpp>
#include <corten/mjcf/read_impl.hpp>
