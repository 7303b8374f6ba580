// SPDX-License-Identifier: Apache-2.0
//
// Makes a grid of signed distances from triangles. The distance at a node is that to the nearest
// triangle, found through the tree of boxes around the triangles. Six rays along the axes decide
// the sign: each counts how often it leaves the surface minus how often it enters, and the node is
// inside if most rays say so. Rays that escape through a hole in the surface are thus outvoted.
// Taking the sign from the orientation of the nearest triangle would turn the region in front of a
// hole inside out.
#pragma once

#include <corten/asset/sdf_grid.hpp>
#include <corten/asset/tree.hpp>
#include <corten/core/list.hpp>

#include <algorithm>
#include <cmath>

namespace corten::asset {

namespace detail {

class SdfMaker {
 public:
  CORTEN_COLD SdfMaker(const List<double>& vert, const List<int>& face, const TriangleTree& tree,
                       SdfGrid& out)
      : vert_(vert), face_(face), tree_(tree), out_(out) {}

  // Chooses the grid. The cell is 1/48 of the longest side, smaller for thin shapes, with two cells
  // of margin all around. The number of nodes is limited: 400,000 nodes take 1.6 MB and about a
  // second to compute. Returns false if the triangles have no extent.
  CORTEN_COLD bool place() {
    constexpr double cells = 48, across = 8, most = 4e5;
    constexpr int around = 2;
    double low[3], high[3], longest = 0, shortest = 1e300;
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = 1e300, high[k] = -1e300;
      for (std::size_t i = k; i < vert_.size(); i += 3) {
        low[k] = std::min(low[k], vert_[i]);
        high[k] = std::max(high[k], vert_[i]);
      }
      longest = std::max(longest, high[k] - low[k]);
      shortest = std::min(shortest, high[k] - low[k]);
    }
    if (!(longest > 0) || face_.empty()) return false;
    double cell = std::min(longest / cells, std::max(shortest / across, longest / 1000));
    const auto nodes = [&](std::size_t k) {
      return std::ceil((high[k] - low[k]) / cell - 1e-9) + 1 + 2 * around;
    };
    while (nodes(0) * nodes(1) * nodes(2) > most) cell *= 1.05;
    out_.cell = cell;
    for (std::size_t k = 0; k < 3; ++k) {
      out_.n[k] = static_cast<int>(nodes(k));
      out_.origin[k] = (low[k] + high[k] - cell * (out_.n[k] - 1)) / 2;
    }
    out_.data.resize(static_cast<std::size_t>(out_.n[0] * out_.n[1] * out_.n[2]));
    return true;
  }

  // unsigned distances; the distance at the previous node bounds the search
  CORTEN_COLD void measure() {
    for (int z = 0; z < out_.n[2]; ++z) {
      for (int y = 0; y < out_.n[1]; ++y) {
        double before = 1e150;
        for (int x = 0; x < out_.n[0]; ++x) {
          const double p[3] = {place(0, x), place(1, y), place(2, z)};
          const double bound = before + 1.001 * out_.cell;
          before = std::sqrt(nearest(p, bound * bound));
          out_.data[static_cast<std::size_t>(out_.index(x, y, z))] = static_cast<float>(before);
        }
      }
    }
  }

  CORTEN_COLD void sign() {
    List<int> votes(out_.data.size(), 0);
    for (int axis = 0; axis < 3; ++axis) vote(axis, votes);
    for (std::size_t i = 0; i < votes.size(); ++i) {
      if (votes[i] >= 4) out_.data[i] = -out_.data[i];
    }
  }

 private:
  double place(int axis, double i) const { return out_.origin[axis] + out_.cell * i; }
  const double* corner(std::size_t face, std::size_t k) const {
    return &vert_[3 * static_cast<std::size_t>(face_[3 * face + k])];
  }

  // squared distance to the nearest triangle closer than the bound, otherwise the bound
  CORTEN_COLD double nearest(const double (&p)[3], double bound) const {
    for (std::size_t i = 0; i < tree_.node.size() / 3;) {
      double away = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double below = static_cast<double>(tree_.box[6 * i + k]) - p[k];
        const double above = p[k] - static_cast<double>(tree_.box[6 * i + 3 + k]);
        const double beyond = std::max({below, above, 0.0});
        away += beyond * beyond;
      }
      if (away >= bound) {
        i = static_cast<std::size_t>(tree_.node[3 * i]);
        continue;
      }
      const std::size_t first = static_cast<std::size_t>(tree_.node[3 * i + 1]);
      const std::size_t count = static_cast<std::size_t>(tree_.node[3 * i + 2]);
      for (std::size_t f = first; f < first + count; ++f) {
        bound = std::min(bound, to_triangle(p, static_cast<std::size_t>(tree_.face[f])));
      }
      ++i;
    }
    return bound;
  }

