// SPDX-License-Identifier: Apache-2.0
//
// Tendon lengths and their Jacobian. A fixed tendon is a linear combination of joint coordinates:
// length = Σ coef · qpos. A spatial tendon is a string through sites and around geoms, in branches
// divided by pulleys. Its Jacobian is that of the straight pieces, with the points on a geom taken
// as fixed to it: the path is the shortest one, so moving the points along the surface does not
// change the length. Writes ten_length ten_J ten_wrapadr ten_wrapnum wrap_obj wrap_xpos.
#pragma once

#include <corten/core/enums.hpp>
#include <corten/core/plain.hpp>
#include <corten/math/field.hpp>
#include <corten/solver/wake.hpp>
#include <corten/tendon/wrap.hpp>
#include <corten/tree/awake.hpp>
#include <corten/tree/jacobian.hpp>

#include <type_traits>

namespace corten {

// From one site to the next, by their wrap objects. `geom` is the wrap object between them, or -1.
struct TendonSpan {
  int first, geom, last;
  int pulley;         // the last pulley before it, or -1
  bool after_pulley;  // does it begin a branch?
  bool ends;          // does it end one?
};

// calls f(span) for each span of a spatial tendon
template <class M, class F>
CORTEN_FN void each_span(const M& m, int t, F&& f) {
  const auto type = [&](int w) { return static_cast<WrapType>(m.wrap_type[w]); };
  const int begin = m.tendon_adr[t], end = begin + m.tendon_num[t];
  int pulley = -1;
  for (int w = begin; w + 1 < end;) {
    if (type(w) == WrapType::pulley) {
      pulley = w++;
      continue;
    }
    if (type(w + 1) == WrapType::pulley) {
      ++w;
      continue;
    }
    const bool around = type(w + 1) != WrapType::site;
    const int last = w + (around ? 2 : 1);
    const bool ends = last + 1 == end || type(last + 1) == WrapType::pulley;
    f(TendonSpan{w, around ? w + 1 : -1, last, pulley, pulley >= 0 && pulley + 1 == w, ends});
    w = last;
  }
}

template <class M>
CORTEN_FN bool is_spatial(const M& m, int t) {
  return static_cast<WrapType>(m.wrap_type[m.tendon_adr[t]]) != WrapType::joint;
}

namespace detail {

// the part of a span that lies on its geom
template <class M, class D>
CORTEN_FN auto bend(const M& m, const D& d, const TendonSpan& span) {
  using S = typename D::Scalar;
  const Vec3<S> from = vec3<S>(d.site_xpos, m.wrap_objid[span.first]);
  const Vec3<S> to = vec3<S>(d.site_xpos, m.wrap_objid[span.last]);
  if (span.geom < 0) return Bend<S>{{}, to, to, S(0)};
  const int g = m.wrap_objid[span.geom], side = static_cast<int>(value(m.wrap_prm[span.geom]));
  Obstacle<S> o{vec3<S>(d.geom_xpos, g),
                mat3<S>(d.geom_xmat, g),
                S(m.geom_size[3 * g]),
                static_cast<WrapType>(m.wrap_type[span.geom]) == WrapType::sphere,
                side >= 0,
                to};
  if (o.sided) o.side = vec3<S>(d.site_xpos, side);
  return wrap(from, to, o);
}

// appends the points of a span to the `count` points recorded so far
template <class M, class D, class S>
CORTEN_FN void record_span(const M& m, const D& d, const TendonSpan& span, const Bend<S>& bend,
                           int& count) {
  const auto add = [&](const Vec3<S>& point, int object) {
    store(d.wrap_xpos, count, point);
    d.wrap_obj[count++] = object;
  };
  if (span.after_pulley) add(Vec3<S>::Zero(), -2);
  add(vec3<S>(d.site_xpos, m.wrap_objid[span.first]), -1);
  if (bend.holds) {
    add(bend.first, m.wrap_objid[span.geom]);
    add(bend.last, m.wrap_objid[span.geom]);
  }
  if (span.ends) add(vec3<S>(d.site_xpos, m.wrap_objid[span.last]), -1);
}

// J += weight · (motion of `to` - motion of `from`) along the straight piece between them
template <class M, class D, class S>
CORTEN_FN void add_piece(const M& m, const D& d, int t, int body1, int body2, const Vec3<S>& from,
                         const Vec3<S>& to, const S& weight) {
  if (body1 == body2) return;
  Vec3<S> along = to - from;
  normalize(along);
  along *= weight;

  // the columns of the row are sorted, and dofs come from the last to the first
  int k = m.ten_J_rowadr[t] + m.ten_J_rownnz[t] - 1;
  const auto column = [&](int i, bool second, const Vec3<S>& translation, const Vec3<S>&) {
    while (m.ten_J_colind[k] > i) --k;
    const S moved = along.dot(translation);
    d.ten_J[k] += second ? moved : S(-moved);
  };
  each_relative_motion(m, d, d.cdof, body1, body2, from, to, column);
}

template <class M, class D>
CORTEN_FN void fixed_tendon(const M& m, const D& d, int t) {
  using S = typename D::Scalar;
  S length = S(0);
  for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w) {
    const int j = m.wrap_objid[w], dof = m.jnt_dofadr[j];
    length += S(m.wrap_prm[w]) * d.qpos[m.jnt_qposadr[j]];

    // a joint that occurs several times has as many columns, of which the first is used
    int k = m.ten_J_rowadr[t];
    while (m.ten_J_colind[k] != dof) ++k;
    d.ten_J[k] += S(m.wrap_prm[w]);
  }
  d.ten_length[t] = length;
}

// returns the length of a span, and adds its pieces to the Jacobian
template <class M, class D, class S>
CORTEN_FN S measure_span(const M& m, const D& d, int t, const TendonSpan& span,
                         const Bend<S>& bend) {
  const int site1 = m.wrap_objid[span.first], site2 = m.wrap_objid[span.last];
  const int body1 = m.site_bodyid[site1], body2 = m.site_bodyid[site2];
  const Vec3<S> from = vec3<S>(d.site_xpos, site1), to = vec3<S>(d.site_xpos, site2);
  const bool whole = span.pulley < 0;
  const S divisor = whole ? S(1) : S(m.wrap_prm[span.pulley]),
          share = whole ? S(1) : S(1) / divisor;
  S length = S(0);
  if (!all(bend.holds)) {
    length = norm(to - from);
    add_piece(m, d, t, body1, body2, from, to, select(bend.holds, S(0), share));
  }
  if (any(bend.holds)) {
    const int body = m.geom_bodyid[m.wrap_objid[span.geom]];
    const S weight = select(bend.holds, share, S(0));
    const S bent = norm(bend.first - from) + bend.length + norm(to - bend.last);
    length = select(bend.holds, bent, length);
    add_piece(m, d, t, body1, body, from, bend.first, weight);
    add_piece(m, d, t, body, body2, bend.last, to, weight);
  }
  return whole ? length : S(length / divisor);
}

// lengths and Jacobians of all tendons
template <class M, class D>
CORTEN_ENTRY void measure_tendons(const M& m, const D& d) {
  using S = typename D::Scalar;
  int points = 0;
  const bool some = some_asleep(m, d);
  for (int t = 0; t < m.n.ntendon; ++t) {
    for (int k = 0; k < m.ten_J_rownnz[t]; ++k) d.ten_J[m.ten_J_rowadr[t] + k] = S(0);
    const int first = points;
    if (some && tendon_asleep(m, d, t)) {
      d.ten_length[t] = S(0);  // as in MuJoCo
    } else if (is_spatial(m, t)) {
      S length = S(0);
      each_span(m, t, [&](const TendonSpan& span) {
        const Bend<S> bend = detail::bend(m, d, span);
        length += measure_span(m, d, t, span, bend);
        // lanes may differ in the points of their paths
        if constexpr (!is_lanes<S>) record_span(m, d, span, bend, points);
      });
      d.ten_length[t] = length;
    } else {
      fixed_tendon(m, d, t);
    }
    d.ten_wrapadr[t] = first;
    d.ten_wrapnum[t] = points - first;
  }
}
CORTEN_PLAIN(measure_tendons)

}  // namespace detail

template <class M, class D>
CORTEN_FN void tendon(const M& m, const D& d) {
  constexpr bool alone = !is_lanes<typename D::Scalar>;
  if constexpr (alone) {
    if (some_asleep(m, d)) wake_connected(m, d, true);
  }
  const bool some = some_asleep(m, d);
  detail::measure_tendons(m, d);
  if constexpr (alone) {
    if (some) wake_tendons(m, d);
  }
}

// Writes the points of the paths alone. Lanes leave them out; this fills them in for a world that
// was stepped in lanes.
template <class M, class D>
CORTEN_FN void tendon_points(const M& m, const D& d) {
  int points = 0;
  for (int t = 0; t < m.n.ntendon; ++t) {
    const int first = points;
    if (is_spatial(m, t)) {
      each_span(m, t, [&](const TendonSpan& span) {
        detail::record_span(m, d, span, detail::bend(m, d, span), points);
      });
    }
    d.ten_wrapadr[t] = first;
    d.ten_wrapnum[t] = points - first;
  }
}

}  // namespace corten
