// SPDX-License-Identifier: Apache-2.0
//
// Several errors in the order of the text, and as one.
#pragma once

#include <corten/core/list.hpp>
#include <corten/core/result.hpp>

#include <algorithm>

namespace corten {

// what is found first need not come first
CORTEN_COLD void sort_by_place(List<Error>& errors) {
  std::stable_sort(errors.begin(), errors.end(), [](const Error& a, const Error& b) {
    if (a.where.file != b.where.file) return a.where.file < b.where.file;
    if (a.where.line != b.where.line) return a.where.line < b.where.line;
    return a.where.column < b.where.column;
  });
}

// the first error, with the others; there must be one
CORTEN_COLD Error as_one(List<Error> errors) {
  sort_by_place(errors);
  Error out = errors[0];
  out.also.assign(errors.begin() + 1, errors.end());
  return out;
}

}  // namespace corten
