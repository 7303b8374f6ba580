// SPDX-License-Identifier: Apache-2.0
//
// The version. CMake and Conan read it from these macros.
#pragma once

#define CORTEN_VERSION_MAJOR 0
#define CORTEN_VERSION_MINOR 1
#define CORTEN_VERSION_PATCH 0

// As one integer, to compare: 100 * (100 * major + minor) + patch.
#define CORTEN_VERSION \
  (10000 * CORTEN_VERSION_MAJOR + 100 * CORTEN_VERSION_MINOR + CORTEN_VERSION_PATCH)

// The MuJoCo version that serves as the reference.
#define CORTEN_MUJOCO_VERSION "3.12.0"
