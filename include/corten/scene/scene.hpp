// SPDX-License-Identifier: Apache-2.0
//
// A world as a list of things to draw, as values: what mjv_updateScene is in MuJoCo, with the same
// groups and flags, and no graphics. Feed it to a renderer of yours; the viewer of corten (view/)
// draws the same things.
//
//   corten::scene::Scene scene = corten::scene::draw(model, data);
//   for (const corten::scene::Item& item : scene.items) my_renderer.add(item.shape, item.pos, …);
//
// Item::mesh and Item::material refer to scene::Assets (scene/assets.hpp); so do the triangles of a
// geom of a kind of yours: draw<MyPolicies>(model, data). Skins are drawn if they are given:
// draw(model, data, assets.skins). Draw after forward() or step1(): a scene shows what they
// computed from the state.
#pragma once

#include <corten/constraint/contact_force.hpp>
#include <corten/core/enums.hpp>
#include <corten/core/list.hpp>
#include <corten/data/data.hpp>
#include <corten/math/quat.hpp>
#include <corten/math/vector.hpp>
#include <corten/model/model.hpp>
#include <corten/model/model_ref.hpp>
#include <corten/pipeline/policies.hpp>
#include <corten/scene/deformable.hpp>
#include <corten/scene/pen.hpp>
#include <corten/scene/skin.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>

