// SPDX-License-Identifier: Apache-2.0
//
// How stiff each constraint row is. From solref and solimp come the impedance d(r), stiffness K and
// damping B of the reference acceleration, and the regularisation R = (1 - d)/d · diagA.
// MuJoCo documentation, Modeling, "Solver parameters". Writes efc_diagA efc_KBIP efc_R efc_D contact_mu.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/field.hpp>

namespace corten {

namespace detail {

template <class S>
struct SolverParameters {
  Vec<S, 2> ref;  // time constant and damping ratio, or -stiffness and -damping
  Vec<S, 5> imp;  // dmin dmax width midpoint power
};

// the parameters as they are used: formats not mixed, time constant not below two timesteps, impedance
// inside its bounds
template <class M, class S>
CORTEN_FN SolverParameters<S> sanitize(const M& m, SolverParameters<S> p) {
  const S low = S(0.0001), high = S(0.9999);
  if ((value(p.ref[0]) > 0) != (value(p.ref[1]) > 0)) p.ref = Vec<S, 2>(S(0.02), S(1));
  if (!m.opt.disabled(disable_refsafe) && value(p.ref[0]) > 0) {
    p.ref[0] = max(p.ref[0], S(S(2) * S(m.opt.timestep)));
  }
  p.imp[0] = clamp(p.imp[0], low, high);
  p.imp[1] = clamp(p.imp[1], low, high);
  p.imp[2] = max(p.imp[2], S(0));
  p.imp[3] = clamp(p.imp[3], low, high);
  p.imp[4] = max(p.imp[4], S(1));
  return p;
}

// x^p, without pow for the powers that are used
template <class S>
CORTEN_FN S power(const S& x, const S& p) {
  if (value(p) == 0) return S(1);
  if (value(p) == 1) return x;
  if (value(p) == 2) return x * x;
  return pow(x, p);
}

// impedance and its derivative at distance `pos` from the margin
template <class S>
CORTEN_FN void sigmoid(const Vec<S, 5>& imp, const S& pos, S& d, S& slope) {
  slope = S(0);
  if (value(imp[0]) == value(imp[1]) || !(value(imp[2]) > value_t<S>(min_value))) {
    d = S(0.5) * (imp[0] + imp[1]);
    return;
  }
  const S x = abs(pos) / imp[2];
  if (value(x) >= 1 || value(x) <= 0) {
    d = value(x) >= 1 ? imp[1] : imp[0];
    return;
  }
  S y = x, dy = S(1);
  const S p = imp[4], mid = imp[3];
  if (value(p) != 1 && value(x) <= value(mid)) {
    const S a = S(1) / power(mid, S(p - S(1)));
    y = a * power(x, p);
    dy = p * a * power(x, S(p - S(1)));
  } else if (value(p) != 1) {
    const S b = S(1) / power(S(S(1) - mid), S(p - S(1)));
    y = S(1) - b * power(S(S(1) - x), p);
    dy = p * b * power(S(S(1) - x), S(p - S(1)));
  }
  d = imp[0] + y * (imp[1] - imp[0]);
  slope = dy * (imp[1] - imp[0]) / imp[2] * (value(pos) < 0 ? S(-1) : S(1));
}

template <class M, class D>
CORTEN_FN auto row_parameters(const M& m, const D& d, int row) {
  using S = typename D::Scalar;
  const int id = d.efc_id[row];
  const auto of = [&](const auto& ref, const auto& imp) {
    return sanitize(m, SolverParameters<S>{vec<S, 2>(ref, id), vec<S, 5>(imp, id)});
  };
  const auto type = static_cast<ConstraintType>(d.efc_type[row]);
  if (type == ConstraintType::friction_dof) return of(m.dof_solref, m.dof_solimp);
  if (type == ConstraintType::friction_tendon) return of(m.tendon_solref_fri, m.tendon_solimp_fri);
  if (type == ConstraintType::limit_joint) return of(m.jnt_solref, m.jnt_solimp);
  if (type == ConstraintType::limit_tendon) return of(m.tendon_solref_lim, m.tendon_solimp_lim);
  return of(d.contact_solref, d.contact_solimp);
}

// approximate inverse inertia along the row, by how hard the bodies or joints were to move at qpos0
template <class M, class D>
CORTEN_FN auto inverse_weight(const M& m, const D& d, int row, int direction) {
  using S = typename D::Scalar;
  const int id = d.efc_id[row];
  const auto type = static_cast<ConstraintType>(d.efc_type[row]);
  if (type == ConstraintType::friction_dof) return S(m.dof_invweight0[id]);
  if (type == ConstraintType::limit_joint) return S(m.dof_invweight0[m.jnt_dofadr[id]]);
  if (type == ConstraintType::friction_tendon || type == ConstraintType::limit_tendon) {
    return S(m.tendon_invweight0[id]);
  }
  const int body1 = m.geom_bodyid[d.contact_geom[2 * id]];
  const int body2 = m.geom_bodyid[d.contact_geom[2 * id + 1]];
  const S translation = S(m.body_invweight0[2 * body1]) + S(m.body_invweight0[2 * body2]);
  if (type == ConstraintType::contact_frictionless) return translation;
  const S rotation = S(m.body_invweight0[2 * body1 + 1]) + S(m.body_invweight0[2 * body2 + 1]);
  const S mu = d.contact_friction[5 * id + direction];
  return S(translation + mu * mu * (direction < 2 ? translation : rotation));
}

template <class M, class D, class S>
CORTEN_FN void set_impedance(const M& m, const D& d, int row, const SolverParameters<S>& p,
                             const S& impedance, const S& slope, int direction) {
  const auto type = static_cast<ConstraintType>(d.efc_type[row]);
  const bool friction =
      type == ConstraintType::friction_dof || type == ConstraintType::friction_tendon;
  const S tiny = S(min_value), width = p.imp[1];
  Vec<S, 4> kbip;
  if (friction) {
    kbip[0] = S(0);
  } else if (value(p.ref[0]) > 0) {
    const S t = width * p.ref[0] * p.ref[1];
    kbip[0] = S(1) / max(tiny, S(t * t));
  } else {
    kbip[0] = -p.ref[0] / max(tiny, S(width * width));
  }
  kbip[1] = value(p.ref[1]) > 0 ? S(S(2) / max(tiny, S(width * p.ref[0])))
                                : S(-p.ref[1] / max(tiny, width));
  kbip[2] = impedance;
  kbip[3] = slope;
  store(d.efc_KBIP, row, kbip);
  d.efc_R[row] =
      max(tiny, S((S(1) - impedance) * inverse_weight(m, d, row, direction) / impedance));
}

}  // namespace detail

template <class M, class D>
CORTEN_FN void impedance(const M& m, const D& d) {
  using S = typename D::Scalar;
  for (int row = 0; row < d.nefc;) {
    const auto p = detail::row_parameters(m, d, row);
    S imp, slope;
    detail::sigmoid(p.imp, S(d.efc_pos[row] - d.efc_margin[row]), imp, slope);
    const bool pyramid =
        d.efc_type[row] == static_cast<int>(ConstraintType::contact_pyramidal);
    const int id = d.efc_id[row], count = pyramid ? 2 * (d.contact_dim[id] - 1) : 1;
    for (int k = 0; k < count; ++k) detail::set_impedance(m, d, row + k, p, imp, slope, k / 2);

    // one R for all edges of a pyramid, matching the friction impedance of the elliptic cone
    if (pyramid) {
      const S ratio = S(1) / max(S(min_value), S(m.opt.impratio));
      d.contact_mu[id] = d.contact_friction[5 * id] * sqrt(ratio);
      const S R = S(2) * d.contact_mu[id] * d.contact_mu[id] * d.efc_R[row];
      for (int k = 0; k < count; ++k) d.efc_R[row + k] = R;
    }
    for (int k = row; k < row + count; ++k) {
      d.efc_D[k] = S(1) / d.efc_R[k];
      d.efc_diagA[k] = d.efc_R[k] * imp / (S(1) - imp);
    }
    row += count;
  }
}

}  // namespace corten
