// SPDX-License-Identifier: Apache-2.0
//
// Turns the contacts that collision found into rows. A frictionless contact has one row, along its
// normal. An elliptic cone has one row per direction, normal first. A pyramid has a pair of edges
// (normal ± friction · direction) per friction direction. See the MuJoCo documentation,
// Computation, "Friction cones".
#pragma once

#include <corten/constraint/kind.hpp>
#include <corten/constraint/rows.hpp>
#include <corten/core/plain.hpp>
#include <corten/flex/stiffness.hpp>
#include <corten/flex/weights.hpp>
#include <corten/tree/jacobian.hpp>

namespace corten {

namespace detail {

template <class M>
CORTEN_FN ConstraintType contact_type(const M& m, int dim) {
  if (dim == 1) return ConstraintType::contact_frictionless;
  if constexpr (M::Policies::Cones::has(Cone::elliptic)) {
    if (m.opt.cone == static_cast<int>(Cone::elliptic)) return ConstraintType::contact_elliptic;
  }
  return ConstraintType::contact_pyramidal;
}

// a column of the rows, from the relative motion of the geoms in the contact frame; `to` is the
// entry of the first row, and those of the others are `stride` apart
template <class D, class S, class E>
CORTEN_FN void contact_column(const D& d, int c, const E& to, int stride, ConstraintType type,
                              const Vec3<S>& linear, const Vec3<S>& angular) {
  const int dim = d.contact_dim[c];
  const auto direction = [&](int k) { return k < 3 ? linear[k] : angular[k - 3]; };
  if (type != ConstraintType::contact_pyramidal) {
    for (int k = 0; k < dim; ++k) to[k * stride] = direction(k);
    return;
  }
  for (int k = 1; k < dim; ++k) {
    const S side = d.contact_friction[5 * c + k - 1] * direction(k);
    to[(2 * k - 2) * stride] = linear[0] + side;
    to[(2 * k - 1) * stride] = linear[0] - side;
  }
}

// the same for one of several bodies: adds to the column
template <class D, class S>
CORTEN_FN void add_contact_column(const D& d, int c, int row, int i, ConstraintType type,
                                  const Vec3<S>& linear, const Vec3<S>& angular) {
  const int dim = d.contact_dim[c];
  const auto direction = [&](int k) { return k < 3 ? linear[k] : angular[k - 3]; };
  if (type != ConstraintType::contact_pyramidal) {
    for (int k = 0; k < dim; ++k) row_entry(d, row + k, i) += direction(k);
    return;
  }
  for (int k = 1; k < dim; ++k) {
    const S side = d.contact_friction[5 * c + k - 1] * direction(k);
    row_entry(d, row + 2 * k - 2, i) += linear[0] + side;
    row_entry(d, row + 2 * k - 1, i) += linear[0] - side;
  }
}

// a contact of an element of a flex: the sum over the bodies that have a share in it
template <class M, class D>
CORTEN_FN bool shared_jacobian(const M& m, const D& d, int c, int row, ConstraintType type) {
  using S = typename D::Scalar;
  const int dim = d.contact_dim[c];
  const Vec3<S> point = vec3<S>(d.contact_pos, c);
  const Mat3<S> frame = mat3<S>(d.contact_frame, c);
  bool moves = false;
  for (int side = 0; side < 2; ++side) {
    each_contact_body(m, d, c, side, [&](int body, const S& weight) {
      const S share = side == 0 ? S(-weight) : weight;
      each_dof(m, d, body, point, [&](int i, const Vec3<S>& shift, const Vec3<S>& turn) {
        moves = true;
        const Vec3<S> linear = share * (frame * shift);
        const Vec3<S> angular = dim > 3 ? share * (frame * turn) : Vec3<S>::Zero();
        add_contact_column(d, c, row, i, type, linear, angular);
      });
    });
  }
  return moves;
}

// the row before, if it is one of a contact between the same bodies, else -1
template <class M, class D>
CORTEN_FN int row_alike(const M& m, const D& d, int row, int body1, int body2) {
  if (row == d.ne + d.nf + d.nl) return -1;
  const int before = d.efc_id[row - 1];
  const bool same =
      contact_body(m, d, before, 0) == body1 && contact_body(m, d, before, 1) == body2;
  return same ? row - 1 : -1;
}

// returns whether any dof moves the geoms relative to each other
template <class M, class D>
CORTEN_FN bool contact_jacobian(const M& m, const D& d, int c, int row, ConstraintType type) {
  using S = typename D::Scalar;
  const int dim = d.contact_dim[c];
  const int body1 = contact_body(m, d, c, 0), body2 = contact_body(m, d, c, 1);
  if constexpr (may_have_flexes<D>) {
    if (body1 < 0 || body2 < 0) return shared_jacobian(m, d, c, row, type);
  }
  RowBlock block;
  const bool fits = fix_columns(d, row, row_alike(m, d, row, body1, body2), block, [&](auto&& f) {
    each_relative_dof(m, body1, body2, [&](int i, bool) { f(i); });
  });
  if (!fits) return true;
  const Vec3<S> point = vec3<S>(d.contact_pos, c);
  const Mat3<S> frame = mat3<S>(d.contact_frame, c);
  const Vec3<S> offset1 = point - vec3<S>(d.subtree_com, m.body_rootid[body1]);
  const Vec3<S> offset2 = point - vec3<S>(d.subtree_com, m.body_rootid[body2]);
  int column = 0;
  each_relative_dof(m, body1, body2, [&](int i, bool second) {
    const Vec6<S> axis = vec6<S>(d.cdof, i);
    const Vec3<S> turn = axis.template head<3>();
    const Vec3<S> shift = axis.template tail<3>() + cross(turn, second ? offset2 : offset1);
    const S sign = second ? S(1) : S(-1);
    const Vec3<S> linear = sign * (frame * shift);
    const Vec3<S> angular = dim > 3 ? sign * (frame * turn) : Vec3<S>::Zero();
    const auto to = d.efc_J.from(block.at(column++, i));
    contact_column(d, c, to, block.stride, type, linear, angular);
  });
  return column > 0;
}

template <class M, class D>
CORTEN_ENTRY void contact_rows(const M& m, const D& d, int c) {
  using S = typename D::Scalar;
  const int dim = d.contact_dim[c];
  const ConstraintType type = contact_type(m, dim);
  const bool elliptic = type == ConstraintType::contact_elliptic;
  const int rows = type == ConstraintType::contact_pyramidal ? 2 * (dim - 1) : dim;
  const int row = reserve_rows(d, rows);
  if (row < 0) return;

  // If no dof moves the geoms, MuJoCo drops the rows, but only where it stores compressed rows;
  // where it stores dense ones it does not notice, and keeps them.
  if (!contact_jacobian(m, d, c, row, type) && compresses_rows(m)) {
    drop_rows(d, row, rows);
    d.contact_exclude[c] = 3;
    return;
  }

  for (int k = 0; k < rows; ++k) {
    const bool friction = elliptic && k > 0;
    set_row(d, row + k, type, c, friction ? S(0) : S(d.contact_dist[c]),
            friction ? S(0) : S(d.contact_includemargin[c]));
  }
  d.contact_efc_address[c] = row;
}

}  // namespace detail

namespace constraints {

struct Contact : Rows {
  static constexpr RowGroup group = RowGroup::contact;
  static constexpr const char* name = "contact";
  static constexpr bool one_weight = true;
  static constexpr unsigned asks = lists::cones;

