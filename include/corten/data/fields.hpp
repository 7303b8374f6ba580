// SPDX-License-Identifier: Apache-2.0
//
// The field lists of the data. Read from top to bottom they are the table of contents of a step:
// each group lists what the stage named above it writes. Where MuJoCo has the same quantity, name
// and layout are MuJoCo's, so its documentation of mjData applies.
//
// Types: S is the data's scalar. Primal is S with one level of derivatives removed (S itself for
// float and double); iterative solvers use it. Byte is untyped memory.
#pragma once

// clang-format off

// ---- single numbers -----------------------------------------------------------------------------
//   X(type, name, meaning), or T(…) for scratch
#define CORTEN_DATA_CELL_TABLE(X, T)                                                  \
  X(S, time, "simulation time")                                                       \
  X(int, ncon, "detected contacts")                                                   \
  X(int, ne, "equality rows")                                                         \
  X(int, nf, "friction loss rows")                                                    \
  X(int, nl, "limit rows")                                                            \
  X(int, nefc, "constraint rows")                                                     \
  X(int, nJ, "entries of their Jacobian")                                             \
  T(int, nrun, "compressed rows: numbers that describe their patterns")               \
  T(int, open_rows, "compressed rows: the last ones, which are being written")        \
  T(int, open_width, "compressed rows: their columns so far")                         \
  T(int, nJ_lost, "compressed rows: entries that did not fit")                        \
  X(int, nidof, "dofs touched by constraint rows")                                    \
  X(int, nisland, "groups of trees coupled by rows, solved one by one")               \
  X(int, solver_niter, "iterations of the last solve")                                \
  X(int, nscon, "contacts of soft bodies")                                            \
  T(int, soft_hold, "1: the reaction of soft bodies is that of an earlier evaluation") \
  T(int, solver_kept, "duals: 1 if solve may reuse the values of the last solve")     \
  X(int, ncon_needed, "contacts that the last collision pass wanted to write")        \
  X(int, nefc_needed, "rows that the last constraint pass wanted to write")           \
  T(int, near_count, "pairs of geoms that may touch soon, in models with a grid")      \
  T(int, near_needed, "pairs that it wanted to write")                                \
  T(int, near_key, "what the pairs depend on, besides poses; 0: there are none")      \
  T(int, near_age, "collision passes since they were found")                          \
  T(int, nitem, "devices: pairs of geoms to collide")                                 \
  T(int, nhit_needed, "devices: hits that they need room for")                        \
  T(int, nJ_needed, "compressed rows: entries that it needed room for")               \
  T(int, nY_needed, "compressed rows: entries that PGS and noslip need room for")     \
  T(int, nH_needed, "compressed rows: numbers that the Hessian needs room for")       \
  T(int, nF_needed, "compressed rows: integers that its pattern needs room for")      \
  X(int, ntree_awake, "awake trees")                                                  \
  X(int, nbody_awake, "awake and static bodies")                                      \
  X(int, nparent_awake, "bodies whose parent is awake or static")                     \
  X(int, nv_awake, "awake dofs")                                                      \
  T(int, nasleep, "trees that the stages skip")                                       \
  T(int, nawake_run, "stretches of bodies that the stages visit, if they skip any")         \
  X(int, status, "Status bits of the last step")

// ---- state and inputs ---------------------------------------------------------------------------
//   A(type, name, rows, width, meaning)
// Everything a step starts from except time, in MuJoCo's order (mjtState). This is the only list of
// states: all code that copies, resets, saves or differentiates them goes through
// data/state_list.hpp, so adding an input takes one line here. A(…) is advanced by a step, U(…) is
// set by the user, and O(…) is set by the user too but stays an integer per world when worlds share
// lanes.
#define CORTEN_STATE_TABLE(A, U, O) CORTEN_MUJOCO_STATE_TABLE(A, U, O) CORTEN_SLEEP_TABLE(A, U, O)

