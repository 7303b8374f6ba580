// SPDX-License-Identifier: Apache-2.0
//
// The bodies of server.hpp, separate so that corten::view can compile them once.
#pragma once

#include <corten/view/page.hpp>
#include <corten/view/server.hpp>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <utility>

#if __has_include(<httplib.h>)
#include <httplib.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#define CORTEN_HAS_HTTPLIB 1
#endif

namespace corten::view {

namespace detail {

// 128 bits from the system, in hexadecimal digits
CORTEN_COLD std::string random_token() {
  std::random_device random;
  std::string out;
  for (int i = 0; i < 32; ++i) out += "0123456789abcdef"[random() & 15u];
  return out;
}

// a record of the stream: its kind, its length, its bytes
CORTEN_COLD std::string record(std::uint32_t kind, std::string_view body) {
  const std::uint32_t head[] = {kind, static_cast<std::uint32_t>(body.size())};
  std::string out(reinterpret_cast<const char*>(head), sizeof head);
  return out.append(body);
}

}  // namespace detail

#ifdef CORTEN_HAS_HTTPLIB
#undef CORTEN_HAS_HTTPLIB

// Everything that is sent has a number that grows with each change, so that a viewer knows what it
// has not seen. Records are shared by all viewers.
struct LiveServer::State {
  struct Item {
    std::shared_ptr<const std::string> record;
    std::uint64_t number = 0;
  };
  enum { model, error, running, frame, count };

  httplib::Server http;
  std::thread thread;
  std::string token = detail::random_token(), page = write_page();
  int port = 0;
  std::mutex mutex;
  std::condition_variable changed;
  Item items[count];
  std::uint64_t latest = 0;
  List<std::string> commands;
  std::atomic<int> viewers{0};
  bool stopping = false;

  void set(int which, std::string record) {
    {
      const std::lock_guard lock(mutex);
      items[which] = {std::make_shared<const std::string>(std::move(record)), ++latest};
    }
    changed.notify_all();
  }

  // what a viewer that has seen everything up to `seen` lacks; waits until there is something
  List<std::shared_ptr<const std::string>> news(std::uint64_t& seen) {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::seconds(1), [&] { return stopping || latest > seen; });
    List<std::shared_ptr<const std::string>> out;
    for (const Item& item : items) {
      if (item.number > seen) out.push_back(item.record);
    }
    seen = latest;
    return out;
  }

  // a thread of the pool serves each viewer until it leaves
  void stream(httplib::Response& answer) {
    auto seen = std::make_shared<std::uint64_t>(0);
    viewers.fetch_add(1);
    answer.set_header("Cache-Control", "no-store");
    answer.set_chunked_content_provider(
        "application/octet-stream",
        [this, seen](std::size_t, httplib::DataSink& sink) {
          for (const auto& one : news(*seen)) {
            if (!sink.write(one->data(), one->size())) return false;
          }
          const std::lock_guard lock(mutex);
          if (stopping) sink.done();
          return sink.is_writable();
        },
        [this](bool) { viewers.fetch_sub(1); });
  }

  void take(const std::string& body) {
    const std::lock_guard lock(mutex);
    std::size_t at = 0;
    while (at < body.size() && commands.size() < 1000) {
      const std::size_t end = std::min(body.find('\n', at), body.size());
      if (end > at) commands.push_back(body.substr(at, end - at));
      at = end + 1;
    }
  }

  void route() {
    const std::string base = "/" + token + "/";
    http.new_task_queue = [] { return new httplib::ThreadPool(24); };
    http.set_payload_max_length(1 << 16);
    http.set_default_headers({{"X-Content-Type-Options", "nosniff"},
                              {"Referrer-Policy", "no-referrer"},
                              {"X-Frame-Options", "DENY"}});
    http.Get(base, [this](const httplib::Request&, httplib::Response& answer) {
      answer.set_content(page, "text/html; charset=utf-8");
    });
    http.Get(base + "frames",
             [this](const httplib::Request&, httplib::Response& answer) { stream(answer); });
    http.Post(base + "do", [this](const httplib::Request& request, httplib::Response& answer) {
      take(request.body);
      answer.status = 204;
    });
  }
};

