// SPDX-License-Identifier: Apache-2.0
//
// The derivative of fluid forces (stage/fluid.hpp) with respect to the velocity of the body: one
// matrix per body that maps motions to forces, both about the centre of mass of its tree.
#pragma once

#include <corten/math/feedback.hpp>
#include <corten/stage/fluid.hpp>

namespace corten {

namespace detail {

// derivative of box_drag(), in the axes of the box
template <class S>
CORTEN_FN Feedback<S> box_slope(const BoxDrag<S>& drag, const LocalWrench<S>& v) {
  Feedback<S> out = Feedback<S>::zero();
  for (int k = 0; k < 3; ++k) {
    out.rr(k, k) = -drag.viscous_torque - S(2) * drag.torque[k] * abs(v.rotation[k]);
    out.tt(k, k) = -drag.viscous_force - S(2) * drag.force[k] * abs(v.translation[k]);
  }
  return out;
}

template <class M, class D>
CORTEN_FN auto box_slope(const M& m, const D& d, int b) {
  using S = typename D::Scalar;
  const Mat3<S> axes = mat3<S>(d.ximat, b);
  const Vec3<S> point = vec3<S>(d.xipos, b);
  const auto v = velocity_in_medium(m, d, b, point, axes);
  return box_slope(BoxDrag<S>::of(m, b), v)
      .from_local(axes, point - vec3<S>(d.subtree_com, m.body_rootid[b]));
}

// d ((a ∘ u) × w) / du, where ∘ multiplies componentwise
template <class S>
CORTEN_FN Mat3<S> product_slope(const Vec3<S>& a, const Vec3<S>& w) {
  return scale_columns(-skew(w), a);
}

// derivative of the Kutta lift k c G with c = sqrt(p/m) / |u| and G = (n × u) × u = p u - |u|² n
template <class S>
CORTEN_FN Mat3<S> kutta_slope(const Ellipsoid<S>& e, const Section<S>& s, const Vec3<S>& u) {
  const S speed2 = S(u.squaredNorm()), floor = S(min_value);
  const S scale = S(pi) * e.kutta / max(floor, safe_sqrt(S(s.m * s.p * speed2)));
  const Vec3<S> lift = s.p * u - speed2 * s.n;
  const Vec3<S> fall = s.n - S(s.p / max(floor, s.m)) * s.n2 - S(s.p / max(floor, speed2)) * u;
  Mat3<S> out = outer(lift, fall);
  out += s.p * S(2) * (outer(u, s.n) - outer(s.n, u));
  for (int k = 0; k < 3; ++k) out(k, k) += s.p * (s.p - e.area2[k] * speed2);
  return scale * out;
}

// derivative of the drag -(viscous + density |u| shown(u)) u
template <class S>
CORTEN_FN Mat3<S> drag_slope(const Ellipsoid<S>& e, const Section<S>& s, const Vec3<S>& u,
                             const S& density) {
  const S floor = S(min_value), speed = norm(u);
  const S shown = s.area * e.blunt + e.slender * (e.largest_area - s.area);
  const S growth = density * speed * (e.blunt - e.slender) * S(pi) /
                   max(floor, safe_sqrt(S(s.p * s.p * s.p * s.m)));
  const Vec3<S> area_rate = growth * (s.p * s.n2 - s.m * s.n);
  const S inverse = S(1) / max(floor, speed);
  Mat3<S> out = -outer(u, density * shown * inverse * u + area_rate);
  const S along = density * shown * inverse * S(u.squaredNorm()) + e.viscous_force;
  for (int k = 0; k < 3; ++k) out(k, k) -= along;
  return out;
}

// derivative of the rotational drag -(viscous + density |k ∘ w|) w
template <class S>
CORTEN_FN Mat3<S> turn_slope(const Ellipsoid<S>& e, const Vec3<S>& w, const S& density) {
  const Vec3<S> kw = e.turn_drag.cwiseProduct(w), kkw = e.turn_drag.cwiseProduct(kw);
  const S scale = density / max(S(min_value), norm(kw));
  Mat3<S> out = -outer(w, scale * kkw);
  const S along = scale * S(kkw.dot(w)) + e.viscous_torque;
  for (int k = 0; k < 3; ++k) out(k, k) -= along;
  return out;
}

// derivative of ellipsoid_force(), in the axes of the ellipsoid
template <class S>
CORTEN_ENTRY Feedback<S> ellipsoid_slope(const Ellipsoid<S>& e, const LocalWrench<S>& v,
                                         const S& density) {
  const Vec3<S>&w = v.rotation, &u = v.translation;
  const Section<S> s = Section<S>::of(e.area2, u);
  const Vec3<S> momentum = e.added_mass.cwiseProduct(u), spin = e.added_inertia.cwiseProduct(w);
  Feedback<S> out;
  out.rr = skew(spin) + product_slope(e.added_inertia, w) + turn_slope(e, w, density);
  out.rt = skew(momentum) + product_slope(e.added_mass, u);
  out.tr = skew(momentum) - e.magnus * skew(u);
  out.tt = product_slope(e.added_mass, w) + e.magnus * skew(w) + kutta_slope(e, s, u) +
           drag_slope(e, s, u, density);
  return out;
}

template <class M, class D>
CORTEN_FN auto ellipsoid_slope_of(const M& m, const D& d, int g, bool symmetric) {
  using S = typename D::Scalar;
  const int body = m.geom_bodyid[g];
  const Mat3<S> axes = mat3<S>(d.geom_xmat, g);
  const Vec3<S> point = vec3<S>(d.geom_xpos, g);
  const auto v = velocity_in_medium(m, d, body, point, axes);
  Feedback<S> out = ellipsoid_slope(fluid_ellipsoid<S>(m, g), v, S(m.opt.density));
  if (symmetric) out = out.symmetric();
  return out.from_local(axes, point - vec3<S>(d.subtree_com, m.body_rootid[body]));
}

}  // namespace detail

}  // namespace corten
