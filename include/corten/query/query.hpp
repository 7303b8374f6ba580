// SPDX-License-Identifier: Apache-2.0
//
// Queries for users: contacts, constraint rows, inertia, Jacobians, motions, rays and distances.
// Where MuJoCo has functions of the same names, they mean the same. Data of another model and ids
// out of range are refused: by a Status where results go to spans, by an Error where they are
// returned. The functions on views check nothing.
#pragma once

#include <corten/query/constraint.hpp>
#include <corten/query/contacts.hpp>
#include <corten/query/flex_ray.hpp>
#include <corten/query/inertia.hpp>
#include <corten/query/jacobian.hpp>
#include <corten/query/motion.hpp>
#include <corten/query/scene.hpp>
#include <corten/query/softs.hpp>
