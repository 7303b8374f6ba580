// SPDX-License-Identifier: Apache-2.0
//
// The shapes of a model in a glTF document: triangles, which figures of the same shape share, and
// the scale that gives them their size.
#pragma once

#include <corten/io/json.hpp>
#include <corten/scene/assets.hpp>
#include <corten/scene/pen.hpp>
#include <corten/view/glb_document.hpp>
#include <corten/view/shapes.hpp>

#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

namespace corten::view::detail {

struct GlbSolid {
  int accessors[4] = {-1, -1, -1, -1};  // position, normal, texture coordinate, index
  bool textured = false;

  bool empty() const { return accessors[0] < 0; }

  void put(io::JsonWriter& json) const {
    json.key("attributes").begin_object().key("POSITION").number(accessors[0]);
    if (accessors[1] >= 0) json.key("NORMAL").number(accessors[1]);
    if (accessors[2] >= 0) json.key("TEXCOORD_0").number(accessors[2]);
    json.end_object().key("indices").number(accessors[3]);
  }
};

class GlbSolids {
 public:
  // an endless plane ends `far` away
  GlbSolids(const scene::Assets& assets, double far, GlbDocument& out)
      : assets_(assets), far_(far), out_(out) {}

  double far() const { return far_; }

  const GlbSolid& of(const scene::Figure& f) {
    const bool sized = f.shape == scene::Shape::plane || f.shape == scene::Shape::capsule;
    const bool round = f.shape == scene::Shape::ellipsoid;
    const Key key{round ? scene::Shape::sphere : f.shape, f.mesh, sized ? f.size[0] : 0,
                  sized ? f.size[1] : 0};
    const auto [place, isnew] = solids_.try_emplace(key);
    if (isnew) store(triangles(f), place->second);
    return place->second;
  }

  static Vec3<double> scale_of(const scene::Figure& f) {
    const Vec3<double>& size = f.size;
    if (f.shape == scene::Shape::sphere) return Vec3<double>::Constant(size[0]);
    if (f.shape == scene::Shape::cylinder) return {size[0], size[0], size[1]};
    if (f.shape == scene::Shape::ellipsoid || f.shape == scene::Shape::box) return size;
    return Vec3<double>::Constant(1);
  }

  // the triangles of a solid in a material, as a mesh of glTF
  int mesh(const GlbSolid& what, int material) {
    const auto [place, isnew] = meshes_.try_emplace({what.accessors[0], material}, -1);
    if (!isnew) return place->second;
    io::JsonWriter json;
    json.begin_object().key("primitives").begin_array().begin_object();
    what.put(json);
    json.key("material").number(material).end_object().end_array();
    return place->second = GlbDocument::add(out_.meshes, json.end_object().take());
  }

 private:
  using Key = std::tuple<scene::Shape, int, double, double>;

  Surface triangles(const scene::Figure& f) const {
    const auto a = static_cast<float>(f.size[0]), b = static_cast<float>(f.size[1]);
    const auto far = static_cast<float>(far_);
    const auto mesh = static_cast<std::size_t>(f.mesh);
    switch (f.shape) {
      case scene::Shape::plane: return plane_surface(a > 0 ? a : far, b > 0 ? b : far);
      case scene::Shape::hfield: return assets_.hfields[mesh];
      case scene::Shape::capsule: return capsule_surface(a, b);
      case scene::Shape::cylinder: return cylinder_surface();
      case scene::Shape::sphere:
      case scene::Shape::ellipsoid: return sphere_surface();
      case scene::Shape::box: return box_surface();
      case scene::Shape::mesh: return assets_.meshes[mesh];
      case scene::Shape::own: return assets_.own[mesh];
      case scene::Shape::none:  // assets() has complained about it
      case scene::Shape::arrow:
      case scene::Shape::surface: break;  // no geom or site is one
    }
    return {};
  }

  void store(const Surface& from, GlbSolid& to) {
    if (from.nface() == 0) return;
    to.accessors[0] = out_.add_floats({from.vert.data(), from.vert.size()}, 3, true, 34962);
    to.accessors[1] = out_.add_floats({from.normal.data(), from.normal.size()}, 3, false, 34962);
    if (!from.texcoord.empty()) {
      List<float> uv = from.texcoord;  // glTF counts v from the top
      for (std::size_t i = 1; i < uv.size(); i += 2) uv[i] = 1 - uv[i];
      to.accessors[2] = out_.add_floats({uv.data(), uv.size()}, 2, false, 34962);
      to.textured = true;
    }
    to.accessors[3] = out_.add_indices({from.face.data(), from.face.size()});
  }

  const scene::Assets& assets_;
  double far_;
  GlbDocument& out_;
  std::map<Key, GlbSolid> solids_;
  std::map<std::pair<int, int>, int> meshes_;
};

}  // namespace corten::view::detail
