// SPDX-License-Identifier: Apache-2.0
//
// The materials of a model in a glTF document, made when they are first asked for.
#pragma once

#include <corten/asset/png_write.hpp>
#include <corten/io/json.hpp>
#include <corten/model/model.hpp>
#include <corten/scene/assets.hpp>
#include <corten/view/glb_document.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <tuple>

namespace corten::view::detail {

// glTF counts light linearly, MuJoCo's colours are those of a screen
inline double linear(double x) { return std::pow(std::clamp(x, 0.0, 1.0), 2.2); }
inline std::array<double, 4> linear(const scene::Rgba& c) {
  return {linear(double(c[0])), linear(double(c[1])), linear(double(c[2])), double(c[3])};
}

template <class S>
class GlbMaterials {
 public:
  using Json = io::JsonWriter;

  GlbMaterials(const Model<S>& m, const scene::Assets& assets, GlbDocument& out)
      : m_(m), assets_(assets), out_(out) {}

  // A material of the model (-1: none) in a colour; `textured` if the shape has texture
  // coordinates, over which its texture is repeated.
  int of(int id, scene::Rgba rgba, bool textured, std::array<double, 2> repeat) {
    const int texture = id >= 0 ? assets_.material_texture[static_cast<std::size_t>(id)] : -1;
    const bool flat =
        texture >= 0 && textured &&
        assets_.textures[static_cast<std::size_t>(texture)].type == spec::TextureType::flat;
    if (texture >= 0 && !flat) {
      const scene::Rgb mean =
          mean_colour(assets_.textures[static_cast<std::size_t>(texture)].picture);
      for (std::size_t k = 0; k < 3; ++k) rgba[k] *= mean[k];
    }
    if (!flat) repeat = {1, 1};
    const auto [place, isnew] = made_.try_emplace(std::tuple(id, rgba, flat, repeat), -1);
    if (!isnew) return place->second;
    Json json;
    json.begin_object();
    const auto number = [&](const auto& field, double otherwise) {
      return id < 0 ? otherwise : static_cast<double>(field[static_cast<std::size_t>(id)]);
    };
    const double metallic = number(m_.mat_metallic, -1), rough = number(m_.mat_roughness, -1);
    const double shine = number(m_.mat_shininess, 0.5), glow = number(m_.mat_emission, 0);
    json.key("pbrMetallicRoughness").begin_object();
    const std::array<double, 4> base = linear(rgba);
    json.key("baseColorFactor").numbers(base);
    if (flat) put_texture(json, texture, repeat);
    json.key("metallicFactor").number(metallic >= 0 ? std::min(metallic, 1.0) : 0.0);
    json.key("roughnessFactor")
        .number(rough >= 0 ? std::min(rough, 1.0) : 1 - 0.6 * std::clamp(shine, 0.0, 1.0));
    json.end_object();
    if (glow > 0) {
      const double emitted[] = {std::min(1.0, glow * base[0]), std::min(1.0, glow * base[1]),
                                std::min(1.0, glow * base[2])};
      json.key("emissiveFactor").numbers(emitted);
    }
    if (rgba[3] < 1) json.key("alphaMode").string("BLEND");
    return place->second = GlbDocument::add(out_.materials, json.end_object().take());
  }

  int two_sided(const scene::Rgba& rgba) {
    Json json;
    const std::array<double, 4> base = linear(rgba);
    json.begin_object().key("doubleSided").boolean(true);
    json.key("pbrMetallicRoughness").begin_object().key("baseColorFactor").numbers(base);
    json.key("metallicFactor").number(0).key("roughnessFactor").number(0.9).end_object();
    if (rgba[3] < 1) json.key("alphaMode").string("BLEND");
    return GlbDocument::add(out_.materials, json.end_object().take());
  }

 private:
  // the mean colour of a texture
  static scene::Rgb mean_colour(const asset::Picture& p) {
    double sum[3] = {0, 0, 0};
    const std::size_t n = static_cast<std::size_t>(p.width) * static_cast<std::size_t>(p.height);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < 3; ++k)
        sum[k] += p.pixels[i * static_cast<std::size_t>(p.channels) + k];
    }
    scene::Rgb out;
    for (std::size_t k = 0; k < 3; ++k)
      out[k] = static_cast<float>(sum[k] / (255.0 * static_cast<double>(n)));
    return out;
  }

  int texture_id(int texture) {
    const auto [place, isnew] = textures_.try_emplace(texture, -1);
    if (!isnew) return place->second;
    const scene::Texture& t = assets_.textures[static_cast<std::size_t>(texture)];
    Json image, json;
    image.begin_object().key("bufferView").number(out_.add_view(asset::write_png(t.picture)));
    image.key("mimeType").string("image/png").end_object();
    const int source = GlbDocument::add(out_.images, image.take());
    if (out_.samplers.empty()) {
      GlbDocument::add(out_.samplers, R"({"magFilter": 9729, "minFilter": 9987})");
    }
    json.begin_object().key("source").number(source).key("sampler").number(0).end_object();
    return place->second = GlbDocument::add(out_.textures, json.take());
  }

  void put_texture(Json& json, int texture, const std::array<double, 2>& repeat) {
    json.key("baseColorTexture").begin_object().key("index").number(texture_id(texture));
    if (repeat[0] != 1 || repeat[1] != 1) {
      out_.use("KHR_texture_transform");
      json.key("extensions").begin_object().key("KHR_texture_transform").begin_object();
      json.key("scale").numbers(repeat).end_object().end_object();
    }
    json.end_object();
  }

  const Model<S>& m_;
  const scene::Assets& assets_;
  GlbDocument& out_;
  std::map<int, int> textures_;
  std::map<std::tuple<int, scene::Rgba, bool, std::array<double, 2>>, int> made_;
};

}  // namespace corten::view::detail