CORTEN_VIEW_HOST LiveServer::LiveServer() : state_(std::make_shared<State>()) {}
CORTEN_VIEW_HOST LiveServer::~LiveServer() { stop(); }

CORTEN_VIEW_HOST Result<void> LiveServer::start(int port) {
  State& s = *state_;
  s.route();
  if (port > 0) {
    if (!s.http.bind_to_port("127.0.0.1", port)) {
      return Error("cannot listen on port " + std::to_string(port),
                   "another program may use it; leave out --port to take any that is free");
    }
    s.port = port;
  } else {
    s.port = s.http.bind_to_any_port("127.0.0.1");
    if (s.port <= 0) return Error("cannot listen on the loopback interface");
  }
  s.thread = std::thread([&s] { s.http.listen_after_bind(); });
  return {};
}

CORTEN_VIEW_HOST void LiveServer::stop() {
  State& s = *state_;
  if (!s.thread.joinable()) return;
  {
    const std::lock_guard lock(s.mutex);
    s.stopping = true;
  }
  s.changed.notify_all();
  s.http.stop();
  s.thread.join();
}

CORTEN_VIEW_HOST std::string LiveServer::address() const {
  return "http://127.0.0.1:" + std::to_string(state_->port) + "/" + state_->token + "/";
}

CORTEN_VIEW_HOST void LiveServer::send_model(std::string packed) {
  {  // frames of the old model are of no use to anybody
    const std::lock_guard lock(state_->mutex);
    state_->items[State::frame] = {};
  }
  state_->set(State::model, detail::record(1, packed));
}

CORTEN_VIEW_HOST void LiveServer::send_frame(const List<float>& frame) {
  const std::string_view bytes(reinterpret_cast<const char*>(frame.data()),
                               frame.size() * sizeof(float));
  state_->set(State::frame, detail::record(0, bytes));
}

CORTEN_VIEW_HOST void LiveServer::send_error(std::string text) {
  state_->set(State::error, detail::record(2, text));
}

CORTEN_VIEW_HOST void LiveServer::send_running(bool running) {
  state_->set(State::running, detail::record(3, running ? "\1" : std::string_view("\0", 1)));
}

CORTEN_VIEW_HOST List<std::string> LiveServer::take_commands() {
  const std::lock_guard lock(state_->mutex);
  return std::exchange(state_->commands, {});
}

CORTEN_VIEW_HOST int LiveServer::viewers() const { return state_->viewers.load(); }

#else  // without cpp-httplib there is no server, and start() says so

struct LiveServer::State {};

CORTEN_VIEW_HOST LiveServer::LiveServer() = default;
CORTEN_VIEW_HOST LiveServer::~LiveServer() = default;
CORTEN_VIEW_HOST Result<void> LiveServer::start(int) {
  return Error("the live viewer needs cpp-httplib, which was not found when this was compiled",
               "install it (Debian's libcpp-httplib-dev) and compile again");
}
CORTEN_VIEW_HOST void LiveServer::stop() {}
CORTEN_VIEW_HOST std::string LiveServer::address() const { return {}; }
CORTEN_VIEW_HOST void LiveServer::send_model(std::string) {}
CORTEN_VIEW_HOST void LiveServer::send_frame(const List<float>&) {}
CORTEN_VIEW_HOST void LiveServer::send_error(std::string) {}
CORTEN_VIEW_HOST void LiveServer::send_running(bool) {}
CORTEN_VIEW_HOST List<std::string> LiveServer::take_commands() { return {}; }
CORTEN_VIEW_HOST int LiveServer::viewers() const { return 0; }

#endif

CORTEN_VIEW_HOST bool open_browser(const std::string& address) {
#if defined(__APPLE__)
  const std::string command = "open '" + address + "' >/dev/null 2>&1";
#elif defined(_WIN32)
  const std::string command = "start \"\" \"" + address + "\"";
#else
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return false;
  const std::string command = "xdg-open '" + address + "' >/dev/null 2>&1 &";
#endif
  return std::system(command.c_str()) == 0;
}

}  // namespace corten::view