  static constexpr bool owns(ConstraintType type) {
    return type == ConstraintType::contact_frictionless ||
           type == ConstraintType::contact_pyramidal || type == ConstraintType::contact_elliptic;
  }
  template <class D>
  CORTEN_FN static ConstraintType type_of(const D& d, int row) {
    return static_cast<ConstraintType>(d.efc_type[row]);
  }

  template <class M, class D>
  CORTEN_FN static void rows(const M& m, const D& d) {
    for (int c = 0; c < d.ncon; ++c) {
      if (is_passive_contact(m, d, c)) d.contact_exclude[c] = 4;
      if (d.contact_exclude[c] == 0) detail::contact_rows(m, d, c);
    }
  }

  template <class M, class D>
  CORTEN_FN static int count(const M&, const D& d, int row) {
    const int dim = d.contact_dim[d.efc_id[row]];
    return type_of(d, row) == ConstraintType::contact_pyramidal ? 2 * (dim - 1) : dim;
  }
  template <class M, class D>
  CORTEN_FN static bool is_friction(const M&, const D& d, int row, int k) {
    return k > 0 && type_of(d, row) == ConstraintType::contact_elliptic;
  }
  template <class M, class D>
  CORTEN_FN static auto solver_parameters(const M&, const D& d, int c) {
    return load_parameters<typename D::Scalar>(d.contact_solref, d.contact_solimp, c);
  }

