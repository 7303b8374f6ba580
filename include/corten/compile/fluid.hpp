// SPDX-License-Identifier: Apache-2.0
//
// The parameters of a geom in the ellipsoid fluid model: its coefficients, and the mass and inertia
// of the fluid that moves with it (Lamb, Hydrodynamics, chapter 5). See MuJoCo documentation, Fluid
// forces, "Ellipsoid model".
#pragma once

#include <corten/compile/draft.hpp>

#include <algorithm>
#include <cmath>

namespace corten::compiler {

namespace detail {

// ∫ a b c / sqrt((a² + l)³ (b² + l) (c² + l)) dl over l > 0, with l = scale x³ / (1 - x)², by the
// Gauss-Kronrod rule of 15 points. Nodes and weights have eight digits as in MuJoCo; with more, the
// result would differ from MuJoCo's in the ninth digit.
CORTEN_COLD double added_mass_kappa(double a, double b, double c) {
  static constexpr double nodes[8] = {0.00427231, 0.02544604, 0.06756779, 0.12923441,
                                      0.20695638, 0.29707742, 0.39610752, 0.5};
  static constexpr double weights[8] = {0.01146766, 0.03154605, 0.05239501, 0.07032663,
                                        0.08450236, 0.09517529, 0.10221647, 0.10474107};
  const double scale = std::pow(a * a * a * b * c, 0.4);
  double sum = 0;
  for (int i = 0; i < 15; ++i) {
    const int k = std::min(i, 14 - i);
    const double x = i < 8 ? nodes[k] : 1 - nodes[k], y = 1 - x;
    const double l = scale * x * x * x / (y * y), rate = x * x * (3 - x) / (y * y * y);
    const double p = 1 + l / (a * a), q = (1 + l / (b * b)) * (1 + l / (c * c));
    sum += scale * rate / (p * std::sqrt(p * q)) * weights[k];
  }
  return sum / (a * a);
}

// inertia factor about the axis perpendicular to b and c, whose kappas are kb and kc
inline double added_inertia_factor(double b, double c, double kb, double kc) {
  const double difference = b * b - c * c, sum = b * b + c * c;
  return difference * difference * std::abs(kc - kb) /
         std::max(tiny, std::abs(2 * difference + sum * (kb - kc)));
}

}  // namespace detail

// Writes geom_fluid: on or off; coefficients of blunt, slender and rotational drag, Kutta and
// Magnus lift; added mass along and added inertia about each axis.
CORTEN_COLD void write_fluid(Model<double>& m, int g, const spec::Geom& e, const Vec3d& semiaxes) {
  if (e.fluidshape.value_or(spec::FluidShape::none) != spec::FluidShape::ellipsoid) return;
  const Vec3d& s = semiaxes;
  const double volume = 4.0 / 3.0 * 3.14159265358979323846 * s[0] * s[1] * s[2];
  double kappa[3];
  for (int k = 0; k < 3; ++k) {
    kappa[k] = detail::added_mass_kappa(s[k], s[(k + 1) % 3], s[(k + 2) % 3]);
  }

  double* out = m.geom_fluid.data() + 12 * g;
  const spec::Numbers<5> coef = e.fluidcoef.value_or({0.5, 0.25, 1.5, 1, 1});
  *out++ = 1;
  for (std::size_t k = 0; k < 5; ++k) *out++ = coef[k];
  for (double k : kappa) *out++ = volume * k / std::max(tiny, 2 - k);
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    *out++ = volume * detail::added_inertia_factor(s[i], s[j], kappa[i], kappa[j]) / 5;
  }
}

}  // namespace corten::compiler
