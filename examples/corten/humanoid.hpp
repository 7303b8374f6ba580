// SPDX-License-Identifier: Apache-2.0
//
// The humanoid that `corten simulate` drops when no file is given: 28 degrees of freedom, 22
// motors, capsules, spheres and boxes on a floor.
#pragma once

namespace cli {

inline constexpr const char* humanoid_mjcf = R"(
<mujoco model="corten humanoid">
  <compiler angle="degree" autolimits="true"/>
  <option timestep="0.004" iterations="50"/>

  <default>
    <joint damping="1" armature=".01" solimplimit="0 .99 .01"/>
    <geom condim="3" friction=".9" density="980" rgba=".72 .45 .3 1"/>
    <motor ctrlrange="-1 1"/>
    <default class="trunk"><joint damping="6" stiffness="30" armature=".02"/></default>
    <default class="hip"><joint damping="1.5" stiffness="10"/></default>
    <default class="knee"><joint damping=".7" stiffness="3"/></default>
    <default class="ankle"><joint damping=".6" stiffness="6" armature=".006"/></default>
    <default class="arm"><joint damping=".4" stiffness="2" armature=".006"/></default>
  </default>

  <worldbody>
    <light pos="0 -2 4" dir="0 .4 -1"/>
    <geom name="floor" type="plane" size="10 10 .1" rgba=".9 .9 .88 1"/>
    <body name="pelvis" pos="0 0 .935">
      <freejoint name="root"/>
      <geom name="pelvis" type="capsule" fromto="0 -.08 0 0 .08 0" size=".09"/>
      <body name="waist" pos="-.01 0 .13">
        <joint name="waist_yaw" axis="0 0 1" range="-45 45" class="trunk"/>
        <joint name="waist_pitch" axis="0 1 0" range="-30 75" class="trunk"/>
        <geom name="waist" type="capsule" fromto="0 -.06 0 0 .06 0" size=".085"/>
        <body name="chest" pos=".005 0 .15">
          <joint name="chest_roll" pos="0 0 -.07" axis="1 0 0" range="-35 35" class="trunk"/>
          <geom name="chest" type="capsule" fromto="0 -.075 .02 0 .075 .02" size=".1"/>
          <geom name="shoulders" type="capsule" fromto="-.01 -.12 .13 -.01 .12 .13" size=".075"/>
          <site name="imu" pos=".05 0 .08"/>
          <body name="head" pos="0 0 .24">
            <joint name="neck" axis="0 1 0" range="-40 50" stiffness="8" damping="1"/>
            <geom name="neck" type="capsule" fromto="0 0 -.02 0 0 .03" size=".045"/>
            <geom name="head" type="sphere" pos=".015 0 .13" size=".1"/>
          </body>
          <body name="left_upper_arm" pos="0 0.255 .14">
            <joint name="left_shoulder_pitch" axis="0 1 0" range="-170 60" class="arm"/>
            <joint name="left_shoulder_roll" axis="1 0 0" range="-10 150" class="arm"/>
            <geom name="left_upper_arm" type="capsule" fromto="0 0 0 0 0 -.26" size=".042"/>
            <body name="left_forearm" pos="0 0 -.27">
              <joint name="left_elbow" axis="0 1 0" range="-140 2" class="arm"/>
              <geom name="left_forearm" type="capsule" fromto="0 0 0 0 0 -.22" size=".034"/>
              <geom name="left_hand" type="sphere" pos="0 0 -.27" size=".045"/>
            </body>
          </body>
          <body name="right_upper_arm" pos="0 -0.255 .14">
            <joint name="right_shoulder_pitch" axis="0 1 0" range="-170 60" class="arm"/>
            <joint name="right_shoulder_roll" axis="-1 0 0" range="-10 150" class="arm"/>
            <geom name="right_upper_arm" type="capsule" fromto="0 0 0 0 0 -.26" size=".042"/>
            <body name="right_forearm" pos="0 0 -.27">
              <joint name="right_elbow" axis="0 1 0" range="-140 2" class="arm"/>
              <geom name="right_forearm" type="capsule" fromto="0 0 0 0 0 -.22" size=".034"/>
              <geom name="right_hand" type="sphere" pos="0 0 -.27" size=".045"/>
            </body>
          </body>
        </body>
      </body>
      <body name="left_thigh" pos="0 0.1 -.05">
        <joint name="left_hip_yaw" axis="0 0 1" range="-50 35" class="hip"/>
        <joint name="left_hip_roll" axis="1 0 0" range="-20 45" class="hip"/>
        <joint name="left_hip_pitch" axis="0 1 0" range="-120 30" class="hip"/>
        <geom name="left_thigh" type="capsule" fromto="0 0 -.02 0 0 -.37" size=".065"/>
        <body name="left_shin" pos="0 0 -.42">
          <joint name="left_knee" axis="0 1 0" range="-2 145" class="knee"/>
          <geom name="left_shin" type="capsule" fromto="0 0 0 0 0 -.35" size=".048"/>
          <body name="left_foot" pos="0 0 -.41">
            <joint name="left_ankle_pitch" axis="0 1 0" range="-50 30" class="ankle"/>
            <joint name="left_ankle_roll" axis="1 0 0" range="-30 30" class="ankle"/>
            <geom name="left_foot" type="box" pos=".05 0 -.03" size=".12 .045 .02"/>
            <site name="left_sole" type="box" pos=".05 0 -.05" size=".125 .05 .01"/>
          </body>
        </body>
      </body>
      <body name="right_thigh" pos="0 -0.1 -.05">
        <joint name="right_hip_yaw" axis="0 0 -1" range="-50 35" class="hip"/>
        <joint name="right_hip_roll" axis="-1 0 0" range="-20 45" class="hip"/>
        <joint name="right_hip_pitch" axis="0 1 0" range="-120 30" class="hip"/>
        <geom name="right_thigh" type="capsule" fromto="0 0 -.02 0 0 -.37" size=".065"/>
        <body name="right_shin" pos="0 0 -.42">
          <joint name="right_knee" axis="0 1 0" range="-2 145" class="knee"/>
          <geom name="right_shin" type="capsule" fromto="0 0 0 0 0 -.35" size=".048"/>
          <body name="right_foot" pos="0 0 -.41">
            <joint name="right_ankle_pitch" axis="0 1 0" range="-50 30" class="ankle"/>
            <joint name="right_ankle_roll" axis="-1 0 0" range="-30 30" class="ankle"/>
            <geom name="right_foot" type="box" pos=".05 0 -.03" size=".12 .045 .02"/>
            <site name="right_sole" type="box" pos=".05 0 -.05" size=".125 .05 .01"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>

