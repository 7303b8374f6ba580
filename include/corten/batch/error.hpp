// SPDX-License-Identifier: Apache-2.0
//
// What can go wrong with a whole batch, as opposed to one of its worlds: that is a Status. All
// batches report in the same way, whether threads, lanes or a device step them. After device_lost
// or buffer_readback the worlds are half updated: reset them or make a new batch.
#pragma once

#include <corten/core/result.hpp>

#include <cstdint>
#include <string>

namespace corten {

struct BatchError : Error {
  enum class Kind {
    wrong_size,              // a matrix, a count or data does not fit the batch; nothing was done
    no_such_world,           // an index is out of range; nothing was done
    no_such_key,             // the model has no such keyframe; nothing was done
    wrong_model,             // an edited model has another structure; nothing was done
    unsupported_integrator,  // the policies do not list the model's integrator
    not_available,           // no such device, or it has no double precision
    batch_too_large,         // the worlds do not fit into memory
    device_lost,             // the device failed while it was working
    kernel_compilation,      // the kernel could not be compiled for this device
    buffer_readback          // results could not be copied back
  };

  Kind kind;

  // for batch_too_large: bytes required (the largest number if they cannot be counted) and
  // available
  std::uint64_t worlds = 0, required = 0, limit = 0;

  CORTEN_COLD BatchError(Kind what, const Error& error) : Error(error), kind(what) {}
  CORTEN_COLD BatchError(Kind what, std::string_view text, std::string_view hint = {})
      : Error({}, "batch", text, hint), kind(what) {}
};

// What the members of a batch return.
template <class T = void>
using BatchResult = Result<T, BatchError>;

}  // namespace corten
