// SPDX-License-Identifier: Apache-2.0
//
// Queries for users: inertia, Jacobians, motions, rays and distances. They mean the same as
// MuJoCo's functions of the same names.
#pragma once

#include <corten/query/inertia.hpp>
#include <corten/query/jacobian.hpp>
#include <corten/query/motion.hpp>
#include <corten/query/scene.hpp>
