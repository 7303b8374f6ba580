// SPDX-License-Identifier: Apache-2.0
//
// Shows a run in a terminal while it goes on: a view of the bodies in real time, or how far it is.
#pragma once

#include "draw/canvas.hpp"
#include "progress.hpp"
#include "summary.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <thread>

namespace cli {

class Watch {
 public:
  // Prints nothing when quiet. The view moves only on a terminal; elsewhere only its last frame is
  // printed.
  Watch(bool view, bool quiet, Progress& progress)
      : view_(view && !quiet), live_(view_ && is_terminal(stdout)), progress_(progress) {
    if (live_) progress_.clear();
    fit();
  }

  // is it time to draw the next frame of the view?
  bool due(double time) const { return live_ && (!started_ || time >= next_); }

  // waits until the time of the scene has come, and draws it
  void show(const Scene& scene, double share) {
    if (!started_) start(scene);
    next_ = scene.time + 0.04;
    const auto when = begin_ + std::chrono::duration<double>(scene.time - first_);
    std::this_thread::sleep_until(std::chrono::time_point_cast<Clock::duration>(when));
    if (fit()) {
      std::printf("\033[2J\033[H");  // lines of another width have wrapped: start over
    } else if (drawn_) {
      std::printf("\033[%dA", canvas_.rows() + 1);
    }
    print(scene);
    std::printf("%s %6.2f s\033[K\n", bar(share, std::clamp(size_.columns - 12, 1, 32)).c_str(),
                scene.time);
    std::fflush(stdout);
    drawn_ = true;
  }

  void begin(const char* what) {
    if (!live_) progress_.begin(what);
  }
  void progress(double share, double time) {
    if (!live_) progress_.update(share, format("%.2f s", time));
  }

  // the last frame, where the view does not move
  bool wants_last() const { return view_ && !live_; }
  void last(const Scene& scene) {
    start(scene);
    print(scene);
  }

  void finish() { progress_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;

  // Makes the canvas as large as the terminal allows, since a line that wraps would spoil the
  // redraw. Returns true if the size of the terminal has changed.
  bool fit() {
    if (!live_) return false;
    const TerminalSize now = terminal_size(stdout);
    if (now.columns == size_.columns && now.rows == size_.rows) return false;
    size_ = now;
    canvas_ = Canvas(std::clamp(now.columns - 1, 2, 100), std::clamp(now.rows - 3, 2, 30));
    return drawn_;
  }

  // The window is tall enough for the first scene and the floor below it, and follows the bodies
  // sideways.
  void start(const Scene& scene) {
    started_ = true;
    begin_ = Clock::now();
    first_ = scene.time;
    Box2 box = scene.bounds();
    for (const auto& plane : scene.planes) {
      if (!box.empty()) box.add({0.5 * (box.left + box.right), plane.point.y}, 0);
    }
    if (box.empty()) box.add({0, 0}, 1);
    const double tall = std::max(box.top - box.bottom, 0.5 * (box.right - box.left));
    window_.height = 1.1 * std::max(tall, live_ ? tall : 1.2 * tall);
    window_.centre = {0.5 * (box.left + box.right),
                      box.bottom + 0.5 * window_.height - 0.05 * tall};
  }

  void print(const Scene& scene) {
    const Box2 box = scene.bounds();
    if (!box.empty()) window_.centre.x = 0.5 * (box.left + box.right);
    canvas_.draw(scene, window_);
    std::fputs(canvas_.text().c_str(), stdout);
  }

  bool view_, live_, started_ = false, drawn_ = false;
  Progress& progress_;
  TerminalSize size_{0, 0};
  Canvas canvas_{72, 16};
  Canvas::Window window_;
  Clock::time_point begin_{};
  double first_ = 0, next_ = 0;
};

}  // namespace cli
