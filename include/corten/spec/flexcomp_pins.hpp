// SPDX-License-Identifier: Apache-2.0
//
// Which points of a <flexcomp> do not move, or which of its nodes.
#pragma once

#include <corten/spec/flexcomp_draft.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace corten::spec::detail {

class FlexPins {
 public:
  explicit FlexPins(FlexcompDraft& draft) : d_(draft), e_(draft.e), n_(draft.e.counts()) {}

  CORTEN_COLD Result<void> apply() {
    for (const Flexcomp::Pin& pin : e_.pins) {
      if (auto done = check_sizes(pin); !done) return done;
      if (auto done = pin_ids(pin); !done) return done;
      if (auto done = pin_ranges(pin); !done) return done;
      if (auto done = pin_grid(pin); !done) return done;
      if (auto done = pin_gridranges(pin); !done) return done;
    }
    if (e_.dof == FlexDof::radial) d_.pinned[0] = 1;
    return {};
  }

 private:
  static int size(const Optional<List<int>>& list) {
    return list ? static_cast<int>(list->size()) : 0;
  }

  CORTEN_COLD Result<void> check_sizes(const Flexcomp::Pin& pin) const {
    const bool gridded = pin.grid || pin.gridrange;
    if (size(pin.range) % 2 != 0) return e_.error("range of a pin needs pairs of points");
    if (size(pin.grid) % d_.dim != 0) {
      return e_.error("grid of a pin needs a multiple of " + std::to_string(d_.dim) + " numbers");
    }
    if (size(pin.gridrange) % (2 * d_.dim) != 0) {
      return e_.error("gridrange of a pin needs a multiple of " + std::to_string(2 * d_.dim) +
                      " numbers");
    }
    const bool grid = e_.type.value_or(FlexcompType::grid) == FlexcompType::grid;
    if (gridded && !grid && !e_.is_interpolated()) {
      return e_.error("grid and gridrange of a pin need type=\"grid\" or nodes", "use id or range");
    }
    if (gridded && d_.dim == 1) {
      return e_.error("grid and gridrange of a pin need dim 2 or 3", "use id or range");
    }
    return {};
  }

  CORTEN_COLD Result<void> out_of_range(int id, int count) const {
    return e_.error("pin " + std::to_string(id) + " is out of range",
                    "numbers run from 0 to " + std::to_string(count - 1));
  }

  CORTEN_COLD Result<void> pin_ids(const Flexcomp::Pin& pin) {
    for (int i = 0; i < size(pin.id); ++i) {
      const int id = (*pin.id)[static_cast<std::size_t>(i)];
      if (id < 0 || id >= d_.count()) return out_of_range(id, d_.count());
      d_.pinned[static_cast<std::size_t>(id)] = 1;
    }
    return {};
  }

  CORTEN_COLD Result<void> pin_ranges(const Flexcomp::Pin& pin) {
    for (int i = 0; i < size(pin.range); i += 2) {
      const int first = (*pin.range)[static_cast<std::size_t>(i)];
      const int last = (*pin.range)[static_cast<std::size_t>(i + 1)];
      if (first < 0 || first >= d_.count()) return out_of_range(first, d_.count());
      if (last < 0 || last >= d_.count()) return out_of_range(last, d_.count());
      for (int id = first; id <= last; ++id) d_.pinned[static_cast<std::size_t>(id)] = 1;
    }
    return {};
  }

  // As in MuJoCo, places in a grid are numbered by `count`, even if they are those of nodes.
  CORTEN_COLD Result<void> pin_place(const int (&p)[3]) {
    const int id = d_.dim == 2 ? p[0] * n_[1] + p[1] : (p[0] * n_[1] + p[1]) * n_[2] + p[2];
    if (id >= static_cast<int>(d_.pinned.size())) {
      return out_of_range(id, static_cast<int>(d_.pinned.size()));
    }
    d_.pinned[static_cast<std::size_t>(id)] = 1;
    return {};
  }

  CORTEN_COLD Result<void> pin_grid(const Flexcomp::Pin& pin) {
    const bool nodes =
        e_.is_interpolated() && e_.type.value_or(FlexcompType::grid) != FlexcompType::grid;
    for (int i = 0; i < size(pin.grid); i += d_.dim) {
      int place[3] = {0, 0, 0};
      for (int k = 0; k < d_.dim; ++k) {
        place[k] = (*pin.grid)[static_cast<std::size_t>(i + k)];
        const int count = nodes ? d_.grid.order + 1 : n_[static_cast<std::size_t>(k)];
        if (place[k] < 0 || place[k] >= count) return out_of_range(place[k], count);
      }
      if (auto done = pin_place(place); !done) return done;
    }
    return {};
  }

  CORTEN_COLD Result<void> pin_gridranges(const Flexcomp::Pin& pin) {
    for (int i = 0; i < size(pin.gridrange); i += 2 * d_.dim) {
      int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
      for (int k = 0; k < d_.dim; ++k) {
        low[k] = (*pin.gridrange)[static_cast<std::size_t>(i + k)];
        high[k] = (*pin.gridrange)[static_cast<std::size_t>(i + d_.dim + k)];
        const int count = n_[static_cast<std::size_t>(k)];
        if (low[k] < 0 || low[k] >= count) return out_of_range(low[k], count);
        if (high[k] < 0 || high[k] >= count) return out_of_range(high[k], count);
      }
      for (int x = low[0]; x <= high[0]; ++x) {
        for (int y = low[1]; y <= high[1]; ++y) {
          for (int z = low[2]; z <= high[2]; ++z) {
            if (auto done = pin_place({x, y, z}); !done) return done;
          }
        }
      }
    }
    return {};
  }

  FlexcompDraft& d_;
  const Flexcomp& e_;
  std::array<int, 3> n_;
};

CORTEN_COLD Result<void> pin_flex(FlexcompDraft& d) {
  d.rigid = d.e.rigid.value_or(false);
  const int nodes = d.e.is_interpolated() ? d.grid.nodes() : 0;
  d.pinned.assign(static_cast<std::size_t>(std::max(d.count(), nodes)), d.rigid ? 1 : 0);
  if (d.rigid) return {};
  if (auto done = FlexPins(d).apply(); !done) return done;
  int pins = 0;
  for (int i = 0; i < d.count(); ++i) pins += d.pinned[static_cast<std::size_t>(i)];
  d.rigid = pins == d.count();
  d.centred = pins == 0;
  return {};
}

// removes points that no element uses, which only given points can be
CORTEN_COLD void drop_unused_points(FlexcompDraft& d) {
  if (!d.e.is_direct()) return;
  const auto n = static_cast<std::size_t>(d.count());
  List<int> number(n, -1);
  for (const int v : d.points.corner) number[static_cast<std::size_t>(v)] = 0;
  List<double>& vert = d.points.vert;
  Optional<List<double>>& texcoord = d.flex.texcoord;
  const bool textured = texcoord && texcoord->size() >= 2 * n;
  std::size_t next = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (number[i] < 0) continue;
    for (std::size_t k = 0; k < 3; ++k) vert[3 * next + k] = vert[3 * i + k];
    for (std::size_t k = 0; k < 2 && textured; ++k) {
      (*texcoord)[2 * next + k] = (*texcoord)[2 * i + k];
    }
    d.pinned[next] = d.pinned[i];
    number[i] = static_cast<int>(next++);
  }
  for (int& v : d.points.corner) v = number[static_cast<std::size_t>(v)];
  vert.resize(3 * next);
  if (textured) texcoord->resize(2 * next);
}

}  // namespace corten::spec::detail
