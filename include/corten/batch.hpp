// SPDX-License-Identifier: Apache-2.0
//
// Many worlds of one model.
#pragma once

#include <corten/batch/batch.hpp>
#include <corten/batch/lanes.hpp>
