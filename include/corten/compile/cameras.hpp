// SPDX-License-Identifier: Apache-2.0
//
// Cameras and lights: their pose in the body, what they track or target, the projection of a camera
// and the colours of a light. Materials: colours and how textures are laid on.
#pragma once

#include <corten/compile/frames.hpp>
#include <corten/core/optional.hpp>

#include <cmath>
#include <cstdlib>

namespace corten::compiler {

namespace detail {

// distance of the near plane, which MuJoCo uses as the focal length of cameras without one
CORTEN_COLD float near_plane(const Spec& spec) {
  float out = 0.01f;
  for (const spec::Visual::Entry& e : spec.visual.entries) {
    if (e.element == "map" && e.attribute == "znear") out = std::strtof(e.value.c_str(), nullptr);
  }
  return out;
}

// one bit for each word of a camera's output
CORTEN_COLD Result<void> read_output(const spec::Camera& e, int& bits) {
  static constexpr const char* words[] = {"rgb", "depth", "distance", "normal", "segmentation"};
  bits = 1;
  if (!e.output) return {};
  bits = 0;
  std::string_view rest = *e.output;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    int bit = 0;
    while (bit < 5 && word != words[bit]) ++bit;
    if (bit == 5) {
      return e.error("unknown output '" + std::string(word) + "'",
                     "one of: rgb, depth, distance, normal, segmentation");
    }
    bits |= 1 << bit;
  }
  return {};
}

// Writes focal lengths and principal point as lengths, and the field of view that follows from
// them, in single precision as in MuJoCo.
CORTEN_COLD Result<void> write_intrinsics(Draft& d, int c, const spec::Camera& e) {
  Model<double>& m = d.m;
  const spec::Numbers<2> none{0, 0};
  const spec::Numbers<2> size = e.sensorsize.value_or(none);
  const spec::Numbers<2> length[] = {e.focal.value_or(none), e.principal.value_or(none)};
  const spec::Numbers<2> pixel[] = {e.focalpixel.value_or(none), e.principalpixel.value_or(none)};
  const bool given = length[0] != none || length[1] != none || pixel[0] != none || pixel[1] != none;
  const bool has_size = size[0] > 0 && size[1] > 0;
  if (given && !has_size) return e.error("focal and principal need sensorsize");
  const int width = at(m.cam_resolution, 2 * c), height = at(m.cam_resolution, 2 * c + 1);
  if (has_size && (width <= 0 || height <= 0)) {
    return e.error("sensorsize needs a positive resolution");
  }
  for (int k = 0; k < 4; ++k) {
    const auto kind = static_cast<std::size_t>(k / 2), axis = static_cast<std::size_t>(k % 2);
    float out = k < 2 && !has_size ? near_plane(d.spec) : 0.0f;
    if (has_size) {
      const float density =
          static_cast<float>(axis == 0 ? width : height) / static_cast<float>(size[axis]);
      const auto in_pixels = static_cast<float>(pixel[kind][axis]);
      out = in_pixels != 0 ? in_pixels / density : static_cast<float>(length[kind][axis]);
    }
    at(m.cam_intrinsic, 4 * c + k) = static_cast<double>(out);
  }
  for (int k = 0; k < 2; ++k) {
    at(m.cam_sensorsize, 2 * c + k) =
        static_cast<double>(static_cast<float>(size[static_cast<std::size_t>(k)]));
  }
  if (has_size) {
    const float half = static_cast<float>(size[1]) / 2;
    const float angle = std::atan2(half, static_cast<float>(at(m.cam_intrinsic, 4 * c + 1)));
    put(m.cam_fovy, c, static_cast<double>(angle) * 360.0 / 3.14159265358979323846);
  }
  return {};
}

CORTEN_COLD Result<void> find_target(const Draft& d, const spec::Element& e,
                                     const Optional<std::string>& name, int& id) {
  id = -1;
  if (!name || name->empty()) return {};
  return find_reference(d.index.body, *name, "target body", e, id);
}

// what a light does in a renderer
CORTEN_COLD void write_brightness(Model<double>& m, int l, const spec::Light& e) {
  using Colour = spec::Numbers<3>;
  put(m.light_castshadow, l, e.castshadow.value_or(true));
  put(m.light_active, l, e.active.value_or(true));
  put_colour(m.light_attenuation, l, e.attenuation.value_or(Colour{1, 0, 0}));
  put_single(m.light_cutoff, l, e.cutoff.value_or(45));
  put_single(m.light_exponent, l, e.exponent.value_or(10));
  put_colour(m.light_ambient, l, e.ambient.value_or(Colour{0, 0, 0}));
  put_colour(m.light_diffuse, l, e.diffuse.value_or(Colour{0.7, 0.7, 0.7}));
  put_colour(m.light_specular, l, e.specular.value_or(Colour{0.3, 0.3, 0.3}));
}

}  // namespace detail

