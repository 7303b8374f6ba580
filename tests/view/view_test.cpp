// SPDX-License-Identifier: Apache-2.0
//
// Pages and the live server without a browser: what is in them, and who gets an answer.
#include <corten/corten.hpp>
#include <corten/io/json.hpp>
#include <corten/view.hpp>
#include <corten/view/pack.hpp>
#include <corten/view/page.hpp>

#include "../support/catch.hpp"
#include "../support/near.hpp"

#include <cstdint>
#include <cstring>
#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace view = corten::view;
using corten::io::Json;

namespace {

const char* const arm = R"(
<mujoco model="arm"><asset><mesh name="tip" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody>
  <body name="upper"><joint name="shoulder" axis="0 1 0" range="-1 1"/>
    <geom type="capsule" size=".05 .2"/><geom type="mesh" mesh="tip"/></body></worldbody>
  <actuator><motor name="push" joint="shoulder" ctrlrange="-2 2"/></actuator>
  <sensor><jointpos name="angle" joint="shoulder"/></sensor>
  <keyframe><key name="up" qpos=".5"/></keyframe></mujoco>)";

// what a server answers; until it closes the connection, or `enough` bytes
std::string ask(int port, const std::string& request, std::size_t enough = 1u << 30) {
  const int s = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(static_cast<std::uint16_t>(port));
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::connect(s, reinterpret_cast<sockaddr*>(&where), sizeof where) == 0);
  REQUIRE(::send(s, request.data(), request.size(), 0) == static_cast<ssize_t>(request.size()));
  std::string out;
  char buffer[4096];
  while (out.size() < enough) {
    const auto n = ::recv(s, buffer, sizeof buffer, 0);
    if (n <= 0) break;
    out.append(buffer, static_cast<std::size_t>(n));
  }
  ::close(s);
  return out;
}

std::string get(const std::string& path, const std::string& host = "127.0.0.1:1") {
  return "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
}

// port and path of an address
std::pair<int, std::string> split(const std::string& address) {
  const std::size_t colon = address.rfind(':'), slash = address.find('/', colon);
  return {std::stoi(address.substr(colon + 1)), address.substr(slash)};
}

}  // namespace

TEST_CASE("page: it is whole and small", "[view]") {
  const std::string page = view::write_page();
  CHECK(page.size() < 200000);
  CHECK(page.find("http://") == std::string::npos);  // it needs nothing from anywhere
  CHECK(page.find("https://") == std::string::npos);
  CHECK(page.find("</html>") != std::string::npos);
  CHECK(view::detail::base64("") == "");
  CHECK(view::detail::base64("f") == "Zg==");
  CHECK(view::detail::base64("fo") == "Zm8=");
  CHECK(view::detail::base64("foobar") == "Zm9vYmFy");
}

TEST_CASE("page: a model and its frames are packed", "[view]") {
  const auto model = corten::load_string(arm).value();
  corten::Data<double> data(model);
  view::Film film;
  for (int k = 0; k < 3; ++k) {
    REQUIRE(corten::forward(model, data));
    film.add(model, data);
    REQUIRE(corten::step(model, data));
  }
  const std::string packed = view::pack(model, corten::scene::assets(model), {}, &film);
  REQUIRE(packed.substr(0, 4) == "crtn");
  std::uint32_t length;
  std::memcpy(&length, packed.data() + 4, 4);
  const auto tree = corten::io::read_json(std::string_view(packed).substr(8, length));
  if (!tree) FAIL(tree.error().to_string());
  CHECK(*tree->find("title")->string() == "arm");
  CHECK(tree->find("geoms")->array()->size() == 2);
  CHECK(tree->find("keys")->array()->size() == 1);
  CHECK(*(*tree->find("controls")->array())[0].find("name")->string() == "push");
  CHECK((*tree->find("meshes")->array())[0].find("nface")->number() == 4);

  // the frames follow the description, with the numbers of the film
  const Json& frames = *tree->find("frames");
  const auto at = static_cast<std::size_t>(*frames.find("at")->number());
  const auto start = static_cast<std::size_t>(*(*frames.find("start")->array())[2].number());
  float time;
  std::memcpy(&time, packed.data() + 8 + length + at + 4 * start, 4);
  CHECK(time == film.time(2));

  // the time of a film goes on where that of the world starts again
  data.reset(model);
  for (int k = 0; k < 2; ++k) {
    REQUIRE(corten::forward(model, data));
    film.add(model, data);
    REQUIRE(corten::step(model, data));
  }
  CHECK(support::near(film.time(3), film.time(2) + 0.002f, 1e-6));
  CHECK(support::near(film.time(4), film.time(2) + 0.004f, 1e-6));

  // normals come back from the octahedron
  for (const auto& n :
       {std::array<float, 3>{0, 0, 1}, {0, 0, -1}, {0.6f, -0.8f, 0}, {-0.48f, 0.6f, -0.64f}}) {
    const auto [u, v] = view::detail::fold(n[0], n[1], n[2]);
    float x = u, y = v;
    const float z = 1 - std::abs(u) - std::abs(v);
    if (z < 0) {
      x = (1 - std::abs(v)) * (u < 0 ? -1.0f : 1.0f);
      y = (1 - std::abs(u)) * (v < 0 ? -1.0f : 1.0f);
    }
    const float norm = std::sqrt(x * x + y * y + z * z);
    CHECK(support::near(x / norm, n[0], 1e-6));
    CHECK(support::near(y / norm, n[1], 1e-6));
    CHECK(support::near(z / norm, n[2], 1e-6));
  }
}

