// SPDX-License-Identifier: Apache-2.0
//
// A minimal pipeline: hinges, spheres over a plane, one solver, one integrator, no sensors, no
// actuators. It computes the same numbers as the default pipeline, bit by bit, with a fraction of
// the code (the target bench_size measures it). A model that needs more is refused, with the name
// of what is missing.
#include <corten/corten.hpp>

#include <cstdio>

using namespace corten;

// a struct, so that messages and symbols show its name instead of its lists
struct Reduced : Policies<Joints<Hinge>, Geoms<Plane, Sphere>, Solvers<Solver::newton>,
                          Integrators<Integrator::euler>, Sensors<>,
                          DefaultPipeline::without<stages::Tendon, stages::Transmission,
                                                   stages::Actuation, stages::Sensing>> {};

constexpr const char* chain = R"(
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 .1" pos="0 0 -.55"/>
    <body>
      <joint axis="0 1 0" limited="true" range="-100 100"/>
      <geom size=".05" pos="0 0 -.3"/>
      <body pos="0 0 -.3">
        <joint axis="0 1 0" damping=".01"/>
        <geom size=".05" pos="0 0 -.3"/>
      </body>
    </body>
  </worldbody>
</mujoco>)";

// prints why the reduced pipeline refuses a model
bool refused(const char* text) {
  const auto model = load_string(text);
  if (!model) return false;
  const auto bound = bind<Reduced>(*model);
  if (!bound) std::printf("refused: %s\n", bound.error().to_string().c_str());
  return !bound.ok();
}

int main() {
  const auto model = load_string(chain);
  if (!model) return 1;
  Data<double> reduced(*model), whole(*model);
  reduced.qpos()[0] = whole.qpos()[0] = 1.5;
  int contacts = 0;
  for (int k = 0; k < 2000; ++k) {
    if (!step<Reduced>(*model, reduced) || !step(*model, whole)) return 1;
    contacts += reduced.ncon();
  }
  const bool same = reduced.qpos()[0] == whole.qpos()[0] && reduced.qpos()[1] == whole.qpos()[1];
  std::printf("2000 steps, %d contacts, %s\n", contacts, same ? "the same bits" : "different");

  const bool all_refused =
      refused(
          "<mujoco><worldbody><body><joint name='shoulder' type='ball'/><geom size='1'/></body>"
          "</worldbody></mujoco>") &&
      refused(
          "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/><body pos='0 0 3'>"
          "<joint/><geom name='crate' type='box' size='1 1 1'/></body></worldbody></mujoco>") &&
      refused("<mujoco><option integrator='RK4'/></mujoco>");
  return same && contacts > 0 && all_refused ? 0 : 1;
}
