// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of contact forces at constant acceleration. Where and how deep two geoms touch is
// differentiated by dual numbers over the six motions of one body at a time; collider and frame are
// the templates that the stages use. The rest follows in closed form: the rows of a contact are
// combinations of dim directions (normal, two tangents, and rotations about them), so its force is
// a vector F of dim numbers that depends on
//
//   the acceleration α and velocity ν along the directions    ∂F = -H (∂α + B ∂ν)
//   the distance     through the reference acceleration, and through the impedance, with which all
//                    forces of the contact scale
//
// where H is the curvature of the contact's cost. Adhesion, of surfaces or by actuators, pulls
// along the normal with a force that does not depend on the pose.
#pragma once

#include <corten/actuator/adhesion.hpp>
#include <corten/actuator/common.hpp>
#include <corten/collide/filter.hpp>
#include <corten/derive/analytic/element_slope.hpp>
#include <corten/derive/analytic/surface_slope.hpp>
#include <corten/solver/problem.hpp>
#include <corten/stage/collision.hpp>

namespace corten::derive::analytic {

// the force of a contact and how it changes, along its directions
template <class T>
struct ContactForce {
  int dim = 0;
  T force[6] = {}, damping[6] = {};
  T curvature[6][6] = {};
  T by_distance[6] = {};  // through reference acceleration and impedance
};

namespace detail {

// H, the force and its response to the reference acceleration, from the edges of a pyramid
template <class D, class T>
void sum_edges(const D& d, int c, int row, ContactForce<T>& out, T* pulled) {
  for (int e = 0; e < 2 * (out.dim - 1); ++e) {
    const int k = e / 2 + 1, r = row + e;
    const T side = T(e % 2 == 0 ? 1 : -1) * d.contact_friction[5 * c + k - 1], f = d.efc_force[r];
    out.force[0] += f;
    out.force[k] += side * f;
    if (d.efc_state[r] != static_cast<int>(ConstraintState::quadratic)) continue;
    const T stiff = d.efc_D[r];
    out.curvature[0][0] += stiff;
    out.curvature[0][k] += stiff * side;
    out.curvature[k][0] += stiff * side;
    out.curvature[k][k] += stiff * side * side;
    pulled[0] += stiff;
    pulled[k] += stiff * side;
  }
}

// the same from rows that are the directions themselves; p holds their residuals
template <class D, class P, class T>
void read_directions(const D& d, const P& p, int row, ContactForce<T>& out, T* pulled) {
  const auto zone = static_cast<ConstraintState>(d.efc_state[row]);
  for (int k = 0; k < out.dim; ++k) {
    out.force[k] = d.efc_force[row + k];
    if (zone == ConstraintState::quadratic) out.curvature[k][k] = d.efc_D[row + k];
  }
  if (P::may_be_elliptic && zone == ConstraintState::cone) {
    const ConeScale<T> scale = cone_scale(p, row, out.dim);
    const ConePoint<T> at = cone_point(scale, cone_rows<T>(p.Jaref, row, out.dim));
    const T stiffness = cone_stiffness(scale, T(d.efc_D[row]));
    for (int i = 0; i < out.dim; ++i) {
      for (int k = 0; k < out.dim; ++k) {
        out.curvature[i][k] = cone_curvature(scale, at, stiffness, i, k);
      }
    }
  }
  for (int k = 0; k < out.dim; ++k) pulled[k] = out.curvature[k][0];
}

}  // namespace detail

template <class M>
bool acts_by_adhesion(const M& m, int a) {
  return m.actuator_trntype[a] == static_cast<int>(TransmissionType::body);
}

// Does anything pull at contacts besides their rows?
template <class M>
bool has_adhesion(const M& m) {
  bool out = m.n.nadhesion > 0;
  for (int a = 0; a < m.n.nactuator; ++a) out = out || acts_by_adhesion(m, a);
  return out;
}

// The force of adhesion along the normal of contact c, which is negative when it pulls.
template <class M, class D>
auto adhesion_force(const M& m, const D& d, int c) {
  using T = typename D::Scalar;
  T out = T(0);
  const int excluded = d.contact_exclude[c];
  if (excluded > 1) return out;
  const bool passive = !m.opt.disabled(disable_spring) || !m.opt.disabled(disable_damper);
  if (passive) out -= d.contact_adhesion[c];
  if (m.opt.disabled(disable_actuation) || (excluded != 1 && d.contact_efc_address[c] < 0)) {
    return out;
  }
  for (int a = 0; a < m.n.nactuator; ++a) {
    if (!acts_by_adhesion(m, a) || actuator_disabled(m, a)) continue;
    const int body = m.actuator_trnid[2 * a];
    if (!corten::detail::touches(m, d, body, c)) continue;
    int count = 0;
    for (int k = 0; k < d.ncon; ++k) count += corten::detail::touches(m, d, body, k) ? 1 : 0;
    const int o = m.actuator_outadr[a];
    out -= d.actuator_force[o] / T(count);
  }
  return out;
}

template <class D, class P>
auto contact_force_slope(const D& d, const P& p, int c) {
  using T = typename D::Scalar;
  const int row = d.contact_efc_address[c];
  if (row < 0) {
    ContactForce<T> alone;
    alone.dim = 1;
    return alone;
  }
  const bool pyramid = d.efc_type[row] == static_cast<int>(ConstraintType::contact_pyramidal);
  ContactForce<T> out;
  T pulled[6] = {};
  out.dim = d.contact_dim[c];
  if (pyramid) {
    detail::sum_edges(d, c, row, out, pulled);
  } else {
    detail::read_directions(d, p, row, out, pulled);
  }
  const Vec<T, 4> kbip = vec<T, 4>(d.efc_KBIP, row);
  const T depth = d.efc_pos[row] - d.efc_margin[row];
  const T pull = kbip[0] * (kbip[3] * depth + kbip[2]);
  // edges of a pyramid share an R that follows from that of the normal (constraint/contact.hpp)
  const T mu = d.contact_mu[c], share = pyramid ? T(T(2) * mu * mu) : T(1);
  const T growth = kbip[3] * stiffness_growth(kbip[2], T(d.efc_R[row]), T(share * T(min_value)));
  // the reference acceleration makes up for adhesion by R times its force
  const int edges = pyramid ? 2 * (out.dim - 1) : 1;
  const T stick = growth * d.efc_R[row] * d.contact_adhesion[c] / T(edges);
  for (int k = 0; k < out.dim; ++k) {
    out.damping[k] = pyramid ? kbip[1] : d.efc_KBIP[4 * (row + k) + 1];
    out.by_distance[k] = growth * out.force[k] - (pull + stick) * pulled[k];
  }
  return out;
}

// A contact as the two bodies feel it. Side 0 is the first geom's body; its force has the opposite
// sign.
template <class T>
struct ContactMotion {
  int body[2];
  Vec3<T> arm[2];  // from the centre of the tree to the contact
  Vec3<T> axis[3];
  Vec3<T> pull, spin;      // relative acceleration at the contact, linear and angular
  Vec3<T> velocity, turn;  // relative velocity
  SurfaceMotion<T> surface;

