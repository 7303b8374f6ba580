// SPDX-License-Identifier: Apache-2.0
//
// Meshes and height fields. The parser reads asset files together with the MJCF text and stores
// their bytes in `content`, so that a spec is self-contained. An asset built in code can give
// `file`, which is read when the spec is compiled, or `content` with a content_type, or the numbers
// themselves.
#pragma once

#include <memory>
#include <string>

#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>
#include <corten/spec/fields.hpp>
#include <corten/spec/keywords.hpp>

namespace corten::spec {

// the bytes of a file, and the path they came from
struct FileContent {
  std::shared_ptr<const std::string> bytes;
  std::string path;
};

struct Mesh : Element {
  CORTEN_COLD Mesh() = default;

  Optional<std::string> content_type, file;
  Optional<List<double>> vertex, normal, texcoord;
  Optional<List<int>> face;
  Optional<Numbers<3>> refpos;    // 0 0 0
  Optional<Numbers<4>> refquat;   // 1 0 0 0
  Optional<Numbers<3>> scale;     // 1 1 1
  Optional<bool> smoothnormal;    // false; for renderers
  Optional<int> maxhullvert;      // -1: no limit
  Optional<MeshInertia> inertia;  // legacy
  Optional<MeshBuiltin> builtin;  // none
  Optional<List<double>> params;
  Optional<std::string> material;
  FileContent content;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    identity(f, g...);
    f({"content_type", no_default}, g.content_type...);
    f({"file", no_default}, g.file...);
    f({"vertex", no_default}, g.vertex...);
    f({"normal", no_default}, g.normal...);
    f({"texcoord", no_default}, g.texcoord...);
    f({"face", no_default}, g.face...);
    f({"refpos", no_default}, g.refpos...);
    f({"refquat", no_default}, g.refquat...);
    f("scale", g.scale...);
    f({"smoothnormal", no_default}, g.smoothnormal...);
    f("maxhullvert", g.maxhullvert...);
    f("inertia", g.inertia...);
    f({"builtin", no_default}, g.builtin...);
    f({"params", no_default}, g.params...);
    f({"material", no_default}, g.material...);
  }
};

// Heights on a grid. As in MJCF, the rows of `elevation` run from +y to -y, and the heights are
// scaled to [0, 1] unless `normalize` (an extension) is false. `data` takes heights in the model's
// order, from -y to +y, and is never scaled: values above 1 reach above size[2].
struct HField : Element {
  Optional<std::string> content_type, file;
  Optional<int> nrow, ncol;
  Optional<Numbers<4>> size;  // half widths in x and y, height of a 1, depth below 0
  Optional<List<double>> elevation;
  Optional<bool> normalize;  // true
  List<double> data;
  FileContent content;

  template <class F, class... G>
  static void fields(F&& f, G&... g) {
    f("name", g.name...);
    f("content_type", g.content_type...);
    f("file", g.file...);
    f("nrow", g.nrow...);
    f("ncol", g.ncol...);
    f({"size", required}, g.size...);
    f("elevation", g.elevation...);
    f("normalize", g.normalize...);
  }
};

}  // namespace corten::spec
