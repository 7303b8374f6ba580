// SPDX-License-Identifier: Apache-2.0
//
// The pixels of <texture>: built in, or from PNG files. As in MuJoCo, a cube or a sky has six
// square faces, stored below each other in the order right, left, up, down, front, back.
#pragma once

#include <corten/asset/png.hpp>
#include <corten/mjcf/files.hpp>
#include <corten/spec/spec.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace corten::scene {

struct Texture {
  std::string name;
  spec::TextureType type = spec::TextureType::cube;
  asset::Picture picture;  // 3 or 4 channels; the height of a cube is six times its width
};

namespace detail {

using Colour = spec::Numbers<3>;

inline unsigned char to_byte(double x) {
  return static_cast<unsigned char>(255 * std::clamp(x, 0.0, 1.0));
}

class TexturePainter {
 public:
  TexturePainter(const spec::Texture& e, asset::Picture& out) : e_(e), out_(out) {
    first_ = e.rgb1.value_or(Colour{0.8, 0.8, 0.8});
    second_ = e.rgb2.value_or(Colour{0.5, 0.5, 0.5});
    mark_ = e.markrgb.value_or(Colour{0, 0, 0});
  }

  CORTEN_COLD void flat() {
    paint(0, out_.height, first_, second_, [this](double x, double y) {
      return mix(second_, first_, 2 * std::sqrt(x * x + y * y) - 1);
    });
    mark(0, out_.height);
    dots(out_.height);
  }

  CORTEN_COLD void cube() {
    const int w = out_.width;
    for (int face = 0; face < 6; ++face) {
      const auto kind = e_.builtin.value_or(spec::Builtin::none);
      // neighbouring sides of a checkered cube differ, and a flat one has another bottom
      const bool turned = (kind == spec::Builtin::checker && face >= 4) ||
                          (kind == spec::Builtin::flat && face == 3);
      paint(face * w, w, turned ? second_ : first_, turned ? first_ : second_,
            [this, face](double x, double y) { return sky(face, x, y); });
      mark(face * w, w);
    }
    dots(w);
  }

 private:
  // gradients pass through a sigmoid of a value in [-1, 1]
  static Colour mix(const Colour& a, const Colour& b, double at) {
    const double share =
        std::clamp(0.5 * (1 + std::sqrt(2.0) * at / std::sqrt(1 + at * at)), 0.0, 1.0);
    Colour out;
    for (std::size_t k = 0; k < 3; ++k) out[k] = share * a[k] + (1 - share) * b[k];
    return out;
  }

  // the first colour above, the second below, by the elevation of the pixel on the cube
  Colour sky(int face, double x, double y) const {
    constexpr double quarter = 1.57079632679489662;
    const double away = std::sqrt(1 + x * x + y * y);
    const double up = 1 - std::acos(1 / away) / quarter;
    if (face == 2) return mix(first_, second_, up);
    if (face == 3) return mix(first_, second_, -up);
    return mix(first_, second_, std::asin(y / away) / quarter);
  }

  void set(int r, int c, const Colour& colour) {
    unsigned char* at =
        &out_.pixels[3 * (static_cast<std::size_t>(r) * static_cast<std::size_t>(out_.width) +
                          static_cast<std::size_t>(c))];
    for (std::size_t k = 0; k < 3; ++k) at[k] = to_byte(colour[k]);
  }

  template <class Gradient>
  void paint(int top, int height, const Colour& a, const Colour& b, Gradient gradient) {
    const int w = out_.width;
    const auto builtin = e_.builtin.value_or(spec::Builtin::none);
    for (int r = 0; r < height; ++r) {
      for (int c = 0; c < w; ++c) {
        const double x = 2.0 * c / std::max(w - 1, 1) - 1,
                     y = 1 - 2.0 * r / std::max(height - 1, 1);
        const bool same = (r < height / 2) == (c < w / 2);
        set(top + r, c,
            builtin == spec::Builtin::gradient  ? gradient(x, y)
            : builtin == spec::Builtin::checker ? (same ? a : b)
                                                : a);
      }
    }
  }

  void mark(int top, int height) {
    const auto kind = e_.mark.value_or(spec::Mark::none);
    if (kind != spec::Mark::edge && kind != spec::Mark::cross) return;
    const int w = out_.width;
    const bool edge = kind == spec::Mark::edge;
    for (int r = 0; r < height; ++r) {
      set(top + r, edge ? 0 : w / 2, mark_);
      set(top + r, edge ? w - 1 : w / 2, mark_);
    }
    for (int c = 0; c < w; ++c) {
      set(top + (edge ? 0 : height / 2), c, mark_);
      set(top + (edge ? height - 1 : height / 2), c, mark_);
    }
  }

  // the places are our own: MuJoCo's depend on its standard library
  void dots(int height) {
    if (e_.mark.value_or(spec::Mark::none) != spec::Mark::random) return;
    const double share = e_.random.value_or(0.01);
    std::uint64_t state = 42;
    for (int r = 0; r < height; ++r) {
      for (int c = 0; c < out_.width; ++c) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        if (static_cast<double>(state >> 11) * 0x1p-53 < share) set(r, c, mark_);
      }
    }
  }

  const spec::Texture& e_;
  asset::Picture& out_;
  Colour first_, second_, mark_;
};

CORTEN_COLD Result<void> open_picture(const Spec& spec, const spec::Texture& e,
                                      const std::string& file, asset::Picture& out) {
  const auto content = mjcf::open_file(spec, e, mjcf::compiler_of(spec, e.origin).texturedir, file);
  if (!content) return content.error();
  out.channels = e.nchannel.value_or(3) == 4 ? 4 : 3;
  if (auto done = asset::read_png(*content->bytes, out); !done) {
    return e.error("'" + file + "': " + done.error().message, "use a PNG picture");
  }
  return {};
}