TEST_CASE("server: only who knows the token gets in", "[view]") {
  view::LiveServer server;
  REQUIRE(server.start());
  const auto [port, base] = split(server.address());
  CHECK(base.size() == 34);
  CHECK(ask(port, get(base)).find("<!doctype html>") != std::string::npos);
  CHECK(ask(port, get("/")).starts_with("HTTP/1.1 404"));
  CHECK(ask(port, get("/" + std::string(32, '0') + "/")).starts_with("HTTP/1.1 404"));
  CHECK(ask(port, get(base, "evil.example")).starts_with("HTTP/1.1 404"));
  CHECK(ask(port, "nonsense\r\n\r\n").empty());
  CHECK(ask(port, "GET " + std::string(20000, 'x')).empty());
  CHECK(ask(port,
            "POST " + base + "do HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Length: 999999\r\n\r\n")
            .empty());
  view::LiveServer second;
  CHECK_FALSE(second.start(port).ok());  // the port is taken
}

TEST_CASE("server: frames go out, commands come in", "[view]") {
  const auto model = corten::load_string(arm).value();
  corten::Data<double> data(model);
  REQUIRE(corten::forward(model, data));
  view::LiveServer server;
  REQUIRE(server.start());
  server.send_model(model, nullptr);
  corten::List<float> frame;
  view::write_frame(model, data, frame);
  server.send_frame(frame);
  const auto [port, base] = split(server.address());
  const std::string seen = ask(port, get(base + "frames"), 1000 + 4 * frame.size());
  const std::size_t body = seen.find("\r\n\r\n") + 4;
  std::uint32_t head[2];
  std::memcpy(head, seen.data() + body, 8);
  CHECK(head[0] == 1);
  CHECK(seen.substr(body + 8, 4) == "crtn");

  const std::string commands =
      "ctrl 0 1.5\nqpos 0 0.25\nspeed 2\nctrl 7 1\nctrl 0 nan\ndrag 1 0\njunk";
  ask(port, "POST " + base +
                "do HTTP/1.1\r\nHost: localhost:1\r\nConnection: close\r\nContent-Length: " +
                std::to_string(commands.size()) + "\r\n\r\n" + commands);
  const auto taken = server.take_commands();
  CHECK(taken.size() == 7);
  view::Remote remote;
  CHECK(remote.apply(taken, model, data));
  CHECK(data.ctrl()[0] == 1.5);
  CHECK(data.qpos()[0] == 0.25);
  CHECK(remote.speed == 2);
  CHECK(remote.apply({"key 0", "pause", "step"}, model, data));
  CHECK(data.qpos()[0] == 0.5);
  CHECK_FALSE(remote.running);
  CHECK(remote.steps == 1);
  CHECK(remote.apply({"reset"}, model, data));
  CHECK(data.qpos()[0] == 0);
}

TEST_CASE("remote: a dragged body follows and is let go", "[view]") {
  const auto model = corten::load_string(R"(<mujoco><option gravity="0 0 0"/><worldbody>
    <body><freejoint/><geom size=".1"/></body></worldbody></mujoco>)")
                         .value();
  corten::Data<double> data(model);
  REQUIRE(corten::forward(model, data));
  view::Remote remote;
  remote.apply({"drag 1 0 0 0 0.5 0 0"}, model, data);
  for (int k = 0; k < 1000; ++k) {
    remote.pull(model, data);
    REQUIRE(corten::step(model, data));
  }
  CHECK(support::near(data.qpos()[0], 0.5, 1e-3));
  remote.apply({"release"}, model, data);
  remote.pull(model, data);
  for (int k = 0; k < 6; ++k) CHECK(data.ref().xfrc_applied[6 + k] == 0);
}

TEST_CASE("viewer: two lines in a loop", "[view]") {
  const auto model = corten::load_string(arm).value();
  corten::Data<double> data(model);
  corten::Viewer viewer(model, {.browser = false, .pace = false, .quiet = true});
  REQUIRE(viewer.started());
  int steps = 0;
  while (steps < 50 && viewer.show(data)) {
    REQUIRE(corten::step(model, data));
    ++steps;
  }
  CHECK(steps == 50);
  const auto [port, base] = split(viewer.address());
  CHECK(ask(port, get(base + "frames"), 400).find("crtn") != std::string::npos);
}