  template <class M, class D>
  static ContactMotion of(const M& m, const D& d, const Workspace<T>& w, int c) {
    ContactMotion out;
    const Vec3<T> point = vec3<T>(d.contact_pos, c);
    const Mat3<T> frame = mat3<T>(d.contact_frame, c);
    Vec6<T> a[2], v[2];
    for (int s = 0; s < 2; ++s) {
      const int b = m.geom_bodyid[d.contact_geom[2 * c + s]];
      out.body[s] = b;
      out.arm[s] = point - vec3<T>(d.subtree_com, m.body_rootid[b]);
      a[s] = shifted(vec6<T>(w.push, b), out.arm[s]);
      v[s] = shifted(vec6<T>(d.cvel, b), out.arm[s]);
    }
    for (int k = 0; k < 3; ++k) out.axis[k] = frame.row(k);
    const Vec6<T> da = a[1] - a[0], dv = v[1] - v[0];
    out.spin = da.template head<3>(), out.pull = da.template tail<3>();
    out.turn = dv.template head<3>(), out.velocity = dv.template tail<3>();
    out.surface = SurfaceMotion<T>::of(m, d, c);
    return out;
  }

  // a motion about a point at `arm` from where it is given
  static Vec6<T> shifted(const Vec6<T>& x, const Vec3<T>& arm) {
    const Vec3<T> turn = x.template head<3>();
    return Vec6<T>(turn, x.template tail<3>() + cross(turn, arm));
  }

