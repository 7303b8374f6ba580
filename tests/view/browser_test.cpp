// SPDX-License-Identifier: Apache-2.0
//
// The page in a real browser: a recording and a live simulation check themselves there
// (view/page/check.hpp), and what they saw is compared with the simulation. CORTEN_CHROMIUM names
// the browser; without one the tests say so and pass.
#include <corten/asset/file.hpp>
#include <corten/corten.hpp>
#include <corten/io/json.hpp>
#include <corten/model/bytes.hpp>
#include <corten/query/scene.hpp>
#include <corten/view.hpp>
#include <corten/view/http.hpp>
#include <corten/view/pack.hpp>
#include <corten/view/page.hpp>

#include "../support/catch.hpp"
#include "../support/near.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

#ifndef CORTEN_TEST_WASM
#define CORTEN_TEST_WASM ""
#endif

namespace view = corten::view;
using corten::io::Json;

namespace {

// the browser to use, or nothing
std::optional<std::string> find_browser() {
  if (const char* named = std::getenv("CORTEN_CHROMIUM")) return named;
  for (const char* path : {"/usr/bin/chromium", "/usr/bin/chromium-browser",
                           "/usr/bin/google-chrome", "/opt/google/chrome/chrome"}) {
    if (std::filesystem::exists(path)) return path;
  }
  return std::nullopt;
}

// A browser without a window, which is killed at the end, with a profile of its own.
class Browser {
 public:
  Browser(std::string program, std::string address)
      : profile_(std::filesystem::temp_directory_path() /
                 ("corten-browser-" + std::to_string(::getpid()))),
        program_(std::move(program)),
        address_(std::move(address)) {
    start();
  }
  ~Browser() {
    if (child_ > 0) {
      ::kill(-child_, SIGKILL);  // the group that it began, nothing else
      int status = 0;
      ::waitpid(child_, &status, 0);
    }
    std::error_code ignored;
    std::filesystem::remove_all(profile_, ignored);
  }
  // a browser that has crashed, as happens where memory is short, is started again
  void keep() {
    int status = 0;
    if (child_ <= 0 || ::waitpid(child_, &status, WNOHANG) != child_) return;
    child_ = -1;
    if (starts_ < 3) start();
  }

 private:
  void start() {
    const std::string folder = "--user-data-dir=" + profile_.string();
    ++starts_;
    child_ = ::fork();
    if (child_ != 0) return;
    ::setpgid(0, 0);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) ::_exit(127);
    if (std::freopen("/dev/null", "w", stdout) == nullptr) ::_exit(127);
    ::execl(program_.c_str(), program_.c_str(), "--headless=new", "--no-sandbox", "--use-gl=angle",
            "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
            "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
            "--disable-background-networking", "--mute-audio", "--window-size=800,660",
            folder.c_str(), address_.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }

  std::filesystem::path profile_;
  std::string program_, address_;
  pid_t child_ = 0;
  int starts_ = 0;
};

constexpr auto patience = std::chrono::seconds(480);

const char* const stage = R"(
<mujoco model="stage"><worldbody>
  <light pos="0 0 3"/>
  <geom type="plane" size="2 2 .1"/>
  <body name="ball" pos="0 0 .3"><freejoint/><geom size=".15"/></body>
  <body name="arm" pos=".6 0 .5"><joint name="hinge" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 .3 0 0" size=".05"/>
    <geom type="box" size=".08 .06 .1" pos=".35 0 0"/></body>
  </worldbody><actuator><motor joint="hinge" ctrlrange="-1 1"/></actuator></mujoco>)";

Json parsed(const std::string& text) {
  auto tree = corten::io::read_json(text);
  if (!tree) FAIL(tree.error().to_string());
  return *std::move(tree);
}

// what a page says about itself, served as a file would be
Json checked(const std::string& browser, const std::string& page) {
  std::mutex mutex;
  std::string result;
  view::HttpServer server;
  const auto answer = [&](const view::HttpRequest& request) {
    const std::lock_guard lock(mutex);
    if (request.method == "POST") result = request.body;
    return view::HttpAnswer{
        200, "text/html; charset=utf-8", request.method == "GET" ? page : "", {}};
  };
  REQUIRE(server.start(0, answer));
  {
    Browser open(browser, "http://127.0.0.1:" + std::to_string(server.port()) + "/#check");
    for (const auto begin = std::chrono::steady_clock::now();
         std::chrono::steady_clock::now() - begin < patience;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      open.keep();
      const std::lock_guard lock(mutex);
      if (!result.empty()) break;
    }
  }
  server.stop();
  REQUIRE(result.starts_with("check "));
  return parsed(result.substr(6));
}

