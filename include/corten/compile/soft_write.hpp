// SPDX-License-Identifier: Apache-2.0
//
// Writes soft bodies to the arrays of the model.
#pragma once

#include <corten/compile/frames.hpp>
#include <corten/compile/soft.hpp>
#include <corten/spec/suggest.hpp>

#include <string_view>

namespace corten::compiler {

namespace detail {

CORTEN_COLD void write_soft_numbers(Model<double>& m, const spec::Soft& e, const SoftNumbers& n,
                                    int i) {
  const auto set = [i](List<int>& field, int value) { at(field, i) = value; };
  set(m.soft_type, static_cast<int>(e.type));
  set(m.soft_contype, e.contype.value_or(1));
  set(m.soft_conaffinity, e.conaffinity.value_or(1));
  set(m.soft_condim, e.condim.value_or(3));
  set(m.soft_priority, e.priority.value_or(0));
  set(m.soft_geomean, e.geomean.value_or(false) ? 1 : 0);
  set(m.soft_substeps, e.substeps.value_or(10));
  set(m.soft_iterations, e.iterations.value_or(1));
  set(m.soft_repeat, e.repeat.value_or(1));
  put(m.soft_young, i, n.young);
  put(m.soft_density, i, n.density);
  put(m.soft_friction, i, n.friction);
  put(m.soft_solmix, i, e.solmix.value_or(1));
  put(m.soft_solref, i, e.solref.value_or(default_solref));
  put(m.soft_solimp, i, e.solimp.value_or(default_solimp));
  put(m.soft_radius, i, n.radius);
  put(m.soft_damping, i, e.damping.value_or(0.5));
  put(m.soft_viscosity, i, e.viscosity.value_or(0.005));
  put(m.soft_sleep, i, e.sleep.value_or(0));
  put_colour(m.soft_rgba, i, e.rgba.value_or(spec::Numbers<4>{0.5, 0.5, 0.5, 1}));
}

// each element gives its vertices equal shares of its volume
CORTEN_COLD void write_soft_vertices(Model<double>& m, const SoftDraft& s, const spec::Soft& e,
                                     int first) {
  const int corners = corners_of(e.type), nvert = static_cast<int>(s.mesh.vert.size() / 3);
  for (int v = 0; v < nvert; ++v) {
    put(m.softvert_pos, first + v, Vec3d(s.pose.pos + rotate(s.pose.quat, soft_vertex(s.mesh, v))));
    at(m.softvert_flags, first + v) = 0;
  }
  if (e.pin) {
    for (const int v : *e.pin) at(m.softvert_flags, first + v) = soft_pinned;
  }
  double scale = 1;
  if (e.type == SoftType::cloth) scale = s.numbers.thickness;
  if (e.type == SoftType::chain) scale = pi * s.numbers.radius * s.numbers.radius;
  for (std::size_t i = 0; i < s.mesh.corner.size(); i += static_cast<std::size_t>(corners)) {
    const int* v = &s.mesh.corner[i];
    const double share = soft_measure(s.mesh, v, corners) * scale / corners;
    for (int k = 0; k < corners; ++k) at(m.softvert_volume, first + v[k]) += share;
  }
}

}  // namespace detail

CORTEN_COLD void make_softs(Draft& d) {
  d.softs.resize(d.spec.softs.size());
  for (std::size_t i = 0; i < d.softs.size(); ++i) {
    d.note(d.spec.softs[i], make_soft(d.spec.softs[i], d.softs[i]));
  }
}

CORTEN_COLD void count_softs(Draft& d) {
  Sizes& n = d.m.n;
  n.nsoft = static_cast<int>(d.softs.size());
  for (int i = 0; i < n.nsoft; ++i) {
    const SoftDraft& s = at(d.softs, i);
    n.nsoftvert += static_cast<int>(s.mesh.vert.size() / 3);
    n.nsoftcon += static_cast<int>(s.lines.size());
    n.nsoftelem += static_cast<int>(s.mesh.corner.size()) / corners_of(at(d.spec.softs, i).type);
  }
}

// The poses of soft bodies in the world, at the reference pose. Called before bodies are fused.
CORTEN_COLD void place_softs(Draft& d) {
  for (std::size_t i = 0; i < d.softs.size(); ++i) {
    const spec::Soft& e = d.spec.softs[i];
    Pose& pose = d.softs[i].pose;
    if (d.note(e, read_pose(d.settings_of(e), e, pose))) continue;
    if (!e.frame || e.frame->empty()) continue;
    int body = 0, frame = -1;
    List<std::string_view> known;
    for (; body < d.m.n.nbody && frame < 0; ++body) {
      const auto& frames = at(d.bodies, body).spec->frames;
      for (std::size_t k = 0; k < frames.size() && frame < 0; ++k) {
        if (!frames[k].name.empty()) known.push_back(frames[k].name);
        if (frames[k].name == *e.frame) frame = static_cast<int>(k);
      }
    }
    if (frame < 0) {
      d.note(e, e.error("unknown frame '" + *e.frame + "'", spec::suggest(*e.frame, known)));
      continue;
    }
    --body;
    pose = in_frame(d, body, frame, pose);
    for (; body > 0; body = at(d.bodies, body).parent) {
      pose = compose({row<3>(d.m.body_pos, body), row<4>(d.m.body_quat, body)}, pose);
    }
  }
}

CORTEN_COLD void write_softs(Draft& d) {
  Model<double>& m = d.m;
  int vert = 0, line = 0, element = 0;
  for (int i = 0; i < m.n.nsoft; ++i) {
    const spec::Soft& e = at(d.spec.softs, i);
    const SoftDraft& s = at(d.softs, i);
    const int corners = corners_of(e.type);
    detail::write_soft_numbers(m, e, s.numbers, i);
    at(m.soft_vertadr, i) = vert;
    at(m.soft_vertnum, i) = static_cast<int>(s.mesh.vert.size() / 3);
    at(m.soft_conadr, i) = line;
    at(m.soft_connum, i) = static_cast<int>(s.lines.size());
    at(m.soft_elemadr, i) = element;
    at(m.soft_elemnum, i) = static_cast<int>(s.mesh.corner.size()) / corners;
    detail::write_soft_vertices(m, s, e, vert);
    for (const SoftLine& from : s.lines) {
      at(m.softcon_type, line) = static_cast<int>(from.type);
      for (int k = 0; k < 4; ++k) {
        at(m.softcon_vert, 4 * line + k) = from.vert[k] < 0 ? -1 : vert + from.vert[k];
      }
      put(m.softcon_rest, line, from.rest);
      put(m.softcon_factor, line++, from.factor);
    }
    for (int k = 0; k < at(m.soft_elemnum, i); ++k, ++element) {
      for (int c = 0; c < 4; ++c) {
        at(m.softelem_vert, 4 * element + c) =
            c < corners ? vert + at(s.mesh.corner, corners * k + c) : -1;
      }
    }
    vert += at(m.soft_vertnum, i);
  }
}

}  // namespace corten::compiler
