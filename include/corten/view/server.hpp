// SPDX-License-Identifier: Apache-2.0
//
// Serves the page (view/page.hpp) on this computer, sends it frames while a simulation runs, and
// collects what its users do there. Only who knows the address gets in: it contains a random token,
// and the server listens on the loopback interface.
//
// HTTP is cpp-httplib's (Debian's libcpp-httplib-dev), which this header does not include: link
// corten::view, which compiles it once, or else the bodies below are compiled in every file. Frames
// are one endless answer to a GET, commands are the bodies of POSTs. Without cpp-httplib, start()
// returns an error that says what to install.
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>
#include <corten/core/result.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace corten::view {

#ifdef CORTEN_EXTERN_VIEW
#define CORTEN_VIEW_HOST
#else
#define CORTEN_VIEW_HOST inline
#endif

class LiveServer {
 public:
  CORTEN_VIEW_HOST LiveServer();
  CORTEN_VIEW_HOST ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  // Begins to listen; port 0 takes any that is free.
  CORTEN_VIEW_HOST Result<void> start(int port = 0);
  CORTEN_VIEW_HOST void stop();

  // the address of the page, with its token
  CORTEN_VIEW_HOST std::string address() const;

  // what viewers get: a model (view/pack.hpp), then frames of it (view/film.hpp). A viewer that is
  // slow misses frames, and one that comes late gets the latest model.
  CORTEN_VIEW_HOST void send_model(std::string packed);
  CORTEN_VIEW_HOST void send_frame(const List<float>& frame);
  // an error to show instead of the model; empty: none
  CORTEN_VIEW_HOST void send_error(std::string text);
  CORTEN_VIEW_HOST void send_running(bool running);

  // the commands since the last call, one per entry (view/remote.hpp)
  CORTEN_VIEW_HOST List<std::string> take_commands();
  CORTEN_VIEW_HOST int viewers() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// Opens an address in the user's browser, if there is a screen; false if that was not possible.
CORTEN_VIEW_HOST bool open_browser(const std::string& address);

}  // namespace corten::view

#ifndef CORTEN_EXTERN_VIEW
#include <corten/view/server_impl.hpp>
#endif
