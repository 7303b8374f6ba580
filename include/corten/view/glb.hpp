// SPDX-License-Identifier: Apache-2.0
//
// A model, and optionally its motion, as one .glb file (glTF 2.0), for browsers, Blender, game
// engines and whatever else reads it:
//
//   corten::view::Film film;                   // one frame per instant of the animation
//   film.add(model, data);
//   corten::save_file("robot.glb", corten::view::write_glb(model, assets, film));
//
// There is a node for each body, named after it, below its parent; geoms, cameras and lights are
// nodes below their bodies. Geoms of the same shape share their triangles. glTF has y up, so the
// root node turns the world. What glTF cannot express is simplified: cube textures become their
// mean colour, reflections and skies are left out, infinite planes get an edge.
#pragma once

#include <corten/asset/png_write.hpp>
#include <corten/core/name_table.hpp>
#include <corten/math/quat.hpp>
#include <corten/scene/assets.hpp>
#include <corten/scene/scene.hpp>
#include <corten/view/film.hpp>
#include <corten/view/glb_document.hpp>
#include <corten/view/shapes.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace corten::view {

struct GlbOptions {
  scene::Options scene;  // its groups choose the geoms and sites
  bool cameras = true, lights = true;
};

namespace detail {

// glTF counts light linearly, MuJoCo's colours are those of a screen
inline double linear(double x) { return std::pow(std::clamp(x, 0.0, 1.0), 2.2); }
inline std::array<double, 4> linear(const scene::Rgba& c) {
  return {linear(double(c[0])), linear(double(c[1])), linear(double(c[2])), double(c[3])};
}

// the pose of one frame in another
struct LocalPose {
  Vec3<double> pos;
  Quat<double> quat;
};
inline LocalPose relative(const float* parent, const float* body) {
  const auto pos = [](const float* p) {
    return Vec3<double>(double(p[0]), double(p[1]), double(p[2]));
  };
  const auto quat = [](const float* p) {
    const Quat<double> q{double(p[3]), double(p[4]), double(p[5]), double(p[6])};
    return Quat<double>(q.normalized());
  };
  const Quat<double> back = conjugate(quat(parent));
  return {rotate(back, pos(body) - pos(parent)), multiply(back, quat(body))};
}

// Shepperd's method: the largest component first
inline Quat<double> quat_of(const Mat3<double>& r) {
  const double diagonal[] = {r(0, 0) + r(1, 1) + r(2, 2), r(0, 0), r(1, 1), r(2, 2)};
  int most = 0;
  for (int k = 1; k < 4; ++k) most = diagonal[k] > diagonal[most] ? k : most;
  Quat<double> q(1 + diagonal[0], r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1));
  if (most > 0) {
    const int i = most - 1, j = (i + 1) % 3, k = (i + 2) % 3;
    q[0] = r(k, j) - r(j, k);
    q[1 + i] = 1 + r(i, i) - r(j, j) - r(k, k);
    q[1 + j] = r(j, i) + r(i, j);
    q[1 + k] = r(k, i) + r(i, k);
  }
  return Quat<double>(q.normalized());
}

template <class S>
class GlbWriter {
 public:
  using Json = io::JsonWriter;

  GlbWriter(const Model<S>& m, const scene::Assets& assets, const Film& film,
            const GlbOptions& options)
      : m_(m), assets_(assets), film_(film), options_(options), layout_(m) {}

  std::string run() {
    children_.resize(static_cast<std::size_t>(m_.n.nbody));
    geoms();
    sites();
    deformables();
    if (options_.cameras) cameras();
    if (options_.lights) lights();
    bodies();
    animate();
    return out_.bytes();
  }

 private:
  // ---- nodes ------------------------------------------------------------------------------------

  static void put_pose(Json& json, const Vec3<double>& pos, const Quat<double>& q) {
    double xyzw[] = {q[1], q[2], q[3], q[0]};
    for (double& x : xyzw) x = std::clamp(x, -1.0, 1.0);  // 1.0000000000000002 is not valid
    json.key("translation").numbers(std::span(pos.data(), 3));
    json.key("rotation").numbers(xyzw);
  }

  void attach(int body, std::string node) {
    children_[static_cast<std::size_t>(body)].push_back(
        GlbDocument::add(out_.nodes, std::move(node)));
  }

  static std::string or_number(std::string_view name, const char* kind, int id) {
    return name.empty() ? std::string(kind) + " " + std::to_string(id) : std::string(name);
  }

