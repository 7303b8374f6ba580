// SPDX-License-Identifier: Apache-2.0
//
// Wavefront OBJ: the vertices, and the faces of the first object or group that has any, as MuJoCo
// reads it. Faces with more than three corners are cut into triangles by ear clipping: project the
// face along the coordinate axis that shows most of it, then repeatedly cut off the first convex
// corner whose triangle contains no other corner, until three are left.
#pragma once

#include <corten/asset/text.hpp>
#include <corten/asset/triangles.hpp>
#include <corten/core/list.hpp>

namespace corten::asset {

namespace detail {

class ObjReader {
 public:
  ObjReader(std::string_view bytes, Triangles& out) : text_(bytes), out_(out) {}

  CORTEN_BULK Result<void> read() {
    bool complete = false;  // the first group of faces; vertices may still follow
    while (text_.next_line()) {
      const std::string_view word = text_.word();
      Result<void> done;
      if (word == "v") {
        done = read_vertex();
      } else if (word == "f" && !complete) {
        done = read_face();
      } else if (word == "l") {
        done = read_line();
      } else if (word == "o" || word == "g") {
        complete = complete || !polygons_.empty();
      } else if (word == "vn") {
        out_.has_normal = true;
      } else if (word == "vt") {
        out_.has_texcoord = true;
        ++out_.num_texcoord;
        if (out_.keep_texcoord) done = read_texcoord();
      }
      if (!done) return done;
    }
    return cut_all();
  }

 private:
  static constexpr double max_coordinate = 3.4e38;
  static constexpr std::size_t max_corners = 1000;  // ear clipping takes up to cubic time

  CORTEN_BULK Result<void> read_vertex() {
    for (int k = 0; k < 3; ++k) {
      double x = 0;
      if (!text_.number(x) || !(std::fabs(x) <= max_coordinate)) {
        return text_.error("a vertex without three finite numbers",
                           "write v and three numbers below 3.4e38");
      }
      out_.vert.push_back(static_cast<float>(x));
    }
    return {};
  }

  CORTEN_BULK Result<void> read_texcoord() {
    double u = 0, v = 0;
    if (!text_.number(u) || !text_.number(v)) {
      return text_.error("a texture coordinate without two numbers", "write vt and two numbers");
    }
    out_.texcoord.append({static_cast<float>(u), static_cast<float>(v)});
    return {};
  }

  // the texture coordinate of a corner, 1 in 7/1 or 7/1/3; -1 if it has none
  int texcoord_of(std::string_view word) const {
    const std::size_t slash = word.find('/');
    if (slash == std::string_view::npos) return -1;
    word = word.substr(slash + 1);
    word = word.substr(0, word.find('/'));
    int index = 0;
    if (word.empty() || !TextReader::parse(word, index)) return -1;
    index = index > 0 ? index - 1 : out_.num_texcoord + index;
    return index < out_.num_texcoord ? index : -1;
  }

  // 7, 7/1, 7/1/3 or 7//3: the vertex, counted from 1. Negative numbers count back from the latest
  // vertex.
  CORTEN_BULK Result<void> read_face() {
    const std::size_t first = corners_.size();
    const Reference lowest = lowest_, highest = highest_;
    for (;;) {
      std::string_view word = text_.word();
      if (word.empty() || word[0] == '#') break;
      if (out_.keep_texcoord) textures_.push_back(texcoord_of(word));
      word = word.substr(0, word.find('/'));
      int index = 0;
      if (!TextReader::parse(word, index) || index == 0) {
        return text_.error("a face with an invalid vertex number", numbering);
      }
      note(index > 0 ? index - 1 : out_.nvert() + index, "face");
      corners_.push_back(index > 0 ? index - 1 : out_.nvert() + index);
    }
    const std::size_t count = corners_.size() - first;
    if (count > max_corners) {
      return text_.error("a face with more than 1000 corners", "cut it into triangles");
    }
    if (count < 3) {  // no face
      lowest_ = lowest;
      highest_ = highest;
      corners_.resize(first);
      if (out_.keep_texcoord) textures_.resize(first);
    } else {
      polygons_.push_back(static_cast<int>(count));
    }
    return {};
  }

  // a polyline through vertices; the lines of a file without faces are the elements of a flex
  CORTEN_BULK Result<void> read_line() {
    int before = -1;
    for (std::string_view word = text_.word(); !word.empty() && word[0] != '#';
         word = text_.word()) {
      int index = 0;
      if (!TextReader::parse(word.substr(0, word.find('/')), index) || index == 0) {
        return text_.error("a line with an invalid vertex number", numbering);
      }
      const int vertex = index > 0 ? index - 1 : out_.nvert() + index;
      note(vertex, "line");
      if (before >= 0) out_.line.append({before, vertex});
      before = vertex;
    }
    return {};
  }

  CORTEN_BULK Result<void> cut_all() {
    for (const Reference& r : {lowest_, highest_}) {
      if (r.vertex >= 0 && r.vertex < out_.nvert()) continue;
      if (r.what == nullptr) continue;  // the file refers to no vertex at all
      return Error(r.place, {},
                   std::string("a ") + r.what + " refers to vertex " +
                       std::to_string(r.vertex + 1) + " of " + std::to_string(out_.nvert()),
                   numbering);
    }
    out_.face.reserve(3 * polygons_.size());
    std::size_t first = 0;
    for (const int count : polygons_) {
      left_.assign(corners_.begin() + static_cast<std::ptrdiff_t>(first),
                   corners_.begin() + static_cast<std::ptrdiff_t>(first) + count);
      if (out_.keep_texcoord) {
        left_textures_.assign(textures_.begin() + static_cast<std::ptrdiff_t>(first),
                              textures_.begin() + static_cast<std::ptrdiff_t>(first) + count);
      }
      first += static_cast<std::size_t>(count);
      cut();
    }
    return {};
  }