  // the wrench of unit force along direction k on side s, about the centre of its tree
  Vec6<T> unit(int s, int k) const {
    const Vec3<T>& n = axis[k % 3];
    return k < 3 ? Vec6<T>(cross(arm[s], n), n) : Vec6<T>(n, Vec3<T>::Zero());
  }
  static T sign(int s) { return T(s == 0 ? -1 : 1); }
};

// -G' H G and -G' H B G between sides s (whose force changes) and o (which moves)
template <class T>
void add_curvature(const ContactForce<T>& f, const ContactMotion<T>& at, int s, int o,
                   ForceSlope<T>& out) {
  Vec6<T> force[6], motion[6];
  const T sign = -at.sign(s) * at.sign(o);
  for (int k = 0; k < f.dim; ++k) force[k] = at.unit(s, k), motion[k] = at.unit(o, k);
  T a[36] = {}, v[36] = {};
  for (int k = 0; k < f.dim; ++k) {
    Vec6<T> ha = Vec6<T>::Zero(), hv = ha;
    for (int l = 0; l < f.dim; ++l) {
      const T h = sign * f.curvature[k][l];
      ha += motion[l] * h;
      hv += motion[l] * T(h * f.damping[l]);
    }
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) a[6 * i + j] += force[k][i] * ha[j];
      for (int j = 0; j < 6; ++j) v[6 * i + j] += force[k][i] * hv[j];
    }
  }
  const auto blocks = [](const T* x, Feedback<T>& to) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        to.rr(i, j) = x[6 * i + j], to.rt(i, j) = x[6 * i + 3 + j];
        to.tr(i, j) = x[6 * i + 18 + j], to.tt(i, j) = x[6 * i + 21 + j];
      }
    }
  };
  blocks(a, out.acceleration);
  blocks(v, out.velocity);
}

// How a contact changes when one side moves along its motion n, of which hit and frame carry the
// tangent: its point, its axes, and its forces along them.
template <class T>
struct ContactChange {
  Vec3<T> shift, turned[3];
  T force[6] = {};

  template <class S>
  ContactChange(const ContactForce<T>& f, const ContactMotion<T>& at, int o, const Hit<S>& hit,
                const Mat3<S>& frame, int n) {
    for (int k = 0; k < 3; ++k) {
      shift[k] = tangent(hit.pos[k], n);
      for (int l = 0; l < 3; ++l) turned[k][l] = tangent(frame(k, l), n);
    }
    // accelerations and velocities along the directions, times damping, then forces
    T change[6];
    const Vec3<T> pull = cross(at.spin, shift), drag = cross(at.turn, shift);
    for (int k = 0; k < f.dim; ++k) {
      const Vec3<T>& dn = turned[k % 3];
      const Vec3<T>& axis = at.axis[k % 3];
      const T a = k < 3 ? dn.dot(at.pull) + axis.dot(pull) : dn.dot(at.spin);
      const T v = k < 3 ? dn.dot(at.velocity) + axis.dot(drag) : dn.dot(at.turn);
      change[k] = a + f.damping[k] * v;
    }
    if (at.surface.moves) {
      Vec3<T> slide, spin;
      at.surface.change(o, n, shift, slide, spin);
      for (int k = 1; k < f.dim && k < 4; ++k) {
        const T v = k < 3 ? turned[k].dot(at.surface.slide) + at.axis[k].dot(slide)
                          : turned[0].dot(at.surface.spin) + at.axis[0].dot(spin);
        change[k] += f.damping[k] * v;
      }
    }
    for (int k = 0; k < f.dim; ++k) {
      force[k] = f.by_distance[k] * tangent(hit.dist, n);
      for (int l = 0; l < f.dim; ++l) force[k] -= f.curvature[k][l] * change[l];
    }
  }
};

