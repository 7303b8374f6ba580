// SPDX-License-Identifier: Apache-2.0
//
// Reads PNG pictures, as heights or as colours, with eight bits per number as in MuJoCo. A height
// is the grey value, or the red channel of a colour. Colours have three channels, or four with
// transparency; palettes and greys are expanded.
#pragma once

#include <corten/asset/inflate.hpp>
#include <corten/asset/triangles.hpp>
#include <corten/core/list.hpp>

#include <cstdlib>

namespace corten::asset {

struct Picture {
  int width = 0, height = 0, channels = 1;  // 1: heights, 3: colours, 4: and transparency
  List<unsigned char> pixels;

  // the first channel
  int at(int r, int c) const {
    return pixels[(static_cast<std::size_t>(r) * static_cast<std::size_t>(width) +
                   static_cast<std::size_t>(c)) *
                  static_cast<std::size_t>(channels)];
  }
};

namespace detail {

inline std::uint32_t big_endian(const char* p) {
  std::uint32_t out = 0;
  for (int i = 0; i < 4; ++i) out = out << 8 | static_cast<unsigned char>(p[i]);
  return out;
}

// the checksum of a chunk (PNG specification, annex D), computed without a table
CORTEN_COLD std::uint32_t crc(std::string_view bytes) {
  std::uint32_t c = 0xffffffffu;
  for (const char byte : bytes) {
    c ^= static_cast<unsigned char>(byte);
    for (int k = 0; k < 8; ++k) c = (c & 1u) != 0 ? 0xedb88320u ^ (c >> 1) : c >> 1;
  }
  return c ^ 0xffffffffu;
}

class PngReader {
 public:
  PngReader(std::string_view bytes, Picture& out) : bytes_(bytes), out_(out) {}

  CORTEN_COLD Result<void> read() {
    if (bytes_.substr(0, 8) != std::string_view("\x89PNG\r\n\x1a\n", 8))
      return Error("not a PNG picture");
    if (auto done = read_chunks(); !done) return done;
    if (auto done = inflate(data_, raw_size(), raw_); !done) return done;
    return unpack();
  }

 private:
  struct Pass {
    int x, y, dx, dy;  // first pixel and steps
  };

  CORTEN_COLD Result<void> read_chunks() {
    std::size_t at = 8;
    for (bool first = true;; first = false) {
      if (bytes_.size() - at < 12) return Error("the picture is cut off");
      const std::size_t length = big_endian(bytes_.data() + at);
      if (bytes_.size() - at - 12 < length) return Error("the picture is cut off");
      const std::string_view body = bytes_.substr(at + 8, length);
      if (crc(bytes_.substr(at + 4, length + 4)) != big_endian(body.data() + length)) {
        return Error("the checksum of a chunk is wrong");
      }
      const std::string_view type = bytes_.substr(at + 4, 4);
      if (first != (type == "IHDR")) return Error("the header must be the first chunk");
      if (first) {
        if (auto done = read_header(body); !done) return done;
      }
      if (type == "PLTE") palette_ = body;
      if (type == "tRNS") clear_ = body;
      if (type == "IDAT") data_.append(body);
      if (type == "IEND") return {};
      const bool optional = (type[0] & 32) != 0;
      if (!optional && !first && type != "PLTE" && type != "IDAT")
        return Error("it has an unknown critical chunk");
      at += 12 + length;
    }
  }

  CORTEN_COLD Result<void> read_header(std::string_view h) {
    if (h.size() != 13) return Error("the header has the wrong size");
    const std::uint32_t width = big_endian(h.data()), height = big_endian(h.data() + 4);
    if (width == 0 || height == 0 || width > (1u << 24) || height > (1u << 24) ||
        std::size_t{width} * height > max_count) {
      return Error("the width or height is zero or too large");
    }
    out_.width = static_cast<int>(width);
    out_.height = static_cast<int>(height);
    depth_ = h[8];
    color_ = h[9];
    interlaced_ = h[12] == 1;
    const bool small = depth_ == 1 || depth_ == 2 || depth_ == 4;
    const bool known =
        (color_ == 0 && (small || depth_ == 8 || depth_ == 16)) ||
        (color_ == 3 && (small || depth_ == 8)) ||
        ((color_ == 2 || color_ == 4 || color_ == 6) && (depth_ == 8 || depth_ == 16));
    if (!known || h[10] != 0 || h[11] != 0 || h[12] < 0 || h[12] > 1)
      return Error("its format is unknown");
    const int channels = color_ == 2 ? 3 : color_ == 4 ? 2 : color_ == 6 ? 4 : 1;
    bits_ = static_cast<std::size_t>(channels * depth_);
    return {};
  }

