// SPDX-License-Identifier: Apache-2.0
//
// Force and torque between the body of a site and its parent: what the parent exerts on the body,
// moved to the site and in its axes.
#pragma once

#include <corten/sensor/common.hpp>

namespace corten {

namespace detail {

// (torque, force) at the site of sensor i, in its axes
template <class M, class D>
CORTEN_FN auto joint_wrench(const M& m, const D& d, int i) {
  using S = typename D::Scalar;
  const auto site = sensor_object(m, d, i);
  const Vec6<S> wrench = vec6<S>(d.cfrc_int, site.body);
  const Vec3<S> force = wrench.template tail<3>();
  const Vec3<S> arm = site.pos - vec3<S>(d.subtree_com, m.body_rootid[site.body]);
  const Vec3<S> torque = wrench.template head<3>() - cross(arm, force);
  return Vec6<S>(site.mat.transpose() * torque, site.mat.transpose() * force);
}

}  // namespace detail

template <SensorType Type, detail::Half Which>
struct JointWrench : SensorTraits<Type> {
  static constexpr bool needs_rne_post = true;

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    store(out, 0, detail::half<Which>(detail::joint_wrench(m, d, i)));
  }
};

using Force = JointWrench<SensorType::force, detail::Half::translation>;
using Torque = JointWrench<SensorType::torque, detail::Half::rotation>;

}  // namespace corten
