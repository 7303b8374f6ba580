// SPDX-License-Identifier: Apache-2.0
//
// Where each field of the data lies in a block of memory, for the host and for devices. Contiguous:
// a block a world, fields one after the other. Strided: one block for all worlds, each number of a
// field beside the same number of the next world.
#pragma once

#include <corten/data/data_ref.hpp>

#include <cstddef>
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

}  // namespace corten
