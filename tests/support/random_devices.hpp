// SPDX-License-Identifier: Apache-2.0
//
// Actuators and sensors of random models, of each kind for which the model has something to act on.
// random_model.hpp explains how random models are made.
#pragma once

#include <corten/compile/sensor.hpp>

#include "random_parts.hpp"

#include <string>
#include <vector>

namespace support {

class DeviceBuilder : public PartsBuilder {
 public:
  using PartsBuilder::PartsBuilder;

  void actuators(int count) {
    for (int k = 0; k < count; ++k) {
      spec::Actuator a;
      a.name = tree_.name("a");
      a.kind = spec::ActuatorKind(draw_.below(12));
      if (actuator(a)) spec_.actuators.push_back(a);
    }
  }

  void sensors(int count) {
    for (int k = 0; k < count; ++k) {
      spec::Sensor s;
      s.name = tree_.name("n");
      s.type = corten::SensorType(draw_.below(int(corten::SensorType::user) + 1));
      if (s.type == corten::SensorType::plugin || !sensor(s)) continue;
      history(s);
      spec_.sensors.push_back(s);
    }
  }

 private:
  using Kind = spec::ActuatorKind;

  // ---- actuators --------------------------------------------------------------------------------

  // false if there is nothing that the actuator could act on
  bool actuator(spec::Actuator& a) {
    any_class(a);
    if (a.kind == Kind::adhesion) {
      if (pool_.bodies.empty()) return false;
      a.body = draw_.of(pool_.bodies);
      a.ctrlrange = {0, draw_.in(0.5, 2)};
      a.gain = draw_.in(0.5, 5);
      return true;
    }
    if (a.kind == Kind::orientation ? !turns(a) : !acts(a)) return false;
    if (a.kind != Kind::orientation && a.kind != Kind::damper && draw_.chance(0.2)) {
      a.ctrlrange = {-draw_.in(0.1, 1), draw_.in(0.1, 1)};
    }
    if (a.kind != Kind::orientation && a.kind != Kind::dcmotor && draw_.chance(0.2)) {
      a.forcerange = {-draw_.in(0.1, 5), draw_.in(0.1, 5)};
    }
    if (draw_.chance(0.1)) a.group = draw_.below(3);
    parameters(a);
    if (draw_.chance(0.1) && a.input.value_or("") != "none") {
      a.nsample = 1 + draw_.below(4);
      a.delay = draw_.in(0, 0.01);
      a.interp = corten::Interpolation(draw_.below(3));
    }
    return true;
  }

  // an orientation servo: on a ball, or on one site relative to another
  bool turns(spec::Actuator& a) {
    if (!pool_.balls.empty() && draw_.chance(0.6)) {
      a.joint = draw_.of(pool_.balls).name;
      return true;
    }
    if (pool_.sites.size() < 2) return false;
    two(pool_.sites, [&](const auto& s, const auto& r) { a.site = s, a.refsite = r; });
    return true;
  }

  bool acts(spec::Actuator& a) {
    const bool muscle = a.kind == Kind::muscle;
    const int way = draw_.below(muscle ? 2 : 6);
    if (way == 0 && !pool_.tendons.empty()) {
      const Pool::TendonName& t = draw_.of(pool_.tendons);
      a.tendon = t.name;
      load(a, !t.wraps);
      inherit(a, t.limited);
    } else if (way >= 4 && pool_.sites.size() > 1) {
      two(pool_.sites,
          [&](const auto& s, const auto& r) { way == 4 ? site(a, s, r) : crank(a, s, r); });
    } else if (!pool_.joints.empty()) {
      const Pool::JointName& j =
          draw_.of(muscle && !pool_.scalars.empty() ? pool_.scalars : pool_.joints);
      const bool scalar = j.type >= JointType::slide;
      if (muscle && !scalar) return false;
      (draw_.chance(0.15) ? a.jointinparent : a.joint) = j.name;
      if (scalar && draw_.chance(0.5)) a.gear = {draw_.in(0.3, 3)};
      if (!scalar) a.gear = {draw_.in(-1, 1), draw_.in(-1, 1), draw_.in(-1, 1), 0.5, 0, 0.2};
      load(a, true);
      inherit(a, scalar && j.limited && a.joint);
    } else {
      return false;
    }
    return true;
  }