double number(const Json& from, const char* key) {
  REQUIRE(from.find(key) != nullptr);
  return from.find(key)->number().value();
}

// Rays through the pixels of the page's camera find the same geoms as its triangles do.
void check_mask(const corten::Model<double>& model, const corten::Data<double>& data,
                const Json& mask) {
  constexpr int width = 120, height = 90;
  const auto list = [&](const char* key, std::size_t i) {
    return *(*mask.find(key)->array())[i].number();
  };
  const corten::Vec3<double> eye(list("eye", 0), list("eye", 1), list("eye", 2));
  const double half = number(mask, "half");
  std::string_view ids = *mask.find("ids")->string();
  int both = 0, either = 0;
  for (int i = 0; i < width * height; ++i) {
    const std::size_t comma = std::min(ids.find(','), ids.size());
    const int thing = std::atoi(std::string(ids.substr(0, comma)).c_str());
    ids.remove_prefix(std::min(comma + 1, ids.size()));
    const double x = (2 * (i % width + 0.5) / width - 1) * half * width / height;
    const double y = (2 * (i / width + 0.5) / height - 1) * half;
    corten::Vec3<double> ray;
    for (std::size_t k = 0; k < 3; ++k) {
      ray[static_cast<int>(k)] =
          x * list("rotation", k) + y * list("rotation", 3 + k) - list("rotation", 6 + k);
    }
    const auto hit = corten::cast_ray(model, data, eye, ray).value();
    const bool seen = hit.geom > 0, drawn = thing > 0;  // 0 is the floor in both
    both += seen && drawn && hit.geom == thing ? 1 : 0;
    either += seen || drawn ? 1 : 0;
  }
  INFO(both << " of " << either << " pixels agree");
  CHECK(either > 200);
  CHECK(both >= 0.97 * either);  // at 120 × 90 the edges are 2 % of the pixels
}

}  // namespace

TEST_CASE("browser: a recording shows the simulation", "[view][browser]") {
  const auto browser = find_browser();
  if (!browser) {
    WARN("skipped: no browser was found (Debian: chromium); CORTEN_CHROMIUM names one");
    return;
  }
  const auto model = corten::load_string(stage).value();
  corten::Data<double> data(model);
  view::Film film;
  for (int k = 0; k < 200; ++k) {
    REQUIRE(corten::forward(model, data));
    if (k % 5 == 0) film.add(model, data);
    REQUIRE(corten::step(model, data));
  }
  const std::string page =
      view::write_page(view::pack(model, corten::scene::assets(model), {}, &film));
  const Json out = checked(*browser, page);
  CHECK(out.find("errors")->array()->empty());
  CHECK(number(out, "gl") == 0);
  CHECK(number(out, "played") == 1);
  CHECK(number(out, "turned") == 1);
  CHECK(number(out, "contacts") == static_cast<double>(film.frame(film.frames() - 1)[1]));
  CHECK(number(out, "forces") > 0);
  CHECK(number(out, "without") == 0);  // all geoms are in group 0
  CHECK(number(out, "plots") == 2);

  const view::FrameLayout layout(model);
  const Json::Array& shots = *out.find("shots")->array();
  REQUIRE(shots.size() == 3);
  for (const std::size_t shot : {std::size_t{0}, std::size_t{2}}) {
    const float* frame = film.frame(shot == 0 ? 0 : film.frames() - 1);
    CHECK(support::near(number(shots[shot], "time"), frame[0], 1e-6));
    const Json::Array& poses = *shots[shot].find("poses")->array();
    REQUIRE(poses.size() == 7 * static_cast<std::size_t>(model.n.nbody));
    for (std::size_t i = 0; i < poses.size(); ++i) {
      CHECK(support::near(*poses[i].number(), frame[static_cast<std::size_t>(layout.body) + i],
                          1e-6));
    }
  }
  data.reset(model);
  REQUIRE(corten::forward(model, data));
  check_mask(model, data, *out.find("mask"));
}

