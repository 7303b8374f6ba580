// SPDX-License-Identifier: Apache-2.0
#include <corten/spec/resolve.hpp>

#include "../support/catch.hpp"

using namespace corten;
using spec::Actuator;
using spec::Leading;
using spec::Numbers;

TEST_CASE("the class of an element: its own, else the childclass, else main", "[spec]") {
  Spec s;
  s.defaults[0].geom.density = 1;
  s.add_default("child").geom.density = 2;
  s.add_default("own").geom.density = 3;
  spec::Geom geom;
  CHECK(spec::resolve(s, geom)->density == 1.0);
  CHECK(spec::resolve(s, geom, "child")->density == 2.0);
  geom.class_name = "own";
  CHECK(spec::resolve(s, geom, "child")->density == 3.0);
  geom.density = 4;
  CHECK(spec::resolve(s, geom, "child")->density == 4.0);
}

TEST_CASE("a class is a copy of its parent at the time", "[spec]") {
  Spec s;
  s.defaults[0].joint.damping = {5};
  s.add_default("a").joint.armature = 0.1;
  s.defaults[0].joint.damping = {6};
  spec::Joint joint;
  joint.class_name = "a";
  const auto out = spec::resolve(s, joint);
  CHECK(out->damping == Leading<3>{5});
  CHECK(out->armature == 0.1);
  CHECK(s.defaults[1].parent == 0);
}

TEST_CASE("a freejoint takes nothing from classes", "[spec]") {
  Spec s;
  s.defaults[0].joint.damping = {5};
  spec::Joint joint;
  joint.is_freejoint = true;
  CHECK_FALSE(spec::resolve(s, joint)->damping.has_value());
}

TEST_CASE("an unknown class is an error with a suggestion", "[spec]") {
  Spec s;
  s.add_default("wheel");
  spec::Site site;
  site.class_name = "wheels";
  site.path = "body 'car'/site 'hub'";
  const auto out = spec::resolve(s, site);
  REQUIRE_FALSE(out.ok());
  CHECK(out.error().element == "body 'car'/site 'hub'");
  CHECK(out.error().message == "unknown default class 'wheels'");
  CHECK(out.error().remedy == "did you mean 'wheel'?");
}

namespace {

Actuator make(Actuator::Kind kind) {
  Actuator a;
  a.kind = kind;
  return a;
}

Result<Actuator> applied(const Actuator& base, Actuator step) {
  if (const auto done = spec::apply(base, step); !done) return done.error();
  return step;
}

// dyntype, gaintype, biastype and the first numbers of the parameters
struct Row {
  int dyn, gain, bias;
  double dynprm;
  Numbers<3> gainprm, biasprm;
};

void check(const Result<Actuator>& a, const Row& row) {
  REQUIRE(a.ok());
  CHECK(a->kind == Actuator::Kind::general);
  CHECK(static_cast<int>(a->dyntype.value_or(DynamicsType::none)) == row.dyn);
  CHECK(static_cast<int>(a->gaintype.value_or(GainType::fixed)) == row.gain);
  CHECK(static_cast<int>(a->biastype.value_or(BiasType::none)) == row.bias);
  CHECK(a->dynprm[0] == row.dynprm);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(a->gainprm[i] == row.gainprm[i]);
    CHECK(a->biasprm[i] == row.biasprm[i]);
  }
}

}  // namespace

// The rows are those of MuJoCo 3.12.0 for the same defaults and shortcuts (dampratio before it
// becomes kv).
TEST_CASE("actuator shortcuts modify what their class defines", "[spec]") {
  Actuator base = make(Actuator::Kind::general);
  base.gainprm = {3, 4, 5};
  base.biasprm = {9, 8, 7, 6};
  base.dynprm = {2};
  base.dyntype = DynamicsType::filter;
  base.gaintype = GainType::affine;
  const Actuator main = applied({}, base).value();
  check(main, {2, 1, 0, 2, {3, 4, 5}, {9, 8, 7}});
  check(applied(main, make(Actuator::Kind::motor)), {0, 0, 0, 2, {1, 4, 5}, {9, 8, 7}});
  check(applied(main, make(Actuator::Kind::position)), {2, 0, 1, 2, {3, 4, 5}, {9, -3, 7}});
  check(applied(main, make(Actuator::Kind::velocity)), {0, 0, 1, 2, {3, 4, 5}, {0, 0, -3}});

  Actuator servo = make(Actuator::Kind::position);
  servo.kp = 7;
  servo.kv = 2;
  const Actuator p = applied(main, servo).value();
  check(p, {2, 0, 1, 2, {7, 4, 5}, {9, -7, -2}});
  check(applied(p, make(Actuator::Kind::motor)), {0, 0, 0, 2, {1, 4, 5}, {9, -7, -2}});
  check(applied(p, make(Actuator::Kind::velocity)), {0, 0, 1, 2, {7, 4, 5}, {0, 0, -7}});
  Actuator damped = make(Actuator::Kind::position);
  damped.dampratio = 1;
  check(applied(p, damped), {2, 0, 1, 2, {7, 4, 5}, {9, -7, 1}});

  Actuator filtered = make(Actuator::Kind::position);
  filtered.timeconst = {0.1};
  check(applied(main, filtered), {3, 0, 1, 0.1, {3, 4, 5}, {9, -3, 7}});
  filtered.timeconst = {0};
  check(applied(main, filtered), {0, 0, 1, 0, {3, 4, 5}, {9, -3, 7}});

  Actuator general = make(Actuator::Kind::general);
  general.gainprm = {1, 2};
  check(applied(p, general), {2, 0, 1, 2, {1, 2, 5}, {9, -7, -2}});
}

TEST_CASE("contradictions in a position servo", "[spec]") {
  Actuator a = make(Actuator::Kind::position);
  a.kv = 1;
  a.dampratio = 1;
  CHECK(applied({}, a).error().message == "kv and dampratio cannot both be given");
  a.dampratio.reset();
  a.kv = -1;
  CHECK(applied({}, a).error().message == "kv cannot be negative");
  a.kv.reset();
  a.inheritrange = 1;
  CHECK(applied({}, a)->inheritrange == 1.0);
  a.ctrlrange = Numbers<2>{-1, 1};
  CHECK(applied({}, a).error().message == "ctrlrange and inheritrange cannot both be given");
}

TEST_CASE("the transmission of an actuator", "[spec]") {
  Actuator a;
  CHECK(spec::transmission(a).type == TransmissionType::undefined);
  a.joint = "knee";
  CHECK(spec::transmission(a).type == TransmissionType::joint);
  CHECK(spec::transmission(a).target == "knee");
  a.site = "tip";  // MuJoCo takes the later of the two
  CHECK(spec::transmission(a).type == TransmissionType::site);
}