// Writes column n of `pose` of both sides.
template <class T>
void add_pose_column(const ContactForce<T>& f, const ContactMotion<T>& at,
                     const ContactChange<T>& by, int n, ForceSlope<T> (&out)[2]) {
  Vec3<T> force = Vec3<T>::Zero(), torque = force, push = force;
  for (int k = 0; k < f.dim; ++k) {
    (k < 3 ? force : torque) += at.axis[k % 3] * by.force[k] + by.turned[k % 3] * f.force[k];
    if (k < 3) push += at.axis[k] * f.force[k];
  }
  for (int s = 0; s < 2; ++s) {
    const Vec3<T> moment = cross(by.shift, push) + cross(at.arm[s], force) + torque;
    for (int i = 0; i < 3; ++i) {
      (n < 3 ? out[s].pose.rr : out[s].pose.rt)(i, n % 3) = at.sign(s) * moment[i];
      (n < 3 ? out[s].pose.tr : out[s].pose.tt)(i, n % 3) = at.sign(s) * force[i];
    }
  }
}

// the slopes of the forces on both sides with the pose of one of them
template <class T, class S>
void contact_pose(const ContactForce<T>& f, const ContactMotion<T>& at, int o, const Hit<S>& hit,
                  ForceSlope<T> (&out)[2]) {
  const Mat3<S> frame = make_frame(hit.normal, hit.tangent);
  for (int n = 0; n < 6; ++n) {
    add_pose_column(f, at, ContactChange<T>(f, at, o, hit, frame, n), n, out);
  }
}

// the wrench on side s
template <class T>
Vec6<T> contact_wrench(const ContactForce<T>& f, const ContactMotion<T>& at, int s) {
  Vec6<T> out = Vec6<T>::Zero();
  for (int k = 0; k < f.dim; ++k) out += at.unit(s, k) * T(at.sign(s) * f.force[k]);
  return out;
}

// The adjoint of a contact by the motion of side o. The motions ẑ of both bodies are `own` along
// the contact's directions, so ẑ · W = own · F, and u is the response of the forces to it.
template <class T>
struct ContactPull {
  Vec6<T> velocity = Vec6<T>::Zero(), acceleration = Vec6<T>::Zero();  // gradients by those of o
  T by_distance = T(0), drag[4] = {};
  Vec3<T> by_shift = Vec3<T>::Zero(), by_axis[3] = {by_shift, by_shift, by_shift};

