// SPDX-License-Identifier: Apache-2.0
//
// A pipeline is a list of stages. DefaultPipeline has MuJoCo's stages in MuJoCo's order; define
// your own by saying how it differs:
//
//     struct Wind {
//       template <class M, class D>
//       static void run(const M& m, const D& d) { … }        // adds to d.qfrc_passive
//     };
//     using Mine = DefaultPipeline::after<stages::Passive, Wind>::without<stages::Actuation>;
//     using MyPolicies = Policies<Mine>;
//
// A stage is any type with such a function. The fields that an omitted stage would have written
// keep the zeros that Data starts with. The lists are types, so your step is inlined just like the
// default one.
//
// When worlds are stepped in lanes (LaneBatch), such a stage runs world by world. A stage without
// branches, which compares scalars by select() and any() only, can run for all lanes at once if it
// says so:
//
//       static constexpr int lanes = in_packs;
#pragma once

#include <corten/pipeline/stages.hpp>

#include <type_traits>

namespace corten {

// what a stage must have
namespace stage_policy {

CORTEN_POLICY_NAMES(run)
CORTEN_POLICY_FUNCTION("stage", "pipeline/pipeline.hpp", run, "(m, d)")

struct Rules : detail::Rules<run> {};

}  // namespace stage_policy

template <class S>
concept StagePolicy = stage_policy::Rules::obeyed<S>;

// Stages that run one after the other.
template <class... S>
struct Stages {
  template <class Rules>
  using Complete = detail::Complete<Rules, S...>;

  template <class M, class D>
  CORTEN_FN static void run(const M& m, const D& d) {
    (S::run(m, d), ...);
  }

  template <class Stage>
  static constexpr bool has = (std::is_same_v<Stage, S> || ...);
};

namespace detail {

template <class... S>
struct Join {
  using type = Stages<>;
};
template <class... A>
struct Join<Stages<A...>> {
  using type = Stages<A...>;
};
template <class... A, class... B, class... More>
struct Join<Stages<A...>, Stages<B...>, More...> : Join<Stages<A..., B...>, More...> {};

// Replaces every stage S by the stages of Change<S>.
template <template <class> class Change, class List>
struct Transform;
template <template <class> class Change, class... S>
struct Transform<Change, Stages<S...>> : Join<Stages<>, typename Change<S>::type...> {};

template <class Anchor, class Instead>
struct Replace {
  template <class S>
  using At = std::conditional<std::is_same_v<S, Anchor>, Instead, Stages<S>>;
};

// A change of a pipeline refers to stages that it has. The pipeline is no parameter, because its
// name would hide that of the stage in the message.
template <class Stage, bool Found>
inline constexpr bool is_found = Found;
template <class Stage, bool Found>
struct Anchor {
  static_assert(is_found<Stage, Found>,
                "corten: the pipeline has no such stage to refer to; see pipeline/pipeline.hpp");
};

template <class... Out>
struct Leave {
  template <class S>
  using At = std::conditional<(std::is_same_v<S, Out> || ...), Stages<>, Stages<S>>;
};

}  // namespace detail

// Stages that depend on positions, then on velocities, then on forces. Readings (sensors, energy)
// look at the results of each of the three, and change nothing that a later stage needs.
template <class Position, class Velocity, class Acceleration, class Readings>
struct Pipeline {
  using position = Position;
  using velocity = Velocity;
  using acceleration = Acceleration;
  using readings = Readings;

  using Sound = detail::Sound<Pipeline, typename Position::template Complete<stage_policy::Rules>,
                              typename Velocity::template Complete<stage_policy::Rules>,
                              typename Acceleration::template Complete<stage_policy::Rules>,
                              typename Readings::template Complete<reading_policy::Rules>>;

  template <class Stage>
  static constexpr bool has = Position::template has<Stage> || Velocity::template has<Stage> ||
                              Acceleration::template has<Stage> || Readings::template has<Stage>;

 private:
  template <template <class> class Change>
  using changed = Pipeline<typename detail::Transform<Change, Position>::type,
                           typename detail::Transform<Change, Velocity>::type,
                           typename detail::Transform<Change, Acceleration>::type,
                           typename detail::Transform<Change, Readings>::type>;

  template <class Anchor, class... S>
  struct Replaced {
    static_assert(sizeof(detail::Anchor<Anchor, has<Anchor>>) > 0);
    using type = changed<detail::Replace<Anchor, Stages<S...>>::template At>;
  };
  template <class... S>
  struct Reduced {
    static_assert(((sizeof(detail::Anchor<S, has<S>>) > 0) && ...));
    using type = changed<detail::Leave<S...>::template At>;
  };

 public:
  // the same pipeline with stages S inserted before, after or in place of the stage Anchor
  template <class Anchor, class... S>
  using before = typename Replaced<Anchor, S..., Anchor>::type;
  template <class Anchor, class... S>
  using after = typename Replaced<Anchor, Anchor, S...>::type;
  template <class Anchor, class... S>
  using replace = typename Replaced<Anchor, S...>::type;

  // the same pipeline without stages S
  template <class... S>
  using without = typename Reduced<S...>::type;
};

using DefaultPipeline =
    Pipeline<Stages<stages::Kinematics, stages::Com, stages::Flex, stages::Tendon, stages::Inertia,
                    stages::Factor, stages::Collision, stages::SoftDetection, stages::Constraint,
                    stages::Transmission>,
             Stages<stages::Velocity, stages::Passive, stages::Bias, stages::Reference>,
             Stages<stages::Actuation, stages::Acceleration, stages::Solve, stages::SoftDynamics>,
             Stages<stages::Cameras, stages::Sensing, stages::Energy>>;
template <>
inline constexpr bool detail::is_default<DefaultPipeline> = true;

}  // namespace corten
