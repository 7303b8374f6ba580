# SPDX-License-Identifier: Apache-2.0
#
# Does each of the headers in FOLDER/headers.txt compile alone, and twice? They all include BASE, which is compiled once.
# -DCOMPILER=<program> -DFLAGS=<flags, with | between them> -DBASE=<header> -DFOLDER=<directory>

cmake_minimum_required(VERSION 3.21)

string(REPLACE "|" ";" flags "${FLAGS}")
set(command "${COMPILER}" -std=c++20 ${flags} -w) # warnings are for the tests of whole programs
file(WRITE "${FOLDER}/base.hpp" "#include <${BASE}>\n")
# clang would leave the templates that the base uses to be instantiated again by each header
set(once "")
if(COMPILER MATCHES "clang")
  set(once -fpch-instantiate-templates)
endif()
execute_process(COMMAND ${command} ${once} -x c++-header "${FOLDER}/base.hpp" -o "${FOLDER}/base.hpp.gch"
                        COMMAND_ERROR_IS_FATAL ANY)

file(STRINGS "${FOLDER}/headers.txt" headers)
set(bad "")
foreach(header IN LISTS headers)
  file(WRITE "${FOLDER}/header.cpp" "#include <${header}>\n#include <${header}>\n")
  execute_process(COMMAND ${command} -include "${FOLDER}/base.hpp" -fsyntax-only "${FOLDER}/header.cpp"
                  RESULT_VARIABLE failed ERROR_VARIABLE errors)
  if(failed)
    list(APPEND bad "${header}")
    message(NOTICE "${errors}")
  endif()
endforeach()

list(LENGTH headers count)
if(bad OR count EQUAL 0)
  message(FATAL_ERROR "of ${count} headers these do not compile alone: ${bad}")
endif()
message(STATUS "${count} headers compile alone")
