// SPDX-License-Identifier: Apache-2.0
//
// Forces of the surrounding fluid on moving bodies. A body is represented by the box that has its
// mass and inertia or, if one of its geoms asks for it, by one ellipsoid per geom. MuJoCo
// documentation, Computation, "Fluid forces". Adds to qfrc_fluid.
#pragma once

#include <corten/tree/jacobian.hpp>

namespace corten {

namespace detail {

// in local axes: the velocity of a box or ellipsoid relative to the fluid, or the torque and force
// on it
template <class S>
struct LocalWrench {
  Vec3<S> rotation, translation;
};

// velocity of a body-fixed frame relative to the wind, in the axes of the frame
template <class M, class D, class S>
CORTEN_FN LocalWrench<S> velocity_in_medium(const M& m, const D& d, int body, const Vec3<S>& point,
                                            const Mat3<S>& axes) {
  const Vec6<S> v = point_velocity(m, d, body, point);
  Vec3<S> wind;
  for (int k = 0; k < 3; ++k) wind[k] = S(m.opt.wind[k]);
  return {axes.transpose() * v.template head<3>(),
          axes.transpose() * (v.template tail<3>() - wind)};
}

// ---- the box with the inertia of the body -------------------------------------------------------

// full edge lengths of the box
template <class S, class M>
CORTEN_FN Vec3<S> inertia_box(const M& m, int b) {
  const Vec3<S> inertia = vec3<S>(m.body_inertia, b);
  const S mass = S(m.body_mass[b]);
  Vec3<S> box;
  for (int k = 0; k < 3; ++k) {
    const S sum = inertia[(k + 1) % 3] + inertia[(k + 2) % 3] - inertia[k];
    box[k] = sqrt(S(max(S(min_value), sum) / mass * S(6)));
  }
  return box;
}

// Drag along and about each axis: -v (linear + quadratic |v|).
template <class S>
struct BoxDrag {
  S viscous_force, viscous_torque;
  Vec3<S> force, torque;

  template <class M>
  CORTEN_FN static BoxDrag of(const M& m, int b) {
    const Vec3<S> box = inertia_box<S>(m, b);
    const S viscosity = S(m.opt.viscosity), density = S(m.opt.density);
    const S diameter = (box[0] + box[1] + box[2]) / S(3);
    BoxDrag out;
    out.viscous_force = S(3 * pi) * diameter * viscosity;
    out.viscous_torque = S(pi) * diameter * diameter * diameter * viscosity;
    for (int k = 0; k < 3; ++k) {
      const S p = box[(k + 1) % 3], q = box[(k + 2) % 3];
      out.force[k] = S(0.5) * density * p * q;
      out.torque[k] = density * box[k] * (p * p * p * p + q * q * q * q) / S(64);
    }
    return out;
  }
};

// torque and force on a box that moves with v, both in its axes
template <class S>
CORTEN_FN LocalWrench<S> box_drag(const BoxDrag<S>& drag, const LocalWrench<S>& v) {
  LocalWrench<S> out;
  for (int k = 0; k < 3; ++k) {
    const S u = v.translation[k], w = v.rotation[k];
    out.translation[k] = -drag.viscous_force * u - drag.force[k] * abs(u) * u;
    out.rotation[k] = -drag.viscous_torque * w - drag.torque[k] * abs(w) * w;
  }
  return out;
}

template <class M, class D>
CORTEN_FN void box_fluid(const M& m, const D& d, int b) {
  using S = typename D::Scalar;
  const Mat3<S> axes = mat3<S>(d.ximat, b);
  const Vec3<S> point = vec3<S>(d.xipos, b);
  const auto v = velocity_in_medium(m, d, b, point, axes);
  const auto f = box_drag(BoxDrag<S>::of(m, b), v);
  apply_force(m, d, b, point, axes * f.translation, axes * f.rotation, d.qfrc_fluid);
}

// ---- ellipsoids ---------------------------------------------------------------------------------

template <class S>
CORTEN_FN S fourth(const S& x) {
  return x * x * (x * x);
}

// What the force on a geom's ellipsoid depends on, apart from its velocity.
template <class S>
struct Ellipsoid {
  Vec3<S> area2;      // squared areas of its cross-sections, divided by π²
  Vec3<S> turn_drag;  // quadratic drag about each axis
  Vec3<S> added_mass, added_inertia;
  S largest_area;
  S viscous_force, viscous_torque;
  S blunt, slender, kutta, magnus;
};

template <class S, class M>
CORTEN_FN Ellipsoid<S> fluid_ellipsoid(const M& m, int g) {
  Vec3<S> s = Vec3<S>::Constant(S(1));
  M::Policies::Geoms::visit(m.geom_type[g],
                            [&](auto kind) { s = kind.semiaxes(vec3<S>(m.geom_size, g)); });
  const auto coef = m.geom_fluid.from(12 * g);
  const S density = S(m.opt.density), viscosity = S(m.opt.viscosity);
  const S most = max(S(max(s[0], s[1])), s[2]), least = min(S(min(s[0], s[1])), s[2]);
  const S middle = s[0] + s[1] + s[2] - most - least;
  const S diameter = S(2.0 / 3.0) * (s[0] + s[1] + s[2]);
  const S largest_moment = S(8.0 / 15.0 * pi) * middle * fourth(most);

  Ellipsoid<S> out;
  out.blunt = S(coef[1]), out.slender = S(coef[2]), out.kutta = S(coef[4]) * density;
  out.magnus = S(coef[5]) * density * S(4.0 / 3.0 * pi) * s[0] * s[1] * s[2];
  out.largest_area = S(pi) * most * middle;
  out.viscous_force = viscosity * S(3 * pi) * diameter;
  out.viscous_torque = viscosity * S(pi) * diameter * diameter * diameter;
  for (int k = 0; k < 3; ++k) {
    const S p = s[(k + 1) % 3], q = s[(k + 2) % 3];
    const S moment = S(8.0 / 15.0 * pi) * s[k] * fourth(S(max(p, q)));
    out.area2[k] = p * q * (p * q);
    out.turn_drag[k] = S(coef[3]) * moment + out.slender * (largest_moment - moment);
    out.added_mass[k] = density * S(coef[6 + k]);
    out.added_inertia[k] = density * S(coef[9 + k]);
  }
  return out;
}

// The cross-section that an ellipsoid presents to its velocity u. n is along the surface normal
// where the flow meets the ellipsoid, and π sqrt(m/p) is the area of the section.
template <class S>
struct Section {
  Vec3<S> n, n2;  // a u and a² u, with a = area2, componentwise
  S p, m;         // n · u and n · n
  S area;

