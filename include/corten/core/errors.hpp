// SPDX-License-Identifier: Apache-2.0
//
// Collects several errors into one, in the order in which they occur in the text.
#pragma once

#include <corten/core/list.hpp>
#include <corten/core/result.hpp>

#include <cstddef>
#include <utility>

namespace corten {

// Errors are not necessarily found in the order of the text.
CORTEN_COLD void sort_by_place(List<Error>& errors) {
  const auto before = [](const Location& a, const Location& b) {
    if (a.file != b.file) return a.file < b.file;
    return a.line != b.line ? a.line < b.line : a.column < b.column;
  };
  // Insertion sort: there are few errors, and most of them are already in order.
  for (std::size_t i = 1; i < errors.size(); ++i) {
    for (std::size_t k = i; k > 0 && before(errors[k].where, errors[k - 1].where); --k) {
      std::swap(errors[k], errors[k - 1]);
    }
  }
}

// the first error, with the others attached; the list must not be empty
CORTEN_COLD Error as_one(List<Error> errors) {
  sort_by_place(errors);
  Error out = errors[0];
  out.also = List<Error>(errors.begin() + 1, errors.end());
  return out;
}

}  // namespace corten
