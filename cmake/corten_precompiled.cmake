# SPDX-License-Identifier: Apache-2.0
#
# corten::precompiled: link it instead of corten::corten to compile the default pipeline and the model reader
# once, not in every file that uses them.
#
# It is always compiled in the project that links it, with that project's flags, even if corten comes from an
# install tree: the size and alignment of Eigen's types depend on the chosen instruction set, so a library built
# elsewhere with other flags would be a trap. Projects that do not link it pay nothing.
#
# CORTEN_PRECOMPILED_SCALARS lists the scalars of the pipeline; the reader is always included.

if(NOT TARGET corten_precompiled)
  set(CORTEN_PRECOMPILED_SCALARS "double;float;dual" CACHE STRING "scalars of corten::precompiled")
  set(corten_precompiled_sources read compile load view)
  foreach(scalar IN LISTS CORTEN_PRECOMPILED_SCALARS)
    list(APPEND corten_precompiled_sources step_${scalar})
    if(scalar STREQUAL "dual") # models of duals, to differentiate with respect to their numbers
      list(APPEND corten_precompiled_sources step_dual_model)
    endif()
  endforeach()
  list(TRANSFORM corten_precompiled_sources PREPEND "${CMAKE_CURRENT_LIST_DIR}/precompiled/")
  list(TRANSFORM corten_precompiled_sources APPEND ".cpp")
  add_library(corten_precompiled STATIC ${corten_precompiled_sources})
  unset(corten_precompiled_sources)
  add_library(corten::precompiled ALIAS corten_precompiled)
  target_link_libraries(corten_precompiled PUBLIC corten::corten)
  find_package(Threads QUIET) # the live viewer
  if(TARGET Threads::Threads)
    target_link_libraries(corten_precompiled PUBLIC Threads::Threads)
  endif()
  target_compile_definitions(corten_precompiled PUBLIC CORTEN_EXTERN_TEMPLATES)
  foreach(scalar IN LISTS CORTEN_PRECOMPILED_SCALARS)
    string(TOUPPER "${scalar}" scalar)
    target_compile_definitions(corten_precompiled PUBLIC CORTEN_EXTERN_${scalar})
  endforeach()
  if(NOT CORTEN_BUILD_PRECOMPILED)
    set_target_properties(corten_precompiled PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endif()
