// SPDX-License-Identifier: Apache-2.0
//
// What corten::precompiled contains besides load(): the host functions of the default pipeline for
// these scalars, models of duals included, and the large functions that pipelines with kinds of
// your own share with it. Linking it defines CORTEN_EXTERN_TEMPLATES, and CORTEN_EXTERN_DOUBLE and
// the like for the scalars that were chosen (cmake/corten_precompiled.cmake). The declarations
// below then promise that these functions exist elsewhere. Other scalars and policies are
// instantiated where they are used.
#pragma once

#include <corten/compile/set_const.hpp>
#include <corten/pipeline/step.hpp>
#include <corten/scalar/dual.hpp>

// The following are used for the declarations here and for the definitions in the library.

// a model and its constants, and the memory of data
#define CORTEN_INSTANTIATE_MODEL(linkage, S)                                                 \
  linkage template struct Model<S>;                                                          \
  linkage template struct ModelView<S>;                                                      \
  linkage template void compiler::detail::set_weights(Model<S>&, CORTEN_PLAIN_ARGUMENTS(S)); \
  linkage template void compiler::detail::set_fixed(Model<S>&);                              \
  linkage template void set_const<DefaultPolicies>(Model<S>&);                               \
  linkage template std::size_t arrange(DataRef<S, Contiguous>&, std::byte*, std::ptrdiff_t); \
  linkage template Model<S> cast(const Model<double>&);

// a step of data in one scalar with a model in another
#define CORTEN_INSTANTIATE(linkage, model_scalar, data_scalar)                                     \
  linkage template Data<data_scalar>::Data(const Model<model_scalar>&, Capacity);                  \
  linkage template Status forward(const Model<model_scalar>&, Data<data_scalar>&);                 \
  linkage template Status step(const Model<model_scalar>&, Data<data_scalar>&);                    \
  linkage template Status inverse(const Model<model_scalar>&, Data<data_scalar>&);                 \
  linkage template Status step(const ModelRef<model_scalar, DefaultPolicies>&, Data<data_scalar>&, \
                               BadState);                                                          \
  linkage template Status forward(const ModelRef<model_scalar, DefaultPolicies>&,                  \
                                  const DataRef<data_scalar, Contiguous>&, bool);                  \
  linkage template Status forward_motion(const ModelRef<model_scalar, DefaultPolicies>&,           \
                                         const DataRef<data_scalar, Contiguous>&, bool);           \
  linkage template Status forward_forces(const ModelRef<model_scalar, DefaultPolicies>&,           \
                                         const DataRef<data_scalar, Contiguous>&, bool);           \
  linkage template Status step1(const ModelRef<model_scalar, DefaultPolicies>&,                    \
                                const DataRef<data_scalar, Contiguous>&);                          \
  linkage template Status step2(const ModelRef<model_scalar, DefaultPolicies>&,                    \
                                const DataRef<data_scalar, Contiguous>&);                          \
  linkage template Status step(const ModelRef<model_scalar, DefaultPolicies>&,                     \
                               const DataRef<data_scalar, Contiguous>&, BadState);

// Parts of a step that do not depend on policies. Only those that are called by other parts are
// listed, since what they call comes with them.
#define CORTEN_INSTANTIATE_PAIR(linkage, pair, S) \
  linkage template int pair::collide(const Shape<S>&, const Shape<S>&, const S&, Hit<S>*);

#define CORTEN_INSTANTIATE_CONTACT(linkage, S)                                                 \
  CORTEN_INSTANTIATE_PAIR(linkage, BoxBox, S)                                                  \
  CORTEN_INSTANTIATE_PAIR(linkage, CapsuleBox, S)                                              \
  CORTEN_INSTANTIATE_PAIR(linkage, PlaneCylinder, S)                                           \
  CORTEN_INSTANTIATE_PAIR(linkage, PlaneEllipsoid, S)                                          \
  CORTEN_INSTANTIATE_PAIR(linkage, PlaneMesh, S)                                               \
  CORTEN_INSTANTIATE_PAIR(linkage, SphereCylinder, S)                                          \
  linkage template int ball_box(const Vec3<S>&, const S&, const Shape<S>&, const S&, Hit<S>*); \
  linkage template int detail::collide_convex(GeomType, GeomType, bool, const Shape<S>&,       \
                                              const Shape<S>&, const S&, Effort<S>&, Hit<S>*); \
  linkage template Nearest<S> detail::convex_distance(                                         \
      GeomType, GeomType, const Shape<S>&, const Shape<S>&, const S&, const Effort<S>&);       \
  linkage template int SdfCollider<DefaultGeoms>::collide(                                     \
      GeomType, GeomType, const Shape<S>&, const Shape<S>&, const S&, Effort<S>&, Hit<S>*);    \
  linkage template class detail::GroundContacts<S>;                                            \
  linkage template struct ConvexShape<S>;                                                      \
  linkage template struct GridView<S>;

