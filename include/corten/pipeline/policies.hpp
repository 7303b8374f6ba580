// SPDX-License-Identifier: Apache-2.0
//
// Policies: what a pipeline knows and does, decided at compile time. Name what differs from the
// defaults, in any order:
//
//     using Mine = Policies<Joints<Hinge>, Geoms<Plane, Sphere>, Solvers<Solver::newton>>;
//
//   Joints<…> Geoms<…>      kinds of joints and geoms, including your own
//   Colliders<…>            pairs of geoms that can touch; default: the library's pairs
//   ContactRules<…>         which geoms touch, and what becomes of a contact (collide/rules.hpp)
//   Constraints<…>          kinds of constraints, including your own
//   Sensors<…>              kinds of sensors
//   Actuators<…>            kinds of gains, biases and activation dynamics
//   Softs<…>                kinds of soft bodies and of their constraints (soft/kinds.hpp)
//   Solvers<…> Integrators<…> Cones<…>   methods that a model may ask for (core/choices.hpp)
//   Pipeline<…>             the stages (pipeline.hpp)
//
// What is not listed is not compiled. bind() checks that the policies cover a model, and returns a
// view of the model that carries them.
#pragma once

#include <corten/actuator/actuators.hpp>
#include <corten/collide/default_colliders.hpp>
#include <corten/collide/rules.hpp>
#include <corten/constraint/constraints.hpp>
#include <corten/core/choices.hpp>
#include <corten/core/result.hpp>
#include <corten/core/words.hpp>
#include <corten/flex/stiffness.hpp>
#include <corten/geom/geoms.hpp>
#include <corten/joint/joints.hpp>
#include <corten/model/model_ref.hpp>
#include <corten/pipeline/pipeline.hpp>
#include <corten/sensor/sensors.hpp>
#include <corten/soft/kinds.hpp>
#include <corten/spec/keywords.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace corten {

namespace detail {

enum class Role {
  joints,
  geoms,
  constraints,
  sensors,
  actuators,
  contact_rules,
  softs,
  pipeline,  // the last whose kinds are checked
  colliders,
  solvers,
  integrators,
  cones,
  none
};
template <Role R>
using Is = std::integral_constant<Role, R>;

// The role of an argument of Policies. A struct derived from a list counts as that list.
template <class... K>
Is<Role::joints> role_of(const Joints<K...>*);
template <class... K>
Is<Role::geoms> role_of(const Geoms<K...>*);
template <class... K>
Is<Role::colliders> role_of(const Colliders<K...>*);
template <class... K>
Is<Role::contact_rules> role_of(const ContactRules<K...>*);
template <class... K>
Is<Role::constraints> role_of(const Constraints<K...>*);
template <class... K>
Is<Role::sensors> role_of(const Sensors<K...>*);
template <class... K>
Is<Role::actuators> role_of(const Actuators<K...>*);
template <class... K>
Is<Role::softs> role_of(const Softs<K...>*);
template <Solver... V>
Is<Role::solvers> role_of(const Solvers<V...>*);
template <Integrator... V>
Is<Role::integrators> role_of(const Integrators<V...>*);
template <Cone... V>
Is<Role::cones> role_of(const Cones<V...>*);
template <class A, class B, class C, class D>
Is<Role::pipeline> role_of(const Pipeline<A, B, C, D>*);
Is<Role::none> role_of(...);

template <class C>
inline constexpr Role role = decltype(role_of(static_cast<C*>(nullptr)))::value;

// An argument of Policies that is no list, for one a kind instead of a list of kinds, or two lists
// for the same thing.
template <class C>
inline constexpr bool is_list = role<C> != Role::none;
template <class C>
struct PoliciesArgument {
  static_assert(is_list<C>,
                "corten: Policies takes Joints, Geoms, Colliders, ContactRules, Constraints, "
                "Sensors, Actuators, Softs, Solvers, Integrators, Cones and a Pipeline; see "
                "pipeline/policies.hpp");
};
struct PoliciesRole {
  template <class C>
  static constexpr int number() {
    return role<C> == Role::none ? -1 : static_cast<int>(role<C>);
  }
  template <class First, class Second>
  static constexpr bool differ = role<First> == Role::none || role<First> != role<Second>;
  template <class First, class Second>
  struct Of {
    static_assert(differ<First, Second>,
                  "corten: Policies takes one list of each kind; see pipeline/policies.hpp");
  };
};

// A list with a kind that was refused is not used, so that no stage fails because of it as well.
template <class C>
inline constexpr bool is_usable = role<C> > Role::pipeline || requires {
  requires C::Sound::value;
};

// The argument with that role, or the default.
template <Role R, class Default, class... C>
struct Pick {
  using type = Default;
};
template <Role R, class Default, class First, class... Rest>
struct Pick<R, Default, First, Rest...> {
  using type = typename std::conditional_t<role<First> == R && is_usable<First>, Pick<R, First>,
                                           Pick<R, Default, Rest...>>::type;
};

template <class Geoms>
struct CollidersFor {
  using type = DefaultColliders::among<Geoms>;
};
template <>
struct CollidersFor<DefaultGeoms> {
  using type = DefaultColliders;
};

}  // namespace detail

