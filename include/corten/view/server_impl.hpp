// SPDX-License-Identifier: Apache-2.0
//
// The bodies of server.hpp, separate so that corten::precompiled can compile them once.
//
// Frames are one endless answer to a GET: records of a kind, a length and bytes. Commands are lines
// in the bodies of POSTs.
#pragma once

#include <corten/core/list.hpp>
#include <corten/core/result.hpp>
#include <corten/scene/assets.hpp>
#include <corten/view/http.hpp>
#include <corten/view/pack.hpp>
#include <corten/view/page.hpp>
#include <corten/view/server.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <utility>

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

class LiveState {
 public:
  LiveState() = default;
  ~LiveState() { stop(); }
  LiveState(const LiveState&) = delete;
  LiveState& operator=(const LiveState&) = delete;

  CORTEN_COLD Result<void> start(int port = 0) {
    return http_.start(port, [this](const HttpRequest& r) { return answer(r); });
  }

  CORTEN_COLD void stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    http_.stop();
  }

  // the address of the page, with its token
  std::string address() const { return "http://127.0.0.1:" + std::to_string(http_.port()) + base_; }

  // What viewers get: a model (view/pack.hpp), then frames of it (view/film.hpp). A viewer that is
  // slow misses frames, and one that comes late gets the latest model.
  CORTEN_COLD void send_model(std::string_view packed) {
    {  // frames of the old model are of no use to anybody
      const std::lock_guard lock(mutex_);
      items_[frame] = {};
    }
    set(model, detail::record(1, packed));
  }
  void send_frame(const List<float>& numbers) {
    set(frame, detail::record(0, {reinterpret_cast<const char*>(numbers.data()),
                                  numbers.size() * sizeof(float)}));
  }
  // an error to show instead of the model; empty: none
  void send_error(std::string_view text) { set(error, detail::record(2, text)); }
  void send_running(bool on) { set(running, detail::record(3, on ? "1" : "0")); }

  // the commands since the last call, one per entry (view/remote.hpp)
  List<std::string> take_commands() {
    const std::lock_guard lock(mutex_);
    return std::exchange(commands_, {});
  }
  int viewers() const { return viewers_.load(); }

 private:
  // Everything that is sent has a number that grows with each change, so that a viewer knows what
  // it has not seen. Records are shared by all viewers.
  struct Item {
    std::shared_ptr<const std::string> record;
    std::uint64_t number = 0;
  };
  enum { model, error, running, frame, count };

  CORTEN_COLD void set(int which, std::string record) {
    {
      const std::lock_guard lock(mutex_);
      items_[which] = {std::make_shared<const std::string>(std::move(record)), ++latest_};
    }
    changed_.notify_all();
  }

  // what a viewer that has seen everything up to `seen` lacks; waits until there is something
  CORTEN_COLD List<std::shared_ptr<const std::string>> news(std::uint64_t& seen) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopping_ || latest_ > seen; });
    List<std::shared_ptr<const std::string>> out;
    for (const Item& item : items_) {
      if (item.number > seen) out.push_back(item.record);
    }
    seen = latest_;
    return out;
  }

  CORTEN_COLD void stream(const HttpSink& sink) {
    viewers_.fetch_add(1);
    std::uint64_t seen = 0;
    for (bool open = true; open;) {
      for (const auto& one : news(seen)) open = open && sink(*one);
      const std::lock_guard lock(mutex_);
      open = open && !stopping_;
    }
    viewers_.fetch_sub(1);
  }

  CORTEN_COLD void take(const std::string& body) {
    const std::lock_guard lock(mutex_);
    for (std::size_t at = 0; at < body.size() && commands_.size() < 1000;) {
      const std::size_t end = std::min(body.find('\n', at), body.size());
      if (end > at) commands_.push_back(body.substr(at, end - at));
      at = end + 1;
    }
  }

  // Other pages cannot know the token, and a name that leads here does not open the door either.
  CORTEN_COLD HttpAnswer answer(const HttpRequest& request) {
    HttpAnswer out;
    const bool here =
        request.host.starts_with("127.0.0.1:") || request.host.starts_with("localhost:");
    if (here && request.method == "GET" && request.path == base_) {
      out.type = "text/html; charset=utf-8";
      out.body = page_;
    } else if (here && request.method == "GET" && request.path == base_ + "frames") {
      out.type = "application/octet-stream";
      out.stream = [this](const HttpSink& sink) { stream(sink); };
    } else if (here && request.method == "POST" && request.path == base_ + "do") {
      take(request.body);
    } else {
      out.status = 404;
      out.body = "There is nothing here. The address of the page has a token in it.\n";
    }
    return out;
  }

  std::string base_ = "/" + detail::random_token() + "/", page_ = write_page();
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Item items_[count];
  std::uint64_t latest_ = 0;
  List<std::string> commands_;
  std::atomic<int> viewers_{0};
  bool stopping_ = false;
  HttpServer http_;  // the last member: its threads use the others
};

}  // namespace detail

CORTEN_HOST LiveServer::LiveServer() : state_(std::make_unique<detail::LiveState>()) {}
CORTEN_HOST LiveServer::~LiveServer() = default;
CORTEN_HOST Result<void> LiveServer::start(int port) { return state_->start(port); }
CORTEN_HOST std::string LiveServer::address() const { return state_->address(); }
CORTEN_HOST List<Error> LiveServer::send_model(const Model<double>& model, const Spec* spec,
                                               std::string_view title) {
  scene::Assets assets = spec != nullptr ? scene::assets(model, *spec) : scene::assets(model);
  send_model(model, assets, title);
  return std::move(assets.missing);
}
CORTEN_HOST void LiveServer::send_model(const Model<double>& model, const scene::Assets& assets,
                                        std::string_view title) {
  PackOptions options;
  options.title = title;
  options.live = true;
  state_->send_model(pack(model, assets, options));
}
CORTEN_HOST void LiveServer::send_frame(const List<float>& numbers) { state_->send_frame(numbers); }
CORTEN_HOST void LiveServer::send_error(std::string_view text) { state_->send_error(text); }
CORTEN_HOST void LiveServer::send_running(bool on) { state_->send_running(on); }
CORTEN_HOST List<std::string> LiveServer::take_commands() { return state_->take_commands(); }
CORTEN_HOST int LiveServer::viewers() const { return state_->viewers(); }

CORTEN_HOST bool open_browser(const std::string& address) {
#if defined(__APPLE__)
  const std::string command = "open '" + address + "' >/dev/null 2>&1";
#else
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return false;
  const std::string command = "xdg-open '" + address + "' >/dev/null 2>&1 &";
#endif
  return std::system(command.c_str()) == 0;
}

}  // namespace corten::view