  void load(spec::Actuator& a, bool armature) {
    if (armature && draw_.chance(0.15)) a.armature = draw_.in(0, 0.1);
    if (draw_.chance(0.15)) a.damping = {draw_.in(0, 0.5)};
    if (a.damping && draw_.chance(0.3)) a.damping = {a.damping[0], draw_.in(0, 0.1), 0.01};
  }

  void inherit(spec::Actuator& a, bool limited) {
    const bool servo =
        a.kind == Kind::position || a.kind == Kind::intvelocity || a.kind == Kind::pid;
    if (servo && limited && draw_.chance(0.5)) a.inheritrange = draw_.in(0.5, 1);
  }

  void site(spec::Actuator& a, const std::string& s, const std::string& reference) {
    a.site = s;
    if (draw_.chance(0.5)) a.refsite = reference;
    a.gear = {draw_.in(-1, 1), draw_.in(-1, 1), draw_.in(-1, 1), draw_.in(-1, 1), 0, 0.3};
  }
  void crank(spec::Actuator& a, const std::string& s, const std::string& slider) {
    a.cranksite = s;
    a.slidersite = slider;
    a.cranklength = draw_.in(0.1, 1);
  }

  void parameters(spec::Actuator& a) {
    switch (a.kind) {
      case Kind::general: return general(a);
      case Kind::position:
      case Kind::intvelocity: return servo(a);
      case Kind::orientation:
        a.kp = draw_.in(0.5, 5);
        a.kv = draw_.in(0, 0.5);
        if (draw_.chance(0.5)) a.input = "quat";
        if (draw_.chance(0.3)) a.forcerange = {0, draw_.in(0.5, 3)};
        return;
      case Kind::pid: return pid(a);
      case Kind::velocity: a.kv = draw_.in(0.1, 2); return;
      case Kind::damper:
        a.kv = draw_.in(0.1, 2);
        a.ctrlrange = {0, draw_.in(0.5, 1)};
        return;
      case Kind::cylinder:
        a.timeconst = {draw_.in(0.1, 1)};
        a.area = draw_.in(0.5, 2);
        a.bias = {draw_.in(-0.2, 0.2), draw_.in(-1, 0), draw_.in(-0.5, 0)};
        return;
      case Kind::muscle: return muscle(a);
      case Kind::dcmotor: return dcmotor(a);
      default: return;
    }
  }

  void servo(spec::Actuator& a) {
    a.kp = draw_.in(0.5, 10);
    if (a.inheritrange && a.kind == Kind::position) a.ctrlrange.reset();
    const double damped = draw_.unit();
    if (damped < 0.3) a.kv = draw_.in(0, 1);
    if (damped > 0.8) a.dampratio = draw_.in(0.3, 1.2);
    if (a.kind == Kind::position && draw_.chance(0.2)) a.timeconst = {draw_.in(0.02, 0.2)};
    if (a.kind == Kind::intvelocity && !a.inheritrange) a.actrange = {-draw_.in(0.5, 1), 1};
  }

  void pid(spec::Actuator& a) {
    a.kp = draw_.in(0.5, 10);
    a.kv = draw_.in(0, 1);
    if (a.inheritrange) a.ctrlrange.reset();
    const int kind = draw_.below(3);
    if (kind == 1) a.ki = draw_.in(0.1, 2), a.imax = draw_.in(0.1, 1);
    if (kind == 2) a.slewmax = draw_.in(0.5, 5);
    a.input = draw_.pick<const char*>({"pos", "pos vel", "pos vel ff", "pos ff"});
  }

  void general(spec::Actuator& a) {
    using namespace corten;
    a.gaintype = draw_.pick({GainType::fixed, GainType::affine});
    a.gainprm = {draw_.in(0.5, 5), draw_.in(-1, 1), draw_.in(-0.3, 0)};
    if (*a.gaintype == GainType::fixed) a.gainprm = {draw_.in(0.5, 5)};
    a.biastype = draw_.pick({BiasType::none, BiasType::affine});
    if (*a.biastype == BiasType::affine) {
      a.biasprm = {draw_.in(-0.5, 0.5), draw_.in(-2, 0), draw_.in(-0.5, 0)};
    }
    a.dyntype = draw_.pick({DynamicsType::none, DynamicsType::integrator, DynamicsType::filter,
                            DynamicsType::filterexact, DynamicsType::muscle});
    if (*a.dyntype == DynamicsType::none) return;
    a.dynprm = {draw_.in(0.05, 0.5), draw_.in(0.05, 0.5), 0.1};
    if (draw_.chance(0.3)) a.actearly = true;
    if (draw_.chance(0.3)) a.actrange = {-draw_.in(0.1, 1), draw_.in(0.1, 1)};
  }

