// SPDX-License-Identifier: Apache-2.0
//
// Models of any size: piles, chains, crowds and nets. Everything follows from the number of bodies,
// so two engines, two builds and two machines simulate the same thing.
#pragma once

#include "episode.hpp"
#include "models.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace bench {

namespace detail {

inline std::string triple(double x, double y, double z) {
  char text[80];
  std::snprintf(text, sizeof text, "%.5f %.5f %.5f", x, y, z);
  return text;
}

// MuJoCo's arena must hold the largest model; it is reserved, and takes memory only where used
inline std::string scale_header(const char* name) {
  return std::string("<mujoco model=\"") + name + "\"><size memory=\"2G\"/><worldbody>";
}

// four walls around a square floor of half width `half`
inline std::string container(double half, double height) {
  std::string out = "<geom type=\"plane\" size=\"0 0 1\"/>";
  for (int side = 0; side < 4; ++side) {
    const double sign = side % 2 == 0 ? 1 : -1, at = sign * (half + 0.1);
    const bool x = side < 2;
    out += "<geom type=\"box\" pos=\"" + triple(x ? at : 0, x ? 0 : at, height) + "\" size=\"" +
           triple(x ? 0.1 : half + 0.2, x ? half + 0.2 : 0.1, height) + "\"/>";
  }
  return out;
}

inline std::string pile_geom(const char* type) {
  const std::string text = std::string("<geom type=\"") + type + "\" size=\"";
  if (std::string(type) == "sphere") return text + "0.05\"/>";
  return text + (std::string(type) == "box" ? "0.05 0.04 0.03\"/>" : "0.03 0.03\"/>");
}

}  // namespace detail

// bodies that fall into a container in layers, one of the given types after the other
inline std::string pile(int bodies, const std::vector<const char*>& types) {
  const int side = std::max(2, static_cast<int>(std::ceil(std::cbrt(bodies))));
  const double spacing = 0.11, half = 0.5 * spacing * side;
  SplitMix64 random(1);
  std::string out = detail::scale_header("pile") + detail::container(half, 0.5 + 0.15 * side);
  for (int i = 0; i < bodies; ++i) {
    const int layer = i / (side * side), row = i / side % side, column = i % side;
    const auto place = [&](int k) {
      return (k + 0.5) * spacing - half + 0.004 * random.symmetric();
    };
    const double x = place(row), y = place(column), z = 0.06 + spacing * layer;
    out += "<body pos=\"" + detail::triple(x, y, z) + "\"><freejoint/>" +
           detail::pile_geom(types[static_cast<std::size_t>(i) % types.size()]) + "</body>";
  }
  return out + "</worldbody></mujoco>";
}

// spheres that fall freely, far above a floor and apart from each other
inline std::string fall(int bodies) {
  const int side = static_cast<int>(std::ceil(std::cbrt(bodies)));
  std::string out =
      detail::scale_header("fall") + "<geom type=\"plane\" size=\"0 0 1\" pos=\"0 0 -100\"/>";
  for (int i = 0; i < bodies; ++i) {
    out += "<body pos=\"" +
           detail::triple(0.2 * (i % side), 0.2 * (i / side % side), 0.2 * (i / side / side)) +
           "\"><freejoint/>" + detail::pile_geom("sphere") + "</body>";
  }
  return out + "</worldbody></mujoco>";
}

// a chain that hangs from a point and drops to a floor; links do not touch each other
inline std::string rope(int links) {
  std::string open, close;
  for (int i = 0; i < links; ++i) {
    open += "<body pos=\"" + std::string(i == 0 ? "0 0 0.5" : "0.1 0 0") + "\"><joint axis=\"" +
            (i % 2 == 0 ? "0 1 0" : "0 0 1") +
            "\" damping=\"0.05\" armature=\"0.001\"/><geom type=\"capsule\" "
            "fromto=\"0 0 0 0.1 0 0\" size=\"0.02\" conaffinity=\"0\"/>";
    close += "</body>";
  }
  return detail::scale_header("rope") + "<geom type=\"plane\" size=\"0 0 1\" contype=\"0\"/>" +
         open + close + "</worldbody></mujoco>";
}

