# SPDX-License-Identifier: Apache-2.0
#
# The target `doc`: the reference of the API as HTML, in the folder doc of the build tree, if Doxygen is found.

find_package(Doxygen QUIET)
find_program(CORTEN_AWK awk)
mark_as_advanced(CORTEN_AWK)
if(DOXYGEN_FOUND AND CORTEN_AWK)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/Doxyfile.in" "${PROJECT_BINARY_DIR}/Doxyfile" @ONLY)
  add_custom_target(
    doc
    COMMAND Doxygen::doxygen "${PROJECT_BINARY_DIR}/Doxyfile"
    COMMENT "The reference of the API: doc/index.html"
    VERBATIM)
endif()
