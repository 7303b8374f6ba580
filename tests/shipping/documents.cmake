# SPDX-License-Identifier: Apache-2.0
#
# Do the documents and the comments of headers name only files and integrators that exist? Are all warnings about
# unused code on? -DCORTEN=<root of the project>

cmake_minimum_required(VERSION 3.21)

file(GLOB_RECURSE headers "${CORTEN}/include/corten/*.hpp")
file(GLOB documents "${CORTEN}/*.md" "${CORTEN}/*/*.md" "${CORTEN}/examples/guide/*.md")
set(bad "")
set(looked 0)
foreach(file IN LISTS documents headers)
  file(READ "${file}" text)
  file(RELATIVE_PATH name "${CORTEN}" "${file}")

  # paths relative to the root, the headers or the document, and Markdown links
  string(REGEX MATCHALL "[A-Za-z_.]+(/[A-Za-z_0-9]+)+\\.(hpp|cpp|cmake|sh|md|xml)" paths "${text}")
  set(links "")
  if(name MATCHES "\\.md$") # in a header it would be a lambda with an unnamed argument
    string(REPLACE "](" "@(" unbracketed "${text}") # lists would stick together at brackets
    string(REGEX MATCHALL "@\\([A-Za-z_./]+\\)" links "${unbracketed}")
  endif()
  foreach(path IN LISTS paths links)
    string(REGEX REPLACE "^@\\(|\\)$" "" path "${path}")
    get_filename_component(folder "${file}" DIRECTORY)
    set(found FALSE)
    if(path MATCHES "^(rapidxml/rapidxml|sycl/sycl)\\.hpp$") # headers of other projects
      continue()
    endif()
    foreach(from "${CORTEN}" "${CORTEN}/include" "${CORTEN}/include/corten" "${folder}")
      if(EXISTS "${from}/${path}")
        set(found TRUE)
      endif()
    endforeach()
    math(EXPR looked "${looked} + 1")
    if(NOT found)
      string(APPEND bad "\n${name} names ${path}, which does not exist")
    endif()
  endforeach()

  if(text MATCHES "ExplicitEuler|SemiImplicitEuler|VelocityVerlet|ImplicitVelocity|IntegrationMethod")
    string(APPEND bad "\n${name} names the integrator ${CMAKE_MATCH_0}, which does not exist")
  endif()
  if(text MATCHES "diagnostic[ \t]+ignored")
    string(APPEND bad "\n${name} disables a warning")
  endif()
endforeach()

file(GLOB builds "${CORTEN}/CMakeLists.txt" "${CORTEN}/*/CMakeLists.txt" "${CORTEN}/*/*/CMakeLists.txt"
     "${CORTEN}/cmake/*.cmake")
foreach(file IN LISTS builds)
  file(READ "${file}" text)
  if(text MATCHES "-Wno-unused")
    string(APPEND bad "\n${file} disables warnings about unused code")
  endif()
endforeach()

if(bad OR looked LESS 100)
  message(FATAL_ERROR "${looked} paths${bad}")
endif()
message(STATUS "${looked} paths exist")