// what takes a model without its policies (core/plain.hpp), and kinds of constraints that do
#define CORTEN_PLAIN_ARGUMENTS(S) const ModelView<S>&, const DataRef<S, Contiguous>&

#define CORTEN_INSTANTIATE_ROWS(linkage, Kind, S)                                                  \
  linkage template void constraints::Kind::rows(CORTEN_PLAIN_ARGUMENTS(S), int);                   \
  linkage template void detail::group_impedance(constraints::Kind, CORTEN_PLAIN_ARGUMENTS(S), int, \
                                                int);

#define CORTEN_INSTANTIATE_PLAIN(linkage, S)                                                     \
  linkage template void detail::measure_tendons(CORTEN_PLAIN_ARGUMENTS(S));                      \
  linkage template void inertia(CORTEN_PLAIN_ARGUMENTS(S));                                      \
  linkage template void inertia(CORTEN_PLAIN_ARGUMENTS(S), const Run&);                          \
  linkage template void bias(CORTEN_PLAIN_ARGUMENTS(S));                                         \
  linkage template void bias(CORTEN_PLAIN_ARGUMENTS(S), const Run&);                             \
  linkage template void acceleration(CORTEN_PLAIN_ARGUMENTS(S));                                 \
  linkage template void acceleration(CORTEN_PLAIN_ARGUMENTS(S), const Run&);                     \
  linkage template void subtree_velocity(CORTEN_PLAIN_ARGUMENTS(S));                             \
  linkage template void camera(CORTEN_PLAIN_ARGUMENTS(S));                                       \
  linkage template void kinetic_energy(CORTEN_PLAIN_ARGUMENTS(S));                               \
  linkage template bool wake_disturbed(CORTEN_PLAIN_ARGUMENTS(S));                               \
  linkage template void adhesion(CORTEN_PLAIN_ARGUMENTS(S));                                     \
  linkage template void flex(CORTEN_PLAIN_ARGUMENTS(S));                                         \
  linkage template void flex_velocity(CORTEN_PLAIN_ARGUMENTS(S));                                \
  linkage template void flex_forces(CORTEN_PLAIN_ARGUMENTS(S), bool, bool);                      \
  linkage template void passive_contacts(CORTEN_PLAIN_ARGUMENTS(S));                             \
  linkage template void build_flex_metric(CORTEN_PLAIN_ARGUMENTS(S));                            \
  linkage template void flex_metric_acceleration(CORTEN_PLAIN_ARGUMENTS(S));                     \
  linkage template void detail::adhesion_moment(CORTEN_PLAIN_ARGUMENTS(S), int, int);            \
  linkage template int detail::so3_transmission(CORTEN_PLAIN_ARGUMENTS(S), int, int);            \
  linkage template int detail::site_transmission(CORTEN_PLAIN_ARGUMENTS(S), int, const Vec6<S>&, \
                                                 int);                                           \
  linkage template int detail::site_transmission(CORTEN_PLAIN_ARGUMENTS(S), int, int,            \
                                                 const Vec6<S>&, int, S&);                       \
  linkage template int detail::slider_crank(CORTEN_PLAIN_ARGUMENTS(S), int, int, const S&,       \
                                            const S&, int, S&);                                  \
  linkage template void constraints::Coupling<constraints::JointCoordinate>::rows(               \
      CORTEN_PLAIN_ARGUMENTS(S), int);                                                           \
  linkage template void constraints::Coupling<constraints::TendonCoordinate>::rows(              \
      CORTEN_PLAIN_ARGUMENTS(S), int);                                                           \
  linkage template void detail::group_impedance(constraints::JointCoupling,                      \
                                                CORTEN_PLAIN_ARGUMENTS(S), int, int);            \
  linkage template void detail::group_impedance(constraints::TendonCoupling,                     \
                                                CORTEN_PLAIN_ARGUMENTS(S), int, int);            \
  linkage template void detail::group_impedance(constraints::DofFriction,                        \
                                                CORTEN_PLAIN_ARGUMENTS(S), int, int);            \
  linkage template void detail::group_impedance(constraints::TendonFriction,                     \
                                                CORTEN_PLAIN_ARGUMENTS(S), int, int);            \
  linkage template void detail::group_impedance(constraints::TendonLimit,                        \
                                                CORTEN_PLAIN_ARGUMENTS(S), int, int);            \
  linkage template void constraints::DofFriction::rows(CORTEN_PLAIN_ARGUMENTS(S));               \
  CORTEN_INSTANTIATE_ROWS(linkage, Connect, S)                                                   \
  CORTEN_INSTANTIATE_ROWS(linkage, Weld, S)                                                      \
  CORTEN_INSTANTIATE_ROWS(linkage, Distance, S)                                                  \
  CORTEN_INSTANTIATE_ROWS(linkage, FlexEdges, S)                                                 \
  CORTEN_INSTANTIATE_ROWS(linkage, FlexStrain, S)                                                \
  CORTEN_INSTANTIATE_ROWS(linkage, FlexVertices, S)                                              \
  linkage template class Sweep<ModelView<S>, DataRef<S, Contiguous>>;                            \
  linkage template class Neighbours<ModelView<S>, DataRef<S, Contiguous>>;                       \
  linkage template class FlexContacts<ModelView<S>, DataRef<S, Contiguous>>;

