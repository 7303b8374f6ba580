// SPDX-License-Identifier: Apache-2.0
//
// How much memory the polytope of the convex collider has: on the stack, and beyond that in the
// data.
#pragma once

namespace corten {

// local_iterations of EPA fit on the stack; more need bytes_per_vertex in the data for every
// vertex. Face indices are bytes and each iteration adds two faces, hence most_iterations.
inline constexpr int local_iterations = 35, most_iterations = 120, bytes_per_vertex = 160;

}  // namespace corten