  ContactPull(const Workspace<T>& w, int o, const ContactForce<T>& f, const ContactMotion<T>& at) {
    using Motion = ContactMotion<T>;
    const Vec6<T> z = Motion::shifted(vec6<T>(w.motion, at.body[1]), at.arm[1]) -
                      Motion::shifted(vec6<T>(w.motion, at.body[0]), at.arm[0]);
    const Vec3<T> turn = z.template head<3>(), move = z.template tail<3>();
    T own[6];
    for (int k = 0; k < f.dim; ++k) {
      own[k] = at.axis[k % 3].dot(k < 3 ? move : turn);
      by_distance += own[k] * f.by_distance[k];
    }
    Vec3<T> push = Vec3<T>::Zero();
    for (int k = 0; k < f.dim; ++k) {
      T u = T(0);
      for (int l = 0; l < f.dim; ++l) u += f.curvature[k][l] * own[l];
      const Vec6<T> unit = at.unit(o, k) * T(-Motion::sign(o) * u);
      acceleration += unit;
      velocity += unit * f.damping[k];
      const T slow = u * f.damping[k];
      if (k < 3) {
        by_axis[k] = move * f.force[k] - at.pull * u - at.velocity * slow;
        by_shift -= cross(at.axis[k], Vec3<T>(at.spin * u + at.turn * slow));
        push += at.axis[k] * f.force[k];
      } else {
        by_axis[k - 3] += turn * f.force[k] - at.spin * u - at.turn * slow;
      }
      if (k > 0 && k < 4) drag[k] = slow;
    }
    by_shift += cross(push, turn);
    for (int k = 1; k < 4 && at.surface.moves; ++k) {
      by_axis[k % 3] -= (k < 3 ? at.surface.slide : at.surface.spin) * drag[k];
    }
  }

  // the gradient by the pose of o, along whose motions the hit has tangents
  template <class S>
  Vec6<T> pose(int o, const ContactMotion<T>& at, const Hit<S>& hit) const {
    Vec6<T> p;
    bool turns = false;  // those of the world's planes do not
    for (int n = 0; n < 6; ++n) {
      T sum = by_distance * tangent(hit.dist, n);
      for (int l = 0; l < 3; ++l) {
        sum += by_shift[l] * tangent(hit.pos[l], n);
        turns = turns || tangent(hit.normal[l], n) != T(0) || tangent(hit.tangent[l], n) != T(0);
      }
      p[n] = sum;
    }
    if (turns) {
      const Mat3<S> frame = make_frame(hit.normal, hit.tangent);
      for (int n = 0; n < 6; ++n) {
        for (int k = 0; k < 3; ++k) {
          for (int l = 0; l < 3; ++l) p[n] += by_axis[k][l] * tangent(frame(k, l), n);
        }
      }
    }
    for (int n = 0; n < 6 && at.surface.moves; ++n) {
      Vec3<T> shift, slide, spin;
      for (int l = 0; l < 3; ++l) shift[l] = tangent(hit.pos[l], n);
      at.surface.change(o, n, shift, slide, spin);
      p[n] -= drag[1] * at.axis[1].dot(slide) + drag[2] * at.axis[2].dot(slide) +
              drag[3] * at.axis[0].dot(spin);
    }
    return p;
  }
};

// the effect of side o's motion on both sides of contact c
template <class M, class D, class T, class S>
void add_contact(const M& m, const D& d, const Workspace<T>& w, int o, const ContactForce<T>& f,
                 const ContactMotion<T>& at, const Hit<S>& hit) {
  if (w.pulled != nullptr) {
    const ContactPull<T> pull(w, o, f, at);
    pull_force_of(w, at.body[o], contact_wrench(f, at, o));
    return pull_slopes_of(d, w, at.body[o], pull.pose(o, at, hit), pull.velocity,
                          pull.acceleration);
  }
  ForceSlope<T> slopes[2];
  contact_pose(f, at, o, hit, slopes);
  add_curvature(f, at, o, o, slopes[o]);
  add_force(d, w, at.body[o], contact_wrench(f, at, o), slopes[o]);
  if (m.body_weldid[at.body[1 - o]] == 0) return;
  add_curvature(f, at, 1 - o, o, slopes[1 - o]);
  add_coupling(m, d, w, at.body[1 - o], at.body[o], slopes[1 - o]);
}

