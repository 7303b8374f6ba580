// SPDX-License-Identifier: Apache-2.0
//
// Colliders<…> is the list of pairs of geom types that a pipeline can collide. A pair is found by a
// fold over the list, which compilers turn into a switch with the colliders inlined: there is no
// table of function pointers, on the host or on a device. Put frequent pairs first. Pairs that
// share a function (the general ones) pass it their types at run time, and all of them reach it by
// a single call: compilers for devices inline every call, and 14 copies of GJK are too many.
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

// Pairs that share a collider name it as `Shared`; it takes their types at run time.
template <class C>
struct SharedOf {
  using type = C;
};
template <class C>
requires requires { typename C::Shared; }
struct SharedOf<C> {
  using type = typename C::Shared;
};
// A shared collider that can do without some of its parts, as it is in the list.
template <class C>
struct WithAllOf {
  using type = C;
};
template <class C>
requires requires { typename C::template with<Ccd::all>; }
struct WithAllOf<C> {
  using type = typename C::template with<Ccd::all>;
};
template <class C>
using WithAll = typename WithAllOf<C>::type;
template <class C>
concept SharedCollider = !requires {
  C::first;
};

// The collider of a pair, its own or the shared one, if it delivers hits in the wanted way: in an
// array or one by one. Pairs that deliver them the other way all map to OtherWay, a single type, so
// that they cost nothing to compile.
struct OtherWay {};
template <class C, bool OneByOne>
using Server =
    std::conditional_t<(C::max_hits == 0) == OneByOne, typename SharedOf<C>::type, OtherWay>;

template <class C>
inline constexpr bool contacts_only = false;
template <class C>
requires requires { C::contacts_only; }
inline constexpr bool contacts_only<C> = C::contacts_only;

}  // namespace detail

template <class... C>
struct Colliders {
  // the same list with further pairs, and restricted to pairs among Geoms
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

  // does the collider of these types, in either order, report contacts but not distances?
  CORTEN_FN static bool contacts_only(GeomType a, GeomType b) {
    [[maybe_unused]] const int wanted = a < b ? code(a, b) : code(b, a);
    bool out = false;
    static_cast<void>(
        ((code(C::first, C::second) == wanted ? (out = detail::contacts_only<C>, true) : false) ||
         ...));
    return out;
  }

  // Collides geoms of types `a` <= `b`. `first` and `second` load the shapes; they are called
  // inside the branch that is taken, so that only what its collider reads is ever loaded. Returns
  // the number of hits, or no_limit for a pair with any number of hits, which stream() delivers.
  template <class S, class First, class Second>
  [[gnu::always_inline]] CORTEN_FN static int collide(GeomType a, GeomType b, const First& first,
                                                      const Second& second, const S& margin,
                                                      Effort<S>& effort, Hit<S>* hits) {
    int shared = none;
    int n = collide_own<S>(a, b, first, second, margin, effort, hits, shared);
    if (shared == none) return n;
    each_shared<false>([&](auto server, int place) {
      using One = typename decltype(server)::type;
      if (place == shared) n = run_shared<One, S>(a, b, first, second, margin, effort, hits);
    });
    return n;
  }

  // passes the hits of a pair with any number of hits to `emit`, one by one
  template <class S, class First, class Second, class Emit>
  CORTEN_FN static void stream(GeomType a, GeomType b, const First& first, const Second& second,
                               const S& margin, Effort<S>& effort, const Emit& emit) {
    [[maybe_unused]] const int wanted = code(a, b);
    int shared = none;
    const auto found = ((C::max_hits == 0 && code(C::first, C::second) == wanted
                             ? (run_stream<detail::Server<C, true>, S>(a, b, first, second, margin,
                                                                       effort, emit, shared),
                                true)
                             : false) ||
                        ...);
    static_cast<void>(found);
    if (shared == none) return;
    each_shared<true>([&](auto server, int place) {
      using One = typename decltype(server)::type;
      if (place == shared) stream_shared<One, S>(a, b, first, second, margin, effort, emit);
    });
  }

  static constexpr int no_limit = -1;

  // ---- collider by collider, for devices: stage/collision_items.hpp -----------------------------

