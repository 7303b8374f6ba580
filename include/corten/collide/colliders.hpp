// SPDX-License-Identifier: Apache-2.0
//
// Colliders<…> is the list of pairs that a pipeline can collide. A pair of geom types is found by a
// fold over the list, which compilers turn into a switch, and the collider itself is inlined: no
// table of function pointers, on the host or on a device. Put frequent pairs first.
#pragma once

#include <corten/collide/shape.hpp>

#include <type_traits>

namespace corten {

template <class... C>
struct Colliders;

namespace detail {

// the colliders of a list whose two kinds are both in Geoms
template <class Geoms, class Done, class... C>
struct CollidersAmong {
  using type = Done;
};
template <class Geoms, class... Done, class First, class... Rest>
struct CollidersAmong<Geoms, Colliders<Done...>, First, Rest...>
    : CollidersAmong<Geoms,
                     std::conditional_t<Geoms::has(First::first) && Geoms::has(First::second),
                                        Colliders<Done..., First>, Colliders<Done...>>,
                     Rest...> {};

}  // namespace detail

// where hits go that nobody asked for
struct Ignore {
  template <class H>
  CORTEN_FN void operator()(const H&) const {}
};

template <class... C>
struct Colliders {
  // the same list with further pairs, and without those of other geoms
  template <class... More>
  using with = Colliders<C..., More...>;
  template <class Geoms>
  using among = typename detail::CollidersAmong<Geoms, Colliders<>, C...>::type;

  // the largest number of contacts of one pair
  static constexpr int max_hits = [] {
    int most = 1;
    ((most = C::max_hits > most ? C::max_hits : most), ...);
    return most;
  }();

  // is there a collider for these types, in either order?
  static constexpr bool has(GeomType a, GeomType b) {
    [[maybe_unused]] const int wanted = a < b ? code(a, b) : code(b, a);
    return ((code(C::first, C::second) == wanted) || ...);
  }

  // f(C{}) for the collider of two types, in either order; false if there is none
  template <class F>
  CORTEN_FN static bool visit(GeomType a, GeomType b, [[maybe_unused]] F&& f) {
    [[maybe_unused]] const int wanted = a < b ? code(a, b) : code(b, a);
    return ((code(C::first, C::second) == wanted ? (f(C{}), true) : false) || ...);
  }

  // Collides geoms of types `a` <= `b`; `first` and `second` make the shapes. They are called
  // inside the branch that is taken, so that only what its collider reads is ever loaded. Returns the
  // number of hits; those of a pair that has no limit of them go to `emit`, one by one.
  template <class S, class First, class Second, class Emit = Ignore>
  CORTEN_FN static int collide(GeomType a, GeomType b, const First& first, const Second& second,
                               const S& margin, Effort<S>& effort, Hit<S>* hits,
                               const Emit& emit = {}) {
    [[maybe_unused]] const int wanted = code(a, b);
    int n = 0;
    const auto found = ((code(C::first, C::second) == wanted
                             ? (n = run<C, S>(load<C::first>(first), load<C::second>(second),
                                              margin, effort, hits, emit),
                                true)
                             : false) ||
                        ...);
    static_cast<void>(found);
    return n;
  }

 private:
  // small numbers, so that the fold becomes a table of jumps
  static constexpr int code(GeomType a, GeomType b) {
    return 16 * static_cast<int>(a) + static_cast<int>(b);
  }

  // a shape with what its type needs
  template <GeomType T, class Load>
  [[gnu::always_inline]] CORTEN_FN static auto load(const Load& shape) {
    if constexpr (requires { shape.template load<T>(); }) {
      return shape.template load<T>();
    } else {
      return shape();
    }
  }

  template <class One, class S, class Emit>
  CORTEN_FN static int run(const Shape<S>& a, const Shape<S>& b, const S& margin, Effort<S>& effort,
                           Hit<S>* hits, const Emit& emit) {
    static_assert(One::first <= One::second, "corten: a collider's first type is the smaller one");
    static_assert(static_cast<int>(One::second) < 16, "corten: a geom type is less than 16");
    if constexpr (requires { One::stream(a, b, margin, effort, emit); }) {
      One::stream(a, b, margin, effort, emit);
      return 0;
    } else if constexpr (requires { One::collide(a, b, margin, effort, hits); }) {
      return One::collide(a, b, margin, effort, hits);
    } else {
      return One::collide(a, b, margin, hits);
    }
  }
};

}  // namespace corten
