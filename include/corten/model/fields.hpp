// SPDX-License-Identifier: Apache-2.0
//
// The field lists of the model: one line for each size, option and array of Model. The owner, the
// view, casts, inspection and tests are all generated from these lists. Names, numbering and layout
// are MuJoCo's, so its documentation of mjModel applies.
#pragma once

#include <corten/core/options.hpp>
#include <corten/model/flex_fields.hpp>

// clang-format off

// ---- sizes --------------------------------------------------------------------------------------
//   X(name, meaning)
#define CORTEN_MODEL_SIZES(X)                                                \
  X(nq, "generalised coordinates")                                           \
  X(nv, "degrees of freedom")                                                \
  X(nu, "controls")                                                          \
  X(na, "activation states")                                                 \
  X(nout, "actuator force outputs")                                          \
  X(nbody, "bodies, including the world")                                    \
  X(njnt, "joints")                                                          \
  X(ntree, "kinematic trees under the world")                                \
  X(ngeom, "geoms")                                                          \
  X(nsite, "sites")                                                          \
  X(ncam, "cameras")                                                         \
  X(nlight, "lights")                                                        \
  X(nmat, "materials")                                                       \
  CORTEN_FLEX_SIZES(X)                                                       \
  X(nM, "non-zeros of the inertia matrix, lower triangle")                   \
  X(npair, "explicit contact pairs")                                         \
  X(nexclude, "excluded body pairs")                                         \
  X(ncandidate, "geom pairs that may collide, or examples of them")          \
  X(ngrid, "geoms among which a grid finds the pairs; 0: all are listed")    \
  X(nbox, "bounding boxes around the geoms of all bodies")                   \
  X(neq, "equality constraints")                                             \
  X(ntendon, "tendons")                                                      \
  X(nwrap, "wrap objects of all tendon paths")                               \
  X(nJten, "non-zeros of the tendon Jacobian")                               \
  X(nactuator, "actuators")                                                  \
  X(nhistory, "numbers in the histories of controls and readings")           \
  X(nJmom, "upper bound on the non-zeros of the actuator moments")           \
  X(nsensor, "sensors")                                                      \
  X(nsensordata, "numbers in sensordata")                                    \
  X(nnumeric, "custom numeric fields")                                       \
  X(nnumericdata, "numbers in all numeric fields")                           \
  X(nkey, "keyframes")                                                       \
  X(nmocap, "mocap bodies")                                                  \
  X(nmesh, "meshes")                                                         \
  X(nmeshvert, "vertices of all meshes")                                     \
  X(nmeshface, "triangles of all meshes")                                    \
  X(nmeshtangent, "vertices of all meshes with tangents")                    \
  X(nmeshtree, "bounding boxes around triangles of all meshes")              \
  X(nmeshgraph, "numbers in all convex hulls")                               \
  X(nmeshpoly, "faces of all convex hulls")                                  \
  X(nmeshpolyvert, "corners of all faces")                                   \
  X(nmeshpolymap, "faces around all vertices")                               \
  X(nhfield, "height fields")                                                \
  X(nhfielddata, "heights of all height fields")                             \
  X(nsdf, "distance grids")                                                  \
  X(nsdfdata, "nodes of all distance grids")                                 \
  X(nsoft, "soft bodies")                                                    \
  X(nsoftvert, "vertices of all soft bodies")                                \
  X(nsoftcon, "constraints between vertices of all soft bodies")             \
  X(nsoftelem, "segments, triangles and tetrahedra of all soft bodies")      \
  X(ngravcomp, "bodies with gravity compensation")                           \
  X(nsurfacevel, "geoms whose surface moves")                                \
  X(nadhesion, "geoms and pairs with adhesion")                              \
  X(nuserdata, "numbers in userdata")                                        \
  X(nuser_body, "user numbers per body")                                     \
  X(nuser_jnt, "user numbers per joint")                                     \
  X(nparam_jnt, "parameters per joint, for user-defined kinds")              \
  X(nuser_geom, "user numbers per geom")                                     \
  X(nuser_site, "user numbers per site")                                     \
  X(nuser_cam, "user numbers per camera")                                    \
  X(nuser_tendon, "user numbers per tendon")                                 \
  X(nuser_actuator, "user numbers per actuator")                             \
  X(nuser_sensor, "user numbers per sensor")

// ---- options ------------------------------------------------------------------------------------
//   X(type, name, width, form, merge, default …)
// The options of core/options.hpp, and the bit sets of flags and disabled actuator groups.
#define CORTEN_MODEL_OPTIONS(X)                                              \
  CORTEN_OPTION_TABLE(X)                                                     \
  X(int, disableflags, 1, bits, never, 0)                                    \
  X(int, enableflags, 1, bits, never, 0)                                     \
  X(int, disableactuator, 1, bits, never, 0)

