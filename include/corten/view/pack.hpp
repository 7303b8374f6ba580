// SPDX-License-Identifier: Apache-2.0
//
// A model as the page takes it: one block of bytes with a description in JSON, then meshes,
// textures and, for a recording, the frames of a film.
//
//   "crtn", length of the JSON, the JSON (padded to 4 bytes), binary data
//
// Meshes are quantised to 16 bits within their bounds and normals folded onto an octahedron: 12
// bytes per vertex instead of 24, with errors far below a pixel.
#pragma once

#include <corten/asset/png_write.hpp>
#include <corten/core/list.hpp>
#include <corten/io/json.hpp>
#include <corten/scene/assets.hpp>
#include <corten/scene/scene.hpp>
#include <corten/view/film.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace corten::view {

struct PackOptions {
  std::string title = {};             // shown in the page; empty: the name of the model
  std::string plots = "energy,ncon";  // series that are plotted at the start, by name
  bool live = false;                  // frames come from a server
  std::string_view compiled = {};     // to_bytes(model), for a page that carries the simulator
};

namespace detail {

// a point of the unit sphere as two numbers: the octahedron |x| + |y| + |z| = 1, unfolded
inline std::array<float, 2> fold(float x, float y, float z) {
  const float sum = std::abs(x) + std::abs(y) + std::abs(z);
  const float u = x / sum, v = y / sum;
  if (z >= 0) return {u, v};
  return {(1 - std::abs(v)) * (u < 0 ? -1.0f : 1.0f), (1 - std::abs(u)) * (v < 0 ? -1.0f : 1.0f)};
}

template <class S>
class Packer {
 public:
  using Json = io::JsonWriter;

  Packer(const Model<S>& m, const scene::Assets& assets, const PackOptions& options)
      : m_(m), view_(m), assets_(assets), options_(options), layout_(m) {}

  std::string run(const Film* film) {
    json_.begin_object();
    head();
    bodies();
    meshes();
    geoms();
    sites();
    materials();
    joints();
    actuators();
    sensors();
    others();
    deformables();
    skins();
    layout();
    if (film != nullptr) frames(*film);
    std::string text = json_.end_object().take();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    std::string out = "crtn";
    put(out, static_cast<std::uint32_t>(text.size()));
    return (out += text) += binary_;
  }

