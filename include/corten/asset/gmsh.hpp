// SPDX-License-Identifier: Apache-2.0
//
// Gmsh's mesh format (.msh) in its text form, versions 2.2 and 4.1: nodes, and its elements with a
// given number of corners (lines, triangles, tetrahedra of first order). Other elements and
// sections are skipped. Nodes have numbers of their own, which may have gaps.
#pragma once

#include <corten/asset/text.hpp>
#include <corten/asset/triangles.hpp>
#include <corten/core/list.hpp>

#include <cmath>
#include <string>
#include <utility>

namespace corten::asset {

// vertices, and elements with the same number of corners each
struct Elements {
  List<double> vert;  // 3 per vertex
  List<int> corner;
};

inline bool is_gmsh(std::string_view bytes) { return bytes.substr(0, 11) == "$MeshFormat"; }

namespace detail {

class GmshReader {
 public:
  GmshReader(std::string_view bytes, int corners, Elements& out)
      : text_(bytes), most_(bytes.size()), corners_(corners), out_(out) {}

  CORTEN_BULK Result<void> read() {
    if (auto done = read_format(); !done) return done;
    while (text_.next_line()) {
      const std::string_view section = text_.word();
      Result<void> done;
      if (section == "$Nodes") done = version_ < 3 ? read_nodes2() : read_nodes4();
      if (section == "$Elements") done = version_ < 3 ? read_elements2() : read_elements4();
      if (!done) return done;
    }
    if (out_.vert.empty()) return Error("the file has no nodes");
    return {};
  }

 private:
  CORTEN_BULK Result<void> read_format() {
    int binary = 0;
    if (!text_.next_line() || text_.word() != "$MeshFormat" || !text_.next_line() ||
        !text_.number(version_) || !text_.number(binary)) {
      return text_.error("not a Gmsh file");
    }
    if (binary != 0) return Error("the Gmsh file is binary: save it as text");
    if (version_ != 2.2 && version_ != 4.1) {
      return text_.error("versions of Gmsh files other than 2.2 and 4.1 are not supported");
    }
    return {};
  }

  // a line with a single count, or the counts of version 4.1
  bool counts(int n, std::size_t (&out)[4]) {
    if (!text_.next_line()) return false;
    for (int k = 0; k < n; ++k) {
      if (!text_.number(out[k]) || out[k] > max_count) return false;
    }
    return true;
  }

  CORTEN_BULK bool read_point() {
    for (int k = 0; k < 3; ++k) {
      double x = 0;
      if (!text_.number(x) || !std::isfinite(x)) return false;
      out_.vert.push_back(x);
    }
    return true;
  }

  CORTEN_BULK Result<void> read_nodes2() {
    std::size_t n[4];
    if (!counts(1, n) || n[0] > most_) return text_.error("a bad number of nodes");
    for (std::size_t i = 0; i < n[0]; ++i) {
      std::size_t tag = 0;
      if (!text_.next_line() || !text_.number(tag) || !add_tag(tag) || !read_point()) {
        return text_.error("a bad node");
      }
    }
    return {};
  }

  // blocks of an entity: the numbers of its nodes, then their positions
  CORTEN_BULK Result<void> read_nodes4() {
    std::size_t n[4];
    if (!counts(4, n) || n[0] > most_ || n[1] > most_) {
      return text_.error("a bad number of nodes");
    }
    for (std::size_t b = 0; b < n[0]; ++b) {
      int dim = 0, entity = 0, parametric = 0;
      std::size_t count = 0;
      if (!text_.next_line() || !text_.number(dim) || !text_.number(entity) ||
          !text_.number(parametric) || !text_.number(count) || count > most_) {
        return text_.error("a bad block of nodes");
      }
      for (std::size_t i = 0; i < count; ++i) {
        std::size_t tag = 0;
        if (!text_.next_line() || !text_.number(tag) || !add_tag(tag)) {
          return text_.error("a bad number of a node");
        }
      }
      for (std::size_t i = 0; i < count; ++i) {
        if (!text_.next_line() || !read_point()) return text_.error("a bad node");
      }
    }
    return {};
  }

  CORTEN_BULK Result<void> read_elements2() {
    std::size_t n[4];
    if (!counts(1, n) || n[0] > most_) return text_.error("a bad number of elements");
    for (std::size_t i = 0; i < n[0]; ++i) {
      std::size_t tag = 0, tags = 0, skipped = 0;
      int type = 0;
      bool ok = text_.next_line() && text_.number(tag) && text_.number(type) && text_.number(tags);
      for (std::size_t k = 0; k < tags && ok; ++k) ok = text_.number(skipped);
      if (!ok) return text_.error("a bad element");
      if (auto done = read_corners(type); !done) return done;
    }
    return {};
  }

  CORTEN_BULK Result<void> read_elements4() {
    std::size_t n[4];
    if (!counts(4, n) || n[0] > most_) return text_.error("a bad number of elements");
    for (std::size_t b = 0; b < n[0]; ++b) {
      int dim = 0, entity = 0, type = 0;
      std::size_t count = 0;
      if (!text_.next_line() || !text_.number(dim) || !text_.number(entity) ||
          !text_.number(type) || !text_.number(count) || count > most_) {
        return text_.error("a bad block of elements");
      }
      for (std::size_t i = 0; i < count; ++i) {
        std::size_t tag = 0;
        if (!text_.next_line() || !text_.number(tag)) return text_.error("a bad element");
        if (auto done = read_corners(type); !done) return done;
      }
    }
    return {};
  }

  // Gmsh numbers lines 1, triangles 2, tetrahedra 4
  CORTEN_BULK Result<void> read_corners(int type) {
    const int wanted = corners_ == 2 ? 1 : (corners_ == 3 ? 2 : 4);
    if (type != wanted) return {};
    for (int k = 0; k < corners_; ++k) {
      std::size_t tag = 0;
      if (!text_.number(tag)) return text_.error("an element without enough nodes");
      if (tag >= index_.size() || index_[tag] < 0) {
        return text_.error("an element refers to node " + std::to_string(tag) +
                           ", which does not exist");
      }
      out_.corner.push_back(index_[tag]);
    }
    return {};
  }

  // numbers may have gaps, but not by more than the file could fill
  CORTEN_BULK bool add_tag(std::size_t tag) {
    if (tag > most_ + (std::size_t{1} << 20)) return false;
    if (tag >= index_.size()) index_.resize(tag + 1, -1);
    if (index_[tag] >= 0) return false;
    index_[tag] = next_++;
    return true;
  }

  TextReader text_;
  std::size_t most_;
  double version_ = 0;
  int corners_;
  int next_ = 0;
  List<int> index_;  // vertex of each node number, or -1
  Elements& out_;
};

}  // namespace detail

// `corners` is 2 for lines, 3 for triangles, 4 for tetrahedra
CORTEN_BULK Result<void> read_gmsh(std::string_view bytes, int corners, Elements& out) {
  return detail::GmshReader(bytes, corners, out).read();
}

}  // namespace corten::asset