  <actuator>
    <motor name="waist_yaw" joint="waist_yaw" gear="60"/>
    <motor name="waist_pitch" joint="waist_pitch" gear="100"/>
    <motor name="chest_roll" joint="chest_roll" gear="60"/>
    <motor name="neck" joint="neck" gear="10"/>
    <motor name="left_hip_yaw" joint="left_hip_yaw" gear="60"/>
    <motor name="left_hip_roll" joint="left_hip_roll" gear="80"/>
    <motor name="left_hip_pitch" joint="left_hip_pitch" gear="120"/>
    <motor name="left_knee" joint="left_knee" gear="100"/>
    <motor name="left_ankle_pitch" joint="left_ankle_pitch" gear="40"/>
    <motor name="left_ankle_roll" joint="left_ankle_roll" gear="20"/>
    <motor name="left_shoulder_pitch" joint="left_shoulder_pitch" gear="30"/>
    <motor name="left_shoulder_roll" joint="left_shoulder_roll" gear="30"/>
    <motor name="left_elbow" joint="left_elbow" gear="20"/>
    <motor name="right_hip_yaw" joint="right_hip_yaw" gear="60"/>
    <motor name="right_hip_roll" joint="right_hip_roll" gear="80"/>
    <motor name="right_hip_pitch" joint="right_hip_pitch" gear="120"/>
    <motor name="right_knee" joint="right_knee" gear="100"/>
    <motor name="right_ankle_pitch" joint="right_ankle_pitch" gear="40"/>
    <motor name="right_ankle_roll" joint="right_ankle_roll" gear="20"/>
    <motor name="right_shoulder_pitch" joint="right_shoulder_pitch" gear="30"/>
    <motor name="right_shoulder_roll" joint="right_shoulder_roll" gear="30"/>
    <motor name="right_elbow" joint="right_elbow" gear="20"/>
  </actuator>

  <sensor>
    <framepos name="head_position" objtype="geom" objname="head"/>
    <framequat name="pelvis_orientation" objtype="body" objname="pelvis"/>
    <accelerometer name="acceleration" site="imu"/>
    <gyro name="rotation" site="imu"/>
    <touch name="left_sole" site="left_sole"/>
    <touch name="right_sole" site="right_sole"/>
    <jointpos name="left_knee_angle" joint="left_knee"/>
    <jointpos name="right_knee_angle" joint="right_knee"/>
    <jointvel name="left_knee_velocity" joint="left_knee"/>
    <jointvel name="right_knee_velocity" joint="right_knee"/>
  </sensor>

  <keyframe>
    <key name="stand" qpos="0 0 .935 1 0 0 0
      0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"/>
    <key name="squat" qpos="0 0 .58 1 0 0 0
      0 0.5 0 0 -1 0 -0.6 -1 0 -0.6 0 0 -1.6 1.8 -0.5 0 0 0 -1.6 1.8 -0.5 0"/>
    <key name="stumble" qpos="0 0 .905 1 0 .03 0
      0 0.2 0 0 0.4 0.15 -0.5 -0.6 0.15 -0.7 0 0 -0.55 0.35 0.15 0 0 0 0.3 0.35 -0.2 0"
      qvel="1.3 .1 0 .1 .6 .3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"/>
  </keyframe>
</mujoco>
)";

}  // namespace cli