// MuJoCo has a bit for each of these, in this order, ...
#define CORTEN_MUJOCO_STATE_TABLE(A, U, O)                                                 \
  A(S, qpos, n.nq, 1, "configuration")                                                     \
  A(S, qvel, n.nv, 1, "velocity")                                                          \
  A(S, act, n.na, 1, "actuator activation")                                                \
  A(S, history, n.nhistory, 1, "past controls and readings (data/history.hpp)")            \
  A(S, qacc_warmstart, n.nv, 1, "acceleration from which the constraint solver starts")    \
  U(S, ctrl, n.nu, 1, "control")                                                           \
  U(S, qfrc_applied, n.nv, 1, "applied generalised force")                                 \
  U(S, xfrc_applied, n.nbody, 6, "applied force and torque at each body's centre of mass") \
  O(int, eq_active, n.neq, 1, "1 if the equality constraint is active")                    \
  U(S, mocap_pos, n.nmocap, 3, "positions of mocap bodies")                                \
  U(S, mocap_quat, n.nmocap, 4, "orientations of mocap bodies")                            \
  A(S, userdata, n.nuserdata, 1, "the user's own numbers")

// ... but none for this. Without it a simulation with sleeping trees would not resume exactly.
#define CORTEN_SLEEP_TABLE(A, U, O)                                                        \
  O(int, tree_asleep, n.nsleep, 1, "negative: awake; else the next of those asleep together")

// The state of soft bodies, which MuJoCo does not have. It comes after everything else, so that the
// bits of mjtState keep their places. Worlds in lanes keep it to themselves.
#define CORTEN_SOFT_STATE_TABLE(O)                                                         \
  O(S, soft_pos, n.nsoftvert, 3, "positions of soft vertices")                             \
  O(S, soft_vel, n.nsoftvert, 3, "velocities of soft vertices")                            \
  O(S, soft_force, n.nsoftvert, 3, "applied forces on soft vertices")                      \
  O(int, soft_flags, n.nsoftvert, 1, "SoftFlag")                                           \
  O(int, soft_idle, n.nsoft, 1, "steps for which the body has been at rest")

