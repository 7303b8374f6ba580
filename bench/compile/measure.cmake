# SPDX-License-Identifier: Apache-2.0
#
# Compiles each program with each compiler, one at a time, at -O2, and prints the seconds of user time: the fastest of
# ROUNDS runs, since other programs can only add to it.

list(TRANSFORM INCLUDES PREPEND "-isystem;" OUTPUT_VARIABLE includes)
set(EXAMPLES "${CMAKE_CURRENT_LIST_DIR}/../../examples")
if(NOT ROUNDS)
  set(ROUNDS 1)
endif()

# user time in hundredths of a second
function(hundredths out)
  execute_process(COMMAND sh -c "\"$@\" && times" sh ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE times
                  ERROR_VARIABLE message)
  # the second line has the times of child processes, the first number in it is user time
  if(failed OR NOT times MATCHES "\n([0-9]+)m([0-9]+)[.,]([0-9][0-9])")
    message(FATAL_ERROR "${message}")
  endif()
  math(EXPR sum "(${CMAKE_MATCH_1} * 60 + ${CMAKE_MATCH_2}) * 100 + 1${CMAKE_MATCH_3} - 100")
  set(${out} ${sum} PARENT_SCOPE)
endfunction()

function(seconds out)
  foreach(round RANGE 1 ${ROUNDS})
    hundredths(time ${ARGN})
    if(NOT DEFINED best OR time LESS best)
      set(best ${time})
    endif()
  endforeach()
  math(EXPR whole "(${best} + 5) / 100")
  math(EXPR rest "(${best} + 5) / 10 % 10")
  set(${out} "${whole}.${rest}" PARENT_SCOPE)
endfunction()

function(pad out text width)
  string(LENGTH "${text}" length)
  while(length LESS width)
    string(APPEND text " ")
    math(EXPR length "${length} + 1")
  endwhile()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

function(print text)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "${text}")
endfunction()

# one row of the table: a program, and definitions to compile it with
function(row label source)
  pad(line "${label}" 40)
  foreach(compiler IN LISTS COMPILERS)
    seconds(time "${compiler}" -std=c++20 -O2 ${ARGN} ${includes} -c "${source}" -o "${OUTPUT}/measured.o")
    pad(cell "${time}" 16)
    string(APPEND line "${cell}")
  endforeach()
  print("${line}")
endfunction()

# heading: the compilers and their versions
pad(line "user seconds at -O2, one file" 40)
foreach(compiler IN LISTS COMPILERS)
  execute_process(COMMAND "${compiler}" -dumpfullversion -dumpversion OUTPUT_VARIABLE version
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  cmake_path(GET compiler FILENAME name)
  pad(cell "${name} ${version}" 16)
  string(APPEND line "${cell}")
endforeach()
print("${line}")

foreach(program include step_bytes load step_double step_dual)
  row(${program} "${CMAKE_CURRENT_LIST_DIR}/${program}.cpp")
endforeach()
# a changed file of a project that links corten::precompiled
set(precompiled -DCORTEN_EXTERN_TEMPLATES -DCORTEN_EXTERN_DOUBLE -DCORTEN_EXTERN_FLOAT -DCORTEN_EXTERN_DUAL)
row("step_double, precompiled" "${CMAKE_CURRENT_LIST_DIR}/step_double.cpp" ${precompiled})
foreach(example identify_parameters own_sensor own_actuator screw_joint torus_geom rope_constraint)
  row("${example}, precompiled" "${EXAMPLES}/${example}.cpp" ${precompiled})
endforeach()
