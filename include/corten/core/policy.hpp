// SPDX-License-Identifier: Apache-2.0
//
// Compile errors that name what a user's kind lacks. Every folder of kinds lists the members that a
// kind must have, once, by the macros below. Its concept (GeomPolicy, …) and the messages both come
// from that list, and the lists of kinds (Geoms<…>, …) check it as soon as they are instantiated.
// So the first error about a misspelt member names the kind, the member and the header that
// explains it, instead of hundreds of lines from inside a stage.
//
// A message is a string literal and cannot hold the name of a type. Each rule therefore is a class
// of its own: g++ prints "In instantiation of 'struct corten::geom_policy::volume::Of<Dumbbell>'",
// clang "due to requirement 'has<Dumbbell>'".
#pragma once

#include <initializer_list>
#include <type_traits>

// names_<member><Kind>: does Kind have a member of that name, whatever its parameters? Functions of
// kinds are templates over views of a model and its data. A call could not be checked before those
// are known, and might instantiate the body; looking up the name does neither. The name is
// ambiguous in Probe<Kind>, a class derived from Kind and from Names, which has it, if Kind has it
// too. That is why a kind must not be final. One class with all names is faster to compile than one
// for each.
#define CORTEN_POLICY_NAMES(...) \
  struct Names {                 \
    int __VA_ARGS__;             \
  };                             \
  template <class Kind>          \
  struct Probe : detail::Probed<Kind>, Names {};
#define CORTEN_POLICY_NAME(member)                                                \
  template <class Kind>                                                           \
  inline constexpr bool names_##member = sizeof(Names::member) > 0 && !requires { \
    &Probe<Kind>::member;                                                         \
  };

// A rule for kinds: a condition on Kind, and what a kind that breaks it does wrong.
#define CORTEN_POLICY_RULE(policy, header, member, wrong, ...)                           \
  struct member {                                                                        \
    template <class Kind>                                                                \
    static constexpr bool has = __VA_ARGS__;                                             \
    template <class Kind>                                                                \
    struct Of {                                                                          \
      static_assert(has<Kind>, "corten: this " policy " policy " wrong "; see " header); \
    };                                                                                   \
  };

// A kind must have a constant of type T, or a function of that name.
#define CORTEN_POLICY_CONSTANT(policy, header, T, member)          \
  CORTEN_POLICY_RULE(                                              \
      policy, header, member, "has no " #T " " #member, requires { \
        { Kind::member } -> std::convertible_to<T>;                \
      })
#define CORTEN_POLICY_FUNCTION(policy, header, member, arguments) \
  CORTEN_POLICY_NAME(member)                                      \
  CORTEN_POLICY_RULE(policy, header, member, "has no " #member arguments, names_##member<Kind>)

// No two kinds of a list may have the same number `member`. Kinds without it are not compared.
#define CORTEN_POLICY_NUMBER(policy, header, member)                                           \
  struct distinct_##member {                                                                   \
    template <class Kind>                                                                      \
    static constexpr int number() {                                                            \
      if constexpr (requires { Kind::member; }) return static_cast<int>(Kind::member);         \
      return -1;                                                                               \
    }                                                                                          \
    template <class First, class Second>                                                       \
    static constexpr bool differ = number<First>() < 0 || number<First>() != number<Second>(); \
    template <class First, class Second>                                                       \
    struct Of {                                                                                \
      static_assert(differ<First, Second>,                                                     \
                    "corten: two " policy " policies have the same " #member "; see " header); \
    };                                                                                         \
  };

namespace corten::detail {

struct Nothing {};

template <class Kind>
using Probed = std::conditional_t<std::is_class_v<Kind> && !std::is_final_v<Kind>, Kind, Nothing>;

template <class Kind>
struct NotFinal {
  static_assert(!std::is_final_v<Kind>, "corten: a policy must not be final; see core/policy.hpp");
};

// the rules that a kind must obey
template <class... Rule>
struct Rules {
  template <class Kind>
  static constexpr bool obeyed = !std::is_final_v<Kind> && (Rule::template has<Kind> && ...);
  template <class Kind>
  struct Messages : NotFinal<Kind>, Rule::template Of<Kind>... {};
};

// Is it fine? If not, instantiating Explanation is the error.
template <bool Fine, class Explanation>
struct Explained : std::true_type {};
template <class Explanation>
struct Explained<false, Explanation> : std::bool_constant<(sizeof(Explanation) == 0)> {};

template <class Rules, class Kind>
struct Broken : Rules::template Messages<Kind> {};

template <class Rules, class... Kind>
struct Complete
    : std::bool_constant<(Explained<Rules::template obeyed<Kind>, Broken<Rules, Kind>>::value &&
                          ...)> {};

// the negative ones do not count
constexpr bool all_different(std::initializer_list<int> numbers) {
  for (const int* a = numbers.begin(); a != numbers.end(); ++a) {
    for (const int* b = a + 1; *a >= 0 && b != numbers.end(); ++b) {
      if (*a == *b) return false;
    }
  }
  return true;
}

template <class Number, class... Kind>
struct Clashes {};
template <class Number, class First, class... Rest>
struct Clashes<Number, First, Rest...> : Clashes<Number, Rest...> {
  static_assert(((sizeof(typename Number::template Of<First, Rest>) > 0) && ...));
};

template <class Number, class... Kind>
struct Distinct
    : Explained<all_different({Number::template number<Kind>()...}), Clashes<Number, Kind...>> {};

// The default lists are checked by a test instead, to save every program the time.
template <class List>
inline constexpr bool is_default = false;

// Does a list hold nothing but complete kinds with numbers of their own? The lists of kinds have
// this as `Sound`, and Policies ignores one that is not, so that the error is not followed by
// others.
template <class List, class... Condition>
struct Soundness : std::bool_constant<(Condition::value && ...)> {};
template <class List, class... Condition>
requires is_default<List>
struct Soundness<List, Condition...> : std::true_type {
};

template <class List, class... Condition>
using Sound = typename Soundness<List, Condition...>::type;

}  // namespace corten::detail
