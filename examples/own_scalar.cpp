// SPDX-License-Identifier: Apache-2.0
//
// A scalar from another library: the jets of Ceres go through steps with contact. A ball is thrown
// onto the floor, where it slides. How does its final position depend on the throw? This is how a
// cost function of Ceres gets the derivative of a simulation, in the type that it already uses.
//
// One specialisation tells corten where a jet keeps its value and its derivatives. corten's own
// Dual gives the same derivatives.
#include <ceres/jet.h>
#include <corten/corten.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

template <class T, int N>
struct corten::ScalarTraits<ceres::Jet<T, N>> {
  using Value = corten::value_t<T>;  // the plain number inside, which branches look at
  using Primal = T;                  // what remains without derivatives
  static constexpr int tangents = N;
  static const T& primal(const ceres::Jet<T, N>& x) { return x.a; }
  static const T& tangent(const ceres::Jet<T, N>& x, int k) { return x.v[k]; }
  static T& tangent(ceres::Jet<T, N>& x, int k) { return x.v[k]; }
};

// what the scene needs and no more, which compiles in half the time
struct Few
    : corten::Policies<corten::Joints<corten::Free>, corten::Geoms<corten::Plane, corten::Sphere>> {
};

constexpr const char* text = R"(
<mujoco>
  <option tolerance="0"/>
  <worldbody>
    <geom type="plane" size="5 5 .1" friction=".3"/>
    <body pos="0 0 .2">
      <freejoint/>
      <geom size=".1"/>
    </body>
  </worldbody>
</mujoco>)";

// the ball's position after half a second, by the velocity that it is thrown with
template <class S>
corten::Data<S> thrown(const corten::Model<double>& model) {
  corten::Data<S> data(model);
  for (int k = 0; k < 3; ++k) {
    data.qvel()[static_cast<std::size_t>(k)] = S(k == 2 ? -1.0 : 0.7, k);
  }
  for (int i = 0; i < 250; ++i) {
    if (!corten::step<Few>(model, data)) break;
  }
  return data;
}

int main() {
  const auto model = corten::load_string(text);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;

  const auto jets = thrown<ceres::Jet<double, 3>>(*model);
  const auto duals = thrown<corten::Dual<double, 3>>(*model);
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double jet = jets.qpos()[i].v[k], dual = duals.qpos()[i].v[k];
      std::printf("d pos[%zu] / d vel[%d] %18.12f %18.12f\n", i, k, jet, dual);
      worst = std::max(worst, std::abs(jet - dual));
    }
  }
  std::printf("%d contact(s), largest difference %.1e\n", jets.ncon(), worst);
  return jets.ncon() > 0 && worst < 1e-12 ? 0 : 1;
}
