// SPDX-License-Identifier: Apache-2.0
//
// The convex hull of points. Debian's libqhull would compute it, and MuJoCo uses qhull; but then every user of these
// headers would have to link it, and it reports errors by longjmp, past destructors. So the method is written here
// (Barber, Dobkin and Huhdanpaa 1996), with the order of vertices, edges and sides that qhull gives, since
// contacts of meshes follow it.
#pragma once

#include <corten/asset/hull/exact.hpp>
#include <corten/core/list.hpp>

namespace corten::asset {

// The hull of points (three doubles each, holding floats) with at most `limit` vertices; -1: all.
// As qhull's, but for points on which rounding plays tricks: those have an exact one.
CORTEN_COLD Hull convex_hull(const List<double>& points, int limit = -1) {
  if (points.size() < 12) return {};
  Hull out;
  if (detail::Quickhull(points, limit).run(out)) return out;
  return detail::ExactHull(points, limit).run();
}

}  // namespace corten::asset