namespace corten::scene {

using Rgba = std::array<float, 4>;

// what an item stands for
enum class Kind : int {
  geom = 0,
  site,
  tendon,   // a segment of its path
  joint,    // an arrow along the axis, or a ball
  contact,  // a disc at the point
  force,    // an arrow: the force of a contact, or the applied force on a body
  com,      // the centre of mass of a tree
  inertia,  // a box with the inertia of the body
  camera,
  light,
  frame,  // the axes of a body: one arrow each
  soft,   // a segment or the surface of a soft body
  flex,   // the same of a flex
  skin    // its surface; id: in Assets::skins
};

struct Item {
  Kind kind = Kind::geom;
  Shape shape = Shape::sphere;
  int id = 0;         // of the geom, site, …
  int body = 0;       // that it moves with; 0: the world, or none
  int group = 0;      // for geoms, sites, joints and tendons
  int mesh = -1;      // mesh or height field of the model; Shape::own: see Assets::geoms
  int material = -1;  // of the model
  Vec3<double> size = Vec3<double>::Zero();
  Vec3<double> pos = Vec3<double>::Zero();
  Mat3<double> mat = Mat3<double>::Identity();
  Rgba rgba{0.5f, 0.5f, 0.5f, 1};
};

// a surface whose vertices move
struct Moving {
  List<float> vert;  // 3 per vertex
  List<int> face;    // 3 per triangle
  double radius = 0;
};

struct Camera {
  Vec3<double> pos;
  Mat3<double> mat;  // looks along -z, with y up
  double fovy = 45;  // in degrees; orthographic: the height of the picture
  bool orthographic = false;
};

struct Light {
  Vec3<double> pos, dir;
  int type = 0;  // spot, directional, point, image
  bool active = true, castshadow = true;
  std::array<float, 3> ambient, diffuse, specular;
};

struct Scene {
  double time = 0;
  List<Item> items;
  List<Moving> surfaces;
  List<Camera> cameras;
  List<Light> lights;
};

// what is drawn: MuJoCo's names and defaults
struct Options {
  std::array<bool, 6> geomgroup{true, true, true, false, false, false};
  std::array<bool, 6> sitegroup{true, true, true, false, false, false};
  std::array<bool, 6> jointgroup{true, true, true, false, false, false};
  std::array<bool, 6> tendongroup{true, true, true, false, false, false};
  std::array<bool, 6> flexgroup{true, true, true, false, false, false};
  std::array<bool, 6> skingroup{true, true, true, false, false, false};
  bool joint = false, com = false, inertia = false, contactpoint = false, contactforce = false;
  bool contactsplit = false, camera = false, light = false, tendon = true, pertforce = false;
  bool transparent = false, static_bodies = true, frame = false, deformables = true;
  bool skin = true;
  double scale = 0;           // length of markers; 0: the model's mean size
  double force = 0.005;       // length of arrows per newton, over the mean mass
  double transparency = 0.3;  // opacity of moving bodies if `transparent`
};

namespace detail {

// a number of a model's list or of a field of the data
template <class F>
double number_at(const F& field, int i) {
  if constexpr (requires { field.size(); }) {
    return static_cast<double>(value(field[static_cast<std::size_t>(i)]));
  } else {
    return static_cast<double>(value(field[i]));
  }
}

template <int N, class F>
Vec<double, N> read(const F& field, int i) {
  Vec<double, N> out;
  for (int k = 0; k < N; ++k) out[k] = number_at(field, N * i + k);
  return out;
}

template <class F>
Mat3<double> read_mat(const F& field, int i) {
  Mat3<double> out;
  for (int k = 0; k < 9; ++k) out(k / 3, k % 3) = number_at(field, 9 * i + k);
  return out;
}

template <class L>
Rgba read_rgba(const L& field, int i) {
  const auto k = 4 * static_cast<std::size_t>(i);
  return {field[k], field[k + 1], field[k + 2], field[k + 3]};
}

// a rotation that takes z to the direction
inline Mat3<double> frame_along(const Vec3<double>& direction) {
  const Vec3<double> z =
      direction.norm() > 1e-12 ? Vec3<double>(direction.normalized()) : Vec3<double>(0, 0, 1);
  const Vec3<double> other = std::abs(z[2]) < 0.9 ? Vec3<double>(0, 0, 1) : Vec3<double>(1, 0, 0);
  const Vec3<double> x = corten::cross(other, z).normalized();
  const Vec3<double> y = corten::cross(z, x);
  Mat3<double> out;
  for (int i = 0; i < 3; ++i) out(i, 0) = x[i], out(i, 1) = y[i], out(i, 2) = z[i];
  return out;
}

inline bool shown(const std::array<bool, 6>& groups, int group) {
  return groups[static_cast<std::size_t>(group < 0 ? 0 : group > 5 ? 5 : group)];
}

// As in MuJoCo, the colour of a material counts unless the object has one of its own.
template <class S>
Rgba mixed_rgba(const Model<S>& m, int material, const Rgba& own) {
  const bool plain = own[0] == 0.5f && own[1] == 0.5f && own[2] == 0.5f && own[3] == 1;
  return material >= 0 && plain ? read_rgba(m.mat_rgba, material) : own;
}

// what a site looks like
template <class S>
Figure site_figure(const ModelView<S>& m, int s) {
  Pen<false> pen(read<3>(m.site_size, s));
  draw_kind<DefaultGeoms>(m, static_cast<GeomType>(m.site_type[s]), -1, pen);
  return pen.figure;
}

template <class P, class S, class D>
class Drawer {
 public:
  Drawer(const Model<S>& m, const D& d, const Options& o, Scene& out)
      : m_(m), view_(m), d_(d), o_(o), out_(out) {
    mean_ = o.scale > 0 ? o.scale : static_cast<double>(value(m.stat.meansize));
  }

  void all() {
    out_.time = static_cast<double>(value(d_.time.get()));
    for (int g = 0; g < m_.n.ngeom; ++g) geom(g);
    for (int s = 0; s < m_.n.nsite; ++s) site(s);
    for (int t = 0; o_.tendon && t < m_.n.ntendon; ++t) tendon(t);
    for (int j = 0; o_.joint && j < m_.n.njnt; ++j) joint(j);
    for (int c = 0; c < d_.ncon; ++c) contact(c);
    for (int b = 0; b < m_.n.nbody; ++b) body(b);
    if (o_.deformables) {
      for (const Deformable& one : deformables(m_)) deformable(one);
    }
    for (int c = 0; c < m_.n.ncam; ++c) camera(c);
    for (int l = 0; l < m_.n.nlight; ++l) light(l);
  }

  void skin(const Skin& from, int id) {
    if (!shown(o_.skingroup, from.group)) return;
    Moving& out = out_.surfaces.emplace_back();
    out.vert = bend(from, d_), out.face = from.face;
    Item& item = add(Kind::skin, id, Shape::surface);
    item.mesh = static_cast<int>(out_.surfaces.size()) - 1;
    item.rgba = mixed_rgba(m_, from.material, from.rgba);
    item.material = from.material, item.group = from.group;
  }

