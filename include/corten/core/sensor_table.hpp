// SPDX-License-Identifier: Apache-2.0
//
// The kinds of sensors, one line each: how MJCF names what they measure, what that object is, how
// many numbers they return and of what sort, and after which stage of forward they can be
// evaluated. The code that evaluates them is in sensor/.
#pragma once

// clang-format off

//   X(word, target, object, dim, data, stage)
// In MuJoCo's order. target is a SensorTarget. object is the type that the attribute of that name
// refers to, or that the sensor must be attached to. dim 0 and stage none mean that the sensor
// element decides.
#define CORTEN_SENSOR_TABLE(X)                                                  \
  X(touch, attribute, site, 1, positive, acceleration)                          \
  X(accelerometer, attribute, site, 3, real, acceleration)                      \
  X(velocimeter, attribute, site, 3, real, velocity)                            \
  X(gyro, attribute, site, 3, real, velocity)                                   \
  X(force, attribute, site, 3, real, acceleration)                              \
  X(torque, attribute, site, 3, real, acceleration)                             \
  X(magnetometer, attribute, site, 3, real, position)                           \
  X(rangefinder, range, unknown, 0, real, position)                             \
  X(camprojection, projection, site, 2, real, position)                         \
  X(jointpos, attribute, joint, 1, real, position)                              \
  X(jointvel, attribute, joint, 1, real, velocity)                              \
  X(tendonpos, attribute, tendon, 1, real, position)                            \
  X(tendonvel, attribute, tendon, 1, real, velocity)                            \
  X(actuatorpos, attribute, actuator, 0, real, position)                        \
  X(actuatorvel, attribute, actuator, 0, real, velocity)                        \
  X(actuatorfrc, attribute, actuator, 0, real, acceleration)                    \
  X(jointactuatorfrc, attribute, joint, 1, real, acceleration)                  \
  X(tendonactuatorfrc, attribute, tendon, 1, real, acceleration)                \
  X(ballquat, attribute, joint, 4, quaternion, position)                        \
  X(ballangvel, attribute, joint, 3, real, velocity)                            \
  X(jointlimitpos, attribute, joint, 1, real, position)                         \
  X(jointlimitvel, attribute, joint, 1, real, velocity)                         \
  X(jointlimitfrc, attribute, joint, 1, real, acceleration)                     \
  X(tendonlimitpos, attribute, tendon, 1, real, position)                       \
  X(tendonlimitvel, attribute, tendon, 1, real, velocity)                       \
  X(tendonlimitfrc, attribute, tendon, 1, real, acceleration)                   \
  X(framepos, frame_and_reference, unknown, 3, real, position)                  \
  X(framequat, frame_and_reference, unknown, 4, quaternion, position)           \
  X(framexaxis, frame_and_reference, unknown, 3, axis, position)                \
  X(frameyaxis, frame_and_reference, unknown, 3, axis, position)                \
  X(framezaxis, frame_and_reference, unknown, 3, axis, position)                \
  X(framelinvel, frame_and_reference, unknown, 3, real, velocity)               \
  X(frameangvel, frame_and_reference, unknown, 3, real, velocity)               \
  X(framelinacc, frame, unknown, 3, real, acceleration)                         \
  X(frameangacc, frame, unknown, 3, real, acceleration)                         \
  X(subtreecom, attribute, body, 3, real, position)                             \
  X(subtreelinvel, attribute, body, 3, real, velocity)                          \
  X(subtreeangmom, attribute, body, 3, real, velocity)                          \
  X(insidesite, inside, unknown, 1, positive, position)                         \
  X(distance, pair, unknown, 1, real, position)                                 \
  X(normal, pair, unknown, 3, axis, position)                                   \
  X(fromto, pair, unknown, 6, real, position)                                   \
  X(contact, touching, unknown, 0, real, acceleration)                          \
  X(e_potential, none, unknown, 1, real, position)                              \
  X(e_kinetic, none, unknown, 1, real, position)                                \
  X(clock, none, unknown, 1, real, position)                                    \
  X(tactile, tactile, unknown, 0, real, acceleration)                           \
  X(plugin, none, unknown, 0, real, position)                                   \
  X(user, user, unknown, 0, real, none)

// clang-format on

namespace corten {

enum class SensorType : int {
#define X(word, target, object, dim, data, stage) word,
  CORTEN_SENSOR_TABLE(X)
#undef X
};

}  // namespace corten