  // the friction rows of an elliptic cone use the contact's solreffriction if it is set
  template <class M, class D, class S>
  CORTEN_FN static Vec<S, 2> reference(const M& m, const D& d, int c, int k,
                                       const Vec<S, 2>& normal) {
    if (k == 0 || type_of(d, d.contact_efc_address[c]) != ConstraintType::contact_elliptic) {
      return normal;
    }
    Vec<S, 2> ref = vec<S, 2>(d.contact_solreffriction, c);
    const bool none = value(ref[0]) == 0 && value(ref[1]) == 0;
    if (none || (value(ref[0]) > 0) != (value(ref[1]) > 0)) return normal;
    if (!m.opt.disabled(disable_refsafe) && value(ref[0]) > 0) {
      ref[0] = max(ref[0], S(S(2) * S(m.opt.timestep)));
    }
    return ref;
  }

  // in translation (0) or rotation (1)
  template <class S, class M, class D>
  CORTEN_FN static S inverse_weight(const M& m, const D& d, int c, int rotation) {
    S sum = S(0);
    for (int side = 0; side < 2; ++side) {
      each_contact_body(m, d, c, side, [&](int body, const S& share) {
        sum += S(m.body_invweight0[2 * body + rotation]) * share;
      });
    }
    return sum;
  }
  template <class M, class D>
  CORTEN_FN static auto weight(const M& m, const D& d, int row, int k) {
    using S = typename D::Scalar;
    const int c = d.efc_id[row];
    const ConstraintType type = type_of(d, row);
    const S translation = inverse_weight<S>(m, d, c, 0);
    if (type == ConstraintType::contact_frictionless) return translation;
    const S rotation = inverse_weight<S>(m, d, c, 1);
    if (type == ConstraintType::contact_elliptic) return k < 3 ? translation : rotation;
    const S mu = d.contact_friction[5 * c + k / 2];
    return S(translation + mu * mu * (k / 2 < 2 ? translation : rotation));
  }

  // The R of the friction rows is that of the normal, divided by impratio. In an elliptic cone R μ²
  // is the same for all friction rows; the edges of a pyramid share one R, which matches the
  // friction of the elliptic cone.
  template <class M, class D>
  CORTEN_FN static void finish(const M& m, const D& d, int row, int count) {
    using S = typename D::Scalar;
    if (type_of(d, row) == ConstraintType::contact_frictionless) return;
    const int c = d.efc_id[row];
    const S ratio = S(1) / max(S(min_value), S(m.opt.impratio));
    const S mu = d.contact_friction[5 * c];
    d.contact_mu[c] = mu * sqrt(ratio);
    if (type_of(d, row) == ConstraintType::contact_pyramidal) {
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

  template <class M, class D, class F>
  CORTEN_FN static void trees(const M& m, const D& d, int c, F&& f) {
    for (int side = 0; side < 2; ++side) {
      each_contact_body(m, d, c, side, [&](int body, const auto&) { f(int(m.body_treeid[body])); });
    }
  }
};

}  // namespace constraints

}  // namespace corten