 private:
  Item& add(Kind kind, int id, Shape shape) {
    Item& out = out_.items.emplace_back();
    out.kind = kind, out.id = id, out.shape = shape;
    return out;
  }

  Item& arrow(Kind kind, int id, const Vec3<double>& from, const Vec3<double>& along, double width,
              const Rgba& rgba) {
    Item& out = add(kind, id, Shape::arrow);
    out.pos = from;
    out.mat = frame_along(along);
    out.size = {width, width, along.norm()};
    out.rgba = rgba;
    return out;
  }

  // a capsule from one point to another
  void segment(Kind kind, int id, const Vec3<double>& a, const Vec3<double>& b, double radius,
               const Rgba& rgba, int material = -1) {
    Item& out = add(kind, id, Shape::capsule);
    out.pos = 0.5 * (a + b);
    out.mat = frame_along(b - a);
    out.size = {radius, 0.5 * (b - a).norm(), 0};
    out.rgba = rgba, out.material = material;
  }

  bool is_static(int body) const { return m_.body_weldid[static_cast<std::size_t>(body)] == 0; }

  // what a geom or a site looks like
  void take(const Figure& figure, Item& out) const {
    out.shape = figure.shape, out.size = figure.size, out.mesh = figure.mesh;
  }

  void geom(int g) {
    const auto i = static_cast<std::size_t>(g);
    const int body = m_.geom_bodyid[i];
    if (!shown(o_.geomgroup, m_.geom_group[i])) return;
    if (is_static(body) && !o_.static_bodies) return;
    Pen<false> pen(read<3>(m_.geom_size, g));
    draw_kind<typename P::Geoms>(view_, static_cast<GeomType>(m_.geom_type[i]), g, pen);
    if (pen.figure.shape == Shape::none) return;
    Item item;
    take(pen.figure, item);
    item.id = g, item.body = body, item.group = m_.geom_group[i];
    item.material = m_.geom_matid[i];
    item.pos = read<3>(d_.geom_xpos, g);
    item.mat = read_mat(d_.geom_xmat, g);
    item.rgba = mixed_rgba(m_, item.material, read_rgba(m_.geom_rgba, g));
    if (o_.transparent && !is_static(body)) item.rgba[3] *= static_cast<float>(o_.transparency);
    if (item.rgba[3] > 0) out_.items.push_back(item);
  }

  void site(int s) {
    const auto i = static_cast<std::size_t>(s);
    if (!shown(o_.sitegroup, m_.site_group[i])) return;
    Item& out = add(Kind::site, s, Shape::none);
    take(site_figure(view_, s), out);
    out.body = m_.site_bodyid[i], out.group = m_.site_group[i], out.material = m_.site_matid[i];
    out.pos = read<3>(d_.site_xpos, s);
    out.mat = read_mat(d_.site_xmat, s);
    out.rgba = mixed_rgba(m_, out.material, read_rgba(m_.site_rgba, s));
  }

  // pulleys separate the branches of a path; a segment inside a wrapped geom is drawn straight
  void tendon(int t) {
    const auto i = static_cast<std::size_t>(t);
    if (!shown(o_.tendongroup, m_.tendon_group[i])) return;
    const int material = m_.tendon_matid[i];
    const Rgba rgba = mixed_rgba(m_, material, read_rgba(m_.tendon_rgba, t));
    const int first = d_.ten_wrapadr[t], count = d_.ten_wrapnum[t];
    for (int k = first; k + 1 < first + count; ++k) {
      if (d_.wrap_obj[k] == -2 || d_.wrap_obj[k + 1] == -2) continue;
      segment(Kind::tendon, t, read<3>(d_.wrap_xpos, k), read<3>(d_.wrap_xpos, k + 1),
              static_cast<double>(value(m_.tendon_width[i])), rgba, material);
      out_.items.back().group = m_.tendon_group[i];
    }
  }

