// SPDX-License-Identifier: Apache-2.0
//
// All of corten. Smaller: dynamics.hpp (from a Model to motion), mjcf.hpp (from text to a Model),
// fwd.hpp (names only).
#pragma once

#include <corten/dynamics.hpp>
#include <corten/load.hpp>
#include <corten/mjcf.hpp>
#include <corten/save.hpp>
#include <corten/version.hpp>

#ifdef CORTEN_EXTERN_TEMPLATES
#include <corten/precompiled.hpp>
#endif
