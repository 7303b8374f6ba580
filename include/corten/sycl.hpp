// SPDX-License-Identifier: Apache-2.0
//
// Many worlds of one model on a SYCL device.
//
//     corten::DeviceBatch<float>    worlds in the memory of a device, one kernel for a whole step
//     corten::AutoBatch<float>      the same on a device where there is one, else on CPU threads
//
// A file that includes this is compiled for SYCL (target corten::sycl, add_sycl_to_target).
// Elsewhere there is no DeviceBatch, and an AutoBatch always runs on the CPU: the text of a program
// stays the same.
#pragma once

#include <corten/sycl/auto_batch.hpp>
