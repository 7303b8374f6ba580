// SPDX-License-Identifier: Apache-2.0
//
// Functions for users around a step, with the meaning of MuJoCo's of the same names.
#pragma once

#include <corten/query/inertia.hpp>
#include <corten/query/jacobian.hpp>
#include <corten/query/motion.hpp>
#include <corten/query/scene.hpp>
