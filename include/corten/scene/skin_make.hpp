// SPDX-License-Identifier: Apache-2.0
//
// From <skin> to scene::Skin: the numbers of the element or of its file, checked as MuJoCo does.
#pragma once

#include <corten/asset/skn.hpp>
#include <corten/core/result.hpp>
#include <corten/model/model.hpp>
#include <corten/scene/skin.hpp>
#include <corten/scene/texture.hpp>
#include <corten/spec/spec.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace corten::scene {

namespace detail {

// what the element itself says
CORTEN_COLD asset::SkinNumbers written_numbers(const spec::Skin& e) {
  asset::SkinNumbers out;
  for (const double x : e.vertex.value_or(List<double>{})) out.vert.push_back(float(x));
  for (const double x : e.texcoord.value_or(List<double>{})) out.texcoord.push_back(float(x));
  out.face = e.face.value_or(List<int>{});
  for (const spec::Skin::Bone& from : e.bones) {
    asset::SkinNumbers::Bone& bone = out.bones.emplace_back();
    bone.body = from.body;
    for (const double x : from.bindpos.value_or(spec::Numbers<3>{})) bone.pose.push_back(float(x));
    for (const double x : from.bindquat.value_or(spec::Numbers<4>{1, 0, 0, 0})) {
      bone.pose.push_back(float(x));
    }
    bone.vertex = from.vertid.value_or(List<int>{});
    for (const double x : from.vertweight.value_or(List<double>{})) {
      bone.weight.push_back(float(x));
    }
  }
  return out;
}

CORTEN_COLD Result<asset::SkinNumbers> skin_numbers(const Spec& spec, const spec::Skin& e) {
  if (!e.file || e.file->empty()) return written_numbers(e);
  if (e.vertex || e.texcoord || e.face || !e.bones.empty()) {
    return e.error("the skin has both a file and numbers of its own");
  }
  const auto content = mjcf::open_file(spec, e, mjcf::compiler_of(spec, e.origin).meshdir, *e.file);
  if (!content) return content.error();
  asset::SkinNumbers out;
  if (auto done = asset::read_skn(*content->bytes, out); !done) {
    return e.error("'" + *e.file + "': " + done.error().message,
                   "use a file in MuJoCo's SKN format");
  }
  return out;
}

inline bool within(const List<int>& list, std::size_t count) {
  return std::all_of(list.begin(), list.end(),
                     [&](int i) { return i >= 0 && static_cast<std::size_t>(i) < count; });
}

// divides the weights of each vertex by their sum; false if it is zero
CORTEN_COLD bool share_weights(Skin& skin) {
  List<float> sum(skin.vert.size() / 3, 0.0f);
  for (const Skin::Bone& bone : skin.bones) {
    for (std::size_t i = 0; i < bone.vertex.size(); ++i) {
      sum[static_cast<std::size_t>(bone.vertex[i])] += bone.weight[i];
    }
  }
  for (Skin::Bone& bone : skin.bones) {
    for (std::size_t i = 0; i < bone.vertex.size(); ++i) {
      bone.weight[i] /= sum[static_cast<std::size_t>(bone.vertex[i])];
    }
  }
  return std::all_of(sum.begin(), sum.end(), [](float x) { return x > 1e-15f; });
}

template <class S>
CORTEN_COLD Result<Skin::Bone> make_bone(const Model<S>& m, const spec::Skin& e,
                                         const asset::SkinNumbers::Bone& from, std::size_t nvert) {
  Skin::Bone out;
  const Result<int> body = m.body(from.body);
  if (!body) return e.error(body.error().message, body.error().remedy);
  if (from.vertex.size() != from.weight.size() || !within(from.vertex, nvert)) {
    return e.error("the bone of body '" + from.body + "' has vertices that the skin has not");
  }
  out.body = *body;
  for (int k = 0; k < 3; ++k) out.pos[k] = double(from.pose[static_cast<std::size_t>(k)]);
  for (int k = 0; k < 4; ++k) out.quat[k] = double(from.pose[static_cast<std::size_t>(3 + k)]);
  if (!(out.quat.norm() > 1e-15)) return e.error("a bindquat is zero");
  out.quat = out.quat.normalized();
  out.vertex = from.vertex, out.weight = from.weight;
  return out;
}

}  // namespace detail

template <class S>
CORTEN_COLD Result<Skin> make_skin(const Model<S>& m, const Spec& spec, const spec::Skin& e) {
  auto numbers = detail::skin_numbers(spec, e);
  if (!numbers) return numbers.error();
  Skin out;
  out.name = e.name, out.vert = std::move(numbers->vert), out.face = std::move(numbers->face);
  const std::size_t nvert = out.vert.size() / 3;
  if (nvert == 0 || out.face.empty() || numbers->bones.empty()) {
    return e.error("a skin needs vertices, faces and bones");
  }
  if (out.vert.size() % 3 != 0 || out.face.size() % 3 != 0 || !detail::within(out.face, nvert)) {
    return e.error("the vertices or faces of the skin are not valid");
  }
  if (!numbers->texcoord.empty() && numbers->texcoord.size() != 2 * nvert) {
    return e.error("the skin has not one texture coordinate for each vertex");
  }
  out.texcoord = std::move(numbers->texcoord);
  for (std::size_t i = 1; i < out.texcoord.size(); i += 2) out.texcoord[i] = 1 - out.texcoord[i];
  for (const asset::SkinNumbers::Bone& from : numbers->bones) {
    auto bone = detail::make_bone(m, e, from, nvert);
    if (!bone) return bone.error();
    out.bones.push_back(*std::move(bone));
  }
  if (!detail::share_weights(out)) return e.error("a vertex of the skin follows no bone");
  if (e.rgba) {
    for (std::size_t k = 0; k < 4; ++k) out.rgba[k] = static_cast<float>((*e.rgba)[k]);
  }
  for (std::size_t i = 0; e.material && i < spec.materials.size(); ++i) {
    if (spec.materials[i].name == *e.material) out.material = static_cast<int>(i);
  }
  out.group = e.group.value_or(0);
  out.inflate = static_cast<float>(e.inflate.value_or(0));
  return out;
}

}  // namespace corten::scene
