// SPDX-License-Identifier: Apache-2.0
//
// The parts of a glTF 2.0 document and its binary form (.glb): one buffer, views and accessors into
// it, and lists of objects in JSON. What a model looks like in it is view/glb.hpp.
// https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
#pragma once

#include <corten/core/list.hpp>
#include <corten/io/json.hpp>
#include <corten/version.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace corten::view {

class GlbDocument {
 public:
  using Json = io::JsonWriter;

  // the lists of the document; each entry is a JSON object
  List<std::string> views, accessors, meshes, materials, textures, images, samplers, nodes, cameras,
      lights, skins, channels, animation_samplers;
  List<std::string> extensions;  // names of those used
  List<int> roots;               // nodes of the scene

  static int add(List<std::string>& list, std::string json) {
    list.push_back(std::move(json));
    return static_cast<int>(list.size()) - 1;
  }

  void use(const char* extension) {
    for (const std::string& e : extensions) {
      if (e == extension) return;
    }
    extensions.push_back(extension);
  }

  // Appends bytes to the buffer. target: 34962 for vertices, 34963 for indices, 0 for the rest.
  int add_view(std::string_view bytes, int target = 0) {
    buffer_.resize((buffer_.size() + 3) / 4 * 4, '\0');
    Json json;
    json.begin_object().key("buffer").number(0).key("byteOffset").number(buffer_.size());
    json.key("byteLength").number(bytes.size());
    if (target != 0) json.key("target").number(target);
    buffer_ += bytes;
    return add(views, json.end_object().take());
  }

  // numbers in groups of `width`; the smallest and largest of each column are required for
  // positions and times
  int add_floats(std::span<const float> x, int width, bool bounds, int target) {
    constexpr const char* types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    const char* const type = width == 16 ? "MAT4" : types[width];
    const std::string_view bytes(reinterpret_cast<const char*>(x.data()), x.size() * sizeof(float));
    Json json;
    json.begin_object().key("bufferView").number(add_view(bytes, target));
    json.key("componentType")
        .number(5126)
        .key("count")
        .number(x.size() / static_cast<std::size_t>(width));
    json.key("type").string(type);
    if (bounds) put_bounds(json, x, static_cast<std::size_t>(width));
    return add(accessors, json.end_object().take());
  }

  int add_indices(std::span<const int> x) {
    List<std::uint32_t> wide(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) wide[i] = static_cast<std::uint32_t>(x[i]);
    const std::string_view bytes(reinterpret_cast<const char*>(wide.data()), 4 * wide.size());
    Json json;
    json.begin_object().key("bufferView").number(add_view(bytes, 34963));
    json.key("componentType").number(5125).key("count").number(x.size());
    return add(accessors, json.key("type").string("SCALAR").end_object().take());
  }

  // bones, four for each vertex
  int add_words(std::span<const std::uint16_t> x) {
    const std::string_view bytes(reinterpret_cast<const char*>(x.data()), 2 * x.size());
    Json json;
    json.begin_object().key("bufferView").number(add_view(bytes, 34962));
    json.key("componentType").number(5123).key("count").number(x.size() / 4);
    return add(accessors, json.key("type").string("VEC4").end_object().take());
  }

  // one property of a node over time; path: translation, rotation or weights
  void add_channel(int node, const char* path, int times, int values) {
    Json sampler, channel;
    sampler.begin_object().key("input").number(times).key("output").number(values);
    const int id =
        add(animation_samplers, sampler.key("interpolation").string("LINEAR").end_object().take());
    channel.begin_object().key("sampler").number(id).key("target").begin_object();
    channel.key("node").number(node).key("path").string(path).end_object();
    add(channels, channel.end_object().take());
  }

  // the whole file: a header, the JSON padded with spaces, the buffer padded with zeros
  std::string bytes() const {
    std::string json = text(), out;
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string binary = buffer_;
    binary.resize((binary.size() + 3) / 4 * 4, '\0');
    const std::size_t extra = binary.empty() ? 0 : 8 + binary.size();
    put(out, 0x46546C67u), put(out, 2u), put(out, 20 + json.size() + extra);
    put(out, json.size()), put(out, 0x4E4F534Au);
    out += json;
    if (binary.empty()) return out;
    put(out, binary.size()), put(out, 0x004E4942u);
    return out += binary;
  }

 private:
  static void put(std::string& out, std::size_t word) {
    for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(word >> shift & 255u);
  }

  static void put_bounds(Json& json, std::span<const float> x, std::size_t width) {
    float low[4], high[4];
    for (std::size_t k = 0; k < width; ++k) low[k] = high[k] = x[k];
    for (std::size_t i = 0; i < x.size(); ++i) {
      low[i % width] = std::min(low[i % width], x[i]);
      high[i % width] = std::max(high[i % width], x[i]);
    }
    json.key("min").numbers(std::span(low, width)).key("max").numbers(std::span(high, width));
  }

  static void put_list(Json& json, const char* name, const List<std::string>& list) {
    if (list.empty()) return;  // empty lists are not allowed
    json.key(name).begin_array();
    for (const std::string& entry : list) json.raw(entry);
    json.end_array();
  }

  std::string text() const {
    Json json;
    json.begin_object().key("asset").begin_object().key("version").string("2.0");
    json.key("generator").string("corten").end_object();
    if (!extensions.empty()) json.key("extensionsUsed").strings(extensions);
    if (!lights.empty()) {
      json.key("extensions").begin_object().key("KHR_lights_punctual").begin_object();
      put_list(json, "lights", lights);
      json.end_object().end_object();
    }
    json.key("scene").number(0).key("scenes").begin_array().begin_object();
    json.key("nodes").numbers(roots).end_object().end_array();
    put_list(json, "nodes", nodes);
    put_list(json, "meshes", meshes);
    put_list(json, "materials", materials);
    put_list(json, "textures", textures);
    put_list(json, "images", images);
    put_list(json, "samplers", samplers);
    put_list(json, "cameras", cameras);
    put_list(json, "skins", skins);
    put_list(json, "accessors", accessors);
    put_list(json, "bufferViews", views);
    if (!channels.empty()) {
      json.key("animations").begin_array().begin_object().key("name").string("motion");
      put_list(json, "channels", channels);
      put_list(json, "samplers", animation_samplers);
      json.end_object().end_array();
    }
    if (!buffer_.empty()) {
      const std::size_t size = (buffer_.size() + 3) / 4 * 4;
      json.key("buffers").begin_array().begin_object().key("byteLength").number(size);
      json.end_object().end_array();
    }
    return json.end_object().take();
  }

  std::string buffer_;
};

}  // namespace corten::view
