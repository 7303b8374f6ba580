// SPDX-License-Identifier: Apache-2.0
#include <corten/mjcf/read_impl.hpp>
#include <corten/mjcf/write_impl.hpp>
