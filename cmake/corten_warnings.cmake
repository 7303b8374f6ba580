# SPDX-License-Identifier: Apache-2.0
#
# The warnings of our own programs, and of no one else's. The headers are included as ordinary, not as
# system directories, so they have to be clean under all of these too: the last line but one finds the
# double that leaks into a float pipeline.

set(CORTEN_WARNINGS
    -Wall
    -Wextra
    -Wpedantic
    -Wshadow
    -Wconversion
    -Wsign-conversion
    -Wdouble-promotion
    -Wfloat-conversion
    -Wnon-virtual-dtor)

function(corten_warnings target)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE ${CORTEN_WARNINGS})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # below -O2, and in its own intrinsics, g++ 12 imagines these; shipping/strict.cpp looks for real ones
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow)
    endif()
    if(CORTEN_WERROR)
      target_compile_options(${target} PRIVATE -Werror)
    endif()
  endif()
endfunction()
