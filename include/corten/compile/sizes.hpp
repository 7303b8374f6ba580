// SPDX-License-Identifier: Apache-2.0
//
// Computes all sizes of a model from the elements of the draft, and writes options and names.
#pragma once

#include <corten/compile/actuator.hpp>
#include <corten/compile/assets.hpp>
#include <corten/compile/key.hpp>
#include <corten/compile/sensor.hpp>
#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>

#include <algorithm>
#include <type_traits>

namespace corten::compiler {

namespace detail {

using UserData = Optional<List<double>>;

// widens the user data to fit an element, unless <size> fixes the width
CORTEN_COLD void fit_user(int& width, const Optional<int>& given, const UserData& user) {
  const bool fixed = given.value_or(-1) >= 0;
  if (fixed) width = *given;
  if (!fixed && user) width = std::max(width, static_cast<int>(user->size()));
}

template <class T>
CORTEN_COLD void fit_users(int& width, const Optional<int>& given,
                           const spec::ElementsOf<T>& elements) {
  fit_user(width, given, {});
  for (const T& element : elements) fit_user(width, given, element.user);
}

CORTEN_COLD void count_users(Draft& d) {
  const spec::Size& size = d.spec.size;
  Sizes& n = d.m.n;
  for (const BodyEntry& b : d.bodies) fit_user(n.nuser_body, size.nuser_body, b.spec->user);
  fit_users(n.nuser_jnt, size.nuser_jnt, d.joints);
  fit_users(n.nuser_geom, size.nuser_geom, d.geoms);
  fit_users(n.nuser_site, size.nuser_site, d.sites);
  fit_users(n.nuser_cam, size.nuser_cam, d.cameras);
  fit_users(n.nuser_tendon, size.nuser_tendon, d.tendons);
  fit_users(n.nuser_actuator, size.nuser_actuator, d.actuators);
  fit_users(n.nuser_sensor, size.nuser_sensor, d.sensors);
  n.nuserdata = size.nuserdata.value_or(0);
}

// counts bodies and their contents, coordinates, dofs, trees, and entries of the inertia matrix
CORTEN_COLD void count_tree(Draft& d) {
  Sizes& n = d.m.n;
  n.nbody = static_cast<int>(d.bodies.size());
  n.njnt = static_cast<int>(d.joints.size());
  n.ngeom = static_cast<int>(d.geoms.size());
  n.nsite = static_cast<int>(d.sites.size());
  n.ncam = static_cast<int>(d.cameras.size());
  n.nlight = static_cast<int>(d.lights.size());
  n.nmat = static_cast<int>(d.spec.materials.size());
  List<int> depth;  // number of dofs at and above each body
  for (const BodyEntry& body : d.bodies) {
    int dofs = depth.empty() ? 0 : at(depth, body.parent);
    if (dofs == 0 && body.num_joints > 0) ++n.ntree;
    for (int j = body.joint; j < body.joint + body.num_joints; ++j) {
      const JointKind size = kind_of(d, j);
      n.nparam_jnt = std::max(n.nparam_jnt, static_cast<int>(size.parameters.size()));
      n.nq += size.nq;
      n.nv += size.nv;
      for (int k = 0; k < size.nv; ++k) n.nM += ++dofs;
    }
    depth.push_back(dofs);
    if (body.spec->mocap.value_or(false)) ++n.nmocap;
    if (body.spec->gravcomp.value_or(0) > 0) ++n.ngravcomp;
  }
}

CORTEN_COLD Result<void> check_numeric(const spec::Numeric& e) {
  const int size = numeric_size(e);
  if (size <= 0) return e.error("size must be positive", "give data, or a positive size");
  if (e.data && size < static_cast<int>(e.data->size())) {
    return e.error("size is smaller than the data");
  }
  return {};
}

CORTEN_COLD void count_numerics(Draft& d) {
  d.m.n.nnumeric = static_cast<int>(d.spec.numerics.size());
  for (const spec::Numeric& e : d.spec.numerics) {
    if (!d.note(e, check_numeric(e))) d.m.n.nnumericdata += numeric_size(e);
  }
}

}  // namespace detail

CORTEN_COLD Result<void> count_sizes(Draft& d) {
  Sizes& n = d.m.n;
  if (d.bodies.size() + d.spec.flexes.size() >= 65534) {
    return Error{{}, "mujoco/worldbody", "the model has 65534 bodies and flexes or more", ""};
  }
  detail::count_tree(d);
  detail::count_users(d);
  if (auto done = count_assets(d); !done) return done;
  n.npair = static_cast<int>(d.pairs.size());
  n.nexclude = static_cast<int>(d.spec.excludes.size());
  n.neq = static_cast<int>(d.equalities.size());
  n.ntendon = static_cast<int>(d.tendons.size());
  for (const spec::Tendon& t : d.tendons) n.nwrap += static_cast<int>(t.entries.size());
  count_actuators(d);
  count_sensors(d);
  detail::count_numerics(d);
  n.nkey = std::max(static_cast<int>(d.spec.keys.size()), d.spec.size.nkey.value_or(0));
  return {};
}

namespace detail {

template <class To, class From>
CORTEN_COLD void assign_option(To& to, const Optional<From>& from) {
  if (!from) return;
  if constexpr (std::is_arithmetic_v<To>) {
    to = static_cast<To>(*from);
  } else {
    for (std::size_t k = 0; k < from->size(); ++k) to[static_cast<int>(k)] = (*from)[k];
  }
}
template <class To, std::size_t N>
void assign_option(To& to, const spec::Leading<N>& from) {
  for (int k = 0; k < from.count; ++k) to[k] = from[static_cast<std::size_t>(k)];
}

}  // namespace detail

CORTEN_COLD Result<void> write_options(Draft& d) {
  const spec::Option& from = d.spec.option;
  Option<double>& to = d.m.opt;
#define X(type, name, ...) detail::assign_option(to.name, from.name);
  CORTEN_OPTION_TABLE(X)
#undef X
  to.disableflags = from.flag.disableflags();
  to.enableflags = from.flag.enableflags();
  if (!from.actuatorgroupdisable) return {};
  for (const int group : *from.actuatorgroupdisable) {
    if (group < 0 || group > 30) {
      return Error{{}, "mujoco/option", "actuatorgroupdisable must be between 0 and 30", ""};
    }
    to.disableactuator |= 1 << group;
  }
  return {};
}

// Writes the names of elements. Those of pairs and excludes are written with them, in their order.
CORTEN_COLD void write_names(Draft& d) {
  Names& names = d.m.names;
  const auto copy = [](const auto& elements, List<std::string>& out) {
    for (const spec::Element& e : elements) out.push_back(e.name);
  };
  names.model = d.spec.model_name;
  for (const BodyEntry& b : d.bodies) names.body.push_back(b.spec->name);
  names.body[0] = "world";
  copy(d.joints, names.jnt);
  copy(d.geoms, names.geom);
  copy(d.sites, names.site);
  copy(d.cameras, names.cam);
  copy(d.lights, names.light);
  copy(d.equalities, names.eq);
  copy(d.tendons, names.tendon);
  copy(d.actuators, names.actuator);
  copy(d.sensors, names.sensor);
  copy(d.spec.numerics, names.numeric);
  copy(d.meshes, names.mesh);
  copy(d.spec.hfields, names.hfield);
  copy(d.spec.flexes, names.flex);
  copy(d.spec.softs, names.soft);
  copy(d.spec.keys, names.key);
  names.key.resize(static_cast<std::size_t>(d.m.n.nkey));
  names.build_index();
}

}  // namespace corten::compiler
