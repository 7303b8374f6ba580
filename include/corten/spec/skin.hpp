// SPDX-License-Identifier: Apache-2.0
//
// <skin>: a surface that bodies carry along. It is for renderers: read and checked, but not in the model.
#pragma once

#include <corten/core/list.hpp>
#include <corten/spec/fields.hpp>

#include <optional>
#include <string>

namespace corten::spec {

struct Skin : Element {
  struct Bone {
    std::string body;
    std::optional<Numbers<3>> bindpos;   // required
    std::optional<Numbers<4>> bindquat;  // required
    std::optional<List<int>> vertid;
    std::optional<List<double>> vertweight;
    Location where;
  };

  std::optional<std::string> file, material;
  std::optional<Numbers<4>> rgba;  // 0.5 0.5 0.5 1
  std::optional<double> inflate;
  std::optional<List<double>> vertex, texcoord;
  std::optional<List<int>> face;
  std::optional<int> group;  // 0
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
