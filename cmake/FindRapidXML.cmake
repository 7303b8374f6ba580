# SPDX-License-Identifier: Apache-2.0
#
# Finds RapidXML, which has no CMake package of its own, and defines RapidXML::RapidXML. Its headers must be
# reachable as <rapidxml/rapidxml.hpp>, as they are in Debian's librapidxml-dev and in Conan's rapidxml.
# Set RapidXML_INCLUDE_DIR to the folder above rapidxml/ to use another copy.

find_path(
  RapidXML_INCLUDE_DIR rapidxml/rapidxml.hpp
  DOC "folder that holds rapidxml/rapidxml.hpp")
mark_as_advanced(RapidXML_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  RapidXML
  REQUIRED_VARS RapidXML_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "rapidxml/rapidxml.hpp was not found (Debian: librapidxml-dev)")

if(RapidXML_FOUND AND NOT TARGET RapidXML::RapidXML)
  add_library(RapidXML::RapidXML INTERFACE IMPORTED)
  set_target_properties(RapidXML::RapidXML PROPERTIES INTERFACE_INCLUDE_DIRECTORIES
                                                      "${RapidXML_INCLUDE_DIR}")
endif()