  // f(its type, its number) for every collider, those that pairs share once
  template <class F>
  static constexpr void each_server(F&& f) {
    const auto visit = [&](auto pair) {
      using Pair = typename decltype(pair)::type;
      using One = typename detail::SharedOf<Pair>::type;
      constexpr int number = number_of<One>;
      if constexpr (number == code(Pair::first, Pair::second)) {
        f(std::type_identity<One>{}, number);
      }
    };
    (visit(std::type_identity<C>{}), ...);
  }

  // the number of the collider of types `a` <= `b`, and the hits that it needs room for; -1: none
  CORTEN_FN static int server_of(GeomType a, GeomType b) {
    [[maybe_unused]] const int wanted = code(a, b);
    int out = none;
    static_cast<void>(((code(C::first, C::second) == wanted
                            ? (out = number_of<typename detail::SharedOf<C>::type>, true)
                            : false) ||
                       ...));
    return out;
  }
  CORTEN_FN static int room_of(GeomType a, GeomType b) {
    [[maybe_unused]] const int wanted = code(a, b);
    int out = 0;
    static_cast<void>(((code(C::first, C::second) == wanted
                            ? (out = C::max_hits > 0 ? C::max_hits : most_streamed, true)
                            : false) ||
                       ...));
    return out;
  }
  static constexpr int servers = 256;  // more than any number

  // Does One serve a pair of kinds for which present(type) holds?
  template <class One, class F>
  static bool serves(F&& present) {
    return ((std::is_same_v<typename detail::SharedOf<C>::type, One> && present(C::first) &&
             present(C::second)) ||
            ...);
  }

  // The hits of a pair that One serves, each given to emit.
  template <class One, class S, class First, class Second, class Emit>
  CORTEN_FN static void collide_by(GeomType a, GeomType b, const First& first, const Second& second,
                                   const S& margin, Effort<S>& effort, const Emit& emit) {
    if constexpr (streams<One>) {
      if constexpr (detail::SharedCollider<One>) {
        One::stream(a, b, load(a, first), load(b, second), margin, effort, emit);
      } else {
        One::stream(load<One::first>(first), load<One::second>(second), margin, effort, emit);
      }
    } else {
      Hit<S> hits[static_cast<std::size_t>(max_hits)];
      int n = 0;
      if constexpr (detail::SharedCollider<One>) {
        n = One::collide(a, b, load(a, first), load(b, second), margin, effort, hits);
      } else {
        n = collide_pair<One, S>(load<One::first>(first), load<One::second>(second), margin, effort,
                                 hits);
      }
      for (int i = 0; i < n; ++i) emit(hits[i]);
    }
  }

  // does a collider deliver its hits one by one?
  template <class One>
  static constexpr bool streams =
      ((std::is_same_v<typename detail::SharedOf<C>::type, detail::WithAll<One>> &&
        C::max_hits == 0) ||
       ...);
  CORTEN_FN static bool is_streamed(GeomType a, GeomType b) {
    [[maybe_unused]] const int wanted = code(a, b);
    return ((C::max_hits == 0 && code(C::first, C::second) == wanted) || ...);
  }

 private:
  static constexpr int most_streamed = 50;  // MuJoCo's limit for a height field

  // small numbers, so that the fold becomes a jump table
  static constexpr int code(GeomType a, GeomType b) {
    return 16 * static_cast<int>(a) + static_cast<int>(b);
  }

  // the number of a collider: the code of the first pair that it serves
  template <class One>
  static constexpr int number_of = [] {
    int out = -1;
    static_cast<void>(((std::is_same_v<typename detail::SharedOf<C>::type, One>
                            ? (out = code(C::first, C::second), true)
                            : false) ||
                       ...));
    return out;
  }();

  // the place of a shared collider: that of the first pair it serves
  static constexpr int none = -1;
  template <class One, bool OneByOne>
  static constexpr int place_of = [] {
    int out = none;
    static_cast<void>(
        ((std::is_same_v<detail::Server<C, OneByOne>, One> ? (out = code(C::first, C::second), true)
                                                           : false) ||
         ...));
    return out;
  }();

