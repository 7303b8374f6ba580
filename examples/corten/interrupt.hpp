// SPDX-License-Identifier: Apache-2.0
//
// Ctrl-C ends a run early but cleanly: what was recorded is still written. A second Ctrl-C kills
// the program.
#pragma once

#include <csignal>

namespace cli {

class Interrupt {
 public:
  Interrupt() {
    std::signal(SIGINT, note);
    std::signal(SIGTERM, note);
  }
  ~Interrupt() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
  }
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // the signal that arrived, or 0
  int signal() const { return arrived; }

 private:
  static void note(int signal) {
    arrived = signal;
    std::signal(signal, SIG_DFL);
  }

  static inline volatile std::sig_atomic_t arrived = 0;
};

}  // namespace cli
