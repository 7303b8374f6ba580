// SPDX-License-Identifier: Apache-2.0
//
// Queries for users: contacts, inertia, Jacobians, motions, rays and distances. Where MuJoCo has
// functions of the same names, they mean the same.
#pragma once

#include <corten/query/contacts.hpp>
#include <corten/query/inertia.hpp>
#include <corten/query/jacobian.hpp>
#include <corten/query/motion.hpp>
#include <corten/query/scene.hpp>