  void muscle(spec::Actuator& a) {
    a.lengthrange = {draw_.in(-0.5, 0.1), draw_.in(0.3, 1)};
    if (draw_.chance(0.5)) a.force = draw_.in(0.5, 20);
    if (draw_.chance(0.3)) a.timeconst = {draw_.in(0.01, 0.05), draw_.in(0.02, 0.1)};
    if (draw_.chance(0.3)) a.tausmooth = draw_.in(0.05, 0.5);
    if (draw_.chance(0.3)) a.range = {draw_.in(0.5, 0.8), draw_.in(1, 1.3)};
    if (draw_.chance(0.3)) a.lmin = draw_.in(0.3, 0.7), a.lmax = draw_.in(1.3, 1.8);
  }

  void dcmotor(spec::Actuator& a) {
    a.forcerange.reset();
    a.motorconst = {draw_.in(0.05, 0.5)};
    a.resistance = draw_.in(0.5, 5);
    if (draw_.chance(0.4)) a.inductance = {draw_.in(0.01, 0.1)};
    if (draw_.chance(0.3)) a.cogging = {draw_.in(0, 0.1), double(1 + draw_.below(6)), 0.3};
    if (draw_.chance(0.3)) a.saturation = {draw_.in(0.2, 1)};
    if (draw_.chance(0.3)) a.thermal = {draw_.in(1, 5), draw_.in(5, 20), 0, 0.004, 25, 25};
    if (draw_.chance(0.3)) a.lugre = {draw_.in(5, 20), draw_.in(0.1, 0.5), 0.1, 0.2, 0.1};
    const double kind = draw_.unit();
    if (kind < 0.3) {
      a.input = draw_.pick<const char*>({"pos", "pos vel", "pos vel ff"});
      a.controller = {draw_.in(0.5, 5), draw_.chance(0.5) ? draw_.in(0.1, 1) : 0, draw_.in(0, 0.5)};
    } else if (kind < 0.4) {
      a.input = "none";
    }
  }

  // ---- sensors ----------------------------------------------------------------------------------

  bool on(spec::Sensor& s, corten::ObjectType type, const std::string& object) {
    s.objtype = type;
    s.objname = object;
    return true;
  }

  // a body, geom, site or camera
  bool frame(corten::ObjectType& type, std::string& object) {
    using enum corten::ObjectType;
    type = draw_.pick({body, xbody, geom, site, camera});
    const bool a_body = type == body || type == xbody;
    if (a_body         ? pool_.bodies.empty()
        : type == geom ? pool_.geoms.empty()
        : type == site ? pool_.sites.empty()
                       : pool_.cameras.empty()) {
      return false;
    }
    object = a_body         ? draw_.of(pool_.bodies)
             : type == geom ? draw_.of(pool_.geoms).name
             : type == site ? draw_.of(pool_.sites)
                            : draw_.of(pool_.cameras);
    return true;
  }

  bool joint_sensor(spec::Sensor& s) {
    using enum corten::SensorType;
    const bool ball = s.type == ballquat || s.type == ballangvel;
    const bool limit = s.type >= jointlimitpos && s.type <= jointlimitfrc;
    std::vector<std::string> fit;
    for (const auto& j : limit ? pool_.joints : ball ? pool_.balls : pool_.scalars) {
      if (!limit || j.limited) fit.push_back(j.name);
    }
    return !fit.empty() && on(s, corten::ObjectType::joint, draw_.of(fit));
  }

  bool tendon_sensor(spec::Sensor& s) {
    using enum corten::SensorType;
    const bool limit = s.type >= tendonlimitpos && s.type <= tendonlimitfrc;
    std::vector<std::string> fit;
    for (const auto& t : pool_.tendons) {
      if (!limit || t.limited) fit.push_back(t.name);
    }
    return !fit.empty() && on(s, corten::ObjectType::tendon, draw_.of(fit));
  }

  bool distance_sensor(spec::Sensor& s) {
    if (pool_.solids.size() < 2) return false;
    two(pool_.solids, [&](const auto& a, const auto& b) {
      on(s, corten::ObjectType::geom, a.name);
      s.reftype = corten::ObjectType::geom;
      s.refname = b.name;
    });
    if (draw_.chance(0.7)) s.cutoff = draw_.in(0.2, 2);
    return true;
  }

