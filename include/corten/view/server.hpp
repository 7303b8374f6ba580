// SPDX-License-Identifier: Apache-2.0
//
// Serves the page (view/page.hpp) on this computer, sends it frames while a simulation runs, and
// collects what its users do there. Only who knows the address gets in: it contains a random token,
// and the server listens on the loopback interface.
//
// Programs that link corten::precompiled compile none of what is behind these functions.
#pragma once

#include <corten/config.hpp>
#include <corten/core/list.hpp>
#include <corten/core/result.hpp>
#include <corten/model/model.hpp>
#include <corten/spec/spec.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace corten::scene {
struct Assets;
}

namespace corten::view {

namespace detail {
class LiveState;
}

class LiveServer {
 public:
  CORTEN_HOST LiveServer();
  CORTEN_HOST ~LiveServer();  // closes all connections
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  // Begins to listen; port 0 takes any that is free.
  CORTEN_HOST Result<void> start(int port = 0);

  // the address of the page, with its token
  CORTEN_HOST std::string address() const;

  // What viewers get: a model, then frames of it (view/film.hpp). A viewer that is slow misses
  // frames, and one that comes late gets the latest model. With a spec the model has its textures;
  // what is missing is returned (scene/assets.hpp). A model with kinds of geoms of your own comes
  // with its assets.
  CORTEN_HOST List<Error> send_model(const Model<double>& model, const Spec* spec,
                                     std::string_view title = {});
  CORTEN_HOST void send_model(const Model<double>& model, const scene::Assets& assets,
                              std::string_view title = {});
  CORTEN_HOST void send_frame(const List<float>& numbers);
  // an error to show; empty: none
  CORTEN_HOST void send_error(std::string_view text);
  CORTEN_HOST void send_running(bool on);

  // the commands since the last call, one per entry (view/remote.hpp)
  CORTEN_HOST List<std::string> take_commands();
  CORTEN_HOST int viewers() const;

 private:
  std::unique_ptr<detail::LiveState> state_;
};

// Opens an address in the user's browser, if there is a screen; false if that was not possible.
CORTEN_HOST bool open_browser(const std::string& address);

}  // namespace corten::view

#ifndef CORTEN_EXTERN_TEMPLATES
#include <corten/view/server_impl.hpp>
#endif
