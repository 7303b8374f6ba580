// SPDX-License-Identifier: Apache-2.0
//
// The stiffness of flexes that follow a grid of nodes: finite elements of linear elasticity, either
// one per cell or, for a shell, one per square of the surface of the grid. Constraints on strain
// use the same matrices, as their eigenvectors.
//
// Cells are often cubes, whose stiffness has multiple eigenvalues, and then rounding decides which
// eigenvectors come out. So sums and rotations are in MuJoCo's order.
#pragma once

#include <corten/compile/flex_mesh.hpp>

namespace corten::compiler::detail {

// ---- shape functions ----------------------------------------------------------------------------

inline double shape(double s, int i, int order) {
  if (order == 1) return i == 0 ? 1 - s : s;
  return i == 0 ? 2 * s * s - 3 * s + 1 : (i == 1 ? 4 * (s - s * s) : 2 * s * s - s);
}

inline double shape_slope(double s, int i, int order) {
  if (order == 1) return i == 0 ? -1 : 1;
  return i == 0 ? 4 * s - 3 : (i == 1 ? 4 * (1 - 2 * s) : 4 * s - 1);
}

// Points and weights on [0, 1]. MuJoCo 3.12 places the outer of three points at 0.5 ± 0.5 / √0.6,
// outside of the cell, where Gauss has √0.6; stiffnesses agree only with the same points.
struct Quadrature {
  int count;
  double point[3], weight[3];

