// SPDX-License-Identifier: Apache-2.0
//
// The motion as a file to look at: frames of a run for --glb and --html, 60 per simulated second.
#pragma once

#include "args.hpp"
#include "outputs.hpp"

#include <corten/asset/file.hpp>
#include <corten/corten.hpp>
#include <corten/model/bytes.hpp>
#include <corten/view/film.hpp>
#include <corten/view/glb.hpp>
#include <corten/view/pack.hpp>
#include <corten/view/page.hpp>

#include <string>

namespace cli {

struct FilmSettings {
  std::string glb, html;               // file names; empty if not wanted
  std::string plots;                   // what the page plots at first
  std::string simulator;               // bytes that let the page go on by itself; empty: it cannot
  const corten::Spec* spec = nullptr;  // what the model was compiled from; null: no textures
};

template <class S>
class FilmOutput {
 public:
  FilmOutput(const corten::Model<S>& model, FilmSettings settings)
      : model_(model), settings_(std::move(settings)) {
    film_.keep_states = !settings_.simulator.empty();
  }

  corten::Result<void> open() const {
    for (const std::string* path : {&settings_.glb, &settings_.html}) {
      if (path->empty()) continue;
      if (auto done = check_writable(*path); !done) return done;
    }
    return {};
  }

  // is it time for the next frame? A world that was reset starts again, and so does the wait.
  bool due(double time, bool last) const {
    const bool again = time < next_ - 1.5 / 60;
    return wanted() && (film_.frames() == 0 || last || again || time >= next_ - 1e-9);
  }

  void add(const corten::Data<S>& data) {
    const auto time = static_cast<double>(data.time());
    if (film_.frames() == 0 || time < next_ - 1.5 / 60) next_ = time;
    while (next_ <= time + 1e-9) next_ += 1.0 / 60;
    film_.add(model_, data);
  }

  // writes the files; says which textures are missing
  corten::Result<void> close() {
    if (!wanted() || film_.frames() == 0) return {};
    const corten::scene::Assets assets = settings_.spec != nullptr
                                             ? corten::scene::assets(model_, *settings_.spec)
                                             : corten::scene::assets(model_);
    for (const corten::Error& e : assets.missing) warn(e);
    if (!settings_.glb.empty()) {
      const std::string glb = corten::view::write_glb(model_, assets, film_);
      if (auto done = corten::save_file(settings_.glb, glb); !done) return done;
    }
    if (settings_.html.empty()) return {};
    const std::string compiled =
        settings_.simulator.empty() ? std::string() : corten::to_bytes(model_);
    const std::string packed = corten::view::pack(
        model_, assets, {.plots = settings_.plots, .compiled = compiled}, &film_);
    return corten::save_file(settings_.html, corten::view::write_page(packed, settings_.simulator));
  }

 private:
  bool wanted() const { return !settings_.glb.empty() || !settings_.html.empty(); }

  const corten::Model<S>& model_;
  FilmSettings settings_;
  corten::view::Film film_;
  double next_ = 0;
};

}  // namespace cli
