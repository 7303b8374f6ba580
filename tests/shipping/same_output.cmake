# SPDX-License-Identifier: Apache-2.0
#
# Do two programs print the same for a file? -DFIRST=<program> -DSECOND=<program> -DFILE=<file>

foreach(program FIRST SECOND)
  execute_process(COMMAND "${${program}}" "${FILE}" OUTPUT_VARIABLE said_${program} RESULT_VARIABLE code)
  if(NOT code EQUAL 0 OR said_${program} STREQUAL "")
    message(FATAL_ERROR "${${program}}: ${code}\n${said_${program}}")
  endif()
endforeach()
if(NOT said_FIRST STREQUAL said_SECOND)
  message(FATAL_ERROR "${said_FIRST}${said_SECOND}")
endif()
