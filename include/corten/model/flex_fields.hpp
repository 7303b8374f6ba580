// SPDX-License-Identifier: Apache-2.0
//
// The part of the model's field lists (model/fields.hpp) that belongs to flexes: deformable lines,
// surfaces and solids whose vertices are fixed to bodies, or follow the nodes of a coarser grid
// that are. Names, order and layout are MuJoCo's. Its texture coordinates are left out, and its
// bounding volumes are numbered separately.
#pragma once

// clang-format off

//   X(name, meaning)
#define CORTEN_FLEX_SIZES(X)                                                 \
  X(nflex, "flexes")                                                         \
  X(nflexnode, "nodes of all flexes")                                        \
  X(nflexvert, "vertices of all flexes")                                     \
  X(nflexedge, "edges of all flexes")                                        \
  X(nflexelem, "elements of all flexes")                                     \
  X(nflexelemdata, "corners of the elements of all flexes")                  \
  X(nflexstiffness, "numbers in the stiffnesses of all flexes")              \
  X(nflexbending, "numbers in the bending stiffnesses of all flexes")        \
  X(nefm0dof, "dofs in the constant factor of the implicit metric")          \
  X(nefm0L, "non-zeros of that factor")                                      \
  X(nflexelemedge, "edges of the elements of all flexes")                    \
  X(nflexshelldata, "corners of the shells of all flexes")                   \
  X(nflexevpair, "pairs of an element and a vertex of all flexes")           \
  X(nJfe, "non-zeros of the Jacobian of edge lengths")                       \
  X(nJfv, "non-zeros of the Jacobian of vertex strains")                     \
  X(nflexbvh, "bounding boxes around the elements of all flexes")

