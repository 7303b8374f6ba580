// SPDX-License-Identifier: Apache-2.0
//
// The part of a random model that refers to its bodies by name: contact pairs, tendons and equality
// constraints of every kind for which the model has something to act on. random_devices.hpp has the
// actuators and sensors, and random_model.hpp explains how random models are made.
#pragma once

#include "random_tree.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace support {

// the elements that can be referred to
struct Pool {
  struct JointName {
    std::string name;
    JointType type;
    bool limited;
  };
  struct GeomName {
    std::string name, body;
    GeomType type;
  };
  struct TendonName {
    std::string name;
    bool limited, wraps;
  };
  std::vector<std::string> bodies, sites, cameras;
  std::vector<JointName> joints, scalars, balls;  // all; slides and hinges; balls
  std::vector<GeomName> geoms, solids,
      rollers;  // all; those that move and have a volume; those that tendons wrap around
  std::vector<TendonName> tendons;

  // everything in a tree; an attached part already has its tendons
  explicit Pool(const corten::Spec& spec) {
    take(spec.world, false);
    for (const spec::Tendon& t : spec.tendons) {
      bool wraps = false;
      for (const auto& e : t.entries) wraps = wraps || e.kind == spec::Tendon::Entry::Kind::geom;
      tendons.push_back({t.name, t.range.has_value(), wraps});
    }
  }

 private:
  void take(const spec::Body& b, bool inside) {
    if (inside) bodies.push_back(b.name);
    for (const spec::Joint& j : b.joints) {
      const JointName entry{j.name, j.type.value_or(JointType::hinge), j.range.has_value()};
      joints.push_back(entry);
      if (entry.type == JointType::ball) balls.push_back(entry);
      if (entry.type >= JointType::slide) scalars.push_back(entry);
    }
    for (const spec::Geom& g : b.geoms) {
      const GeomName entry{g.name, b.name, g.type.value_or(GeomType::sphere)};
      geoms.push_back(entry);
      if (entry.type > GeomType::hfield && entry.type < GeomType::sdf) solids.push_back(entry);
      const bool round = entry.type == GeomType::sphere || entry.type == GeomType::cylinder;
      if (round) rollers.push_back(entry);
    }
    for (const spec::Site& s : b.sites) sites.push_back(s.name);
    for (const spec::Camera& c : b.cameras) cameras.push_back(c.name);
    for (const spec::Body& child : b.bodies) take(child, true);
  }
};

class PartsBuilder {
 public:
  PartsBuilder(Draw& draw, corten::Spec& out, TreeBuilder& tree)
      : draw_(draw), spec_(out), tree_(tree), pool_(out) {}

  const Pool& pool() const { return pool_; }

  void contacts() {
    for (int k = draw_.below(3); k > 0 && pool_.solids.size() > 1; --k) {
      const Pool::GeomName &a = draw_.of(pool_.geoms), &b = draw_.of(pool_.solids);
      if (a.body == b.body || a.type == GeomType::sdf) continue;
      pair(a.name, b.name);
    }
    for (int k = draw_.below(3); k > 0 && pool_.bodies.size() > 1; --k) {
      spec::Exclude& e = spec::add(spec_.excludes, draw_.chance(0.5) ? tree_.name("x") : "");
      e.body1 = draw_.of(pool_.bodies);
      e.body2 = draw_.chance(0.2) ? std::string("world") : draw_.of(pool_.bodies);
    }
  }

  void tendons(int count) {
    for (int k = 0; k < count; ++k) {
      const bool fixed = draw_.chance(0.4);
      if (fixed ? pool_.scalars.empty() : pool_.sites.size() < 2) continue;
      spec::Tendon& t = spec::add(spec_.tendons, tree_.name("t"));
      any_class(t);
      if (fixed) {
        for (int i = 1 + draw_.below(3); i > 0; --i) coordinate(t, draw_.of(pool_.scalars).name);
      } else {
        string(t);
      }
      bool wraps = false;
      for (const auto& e : t.entries) wraps = wraps || e.kind == Entry::Kind::geom;
      elastic(t, fixed, wraps);
      pool_.tendons.push_back({t.name, t.range.has_value(), wraps});
    }
  }

