// SPDX-License-Identifier: Apache-2.0
//
// A, B, C, D against MuJoCo's centred differences (mjd_transitionFD, 3.12.0) at states with
// contacts, limits and activations; the solver's tolerance is zero in both.
#include <corten/derive.hpp>
#include <corten/io/inspect.hpp>

#include "../support/model.hpp"

#include <fstream>
#include <sstream>

using namespace corten;

namespace {

std::vector<double> numbers(const io::Json& dump, const char* name) {
  std::vector<double> out;
  for (const io::Json& x : *dump.find(name)->array()) out.push_back(*x.number());
  return out;
}

// relative to the largest number of the row, since differences lose digits if sensors read large
// numbers
double worst(const derive::Matrix<double>& matrix, const std::vector<double>& b, int columns) {
  REQUIRE(static_cast<std::size_t>(matrix.size()) == b.size());
  const double* const a = matrix.data();
  double out = 0;
  for (std::size_t first = 0; first < b.size(); first += static_cast<std::size_t>(columns)) {
    double scale = 1, most = 0;
    for (std::size_t i = first; i < first + static_cast<std::size_t>(columns); ++i) {
      scale = std::max(scale, std::fabs(b[i]));
      most = std::max(most, std::fabs(a[i] - b[i]));
    }
    out = std::max(out, most / scale);
  }
  return out;
}

}  // namespace

TEST_CASE("transition matrices agree with MuJoCo", "[derive]") {
  for (const char* name : {"walker", "actuators", "sensors"}) {
    std::ifstream file(std::string(CORTEN_TEST_DIR) + "/golden/transition_" + name + ".json");
    std::stringstream text;
    text << file.rdbuf();
    const auto dump = io::read_json(text.str(), name);
    REQUIRE(dump.ok());

    Model<double> model = support::load(name);
    model.opt.integrator = static_cast<int>(Integrator::euler);
    model.opt.tolerance = 0;
    model.opt.iterations = 200;
    model.opt.ls_iterations = 100;
    Data<double> data(model);
    REQUIRE(io::read_state(*dump->find("pre"), data).ok());
    const auto t = derive::transition(model, data, {.sensors = true});
    INFO(name);
    CHECK(t.status.ok());
    CHECK(worst(t.A, numbers(*dump, "A"), t.nx) < 1e-6);
    CHECK(worst(t.B, numbers(*dump, "B"), t.nu) < 1e-6);
    CHECK(worst(t.C, numbers(*dump, "C"), t.nx) < 1e-4);
    // MuJoCo's centred differences of sensors with respect to controls have the wrong sign (its
    // forward ones do not)
    std::vector<double> D = numbers(*dump, "D");
    for (double& x : D) x = -x;
    CHECK(worst(t.D, D, t.nu) < 1e-4);
  }
}
