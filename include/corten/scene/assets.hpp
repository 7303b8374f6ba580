// SPDX-License-Identifier: Apache-2.0
//
// What a renderer needs of a model besides its arrays, once: meshes and height fields as surfaces,
// skins, textures with their pixels, and the settings of <visual>. A compiled model keeps none of
// that, so that stepping it costs nothing; assets(model, spec) takes it from the spec on request:
//
//   corten::Result<corten::Loaded> loaded = corten::load_with_spec("robot.xml");
//   corten::scene::Assets assets = corten::scene::assets(loaded->model, loaded->spec);
//   for (const corten::Error& e : assets.missing) std::puts(e.to_string().c_str());
//
// Without a spec there are surfaces and colours, but no textures and no skins. For kinds of geoms
// of your own, name the policies: assets<MyPolicies>(model).
#pragma once

#include <corten/mjcf/asset_numbers.hpp>
#include <corten/model/model.hpp>
#include <corten/model/model_ref.hpp>
#include <corten/pipeline/policies.hpp>
#include <corten/scalar/functions.hpp>
#include <corten/scene/pen.hpp>
#include <corten/scene/skin.hpp>
#include <corten/scene/skin_make.hpp>
#include <corten/scene/surface.hpp>
#include <corten/scene/texture.hpp>
#include <corten/spec/resolve.hpp>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace corten::scene {

using Rgba = std::array<float, 4>;
using Rgb = std::array<float, 3>;

// the settings of <visual> that matter to a viewer, with MuJoCo's defaults
struct Visual {
  struct Headlight {
    bool active = true;
    Rgb ambient{0.1f, 0.1f, 0.1f}, diffuse{0.4f, 0.4f, 0.4f}, specular{0.5f, 0.5f, 0.5f};
  } headlight;
  float fovy = 45, azimuth = 90, elevation = -45;  // of the free camera, in degrees
  float znear = 0.01f, zfar = 50, haze = 0.3f;     // in units of the model's extent
  float force = 0.005f;                            // length of arrows per newton
  float stiffness = 100;                           // of the spring that drags a body
  Rgba haze_rgba{1, 1, 1, 1};
};

struct Assets {
  List<Surface> meshes;   // one per mesh of the model, in the principal frame of the mesh
  List<Surface> hfields;  // one per height field: its top and its sides
  List<Figure> geoms;     // what each geom looks like; Figure::mesh is an index in one of the lists
  List<Surface> own;      // geoms with triangles of their own
  List<Skin> skins;       // scene/skin.hpp
  List<Texture> textures;
  List<int> material_texture;  // texture of each material, or -1
  int sky = -1;                // the texture of the sky, or -1
  Visual visual;
  // What is not there: textures and skins that could not be read, and kinds of geoms that have no
  // figure
  List<Error> missing;
};

struct AssetOptions {
  bool pixels = true;  // read textures
};

namespace detail {

// A height field: the top, then the four sides and the bottom.
template <class S>
CORTEN_BULK Surface hfield_surface(const Model<S>& m, int id) {
  const auto i = static_cast<std::size_t>(id);
  const int nr = m.hfield_nrow[i], nc = m.hfield_ncol[i];
  const auto size = [&](std::size_t k) {
    return static_cast<float>(value(m.hfield_size[4 * i + k]));
  };
  const float* heights = m.hfield_data.data() + m.hfield_adr[i];
  List<float> vert;
  List<int> face;
  const auto add = [&](int r, int c, float z) {
    vert.append({size(0) * (2.0f * static_cast<float>(c) / static_cast<float>(nc - 1) - 1),
                 size(1) * (2.0f * static_cast<float>(r) / static_cast<float>(nr - 1) - 1), z});
  };
  const auto quad = [&](int a, int b, int c, int d) { face.append({a, b, c, a, c, d}); };
  for (int r = 0; r < nr; ++r) {
    for (int c = 0; c < nc; ++c) add(r, c, size(2) * heights[r * nc + c]);
  }
  for (int r = 0; r + 1 < nr; ++r) {
    for (int c = 0; c + 1 < nc; ++c) {
      const int at = r * nc + c;
      quad(at, at + 1, at + nc + 1, at + nc);
    }
  }
  // the rim, counter-clockwise from above, and below it the same points at the bottom
  List<std::array<int, 2>> rim;
  for (int c = 0; c + 1 < nc; ++c) rim.push_back({0, c});
  for (int r = 0; r + 1 < nr; ++r) rim.push_back({r, nc - 1});
  for (int c = nc - 1; c > 0; --c) rim.push_back({nr - 1, c});
  for (int r = nr - 1; r > 0; --r) rim.push_back({r, 0});
  const int bottom = static_cast<int>(vert.size() / 3), count = static_cast<int>(rim.size());
  for (const auto& [r, c] : rim) add(r, c, -size(3));
  for (int k = 0; k < count; ++k) {
    const auto& a = rim[static_cast<std::size_t>(k)];
    const auto& b = rim[static_cast<std::size_t>((k + 1) % count)];
    quad(bottom + k, bottom + (k + 1) % count, b[0] * nc + b[1], a[0] * nc + a[1]);
  }
  for (int k = 1; k + 1 < count; ++k) face.append({bottom, bottom + k + 1, bottom + k});
  List<float> uv;  // from above
  for (std::size_t v = 0; v < vert.size(); v += 3) {
    uv.append({0.5f + 0.5f * vert[v] / size(0), 0.5f + 0.5f * vert[v + 1] / size(1)});
  }
  return smooth_surface(vert, face, {&uv, &face});
}

// Texture coordinates of a mesh, read again from its file. Triangles of the model have the vertices
// of the file, in the same order or, where the scale mirrors the mesh, in the opposite one.
struct MeshTexture {
  List<float> texcoord;
  List<int> index;

