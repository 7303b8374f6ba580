// SPDX-License-Identifier: Apache-2.0
//
// Small models for benchmarks that need no files, one per regime.
#pragma once

#include <string>
#include <vector>

namespace bench {

// one hinge: the overhead of a step
inline std::string pendulum() {
  return R"(<mujoco model="pendulum">
  <worldbody>
    <body pos="0 0 1">
      <joint name="pivot" axis="0 1 0" damping="0.01"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.03"/>
    </body>
  </worldbody>
  <actuator><motor joint="pivot" gear="0.1" ctrlrange="-1 1"/></actuator>
</mujoco>)";
}

// a long chain of hinges about alternating axes: smooth dynamics, no contacts
inline std::string chain(int links) {
  std::string open, close, motors;
  for (int i = 0; i < links; ++i) {
    const std::string id = std::to_string(i);
    open += "<body pos=\"" + std::string(i == 0 ? "0 0 2" : "0.1 0 0") + "\"><joint name=\"j" + id +
            "\" axis=\"" + (i % 2 == 0 ? "0 1 0" : "0 0 1") +
            "\" damping=\"0.05\" armature=\"0.001\"/>" +
            "<geom type=\"capsule\" fromto=\"0 0 0 0.1 0 0\" size=\"0.02\" contype=\"0\" "
            "conaffinity=\"0\"/>";
    close += "</body>";
    motors += "<motor joint=\"j" + id + "\" gear=\"0.01\" ctrlrange=\"-1 1\"/>";
  }
  return "<mujoco model=\"chain\"><worldbody>" + open + close + "</worldbody><actuator>" + motors +
         "</actuator></mujoco>";
}

// boxes that fall and rest on a plane: many contacts, no joints between bodies
inline std::string boxes() {
  std::string bodies;
  for (const char* pos : {"0 0 0.3", "0.5 0 0.3", "1 0 0.3", "0.25 0.1 0.6"}) {
    bodies += "<body pos=\"" + std::string(pos) +
              "\"><freejoint/><geom type=\"box\" size=\"0.2 0.15 0.1\"/></body>";
  }
  return "<mujoco model=\"boxes\"><worldbody><geom type=\"plane\" size=\"5 5 0.1\"/>" + bodies +
         "</worldbody></mujoco>";
}

namespace detail {

// a leg and an arm; side is +1 (left) or -1 (right)
inline std::string figure_leg(const std::string& name, double side) {
  return "<body name=\"thigh_" + name + "\" pos=\"0 " + std::to_string(0.1 * side) + " -0.27\">" +
         "<joint name=\"hip_x_" + name + "\" axis=\"1 0 0\" range=\"-30 30\"/>" +
         "<joint name=\"hip_z_" + name + "\" axis=\"0 0 1\" range=\"-40 40\"/>" +
         "<joint name=\"hip_y_" + name + "\" axis=\"0 1 0\" range=\"-100 30\"/>" +
         R"(<geom type="capsule" fromto="0 0 0 0 0 -0.36" size="0.06"/>
            <body pos="0 0 -0.42">)" +
         "<joint name=\"knee_" + name + "\" axis=\"0 1 0\" range=\"-2 150\"/>" +
         R"(<geom type="capsule" fromto="0 0 0 0 0 -0.32" size="0.045"/>
            <body pos="0.04 0 -0.39">)" +
         "<joint name=\"ankle_" + name + "\" pos=\"-0.04 0 0\" axis=\"0 1 0\" range=\"-45 45\"/>" +
         R"(<geom type="box" pos="0.02 0 -0.02" size="0.11 0.04 0.02"/></body></body></body>)";
}

inline std::string figure_arm(const std::string& name, double side) {
  return "<body pos=\"0 " + std::to_string(0.22 * side) + " 0.12\">" + "<joint name=\"shoulder_x_" +
         name + "\" axis=\"1 0 0\" range=\"-90 90\"/>" + "<joint name=\"shoulder_y_" + name +
         "\" axis=\"0 1 0\" range=\"-90 90\"/>" +
         R"(<geom type="capsule" fromto="0 0 0 0 0 -0.24" size="0.035"/><body pos="0 0 -0.28">)" +
         "<joint name=\"elbow_" + name + "\" axis=\"0 1 0\" range=\"-120 2\"/>" +
         R"(<geom type="capsule" fromto="0 0 0 0 0 -0.2" size="0.03"/>
            <geom type="sphere" pos="0 0 -0.25" size="0.04"/></body></body>)";
}

}  // namespace detail

