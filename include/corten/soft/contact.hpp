// SPDX-License-Identifier: Apache-2.0
//
// A vertex of a soft body against a geom, as a constraint of the solver: it keeps the vertex
// outside the plane that touches the geom at the nearest point and moves along with it.
//
// Its stiffness is MuJoCo's (solref, solimp). A MuJoCo contact asks for a + R f = -b v - k d r: the
// acceleration a of the gap r, the force f >= 0, the impedance d. Over a substep h the gap becomes
// r + h v + h² a, so the same request in terms of positions is
//
//     gap - goal + R λ = 0,    goal = r + h (1 - h b) v - h² k d r,    λ = h² f
//
// an XPBD constraint with compliance R. Friction asks for a = -b v along the tangents, without a
// regularisation, like MuJoCo's noslip solver: a vertex that sticks does not creep. It is limited
// to the circular cone |f_t| <= μ f. A vertex does not turn, so torsional and rolling friction do
// not act on it.
#pragma once

#include <corten/collide/parameters.hpp>
#include <corten/soft/rigid.hpp>
#include <corten/stage/impedance.hpp>

namespace corten {

// The parameters of the contacts between a soft body and a geom, mixed as those of two geoms.
template <class S, class M>
CORTEN_FN ContactParameters<S> soft_parameters(const M& m, int soft, int geom) {
  ContactParameters<S> a;
  a.dim = m.soft_condim[soft];
  a.solref = vec<S, 2>(m.soft_solref, soft);
  a.solimp = vec<S, 5>(m.soft_solimp, soft);
  a.friction = unpack_friction(vec3<S>(m.soft_friction, soft));
  const ContactParameters<S> b = detail::geom_parameters<S>(m, geom);
  const int priority = m.soft_priority[soft] - m.geom_priority[geom];
  ContactParameters<S> p = a;
  if (priority < 0) p = b;
  if (priority == 0) {
    const S weight =
        solver_mix(static_cast<S>(m.soft_solmix[soft]), static_cast<S>(m.geom_solmix[geom]));
    p = detail::mixed_parameters(a, b, weight);
  }
  for (int k = 0; k < 5; ++k) {
    if (m.soft_geomean[soft] != 0) p.friction[k] = safe_sqrt(S(a.friction[k] * b.friction[k]));
    p.friction[k] = max(S(min_friction), p.friction[k]);
  }
  return p;
}

// The collision constraint by itself: C = gap - goal >= 0 along a normal, for a vertex at `gap`
// with inverse mass `weight` against something of inverse mass `other`. Returns the change of the
// multiplier, which never becomes negative: nothing sticks. The vertex moves by weight · change.
template <class S>
CORTEN_FN S project_collision(const S& gap, const S& goal, const S& weight, const S& other,
                              const S& compliance, S& lambda) {
  const S sum = weight + other + compliance;
  if (!(value(sum) > 0)) return S(0);
  const S before = lambda;
  lambda = max(S(0), S(lambda - (gap - goal + compliance * lambda) / sum));
  return lambda - before;
}

namespace detail {

// stiffness, damping and impedance of a contact with gap r, at a substep h
template <class S>
struct SoftImpedance {
  S k, b, d;

  template <class M>
  CORTEN_FN SoftImpedance(const M& m, const ContactParameters<S>& p, const S& r, const S& h) {
    SolverParameters<S> given;
    given.ref = p.solref;
    given.imp = p.solimp;
    SolverParameters<S> s = sanitize(m, given);
    // the time constant is at least two substeps, not two steps
    if (value(p.solref[0]) > 0 && value(p.solref[1]) > 0) {
      s.ref[0] = m.opt.disabled(disable_refsafe) ? p.solref[0] : max(p.solref[0], S(S(2) * h));
    }
    S slope;
    sigmoid(s.imp, r, d, slope);
    const S tiny = S(min_value), width = s.imp[1];
    const S t = width * s.ref[0] * s.ref[1];
    const bool standard = value(s.ref[0]) > 0;
    k = standard ? S(S(1) / max(tiny, S(t * t))) : S(-s.ref[0] / max(tiny, S(width * width)));
    b = standard ? S(S(2) / max(tiny, S(width * s.ref[0]))) : S(-s.ref[1] / max(tiny, width));
  }
};

// A contact of the data as the solver sees it. Its row: three inverse masses of the body along the
// normal and the tangents, three goals, compliance, friction, three multipliers.
template <class M, class D>
class SoftContact {
  using S = typename D::Scalar;
  using Body = SoftRigid<M, D>;

 public:
  CORTEN_FN SoftContact(const M& m, const D& d, int contact, int soft)
      : d_(d),
        row_(d.scon_row.from(11 * contact)),
        vert_(d.scon_vert[contact]),
        body_(Body::body_of(m, d.scon_geom[contact])),
        rigid_(m, d, body_ > 0 ? body_ : 0),
        pos_(vec3<S>(d.scon_pos, contact)),
        frame_(make_frame(vec3<S>(d.scon_normal, contact))),
        radius_(S(m.soft_radius[soft])) {}