  CORTEN_COLD bool read(const spec::Mesh& e, const List<int>& face, int nvert) {
    asset::Triangles mesh;
    mesh.keep_texcoord = true;
    if (e.texcoord) {
      for (const double x : *e.texcoord) texcoord.push_back(static_cast<float>(x));
    } else if (e.content.bytes && mjcf::read_mesh(e, e.content, mesh)) {
      texcoord = std::move(mesh.texcoord);
    }
    if (texcoord.empty()) return false;
    // one coordinate per vertex; OBJ counts v from the bottom, the other sources from the top
    if (mesh.facetexcoord.empty()) {
      for (std::size_t i = 1; i < texcoord.size(); i += 2) texcoord[i] = 1 - texcoord[i];
      if (static_cast<int>(texcoord.size() / 2) != nvert) return false;
      index = face;
      return true;
    }
    return arrange(mesh, face);
  }

 private:
  CORTEN_BULK bool arrange(const asset::Triangles& mesh, const List<int>& face) {
    if (mesh.face.size() != face.size()) return false;
    index.resize(face.size());
    for (std::size_t f = 0; f < face.size(); f += 3) {
      for (std::size_t k = 0; k < 3; ++k) {
        std::size_t other = 0;
        while (other < 3 && mesh.face[f + other] != face[f + k]) ++other;
        if (other == 3) return false;
        index[f + k] = mesh.facetexcoord[f + other];
      }
    }
    return true;
  }
};

template <class S>
CORTEN_COLD Surface mesh_surface(const Model<S>& m, int id, const spec::Mesh* e) {
  const auto i = static_cast<std::size_t>(id);
  const float* vert = m.mesh_vert.data() + 3 * m.mesh_vertadr[i];
  const int* face = m.mesh_face.data() + 3 * m.mesh_faceadr[i];
  const List<float> v(vert, vert + 3 * m.mesh_vertnum[i]);
  const List<int> f(face, face + 3 * m.mesh_facenum[i]);
  MeshTexture texture;
  const bool textured = e != nullptr && texture.read(*e, f, m.mesh_vertnum[i]);
  return smooth_surface(v, f, textured ? Corners{&texture.texcoord, &texture.index} : Corners{});
}

CORTEN_COLD void read_floats(const std::string& text, float* out, std::size_t count) {
  const char* at = text.c_str();
  for (std::size_t k = 0; k < count; ++k) {
    char* end = nullptr;
    const float x = std::strtof(at, &end);
    if (end == at) return;
    out[k] = x;
    at = end;
  }
}

CORTEN_COLD Visual read_visual(const Spec& spec) {
  Visual out;
  const struct {
    const char *element, *attribute;
    float* to;
    std::size_t count;
  } known[] = {{"headlight", "ambient", out.headlight.ambient.data(), 3},
               {"headlight", "diffuse", out.headlight.diffuse.data(), 3},
               {"headlight", "specular", out.headlight.specular.data(), 3},
               {"global", "fovy", &out.fovy, 1},
               {"global", "azimuth", &out.azimuth, 1},
               {"global", "elevation", &out.elevation, 1},
               {"map", "znear", &out.znear, 1},
               {"map", "zfar", &out.zfar, 1},
               {"map", "haze", &out.haze, 1},
               {"map", "force", &out.force, 1},
               {"map", "stiffness", &out.stiffness, 1},
               {"rgba", "haze", out.haze_rgba.data(), 4}};
  for (const spec::Visual::Entry& e : spec.visual.entries) {
    if (e.element == "headlight" && e.attribute == "active") out.headlight.active = e.value != "0";
    for (const auto& k : known) {
      if (e.element == k.element && e.attribute == k.attribute) read_floats(e.value, k.to, k.count);
    }
  }
  return out;
}

// the colours of a material come from its texture, or from the layer that has them
CORTEN_COLD std::string texture_of(const spec::Material& e) {
  for (const spec::Material::Layer& layer : e.layers) {
    if (layer.role == "rgb" || layer.role == "rgba") return layer.texture.value_or("");
  }
  return e.texture.value_or("");
}

CORTEN_COLD void read_textures(const Spec& spec, int nmat, Assets& out) {
  List<std::string> names;
  for (const spec::Texture& e : spec.textures) {
    Result<Texture> made = make_texture(spec, e);
    if (!made) {
      out.missing.push_back(made.error());
      continue;
    }
    const int id = static_cast<int>(out.textures.size());
    if (made->type == spec::TextureType::skybox && out.sky < 0) out.sky = id;
    out.textures.push_back(*std::move(made));
  }
  for (int i = 0; i < nmat && i < static_cast<int>(spec.materials.size()); ++i) {
    spec::Material e = spec.materials[static_cast<std::size_t>(i)];
    static_cast<void>(spec::apply_class(spec, e));  // a class that does not exist was refused
    const std::string name = texture_of(e);
    for (std::size_t t = 0; t < out.textures.size() && !name.empty(); ++t) {
      if (out.textures[t].name == name) {
        out.material_texture[static_cast<std::size_t>(i)] = static_cast<int>(t);
      }
    }
  }
}

// One geom, drawn unless an equal one was
template <class P, class S>
class GeomFigures {
 public:
  GeomFigures(const Model<S>& m, Assets& out) : m_(m), view_(m), out_(out) {}