  // f(its type, its place) for every shared collider, once
  template <bool OneByOne, class F>
  CORTEN_FN static void each_shared(F&& f) {
    const auto visit = [&](auto pair) {
      using Pair = typename decltype(pair)::type;
      using One = detail::Server<Pair, OneByOne>;
      if constexpr (detail::SharedCollider<One> && !std::is_same_v<One, detail::OtherWay>) {
        constexpr int place = place_of<One, OneByOne>;
        if constexpr (place == code(Pair::first, Pair::second)) f(std::type_identity<One>{}, place);
      }
    };
    (visit(std::type_identity<C>{}), ...);
  }

  // loads a shape with what its type needs
  template <GeomType T, class Load>
  [[gnu::always_inline]] CORTEN_FN static auto load(const Load& shape) {
    if constexpr (requires { shape.template load<T>(); }) {
      return shape.template load<T>();
    } else {
      return shape();
    }
  }

  // the same for a type that is known only at run time
  template <class Load>
  CORTEN_FN static auto load(GeomType type, const Load& shape) {
    if constexpr (requires { shape.load(type); }) {
      return shape.load(type);
    } else {
      return shape();
    }
  }

  // The pairs with a collider of their own. Not inlined: the shapes that they load are off the
  // stack when a shared collider runs, which needs much of it.
  template <class S, class First, class Second>
  [[gnu::noinline]] CORTEN_FN static int collide_own(GeomType a, GeomType b, const First& first,
                                                     const Second& second, const S& margin,
                                                     Effort<S>& effort, Hit<S>* hits, int& shared) {
    [[maybe_unused]] const int wanted = code(a, b);
    int n = 0;
    const auto found = ((code(C::first, C::second) == wanted
                             ? (n = run<detail::Server<C, false>, S>(a, b, first, second, margin,
                                                                     effort, hits, shared),
                                true)
                             : false) ||
                        ...);
    static_cast<void>(found);
    return n;
  }

  // a pair's own collider; a shared one is only noted, by its place
  template <class One, class S, class First, class Second>
  CORTEN_FN static int run(GeomType, GeomType, const First& first, const Second& second,
                           const S& margin, Effort<S>& effort, Hit<S>* hits, int& shared) {
    if constexpr (std::is_same_v<One, detail::OtherWay>) {
      return no_limit;
    } else if constexpr (detail::SharedCollider<One>) {
      return shared = place_of<One, false>, 0;
    } else {
      static_assert(One::first <= One::second,
                    "corten: a collider's first geom type must not be greater than its second");
      static_assert(static_cast<int>(One::second) < 16, "corten: geom types must be less than 16");
      return collide_pair<One, S>(load<One::first>(first), load<One::second>(second), margin,
                                  effort, hits);
    }
  }

  template <class One, class S>
  CORTEN_FN static int collide_pair(const Shape<S>& a, const Shape<S>& b, const S& margin,
                                    Effort<S>& effort, Hit<S>* hits) {
    if constexpr (requires { One::collide(a, b, margin, effort, hits); }) {
      return One::collide(a, b, margin, effort, hits);
    } else {
      return One::collide(a, b, margin, hits);
    }
  }

  // not inlined: the shapes of all pairs that share a collider are loaded by the same code
  template <class Shared, class S, class First, class Second>
  [[gnu::noinline]] CORTEN_FN static int run_shared(GeomType a, GeomType b, const First& first,
                                                    const Second& second, const S& margin,
                                                    Effort<S>& effort, Hit<S>* hits) {
    return Shared::collide(a, b, load(a, first), load(b, second), margin, effort, hits);
  }

  template <class Shared, class S, class First, class Second, class Emit>
  [[gnu::noinline]] CORTEN_FN static void stream_shared(GeomType a, GeomType b, const First& first,
                                                        const Second& second, const S& margin,
                                                        Effort<S>& effort, const Emit& emit) {
    Shared::stream(a, b, load(a, first), load(b, second), margin, effort, emit);
  }

  template <class One, class S, class First, class Second, class Emit>
  CORTEN_FN static void run_stream(GeomType, GeomType, const First& first, const Second& second,
                                   const S& margin, Effort<S>& effort, const Emit& emit,
                                   int& shared) {
    if constexpr (std::is_same_v<One, detail::OtherWay>) {
      return;
    } else if constexpr (detail::SharedCollider<One>) {
      shared = place_of<One, true>;
    } else {
      One::stream(load<One::first>(first), load<One::second>(second), margin, effort, emit);
    }
  }
};

}  // namespace corten
