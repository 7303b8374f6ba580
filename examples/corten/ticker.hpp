// SPDX-License-Identifier: Apache-2.0
//
// Calls a function ten times per second on a thread of its own, for what must not wait until a long
// computation returns: a progress bar, an interrupt.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace cli {

class Ticker {
 public:
  explicit Ticker(std::function<void()> tick)
      : tick_(std::move(tick)), thread_([this] { run(); }) {}
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;
  ~Ticker() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, std::chrono::milliseconds(100), [this] { return done_; })) tick_();
  }

  std::function<void()> tick_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool done_ = false;
  std::thread thread_;  // the last member: it uses the others
};

}  // namespace cli
