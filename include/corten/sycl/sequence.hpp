// SPDX-License-Identifier: Apache-2.0
//
// A rollout as a sequence of kernels, derived from the pipeline's lists of stages: no stage is
// written twice, and a stage of yours becomes a kernel like any other. The sequence itself runs on
// the host. It launches what the model needs: a kernel of a stage that is idle for this model
// (stages.hpp) is neither launched nor, where kernels are compiled at run time, compiled.
//
// Worlds do not decide what is launched. A world that has failed, or that does not take part in a
// pass, says so in its Progress, and its work items return at once. So nothing is read back from
// the device between the steps of a rollout.
//
// Why not a single kernel: compilers for devices inline everything. The default pipeline in one
// piece becomes 7.5 million instructions, and would take the registers of its hungriest part
// throughout. In pieces, no kernel has 300,000 (tests/gate). Where functions stay functions, a
// single kernel is the faster choice, because a world then stays in the caches (Whole).
#pragma once

#include <corten/solver/together.hpp>
#include <corten/sycl/kernel.hpp>
#include <corten/sycl/pair_lists.hpp>

#include <type_traits>

namespace corten {

// How the stages of a pipeline are divided into kernels.
struct Apart {};  // one kernel per stage or part of a stage
struct Fused {};  // the same, but neighbours that are small share a kernel
struct Whole {};  // one kernel for all steps; devices whose compiler inlines everything refuse it

namespace detail {

// a stage as a single part
template <class Stage>
struct WholeStage {
  template <class M, class D>
  CORTEN_FN void operator()(const M& m, const D& d) const {
    Stage::run(m, d);
  }
};

// one of the functions of a reading
#define CORTEN_READING_PART(Name, function)                   \
  template <class R>                                          \
  struct Name {                                               \
    template <class M, class D>                               \
    CORTEN_FN void operator()(const M& m, const D& d) const { \
      R::function(m, d);                                      \
    }                                                         \
  };
CORTEN_READING_PART(AfterPosition, after_position)
CORTEN_READING_PART(AfterVelocity, after_velocity)
CORTEN_READING_PART(AfterAcceleration, after_acceleration)
#undef CORTEN_READING_PART

// what a step adds to the histories of sensors
template <Stage When>
struct RememberStage {
  template <class M, class D>
  CORTEN_FN void operator()(const M& m, const D& d) const {
    remember_stage<When>(m, d);
  }
};

// the comparison of forward and inverse dynamics
struct CompareInverse {
  template <class M, class D>
  CORTEN_FN void operator()(const M& m, const D& d) const {
    compare_inverse(m, d);
  }
};

// does a stage do nothing for this model?
template <class S, class M>
bool is_idle(const M& m) {
  if constexpr (requires { S::idle(m); }) {
    return S::idle(m);
  } else {
    return false;
  }
}

// f(part) for all parts of a stage; `servers` is for the one that collides
template <class S, class M, class F>
void each_part(const M& m, const ServerNumbers& servers, F&& f) {
  if (is_idle<S>(m)) return;
  if constexpr (requires { S::parts(m, servers, f); }) {
    S::parts(m, servers, f);
  } else if constexpr (requires { S::parts(m, f); }) {
    S::parts(m, f);
  } else {
    f(WholeStage<S>{});
  }
}

// May a stage share a kernel with its neighbours? Large ones, and those that can be idle, have
// their own.
template <class S>
concept Small = requires {
  requires S::small;
};

// Neighbouring small stages become one: those that are done, those that are being joined, the rest.
template <class Done, class Open, class... S>
struct FuseSmall;
template <class... Done>
struct FuseSmall<Stages<Done...>, Stages<>> {
  using type = Stages<Done...>;
};
template <class... Done, class... Open>
requires(sizeof...(Open) > 0) struct FuseSmall<Stages<Done...>, Stages<Open...>> {
  using type = Stages<Done..., Stages<Open...>>;
};
template <class... Done, class... Open, Small S, class... Rest>
struct FuseSmall<Stages<Done...>, Stages<Open...>, S, Rest...>
    : FuseSmall<Stages<Done...>, Stages<Open..., S>, Rest...> {};
template <class... Done, class S, class... Rest>
requires(!Small<S>) struct FuseSmall<Stages<Done...>, Stages<>, S, Rest...>
    : FuseSmall<Stages<Done..., S>, Stages<>, Rest...> {
};
template <class... Done, class... Open, class S, class... Rest>
requires(!Small<S> &&
         sizeof...(Open) > 0) struct FuseSmall<Stages<Done...>, Stages<Open...>, S, Rest...>
    : FuseSmall<Stages<Done..., Stages<Open...>, S>, Stages<>, Rest...> {
};

// the stages of a list, as a division wants them
template <class Division, class... S>
auto divided(Stages<S...> list) {
  if constexpr (std::is_same_v<Division, Fused>) {
    return typename FuseSmall<Stages<>, Stages<>, S...>::type{};
  } else {
    return list;
  }
}

}  // namespace detail

// The kernels of a rollout. launch(kernel, items) runs kernel(i) for i < items, and each launch
// before the next. launch.team_memory() is how many bytes a team of threads may share, or 0 if
// there are no teams; launch.teams(kernel, worlds, bytes) runs kernel(team, i, room) for i < worlds
// by all threads of a team.
template <class Division, class W, class M, class Launch>
class Sequence {
  static_assert(!std::is_same_v<Division, Whole>, "corten: a single kernel is no sequence");
  using S = typename W::Scalar;
  using Pipeline = typename M::Policies::Pipeline;

