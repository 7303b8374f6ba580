// SPDX-License-Identifier: Apache-2.0
//
// Statistics of a whole model: the scales that solvers and renderers use, and a length for each
// dof.
#pragma once

#include <corten/compile/frames.hpp>
#include <corten/core/list.hpp>
#include <corten/geom/geoms.hpp>

namespace corten::compiler::detail {

template <class S>
struct Bounds {
  Vec3<S> low = Vec3<S>::Constant(S(1e10)), high = Vec3<S>::Constant(S(-1e10));

  void add(const Vec3<S>& point, const S& radius) {
    for (int k = 0; k < 3; ++k) {
      low[k] = min(low[k], S(point[k] - radius));
      high[k] = max(high[k], S(point[k] + radius));
    }
  }
};

// the bounding box of bodies, joints, sites and geoms
template <class M, class D>
auto bounds_of(const M& m, const D& d) {
  using S = typename D::Scalar;
  Bounds<S> box;
  for (int b = 1; b < m.n.nbody; ++b) {
    box.add(vec3<S>(d.xpos, b), S(0));
    box.add(vec3<S>(d.xipos, b), S(0));
  }
  for (int j = 0; j < m.n.njnt; ++j) box.add(vec3<S>(d.xanchor, j), S(0));
  for (int s = 0; s < m.n.nsite; ++s) box.add(vec3<S>(d.site_xpos, s), S(0));
  for (int g = 0; g < m.n.ngeom; ++g) {
    S radius = S(m.geom_rbound[g]);
    if (value(radius) <= 0) {
      M::Policies::Geoms::visit(m.geom_type[g], [&](auto kind) {
        radius = decltype(kind)::stat_radius(vec3<S>(m.geom_size, g));
      });
    }
    box.add(vec3<S>(d.geom_xpos, g), radius);
  }
  return box;
}

// the edges of flexes, and the distances between nodes, are lengths of the bodies they are in
template <class M, class D, class S>
void reach_flexes(const M& m, const D& d, List<S>& length) {
  const auto widen = [&](int b, const S& x) { at(length, b) = max(at(length, b), x); };
  for (int f = 0; f < m.n.nflex; ++f) {
    if (m.flex_interp[f] == 0) {
      for (int e = m.flex_edgeadr[f]; e < m.flex_edgeadr[f] + m.flex_edgenum[f]; ++e) {
        for (int k = 0; k < 2; ++k) {
          const int v = m.flex_vertadr[f] + m.flex_edge[2 * e + k];
          widen(m.flex_vertbodyid[v], S(m.flexedge_length0[e]));
        }
      }
      continue;
    }
    const int first = m.flex_nodeadr[f], end = first + m.flex_nodenum[f];
    for (int i = first; i < end; ++i) {
      for (int j = first; j < end; ++j) {
        const int b = m.flex_nodebodyid[i];
        widen(b, norm(vec3<S>(d.xpos, b) - vec3<S>(d.xpos, m.flex_nodebodyid[j])));
      }
    }
  }
}

// a length for each body: how far its joints, its children's joints and its geoms extend from its
// centre of mass
template <class M, class D>
auto body_lengths(const M& m, const D& d) {
  using S = typename D::Scalar;
  List<S> length(static_cast<std::size_t>(m.n.nbody), S(0));
  const auto reach = [&](int b, const Vec3<S>& point, const S& radius) {
    const S distance = norm(vec3<S>(d.xipos, b) - point);
    at(length, b) = max(at(length, b), S(distance + radius));
  };
  for (int j = 0; j < m.n.njnt; ++j) {
    const int b = m.jnt_bodyid[j];
    reach(b, vec3<S>(d.xanchor, j), S(0));
    reach(m.body_parentid[b], vec3<S>(d.xanchor, j), S(0));
  }
  for (int g = 0; g < m.n.ngeom; ++g) {
    if (value(m.geom_rbound[g]) > 0) {
      reach(m.geom_bodyid[g], vec3<S>(d.geom_xpos, g), S(m.geom_rbound[g]));
    }
  }
  reach_flexes(m, d, length);
  for (S& x : length) x = max(x, S(1e-5));
  return length;
}

// sets stat and dof_length; the stages must have been evaluated at qpos0
template <class S, class M, class D>
CORTEN_COLD void set_statistics(Model<S>& model, const M& m, const D& d) {
  Statistic<S>& stat = model.stat;
  const Bounds<S> box = bounds_of(m, d);
  stat.center = S(0.5) * (box.low + box.high);
  if (value(box.high[0]) > value(box.low[0])) {
    const Vec3<S> size = box.high - box.low;
    stat.extent = max(S(1e-5), max(size[0], max(size[1], size[2])));
  }

  const List<S> length = body_lengths(m, d);
  const int bodies = m.n.nbody - 1;
  if (bodies > 0) {
    stat.meansize = stat.meanmass = S(0);
    for (int b = 1; b <= bodies; ++b) {
      stat.meansize += at(length, b) / S(bodies);
      stat.meanmass += S(m.body_mass[b]) / S(bodies);
    }
  }
  stat.extent = max(stat.extent, S(S(2) * stat.meansize));

  // a translation already is a length, a rotation gets the length of its body
  if (m.n.nv > 0) stat.meaninertia = S(0);
  for (int i = 0; i < m.n.nv; ++i) {
    const int j = m.dof_jntid[i];
    bool slides = false;
    M::Policies::Joints::visit(m.jnt_type[j], [&](auto kind) {
      constexpr JointKind of = joint_kind<decltype(kind)>;
      slides = !of.turns && (!of.floats || i < m.jnt_dofadr[j] + 3);
    });
    at(model.dof_length, i) = slides ? S(1) : at(length, m.dof_bodyid[i]);
    stat.meaninertia += d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1] / S(m.n.nv);
  }
}

}  // namespace corten::compiler::detail
