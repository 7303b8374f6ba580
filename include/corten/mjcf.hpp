// SPDX-License-Identifier: Apache-2.0
//
// From MJCF text to a Model: reading a Spec, editing it, compiling it.
#pragma once

#include <corten/compile/compile.hpp>
#include <corten/mjcf/read.hpp>
#include <corten/mjcf/write.hpp>
#include <corten/spec/spec.hpp>
#include <corten/version.hpp>
