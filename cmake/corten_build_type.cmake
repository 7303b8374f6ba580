# SPDX-License-Identifier: Apache-2.0
#
# Without a build type CMake compiles without optimisation, which for templates like these makes a step about
# 20 times slower. One line says so, once per project.

get_property(corten_said GLOBAL PROPERTY CORTEN_BUILD_TYPE_SAID)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND NOT corten_said)
  message(STATUS "corten: no build type is set; Release runs about 20 times as fast (cmake -DCMAKE_BUILD_TYPE=Release)")
  set_property(GLOBAL PROPERTY CORTEN_BUILD_TYPE_SAID TRUE)
endif()
unset(corten_said)
