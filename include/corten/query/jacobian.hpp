// SPDX-License-Identifier: Apache-2.0
//
// Jacobians of points, frames and centres of mass: velocity = J qvel. All are 3 × nv and row-major,
// with separate matrices for translation (jacp) and rotation (jacr); either is optional. The
// functions on a Model and a Data take spans: an empty span skips the matrix, and a span of the
// wrong size makes them return bad_argument. The functions on views take fields, where null skips
// the matrix. Call them after forward_position, jac_dot after forward_velocity.
#pragma once

#include <corten/query/views.hpp>
#include <corten/sensor/common.hpp>

namespace corten {

namespace detail {

template <class S, class L>
CORTEN_FN void set_column(Field<S, L> jac, int nv, int i, const Vec3<S>& v) {
  for (int k = 0; jac.data != nullptr && k < 3; ++k) jac[k * nv + i] = v[k];
}
template <class S, class L>
CORTEN_FN void clear_jacobian(Field<S, L> jac, int nv) {
  if (jac.data != nullptr) fill(jac, 3 * nv, S(0));
}

// calls f(body) for the bodies of a subtree
template <class M, class F>
CORTEN_FN void each_body_below(const M& m, int body, F&& f) {
  f(body);
  for (int b = body + 1; b < m.n.nbody && m.body_parentid[b] >= body; ++b) f(b);
}

}  // namespace detail

// ---- on views -----------------------------------------------------------------------------------

// Jacobian of a point that moves with a body
template <class M, class D, class S, class L>
CORTEN_FN void jac(const M& m, const D& d, int body, const Vec3<S>& point, Field<S, L> jacp,
                   Field<S, L> jacr) {
  const int nv = m.n.nv;
  detail::clear_jacobian(jacp, nv);
  detail::clear_jacobian(jacr, nv);
  each_dof(m, d, body, point, [&](int i, const Vec3<S>& translation, const Vec3<S>& rotation) {
    detail::set_column(jacp, nv, i, translation);
    detail::set_column(jacr, nv, i, rotation);
  });
}

// Jacobians of a point and of an axis that move with a body
template <class M, class D, class S, class L>
CORTEN_FN void jac_point_axis(const M& m, const D& d, int body, const Vec3<S>& point,
                              const Vec3<S>& axis, Field<S, L> jac_point, Field<S, L> jac_axis) {
  const int nv = m.n.nv;
  detail::clear_jacobian(jac_point, nv);
  detail::clear_jacobian(jac_axis, nv);
  each_dof(m, d, body, point, [&](int i, const Vec3<S>& translation, const Vec3<S>& rotation) {
    detail::set_column(jac_point, nv, i, translation);
    detail::set_column(jac_axis, nv, i, cross(rotation, axis));
  });
}

// the time derivative of jac
template <class M, class D, class S, class L>
CORTEN_FN void jac_dot(const M& m, const D& d, int body, const Vec3<S>& point, Field<S, L> jacp,
                       Field<S, L> jacr) {
  const int nv = m.n.nv;
  detail::clear_jacobian(jacp, nv);
  detail::clear_jacobian(jacr, nv);
  const Vec3<S> speed = point_velocity(m, d, body, point).template tail<3>();
  const Vec3<S> offset = point - vec3<S>(d.subtree_com, m.body_rootid[body]);
  each_dof(m, d, body, point, [&](int i, const Vec3<S>&, const Vec3<S>& rotation) {
    const Vec6<S> rate = axis_rate(m, d, i);
    const Vec3<S> turn = rate.template head<3>(), shift = rate.template tail<3>();
    detail::set_column(jacp, nv, i, shift + cross(turn, offset) + cross(rotation, speed));
    detail::set_column(jacr, nv, i, turn);
  });
}

// Jacobian of the centre of mass of a subtree
template <class M, class D, class S, class L>
CORTEN_FN void jac_subtree_com(const M& m, const D& d, int body, Field<S, L> jacp) {
  const int nv = m.n.nv;
  detail::clear_jacobian(jacp, nv);
  const S total = S(m.body_subtreemass[body]);
  detail::each_body_below(m, body, [&](int b) {
    const S share = S(m.body_mass[b]) / total;
    each_dof(m, d, b, vec3<S>(d.xipos, b), [&](int i, const Vec3<S>& translation, const Vec3<S>&) {
      for (int k = 0; k < 3; ++k) jacp[k * nv + i] += share * translation[k];
    });
  });
}

// the matrix from qvel to the angular momentum of a subtree about its centre of mass
template <class M, class D, class S, class L>
CORTEN_FN void jac_subtree_angmom(const M& m, const D& d, int body, Field<S, L> mat) {
  const int nv = m.n.nv;
  detail::clear_jacobian(mat, nv);
  detail::each_body_below(m, body, [&](int b) {
    const Mat3<S> axes = mat3<S>(d.ximat, b);
    const Vec3<S> point = vec3<S>(d.xipos, b), inertia = vec3<S>(m.body_inertia, b);
    const Vec3<S> arm = S(m.body_mass[b]) * (point - vec3<S>(d.subtree_com, body));
    each_dof(m, d, b, point, [&](int i, const Vec3<S>& translation, const Vec3<S>& rotation) {
      const Vec3<S> local = axes.transpose() * rotation;
      const Vec3<S> own = axes * local.cwiseProduct(inertia);
      const Vec3<S> sum = own + cross(arm, translation);
      for (int k = 0; k < 3; ++k) mat[k * nv + i] += sum[k];
    });
  });
}

// ---- on a Model and a Data ----------------------------------------------------------------------

namespace detail {

// Calls f(view of the model, view of the data, fields …), unless the data belongs to another model,
// there is no such object, or a matrix is neither 3 × nv nor empty.
template <class SM, class S, class F>
Status fill_jacobians(const Model<SM>& model, const Data<S>& data, ObjectType type, int id,
                      std::span<S> a, std::span<S> b, F&& f) {
  const int size = 3 * model.n.nv;
  const Status known = check_id(model, data, id, framed_objects(model.n, type).count);
  if (!known) return known;
  if (!empty_or(a, size) || !empty_or(b, size)) return Status{bad_argument};
  f(make_ref<DefaultPolicies>(model), data.ref(), field_of(a), field_of(b));
  return {};
}

template <class SM, class S>
Status frame_jacobian(const Model<SM>& model, const Data<S>& data, ObjectType type, int id,
                      std::span<S> jacp, std::span<S> jacr) {
  return fill_jacobians(model, data, type, id, jacp, jacr,
                        [&](const auto& m, const auto& d, auto p, auto r) {
                          const auto frame = sensed_frame(m, d, static_cast<int>(type), id);
                          jac(m, d, frame.body, frame.pos, p, r);
                        });
}

}  // namespace detail

template <class SM, class S>
Status jac(const Model<SM>& model, const Data<S>& data, int body, const Vec3<S>& point, Out<S> jacp,
           Out<S> jacr) {
  return detail::fill_jacobians(
      model, data, ObjectType::body, body, jacp, jacr,
      [&](const auto& m, const auto& d, auto p, auto r) { jac(m, d, body, point, p, r); });
}

// Jacobians of the frame of a body, the centre of mass of a body, a geom, a site
template <class SM, class S>
Status jac_body(const Model<SM>& model, const Data<S>& data, int body, Out<S> jacp, Out<S> jacr) {
  return detail::frame_jacobian(model, data, ObjectType::xbody, body, jacp, jacr);
}
template <class SM, class S>
Status jac_body_com(const Model<SM>& model, const Data<S>& data, int body, Out<S> jacp,
                    Out<S> jacr) {
  return detail::frame_jacobian(model, data, ObjectType::body, body, jacp, jacr);
}
template <class SM, class S>
Status jac_geom(const Model<SM>& model, const Data<S>& data, int geom, Out<S> jacp, Out<S> jacr) {
  return detail::frame_jacobian(model, data, ObjectType::geom, geom, jacp, jacr);
}
template <class SM, class S>
Status jac_site(const Model<SM>& model, const Data<S>& data, int site, Out<S> jacp, Out<S> jacr) {
  return detail::frame_jacobian(model, data, ObjectType::site, site, jacp, jacr);
}

template <class SM, class S>
Status jac_point_axis(const Model<SM>& model, const Data<S>& data, int body, const Vec3<S>& point,
                      const Vec3<S>& axis, Out<S> jac_point, Out<S> jac_axis) {
  return detail::fill_jacobians(model, data, ObjectType::body, body, jac_point, jac_axis,
                                [&](const auto& m, const auto& d, auto p, auto a) {
                                  jac_point_axis(m, d, body, point, axis, p, a);
                                });
}

template <class SM, class S>
Status jac_dot(const Model<SM>& model, const Data<S>& data, int body, const Vec3<S>& point,
               Out<S> jacp, Out<S> jacr) {
  return detail::fill_jacobians(
      model, data, ObjectType::body, body, jacp, jacr,
      [&](const auto& m, const auto& d, auto p, auto r) { jac_dot(m, d, body, point, p, r); });
}

template <class SM, class S>
Status jac_subtree_com(const Model<SM>& model, const Data<S>& data, int body, Out<S> jacp) {
  if (jacp.empty()) return Status{bad_argument};
  return detail::fill_jacobians(
      model, data, ObjectType::body, body, jacp, {},
      [&](const auto& m, const auto& d, auto p, auto) { jac_subtree_com(m, d, body, p); });
}

template <class SM, class S>
Status jac_subtree_angmom(const Model<SM>& model, const Data<S>& data, int body, Out<S> mat) {
  if (mat.empty()) return Status{bad_argument};
  return detail::fill_jacobians(
      model, data, ObjectType::body, body, mat, {},
      [&](const auto& m, const auto& d, auto p, auto) { jac_subtree_angmom(m, d, body, p); });
}

}  // namespace corten
