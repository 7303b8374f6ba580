// SPDX-License-Identifier: Apache-2.0
//
// How a Spec is made, copied and destroyed, with all its elements: apart from spec.hpp so that
// corten::precompiled can compile it once.
#pragma once

#include <corten/spec/spec.hpp>

namespace corten {

CORTEN_HOST Spec::Spec() {
  defaults.emplace_back();
  defaults[0].name = "main";
  world.name = "world";
}

CORTEN_HOST Spec::Spec(const Spec&) = default;
CORTEN_HOST Spec::Spec(Spec&&) noexcept = default;
CORTEN_HOST Spec& Spec::operator=(const Spec&) = default;
CORTEN_HOST Spec& Spec::operator=(Spec&&) noexcept = default;
CORTEN_HOST Spec::~Spec() = default;

}  // namespace corten