// what asks only for some lists of policies, with the default ones (core/plain.hpp)
#define CORTEN_DEFAULT_ARGUMENTS(S) \
  const ModelRef<S, DefaultPolicies>&, const DataRef<S, Contiguous>&

#define CORTEN_INSTANTIATE_SENSORS(linkage, when, S)                              \
  linkage template void detail::evaluate_kind<Stage::when, detail::Readers::all>( \
      CORTEN_DEFAULT_ARGUMENTS(S), int, const Field<S, Contiguous>&);

#define CORTEN_INSTANTIATE_SHARED(linkage, S)                                                      \
  linkage template void kinematics(CORTEN_DEFAULT_ARGUMENTS(S));                                   \
  linkage template void kinematics(CORTEN_DEFAULT_ARGUMENTS(S), const Run&);                       \
  linkage template void com(CORTEN_DEFAULT_ARGUMENTS(S));                                          \
  linkage template void com(CORTEN_DEFAULT_ARGUMENTS(S), const Run&);                              \
  linkage template void velocity(CORTEN_DEFAULT_ARGUMENTS(S));                                     \
  linkage template void velocity(CORTEN_DEFAULT_ARGUMENTS(S), const Run&);                         \
  linkage template void transmission(CORTEN_DEFAULT_ARGUMENTS(S));                                 \
  linkage template void passive(CORTEN_DEFAULT_ARGUMENTS(S));                                      \
  linkage template void passive(CORTEN_DEFAULT_ARGUMENTS(S), const Run&);                          \
  linkage template void collision(CORTEN_DEFAULT_ARGUMENTS(S));                                    \
  linkage template void soft_detection(CORTEN_DEFAULT_ARGUMENTS(S));                               \
  linkage template void constraint(CORTEN_DEFAULT_ARGUMENTS(S));                                   \
  linkage template void reference(CORTEN_DEFAULT_ARGUMENTS(S));                                    \
  linkage template void actuation(CORTEN_DEFAULT_ARGUMENTS(S));                                    \
  linkage template void solve(CORTEN_DEFAULT_ARGUMENTS(S));                                        \
  linkage template void measure_room(CORTEN_DEFAULT_ARGUMENTS(S));                                 \
  linkage template void soft_dynamics(CORTEN_DEFAULT_ARGUMENTS(S));                                \
  linkage template void sensor_velocity(CORTEN_DEFAULT_ARGUMENTS(S));                              \
  linkage template void sensor_acceleration(CORTEN_DEFAULT_ARGUMENTS(S));                          \
  linkage template void rne_post(CORTEN_DEFAULT_ARGUMENTS(S));                                     \
  linkage template void potential_energy(CORTEN_DEFAULT_ARGUMENTS(S));                             \
  linkage template void detail::step_soft(CORTEN_DEFAULT_ARGUMENTS(S), int);                       \
  linkage template void detail::contact_rows(CORTEN_DEFAULT_ARGUMENTS(S), int);                    \
  linkage template void detail::group_impedance(constraints::Contact, CORTEN_DEFAULT_ARGUMENTS(S), \
                                                int, int);                                         \
  CORTEN_INSTANTIATE_SENSORS(linkage, position, S)                                                 \
  CORTEN_INSTANTIATE_SENSORS(linkage, velocity, S)                                                 \
  CORTEN_INSTANTIATE_SENSORS(linkage, acceleration, S)

