# SPDX-License-Identifier: Apache-2.0
#
# Does every criterion have a line in tests/criteria.md, and every line a check: a test with the criterion as a tag,
# or the name of another test or a benchmark? -DCORTEN=<root of the project>

cmake_minimum_required(VERSION 3.21)

# sections of the specification, with their first and last criterion
set(sections
    000-1:1-5 000-2:1-7 000-3:1-11 000-4:1-18 000-5:1-15 000-6:1-12 000-7:1-4 000-8:1-10 000-9:1-7 000-10:1-6
    000-11:1-3 000-12:1-14 000-C1:1-10
    001-6a:1-13 001-6b:1-11 001-7:1-12 001-8:1-13 001-9:1-8 001-10:1-10 001-10:T1-17
    002-1:1-12 002-2:0-18 002-3:1-17 002-4:1-19 002-5:1-22
    003-33:1-12 003-34:1-9 003-35:1-10 003-36:1-9 003-37:1-11
    004-11:1-12 004-12:1-41 004-13:1-16 004-14:1-3)
set(known "")
foreach(section IN LISTS sections)
  string(REGEX MATCH "^([^:]+):(T?)([0-9]+)-([0-9]+)$" _ "${section}")
  foreach(n RANGE ${CMAKE_MATCH_3} ${CMAKE_MATCH_4})
    list(APPEND known "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}${n}")
  endforeach()
endforeach()
set(bad "")

# ---- tags of tests ------------------------------------------------------------------------------------
file(GLOB tests "${CORTEN}/tests/*/*.cpp")
set(tags "")
foreach(file IN LISTS tests)
  file(READ "${file}" text)
  string(REPLACE "[" "<" text "${text}") # lists would stick together at brackets
  string(REPLACE "]" ">" text "${text}")
  string(REGEX MATCHALL "<00[0-9]-[^<> ]+>" found "${text}")
  list(APPEND tags ${found})
endforeach()
string(REGEX REPLACE "[<>]" "" tags "${tags}")
list(REMOVE_DUPLICATES tags)

# ---- lines of criteria.md: | ids | what holds | ---------------------------------------------------------
file(STRINGS "${CORTEN}/tests/criteria.md" lines REGEX "^\\| 00" ENCODING UTF-8)
file(READ "${CORTEN}/tests/shipping/CMakeLists.txt" shipping)
file(READ "${CORTEN}/bench/CMakeLists.txt" bench)
set(listed "")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^\\| ([^|]+) \\| (.+) \\|$" _ "${line}")
  set(cell "${CMAKE_MATCH_1}")
  set(meaning "${CMAKE_MATCH_2}")

  # "000-4.6, 4.7" and "002-3.5 to 3.8" one by one
  set(ids "")
  string(REGEX REPLACE ", +" ";" parts "${cell}")
  foreach(part IN LISTS parts)
    if(part MATCHES "^(00[0-9])-")
      set(seed "${CMAKE_MATCH_1}")
    endif()
    string(REGEX REPLACE "^00[0-9]-" "" part "${part}")
    if(part MATCHES "^([^.]+\\.T?)([0-9]+) to [^.]+\\.T?([0-9]+)$")
      foreach(n RANGE ${CMAKE_MATCH_2} ${CMAKE_MATCH_3})
        list(APPEND ids "${seed}-${CMAKE_MATCH_1}${n}")
      endforeach()
    else()
      list(APPEND ids "${seed}-${part}")
    endif()
  endforeach()
  list(APPEND listed ${ids})

  # another check by its name; "…" stands for several
  set(elsewhere FALSE)
  string(REGEX MATCHALL "`(shipping: [^`…]+|bench_[a-z]+|ctest)" names "${meaning}")
  foreach(name IN LISTS names)
    set(elsewhere TRUE)
    set(there TRUE)
    if(name MATCHES "shipping: (.+)$")
      string(STRIP "${CMAKE_MATCH_1}" name)
      string(REGEX MATCH "corten_shipping_test\\([ \n]*\"${name}" there "${shipping}")
    elseif(name MATCHES "(bench_.+)$")
      string(REGEX MATCH "# ${CMAKE_MATCH_1} " there "${bench}")
    endif()
    if(NOT there)
      string(APPEND bad "\n${cell}: there is no check ${name}")
    endif()
  endforeach()
  foreach(id IN LISTS ids)
    if(NOT id IN_LIST tags AND NOT elsewhere AND NOT meaning MATCHES "^not yet: ")
      string(APPEND bad "\n${id}: no test has it as a tag, and its line names no other check")
    endif()
  endforeach()
endforeach()

# ---- one line each --------------------------------------------------------------------------------------
foreach(id IN LISTS known)
  if(NOT id IN_LIST listed)
    string(APPEND bad "\n${id} has no line in tests/criteria.md")
  endif()
endforeach()
set(seen "")
foreach(id IN LISTS listed)
  if(NOT id IN_LIST known)
    string(APPEND bad "\n${id} of tests/criteria.md is not a criterion")
  elseif(id IN_LIST seen)
    string(APPEND bad "\n${id} has two lines in tests/criteria.md")
  endif()
  list(APPEND seen "${id}")
endforeach()
foreach(id IN LISTS tags)
  if(NOT id IN_LIST known)
    string(APPEND bad "\n${id}, a tag of a test, is not a criterion")
  endif()
endforeach()

list(LENGTH known count)
if(bad)
  message(FATAL_ERROR "${bad}")
endif()
message(STATUS "${count} criteria have a line and a check")
