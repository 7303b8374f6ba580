# SPDX-License-Identifier: Apache-2.0
#
# Compiles through ccache if it is installed and the user has not chosen another launcher.

find_program(CORTEN_CCACHE ccache)
mark_as_advanced(CORTEN_CCACHE)
if(CORTEN_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CORTEN_CCACHE}")
endif()
