// SPDX-License-Identifier: Apache-2.0
//
// The motion as a file to look at: frames of a run for --glb and --html, 60 per simulated second.
#pragma once

#include "args.hpp"
#include "outputs.hpp"

#include <corten/asset/file.hpp>
#include <corten/corten.hpp>
#include <corten/view/film.hpp>
#include <corten/view/glb.hpp>

#include <string>

namespace cli {

struct FilmSettings {
  std::string glb;                     // file name; empty if not wanted
  const corten::Spec* spec = nullptr;  // what the model was compiled from; null: no textures
};

template <class S>
class FilmOutput {
 public:
  FilmOutput(const corten::Model<S>& model, FilmSettings settings)
      : model_(model), settings_(std::move(settings)) {}

  corten::Result<void> open() const {
    return settings_.glb.empty() ? corten::Result<void>{} : check_writable(settings_.glb);
  }

  // is it time for the next frame?
  bool due(double time, bool last) const {
    return wanted() && (film_.frames() == 0 || last || time >= next_ - 1e-9);
  }

  void add(const corten::Data<S>& data) {
    const auto time = static_cast<double>(data.time());
    if (film_.frames() == 0) next_ = time;
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
    return corten::save_file(settings_.glb, corten::view::write_glb(model_, assets, film_));
  }

 private:
  bool wanted() const { return !settings_.glb.empty(); }

  const corten::Model<S>& model_;
  FilmSettings settings_;
  corten::view::Film film_;
  double next_ = 0;
};

}  // namespace cli
