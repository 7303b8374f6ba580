// SPDX-License-Identifier: Apache-2.0
//
// The convex hull of points. MuJoCo uses qhull, but linking libqhull would burden every user of
// these headers, and it reports errors by longjmp, which skips destructors. So the algorithm is
// implemented here (Barber, Dobkin and Huhdanpaa 1996), with qhull's order of vertices, edges and
// sides, because mesh contacts depend on that order.
#pragma once

#include <corten/asset/hull/exact.hpp>
#include <corten/core/list.hpp>

namespace corten::asset {

// The hull of points (three doubles each, holding floats) with at most `limit` vertices; -1: all.
// It equals qhull's, except for points that rounding makes ambiguous: those get an exact hull.
CORTEN_COLD Hull convex_hull(const List<double>& points, int limit = -1) {
  if (points.size() < 12) return {};
  Hull out;
  if (detail::Quickhull(points, limit).run(out)) return out;
  return detail::ExactHull(points, limit).run();
}

}  // namespace corten::asset
