# SPDX-License-Identifier: Apache-2.0
#
# Is each program in refused/ refused as its head says? A line "// refused: <kind> <member> <header>" there says
# what the compiler must name at once: all three, in the first line of its output that mentions corten. Lines that
# list who includes whom do not count. One error is all: the kind that is refused must not make others follow.
# -DCORTEN=<root of the project> -DCOMPILER=<program> -DFLAGS=<flags, with | between them> -DBUILD=<directory>

cmake_minimum_required(VERSION 3.21)

string(REPLACE "|" ";" flags "${FLAGS}")
set(folder "${CORTEN}/tests/shipping/refused")
set(command "${COMPILER}" -std=c++20 ${flags})

# the headers are read once
set(header "${BUILD}/refused.hpp")
file(MAKE_DIRECTORY "${BUILD}")
file(WRITE "${header}" "#include <corten/pipeline/policies.hpp>\n")
execute_process(COMMAND ${command} -x c++-header "${header}" -o "${header}.gch" COMMAND_ERROR_IS_FATAL ANY)
list(APPEND command -include "${header}" -fsyntax-only)

file(GLOB sources RELATIVE "${folder}" "${folder}/*.cpp")
set(bad "")
foreach(source IN LISTS sources)
  file(STRINGS "${folder}/${source}" expected REGEX "^// refused: ")
  string(REGEX MATCHALL "[^ ]+" expected "${expected}")
  list(SUBLIST expected 2 -1 expected)
  list(LENGTH expected words)
  execute_process(COMMAND ${command} "${source}" WORKING_DIRECTORY "${folder}" RESULT_VARIABLE failed
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)

  string(REGEX MATCHALL "[^\n]*: error: " errors "${output}")
  list(LENGTH errors errors)
  string(REGEX REPLACE "[][;]" " " output "${output}")
  string(REPLACE "\n" ";" lines "${output}")
  list(FILTER lines EXCLUDE REGEX "^(In file included | +)from ")
  list(FILTER lines INCLUDE REGEX "corten")
  list(POP_FRONT lines first)
  set(missing "")
  foreach(word IN LISTS expected)
    string(FIND "${first}" "${word}" place)
    if(place EQUAL -1)
      list(APPEND missing "${word}")
    endif()
  endforeach()
  if(NOT failed OR NOT words EQUAL 3 OR NOT errors EQUAL 1 OR missing)
    string(APPEND bad "\n${source}: ${errors} errors; '${missing}' not in: ${first}")
  endif()
endforeach()

list(LENGTH sources count)
if(bad OR count LESS 12)
  message(FATAL_ERROR "${count} programs${bad}")
endif()
message(STATUS "${count} programs are refused as they should be")
