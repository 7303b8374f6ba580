// SPDX-License-Identifier: Apache-2.0
//
// Which methods a pipeline has code for: Solvers<…>, Integrators<…>, Cones<…>. A model's options choose
// among them at run time; with one in the list there is nothing left to choose, and the code of the others
// is never compiled. bind() refuses a model that asks for one that is not listed.
#pragma once

#include <corten/config.hpp>
#include <corten/core/enums.hpp>

#include <array>
#include <type_traits>

namespace corten {

template <class E, E... V>
struct Choices {
  static_assert(sizeof...(V) > 0, "corten: a list of methods is never empty");
  using Enum = E;

  static constexpr bool has(E e) { return ((e == V) || ...); }
  static constexpr std::array<E, sizeof...(V)> all() { return {V...}; }

  // f(constant) for the method of that number; the last one is not asked, it is what remains
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

// what the library has
using DefaultSolvers = Solvers<Solver::pgs, Solver::cg, Solver::newton>;
using DefaultIntegrators =
    Integrators<Integrator::rk4, Integrator::implicit, Integrator::implicitfast,
                Integrator::implicitspringdamper, Integrator::euler>;
using DefaultCones = Cones<Cone::pyramidal, Cone::elliptic>;

}  // namespace corten