//   X(type, name, rows, width, meaning)
#define CORTEN_FLEX_FIELDS(X)                                                                \
  X(int, flex_contype, n.nflex, 1, "contact type bits")                                      \
  X(int, flex_conaffinity, n.nflex, 1, "contact affinity bits")                              \
  X(int, flex_condim, n.nflex, 1, "contact dimensions: 1, 3, 4, 6")                          \
  X(int, flex_priority, n.nflex, 1, "contact priority")                                      \
  X(S, flex_solmix, n.nflex, 1, "mixing weight")                                             \
  X(S, flex_solref, n.nflex, 2, "solver reference")                                          \
  X(S, flex_solimp, n.nflex, 5, "solver impedance")                                          \
  X(S, flex_friction, n.nflex, 3, "sliding, torsional, rolling")                             \
  X(S, flex_margin, n.nflex, 1, "distance at which contacts are included")                   \
  X(S, flex_gap, n.nflex, 1, "distance beyond the margin at which contacts are found")       \
  X(int, flex_internal, n.nflex, 1, "vertices collide with the elements that face them")     \
  X(int, flex_selfcollide, n.nflex, 1, "FlexSelf")                                           \
  X(int, flex_activelayers, n.nflex, 1, "layers of elements that collide with themselves")   \
  X(int, flex_passive, n.nflex, 1, "contacts act as passive forces")                         \
  X(int, flex_dim, n.nflex, 1, "1: segments, 2: triangles, 3: tetrahedra")                   \
  X(int, flex_matid, n.nflex, 1, "material or -1")                                           \
  X(int, flex_group, n.nflex, 1, "group")                                                    \
  X(int, flex_interp, n.nflex, 1, "order of interpolation; 0: no nodes, negative: a shell")   \
  X(int, flex_cellnum, n.nflex, 3, "cells of the grid of nodes along x, y, z")               \
  X(int, flex_nodeadr, n.nflex, 1, "first node")                                             \
  X(int, flex_nodenum, n.nflex, 1, "nodes")                                                  \
  X(int, flex_vertadr, n.nflex, 1, "first vertex")                                           \
  X(int, flex_vertnum, n.nflex, 1, "vertices")                                               \
  X(int, flex_edgeadr, n.nflex, 1, "first edge")                                             \
  X(int, flex_edgenum, n.nflex, 1, "edges")                                                  \
  X(int, flex_elemadr, n.nflex, 1, "first element")                                          \
  X(int, flex_elemnum, n.nflex, 1, "elements")                                               \
  X(int, flex_elemdataadr, n.nflex, 1, "first corner of its elements")                       \
  X(int, flex_stiffnessadr, n.nflex, 1, "address in flex_stiffness")                         \
  X(int, flex_elemedgeadr, n.nflex, 1, "first edge of its elements")                         \
  X(int, flex_bendingadr, n.nflex, 1, "address in flex_bending")                             \
  X(int, flex_shellnum, n.nflex, 1, "shells: the surface of a solid, the outline of a sheet") \
  X(int, flex_shelldataadr, n.nflex, 1, "first corner of its shells")                        \
  X(int, flex_evpairadr, n.nflex, 1, "first pair of an element and a vertex")                \
  X(int, flex_evpairnum, n.nflex, 1, "pairs of an element and a vertex")                     \
  X(int, flex_nodebodyid, n.nflexnode, 1, "body of a node")                                  \
  X(int, flex_vertbodyid, n.nflexvert, 1, "body of a vertex, or -1 if it follows nodes")     \
  X(int, flex_vertedgeadr, n.nflexvert, 1, "first entry of a vertex in flex_vertedge")       \
  X(int, flex_vertedgenum, n.nflexvert, 1, "edges at a vertex")                              \
  X(int, flex_vertedge, n.nflexedge, 2, "edges at each vertex, one vertex after the other")  \
  X(int, flex_edge, n.nflexedge, 2, "ends of an edge, vertices of the flex")                 \
  X(int, flex_edgeflap, n.nflexedge, 2, "vertices opposite the edge, or -1; dim 2 only")     \
  X(int, flex_elem, n.nflexelemdata, 1, "dim + 1 vertices per element")                      \
  X(int, flex_elemedge, n.nflexelemedge, 1, "1, 3 or 6 edges per element")                   \
  X(int, flex_elemlayer, n.nflexelem, 1, "number of elements to the surface; dim 3 only")    \
  X(int, flex_shell, n.nflexshelldata, 1, "dim vertices per shell")                          \
  X(int, flex_evpair, n.nflexevpair, 2, "an element, and a vertex that may collide with it") \
  X(S, flex_vert, n.nflexvert, 3, "position of a vertex in its body")                        \
  X(S, flex_vert0, n.nflexvert, 3, "position at qpos0 in the bounding box, from 0 to 1")     \
  X(S, flex_vertmetric, n.nflexvert, 4, "inverse of the shape matrix of a vertex at rest")   \
  X(S, flex_node, n.nflexnode, 3, "position of a node in its body")                          \
  X(S, flex_node0, n.nflexnode, 3, "position of a node at qpos0")                            \
  X(S, flexedge_length0, n.nflexedge, 1, "length of an edge at qpos0")                       \
  X(S, flexedge_invweight0, n.nflexedge, 1, "inverse inertia along an edge at qpos0")        \
  X(S, flex_radius, n.nflex, 1, "radius around the elements")                                \
  X(S, flex_size, n.nflex, 3, "half sizes of the bounding box at qpos0")                     \
  X(S, flex_stiffness, n.nflexstiffness, 1, "stiffness matrices of the elements or cells")   \
  X(S, flex_bending, n.nflexbending, 1, "bending stiffness of the edges")                    \
  X(int, efm0_dofid, n.nefm0dof, 1, "dof of each row of the constant factor")                \
  X(int, efm0_L_rownnz, n.nefm0dof, 1, "non-zeros of the row")                               \
  X(int, efm0_L_rowadr, n.nefm0dof, 1, "address of the row")                                 \
  X(int, efm0_L_colind, n.nefm0L, 1, "column of each non-zero")                              \
  X(S, efm0_L, n.nefm0L, 1, "factor of M + (h² + h damping) K, where K is bending alone")    \
  X(S, flex_damping, n.nflex, 1, "Rayleigh damping")                                         \
  X(S, flex_edgestiffness, n.nflex, 1, "stiffness of the edges")                             \
  X(S, flex_edgedamping, n.nflex, 1, "damping of the edges")                                 \
  X(int, flex_edgeequality, n.nflex, 1, "held by constraints on 1: edges, 2: vertices, 3: strain") \
  X(int, flex_rigid, n.nflex, 1, "all vertices are in one body")                             \
  X(int, flexedge_rigid, n.nflexedge, 1, "both ends are in one body")                        \
  X(int, flex_centered, n.nflex, 1, "all vertices are at the origins of their bodies")       \
  X(int, flex_flatskin, n.nflex, 1, "drawn with flat shading")                               \
  X(int, flexedge_J_rownnz, n.nflexedge, 1, "non-zeros of the row of an edge")               \
  X(int, flexedge_J_rowadr, n.nflexedge, 1, "address of the row")                            \
  X(int, flexedge_J_colind, n.nJfe, 1, "dof of each non-zero")                               \
  X(int, flexvert_J_rownnz, n.nflexvert, 2, "non-zeros of the two rows of a vertex")         \
  X(int, flexvert_J_rowadr, n.nflexvert, 2, "addresses of the rows")                         \
  X(int, flexvert_J_colind, n.nJfv, 2, "dof of each non-zero")                               \
  /* boxes around the elements that may collide (compile/flex_trees.hpp) */                  \
  X(int, flex_bvhadr, n.nflex, 1, "the box around all elements, or -1")                      \
  X(int, flex_bvhnum, n.nflex, 1, "boxes")                                                   \
  X(int, flexbvh_child, n.nflexbvh, 2, "the two boxes inside, relative to flex_bvhadr, or -1") \
  X(int, flexbvh_elem, n.nflexbvh, 1, "element, if the box is around one alone, or -1")      \
  X(float, flex_rgba, n.nflex, 4, "colour")
// clang-format on