  // Vertices may come after the faces that refer to them, so the least and the largest number are
  // kept, with the place of their first use, until all vertices are known.
  struct Reference {
    int vertex = 0;
    const char* what = nullptr;
    Location place = {};
  };
  void note(int vertex, const char* what) {
    if (lowest_.what == nullptr || vertex < lowest_.vertex) lowest_ = {vertex, what, text_.place()};
    if (highest_.what == nullptr || vertex > highest_.vertex) {
      highest_ = {vertex, what, text_.place()};
    }
  }

  float coordinate(int vertex, int axis) const {
    return out_.vert[3 * static_cast<std::size_t>(vertex) + static_cast<std::size_t>(axis)];
  }
  int corner(std::size_t i) const { return left_[i % left_.size()]; }

  // writes the triangle of corner k and the two after it
  void emit(std::size_t k) {
    out_.face.append({corner(k), corner(k + 1), corner(k + 2)});
    if (!out_.keep_texcoord) return;
    const std::size_t n = left_textures_.size();
    for (std::size_t i = k; i < k + 3; ++i) out_.facetexcoord.push_back(left_textures_[i % n]);
  }

  // chooses the two coordinates that show most of the first corner that is not straight
  CORTEN_BULK void choose_axes() {
    x_ = 1, y_ = 2;
    for (std::size_t k = 0; k < left_.size(); ++k) {
      float e[3], f[3];
      for (int i = 0; i < 3; ++i) {
        e[i] = coordinate(corner(k + 1), i) - coordinate(corner(k), i);
        f[i] = coordinate(corner(k + 2), i) - coordinate(corner(k + 1), i);
      }
      const float cx = std::fabs(e[1] * f[2] - e[2] * f[1]),
                  cy = std::fabs(e[2] * f[0] - e[0] * f[2]),
                  cz = std::fabs(e[0] * f[1] - e[1] * f[0]);
      constexpr float small = 1.1920929e-7f;
      if (!(cx > small || cy > small || cz > small)) continue;
      if (!(cx > cy && cx > cz)) {
        x_ = 0;
        if (cz > cx && cz > cy) y_ = 1;
      }
      return;
    }
  }

  float turn(int a, int b, int c) const {
    return (coordinate(b, x_) - coordinate(a, x_)) * (coordinate(c, y_) - coordinate(b, y_)) -
           (coordinate(b, y_) - coordinate(a, y_)) * (coordinate(c, x_) - coordinate(b, x_));
  }

  // whether p is inside a triangle, by the parity of the sides crossed along +x
  bool inside(const int (&t)[3], int p) const {
    bool in = false;
    const float px = coordinate(p, x_), py = coordinate(p, y_);
    for (int i = 0, j = 2; i < 3; j = i++) {
      const float xi = coordinate(t[i], x_), yi = coordinate(t[i], y_);
      const float xj = coordinate(t[j], x_), yj = coordinate(t[j], y_);
      if ((yi > py) != (yj > py) && px < (xj - xi) * (py - yi) / (yj - yi) + xi) in = !in;
    }
    return in;
  }

  CORTEN_BULK bool is_ear(std::size_t k, float area) const {
    const int t[3] = {corner(k), corner(k + 1), corner(k + 2)};
    if (turn(t[0], t[1], t[2]) * area < 0) return false;
    for (std::size_t other = 3; other < left_.size(); ++other) {
      if (inside(t, corner(k + other))) return false;
    }
    return true;
  }

  CORTEN_BULK void cut() {
    if (left_.size() > 3) choose_axes();
    float area = 0;
    for (std::size_t k = 0; k < left_.size(); ++k) {
      const int a = corner(k), b = corner(k + 1);
      area +=
          0.5f * (coordinate(a, x_) * coordinate(b, y_) - coordinate(a, y_) * coordinate(b, x_));
    }
    std::size_t k = 0, failed = 0;
    while (left_.size() > 3 && failed < left_.size()) {
      if (k >= left_.size()) k -= left_.size();
      if (!is_ear(k, area)) {
        ++k, ++failed;
        continue;
      }
      emit(k);
      const auto ear = static_cast<std::ptrdiff_t>((k + 1) % left_.size());
      left_.erase(left_.begin() + ear);
      if (out_.keep_texcoord) left_textures_.erase(left_textures_.begin() + ear);
      failed = 0;
    }
    if (left_.size() == 3) emit(0);
  }

  static constexpr const char* numbering = "vertices are numbered from 1, or back from -1";

  TextReader text_;
  Triangles& out_;
  Reference lowest_, highest_;
  List<int> corners_, polygons_;        // corners of all faces, and the number of corners per face
  List<int> left_;                      // remaining corners of the face being cut
  List<int> textures_, left_textures_;  // texture coordinates of the same corners
  int x_ = 0, y_ = 1;
};

}  // namespace detail

CORTEN_BULK Result<void> read_obj(std::string_view bytes, Triangles& out) {
  if (bytes.empty()) return Error("the file is empty", "save the mesh again");
  return detail::ObjReader(bytes, out).read();
}

}  // namespace corten::asset
