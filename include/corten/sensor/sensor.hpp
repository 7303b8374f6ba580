// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <corten/core/field.hpp>
namespace corten {
template <class M, class D> CORTEN_FN void sensor_position(const M&, const D&) {}
template <class M, class D> CORTEN_FN void sensor_velocity(const M&, const D&) {}
template <class M, class D> CORTEN_FN void sensor_acceleration(const M&, const D&) {}
}  // namespace corten
