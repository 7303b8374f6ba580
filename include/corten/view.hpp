// SPDX-License-Identifier: Apache-2.0
//
// Shows a program's own simulation in the browser, with two more lines:
//
//   corten::Viewer viewer(model);                    // prints an address and opens it
//   while (viewer.show(data)) corten::step(model, data);
//
// A model with kinds of your own takes corten::BasicViewer<MyPolicies> viewer(model).
//
// show() sends a frame 60 times per second, lets time pass as fast as the page wants it, waits
// while the page pauses, and does to the data what its users do: sliders, dragged bodies,
// keyframes. It returns false when Ctrl-C is pressed. With `pace` off it never waits, for
// programs with a clock of their own.
#pragma once

#include <corten/pipeline/step.hpp>
#include <corten/scene/assets.hpp>
#include <corten/view/film.hpp>
#include <corten/view/remote.hpp>
#include <corten/view/server.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

namespace corten {

struct ViewerOptions {
  int port = 0;                // any that is free
  bool browser = true;         // open it
  bool pace = true;            // keep to real time
  bool quiet = false;          // do not print the address
  const Spec* spec = nullptr;  // of the model, for its textures
  std::string title = {};
};

template <class P>
class BasicViewer {
 public:
  explicit BasicViewer(const Model<double>& model, const ViewerOptions& options = {})
      : model_(model), pace_(options.pace) {
    started_ = server_.start(options.port);
    if (!started_) {
      if (!options.quiet) std::fprintf(stderr, "%s\n", started_.error().to_string().c_str());
      return;
    }
    for (const Error& e : send_model(options)) {
      if (!options.quiet) std::fprintf(stderr, "%s\n", e.to_string().c_str());
    }
    server_.send_running(true);
    if (!options.quiet) std::printf("%s\n", address().c_str()), std::fflush(stdout);
    if (options.browser) view::open_browser(address());
    interrupted() = 0;
    before_ = std::signal(SIGINT, [](int) { interrupted() = 1; });
  }
  ~BasicViewer() {
    if (started_) std::signal(SIGINT, before_);
  }
  BasicViewer(const BasicViewer&) = delete;
  BasicViewer& operator=(const BasicViewer&) = delete;

  // an error if the server could not start; the simulation runs all the same
  const Result<void>& started() const { return started_; }
  std::string address() const { return server_.address(); }
  int viewers() const { return server_.viewers(); }

  // Call it after every step. Returns false after Ctrl-C.
  template <class S>
  bool show(Data<S>& data) {
    using namespace std::chrono;
    if (!started_) return true;
    obey(data);
    remote_.pull(model_, data);
    while (!remote_.running && remote_.steps == 0 && interrupted() == 0) {
      std::this_thread::sleep_for(milliseconds(10));
      obey(data);
      restart(data);
    }
    if (remote_.steps > 0) --remote_.steps;
    const auto time = static_cast<double>(value(data.time()));
    const auto now = Clock::now();
    if (now - sent_ >= microseconds(15900)) send(data, now);
    if (!pace_ || !remote_.running) return interrupted() == 0;
    if (time < time0_ || remote_.speed != speed_) restart(data);
    const auto due =
        start_ + duration_cast<Clock::duration>(duration<double>((time - time0_) / speed_));
    if (due > now) std::this_thread::sleep_until(due);
    if (now - due > milliseconds(200))
      restart(data);  // too slow for real time: do not run after it
    return interrupted() == 0;
  }

 private:
  using Clock = std::chrono::steady_clock;

  static volatile std::sig_atomic_t& interrupted() {
    static volatile std::sig_atomic_t value = 0;
    return value;
  }

  // the library has the code for its own kinds
  List<Error> send_model(const ViewerOptions& options) {
    if constexpr (std::is_same_v<P, DefaultPolicies>) {
      return server_.send_model(model_, options.spec, options.title);
    } else {
      scene::Assets assets = options.spec != nullptr ? scene::assets<P>(model_, *options.spec)
                                                     : scene::assets<P>(model_);
      server_.send_model(model_, assets, options.title);
      return std::move(assets.missing);
    }
  }

  template <class S>
  void obey(Data<S>& data) {
    const bool was = remote_.running;
    const auto commands = server_.take_commands();
    if (commands.empty()) return;
    if (remote_.apply(commands, model_, data)) {
      static_cast<void>(forward<P>(model_, data));  // shows where it was put
      restart(data);
    }
    if (was != remote_.running) server_.send_running(remote_.running);
    send(data, Clock::now());
  }

  // real time begins anew
  template <class S>
  void restart(const Data<S>& data) {
    start_ = Clock::now();
    time0_ = static_cast<double>(value(data.time()));
    speed_ = remote_.speed;
  }

  template <class S>
  void send(const Data<S>& data, Clock::time_point now) {
    const auto time = static_cast<double>(value(data.time()));
    const double passed = std::chrono::duration<double>(now - rate_at_).count();
    if (passed > 0.5) {
      rate_ = passed < 2 && time >= rate_time_ ? (time - rate_time_) / passed : 0;
      rate_at_ = now, rate_time_ = time;
    }
    sent_ = now;
    frame_.clear();
    view::write_frame(model_, data, frame_);
    frame_[4] = static_cast<float>(rate_);
    server_.send_frame(frame_);
  }

  const Model<double>& model_;
  bool pace_;
  Result<void> started_;
  view::Remote remote_;
  view::LiveServer server_;
  List<float> frame_;
  Clock::time_point start_ = Clock::now(), sent_{}, rate_at_{};
  double time0_ = 0, speed_ = 1, rate_ = 0, rate_time_ = 0;
  void (*before_)(int) = SIG_DFL;
};

using Viewer = BasicViewer<DefaultPolicies>;

}  // namespace corten
