// SPDX-License-Identifier: Apache-2.0
//
// <skin>: a surface that moves with bodies. It is for renderers (scene/skin.hpp) and no
// part of the model.
#pragma once

#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/spec/fields.hpp>

#include <string>

namespace corten::spec {

struct Skin : Element {
  struct Bone {
    std::string body;
    Optional<Numbers<3>> bindpos;   // required
    Optional<Numbers<4>> bindquat;  // required
    Optional<List<int>> vertid;
    Optional<List<double>> vertweight;
    Location where;
  };

  Optional<std::string> file, material;
  Optional<Numbers<4>> rgba;  // 0.5 0.5 0.5 1
  Optional<double> inflate;
  Optional<List<double>> vertex, texcoord;
  Optional<List<int>> face;
  Optional<int> group;  // 0
  List<Bone> bones;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f("name", g.name...);
    f("file", g.file...);
    f("material", g.material...);
    f("rgba", g.rgba...);
    f("inflate", g.inflate...);
    f("vertex", g.vertex...);
    f("texcoord", g.texcoord...);
    f("face", g.face...);
    f("group", g.group...);
  }
};

}  // namespace corten::spec