template <class... C>
struct Policies {
  static_assert(((sizeof(detail::PoliciesArgument<C>) > 0) && ...));
  static_assert(sizeof(detail::Distinct<detail::PoliciesRole, C...>) > 0);

  using Joints = typename detail::Pick<detail::Role::joints, DefaultJoints, C...>::type;
  using Geoms = typename detail::Pick<detail::Role::geoms, DefaultGeoms, C...>::type;
  using Colliders = typename detail::Pick<detail::Role::colliders,
                                          typename detail::CollidersFor<Geoms>::type, C...>::type;
  using ContactRules =
      typename detail::Pick<detail::Role::contact_rules, corten::ContactRules<>, C...>::type;
  using Constraints =
      typename detail::Pick<detail::Role::constraints, DefaultConstraints, C...>::type;
  using Sensors = typename detail::Pick<detail::Role::sensors, DefaultSensors, C...>::type;
  using Actuators = typename detail::Pick<detail::Role::actuators, DefaultActuators, C...>::type;
  using Softs = typename detail::Pick<detail::Role::softs, DefaultSofts, C...>::type;
  using Solvers = typename detail::Pick<detail::Role::solvers, DefaultSolvers, C...>::type;
  using Integrators =
      typename detail::Pick<detail::Role::integrators, DefaultIntegrators, C...>::type;
  using Cones = typename detail::Pick<detail::Role::cones, DefaultCones, C...>::type;
  using Pipeline = typename detail::Pick<detail::Role::pipeline, DefaultPipeline, C...>::type;
};

// Everything that MJCF knows. A struct, so that symbols and messages show its name instead of its
// lists.
struct DefaultPolicies : Policies<> {};

