// SPDX-License-Identifier: Apache-2.0
//
// Draws a scene in a terminal, with braille characters of two by four dots each.
#pragma once

#include "silhouette.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace cli {

class Canvas {
 public:
  Canvas(int columns, int rows) : columns_(columns), rows_(rows), cells_(cell_count()) {}

  int columns() const { return columns_; }
  int rows() const { return rows_; }

  // The visible part of the plane. Dots are square, so the height determines the width.
  struct Window {
    Point centre;
    double height = 2;
  };

  void draw(const Scene& scene, const Window& window) {
    const int width = 2 * columns_, height = 4 * rows_;
    const double dot_size = window.height / height;
    cells_.assign(cell_count(), 0);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const Point p = window.centre + Point{(x + 0.5 - 0.5 * width) * dot_size,
                                              (0.5 * height - y - 0.5) * dot_size};
        if (covered(scene, p, dot_size)) set(x, y);
      }
    }
  }

  // lines of text, each ending in \n
  std::string text() const {
    std::string out;
    for (int r = 0; r < rows_; ++r) {
      for (int c = 0; c < columns_; ++c) {
        const unsigned cell = cells_[static_cast<std::size_t>(r * columns_ + c)];
        // U+2800 + the eight dots, in UTF-8
        out += '\xE2';
        out += static_cast<char>(0xA0 | (cell >> 6));
        out += static_cast<char>(0x80 | (cell & 0x3F));
      }
      out += '\n';
    }
    return out;
  }

 private:
  std::size_t cell_count() const {
    return static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_);
  }

  // bodies are filled, planes are drawn as a line
  static bool covered(const Scene& scene, Point p, double dot_size) {
    for (const Silhouette& s : scene.shapes) {
      if (s.contains(p)) return true;
    }
    for (const Scene::Edge& e : scene.planes) {
      const double above = dot(p - e.point, e.normal);
      if (above <= 0 && above > -dot_size) return true;
    }
    return false;
  }

  void set(int x, int y) {
    constexpr unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    auto& cell = cells_[static_cast<std::size_t>((y / 4) * columns_ + x / 2)];
    cell = static_cast<unsigned char>(cell | bits[y % 4][x % 2]);
  }

  int columns_, rows_;
  std::vector<unsigned char> cells_;
};

}  // namespace cli
