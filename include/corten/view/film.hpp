// SPDX-License-Identifier: Apache-2.0
//
// What a viewer shows of one instant, as a row of floats: the poses of all bodies, cameras and
// lights, vertices of what bends, coordinates, controls, sensors, tendon paths, contacts. A film is
// a list of such frames. The page (view/page/) and the .glb writer read them; the live server sends
// them.
//
// Single precision is what graphics cards compute with. Numbers that are not finite become zero.
#pragma once

#include <corten/constraint/contact_force.hpp>
#include <corten/core/list.hpp>
#include <corten/data/data.hpp>
#include <corten/data/state.hpp>
#include <corten/model/model.hpp>
#include <corten/scene/scene.hpp>

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace corten::view {

// Where things are in a frame. The head is followed by blocks of fixed length; after them, for each
// tendon the number of its points and 4 numbers per point (position, 1 if the path continues), and
// for each contact 10: position, normal, force on the second geom in the world, distance.
struct FrameLayout {
  static constexpr int head = 5;  // time, contacts, potential and kinetic energy, reserved
  static constexpr int per_body = 7, per_camera = 12, per_light = 6, per_contact = 10;
  int body = head;  // position and quaternion w x y z of each body
  int camera = 0, light = 0, soft = 0, com = 0, qpos = 0, qvel = 0, ctrl = 0, sensor = 0;
  int rest = 0;  // tendons, then contacts

  template <class S>
  explicit FrameLayout(const Model<S>& m) {
    camera = body + per_body * m.n.nbody;
    light = camera + per_camera * m.n.ncam;
    soft = light + per_light * m.n.nlight;
    com = soft + 3 * scene::moving_vertices(m);
    qpos = com + 3 * m.n.nbody;
    qvel = qpos + m.n.nq;
    ctrl = qvel + m.n.nv;
    sensor = ctrl + m.n.nu;
    rest = sensor + m.n.nsensordata;
  }
};

namespace detail {

struct FrameWriter {
  List<float>& out;

  void put(int x) { out.push_back(static_cast<float>(x)); }
  template <class T>
  void put(const T& x) {
    const auto f = static_cast<float>(corten::value(x));
    out.push_back(std::isfinite(f) ? f : 0.0f);
  }
  template <class F>
  void row(const F& field, int first, int count) {
    for (int k = first; k < first + count; ++k) put(field[k]);
  }
};

template <class D>
void put_contact(FrameWriter w, const D& d, int c) {
  w.row(d.contact_pos, 3 * c, 3);
  w.row(d.contact_frame, 9 * c, 3);
  const auto force = corten::contact_force(d, c);
  for (int k = 0; k < 3; ++k) {
    double sum = 0;
    for (int r = 0; r < 3; ++r) {
      sum += static_cast<double>(corten::value(force[r])) *
             static_cast<double>(corten::value(d.contact_frame[9 * c + 3 * r + k]));
    }
    w.put(sum);
  }
  w.put(d.contact_dist[c]);
}

template <class D>
void put_tendon(FrameWriter w, const D& d, int t) {
  const int first = d.ten_wrapadr[t], count = d.ten_wrapnum[t];
  w.put(count);
  for (int k = first; k < first + count; ++k) {
    w.row(d.wrap_xpos, 3 * k, 3);
    const bool goes_on = k + 1 < first + count && d.wrap_obj[k] != -2 && d.wrap_obj[k + 1] != -2;
    w.put(goes_on ? 1 : 0);
  }
}

}  // namespace detail

// Appends the frame of a state whose stages have been computed (forward or step1).
template <class SM, class S>
void write_frame(const Model<SM>& m, const Data<S>& data, List<float>& out) {
  const auto& d = data.ref();
  detail::FrameWriter w{out};
  w.put(d.time.get());
  w.put(static_cast<int>(d.ncon));
  w.row(d.energy, 0, 2);
  w.put(0);
  for (int b = 0; b < m.n.nbody; ++b) {
    w.row(d.xpos, 3 * b, 3);
    w.row(d.xquat, 4 * b, 4);
  }
  for (int c = 0; c < m.n.ncam; ++c) {
    w.row(d.cam_xpos, 3 * c, 3);
    w.row(d.cam_xmat, 9 * c, 9);
  }
  for (int l = 0; l < m.n.nlight; ++l) {
    w.row(d.light_xpos, 3 * l, 3);
    w.row(d.light_xdir, 3 * l, 3);
  }
  for (int k = 0; k < 3 * scene::moving_vertices(m); ++k) {
    w.put(scene::moving_vertex(m, d, k / 3, k % 3));
  }
  w.row(d.subtree_com, 0, 3 * m.n.nbody);
  w.row(d.qpos, 0, m.n.nq);
  w.row(d.qvel, 0, m.n.nv);
  w.row(d.ctrl, 0, m.n.nu);
  w.row(d.sensordata, 0, m.n.nsensordata);
  for (int t = 0; t < m.n.ntendon; ++t) detail::put_tendon(w, d, t);
  for (int c = 0; c < d.ncon; ++c) detail::put_contact(w, d, c);
}

// The frames of a recording, one after the other. On request each has the state of the world too
// (state_integration, data/state.hpp), so that a simulation can go on from there. Where the world
// was reset, by the user or because it had become unstable, its time starts again, but that of the
// recording goes on: players need times that grow.
struct Film {
  List<float> numbers;
  List<std::size_t> start;  // of each frame in numbers
  bool keep_states = false;
  List<double> states;  // all of one length
  double ahead = 0;     // the time of the recording minus that of the world

  int frames() const { return static_cast<int>(start.size()); }
  const float* frame(int i) const { return numbers.data() + start[static_cast<std::size_t>(i)]; }
  float time(int i) const { return frame(i)[0]; }

  template <class SM, class S>
  void add(const Model<SM>& model, const Data<S>& data) {
    const auto now = static_cast<double>(value(data.time()));
    if (!start.empty() && static_cast<float>(now + ahead) <= time(frames() - 1)) {
      ahead = double{time(frames() - 1)} + static_cast<double>(value(model.opt.timestep)) - now;
    }
    start.push_back(numbers.size());
    write_frame(model, data, numbers);
    numbers[start.back()] = static_cast<float>(now + ahead);
    if (!keep_states) return;
    std::vector<S> state(static_cast<std::size_t>(state_size(data, state_integration)));
    static_cast<void>(get_state(data, state, state_integration));  // it has the right size
    for (const S& x : state) states.push_back(static_cast<double>(value(x)));
  }
};

}  // namespace corten::view
