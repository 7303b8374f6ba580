// SPDX-License-Identifier: Apache-2.0
//
// A line at the bottom of the terminal that says what the program is doing: which file it loads,
// how far a run is, how long it will take. It is redrawn ten times per second by a thread of its
// own, because loading a large model and stepping it can each take many seconds. Where the stream
// is not a terminal, nothing is written and no thread is started.
#pragma once

#include "terminal.hpp"
#include "ticker.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>

namespace cli {

// a duration in the largest units that matter: 4 s, 2:05, 1:00:00
inline std::string duration(double seconds) {
  const long all = static_cast<long>(std::clamp(seconds, 0.0, 3.6e6) + 0.5);
  char text[32];
  if (all < 60) {
    std::snprintf(text, sizeof text, "%ld s", all);
  } else if (all < 3600) {
    std::snprintf(text, sizeof text, "%ld:%02ld", all / 60, all % 60);
  } else {
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", all / 3600, all / 60 % 60, all % 60);
  }
  return text;
}

class Progress {
 public:
  Progress(std::FILE* stream, bool wanted) : stream_(stream) {
    if (wanted && is_terminal(stream)) ticker_.emplace([this] { draw(); });
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  // names what is being done; how long it takes is not known
  void begin(std::string what) {
    const std::lock_guard lock(mutex_);
    what_ = std::move(what);
    share_ = 0;
    since_ = Clock::now();
  }

  // The share that is done, between 0 and 1. Before anything is done, the line of begin() stays.
  void update(double share, std::string note) {
    if (!ticker_ || !(share > 0)) return;
    const std::lock_guard lock(mutex_);
    share_ = share;
    what_ = std::move(note);
  }

  // removes the line until the next begin() or update()
  void clear() {
    const std::lock_guard lock(mutex_);
    what_.clear();
    if (shown_) std::fputs("\r\033[K", stream_);
    std::fflush(stream_);
    shown_ = false;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void draw() {
    const std::lock_guard lock(mutex_);
    if (what_.empty()) return;
    const double elapsed = std::chrono::duration<double>(Clock::now() - since_).count();
    std::string note = what_;
    if (share_ > 0) {
      note += "  " + duration(elapsed * (1 - share_) / share_) + " left";
    } else {
      note += "  " + duration(elapsed);
    }
    // a line that wraps would not be redrawn but repeated
    const int columns = terminal_size(stream_).columns;
    const int width = share_ > 0 ? std::min(32, columns - 30) : 0;
    std::string line = width > 0 ? bar(share_, width) + " " : "";
    if (share_ > 0) {
      char percent[16];
      std::snprintf(percent, sizeof percent, "%3.0f %%  ", 100 * share_);
      line += percent;
    }
    const int room = columns - 2 - (share_ > 0 ? std::max(width, 0) + 8 : 0);
    line += first_columns(note, static_cast<std::size_t>(std::max(room, 0)));
    std::fprintf(stream_, "\r%s\033[K", line.c_str());
    std::fflush(stream_);
    shown_ = true;
  }

  std::FILE* stream_;
  std::mutex mutex_;
  std::string what_;
  double share_ = 0;
  bool shown_ = false;
  Clock::time_point since_{};
  std::optional<Ticker> ticker_;  // the last member: it uses the others
};

}  // namespace cli