// copies the square of `from` whose corner is at (row, column) to a face of a cube
CORTEN_COLD void copy_face(const asset::Picture& from, int row, int column, int face,
                           asset::Picture& to) {
  const auto w = static_cast<std::size_t>(to.width), n = static_cast<std::size_t>(to.channels);
  for (std::size_t r = 0; r < w; ++r) {
    const std::size_t source =
        ((static_cast<std::size_t>(row) + r) * static_cast<std::size_t>(from.width) +
         static_cast<std::size_t>(column)) *
        n;
    const std::size_t target = (static_cast<std::size_t>(face) * w + r) * w * n;
    std::copy_n(&from.pixels[source], w * n, &to.pixels[target]);
  }
}

CORTEN_COLD void make_cube(int width, int channels, asset::Picture& out) {
  out.width = width;
  out.height = 6 * width;
  out.channels = channels;
  out.pixels.assign(static_cast<std::size_t>(6 * width * width * channels), 128);
}

// a cube from one file: a square for all faces, or a grid of faces by the letters of gridlayout
CORTEN_COLD Result<void> cut_cube(const spec::Texture& e, const asset::Picture& from,
                                  asset::Picture& out) {
  const std::array<int, 2> grid = e.gridsize.value_or(std::array<int, 2>{1, 1});
  if (grid[0] < 1 || grid[1] < 1 || grid[0] * grid[1] > 12) return e.error("gridsize is not valid");
  const int w = from.width / grid[1];
  if (w < 1 || from.height / grid[0] != w) {
    return e.error("the faces in the picture are not square");
  }
  make_cube(w, from.channels, out);
  if (grid[0] * grid[1] == 1) {
    for (int face = 0; face < 6; ++face) copy_face(from, 0, 0, face, out);
    return {};
  }
  const std::string layout = e.gridlayout.value_or("............");
  for (int i = 0; i < grid[0] * grid[1] && i < static_cast<int>(layout.size()); ++i) {
    const std::size_t face = std::string_view("RLUDFB").find(layout[static_cast<std::size_t>(i)]);
    if (face == std::string_view::npos) continue;
    copy_face(from, i / grid[1] * w, i % grid[1] * w, static_cast<int>(face), out);
  }
  return {};
}

// a cube from a file for each face; a face without one is grey
CORTEN_COLD Result<void> join_cube(const Spec& spec, const spec::Texture& e, asset::Picture& out) {
  const Optional<std::string>* const files[] = {&e.fileright, &e.fileleft,  &e.fileup,
                                                &e.filedown,  &e.filefront, &e.fileback};
  for (int face = 0; face < 6; ++face) {
    if (!*files[face] || (*files[face])->empty()) continue;
    asset::Picture one;
    if (auto done = open_picture(spec, e, **files[face], one); !done) return done;
    if (out.pixels.empty()) make_cube(one.width, one.channels, out);
    if (one.width != out.width || one.height != out.width) {
      return e.error("the faces of the cube differ in size");
    }
    copy_face(one, 0, 0, face, out);
  }
  if (out.pixels.empty()) return e.error("the texture has neither a file nor a builtin");
  return {};
}

CORTEN_COLD void flip(const spec::Texture& e, asset::Picture& p) {
  const bool across = e.hflip.value_or(false), down = e.vflip.value_or(false);
  const int faces = e.type.value_or(spec::TextureType::cube) == spec::TextureType::flat ? 1 : 6;
  const int h = p.height / faces;
  const asset::Picture from = p;
  for (int r = 0; r < p.height && (across || down); ++r) {
    for (int c = 0; c < p.width; ++c) {
      const int source = r / h * h + (down ? h - 1 - r % h : r % h);
      const auto n = static_cast<std::size_t>(p.channels), w = static_cast<std::size_t>(p.width);
      const auto column = static_cast<std::size_t>(across ? p.width - 1 - c : c);
      std::copy_n(&from.pixels[(static_cast<std::size_t>(source) * w + column) * n], n,
                  &p.pixels[(static_cast<std::size_t>(r) * w + static_cast<std::size_t>(c)) * n]);
    }
  }
}

}  // namespace detail

// The pixels of a texture. Textures are limited to the size that graphics cards guarantee.
CORTEN_COLD Result<Texture> make_texture(const Spec& spec, const spec::Texture& e) {
  Texture out{e.name, e.type.value_or(spec::TextureType::cube), {}};
  const bool flat = out.type == spec::TextureType::flat;
  asset::Picture& p = out.picture;
  if (e.builtin.value_or(spec::Builtin::none) != spec::Builtin::none) {
    p.width = e.width.value_or(0);
    p.height = flat ? e.height.value_or(0) : 6 * p.width;
    p.channels = 3;
    if (p.width < 1 || p.height < 1 || p.width > 8192 || e.height.value_or(1) > 8192) {
      return e.error("width and height of a builtin texture must be between 1 and 8192");
    }
    p.pixels.assign(3 * static_cast<std::size_t>(p.width) * static_cast<std::size_t>(p.height), 0);
    detail::TexturePainter painter(e, p);
    flat ? painter.flat() : painter.cube();
  } else if (e.file && !e.file->empty()) {
    asset::Picture whole;
    if (auto done = detail::open_picture(spec, e, *e.file, whole); !done) return done.error();
    if (flat) {
      p = std::move(whole);
    } else if (auto done = detail::cut_cube(e, whole, p); !done) {
      return done.error();
    }
  } else if (auto done = detail::join_cube(spec, e, p); !done) {
    return done.error();
  }
  detail::flip(e, p);
  return out;
}

}  // namespace corten::scene
