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
  if (type == ConstraintType::equality) return of(m.eq_solref, m.eq_solimp);
  if (type == ConstraintType::friction_dof) return of(m.dof_solref, m.dof_solimp);
  if (type == ConstraintType::friction_tendon) return of(m.tendon_solref_fri, m.tendon_solimp_fri);
  if (type == ConstraintType::limit_joint) return of(m.jnt_solref, m.jnt_solimp);
  if (type == ConstraintType::limit_tendon) return of(m.tendon_solref_lim, m.tendon_solimp_lim);
  return of(d.contact_solref, d.contact_solimp);
}

// how many rows from `row` on belong together: the edges of a pyramid, the axes of an elliptic cone, the
// components of a connect or weld
template <class M, class D>
CORTEN_FN int row_group(const M& m, const D& d, int row) {
  const int id = d.efc_id[row];
  const auto type = static_cast<ConstraintType>(d.efc_type[row]);
  if (type == ConstraintType::contact_pyramidal) return 2 * (d.contact_dim[id] - 1);
  if (type == ConstraintType::contact_elliptic) return d.contact_dim[id];
  if (type == ConstraintType::equality)
    return equality_rows(static_cast<EqualityType>(m.eq_type[id]));
  return 1;
}

// sum of the inverse weights of two bodies, in translation (0) or rotation (1)
template <class S, class M>
CORTEN_FN S inverse_weight_of(const M& m, int body1, int body2, int rotation) {
  return S(m.body_invweight0[2 * body1 + rotation]) + S(m.body_invweight0[2 * body2 + rotation]);
}

// the same along row k of an equality constraint
template <class S, class M>
CORTEN_FN S equality_weight(const M& m, int e, int k) {
  const int first = m.eq_obj1id[e], second = m.eq_obj2id[e];
  const auto type = static_cast<EqualityType>(m.eq_type[e]);
  if (type == EqualityType::joint) {
    const S one = S(m.dof_invweight0[m.jnt_dofadr[first]]);
    return second < 0 ? one : S(one + S(m.dof_invweight0[m.jnt_dofadr[second]]));
  }
  if (type == EqualityType::tendon) {
    const S one = S(m.tendon_invweight0[first]);
    return second < 0 ? one : S(one + S(m.tendon_invweight0[second]));
  }
  const auto objects = static_cast<ObjectType>(m.eq_objtype[e]);
  const auto body = [&](int id) {
    if (objects == ObjectType::site) return int(m.site_bodyid[id]);
    return objects == ObjectType::geom ? int(m.geom_bodyid[id]) : id;
  };
  return inverse_weight_of<S>(m, body(first), body(second), k > 2 ? 1 : 0);
}

// approximate inverse inertia along the row, which is number k of its group, by how hard the bodies or
// joints were to move at qpos0
template <class M, class D>
CORTEN_FN auto inverse_weight(const M& m, const D& d, int row, int k) {
  using S = typename D::Scalar;
  const int id = d.efc_id[row];
  const auto type = static_cast<ConstraintType>(d.efc_type[row]);
  if (type == ConstraintType::equality) return equality_weight<S>(m, id, k);
  if (type == ConstraintType::friction_dof) return S(m.dof_invweight0[id]);
  if (type == ConstraintType::limit_joint) return S(m.dof_invweight0[m.jnt_dofadr[id]]);
  if (type == ConstraintType::friction_tendon || type == ConstraintType::limit_tendon) {
    return S(m.tendon_invweight0[id]);
  }
  const int body1 = m.geom_bodyid[d.contact_geom[2 * id]];
  const int body2 = m.geom_bodyid[d.contact_geom[2 * id + 1]];
  const S translation = inverse_weight_of<S>(m, body1, body2, 0);
  if (type == ConstraintType::contact_frictionless) return translation;
  const S rotation = inverse_weight_of<S>(m, body1, body2, 1);
  if (type == ConstraintType::contact_elliptic) return k < 3 ? translation : rotation;
  const S mu = d.contact_friction[5 * id + k / 2];
  return S(translation + mu * mu * (k / 2 < 2 ? translation : rotation));
}

// the inverse inertia J M⁻¹ J' along a row, as it is: with M = L'DL the squares of L'⁻¹ J' over D
template <class M, class D>
CORTEN_FN auto exact_weight(const M& m, const D& d, int row) {
  using S = typename D::Scalar;
  const int nv = m.n.nv;
  const auto y = d.work_nv;
  copy(y, d.efc_J.from(row * nv), nv);
  S sum = S(0);
  for (int i = nv - 1; i >= 0; --i) {
    const S yi = y[i];
    if (vanishes(yi)) continue;
    const int first = m.M_rowadr[i], diag = first + m.M_rownnz[i] - 1;
    for (int k = first; k < diag; ++k) y[m.M_colind[k]] -= d.qLD[k] * yi;
    sum += yi * yi * d.qLDiagInv[i];
  }
  return sum;
}

