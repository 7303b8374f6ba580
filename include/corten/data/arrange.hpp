// SPDX-License-Identifier: Apache-2.0
//
// How the data of worlds is laid out in memory, on the host and on devices.
//
// One block. All numbers of a world lie in one block. The field lists (fields.hpp) are its only
// description: arrange() walks them in order and points each field of a DataRef at its place, on a
// 64-byte boundary, so that a field starts its own cache line and its first vector load is aligned.
// The block is cleared, copied and sent to a device as plain bytes, with a single call. One vector
// per field would take almost 150 allocations per world instead, and as many copies. The alignment
// is cheap: for MuJoCo's humanoid (27 dofs, double precision) 4.4 kB of 154 kB are padding.
//
// No allocation in a step. Stages also run on devices, where there is no allocator, so every field
// has a fixed size and place. MuJoCo's alternative is an arena: contacts and rows are allocated
// anew in each step, and take exactly the memory they need, but the arena must be large enough for
// the worst step. Here contacts and rows have a capacity (capacity.hpp). The price is memory for
// rows that are not used: of the humanoid's 154 kB, 83 kB are the efc_ fields, with room for 249
// rows, the estimate for 56 contacts, while a humanoid on the floor has 9. Even so a world is
// smaller than MuJoCo's, whose data takes 14.9 MB, of which the same fall uses 0.25 MB (README.md).
//
// The rows of large models are compressed (math/row_set.hpp), and nothing is proportional to the
// product of rows and dofs, or to the square of either.
//
// Growth. A stage that runs out of room goes on counting (ncon_needed, nefc_needed) and sets a bit
// of the status, and the step leaves the state as it was. Functions on the host then allocate a
// larger block with an eighth to spare, copy state and inputs into it, and repeat the step
// (Data::grow). Nothing is lost, because everything else is computed from state and inputs. So a
// first estimate may be tight: a world of a batch starts with room for 8 contacts, 59 kB for the
// humanoid, and only worlds that need more grow. This is also why a batch on the CPU has one block
// per world. On a device all worlds grow together, between launches (sycl/device_batch.hpp).
//
// Two layouts. A device has one allocation for all worlds, in either of two layouts:
//
//     Contiguous   world 0: qpos[0] qpos[1] … qvel[0] qvel[1] …   world 1: qpos[0] qpos[1] …
//     Strided      qpos[0] of all worlds, qpos[1] of all worlds, … qvel[0] of all worlds, …
//
// Contiguous suits a CPU: a core steps one world at a time and finds its numbers side by side, and
// the compiler knows that they are, and vectorises. Strided suits a GPU: neighbouring threads step
// neighbouring worlds and read the same number at the same time, so neighbouring addresses make for
// coalesced accesses. (That is the argument; it has not been measured on a GPU.) Microseconds per
// step and world on one core of a shared EPYC with 1 MB of L2 cache, clang 14 -O3 -march=native,
// room for 40 contacts and 200 rows, all worlds taking turns, best of five rounds:
//
//                                     humanoid, 27 dofs   half_cheetah, 9 dofs
//     1 world, Contiguous                    24.6                 4.2
//     1 world, Strided, stride 1             34.6                 5.1
//     64 worlds, Contiguous                  28.2                 4.6
//     64 worlds, Strided, stride 80          41.0                 6.1
//     64 worlds, Strided, stride 64          52.0                 7.2
//     256 worlds, Contiguous                 30.6                 7.2
//     256 worlds, Strided, stride 272        48.8                 7.6
//     256 worlds, Strided, stride 256       199.3                21.8
//
// The second line differs from the first only in that the compiler does not know the stride. The
// last line shows why a stride should not be a large power of two: the numbers of a world then
// compete for a few sets of the cache. DeviceBatch pads strides that are multiples of 256.
//
// SIMD lanes need no layout of their own. A Data<Pack<double, 4>> is a contiguous block in which
// every number is a register with the numbers of four worlds (data/lanes.hpp).
#pragma once

#include <corten/data/data_ref.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>

namespace corten {

// Points the fields of `d` into the block at `base`, each on a 64-byte boundary, and returns the
// size of the block in bytes. With a null `base` it only computes the size. d.n must be set.
// `stride` is the distance between two neighbouring numbers of a strided field, at least the number
// of worlds.
template <class S, class L>
std::size_t arrange(DataRef<S, L>& d, std::byte* base, std::ptrdiff_t stride = 1) {
  const DataSizes& n = d.n;
  std::size_t total = 0;
  const auto place = [&](auto*& pointer, int count) {
    using T = std::remove_reference_t<decltype(*pointer)>;
    pointer = base ? reinterpret_cast<T*>(base + total) : nullptr;
    const std::size_t bytes =
        sizeof(T) * static_cast<std::size_t>(count) * static_cast<std::size_t>(stride);
    total += (bytes + 63) / 64 * 64;
  };
#define X(type, name, meaning) place(d.name.data, 1);
  CORTEN_DATA_CELLS(X)
#undef X
#define X(type, name, rows, width, meaning) \
  place(d.name.data, (rows) * (width));     \
  if constexpr (!L::contiguous) d.name.layout = L{stride};
  CORTEN_DATA_FIELDS(X)
#undef X
  return total;
}

namespace detail {

template <class L, class T>
CORTEN_FN T* shifted(T* pointer, std::ptrdiff_t world, std::size_t block) {
  if constexpr (L::contiguous) {
    return reinterpret_cast<T*>(reinterpret_cast<char*>(pointer) +
                                static_cast<std::ptrdiff_t>(block) * world);
  } else {
    return pointer + world;
  }
}

}  // namespace detail

// The data of world number `world`, given that of the first; `block` is what arrange() returned.
template <class S, class L>
CORTEN_FN DataRef<S, L> world_of(const DataRef<S, L>& first, std::ptrdiff_t world,
                                 std::size_t block) {
  DataRef<S, L> d = first;
#define X(type, name, ...) d.name.data = detail::shifted<L>(first.name.data, world, block);
  CORTEN_DATA_CELLS(X)
  CORTEN_DATA_FIELDS(X)
#undef X
  return d;
}

// copies every number of one world, from one layout to another
template <class S, class L, class K>
CORTEN_FN void copy_data(const DataRef<S, L>& to, const DataRef<S, K>& from) {
  const DataSizes& n = from.n;
#define X(type, name, meaning) to.name = from.name.get();
  CORTEN_DATA_CELLS(X)
#undef X
#define X(type, name, rows, width, meaning) copy(to.name, from.name, (rows) * (width));
  CORTEN_DATA_FIELDS(X)
#undef X
}

// sets every number of one world to zero
template <class S, class L>
CORTEN_FN void clear_data(const DataRef<S, L>& d) {
  using Primal = primal_t<S>;
  const DataSizes& n = d.n;
#define X(type, name, meaning) d.name = type(0);
  CORTEN_DATA_CELLS(X)
#undef X
#define X(type, name, rows, width, meaning) fill(d.name, (rows) * (width), type(0));
  CORTEN_DATA_FIELDS(X)
#undef X
}

// the same in memory that holds no numbers yet
template <class S>
void construct_data(const DataRef<S, Contiguous>& d) {
  using Primal = primal_t<S>;
  const DataSizes& n = d.n;
#define X(type, name, meaning) std::uninitialized_fill_n(d.name.data, 1, type(0));
  CORTEN_DATA_CELLS(X)
#undef X
#define X(type, name, rows, width, meaning) \
  std::uninitialized_fill_n(d.name.data, (rows) * (width), type(0));
  CORTEN_DATA_FIELDS(X)
#undef X
}

}  // namespace corten
