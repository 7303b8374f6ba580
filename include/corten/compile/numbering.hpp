// SPDX-License-Identifier: Apache-2.0
//
// Everything that follows from the parents of bodies: kinematic trees, the parents of dofs, the
// pattern of the inertia matrix, bodies with diagonal inertia, coinciding frames.
#pragma once

#include <corten/compile/derived.hpp>
#include <corten/compile/same_frame.hpp>
#include <corten/core/list.hpp>

#include <cmath>

namespace corten::compiler {

namespace detail {

// writes the previous dof on the way to the root, and the tree, of each dof
CORTEN_COLD void number_dofs(Model<double>& m) {
  List<int> last(static_cast<std::size_t>(m.n.nbody), -1);  // last dof at or above a body
  int tree = -1;
  for (int b = 0; b < m.n.nbody; ++b) {
    int previous = b > 0 ? at(last, at(m.body_parentid, b)) : -1;
    for (int k = 0; k < at(m.body_dofnum, b); ++k) {
      const int v = at(m.body_dofadr, b) + k;
      put(m.dof_parentid, v, previous);
      if (previous < 0) ++tree;
      put(m.dof_treeid, v, tree);
      previous = v;
    }
    at(last, b) = previous;
  }
}

CORTEN_COLD void number_trees(Model<double>& m) {
  for (int b = 0; b < m.n.nbody; ++b) {
    const int weld = at(m.body_weldid, b);
    const bool moves = at(m.body_dofnum, weld) > 0;
    put(m.body_treeid, b, moves ? at(m.dof_treeid, at(m.body_dofadr, weld)) : -1);
  }
  for (int b = m.n.nbody - 1; b > 0; --b) {
    const int t = at(m.body_treeid, b);
    if (t < 0) continue;
    at(m.tree_bodyadr, t) = b;
    ++at(m.tree_bodynum, t);
  }
  for (int v = m.n.nv - 1; v >= 0; --v) {
    const int t = at(m.dof_treeid, v);
    at(m.tree_dofadr, t) = v;
    ++at(m.tree_dofnum, t);
  }
}

// Do the joints of a body keep its inertia matrix diagonal? They do if they act through its origin
// along its axes, and no joint follows a rotation.
CORTEN_COLD bool joints_are_simple(const Model<double>& m, int b) {
  bool rotated = false;
  for (int k = 0; k < at(m.body_jntnum, b); ++k) {
    const int j = at(m.body_jntadr, b) + k;
    const auto type = static_cast<JointType>(at(m.jnt_type, j));
    if (is_user(type)) return false;
    const Vec3d axis = row<3>(m.jnt_axis, j);
    int along = 0;
    for (int i = 0; i < 3; ++i) along += std::fabs(axis[i]) > tiny ? 1 : 0;
    const bool aligned = along == 1;
    const bool scalar = type == JointType::hinge || type == JointType::slide;
    if (rotated || !same_position(row<3>(m.jnt_pos, j), Vec3d::Zero()) || (scalar && !aligned)) {
      return false;
    }
    rotated = rotated || type == JointType::ball || type == JointType::hinge;
  }
  return true;
}

// body_simple is 1 if the body is alone in its tree and its inertia matrix is diagonal, 2 if it
// also has slide joints only
CORTEN_COLD void mark_simple(Draft& d) {
  Model<double>& m = d.m;
  for (int b = 0; b < m.n.nbody; ++b) {
    const int parent = at(m.body_parentid, b);
    const bool on_static = at(m.body_parentid, parent) == 0 && at(m.body_dofnum, parent) == 0;
    bool simple = at(m.body_sameframe, b) == static_cast<int>(SameFrame::body) &&
                  (at(m.body_rootid, b) == b || on_static);
    const auto policy = at(d.bodies, b).spec->simple.value_or(spec::SimplePolicy::automatic);
    simple = simple && policy != spec::SimplePolicy::no && joints_are_simple(m, b);
    if (parent > 0) put(m.body_simple, parent, 0);

    bool slides = at(m.body_dofnum, b) > 0;
    for (int k = 0; k < at(m.body_jntnum, b); ++k) {
      slides =
          slides && at(m.jnt_type, at(m.body_jntadr, b) + k) == static_cast<int>(JointType::slide);
    }
    put(m.body_simple, b, simple ? (slides ? 2 : 1) : 0);
  }
}

// writes the lengths of runs of simple dofs, and the rows of M that follow from them
CORTEN_COLD void number_simple(Model<double>& m) {
  int run = 0;
  for (int v = m.n.nv - 1; v >= 0; --v) {
    run = at(m.body_simple, at(m.dof_bodyid, v)) != 0 ? run + 1 : 0;
    put(m.dof_simplenum, v, run);
  }
  choose_rows(m);
}

}  // namespace detail

CORTEN_COLD void write_structure(Draft& d) {
  detail::number_dofs(d.m);
  detail::number_trees(d.m);
  number_inertia(d.m);
  detail::mark_frames(d.m);  // body_simple depends on them
  detail::mark_simple(d);
  detail::number_simple(d.m);
}

}  // namespace corten::compiler
