// SPDX-License-Identifier: Apache-2.0
//
// Functions that say which lists of policies they ask for (core/plain.hpp) compile with policies
// that have these lists and no others.
#include <corten/corten.hpp>

namespace asked {

using namespace corten;

// the lists of a mask; they differ from the default ones, so that nothing is passed on
template <bool Has>
struct Joint {};
template <bool Has>
struct Geom {};
template <bool Has>
struct Collider {};
template <bool Has>
struct Rule {};
template <bool Has>
struct Constraint {};
template <bool Has>
struct Sensor {};
template <bool Has>
struct Actuator {};
template <bool Has>
struct Soft {};
template <bool Has>
struct Method {};
template <bool Has>
struct Conic {};

template <>
struct Joint<true> {
  struct Joints : DefaultJoints {};
};
template <>
struct Geom<true> {
  struct Geoms : DefaultGeoms {};
};
template <>
struct Collider<true> {
  struct Colliders : DefaultColliders {};
};
template <>
struct Rule<true> {
  struct ContactRules : corten::ContactRules<> {};
};
template <>
struct Constraint<true> {
  struct Constraints : DefaultConstraints {};
};
template <>
struct Sensor<true> {
  struct Sensors : DefaultSensors {};
};
template <>
struct Actuator<true> {
  struct Actuators : DefaultActuators {};
};
template <>
struct Soft<true> {
  struct Softs : DefaultSofts {};
};
template <>
struct Method<true> {
  struct Solvers : DefaultSolvers {};
};
template <>
struct Conic<true> {
  struct Cones : DefaultCones {};
};

template <unsigned Lists>
struct Only : Joint<(Lists & lists::joints) != 0>,
              Geom<(Lists & lists::geoms) != 0>,
              Collider<(Lists & lists::colliders) != 0>,
              Rule<(Lists & lists::contact_rules) != 0>,
              Constraint<(Lists & lists::constraints) != 0>,
              Sensor<(Lists & lists::sensors) != 0>,
              Actuator<(Lists & lists::actuators) != 0>,
              Soft<(Lists & lists::softs) != 0>,
              Method<(Lists & lists::solvers) != 0>,
              Conic<(Lists & lists::cones) != 0> {};

template <unsigned Lists>
using Asked = const ModelRef<double, Only<Lists>>&;
using World = const DataRef<double, Contiguous>&;

}  // namespace asked

using namespace asked;

#define CHECK(function) \
  void check_##function(Asked<function##_asks> m, World d) { function(m, d); }

CHECK(kinematics)
CHECK(com)
CHECK(velocity)
CHECK(transmission)
CHECK(passive)
CHECK(collision)
CHECK(soft_detection)
CHECK(constraint)
CHECK(reference)
CHECK(actuation)
CHECK(solve)
CHECK(measure_room)
CHECK(soft_dynamics)
CHECK(sensor_velocity)
CHECK(sensor_acceleration)
CHECK(rne_post)
CHECK(potential_energy)

void check_soft(Asked<lists::softs> m, World d) { detail::step_soft(m, d, 0); }

void check_contact(Asked<constraints::Contact::asks> m, World d) {
  constraints::Contact::rows(m, d);
  detail::group_impedance(constraints::Contact{}, m, d, 0, 1);
}

void check_sensors(Asked<detail::sensor_kinds_ask> m, World d, const Field<double>& out) {
  using detail::evaluate_kind, detail::Readers;
  evaluate_kind<Stage::position, Readers::all>(m, d, 0, out);
  evaluate_kind<Stage::velocity, Readers::all>(m, d, 0, out);
  evaluate_kind<Stage::acceleration, Readers::all>(m, d, 0, out);
}
