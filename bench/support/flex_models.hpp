// SPDX-License-Identifier: Apache-2.0
//
// Flexes of any size that are heavy with contacts: what bench_scale --flex steps. Sizes are numbers
// of vertices, or of bodies where a flex follows a few nodes.
#pragma once

#include "scale_models.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace bench {

namespace detail {

// `option` and everything in the world
inline std::string flex_world(const char* option, const std::string& world) {
  return std::string("<mujoco model=\"flex\"><size memory=\"2G\"/><option ") + option +
         "/><worldbody>" + world + "</worldbody></mujoco>";
}

inline int root(int n, double power) {
  return std::max(2, static_cast<int>(std::lround(std::pow(n, 1 / power))));
}

inline std::string sheet(const std::string& name, int side, double width, double height,
                         const char* inside) {
  const double spacing = width / (side - 1);
  const std::string n = std::to_string(side);
  return "<flexcomp name=\"" + name + "\" type=\"grid\" dim=\"2\" mass=\"0.5\" radius=\"0.005\"" +
         " count=\"" + n + " " + n + " 1\" spacing=\"" + triple(spacing, spacing, spacing) +
         "\" pos=\"" + triple(0.003, 0.007, height) + "\" euler=\"0 0 7\">" + inside +
         "</flexcomp>";
}

}  // namespace detail

// a sheet with edges of constant length that falls over a ball to the floor
inline std::string draped_sheet(int vertices) {
  return detail::flex_world(
      "timestep=\"0.002\"",
      "<geom type=\"plane\" size=\"0 0 1\"/><geom size=\"0.25\" pos=\"0 0 0.25\"/>" +
          detail::sheet("s", detail::root(vertices, 2), 0.8, 0.52,
                        "<edge equality=\"true\" damping=\"0.01\"/>"
                        "<contact selfcollide=\"none\" solref=\"0.01\"/>"));
}

// an elastic sheet that lies on a heap of boxes and touches itself, with the implicit metric
inline std::string metric_sheet(int vertices) {
  std::string boxes = "<geom type=\"plane\" size=\"0 0 1\"/>";
  for (int i = 0; i < 9; ++i) {
    boxes += "<geom type=\"box\" size=\"0.05 0.05 0.06\" pos=\"" +
             detail::triple(0.2 * (i / 3 - 1), 0.2 * (i % 3 - 1), 0.06) + "\"/>";
  }
  return detail::flex_world(
      "timestep=\"0.002\" solver=\"CG\" integrator=\"implicitfast\"",
      boxes +
          detail::sheet("s", detail::root(vertices, 2), 0.7, 0.14,
                        "<elasticity young=\"1e4\" poisson=\"0.2\" thickness=\"1e-2\" "
                        "elastic2d=\"both\" damping=\"0.001\"/><contact selfcollide=\"auto\"/>"));
}

// sheets that lie on top of each other
inline std::string stacked_sheets(int vertices) {
  const int side = detail::root(vertices / 3, 2);
  std::string all = "<geom type=\"plane\" size=\"0 0 1\"/>";
  for (int i = 0; i < 3; ++i) {
    all += detail::sheet("s" + std::to_string(i), side, 0.5, 0.012 + 0.015 * i,
                         "<elasticity young=\"1e4\" poisson=\"0.2\" thickness=\"1e-2\" "
                         "elastic2d=\"both\" damping=\"0.001\"/><contact selfcollide=\"none\"/>");
  }
  return detail::flex_world("timestep=\"0.001\"", all);
}

// a solid of tetrahedra on the floor, under a load of balls and boxes
inline std::string loaded_solid(int vertices) {
  const int side = detail::root(vertices, 3);
  const std::string n = std::to_string(side);
  const double spacing = 0.4 / (side - 1);
  std::string load = "<geom type=\"plane\" size=\"0 0 1\"/>";
  for (int i = 0; i < 9; ++i) {
    load += "<body pos=\"" +
            detail::triple(0.12 * (i / 3 - 1) + 0.003 * i, 0.12 * (i % 3 - 1), 0.48) +
            "\"><freejoint/><geom mass=\"0.05\" " +
            (i % 2 == 0 ? "size=\"0.05\"" : "type=\"box\" size=\"0.04 0.04 0.04\"") + "/></body>";
  }
  return detail::flex_world(
      "timestep=\"0.001\"",
      load + "<flexcomp name=\"s\" type=\"grid\" dim=\"3\" mass=\"2\" radius=\"0.005\" count=\"" +
          n + " " + n + " " + n + "\" spacing=\"" + detail::triple(spacing, spacing, spacing) +
          "\" pos=\"0 0 0.206\"><elasticity young=\"1e4\" poisson=\"0.2\" damping=\"2e-4\"/>"
          "<contact selfcollide=\"none\" internal=\"false\"/></flexcomp>");
}

// jellies that follow eight nodes each, heaped in layers of nine
inline std::string jellies(int bodies) {
  std::string all = detail::container(0.36, 0.5);
  for (int i = 0; i < bodies; ++i) {
    const int in = i % 9;
    all += "<flexcomp name=\"j" + std::to_string(i) +
           "\" type=\"grid\" dim=\"3\" mass=\"0.5\" radius=\"0.005\" count=\"4 4 4\" "
           "dof=\"trilinear\" "
           "spacing=\"0.05 0.05 0.05\" pos=\"" +
           detail::triple(0.22 * (in / 3 - 1) + 0.004 * (i / 9), 0.22 * (in % 3 - 1),
                          0.09 + 0.17 * (i / 9)) +
           "\"><elasticity young=\"2e4\" poisson=\"0.2\" damping=\"0.005\"/>"
           "<contact selfcollide=\"none\" internal=\"false\"/></flexcomp>";
  }
  return detail::flex_world("timestep=\"0.001\"", all);
}

// a cable of segments that is dropped on itself, on rollers and on the floor
inline std::string cable(int vertices) {
  std::string points, elements;
  for (int i = 0; i < vertices; ++i) {
    const double angle = 0.35 * i;
    points += detail::triple(0.1 * std::cos(angle), 0.1 * std::sin(angle), 0.1 + 0.0015 * i) + " ";
    if (i > 0) elements += std::to_string(i - 1) + " " + std::to_string(i) + " ";
  }
  std::string world = "<geom type=\"plane\" size=\"0 0 1\"/>";
  for (int i = 0; i < 4; ++i) {
    world += "<geom type=\"capsule\" size=\"0.02 0.3\" euler=\"90 0 0\" pos=\"" +
             detail::triple(0.06 * (i - 1.5), 0, 0.04) + "\"/>";
  }
  return detail::flex_world(
      "timestep=\"0.002\"",
      world +
          "<flexcomp name=\"c\" type=\"direct\" dim=\"1\" mass=\"0.3\" radius=\"0.005\" point=\"" +
          points + "\" element=\"" + elements +
          "\"><edge equality=\"true\" damping=\"0.01\"/><contact selfcollide=\"auto\" "
          "internal=\"false\"/></flexcomp>");
}

// Sizes are chosen for 200 to 3,000 dofs.
inline std::vector<ScaleKind> flex_kinds() {
  return {
      {"draped", draped_sheet, {81, 256, 961}, {}},
      {"metric", metric_sheet, {81, 256, 961}, {}},
      {"stacked", stacked_sheets, {108, 300, 972}, {}},
      {"solid", loaded_solid, {64, 216, 512}, {1000}},
      {"jellies", jellies, {9, 27, 81}, {}},
      {"cable", cable, {70, 200, 600}, {}},
  };
}

}  // namespace bench
