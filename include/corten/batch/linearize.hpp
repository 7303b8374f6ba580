// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of many worlds, on threads: A and B of a step of each, or the adjoint of one.
//
//     corten::BatchLinearizer<double> linearize(model, batch.worlds().threads());
//     linearize(batch, transitions);                    // one Transition per world
//     linearize.pullback(batch, next, gradients);       // rows of λ', rows of λ and ∇u
//
// Every thread has a Linearizer of its own, so the results do not depend on their number. Worlds in
// lanes are differentiated one by one, as on threads: what takes the time are matrices, whose
// columns fill the lanes already.
#pragma once

#include <corten/batch/parallel.hpp>
#include <corten/derive/linearizer.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace corten {

template <class T, class P = DefaultPolicies>
class BatchLinearizer {
 public:
  using Linearizer = derive::Linearizer<T, 8, P>;

  explicit BatchLinearizer(const Model<T>& model, int threads = default_threads())
      : model_(model), threads_(std::max(1, threads)) {
    for (int i = 0; i < threads_; ++i) linearizers_.emplace_back(model);
  }
  explicit BatchLinearizer(const Model<T>&&, int = 0) = delete;

  // calls f(linearizer) for the one of each thread, to set its options
  template <class F>
  void each_linearizer(F&& f) {
    for (Linearizer& x : linearizers_) f(x);
  }

  // A and B of world i to out[i], for as many worlds as there are in both. Worlds are indexed:
  // worlds[i] is a Data, as in a Batch or a vector of Data. Allocates nothing if `out` has been
  // used before.
  template <class Worlds>
  void operator()(const Worlds& worlds, std::span<derive::Transition<T>> out) {
    const int count = std::min(static_cast<int>(worlds.size()), static_cast<int>(out.size()));
    parallel_for(count, threads_, [&](int i) {
      out[static_cast<std::size_t>(i)] = own()(model_, world(worlds, i));
    });
  }

  // The adjoint of a step of each world. Row i of `next` is λ' of world i, nx numbers; row i of
  // `out` becomes its λ and ∇u, nx + nu numbers. status[i] has bad_argument if a row is missing.
  template <class Worlds>
  void pullback(const Worlds& worlds, std::span<const T> next, std::span<T> out,
                std::span<Status> status) {
    const auto nx = static_cast<std::size_t>(2 * model_.n.nv + model_.n.na);
    const std::size_t all = nx + static_cast<std::size_t>(model_.n.nu);
    const int count = std::min(static_cast<int>(worlds.size()), static_cast<int>(status.size()));
    parallel_for(count, threads_, [&](int i) {
      const auto k = static_cast<std::size_t>(i);
      if ((k + 1) * nx > next.size() || (k + 1) * all > out.size()) {
        status[k] = Status{bad_argument};
        return;
      }
      const auto& g = own().pullback(model_, world(worlds, i), next.data() + k * nx);
      std::copy(g.inputs.begin(), g.inputs.end(), out.data() + k * all);
      status[k] = g.status;
    });
  }

 private:
  Linearizer& own() { return linearizers_[static_cast<std::size_t>(thread_index() % threads_)]; }

  template <class Worlds>
  static const Data<T>& world(const Worlds& worlds, int i) {
    if constexpr (requires { worlds.world_view(i); }) {
      return worlds[i];
    } else {
      return worlds[static_cast<std::size_t>(i)];
    }
  }

  const Model<T>& model_;
  int threads_;
  std::vector<Linearizer> linearizers_;
};

}  // namespace corten