  // Bodies come after their children in the list, because a node names its children.
  void bodies() {
    const float* frame = film_.frame(0);
    body_node_.assign(static_cast<std::size_t>(m_.n.nbody), -1);
    for (int b = m_.n.nbody - 1; b >= 0; --b) {
      const auto i = static_cast<std::size_t>(b);
      Json json;
      json.begin_object().key("name").string(
          or_number(b == 0 ? "world" : m_.body_name(b), "body", b));
      if (b == 0) {
        const double up[] = {-std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
        json.key("rotation").numbers(up);
      } else {
        const LocalPose local = local_pose(frame, b);
        put_pose(json, local.pos, local.quat);
      }
      if (!children_[i].empty()) json.key("children").numbers(children_[i]);
      body_node_[i] = GlbDocument::add(out_.nodes, json.end_object().take());
      if (b > 0) children_[static_cast<std::size_t>(m_.body_parentid[i])].push_back(body_node_[i]);
    }
    out_.root = body_node_[0];
  }

  LocalPose local_pose(const float* frame, int b) const {
    const int parent = m_.body_parentid[static_cast<std::size_t>(b)];
    const float* poses = frame + layout_.body;
    return relative(poses + FrameLayout::per_body * parent, poses + FrameLayout::per_body * b);
  }

  // ---- geoms and sites --------------------------------------------------------------------------

  void geoms() {
    for (int g = 0; g < m_.n.ngeom; ++g) {
      const auto i = static_cast<std::size_t>(g);
      const int material = m_.geom_matid[i];
      const scene::Rgba rgba =
          scene::detail::mixed_rgba(m_, material, scene::detail::read_rgba(m_.geom_rgba, g));
      if (!scene::detail::shown(options_.scene.geomgroup, m_.geom_group[i]) || rgba[3] <= 0)
        continue;
      shape(or_number(m_.geom_name(g), "geom", g), m_.geom_bodyid[i],
            static_cast<GeomType>(m_.geom_type[i]), m_.geom_dataid[i],
            scene::detail::read<3>(m_.geom_size, g), scene::detail::read<3>(m_.geom_pos, g),
            scene::detail::read<4>(m_.geom_quat, g), material, rgba);
    }
  }

  void sites() {
    for (int s = 0; s < m_.n.nsite; ++s) {
      const auto i = static_cast<std::size_t>(s);
      const int material = m_.site_matid[i];
      const scene::Rgba rgba =
          scene::detail::mixed_rgba(m_, material, scene::detail::read_rgba(m_.site_rgba, s));
      if (!scene::detail::shown(options_.scene.sitegroup, m_.site_group[i]) || rgba[3] <= 0)
        continue;
      shape(or_number(m_.site_name(s), "site", s), m_.site_bodyid[i],
            static_cast<GeomType>(m_.site_type[i]), -1, scene::detail::read<3>(m_.site_size, s),
            scene::detail::read<3>(m_.site_pos, s), scene::detail::read<4>(m_.site_quat, s),
            material, rgba);
    }
  }

  // The triangles of a shape, and the scale that gives them their size. Shapes of one key share
  // their triangles.
  struct Solid {
    int accessors[4] = {-1, -1, -1, -1};  // position, normal, texture coordinate, index
    bool textured = false;
  };
  using Key = std::tuple<int, int, float, float>;

  static bool is_mesh(GeomType type, int data) {
    return data >= 0 && (type == GeomType::mesh || type == GeomType::sdf);
  }

  Surface triangles(GeomType type, int data, float a, float b) const {
    if (is_mesh(type, data)) return assets_.meshes[static_cast<std::size_t>(data)];
    switch (type) {
      case GeomType::plane: return plane_surface(a, b);
      case GeomType::hfield: return assets_.hfields[static_cast<std::size_t>(data)];
      case GeomType::capsule: return capsule_surface(a, b);
      case GeomType::cylinder: return cylinder_surface();
      case GeomType::sphere:
      case GeomType::ellipsoid: return sphere_surface();
      default: return box_surface();
    }
  }

  const Solid& solid(GeomType type, int data, const Vec3<double>& size) {
    float a = 0, b = 0;
    if (type == GeomType::plane) {  // an endless plane reaches well beyond the model
      const auto far = static_cast<float>(20 * value(m_.stat.extent));
      a = size[0] > 0 ? static_cast<float>(size[0]) : far;
      b = size[1] > 0 ? static_cast<float>(size[1]) : far;
    } else if (type == GeomType::capsule) {
      a = static_cast<float>(size[0]), b = static_cast<float>(size[1]);
    }
    const bool round = type == GeomType::sphere || type == GeomType::ellipsoid;
    const Key key{round ? static_cast<int>(GeomType::sphere) : static_cast<int>(type),
                  is_mesh(type, data) || type == GeomType::hfield ? data : -1, a, b};
    const auto [place, isnew] = solids_.try_emplace(key);
    if (isnew) store(triangles(type, data, a, b), place->second);
    return place->second;
  }

  void store(const Surface& from, Solid& to) {
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

  static Vec3<double> scale_of(GeomType type, const Vec3<double>& size) {
    switch (type) {
      case GeomType::sphere: return Vec3<double>::Constant(size[0]);
      case GeomType::cylinder: return {size[0], size[0], size[1]};
      case GeomType::ellipsoid:
      case GeomType::box: return size;
      default: return Vec3<double>::Constant(1);
    }
  }

  // how often a texture repeats over the texture coordinates of a shape
  std::array<double, 2> repeats(GeomType type, int material, const Vec3<double>& size) const {
    const auto i = 2 * static_cast<std::size_t>(material);
    std::array<double, 2> out{m_.mat_texrepeat[i], m_.mat_texrepeat[i + 1]};
    const double far = 20 * static_cast<double>(value(m_.stat.extent));
    for (std::size_t k = 0; k < 2; ++k) {
      const double half = size[static_cast<int>(k)];
      const bool endless = type == GeomType::plane && half <= 0;
      if (m_.mat_texuniform[i / 2] != 0 || endless) out[k] *= endless ? far : half;
      if (out[k] == 0) out[k] = 1;
    }
    return out;
  }

  void shape(const std::string& name, int body, GeomType type, int data, const Vec3<double>& size,
             const Vec3<double>& pos, const Quat<double>& quat, int material,
             const scene::Rgba& rgba) {
    if (type > GeomType::sdf) return;  // kinds of the user's own have no shape here
    const Solid& what = solid(type, data, size);
    if (what.accessors[0] < 0) return;
    std::array<double, 2> repeat{1, 1};
    if (material >= 0 && !is_mesh(type, data)) repeat = repeats(type, material, size);
    const int mesh = mesh_of(what, material_of(material, rgba, what.textured, repeat));
    Json json;
    json.begin_object().key("name").string(name).key("mesh").number(mesh);
    put_pose(json, pos, quat);
    const bool bare = type == GeomType::sdf && data < 0;
    const Vec3<double> scale = bare ? size : scale_of(type, size);
    json.key("scale").numbers(std::span(scale.data(), 3));
    attach(body, json.end_object().take());
  }

  int mesh_of(const Solid& what, int material) {
    const auto [place, isnew] = meshes_.try_emplace({what.accessors[0], material}, -1);
    if (!isnew) return place->second;
    Json json;
    json.begin_object().key("primitives").begin_array().begin_object();
    put_attributes(json, what);
    json.key("material").number(material).end_object().end_array();
    return place->second = GlbDocument::add(out_.meshes, json.end_object().take());
  }

  static void put_attributes(Json& json, const Solid& what) {
    json.key("attributes").begin_object().key("POSITION").number(what.accessors[0]);
    if (what.accessors[1] >= 0) json.key("NORMAL").number(what.accessors[1]);
    if (what.accessors[2] >= 0) json.key("TEXCOORD_0").number(what.accessors[2]);
    json.end_object().key("indices").number(what.accessors[3]);
  }

  // ---- materials --------------------------------------------------------------------------------

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

  int material_of(int id, scene::Rgba rgba, bool textured, std::array<double, 2> repeat) {
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
    const auto [place, isnew] = materials_.try_emplace(std::tuple(id, rgba, flat, repeat), -1);
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

  void put_texture(Json& json, int texture, const std::array<double, 2>& repeat) {
    json.key("baseColorTexture").begin_object().key("index").number(texture_id(texture));
    if (repeat[0] != 1 || repeat[1] != 1) {
      use("KHR_texture_transform");
      json.key("extensions").begin_object().key("KHR_texture_transform").begin_object();
      json.key("scale").numbers(repeat).end_object().end_object();
    }
    json.end_object();
  }

  void use(const char* extension) {
    for (const std::string& e : out_.extensions) {
      if (e == extension) return;
    }
    out_.extensions.push_back(extension);
  }

  // ---- deformables: a shape for each of up to 100 instants, blended into each other -------------

  static constexpr int most_targets = 100;

  int target_frame(int k, int count) const {
    return static_cast<int>(static_cast<long long>(k) * (film_.frames() - 1) /
                            std::max(1, count - 1));
  }

  void deformables() {
    for (const scene::Deformable& from : scene::deformables(m_)) {
      const List<int>& face = from.face;
      if (face.empty()) continue;  // ropes have no surface
      const int count = film_.frames() > 1 ? std::min(film_.frames(), most_targets) : 0;
      const auto numbers = 3 * static_cast<std::size_t>(from.count);
      const auto vertices = [&](int frame) {
        return film_.frame(frame) + layout_.soft + 3 * from.first;
      };
      const float* first = vertices(0);
      Solid what;
      what.accessors[0] = out_.add_floats({first, numbers}, 3, true, 34962);
      what.accessors[3] = out_.add_indices({face.data(), face.size()});
      const scene::Rgba rgba = scene::detail::mixed_rgba(m_, from.material, from.rgba);
      Json json;
      json.begin_object().key("primitives").begin_array().begin_object();
      put_attributes(json, what);
      json.key("material").number(two_sided(rgba));
      if (count > 1) {
        json.key("targets").begin_array();
        for (int k = 1; k < count; ++k) {
          List<float> moved(first, first + numbers);
          const float* to = vertices(target_frame(k, count));
          for (std::size_t n = 0; n < numbers; ++n) moved[n] = to[n] - moved[n];
          json.begin_object().key("POSITION");
          json.number(out_.add_floats({moved.data(), numbers}, 3, true, 34962)).end_object();
        }
        json.end_array();
      }
      json.end_object().end_array();
      const int mesh = GlbDocument::add(out_.meshes, json.end_object().take());
      Json node;
      node.begin_object().key("name").string(
          or_number(from.name, from.flex ? "flex" : "soft", from.id));
      attach(0, node.key("mesh").number(mesh).end_object().take());
      if (count > 1) soft_nodes_.push_back({children_[0].back(), count});
    }
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

  // ---- cameras and lights, where they are in the first frame ------------------------------------

  void cameras() {
    const double znear = std::max(1e-4, static_cast<double>(assets_.visual.znear) *
                                            static_cast<double>(value(m_.stat.extent)));
    for (int c = 0; c < m_.n.ncam; ++c) {
      const auto i = static_cast<std::size_t>(c);
      const double fovy = static_cast<double>(value(m_.cam_fovy[i]));
      Json json;
      json.begin_object();
      if (static_cast<Projection>(m_.cam_projection[i]) == Projection::orthographic) {
        json.key("type").string("orthographic").key("orthographic").begin_object();
        json.key("xmag").number(fovy / 2).key("ymag").number(fovy / 2);
        json.key("znear").number(0).key("zfar").number(1e3).end_object();
      } else {
        json.key("type").string("perspective").key("perspective").begin_object();
        json.key("yfov").number(fovy * pi / 180).key("znear").number(znear).end_object();
      }
      const int id = GlbDocument::add(out_.cameras, json.end_object().take());
      Json node;
      node.begin_object().key("name").string(or_number(m_.camera_name(c), "camera", c));
      node.key("camera").number(id);
      put_pose(node, scene::detail::read<3>(m_.cam_pos, c),
               Quat<double>(scene::detail::read<4>(m_.cam_quat, c)));
      attach(m_.cam_bodyid[i], node.end_object().take());
    }
  }

  void lights() {
    constexpr const char* types[] = {"spot", "directional", "point"};
    for (int l = 0; l < m_.n.nlight; ++l) {
      const auto i = static_cast<std::size_t>(l);
      const int type = m_.light_type[i];
      if (type > 2 || m_.light_active[i] == 0) continue;
      use("KHR_lights_punctual");
      double colour[3], most = 1e-6;
      for (std::size_t k = 0; k < 3; ++k) {
        colour[k] = linear(m_.light_diffuse[3 * i + k]);
        most = std::max(most, colour[k]);
      }
      for (double& c : colour) c /= most;
      Json json;
      json.begin_object().key("type").string(types[type]).key("color").numbers(colour);
      json.key("intensity").number(type == 1 ? 3 * most : 100 * most);
      if (type == 0) {
        const double outer =
            std::clamp(static_cast<double>(m_.light_cutoff[i]), 1.0, 89.0) * pi / 180;
        json.key("spot").begin_object().key("innerConeAngle").number(0.5 * outer);
        json.key("outerConeAngle").number(outer).end_object();
      }
      const int id = GlbDocument::add(out_.lights, json.end_object().take());
      // lights of glTF shine along -z
      const Mat3<double> frame =
          scene::detail::frame_along(-1.0 * scene::detail::read<3>(m_.light_dir, l));
      Json node;
      node.begin_object().key("name").string(or_number(m_.light_name(l), "light", l));
      put_pose(node, scene::detail::read<3>(m_.light_pos, l), quat_of(frame));
      node.key("extensions").begin_object().key("KHR_lights_punctual").begin_object();
      node.key("light").number(id).end_object().end_object();
      attach(m_.light_bodyid[i], node.end_object().take());
    }
  }

  // ---- motion -----------------------------------------------------------------------------------

  // bodies that do not move relative to their parents have no channels
  void animate() {
    if (film_.frames() < 2) return;
    List<float> times;
    for (int f = 0; f < film_.frames(); ++f) times.push_back(film_.time(f) - film_.time(0));
    int input = -1;
    for (int b = 1; b < m_.n.nbody; ++b) {
      List<float> pos, quat;
      bool moves = false, turns = false;
      for (int f = 0; f < film_.frames(); ++f) append_pose(f, b, pos, quat, moves, turns);
      if (!moves && !turns) continue;
      if (input < 0) input = out_.add_floats({times.data(), times.size()}, 1, true, 0);
      const int node = body_node_[static_cast<std::size_t>(b)];
      if (moves) {
        out_.add_channel(node, "translation", input,
                         out_.add_floats({pos.data(), pos.size()}, 3, false, 0));
      }
      if (turns) {
        out_.add_channel(node, "rotation", input,
                         out_.add_floats({quat.data(), quat.size()}, 4, false, 0));
      }
    }
    for (const auto& [node, count] : soft_nodes_) animate_soft(node, count, times);
  }

  void append_pose(int f, int b, List<float>& pos, List<float>& quat, bool& moves,
                   bool& turns) const {
    const LocalPose local = local_pose(film_.frame(f), b);
    double same = 1;
    if (f > 0) {  // the sign that continues the previous rotation
      same = 0;
      const float* last = quat.end() - 4;
      for (int k = 0; k < 4; ++k) same += static_cast<double>(last[k]) * local.quat[(k + 1) % 4];
    }
    for (int k = 0; k < 3; ++k) pos.push_back(static_cast<float>(local.pos[k]));
    for (int k = 0; k < 4; ++k) {
      quat.push_back(
          static_cast<float>(same < 0 ? -local.quat[(k + 1) % 4] : local.quat[(k + 1) % 4]));
    }
    for (std::size_t k = 0; k < 3; ++k)
      moves = moves || std::abs(pos[pos.size() - 3 + k] - pos[k]) > 1e-6f;
    for (std::size_t k = 0; k < 4; ++k)
      turns = turns || std::abs(quat[quat.size() - 4 + k] - quat[k]) > 1e-6f;
  }

  // at the instant of shape k its weight is one, and all others are zero
  void animate_soft(int node, int count, const List<float>& times) {
    List<float> when, weight;
    for (int k = 0; k < count; ++k) {
      when.push_back(times[static_cast<std::size_t>(target_frame(k, count))]);
      for (int w = 1; w < count; ++w) weight.push_back(w == k ? 1.0f : 0.0f);
    }
    out_.add_channel(node, "weights", out_.add_floats({when.data(), when.size()}, 1, true, 0),
                     out_.add_floats({weight.data(), weight.size()}, 1, false, 0));
  }

  const Model<S>& m_;
  const scene::Assets& assets_;
  const Film& film_;
  const GlbOptions& options_;
  FrameLayout layout_;
  GlbDocument out_;
  List<List<int>> children_;  // nodes below each body
  List<int> body_node_;
  List<std::pair<int, int>> soft_nodes_;  // node, number of shapes
  std::map<Key, Solid> solids_;
  std::map<std::pair<int, int>, int> meshes_;
  std::map<int, int> textures_;
  std::map<std::tuple<int, scene::Rgba, bool, std::array<double, 2>>, int> materials_;
};

}  // namespace detail

// The file as bytes. The film needs at least one frame; two or more become an animation.
template <class S>
std::string write_glb(const Model<S>& model, const scene::Assets& assets, const Film& film,
                      const GlbOptions& options = {}) {
  CORTEN_ASSERT(film.frames() > 0);
  return detail::GlbWriter<S>(model, assets, film, options).run();
}

}  // namespace corten::view
