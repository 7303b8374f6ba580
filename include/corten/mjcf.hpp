// SPDX-License-Identifier: Apache-2.0
//
// Models as their authors write them: MJCF text to Spec, edits of a Spec, Spec to Model.
#pragma once

#include <corten/compile/compile.hpp>
#include <corten/mjcf/read.hpp>
#include <corten/mjcf/write.hpp>
#include <corten/spec/spec.hpp>
#include <corten/version.hpp>