  CORTEN_FN static Section of(const Vec3<S>& area2, const Vec3<S>& u) {
    Section out;
    out.n = area2.cwiseProduct(u);
    out.n2 = area2.cwiseProduct(out.n);
    out.p = out.n.dot(u);
    out.m = out.n2.dot(u);
    out.area = S(pi) * safe_sqrt(S(out.m / max(S(min_value), out.p)));
    return out;
  }
};

// force and torque on an ellipsoid that moves with v, both in its axes
template <class S>
CORTEN_ENTRY LocalWrench<S> ellipsoid_force(const Ellipsoid<S>& e, const LocalWrench<S>& v,
                                            const S& density) {
  const Vec3<S>&w = v.rotation, &u = v.translation;

  // added mass: the fluid that moves along
  const Vec3<S> momentum = e.added_mass.cwiseProduct(u);
  Vec3<S> force = cross(momentum, w);
  Vec3<S> torque = cross(momentum, u) + cross(e.added_inertia.cwiseProduct(w), w);

  // lift, perpendicular to the velocity: from rotation (Magnus) and from the attack angle (Kutta)
  const Section<S> s = Section<S>::of(e.area2, u);
  const S speed = norm(u);
  const S attack = s.p / max(S(min_value), S(speed * s.m));
  force += e.magnus * cross(w, u);
  force += e.kutta * attack * s.area * cross(cross(s.n, u), u);

  // drag: viscous, blunt on the section presented to the flow, slender on the rest of the largest
  const S shown = s.area * e.blunt + e.slender * (e.largest_area - s.area);
  force -= (e.viscous_force + density * speed * shown) * u;
  const S turning = norm(e.turn_drag.cwiseProduct(w));
  torque -= (e.viscous_torque + density * turning) * w;
  return {torque, force};
}

template <class M, class D>
CORTEN_FN void ellipsoid_fluid(const M& m, const D& d, int g) {
  using S = typename D::Scalar;
  const int body = m.geom_bodyid[g];
  const Mat3<S> axes = mat3<S>(d.geom_xmat, g);
  const Vec3<S> point = vec3<S>(d.geom_xpos, g);
  const auto v = velocity_in_medium(m, d, body, point, axes);
  const auto f = ellipsoid_force(fluid_ellipsoid<S>(m, g), v, S(m.opt.density));
  const S scale = S(m.geom_fluid[12 * g]);
  apply_force(m, d, body, point, axes * (scale * f.translation), axes * (scale * f.rotation),
              d.qfrc_fluid);
}

// is the body represented by the ellipsoids of its geoms rather than by its box?
template <class M>
CORTEN_FN bool has_ellipsoids(const M& m, int b) {
  for (int g = m.body_geomadr[b]; g < m.body_geomadr[b] + m.body_geomnum[b]; ++g) {
    if (value(m.geom_fluid[12 * g]) > 0) return true;
  }
  return false;
}

// calls box(body) or ellipsoid(geom) for everything that the fluid acts on
template <class M, class D, class Box, class Ellipse>
CORTEN_FN void each_in_medium(const M& m, const D& d, Box&& box, Ellipse&& ellipsoid) {
  const bool some = some_asleep(m, d);
  for (int b = 1; b < m.n.nbody; ++b) {
    if (some && is_asleep(d, b)) continue;
    const auto mass = value(m.body_mass[b]);
    if (mass < static_cast<decltype(mass)>(min_value)) continue;
    if (!has_ellipsoids(m, b)) {
      box(b);
      continue;
    }
    for (int g = m.body_geomadr[b]; g < m.body_geomadr[b] + m.body_geomnum[b]; ++g) {
      if (value(m.geom_fluid[12 * g]) != 0) ellipsoid(g);
    }
  }
}

}  // namespace detail

template <class M>
CORTEN_FN bool has_fluid(const M& m) {
  return value(m.opt.density) > 0 || value(m.opt.viscosity) > 0;
}

template <class M, class D>
CORTEN_FN void fluid(const M& m, const D& d) {
  detail::each_in_medium(
      m, d, [&](int b) { detail::box_fluid(m, d, b); },
      [&](int g) { detail::ellipsoid_fluid(m, d, g); });
}

}  // namespace corten
