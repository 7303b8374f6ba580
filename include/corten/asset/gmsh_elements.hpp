// SPDX-License-Identifier: Apache-2.0
//
// What the readers of Gmsh files collect: nodes, which have numbers of their own that may have
// gaps, and lines, triangles and tetrahedra of first order.
#pragma once

#include <corten/asset/triangles.hpp>
#include <corten/core/list.hpp>

#include <cmath>
#include <string>

namespace corten::asset {

// vertices, and elements with the same number of corners each
struct Elements {
  List<double> vert;  // 3 per vertex
  List<int> corner;
};

namespace detail {

// Gmsh's types of elements: lines 1, triangles 2, tetrahedra 4, points 15. Others are skipped; the
// number of their corners is needed for that. 0: unknown.
constexpr int gmsh_corners(int type) {
  constexpr int corners[] = {0, 2, 3, 4, 4, 8, 6, 5, 3, 6, 9, 10, 27, 18, 14, 1, 8, 20, 15, 13};
  return type < 0 || type >= static_cast<int>(std::size(corners)) ? 0 : corners[type];
}

class GmshElements {
 public:
  // `corners`: 2 for lines, 3 for triangles, 4 for tetrahedra, 0 for the largest in the file
  GmshElements(std::size_t bytes, int corners) : most_(bytes), corners_(corners) {}

  // numbers may have gaps, but not by more than the file could fill
  CORTEN_BULK bool add_tag(std::size_t tag) {
    if (tag > most_ + (std::size_t{1} << 20)) return false;
    if (tag >= index_.size()) index_.resize(tag + 1, -1);
    if (index_[tag] >= 0) return false;
    index_[tag] = next_++;
    return true;
  }

  std::size_t largest_tag() const { return index_.empty() ? 0 : index_.size() - 1; }

  CORTEN_BULK bool add_point(const double (&x)[3]) {
    for (const double one : x) {
      if (!std::isfinite(one)) return false;
      vert_.push_back(one);
    }
    return true;
  }

  static constexpr bool has(int type) { return type == 1 || type == 2 || type == 4; }

  CORTEN_BULK Result<void> add_element(int type, const std::size_t* tags) {
    if (!has(type)) return {};
    const int corners = gmsh_corners(type);
    for (int k = 0; k < corners; ++k) {
      if (tags[k] >= index_.size() || index_[tags[k]] < 0) {
        return Error(
            "an element refers to node " + std::to_string(tags[k]) + ", which does not exist",
            "nodes come first; each is listed with its number");
      }
      found_[corners - 2].push_back(index_[tags[k]]);
    }
    return {};
  }

  // the elements of the requested kind, or of the kind with most corners
  CORTEN_BULK Result<void> finish(int& corners, Elements& out) {
    if (vert_.empty()) return Error("the file has no nodes", "save the mesh, not only geometry");
    corners = corners_;
    for (int k = 4; k >= 2 && corners == 0; --k) {
      if (!found_[k - 2].empty()) corners = k;
    }
    if (corners == 0) {
      return Error("the file has no lines, triangles or tetrahedra", "save all elements");
    }
    out.vert = vert_;
    out.corner = found_[corners - 2];
    return {};
  }

 private:
  std::size_t most_;
  int corners_, next_ = 0;
  List<int> index_;  // vertex of each node number, or -1
  List<double> vert_;
  List<int> found_[3];  // elements of 2, 3 and 4 corners
};

}  // namespace detail

}  // namespace corten::asset
