// SPDX-License-Identifier: Apache-2.0
//
// Reads a model from text, makes its data, and steps: a ball is dropped on a floor, and its height
// is printed over time. Give a file as argument to step that instead.
#include <corten/corten.hpp>

#include <cmath>
#include <cstdio>

constexpr const char* ball = R"(
<mujoco model="ball">
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body name="ball" pos="0 0 1">
      <freejoint/>
      <geom type="sphere" size=".1" solref="-3000 -40"/>
    </body>
  </worldbody>
</mujoco>)";

int main(int argc, char** argv) {
  // a model, or an error that says where and why
  const corten::Result<corten::Model<double>> loaded =
      argc > 1 ? corten::load(argv[1]) : corten::load_string(ball);
  if (!loaded) {
    std::fprintf(stderr, "%s\n", loaded.error().to_string().c_str());
    return 1;
  }
  const corten::Model<double>& model = *loaded;
  std::printf("%s: %d bodies, %d degrees of freedom\n", model.names.model.c_str(), model.n.nbody,
              model.n.nv);

  // bind checks the model once; the data starts at rest in the reference pose
  const auto m = corten::bind(model).value();
  corten::Data<double> data(model);
  std::printf("%8s %10s %10s\n", "time", "qpos[2]", "contacts");
  for (int k = 0; k <= 1000; ++k) {
    if (k % 100 == 0 && model.n.nq > 2) {
      std::printf("%8.3f %10.4f %10d\n", data.time(), data.qpos()[2], data.ncon());
    }
    // errors of a step are values too: one bit per reason
    if (const corten::Status status = corten::step(m, data); !status) {
      std::fprintf(stderr, "step %d: %s\n", k, status.to_string().c_str());
      return 1;
    }
  }

  // the ball has come down to its radius, and stays there
  return argc > 1 || std::abs(data.qpos()[2] - 0.1) < 0.02 ? 0 : 1;
}
