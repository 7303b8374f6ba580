// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of steps.
#pragma once

#include <corten/derive/curvature.hpp>
#include <corten/derive/difference.hpp>
#include <corten/derive/inverse.hpp>
#include <corten/derive/linearizer.hpp>
#include <corten/derive/parameters.hpp>
#include <corten/derive/polish.hpp>
#include <corten/derive/position.hpp>
#include <corten/derive/pullback.hpp>
#include <corten/derive/rollout.hpp>
#include <corten/derive/smooth.hpp>
#include <corten/derive/transition.hpp>
#include <corten/derive/validate.hpp>
