// SPDX-License-Identifier: Apache-2.0
//
// MuJoCo side by side: a model that MuJoCo has loaded becomes a corten model, and the state goes
// back and forth. Programs that use MuJoCo get derivatives and batches for the model they already
// have, and MuJoCo's viewer shows what corten simulates:
//
//   mjModel* theirs = mj_loadXML("humanoid.xml", nullptr, error, sizeof error);
//   corten::Result<corten::Model<double>> model = corten::from_mujoco(theirs);
//   if (!model) std::puts(model.error().to_string().c_str());
//   corten::Data<double> data(*model);
//   corten::from_mujoco(theirs, their_data, data);  // the state, and everything the user sets
//   corten::step(*model, data);
//   corten::to_mujoco(theirs, data, their_data);
//   mj_forward(theirs, their_data);  // computes what a viewer draws from the state
//
// This header needs MuJoCo's headers, version 3.12, but not its library. corten.hpp does not
// include it.
//
// The numbers are those of the mjModel at the time of the call, including what the program changed
// after loading. Callbacks (mjcb_…) belong to MuJoCo's library, not to the model, and are not
// called. Like load(), from_mujoco() drops everything that has no effect on a step: textures,
// skins, texts, tuples.
#pragma once

#include <corten/compile/boxes.hpp>
#include <corten/compile/candidates.hpp>
#include <corten/compile/derived.hpp>
#include <corten/compile/flex_pattern.hpp>
#include <corten/compile/flex_trees.hpp>
#include <corten/compile/unsupported.hpp>
#include <corten/core/errors.hpp>
#include <corten/data/data.hpp>
#include <corten/pipeline/policies.hpp>

#include <mujoco/mujoco.h>

#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#if mjVERSION_HEADER / 1000 != 3012
#error "corten/mujoco.hpp needs the headers of MuJoCo 3.12"
#endif

