// SPDX-License-Identifier: Apache-2.0
//
// Skins: surfaces that follow several bodies at once, as of an animal over its bones. They are
// looked at and nothing else, so a model does not have them: scene::assets(model, spec) makes them
// (scene/assets.hpp), and bend() moves them to where the bodies are.
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>
#include <corten/math/quat.hpp>
#include <corten/math/vector.hpp>
#include <corten/scalar/functions.hpp>

#include <array>
#include <cstddef>
#include <string>

namespace corten::scene {

struct Skin {
  // Where a body was when the skin was drawn around it, and what follows it. The weights of a
  // vertex over all bones add up to one.
  struct Bone {
    int body = 0;
    Vec3<double> pos = Vec3<double>::Zero();
    Quat<double> quat{1, 0, 0, 0};
    List<int> vertex;
    List<float> weight;
  };

  std::string name;
  List<float> vert;      // 3 per vertex, in the pose that the bones were bound in
  List<float> texcoord;  // 2 per vertex, from the lower left corner of the picture; or none
  List<int> face;        // 3 per triangle, counter-clockwise from outside
  List<Bone> bones;
  std::array<float, 4> rgba{0.5f, 0.5f, 0.5f, 1};
  int material = -1, group = 0;
  float inflate = 0;  // the vertices move outwards by so much

  int nvert() const { return static_cast<int>(vert.size() / 3); }
};

// The normals of vertices, 3 each: the mean, weighted by area, over the triangles around them.
CORTEN_BULK List<float> vertex_normals(const List<int>& face, const List<float>& vert) {
  List<float> out(vert.size(), 0.0f);
  const auto at = [](const List<float>& list, int v) {
    const float* p = &list[3 * static_cast<std::size_t>(v)];
    return Vec3<float>(p[0], p[1], p[2]);
  };
  for (std::size_t f = 0; f < face.size(); f += 3) {
    const Vec3<float> a = at(vert, face[f]);
    const Vec3<float> across = corten::cross(Vec3<float>(at(vert, face[f + 1]) - a),
                                             Vec3<float>(at(vert, face[f + 2]) - a));
    for (std::size_t k = 0; k < 9; ++k) {
      out[3 * static_cast<std::size_t>(face[f + k / 3]) + k % 3] += across[static_cast<int>(k % 3)];
    }
  }
  for (std::size_t v = 0; v < vert.size(); v += 3) {
    const float length = at(out, static_cast<int>(v / 3)).norm();
    for (std::size_t k = v; k < v + 3; ++k) {
      out[k] = length > 0 ? out[k] / length : k == v + 2 ? 1.0f : 0.0f;
    }
  }
  return out;
}

// The vertices in the world: each is the weighted mean of where its bones would take it. The data
// has the poses of the bodies.
template <class D>
CORTEN_BULK List<float> bend(const Skin& skin, const D& d) {
  List<float> out(skin.vert.size(), 0.0f);
  for (const Skin::Bone& bone : skin.bones) {
    Vec3<double> pos;
    Quat<double> quat;
    for (int k = 0; k < 3; ++k) pos[k] = static_cast<double>(value(d.xpos[3 * bone.body + k]));
    for (int k = 0; k < 4; ++k) quat[k] = static_cast<double>(value(d.xquat[4 * bone.body + k]));
    const Quat<double> turn = multiply(quat, conjugate(bone.quat));
    for (std::size_t i = 0; i < bone.vertex.size(); ++i) {
      const auto v = 3 * static_cast<std::size_t>(bone.vertex[i]);
      const Vec3<double> from(static_cast<double>(skin.vert[v]),
                              static_cast<double>(skin.vert[v + 1]),
                              static_cast<double>(skin.vert[v + 2]));
      const Vec3<double> to = pos + rotate(turn, Vec3<double>(from - bone.pos));
      for (std::size_t k = 0; k < 3; ++k) {
        out[v + k] += bone.weight[i] * static_cast<float>(to[static_cast<int>(k)]);
      }
    }
  }
  if (skin.inflate != 0) {
    const List<float> normal = vertex_normals(skin.face, out);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += skin.inflate * normal[k];
  }
  return out;
}

}  // namespace corten::scene
