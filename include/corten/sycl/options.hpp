// SPDX-License-Identifier: Apache-2.0
//
// Which device a batch runs on, and how much memory it may use there.
#pragma once

#include <cstdint>

namespace corten {

struct DeviceOptions {
  enum class Kind { any, gpu, cpu };
  Kind kind = Kind::any;           // any: a GPU if there is one, else whatever SYCL offers
  std::uint64_t memory_limit = 0;  // bytes; 0: the limit that the device reports
  int index = 0;                   // which of several; after the last comes the first again
  int team = 0;                    // threads that solve a world; 0: a warp on a GPU, else one
};

}  // namespace corten
