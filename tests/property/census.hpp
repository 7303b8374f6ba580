// SPDX-License-Identifier: Apache-2.0
//
// Counts how many random models have each kind of element. A kind that no model has is not tested.
#pragma once

#include <corten/compile/sensor.hpp>
#include <corten/corten.hpp>
#include <corten/spec/spec.hpp>

#include <cstdio>
#include <map>
#include <set>
#include <string>

namespace property {

class Census {
 public:
  // every kind, with a count of zero
  Census() {
    using namespace corten;
    words<JointType>("joint");
    words<GeomType>("geom");
    words<Integrator>("integrator");
    words<Solver>("solver");
    words<Cone>("cone");
    numbers("camera mode", 0, 4);
    numbers("equality", 0, 3);
    expect("equality " + std::to_string(int(EqualityType::distance)));
    numbers("transmission", 0, int(TransmissionType::so3));
    numbers("dynamics", 0, int(DynamicsType::pid));
    numbers("gain", 0, int(GainType::pid));
    numbers("bias", 0, int(BiasType::so3));
    numbers("wrap", int(WrapType::joint), int(WrapType::cylinder));
    numbers("row", 0, int(ConstraintType::contact_elliptic));
    numbers("simple body", 0, 2);
    for (const int dim : {1, 3, 4, 6}) expect("condim " + std::to_string(dim));
    for (const auto& word : spec::actuator_words) expect("actuator " + std::string(word.word));
    for (const corten::SensorRow& kind : corten::sensor_rows) {
      if (kind.type != SensorType::plugin) expect("sensor " + std::string(kind.name));
    }
    for (const char* feature :
         {"static body", "mocap body", "several trees", "armature", "gravity compensation", "fluid",
          "fluid on ellipsoids", "joint limit", "tendon limit", "friction loss", "class", "attach",
          "replicate", "frame", "pair", "exclude", "history", "one body", "more than 30 bodies"}) {
      expect(feature);
    }
  }

  // counts what a model has, and which contacts and rows its state has
  void add(const corten::Spec& spec, const corten::Model<double>& model,
           const corten::Data<double>& state) {
    ++models_;
    seen_.clear();
    corten::Model<double> m = model;
    m.opt.iterations = 1;
    corten::Data<double> data = state;
    static_cast<void>(forward(m, data));
    kinds(m, data);
    features(spec, m);
    for (const std::string& kind : seen_) ++count_[kind];
  }

  int models() const { return models_; }

  // the number of kinds that fewer than one model in `rare` has
  int missing(int rare) const {
    int out = 0;
    for (const auto& [kind, count] : count_) {
      if (count * rare >= models_) continue;
      std::printf("only %d of %d models have %s\n", count, models_, kind.c_str());
      ++out;
    }
    return out;
  }
  void print() const {
    for (const auto& [kind, count] : count_) std::printf("%6d  %s\n", count, kind.c_str());
  }

 private:
  void expect(const std::string& kind) { count_[kind] = 0; }
  void numbers(const std::string& kind, int first, int last) {
    for (int k = first; k <= last; ++k) expect(kind + " " + std::to_string(k));
  }
  template <class E>
  void words(const std::string& kind) {
    for (const auto& w : corten::spec::keywords<E>) expect(kind + " " + std::string(w.word));
  }

  void see(bool is, const char* feature) {
    if (is) seen_.insert(feature);
  }
  template <class E>
  void see_word(const std::string& kind, int value) {
    seen_.insert(kind + " " + std::string(corten::spec::word_of(E(value))));
  }
  template <class List>
  void see_numbers(const std::string& kind, const List& list) {
    for (const int k : list) seen_.insert(kind + " " + std::to_string(k));
  }

  void kinds(const corten::Model<double>& m, const corten::Data<double>& data) {
    using namespace corten;
    for (const int type : m.jnt_type) see_word<JointType>("joint", type);
    for (const int type : m.geom_type) see_word<GeomType>("geom", type);
    see_word<Integrator>("integrator", m.opt.integrator);
    see_word<Solver>("solver", m.opt.solver);
    see_word<Cone>("cone", m.opt.cone);
    see_numbers("camera mode", m.cam_mode);
    see_numbers("equality", m.eq_type);
    see_numbers("transmission", m.actuator_trntype);
    see_numbers("dynamics", m.actuator_dyntype);
    see_numbers("gain", m.actuator_gaintype);
    see_numbers("bias", m.actuator_biastype);
    see_numbers("wrap", m.wrap_type);
    see_numbers("simple body", m.body_simple);
    const auto& d = data.ref();
    for (int r = 0; r < d.nefc; ++r) seen_.insert("row " + std::to_string(int(d.efc_type[r])));
    for (int c = 0; c < d.ncon; ++c)
      seen_.insert("condim " + std::to_string(int(d.contact_dim[c])));
    for (const int type : m.sensor_type) {
      seen_.insert("sensor " + std::string(sensor_row(SensorType(type)).name));
    }
  }

  template <class List>
  static bool any(const List& list) {
    for (const auto& x : list) {
      if (x != 0) return true;
    }
    return false;
  }

  void features(const corten::Spec& s, const corten::Model<double>& m) {
    namespace spec = corten::spec;
    for (const spec::Actuator& a : s.actuators) {
      seen_.insert("actuator " + std::string(spec::word_of(spec::actuator_words, int(a.kind))));
    }
    bool fixed = false, attached = false, copied = false, framed = false;
    for (std::size_t b = 1; b < std::size_t(m.n.nbody); ++b) {
      fixed = fixed || (m.body_weldid[b] == 0 && m.body_mocapid[b] < 0);
      attached = attached || m.names.body[b].starts_with("part_");
      copied = copied || m.names.body[b].ends_with("_1");
    }
    for (const spec::Body& b : s.world.bodies) framed = framed || b.frame >= 0;
    see(fixed, "static body");
    see(m.n.nmocap > 0, "mocap body");
    see(m.n.ntree > 1, "several trees");
    see(any(m.dof_armature), "armature");
    see(any(m.body_gravcomp), "gravity compensation");
    const bool fluid = m.opt.density > 0 || m.opt.viscosity > 0;
    see(fluid, "fluid");
    see(fluid && any(m.geom_fluid), "fluid on ellipsoids");
    see(any(m.jnt_limited), "joint limit");
    see(any(m.tendon_limited), "tendon limit");
    see(any(m.dof_frictionloss), "friction loss");
    see(s.defaults.size() > 1, "class");
    see(attached, "attach");
    see(copied, "replicate");
    see(framed, "frame");
    see(m.n.npair > 0, "pair");
    see(m.n.nexclude > 0, "exclude");
    see(m.n.nhistory > 0, "history");
    see(m.n.nbody == 2, "one body");
    see(m.n.nbody > 31, "more than 30 bodies");
  }

  int models_ = 0;
  std::map<std::string, int> count_;
  std::set<std::string> seen_;
};

}  // namespace property
