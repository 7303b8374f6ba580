// SPDX-License-Identifier: Apache-2.0
//
// The list of actuator kinds that a pipeline knows: Actuators<…>. A kind is a type (see
// common.hpp); the list turns the three types that the model stores for an actuator into calls of
// the kinds' functions. To add your own:
//
//     struct Spring {                                     // biastype="user"
//       static constexpr const char* name = "spring";
//       static constexpr BiasType bias_type = user_bias(0);
//       template <class M, class D>
//       static auto bias(const M& m, const D& d, int a) { … }
//     };
//     using Mine = Policies<DefaultActuators::with<Spring>>;
#pragma once

#include <corten/actuator/affine.hpp>
#include <corten/actuator/dcmotor.hpp>
#include <corten/actuator/filter.hpp>
#include <corten/actuator/muscle.hpp>
#include <corten/actuator/pid.hpp>
#include <corten/actuator/so3.hpp>
#include <corten/core/words.hpp>

#include <string>
#include <type_traits>

namespace corten {

template <class... K>
struct Actuators {
  using Sound = detail::Sound<Actuators, detail::Complete<actuator_policy::Rules, K...>,
                              detail::Distinct<actuator_policy::distinct_dynamics_type, K...>,
                              detail::Distinct<actuator_policy::distinct_gain_type, K...>,
                              detail::Distinct<actuator_policy::distinct_bias_type, K...>>;

  static constexpr int count = sizeof...(K);

  // the same kinds and more
  template <class... More>
  using with = Actuators<K..., More...>;

  CORTEN_FN static constexpr bool has(DynamicsType type) {
    return type == DynamicsType::none || (is<K>(type) || ...);
  }
  CORTEN_FN static constexpr bool has(GainType type) { return (is<K>(type) || ...); }
  CORTEN_FN static constexpr bool has(BiasType type) {
    return type == BiasType::none || (is<K>(type) || ...);
  }

  // the names of the kinds, for messages
  static std::string list() { return join_words({K::name...}); }

  // calls f(K{}) for the kind K of that type, if there is one
  template <class T, class F>
  CORTEN_FN static void visit([[maybe_unused]] T type, [[maybe_unused]] F&& f) {
    static_cast<void>((visit_one<K>(type, f) || ...));
  }

 private:
  template <class Kind, class T>
  CORTEN_FN static constexpr bool is([[maybe_unused]] T type) {
    if constexpr (std::is_same_v<T, DynamicsType> && DynamicsPolicy<Kind>) {
      return type == Kind::dynamics_type;
    } else if constexpr (std::is_same_v<T, GainType> && GainPolicy<Kind>) {
      return type == Kind::gain_type;
    } else if constexpr (std::is_same_v<T, BiasType> && BiasPolicy<Kind>) {
      return type == Kind::bias_type;
    } else {
      return false;
    }
  }
  template <class Kind, class T>
  static constexpr bool plays = std::is_same_v<T, DynamicsType>
                                    ? DynamicsPolicy<Kind>
                                    : (std::is_same_v<T, GainType> ? GainPolicy<Kind>
                                                                   : BiasPolicy<Kind>);

  template <class Kind, class T, class F>
  CORTEN_FN static bool visit_one([[maybe_unused]] T type, [[maybe_unused]] F& f) {
    if constexpr (plays<Kind, T>) {
      if (!is<Kind>(type)) return false;
      f(Kind{});
      return true;
    } else {
      return false;
    }
  }
};

// the kinds of MJCF, the most common ones first
using DefaultActuators =
    Actuators<FixedGain, AffineActuator, IntegratorDynamics, FilterDynamics, ExactFilterDynamics,
              MuscleActuator, DcMotorActuator, PidActuator, So3Actuator>;
template <>
inline constexpr bool detail::is_default<DefaultActuators> = true;

}  // namespace corten
