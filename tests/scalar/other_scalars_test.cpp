// SPDX-License-Identifier: Apache-2.0
//
// Number types from elsewhere step through contacts: long double, thirty digits of
// Boost.Multiprecision, and the jets of Ceres. The last two are tested if CMake finds their
// headers.
#include "../support/model.hpp"

#ifdef CORTEN_TEST_BOOST
#include <boost/multiprecision/cpp_bin_float.hpp>

// its default without expression templates; with them, a sum is not a number
using Thirty = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<30>,
                                             boost::multiprecision::et_off>;
template <>
struct corten::ScalarTraits<Thirty> : corten::PlainScalar<Thirty> {};
#endif

#ifdef CORTEN_TEST_CERES
#include <ceres/jet.h>

template <class T, int N>
struct corten::ScalarTraits<ceres::Jet<T, N>> {
  using Value = corten::value_t<T>;
  using Primal = T;
  static constexpr int tangents = N;
  static const T& primal(const ceres::Jet<T, N>& x) { return x.a; }
  static const T& tangent(const ceres::Jet<T, N>& x, int k) { return x.v[k]; }
  static T& tangent(ceres::Jet<T, N>& x, int k) { return x.v[k]; }
};
#endif

using namespace corten;

namespace {

// few kinds, so that each scalar compiles quickly
struct Few : Policies<Joints<Free, Hinge>, Geoms<Plane, Sphere>, Solvers<Solver::newton>,
                      Integrators<Integrator::euler>, Sensors<>,
                      DefaultPipeline::without<stages::Tendon, stages::Transmission,
                                               stages::Actuation, stages::Sensing>> {};

// A spinning ball slides on the floor, and the end of a chain is dragged over it. With a tolerance
// of zero the solver runs until its numbers have no more digits, whatever the scalar.
constexpr const char* scene = R"(
<mujoco>
  <option tolerance="0" ls_tolerance="1e-10" iterations="15" cone="elliptic"/>
  <worldbody>
    <geom type="plane" size="5 5 .1" friction=".4 .01 .001" condim="6"/>
    <body pos="0 0 .0995">
      <freejoint/>
      <geom size=".1" condim="6"/>
    </body>
    <body pos="1 0 .5">
      <joint axis="0 1 0" damping=".01"/>
      <geom size=".04" pos=".1 0 -.15"/>
      <body pos=".2 0 -.3">
        <joint axis="0 1 0" range="-60 60"/>
        <geom size=".05" pos="0 0 -.155"/>
      </body>
    </body>
  </worldbody>
</mujoco>)";

constexpr int steps = 20;

// the state after the steps, beginning with velocities that depend on four directions
template <class S>
Data<S> run(const Model<double>& model) {
  Data<S> data(model);
  const double velocity[] = {0.8, -0.3, -0.1, 2, 1, -4, -1.5, 0.5};
  for (std::size_t i = 0; i < data.qvel().size(); ++i) {
    data.qvel()[i] = S(velocity[i]);
    if constexpr (is_dual<S>) tangent(data.qvel()[i], int(i) % 4) = 1;
  }
  int contacts = 0;
  for (int i = 0; i < steps; ++i) {
    REQUIRE(step<Few>(model, data).ok());
    contacts += data.ncon();
  }
  CHECK(contacts > steps);  // the ball's, and at times the chain's
  return data;
}

// the largest difference of two states, computed in the scalar of the first
template <class A, class B>
double apart(const Data<A>& a, const Data<B>& b) {
  A out(0);
  const auto compare = [&](const auto& x, const auto& y) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const A difference = x[i] - A(y[i]);
      out = std::max({out, difference, A(-difference)});
    }
  };
  compare(a.qpos(), b.qpos());
  compare(a.qvel(), b.qvel());
  return static_cast<double>(out);
}

}  // namespace

TEST_CASE("long double steps through contacts", "[scalar]") {
  static_assert(Scalar<long double> && Scalar<Dual<long double, 2>>);
  const Model<double> model = support::parse(scene);
  const Data<long double> fine = run<long double>(model);
  const double difference = apart(fine, run<double>(model));
  INFO("differs from double by " << difference);
  CHECK(difference < 1e-12);
  CHECK(difference > 0);  // the digits beyond double are there
}

TEST_CASE("thirty digits step through contacts", "[scalar]") {
#ifdef CORTEN_TEST_BOOST
  static_assert(Scalar<Thirty> && !std::is_trivially_copyable_v<Thirty>);
  const Model<double> model = support::parse(scene);
  const Data<Thirty> fine = run<Thirty>(model);
  CHECK(apart(fine, run<double>(model)) < 1e-10);
  CHECK(apart(fine, run<long double>(model)) < 1e-15);
  // a copy and a reset have every digit, although neither is made of bytes
  Data<Thirty> copy = fine;
  CHECK(apart(fine, copy) == 0);
  copy.reset(model);
  CHECK(copy.qvel()[0] == 0);
  CHECK(copy.qpos()[3] == 1);
#else
  WARN("skipped: boost/multiprecision/cpp_bin_float.hpp was not found (libboost-dev)");
#endif
}

TEST_CASE("jets of Ceres step through contacts with the derivatives of duals", "[scalar]") {
#ifdef CORTEN_TEST_CERES
  using Jet = ceres::Jet<double, 4>;
  static_assert(Scalar<Jet>);
  const Model<double> model = support::parse(scene);
  const Data<Jet> jet = run<Jet>(model);
  const Data<Dual<double, 4>> dual = run<Dual<double, 4>>(model);
  const auto compare = [](const auto& x, const auto& y) {
    double largest = 0;
    for (const auto& number : y) {
      for (double t : number.v) largest = std::max(largest, std::fabs(t));
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK(near(x[i].a, y[i].a, 1e-13));
      for (int k = 0; k < 4; ++k) CHECK(near(x[i].v[k], y[i].v[k], 1e-12 * largest));
    }
  };
  compare(jet.qpos(), dual.qpos());
  compare(jet.qvel(), dual.qvel());
#else
  WARN("skipped: ceres/jet.h was not found (libceres-dev)");
#endif
}
