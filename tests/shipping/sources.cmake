# SPDX-License-Identifier: Apache-2.0
#
# Rules for the text of sources. Every header says what it is for, includes only the standard library and the
# libraries below, respects the order of the folders, and does not end the program. Only one file knows about
# threads. In batches, on the CPU and on devices, every declaration has a comment. Tests compare with exactly the
# tolerance they state. No line is longer than 100 characters.
# -DCORTEN=<root of the project>

cmake_minimum_required(VERSION 3.21)

# headers of other projects, and where they may be included
set(allowed_Eigen/Core ".")
set(allowed_rapidxml/rapidxml.hpp "^mjcf/")
set(allowed_sycl/sycl.hpp "^sycl/")
set(allowed_omp.h "^batch/parallel.hpp$")
set(allowed_immintrin.h "^scalar/pack")
set(allowed_emmintrin.h "^scalar/functions.hpp$")
set(allowed_arm_neon.h "^scalar/pack")
set(allowed_fast_float/fast_float.h "^core/charconv_substitute.hpp$")
set(allowed_mujoco/mujoco.h "^mujoco.hpp$")
foreach(posix netinet/in.h netinet/tcp.h sys/socket.h sys/time.h unistd.h)
  set(allowed_${posix} "^view/http.hpp$")
endforeach()

# Each folder includes only those before it: values, then kinds, then what a user writes, then the model and its
# motion, and last what is done with them. Files outside the folders combine them.
set(folders core scalar math asset joint geom tree flex constraint spec mjcf model data solver collide actuator tendon
            stage sensor soft integrate pipeline query compile derive batch sycl io scene view)

file(GLOB_RECURSE headers "${CORTEN}/include/corten/*.hpp")
set(bad "")
set(looked 0)
foreach(file IN LISTS headers)
  file(READ "${file}" text)
  file(RELATIVE_PATH name "${CORTEN}/include/corten" "${file}")
  string(REPLACE ";" "," text "${text}")
  math(EXPR looked "${looked} + 1")

  if(NOT text MATCHES "^// SPDX-License-Identifier: Apache-2.0\n//\n// [^\n]")
    string(APPEND bad "\n${name} does not say what it is for")
  endif()

  string(REGEX MATCHALL "#include <[^>]+>" includes "${text}")
  string(REGEX REPLACE "/.*" "" folder "${name}")
  list(FIND folders "${folder}" place)
  if(name MATCHES "/" AND place EQUAL -1)
    string(APPEND bad "\n${name} is in a folder that has no place in the order")
  endif()
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "#include <|>" "" include "${include}")
    if(name MATCHES "/" AND include MATCHES "^corten/([a-z]+)/")
      list(FIND folders "${CMAKE_MATCH_1}" other)
      if(other GREATER place)
        string(APPEND bad "\n${name} includes ${include}, which comes after it")
      endif()
    endif()
    if(include MATCHES "^corten/" OR include MATCHES "^[a-z_]+$")
      continue()
    endif()
    if(NOT DEFINED allowed_${include} OR NOT name MATCHES "${allowed_${include}}")
      string(APPEND bad "\n${name} includes ${include}")
    endif()
  endforeach()

  if(text MATCHES "_OPENMP|pragma omp" AND NOT name STREQUAL "batch/parallel.hpp")
    string(APPEND bad "\n${name} knows about threads")
  endif()
  if(text MATCHES "[^a-z_](abort|exit|terminate|quick_exit)\\(|[^a-z_]throw[ ,]")
    string(APPEND bad "\n${name} ends the program: ${CMAKE_MATCH_0}")
  endif()

  # There is one list of states and inputs. A file that names the last of them has its own list.
  if(text MATCHES "[.>]userdata" AND NOT name STREQUAL "data/fields.hpp")
    string(APPEND bad "\n${name} names userdata: walk over states by data/state_list.hpp")
  endif()

  # a declaration after an empty line; the comment at the top of the file describes the first of a namespace
  if(name MATCHES "^(batch|sycl)/")
    string(REGEX MATCHALL "[^{]\n\n(template|class|struct|enum|using|inline|CORTEN_)[^\n]*\n[^\n]*" bare "${text}")
    foreach(declaration IN LISTS bare)
      string(APPEND bad "\n${name} has no comment on ${declaration}")
    endforeach()
  endif()
endforeach()

# Catch's comparison adds a relative tolerance of 1e-5 to the given one; support/near.hpp adds none
file(GLOB_RECURSE tests "${CORTEN}/tests/*.cpp" "${CORTEN}/tests/*.hpp")
foreach(file IN LISTS tests)
  file(STRINGS "${file}" found REGEX "(^|[^A-Za-z_])Approx[^A-Za-z_]|WithinAbs|WithinRel|WithinULP")
  if(found)
    file(RELATIVE_PATH name "${CORTEN}" "${file}")
    string(APPEND bad "\n${name} compares by Catch's own tolerance: ${found}")
  endif()
endforeach()
list(LENGTH tests tests)

# 100 characters per line, also where clang-format does not break lines: in comments, texts and tables. The regular
# expression counts bytes, so lines that it finds are counted again without the continuation bytes of UTF-8.
file(GLOB_RECURSE sources "${CORTEN}/include/*.hpp" "${CORTEN}/examples/*.[ch]pp" "${CORTEN}/bench/*.[ch]pp"
     "${CORTEN}/tests/*.[ch]pp")
string(REPEAT "." 101 long)
foreach(file IN LISTS sources)
  file(STRINGS "${file}" lines REGEX "^${long}" ENCODING UTF-8)
  string(REPLACE "[" "(" lines "${lines}") # lists would stick together at brackets
  string(REPLACE "]" ")" lines "${lines}")
  foreach(line IN LISTS lines)
    string(HEX "${line}" bytes)
    string(REGEX REPLACE "(..)" "\\1 " bytes "${bytes}")
    string(REGEX REPLACE "[89ab]. " "" characters "${bytes}")
    string(LENGTH "${characters}" length)
    if(length GREATER 300) # three for each character
      file(RELATIVE_PATH name "${CORTEN}" "${file}")
      string(APPEND bad "\n${name} has a line of more than 100 characters: ${line}")
    endif()
  endforeach()
endforeach()

if(bad OR looked LESS 100 OR tests LESS 100)
  message(FATAL_ERROR "${looked} headers, ${tests} files of tests${bad}")
endif()
message(STATUS "${looked} headers")
