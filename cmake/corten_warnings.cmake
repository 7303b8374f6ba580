# SPDX-License-Identifier: Apache-2.0
#
# The warnings for corten's own programs, never for a user's. The headers are included from ordinary, not
# system, directories, so they must be free of all these warnings too. -Wdouble-promotion and -Wfloat-conversion
# find a double that leaks into a float pipeline.

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
      # g++ 12 reports these falsely below -O2 and in its own intrinsics; the device gate looks for real ones
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow)
    endif()
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
      # clang sees a promotion in every constructor that widens; shipping/strict.cpp looks for others with g++
      target_compile_options(${target} PRIVATE -Wno-double-promotion)
    endif()
    if(CORTEN_WERROR)
      target_compile_options(${target} PRIVATE -Werror)
    endif()
  endif()
endfunction()
