// SPDX-License-Identifier: Apache-2.0
//
// What can go wrong with a device, as opposed to a world. After a device_lost or buffer_readback
// the worlds are half updated: reset them or make a new batch, do not try again.
#pragma once

#include <cstdint>
#include <string>

namespace corten {

// the kinds of errors
enum class DeviceErrorKind {
  unsupported_integrator,  // the step has no such integrator
  not_available,       // no device of the kind that was asked for, or it has no double precision
  batch_too_large,     // the worlds do not fit into the device's memory
  device_lost,         // the device failed while it was working
  kernel_compilation,  // the kernel could not be made for this device
  buffer_readback,     // results could not be copied back
  wrong_size           // a matrix that was passed has not the size of the batch; nothing was done
};

// One of them, and what to tell the user.
struct DeviceError {
  DeviceErrorKind kind = DeviceErrorKind::not_available;
  std::string message;

  // of a batch that is too large: bytes needed (the largest number if they cannot be counted) and
  // there
  std::uint64_t worlds = 0, required = 0, limit = 0;
};

// What to run on, and how much of it.
struct DeviceOptions {
  enum class Kind { any, gpu, cpu };
  Kind kind = Kind::any;           // any: a GPU if there is one, else what SYCL has
  std::uint64_t memory_limit = 0;  // bytes; 0: what the device says
};

}  // namespace corten