namespace detail {

// Index of the first joint that the policies do not know, or -1.
template <class P, class M>
CORTEN_FN int uncovered_joint(const M& m) {
  for (int j = 0; j < m.n.njnt; ++j) {
    if (!P::Joints::has(static_cast<JointType>(m.jnt_type[j]))) return j;
  }
  return -1;
}

// Index of the first candidate pair that the policies cannot collide, or -1.
template <class P, class M>
CORTEN_FN int uncovered_candidate(const M& m) {
  for (int c = 0; c < m.n.ncandidate; ++c) {
    const auto a = static_cast<GeomType>(m.geom_type[m.candidate_geom[2 * c]]);
    const auto b = static_cast<GeomType>(m.geom_type[m.candidate_geom[2 * c + 1]]);
    if (!P::Colliders::has(a, b)) return c;
  }
  return -1;
}

// Index of the first equality constraint that the policies do not know, or -1.
template <class P, class M>
CORTEN_FN int uncovered_equality(const M& m) {
  for (int e = 0; e < m.n.neq; ++e) {
    if (!P::Constraints::has(static_cast<EqualityType>(m.eq_type[e]))) return e;
  }
  return -1;
}

// Index of the first sensor that the policies cannot read, or cannot read with its dimension at its
// stage; or -1.
template <class P, class M>
CORTEN_FN int uncovered_sensor(const M& m) {
  for (int i = 0; i < m.n.nsensor; ++i) {
    if (!P::Sensors::fits(m.sensor_type[i], m.sensor_needstage[i], m.sensor_dim[i])) return i;
  }
  return -1;
}

// Index of the first actuator with a gain, bias or dynamics that the policies do not know, or -1.
template <class P, class M>
CORTEN_FN int uncovered_actuator(const M& m) {
  for (int a = 0; a < m.n.nactuator; ++a) {
    if (!P::Actuators::has(static_cast<GainType>(m.actuator_gaintype[a])) ||
        !P::Actuators::has(static_cast<BiasType>(m.actuator_biastype[a])) ||
        !P::Actuators::has(static_cast<DynamicsType>(m.actuator_dyntype[a]))) {
      return a;
    }
  }
  return -1;
}

// Index of the first soft body of a kind that the policies do not know, or with such a constraint,
// or that may meet a geom that no sphere can touch; or -1.
template <class P, class M>
CORTEN_FN int uncovered_soft(const M& m) {
  for (int s = 0; s < m.n.nsoft; ++s) {
    if (!P::Softs::has_body(m.soft_type[s])) return s;
    const int first = m.soft_conadr[s];
    for (int c = first; c < first + m.soft_connum[s]; ++c) {
      if (!P::Softs::has_constraint(m.softcon_type[c])) return s;
    }
  }
  return -1;
}

// Index of the first distance sensor whose geoms no collider knows, or -1, and these geoms. Pairs
// of planes have no distance.
template <class P, class M>
CORTEN_FN int uncovered_distance(const M& m, int& g1, int& g2) {
  for (int i = 0; i < m.n.nsensor; ++i) {
    const auto type = static_cast<SensorType>(m.sensor_type[i]);
    if (type < SensorType::distance || type > SensorType::fromto) continue;
    const bool body1 = static_cast<ObjectType>(m.sensor_objtype[i]) == ObjectType::body;
    const bool body2 = static_cast<ObjectType>(m.sensor_reftype[i]) == ObjectType::body;
    const int id1 = m.sensor_objid[i], id2 = m.sensor_refid[i];
    const int first1 = body1 ? m.body_geomadr[id1] : id1,
              first2 = body2 ? m.body_geomadr[id2] : id2;
    const int end1 = first1 + (body1 ? m.body_geomnum[id1] : 1);
    const int end2 = first2 + (body2 ? m.body_geomnum[id2] : 1);
    for (g1 = first1; g1 < end1; ++g1) {
      for (g2 = first2; g2 < end2; ++g2) {
        const auto a = static_cast<GeomType>(m.geom_type[g1]);
        const auto b = static_cast<GeomType>(m.geom_type[g2]);
        const bool flat = a <= GeomType::hfield && b <= GeomType::hfield;
        if (!flat && !P::Colliders::has(a, b)) return i;
      }
    }
  }
  return -1;
}
template <class P, class M>
CORTEN_FN int uncovered_distance(const M& m) {
  int g1 = 0, g2 = 0;
  return uncovered_distance<P>(m, g1, g2);
}

// What a model asks of its flexes that they cannot do
enum class FlexGap { none, passive, portal };

// the first flex that cannot be stepped as the model asks, or -1, and why
template <class M>
CORTEN_FN int uncovered_flex(const M& m, FlexGap& why) {
  for (int f = 0; f < m.n.nflex; ++f) {
    const int type = m.flex_contype[f], affinity = m.flex_conaffinity[f];
    why = FlexGap::passive;
    if (!m.flex_rigid[f] && m.flex_passive[f] && !has_flex_metric(m)) return f;
    why = FlexGap::portal;
    if ((type != 0 || affinity != 0) && m.opt.disabled(disable_nativeccd)) return f;
  }
  why = FlexGap::none;
  return -1;
}
template <class M>
CORTEN_FN bool covers_flexes(const M& m) {
  FlexGap why;
  return uncovered_flex(m, why) < 0;
}

CORTEN_COLD Error flex_gap_error(std::string element, FlexGap why) {
  if (why == FlexGap::passive) {
    return {
        {},
        std::move(element),
        "has passive contacts, which need the implicit metric",
        "use solver=\"CG\", integrator=\"implicit\" or \"implicitfast\", pyramidal cones and no "
        "sleep"};
  }
  return {{},
          std::move(element),
          "may collide, but the native convex collider is disabled",
          "flexes need <flag nativeccd=\"enable\"/>"};
}

// What only an omitted stage would use need not be covered.
template <class P>
inline constexpr bool collides = P::Pipeline::template has<stages::Collision>;
template <class P>
inline constexpr bool constrains = P::Pipeline::template has<stages::Constraint>;
template <class P>
inline constexpr bool senses = P::Pipeline::template has<stages::Sensing>;
template <class P>
inline constexpr bool softens = P::Pipeline::template has<stages::SoftDynamics>;
template <class P>
inline constexpr bool actuates = P::Pipeline::template has<stages::Actuation>;

template <class List>
CORTEN_FN bool has_method(int option) {
  return List::has(static_cast<typename List::Enum>(option));
}

CORTEN_COLD std::string quoted(const char* kind, const List<std::string>& names, int id) {
  const auto i = static_cast<std::size_t>(id);
  const bool named = i < names.size() && !names[i].empty();
  return std::string(kind) + (named ? " '" + names[i] + "'" : " " + std::to_string(id));
}

// "is ball; the policies list hinge, slide". Not a template, so that it is compiled only once.
CORTEN_COLD Error not_listed(std::string element, const char* kind, const std::string& listed,
                             const char* list) {
  std::string message = "is ", remedy = "add it to ";
  message.append(kind).append("; the policies list ").append(listed);
  remedy.append(list).append("<…>");
  return Error{{}, std::move(element), std::move(message), std::move(remedy)};
}

CORTEN_COLD Error no_collider(std::string elements, const char* first, const char* second) {
  std::string message = "no collider for ";
  message.append(first).append(" against ").append(second);
  return Error{{},
               std::move(elements),
               std::move(message),
               "keep them apart with contype and conaffinity or <exclude>, or add a collider"};
}

CORTEN_COLD Error wrong_sensor(std::string element, const char* kind) {
  std::string message = "does not have the dim or the needstage of the kind ";
  return Error{{}, std::move(element), message.append(kind), "give it those of the kind"};
}

// The MJCF word for a method. The tables hold literals, so the pointer stays valid.
template <class E>
const char* word_for(E e) {
  const std::string_view word = spec::word_of(e);
  return word.empty() ? "unknown" : word.data();
}

// The error for an option that asks for a method that is not listed.
template <class E, E... V>
Error method_error(Choices<E, V...>, const char* option, const char* list, int asked) {
  return not_listed(option, word_for(static_cast<E>(asked)), join_words({word_for(V)...}), list);
}

}  // namespace detail

