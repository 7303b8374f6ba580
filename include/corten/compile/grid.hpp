// SPDX-License-Identifier: Apache-2.0
//
// Distance grids in a model. set_grid() gives a grid to a geom of type sdf that was loaded without
// one:
//
//   Model<double> model = load("place.xml").value();       // <geom name="part" type="sdf"/>
//   set_grid(model, 3, asset::make_sdf(vertices, faces));  // asset/sdf_make.hpp
#pragma once

#include <corten/asset/sdf_grid.hpp>
#include <corten/compile/boxes.hpp>
#include <corten/compile/candidates.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace corten {

namespace compiler {

// half sizes of the box centred at the origin that contains a grid
CORTEN_COLD Vec3<double> grid_extent(const asset::SdfGrid& grid) {
  Vec3<double> out;
  for (int k = 0; k < 3; ++k) out[k] = std::max(std::fabs(grid.low(k)), std::fabs(grid.high(k)));
  return out;
}

// the bounding box of a grid: centre, half sizes
CORTEN_COLD Vec6<double> grid_box(const asset::SdfGrid& grid) {
  Vec6<double> out;
  for (int k = 0; k < 3; ++k) {
    out[k] = (grid.high(k) + grid.low(k)) / 2;
    out[3 + k] = (grid.high(k) - grid.low(k)) / 2;
  }
  return out;
}

// appends a grid to a model and returns its number
template <class S>
CORTEN_COLD int add_grid(Model<S>& m, const asset::SdfGrid& grid) {
  m.sdf_adr.push_back(m.n.nsdfdata);
  for (const int n : grid.n) m.sdf_size.push_back(n);
  for (const double x : grid.origin) m.sdf_origin.push_back(S(x));
  m.sdf_cell.push_back(S(grid.cell));
  m.sdf_data.append(grid.data.data(), grid.data.data() + grid.data.size());
  m.n.nsdfdata = static_cast<int>(m.sdf_data.size());
  return m.n.nsdf++;
}

}  // namespace compiler

// Gives a geom of type sdf a grid, which replaces its mesh or its previous grid, and updates
// sizes, bounds and collision candidates. Mass and inertia stay as they are. Existing Data can
// be too small for the new contacts: create it again.
template <class S>
CORTEN_COLD Result<void> set_grid(Model<S>& m, int geom, const asset::SdfGrid& grid) {
  if (geom < 0 || geom >= m.n.ngeom) return Error("there is no such geom");
  const auto g = static_cast<std::size_t>(geom);
  if (m.geom_type[g] != static_cast<int>(GeomType::sdf)) return Error("the geom is not an sdf");
  if (auto done = asset::check_grid(grid); !done) return done;
  if (m.sdf_data.size() + grid.data.size() > asset::max_count)
    return Error("the grids are too large");
  const Vec3<double> size = compiler::grid_extent(grid);
  const Vec6<double> box = compiler::grid_box(grid);
  m.geom_sdf[g] = compiler::add_grid(m, grid);
  m.geom_dataid[g] = -1;
  for (int k = 0; k < 3; ++k) m.geom_size[3 * g + static_cast<std::size_t>(k)] = S(size[k]);
  for (int k = 0; k < 6; ++k) m.geom_aabb[6 * g + static_cast<std::size_t>(k)] = S(box[k]);
  m.geom_rbound[g] = S(std::sqrt(size.squaredNorm()));
  collision_candidates(m);
  body_boxes(m);
  return {};
}

}  // namespace corten