  void equalities(int count) {
    for (int k = 0; k < count; ++k) {
      using enum corten::EqualityType;
      const auto type = draw_.pick({connect, weld, joint, tendon, distance});
      if (type == joint && pool_.scalars.empty()) continue;
      if (type == tendon && pool_.tendons.empty()) continue;
      if (type == distance && pool_.geoms.size() < 2) continue;
      if ((type == connect || type == weld) && pool_.bodies.empty()) continue;
      spec::Equality e;
      e.type = type;
      e.name = tree_.name("e");
      any_class(e);
      if (type == joint) {
        couple(e.joint1, e.joint2, pool_.scalars);
      } else if (type == tendon) {
        couple(e.tendon1, e.tendon2, pool_.tendons);
      } else if (type == distance) {
        const Pool::GeomName &a = draw_.of(pool_.geoms), &b = draw_.of(pool_.geoms);
        if (a.body == b.body) continue;
        e.geom1 = a.name;
        e.geom2 = b.name;
        if (draw_.chance(0.3)) e.parameters.set("distance", draw_.in(0.1, 0.6));
      } else {
        hold(e);
      }
      if ((type == joint || type == tendon) && draw_.chance(0.5)) {
        e.polycoef = {draw_.in(-0.1, 0.1), draw_.in(-1.5, 1.5), draw_.in(-0.5, 0.5)};
      }
      if (draw_.chance(0.15)) e.active = false;
      if (draw_.chance(0.2)) e.solref = {draw_.in(0.02, 0.1), draw_.in(0.5, 1.5)};
      if (draw_.chance(0.2)) e.solimp = {0.6, 0.95, draw_.in(0.01, 0.1)};
      spec_.equalities.push_back(e);
    }
  }

 protected:
  using Entry = spec::Tendon::Entry;

  template <class T>
  void any_class(T& element) {
    if (spec_.defaults.size() > 1 && draw_.chance(0.25)) {
      element.class_name = draw_.of(spec_.defaults).name;
    }
  }

  // calls f(a, b) with two different elements
  template <class List, class F>
  void two(const List& list, F&& f) {
    const int n = int(list.size()), first = draw_.below(n);
    const int second = (first + 1 + draw_.below(n - 1)) % n;
    f(list[std::size_t(first)], list[std::size_t(second)]);
  }

  void pair(const std::string& a, const std::string& b) {
    spec::Pair& p = spec::add(spec_.pairs, draw_.chance(0.5) ? tree_.name("p") : "");
    p.geom1 = a;
    p.geom2 = b;
    any_class(p);
    if (draw_.chance(0.5)) p.condim = draw_.pick({1, 3, 4, 6});
    if (draw_.chance(0.3)) p.friction = {draw_.in(0.2, 1), draw_.in(0.2, 1), 0.01, 0.001, 0.002};
    if (draw_.chance(0.3)) p.margin = draw_.in(0, 0.1);
    if (draw_.chance(0.1)) p.gap = draw_.in(0, 0.02);
    if (draw_.chance(0.2)) p.solref = {draw_.in(0.01, 0.05), draw_.in(0.5, 1.5)};
    if (draw_.chance(0.1)) p.solreffriction = {draw_.in(0.02, 0.05), draw_.in(0.5, 1.5)};
    if (draw_.chance(0.1)) p.adhesion = draw_.in(0, 1);
    if (draw_.chance(0.03)) p.combine = true;
    if (draw_.chance(0.03)) p.replace = true;
  }

  // ---- tendons ----------------------------------------------------------------------------------

  void coordinate(spec::Tendon& t, const std::string& joint) {
    for (const Entry& e : t.entries) {
      if (e.joint == joint) return;
    }
    Entry& e = t.entries.emplace_back();
    e.joint = joint;
    e.coef = draw_.in(-1.5, 1.5);
  }