// Do the policies know every kind in the model, and the methods that its options ask for?
template <class P, class M>
CORTEN_FN bool covers(const M& m) {
  return detail::uncovered_joint<P>(m) < 0 &&
         (!detail::collides<P> || detail::uncovered_candidate<P>(m) < 0) &&
         (!detail::constrains<P> || detail::uncovered_equality<P>(m) < 0) &&
         (m.n.nflex == 0 || detail::covers_flexes(m)) &&
         (!detail::senses<P> ||
          (detail::uncovered_sensor<P>(m) < 0 && detail::uncovered_distance<P>(m) < 0)) &&
         (!detail::actuates<P> || detail::uncovered_actuator<P>(m) < 0) &&
         (!detail::softens<P> || detail::uncovered_soft<P>(m) < 0) &&
         detail::has_method<typename P::Solvers>(m.opt.solver) &&
         detail::has_method<typename P::Integrators>(m.opt.integrator) &&
         detail::has_method<typename P::Cones>(m.opt.cone);
}

namespace detail {

// The error for the first thing that covers() found missing.
template <class P, class S>
CORTEN_COLD Error uncovered(const Model<S>& model, const ModelRef<S, P>& m) {
  const Names& names = model.names;
  if (const int j = uncovered_joint<P>(m); j >= 0) {
    const char* kind = DefaultJoints::name(static_cast<JointType>(m.jnt_type[j]));
    return not_listed(quoted("joint", names.jnt, j), kind, P::Joints::list(), "Joints");
  }
  const auto pair = [&](int a, int b) {
    const auto name = [&](int g) {
      const auto type = static_cast<GeomType>(m.geom_type[g]);
      return P::Geoms::has(type) ? P::Geoms::name(type) : DefaultGeoms::name(type);
    };
    return no_collider(
        quoted("geom", names.geom, a).append(" and ").append(quoted("geom", names.geom, b)),
        name(a), name(b));
  };
  if (const int c = collides<P> ? uncovered_candidate<P>(m) : -1; c >= 0) {
    return pair(m.candidate_geom[2 * c], m.candidate_geom[2 * c + 1]);
  }
  if (const int e = constrains<P> ? uncovered_equality<P>(m) : -1; e >= 0) {
    const char* kind = DefaultConstraints::name(static_cast<EqualityType>(m.eq_type[e]));
    return not_listed(quoted("equality", names.eq, e), kind, P::Constraints::list(), "Constraints");
  }
  FlexGap gap = FlexGap::none;
  if (const int f = uncovered_flex(m, gap); f >= 0) {
    return flex_gap_error(quoted("flex", names.flex, f), gap);
  }
  if (const int i = senses<P> ? uncovered_sensor<P>(m) : -1; i >= 0) {
    const auto type = static_cast<SensorType>(m.sensor_type[i]);
    std::string element = quoted("sensor", names.sensor, i);
    if (P::Sensors::has(type)) return wrong_sensor(std::move(element), P::Sensors::name(type));
    return not_listed(std::move(element), DefaultSensors::name(type), P::Sensors::list(),
                      "Sensors");
  }
  if (const int a = actuates<P> ? uncovered_actuator<P>(m) : -1; a >= 0) {
    const auto gain = static_cast<GainType>(m.actuator_gaintype[a]);
    const auto bias = static_cast<BiasType>(m.actuator_biastype[a]);
    const auto dynamics = static_cast<DynamicsType>(m.actuator_dyntype[a]);
    const bool no_gain = !P::Actuators::has(gain), no_bias = !P::Actuators::has(bias);
    std::string kind = no_gain ? "gaintype " : (no_bias ? "biastype " : "dyntype ");
    kind += no_gain ? word_for(gain) : (no_bias ? word_for(bias) : word_for(dynamics));
    return not_listed(quoted("actuator", names.actuator, a), kind.c_str(), P::Actuators::list(),
                      "Actuators");
  }
  if (const int s = softens<P> ? uncovered_soft<P>(m) : -1; s >= 0) {
    const char* kinds[] = {"cloth", "body", "chain"};
    const int type = m.soft_type[s];
    const bool known = P::Softs::has_body(type) || type < 0 || type > 2;
    return not_listed(quoted("soft", names.soft, s),
                      known ? "made of a kind of constraint that is not listed" : kinds[type],
                      P::Softs::list(), "Softs");
  }
  if (int a = 0, b = 0; senses<P> && uncovered_distance<P>(m, a, b) >= 0) return pair(a, b);
  if (!has_method<typename P::Solvers>(m.opt.solver)) {
    return method_error(typename P::Solvers{}, "option solver", "Solvers", m.opt.solver);
  }
  if (!has_method<typename P::Integrators>(m.opt.integrator)) {
    return method_error(typename P::Integrators{}, "option integrator", "Integrators",
                        m.opt.integrator);
  }
  return method_error(typename P::Cones{}, "option cone", "Cones", m.opt.cone);
}

}  // namespace detail

// A view of the model with policies P, to step with, or an error that names the element that they
// do not cover. The view refers to the model, which must outlive it, and has options and sizes of
// its own: change m.opt, or bind again after model.opt has changed.
template <class P = DefaultPolicies, class S>
Result<ModelRef<S, P>> bind(const Model<S>& model) {
  const ModelRef<S, P> m = make_ref<P>(model);
  if (!covers<P>(m)) return detail::uncovered(model, m);
  return m;
}
template <class P = DefaultPolicies, class S>
Result<ModelRef<S, P>> bind(const Model<S>&& model) = delete;

}  // namespace corten