  bool contact_sensor(spec::Sensor& s) {
    using enum corten::ObjectType;
    const auto criterion = [&](auto& type, std::string& object) {
      const int kind = draw_.below(4);
      if (kind == 0 || pool_.bodies.empty() || pool_.geoms.empty()) return;
      type = kind == 1 ? geom : kind == 2 ? body : xbody;
      object = kind == 1 ? draw_.of(pool_.geoms).name : draw_.of(pool_.bodies);
    };
    criterion(s.objtype, s.objname);
    criterion(s.reftype, s.refname);
    if (s.objtype == unknown && s.reftype == unknown && !pool_.sites.empty()) {
      on(s, site, draw_.of(pool_.sites));
    }
    s.data = draw_.pick<const char*>(
        {"found", "found force dist", "force torque pos normal", "dist pos normal tangent"});
    s.reduce = corten::ContactReduce(draw_.below(4));
    s.num = 1 + draw_.below(3);
    return true;
  }

  // false if the model has nothing for this kind of sensor
  bool sensor(spec::Sensor& s) {
    using enum corten::SensorType;
    using On = corten::ObjectType;
    const corten::SensorRow& kind = corten::sensor_row(s.type);
    switch (s.type) {
      case rangefinder:
        if (pool_.sites.empty() && pool_.cameras.empty()) return false;
        s.data = draw_.pick<const char*>({"dist", "dist dir point", "origin normal depth"});
        return pool_.cameras.empty() || (!pool_.sites.empty() && draw_.chance(0.6))
                   ? on(s, On::site, draw_.of(pool_.sites))
                   : on(s, On::camera, draw_.of(pool_.cameras));
      case camprojection:
        if (pool_.sites.empty() || pool_.cameras.empty()) return false;
        s.reftype = On::camera;
        s.refname = draw_.of(pool_.cameras);
        return on(s, On::site, draw_.of(pool_.sites));
      case insidesite:
        if (pool_.sites.empty()) return false;
        s.reftype = On::site;
        s.refname = draw_.of(pool_.sites);
        return frame(s.objtype, s.objname);
      case distance:
      case normal:
      case fromto: return distance_sensor(s);
      case contact: return contact_sensor(s);
      case tactile:
        if (spec_.meshes.empty() || pool_.geoms.empty()) return false;
        s.reftype = On::geom;
        s.refname = draw_.of(pool_.geoms).name;
        return on(s, On::mesh, draw_.of(spec_.meshes).name);
      case user:
        s.dim = 1 + draw_.below(4);
        s.needstage = corten::Stage(1 + draw_.below(3));
        return true;
      case e_potential:
      case e_kinetic:
      case clock: return true;
      default: break;
    }
    if (s.type != user && kind.data != corten::SensorData::quaternion &&
        kind.data != corten::SensorData::axis && draw_.chance(0.1)) {
      s.cutoff = draw_.in(0.5, 5);
    }
    if (kind.on_frame()) {
      const bool relative = s.type != framelinacc && s.type != frameangacc && draw_.chance(0.4);
      if (relative && !frame(s.reftype, s.refname)) return false;
      return frame(s.objtype, s.objname);
    }
    if (kind.object == On::joint) return joint_sensor(s);
    if (kind.object == On::tendon) return tendon_sensor(s);
    const auto list = [&](const auto& names) {
      return !names.empty() && on(s, kind.object, draw_.of(names));
    };
    if (kind.object == On::site) return list(pool_.sites);
    if (kind.object == On::body) return list(pool_.bodies);
    return !spec_.actuators.empty() && on(s, kind.object, draw_.of(spec_.actuators).name);
  }

  void history(spec::Sensor& s) {
    if (s.type == corten::SensorType::user) return;
    if (draw_.chance(0.1) && s.type != corten::SensorType::tactile) s.noise = 0.1;
    if (!draw_.chance(0.1)) return;
    s.nsample = 1 + draw_.below(4);
    s.interp = corten::Interpolation(draw_.below(3));
    s.delay = draw_.in(0, 0.01);
    if (draw_.chance(0.3)) s.interval = {draw_.in(0.004, 0.01), -0.001};
  }
};

}  // namespace support