CORTEN_COLD Result<void> write_camera(Draft& d, int c, int body) {
  Model<double>& m = d.m;
  const spec::Camera& e = at(d.cameras, c);
  Pose pose;
  int target = -1, output = 0;
  if (auto done = read_pose(d.settings_of(e), e, pose); !done) return done;
  pose = in_frame(d, body, e.frame, as_written(e, pose));
  if (auto done = detail::find_target(d, e, e.target, target); !done) return done;
  if (auto done = detail::read_output(e, output); !done) return done;
  if (e.fovy.value_or(45) >= 180) return e.error("fovy must be less than 180 degrees");

  const std::array<int, 2> resolution = e.resolution.value_or(std::array<int, 2>{1, 1});
  if (resolution[0] < 0 || resolution[1] < 0) return e.error("resolution cannot be negative");
  put(m.cam_bodyid, c, body);
  put(m.cam_targetbodyid, c, target);
  put(m.cam_mode, c, e.mode.value_or(TrackMode::fixed));
  put(m.cam_pos, c, pose.pos);
  put(m.cam_quat, c, pose.quat);
  put(m.cam_projection, c, e.projection.value_or(Projection::perspective));
  put(m.cam_fovy, c, e.fovy.value_or(45));
  put(m.cam_ipd, c, e.ipd.value_or(0.068));
  put(m.cam_output, c, output);
  at(m.cam_resolution, 2 * c) = resolution[0];
  at(m.cam_resolution, 2 * c + 1) = resolution[1];
  if (auto done = detail::write_intrinsics(d, c, e); !done) return done;
  return put_user(m.cam_user, m.n.nuser_cam, "nuser_cam", c, e);
}

CORTEN_COLD Result<void> write_light(Draft& d, int l, int body) {
  Model<double>& m = d.m;
  const spec::Light& e = at(d.lights, l);
  const Vec3d pos = to_vec(e.pos.value_or(spec::Numbers<3>{0, 0, 0}));
  const Pose pose = in_frame(d, body, e.frame, {pos, unit_quat<double>()});
  Vec3d dir = rotate(pose.quat, to_vec(e.dir.value_or(spec::Numbers<3>{0, 0, -1})));
  if (normalized(dir) == 0) return e.error("dir is too short");
  const double softness = e.softness.value_or(0.2);
  if (softness < 0 || softness > 1) return e.error("softness must be between 0 and 1");
  int target = -1;
  if (auto done = detail::find_target(d, e, e.target, target); !done) return done;
  put(m.light_bodyid, l, body);
  put(m.light_targetbodyid, l, target);
  put(m.light_mode, l, e.mode.value_or(TrackMode::fixed));
  put(m.light_type, l, e.type.value_or(spec::LightType::spot));
  put(m.light_pos, l, pose.pos);
  put(m.light_dir, l, dir);
  detail::write_brightness(m, l, e);
  return {};
}

// writes materials; their colours decide whether rays see a geom, the rest is for renderers
CORTEN_COLD Result<void> write_materials(Draft& d) {
  for (int i = 0; i < d.m.n.nmat; ++i) {
    spec::Material e = at(d.spec.materials, i);
    if (auto done = spec::apply_class(d.spec, e); !done) return done;
    put_colour(d.m.mat_rgba, i, e.rgba.value_or(spec::Numbers<4>{1, 1, 1, 1}));
    put(d.m.mat_texuniform, i, e.texuniform.value_or(false));
    put_colour(d.m.mat_texrepeat, i, e.texrepeat.value_or(spec::Numbers<2>{1, 1}));
    put_single(d.m.mat_emission, i, e.emission.value_or(0));
    put_single(d.m.mat_specular, i, e.specular.value_or(0.5));
    put_single(d.m.mat_shininess, i, e.shininess.value_or(0.5));
    put_single(d.m.mat_reflectance, i, e.reflectance.value_or(0));
    put_single(d.m.mat_metallic, i, e.metallic.value_or(-1));
    put_single(d.m.mat_roughness, i, e.roughness.value_or(-1));
  }
  return {};
}

}  // namespace corten::compiler