// calls f(number, hit) for each hit of two geoms, as the collision stage found them
template <class M, class E, class S, class F>
int each_hit(const M& m, const E& dual, int g1, int g2, Hit<S>* hits, F&& f) {
  using List = typename M::Policies::Colliders;
  int pair = -1;
  for (int c = 0; m.n.npair > 0 && c < m.n.ncandidate; ++c) {
    if (m.candidate_geom[2 * c] == g1 && m.candidate_geom[2 * c + 1] == g2) {
      pair = m.candidate_pair[c];
    }
  }
  const S reach = contact_margin<S>(m, g1, g2, pair) + contact_gap<S>(m, g1, g2, pair);
  Effort<S> effort = corten::detail::effort_of(m, dual);
  const corten::detail::ShapeLoader<M, E> first(m, dual, g1), second(m, dual, g2);
  const auto type1 = static_cast<GeomType>(m.geom_type[g1]);
  const auto type2 = static_cast<GeomType>(m.geom_type[g2]);
  int found = List::collide(type1, type2, first, second, reach, effort, hits);
  if (found != List::no_limit) {
    for (int i = 0; i < found; ++i) f(i, hits[i]);
    return found;
  }
  found = 0;
  List::stream(type1, type2, first, second, reach, effort,
               [&](const Hit<S>& hit) { f(found++, hit); });
  return found;
}

// Do the rows of a contact push, or respond to changes? If not, all its derivatives are zero.
template <class D>
bool contact_acts(const D& d, int c) {
  const int row = d.contact_efc_address[c], dim = d.contact_dim[c];
  if (row < 0) return false;
  const bool pyramid = d.efc_type[row] == static_cast<int>(ConstraintType::contact_pyramidal);
  for (int r = row; r < row + (pyramid ? 2 * (dim - 1) : dim); ++r) {
    if (d.efc_state[r] != static_cast<int>(ConstraintState::satisfied)) return true;
  }
  return false;
}

// Calls f(contact, side, hit) for each contact that may push or pull and each side of it that
// moves, where the hit has tangents along the motions of that side. Returns false if the collider
// with duals does not find the contacts that the collision stage found, whose derivatives then
// remain unknown.
template <class M, class D, class E, class S, class F>
bool each_contact_tangent(const M& m, const D& d, const E& dual, Hit<S>* hits, bool sticks, F&& f) {
  using T = typename D::Scalar;
  for (int first = 0, end; first < d.ncon; first = end) {
    const int g[2] = {d.contact_geom[2 * first], d.contact_geom[2 * first + 1]};
    bool rows = false;
    for (end = first;
         end < d.ncon && d.contact_geom[2 * end] == g[0] && d.contact_geom[2 * end + 1] == g[1];
         ++end) {
      rows = rows || sticks || contact_acts(d, end);
    }
    for (int o = 0; rows && o < 2; ++o) {
      if (m.body_weldid[m.geom_bodyid[g[o]]] == 0) continue;
      for (int s = 0; s < 2; ++s) {
        const Vec3<T> com = vec3<T>(d.subtree_com, m.body_rootid[m.geom_bodyid[g[s]]]);
        place_frame(d.geom_xpos, d.geom_xmat, dual.geom_xpos, dual.geom_xmat, g[s], com, s == o);
      }
      const int found = each_hit(m, dual, g[0], g[1], hits, [&](int i, const Hit<S>& hit) {
        const int c = first + i;
        if (c < end && (sticks || contact_acts(d, c))) f(c, o, hit);
      });
      if (found != end - first) return false;
    }
  }
  return true;
}

// Adds all contacts. Returns false if some derivative remains unknown.
template <class M, class D, class E, class P, class T, class S>
bool contact_slopes(const M& m, const D& d, const E& dual, const P& p, const Workspace<T>& w,
                    Hit<S>* hits) {
  const bool sticks = has_adhesion(m);
  return each_contact_tangent(m, d, dual, hits, sticks, [&](int c, int o, const Hit<S>& hit) {
    ContactForce<T> force = contact_force_slope(d, p, c);
    if (sticks) force.force[0] += adhesion_force(m, d, c);
    add_contact(m, d, w, o, force, ContactMotion<T>::of(m, d, w, c), hit);
  });
}

}  // namespace corten::derive::analytic
