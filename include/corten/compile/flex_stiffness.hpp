// SPDX-License-Identifier: Apache-2.0
//
// The stiffness of flexes whose vertices are bodies: of triangles and tetrahedra in terms of the
// squared lengths of their edges (Weischedel, "A discrete geometric view on shear-deformable shell
// models", section 4.1), and of the edges of surfaces against bending (Wardetzky et al., "Discrete
// quadratic curvature energies", and Garg et al., "Cubic shells").
#pragma once

#include <corten/compile/flex_mesh.hpp>

namespace corten::compiler::detail {

// the strain that a unit change of each squared edge length causes
CORTEN_BULK void triangle_strains(const FlexDraft& f, const int* v, double& area, Mat3d* out) {
  const Vec3d x[3] = {f.point(v[0]), f.point(v[1]), f.point(v[2])};
  area = 0.5 * norm(cross(Vec3d(x[1] - x[0]), Vec3d(x[2] - x[0])));
  for (int e = 0; e < 3; ++e) {  // from the normals of the other two edges
    const int a = (e + 1) % 3, b = (e + 2) % 3;
    const Vec3d left = x[b] - x[e], right = x[a] - x[e];
    Vec3d normal = cross(right, left);
    spec::normalized(normal);
    const Vec3d l = cross(normal, left), r = cross(right, normal);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        out[e](i, j) = (l[i] * r[j] + r[i] * l[j]) / (8 * area * area);
      }
    }
  }
}

CORTEN_BULK void tetrahedron_strains(const FlexDraft& f, const int* v, double& volume, Mat3d* out) {
  constexpr int faces[4][3] = {{2, 1, 0}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  constexpr int opposite[6][2] = {{2, 3}, {1, 3}, {2, 1}, {1, 0}, {0, 2}, {0, 3}};
  Vec3d x[4], normal[4];
  for (int k = 0; k < 4; ++k) x[k] = f.point(v[k]);
  for (int k = 0; k < 4; ++k) {
    const Vec3d& first = x[faces[k][0]];
    normal[k] = cross(Vec3d(x[faces[k][1]] - first), Vec3d(x[faces[k][2]] - first));
  }
  volume = cross(Vec3d(x[1] - x[0]), Vec3d(x[2] - x[0])).dot(x[3] - x[0]) / 6;
  for (int e = 0; e < 6; ++e) {
    const Vec3d &l = normal[opposite[e][0]], &r = normal[opposite[e][1]];
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        out[e](i, j) = (l[i] * r[j] + r[i] * l[j]) / (72 * volume * volume);
      }
    }
  }
}

// the upper triangle of the stiffness matrix of one element, row by row
CORTEN_BULK void element_stiffness(const FlexDraft& f, int elem, double young, double poisson) {
  const int* v = &at(f.elem, (f.dim + 1) * elem);
  Mat3d strain[6];
  double measure = 0, thickness = 4;
  if (f.dim == 2) {
    triangle_strains(f, v, measure, strain);
    thickness = f.spec->elasticity.thickness.value_or(-1);
  } else {
    tetrahedron_strains(f, v, measure, strain);
  }
  const double share = std::fabs(measure) / 4 * thickness;
  const double mu = young / (2 * (1 + poisson)) * share;
  const double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson)) * share;
  double* out = const_cast<double*>(&at(f.stiffness, 21 * elem));
  const int n = f.edges_per_element();
  for (int a = 0; a < n; ++a) {
    for (int b = a; b < n; ++b) {
      double both = 0;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) both += strain[a](i, j) * strain[b](j, i);
      }
      const auto trace = [](const Mat3d& m) { return m(0, 0) + m(1, 1) + m(2, 2); };
      *out++ = mu * both + lambda * trace(strain[b]) * trace(strain[a]);
    }
  }
}

inline double cotangent(const Vec3d& a, const Vec3d& b) { return a.dot(b) / norm(cross(a, b)); }

// The bending stiffness of an edge and its two triangles: 16 numbers for the positions of the four
// vertices, and one for the angle at rest.
CORTEN_BULK void bending_stiffness(const FlexDraft& f, int edge, double mu, double thickness,
                                   double* out) {
  const int* v = &at(f.flap, 4 * edge);
  if (v[3] < 0) return;
  const Vec3d x0 = f.point(v[0]), x1 = f.point(v[1]), x2 = f.point(v[2]), x3 = f.point(v[3]);
  const Vec3d along = x1 - x0, left = x2 - x0, right = x3 - x0, left1 = x2 - x1, right1 = x3 - x1;
  const double c01 = cotangent(along, left), c02 = cotangent(right, along);
  const double c11 = cotangent(left1, Vec3d(x0 - x1)), c12 = cotangent(Vec3d(x0 - x1), right1);
  const double c[4] = {c11 + c12, c01 + c02, -(c01 + c11), -(c02 + c12)};
  const double area = norm(cross(along, left)) / 2 + norm(cross(Vec3d(x0 - x1), right1)) / 2;
  const double stiffness = 3 * mu * std::pow(thickness, 3) / (24 * area);
  const Vec3d height_left = -(c11 * left + c01 * left1);
  const Vec3d height_right = -(c12 * right + c02 * right1);
  const double square = along.squaredNorm();
  const double cosine = -height_left.dot(height_right) / square;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) out[4 * i + j] = c[i] * c[j] * cosine * stiffness;
  }
  out[16] = cross(along, left).dot(right) * (c01 - c11) * (c12 - c02) * stiffness /
            (square * std::sqrt(square));
}

CORTEN_BULK void make_stiffness(FlexDraft& f) {
  const spec::FlexElasticity& e = f.spec->elasticity;
  const double young = e.young.value_or(0), poisson = e.poisson.value_or(0);
  const double thickness = e.thickness.value_or(-1);
  f.stiffness.assign(21 * static_cast<std::size_t>(f.nelem()), 0.0);
  const bool stretches =
      f.dim == 3 ||
      (f.dim == 2 && thickness > 0 &&
       (f.elastic2d() == spec::Elastic2d::stretch || f.elastic2d() == spec::Elastic2d::both));
  for (int i = 0; i < f.nelem() && stretches; ++i) element_stiffness(f, i, young, poisson);
  if (f.dim != 2 || !f.bends()) return;
  f.bending.assign(17 * static_cast<std::size_t>(f.nedge()), 0.0);
  for (int i = 0; i < f.nedge(); ++i) {
    bending_stiffness(f, i, young / (2 * (1 + poisson)), thickness, &at(f.bending, 17 * i));
  }
}

}  // namespace corten::compiler::detail
