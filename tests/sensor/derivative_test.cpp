// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of readings by state, control and applied force: duals against central differences.
#include <corten/scalar/dual.hpp>
#include <corten/version.hpp>

#include "../support/golden.hpp"

using namespace corten;

namespace {

// input k of the data: positions, velocities, activations, controls, forces on bodies
template <class S>
S& input(Data<S>& data, int k) {
  const auto& n = data.ref().n;
  if (k < n.nq) return data.ref().qpos[k];
  k -= n.nq;
  if (k < n.nv) return data.ref().qvel[k];
  k -= n.nv;
  if (k < n.na) return data.ref().act[k];
  k -= n.na;
  if (k < n.nu) return data.ref().ctrl[k];
  return data.ref().xfrc_applied[k - n.nu];
}

// the indices of all inputs
std::vector<int> inputs(const Data<double>& data) {
  std::vector<int> out;
  const auto& d = data.ref();
  const int forces = d.n.nq + d.n.nv + d.n.na + d.n.nu;
  for (int k = 0; k < forces; ++k) out.push_back(k);
  for (int k = 6; k < 6 * d.n.nbody; ++k) out.push_back(forces + k);
  return out;
}

template <class S>
Data<S> state_of(const Model<double>& model, const io::Json& pre) {
  Data<S> data(model);
  const auto done = io::read_state(pre, data);
  if (!done) FAIL(done.error().to_string());
  return data;
}

std::vector<double> readings(const Model<double>& model, const Data<double>& start, int k,
                             double by) {
  Data<double> data = start;
  input(data, k) += by;
  REQUIRE(forward(model, data).ok());
  return {data.sensordata().begin(), data.sensordata().end()};
}

std::string sensor_name(const Model<double>& model, std::size_t at) {
  std::string out;
  for (std::size_t i = 0; i < model.sensor_adr.size(); ++i) {
    if (static_cast<std::size_t>(model.sensor_adr[i]) > at) break;
    DefaultSensors::visit(model.sensor_type[i], [&](auto kind) { out = kind.name; });
  }
  return out;
}

// The smallest scale of a derivative of reading `at`: `force` for forces and accelerations, 10 for
// points found by iterations, 1 for others.
double least_scale(const Model<double>& model, std::size_t at, double force) {
  std::size_t which = 0;
  for (std::size_t i = 0; i < model.sensor_adr.size(); ++i) {
    if (static_cast<std::size_t>(model.sensor_adr[i]) <= at && model.sensor_dim[i] > 0) which = i;
  }
  if (static_cast<Stage>(model.sensor_needstage[which]) == Stage::acceleration) return force;
  const auto type = static_cast<SensorType>(model.sensor_type[which]);
  return type == SensorType::normal || type == SensorType::fromto ? 10 : 1;
}

// checks every reading by every input, eight inputs per pass; `floor` is the smallest scale of a
// derivative of a force or acceleration
void check_derivatives(const std::string& name, std::size_t entry, double h, double tolerance,
                       double floor) {
  Model<double> model = support::load(name);
  model.opt.tolerance = 0;
  model.opt.iterations = 20;  // Newton needs less than ten; at zero tolerance it does them all
  model.opt.ls_iterations = 100;
  const io::Json tree = golden::load_golden(name);
  const io::Json& pre = *(*tree.find("data")->array())[entry].find("pre");
  const Data<double> start = state_of<double>(model, pre);

  const std::vector<int> which = inputs(start);
  std::size_t compared = 0;
  for (std::size_t first = 0; first < which.size(); first += Dual8::tangents) {
    Data<Dual8> data = state_of<Dual8>(model, pre);
    const std::size_t count = std::min<std::size_t>(Dual8::tangents, which.size() - first);
    for (std::size_t t = 0; t < count; ++t) input(data, which[first + t]).v[t] = 1;
    REQUIRE(forward(model, data).ok());
    for (std::size_t t = 0; t < count; ++t) {
      const int k = which[first + t];
      const auto up = readings(model, start, k, h), down = readings(model, start, k, -h);
      for (std::size_t r = 0; r < up.size(); ++r) {
        const double difference = (up[r] - down[r]) / (2 * h);
        const double least = least_scale(model, r, floor);
        const double margin = tolerance * std::max(least, std::fabs(difference));
        const double exact = data.sensordata()[r].v[t];
        if (std::fabs(exact - difference) <= margin)
          continue;  // hundreds of thousands: reported only if wrong
        INFO(sensor_name(model, r) << " at " << r << " by input " << k);
        CHECK(near(exact, difference, margin));
      }
      ++compared;
    }
  }
  CHECK(compared == which.size());
}

}  // namespace

TEST_CASE("derivatives of readings are those of finite differences", "[sensor][derivative]") {
  check_derivatives("sensors", 0, 1e-6, 2e-6, 1);
}

// contact forces are stiff: 1e5 N/m and more
TEST_CASE("derivatives of readings in contact are those of finite differences",
          "[sensor][derivative]") {
  check_derivatives("touch", 3, 1e-8, 1e-4, 1e3);
}

// rays, projections, distances, limits, selected and summed contacts
TEST_CASE("derivatives of all kinds of readings are those of finite differences",
          "[sensor][derivative]") {
  check_derivatives("sensor_kinds", 0, 1e-7, 1e-4, 1e2);
  check_derivatives("sensor_kinds", 2, 1e-8, 1e-4, 1e3);
  check_derivatives("sensor_assets", 0, 1e-7, 1e-4, 1);
  check_derivatives("sensor_tactile", 0, 1e-7, 1e-4, 1);
}

TEST_CASE("second derivatives of an accelerometer are finite and right", "[sensor][derivative]") {
  using Inner = Dual<double, 1>;
  using Outer = Dual<Inner, 1>;
  const Model<double> model = support::load("sensors");

  // the same direction twice: the angle of the hinge
  Data<Outer> data(model);
  data.qpos()[1] = Outer(Inner(0.3, 0), 0);
  data.qvel()[1] = Outer(2.0);
  REQUIRE(forward(model, data).ok());

  const auto slope = [&](double angle) {
    Data<Inner> one(model);
    one.qpos()[1] = Inner(angle, 0);
    one.qvel()[1] = Inner(2.0);
    REQUIRE(forward(model, one).ok());
    std::vector<double> out;
    for (const Inner& x : one.sensordata()) out.push_back(x.v[0]);
    return out;
  };
  const double h = 1e-5;
  const auto up = slope(0.3 + h), down = slope(0.3 - h);
  for (std::size_t r = 0; r < up.size(); ++r) {
    INFO(sensor_name(model, r) << " at " << r);
    CHECK(near_relative(data.sensordata()[r].v[0].v[0], (up[r] - down[r]) / (2 * h), 1e-6, 20));
  }
}
