// SPDX-License-Identifier: Apache-2.0
//
// Random numbers that are the same everywhere; those of std::uniform_real_distribution and the like
// differ between standard libraries.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace support {

// uniform numbers in [-1, 1] (splitmix64)
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double operator()() { return double(bits() >> 11) * 0x1p-52 - 1; }
  std::uint64_t bits() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

// Random decisions. Numbers have three decimals, so that a printed model is readable. Draw several
// at a time only in braces, because the compiler chooses the order in which the arguments of a call
// are evaluated.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  double unit() { return double(random_.bits() >> 11) * 0x1p-53; }
  bool chance(double p) { return unit() < p; }
  int below(int n) { return int(random_.bits() % std::uint64_t(n)); }
  double in(double low, double high) {
    return std::round((low + (high - low) * unit()) * 1000) / 1000;
  }
  template <class T>
  T pick(std::initializer_list<T> from) {
    return from.begin()[below(int(from.size()))];
  }
  template <class List>
  const auto& of(const List& list) {
    return list[std::size_t(below(int(list.size())))];
  }

 private:
  Random random_;
};

}  // namespace support