  explicit Quadrature(int order) : count(order + 1) {
    if (order == 1) {
      point[0] = -0.5 / std::sqrt(3) + 0.5, point[1] = 0.5 / std::sqrt(3) + 0.5;
      weight[0] = weight[1] = 0.5;
    } else {
      const double outer = 0.5 / std::sqrt(3. / 5.);
      point[0] = 0.5, point[1] = -outer + 0.5, point[2] = outer + 0.5;
      weight[0] = 8. / 9. * 0.5, weight[1] = weight[2] = 5. / 9. * 0.5;
    }
  }
};

// ---- one element --------------------------------------------------------------------------------

// an element of the grid: a cell, or a square of its surface
struct FlexPart {
  int order = 1, nodes = 0;
  int normal = -1;  // the axis across a square; -1: a cell
  List<Vec3d> x;    // positions of its nodes
  int dofs() const { return 3 * nodes; }
  Vec3d extent() const { return x[static_cast<std::size_t>(nodes - 1)] - x[0]; }
};

// K(3 i + k, 3 j + l) -= λ ∂i_k ∂j_l + μ sym(e_k ∂i) : sym(e_l ∂j), where ∂i and ∂j are gradients
CORTEN_BULK void add_stiffness(const Vec3d* slope, const FlexPart& part, double lambda, double mu,
                               double weight, List<double>& out) {
  const int n = part.dofs();
  for (int i = 0; i < part.nodes; ++i) {
    for (int j = 0; j < part.nodes; ++j) {
      for (int k = 0; k < 3; ++k) {
        if (k == part.normal) continue;
        for (int l = 0; l < 3; ++l) {
          if (l == part.normal) continue;
          double a[3][3] = {}, b[3][3] = {}, both = 0;
          for (int c = 0; c < 3; ++c) {
            a[k][c] += slope[i][c] / 2, a[c][k] += slope[i][c] / 2;
            b[l][c] += slope[j][c] / 2, b[c][l] += slope[j][c] / 2;
          }
          for (int c = 0; c < 3; ++c)
            both += a[c][0] * b[0][c] + a[c][1] * b[1][c] + a[c][2] * b[2][c];
          double& entry = at(out, n * (3 * i + k) + 3 * j + l);
          entry -= lambda * slope[i][k] * slope[j][l] * weight;
          entry -= mu * both * weight;
        }
      }
    }
  }
}

CORTEN_BULK List<double> cell_stiffness(const FlexPart& part, double young, double poisson) {
  List<double> out(static_cast<std::size_t>(part.dofs()) * static_cast<std::size_t>(part.dofs()),
                   0.0);
  const Quadrature q(part.order);
  const Vec3d d = part.extent();
  const double volume = d[0] * d[1] * d[2];
  const double inverse[3] = {1.0 / d[0], 1.0 / d[1], 1.0 / d[2]};
  const double lambda = young * poisson / (1 + poisson) / (1 - 2 * poisson);
  const double mu = young / (2 * (1 + poisson));
  const auto f = [&](double s, int i) { return shape(s, i, part.order); };
  const auto df = [&](double s, int i) { return shape_slope(s, i, part.order); };
  Vec3d slope[27];
  for (int a = 0; a < q.count; ++a) {
    for (int b = 0; b < q.count; ++b) {
      for (int c = 0; c < q.count; ++c) {
        const double s = q.point[a], t = q.point[b], u = q.point[c];
        int node = 0;
        for (int i = 0; i < q.count; ++i) {
          for (int j = 0; j < q.count; ++j) {
            for (int k = 0; k < q.count; ++k) {
              slope[node][0] = inverse[0] * (df(s, i) * f(t, j) * f(u, k));
              slope[node][1] = inverse[1] * (f(s, i) * df(t, j) * f(u, k));
              slope[node++][2] = inverse[2] * (f(s, i) * f(t, j) * df(u, k));
            }
          }
        }
        const double weight = q.weight[a] * q.weight[b] * q.weight[c] * volume;
        add_stiffness(slope, part, lambda, mu, weight, out);
      }
    }
  }
  return out;
}

// the membrane stiffness of a flat square, in plane stress
CORTEN_BULK List<double> square_stiffness(const FlexPart& part, double young, double poisson,
                                          double thickness) {
  List<double> out(static_cast<std::size_t>(part.dofs()) * static_cast<std::size_t>(part.dofs()),
                   0.0);
  const Quadrature q(part.order);
  const int first = (part.normal + 1) % 3, second = (part.normal + 2) % 3;
  const Vec3d d = part.extent();
  const double lambda = young * poisson / (1.0 - poisson * poisson);
  const double mu = young / (2.0 * (1.0 + poisson));
  Vec3d slope[9];
  for (int a = 0; a < q.count; ++a) {
    for (int b = 0; b < q.count; ++b) {
      const double s = q.point[a], t = q.point[b];
      int node = 0;
      for (int i = 0; i < q.count; ++i) {
        for (int j = 0; j < q.count; ++j) {
          const int order = part.order;
          slope[node] = Vec3d::Zero();
          slope[node][first] = 1.0 / d[first] * (shape_slope(s, i, order) * shape(t, j, order));
          slope[node++][second] = 1.0 / d[second] * (shape(s, i, order) * shape_slope(t, j, order));
        }
      }
      const double weight = q.weight[a] * q.weight[b] * (d[first] * d[second]) * thickness;
      add_stiffness(slope, part, lambda, mu, weight, out);
    }
  }
  return out;
}

// ---- eigenvectors -------------------------------------------------------------------------------

// Jacobi's method, sweeping over the upper triangle row by row. The columns of `vectors` become the
// eigenvectors, the diagonal of `m` the eigenvalues.
CORTEN_BULK void jacobi_eigenvectors(List<double>& m, List<double>& vectors, int n) {
  constexpr double small = 1e-12;
  vectors.assign(m.size(), 0.0);
  for (int i = 0; i < n; ++i) at(vectors, i * n + i) = 1.0;
  for (int sweep = 0; sweep < 200; ++sweep) {
    double rest = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = i + 1; j < n; ++j) rest += at(m, i * n + j) * at(m, i * n + j);
    }
    if (rest < small * small) return;
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) {
        const double off = at(m, p * n + q);
        if (std::fabs(off) < small * 1e-3) continue;
        const double ratio = (at(m, q * n + q) - at(m, p * n + p)) / (2.0 * off);
        const double tangent =
            (ratio >= 0 ? 1.0 : -1.0) / (std::fabs(ratio) + std::sqrt(1.0 + ratio * ratio));
        const double c = 1.0 / std::sqrt(1.0 + tangent * tangent), s = tangent * c;
        at(m, p * n + p) -= tangent * off;
        at(m, q * n + q) += tangent * off;
        at(m, p * n + q) = at(m, q * n + p) = 0;
        for (int r = 0; r < n; ++r) {
          const double vp = at(vectors, r * n + p), vq = at(vectors, r * n + q);
          at(vectors, r * n + p) = c * vp - s * vq;
          at(vectors, r * n + q) = s * vp + c * vq;
          if (r == p || r == q) continue;
          const double mp = at(m, r * n + p), mq = at(m, r * n + q);
          at(m, r * n + p) = at(m, p * n + r) = c * mp - s * mq;
          at(m, r * n + q) = at(m, q * n + r) = s * mp + c * mq;
        }
      }
    }
  }
}

