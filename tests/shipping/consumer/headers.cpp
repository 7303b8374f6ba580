// SPDX-License-Identifier: Apache-2.0
//
// Headers only: all of them can be included, and what is small compiles in a moment. Whole programs
// from headers are in odr_main.cpp and noexcept.cpp.
#include <corten/corten.hpp>

#include <cstdio>

int main() {
  const corten::Quat<double> half = corten::axis_angle(corten::Vec3<double>(0, 0, 1), 1.5);
  const corten::Vec3<double> x = corten::to_matrix(half) * corten::Vec3<double>(1, 0, 0);
  std::printf("corten %d: %.3f %.3f\n", CORTEN_VERSION, x[0], x[1]);
  return x[1] > 0.99 && x[1] < 1 ? 0 : 1;
}