// humanoids of 30 dofs side by side that collapse on a floor and on each other
inline std::string crowd(int people) {
  using detail::limb;
  const std::vector<std::string> leg = {"xzy", "y", "yx"}, arm = {"xyz", "y", "x"};
  const int side = static_cast<int>(std::ceil(std::sqrt(people)));
  std::string out =
      "<mujoco model=\"crowd\"><size memory=\"2G\"/><default>"
      "<joint damping=\"1\" armature=\"0.02\"/><geom type=\"capsule\" size=\"0.05\"/>"
      "</default><worldbody><geom type=\"plane\" size=\"0 0 1\"/>";
  for (int i = 0; i < people; ++i) {
    out += "<body pos=\"" + detail::triple(0.5 * (i / side), 0.7 * (i % side), 0.9) +
           "\"><freejoint/><geom fromto=\"0 0 0 0 0 0.4\"/>" + limb("0 0.1 0", leg) +
           limb("0 -0.1 0", leg) + limb("0 0.2 0.4", arm) + limb("0 -0.2 0.4", arm) +
           limb("0 0 0.5", {"yz"}) + "</body>";
  }
  return out + "</worldbody></mujoco>";
}

// a square net of free bodies, connected to their neighbours, that falls on a ball
inline std::string net(int bodies) {
  const int side = std::max(2, static_cast<int>(std::lround(std::sqrt(bodies))));
  std::string knots, threads;
  const auto name = [](int i, int j) { return "k" + std::to_string(i) + "_" + std::to_string(j); };
  const auto tie = [&](const std::string& a, const std::string& b, const char* anchor) {
    threads += "<connect body1=\"" + a + "\" body2=\"" + b + "\" anchor=\"" + anchor + "\"/>";
  };
  for (int i = 0; i < side; ++i) {
    for (int j = 0; j < side; ++j) {
      knots += "<body name=\"" + name(i, j) + "\" pos=\"" +
               detail::triple(0.1 * (i - 0.5 * side), 0.1 * (j - 0.5 * side), 0.6) +
               "\"><freejoint/><geom size=\"0.03\"/></body>";
      if (i + 1 < side) tie(name(i, j), name(i + 1, j), "0.05 0 0");
      if (j + 1 < side) tie(name(i, j), name(i, j + 1), "0 0.05 0");
    }
  }
  return detail::scale_header("net") + "<geom type=\"plane\" size=\"0 0 1\"/>" +
         "<geom size=\"0.5\"/>" + knots + "</worldbody><equality>" + threads +
         "</equality></mujoco>";
}

// A kind of model, the sizes of a quick run and those that a full run adds.
struct ScaleKind {
  const char* name;
  std::string (*make)(int);
  std::vector<int> quick, more;
};

inline std::vector<ScaleKind> scale_kinds() {
  return {
      {"spheres", [](int n) { return pile(n, {"sphere"}); }, {10, 100, 300, 1000}, {3000}},
      {"boxes", [](int n) { return pile(n, {"box"}); }, {10, 100, 300}, {1000, 3000}},
      {"mixed",
       [](int n) {
         return pile(n, {"sphere", "box", "capsule", "cylinder"});
       },
       {10, 100, 300},
       {1000, 3000}},
      {"chain", [](int n) { return chain(n); }, {10, 100, 300}, {1000}},
      {"rope", rope, {10, 100}, {300, 1000}},
      {"crowd", crowd, {1, 10, 30}, {100, 200}},
      {"fall", fall, {1000}, {3000}},
      {"net", net, {25, 100, 400}, {900}},
  };
}

}  // namespace bench