// The modes of a stiffness matrix (which has the sign of a force) that are not motions of a rigid
// body: their number, then each eigenvector times the root of its stiffness. Returns the number.
CORTEN_BULK int write_modes(List<double> matrix, int n, double* out) {
  List<double> vectors;
  jacobi_eigenvectors(matrix, vectors, n);
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, std::fabs(at(matrix, i * n + i)));
  int modes = 0;
  for (int i = 0; i < n; ++i) {
    const double stiffness = -at(matrix, i * n + i);
    if (!(stiffness > largest * 1e-8)) continue;
    const double scale = std::sqrt(stiffness);
    for (int j = 0; j < n; ++j) out[1 + modes * n + j] = scale * at(vectors, j * n + i);
    ++modes;
  }
  out[0] = modes;
  return modes;
}

// ---- twist of a square --------------------------------------------------------------------------

inline double dot(const List<double>& a, const List<double>& b) {
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) out += a[i] * b[i];
  return out;
}

inline void make_unit(List<double>& v) {
  const double square = dot(v, v);
  if (!(square > 1e-20)) return;
  const double scale = 1.0 / std::sqrt(square);
  for (double& x : v) x *= scale;
}

inline void remove_part(List<double>& v, const List<double>& along) {
  const double part = dot(v, along);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] -= part * along[i];
}

// the motion (1 - 2 s)(1 - 2 t) across the square, without the motions of a rigid body
CORTEN_BULK List<double> twist_mode(const FlexPart& part) {
  const int side = part.order + 1;
  const auto n = static_cast<std::size_t>(part.dofs());
  List<double> out(n, 0.0);
  Vec3d centre = Vec3d::Zero();
  for (int i = 0; i < part.nodes; ++i) {
    const double s = static_cast<double>(i / side) / part.order;
    const double t = static_cast<double>(i % side) / part.order;
    at(out, 3 * i + part.normal) = (1 - 2 * s) * (1 - 2 * t);
    centre += part.x[static_cast<std::size_t>(i)];
  }
  centre /= part.nodes;
  List<List<double>> rigid;
  for (int motion = 0; motion < 6; ++motion) {
    List<double> v(n, 0.0);
    for (int i = 0; i < part.nodes; ++i) {
      Vec3d axis = Vec3d::Zero();
      axis[motion % 3] = 1;
      const Vec3d r = part.x[static_cast<std::size_t>(i)] - centre;
      const Vec3d moved = motion < 3 ? axis : cross(axis, r);
      for (int k = 0; k < 3; ++k) at(v, 3 * i + k) = moved[k];
    }
    for (const List<double>& before : rigid) remove_part(v, before);
    make_unit(v);
    rigid.push_back(v);
  }
  for (const List<double>& v : rigid) remove_part(out, v);
  make_unit(out);
  return out;
}

// the stiffness of a plate against twist, as a Rayleigh quotient
inline double twist_stiffness(const FlexPart& part, double young, double poisson,
                              double thickness) {
  const Vec3d d = part.extent();
  const double a = std::fabs(d[(part.normal + 1) % 3]), b = std::fabs(d[(part.normal + 2) % 3]);
  if (a < 1e-30 || b < 1e-30) return 0;
  const double plate =
      young * thickness * thickness * thickness / (12.0 * (1.0 - poisson * poisson));
  return plate * (1.0 - poisson) * 4.0 / (a * b);
}

}  // namespace corten::compiler::detail
