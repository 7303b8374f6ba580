// SPDX-License-Identifier: Apache-2.0
//
// Constraint rows, in the order equality, friction loss, limits, contacts; the kinds in constraint/
// define them. constraint() writes efc_type efc_id efc_J efc_pos efc_margin efc_frictionloss and
// the counts, and impedance() then fills efc_diagA efc_R efc_D efc_KBIP. reference() writes efc_vel
// efc_aref. MuJoCo documentation, Computation, "Constraint model".
#pragma once

#include <corten/constraint/constraints.hpp>
#include <corten/core/plain.hpp>
#include <corten/core/status.hpp>
#include <corten/fwd.hpp>
#include <corten/math/row_set.hpp>
#include <corten/solver/room.hpp>
#include <corten/solver/wake.hpp>
#include <corten/stage/impedance.hpp>
#include <corten/stage/surface.hpp>

namespace corten {

namespace detail {

// Makes the rows of all kinds in a group. Elements of <equality> come first, in the model's order
// whatever their kinds.
template <RowGroup Group, class M, class D>
CORTEN_FN void group_rows(const M& m, const D& d) {
  using List = typename M::Policies::Constraints;
  const bool some = some_asleep(m, d);
  for (int e = 0; Group != RowGroup::contact && e < m.n.neq; ++e) {
    if (!d.eq_active[e] || (some && !element_awake(m, d, e))) continue;
    List::visit_element(m, e, [&](auto kind) {
      using Kind = decltype(kind);
      if constexpr (Kind::group == Group) kind.rows(model_for<Kind>(m), d, e);
    });
  }
  List::each([&](auto kind) {
    using Kind = decltype(kind);
    if constexpr (Kind::group == Group && !holds_elements<Kind>) {
      kind.rows(model_for<Kind>(m), d);
    }
  });
}

// aref -= dJ/dt · v, for kinds whose Jacobian changes while the bodies move
template <class M, class D>
CORTEN_FN void row_drift(const M& m, const D& d) {
  using List = typename M::Policies::Constraints;
  const int end = List::builtin ? int(d.ne) : d.ne + d.nf + d.nl;  // built-in: equalities only
  for (int row = 0; row < end;) {
    int count = 1;
    List::visit(m, d, row, [&](auto kind) {
      const int id = d.efc_id[row];
      count = rows_in_group<decltype(kind)>(m, d, row);
      if constexpr (constraint_policy::names_drift<decltype(kind)>) kind.drift(m, d, id, row);
    });
    row += count;
  }
}

}  // namespace detail

// ---- the parts of the stage, each a kernel on devices -------------------------------------------

namespace detail {

template <class M>
CORTEN_FN bool makes_rows(const M& m) {
  return m.n.nv > 0 && !m.opt.disabled(disable_constraint);
}

struct BeginRows {
  template <class M, class D>
  CORTEN_FN void operator()(const M& m, const D& d) const {
    d.ne = 0;
    d.nf = 0;
    d.nl = 0;
    d.nefc = 0;
    d.nefc_needed = 0;
    begin_rows(d);
    for (int c = 0; c < d.ncon; ++c) d.contact_efc_address[c] = -1;
    if (!makes_rows(m) || !some_asleep(m, d)) return;
    wake_touched(m, d);  // by contacts that a stage of the user's has added
    wake_connected(m, d);
  }
};

// Makes the rows of a group, unless an option forbids them, and counts them.
template <RowGroup Group>
struct MakeRows {
  static constexpr DisableBit flag = Group == RowGroup::equality   ? disable_equality
                                     : Group == RowGroup::friction ? disable_frictionloss
                                     : Group == RowGroup::limit    ? disable_limit
                                                                   : disable_contact;
  template <class M, class D>
  CORTEN_FN void operator()(const M& m, const D& d) const {
    if (!m.opt.disabled(flag)) group_rows<Group>(m, d);
    if constexpr (Group == RowGroup::equality) d.ne = d.nefc.get();
    if constexpr (Group == RowGroup::friction) d.nf = d.nefc - d.ne;
    if constexpr (Group == RowGroup::limit) d.nl = d.nefc - d.ne - d.nf;
    if constexpr (Group == RowGroup::contact) end_rows(d);
  }
};

struct MeasureRows {
  static bool idle(const auto& sizes) { return !sizes.compressed(); }
  template <class M, class D>
  CORTEN_FN void operator()(const M& m, const D& d) const {
    if (d.n.compressed()) measure_room(m, d);
  }
};

struct FinishRows {
  template <class M, class D>
  CORTEN_FN void operator()(const M& m, const D& d) const {
    const bool full = d.nefc_needed > d.n.njmax || d.nJ_needed > d.n.njnz ||
                      d.nY_needed > d.n.nynz || d.nH_needed > d.n.nhess ||
                      d.nF_needed > d.n.nfactor;
    if (full) d.status = d.status | rows_full;
    impedance(m, d);
  }
};

// f(part) for the parts that make rows. Models without elements of <equality> have one less.
template <class M, class F>
CORTEN_FN void row_parts(const M& m, F&& f) {
  if (!M::Policies::Constraints::builtin || m.n.neq > 0) f(MakeRows<RowGroup::equality>{});
  f(MakeRows<RowGroup::friction>{});
  f(MakeRows<RowGroup::limit>{});
  f(MakeRows<RowGroup::contact>{});
  f(MeasureRows{});
  f(FinishRows{});
}

}  // namespace detail

template <class M, class F>
void constraint_parts(const M& m, F&& f) {
  f(detail::BeginRows{});
  if (detail::makes_rows(m)) detail::row_parts(m, f);
}

template <class M, class D>
CORTEN_ENTRY void constraint(const M& m, const D& d) {
  detail::BeginRows{}(m, d);
  if (detail::makes_rows(m)) detail::row_parts(m, [&](const auto& part) { part(m, d); });
}
CORTEN_SHARED(constraint, lists::constraints | lists::joints | lists::methods)

// The velocity of each row and its reference acceleration: aref = -B v - K I (pos - margin), plus a
// term for adhesion, minus dJ/dt · v where the Jacobian of the row changes (equality).
template <class M, class D>
CORTEN_ENTRY void reference(const M& m, const D& d) {
  using S = typename D::Scalar;
  multiply(jacobian_rows(d), d.nefc, d.qvel, d.efc_vel);
  if (m.n.nsurfacevel > 0) detail::surface_velocities(m, d);
  for (int r = 0; r < d.nefc; ++r) {
    const Vec<S, 4> kbip = vec<S, 4>(d.efc_KBIP, r);
    d.efc_aref[r] = -kbip[1] * d.efc_vel[r] - kbip[0] * kbip[2] * (d.efc_pos[r] - d.efc_margin[r]);
  }
  if (m.n.nadhesion > 0) detail::adhesion_reference(d);
  detail::row_drift(m, d);
}
CORTEN_SHARED(reference, lists::constraints | lists::joints)

// ---- worlds in lanes: each has its own rows -----------------------------------------------------

namespace detail {

// Takes all frames, which equality constraints may look at.
template <class M, class S>
CORTEN_FN void take_frames(const M& m, const Lane<S>& lane) {
  const auto& block = lane.block;
  const auto& world = lane.world;
  // clang-format off
#define X(name, count) lane.take(block.name, world.name, count)
  X(xpos, 3 * m.n.nbody); X(xmat, 9 * m.n.nbody); X(xquat, 4 * m.n.nbody);
  X(site_xpos, 3 * m.n.nsite); X(site_xmat, 9 * m.n.nsite);
  X(geom_xpos, 3 * m.n.ngeom); X(geom_xmat, 9 * m.n.ngeom);
#undef X
  // clang-format on
}

}  // namespace detail

template <class M, class S>
CORTEN_FN void constraint(const M& m, const Lane<S>& lane) {
  const auto& block = lane.block;
  const auto& world = lane.world;
  // a user's joint or constraint kind may read any field
  if constexpr (!M::Policies::Joints::builtin || !M::Policies::Constraints::builtin) {
    publish_lane(lane);
  }
  // clang-format off
#define X(name, count) lane.take(block.name, world.name, count)
  X(qpos, m.n.nq); X(subtree_com, 3 * m.n.nbody); X(cdof, 6 * m.n.nv);
  X(ten_length, m.n.ntendon); X(ten_J, m.n.nJten);
  if (m.n.neq > 0) detail::take_frames(m, lane);
  if (m.opt.enabled(enable_diagexact)) {
    X(qLD, m.n.nM); X(qLDiagInv, m.n.nv);
  }
#undef X
  // clang-format on
  constraint(m, world);
}

template <class M, class S>
CORTEN_FN void reference(const M& m, const Lane<S>& lane) {
  const auto& block = lane.block;
  const auto& world = lane.world;
  if (world.nefc == 0) return;
  if constexpr (!M::Policies::Constraints::builtin) publish_lane(lane);
    // clang-format off
#define X(name, count) lane.take(block.name, world.name, count)
  X(qvel, m.n.nv);
  if (m.n.nsurfacevel > 0) {
    X(geom_xpos, 3 * m.n.ngeom); X(geom_xmat, 9 * m.n.ngeom);
  }
  if (world.ne > 0) {
    detail::take_frames(m, lane);
    X(subtree_com, 3 * m.n.nbody); X(cdof, 6 * m.n.nv);
    X(cvel, 6 * m.n.nbody); X(cdof_dot, 6 * m.n.nv);
  }
#undef X
  // clang-format on
  reference(m, world);
}

}  // namespace corten
