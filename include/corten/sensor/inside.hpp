// SPDX-License-Identifier: Apache-2.0
//
// Is the origin of a frame inside the volume of a site? Reads 1 or 0, with derivatives of zero.
#pragma once

#include <corten/collide/ray.hpp>
#include <corten/sensor/common.hpp>

namespace corten {

namespace detail {

// is a point of the world in the volume of a site?
template <class M, class D, class T>
CORTEN_FN bool in_site(const M& m, const D& d, int site, const Vec3<T>& point) {
  const Vec<T, 9> mat = plain<T, 9>(d.site_xmat, site);
  const Vec3<T> away = point - plain<T, 3>(d.site_xpos, site);
  Vec3<T> local;
  for (int k = 0; k < 3; ++k) {
    local[k] = mat[k] * away[0] + mat[3 + k] * away[1] + mat[6 + k] * away[2];
  }
  const Vec3<T> size = plain<T, 3>(m.site_size, site);
  bool inside = false;
  with_geom_kind(m, m.site_type[site], [&](auto kind) {
    if constexpr (requires { kind.holds(size, local); }) inside = kind.holds(size, local);
  });
  return inside;
}

}  // namespace detail

struct InsideSite : SensorTraits<SensorType::insidesite> {
  static constexpr bool by_world = true;

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    using T = value_t<S>;
    const int id = m.sensor_objid[i];
    Vec3<S> pos = detail::sensor_object(m, d, i).pos;
    // a body without mass of its own stands for the subtree that it carries
    const T small = static_cast<T>(min_value);
    const bool carrier = static_cast<ObjectType>(m.sensor_objtype[i]) == ObjectType::body &&
                         id > 0 && static_cast<T>(value(m.body_mass[id])) < small &&
                         static_cast<T>(value(m.body_subtreemass[id])) >= small;
    if (carrier) pos = vec3<S>(d.subtree_com, id);
    const Vec3<T> point(value(pos[0]), value(pos[1]), value(pos[2]));
    out[0] = S(detail::in_site(m, d, m.sensor_refid[i], point) ? 1 : 0);
  }
};

}  // namespace corten