  void add(int g) {
    const auto i = static_cast<std::size_t>(g);
    const auto type = static_cast<GeomType>(m_.geom_type[i]);
    Vec3<double> size;
    for (std::size_t k = 0; k < 3; ++k) {
      size[static_cast<int>(k)] = static_cast<double>(value(m_.geom_size[3 * i + k]));
    }
    const Key key{m_.geom_type[i], size[0], size[1], size[2]};
    if (const auto found = same_.find(key); found != same_.end()) {
      out_.geoms.push_back(found->second);
      return;
    }
    Pen<true> pen(size);
    draw_kind<typename P::Geoms>(view_, type, g, pen);
    if (pen.figure.shape == Shape::own) {
      pen.figure.mesh = static_cast<int>(out_.own.size());
      out_.own.push_back(std::move(pen.own));
    }
    if (pen.figure.shape == Shape::none) complain(g, type);
    out_.geoms.push_back(pen.figure);
    P::Geoms::visit(type, [&](auto kind) {
      if (drawn_by_size<decltype(kind), ModelView<S>>) same_.emplace(key, pen.figure);
    });
  }

 private:
  using Key = std::tuple<int, double, double, double>;

  // once for each kind
  CORTEN_COLD void complain(int g, GeomType type) {
    for (const int known : named_) {
      if (known == static_cast<int>(type)) return;
    }
    named_.push_back(static_cast<int>(type));
    const std::string name(m_.geom_name(g));
    Error e("is not drawn: its kind says nothing about what it looks like",
            "give the kind a draw(size, pen) or a signed_distance(size, point), see geom/geom.hpp");
    if (type == GeomType::sdf) e = Error("is not drawn: it has neither a mesh nor a grid");
    if (!P::Geoms::has(type)) {
      e = Error("is not drawn: the policies do not list its kind",
                "name policies that do, as in scene::assets<MyPolicies>(model)");
    }
    e.element = "geom " + (name.empty() ? std::to_string(g) : "'" + name + "'");
    out_.missing.push_back(std::move(e));
  }

  const Model<S>& m_;
  const ModelView<S> view_;
  Assets& out_;
  std::map<Key, Figure> same_;
  List<int> named_;  // kinds that were complained about
};

template <class P, class S>
void add_geoms(const Model<S>& m, Assets& out) {
  GeomFigures<P, S> figures(m, out);
  for (int g = 0; g < m.n.ngeom; ++g) figures.add(g);
}

}  // namespace detail

// Surfaces alone, from the model alone.
template <class P = DefaultPolicies, class S>
CORTEN_COLD Assets assets(const Model<S>& model) {
  Assets out;
  detail::add_geoms<P>(model, out);
  for (int i = 0; i < model.n.nmesh; ++i) {
    out.meshes.push_back(detail::mesh_surface(model, i, nullptr));
  }
  for (int i = 0; i < model.n.nhfield; ++i) {
    out.hfields.push_back(detail::hfield_surface(model, i));
  }
  out.material_texture.assign(static_cast<std::size_t>(model.n.nmat), -1);
  return out;
}

// Everything, from the model and the spec that it was compiled from.
template <class P = DefaultPolicies, class S>
CORTEN_COLD Assets assets(const Model<S>& model, const Spec& spec, AssetOptions options = {}) {
  Assets out;
  detail::add_geoms<P>(model, out);
  for (int i = 0; i < model.n.nmesh; ++i) {
    const spec::Mesh* found = nullptr;
    for (const spec::Mesh& e : spec.meshes) {
      if (e.name == model.mesh_name(i)) found = &e;
    }
    out.meshes.push_back(detail::mesh_surface(model, i, options.pixels ? found : nullptr));
  }
  for (int i = 0; i < model.n.nhfield; ++i) {
    out.hfields.push_back(detail::hfield_surface(model, i));
  }
  out.material_texture.assign(static_cast<std::size_t>(model.n.nmat), -1);
  out.visual = detail::read_visual(spec);
  if (options.pixels) detail::read_textures(spec, model.n.nmat, out);
  for (const spec::Skin& e : spec.skins) {
    Result<Skin> made = make_skin(model, spec, e);
    made ? out.skins.push_back(*std::move(made)) : out.missing.push_back(made.error());
  }
  return out;
}

}  // namespace corten::scene
