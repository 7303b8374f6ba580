// SPDX-License-Identifier: Apache-2.0
//
// How stiff each constraint row is. solref and solimp determine the impedance d(r), the stiffness K
// and damping B of the reference acceleration, and the regularisation R = (1 - d)/d · diagA. MuJoCo
// documentation, Modeling, "Solver parameters". Writes efc_diagA efc_KBIP efc_R efc_D contact_mu.
#pragma once

#include <corten/constraint/constraints.hpp>
#include <corten/constraint/rows.hpp>
#include <corten/core/enums.hpp>
#include <corten/core/plain.hpp>
#include <corten/math/field.hpp>
#include <corten/math/reach.hpp>

#include <type_traits>

namespace corten {

namespace detail {

// Makes solver parameters usable: a solref that mixes its two formats is replaced by the default,
// the time constant is at least two timesteps unless refsafe is disabled, and impedances are in
// bounds.
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

// x^p, without a call of pow for the usual powers
template <class S>
CORTEN_FN S power(const S& x, const S& p) {
  if (value(p) == 0) return S(1);
  if (value(p) == 1) return x;
  if (value(p) == 2) return x * x;
  return pow(x, p);
}

// impedance and its derivative at distance `pos` from the margin
template <class S>
CORTEN_ENTRY void sigmoid(const Vec<S, 5>& imp, const S& pos, S& d, S& slope) {
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

// The exact inverse inertia J M⁻¹ J' along a row: with M = L'DL it is the sum of the squared
// entries of L'⁻¹ J', each divided by its entry of D.
template <class M, class D>
CORTEN_FN auto exact_weight(const M& m, const D& d, int row) {
  using S = typename D::Scalar;
  const auto y = d.work_nv;
  S sum = S(0);
  const auto J = jacobian_rows(d);
  const int count = list_reached(m, J, row, d.open_slot, d.open_dof);
  reach(m, J, row, d.qLD, y, d.open_dof, count,
        [&](int i) { sum += y[i] * y[i] * d.qLDiagInv[i]; });
  return sum;
}

// stiffness, damping, impedance and slope of the impedance of a row; friction has no stiffness
template <class S>
CORTEN_FN Vec<S, 4> kbip_of(const Vec<S, 2>& ref, const S& width, bool friction, const S& impedance,
                            const S& slope) {
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
  return kbip;
}

// does efc_R of a group follow from that of its first row?
template <class Kind>
inline constexpr bool weighs_once = requires {
  Kind::one_weight;
};

// all rows of one constraint (a contact, an element of <equality>, …), which is of the given kind
template <class Kind, class M, class D>
CORTEN_ENTRY void group_impedance(Kind kind, const M& m, const D& d, int row, int count) {
  using S = typename D::Scalar;
  const bool exact = m.opt.enabled(enable_diagexact);
  const int id = d.efc_id[row];
  const SolverParameters<S> p = sanitize(m, kind.solver_parameters(m, d, id));
  S imp, slope;
  sigmoid(p.imp, kind.position(d, row, count), imp, slope);
  // Divisions are what this takes time for, and rows of a group mostly have the same numbers.
  constexpr bool plain = std::is_floating_point_v<S>;
  Vec<S, 4> kbip;
  Vec<S, 2> last = Vec<S, 2>::Zero();
  bool pulls = false;
  for (int k = 0; k < count; ++k) {
    const Vec<S, 2> ref = kind.reference(m, d, id, k, p.ref);
    const bool friction = kind.is_friction(m, d, row, k);
    const bool same = plain && k > 0 && pulls != friction && value(ref[0]) == value(last[0]) &&
                      value(ref[1]) == value(last[1]);
    if (!same) kbip = kbip_of(ref, S(p.imp[1]), friction, imp, slope);
    last = ref;
    pulls = !friction;
    store(d.efc_KBIP, row + k, kbip);
    if (weighs_once<Kind> && k > 0) continue;
    const S weight = exact ? exact_weight(m, d, row + k) : S(kind.weight(m, d, row, k));
    d.efc_R[row + k] = max(S(min_value), S((S(1) - imp) * weight / imp));
  }
  kind.finish(m, d, row, count);
  for (int k = row; k < row + count; ++k) {
    const bool same = plain && k > row && value(d.efc_R[k]) == value(d.efc_R[k - 1]);
    d.efc_D[k] = same ? S(d.efc_D[k - 1]) : S(S(1) / d.efc_R[k]);
    d.efc_diagA[k] = same ? S(d.efc_diagA[k - 1]) : S(d.efc_R[k] * imp / (S(1) - imp));
  }
}

}  // namespace detail

template <class M, class D>
CORTEN_FN void impedance(const M& m, const D& d) {
  for (int row = 0; row < d.nefc;) {
    int count = 1;
    M::Policies::Constraints::visit(m, d, row, [&](auto kind) {
      using Kind = decltype(kind);
      count = detail::rows_in_group<Kind>(m, d, row);
      detail::group_impedance(kind, model_for<Kind>(m), d, row, count);
    });
    row += count;
  }
}

}  // namespace corten
