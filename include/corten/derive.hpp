// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of steps.
#pragma once

#include <corten/derive/difference.hpp>
#include <corten/derive/linearizer.hpp>
#include <corten/derive/polish.hpp>
#include <corten/derive/transition.hpp>
#include <corten/derive/validate.hpp>