  // once a step: how much the body yields
  CORTEN_FN void weigh() const {
    for (int k = 0; k < 3; ++k) {
      row_[k] = S(0);
      if (body_ < 0) continue;
      const Vec6<S> f = rigid_.wrench(pos_, frame_.row(k));
      row_[k] = f.dot(rigid_.respond(f));
    }
  }

  // at the start of substep `step` of length h
  CORTEN_FN void begin(const M& m, const ContactParameters<S>& p, int step, const S& h) const {
    Vec3<S> gap = vec3<S>(d_.soft_x, vert_) - pos_, speed = vec3<S>(d_.soft_v, vert_);
    if (body_ >= 0) {
      gap -= rigid_.at(pos_, rigid_.shift());
      speed -= rigid_.at(pos_, Vec6<S>(rigid_.velocity() + rigid_.acceleration() * (S(step) * h) +
                                       rigid_.respond(rigid_.impulse())));
    }
    const S r = gap.dot(frame_.row(0)) - radius_;
    const SoftImpedance<S> impedance(m, p, r, h);
    const S fade = h * (S(1) - h * impedance.b);
    const S v = speed.dot(frame_.row(0));
    // a vertex that has left the surface within the step is only kept from coming back through it
    row_[3] = value(r) < 0 ? S(r + fade * v - h * h * impedance.k * impedance.d * r) : S(0);
    row_[4] = fade * speed.dot(frame_.row(1));
    row_[5] = fade * speed.dot(frame_.row(2));
    row_[6] =
        value(r) < 0 ? S((S(1) - impedance.d) / impedance.d * (d_.soft_w[vert_] + row_[0])) : S(0);
    row_[7] = p.dim > 1 ? p.friction[0] : S(0);
    for (int k = 8; k < 11; ++k) row_[k] = S(0);
  }

  // moves vertex and body: first along the normal, then against slip
  CORTEN_FN void project(const S& h) const {
    const S w = d_.soft_w[vert_];
    if (!(value(w) > 0)) return;
    const S change = project_collision(S(offset(false).dot(frame_.row(0)) - radius_), S(row_[3]), w,
                                       S(row_[0]), S(row_[6]), row_[8]);
    push(Vec3<S>(frame_.row(0) * change), h);
    if (!(value(row_[7]) > 0)) return;

    const Vec3<S> slip = offset(true);
    S next[2];
    for (int k = 0; k < 2; ++k) {
      next[k] = row_[9 + k] - (slip.dot(frame_.row(1 + k)) - row_[4 + k]) / (w + row_[1 + k]);
    }
    const S most = row_[7] * row_[8], size = safe_sqrt(S(next[0] * next[0] + next[1] * next[1]));
    const S scale = value(size) > value(most) ? S(most / size) : S(1);
    Vec3<S> force = Vec3<S>::Zero();
    for (int k = 0; k < 2; ++k) {
      force += frame_.row(1 + k) * (next[k] * scale - row_[9 + k]);
      row_[9 + k] = next[k] * scale;
    }
    push(force, h);
  }

  // h² times the force on the vertex in this substep
  CORTEN_FN Vec3<S> force() const {
    return frame_.row(0) * row_[8] + frame_.row(1) * row_[9] + frame_.row(2) * row_[10];
  }

 private:
  // the vertex relative to its point on the geom; or how far it has moved along it in this substep
  CORTEN_FN Vec3<S> offset(bool moved) const {
    Vec3<S> out = vec3<S>(d_.soft_x, vert_) - (moved ? vec3<S>(d_.soft_x0, vert_) : pos_);
    if (body_ < 0) return out;
    const Vec6<S> move = rigid_.move();
    return out - rigid_.at(pos_, moved ? move : Vec6<S>(rigid_.shift() + move));
  }

  CORTEN_FN void push(const Vec3<S>& change, const S& h) const {
    store(d_.soft_x, vert_, Vec3<S>(vec3<S>(d_.soft_x, vert_) + change * d_.soft_w[vert_]));
    if (body_ < 0) return;
    const Vec6<S> f = rigid_.wrench(pos_, Vec3<S>(-change));
    rigid_.set(Body::at_move, Vec6<S>(rigid_.move() + rigid_.respond(f)));
    rigid_.set(Body::at_impulse, Vec6<S>(rigid_.impulse() + f * (S(1) / h)));
  }

  const D& d_;
  decltype(D::scon_row) row_;
  int vert_, body_;
  Body rigid_;
  Vec3<S> pos_;
  Mat3<S> frame_;
  S radius_;
};

}  // namespace detail

}  // namespace corten