  void joint(int j) {
    const auto i = static_cast<std::size_t>(j);
    if (!shown(o_.jointgroup, m_.jnt_group[i])) return;
    const auto type = static_cast<JointType>(m_.jnt_type[i]);
    const Rgba rgba{0.2f, 0.6f, 0.8f, 1};
    const Vec3<double> at = read<3>(d_.xanchor, j);
    if (type == JointType::slide || type == JointType::hinge) {
      arrow(Kind::joint, j, at, mean_ * read<3>(d_.xaxis, j), 0.1 * mean_, rgba);
    } else {
      Item& out = add(Kind::joint, j, type == JointType::free ? Shape::box : Shape::sphere);
      out.pos = at, out.size = Vec3<double>::Constant(0.15 * mean_), out.rgba = rgba;
    }
    out_.items.back().group = m_.jnt_group[i];
    out_.items.back().body = m_.jnt_bodyid[i];
  }

  void contact(int c) {
    const Mat3<double> frame = read_mat(d_.contact_frame, c);
    const Vec3<double> at = read<3>(d_.contact_pos, c);
    if (o_.contactpoint) {
      Item& out = add(Kind::contact, c, Shape::cylinder);
      out.pos = at, out.mat = frame_along(frame.row(0));
      out.size = {0.3 * mean_, 0.1 * mean_ / 2, 0};
      out.rgba =
          d_.contact_efc_address[c] >= 0 ? Rgba{0.9f, 0.6f, 0.2f, 1} : Rgba{0.5f, 0.5f, 0.5f, 1};
    }
    if (!o_.contactforce) return;
    const auto whole = corten::contact_force(d_, c);
    const double scale = arrows();
    Vec3<double> parts[2] = {Vec3<double>::Zero(), Vec3<double>::Zero()};
    for (int k = 0; k < 3; ++k) {
      parts[o_.contactsplit && k > 0 ? 1 : 0] +=
          scale * static_cast<double>(value(whole[k])) * frame.row(k);
    }
    for (const Vec3<double>& f : parts) {
      if (f.norm() > 1e-12) arrow(Kind::force, c, at, f, 0.1 * mean_, {0.7f, 0.9f, 0.9f, 1});
    }
  }

  double arrows() const {
    return o_.force / std::max(1e-15, static_cast<double>(value(m_.stat.meanmass)));
  }

  void body(int b) {
    const auto i = static_cast<std::size_t>(b);
    if (o_.com && b > 0 && m_.body_rootid[i] == b) {
      Item& out = add(Kind::com, b, Shape::sphere);
      out.pos = read<3>(d_.subtree_com, b), out.body = b;
      out.size = Vec3<double>::Constant(0.4 * mean_), out.rgba = {0.9f, 0.9f, 0.9f, 1};
    }
    const double mass = static_cast<double>(value(m_.body_mass[i]));
    if (o_.inertia && b > 0 && mass > 0) {
      const Vec3<double> moment = read<3>(m_.body_inertia, b);
      Item& out = add(Kind::inertia, b, Shape::box);
      for (int k = 0; k < 3; ++k) {
        const double square = (moment.sum() - 2 * moment[k]) * 1.5 / mass;
        out.size[k] = std::sqrt(std::max(0.0, square));
      }
      out.pos = read<3>(d_.xipos, b), out.mat = read_mat(d_.ximat, b), out.body = b;
      out.rgba = {0.8f, 0.2f, 0.2f, 0.6f};
    }
    if (o_.frame) {
      const Mat3<double> axes = read_mat(d_.xmat, b);
      for (int k = 0; k < 3; ++k) {
        Rgba rgba{0, 0, 0, 1};
        rgba[static_cast<std::size_t>(k)] = 0.9f;
        arrow(Kind::frame, b, read<3>(d_.xpos, b), mean_ * axes.col(k), 0.1 * mean_ / 2, rgba);
        out_.items.back().body = b;
      }
    }
    if (!o_.pertforce || b == 0) return;
    const Vec3<double> applied = read<6>(d_.xfrc_applied, b).template head<3>();
    if (applied.norm() > 0) {
      arrow(Kind::force, b, read<3>(d_.xipos, b), arrows() * applied, 0.1 * mean_,
            {1, 0.5f, 0.5f, 1});
    }
  }