TEST_CASE("browser: a live page pulls, steers and pauses", "[view][browser]") {
  const auto browser = find_browser();
  if (!browser) {
    WARN("skipped: no browser was found (Debian: chromium); CORTEN_CHROMIUM names one");
    return;
  }
  const auto model = corten::load_string(stage).value();
  corten::Data<double> data(model);
  view::LiveServer server;
  REQUIRE(server.start());
  CHECK(server.send_model(model, nullptr).empty());
  view::Remote remote;
  server.send_running(true);
  corten::List<float> frame;
  std::string result;
  {
    Browser open(*browser, server.address() + "#check");
    for (const auto begin = std::chrono::steady_clock::now();
         result.empty() && std::chrono::steady_clock::now() - begin < patience;) {
      auto commands = server.take_commands();
      for (const std::string& c : commands) {
        if (c.starts_with("check ")) result = c.substr(6);
      }
      remote.apply(commands, model, data);
      if (!commands.empty()) server.send_running(remote.running);
      for (int k = 0; k < 8 && remote.running; ++k) {
        remote.pull(model, data);
        REQUIRE(corten::step(model, data));
      }
      frame.clear();
      view::write_frame(model, data, frame);
      server.send_frame(frame);
      std::this_thread::sleep_for(std::chrono::milliseconds(16));
      open.keep();
    }
  }
  const Json out = parsed(result);
  CHECK(out.find("errors")->array()->empty());
  CHECK(number(out, "gl") == 0);
  CHECK(number(out, "frames") >= 10);
  CHECK(number(out, "hit") == 1);      // the ball
  CHECK(number(out, "moved") > 0.02);  // and it followed the hand
  CHECK(number(out, "playing") == 0);
  CHECK(number(out, "held") == 1);
  CHECK(support::near(number(out, "ctrl"), 0.5, 1e-6));
  CHECK(data.ctrl()[0] == 0.5);
}

TEST_CASE("browser: a page with the simulator goes on from its recording", "[view][browser]") {
  const auto browser = find_browser();
  const char* const named = std::getenv("CORTEN_WASM");
  const auto simulator = corten::load_file(named != nullptr ? named : CORTEN_TEST_WASM);
  if (!browser || !simulator) {
    WARN("skipped: it needs a browser (Debian: chromium) and the target corten_wasm (emscripten)");
    return;
  }
  const auto model = corten::load_string(stage).value();
  corten::Data<double> data(model);
  data.ctrl()[0] = 0.3;
  view::Film film;
  film.keep_states = true;
  for (int k = 0; k < 100; ++k) {
    REQUIRE(corten::forward(model, data));
    if (k % 5 == 0) film.add(model, data);
    REQUIRE(corten::step(model, data));
  }
  const std::string compiled = corten::to_bytes(model);
  const std::string page = view::write_page(
      view::pack(model, corten::scene::assets(model), {.compiled = compiled}, &film), *simulator);
  CHECK(page.size() < 3000000 + compiled.size());
  const Json out = checked(*browser, page);
  CHECK(out.find("errors")->array()->empty());
  CHECK(number(out, "resumed") == 1);
  CHECK(number(out, "playing") == 0);
  CHECK(number(out, "moved") > 0.02);  // the ball was pulled aside
  CHECK(support::near(number(out, "ctrl"), 0.5, 1e-6));
  CHECK(number(out, "reset") == 0);
  CHECK(number(out, "back") == 1);

  // from frame 10, at step 50, fifty more steps lead to where the run has ended
  REQUIRE(corten::forward(model, data));
  const Json::Array& poses = *out.find("poses")->array();
  REQUIRE(poses.size() == 7 * static_cast<std::size_t>(model.n.nbody));
  for (std::size_t b = 1; b < 3; ++b) {
    for (std::size_t k = 0; k < 3; ++k) {
      CHECK(support::near(*poses[7 * b + k].number(), data.ref().xpos[static_cast<int>(3 * b + k)],
                          1e-5));
    }
  }
}
