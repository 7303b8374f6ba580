// SPDX-License-Identifier: Apache-2.0
//
// A small HTTP/1.1 server on the loopback interface: a thread per connection, answers of known
// length, and streams that last until the connection closes. It serves one page to a few browsers
// on the same computer, and nothing else.
//
// Why not a library? The obvious one, cpp-httplib, is a header of 9,000 lines that takes longer to
// compile than corten's own headers. Debian splits it into a shared library that needs OpenSSL,
// zlib and Brotli, and into a header whose structs change with macros that only pkg-config knows.
// What a page on loopback needs of HTTP is below, and programs that show themselves need to link
// nothing. It uses POSIX sockets; elsewhere start() returns an error.
#pragma once

#include <corten/config.hpp>
#include <corten/core/result.hpp>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#if __has_include(<sys/socket.h>) && __has_include(<netinet/in.h>)
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#define CORTEN_HAS_SOCKETS 1
#endif

namespace corten::view {

struct HttpRequest {
  std::string method, path, host, body;
};

// Writes to a connection; false once it is closed.
using HttpSink = std::function<bool(std::string_view)>;

struct HttpAnswer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8", body;
  std::function<void(const HttpSink&)> stream;  // instead of a body; ends with the connection
};

class HttpServer {
 public:
  using Handler = std::function<HttpAnswer(const HttpRequest&)>;

  HttpServer() = default;
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer() { stop(); }

  // Listens on 127.0.0.1; port 0 takes any that is free. The handler runs on several threads.
  Result<void> start(int port, Handler handler);
  // Closes all connections and waits for their threads. Streams must end when their sink fails.
  void stop();
  int port() const { return port_; }

 private:
  static constexpr std::size_t max_head = 16384, max_body = 65536;
  static constexpr int max_connections = 64;

  struct Connection {
    int socket;
    std::atomic<bool> done{false};
    std::thread thread;
  };

  void accept_all();
  void serve(Connection& c);
  bool answer(int socket, const HttpRequest& request, bool keep);
  static bool read_request(int socket, std::string& buffer, HttpRequest& out, bool& keep);
  static bool send_all(int socket, std::string_view bytes);
  static bool receive(int socket, std::string& buffer);  // appends what has arrived

  Handler handler_;
  int port_ = 0, listener_ = -1;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
  std::mutex mutex_;  // of connections_
  std::list<Connection> connections_;
};

#ifdef CORTEN_HAS_SOCKETS
#undef CORTEN_HAS_SOCKETS

CORTEN_COLD Result<void> HttpServer::start(int port, Handler handler) {
  if (port < 0 || port > 65535) return Error("a port is a number from 0 to 65535");
  handler_ = std::move(handler);
  listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
  if (listener_ < 0) return Error("cannot open a socket");
  const int on = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(static_cast<std::uint16_t>(port));
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof where;
  auto* const plain = reinterpret_cast<sockaddr*>(&where);
  if (::bind(listener_, plain, size) != 0 || ::listen(listener_, 16) != 0 ||
      ::getsockname(listener_, plain, &size) != 0) {
    ::close(listener_);
    listener_ = -1;
    return Error("cannot listen on port " + std::to_string(port) + " of 127.0.0.1",
                 "another program may use it; port 0 takes any that is free");
  }
  port_ = ntohs(where.sin_port);
  thread_ = std::thread([this] { accept_all(); });
  return {};
}

CORTEN_COLD void HttpServer::stop() {
  if (!thread_.joinable()) return;
  stopping_ = true;
  ::shutdown(listener_, SHUT_RDWR);  // wakes accept()
  thread_.join();
  ::close(listener_);
  {
    const std::lock_guard lock(mutex_);
    for (Connection& c : connections_) {
      if (!c.done) ::shutdown(c.socket, SHUT_RDWR);
    }
  }
  for (Connection& c : connections_) c.thread.join();
  connections_.clear();
}