  void through(spec::Tendon& t) {
    Entry e;
    e.kind = Entry::Kind::site;
    do {
      e.site = draw_.of(pool_.sites);
    } while (!t.entries.empty() && t.entries.back().site == e.site);
    t.entries.push_back(e);
  }

  // sites, sometimes with something round between two of them, or a pulley
  void string(spec::Tendon& t) {
    through(t);
    for (int i = 1 + draw_.below(3); i > 0; --i) {
      if (!pool_.rollers.empty() && draw_.chance(0.4)) {
        Entry& e = t.entries.emplace_back();
        e.kind = Entry::Kind::geom;
        e.geom = draw_.of(pool_.rollers).name;
        if (draw_.chance(0.5)) e.sidesite = draw_.of(pool_.sites);
      } else if (draw_.chance(0.2) && t.entries.size() > 1 &&
                 t.entries[t.entries.size() - 2].kind == Entry::Kind::site) {
        Entry& e = t.entries.emplace_back();
        e.kind = Entry::Kind::pulley;
        e.divisor = draw_.in(1, 3);
        through(t);
      }
      through(t);
    }
  }

  void elastic(spec::Tendon& t, bool fixed, bool wraps) {
    if (draw_.chance(0.4)) t.stiffness = {draw_.in(0, 20)};
    if (t.stiffness && draw_.chance(0.2)) t.stiffness = {t.stiffness[0], draw_.in(0, 5), 1};
    if (draw_.chance(0.4)) t.damping = {draw_.in(0, 1)};
    if (t.damping && draw_.chance(0.2)) t.damping = {t.damping[0], draw_.in(0, 0.3)};
    if (draw_.chance(0.15)) t.springlength = {draw_.in(0, 0.2), draw_.in(0.2, 0.5)};
    if (draw_.chance(0.3)) {
      t.range = {fixed ? draw_.in(-0.3, 0) : draw_.in(0, 0.2), draw_.in(0.01, 0.4) + 0.2};
      if (draw_.chance(0.3)) t.margin = draw_.in(0, 0.05);
    }
    if (draw_.chance(0.1)) t.frictionloss = draw_.in(0, 0.5);
    if (!wraps && draw_.chance(0.25)) t.armature = draw_.in(0, 0.1);
    if (draw_.chance(0.1)) {
      t.actuatorfrclimited = spec::Tristate::yes;
      t.actuatorfrcrange = {-draw_.in(0.1, 1), draw_.in(0.1, 1)};
    }
  }

  // ---- equality constraints ---------------------------------------------------------------------

  template <class List>
  void couple(corten::Optional<std::string>& first, corten::Optional<std::string>& second,
              const List& list) {
    if (list.size() < 2 || draw_.chance(0.3)) {
      first = draw_.of(list).name;
    } else {
      two(list, [&](const auto& a, const auto& b) { first = a.name, second = b.name; });
    }
  }

  void hold(spec::Equality& e) {
    const bool weld = e.type == corten::EqualityType::weld;
    if (pool_.sites.size() > 1 && draw_.chance(0.3)) {
      two(pool_.sites, [&](const auto& a, const auto& b) { e.site1 = a, e.site2 = b; });
    } else {
      e.body1 = draw_.of(pool_.bodies);
      if (pool_.bodies.size() > 1 && draw_.chance(0.7)) {
        two(pool_.bodies, [&](const auto& a, const auto& b) { e.body1 = a, e.body2 = b; });
      }
      if (!weld || draw_.chance(0.3)) e.anchor = tree_.vec(0.2);
      if (weld && draw_.chance(0.3)) e.relpose = {0.1, draw_.in(-0.2, 0.2), 0, 1, 0.1, 0, 0.2};
    }
    if (weld && draw_.chance(0.3)) e.torquescale = draw_.in(0.2, 2);
  }

  Draw& draw_;
  corten::Spec& spec_;
  TreeBuilder& tree_;
  Pool pool_;
};

}  // namespace support
