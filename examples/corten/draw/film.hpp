// SPDX-License-Identifier: Apache-2.0
//
// Films a model: steps it, and keeps the scene at regular times and at the end.
#pragma once

#include "picture.hpp"

#include <corten/asset/file.hpp>
#include <corten/corten.hpp>

#include <string>
#include <vector>

namespace cli {

// `control(data)` is called before each step.
template <class F>
corten::Result<std::vector<Scene>> film(const corten::Model<double>& model,
                                        corten::Data<double>& data, double seconds, double interval,
                                        F&& control) {
  const auto m = corten::bind(model);
  if (!m) return m.error();
  std::vector<Scene> scenes;
  while (data.time() < seconds) {
    if (data.time() >= interval * static_cast<double>(scenes.size())) {
      scenes.push_back(scene(model, data));
    }
    control(data);
    if (const auto status = corten::step(*m, data); !status) {
      return corten::Error(status.to_string());
    }
  }
  scenes.push_back(scene(model, data));
  return scenes;
}

inline corten::Result<std::vector<Scene>> film(const corten::Model<double>& model,
                                               corten::Data<double>& data, double seconds,
                                               double interval) {
  return film(model, data, seconds, interval, [](corten::Data<double>&) {});
}

inline corten::Result<void> save_film(const std::string& file, const std::vector<Scene>& scenes,
                                      const std::string& title) {
  return corten::save_file(file, picture_svg(scenes, title));
}

}  // namespace cli
