// SPDX-License-Identifier: Apache-2.0
#include <corten/data/history.hpp>
#include <corten/scalar/dual.hpp>

#include "../support/catch.hpp"

#include <vector>

using namespace corten;

namespace {

// n samples of two numbers
template <class S>
struct Buffer {
  int n;
  std::vector<S> memory;

  explicit Buffer(int samples) : n(samples), memory(std::size_t(history_size(samples, 2))) {
    clear_history(field(), n, 2, S(7));
    for (int k = 0; k < n; ++k) memory[std::size_t(2 + k)] = S(k - n);
  }
  Field<S> field() { return {memory.data(), {}}; }
  void push(S t, S x) {
    S values[] = {x, S(10) * x};
    push_history(field(), n, 2, t, Field<S>{values, {}});
  }
  S read(S t, Interpolation how = Interpolation::zoh, int component = 0) {
    S out[2];
    read_history(field(), n, 2, t, how, Field<S>{out, {}});
    return out[component];
  }
};

}  // namespace

TEST_CASE("a history keeps the newest samples in the order of time", "[data][history]") {
  Buffer<double> h(3);
  CHECK(h.memory[0] == 7);
  for (int k = 0; k < 4; ++k) h.push(k, 100 + k);
  CHECK(h.read(5) == 103);  // constant beyond the ends
  CHECK(h.read(0) == 101);
  CHECK(h.read(2) == 102);
  CHECK(h.read(2.9) == 102);
  CHECK(h.read(2, Interpolation::zoh, 1) == 1020);

  h.push(3, 5);  // at the same time: replaced
  CHECK(h.read(3) == 5);
  h.push(2.5, 6);  // in between: the oldest is dropped
  CHECK(h.read(2.6) == 6);
  CHECK(h.read(1.5) == 102);
  h.push(0.5, 8);  // older than all: replaces the oldest
  CHECK(h.read(1) == 8);
  CHECK(h.read(2.5) == 6);
  CHECK(h.memory[0] == 7);
}

TEST_CASE("a history is read between its samples", "[data][history]") {
  Buffer<double> h(5);
  const auto cubic = [](double t) { return t * t * t; };
  for (int k = 0; k < 5; ++k) h.push(k, cubic(k));
  CHECK(near(h.read(1.25, Interpolation::linear), 1 + 0.25 * 7, 1e-12));
  // Catmull-Rom: slopes from the neighbours, (8 - 0)/2 and (27 - 1)/2
  const double x = 0.25, m1 = 4, m2 = 13;
  const double expected = (2 * x * x * x - 3 * x * x + 1) * 1 + (x * x * x - 2 * x * x + x) * m1 +
                          (3 * x * x - 2 * x * x * x) * 8 + (x * x * x - x * x) * m2;
  CHECK(near(h.read(1.25, Interpolation::cubic), expected, 1e-12));
  // a line stays a line, except next to the ends, where the slope is 0
  Buffer<double> line(5);
  for (int k = 0; k < 5; ++k) line.push(k, k);
  CHECK(near(line.read(1.7, Interpolation::cubic), 1.7, 1e-12));
  CHECK(near(line.read(0.5, Interpolation::cubic), 0.5 - 0.125, 1e-12));
}

TEST_CASE("samples carry derivatives", "[data][history]") {
  using D = Dual<double, 2>;
  Buffer<D> h(3);
  h.push(D(0), D(1, 0));
  h.push(D(1), D(3, 1));
  const D mid = h.read(D(0.25), Interpolation::linear);
  CHECK(near(mid.a, 1.5, 1e-12));
  CHECK(near(mid.v[0], 0.75, 1e-12));
  CHECK(near(mid.v[1], 0.25, 1e-12));
}
