// SPDX-License-Identifier: Apache-2.0
//
// Random models, built through a Spec. random_model(seed) returns the same model on every platform,
// so that a number identifies a failing case. `random_models --models 1 --seed S --print`
// (tests/property) checks all properties on it and prints it as MJCF; `--file MODEL.xml --seed S`
// checks them on an edited copy, at the same state if it has the same dofs; `--models N` draws the
// seeds S … S + N - 1.
//
// A model has 1 to 40 bodies in one or several trees. Wherever a kind of element is chosen, all
// kinds are about equally likely; `random_models` counts what was drawn and fails if a kind is
// missing. To add a kind, draw it in random_tree.hpp if it belongs to a body, in random_parts.hpp
// or random_devices.hpp if it refers to one by name, and count it in property/census.hpp. An
// additional decision changes everything that is drawn after it, so seeds noted elsewhere then
// produce other models.
//
// Every model must compile: one that is refused is a mistake here, or a bug.
#pragma once

#include <corten/compile/compile.hpp>
#include <corten/spec/spec.hpp>

#include "random_devices.hpp"

#include <cstdint>
#include <string>

namespace support {

namespace detail {

class ModelBuilder {
 public:
  explicit ModelBuilder(std::uint64_t seed) : draw_(seed), tree_(draw_, spec_, false) {}

  corten::Result<corten::Spec> build(std::uint64_t seed) {
    spec_.model_name = "random " + std::to_string(seed);
    const double u = draw_.unit();
    const int count = 1 + int(40 * u * u * u);
    // many bodies that all touch have many contacts, which take long and add nothing
    tree_.touching = Touching(draw_.chance(0.2) ? 0 : 1 + int(count < 12 && draw_.chance(0.6)));
    tree_.round = draw_.chance(0.25);
    tree_.settings();
    options();
    tree_.classes();
    tree_.assets();
    tree_.world();
    const int attached = count > 4 && draw_.chance(0.3) ? 1 + draw_.below(count / 4) : 0;
    const int copied = count > 3 && draw_.chance(0.25) ? 2 + draw_.below(2) : 0;
    tree_.bodies(count - attached - copied);
    if (attached > 0) attach_part(attached);
    if (copied > 0) replicate(copied);
    if (!done_) return done_.error();

    DeviceBuilder parts(draw_, spec_, tree_);
    tree_.follow(parts.pool().bodies);
    parts.contacts();
    parts.tendons(draw_.below(4));
    parts.equalities(draw_.chance(0.5) ? 0 : 1 + draw_.below(3));
    parts.actuators(draw_.below(6));
    parts.sensors(draw_.below(9));
    return spec_;
  }

 private:
  void options() {
    spec::Option& o = spec_.option;
    o.timestep = draw_.pick({0.001, 0.002, 0.002, 0.005});
    o.integrator = corten::Integrator(draw_.below(4));
    if (draw_.chance(0.05)) o.integrator = corten::Integrator::implicitspringdamper;
    o.cone = corten::Cone(draw_.below(2));
    o.jacobian = corten::JacobianKind(draw_.below(3));
    o.solver = draw_.pick({corten::Solver::newton, corten::Solver::newton, corten::Solver::newton,
                           corten::Solver::cg, corten::Solver::pgs});
    if (draw_.chance(0.2)) o.impratio = draw_.in(0.5, 5);
    if (draw_.chance(0.1)) o.noslip_iterations = 3;
    if (draw_.chance(0.2)) o.gravity = tree_.vec(10);
    if (draw_.chance(0.3)) {
      o.density = draw_.in(1, 100);
      o.viscosity = draw_.in(0, 0.5);
      if (draw_.chance(0.5)) o.wind = tree_.vec(2);
    }
    if (draw_.chance(0.2)) o.magnetic = tree_.vec(1);
    flags();
  }

  void flags() {
    const auto sometimes = [&](corten::Optional<spec::Switch>& flag, spec::Switch to) {
      if (draw_.chance(0.03)) flag = to;
    };
    spec::Flags& f = spec_.option.flag;
    for (auto* flag :
         {&f.constraint, &f.equality, &f.frictionloss, &f.limit, &f.contact, &f.spring, &f.damper,
          &f.gravity, &f.clampctrl, &f.warmstart, &f.filterparent, &f.actuation, &f.refsafe,
          &f.midphase, &f.eulerdamp, &f.nativeccd, &f.island, &f.multiccd}) {
      sometimes(*flag, spec::Switch::disable);
    }
    sometimes(f.override_, spec::Switch::enable);
    if (draw_.chance(0.3)) f.energy = spec::Switch::enable;
  }

  // attaches another spec, with its own classes, settings and references, to a body of this one
  void attach_part(int count) {
    corten::Spec part;
    part.model_name = "part";
    TreeBuilder tree(draw_, part, true);
    tree.touching = tree_.touching;
    tree.round = tree_.round;
    tree.settings();
    if (spec_.compiler.fusestatic) tree.bound_inertia();
    tree.classes();
    tree.assets();
    tree.bodies(count);
    DeviceBuilder parts(draw_, part, tree);
    parts.tendons(draw_.below(2));
    parts.equalities(draw_.below(2));
    parts.actuators(draw_.below(3));
    parts.sensors(draw_.below(3));

    const Pool here(spec_);
    spec::Attachment what{.prefix = "part_"};
    if (draw_.chance(0.7)) what.body = part.world.bodies[0].name;
    const bool to_site = !here.sites.empty() && draw_.chance(0.3);
    const std::string to = to_site ? draw_.of(here.sites) : draw_.of(here.bodies);
    if (auto done = spec::attach(spec_, to, part, what); !done) done_ = done;
  }

  // `count` copies of a body, side by side on the world
  void replicate(int count) {
    spec::Body& holder = spec::add(spec_.world.bodies, "");
    spec::add_frame(holder);
    spec::Body& b = tree_.body(holder, false);
    if (b.frame < 0) {
      b.frame = 0;
    } else {
      holder.frames[std::size_t(b.frame)].frame = 0;
    }
    if (!b.joints.empty()) {
      spec::Actuator& a = spec::add(spec_.actuators, tree_.name("a"));
      a.kind = spec::ActuatorKind::motor;
      a.joint = b.joints[0].name;
    }
    spec::Replicate how;
    how.count = count;
    how.sep = "_";
    corten::List<spec::Frame> poses;
    const spec::Numbers<3> offset = tree_.vec(0.5);
    for (int k = 0; k < count; ++k) {
      spec::Frame pose;
      pose.pos = {k * offset[0], k * offset[1], k * offset[2]};
      if (draw_.chance(0.5)) pose.orientation.euler = {tree_.angle(0.3 * k), 0, 0};
      poses.push_back(pose);
    }
    if (auto done = spec::replicate(spec_, spec_.world, -1, how, poses); !done) done_ = done;
  }

  Draw draw_;
  corten::Spec spec_;
  TreeBuilder tree_;
  corten::Result<void> done_;
};

}  // namespace detail

inline corten::Result<corten::Spec> random_model(std::uint64_t seed) {
  return detail::ModelBuilder(seed).build(seed);
}

}  // namespace support