CORTEN_COLD void HttpServer::accept_all() {
  while (!stopping_) {
    const int socket = ::accept(listener_, nullptr, nullptr);
    if (stopping_ || socket < 0) {
      if (socket >= 0) ::close(socket);
      if (!stopping_) std::this_thread::sleep_for(std::chrono::milliseconds(50));
      continue;
    }
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const timeval patience{20, 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    const std::lock_guard lock(mutex_);
    for (auto c = connections_.begin(); c != connections_.end();) {
      if (c->done) c->thread.join();
      c = c->done ? connections_.erase(c) : std::next(c);
    }
    if (connections_.size() >= max_connections) {
      ::close(socket);
      continue;
    }
    Connection& made = connections_.emplace_back();
    made.socket = socket;
    made.thread = std::thread([this, &made] { serve(made); });
  }
}

CORTEN_COLD void HttpServer::serve(Connection& c) {
  std::string buffer;
  for (bool keep = true; keep && !stopping_;) {
    HttpRequest request;
    if (!read_request(c.socket, buffer, request, keep)) break;
    if (!answer(c.socket, request, keep)) break;
  }
  const std::lock_guard lock(mutex_);  // stop() must not shut down a socket that is someone else's
  ::close(c.socket);
  c.done = true;
}

CORTEN_COLD bool HttpServer::send_all(int socket, std::string_view bytes) {
#ifdef MSG_NOSIGNAL
  constexpr int flags = MSG_NOSIGNAL;
#else
  constexpr int flags = 0;
#endif
  while (!bytes.empty()) {
    const auto sent = ::send(socket, bytes.data(), bytes.size(), flags);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

CORTEN_COLD bool HttpServer::receive(int socket, std::string& buffer) {
  char bytes[4096];
  const auto n = ::recv(socket, bytes, sizeof bytes, 0);
  if (n > 0) buffer.append(bytes, static_cast<std::size_t>(n));
  return n > 0;
}

#else

CORTEN_COLD Result<void> HttpServer::start(int, Handler) {
  return Error("the live viewer needs POSIX sockets, which this system does not have");
}
CORTEN_COLD void HttpServer::stop() {}
CORTEN_COLD bool HttpServer::send_all(int, std::string_view) { return false; }
CORTEN_COLD bool HttpServer::receive(int, std::string&) { return false; }

#endif

// Reads until a request is complete; false if the connection ended or made no sense. What follows
// the request stays in the buffer.
CORTEN_COLD bool HttpServer::read_request(int socket, std::string& buffer, HttpRequest& out,
                                          bool& keep) {
  std::size_t end;
  while ((end = buffer.find("\r\n\r\n")) == std::string::npos) {
    if (buffer.size() > max_head || !receive(socket, buffer)) return false;
  }
  const std::string head = buffer.substr(0, end + 2);
  buffer.erase(0, end + 4);
  const std::size_t line = head.find("\r\n"), first = head.find(' '),
                    second = head.find(' ', first + 1);
  if (first == std::string::npos || second == std::string::npos || second > line) return false;
  out.method = head.substr(0, first);
  out.path = head.substr(first + 1, second - first - 1);
  std::size_t length = 0;
  for (std::size_t at = line + 2; at < head.size();) {
    const std::size_t stop = head.find("\r\n", at), colon = head.find(':', at);
    if (stop == std::string::npos || colon == std::string::npos || colon > stop) return false;
    std::string name = head.substr(at, colon - at);
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    std::string value = head.substr(colon + 1, stop - colon - 1);
    value.erase(0, std::min(value.find_first_not_of(" \t"), value.size()));
    if (name == "host") out.host = value;
    if (name == "connection" && value == "close") keep = false;
    if (name == "transfer-encoding") return false;
    if (name == "content-length") {
      if (value.empty() || value.size() > 6 ||
          value.find_first_not_of("0123456789") != std::string::npos) {
        return false;
      }
      length = std::strtoul(value.c_str(), nullptr, 10);
    }
    at = stop + 2;
  }
  if (length > max_body) return false;
  while (buffer.size() < length) {
    if (!receive(socket, buffer)) return false;
  }
  out.body = buffer.substr(0, length);
  buffer.erase(0, length);
  return true;
}

// false if the connection is to be closed
CORTEN_COLD bool HttpServer::answer(int socket, const HttpRequest& request, bool keep) {
  const HttpAnswer a = handler_(request);
  const bool streams = static_cast<bool>(a.stream);
  std::string head = "HTTP/1.1 " + std::to_string(a.status) +
                     (a.status < 300 ? " OK\r\n" : " Not Found\r\n") + "Content-Type: " + a.type +
                     "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
                     "X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n";
  if (!streams) head += "Content-Length: " + std::to_string(a.body.size()) + "\r\n";
  head += streams || !keep ? "Connection: close\r\n\r\n" : "Connection: keep-alive\r\n\r\n";
  if (!send_all(socket, head)) return false;
  if (!streams) return send_all(socket, a.body) && keep;
  a.stream([&](std::string_view bytes) { return !stopping_ && send_all(socket, bytes); });
  return false;
}

}  // namespace corten::view