  // ropes are rows of capsules; sheets and solids are surfaces
  void deformable(const Deformable& from) {
    if (from.flex && !shown(o_.flexgroup, from.group)) return;
    const Rgba rgba = mixed_rgba(m_, from.material, from.rgba);
    const Kind kind = from.flex ? Kind::flex : Kind::soft;
    const auto vertex = [&](int v) {
      return Vec3<double>(moving_vertex(m_, d_, from.first + v, 0),
                          moving_vertex(m_, d_, from.first + v, 1),
                          moving_vertex(m_, d_, from.first + v, 2));
    };
    for (std::size_t k = 0; k + 1 < from.segment.size(); k += 2) {
      segment(kind, from.id, vertex(from.segment[k]), vertex(from.segment[k + 1]),
              std::max(from.radius, 0.02 * mean_), rgba, from.material);
    }
    if (from.face.empty()) return;
    Moving& out = out_.surfaces.emplace_back();
    out.radius = from.radius;
    out.face = from.face;
    for (int k = 0; k < 3 * from.count; ++k) {
      out.vert.push_back(moving_vertex(m_, d_, from.first + k / 3, k % 3));
    }
    Item& item = add(kind, from.id, Shape::surface);
    item.mesh = static_cast<int>(out_.surfaces.size()) - 1;
    item.rgba = rgba, item.material = from.material, item.group = from.group;
  }

  void camera(int c) {
    const auto i = static_cast<std::size_t>(c);
    const bool flat = static_cast<Projection>(m_.cam_projection[i]) == Projection::orthographic;
    const Camera seen{read<3>(d_.cam_xpos, c), read_mat(d_.cam_xmat, c),
                      static_cast<double>(value(m_.cam_fovy[i])), flat};
    out_.cameras.push_back(seen);
    if (!o_.camera) return;
    Item& out = add(Kind::camera, c, Shape::box);
    out.pos = seen.pos, out.mat = seen.mat, out.body = m_.cam_bodyid[i];
    out.size = 0.3 * mean_ * Vec3<double>(1, 0.75, 0.5), out.rgba = {0.6f, 0.9f, 0.6f, 1};
  }

  void light(int l) {
    const auto i = static_cast<std::size_t>(l);
    const auto colour = [i](const auto& field) {
      return std::array<float, 3>{field[3 * i], field[3 * i + 1], field[3 * i + 2]};
    };
    const Light one{
        read<3>(d_.light_xpos, l), read<3>(d_.light_xdir, l),   m_.light_type[i],
        m_.light_active[i] != 0,   m_.light_castshadow[i] != 0, colour(m_.light_ambient),
        colour(m_.light_diffuse),  colour(m_.light_specular)};
    out_.lights.push_back(one);
    if (!o_.light) return;
    Item& out = add(Kind::light, l, Shape::cylinder);
    out.pos = one.pos, out.mat = frame_along(one.dir), out.body = m_.light_bodyid[i];
    out.size = {0.2 * mean_, 0.15 * mean_, 0}, out.rgba = {0.6f, 0.6f, 0.9f, 1};
  }

  const Model<S>& m_;
  const ModelView<S> view_;
  const D& d_;
  const Options& o_;
  Scene& out_;
  double mean_ = 0.2;
};

}  // namespace detail

template <class P = DefaultPolicies, class SM, class S>
Scene draw(const Model<SM>& model, const Data<S>& data, const List<Skin>& skins,
           const Options& options = {}) {
  Scene out;
  detail::Drawer<P, SM, std::decay_t<decltype(data.ref())>> drawer(model, data.ref(), options, out);
  drawer.all();
  for (std::size_t i = 0; options.skin && i < skins.size(); ++i) {
    drawer.skin(skins[i], static_cast<int>(i));
  }
  return out;
}
template <class P = DefaultPolicies, class SM, class S>
Scene draw(const Model<SM>& model, const Data<S>& data, const Options& options = {}) {
  return draw<P>(model, data, List<Skin>{}, options);
}

}  // namespace corten::scene
