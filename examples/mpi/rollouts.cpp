// SPDX-License-Identifier: Apache-2.0
//
// Domain randomisation over processes: mpirun -n 4 example_mpi_rollouts. Every world is a hopper
// with its own masses, friction and gravity, drawn with the number of the world as the seed. Each
// rank takes a share of the worlds, and the first rank gathers how far they came, in their order,
// so the result is the same for any number of ranks. World 5 starts in a bad state: it fails, and
// no other world does. Compiled for SYCL, each rank has a GPU to itself where there are enough of
// them; the results then differ by rounding.
#include <corten/corten.hpp>
#include <corten/sycl.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

constexpr const char* hopper = R"(<mujoco>
  <worldbody>
    <geom type="plane" size="9 9 .1"/>
    <body pos="0 0 .5">
      <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint axis="0 1 0"/>
      <geom type="capsule" size=".05" fromto="0 0 -.1 0 0 .1"/>
      <body pos="0 0 -.1">
        <joint name="knee" axis="0 1 0" damping=".1" range="-60 60"/>
        <geom type="capsule" size=".04" fromto="0 0 0 .05 0 -.3"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="knee" gear="5"/></actuator>
</mujoco>)";
constexpr int total = 64, horizon = 400, broken = 5;

// how far each world from `first` on came; NaN if it failed
std::vector<double> distances(const corten::Model<double>& model, int first, int share,
                              int local_rank) {
  corten::DeviceOptions device;
  device.index = local_rank;
  corten::AutoBatch<double> batch(model, std::clamp(total - first, 0, share), {}, device);
  const auto worlds = static_cast<std::size_t>(batch.size());
  const auto width = static_cast<std::size_t>(batch.state_size());
  std::vector<double> start(worlds * width), controls, states(worlds * horizon * width);
  if (!batch.read_states(start)) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < batch.size(); ++i) {
    std::mt19937 random(static_cast<unsigned>(first + i));  // the same numbers on every machine
    const auto between = [&](double a, double b) {
      return a + (b - a) * double(random()) / 4294967296.0;
    };
    corten::Model<double> own = model;
    for (double& mass : own.body_mass) mass *= between(0.8, 1.2);
    for (double& friction : own.geom_friction) friction *= between(0.5, 1.5);
    own.opt.gravity[2] *= between(0.9, 1.1);
    corten::set_const(own);  // recompute what depends on masses
    if (!batch.set_model(i, own)) MPI_Abort(MPI_COMM_WORLD, 1);
    if (first + i == broken) start[static_cast<std::size_t>(i) * width] = std::nan("");
    for (int k = 0; k < horizon; ++k) controls.push_back(std::sin(0.05 * k));
  }
  const auto done =
      batch.rollout({.steps = horizon, .initial = start, .controls = controls, .states = states});
  if (!done) MPI_Abort(MPI_COMM_WORLD, 1);
  std::vector<double> out(static_cast<std::size_t>(share), std::nan(""));
  for (std::size_t i = 0; i < worlds; ++i) {
    if (batch.status()[i].ok()) out[i] = states[((i + 1) * horizon - 1) * width];
  }
  return out;
}

// the number of this process among those on the same machine
int rank_here() {
  MPI_Comm here;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  int rank = 0;
  MPI_Comm_rank(here, &rank);
  MPI_Comm_free(&here);
  return rank;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int share = (total + ranks - 1) / ranks;
  const auto model = corten::load_string(hopper).value();
  const auto mine = distances(model, rank * share, share, rank_here());
  std::vector<double> all(mine.size() * static_cast<std::size_t>(ranks));
  MPI_Gather(mine.data(), share, MPI_DOUBLE, all.data(), share, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank != 0) return 0;

  int good = 0;
  double mean = 0;
  for (double x : all) {
    if (!std::isnan(x)) mean += (x - mean) / ++good;
  }
  std::printf("%d of %d worlds, on average %.17g m\n", good, total, mean);
  return good == total - 1 ? 0 : 1;
}
