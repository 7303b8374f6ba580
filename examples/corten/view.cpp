// SPDX-License-Identifier: Apache-2.0
//
// corten view: a running simulation in the browser. It keeps to real time, obeys the page, and
// reads the model again when one of its files changes.
#include "args.hpp"
#include "humanoid.hpp"
#include "interrupt.hpp"
#include "model_file.hpp"

#include <corten/corten.hpp>
#include <corten/io/options.hpp>
#include <corten/view/film.hpp>
#include <corten/view/poses.hpp>
#include <corten/view/remote.hpp>
#include <corten/view/server.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace cli {

namespace {

using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

// The files that a model was read from, and whether one of them has changed since.
class Watched {
 public:
  void add(const std::string& path) {
    if (!path.empty()) files_.insert(path);
  }
  void add(const corten::Spec& spec) {
    add(spec.world);
    for (const auto& e : spec.meshes) add(e.where.file), add(e.content.path);
    for (const auto& e : spec.hfields) add(e.where.file), add(e.content.path);
    for (const auto& e : spec.softs) add(e.where.file), add(e.content.path);
    for (const auto& e : spec.materials) add(e.where.file);
    for (const auto& e : spec.actuators) add(e.where.file);
    for (const auto& e : spec.sensors) add(e.where.file);
    for (const auto& e : spec.keys) add(e.where.file);
    for (const auto& e : spec.defaults) add(e.where.file);
  }
  // true once after each change
  bool changed() {
    std::vector<fs::file_time_type> now;
    for (const std::string& path : files_) {
      std::error_code gone;
      now.push_back(fs::last_write_time(path, gone));
    }
    return now != std::exchange(times_, now);
  }

 private:
  void add(const corten::spec::Body& body) {
    add(body.where.file);
    for (const auto& child : body.bodies) add(child);
  }

  std::set<std::string> files_;
  std::vector<fs::file_time_type> times_;
};

struct ViewSettings {
  std::string path, options, key;
  int port = 0;
  bool browser = true, paused = false;
};

class LiveRun {
 public:
  explicit LiveRun(ViewSettings settings) : settings_(std::move(settings)) {}

  int run() {
    if (auto started = server_.start(settings_.port); !started) {
      return complain(started.error(), failure);
    }
    if (const int code = load(true); code != success) return code;
    std::printf("%s\nCtrl-C ends it.\n", server_.address().c_str());
    std::fflush(stdout);
    if (settings_.browser) corten::view::open_browser(server_.address());
    remote_.running = !settings_.paused;
    server_.send_running(remote_.running);
    const Interrupt interrupt;
    restart();
    for (auto tick = Clock::now(); interrupt.signal() == 0; tick += period) {
      obey();
      if (world_) advance();
      if (Clock::now() >= next_look_) look();
      if (Clock::now() > tick + 10 * period) tick = Clock::now();
      std::this_thread::sleep_until(tick + period);
    }
    std::printf("\n");
    return success;
  }

 private:
  static constexpr std::chrono::milliseconds period{16};  // a little more than 60 frames per second

  struct World {
    ModelFile file;
    corten::Data<double> data;
    explicit World(ModelFile from) : file(std::move(from)), data(file.model) {}
  };

  corten::Result<ModelFile> read() const {
    if (settings_.path.empty()) {
      auto spec = corten::mjcf::parse(humanoid_mjcf);
      if (!spec) return spec.error();
      auto model = corten::compile(*spec);
      if (!model) return model.error();
      return ModelFile{*std::move(model), *std::move(spec), false};
    }
    return read_model(settings_.path);
  }

  // Reads the model. A broken file is an error at the start only if it does not exist; otherwise
  // the page shows what is wrong, and the file is read again when it has changed.
  int load(bool first) {
    auto file = read();
    if (!settings_.path.empty()) watched_.add(settings_.path);
    if (file) {
      const auto opt = corten::io::with_options(file->model.opt, settings_.options);
      if (!opt) return complain(opt.error(), bad_usage);
      file->model.opt = *opt;
      file->model.opt.enableflags |= corten::enable_energy;
      if (!settings_.key.empty() && !read_key(settings_.key, file->model) && first) {
        return complain(read_key(settings_.key, file->model).error(), bad_usage);
      }
      if (!file->compiled) watched_.add(file->spec);
      open(*std::move(file));
      server_.send_error("");
    } else {
      std::error_code gone;
      if (first && !fs::exists(settings_.path, gone)) return complain(file.error(), failure);
      watched_.add(file.error().where.file);
      std::fprintf(stderr, "corten: %s\n", file.error().to_string().c_str());
      server_.send_error(file.error().to_string());
    }
    static_cast<void>(watched_.changed());
    return success;
  }

  void open(ModelFile file) {
    // where the old model has the same coordinates, the new one goes on from there
    std::vector<double> qpos;
    if (world_ && world_->file.model.n.nq == file.model.n.nq) {
      qpos.assign(world_->data.qpos().begin(), world_->data.qpos().end());
    }
    world_.emplace(std::move(file));
    const auto& m = world_->file.model;
    if (!settings_.key.empty()) {
      if (const auto key = read_key(settings_.key, m)) {
        static_cast<void>(world_->data.reset(m, *key));
      }
    }
    if (!qpos.empty()) std::copy(qpos.begin(), qpos.end(), world_->data.qpos().begin());
    static_cast<void>(corten::forward(m, world_->data));
    const corten::Spec* const spec = world_->file.compiled ? nullptr : &world_->file.spec;
    for (const corten::Error& e : server_.send_model(m, spec)) warn(e);
    send();
    restart();
  }

