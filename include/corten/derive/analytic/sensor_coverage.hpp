// SPDX-License-Identifier: Apache-2.0
//
// Which sensors the analytic derivatives cover, and in which way.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/derive/analytic/actuator_slope.hpp>
#include <corten/derive/analytic/contact_slope.hpp>

namespace corten::derive::analytic {

enum class SensorWay {
  none,
  frames,
  joint,
  tendon,
  actuator,
  effort,
  limit,
  touch,
  wrench,
  subtree,
  constant
};

inline SensorWay sensor_way(SensorType type) {
  switch (type) {
    case SensorType::accelerometer:
    case SensorType::velocimeter:
    case SensorType::gyro:
    case SensorType::magnetometer:
    case SensorType::camprojection:
    case SensorType::framepos:
    case SensorType::framequat:
    case SensorType::framexaxis:
    case SensorType::frameyaxis:
    case SensorType::framezaxis:
    case SensorType::framelinvel:
    case SensorType::frameangvel:
    case SensorType::framelinacc:
    case SensorType::frameangacc: return SensorWay::frames;
    case SensorType::jointpos:
    case SensorType::jointvel:
    case SensorType::ballquat:
    case SensorType::ballangvel: return SensorWay::joint;
    case SensorType::tendonpos:
    case SensorType::tendonvel: return SensorWay::tendon;
    case SensorType::actuatorpos:
    case SensorType::actuatorvel:
    case SensorType::actuatorfrc: return SensorWay::actuator;
    case SensorType::jointactuatorfrc:
    case SensorType::tendonactuatorfrc: return SensorWay::effort;
    case SensorType::jointlimitpos:
    case SensorType::jointlimitvel:
    case SensorType::jointlimitfrc:
    case SensorType::tendonlimitpos:
    case SensorType::tendonlimitvel:
    case SensorType::tendonlimitfrc: return SensorWay::limit;
    case SensorType::touch: return SensorWay::touch;
    case SensorType::force:
    case SensorType::torque: return SensorWay::wrench;
    case SensorType::subtreecom:
    case SensorType::subtreelinvel:
    case SensorType::subtreeangmom: return SensorWay::subtree;
    case SensorType::insidesite:
    case SensorType::clock: return SensorWay::constant;
    default: return SensorWay::none;
  }
}

// the body of an object of a sensor, or -1 if there is none or its frame does not move with a body
template <class M>
int sensed_body(const M& m, int type, int id) {
  if (id < 0) return -1;
  switch (static_cast<ObjectType>(type)) {
    case ObjectType::body:
    case ObjectType::xbody: return id;
    case ObjectType::site: return m.site_bodyid[id];
    case ObjectType::geom: return m.geom_bodyid[id];
    case ObjectType::camera: return m.cam_bodyid[id];
    default: return -1;
  }
}

template <class M>
bool tracks(const M& m, int type, int id) {
  return id >= 0 && static_cast<ObjectType>(type) == ObjectType::camera &&
         m.cam_mode[id] != static_cast<int>(TrackMode::fixed);
}

// Is a sensor of actuators covered? What pulls at contacts has no moments of its own.
template <class M>
bool covers_effort(const M& m, int i) {
  if (m.opt.disabled(disable_actuation)) return false;
  const auto type = static_cast<SensorType>(m.sensor_type[i]);
  const int id = m.sensor_objid[i];
  if (type == SensorType::actuatorpos || type == SensorType::actuatorvel) {
    return !acts_by_adhesion(m, id);
  }
  if (type != SensorType::jointactuatorfrc) return true;
  for (int a = 0; a < m.n.nactuator; ++a) {
    if (acts_by_adhesion(m, a)) return false;
  }
  return is_plain_joint(m, id) && (m.n.ngravcomp == 0 || !m.jnt_actgravcomp[id]);
}

// Is that of the force between a body and its parent? The forces of connections and welds count
// there by rules of their own.
template <class M>
bool covers_wrench(const M& m, int i) {
  for (int e = 0; e < m.n.neq; ++e) {
    const auto type = static_cast<EqualityType>(m.eq_type[e]);
    if (type != EqualityType::joint && type != EqualityType::tendon) return false;
  }
  return m.body_weldid[m.site_bodyid[m.sensor_objid[i]]] != 0 && !has_adhesion(m);
}

template <class M>
bool covers_sensor(const M& m, int i) {
  const auto type = static_cast<SensorType>(m.sensor_type[i]);
  switch (sensor_way(type)) {
    case SensorWay::none: return false;
    case SensorWay::actuator:
    case SensorWay::effort: return covers_effort(m, i);
    case SensorWay::wrench: return covers_wrench(m, i);
    case SensorWay::limit:
      return m.sensor_objtype[i] != static_cast<int>(ObjectType::joint) ||
             is_plain_joint(m, m.sensor_objid[i]);
    case SensorWay::subtree: return m.sensor_objid[i] != 0;  // the world has many trees
    case SensorWay::frames:
      return !tracks(m, m.sensor_objtype[i], m.sensor_objid[i]) &&
             !tracks(m, m.sensor_reftype[i], m.sensor_refid[i]);
    default: return true;
  }
}

// Are the readings of all sensors covered?
template <class M>
bool covers_sensors(const M& m) {
  if (m.opt.disabled(disable_sensor)) return m.n.nsensor == 0;
  for (int i = 0; i < m.n.nsensor; ++i) {
    if (!covers_sensor(m, i)) return false;
  }
  return true;
}

}  // namespace corten::derive::analytic
