// SPDX-License-Identifier: Apache-2.0
//
// Stages and pipelines: everything from a Model to motion. No files, no text.
#pragma once

#include <corten/data/state.hpp>
#include <corten/model/bytes.hpp>
#include <corten/pipeline/step.hpp>
#include <corten/query/query.hpp>
#include <corten/scalar/dual.hpp>
#include <corten/version.hpp>