  // has a file changed?
  void look() {
    next_look_ = Clock::now() + std::chrono::milliseconds(300);
    if (!settings_.path.empty() && watched_.changed()) load(false);
  }

  void obey() {
    const auto commands = server_.take_commands();
    if (commands.empty() || !world_) return;
    const bool was = remote_.running;
    if (remote_.apply(commands, world_->file.model, world_->data)) {
      static_cast<void>(corten::forward(world_->file.model, world_->data));
      send();
      restart();
    }
    if (was != remote_.running) {
      server_.send_running(remote_.running);
      restart();
    }
    if (speed_ != remote_.speed) restart();
  }

  // real time begins anew
  void restart() {
    start_ = Clock::now();
    speed_ = remote_.speed;
    time0_ = world_ ? world_->data.time() : 0;
  }

  // Steps up to the time that has come, but not longer than a frame lasts. While nobody watches,
  // nothing moves.
  void advance() {
    if (server_.viewers() == 0) return restart();
    const auto begin = Clock::now();
    const double target =
        time0_ + std::chrono::duration<double>(begin - start_ + period).count() * speed_;
    bool moved = false;
    while (remote_.running ? world_->data.time() < target : remote_.steps-- > 0) {
      remote_.pull(world_->file.model, world_->data);
      static_cast<void>(corten::step(world_->file.model, world_->data));
      moved = true;
      if (Clock::now() - begin > period) break;
    }
    remote_.steps = std::max(0, remote_.steps);
    // a model that is too slow for real time does not run after it
    if (target - world_->data.time() > 0.1 * speed_) restart();
    if (moved || begin - sent_ > std::chrono::milliseconds(250)) send();
  }

  void send() {
    const auto now = Clock::now();
    const double passed = std::chrono::duration<double>(now - rate_at_).count();
    if (passed > 0.5) {
      const double time = world_->data.time();
      rate_ = passed < 2 ? std::max(0.0, (time - rate_time_) / passed) : 0;
      rate_at_ = now, rate_time_ = time;
    }
    sent_ = now;
    if (const auto m = corten::bind(world_->file.model)) {
      corten::view::update_poses(*m, world_->data.ref());
    }
    frame_.clear();
    corten::view::write_frame(world_->file.model, world_->data, frame_);
    frame_[4] = static_cast<float>(rate_);
    server_.send_frame(frame_);
  }

  ViewSettings settings_;
  corten::view::LiveServer server_;
  corten::view::Remote remote_;
  std::optional<World> world_;
  Watched watched_;
  corten::List<float> frame_;
  Clock::time_point start_{}, sent_{}, rate_at_{}, next_look_{};
  double time0_ = 0, speed_ = 1, rate_ = 0, rate_time_ = 0;
};

constexpr OptionInfo options[] = {
    {"--port", "N", "the port to listen on (default: any that is free)"},
    {"--no-browser", "", "do not open a browser; the address is printed"},
    {"--paused", "", "wait for the play button"},
    {"--key", "NAME", "start from a keyframe, by name or number"},
    {"--opt", "K=V,...", "change options, as in 'corten simulate'"},
};

int run(std::span<char* const> argv) {
  const auto args = parse_args(argv, options);
  if (!args) return complain(args.error(), bad_usage);
  if (args->files.size() > 1) return complain(usage_error("view takes one model file"), bad_usage);
  ViewSettings settings;
  if (!args->files.empty()) settings.path = args->files[0];
  const auto port = corten::io::to_number<int>(args->get("--port", "0"));
  if (!port || *port < 0 || *port > 65535) {
    return complain(usage_error("--port needs a number from 0 to 65535"), bad_usage);
  }
  settings.port = *port;
  settings.browser = !args->has("--no-browser");
  settings.paused = args->has("--paused");
  settings.key = args->get("--key");
  settings.options = args->get("--opt");
  return LiveRun(std::move(settings)).run();
}

constexpr Example examples[] = {
    {"corten view robot.xml", "open a model in the browser, and edit it while it runs"},
    {"corten view robot.xml --port 8080 --no-browser",
     "on another computer, after 'ssh -L 8080:localhost:8080'"},
};

}  // namespace

const Command view_command = {
    .name = "view",
    .arguments = "[MODEL.xml]",
    .summary = "watch a running simulation in the browser",
    .description =
        "Serves a page on this computer that shows the model while it moves: pause, step, reset, "
        "keyframes, sliders for controls and joints, and bodies that can be dragged with Ctrl and "
        "the mouse, or by a finger that stays on them. When a file of the model changes it is read "
        "again; errors appear in the page. "
        "Several pages can be open at once. While none is, the simulation waits.\n\n"
        "Only who knows the address gets in: it contains a random token, and the server listens on "
        "the loopback interface.",
    .options = options,
    .examples = examples,
    .choices = "",
    .run = run};

}  // namespace cli
