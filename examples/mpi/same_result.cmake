# SPDX-License-Identifier: Apache-2.0
#
# The program must print the same on 1, 2 and 4 ranks.
foreach(ranks 1 2 4)
  execute_process(COMMAND ${MPIEXEC} ${ranks} "${PROGRAM}" RESULT_VARIABLE code OUTPUT_VARIABLE text)
  message("${ranks} ranks: ${text}")
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ranks} ranks: exit code ${code}")
  endif()
  if(DEFINED expected AND NOT text STREQUAL expected)
    message(FATAL_ERROR "different result on ${ranks} ranks")
  endif()
  set(expected "${text}")
endforeach()
