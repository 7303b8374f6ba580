// SPDX-License-Identifier: Apache-2.0
//
// The skins of a model in a glTF document: meshes whose vertices follow the nodes of bodies.
#pragma once

#include <corten/core/list.hpp>
#include <corten/io/json.hpp>
#include <corten/math/quat.hpp>
#include <corten/scene/skin.hpp>
#include <corten/view/glb_document.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace corten::view::detail {

// Bones and weights by vertex, in sets of four as glTF wants them, the heaviest first: readers that
// take the first set only see the best that four bones can do.
struct GlbWeights {
  std::size_t sets = 1;
  List<std::uint16_t> bone;  // of all vertices in the first set, then in the second, ...
  List<float> weight;

  explicit GlbWeights(const scene::Skin& skin) {
    const auto count = static_cast<std::size_t>(skin.nvert());
    List<List<std::pair<float, std::uint16_t>>> of(count);
    for (std::size_t b = 0; b < skin.bones.size(); ++b) {
      const scene::Skin::Bone& from = skin.bones[b];
      for (std::size_t i = 0; i < from.vertex.size(); ++i) {
        auto& list = of[static_cast<std::size_t>(from.vertex[i])];
        if (from.weight[i] > 0) list.push_back({from.weight[i], static_cast<std::uint16_t>(b)});
        sets = std::max(sets, (list.size() + 3) / 4);
      }
    }
    bone.resize(4 * sets * count, 0);
    weight.resize(4 * sets * count, 0.0f);
    for (std::size_t v = 0; v < count; ++v) {
      std::sort(of[v].begin(), of[v].end(),
                [](const auto& a, const auto& b) { return a.first > b.first; });
      for (std::size_t i = 0; i < of[v].size(); ++i) {
        const std::size_t at = 4 * (i / 4 * count + v) + i % 4;
        weight[at] = of[v][i].first, bone[at] = of[v][i].second;
      }
    }
  }
};

// what takes a vertex from where it was bound into the frame of its bone, columns first
inline void put_unbinding(const scene::Skin::Bone& bone, List<float>& out) {
  const Quat<double> back = conjugate(bone.quat);
  const Vec3<double> shift = -1.0 * rotate(back, bone.pos);
  for (int c = 0; c < 4; ++c) {
    const Vec3<double> axis(c == 0 ? 1 : 0, c == 1 ? 1 : 0, c == 2 ? 1 : 0);
    const Vec3<double> column = c < 3 ? rotate(back, axis) : shift;
    for (int r = 0; r < 3; ++r) out.push_back(static_cast<float>(column[r]));
    out.push_back(c == 3 ? 1.0f : 0.0f);
  }
}

// Adds a skin over the nodes of bodies. Its own node stands beside that of the world, because bones
// alone say where its vertices are.
inline void add_skin(const scene::Skin& skin, const List<int>& body_node, int material,
                     const std::string& name, GlbDocument& out) {
  const auto count = static_cast<std::size_t>(skin.nvert());
  List<float> vert = skin.vert, normal = scene::vertex_normals(skin.face, skin.vert), unbind;
  for (std::size_t k = 0; k < vert.size(); ++k) vert[k] += skin.inflate * normal[k];
  const GlbWeights w(skin);
  io::JsonWriter mesh, bones, node;
  mesh.begin_object().key("primitives").begin_array().begin_object();
  mesh.key("attributes").begin_object();
  mesh.key("POSITION").number(out.add_floats({vert.data(), vert.size()}, 3, true, 34962));
  mesh.key("NORMAL").number(out.add_floats({normal.data(), normal.size()}, 3, false, 34962));
  if (!skin.texcoord.empty()) {
    List<float> uv = skin.texcoord;  // glTF counts v from the top
    for (std::size_t i = 1; i < uv.size(); i += 2) uv[i] = 1 - uv[i];
    mesh.key("TEXCOORD_0").number(out.add_floats({uv.data(), uv.size()}, 2, false, 34962));
  }
  for (std::size_t s = 0; s < w.sets; ++s) {
    const std::string set = std::to_string(s);
    mesh.key("JOINTS_" + set).number(out.add_words({&w.bone[4 * s * count], 4 * count}));
    mesh.key("WEIGHTS_" + set);
    mesh.number(out.add_floats({&w.weight[4 * s * count], 4 * count}, 4, false, 34962));
  }
  mesh.end_object().key("indices").number(out.add_indices({skin.face.data(), skin.face.size()}));
  mesh.key("material").number(material).end_object().end_array();
  List<int> joints;
  for (const scene::Skin::Bone& bone : skin.bones) {
    joints.push_back(body_node[static_cast<std::size_t>(bone.body)]);
    put_unbinding(bone, unbind);
  }
  bones.begin_object().key("joints").numbers(joints).key("inverseBindMatrices");
  bones.number(out.add_floats({unbind.data(), unbind.size()}, 16, false, 0));
  node.begin_object().key("name").string(name);
  node.key("mesh").number(GlbDocument::add(out.meshes, mesh.end_object().take()));
  node.key("skin").number(GlbDocument::add(out.skins, bones.end_object().take()));
  out.roots.push_back(GlbDocument::add(out.nodes, node.end_object().take()));
}

}  // namespace corten::view::detail
