// SPDX-License-Identifier: Apache-2.0
//
// Policies: which joint kinds, geom kinds and pair colliders a pipeline knows. bind() makes a view of a
// model with policies, after checking that they cover it.
#pragma once

#include <corten/collide/default_colliders.hpp>
#include <corten/core/result.hpp>
#include <corten/geom/geoms.hpp>
#include <corten/joint/joints.hpp>
#include <corten/model/model_ref.hpp>

namespace corten {

template <class J, class G, class C>
struct Policies {
  using Joints = J;
  using Geoms = G;
  using Colliders = C;
};

// what MJCF has; a struct of its own, so that symbols and messages say its name and not its lists
struct DefaultPolicies : Policies<DefaultJoints, DefaultGeoms, DefaultColliders> {};

namespace detail {

// index of the first joint that the policies do not know, or -1
template <class P, class M>
CORTEN_FN int uncovered_joint(const M& m) {
  for (int j = 0; j < m.n.njnt; ++j) {
    if (!P::Joints::has(static_cast<JointType>(m.jnt_type[j]))) return j;
  }
  return -1;
}

// index of the first candidate pair that the policies cannot collide, or -1
template <class P, class M>
CORTEN_FN int uncovered_candidate(const M& m) {
  for (int c = 0; c < m.n.ncandidate; ++c) {
    const auto a = static_cast<GeomType>(m.geom_type[m.candidate_geom[2 * c]]);
    const auto b = static_cast<GeomType>(m.geom_type[m.candidate_geom[2 * c + 1]]);
    if (!P::Colliders::has(a, b)) return c;
  }
  return -1;
}

inline std::string quoted(const char* kind, const std::vector<std::string>& names, int id) {
  const std::string& name = names[static_cast<std::size_t>(id)];
  return std::string(kind) + (name.empty() ? " " + std::to_string(id) : " '" + name + "'");
}

}  // namespace detail

// do the policies know every kind in the model?
template <class P, class M>
CORTEN_FN bool covers(const M& m) {
  return detail::uncovered_joint<P>(m) < 0 && detail::uncovered_candidate<P>(m) < 0;
}

// A view of the model with policies P, or an error that names the element they do not cover.
template <class P = DefaultPolicies, class S>
Result<ModelRef<S, P>> bind(const Model<S>& model) {
  const ModelRef<S, P> m = make_ref<P>(model);
  if (const int j = detail::uncovered_joint<P>(m); j >= 0) {
    return Error{{},
                 detail::quoted("joint", model.names.jnt, j),
                 "its kind is not in the pipeline's list of joints",
                 "add the kind to Joints<…> of the policies; they list " + P::Joints::list()};
  }
  if (const int c = detail::uncovered_candidate<P>(m); c >= 0) {
    const int a = m.candidate_geom[2 * c], b = m.candidate_geom[2 * c + 1];
    return Error{{},
                 detail::quoted("geom", model.names.geom, a) + " and " +
                     detail::quoted("geom", model.names.geom, b),
                 std::string("no collider for ") + P::Geoms::name(static_cast<GeomType>(m.geom_type[a])) + " against " +
                     P::Geoms::name(static_cast<GeomType>(m.geom_type[b])),
                 "keep them apart with contype and conaffinity or <exclude>, or add a collider"};
  }
  return m;
}

}  // namespace corten