  // squared distance: to the plane if the point projects into the triangle, otherwise to the
  // nearest side
  CORTEN_COLD double to_triangle(const double (&p)[3], std::size_t face) const {
    const double *a = corner(face, 0), *b = corner(face, 1), *c = corner(face, 2);
    double ab[3], ac[3], ap[3];
    for (int k = 0; k < 3; ++k) ab[k] = b[k] - a[k], ac[k] = c[k] - a[k], ap[k] = p[k] - a[k];
    const auto dot = [](const double* u, const double* v) {
      return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    };
    const double bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac);
    const double pb = dot(ap, ab), pc = dot(ap, ac), area = bb * cc - bc * bc;
    const double s = cc * pb - bc * pc, t = bb * pc - bc * pb;
    if (area > 0 && s >= 0 && t >= 0 && s + t <= area) {
      const double across = dot(ap, ap) - (s * pb + t * pc) / area;
      return std::max(across, 0.0);
    }
    return std::min({to_segment(p, a, b), to_segment(p, b, c), to_segment(p, c, a)});
  }

  CORTEN_COLD static double to_segment(const double (&p)[3], const double* a, const double* b) {
    double length = 0, along = 0;
    for (int k = 0; k < 3; ++k) {
      length += (b[k] - a[k]) * (b[k] - a[k]);
      along += (b[k] - a[k]) * (p[k] - a[k]);
    }
    const double t = length > 0 ? std::clamp(along / length, 0.0, 1.0) : 0.0;
    double out = 0;
    for (int k = 0; k < 3; ++k) {
      const double away = p[k] - (a[k] + t * (b[k] - a[k]));
      out += away * away;
    }
    return out;
  }

  // Casts rays along an axis, both ways from every node. Each triangle is marked where the lines of
  // nodes cross it. The lines are slightly offset from the nodes, so that none runs through an edge
  // or a corner.
  CORTEN_COLD void vote(int axis, List<int>& votes) const {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3, length = out_.n[axis] + 1;
    List<int> crossed(static_cast<std::size_t>(length * out_.n[u] * out_.n[v]), 0);
    for (std::size_t f = 0; f < face_.size() / 3; ++f) mark(axis, f, crossed);
    for (int j = 0; j < out_.n[v]; ++j) {
      for (int i = 0; i < out_.n[u]; ++i) {
        const int* line = &crossed[static_cast<std::size_t>(length * (i + out_.n[u] * j))];
        int above = 0, below = 0;
        for (int k = 0; k < length; ++k) above += line[k];
        for (int k = 0; k < out_.n[axis]; ++k) {
          below += line[k];
          above -= line[k];
          int node[3];
          node[axis] = k, node[u] = i, node[v] = j;
          votes[static_cast<std::size_t>(out_.index(node[0], node[1], node[2]))] +=
              (below != 0) + (above != 0);
        }
      }
    }
  }

  // where lines cross the triangle, adds the direction it faces to the next node above
  CORTEN_COLD void mark(int axis, std::size_t face, List<int>& crossed) const {
    constexpr double off[2] = {1.7e-4, 2.9e-4};
    const int across[2] = {(axis + 1) % 3, (axis + 2) % 3};
    double p[3][3];  // corners, in units of cells
    int first[2], last[2];
    for (std::size_t c = 0; c < 3; ++c) {
      for (int k = 0; k < 3; ++k) p[c][k] = (corner(face, c)[k] - out_.origin[k]) / out_.cell;
    }
    for (int k = 0; k < 2; ++k) {
      const int w = across[k];
      const double low = std::min({p[0][w], p[1][w], p[2][w]}) - off[k];
      const double high = std::max({p[0][w], p[1][w], p[2][w]}) - off[k];
      first[k] = std::clamp(static_cast<int>(std::ceil(low)), 0, out_.n[w]);
      last[k] = std::clamp(static_cast<int>(std::floor(high)), -1, out_.n[w] - 1);
    }
    const int u = across[0], v = across[1], length = out_.n[axis] + 1;
    const double area =
        (p[1][u] - p[0][u]) * (p[2][v] - p[0][v]) - (p[2][u] - p[0][u]) * (p[1][v] - p[0][v]);
    if (area == 0) return;
    for (int j = first[1]; j <= last[1]; ++j) {
      for (int i = first[0]; i <= last[0]; ++i) {
        const double x = i + off[0], y = j + off[1];
        const auto weight = [&](int a, int b) {
          return ((p[a][u] - x) * (p[b][v] - y) - (p[b][u] - x) * (p[a][v] - y)) / area;
        };
        const double w0 = weight(1, 2), w1 = weight(2, 0), w2 = weight(0, 1);
        if (w0 < 0 || w1 < 0 || w2 < 0) continue;
        const double height = w0 * p[0][axis] + w1 * p[1][axis] + w2 * p[2][axis];
        const int k = std::clamp(static_cast<int>(std::ceil(height)), 0, length - 1);
        crossed[static_cast<std::size_t>(k + length * (i + out_.n[u] * j))] += area > 0 ? 1 : -1;
      }
    }
  }

  const List<double>& vert_;
  const List<int>& face_;
  const TriangleTree& tree_;
  SdfGrid& out_;
};

}  // namespace detail

// from triangles over vertices (three numbers each), in the frame of the vertices
CORTEN_COLD SdfGrid make_sdf(const List<double>& vert, const List<int>& face) {
  SdfGrid out;
  const TriangleTree tree = make_tree(vert, face);
  detail::SdfMaker maker(vert, face, tree, out);
  if (!maker.place()) return out;
  maker.measure();
  maker.sign();
  return out;
}

}  // namespace corten::asset
