// SPDX-License-Identifier: Apache-2.0
//
// How much memory the polytope of the convex collider has: on the stack, and beyond that in the
// data.
#pragma once

namespace corten {

// local_iterations of EPA fit on the stack; more need bytes_per_vertex in the data for every
// vertex, in proportion to the size of a number V. Face indices are bytes and each iteration adds
// two faces, hence most_iterations.
inline constexpr int local_iterations = 35, most_iterations = 120;
template <class V>
inline constexpr int bytes_per_vertex = sizeof(V) > 8 ? 20 * static_cast<int>(sizeof(V)) : 160;

}  // namespace corten
