# SPDX-License-Identifier: Apache-2.0
#
# Compiles each program in this folder with each compiler, one at a time, at -O2, and prints the seconds.

list(TRANSFORM INCLUDES PREPEND "-isystem;" OUTPUT_VARIABLE includes)
set(programs include step_bytes load step_double step_dual "step_double with corten::precompiled")

function(seconds out)
  string(TIMESTAMP start "%s%f" UTC)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed ERROR_VARIABLE message)
  string(TIMESTAMP end "%s%f" UTC)
  if(failed)
    message(FATAL_ERROR "${message}")
  endif()
  math(EXPR tenths "(${end} - ${start} + 50000) / 100000")
  math(EXPR whole "${tenths} / 10")
  math(EXPR rest "${tenths} % 10")
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

# heading: the compilers and their versions
pad(line "seconds at -O2, one file" 40)
foreach(compiler IN LISTS COMPILERS)
  execute_process(COMMAND "${compiler}" -dumpfullversion -dumpversion OUTPUT_VARIABLE version
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  cmake_path(GET compiler FILENAME name)
  pad(cell "${name} ${version}" 16)
  string(APPEND line "${cell}")
endforeach()
print("${line}")

foreach(program IN LISTS programs)
  pad(line "${program}" 40)
  string(REGEX MATCH "^[a-z_]+" source "${program}")
  set(definitions "")
  if(program MATCHES "precompiled")
    set(definitions -DCORTEN_EXTERN_TEMPLATES -DCORTEN_EXTERN_DOUBLE)
  endif()
  foreach(compiler IN LISTS COMPILERS)
    seconds(time "${compiler}" -std=c++20 -O2 ${definitions} ${includes} -c "${CMAKE_CURRENT_LIST_DIR}/${source}.cpp"
            -o "${OUTPUT}/${source}.o")
    pad(cell "${time}" 16)
    string(APPEND line "${cell}")
  endforeach()
  print("${line}")
endforeach()
