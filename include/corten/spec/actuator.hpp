// SPDX-License-Identifier: Apache-2.0
//
// <general> and its shortcuts. The attributes are stored as written. `resolve` combines a shortcut
// with its default class and turns it into the general form that the compiler works with.
#pragma once

#include <array>
#include <string>

#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/spec/fields.hpp>
#include <corten/spec/keywords.hpp>

namespace corten::spec {

enum class ActuatorKind {
  general,
  motor,
  position,
  velocity,
  intvelocity,
  orientation,
  pid,
  damper,
  cylinder,
  muscle,
  adhesion,
  dcmotor
};

// the rule for attributes that belong to one kind
constexpr unsigned rule_of(ActuatorKind kind) { return kind_a << static_cast<unsigned>(kind); }

struct Actuator : Element {
  using Kind = ActuatorKind;

  CORTEN_COLD Actuator() = default;

  Kind kind = Kind::general;

  Optional<int> group;             // 0
  Optional<int> nsample;           // 0; length of the history buffer
  Optional<Interpolation> interp;  // zoh
  Optional<double> delay;          // 0
  Optional<Numbers<2>> ctrlrange;
  Optional<List<double>> user;
  Optional<Tristate> ctrllimited, forcelimited, actlimited;  // auto
  Optional<Numbers<2>> forcerange, actrange, lengthrange;
  Leading<6> gear;     // 1 0 0 0 0 0
  Leading<3> damping;  // 0; damper polynomial
  Optional<double> armature, cranklength;

  // the transmission target: one of joint, jointinparent, tendon, cranksite, site, body
  Optional<std::string> joint, jointinparent, tendon, slidersite, cranksite, site, refsite;
  Optional<std::string> body;

  // general
  Optional<int> actdim;                    // -1: by dyntype
  Optional<std::string> input;             // keywords, as written
  Optional<Numbers<2>> velrange, ffrange;  // of the inputs vel and ff of a pid
  Optional<DynamicsType> dyntype;          // none
  Optional<GainType> gaintype;             // fixed
  Optional<BiasType> biastype;             // none
  Leading<10> dynprm, gainprm;             // 1 0 ...
  Leading<10> biasprm;                     // 0 ...
  Optional<bool> actearly;                 // false

  // servos: position, intvelocity, orientation, pid, velocity; damper
  Optional<double> inheritrange, kp, kv, dampratio;
  Leading<2> timeconst;  // one number; two for a muscle: activation and deactivation
  Optional<double> ki, imax, slewmax;
  Optional<Numbers<2>> posrange;  // another name for ctrlrange

  // cylinder
  Optional<double> area, diameter;
  Optional<Numbers<3>> bias;

  // muscle; a negative number counts as not given
  Optional<Numbers<2>> range;
  Optional<double> tausmooth, force, scale, lmin, lmax, vmax, fpmax, fvmax;

  // adhesion
  Optional<double> gain;

  // dcmotor
  Optional<double> resistance;
  Leading<2> motorconst, inductance;
  Leading<3> nominal, saturation, cogging;
  Leading<5> lugre;
  Leading<6> controller, thermal;

  List<Kept> kept;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    identity(f, g...);
    f("group", g.group...);
    f("nsample", g.nsample...);
    f("interp", g.interp...);
    f("delay", g.delay...);
    f("ctrlrange", g.ctrlrange...);
    f("user", g.user...);
    f({"ctrllimited", any_kind & ~(orientation | damper | adhesion)}, g.ctrllimited...);
    f({"forcelimited", any_kind & ~dcmotor}, g.forcelimited...);
    f({"actlimited", general | intvelocity}, g.actlimited...);
    f({"forcerange", any_kind & ~dcmotor}, g.forcerange...);
    f({"actrange", general | intvelocity}, g.actrange...);
    f({"lengthrange", no_default | geared}, g.lengthrange...);
    f({"gear", geared | adhesion}, g.gear...);  // for adhesion: an extension
    f({"damping", geared}, g.damping...);
    f({"armature", geared}, g.armature...);
    f({"cranklength", geared}, g.cranklength...);
    f({"joint", no_default | (any_kind & ~adhesion)}, g.joint...);
    f({"jointinparent", no_default | geared}, g.jointinparent...);
    f({"tendon", no_default | geared}, g.tendon...);
    f({"slidersite", no_default | geared}, g.slidersite...);
    f({"cranksite", no_default | geared}, g.cranksite...);
    f({"site", no_default | (any_kind & ~(adhesion | muscle))}, g.site...);
    f({"refsite", no_default | (any_kind & ~(adhesion | muscle))}, g.refsite...);
    f({"body", no_default | general | adhesion}, g.body...);
    general_fields(f, g...);
    f({"inheritrange", position | intvelocity | pid}, g.inheritrange...);
    f({"kp", position | intvelocity | orientation | pid}, g.kp...);
    f({"kv", position | intvelocity | orientation | pid | velocity | damper}, g.kv...);
    f({"dampratio", position | intvelocity | orientation | pid}, g.dampratio...);
    f({"timeconst", position | cylinder | muscle}, g.timeconst...);
    f({"ki", pid}, g.ki...);
    f({"imax", pid}, g.imax...);
    f({"slewmax", pid}, g.slewmax...);
    f({"posrange", pid}, g.posrange...);
    f({"area", cylinder}, g.area...);
    f({"diameter", cylinder}, g.diameter...);
    f({"bias", cylinder}, g.bias...);
    f({"gain", adhesion}, g.gain...);
    muscle_fields(f, g...);
    dcmotor_fields(f, g...);
  }

