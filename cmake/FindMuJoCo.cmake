# SPDX-License-Identifier: Apache-2.0
#
# Finds MuJoCo for the benchmarks, tests/mujoco and examples/from_mujoco.cpp: a system package, or with
# -DCORTEN_MUJOCO_ROOT=DIR an unpacked release, an install tree or the folder of Python's mujoco package. Defines
# MuJoCo::MuJoCo.

set(CORTEN_MUJOCO_ROOT "" CACHE PATH "where to look for MuJoCo before the system's folders")

find_path(
  MuJoCo_INCLUDE_DIR mujoco/mujoco.h
  HINTS "${CORTEN_MUJOCO_ROOT}"
  PATH_SUFFIXES include)
# Python's package has only libmujoco.so.<version>
file(GLOB MuJoCo_versioned "${CORTEN_MUJOCO_ROOT}/libmujoco.so.*" "${CORTEN_MUJOCO_ROOT}/lib/libmujoco.so.*")
find_library(
  MuJoCo_LIBRARY
  NAMES mujoco
  HINTS "${CORTEN_MUJOCO_ROOT}"
  PATH_SUFFIXES lib)
if(NOT MuJoCo_LIBRARY AND MuJoCo_versioned)
  list(GET MuJoCo_versioned 0 MuJoCo_first)
  set(MuJoCo_LIBRARY "${MuJoCo_first}" CACHE FILEPATH "the MuJoCo library" FORCE)
endif()
mark_as_advanced(MuJoCo_INCLUDE_DIR MuJoCo_LIBRARY)

# mjVERSION_HEADER is 3012000 for 3.12.0, and was 337 for 3.3.7
if(MuJoCo_INCLUDE_DIR)
  file(STRINGS "${MuJoCo_INCLUDE_DIR}/mujoco/mujoco.h" MuJoCo_number REGEX "#define mjVERSION_HEADER ")
  string(REGEX REPLACE "[^0-9]" "" MuJoCo_number "${MuJoCo_number}")
  set(MuJoCo_VERSION "0")
  if(MuJoCo_number MATCHES "^([0-9])0*([0-9]+)00([0-9])$")
    set(MuJoCo_VERSION "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}.${CMAKE_MATCH_3}")
  elseif(MuJoCo_number MATCHES "^([0-9])([0-9])([0-9])$")
    set(MuJoCo_VERSION "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}.${CMAKE_MATCH_3}")
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  MuJoCo
  REQUIRED_VARS MuJoCo_LIBRARY MuJoCo_INCLUDE_DIR
  VERSION_VAR MuJoCo_VERSION
  HANDLE_VERSION_RANGE)

if(MuJoCo_FOUND AND NOT TARGET MuJoCo::MuJoCo)
  # upstream builds with clang, distributions mostly with g++; strings in the library tell which
  file(STRINGS "${MuJoCo_LIBRARY}" MuJoCo_compiler REGEX "(clang version|GCC: \\()[^\n]*" LIMIT_COUNT 4)
  string(JOIN ", " MuJoCo_compiler ${MuJoCo_compiler})
  string(REGEX REPLACE "[\"\\\\]" "" MuJoCo_compiler "${MuJoCo_compiler}")
  string(SUBSTRING "${MuJoCo_compiler}" 0 160 MuJoCo_compiler)
  add_library(MuJoCo::MuJoCo UNKNOWN IMPORTED)
  set_target_properties(
    MuJoCo::MuJoCo
    PROPERTIES IMPORTED_LOCATION "${MuJoCo_LIBRARY}"
               INTERFACE_INCLUDE_DIRECTORIES "${MuJoCo_INCLUDE_DIR}"
               INTERFACE_COMPILE_DEFINITIONS "CORTEN_BENCH_MUJOCO_BUILD=\"built by ${MuJoCo_compiler}\"")
endif()
