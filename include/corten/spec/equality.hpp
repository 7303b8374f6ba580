// SPDX-License-Identifier: Apache-2.0
//
// Equality constraints: what holds two bodies, joints or tendons together.
#pragma once

#include <string>

#include <corten/core/enums.hpp>
#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/spec/fields.hpp>

namespace corten::spec {

// <connect> and <weld> act on two bodies or on two sites, <joint> and <tendon> on two of these or on
// one, and <distance>, which MuJoCo no longer has, on the centres of two geoms.
struct Equality : Element {
  static constexpr unsigned kind_connect = kind_a;
  static constexpr unsigned kind_weld = kind_b;
  static constexpr unsigned kind_joint = kind_c;
  static constexpr unsigned kind_tendon = kind_d;
  static constexpr unsigned kind_distance = kind_e;
  static constexpr unsigned kind_spatial = kind_connect | kind_weld;

  CORTEN_COLD Equality() = default;

  EqualityType type = EqualityType::connect;

  Optional<bool> active;  // true
  Leading<2> solref;      // 0.02 1
  Leading<5> solimp;      // 0.9 0.95 0.001 0.5 2

  Optional<std::string> body1, body2;      // body2 absent: the world
  Optional<std::string> site1, site2;      // instead of bodies
  Optional<Numbers<3>> anchor;             // in body1 of a connect, in body2 of a weld
  Optional<List<double>> relpose;          // pos quat of body2 in body1; as at qpos0
  Optional<double> torquescale;            // 1
  Optional<std::string> joint1, joint2;    // joint2 absent: joint1 is fixed
  Optional<std::string> tendon1, tendon2;  // likewise
  Leading<5> polycoef;                     // 0 1 0 0 0
  Optional<std::string> geom1, geom2;
  Optional<double> distance;  // as at qpos0

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    identity(f, g...);
    f("active", g.active...);
    f("solref", g.solref...);
    f("solimp", g.solimp...);
    f({"body1", no_default | kind_spatial}, g.body1...);
    f({"body2", no_default | kind_spatial}, g.body2...);
    f({"relpose", no_default | kind_weld}, g.relpose...);
    f({"anchor", no_default | kind_spatial}, g.anchor...);
    f({"site1", no_default | kind_spatial}, g.site1...);
    f({"site2", no_default | kind_spatial}, g.site2...);
    f({"torquescale", no_default | kind_weld}, g.torquescale...);
    f({"joint1", no_default | kind_joint | required}, g.joint1...);
    f({"joint2", no_default | kind_joint}, g.joint2...);
    f({"tendon1", no_default | kind_tendon | required}, g.tendon1...);
    f({"tendon2", no_default | kind_tendon}, g.tendon2...);
    f({"polycoef", no_default | kind_joint | kind_tendon}, g.polycoef...);
    f({"geom1", no_default | kind_distance | required}, g.geom1...);
    f({"geom2", no_default | kind_distance | required}, g.geom2...);
    f({"distance", no_default | kind_distance}, g.distance...);
  }

  // the names of its objects; the second is empty where there is none
  const Optional<std::string>& first() const {
    switch (type) {
      case EqualityType::joint: return joint1;
      case EqualityType::tendon: return tendon1;
      case EqualityType::distance: return geom1;
      default: return site1 ? site1 : body1;
    }
  }
  const Optional<std::string>& second() const {
    switch (type) {
      case EqualityType::joint: return joint2;
      case EqualityType::tendon: return tendon2;
      case EqualityType::distance: return geom2;
      default: return site1 ? site2 : body2;
    }
  }
};

}  // namespace corten::spec