// stiffness, damping, impedance and its slope of a row; friction has no stiffness
template <class D, class S>
CORTEN_FN void set_kbip(const D& d, int row, const Vec<S, 2>& ref, const S& width, bool friction,
                        const S& impedance, const S& slope) {
  const S tiny = S(min_value);
  Vec<S, 4> kbip;
  if (friction) {
    kbip[0] = S(0);
  } else if (value(ref[0]) > 0) {
    const S t = width * ref[0] * ref[1];
    kbip[0] = S(1) / max(tiny, S(t * t));
  } else {
    kbip[0] = -ref[0] / max(tiny, S(width * width));
  }
  kbip[1] =
      value(ref[1]) > 0 ? S(S(2) / max(tiny, S(width * ref[0]))) : S(-ref[1] / max(tiny, width));
  kbip[2] = impedance;
  kbip[3] = slope;
  store(d.efc_KBIP, row, kbip);
}

// the reference of the friction rows of an elliptic cone: the contact's own for friction if it has one
template <class M, class D, class S>
CORTEN_FN Vec<S, 2> friction_reference(const M& m, const D& d, int c, const Vec<S, 2>& normal) {
  Vec<S, 2> ref = vec<S, 2>(d.contact_solreffriction, c);
  const bool none = value(ref[0]) == 0 && value(ref[1]) == 0;
  if (none || (value(ref[0]) > 0) != (value(ref[1]) > 0)) return normal;
  if (!m.opt.disabled(disable_refsafe) && value(ref[0]) > 0) {
    ref[0] = max(ref[0], S(S(2) * S(m.opt.timestep)));
  }
  return ref;
}

// Friction rows get the impedance of the normal, divided by impratio. In an elliptic cone R μ² is the same
// for all of them; the edges of a pyramid share one R, matching the friction of the elliptic cone.
template <class M, class D>
CORTEN_FN void adjust_cone(const M& m, const D& d, int row, int count, bool pyramid) {
  using S = typename D::Scalar;
  const int c = d.efc_id[row];
  const S ratio = S(1) / max(S(min_value), S(m.opt.impratio));
  const S mu = d.contact_friction[5 * c];
  d.contact_mu[c] = mu * sqrt(ratio);
  if (pyramid) {
    const S R = S(2) * d.contact_mu[c] * d.contact_mu[c] * d.efc_R[row];
    for (int k = 0; k < count; ++k) d.efc_R[row + k] = R;
    return;
  }
  const S R1 = d.efc_R[row] * ratio;
  for (int k = 1; k < count; ++k) {
    const S other = d.contact_friction[5 * c + k - 1];
    d.efc_R[row + k] = k == 1 ? R1 : S(R1 * mu * mu / (other * other));
  }
}

// distance of a group from its margin: that of its first row, or of all rows of an equality
template <class D>
CORTEN_FN auto group_position(const D& d, int row, int count) {
  using S = typename D::Scalar;
  S pos = d.efc_pos[row];
  if (count > 1 && d.efc_type[row] == static_cast<int>(ConstraintType::equality)) {
    S sum = S(0);
    for (int k = 0; k < count; ++k) sum += d.efc_pos[row + k] * d.efc_pos[row + k];
    pos = safe_sqrt(sum);
  }
  return S(pos - d.efc_margin[row]);
}

}  // namespace detail

template <class M, class D>
CORTEN_FN void impedance(const M& m, const D& d) {
  using S = typename D::Scalar;
  const bool exact = m.opt.enabled(enable_diagexact);
  for (int row = 0; row < d.nefc;) {
    const auto p = detail::row_parameters(m, d, row);
    const auto type = static_cast<ConstraintType>(d.efc_type[row]);
    const bool pyramid = type == ConstraintType::contact_pyramidal;
    const bool elliptic = type == ConstraintType::contact_elliptic;
    const bool loss =
        type == ConstraintType::friction_dof || type == ConstraintType::friction_tendon;
    const int count = detail::row_group(m, d, row);
    S imp, slope;
    detail::sigmoid(p.imp, detail::group_position(d, row, count), imp, slope);
    for (int k = 0; k < count; ++k) {
      const bool friction = loss || (elliptic && k > 0);
      const Vec<S, 2> ref =
          elliptic && k > 0 ? detail::friction_reference(m, d, d.efc_id[row], p.ref) : p.ref;
      detail::set_kbip(d, row + k, ref, S(p.imp[1]), friction, imp, slope);
      const S weight =
          exact ? detail::exact_weight(m, d, row + k) : detail::inverse_weight(m, d, row + k, k);
      d.efc_R[row + k] = max(S(min_value), S((S(1) - imp) * weight / imp));
    }
    if (pyramid || elliptic) detail::adjust_cone(m, d, row, count, pyramid);
    for (int k = row; k < row + count; ++k) {
      d.efc_D[k] = S(1) / d.efc_R[k];
      d.efc_diagA[k] = d.efc_R[k] * imp / (S(1) - imp);
    }
    row += count;
  }
}

}  // namespace corten
