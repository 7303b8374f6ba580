# SPDX-License-Identifier: Apache-2.0
#
# Compiles a step of each pipeline in this folder at -O2 and prints the bytes of code, as counted by `size`.

list(TRANSFORM INCLUDES PREPEND "-isystem;" OUTPUT_VARIABLE includes)
foreach(compiler IN LISTS COMPILERS)
  cmake_path(GET compiler FILENAME name)
  foreach(program default kinds reduced)
    execute_process(
      COMMAND "${compiler}" -std=c++20 -O2 -DNDEBUG ${includes} -c "${CMAKE_CURRENT_LIST_DIR}/${program}.cpp" -o
              "${OUTPUT}/${program}.o" COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND "${SIZE}" "${OUTPUT}/${program}.o" OUTPUT_VARIABLE table COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCH "\n *([0-9]+)" text "${table}")
    execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "${name} -O2 ${program}: ${CMAKE_MATCH_1} bytes of code")
  endforeach()
endforeach()
