// SPDX-License-Identifier: Apache-2.0
//
// Heights on a grid, from a PNG picture or MuJoCo's binary format. Rows run from -y to +y. Pictures
// store the far row first, so they are flipped.
#pragma once

#include <corten/asset/png.hpp>
#include <corten/asset/triangles.hpp>
#include <corten/core/list.hpp>

#include <string>
#include <string_view>

namespace corten::asset {

struct Heights {
  int nrow = 0, ncol = 0;
  List<float> data;
};

// the format is two counts, then floats
CORTEN_COLD Result<void> read_heights(std::string_view bytes, Heights& out) {
  if (bytes.size() < 8) return Error("the header is cut off");
  out.nrow = load_bytes<std::int32_t>(bytes.data());
  out.ncol = load_bytes<std::int32_t>(bytes.data() + 4);
  if (out.nrow < 1 || out.ncol < 1)
    return Error("the numbers of rows and columns must be positive");
  const std::size_t room = (bytes.size() - 8) / 4, rows = static_cast<std::size_t>(out.nrow);
  const bool fits = room / rows == static_cast<std::size_t>(out.ncol) && room % rows == 0;
  if (!fits || bytes.size() % 4 != 0)
    return Error("the file size does not match the counts in the header");
  out.data.resize(room);
  std::memcpy(out.data.data(), bytes.data() + 8, 4 * room);
  return {};
}

CORTEN_COLD Result<void> read_picture(std::string_view bytes, Heights& out) {
  Picture picture;
  if (auto done = read_png(bytes, picture); !done) return done;
  out.nrow = picture.height;
  out.ncol = picture.width;
  for (int r = out.nrow - 1; r >= 0; --r) {
    for (int c = 0; c < out.ncol; ++c) {
      out.data.push_back(static_cast<float>(picture.at(r, c)));
    }
  }
  return {};
}

}  // namespace corten::asset
