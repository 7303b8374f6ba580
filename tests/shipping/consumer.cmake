# SPDX-License-Identifier: Apache-2.0
#
# Configures, builds and runs the project in consumer/ as WAY says, from scratch.

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(work "${BUILD}/shipping-${WAY}")
file(REMOVE_RECURSE "${work}")
set(arguments
    "-DCMAKE_CXX_COMPILER=${COMPILER}"
    "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}"
    "-DRapidXML_INCLUDE_DIR=${RAPIDXML}"
    "-DEigen3_DIR=${EIGEN}"
    -DCMAKE_BUILD_TYPE=Debug
    -DCMAKE_CXX_FLAGS_DEBUG=-O0)

if(WAY STREQUAL "find_package")
  # move the tree after it was installed: nothing in it may point back
  run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${work}/installed" --config Debug)
  file(RENAME "${work}/installed" "${work}/moved")
  list(APPEND arguments "-DCMAKE_PREFIX_PATH=${work}/moved" -DCORTEN_PRECOMPILED_SCALARS=) # the reader alone
else()
  list(APPEND arguments "-DCORTEN=${CORTEN}")
endif()

run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${CMAKE_CURRENT_LIST_DIR}/consumer" -B "${work}/build" ${arguments})
run("${CMAKE_COMMAND}" --build "${work}/build")
run("${work}/build/consumer")