// a figure of capsules, boxes and spheres with limited joints that falls on a plane
inline std::string figure() {
  std::string motors;
  for (const char* side : {"left", "right"}) {
    for (const char* joint :
         {"hip_x", "hip_y", "hip_z", "knee", "ankle", "shoulder_x", "shoulder_y", "elbow"}) {
      motors += "<motor joint=\"" + std::string(joint) + "_" + side + "\"/>";
    }
  }
  return R"(<mujoco model="figure">
  <option timestep="0.005"/>
  <default>
    <joint damping="1" armature="0.02" limited="true"/>
    <motor gear="40" ctrllimited="true" ctrlrange="-1 1"/>
  </default>
  <worldbody>
    <geom type="plane" size="10 10 0.1"/>
    <body name="torso" pos="0 0 1.2">
      <freejoint/>
      <geom type="capsule" fromto="0 -0.08 0.1 0 0.08 0.1" size="0.08"/>
      <geom type="capsule" fromto="0 -0.06 -0.1 0 0.06 -0.1" size="0.08"/>
      <geom type="sphere" pos="0 0 0.32" size="0.1"/>)" +
         detail::figure_leg("left", 1) + detail::figure_leg("right", -1) +
         detail::figure_arm("left", 1) + detail::figure_arm("right", -1) +
         "</body></worldbody><actuator>" + motors + "</actuator></mujoco>";
}

namespace detail {

// nested bodies, each with hinges about the axes in its string ("xzy") and a bone downwards
inline std::string limb(const std::string& pos, const std::vector<std::string>& hinges) {
  std::string open, close, place = pos;
  for (const std::string& axes : hinges) {
    open += "<body pos=\"" + place + "\">";
    for (char axis : axes) {
      open += std::string("<joint axis=\"") +
              (axis == 'x'   ? "1 0 0"
               : axis == 'y' ? "0 1 0"
                             : "0 0 1") +
              "\"/>";
    }
    open += "<geom fromto=\"0 0 0 0 0 -0.25\"/>";
    close += "</body>";
    place = "0 0 -0.3";
  }
  return open + close;
}

}  // namespace detail

// a humanoid with 30 dofs: in the air and touching nothing, or collapsing on a floor
inline std::string humanoid(bool on_floor) {
  using detail::limb;
  const std::vector<std::string> leg = {"xzy", "y", "yx"}, arm = {"xyz", "y", "x"};
  return std::string("<mujoco model=\"humanoid\"><option gravity=\"0 0 ") +
         (on_floor ? "-9.81" : "-1") +
         "\"/><default><joint damping=\"1\" armature=\"0.02\"/>"
         "<geom type=\"capsule\" size=\"0.05\" conaffinity=\"0\" contype=\"" +
         (on_floor ? "1" : "0") + "\"/></default><worldbody>" +
         (on_floor ? "<geom type=\"plane\" size=\"5 5 1\" contype=\"0\" conaffinity=\"1\"/>" : "") +
         "<body pos=\"0 0 " + (on_floor ? "0.9" : "2") +
         "\"><freejoint/><geom fromto=\"0 0 0 0 0 0.4\"/>" + limb("0 0.1 0", leg) +
         limb("0 -0.1 0", leg) + limb("0 0.2 0.4", arm) + limb("0 -0.2 0.4", arm) +
         limb("0 0 0.5", {"yz"}) + "</body></worldbody></mujoco>";
}

struct NamedModel {
  const char* name;
  std::string text;
  bool constrained;  // does the choice of solver matter?
};

inline std::vector<NamedModel> models() {
  return {{"pendulum", pendulum(), false},
          {"chain of 10", chain(10), false},
          {"chain of 20", chain(20), false},
          {"boxes", boxes(), true},
          {"figure", figure(), true}};
}

}  // namespace bench
