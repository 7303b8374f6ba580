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
// nodes below their bodies; skins follow the nodes of bodies. Geoms of the same shape share their
// triangles. glTF has y up, so the root node turns the world. What glTF cannot express is
// simplified: cube textures become their mean colour, reflections and skies are left out, infinite
// planes get an edge.
#pragma once

#include <corten/math/quat.hpp>
#include <corten/scene/assets.hpp>
#include <corten/scene/scene.hpp>
#include <corten/view/film.hpp>
#include <corten/view/glb_document.hpp>
#include <corten/view/glb_materials.hpp>
#include <corten/view/glb_skins.hpp>
#include <corten/view/glb_solids.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace corten::view {

struct GlbOptions {
  scene::Options scene;  // its groups choose the geoms and sites
  bool cameras = true, lights = true;
};

namespace detail {

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
      : m_(m),
        view_(m),
        assets_(assets),
        film_(film),
        options_(options),
        layout_(m),
        solids_(assets, 20 * static_cast<double>(value(m.stat.extent)), out_),
        materials_(m, assets, out_) {}

  std::string run() {
    children_.resize(static_cast<std::size_t>(m_.n.nbody));
    geoms();
    sites();
    deformables();
    if (options_.cameras) cameras();
    if (options_.lights) lights();
    bodies();
    skins();
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
    out_.roots.push_back(body_node_[0]);
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
      shape(or_number(m_.geom_name(g), "geom", g), m_.geom_bodyid[i], assets_.geoms[i],
            scene::detail::read<3>(m_.geom_pos, g), scene::detail::read<4>(m_.geom_quat, g),
            material, rgba);
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
            scene::detail::site_figure(view_, s), scene::detail::read<3>(m_.site_pos, s),
            scene::detail::read<4>(m_.site_quat, s), material, rgba);
    }
  }

  void shape(const std::string& name, int body, const scene::Figure& figure,
             const Vec3<double>& pos, const Quat<double>& quat, int material,
             const scene::Rgba& rgba) {
    const GlbSolid& what = solids_.of(figure);
    if (what.empty()) return;
    std::array<double, 2> repeat{1, 1};
    if (material >= 0 && figure.shape != scene::Shape::mesh) repeat = repeats(figure, material);
    const int mesh = solids_.mesh(what, materials_.of(material, rgba, what.textured, repeat));
    Json json;
    json.begin_object().key("name").string(name).key("mesh").number(mesh);
    put_pose(json, pos, quat);
    const Vec3<double> scale = GlbSolids::scale_of(figure);
    json.key("scale").numbers(std::span(scale.data(), 3));
    attach(body, json.end_object().take());
  }

  // how often a texture repeats over the texture coordinates of a shape
  std::array<double, 2> repeats(const scene::Figure& figure, int material) const {
    const auto i = 2 * static_cast<std::size_t>(material);
    std::array<double, 2> out{m_.mat_texrepeat[i], m_.mat_texrepeat[i + 1]};
    for (std::size_t k = 0; k < 2; ++k) {
      const double half = figure.size[static_cast<int>(k)];
      const bool endless = figure.shape == scene::Shape::plane && half <= 0;
      if (m_.mat_texuniform[i / 2] != 0 || endless) out[k] *= endless ? solids_.far() : half;
      if (out[k] == 0) out[k] = 1;
    }
    return out;
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
      GlbSolid what;
      what.accessors[0] = out_.add_floats({first, numbers}, 3, true, 34962);
      what.accessors[3] = out_.add_indices({face.data(), face.size()});
      const scene::Rgba rgba = scene::detail::mixed_rgba(m_, from.material, from.rgba);
      Json json;
      json.begin_object().key("primitives").begin_array().begin_object();
      what.put(json);
      json.key("material").number(materials_.two_sided(rgba));
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

  // ---- skins: they follow the nodes of their bodies ---------------------------------------------

  void skins() {
    for (std::size_t i = 0; i < assets_.skins.size(); ++i) {
      const scene::Skin& s = assets_.skins[i];
      if (!options_.scene.skin || !scene::detail::shown(options_.scene.skingroup, s.group))
        continue;
      const scene::Rgba rgba = scene::detail::mixed_rgba(m_, s.material, s.rgba);
      const int material = materials_.of(s.material, rgba, !s.texcoord.empty(), {1, 1});
      add_skin(s, body_node_, material, or_number(s.name, "skin", static_cast<int>(i)), out_);
    }
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
      out_.use("KHR_lights_punctual");
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
  const ModelView<S> view_;
  const scene::Assets& assets_;
  const Film& film_;
  const GlbOptions& options_;
  FrameLayout layout_;
  GlbDocument out_;
  List<List<int>> children_;  // nodes below each body
  List<int> body_node_;
  List<std::pair<int, int>> soft_nodes_;  // node, number of shapes
  GlbSolids solids_;
  GlbMaterials<S> materials_;
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