namespace corten {

namespace detail {

static_assert(mjNREF == 2 && mjNIMP == 5 && mjNPOLY == 2 && mjNSENS == 3 && mjNFLUID == 12 &&
                  mjNEQDATA == 11 && mjNDYN == 10 && mjNGAIN == 10 && mjNBIAS == 10,
              "corten: this build of MuJoCo has arrays of other widths");

// ---- copying ------------------------------------------------------------------------------------

// Sizes and arrays that mjModel lacks, or has in another layout: M_… are rows of full length here.
CORTEN_COLD constexpr bool is_own(std::string_view name) {
  constexpr std::string_view own[] = {
      "ncandidate",   "ngrid",          "grid_key",     "nbox",           "nmeshtangent",
      "nmeshtree",    "nsdf",           "nsdfdata",     "nsurfacevel",    "nadhesion",
      "nparam_jnt",   "jnt_param",      "dof_depth",    "geom_sdf",       "mesh_treeadr",
      "mesh_treenum", "mesh_tree",      "mesh_treebox", "mesh_treeface",  "mesh_tangentadr",
      "mesh_tangent", "sdf_adr",        "sdf_size",     "sdf_origin",     "sdf_cell",
      "sdf_data",     "candidate_geom", "body_boxadr",  "candidate_pair", "geom_box",
      "box_child",    "box_aabb",       "eq_dim",       "M_rownnz",       "M_rowadr",
      "M_colind"};
  if (name.starts_with("soft") || name.starts_with("nsoft") || name.starts_with("key_soft") ||
      name.starts_with("nflexbvh") || name.starts_with("flexbvh") || name.starts_with("flex_bvh")) {
    return true;
  }
  for (const std::string_view one : own) {
    if (one == name) return true;
  }
  return false;
}

template <class To, class From>
CORTEN_COLD void copy_mujoco(List<To>& to, const From* from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<To>(from[i]);
}

// false if a size does not fit an int
template <class M>
CORTEN_COLD bool copy_sizes(const M& from, Sizes& to) {
  bool fits = true;
  const auto copy = [&fits](int& n, mjtSize size) {
    fits = fits && size <= std::numeric_limits<int>::max();
    n = static_cast<int>(size);
  };
#define X(name, meaning) \
  if constexpr (!is_own(#name)) copy(to.name, from.name);
  CORTEN_MODEL_SIZES(X)
#undef X
  return fits;
}

template <class M>
CORTEN_COLD void copy_arrays(const M& from, Model<double>& to) {
#define X(type, name, rows, width, meaning) \
  if constexpr (!is_own(#name)) copy_mujoco(to.name, from.name);
  CORTEN_MODEL_FIELDS(X)
#undef X
}

template <class T, class From>
void copy_option(T& to, const From& from) {
  to = static_cast<T>(from);
}
template <class T, int W, class From>
void copy_option(Array<T, W>& to, const From* from) {
  for (int i = 0; i < W; ++i) to[i] = static_cast<T>(from[i]);
}

CORTEN_COLD void copy_options(const mjModel& from, Model<double>& to) {
#define X(type, name, ...) copy_option(to.opt.name, from.opt.name);
  CORTEN_MODEL_OPTIONS(X)
#undef X
  to.opt.enableflags &= (1 << mjNENABLE) - 1;  // corten has flags of its own beyond MuJoCo's
  to.stat.meaninertia = from.stat.meaninertia;
  to.stat.meanmass = from.stat.meanmass;
  to.stat.meansize = from.stat.meansize;
  to.stat.extent = from.stat.extent;
  for (int i = 0; i < 3; ++i) to.stat.center[i] = from.stat.center[i];
}

CORTEN_COLD List<std::string> mujoco_names(const mjModel& from, const int* addresses,
                                           mjtSize count) {
  List<std::string> out;
  for (mjtSize i = 0; i < count; ++i) out.push_back(from.names + addresses[i]);
  return out;
}

CORTEN_COLD void copy_names(const mjModel& from, Names& to) {
  to.model = from.names;
#define X(kind, word) to.kind = mujoco_names(from, from.name_##kind##adr, from.n##kind);
  CORTEN_MUJOCO_NAMES(X)
#undef X
  to.build_index();
}

// ---- what MuJoCo does not have ------------------------------------------------------------------

// Appends the tangents of a mesh whose normals are frames: three vectors per vertex, the first of
// which is the normal. MuJoCo turns them into the principal frame of the mesh and its sensors turn
// them back; here they are kept as written. A mesh can also have three times as many normals as
// vertices because its faces have normals of their own; a face of frames refers to the first vector
// of each vertex.
CORTEN_COLD void add_tangents(const mjModel& from, Model<double>& m, int mesh) {
  const int n = from.mesh_vertnum[mesh], faces = from.mesh_facenum[mesh];
  bool frames = from.mesh_normalnum[mesh] == 3 * n;
  for (int k = 0; k < 3 * faces && frames; ++k) {
    const int corner = 3 * from.mesh_faceadr[mesh] + k;
    frames = from.mesh_facenormal[corner] == 3 * from.mesh_face[corner];
  }
  compiler::put(m.mesh_tangentadr, mesh, frames ? m.n.nmeshtangent : -1);
  if (!frames) return;
  const Quat<double> turn = quat<double>(Field<const double>{m.mesh_quat.data()}, mesh);
  const float* vectors = from.mesh_normal + 3 * from.mesh_normaladr[mesh];
  for (int i = 0; i < 3 * n; ++i) {
    if (i % 3 == 0) continue;
    const float* x = vectors + 3 * i;
    const Vec3<double> written =
        rotate(turn, Vec3<double>(double(x[0]), double(x[1]), double(x[2])));
    for (int k = 0; k < 3; ++k) m.mesh_tangent.push_back(static_cast<float>(written[k]));
  }
  m.n.nmeshtangent += n;
}

template <class P>
void derive_arrays(const mjModel& from, Model<double>& m) {
  compiler::number_inertia(m);
  choose_rows(m);
  compiler::count_surfaces(m);
  for (int i = 0; i < m.n.nmesh; ++i) {
    compiler::add_tree(m, i);
    add_tangents(from, m, i);
  }
  for (int g = 0; g < m.n.ngeom; ++g) {
    compiler::put(m.geom_sdf, g, -1);
    const bool sdf = compiler::at(m.geom_type, g) == static_cast<int>(GeomType::sdf);
    if (sdf && compiler::at(m.geom_dataid, g) >= 0) compiler::add_mesh_grid(m, g);
  }
  const auto ref = make_ref<P>(m);
  for (int e = 0; e < m.n.neq; ++e) {
    P::Constraints::visit_element(ref, e, [&](auto kind) {
      if constexpr (requires { kind.total(ref, e); }) {
        compiler::put(m.eq_dim, e, kind.total(ref, e));
      } else {
        compiler::put(m.eq_dim, e, kind.dim);
      }
    });
  }
  collision_candidates(m);
  body_boxes(m);
  compiler::flex_edge_pattern(m);
  compiler::flex_vertex_pattern(m);
  flex_trees(m);
}

// ---- refusals -----------------------------------------------------------------------------------

// refuses every element of a kind that has a plugin
CORTEN_COLD void refuse_plugins(List<Error>& errors, const char* kind, const int* plugins,
                                const List<std::string>& names) {
  for (int i = 0; i < static_cast<int>(names.size()); ++i) {
    if (plugins[i] < 0) continue;
    errors.push_back({{}, quoted(kind, names, i), std::string("a plugin") + compiler::not_yet});
  }
}

CORTEN_COLD void refuse_mujoco(const mjModel& from, const Model<double>& m, List<Error>& errors) {
  using compiler::not_yet;
  if (from.nplugin > 0) {
    refuse_plugins(errors, "body", from.body_plugin, m.names.body);
    refuse_plugins(errors, "geom", from.geom_plugin, m.names.geom);
    refuse_plugins(errors, "actuator", from.actuator_plugin, m.names.actuator);
    refuse_plugins(errors, "sensor", from.sensor_plugin, m.names.sensor);
  }
  for (int t = 0; t < m.n.ntendon; ++t) {
    if (!compiler::has_wrapped_armature(m, t)) continue;
    errors.push_back({{},
                      quoted("tendon", m.names.tendon, t),
                      std::string(compiler::wrapped_armature) + not_yet});
  }
}

// the first part of the state whose length differs between a model of MuJoCo and a data; or null
template <class S>
const char* other_state(const mjModel& model, const Data<S>& data) {
  DataSizes theirs;
  if (!copy_sizes(model, theirs)) return "everything";
  if ((model.opt.enableflags & mjENBL_SLEEP) != 0) theirs.nsleep = theirs.ntree;
  const auto length = [](const char* part, const auto& n) {
#define X(type, name, rows, width, meaning) \
  if (std::string_view(part) == #name) return (rows) * (width);
    CORTEN_STATE_TABLE(X, X, X)
#undef X
    return 0;
  };
#define X(type, name, rows, width, meaning) \
  if (length(#name, theirs) != length(#name, data.ref().n)) return #name;
  CORTEN_STATE_TABLE(X, X, X)
#undef X
  return nullptr;
}

template <class F, class T>
void copy_part(const F& from, T* to, int count) {
  for (int i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(from[i])>, int>) {
      to[i] = static_cast<T>(from[i]);
    } else {
      to[i] = static_cast<T>(value(from[i]));
    }
  }
}

CORTEN_COLD Error null_pointer() {
  return {{}, {}, "a pointer is null", "mj_loadXML returns null if it cannot load a model"};
}

template <class S>
Result<void> check_mujoco(const mjModel* model, const Data<S>& data, const mjData* theirs) {
  if (model == nullptr || theirs == nullptr) return null_pointer();
  if (const char* part = other_state(*model, data)) {
    return Error{{},
                 part,
                 "has another length in this mjModel",
                 "make the data from the model that from_mujoco returned for it"};
  }
  return {};
}

}  // namespace detail

// The same model for corten, or an error that names each element that corten does not support. P
// are the policies that the model will be stepped with.
template <class P = DefaultPolicies>
Result<Model<double>> from_mujoco(const mjModel* model) {
  if (model == nullptr) return detail::null_pointer();
  Model<double> out;
  if (!detail::copy_sizes(*model, out.n)) return Error{{}, {}, "the model is too large"};
  out.allocate();
  detail::copy_arrays(*model, out);
  detail::copy_options(*model, out);
  detail::copy_names(*model, out.names);
  List<Error> errors;
  detail::refuse_mujoco(*model, out, errors);
  if (!errors.empty()) return as_one(errors);
  detail::derive_arrays<P>(*model, out);
  if (const auto bound = bind<P>(out); !bound) return bound.error();
  return out;
}

// Copies the state and everything the user sets (CORTEN_STATE_TABLE in data/fields.hpp), so that
// the next step starts where MuJoCo's would. `model` is the model of both.
template <class S>
Result<void> from_mujoco(const mjModel* model, const mjData* from, Data<S>& to) {
  if (auto done = detail::check_mujoco(model, to, from); !done) return done;
  const auto& d = to.ref();
  const DataSizes& n = d.n;
  to.time() = S(from->time);
#define X(type, name, rows, width, meaning) \
  for (int i = 0; i < (rows) * (width); ++i) d.name[i] = static_cast<type>(from->name[i]);
  CORTEN_STATE_TABLE(X, X, X)
#undef X
  fill(d.tree_rest, n.nsleep, 0);
  return {};
}

// The other way; derivatives are dropped. mj_forward(model, to) then computes everything else in
// MuJoCo's data, such as the positions that a viewer draws. Trees that sleep wake up in MuJoCo's
// data, which does not know their positions yet.
template <class S>
Result<void> to_mujoco(const mjModel* model, const Data<S>& from, mjData* to) {
  if (auto done = detail::check_mujoco(model, from, to); !done) return done;
  const auto& d = from.ref();
  const DataSizes& n = d.n;
  to->time = static_cast<mjtNum>(value(from.time()));
#define X(type, name, rows, width, meaning) detail::copy_part(d.name, to->name, (rows) * (width));
  CORTEN_STATE_TABLE(X, X, X)
#undef X
  return {};
}

}  // namespace corten
