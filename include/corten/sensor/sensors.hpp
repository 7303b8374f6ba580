// SPDX-License-Identifier: Apache-2.0
//
// The list of sensor kinds that a pipeline knows: the table of sensors. A kind is a type (see
// common.hpp); the list turns the kind stored in the model into a call of that type's function.
// Nothing else asks what kind a sensor is.
#pragma once

#include <corten/core/words.hpp>
#include <corten/sensor/camera.hpp>
#include <corten/sensor/contact.hpp>
#include <corten/sensor/distance.hpp>
#include <corten/sensor/force.hpp>
#include <corten/sensor/frame.hpp>
#include <corten/sensor/global.hpp>
#include <corten/sensor/imu.hpp>
#include <corten/sensor/inside.hpp>
#include <corten/sensor/joint.hpp>
#include <corten/sensor/limit.hpp>
#include <corten/sensor/rangefinder.hpp>
#include <corten/sensor/tactile.hpp>
#include <corten/sensor/touch.hpp>
#include <corten/sensor/transmission.hpp>
#include <corten/sensor/user.hpp>

#include <string>
#include <type_traits>

namespace corten {

// what a kind needs from a stage that reads it
struct SensorNeeds {
  bool read = false, subtree_velocity = false, rne_post = false, distance = false;
  bool potential_energy = false;
};

template <class... K>
struct Sensors {
  // A kind of yours may have the number of UserSensor, which only stands in for it.
  using Sound = detail::Sound<
      Sensors, detail::Complete<sensor_policy::Rules, K...>,
      detail::Distinct<sensor_policy::distinct_type,
                       std::conditional_t<std::is_same_v<K, UserSensor>, detail::Nothing, K>...>>;

  static constexpr int count = sizeof...(K);

  // the same list with further kinds, which take precedence
  template <class... More>
  using with = Sensors<More..., K...>;

  CORTEN_FN static constexpr bool has([[maybe_unused]] SensorType type) {
    return ((type == K::type) || ...);
  }

  // the names of the kinds, for messages
  static std::string list() { return join_words({K::name...}); }

  static constexpr const char* name([[maybe_unused]] SensorType type) {
    const char* out = "unknown";
    static_cast<void>(((type == K::type && (out = K::name, true)) || ...));
    return out;
  }

  // calls f(K{}) for the kind K of that type; false if it is not in the list
  template <class F>
  CORTEN_FN static bool visit([[maybe_unused]] int type, [[maybe_unused]] F&& f) {
    return ((type == static_cast<int>(K::type) ? (f(K{}), true) : false) || ...);
  }

  // the same with Map<K>; if that is one type for many kinds, f is compiled once for all of them
  template <template <class> class Map, class F>
  CORTEN_FN static bool visit_as([[maybe_unused]] int type, [[maybe_unused]] F&& f) {
    return ((type == static_cast<int>(K::type) ? (f(Map<K>{}), true) : false) || ...);
  }

  // what Map<K> needs, for the kind K of that type
  template <template <class> class Map>
  CORTEN_FN static SensorNeeds needs([[maybe_unused]] int type) {
    SensorNeeds out;
    static_cast<void>(
        ((type == static_cast<int>(K::type) ? (out = Map<K>::needs, true) : false) || ...));
    return out;
  }

  // does Map<K> measure the distance of geoms, for any kind?
  template <template <class> class Map>
  static constexpr bool measure_distance = (Map<K>::needs.distance || ...);
  template <template <class> class Map>
  static constexpr bool measure_energy = (Map<K>::needs.potential_energy || ...);

  // is there a kind of that type, read at that stage, with that many numbers?
  CORTEN_FN static bool fits([[maybe_unused]] int type, [[maybe_unused]] int stage,
                             [[maybe_unused]] int dim) {
    bool out = false;
    static_cast<void>(
        ((type == static_cast<int>(K::type)
              ? (out = (K::stage == Stage::none || stage == static_cast<int>(K::stage)) &&
                       (K::dim == 0 || K::dim == dim),
                 true)
              : false) ||
         ...));
    return out;
  }
};

using DefaultSensors =
    Sensors<JointPos, JointVel, BallQuat, BallAngVel, TendonPos, TendonVel, ActuatorPos,
            ActuatorVel, ActuatorFrc, FramePos, FrameQuat, FrameXAxis, FrameYAxis, FrameZAxis,
            FrameLinVel, FrameAngVel, FrameLinAcc, FrameAngAcc, Accelerometer, Velocimeter, Gyro,
            Magnetometer, Force, Torque, Touch, Tactile, ContactSensor, Rangefinder, CamProjection,
            JointActuatorFrc, TendonActuatorFrc, JointLimitPos, JointLimitVel, JointLimitFrc,
            TendonLimitPos, TendonLimitVel, TendonLimitFrc, SubtreeCom, SubtreeLinVel,
            SubtreeAngMom, InsideSite, Distance, Normal, FromTo, PotentialEnergy, KineticEnergy,
            Clock, UserSensor>;
template <>
inline constexpr bool detail::is_default<DefaultSensors> = true;

}  // namespace corten
