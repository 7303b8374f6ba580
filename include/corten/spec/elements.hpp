// SPDX-License-Identifier: Apache-2.0
//
// All elements of a spec. Each is a plain struct whose members are named after the MJCF attributes.
// The comment after a member is MuJoCo's default, which the compiler applies.
#pragma once

#include <corten/spec/asset.hpp>
#include <corten/spec/body.hpp>
#include <corten/spec/equality.hpp>
#include <corten/spec/fields.hpp>
#include <corten/spec/flex.hpp>
#include <corten/spec/global.hpp>
#include <corten/spec/keywords.hpp>
#include <corten/spec/parts.hpp>
#include <corten/spec/skin.hpp>
#include <corten/spec/soft.hpp>