 public:
  // `model` is on the host; its sizes and options decide what is launched. `servers` are what
  // number_servers() has found for it.
  Sequence(const W* worlds, const M& model, const ServerNumbers& servers, int count,
           const DataSizes& sizes, Launch& launch)
      : worlds_(worlds), m_(model), count_(count), n_(sizes), servers_(servers), launch_(launch) {}

  // Steps from … to - 1 of a rollout.
  void steps(const RolloutRef<S>& r, int from, int to) {
    for (int k = from; k < to; ++k) step(r, k);
  }

  template <class Action>
  void control(const Action& action) {
    launch_(ControlKernel<W, Action>{worlds_, action}, static_cast<std::size_t>(count_));
  }

 private:
  template <class Part>
  void part(const Part& p) {
    if constexpr (requires { p.idle(n_); }) {
      if (p.idle(n_)) return;
    }
    const auto worlds = static_cast<std::size_t>(count_);
    if constexpr (range_of<Part> == Over::item) {
      const auto items = static_cast<std::size_t>(p.items(n_));
      if (items > 0) launch_(ItemKernel<W, Part>{worlds_, p}, worlds * items);
    } else if constexpr (requires { Part::items_for(count_, n_); }) {
      const std::size_t items = Part::items_for(count_, n_);
      if (items > 0) launch_(BatchKernel<W, Part>{worlds_, p}, items);
    } else if constexpr (range_of<Part> == Over::batch) {
      launch_(BatchKernel<W, Part>{worlds_, p}, Part::items(count_, servers_));
    } else if constexpr (range_of<Part> == Over::team) {
      decltype(worlds_->data(0)) sizes;  // only its type and its sizes are looked at
      sizes.n = n_;
      const int bytes = p.together(n_) ? p.room(m_, sizes, launch_.team_memory()) : 0;
      if (bytes > 0) {
        launch_.teams(TeamKernel<W, Part>{worlds_, p}, worlds, bytes);
      } else {
        launch_(PartKernel<W, Part>{worlds_, p}, worlds);
      }
    } else {
      launch_(PartKernel<W, Part>{worlds_, p}, worlds);
    }
  }

  template <class... St>
  void stages(Stages<St...>) {
    (detail::each_part<St>(m_, servers_, [&](const auto& p) { part(p); }), ...);
  }

#define CORTEN_READ(function, Part)                                                \
  void read_##function(bool trial) {                                               \
    detail::each_reading(typename Pipeline::readings{}, trial, [&](auto reading) { \
      using R = decltype(reading);                                                 \
      if constexpr (reading_policy::names_##function<R>) {                         \
        if (detail::is_idle<R>(m_)) return;                                        \
        const auto launch = [&](const auto& p) { part(p); };                       \
        if constexpr (requires { R::parts_##function(m_, launch); }) {             \
          R::parts_##function(m_, launch);                                         \
        } else {                                                                   \
          part(detail::Part<R>{});                                                 \
        }                                                                          \
      }                                                                            \
    });                                                                            \
  }
  CORTEN_READ(after_position, AfterPosition)
  CORTEN_READ(after_velocity, AfterVelocity)
  CORTEN_READ(after_acceleration, AfterAcceleration)
#undef CORTEN_READ

  void after_positions(bool trial) {
    control(control::CheckRoom{});
    read_after_position(trial);
    after_velocities(trial);
  }
  void after_velocities(bool trial) {
    stages(detail::divided<Division>(typename Pipeline::velocity{}));
    read_after_velocity(trial);
    stages(detail::divided<Division>(typename Pipeline::acceleration{}));
    read_after_acceleration(trial);
  }

  // all stages, as forward() runs them
  void pass(bool trial) {
    if (m_.opt.enabled(enable_sleep)) {
      control(control::BeginSettling{});
      stages(detail::divided<Division>(typename Pipeline::position{}));
      after_positions(false);
      control(control::EndSettling{});
    }
    stages(detail::divided<Division>(typename Pipeline::position{}));
    after_positions(trial);
  }

  // the histories of sensors
  void remember() {
    if constexpr (Pipeline::template has<stages::Sensing>) {
      if (!detail::remembers_readings(m_)) return;
      part(detail::RememberStage<Stage::position>{});
      part(detail::RememberStage<Stage::velocity>{});
      part(detail::RememberStage<Stage::acceleration>{});
    }
  }

  void rk4() {
    control(control::BeginRk4{});
    for (int stage = 1; stage < 4; ++stage) {
      control(control::TryState{stage});
      pass(true);
      control(control::AddRates{stage});
    }
    control(control::RestoreState{});
    remember();
    control(control::EndRk4{});
  }

  void step(const RolloutRef<S>& r, int k) {
    control(control::BeginStep<S>{r, k});
    pass(false);
    control(control::CheckPass{});
    if (m_.opt.enabled(enable_fwdinv)) part(detail::CompareInverse{});
    bool done = false;
    if constexpr (M::Policies::Integrators::has(Integrator::rk4)) {
      if (is_rk4(m_)) rk4(), done = true;
    }
    if (!done) {
      remember();
      M::Policies::Integrators::visit(m_.opt.integrator, [&](auto method) {
        if constexpr (method != Integrator::rk4) {
          control(control::Integrate<decltype(method)::value>{});
        }
      });
    }
    if (m_.opt.enabled(enable_sleep)) {
      control(control::BeginFallen{});
      after_velocities(false);
      control(control::EndFallen{});
    }
    control(control::EndStep<S>{r, k});
  }

  const W* worlds_;
  const M& m_;
  int count_;
  DataSizes n_;
  const ServerNumbers& servers_;
  Launch& launch_;
};

}  // namespace corten
