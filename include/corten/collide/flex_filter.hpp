// SPDX-License-Identifier: Apache-2.0
//
// Which contacts of a flex are kept. There are at most 50 between a body and a flex, two flexes, or
// a flex and itself: the deepest, then always the one that is farthest from those chosen so far.
#pragma once

#include <corten/math/field.hpp>

namespace corten {

inline constexpr int max_flex_contacts = 50;

namespace detail {

// exchanges two contacts
template <class D>
CORTEN_FN void swap_contacts(const D& d, int a, int b) {
  if (a == b) return;
  const auto swap = [&](const auto& field, int width) {
    for (int k = 0; k < width; ++k) {
      const auto kept = field[width * a + k];
      field[width * a + k] = field[width * b + k];
      field[width * b + k] = kept;
    }
  };
  swap(d.contact_dist, 1), swap(d.contact_pos, 3), swap(d.contact_frame, 9);
  swap(d.contact_includemargin, 1), swap(d.contact_friction, 5), swap(d.contact_solref, 2);
  swap(d.contact_solreffriction, 2), swap(d.contact_solimp, 5), swap(d.contact_mu, 1);
  swap(d.contact_adhesion, 1), swap(d.contact_dim, 1), swap(d.contact_geom, 2);
  swap(d.contact_flex, 2), swap(d.contact_elem, 2), swap(d.contact_vert, 2);
  swap(d.contact_exclude, 1), swap(d.contact_efc_address, 1);
}

}  // namespace detail

// Reduces the contacts from `first` on. As in MuJoCo a contact that has made room for a chosen one
// is not looked at again, and one that was chosen may be chosen once more.
template <class D>
CORTEN_FN void thin_contacts(const D& d, int first) {
  using V = value_t<typename D::Scalar>;
  using P = typename D::Primal;
  const int n = d.ncon_needed - first;
  if (n <= max_flex_contacts || d.ncon_needed > d.n.nconmax) return;
  int best = 0;
  for (int i = 0; i < n; ++i) {
    d.contact_taken[i] = 0;
    d.contact_far[i] = P(1e10);
    if (-value(d.contact_dist[first + i]) > -value(d.contact_dist[first + best])) best = i;
  }
  int chosen = 0;
  while (chosen < max_flex_contacts && best >= 0) {
    d.contact_taken[best] = 1;
    int next = -1;
    V farthest = V(-1);
    for (int i = 0; i < n; ++i) {
      if (d.contact_taken[i]) continue;
      V away = V(0);
      for (int k = 0; k < 3; ++k) {
        const V x = value(d.contact_pos[3 * (first + i) + k]) -
                    value(d.contact_pos[3 * (first + best) + k]);
        away += x * x;
      }
      if (away < value(d.contact_far[i])) d.contact_far[i] = P(away);
      if (value(d.contact_far[i]) > farthest) farthest = value(d.contact_far[i]), next = i;
    }
    if (chosen < max_flex_contacts - 1) {
      detail::swap_contacts(d, first + chosen, first + best);
      if (next == chosen) next = best;
    }
    ++chosen;
    best = next;
  }
  d.ncon_needed = first + chosen;
}

// Sorts the contacts from `first` on by their objects: geoms, else elements, else vertices. Equal
// ones stay in order.
template <class D>
CORTEN_FN void sort_contacts(const D& d, int first) {
  const auto object = [&](int c, int side) {
    const int i = 2 * c + side;
    if (d.contact_geom[i] >= 0) return int(d.contact_geom[i]);
    return d.contact_elem[i] >= 0 ? int(d.contact_elem[i]) : int(d.contact_vert[i]);
  };
  const auto before = [&](int a, int b) {
    const int a0 = object(a, 0), b0 = object(b, 0);
    return a0 < b0 || (a0 == b0 && object(a, 1) < object(b, 1));
  };
  const int end = d.ncon_needed < d.n.nconmax ? int(d.ncon_needed) : d.n.nconmax;
  for (int i = first + 1; i < end; ++i) {
    for (int j = i; j > first && before(j, j - 1); --j) detail::swap_contacts(d, j, j - 1);
  }
}

}  // namespace corten
