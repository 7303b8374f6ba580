// SPDX-License-Identifier: Apache-2.0
//
// Touch: the sum of the normal forces of those contacts of a site's body that are felt in the
// volume of the site. A contact is felt if the ray from its point along the force that the body
// exerts hits the site, which is always so for a point inside. Values decide; the force carries
// derivatives.
#pragma once

#include <corten/collide/ray.hpp>
#include <corten/constraint/contact_force.hpp>
#include <corten/sensor/common.hpp>

namespace corten {

namespace detail {

// does the ray hit the site?
template <class M, class T>
CORTEN_FN bool ray_meets(const M& m, int site, const Vec3<T>& point, const Vec3<T>& direction) {
  const Vec3<T> size = plain<T, 3>(m.site_size, site);
  bool met = false;
  const auto test = [&](auto kind) {
    if constexpr (requires { kind.ray(size, point, direction); }) {
      met = kind.ray(size, point, direction) >= T(0);
    }
  };
  with_geom_kind(m, m.site_type[site], test);
  return met;
}

}  // namespace detail

struct Touch : SensorTraits<SensorType::touch> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    S sum = S(0);
    for (int c = 0; c < d.ncon; ++c) {
      if (counts(m, d, m.sensor_objid[i], c)) sum += contact_force(d, c)[0];
    }
    out[0] = sum;
  }

  // does contact c count at the site?
  template <class M, class D>
  CORTEN_FN static bool counts(const M& m, const D& d, int site, int c) {
    const int body = m.site_bodyid[site];
    const int body1 = some_contact_body(m, d, c, 0), body2 = some_contact_body(m, d, c, 1);
    if (d.contact_efc_address[c] < 0 || (body != body1 && body != body2)) return false;
    return value(contact_force(d, c)[0]) > 0 && felt(m, d, site, c, body == body2);
  }

 private:
  template <class M, class D>
  CORTEN_FN static bool felt(const M& m, const D& d, int site, int contact, bool second) {
    using T = value_t<typename D::Scalar>;
    const auto mat = detail::plain<T, 9>(d.site_xmat, site);
    const auto frame = detail::plain<T, 9>(d.contact_frame, contact);
    const Vec3<T> offset =
        detail::plain<T, 3>(d.contact_pos, contact) - detail::plain<T, 3>(d.site_xpos, site);

    // into the frame of the site; the normal points from the first body to the second
    Vec3<T> point, direction;
    for (int k = 0; k < 3; ++k) {
      const Vec3<T> axis(mat[k], mat[3 + k], mat[6 + k]);
      const T along = axis.dot(frame.template head<3>());
      point[k] = axis.dot(offset);
      direction[k] = second ? -along : along;
    }
    return detail::ray_meets(m, site, point, direction);
  }
};

}  // namespace corten
