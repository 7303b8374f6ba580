// SPDX-License-Identifier: Apache-2.0
//
// The parameters of a contact, from an explicit pair or mixed from two geoms (MuJoCo documentation,
// "Contact parameters"): the geom with higher priority decides; with equal priorities the larger
// condim and friction count, and solver parameters are averaged with solmix as weights.
#pragma once

#include <corten/math/field.hpp>
#include <corten/model/model.hpp>

namespace corten {

// the smallest friction coefficient
inline constexpr double min_friction = 1e-5;

template <class S>
struct ContactParameters {
  int dim = 3;
  Vec<S, 2> solref = Vec<S, 2>::Zero();
  Vec<S, 2> solreffriction = Vec<S, 2>::Zero();
  Vec<S, 5> solimp = Vec<S, 5>::Zero();
  Vec<S, 5> friction = Vec<S, 5>::Zero();
  S adhesion = S(0);
};

// weight of the first geom; a solmix below min_value counts as none
template <class S>
CORTEN_FN S solver_mix(const S& a, const S& b) {
  const auto least = static_cast<value_t<S>>(min_value);
  const bool has_a = value(a) >= least, has_b = value(b) >= least;
  if (has_a && has_b) return a / (a + b);
  if (has_a == has_b) return S(0.5);
  return has_a ? S(1) : S(0);
}

// sliding, torsional, rolling -> two tangents, torsional, two rolling
template <class S>
CORTEN_FN Vec<S, 5> unpack_friction(const Vec3<S>& f) {
  Vec<S, 5> out;
  out[0] = out[1] = f[0];
  out[2] = f[1];
  out[3] = out[4] = f[2];
  return out;
}

namespace detail {

template <class S, class M>
CORTEN_FN ContactParameters<S> geom_parameters(const M& m, int g) {
  ContactParameters<S> p;
  p.dim = m.geom_condim[g];
  p.solref = vec<S, 2>(m.geom_solref, g);
  p.solimp = vec<S, 5>(m.geom_solimp, g);
  p.friction = unpack_friction(vec3<S>(m.geom_friction, g));
  p.adhesion = static_cast<S>(m.geom_adhesion[g]);
  return p;
}

// parameters of equal priority; `mix` is the weight of the first
template <class S>
CORTEN_FN ContactParameters<S> mixed_parameters(const ContactParameters<S>& a,
                                                const ContactParameters<S>& b, const S& mix) {
  ContactParameters<S> p;
  p.dim = a.dim > b.dim ? a.dim : b.dim;
  const S rest = S(1) - mix;
  // Positive numbers are time constant and damping ratio, which are averaged. Negative ones are
  // stiffness and damping, of which the larger wins.
  if (value(a.solref[0]) > 0 && value(b.solref[0]) > 0) {
    p.solref = mix * a.solref + rest * b.solref;
  } else {
    for (int i = 0; i < 2; ++i) p.solref[i] = min(a.solref[i], b.solref[i]);
  }
  p.solimp = mix * a.solimp + rest * b.solimp;
  for (int i = 0; i < 5; ++i) p.friction[i] = max(a.friction[i], b.friction[i]);
  p.adhesion = a.adhesion + b.adhesion;
  return p;
}

template <class S, class M>
CORTEN_FN ContactParameters<S> flex_parameters(const M& m, int f) {
  ContactParameters<S> p;
  p.dim = m.flex_condim[f];
  p.solref = vec<S, 2>(m.flex_solref, f);
  p.solimp = vec<S, 5>(m.flex_solimp, f);
  p.friction = unpack_friction(vec3<S>(m.flex_friction, f));
  return p;
}

template <class S, class M>
CORTEN_FN ContactParameters<S> mixed_parameters(const M& m, int g1, int g2) {
  const ContactParameters<S> a = geom_parameters<S>(m, g1), b = geom_parameters<S>(m, g2);
  if (m.geom_priority[g1] > m.geom_priority[g2]) return a;
  if (m.geom_priority[g1] < m.geom_priority[g2]) return b;
  return mixed_parameters(
      a, b, solver_mix(static_cast<S>(m.geom_solmix[g1]), static_cast<S>(m.geom_solmix[g2])));
}

template <class S, class M>
CORTEN_FN ContactParameters<S> pair_parameters(const M& m, int pair) {
  ContactParameters<S> p;
  p.dim = m.pair_dim[pair];
  p.solref = vec<S, 2>(m.pair_solref, pair);
  p.solreffriction = vec<S, 2>(m.pair_solreffriction, pair);
  p.solimp = vec<S, 5>(m.pair_solimp, pair);
  p.friction = vec<S, 5>(m.pair_friction, pair);
  p.adhesion = static_cast<S>(m.pair_adhesion[pair]);
  return p;
}

// replaces parameters by those of the options, if these say so, and keeps friction in bounds
template <class M, class S>
CORTEN_FN void finish_parameters(const M& m, ContactParameters<S>& p) {
  if (m.opt.enabled(enable_override)) {
    for (int i = 0; i < 2; ++i) {
      p.solref[i] = p.solreffriction[i] = static_cast<S>(m.opt.o_solref[i]);
    }
    for (int i = 0; i < 5; ++i) {
      p.solimp[i] = static_cast<S>(m.opt.o_solimp[i]);
      p.friction[i] = static_cast<S>(m.opt.o_friction[i]);
    }
  }
  for (int i = 0; i < 5; ++i) p.friction[i] = max(S(min_friction), p.friction[i]);
}

}  // namespace detail

// parameters of the contacts between two geoms; pair is the explicit pair or -1
template <class S, class M>
CORTEN_FN ContactParameters<S> contact_parameters(const M& m, int g1, int g2, int pair) {
  ContactParameters<S> p =
      pair >= 0 ? detail::pair_parameters<S>(m, pair) : detail::mixed_parameters<S>(m, g1, g2);
  detail::finish_parameters(m, p);
  return p;
}

// parameters of the contacts between a geom, or a flex if it is -1, and a flex
template <class S, class M>
CORTEN_FN ContactParameters<S> flex_contact_parameters(const M& m, int geom, int flex1, int flex2) {
  const bool is_geom = geom >= 0;
  const ContactParameters<S> a =
      is_geom ? detail::geom_parameters<S>(m, geom) : detail::flex_parameters<S>(m, flex1);
  const ContactParameters<S> b = detail::flex_parameters<S>(m, flex2);
  const int first = is_geom ? m.geom_priority[geom] : m.flex_priority[flex1];
  const int second = m.flex_priority[flex2];
  const S mix1 = S(is_geom ? m.geom_solmix[geom] : m.flex_solmix[flex1]);
  ContactParameters<S> p =
      first > second   ? a
      : first < second ? b
                       : detail::mixed_parameters(a, b, solver_mix(mix1, S(m.flex_solmix[flex2])));
  detail::finish_parameters(m, p);
  return p;
}

}  // namespace corten
