// SPDX-License-Identifier: Apache-2.0
//
// How much room the polytope of the convex collider has: on the stack, and beyond that in the data.
#pragma once

namespace corten {

// Iterations of EPA that memory on the stack is enough for, and what a vertex needs elsewhere; numbers of
// faces are bytes, and each iteration adds two.
inline constexpr int local_iterations = 35, most_iterations = 120, bytes_per_vertex = 160;

}  // namespace corten
