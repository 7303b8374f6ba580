// SPDX-License-Identifier: Apache-2.0
//
// What the users of a live page do to a simulation. A command is a word and numbers:
//
//   run, pause, step          go on, stop, take one step
//   reset, key K              to the start, to a keyframe
//   speed X                   simulated seconds per second
//   ctrl I X, qpos I X        set a control or a coordinate
//   drag B x y z  x y z       pull the point of body B (in its frame) towards a point of the world
//   release
//
// Commands come from a browser: those that make no sense are ignored.
#pragma once

#include <corten/core/charconv.hpp>
#include <corten/core/list.hpp>
#include <corten/data/data.hpp>
#include <corten/math/vector.hpp>
#include <corten/model/model.hpp>
#include <corten/scene/scene.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

namespace corten::view {

class Remote {
 public:
  bool running = true;
  double speed = 1;
  double stiffness = 100;  // of the spring, in 1/s²: it pulls heavy bodies harder
  int steps = 0;           // to take while not running

  // true if the world must be computed anew before it is shown
  template <class S>
  bool apply(const List<std::string>& commands, const Model<double>& m, Data<S>& data) {
    bool changed = false;
    for (const std::string& c : commands) changed = obey(c, m, data) || changed;
    return changed;
  }

  // Sets the applied force on the body that is dragged: a critically damped spring at the point,
  // scaled by the inertia that the body has there on average. Other bodies keep what they have.
  template <class S>
  void pull(const Model<double>& m, Data<S>& data) {
    const auto& d = data.ref();
    if (pulled_ >= 0 && pulled_ < m.n.nbody && pulled_ != body_) set_force(d, pulled_, {}, {});
    pulled_ = body_;
    if (body_ <= 0 || body_ >= m.n.nbody) return;
    using scene::detail::read;
    const Mat3<double> frame = scene::detail::read_mat(d.xmat, body_);
    const Vec3<double> point = read<3>(d.xpos, body_) + frame * local_;
    const int root = m.body_rootid[static_cast<std::size_t>(body_)];
    const Vec6<double> motion = read<6>(d.cvel, body_);
    const Vec3<double> velocity =
        motion.template tail<3>() +
        corten::cross(motion.template head<3>(), point - read<3>(d.subtree_com, root));
    const double inverse = m.body_invweight0[2 * static_cast<std::size_t>(body_)];
    const double mass = inverse > 1e-10 ? 1 / inverse : 0;
    const Vec3<double> force =
        mass * (stiffness * (to_ - point) - 2 * std::sqrt(stiffness) * velocity);
    set_force(d, body_, force, corten::cross(point - read<3>(d.xipos, body_), force));
  }

 private:
  struct Words {
    std::string_view text;

    std::string_view word() {
      const std::size_t start = std::min(text.find_first_not_of(' '), text.size());
      const std::size_t end = std::min(text.find(' ', start), text.size());
      const std::string_view out = text.substr(start, end - start);
      text.remove_prefix(end);
      return out;
    }
    // false if there is no finite number
    bool number(double& x) {
      const std::string_view w = word();
      const auto read = from_chars(w.data(), w.data() + w.size(), x);
      return !w.empty() && read.ec == std::errc() && read.ptr == w.data() + w.size() &&
             std::isfinite(x);
    }
    bool index(int& i, int count) {
      double x = -1;
      if (!number(x) || !(x >= 0) || !(x < count)) return false;
      i = static_cast<int>(x);
      return true;
    }
    bool vector(Vec3<double>& v) { return number(v[0]) && number(v[1]) && number(v[2]); }
  };

  template <class D>
  static void set_force(const D& d, int body, const Vec3<double>& force,
                        const Vec3<double>& torque) {
    using S = typename D::Scalar;
    for (int k = 0; k < 3; ++k) {
      d.xfrc_applied[6 * body + k] = S(force[k]);
      d.xfrc_applied[6 * body + 3 + k] = S(torque[k]);
    }
  }

  template <class S>
  bool obey(const std::string& command, const Model<double>& m, Data<S>& data) {
    Words w{command};
    const std::string_view verb = w.word();
    const auto& d = data.ref();
    int i = 0;
    double x = 0;
    if (verb == "run") running = true;
    if (verb == "pause") running = false;
    if (verb == "step") running = false, ++steps;
    if (verb == "speed" && w.number(x)) speed = std::clamp(x, 1e-3, 100.0);
    if (verb == "ctrl" && w.index(i, m.n.nu) && w.number(x)) d.ctrl[i] = S(x);
    if (verb == "release") body_ = -1;
    if (verb == "drag") drag(w, m);
    if (verb == "reset") return data.reset(m), body_ = -1, true;
    if (verb == "key" && w.index(i, m.n.nkey)) return static_cast<bool>(data.reset(m, i));
    if (verb == "qpos" && w.index(i, m.n.nq) && w.number(x)) return d.qpos[i] = S(x), true;
    return false;
  }

  void drag(Words& w, const Model<double>& m) {
    int body = -1;
    Vec3<double> local, to;
    if (!w.index(body, m.n.nbody) || !w.vector(local) || !w.vector(to)) return;
    body_ = body, local_ = local, to_ = to;
  }

  int body_ = -1, pulled_ = -1;
  Vec3<double> local_ = Vec3<double>::Zero(), to_ = Vec3<double>::Zero();
};

}  // namespace corten::view
