// SPDX-License-Identifier: Apache-2.0
//
// The version. The headers are the product, so these macros are the source of truth: CMake and Conan read them.
#pragma once

#define CORTEN_VERSION_MAJOR 0
#define CORTEN_VERSION_MINOR 1
#define CORTEN_VERSION_PATCH 0

// one comparable integer: 100 * (100 * major + minor) + patch
#define CORTEN_VERSION \
  (10000 * CORTEN_VERSION_MAJOR + 100 * CORTEN_VERSION_MINOR + CORTEN_VERSION_PATCH)

// the MuJoCo version whose behaviour is the reference
#define CORTEN_MUJOCO_VERSION "3.12.0"