 private:
  static constexpr unsigned general = rule_of(Kind::general), position = rule_of(Kind::position),
                            velocity = rule_of(Kind::velocity), pid = rule_of(Kind::pid),
                            intvelocity = rule_of(Kind::intvelocity),
                            orientation = rule_of(Kind::orientation),
                            damper = rule_of(Kind::damper), cylinder = rule_of(Kind::cylinder),
                            muscle = rule_of(Kind::muscle), adhesion = rule_of(Kind::adhesion),
                            dcmotor = rule_of(Kind::dcmotor);
  static constexpr unsigned geared = any_kind & ~(orientation | adhesion);

  template <class F, class... G>
  static void general_fields(F&& f, G&... g) {
    f({"actdim", general}, g.actdim...);
    f({"input", general | orientation | pid | dcmotor}, g.input...);
    f({"velrange", general | pid}, g.velrange...);
    f({"ffrange", general | pid}, g.ffrange...);
    f({"dyntype", general}, g.dyntype...);
    f({"gaintype", general}, g.gaintype...);
    f({"biastype", general}, g.biastype...);
    f({"dynprm", general}, g.dynprm...);
    f({"gainprm", general}, g.gainprm...);
    f({"biasprm", general}, g.biasprm...);
    f({"actearly", general}, g.actearly...);
  }

  template <class F, class... G>
  static void muscle_fields(F&& f, G&... g) {
    f({"tausmooth", no_default | muscle}, g.tausmooth...);
    f({"range", muscle}, g.range...);
    f({"force", muscle}, g.force...);
    f({"scale", muscle}, g.scale...);
    f({"lmin", muscle}, g.lmin...);
    f({"lmax", muscle}, g.lmax...);
    f({"vmax", muscle}, g.vmax...);
    f({"fpmax", muscle}, g.fpmax...);
    f({"fvmax", muscle}, g.fvmax...);
  }

  template <class F, class... G>
  static void dcmotor_fields(F&& f, G&... g) {
    f({"motorconst", dcmotor}, g.motorconst...);
    f({"resistance", dcmotor}, g.resistance...);
    f({"nominal", dcmotor}, g.nominal...);
    f({"saturation", dcmotor}, g.saturation...);
    f({"inductance", dcmotor}, g.inductance...);
    f({"cogging", dcmotor}, g.cogging...);
    f({"controller", dcmotor}, g.controller...);
    f({"thermal", dcmotor}, g.thermal...);
    f({"lugre", dcmotor}, g.lugre...);
  }
};

// the elements of <actuator>
inline constexpr Keyword actuator_words[] = {
    {"general", Actuator::Kind::general},
    {"motor", Actuator::Kind::motor},
    {"position", Actuator::Kind::position},
    {"velocity", Actuator::Kind::velocity},
    {"intvelocity", Actuator::Kind::intvelocity},
    {"orientation", Actuator::Kind::orientation},
    {"pid", Actuator::Kind::pid},
    {"damper", Actuator::Kind::damper},
    {"cylinder", Actuator::Kind::cylinder},
    {"muscle", Actuator::Kind::muscle},
    {"adhesion", Actuator::Kind::adhesion},
    {"dcmotor", Actuator::Kind::dcmotor},
};

}  // namespace corten::spec
