// SPDX-License-Identifier: Apache-2.0
//
// Gmsh's mesh format (.msh) in its binary form, versions 2.2 and 4.1. Counts are checked against
// the size of the file before anything is allocated.
#pragma once

#include <corten/asset/gmsh_elements.hpp>
#include <corten/asset/text.hpp>

#include <cstring>
#include <string>

namespace corten::asset::detail {

class GmshBinaryReader {
 public:
  GmshBinaryReader(std::string_view bytes, double version, GmshElements& out)
      : all_(bytes), old_(version < 3), out_(out) {}

  CORTEN_BULK Result<void> read() {
    if (!open("$MeshFormat") || !line() || !take(one_)) return cut_off();
    if (one_ != 1) return Error("the Gmsh file has another byte order", "save it as text");
    if (!open("$Nodes")) return bad("the file has no nodes", "save the mesh, not only geometry");
    if (auto done = old_ ? read_nodes2() : read_nodes4(); !done) return done;
    if (!open("$Elements")) return bad("the file has no elements", "save all elements");
    return old_ ? read_elements2() : read_elements4();
  }

 private:
  // the byte where reading has stopped
  CORTEN_BULK Error bad(const std::string& what,
                        const char* remedy = "the counts before must hold; save it again") const {
    return Error(what + " at byte " + std::to_string(all_.size() - rest_.size()), remedy);
  }
  CORTEN_BULK Error cut_off() const { return bad("the Gmsh file is cut off", "save it again"); }

  // moves to the line after a section's name
  bool open(std::string_view section) {
    const std::size_t at = all_.find(section);
    if (at == std::string_view::npos) return false;
    rest_ = all_.substr(at);
    return line();
  }
  bool line() {
    const std::size_t end = rest_.find('\n');
    if (end == std::string_view::npos) return false;
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return true;
  }
  template <class T>
  bool take(T& out) {
    if (rest_.size() < sizeof(T)) return false;
    out = load_bytes<T>(rest_.data());
    rest_.remove_prefix(sizeof(T));
    return true;
  }
  // a count in a line of its own, of things of at least `bytes` bytes each
  bool count(std::size_t bytes, std::size_t& out) {
    if (!line()) return false;
    while (!line_.empty() && (line_.back() == '\r' || line_.back() == ' ')) line_.remove_suffix(1);
    return TextReader::parse(line_, out) && out <= rest_.size() / bytes;
  }

  CORTEN_BULK bool take_point() {
    double x[3];
    return take(x[0]) && take(x[1]) && take(x[2]) && out_.add_point(x);
  }

  CORTEN_BULK Result<void> read_nodes2() {
    std::size_t n = 0;
    if (!count(28, n)) return bad("a bad number of nodes");
    for (std::size_t i = 0; i < n; ++i) {
      std::int32_t tag = 0;
      if (!take(tag) || tag < 0 || !out_.add_tag(static_cast<std::size_t>(tag)) || !take_point()) {
        return bad("node " + std::to_string(i) + " is bad");
      }
    }
    return {};
  }

  CORTEN_BULK Result<void> read_nodes4() {
    std::uint64_t head[4];
    for (std::uint64_t& h : head) {
      if (!take(h)) return bad("a bad number of nodes");
    }
    for (std::uint64_t b = 0; b < head[0]; ++b) {
      std::int32_t dim = 0, entity = 0, parametric = 0;
      std::uint64_t n = 0;
      if (!take(dim) || !take(entity) || !take(parametric) || !take(n) || parametric != 0 ||
          n > rest_.size() / 32) {
        return bad("a bad block of nodes");
      }
      for (std::uint64_t i = 0; i < n; ++i) {
        std::uint64_t tag = 0;
        if (!take(tag) || !out_.add_tag(tag)) return bad("a bad number of a node");
      }
      for (std::uint64_t i = 0; i < n; ++i) {
        if (!take_point()) return bad("node " + std::to_string(i) + " is bad");
      }
    }
    return {};
  }

  CORTEN_BULK Result<void> read_elements2() {
    std::size_t n = 0;
    if (!count(8, n)) return bad("a bad number of elements");
    for (std::size_t i = 0; i < n;) {
      std::int32_t type = 0, follow = 0, tags = 0;
      if (!take(type) || !take(follow) || !take(tags) || follow < 1 || tags < 0) {
        return bad("element " + std::to_string(i) + " is bad");
      }
      for (std::int32_t k = 0; k < follow; ++k, ++i) {
        const std::size_t skipped = 4 * (1 + static_cast<std::size_t>(tags));
        if (rest_.size() < skipped) return cut_off();
        rest_.remove_prefix(skipped);
        if (auto done = read_corners<std::int32_t>(type); !done) return done;
      }
    }
    return {};
  }

  CORTEN_BULK Result<void> read_elements4() {
    std::uint64_t head[4];
    for (std::uint64_t& h : head) {
      if (!take(h)) return bad("a bad number of elements");
    }
    for (std::uint64_t b = 0; b < head[0]; ++b) {
      std::int32_t dim = 0, entity = 0, type = 0;
      std::uint64_t n = 0, tag = 0;
      if (!take(dim) || !take(entity) || !take(type) || !take(n) || n > rest_.size() / 8) {
        return bad("a bad block of elements");
      }
      for (std::uint64_t i = 0; i < n; ++i) {
        if (!take(tag)) return cut_off();
        if (auto done = read_corners<std::uint64_t>(type); !done) return done;
      }
    }
    return {};
  }

  template <class T>
  CORTEN_BULK Result<void> read_corners(int type) {
    const int corners = gmsh_corners(type);
    if (corners == 0) return bad("elements of type " + std::to_string(type) + " are unknown");
    std::size_t tags[8];
    for (int k = 0; k < corners; ++k) {
      T tag{};
      if (!take(tag)) return cut_off();
      if (k < 8) tags[k] = static_cast<std::size_t>(tag);
    }
    if (auto done = out_.add_element(type, tags); !done) {
      return bad(done.error().message, "nodes come first; each is listed with its number");
    }
    return {};
  }

  std::string_view all_, rest_, line_;
  bool old_;
  std::int32_t one_ = 0;
  GmshElements& out_;
};

}  // namespace corten::asset::detail
