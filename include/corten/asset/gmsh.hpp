// SPDX-License-Identifier: Apache-2.0
//
// Gmsh's mesh format (.msh), versions 2.2 and 4.1, as text or binary: nodes, and its elements with
// a given number of corners (lines, triangles, tetrahedra of first order). Other elements and
// sections are skipped.
#pragma once

#include <corten/asset/gmsh_binary.hpp>
#include <corten/asset/gmsh_elements.hpp>
#include <corten/asset/text.hpp>

#include <string>

namespace corten::asset {

inline bool is_gmsh(std::string_view bytes) { return bytes.substr(0, 11) == "$MeshFormat"; }

namespace detail {

class GmshReader {
 public:
  GmshReader(std::string_view bytes, GmshElements& out)
      : bytes_(bytes), text_(bytes), most_(bytes.size()), out_(out) {}

  CORTEN_BULK Result<void> read() {
    if (auto done = read_format(); !done) return done;
    if (binary_ != 0) return GmshBinaryReader(bytes_, version_, out_).read();
    while (text_.next_line()) {
      const std::string_view section = text_.word();
      Result<void> done;
      if (section == "$Nodes") done = version_ < 3 ? read_nodes2() : read_nodes4();
      if (section == "$Elements") done = version_ < 3 ? read_elements2() : read_elements4();
      if (!done) return done;
    }
    return {};
  }

 private:
  CORTEN_BULK Result<void> read_format() {
    if (!text_.next_line() || text_.word() != "$MeshFormat" || !text_.next_line() ||
        !text_.number(version_) || !text_.number(binary_)) {
      return text_.error("not a Gmsh file", "a version and a file type follow $MeshFormat");
    }
    if (version_ != 2.2 && version_ != 4.1) {
      return text_.error("versions of Gmsh files other than 2.2 and 4.1 are not supported",
                         "save the mesh as version 4.1");
    }
    return {};
  }

  // a line with a single count, or the counts of version 4.1
  bool counts(int n, std::size_t (&out)[4]) {
    if (!text_.next_line()) return false;
    for (int k = 0; k < n; ++k) {
      if (!text_.number(out[k]) || out[k] > max_count) return false;
    }
    return text_.word().empty();
  }

  // a section must end where its counts say
  CORTEN_BULK Result<void> end(std::string_view section) {
    if (text_.next_line() && text_.word() == section) return {};
    return text_.error("expected " + std::string(section), counting);
  }

  CORTEN_BULK bool read_point() {
    double x[3];
    return text_.number(x[0]) && text_.number(x[1]) && text_.number(x[2]) && out_.add_point(x);
  }

  CORTEN_BULK Result<void> read_nodes2() {
    std::size_t n[4];
    if (!counts(1, n) || n[0] > most_) return text_.error("a bad number of nodes", counting);
    for (std::size_t i = 0; i < n[0]; ++i) {
      std::size_t tag = 0;
      if (!text_.next_line() || !text_.number(tag) || !out_.add_tag(tag) || !read_point()) {
        return text_.error("a bad node", "give a number of its own and three finite coordinates");
      }
    }
    return end("$EndNodes");
  }

  // blocks of an entity: the numbers of its nodes, then their positions
  CORTEN_BULK Result<void> read_nodes4() {
    std::size_t n[4];
    if (!counts(4, n) || n[0] > most_ || n[1] > most_) {
      return text_.error("a bad number of nodes", counting);
    }
    for (std::size_t b = 0; b < n[0]; ++b) {
      int dim = 0, entity = 0, parametric = 0;
      std::size_t count = 0;
      if (!text_.next_line() || !text_.number(dim) || !text_.number(entity) ||
          !text_.number(parametric) || !text_.number(count) || count > most_) {
        return text_.error("a bad block of nodes", counting);
      }
      for (std::size_t i = 0; i < count; ++i) {
        std::size_t tag = 0;
        if (!text_.next_line() || !text_.number(tag) || !out_.add_tag(tag)) {
          return text_.error("a bad number of a node", "each node has a number of its own");
        }
      }
      for (std::size_t i = 0; i < count; ++i) {
        if (!text_.next_line() || !read_point())
          return text_.error("a bad node", "give a number of its own and three finite coordinates");
      }
    }
    if (out_.largest_tag() != n[3]) {
      return text_.error("nodes are numbered up to " + std::to_string(out_.largest_tag()) +
                             ", not " + std::to_string(n[3]),
                         "correct the last number after $Nodes");
    }
    return end("$EndNodes");
  }

  CORTEN_BULK Result<void> read_elements2() {
    std::size_t n[4];
    if (!counts(1, n) || n[0] > most_) return text_.error("a bad number of elements", counting);
    for (std::size_t i = 0; i < n[0]; ++i) {
      std::size_t tag = 0, tags = 0, skipped = 0;
      int type = 0;
      bool ok = text_.next_line() && text_.number(tag) && text_.number(type) && text_.number(tags);
      for (std::size_t k = 0; k < tags && ok; ++k) ok = text_.number(skipped);
      if (!ok) return text_.error("a bad element", "give a number, a type, tags and nodes");
      if (auto done = read_corners(type); !done) return done;
    }
    return end("$EndElements");
  }

  CORTEN_BULK Result<void> read_elements4() {
    std::size_t n[4];
    if (!counts(4, n) || n[0] > most_) return text_.error("a bad number of elements", counting);
    for (std::size_t b = 0; b < n[0]; ++b) {
      int dim = 0, entity = 0, type = 0;
      std::size_t count = 0;
      if (!text_.next_line() || !text_.number(dim) || !text_.number(entity) ||
          !text_.number(type) || !text_.number(count) || count > most_) {
        return text_.error("a bad block of elements", counting);
      }
      for (std::size_t i = 0; i < count; ++i) {
        std::size_t tag = 0;
        if (!text_.next_line() || !text_.number(tag))
          return text_.error("a bad element", "give a number, a type, tags and nodes");
        if (auto done = read_corners(type); !done) return done;
      }
    }
    return end("$EndElements");
  }

  CORTEN_BULK Result<void> read_corners(int type) {
    if (!GmshElements::has(type)) return {};
    std::size_t tags[4];
    for (int k = 0; k < gmsh_corners(type); ++k) {
      if (!text_.number(tags[k]))
        return text_.error("an element without enough nodes", "its type says how many it has");
    }
    if (auto done = out_.add_element(type, tags); !done) {
      return text_.error(done.error().message, done.error().remedy);
    }
    return {};
  }

  static constexpr const char* counting = "the counts at the start of a section must hold";

  std::string_view bytes_;
  TextReader text_;
  std::size_t most_;
  double version_ = 0;
  int binary_ = 0;
  GmshElements& out_;
};

}  // namespace detail

// `corners` is 2 for lines, 3 for triangles, 4 for tetrahedra, or 0 for the largest of these that
// the file has; it then becomes their number
CORTEN_BULK Result<void> read_gmsh(std::string_view bytes, int& corners, Elements& out) {
  detail::GmshElements found(bytes.size(), corners);
  if (auto done = detail::GmshReader(bytes, found).read(); !done) return done;
  return found.finish(corners, out);
}

}  // namespace corten::asset
