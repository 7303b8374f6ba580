// SPDX-License-Identifier: Apache-2.0
//
// Writes flexes into the model: sizes, arrays, and the patterns of their Jacobians and of the
// constant factor of the implicit metric. Bodies and dofs must have been numbered.
#pragma once

#include <corten/compile/flex.hpp>
#include <corten/compile/flex_pattern.hpp>

namespace corten::compiler {

namespace detail {

// where the next flex goes
struct FlexAddress {
  int vert = 0, node = 0, edge = 0, elem = 0, elemdata = 0, elemedge = 0, shell = 0, evpair = 0,
      stiffness = 0, bending = 0;
};

template <class T>
void copy_to(const List<T>& from, List<T>& to, int at) {
  std::copy(from.begin(), from.end(), to.begin() + at);
}
template <class T>
int size_of(const List<T>& list) {
  return static_cast<int>(list.size());
}

CORTEN_COLD void count_flexes(const List<FlexDraft>& flexes, Sizes& n) {
  n.nflex = size_of(flexes);
  for (const FlexDraft& f : flexes) {
    n.nflexnode += f.nnode();
    n.nflexvert += f.nvert();
    n.nflexedge += f.nedge();
    n.nflexelem += f.nelem();
    n.nflexelemdata += size_of(f.elem);
    n.nflexstiffness += size_of(f.stiffness);
    n.nflexbending += size_of(f.bending);
    n.nflexelemedge += size_of(f.elem_edge);
    n.nflexshelldata += size_of(f.shell);
    n.nflexevpair += size_of(f.evpair) / 2;
  }
}

CORTEN_COLD void write_flex_contact(Model<double>& m, const spec::FlexContact& c, int i) {
  put(m.flex_contype, i, c.contype.value_or(1));
  put(m.flex_conaffinity, i, c.conaffinity.value_or(1));
  put(m.flex_condim, i, c.condim.value_or(3));
  put(m.flex_priority, i, c.priority.value_or(0));
  put(m.flex_solmix, i, c.solmix.value_or(1));
  put(m.flex_solref, i, c.solref.value_or(default_solref));
  put(m.flex_solimp, i, c.solimp.value_or(default_solimp));
  put(m.flex_friction, i, c.friction.value_or({1, 0.005, 0.0001}));
  put(m.flex_margin, i, c.margin.value_or(0));
  put(m.flex_gap, i, c.gap.value_or(0));
  put(m.flex_internal, i, c.internal.value_or(false));
  put(m.flex_selfcollide, i, c.selfcollide.value_or(FlexSelf::automatic));
  put(m.flex_activelayers, i, c.activelayers.value_or(1));
  put(m.flex_passive, i, c.passive.value_or(false));
}

// which kind of constraint holds the flex: the first that names it
CORTEN_COLD int flex_equality(const Draft& d, const spec::Flex& e) {
  for (const spec::Equality& q : d.equalities) {
    if (q.flex != e.name) continue;
    if (q.type == EqualityType::flex) return 1;
    if (q.type == EqualityType::flexvert) return 2;
    if (q.type == EqualityType::flexstrain) return 3;
  }
  return 0;
}

CORTEN_COLD void write_flex_properties(Draft& d, const FlexDraft& f, int i) {
  Model<double>& m = d.m;
  const spec::Flex& e = *f.spec;
  put(m.flex_dim, i, f.dim);
  put(m.flex_matid, i, e.material ? d.index.material.find(*e.material) : -1);
  put(m.flex_group, i, e.group.value_or(0));
  put_colour(m.flex_rgba, i, e.rgba.value_or(spec::Numbers<4>{0.5, 0.5, 0.5, 1}));
  put(m.flex_interp, i, f.is_shell() ? -e.order() : e.order());
  for (int k = 0; k < 3; ++k) {
    at(m.flex_cellnum, 3 * i + k) = f.grid.cells[static_cast<std::size_t>(k)];
  }
  put(m.flex_radius, i, f.radius);
  put(m.flex_size, i, f.size);
  put(m.flex_damping, i, e.elasticity.damping.value_or(0));
  put(m.flex_edgestiffness, i, e.edge.stiffness.value_or(0));
  put(m.flex_edgedamping, i, e.edge.damping.value_or(0));
  put(m.flex_edgeequality, i, flex_equality(d, e));
  put(m.flex_rigid, i, f.rigid);
  put(m.flex_centered, i, f.centred);
  put(m.flex_flatskin, i, e.flatskin.value_or(false));
}

CORTEN_COLD void write_flex_addresses(Model<double>& m, const FlexDraft& f, int i,
                                      const FlexAddress& a) {
  const auto or_none = [](bool some, int address) { return some ? address : -1; };
  put(m.flex_vertadr, i, a.vert);
  put(m.flex_vertnum, i, f.nvert());
  put(m.flex_nodeadr, i, a.node);
  put(m.flex_nodenum, i, f.nnode());
  put(m.flex_edgeadr, i, a.edge);
  put(m.flex_edgenum, i, f.nedge());
  put(m.flex_elemadr, i, a.elem);
  put(m.flex_elemnum, i, f.nelem());
  put(m.flex_elemdataadr, i, a.elemdata);
  put(m.flex_elemedgeadr, i, a.elemedge);
  put(m.flex_stiffnessadr, i, or_none(!f.stiffness.empty(), a.stiffness));
  put(m.flex_bendingadr, i, or_none(!f.bending.empty(), a.bending));
  put(m.flex_shellnum, i, size_of(f.shell) / f.dim);
  put(m.flex_shelldataadr, i, or_none(!f.shell.empty(), a.shell));
  put(m.flex_evpairadr, i, or_none(!f.evpair.empty(), a.evpair));
  put(m.flex_evpairnum, i, size_of(f.evpair) / 2);
}

CORTEN_BULK void write_flex_arrays(Model<double>& m, const FlexDraft& f, const FlexAddress& a) {
  if (!f.centred || f.interpolated) copy_to(f.vert, m.flex_vert, 3 * a.vert);
  if (!f.centred && f.interpolated) copy_to(f.node, m.flex_node, 3 * a.node);
  copy_to(f.vert0, m.flex_vert0, 3 * a.vert);
  copy_to(f.node_x, m.flex_node0, 3 * a.node);
  copy_to(f.node_body, m.flex_nodebodyid, a.node);
  for (int v = 0; v < f.nvert(); ++v) {
    put(m.flex_vertbodyid, a.vert + v, f.interpolated ? -1 : at(f.vert_body, v));
  }
  copy_to(f.edge, m.flex_edge, 2 * a.edge);
  for (int e = 0; e < f.nedge(); ++e) {
    const bool flaps = f.dim == 2 && f.bends();
    for (int k = 0; k < 2; ++k) {
      at(m.flex_edgeflap, 2 * (a.edge + e) + k) = flaps ? at(f.flap, 4 * e + 2 + k) : -1;
    }
    const auto weld = [&](int k) {
      return at(m.body_weldid, at(f.vert_body, at(f.edge, 2 * e + k)));
    };
    put(m.flexedge_rigid, a.edge + e, f.rigid || (!f.interpolated && weld(0) == weld(1)));
  }
  copy_to(f.elem, m.flex_elem, a.elemdata);
  copy_to(f.elem_edge, m.flex_elemedge, a.elemedge);
  copy_to(f.layer, m.flex_elemlayer, a.elem);
  copy_to(f.shell, m.flex_shell, a.shell);
  copy_to(f.evpair, m.flex_evpair, 2 * a.evpair);
  copy_to(f.stiffness, m.flex_stiffness, a.stiffness);
  copy_to(f.bending, m.flex_bending, a.bending);
}

CORTEN_COLD void advance(const FlexDraft& f, FlexAddress& a) {
  a.vert += f.nvert();
  a.node += f.nnode();
  a.edge += f.nedge();
  a.elem += f.nelem();
  a.elemdata += size_of(f.elem);
  a.elemedge += size_of(f.elem_edge);
  a.shell += size_of(f.shell);
  a.evpair += size_of(f.evpair) / 2;
  a.stiffness += size_of(f.stiffness);
  a.bending += size_of(f.bending);
}

// constraints on the strain at vertices use x and y alone
CORTEN_COLD Result<void> check_plane(const Model<double>& m, const FlexDraft& f, int i) {
  if (at(m.flex_edgeequality, i) != 2 || f.dim != 2) return {};
  for (int e = 0; e < f.nedge(); ++e) {
    const auto height = [&](int k) { return at(f.vert0, 3 * at(f.edge, 2 * e + k) + 2); };
    if (std::fabs((height(1) - height(0)) * 2 * f.size[2]) <= 1e-15) continue;
    return f.spec->error("a flex with flexvert constraints must be flat and parallel to z = 0",
                         "use <edge equality=\"true\"/>, or a <flex> constraint");
  }
  return {};
}

}  // namespace detail

CORTEN_COLD void write_flexes(Draft& d) {
  if (d.spec.flexes.empty() || !d.errors.empty()) return;
  Model<double>& m = d.m;
  const List<Pose> poses = detail::reference_poses(m);
  List<FlexDraft> flexes;
  for (const spec::Flex& e : d.spec.flexes) {
    flexes.emplace_back();
    d.note(e, make_flex(d, poses, e, flexes.back()));
  }
  if (!d.errors.empty()) return;
  detail::count_flexes(flexes, m.n);
  m.allocate("n.nflex");
  detail::FlexAddress address;
  for (int i = 0; i < m.n.nflex; ++i) {
    const FlexDraft& f = at(flexes, i);
    detail::write_flex_contact(m, f.spec->contact, i);
    detail::write_flex_properties(d, f, i);
    detail::write_flex_addresses(m, f, i, address);
    detail::write_flex_arrays(m, f, address);
    d.note(*f.spec, detail::check_plane(m, f, i));
    detail::advance(f, address);
  }
  flex_edge_pattern(m);
  flex_vertex_pattern(m);
  flex_metric_pattern(m);
}

}  // namespace corten::compiler
