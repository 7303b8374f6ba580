// SPDX-License-Identifier: Apache-2.0
//
// Sorts a list by `<` and keeps the order of equal items. std::stable_sort would instantiate dozens
// of functions for each type and add 2 % to the code of examples/load_and_step.cpp (1121 KB instead
// of 1101 KB with g++ 12 -O2).
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>

#include <algorithm>
#include <cstddef>

namespace corten {

// bottom-up merge sort: merges runs of 1, 2, 4 … items into `room`, then swaps the two lists
template <class T>
CORTEN_COLD void sort(List<T>& list) {
  const std::size_t size = list.size();
  List<T> room(size);
  for (std::size_t width = 1; width < size; width *= 2) {
    for (std::size_t first = 0; first < size; first += 2 * width) {
      const std::size_t middle = std::min(first + width, size);
      const std::size_t last = std::min(first + 2 * width, size);
      std::size_t a = first, b = middle;
      for (std::size_t to = first; to < last; ++to) {
        const bool second = a == middle || (b != last && list[b] < list[a]);
        room[to] = list[second ? b++ : a++];
      }
    }
    list.swap(room);
  }
}

}  // namespace corten
