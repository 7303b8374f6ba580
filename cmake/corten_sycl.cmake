# SPDX-License-Identifier: Apache-2.0
#
# corten::sycl: link it instead of corten::corten in programs that include <corten/sycl.hpp>, then call
# corten_sycl(TARGET) after adding the last source: AdaptiveCpp's compiler takes over for the whole target. Keep
# such programs small and separate, and never mix them with corten::precompiled, because Eigen's vectorization is
# switched off here, both for kernels and for the host.
#
# CORTEN_SYCL: AUTO uses AdaptiveCpp if it is found, ON requires it, OFF does not look for it.

set(CORTEN_SYCL AUTO CACHE STRING "SYCL devices: AUTO, ON or OFF")
set_property(CACHE CORTEN_SYCL PROPERTY STRINGS AUTO ON OFF)
set(CORTEN_SYCL_FOUND OFF)
if(CORTEN_SYCL STREQUAL "AUTO" OR CORTEN_SYCL)
  find_package(AdaptiveCpp 24.02 CONFIG QUIET)
  set(CORTEN_SYCL_FOUND ${AdaptiveCpp_FOUND})
  if(NOT CORTEN_SYCL_FOUND AND NOT CORTEN_SYCL STREQUAL "AUTO")
    message(FATAL_ERROR "CORTEN_SYCL is ON, but AdaptiveCpp 24.02 or later was not found; set AdaptiveCpp_DIR")
  endif()
endif()

if(CORTEN_SYCL_FOUND)
  message(STATUS "SYCL devices: AdaptiveCpp ${AdaptiveCpp_VERSION}")
  if(NOT TARGET corten_sycl)
    add_library(corten_sycl INTERFACE)
    add_library(corten::sycl ALIAS corten_sycl)
    target_link_libraries(corten_sycl INTERFACE corten::corten)
    target_compile_definitions(corten_sycl INTERFACE EIGEN_DONT_VECTORIZE)
    # tables of constants in kernels need position-independent code
    target_compile_options(corten_sycl INTERFACE -fPIC)
  endif()
  function(corten_sycl target)
    target_link_libraries(${target} PRIVATE corten::sycl)
    get_target_property(sources ${target} SOURCES)
    add_sycl_to_target(TARGET ${target} SOURCES ${sources})
  endfunction()
elseif(CORTEN_SYCL)
  message(STATUS "SYCL devices: skipped, AdaptiveCpp was not found")
endif()
