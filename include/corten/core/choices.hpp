// SPDX-License-Identifier: Apache-2.0
//
// The methods that a pipeline has code for: Solvers<…>, Integrators<…>, Cones<…>. The model's
// options choose among them at run time. If a list has one entry there is nothing to choose, and
// the code of the other methods is never compiled. bind() refuses a model that asks for a method
// not listed.
#pragma once

#include <corten/config.hpp>
#include <corten/core/enums.hpp>

#include <array>
#include <type_traits>

namespace corten {

template <class E, E... V>
struct Choices {
  static_assert(sizeof...(V) > 0, "corten: a list of methods must not be empty");
  using Enum = E;

  static constexpr bool has(E e) { return ((e == V) || ...); }
  static constexpr std::array<E, sizeof...(V)> all() { return {V...}; }

  // Calls f(constant) with the method of that number. The last one needs no comparison.
  template <class F>
  CORTEN_FN static void visit(int option, F&& f) {
    pick<F, V...>(option, f);
  }

 private:
  template <class F, E First, E... Rest>
  CORTEN_FN static void pick(int option, F& f) {
    if constexpr (sizeof...(Rest) == 0) {
      f(std::integral_constant<E, First>{});
    } else if (option == static_cast<int>(First)) {
      f(std::integral_constant<E, First>{});
    } else {
      pick<F, Rest...>(option, f);
    }
  }
};

template <Solver... V>
struct Solvers : Choices<Solver, V...> {};
template <Integrator... V>
struct Integrators : Choices<Integrator, V...> {};
template <Cone... V>
struct Cones : Choices<Cone, V...> {};

// all methods of the library
using DefaultSolvers = Solvers<Solver::pgs, Solver::cg, Solver::newton>;
using DefaultIntegrators =
    Integrators<Integrator::rk4, Integrator::implicit, Integrator::implicitfast,
                Integrator::implicitspringdamper, Integrator::euler>;
using DefaultCones = Cones<Cone::pyramidal, Cone::elliptic>;

}  // namespace corten