// ---- arrays -------------------------------------------------------------------------------------
//   X(type, name, rows, width, meaning); rows and width may use the sizes as n.<size>
#define CORTEN_MODEL_FIELDS(X)                                                               \
  X(S, qpos0, n.nq, 1, "configuration at the reference pose")                                \
  X(S, qpos_spring, n.nq, 1, "configuration at which joint springs are at rest")             \
  /* bodies */                                                                               \
  X(int, body_parentid, n.nbody, 1, "parent body")                                           \
  X(int, body_rootid, n.nbody, 1, "ancestor that is a child of the world")                   \
  X(int, body_weldid, n.nbody, 1, "topmost body that this one is welded to")                 \
  X(int, body_mocapid, n.nbody, 1, "mocap index or -1")                                      \
  X(int, body_jntnum, n.nbody, 1, "joints of the body")                                      \
  X(int, body_jntadr, n.nbody, 1, "first joint or -1")                                       \
  X(int, body_dofnum, n.nbody, 1, "dofs of the body")                                        \
  X(int, body_dofadr, n.nbody, 1, "first dof or -1")                                         \
  X(int, body_treeid, n.nbody, 1, "kinematic tree or -1")                                    \
  X(int, body_geomnum, n.nbody, 1, "geoms of the body")                                      \
  X(int, body_geomadr, n.nbody, 1, "first geom or -1")                                       \
  X(int, body_simple, n.nbody, 1, "1: diagonal inertia, 2: and only slide joints")           \
  X(int, body_sameframe, n.nbody, 1, "inertial frame relative to the body frame (SameFrame)") \
  X(S, body_pos, n.nbody, 3, "position in the parent")                                       \
  X(S, body_quat, n.nbody, 4, "orientation in the parent")                                   \
  X(S, body_ipos, n.nbody, 3, "centre of mass in the body")                                  \
  X(S, body_iquat, n.nbody, 4, "principal axes in the body")                                 \
  X(S, body_mass, n.nbody, 1, "mass")                                                        \
  X(S, body_subtreemass, n.nbody, 1, "mass of the subtree")                                  \
  X(S, body_inertia, n.nbody, 3, "principal moments")                                        \
  X(S, body_invweight0, n.nbody, 2, "mean inverse inertia at qpos0: translation, rotation")  \
  X(S, body_gravcomp, n.nbody, 1, "gravity compensation")                                    \
  X(S, body_margin, n.nbody, 1, "largest margin + gap of its geoms")                         \
  X(S, body_user, n.nbody, n.nuser_body, "user data")                                        \
  X(int, body_contype, n.nbody, 1, "bitwise or of its geoms' contypes")                      \
  X(int, body_conaffinity, n.nbody, 1, "bitwise or of its geoms' conaffinities")             \
  /* joints */                                                                               \
  X(int, jnt_type, n.njnt, 1, "JointType")                                                   \
  X(int, jnt_qposadr, n.njnt, 1, "first coordinate")                                         \
  X(int, jnt_dofadr, n.njnt, 1, "first dof")                                                 \
  X(int, jnt_bodyid, n.njnt, 1, "body")                                                      \
  X(int, jnt_actuatorid, n.njnt, 1, "actuator that adds damping or armature, or -1")         \
  X(int, jnt_group, n.njnt, 1, "group")                                                      \
  X(int, jnt_limited, n.njnt, 1, "has limits")                                               \
  X(int, jnt_actfrclimited, n.njnt, 1, "has actuator force limits")                          \
  X(int, jnt_actgravcomp, n.njnt, 1, "gravity compensation counts as actuation")             \
  X(S, jnt_solref, n.njnt, 2, "limit solver reference")                                      \
  X(S, jnt_solimp, n.njnt, 5, "limit solver impedance")                                      \
  X(S, jnt_pos, n.njnt, 3, "anchor in the body")                                             \
  X(S, jnt_axis, n.njnt, 3, "axis in the body")                                              \
  X(S, jnt_stiffness, n.njnt, 1, "spring stiffness")                                         \
  X(S, jnt_stiffnesspoly, n.njnt, 2, "higher-order stiffness")                               \
  X(S, jnt_range, n.njnt, 2, "limits")                                                       \
  X(S, jnt_actfrcrange, n.njnt, 2, "range of the total actuator force")                      \
  X(S, jnt_margin, n.njnt, 1, "distance at which the limit is detected")                     \
  X(S, jnt_user, n.njnt, n.nuser_jnt, "user data")                                           \
  X(S, jnt_param, n.njnt, n.nparam_jnt, "parameters of a user-defined kind of joint")        \
  /* dofs */                                                                                 \
  X(int, dof_bodyid, n.nv, 1, "body")                                                        \
  X(int, dof_jntid, n.nv, 1, "joint")                                                        \
  X(int, dof_parentid, n.nv, 1, "previous dof on the path to the root, or -1")               \
  X(int, dof_treeid, n.nv, 1, "kinematic tree")                                              \
  X(int, dof_Madr, n.nv, 1, "address of the dof in the legacy order of M")                   \
  X(int, dof_depth, n.nv, 1, "number of dofs on the path from the root, including this one") \
  X(int, dof_simplenum, n.nv, 1, "number of consecutive simple dofs from here on")           \
  X(S, dof_solref, n.nv, 2, "friction loss solver reference")                                \
  X(S, dof_solimp, n.nv, 5, "friction loss solver impedance")                                \
  X(S, dof_frictionloss, n.nv, 1, "dry friction")                                            \
  X(S, dof_armature, n.nv, 1, "rotor inertia")                                               \
  X(S, dof_damping, n.nv, 1, "viscous damping")                                              \
  X(S, dof_dampingpoly, n.nv, 2, "higher-order damping")                                     \
  X(S, dof_invweight0, n.nv, 1, "diagonal of the inverse inertia at qpos0")                  \
  X(S, dof_M0, n.nv, 1, "diagonal of the inertia at qpos0")                                  \
  X(S, dof_length, n.nv, 1, "length scale: 1 m for sliders, a moment arm for rotations")     \
  /* trees */                                                                                \
  X(int, tree_bodyadr, n.ntree, 1, "first body")                                             \
  X(int, tree_bodynum, n.ntree, 1, "bodies")                                                 \
  X(int, tree_dofadr, n.ntree, 1, "first dof")                                               \
  X(int, tree_dofnum, n.ntree, 1, "dofs")                                                    \
  X(int, tree_sleep_policy, n.ntree, 1, "sleep policy")                                      \
  /* geoms */                                                                                \
  X(int, geom_type, n.ngeom, 1, "GeomType")                                                  \
  X(int, geom_contype, n.ngeom, 1, "contact type bits")                                      \
  X(int, geom_conaffinity, n.ngeom, 1, "contact affinity bits")                              \
  X(int, geom_condim, n.ngeom, 1, "contact dimensions: 1, 3, 4, 6")                          \
  X(int, geom_bodyid, n.ngeom, 1, "body")                                                    \
  X(int, geom_dataid, n.ngeom, 1, "mesh or height field, or -1")                             \
  X(int, geom_sdf, n.ngeom, 1, "distance grid or -1")                                        \
  X(int, geom_group, n.ngeom, 1, "group")                                                    \
  X(int, geom_priority, n.ngeom, 1, "contact priority")                                      \
  X(int, geom_sameframe, n.ngeom, 1, "geom frame relative to the body frame (SameFrame)")    \
  X(int, geom_matid, n.ngeom, 1, "material or -1")                                           \
  X(float, geom_rgba, n.ngeom, 4, "colour; rays ignore fully transparent geoms")             \
  X(S, geom_solmix, n.ngeom, 1, "mixing weight")                                             \
  X(S, geom_solref, n.ngeom, 2, "solver reference")                                          \
  X(S, geom_solimp, n.ngeom, 5, "solver impedance")                                          \
  X(S, geom_size, n.ngeom, 3, "sizes, by type")                                              \
  X(S, geom_aabb, n.ngeom, 6, "bounding box in the geom: centre, half sizes")                \
  X(S, geom_rbound, n.ngeom, 1, "bounding radius; 0: unbounded")                             \
  X(S, geom_pos, n.ngeom, 3, "position in the body")                                         \
  X(S, geom_quat, n.ngeom, 4, "orientation in the body")                                     \
  X(S, geom_friction, n.ngeom, 3, "sliding, torsional, rolling")                             \
  X(S, geom_margin, n.ngeom, 1, "contacts exert force within this distance")                 \
  X(S, geom_gap, n.ngeom, 1, "contacts are detected this far beyond the margin")             \
  X(S, geom_surfacevel, n.ngeom, 6, "velocity of the surface")                               \
  X(S, geom_adhesion, n.ngeom, 1, "adhesion of the surface")                                 \
  X(S, geom_fluid, n.ngeom, 12, "ellipsoid fluid model")                                     \
  X(S, geom_user, n.ngeom, n.nuser_geom, "user data")                                        \
  /* sites */                                                                                \
  X(int, site_type, n.nsite, 1, "GeomType")                                                  \
  X(int, site_bodyid, n.nsite, 1, "body")                                                    \
  X(int, site_group, n.nsite, 1, "group")                                                    \
  X(int, site_matid, n.nsite, 1, "material or -1")                                           \
  X(int, site_sameframe, n.nsite, 1, "site frame relative to the body frame (SameFrame)")    \
  X(S, site_size, n.nsite, 3, "sizes, by type")                                              \
  X(S, site_pos, n.nsite, 3, "position in the body")                                         \
  X(S, site_quat, n.nsite, 4, "orientation in the body")                                     \
  X(float, site_rgba, n.nsite, 4, "colour")                                                  \
  X(S, site_user, n.nsite, n.nuser_site, "user data")                                        \
  /* cameras, lights, materials */                                                           \
  X(int, cam_mode, n.ncam, 1, "TrackMode")                                                   \
  X(int, cam_bodyid, n.ncam, 1, "body")                                                      \
  X(int, cam_targetbodyid, n.ncam, 1, "body to look at, or -1")                              \
  X(S, cam_pos, n.ncam, 3, "position in the body")                                           \
  X(S, cam_quat, n.ncam, 4, "orientation in the body")                                       \
  X(S, cam_poscom0, n.ncam, 3, "position relative to the subtree's com at qpos0")            \
  X(S, cam_pos0, n.ncam, 3, "position relative to the body at qpos0")                        \
  X(S, cam_mat0, n.ncam, 9, "orientation at qpos0")                                          \
  X(int, cam_projection, n.ncam, 1, "Projection")                                            \
  X(S, cam_fovy, n.ncam, 1, "vertical field of view in degrees; orthographic: length")       \
  X(S, cam_ipd, n.ncam, 1, "interpupillary distance")                                        \
  X(int, cam_resolution, n.ncam, 2, "pixels: width, height")                                 \
  X(int, cam_output, n.ncam, 1, "bit set of the requested images")                           \
  X(S, cam_sensorsize, n.ncam, 2, "size of the sensor; 0: not given")                        \
  X(S, cam_intrinsic, n.ncam, 4, "focal length, principal point")                            \
  X(S, cam_user, n.ncam, n.nuser_cam, "user data")                                           \
  X(int, light_mode, n.nlight, 1, "TrackMode")                                               \
  X(int, light_bodyid, n.nlight, 1, "body")                                                  \
  X(int, light_targetbodyid, n.nlight, 1, "body to look at, or -1")                          \
  X(int, light_type, n.nlight, 1, "spot, directional, point, image")                         \
  X(int, light_castshadow, n.nlight, 1, "casts shadows")                                     \
  X(int, light_active, n.nlight, 1, "is on")                                                 \
  X(S, light_pos, n.nlight, 3, "position in the body")                                       \
  X(S, light_dir, n.nlight, 3, "direction in the body")                                      \
  X(S, light_poscom0, n.nlight, 3, "position relative to the subtree's com at qpos0")        \
  X(S, light_pos0, n.nlight, 3, "position relative to the body at qpos0")                    \
  X(S, light_dir0, n.nlight, 3, "direction at qpos0")                                        \
  X(float, light_attenuation, n.nlight, 3, "by distance: constant, linear, quadratic")       \
  X(float, light_cutoff, n.nlight, 1, "half angle of a spot in degrees")                     \
  X(float, light_exponent, n.nlight, 1, "how sharp a spot is")                               \
  X(float, light_ambient, n.nlight, 3, "ambient colour")                                     \
  X(float, light_diffuse, n.nlight, 3, "diffuse colour")                                     \
  X(float, light_specular, n.nlight, 3, "specular colour")                                   \
  X(float, mat_rgba, n.nmat, 4, "colour")                                                    \
  X(int, mat_texuniform, n.nmat, 1, "texture repeats per metre, not per object")             \
  X(float, mat_texrepeat, n.nmat, 2, "how often the texture repeats")                        \
  X(float, mat_emission, n.nmat, 1, "emitted share of the colour")                           \
  X(float, mat_specular, n.nmat, 1, "specular share")                                        \
  X(float, mat_shininess, n.nmat, 1, "sharpness of highlights, from 0 to 1")                 \
  X(float, mat_reflectance, n.nmat, 1, "share of mirrored light on planes and boxes")        \
  X(float, mat_metallic, n.nmat, 1, "physically based metalness; negative: not given")       \
  X(float, mat_roughness, n.nmat, 1, "physically based roughness; negative: not given")      \
  /* flexes (model/flex_fields.hpp) */                                                       \
  CORTEN_FLEX_FIELDS(X)                                                                      \
  /* meshes: vertices are float for every scalar; hull faces give contacts several points */ \
  X(int, mesh_vertadr, n.nmesh, 1, "first vertex")                                           \
  X(int, mesh_vertnum, n.nmesh, 1, "vertices")                                               \
  X(int, mesh_faceadr, n.nmesh, 1, "first triangle")                                         \
  X(int, mesh_facenum, n.nmesh, 1, "triangles")                                              \
  X(int, mesh_graphadr, n.nmesh, 1, "convex hull in mesh_graph, or -1")                      \
  X(int, mesh_polyadr, n.nmesh, 1, "first face of the hull")                                 \
  X(int, mesh_polynum, n.nmesh, 1, "faces of the hull")                                      \
  X(int, mesh_extrema, n.nmesh, 27, "hull vertices that are farthest in 27 directions")      \
  X(S, mesh_scale, n.nmesh, 3, "scale that was applied")                                     \
  X(S, mesh_pos, n.nmesh, 3, "origin of the principal frame in the mesh as written")         \
  X(S, mesh_quat, n.nmesh, 4, "orientation of the principal frame in the mesh as written")   \
  X(float, mesh_vert, n.nmeshvert, 3, "vertices in the principal frame")                     \
  X(int, mesh_face, n.nmeshface, 3, "triangles")                                             \
  X(int, mesh_treeadr, n.nmesh, 1, "first box of the tree that rays traverse")               \
  X(int, mesh_treenum, n.nmesh, 1, "boxes")                                                  \
  X(int, mesh_tree, n.nmeshtree, 3, "next box on a miss, first triangle, number of triangles") \
  X(float, mesh_treebox, n.nmeshtree, 6, "low and high corner")                              \
  X(int, mesh_treeface, n.nmeshface, 1, "triangles in the order of the boxes")               \
  X(int, mesh_tangentadr, n.nmesh, 1, "first in mesh_tangent, or -1")                        \
  X(float, mesh_tangent, n.nmeshtangent, 6, "two tangents per vertex, in the mesh as written") \
  X(int, mesh_graph, n.nmeshgraph, 1, "hulls: vertices, triangles, edges of each vertex")    \
  X(double, mesh_polynormal, n.nmeshpoly, 3, "face normals")                                 \
  X(int, mesh_polyvertadr, n.nmeshpoly, 1, "first corner of the face")                       \
  X(int, mesh_polyvertnum, n.nmeshpoly, 1, "corners of the face")                            \
  X(int, mesh_polyvert, n.nmeshpolyvert, 1, "vertices at the corners")                       \
  X(int, mesh_polymapadr, n.nmeshvert, 1, "first face around the vertex")                    \
  X(int, mesh_polymapnum, n.nmeshvert, 1, "faces around the vertex")                         \
  X(int, mesh_polymap, n.nmeshpolymap, 1, "the faces around each vertex")                    \
  /* height fields */                                                                        \
  X(S, hfield_size, n.nhfield, 4, "half widths, height of a 1, depth below 0")               \
  X(int, hfield_nrow, n.nhfield, 1, "rows, along y")                                         \
  X(int, hfield_ncol, n.nhfield, 1, "columns, along x")                                      \
  X(int, hfield_adr, n.nhfield, 1, "first height")                                           \
  X(float, hfield_data, n.nhfielddata, 1, "heights from 0 to 1, row by row")                 \
  /* distance grids of geoms of type sdf */                                                  \
  X(int, sdf_adr, n.nsdf, 1, "first node")                                                   \
  X(int, sdf_size, n.nsdf, 3, "nodes along x, y, z")                                         \
  X(S, sdf_origin, n.nsdf, 3, "position of the first node in the geom")                      \
  X(S, sdf_cell, n.nsdf, 1, "distance between neighbouring nodes")                           \
  X(float, sdf_data, n.nsdfdata, 1, "distances, negative inside; x runs fastest, z slowest") \
  /* contact pairs and exclusions */                                                         \
  X(int, pair_dim, n.npair, 1, "contact dimensions")                                         \
  X(int, pair_geom1, n.npair, 1, "first geom")                                               \
  X(int, pair_geom2, n.npair, 1, "second geom")                                              \
  X(int, pair_signature, n.npair, 1, "body1 << 16 | body2")                                  \
  X(S, pair_solref, n.npair, 2, "solver reference")                                          \
  X(S, pair_solreffriction, n.npair, 2, "solver reference of friction rows; 0: solref")      \
  X(S, pair_solimp, n.npair, 5, "solver impedance")                                          \
  X(S, pair_margin, n.npair, 1, "margin")                                                    \
  X(S, pair_gap, n.npair, 1, "gap")                                                          \
  X(S, pair_adhesion, n.npair, 1, "adhesion")                                                \
  X(S, pair_friction, n.npair, 5, "two tangents, torsional, two rolling")                    \
  X(int, exclude_signature, n.nexclude, 1, "body1 << 16 | body2")                            \
  /* geom pairs that may collide, in MuJoCo's contact order; not in MuJoCo (candidates.hpp) */ \
  X(int, grid_key, (n.ngrid > 0 ? 1 : 0), 1, "hash of all that decides which pairs may collide") \
  X(int, candidate_geom, n.ncandidate, 2, "geoms, ordered by type")                          \
  X(int, candidate_pair, n.ncandidate, 1, "explicit pair or -1")                             \
  /* boxes around the colliding geoms of bodies with several of them (compile/boxes.hpp) */  \
  X(int, body_boxadr, n.nbody, 1, "box around all geoms of the body, or -1")                 \
  X(int, geom_box, n.ngeom, 1, "box around this geom alone, or -1")                          \
  X(int, box_child, n.nbox, 2, "the two boxes inside; around one geom: -1 and that geom")     \
  X(S, box_aabb, n.nbox, 6, "in the inertial frame of the body: centre, half sizes")         \
  /* equality constraints */                                                                 \
  X(int, eq_type, n.neq, 1, "EqualityType")                                                  \
  X(int, eq_dim, n.neq, 1, "number of rows, which MuJoCo derives from the type")             \
  X(int, eq_obj1id, n.neq, 1, "first object")                                                \
  X(int, eq_obj2id, n.neq, 1, "second object or -1")                                         \
  X(int, eq_objtype, n.neq, 1, "ObjectType of both")                                         \
  X(int, eq_active0, n.neq, 1, "active at the start")                                        \
  X(S, eq_solref, n.neq, 2, "solver reference")                                              \
  X(S, eq_solimp, n.neq, 5, "solver impedance")                                              \
  X(S, eq_data, n.neq, 11, "anchors and relative pose, polynomial, or distance")             \
  /* tendons */                                                                              \
  X(int, tendon_adr, n.ntendon, 1, "first wrap object")                                      \
  X(int, tendon_num, n.ntendon, 1, "wrap objects")                                           \
  X(int, tendon_actuatorid, n.ntendon, 1, "actuator that adds damping or armature, or -1")   \
  X(int, tendon_group, n.ntendon, 1, "group")                                                \
  X(int, tendon_matid, n.ntendon, 1, "material or -1")                                       \
  X(int, tendon_treenum, n.ntendon, 1, "kinematic trees along the path")                     \
  X(int, tendon_treeid, n.ntendon, 2, "the first two of these trees, or -1")                 \
  X(int, ten_J_rownnz, n.ntendon, 1, "non-zeros of the Jacobian row")                        \
  X(int, ten_J_rowadr, n.ntendon, 1, "address of the row")                                   \
  X(int, ten_J_colind, n.nJten, 1, "dof of each non-zero")                                   \
  X(int, tendon_limited, n.ntendon, 1, "has length limits")                                  \
  X(int, tendon_actfrclimited, n.ntendon, 1, "has actuator force limits")                    \
  X(S, tendon_width, n.ntendon, 1, "width for drawing")                                      \
  X(float, tendon_rgba, n.ntendon, 4, "colour")                                              \
  X(S, tendon_solref_lim, n.ntendon, 2, "limit solver reference")                            \
  X(S, tendon_solimp_lim, n.ntendon, 5, "limit solver impedance")                            \
  X(S, tendon_solref_fri, n.ntendon, 2, "friction solver reference")                         \
  X(S, tendon_solimp_fri, n.ntendon, 5, "friction solver impedance")                         \
  X(S, tendon_range, n.ntendon, 2, "length limits")                                          \
  X(S, tendon_actfrcrange, n.ntendon, 2, "range of the total actuator force")                \
  X(S, tendon_margin, n.ntendon, 1, "distance at which the limit is detected")               \
  X(S, tendon_stiffness, n.ntendon, 1, "spring stiffness")                                   \
  X(S, tendon_stiffnesspoly, n.ntendon, 2, "higher-order stiffness")                         \
  X(S, tendon_damping, n.ntendon, 1, "viscous damping")                                      \
  X(S, tendon_dampingpoly, n.ntendon, 2, "higher-order damping")                             \
  X(S, tendon_armature, n.ntendon, 1, "inertia along the length")                            \
  X(S, tendon_frictionloss, n.ntendon, 1, "dry friction")                                    \
  X(S, tendon_lengthspring, n.ntendon, 2, "the spring is at rest between these lengths")     \
  X(S, tendon_length0, n.ntendon, 1, "length at qpos0")                                      \
  X(S, tendon_invweight0, n.ntendon, 1, "inverse inertia at qpos0")                          \
  X(S, tendon_user, n.ntendon, n.nuser_tendon, "user data")                                  \
  X(int, wrap_type, n.nwrap, 1, "WrapType")                                                  \
  X(int, wrap_objid, n.nwrap, 1, "joint, site or geom")                                      \
  X(S, wrap_prm, n.nwrap, 1, "joint: coefficient; pulley: divisor; geom: side site")         \
  /* actuators */                                                                            \
  X(int, actuator_trntype, n.nactuator, 1, "TransmissionType")                               \
  X(int, actuator_dyntype, n.nactuator, 1, "DynamicsType")                                   \
  X(int, actuator_gaintype, n.nactuator, 1, "GainType")                                      \
  X(int, actuator_biastype, n.nactuator, 1, "BiasType")                                      \
  X(int, actuator_ctrladr, n.nactuator, 1, "first control")                                  \
  X(int, actuator_ctrlnum, n.nactuator, 1, "controls")                                       \
  X(int, actuator_ctrlspec, n.nactuator, 1, "input signature")                               \
  X(int, actuator_outadr, n.nactuator, 1, "first force output")                              \
  X(int, actuator_outnum, n.nactuator, 1, "force outputs")                                   \
  X(int, actuator_actadr, n.nactuator, 1, "first activation or -1")                          \
  X(int, actuator_actnum, n.nactuator, 1, "activations")                                     \
  X(int, actuator_trnid, n.nactuator, 2, "transmission target")                              \
  X(S, actuator_cranklength, n.nactuator, 1, "crank length")                                 \
  X(S, actuator_dynprm, n.nactuator, 10, "dynamics parameters")                              \
  X(S, actuator_gainprm, n.nactuator, 10, "gain parameters")                                 \
  X(S, actuator_biasprm, n.nactuator, 10, "bias parameters")                                 \
  X(int, actuator_actlimited, n.nactuator, 1, "activation is clamped")                       \
  X(S, actuator_actrange, n.nactuator, 2, "activation range")                                \
  X(int, actuator_actearly, n.nactuator, 1, "force uses the next activation")                \
  X(int, actuator_history, n.nactuator, 2, "samples in the history, interpolation")          \
  X(int, actuator_historyadr, n.nactuator, 1, "history address or -1")                       \
  X(S, actuator_delay, n.nactuator, 1, "delay of the control")                               \
  X(S, actuator_damping, n.nactuator, 1, "damping along the transmission")                   \
  X(S, actuator_dampingpoly, n.nactuator, 2, "higher-order damping")                         \
  X(S, actuator_armature, n.nactuator, 1, "inertia along the transmission")                  \
  X(int, actuator_group, n.nactuator, 1, "group")                                            \
  X(S, actuator_user, n.nactuator, n.nuser_actuator, "user data")                            \
  X(int, actuator_forcelimited, n.nactuator, 1, "force is clamped")                          \
  X(S, actuator_forcerange, n.nactuator, 2, "force range")                                   \
  X(int, actuator_ctrllimited, n.nu, 1, "control is clamped")                                \
  X(S, actuator_ctrlrange, n.nu, 2, "control range")                                         \
  X(S, actuator_gear, n.nout, 6, "gear")                                                     \
  X(S, actuator_acc0, n.nout, 1, "acceleration caused by unit force at qpos0")               \
  X(S, actuator_length0, n.nout, 1, "length at qpos0")                                       \
  X(S, actuator_lengthrange, n.nout, 2, "feasible lengths")                                  \
  /* sensors */                                                                              \
  X(int, sensor_type, n.nsensor, 1, "SensorType")                                            \
  X(int, sensor_datatype, n.nsensor, 1, "SensorData")                                        \
  X(int, sensor_needstage, n.nsensor, 1, "Stage")                                            \
  X(int, sensor_objtype, n.nsensor, 1, "ObjectType")                                         \
  X(int, sensor_objid, n.nsensor, 1, "object")                                               \
  X(int, sensor_reftype, n.nsensor, 1, "ObjectType of the reference frame")                  \
  X(int, sensor_refid, n.nsensor, 1, "reference frame or -1")                                \
  X(int, sensor_intprm, n.nsensor, 3, "integer parameters")                                  \
  X(int, sensor_dim, n.nsensor, 1, "numbers")                                                \
  X(int, sensor_adr, n.nsensor, 1, "address in sensordata")                                  \
  X(S, sensor_cutoff, n.nsensor, 1, "clamping limit; 0: none")                               \
  X(S, sensor_noise, n.nsensor, 1, "noise level, not applied by corten")                     \
  X(int, sensor_history, n.nsensor, 2, "samples in the history, interpolation")              \
  X(int, sensor_historyadr, n.nsensor, 1, "history address or -1")                           \
  X(S, sensor_delay, n.nsensor, 1, "delay")                                                  \
  X(S, sensor_interval, n.nsensor, 2, "sampling period and phase")                           \
  X(S, sensor_user, n.nsensor, n.nuser_sensor, "user data")                                  \
  /* custom numbers and keyframes */                                                         \
  X(int, numeric_adr, n.nnumeric, 1, "address in numeric_data")                              \
  X(int, numeric_size, n.nnumeric, 1, "numbers")                                             \
  X(S, numeric_data, n.nnumericdata, 1, "numbers of all fields")                             \
  X(S, key_time, n.nkey, 1, "time")                                                          \
  X(S, key_qpos, n.nkey, n.nq, "configuration")                                              \
  X(S, key_qvel, n.nkey, n.nv, "velocity")                                                   \
  X(S, key_act, n.nkey, n.na, "activation")                                                  \
  X(S, key_mpos, n.nkey, 3 * n.nmocap, "mocap positions")                                    \
  X(S, key_mquat, n.nkey, 4 * n.nmocap, "mocap orientations")                                \
  X(S, key_ctrl, n.nkey, n.nu, "control")                                                    \
  X(S, key_softpos, n.nkey, 3 * n.nsoftvert, "positions of soft vertices")                   \
  X(S, key_softvel, n.nkey, 3 * n.nsoftvert, "velocities of soft vertices")                  \
  /* soft bodies (soft/): bodies, their vertices, constraints and elements */                \
  X(int, soft_type, n.nsoft, 1, "SoftType")                                                  \
  X(int, soft_vertadr, n.nsoft, 1, "first vertex")                                           \
  X(int, soft_vertnum, n.nsoft, 1, "vertices")                                               \
  X(int, soft_conadr, n.nsoft, 1, "first constraint")                                        \
  X(int, soft_connum, n.nsoft, 1, "constraints")                                             \
  X(int, soft_elemadr, n.nsoft, 1, "first element")                                          \
  X(int, soft_elemnum, n.nsoft, 1, "elements")                                               \
  X(int, soft_contype, n.nsoft, 1, "contact type bits")                                      \
  X(int, soft_conaffinity, n.nsoft, 1, "contact affinity bits")                              \
  X(int, soft_condim, n.nsoft, 1, "contact dimensions: 1, 3, 4, 6")                          \
  X(int, soft_priority, n.nsoft, 1, "contact priority")                                      \
  X(int, soft_geomean, n.nsoft, 1, "friction is the geometric mean, not the maximum")        \
  X(int, soft_substeps, n.nsoft, 1, "substeps per step")                                     \
  X(int, soft_iterations, n.nsoft, 1, "sweeps over all constraints per substep")             \
  X(int, soft_repeat, n.nsoft, 1, "times that contacts are found and solved per step")       \
  X(S, soft_young, n.nsoft, 1, "Young's modulus")                                            \
  X(S, soft_density, n.nsoft, 1, "density")                                                  \
  X(S, soft_friction, n.nsoft, 3, "sliding, torsional, rolling")                             \
  X(S, soft_solmix, n.nsoft, 1, "mixing weight")                                             \
  X(S, soft_solref, n.nsoft, 2, "solver reference")                                          \
  X(S, soft_solimp, n.nsoft, 5, "solver impedance")                                          \
  X(S, soft_radius, n.nsoft, 1, "how far the surface is from the vertices")                  \
  X(S, soft_damping, n.nsoft, 1, "rate at which velocities decay")                           \
  X(S, soft_viscosity, n.nsoft, 1, "retardation time of the material")                       \
  X(S, soft_sleep, n.nsoft, 1, "speed below which the body falls asleep; 0: never")          \
  X(float, soft_rgba, n.nsoft, 4, "colour")                                                  \
  X(S, softvert_pos, n.nsoftvert, 3, "position at rest, in the world")                       \
  X(S, softvert_volume, n.nsoftvert, 1, "share of the body's volume")                        \
  X(int, softvert_flags, n.nsoftvert, 1, "SoftFlag")                                         \
  X(int, softcon_type, n.nsoftcon, 1, "SoftConstraint")                                      \
  X(int, softcon_vert, n.nsoftcon, 4, "vertices; -1: none")                                  \
  X(S, softcon_rest, n.nsoftcon, 1, "value at rest")                                         \
  X(S, softcon_factor, n.nsoftcon, 1, "compliance times Young's modulus")                    \
  X(int, softelem_vert, n.nsoftelem, 4, "vertices; -1: none")                                \
  /* inertia matrix: lower triangle, compressed rows; the diagonal is last in its row */     \
  X(int, M_rownnz, n.nv, 1, "non-zeros of the row")                                          \
  X(int, M_rowadr, n.nv, 1, "address of the row")                                            \
  X(int, M_colind, n.nM, 1, "column of each non-zero")

// ---- kinds of objects that have names: X(prefix of its fields, its name in the API) -------------
#define CORTEN_MODEL_NAMES(X) CORTEN_MUJOCO_NAMES(X) X(soft, soft)
#define CORTEN_MUJOCO_NAMES(X)                                                           \
  X(body, body) X(jnt, joint) X(geom, geom) X(site, site) X(cam, camera) X(light, light) \
  X(tendon, tendon) X(actuator, actuator) X(sensor, sensor) X(pair, pair)                \
  X(exclude, exclude) X(eq, equality) X(numeric, numeric) X(key, key) X(mesh, mesh)      \
  X(hfield, hfield) X(flex, flex)
// clang-format on
