// SPDX-License-Identifier: Apache-2.0
//
// Height fields: heights from MJCF, from a PNG image or from MuJoCo's binary format, scaled to
// [0, 1]. Rows run from -y to +y; MJCF text and images start with the far row and are reversed.
#pragma once

#include <corten/compile/mesh.hpp>
#include <corten/core/list.hpp>

#include <algorithm>
#include <string>

namespace corten::compiler {

namespace detail {

CORTEN_COLD Result<void> read_hfield_file(const spec::HField& e, Heights& out) {
  if (e.nrow.value_or(0) != 0 || e.ncol.value_or(0) != 0 || !e.data.empty()) {
    return e.error("heights are given both by a file and by the element");
  }
  spec::FileContent file;
  if (auto done = open_asset(e, file); !done) return done;
  return mjcf::read_hfield(e, file, out);
}

CORTEN_COLD Result<void> read_written_heights(const spec::HField& e, Heights& out) {
  out.nrow = e.nrow.value_or(0);
  out.ncol = e.ncol.value_or(0);
  if (out.nrow < 1 || out.ncol < 1) return e.error("nrow and ncol, or a file, must be given");
  const std::size_t rows = static_cast<std::size_t>(out.nrow),
                    columns = static_cast<std::size_t>(out.ncol);
  const List<double>& given = e.data.empty() && e.elevation ? *e.elevation : e.data;
  if (given.empty()) {
    if (rows > asset::max_count / columns) return e.error("nrow times ncol is too large");
    out.data.assign(rows * columns, 0.0f);
    return {};
  }
  if (given.size() / columns != rows || given.size() % columns != 0) {
    return e.error("has " + std::to_string(given.size()) + " heights, expected nrow times ncol");
  }
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t from = e.data.empty() ? rows - 1 - r : r;
    for (std::size_t c = 0; c < columns; ++c) {
      out.data.push_back(static_cast<float>(given[from * columns + c]));
    }
  }
  return {};
}

// scales heights to the range [0, 1]; level ground becomes 0
CORTEN_COLD Result<void> normalize_heights(const spec::HField& e, List<float>& data) {
  float low = 1e10f, high = -1e10f;
  for (const float h : data) {
    low = std::min(low, h);
    high = std::max(high, h);
  }
  if (!(low <= high)) return e.error("the heights are not numbers");
  for (float& h : data) {
    h -= low;
    if (static_cast<double>(high - low) > tiny) h /= high - low;
    if (!std::isfinite(h)) return e.error("a height is not finite");
  }
  return {};
}

}  // namespace detail

CORTEN_COLD Result<void> make_heights(const spec::HField& e, Heights& out) {
  if (!e.size) return e.error("size is missing");
  for (const double s : *e.size) {
    if (!(s > 0)) return e.error("the sizes of a height field must be positive");
  }
  if (e.file || e.content.bytes) {
    if (auto done = detail::read_hfield_file(e, out); !done) return done;
  } else if (auto done = detail::read_written_heights(e, out); !done) {
    return done;
  }
  const bool raw = !e.data.empty() || !e.normalize.value_or(true);
  return !raw ? detail::normalize_heights(e, out.data) : Result<void>{};
}

}  // namespace corten::compiler
