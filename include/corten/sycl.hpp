// SPDX-License-Identifier: Apache-2.0
//
// Many worlds of one model on a SYCL device.
//
//     corten::DeviceBatch<float>    worlds in the memory of a device, stages as kernels
//     corten::AutoBatch<float>      the same if there is a GPU, else on CPU threads
//
// Compile files that include this for SYCL (target corten::sycl, CMake function corten_sycl).
// Without SYCL there is no DeviceBatch, and an AutoBatch always runs on the CPU, so the source of a
// program stays the same.
#pragma once

#include <corten/sycl/auto_batch.hpp>