  // one pass, or the seven passes of an interlaced picture
  int passes() const { return interlaced_ ? 7 : 1; }
  Pass pass(int i) const {
    constexpr Pass adam7[7] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                               {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
    return interlaced_ ? adam7[i] : Pass{0, 0, 1, 1};
  }
  static std::size_t steps(int size, int first, int step) {
    return size > first ? static_cast<std::size_t>((size - first + step - 1) / step) : 0;
  }
  std::size_t row_bytes(const Pass& p) const {
    return (steps(out_.width, p.x, p.dx) * bits_ + 7) / 8;
  }

  // each row starts with a byte for its filter
  std::size_t raw_size() const {
    std::size_t size = 0;
    for (int i = 0; i < passes(); ++i) {
      const Pass p = pass(i);
      if (row_bytes(p) > 0) size += steps(out_.height, p.y, p.dy) * (1 + row_bytes(p));
    }
    return size;
  }

  CORTEN_COLD Result<void> unpack() {
    out_.pixels.assign(static_cast<std::size_t>(out_.width) *
                           static_cast<std::size_t>(out_.height) *
                           static_cast<std::size_t>(out_.channels),
                       0);
    std::size_t at = 0;
    for (int i = 0; i < passes(); ++i) {
      const Pass p = pass(i);
      const std::size_t width = row_bytes(p), rows = steps(out_.height, p.y, p.dy);
      std::string before(width, '\0');
      for (std::size_t r = 0; r < rows && width > 0; ++r, at += 1 + width) {
        if (!unfilter(raw_[at], &raw_[at + 1], before)) return Error("a row has an unknown filter");
        before.assign(raw_, at + 1, width);
        const std::size_t y = static_cast<std::size_t>(p.y) + r * static_cast<std::size_t>(p.dy);
        if (!place_row(p, y, before))
          return Error("a pixel has a colour that is not in the palette");
      }
    }
    return {};
  }

  // bytes are stored as differences from their neighbours to the left and above (PNG specification,
  // 9.2)
  CORTEN_COLD bool unfilter(char filter, char* row, const std::string& above) const {
    const std::size_t step = bits_ < 8 ? 1 : bits_ / 8;
    for (std::size_t i = 0; i < above.size(); ++i) {
      const auto byte = [](char c) { return static_cast<int>(static_cast<unsigned char>(c)); };
      const int a = i >= step ? byte(row[i - step]) : 0, b = byte(above[i]),
                c = i >= step ? byte(above[i - step]) : 0;
      int add = 0;
      switch (filter) {
        case 0: break;
        case 1: add = a; break;
        case 2: add = b; break;
        case 3: add = (a + b) / 2; break;
        case 4: {
          const int p = a + b - c, pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
          add = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
          break;
        }
        default: return false;
      }
      row[i] = static_cast<char>(static_cast<unsigned char>(byte(row[i]) + add));
    }
    return true;
  }

  // channel k of a pixel as it is stored, in eight bits
  int stored(const std::string& row, std::size_t pixel, int k) const {
    const std::size_t bit = pixel * bits_ + static_cast<std::size_t>(k * depth_);
    const int byte = static_cast<unsigned char>(row[bit / 8]);
    if (depth_ >= 8) return byte;
    const int most = (1 << depth_) - 1;
    const int value = byte >> (8 - depth_ - static_cast<int>(bit % 8)) & most;
    return color_ == 3 ? value : value * 255 / most;
  }

  // channel k of a pixel as the picture shows it; negative if it is not in the palette
  int shown(const std::string& row, std::size_t pixel, int k) const {
    const bool grey = color_ == 0 || color_ == 4, clear = color_ == 4 || color_ == 6;
    if (color_ == 3) {
      const auto entry = static_cast<std::size_t>(stored(row, pixel, 0));
      if (3 * entry + 2 >= palette_.size()) return -1;
      if (k < 3)
        return static_cast<unsigned char>(palette_[3 * entry + static_cast<std::size_t>(k)]);
      return entry < clear_.size() ? static_cast<unsigned char>(clear_[entry]) : 255;
    }
    if (k == 3) return clear ? stored(row, pixel, grey ? 1 : 3) : 255;
    return stored(row, pixel, grey ? 0 : k);
  }

  CORTEN_COLD bool place_row(const Pass& p, std::size_t y, const std::string& row) {
    const std::size_t width = static_cast<std::size_t>(out_.width);
    const int channels = out_.channels;
    std::size_t i = 0;
    for (std::size_t x = static_cast<std::size_t>(p.x); x < width;
         x += static_cast<std::size_t>(p.dx), ++i) {
      for (int k = 0; k < channels; ++k) {
        const int value = shown(row, i, k);
        if (value < 0) return false;
        out_.pixels[(y * width + x) * static_cast<std::size_t>(channels) +
                    static_cast<std::size_t>(k)] = static_cast<unsigned char>(value);
      }
    }
    return true;
  }

  std::string_view bytes_, palette_, clear_;  // clear: opacities of the palette
  Picture& out_;
  std::string data_, raw_;
  std::size_t bits_ = 8;  // per pixel
  int depth_ = 8, color_ = 0;
  bool interlaced_ = false;
};

}  // namespace detail

// with as many channels as `out` has
CORTEN_COLD Result<void> read_png(std::string_view bytes, Picture& out) {
  return detail::PngReader(bytes, out).read();
}

}  // namespace corten::asset