 private:
  template <class T>
  static void put(std::string& out, T x) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &x, sizeof(T));
    out.append(bytes, sizeof(T));
  }
  void align() { binary_.resize((binary_.size() + 3) / 4 * 4, '\0'); }

  // numbers with as many digits as a screen can show
  template <class F>
  void row(const char* name, const F& field, int i, int width) {
    json_.key(name).begin_array();
    for (int k = width * i; k < width * (i + 1); ++k)
      json_.number(brief(field[static_cast<std::size_t>(k)]));
    json_.end_array();
  }
  template <class T>
  static double brief(const T& x) {
    char text[32];
    const double plain = static_cast<double>(value(x));
    std::snprintf(text, sizeof text, "%.7g", plain);
    return std::strtod(text, nullptr);
  }
  void name(std::string_view text) { json_.key("name").string(text); }

  void head() {
    const std::string& own = m_.names.model;
    json_.key("title").string(!options_.title.empty() ? options_.title
                              : own.empty()           ? "model"
                                                      : own);
    json_.key("live").boolean(options_.live).key("plots").string(options_.plots);
    json_.key("timestep").number(m_.opt.timestep);
    json_.key("meansize").number(m_.stat.meansize).key("meanmass").number(m_.stat.meanmass);
    bounds();
    const scene::Visual& v = assets_.visual;
    json_.key("visual").begin_object().key("fovy").number(v.fovy).key("azimuth").number(v.azimuth);
    json_.key("elevation").number(v.elevation).key("force").number(v.force);
    json_.key("znear").number(v.znear).key("zfar").number(v.zfar);
    json_.key("stiffness").number(v.stiffness).key("headlight").boolean(v.headlight.active);
    json_.key("ambient").numbers(v.headlight.ambient).key("diffuse").numbers(v.headlight.diffuse);
    json_.end_object();
    sky();
  }

  // What the camera looks at first: the model's own statistics, which know nothing of soft bodies,
  // and these.
  void bounds() {
    const auto extent = static_cast<double>(value(m_.stat.extent));
    double centre[3], most = extent;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto middle = static_cast<double>(value(m_.stat.center[static_cast<int>(k)]));
      double low = middle - extent / 2, high = middle + extent / 2;
      for (std::size_t v = k; v < m_.softvert_pos.size(); v += 3) {
        low = std::min(low, static_cast<double>(value(m_.softvert_pos[v])));
        high = std::max(high, static_cast<double>(value(m_.softvert_pos[v])));
      }
      centre[k] = brief(m_.softvert_pos.empty() ? middle : (low + high) / 2);
      most = std::max(most, high - low);
    }
    json_.key("extent").number(m_.softvert_pos.empty() ? extent : most).key("center");
    json_.numbers(centre);
  }

  // the colour of the sky above, at the horizon and below
  void sky() {
    if (assets_.sky < 0) return;
    const asset::Picture& p = assets_.textures[static_cast<std::size_t>(assets_.sky)].picture;
    const int w = p.width;
    const auto mean = [&](int first, int last) {  // of rows
      std::array<double, 3> out{};
      for (int r = first; r < last; ++r) {
        for (int c = 0; c < w; ++c) {
          const std::size_t at = (static_cast<std::size_t>(r) * static_cast<std::size_t>(w) +
                                  static_cast<std::size_t>(c)) *
                                 static_cast<std::size_t>(p.channels);
          for (std::size_t k = 0; k < 3; ++k)
            out[k] += p.pixels[at + k] / (255.0 * w * (last - first));
        }
      }
      for (double& x : out) x = brief(x);
      return out;
    };
    const int half = w / 2, eighth = std::max(1, w / 8);
    json_.key("sky").begin_array().numbers(mean(2 * w, 3 * w));
    json_.numbers(mean(std::max(0, half - eighth), half + eighth));
    json_.numbers(mean(3 * w, 4 * w)).end_array();
  }

  void bodies() {
    json_.key("bodies").begin_array();
    for (int b = 0; b < m_.n.nbody; ++b) {
      const auto i = static_cast<std::size_t>(b);
      json_.begin_object();
      name(b == 0 ? "world" : m_.body_name(b));
      json_.key("parent").number(m_.body_parentid[i]).key("fixed").boolean(m_.body_weldid[i] == 0);
      json_.key("root").number(m_.body_rootid[i]).key("mass").number(brief(m_.body_mass[i]));
      row("ipos", m_.body_ipos, b, 3);
      row("iquat", m_.body_iquat, b, 4);
      row("inertia", m_.body_inertia, b, 3);
      json_.end_object();
    }
    json_.end_array();
  }

  // meshes, then height fields, then what geoms have of their own
  void meshes() {
    json_.key("meshes").begin_array();
    for (const scene::Surface& s : assets_.meshes) surface(s);
    for (const scene::Surface& s : assets_.hfields) surface(s);
    for (const scene::Surface& s : assets_.own) surface(s);
    json_.end_array();
  }

  void surface(const scene::Surface& s) {
    align();
    float low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (std::size_t i = 0; i < s.vert.size(); ++i) {
      low[i % 3] = i < 3 ? s.vert[i] : std::min(low[i % 3], s.vert[i]);
      high[i % 3] = i < 3 ? s.vert[i] : std::max(high[i % 3], s.vert[i]);
    }
    json_.begin_object().key("at").number(binary_.size()).key("nvert").number(s.nvert());
    json_.key("nface").number(s.nface()).key("low").numbers(low).key("high").numbers(high);
    const std::size_t start = binary_.size();
    for (std::size_t v = 0; v < s.vert.size(); v += 3) {
      for (std::size_t k = 0; k < 3; ++k) {
        const float span = high[k] - low[k];
        const float share = span > 0 ? (s.vert[v + k] - low[k]) / span : 0;
        put(binary_, static_cast<std::uint16_t>(65535 * share + 0.5f));
      }
      put(binary_, std::uint16_t{0});
      for (const float x : fold(s.normal[v], s.normal[v + 1], s.normal[v + 2])) {
        put(binary_, static_cast<std::int16_t>(std::lround(32767 * x)));
      }
    }
    json_.key("uv").number(s.texcoord.empty() ? -1.0 : static_cast<double>(binary_.size() - start));
    for (const float x : s.texcoord) put(binary_, x);
    const bool wide = s.nvert() > 65535;
    json_.key("wide").boolean(wide).key("faces").number(binary_.size() - start);
    for (const int f : s.face) {
      wide ? put(binary_, static_cast<std::uint32_t>(f))
           : put(binary_, static_cast<std::uint16_t>(f));
    }
    json_.end_object();
  }

  // the place of a figure in that list, or -1
  int mesh_of(const scene::Figure& f) const {
    if (f.shape == scene::Shape::mesh) return f.mesh;
    if (f.shape == scene::Shape::hfield) return m_.n.nmesh + f.mesh;
    return f.shape == scene::Shape::own ? m_.n.nmesh + m_.n.nhfield + f.mesh : -1;
  }

  // a geom or a site
  void figure(const scene::Figure& f) {
    json_.key("shape").number(static_cast<int>(f.shape)).key("mesh").number(mesh_of(f));
    const double size[] = {brief(f.size[0]), brief(f.size[1]), brief(f.size[2])};
    json_.key("size").numbers(size);
  }

  void thing(std::string_view label, int body, int group, int material, const scene::Rgba& rgba) {
    json_.begin_object();
    name(label);
    json_.key("body").number(body).key("group").number(group);
    json_.key("material").number(material);
    json_.key("rgba").begin_array();
    for (const float x : rgba) json_.number(brief(static_cast<double>(x)));
    json_.end_array();
  }

  void geoms() {
    json_.key("geoms").begin_array();
    for (int g = 0; g < m_.n.ngeom; ++g) {
      const auto i = static_cast<std::size_t>(g);
      const int material = m_.geom_matid[i];
      thing(m_.geom_name(g), m_.geom_bodyid[i], m_.geom_group[i], material,
            scene::detail::mixed_rgba(m_, material, scene::detail::read_rgba(m_.geom_rgba, g)));
      figure(assets_.geoms[i]);
      row("pos", m_.geom_pos, g, 3);
      row("quat", m_.geom_quat, g, 4);
      json_.end_object();
    }
    json_.end_array();
  }

  void sites() {
    json_.key("sites").begin_array();
    for (int s = 0; s < m_.n.nsite; ++s) {
      const auto i = static_cast<std::size_t>(s);
      const int material = m_.site_matid[i];
      thing(m_.site_name(s), m_.site_bodyid[i], m_.site_group[i], material,
            scene::detail::mixed_rgba(m_, material, scene::detail::read_rgba(m_.site_rgba, s)));
      figure(scene::detail::site_figure(view_, s));
      row("pos", m_.site_pos, s, 3);
      row("quat", m_.site_quat, s, 4);
      json_.end_object();
    }
    json_.end_array();
  }

  void materials() {
    json_.key("materials").begin_array();
    for (int i = 0; i < m_.n.nmat; ++i) {
      const auto k = static_cast<std::size_t>(i);
      json_.begin_object().key("texture").number(assets_.material_texture[k]);
      row("repeat", m_.mat_texrepeat, i, 2);
      json_.key("uniform").boolean(m_.mat_texuniform[k] != 0);
      const double surface[] = {brief(static_cast<double>(m_.mat_emission[k])),
                                brief(static_cast<double>(m_.mat_specular[k])),
                                brief(static_cast<double>(m_.mat_shininess[k])),
                                brief(static_cast<double>(m_.mat_reflectance[k]))};
      json_.key("surface").numbers(surface).end_object();
    }
    json_.end_array().key("textures").begin_array();
    for (const scene::Texture& t : assets_.textures) {
      align();
      const bool sky = t.type == spec::TextureType::skybox;  // three colours stand for it
      const std::string png = sky ? std::string() : asset::write_png(t.picture);
      json_.begin_object().key("cube").boolean(t.type == spec::TextureType::cube);
      json_.key("at").number(binary_.size()).key("size").number(png.size()).end_object();
      binary_ += png;
    }
    json_.end_array();
  }

  void joints() {
    json_.key("joints").begin_array();
    for (int j = 0; j < m_.n.njnt; ++j) {
      const auto i = static_cast<std::size_t>(j);
      json_.begin_object();
      name(m_.joint_name(j));
      json_.key("type").number(m_.jnt_type[i]).key("body").number(m_.jnt_bodyid[i]);
      json_.key("group").number(m_.jnt_group[i]).key("limited").boolean(m_.jnt_limited[i] != 0);
      json_.key("qpos").number(m_.jnt_qposadr[i]).key("dof").number(m_.jnt_dofadr[i]);
      row("pos", m_.jnt_pos, j, 3);
      row("axis", m_.jnt_axis, j, 3);
      row("range", m_.jnt_range, j, 2);
      json_.end_object();
    }
    json_.end_array();
  }

  void actuators() {
    json_.key("controls").begin_array();
    for (int a = 0; a < m_.n.nactuator; ++a) {
      const auto i = static_cast<std::size_t>(a);
      for (int u = m_.actuator_ctrladr[i]; u < m_.actuator_ctrladr[i] + m_.actuator_ctrlnum[i];
           ++u) {
        json_.begin_object();
        std::string label(m_.actuator_name(a));
        if (label.empty()) label = "actuator " + std::to_string(a);
        if (m_.actuator_ctrlnum[i] > 1) label += " " + std::to_string(u - m_.actuator_ctrladr[i]);
        name(label);
        json_.key("limited").boolean(m_.actuator_ctrllimited[static_cast<std::size_t>(u)] != 0);
        json_.key("ctrl").number(u);
        row("range", m_.actuator_ctrlrange, u, 2);
        json_.end_object();
      }
    }
    json_.end_array();
  }

  void sensors() {
    json_.key("sensors").begin_array();
    for (int s = 0; s < m_.n.nsensor; ++s) {
      const auto i = static_cast<std::size_t>(s);
      json_.begin_object();
      name(m_.sensor_name(s));
      json_.key("at").number(m_.sensor_adr[i]).key("dim").number(m_.sensor_dim[i]).end_object();
    }
    json_.end_array();
  }

  void others() {
    json_.key("tendons").begin_array();
    for (int t = 0; t < m_.n.ntendon; ++t) {
      const auto i = static_cast<std::size_t>(t);
      const int material = m_.tendon_matid[i];
      thing(m_.tendon_name(t), 0, m_.tendon_group[i], material,
            scene::detail::mixed_rgba(m_, material, scene::detail::read_rgba(m_.tendon_rgba, t)));
      json_.key("width").number(brief(m_.tendon_width[i])).end_object();
    }
    json_.end_array().key("cameras").begin_array();
    for (int c = 0; c < m_.n.ncam; ++c) {
      const auto i = static_cast<std::size_t>(c);
      json_.begin_object();
      name(m_.camera_name(c));
      const bool flat = static_cast<Projection>(m_.cam_projection[i]) == Projection::orthographic;
      json_.key("flat").boolean(flat).key("fovy").number(brief(m_.cam_fovy[i])).end_object();
    }
    json_.end_array().key("lights").begin_array();
    for (int l = 0; l < m_.n.nlight; ++l) {
      const auto i = static_cast<std::size_t>(l);
      json_.begin_object().key("type").number(m_.light_type[i]);
      json_.key("active").boolean(m_.light_active[i] != 0);
      json_.key("shadow").boolean(m_.light_castshadow[i] != 0);
      row("diffuse", m_.light_diffuse, l, 3);
      json_.end_object();
    }
    json_.end_array().key("keys").begin_array();
    for (int k = 0; k < m_.n.nkey; ++k) json_.string(m_.key_name(k));
    json_.end_array();
  }

  void deformables() {
    json_.key("deformables").begin_array();
    for (const scene::Deformable& d : scene::deformables(m_)) {
      align();
      thing(d.name, 0, d.group, d.material, scene::detail::mixed_rgba(m_, d.material, d.rgba));
      json_.key("first").number(d.first).key("count").number(d.count);
      json_.key("radius").number(brief(d.radius)).key("at").number(binary_.size());
      json_.key("face").number(d.face.size()).key("segment").number(d.segment.size());
      for (const int f : d.face) put(binary_, static_cast<std::uint32_t>(f));
      for (const int f : d.segment) put(binary_, static_cast<std::uint32_t>(f));
      json_.end_object();
    }
    json_.end_array();
  }

  // The page moves skins by the poses of bodies that every frame has; so frames do not grow.
  void skins() {
    json_.key("skins").begin_array();
    for (const scene::Skin& s : assets_.skins) {
      align();
      thing(s.name, 0, s.group, s.material, scene::detail::mixed_rgba(m_, s.material, s.rgba));
      json_.key("count").number(s.nvert()).key("inflate").number(brief(s.inflate));
      json_.key("at").number(binary_.size()).key("uv").boolean(!s.texcoord.empty());
      json_.key("face").number(s.face.size()).key("bones").begin_array();
      for (const float x : s.vert) put(binary_, x);
      for (const float x : s.texcoord) put(binary_, x);
      for (const int f : s.face) put(binary_, static_cast<std::uint32_t>(f));
      for (const scene::Skin::Bone& b : s.bones) {
        json_.begin_object().key("body").number(b.body).key("count").number(b.vertex.size());
        json_.key("pos").numbers(std::span(b.pos.data(), 3));
        json_.key("quat").numbers(std::span(b.quat.data(), 4)).end_object();
        for (const int v : b.vertex) put(binary_, static_cast<std::uint32_t>(v));
        for (const float w : b.weight) put(binary_, w);
      }
      json_.end_array().end_object();
    }
    json_.end_array();
  }

  void layout() {
    json_.key("layout").begin_object().key("body").number(layout_.body);
    json_.key("camera").number(layout_.camera).key("light").number(layout_.light);
    json_.key("soft").number(layout_.soft).key("com").number(layout_.com);
    json_.key("qpos").number(layout_.qpos).key("qvel").number(layout_.qvel);
    json_.key("ctrl").number(layout_.ctrl).key("sensor").number(layout_.sensor);
    json_.key("rest").number(layout_.rest).key("nq").number(m_.n.nq).key("nv").number(m_.n.nv);
    json_.end_object();
  }

  void frames(const Film& film) {
    align();
    json_.key("frames").begin_object().key("at").number(binary_.size());
    json_.key("start").numbers(film.start).key("size").number(film.numbers.size()).end_object();
    binary_.append(reinterpret_cast<const char*>(film.numbers.data()), 4 * film.numbers.size());
    if (!options_.compiled.empty() && !film.states.empty()) simulator(film);
  }

  void simulator(const Film& film) {
    json_.key("simulator").begin_object().key("at").number(binary_.size());
    json_.key("size").number(options_.compiled.size());
    binary_ += options_.compiled;
    align();
    json_.key("states").number(binary_.size());
    json_.key("width").number(film.states.size() / film.start.size()).end_object();
    binary_.append(reinterpret_cast<const char*>(film.states.data()), 8 * film.states.size());
  }

  const Model<S>& m_;
  const ModelView<S> view_;
  const scene::Assets& assets_;
  const PackOptions& options_;
  FrameLayout layout_;
  Json json_;
  std::string binary_;
};

}  // namespace detail

// The bytes that the page reads; with a film for a recording, without for the live viewer.
template <class S>
std::string pack(const Model<S>& model, const scene::Assets& assets, const PackOptions& options,
                 const Film* film = nullptr) {
  return detail::Packer<S>(model, assets, options).run(film);
}

}  // namespace corten::view
