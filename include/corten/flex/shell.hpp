// SPDX-License-Identifier: Apache-2.0
//
// Bending of interpolated shells: faces that meet at an edge resist a change of the jump between
// their normals at the middle of the edge. flex_bending holds the number of edges, and per edge the
// two faces, where its middle is in each, the stiffness, and the jump at rest.
#pragma once

#include <corten/flex/cells.hpp>

namespace corten {

inline constexpr int shell_width = 10;

namespace detail {

// a face at a point: unit normal, tangents, and what 1 stands for in the normal
template <class S>
struct FaceFrame {
  Vec3<S> normal, t0, t1;
  S length;
};

// f(i, slope along the slow index, slope along the fast index) for each node of a face
template <class S, class F>
CORTEN_FN void each_face_slope(const FlexGrid& grid, const S& s0, const S& s1, F&& f) {
  for (int i = 0; i <= grid.order; ++i) {
    for (int j = 0; j <= grid.order; ++j) {
      f(i * (grid.order + 1) + j,
        S(shape_slope(s0, i, grid.order) * shape_value(s1, j, grid.order)),
        S(shape_value(s0, i, grid.order) * shape_slope(s1, j, grid.order)));
    }
  }
}

template <class S, class X>
CORTEN_FN FaceFrame<S> face_frame(const FlexGrid& grid, const GridElement& e, const X& x,
                                  const S& s0, const S& s1) {
  FaceFrame<S> out{Vec3<S>::Zero(), Vec3<S>::Zero(), Vec3<S>::Zero(), S(0)};
  each_face_slope(grid, s0, s1, [&](int n, const S& g0, const S& g1) {
    const Vec3<S> at = vec3<S>(x, e.node[n]);
    out.t0 += at * g0;
    out.t1 += at * g1;
  });
  out.normal = cross(out.t0, out.t1);
  out.length = norm(out.normal);
  return out;
}

// adds the force on the nodes of a face whose normal is to move by -r
template <class S, class F>
CORTEN_FN void push_face(const FlexGrid& grid, const GridElement& e, const FaceFrame<S>& face,
                         const S& s0, const S& s1, const Vec3<S>& r, const S& stiffness,
                         const F& out) {
  const Vec3<S> w = (r - face.normal * S(face.normal.dot(r))) * S(S(1) / face.length);
  const Vec3<S> w0 = cross(w, face.t0), w1 = cross(w, face.t1);
  each_face_slope(grid, s0, s1, [&](int n, const S& g0, const S& g1) {
    const Vec3<S> force = (w1 * g0 - w0 * g1) * stiffness;
    for (int k = 0; k < 3; ++k) out[3 * e.node[n] + k] += force[k];
  });
}

// the rotation halfway between two
template <class S>
CORTEN_FN Quat<S> middle(const Quat<S>& a, const Quat<S>& b) {
  const S sign = value(S(a.dot(b))) < 0 ? S(-1) : S(1);
  Quat<S> out;
  for (int k = 0; k < 4; ++k) out[k] = a[k] + sign * b[k];
  normalize(out);
  return out;
}

template <class S, class M, class X, class F>
CORTEN_FN void bend_shell_edge(const M& m, const FlexGrid& grid, int adr, const X& x,
                               const F& out) {
  S number[shell_width];
  for (int k = 0; k < shell_width; ++k) number[k] = S(m.flex_bending[adr + k]);
  if (value(number[6]) == 0) return;
  GridElement e[2];
  FaceFrame<S> face[2];
  Quat<S> turn[2];
  for (int s = 0; s < 2; ++s) {
    e[s] = grid_element(grid, static_cast<int>(value(number[s])));
    face[s] = face_frame(grid, e[s], x, number[2 + 2 * s], number[3 + 2 * s]);
    if (value(face[s].length) < value_t<S>(min_value)) return;
    face[s].normal = face[s].normal * S(S(1) / face[s].length);
    turn[s] = element_rotation<S>(grid, e[s], x);
  }
  const Vec3<S> rest =
      rotate(conjugate(middle(turn[0], turn[1])), Vec3<S>(number[7], number[8], number[9]));
  const Vec3<S> jump = face[0].normal - face[1].normal - rest;
  push_face(grid, e[0], face[0], number[2], number[3], jump, number[6], out);
  push_face(grid, e[1], face[1], number[4], number[5], jump, S(-number[6]), out);
}

}  // namespace detail

// adds the forces of flex f to qfrc_spring; there is no damping
template <class M, class D>
CORTEN_FN void flex_shell(const M& m, const D& d, int f) {
  using S = typename D::Scalar;
  const int adr = m.flex_bendingadr[f];
  if (m.flex_rigid[f] || m.flex_interp[f] >= 0 || adr < 0) return;
  const FlexGrid grid = flex_grid(m, f);
  const int first = 3 * m.flex_nodeadr[f], edges = static_cast<int>(value(m.flex_bending[adr]));
  const auto force = d.flexnode_force.from(first);
  fill(force, 3 * m.flex_nodenum[f], S(0));
  for (int e = 0; e < edges; ++e) {
    detail::bend_shell_edge<S>(m, grid, adr + 1 + e * shell_width, d.flexnode_xpos.from(first),
                               force);
  }
  if (edges > 0) detail::push_nodes(m, d, f, force, d.qfrc_spring);
}

}  // namespace corten
