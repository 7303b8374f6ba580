# SPDX-License-Identifier: Apache-2.0
#
# Takes away from a complete scalar one thing after another that scalar/traits.hpp asks for: the compiler has to name
# it. cmake -DCOMPILER=… -DFLAGS=… -DSOURCE=compile_fail/own_scalar.cpp -P scalars.cmake

set(traits "has no ScalarTraits with Value, Primal and tangents")
set(tangents "${traits}")
set(other_primal "has tangents but is its own Primal, or the reverse")
set(primal "has tangents, but no ScalarTraits::primal(x)")
set(tangent "has tangents, but no ScalarTraits::tangent(x, k)")
set(value "has another Value type, but no ScalarTraits::value(x)")
set(vanishes "has another Value type, but no ScalarTraits::vanishes(x)")
set(limits "has a Value without std::numeric_limits")
set(trivial_destructor "cannot be copied, or owns memory")
set(conversion "cannot be made from int, double, its Primal and nothing")
set(sum "lacks an operator of + - * /, or returns another type")
set(comparison "lacks a comparison, or returns no truth value")
set(functions sqrt sin cos tan asin exp floor abs)
foreach(name IN LISTS functions)
  set(${name} "has no ${name}(x)")
endforeach()
set(atan2 "has no atan2(x, x)")
set(pow "has no pow(x, x)")

function(compile out)
  execute_process(COMMAND "${COMPILER}" -std=c++20 -fsyntax-only ${FLAGS} ${ARGN} "${SOURCE}" RESULT_VARIABLE failed
                  OUTPUT_VARIABLE text ERROR_VARIABLE text)
  set(${out} "${text}" PARENT_SCOPE)
  set(failed "${failed}" PARENT_SCOPE)
endfunction()

compile(text)
if(failed)
  message(SEND_ERROR "the complete scalar does not compile:\n${text}")
endif()
foreach(name IN LISTS functions ITEMS atan2 pow traits tangents other_primal primal tangent value vanishes limits
                                      trivial_destructor conversion sum comparison)
  compile(text -DNO_${name})
  string(FIND "${text}" "corten: this scalar ${${name}}" found)
  if(NOT failed OR found EQUAL -1)
    message(SEND_ERROR "without ${name} nobody says \"corten: this scalar ${${name}}\":\n${text}")
  endif()
endforeach()
