# SPDX-License-Identifier: Apache-2.0
#
# Installs headers, the CMake package and a pkg-config file. None of these depend on the architecture, so they
# go to include/ and share/. The tool, where it is built, goes to bin/ (examples/CMakeLists.txt).

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(corten_package_dir "${CMAKE_INSTALL_DATADIR}/cmake/corten")
install(DIRECTORY include/corten DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(TARGETS corten EXPORT cortenTargets)
install(EXPORT cortenTargets NAMESPACE corten:: DESTINATION "${corten_package_dir}")

configure_package_config_file(cmake/cortenConfig.cmake.in cortenConfig.cmake
                              INSTALL_DESTINATION "${corten_package_dir}")
# before 1.0 a minor version may break compatibility
write_basic_package_version_file(cortenConfigVersion.cmake COMPATIBILITY SameMinorVersion
                                                                         ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/cortenConfig.cmake"
              "${PROJECT_BINARY_DIR}/cortenConfigVersion.cmake" cmake/FindRapidXML.cmake
              cmake/corten_build_type.cmake cmake/corten_precompiled.cmake
              cmake/corten_sycl.cmake DESTINATION "${corten_package_dir}")
install(DIRECTORY cmake/precompiled DESTINATION "${corten_package_dir}")

configure_file(cmake/corten.pc.in corten.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/corten.pc" DESTINATION "${CMAKE_INSTALL_DATADIR}/pkgconfig")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/corten")
