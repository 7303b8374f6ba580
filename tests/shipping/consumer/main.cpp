// SPDX-License-Identifier: Apache-2.0
//
// All headers can be included and what is small compiles in a moment; with corten::precompiled a
// model is read by the library. Whole programs from headers alone are tested by noexcept.cpp.
#include <corten/corten.hpp>

#include <cstdio>

int main() {
  const corten::Quat<double> half = corten::axis_angle(corten::Vec3<double>(0, 0, 1), 1.5);
  const corten::Vec3<double> x = corten::to_matrix(half) * corten::Vec3<double>(1, 0, 0);
  std::printf("corten %d: %.3f %.3f\n", CORTEN_VERSION, x[0], x[1]);
  if (x[1] < 0.99 || x[1] > 1) return 1;
#ifdef CORTEN_EXTERN_TEMPLATES
  const auto model = corten::load_string(
      "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  if (model->n.nv != 6) return 1;
#endif
  return 0;
}