// ---- arrays -------------------------------------------------------------------------------------
//   X(type, name, rows, width, meaning)
// rows and width may use the sizes as n.<size>. n.nconmax and n.njmax are the capacities for
// contacts and constraint rows; the other capacities (n.npgs, n.ndual, n.nslip, n.nisl, n.nslope,
// n.nccd) are explained in capacity.hpp and are 0 where a model or scalar does not need the memory.
//
// Some quantities are computed for each world separately even if worlds are stepped together in
// lanes (data/lanes.hpp): contacts, rows, sensor readings, points of tendon paths. They are marked
// O(…). T(…) marks scratch memory, which is not part of the results.
#define CORTEN_DATA_TABLE(X, O, T)                                                           \
  CORTEN_STATE_TABLE(X, X, O)                                                                \
  CORTEN_SOFT_STATE_TABLE(O)                                                                 \
  /* solver/sleep: what follows from tree_asleep, if the model lets trees sleep */           \
  O(int, tree_awake, n.nsleep, 1, "1 if awake")                                              \
  O(int, body_awake, (n.nsleep > 0 ? n.nbody : 0), 1, "SleepState")                          \
  O(int, body_awake_ind, (n.nsleep > 0 ? n.nbody : 0), 1, "awake and static bodies")         \
  O(int, parent_awake_ind, (n.nsleep > 0 ? n.nbody : 0), 1, "bodies of such parents")        \
  O(int, dof_awake_ind, (n.nsleep > 0 ? n.nv : 0), 1, "awake dofs")                          \
  /* stage/kinematics: Cartesian frames */                                                   \
  X(S, xpos, n.nbody, 3, "body position")                                                    \
  X(S, xquat, n.nbody, 4, "body orientation")                                                \
  X(S, xmat, n.nbody, 9, "body orientation")                                                 \
  X(S, xipos, n.nbody, 3, "centre of mass")                                                  \
  X(S, ximat, n.nbody, 9, "principal axes")                                                  \
  X(S, xanchor, n.njnt, 3, "joint anchor")                                                   \
  X(S, xaxis, n.njnt, 3, "joint axis")                                                       \
  X(S, geom_xpos, n.ngeom, 3, "geom position")                                               \
  X(S, geom_xmat, n.ngeom, 9, "geom orientation")                                            \
  X(S, site_xpos, n.nsite, 3, "site position")                                               \
  X(S, site_xmat, n.nsite, 9, "site orientation")                                            \
  /* stage/com: quantities about the centre of mass of each tree */                          \
  X(S, subtree_com, n.nbody, 3, "centre of mass of the subtree")                             \
  X(S, cinert, n.nbody, 10, "inertia of the body")                                           \
  X(S, cdof, n.nv, 6, "motion axis of each dof")                                             \
  /* stage/camera */                                                                         \
  X(S, cam_xpos, n.ncam, 3, "camera position")                                               \
  X(S, cam_xmat, n.ncam, 9, "camera orientation")                                            \
  X(S, light_xpos, n.nlight, 3, "light position")                                            \
  X(S, light_xdir, n.nlight, 3, "light direction")                                           \
  /* flex/vertices and flex/edges */                                                        \
  O(S, flexvert_xpos, n.nflexvert, 3, "vertex position")                                     \
  O(S, flexelem_aabb, n.nflexelem, 6, "bounding box of an element: centre, half sizes")      \
  O(S, flexedge_J, n.nJfe, 1, "Jacobian of edge lengths, compressed rows")                   \
  O(S, flexedge_length, n.nflexedge, 1, "length of an edge")                                 \
  O(S, flexvert_J, n.nJfv, 2, "Jacobian of the strains, compressed rows")                    \
  O(S, flexvert_length, n.nflexvert, 2, "strain at a vertex: two invariants")                \
  T(S, flexnode_xpos, n.nflexnode, 3, "node position")                                       \
  /* tendon/path */                                                                          \
  X(S, ten_length, n.ntendon, 1, "length")                                                   \
  X(S, ten_J, n.nJten, 1, "Jacobian, compressed rows")                                       \
  O(int, ten_wrapadr, n.ntendon, 1, "first point of the path")                               \
  O(int, ten_wrapnum, n.ntendon, 1, "points of the path")                                    \
  O(int, wrap_obj, n.nwrap, 2, "geom that the point lies on; -1: site, -2: pulley")          \
  O(S, wrap_xpos, n.nwrap, 6, "points of the paths, at most two per wrap object")            \
  /* stage/inertia and stage/factor */                                                       \
  X(S, crb, n.nbody, 10, "inertia of the subtree")                                           \
  X(S, M, n.nM, 1, "inertia matrix, lower triangle, compressed rows")                        \
  X(S, qLD, n.nM, 1, "its factor L'DL, with the same pattern")                               \
  X(S, qLDiagInv, n.nv, 1, "1/D")                                                            \
  /* stage/collision */                                                                      \
  O(S, contact_dist, n.nconmax, 1, "distance; negative: penetration")                        \
  O(S, contact_pos, n.nconmax, 3, "point midway between the surfaces")                       \
  O(S, contact_frame, n.nconmax, 9, "rows: normal from geom1 to geom2, two tangents")        \
  O(S, contact_includemargin, n.nconmax, 1, "rows are made if dist < includemargin")         \
  O(S, contact_friction, n.nconmax, 5, "two tangents, torsional, two rolling")               \
  O(S, contact_solref, n.nconmax, 2, "solver reference")                                     \
  O(S, contact_solreffriction, n.nconmax, 2, "solver reference of friction rows; 0: solref") \
  O(S, contact_solimp, n.nconmax, 5, "solver impedance")                                     \
  O(S, contact_mu, n.nconmax, 1, "friction of the regularised cone")                         \
  O(S, contact_adhesion, n.nconmax, 1, "attraction between the surfaces")                    \
  O(int, contact_dim, n.nconmax, 1, "1, 3, 4 or 6")                                          \
  O(int, contact_geom, n.nconmax, 2, "geoms")                                                \
  O(int, contact_flex, n.if_flex(n.nconmax), 2, "flexes, -1: geom; there contact_geom is -1") \
  O(int, contact_elem, n.if_flex(n.nconmax), 2, "element of the flex, -1: geom or vertex")   \
  O(int, contact_vert, n.if_flex(n.nconmax), 2, "vertex of the flex, -1: geom or element")   \
  O(int, contact_exclude, n.nconmax, 1, "0: has rows; 1: in the gap; 3: fixed; 4: passive") \
  O(int, contact_efc_address, n.nconmax, 1, "first row or -1")                               \
  T(Primal, contact_far, n.if_flex(n.nconmax), 1, "flex_filter: squared distance from those kept") \
  T(int, contact_taken, n.if_flex(n.nconmax), 1, "flex_filter: 1 if kept")                   \
  T(Primal, flexbvh_aabb, n.nflexbvh, 6, "flex_tree: boxes around elements: centre, half sizes") \
  T(Primal, flex_end, n.nflexelem, 2, "flex_tree: ends of elements along an axis")           \
  T(int, flex_order, n.nflexelem, 3, "flex_tree: their order; elements passed by the sweep") \
  T(Primal, geom_bound, n.ngeom, 4, "centre of each geom, radius including its margin")      \
  /* collide/neighbours: pairs of large models that may touch soon, and the grid */          \
  T(int, near_pair, n.nnear, 3, "geoms, explicit pair or -1; in MuJoCo's order")             \
  T(int, near_room, n.nnear, 3, "scratch")                                                   \
  T(int, near_start, (n.ngrid > 0 ? n.nbody + 1 : 0), 1, "scratch")                          \
  T(Primal, near_bound, n.ngrid, 5, "geom_bound when the pairs were found; slack")           \
  T(Primal, near_box, n.paired_bodies(), 6, "boxes around the geoms of bodies: low, high")   \
  /* stage/collision_items, on devices: pairs to collide, in MuJoCo's order, and their hits */  \
  T(int, item_pair, n.nhit, 2, "number of the pair, place of its first hit")                 \
  T(int, item_found, n.nhit, 1, "number of its hits; plus item_limited if the work ended")   \
  T(S, item_hit, n.nhit, 10, "distance, position, normal, tangent")                          \
  T(int, grid_level, n.ngrid, 1, "level of each geom; -1: none, -2: it has no bounds")       \
  T(int, grid_code, n.ngrid, 2, "its cell")                                                  \
  T(int, grid_next, n.ngrid, 1, "next geom in the slot or -1")                               \
  T(int, grid_head, n.nslot, 1, "first geom of each slot of the hash table or -1")           \
  /* soft/detect, soft/couple: at most three contacts per vertex */                          \
  O(S, scon_depth, 3 * n.nsoftvert, 1, "overlap, positive")                                  \
  O(S, scon_pos, 3 * n.nsoftvert, 3, "nearest point of the geom")                            \
  O(S, scon_normal, 3 * n.nsoftvert, 3, "from the geom to the vertex")                       \
  O(S, scon_force, 3 * n.nsoftvert, 3, "force on the vertex")                                \
  O(int, scon_vert, 3 * n.nsoftvert, 1, "vertex")                                            \
  O(int, scon_geom, 3 * n.nsoftvert, 1, "geom")                                              \
  O(int, soft_scon, n.nsoft, 2, "first contact and number of contacts of the body")          \
  O(S, qfrc_soft, (n.nsoft > 0 ? n.nv : 0), 1, "reaction of soft bodies")                    \
  T(int, soft_near, (n.nsoft > 0 ? n.ngeom + 2 * n.nbody : 0), 1, "geoms in reach; bodies")     \
  T(S, soft_x, n.nsoftvert, 3, "new positions")                                              \
  T(S, soft_v, n.nsoftvert, 3, "new velocities")                                             \
  T(S, soft_x0, n.nsoftvert, 3, "positions before the substep")                              \
  T(S, soft_w, n.nsoftvert, 1, "inverse masses")                                             \
  T(S, soft_lambda, n.nsoftcon, 1, "multipliers")                                            \
  T(S, scon_row, 3 * n.nsoftvert, 11, "a contact as the solver sees it (soft/contact.hpp)")     \
  T(S, soft_body, (n.nsoft > 0 ? n.nbody : 0), 72, "motion of bodies that soft bodies touch") \
  /* stage/transmission */                                                                   \
  X(S, actuator_length, n.nout, 1, "length")                                                 \
  X(S, actuator_moment, n.nJmom, 1, "moment arms, compressed rows")                          \
  X(int, moment_rownnz, n.nout, 1, "non-zeros of the row")                                   \
  X(int, moment_rowadr, n.nout, 1, "address of the row")                                     \
  X(int, moment_colind, n.nJmom, 1, "dof of each non-zero")                                  \
  /* stage/velocity */                                                                       \
  O(S, flexedge_velocity, n.nflexedge, 1, "velocity of an edge's length")                    \
  X(S, ten_velocity, n.ntendon, 1, "velocity")                                               \
  X(S, actuator_velocity, n.nout, 1, "velocity")                                             \
  X(S, cvel, n.nbody, 6, "velocity of the body")                                             \
  X(S, cdof_dot, n.nv, 6, "time derivative of cdof")                                         \
  /* stage/passive and stage/bias */                                                         \
  X(S, qfrc_spring, n.nv, 1, "springs")                                                      \
  X(S, qfrc_damper, n.nv, 1, "dampers")                                                      \
  X(S, qfrc_gravcomp, n.nv, 1, "gravity compensation")                                       \
  X(S, qfrc_adhesion, n.nv, 1, "adhesion between surfaces")                                  \
  X(S, qfrc_fluid, n.nv, 1, "fluid")                                                         \
  X(S, qfrc_passive, n.nv, 1, "all passive forces")                                          \
  T(S, flexvert_force, n.nflexvert, 3, "force on a vertex")                                  \
  T(S, flexnode_vel, n.nflexnode, 3, "node velocity")                                        \
  T(S, flexnode_force, n.nflexnode, 3, "force on a node")                                    \
  T(S, flexnode_damp, n.nflexnode, 3, "damping force on a node")                             \
  X(S, qfrc_bias, n.nv, 1, "Coriolis, centrifugal, gravity")                                 \
  X(S, subtree_linvel, n.nbody, 3, "velocity of the subtree's centre of mass")               \
  X(S, subtree_angmom, n.nbody, 3, "angular momentum about that point")                      \
  /* stage/constraint: rows of the constraint Jacobian and their parameters */               \
  O(int, efc_type, n.njmax, 1, "ConstraintType")                                             \
  O(int, efc_id, n.njmax, 1, "dof, joint, tendon or contact of the row")                     \
  O(int, efc_state, n.njmax, 1, "ConstraintState")                                           \
  O(S, efc_J, n.entries(), 1, "Jacobian, dense or compressed rows (math/row_set.hpp)")       \
  O(int, efc_J_rowadr, n.if_compressed(n.njmax), 1, "address of a compressed row")           \
  O(int, efc_J_rownnz, n.if_compressed(n.njmax), 1, "its entries")                           \
  O(int, efc_J_runadr, n.if_compressed(n.njmax), 1, "its pattern, shared with other rows")   \
  O(int, efc_J_run, n.nrun, 1, "patterns: number of runs, then first dof and length of each") \
  O(S, efc_pos, n.njmax, 1, "position")                                                      \
  O(S, efc_margin, n.njmax, 1, "inclusion margin")                                           \
  O(S, efc_frictionloss, n.njmax, 1, "friction loss")                                        \
  O(S, efc_diagA, n.njmax, 1, "approximate diagonal of J M⁻¹ J'")                            \
  O(S, efc_KBIP, n.njmax, 4, "stiffness, damping, impedance, its derivative")                \
  O(S, efc_D, n.njmax, 1, "constraint mass")                                                 \
  O(S, efc_R, n.njmax, 1, "its inverse")                                                     \
  O(S, efc_vel, n.njmax, 1, "velocity J v")                                                  \
  O(S, efc_aref, n.njmax, 1, "reference acceleration")                                       \
  /* stage/actuation and stage/acceleration */                                               \
  X(S, act_dot, n.na, 1, "time derivative of act")                                           \
  X(S, actuator_force, n.nout, 1, "force")                                                   \
  X(S, qfrc_actuator, n.nv, 1, "force of all actuators")                                     \
  X(S, qfrc_smooth, n.nv, 1, "all forces except those of constraints")                       \
  X(S, qacc_smooth, n.nv, 1, "acceleration without constraints")                             \
  /* solver */                                                                               \
  O(S, efc_force, n.njmax, 1, "force of each row")                                           \
  X(S, qfrc_constraint, n.nv, 1, "J' efc_force")                                             \
  X(S, qacc, n.nv, 1, "acceleration")                                                        \
  /* pipeline/inverse */                                                                     \
  O(S, qfrc_inverse, n.nv, 1, "force for qacc, besides passive and constraint forces")       \
  O(S, solver_fwdinv, 2, 1, "forward minus inverse, norms: constraint, applied forces")      \
  /* stage/sensor, stage/energy, and the inputs of acceleration sensors */                   \
  O(S, sensordata, n.nsensordata, 1, "sensor readings")                                      \
  X(S, energy, 2, 1, "potential, kinetic")                                                   \
  O(S, cacc, n.nbody, 6, "acceleration of the body")                                         \
  O(S, cfrc_int, n.nbody, 6, "interaction force with the parent")                            \
  O(S, cfrc_ext, n.nbody, 6, "sum of applied and contact forces")                            \
  O(int, warning, status_bits, 1, "steps since the reset that reported each bit of Status")  \
  /* scratch of stages and integrators */                                                    \
  T(int, tree_rest, n.nsleep, 1, "solver/sleep: Rest")                                       \
  T(int, tree_work, n.nsleep, 4, "solver/sleep: trees that have just fallen asleep; scratch") \
  T(int, awake_run, n.nsleep + (n.nsleep > 0 ? 1 : 0), 8, "stage/awake: the stretches")      \
  T(Primal, rest_qpos, (n.nsleep > 0 ? n.nq : 0), 1, "qpos of trees when they fell asleep")  \
  T(S, work_body, n.nbody, 6, "scratch")                                                     \
  T(S, work_nv, n.nv, 2, "scratch")                                                          \
  T(S, work_nu, n.nu, 1, "scratch: controls as the actuators see them")                      \
  T(S, work_M, n.nM, 1, "scratch")                                                           \
  T(S, deriv_lower, n.nslope * n.nM, 1, "smooth_slope: D(i, j) for each entry (i, j) of M")  \
  T(S, deriv_upper, n.nslope * n.nM, 1, "smooth_slope: D(j, i)")                             \
  T(S, work_U, n.nslope * n.nM, 1, "scratch of implicit integrators")                        \
  T(S, work_feedback, n.nslope * n.nbody, 36, "smooth_slope: one matrix per body")           \
  T(S, work_rate, n.nslope * n.nv, 6, "smooth_slope: scratch")                               \
  T(Byte, ccd_room, n.nccd, n.vertex_bytes, "polytope of the convex collider, if large")     \
  T(S, rk_state, n.nq + 3 * n.nv + 2 * n.na, 1, "scratch of RK4")                            \
  /* scratch of solvers; fields of size n.ndual hold values of duals, and are empty otherwise */ \
  T(int, isl_tree, n.ntree, 2, "island of each tree or -1; scratch")                         \
  T(int, isl_efc, n.njmax, 1, "island of each row")                                          \
  T(int, isl_row, n.njmax, 1, "rows, grouped by island")                                     \
  T(int, isl_dof, n.nv, 1, "dofs, grouped by island")                                        \
  T(int, isl_rowadr, n.ntree + 2, 1, "start of each island in isl_row")                      \
  T(int, isl_dofadr, n.ntree + 2, 1, "start of each island in isl_dof")                      \
  T(int, open_dof, n.if_compressed(n.nv), 1, "dofs of the rows that are being written")      \
  T(int, open_slot, n.if_compressed(n.nv), 1, "where a dof is in open_dof, if it is there")  \
  T(S, open_sink, n.if_compressed(1), 1, "stands for an entry that does not exist")          \
  T(Primal, isl_J, n.island_entries(), 1, "an island's part of efc_J, if dense")             \
  T(int, isl_Jadr, n.if_compressed(n.nisl), 2, "if compressed: address and pattern of each row") \
  T(int, isl_run, n.island_runs(), 1, "patterns, in the numbers of the island's dofs")       \
  T(Primal, isl_num, n.nisl, 4, "an island's D, aref, frictionloss and forces")              \
  T(int, isl_int, n.nisl, 3, "an island's states, types and ids")                            \
  T(Primal, isl_vec, (n.nisl > 0 ? 5 * n.nv : 0), 1, "an island's joint-space vectors")      \
  T(Primal, isl_M, (n.nisl > 0 ? 2 * n.nM : 0), 1, "an island's M and qLD")                  \
  T(int, isl_pattern, (n.nisl > 0 ? 3 * n.nv + n.nM : 0), 1, "their pattern; slot of each dof") \
  T(Primal, sol_J, n.values(), 1, "values of efc_J")                                         \
  T(Primal, sol_D, n.ndual, 1, "values of efc_D")                                            \
  T(Primal, sol_aref, n.ndual, 1, "values of efc_aref")                                      \
  T(Primal, sol_floss, n.ndual, 1, "values of efc_frictionloss")                             \
  T(Primal, sol_mu, (n.ndual > 0 ? n.nconmax : 0), 1, "values of contact_mu")                \
  T(Primal, sol_friction, (n.ndual > 0 ? n.nconmax : 0), 5, "values of contact_friction")    \
  T(Primal, sol_force, n.ndual, 1, "values of efc_force")                                    \
  T(Primal, sol_M, (n.ndual > 0 ? 2 * n.nM : 0), 1, "values of M and qLD")                   \
  T(Primal, sol_qpos, (n.ndual > 0 ? 5 * n.nv : 0), 1, "values of joint-space vectors")      \
  T(Primal, sol_Jaref, n.njmax, 1, "J a - aref")                                             \
  T(Primal, sol_Jv, n.njmax, 1, "J search")                                                  \
  T(Primal, sol_row, n.njmax, 3, "numbers per row")                                          \
  T(Primal, sol_AR, n.if_dense(n.npgs, n.npgs), 1, "J M⁻¹ J' + R")                           \
  T(Primal, sol_Y, n.weighted(n.npgs), 1, "J L⁻¹ D^-½")                                      \
  T(Primal, sol_z, n.if_compressed(n.npgs > 0 ? n.nv : 0), 1, "Y' force")                    \
  T(int, sol_Yadr, n.if_compressed(n.npgs), 2, "address and pattern of each row of Y")       \
  T(int, sol_Yrun, n.if_compressed(n.npgs + 2 * n.nynz), 1, "patterns of Y")                 \
  T(Primal, sol_nv, n.nv, 8, "vectors")                                                      \
  T(Primal, sol_H, n.nhess, 1, "Hessian, then its Cholesky factor")                          \
  T(int, sol_factor, n.nfactor, 1, "patterns of the factors of large islands")               \
  T(int, isl_factor, n.if_compressed(n.ntree), 1, "where that of an island starts, or -1")   \
  /* solver/flex_metric */                                                                   \
  T(Primal, metric_vert, n.nmetric * n.nflexvert, 9, "stiffness of a vertex, world axes")    \
  T(Primal, metric_edge, n.nmetric * n.nflexedge, 9, "of an edge, from one end to the other") \
  T(Primal, metric_node, n.nmetric * (n.nflexnode + n.nflexvert), 9, "of a node; hinges") \
  T(Primal, metric_turn, n.nmetric * n.nflexnode, 4, "rotations of finite elements")         \
  T(Primal, metric_block, n.nmetric * (n.nflexvert + n.nflexnode), 9, "factors of M + K") \
  T(Primal, metric_vec, n.nmetric * n.nv, 5, "vectors")                                      \
  T(Primal, metric_move, n.nmetric * n.nflexvert, 6, "motion of vertices; forces")           \
  T(Primal, metric_nodes, n.nmetric * n.nflexnode, 6, "motion of nodes; forces")             \
  T(S, metric_wide, n.nmetric * n.nflexvert, 6, "the same with derivatives")                 \
  T(S, metric_wide_nodes, n.nmetric * n.nflexnode, 6, "the same with derivatives")           \
  T(S, metric_shift, n.nmetric * n.nv, 1, "-h K v")                                          \
  T(S, slip_AR, n.if_dense(n.nslip, n.nslip), 1, "duals: J M⁻¹ J' + R for noslip")           \
  T(S, slip_Y, n.weighted(n.nslip), 1, "duals: J L⁻¹ D^-½")                                  \
  T(S, slip_z, n.if_compressed(n.nslip > 0 ? n.nv : 0), 1, "duals: Y' force")                \
  T(S, slip_row, n.nslip, 1, "duals: one number per row")                                    \
  T(int, sol_state, n.njmax, 1, "previous states")                                           \
  T(int, sol_order, n.npgs, 1, "order in which rows are visited")

