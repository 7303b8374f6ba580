// SPDX-License-Identifier: Apache-2.0
//
// How a hit becomes a contact of the data.
#pragma once

#include <corten/collide/parameters.hpp>
#include <corten/collide/shape.hpp>
#include <corten/core/status.hpp>

namespace corten::detail {

template <class D, class S>
CORTEN_FN void write_contact(const D& d, int k, const Hit<S>& hit, const ContactParameters<S>& p,
                             const S& margin) {
  d.contact_dist[k] = hit.dist;
  store(d.contact_pos, k, hit.pos);
  store(d.contact_frame, k, make_frame(hit.normal, hit.tangent));
  d.contact_includemargin[k] = margin;
  store(d.contact_friction, k, p.friction);
  store(d.contact_solref, k, p.solref);
  store(d.contact_solreffriction, k, p.solreffriction);
  store(d.contact_solimp, k, p.solimp);
  d.contact_adhesion[k] = p.adhesion;
  d.contact_mu[k] = S(0);
  // Within the gap the surfaces do not touch: the contact gets no row, or with adhesion a single
  // normal row that pulls.
  const bool in_gap = value(hit.dist) >= value(margin);
  const bool adhesive = value(p.adhesion) != 0;
  d.contact_dim[k] = in_gap && adhesive ? 1 : p.dim;
  d.contact_exclude[k] = in_gap && !adhesive ? 1 : 0;
  d.contact_efc_address[k] = -1;
}

// appends a contact, or only counts it if there is no room
template <class D, class S>
CORTEN_FN void append_contact(const D& d, int g1, int g2, const Hit<S>& hit,
                              const ContactParameters<S>& p, const S& margin) {
  const int n = d.ncon_needed;
  d.ncon_needed = n + 1;
  if (n >= d.n.nconmax) return;
  write_contact(d, n, hit, p, margin);
  d.contact_geom[2 * n] = g1;
  d.contact_geom[2 * n + 1] = g2;
  if (d.n.nflex == 0) return;
  for (int s = 2 * n; s < 2 * n + 2; ++s)
    d.contact_flex[s] = d.contact_elem[s] = d.contact_vert[s] = -1;
}

// makes the contacts that were appended count
template <class D>
CORTEN_FN void count_contacts(const D& d) {
  const int needed = d.ncon_needed;
  d.ncon = needed < d.n.nconmax ? needed : d.n.nconmax;
  if (needed > d.n.nconmax) d.status = d.status | contacts_full;
}

}  // namespace corten::detail