#define CORTEN_INSTANTIATE_FORCES(linkage, S)                                                    \
  linkage template struct Feedback<S>;                                                           \
  linkage template Bend<S> wrap(const Vec3<S>&, const Vec3<S>&, const Obstacle<S>&);             \
  linkage template void detail::sigmoid(const Vec<S, 5>&, const S&, S&, S&);                     \
  linkage template detail::LocalWrench<S> detail::ellipsoid_force(                               \
      const detail::Ellipsoid<S>&, const detail::LocalWrench<S>&, const S&);                     \
  linkage template Feedback<S> detail::ellipsoid_slope(const detail::Ellipsoid<S>&,              \
                                                       const detail::LocalWrench<S>&, const S&); \
  linkage template Feedback<S> detail::bias_feedback(const Inertia<S>&, const Vec6<S>&);

#define CORTEN_INSTANTIATE_SOLVERS(linkage, S)                                                    \
  linkage template Ending newton(const ModelView<S>&, const Problem<S, Contiguous, true>&,        \
                                 const S&, const Alone&);                                         \
  linkage template Ending cg(const ModelView<S>&, const Problem<S, Contiguous, true>&, const S&); \
  linkage template Ending pgs(const ModelView<S>&, const Problem<S, Contiguous, true>&,           \
                              const Alone&);                                                      \
  linkage template int noslip(const ModelView<S>&, const DataRef<S, Contiguous>&,                 \
                              const Problem<S, Contiguous, true>&);                               \
  linkage template Ending flex_cg(CORTEN_PLAIN_ARGUMENTS(S), const Problem<S, Contiguous, true>&, \
                                  const S&);                                                      \
  linkage template S detail::update_cone(const Problem<S, Contiguous, true>&, int, int);

// Solvers of duals work on their values, inside of solve().
#define CORTEN_INSTANTIATE_DUAL_PARTS(linkage, scalar) \
  CORTEN_INSTANTIATE_PLAIN(linkage, scalar)            \
  CORTEN_INSTANTIATE_SHARED(linkage, scalar)           \
  CORTEN_INSTANTIATE_CONTACT(linkage, scalar)          \
  CORTEN_INSTANTIATE_FORCES(linkage, scalar)

#define CORTEN_INSTANTIATE_PARTS(linkage, scalar) \
  CORTEN_INSTANTIATE_DUAL_PARTS(linkage, scalar)  \
  CORTEN_INSTANTIATE_SOLVERS(linkage, scalar)

namespace corten {

// Derivatives in eight directions at a time.
using Dual8 = Dual<double, 8>;

#ifdef CORTEN_EXTERN_DOUBLE
CORTEN_INSTANTIATE_MODEL(extern, double)
CORTEN_INSTANTIATE(extern, double, double)
CORTEN_INSTANTIATE_PARTS(extern, double)
#endif
#ifdef CORTEN_EXTERN_FLOAT
CORTEN_INSTANTIATE_MODEL(extern, float)
CORTEN_INSTANTIATE(extern, float, float)
CORTEN_INSTANTIATE(extern, double, float)
CORTEN_INSTANTIATE_PARTS(extern, float)
#endif
#ifdef CORTEN_EXTERN_DUAL
CORTEN_INSTANTIATE_MODEL(extern, Dual8)
CORTEN_INSTANTIATE(extern, double, Dual8)
CORTEN_INSTANTIATE(extern, Dual8, Dual8)
CORTEN_INSTANTIATE_DUAL_PARTS(extern, Dual8)
#endif

}  // namespace corten
