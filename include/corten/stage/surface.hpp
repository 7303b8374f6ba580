// SPDX-License-Identifier: Apache-2.0
//
// Active surfaces: conveyor belts and turntables, which move (surfacevel), and sticky surfaces,
// which pull (adhesion). MuJoCo documentation, XML reference, geom.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/plain.hpp>
#include <corten/flex/weights.hpp>
#include <corten/tree/awake.hpp>
#include <corten/tree/jacobian.hpp>

namespace corten {

namespace detail {

// velocity (linear, angular) of a geom's surface relative to its body, at a point, in world axes
template <class M, class D, class S>
CORTEN_FN Vec6<S> surface_velocity(const M& m, const D& d, int g, const Vec3<S>& point) {
  const Vec6<S> local = vec6<S>(m.geom_surfacevel, g);
  const Mat3<S> frame = mat3<S>(d.geom_xmat, g);
  const Vec3<S> spin = frame * local.template tail<3>();
  const Vec3<S> arm = point - vec3<S>(d.geom_xpos, g);
  return Vec6<S>(frame * local.template head<3>() + cross(spin, arm), spin);
}

// Adds the motion of the surfaces to the velocities of contact rows. Only sliding and spinning
// count: surfaces neither push along the normal nor roll.
template <class M, class D>
CORTEN_FN void surface_velocities(const M& m, const D& d) {
  using S = typename D::Scalar;
  for (int c = 0; c < d.ncon; ++c) {
    const int row = d.contact_efc_address[c], dim = d.contact_dim[c];
    if (row < 0) continue;
    const Vec3<S> point = vec3<S>(d.contact_pos, c);
    const int g1 = d.contact_geom[2 * c], g2 = d.contact_geom[2 * c + 1];
    Vec6<S> v = Vec6<S>::Zero();  // flexes have no such velocity
    if (g2 >= 0) v += surface_velocity(m, d, g2, point);
    if (g1 >= 0) v -= surface_velocity(m, d, g1, point);
    const Mat3<S> frame = mat3<S>(d.contact_frame, c);
    const Vec3<S> slide = frame * v.template head<3>(), spin = frame * v.template tail<3>();
    const S along[4] = {S(0), slide[1], slide[2], spin[0]};
    const bool pyramid = d.efc_type[row] == static_cast<int>(ConstraintType::contact_pyramidal);
    for (int k = 1; k < dim && k < 4; ++k) {
      if (pyramid) {
        const S side = d.contact_friction[5 * c + k - 1] * along[k];
        d.efc_vel[row + 2 * k - 2] += side;
        d.efc_vel[row + 2 * k - 1] -= side;
      } else {
        d.efc_vel[row + k] += along[k];
      }
    }
  }
}

// Adhesion is applied as a separate force (adhesion() below), which would press the surfaces deeper
// into each other. Contact rows compensate for that depth, so that the surfaces rest as without it.
template <class D>
CORTEN_FN void adhesion_reference(const D& d) {
  using S = typename D::Scalar;
  for (int c = 0; c < d.ncon; ++c) {
    const int row = d.contact_efc_address[c], dim = d.contact_dim[c];
    if (row < 0) continue;
    const bool pyramid = d.efc_type[row] == static_cast<int>(ConstraintType::contact_pyramidal);
    const int count = pyramid ? 2 * (dim - 1) : 1;
    const S share = d.contact_adhesion[c] / S(count);
    for (int k = row; k < row + count; ++k) d.efc_aref[k] += d.efc_R[k] * share;
  }
}

}  // namespace detail

// Writes qfrc_adhesion: surfaces pull at each other along their contact normals, also within the
// gap.
template <class M, class D>
CORTEN_ENTRY void adhesion(const M& m, const D& d) {
  using S = typename D::Scalar;
  each_awake_dof(m, d, [&](int i) { d.qfrc_adhesion[i] = S(0); });
  if (m.opt.disabled(disable_contact)) return;
  for (int c = 0; c < d.ncon; ++c) {
    if (vanishes(d.contact_adhesion[c]) || d.contact_exclude[c] > 1) continue;
    const int body1 = contact_body(m, d, c, 0), body2 = contact_body(m, d, c, 1);
    const Vec3<S> point = vec3<S>(d.contact_pos, c),
                  normal = vec3<S>(d.contact_frame.from(9 * c), 0);
    if (body1 < 0 || body2 < 0) {  // an element of a flex
      push_contact(m, d, c, Vec3<S>(normal * S(-d.contact_adhesion[c])), d.qfrc_adhesion);
      continue;
    }
    const auto column = [&](int i, bool second, const Vec3<S>& translation, const Vec3<S>&) {
      const S pull = d.contact_adhesion[c] * S(normal.dot(translation));
      d.qfrc_adhesion[i] += second ? S(-pull) : pull;
    };
    each_relative_motion(m, d, d.cdof, body1, body2, point, point, column);
  }
}
CORTEN_PLAIN(adhesion)

}  // namespace corten
