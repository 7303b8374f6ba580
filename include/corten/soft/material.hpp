// SPDX-License-Identifier: Apache-2.0
//
// Materials of soft bodies: Young's modulus (Pa), Poisson's ratio, density (kg/m³), friction, how
// thick a cloth or a chain of it usually is (m), and which share of the bending stiffness of a
// solid piece it has: fibres and links slide along each other. Typical values; give `young` and the
// others to override them one by one.
#pragma once

#include <string_view>

namespace corten {

struct SoftMaterial {
  const char* name;
  double young, poisson, density, friction, thickness, bending = 1;
};

inline constexpr SoftMaterial soft_materials[] = {
    // cloths
    {"cotton", 1e7, 0.3, 400, 0.5, 0.0005, 0.1},
    {"silk", 5e6, 0.3, 300, 0.3, 0.0002, 0.1},
    {"leather", 1e8, 0.4, 900, 0.6, 0.002},
    {"rubber", 1e6, 0.49, 1100, 0.9, 0.002},
    {"paper", 2e9, 0.3, 800, 0.4, 0.0001},
    {"membrane", 1e6, 0.45, 1000, 0.2, 0.001},
    // solids
    {"gelatin", 1e4, 0.45, 1050, 0.3, 0.01},
    {"tissue", 2e4, 0.45, 1050, 0.4, 0.01},
    {"muscle", 5e4, 0.45, 1060, 0.4, 0.01},
    {"foam", 3e4, 0.2, 60, 0.6, 0.01},
    {"stiff", 1e7, 0.3, 1200, 0.5, 0.01},
    // chains
    {"rope", 5e8, 0.3, 900, 0.5, 0.02, 1e-4},
    {"cable", 2e11, 0.3, 7850, 0.3, 0.01, 1e-3},
    {"hair", 3e9, 0.35, 1300, 0.3, 0.0001},
    {"chain", 1e9, 0.3, 7800, 0.4, 0.02, 1e-6},
};

// null if there is no such material
inline const SoftMaterial* find_soft_material(std::string_view name) {
  for (const SoftMaterial& m : soft_materials) {
    if (name == m.name) return &m;
  }
  return nullptr;
}

}  // namespace corten