// ---- keyframes: X(field, the model's field, count) ----------------------------------------------
#define CORTEN_KEY_FIELDS(X)                   \
  X(qpos, key_qpos, n.nq)                      \
  X(qvel, key_qvel, n.nv)                      \
  X(act, key_act, n.na)                        \
  X(ctrl, key_ctrl, n.nu)                      \
  X(mocap_pos, key_mpos, 3 * n.nmocap)         \
  X(mocap_quat, key_mquat, 4 * n.nmocap)       \
  X(soft_pos, key_softpos, 3 * n.nsoftvert)    \
  X(soft_vel, key_softvel, 3 * n.nsoftvert)

// ---- parts of the lists -------------------------------------------------------------------------
#define CORTEN_DATA_NONE(...)

// everything, and everything except scratch
#define CORTEN_DATA_CELLS(X) CORTEN_DATA_CELL_TABLE(X, X)
#define CORTEN_DATA_FIELDS(X) CORTEN_DATA_TABLE(X, X, X)
#define CORTEN_DATA_SHOWN_CELLS(X) CORTEN_DATA_CELL_TABLE(X, CORTEN_DATA_NONE)
#define CORTEN_DATA_SHOWN_FIELDS(X) CORTEN_DATA_TABLE(X, X, CORTEN_DATA_NONE)

// what is computed in packs for all worlds of a block together
#define CORTEN_DATA_LANE_FIELDS(X) CORTEN_DATA_TABLE(X, CORTEN_DATA_NONE, CORTEN_DATA_NONE)
// clang-format on
