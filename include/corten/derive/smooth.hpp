// SPDX-License-Identifier: Apache-2.0
//
// Smoothing. The derivative of a step does not know of a contact that is about to form: before two
// geoms touch it is exactly zero, however close they are, and an optimiser learns nothing. With a
// smoothing distance r, the derivative is that of another step, in which contacts are softer and
// reach further: two geoms at a distance δ < r of where rows are made have rows as well, which
//
//   - count with the weight w = (1 - δ/r)², by which their impedance is multiplied, and
//   - behave as if the geoms overlapped by w r/100, so that they push a little even at rest.
//
// Contacts that touch stay as they are. The step itself is not smoothed, only what is
// differentiated; nothing else is approximate, and the derivative of the softened step is exact
// except that w and the overlap count as constants. It is not the derivative of the step that the
// model takes: use it to find a direction, not to check one.
#pragma once

#include <corten/pipeline/forward.hpp>

#include <cstddef>
#include <vector>

namespace corten::derive::detail {

// margins of a model, widened by a distance
template <class S>
class WideMargins {
 public:
  template <class M>
  M apply(M m, const S& reach) {
    geom_.resize(static_cast<std::size_t>(m.n.ngeom));
    pair_.resize(static_cast<std::size_t>(m.n.npair));
    for (int i = 0; i < m.n.ngeom; ++i) at(geom_, i) = m.geom_margin[i] + reach / S(2);
    for (int i = 0; i < m.n.npair; ++i) at(pair_, i) = m.pair_margin[i] + reach;
    m.geom_margin.data = geom_.data();
    m.pair_margin.data = pair_.data();
    m.opt.o_margin += reach;
    return m;
  }

 private:
  static S& at(std::vector<S>& x, int i) { return x[static_cast<std::size_t>(i)]; }
  std::vector<S> geom_, pair_;
};

// Makes contacts at a distance soft, and gives those that touch their margin back, after a model
// with wide margins has found them. Makes the rows anew.
template <class M, class D>
void soften_contacts(const M& m, const D& d, double reach) {
  using S = typename D::Scalar;
  using V = value_t<S>;
  for (int c = 0; c < d.ncon; ++c) {
    const V margin = value(d.contact_includemargin[c]) - V(reach), dist = value(d.contact_dist[c]);
    d.contact_includemargin[c] = S(margin);
    if (dist < margin) continue;
    const V side = V(1) - (dist - margin) / V(reach), weight = side * side;
    const V least = V(1e-4), scaled = weight * value(d.contact_solimp[5 * c]);
    d.contact_includemargin[c] = S(V(dist + weight * V(reach) / V(100)));
    d.contact_solimp[5 * c] = d.contact_solimp[5 * c + 1] = S(scaled > least ? scaled : least);
  }
  constraint(m, d);
}

// forward() with softened contacts
template <class M, class D>
Status soft_forward(const M& m, const D& d, double reach) {
  Status status = forward_motion(m, d, false);
  if (status.overflow()) return status;
  soften_contacts(m, d, reach);
  reference(m, d);
  if (Status{d.status}.overflow()) return Status{d.status};
  return Status{status.bits | forward_forces(m, d, false).bits};
}

}  // namespace corten::derive::detail
