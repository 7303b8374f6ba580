// SPDX-License-Identifier: Apache-2.0
//
// Functions for users around a step, with the meaning of MuJoCo's of the same names.
#pragma once

#include <corten/support/inertia.hpp>
#include <corten/support/jacobian.hpp>
#include <corten/support/motion.hpp>
