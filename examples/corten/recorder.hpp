// SPDX-License-Identifier: Apache-2.0
//
// What simulate records of a run: rows for --csv, series for --svg, scenes for --picture. All
// numbers of a record belong to the same state: a second Data copies the state and calls forward()
// on it, so recording does not change the run.
#pragma once

#include "draw/picture.hpp"
#include "draw/plot.hpp"
#include "film_output.hpp"
#include "outputs.hpp"
#include "quantity.hpp"

#include <corten/asset/file.hpp>
#include <corten/corten.hpp>
#include <corten/io/csv.hpp>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace cli {

struct RecordSettings {
  std::string csv, svg, picture;  // file names; empty if not wanted
  std::string plot;               // quantities to plot, separated by commas
  bool chosen = false;            // by the user, or else by default
  std::string title;
  View view;      // of the picture
  int every = 1;  // steps between rows of the CSV and points of the plot
  int steps = 0;  // of the whole run
  FilmSettings film;
};

template <class S>
class Recorder {
 public:
  Recorder(const corten::Model<S>& model, RecordSettings settings)
      : model_(model),
        settings_(std::move(settings)),
        probe_(model),
        film_(model, settings_.film) {}

  // looks up the quantities of the plot; those that nobody asked for may be missing
  corten::Result<void> choose() {
    if (settings_.svg.empty()) return {};
    for (const std::string_view text : corten::io::split(settings_.plot, ',')) {
      auto picked = pick<S>(model_, probe_.ref().n, text);
      if (!picked && !settings_.chosen) continue;
      if (!picked) return picked.error();
      Panel& panel = figure_.panels.emplace_back();
      panel.title = picked->title;
      for (const auto& q : picked->quantities) panel.lines.push_back({q.label, {}});
      picks_.push_back(std::move(picked.value()));
    }
    return {};
  }

  // reports files that cannot be written before the run, and opens the one that grows with it
  corten::Result<void> open() {
    for (const std::string* path : {&settings_.svg, &settings_.picture}) {
      if (path->empty()) continue;
      if (auto done = check_writable(*path); !done) return done;
    }
    if (auto done = film_.open(); !done) return done;
    if (settings_.csv.empty()) return {};
    std::vector<std::string> names;
    for (const char* text : {"time", "qpos", "qvel", "act", "ctrl", "sensordata", "energy:0",
                             "energy:1", "ncon", "nefc", "solver_niter"}) {
      auto picked = pick<S>(model_, probe_.ref().n, text);
      if (!picked) continue;  // a model without sensors has no sensordata
      for (auto& q : picked->quantities) {
        names.push_back(q.label);
        columns_.push_back(std::move(q));
      }
    }
    file_.open(settings_.csv, std::ios::binary);
    corten::io::CsvWriter(file_).header(names);
    if (!file_) return corten::Error{{settings_.csv, 0, 0}, {}, "cannot write the file"};
    return {};
  }

  // the world at the state of `data`, with everything computed
  const corten::Data<S>& probe(const corten::Data<S>& data) {
    static_cast<void>(corten::copy_state(data, probe_, corten::state_integration));
    // ignore the status: the summary has already counted what this state reports
    static_cast<void>(corten::forward(model_, probe_));
    return probe_;
  }

  void record(const corten::Data<S>& data, int step, bool last = false) {
    const bool sample = step % settings_.every == 0 || last;
    const bool shoot = step % std::max(1, settings_.steps / 250) == 0 || last;
    const bool numbers = sample && (!settings_.csv.empty() || !settings_.svg.empty());
    const bool drawn = shoot && !settings_.picture.empty();
    const bool filmed = film_.due(static_cast<double>(data.time()), last);
    if (!numbers && !drawn && !filmed) return;
    const auto& now = probe(data);
    if (filmed) film_.add(now);
    if (drawn) scenes_.push_back(scene(model_, now, settings_.view));
    if (!numbers) return;
    if (!settings_.csv.empty()) write_row(now);
    figure_.x.push_back(static_cast<double>(now.time()));
    for (std::size_t p = 0; p < picks_.size(); ++p) {
      for (std::size_t k = 0; k < picks_[p].quantities.size(); ++k) {
        figure_.panels[p].lines[k].y.push_back(picks_[p].quantities[k](now.ref()));
      }
    }
  }

  // writes the files
  corten::Result<void> close() {
    if (auto done = film_.close(); !done) return done;
    if (!settings_.csv.empty()) {
      file_.close();
      if (!file_) return corten::Error{{settings_.csv, 0, 0}, {}, "cannot write the file"};
    }
    if (!settings_.svg.empty()) {
      figure_.title = settings_.title;
      figure_.x_label = "time (s)";
      if (auto done = corten::save_file(settings_.svg, plot_svg(figure_)); !done) return done;
    }
    if (settings_.picture.empty()) return {};
    return corten::save_file(settings_.picture,
                             picture_svg(by_motion(scenes_, 9), settings_.title));
  }

 private:
  void write_row(const corten::Data<S>& now) {
    row_.clear();
    for (const auto& q : columns_) row_.push_back(q(now.ref()));
    corten::io::CsvWriter(file_).row(row_);
  }

  const corten::Model<S>& model_;
  RecordSettings settings_;
  corten::Data<S> probe_;
  std::vector<Pick<S>> picks_;
  std::vector<Quantity<S>> columns_;
  std::vector<double> row_;
  std::vector<Scene> scenes_;
  Figure figure_;
  FilmOutput<S> film_;
  std::ofstream file_;
};

}  // namespace cli
