// SPDX-License-Identifier: Apache-2.0
//
// Every field of every stage against MuJoCo 3.12.0, one forward or one step at a time from the same
// input.
#include <corten/scalar/dual.hpp>
#include <corten/version.hpp>

#include "../support/golden.hpp"

namespace {

const char* const models[] = {"joints",   "actuators", "servos",   "motors",       "contacts",
                              "fluid",    "walker",    "flags",    "tendons",      "transmissions",
                              "equality", "cones",     "implicit", "implicitfast", "meshes",
                              "terrain",  "mesh_rest", "sdf",      "portal"};

}  // namespace

// Most of these models lack most features, so a feature must not affect models without it.
TEST_CASE("every field agrees with MuJoCo",
          "[pipeline][conformance][002-1.11][002-5.12][002-5.22][003-36.6][003-37.10]") {
  for (const char* name : models) {
    golden::compare<double>(name,
                            [](const std::string& where, const std::string& field, double error) {
                              INFO(where << ' ' << field << " error " << error);
                              CHECK(error < 1e-9);
                            });
  }
}

TEST_CASE("compressed rows agree with MuJoCo", "[pipeline][conformance]") {
  for (const char* name : {"contacts", "walker", "flags", "tendons", "equality", "cones"}) {
    golden::compare<double>(
        name,
        [](const std::string& where, const std::string& field, double error) {
          INFO(where << ' ' << field << " error " << error);
          CHECK(error < 1e-9);
        },
        corten::JacobianKind::sparse);
  }
}

// All models from the inputs of their own golden numbers, whatever their integrator. qacc comes
// from the forces, before the integrator; the acceleration after it is the difference of
// velocities. The first step of the servos is left out, because one of them is at its torque limit,
// and the last bit decides whether MuJoCo treats it as inside (actuator/slope.hpp).
TEST_CASE("the implicit integrators agree with MuJoCo in every model",
          "[pipeline][conformance][004-13.6][004-13.7]") {
  const corten::io::Json suite = golden::load_golden("implicit_suite");
  REQUIRE(*suite.find("oracle")->find("engine")->string() == CORTEN_MUJOCO_VERSION);
  std::size_t compared = 0;
  for (const char* name : models) {
    corten::Model<double> model = golden::converged(support::load(name));
    const corten::io::Json tree = golden::load_golden(name);
    for (const auto& expected : *suite.find("steps")->array()) {
      if (*expected.find("model")->string() != name) continue;
      const auto entry = std::size_t(*expected.find("entry")->number());
      const corten::io::Json& pre = *(*tree.find("data")->array())[entry].find("pre");
      for (const char* integrator : {"implicit", "implicitfast"}) {
        INFO(name << ' ' << entry << ' ' << integrator);
        const bool fast = integrator[8] != 0;
        model.opt.integrator =
            int(fast ? corten::Integrator::implicitfast : corten::Integrator::implicit);
        corten::Data<double> data(model);
        REQUIRE(corten::io::read_state(pre, data).ok());
        const std::vector<double> before(data.qvel().begin(), data.qvel().end());
        REQUIRE(step(model, data).ok());
        std::vector<double> qvel, qacc;
        golden::flatten(*expected.find(integrator), qvel);
        golden::flatten(*expected.find("qacc"), qacc);
        REQUIRE(qvel.size() == before.size());
        for (std::size_t i = 0; i < qvel.size(); ++i) {
          const double h = model.opt.timestep;
          CHECK(
              near_relative((data.qvel()[i] - before[i]) / h, (qvel[i] - before[i]) / h, 1e-6, 1));
          CHECK(near_relative(data.qacc()[i], qacc[i], 1e-6, 1));
        }
        ++compared;
      }
    }
  }
  CHECK(compared == 2 * suite.find("steps")->array()->size());
}

// the order of corners decides which of them touch
TEST_CASE("hulls and faces of meshes are MuJoCo's, in its order", "[pipeline][conformance]") {
  const corten::Model<double> model = support::load("mesh_rest");
  const corten::io::Json tree = golden::load_golden("mesh_rest");
  const auto equal = [&](const char* name, const corten::List<int>& got) {
    std::vector<double> expected;
    golden::flatten(*tree.find("model")->find(name), expected);
    INFO(name);
    corten::List<int> whole;
    whole.assign(expected.begin(), expected.end());
    CHECK(whole == got);
  };
  equal("mesh_graph", model.mesh_graph);
  equal("mesh_extrema", model.mesh_extrema);
  equal("mesh_polyvert", model.mesh_polyvert);
  equal("mesh_polyvertnum", model.mesh_polyvertnum);
  equal("mesh_face", model.mesh_face);
}

TEST_CASE("tendons agree with MuJoCo over 100 steps", "[pipeline][conformance][002-4.16]") {
  golden::compare<double>("tendon_frames",
                          [](const std::string& where, const std::string& field, double error) {
                            INFO(where << ' ' << field << " error " << error);
                            CHECK(error < 1e-10);
                          });
}

TEST_CASE("coupled tendons agree with MuJoCo over 100 steps",
          "[pipeline][conformance][003-37.6][003-37.11]") {
  golden::compare<double>("coupled",
                          [](const std::string& where, const std::string& field, double error) {
                            INFO(where << ' ' << field << " error " << error);
                            CHECK(error < 1e-8);
                          });
}

// Through falling asleep and waking: by a contact, by a tendon that becomes taut; what sleeps shows
// MuJoCo's numbers too.
TEST_CASE("trees that sleep and wake agree with MuJoCo", "[pipeline][conformance][sleep]") {
  const auto check = [](const std::string& where, const std::string& field, double error) {
    INFO(where << ' ' << field << " error " << error);
    CHECK(error < 1e-8);
  };
  golden::compare<double>("sleep", check);
  golden::compare<corten::Dual8>("sleep", check);
}

TEST_CASE("integrators run as in MuJoCo for 100 steps", "[pipeline][conformance][003-34.8]") {
  const corten::Model<double> model = support::load("activation");
  const corten::io::Json tree = golden::load_golden("activation");
  corten::Data<double> data(model);
  for (const auto& entry : *tree.find("data")->array()) {
    std::vector<double> control, act, qpos;
    golden::flatten(*entry.find("pre")->find("ctrl"), control);
    golden::flatten(*entry.find("act"), act);
    golden::flatten(*entry.find("qpos"), qpos);
    std::copy(control.begin(), control.end(), data.ctrl().begin());
    REQUIRE(step(model, data).ok());
    for (std::size_t i = 0; i < act.size(); ++i) CHECK(std::fabs(data.act()[i] - act[i]) < 1e-12);
    CHECK(std::fabs(data.qpos()[0] - qpos[0]) < 1e-12);
  }
  CHECK(near(data.time(), 0.5, 1e-12));
}

TEST_CASE("single precision agrees to its rounding", "[pipeline][conformance]") {
  // contact and row quantities magnify the rounding of positions by stiffnesses of 1e4 and more
  for (const char* name : {"joints", "actuators", "servos", "motors", "fluid", "tendons"}) {
    golden::compare<float>(name,
                           [](const std::string& where, const std::string& field, double error) {
                             INFO(where << ' ' << field << " error " << error);
                             const bool rows = field.rfind("efc_", 0) == 0 ||
                                               field.find("constraint") != std::string::npos ||
                                               field.rfind("qacc", 0) == 0 || field == "qvel";
                             CHECK(error < (rows ? 2e-2 : 1e-4));
                           });
  }
}

TEST_CASE("the values of duals are those of doubles", "[pipeline][conformance]") {
  for (const char* name : models) {
    golden::compare<corten::Dual8>(
        name, [](const std::string& where, const std::string& field, double error) {
          INFO(where << ' ' << field << " error " << error);
          CHECK(error < 1e-9);
        });
  }
}

TEST_CASE("arrays of actuators agree with MuJoCo, the simulated ones too",
          "[pipeline][conformance][actuator]") {
  for (const char* name : {"servos", "motors"}) {
    corten::io::JsonWriter out;
    corten::io::write_model(out, support::load(name));
    const corten::io::Json got = corten::io::read_json(out.text()).value();
    const corten::io::Json tree = golden::load_golden(name);
    for (const char* part : {"sizes", "arrays"}) {
      for (const auto& member : *tree.find("model")->find(part)->object()) {
        const auto* field = got.find(part)->find(member.first);
        INFO(name << ' ' << member.first);
        REQUIRE(field != nullptr);
        CHECK(golden::field_error(member.second, *field) < 1e-8);
      }
    }
  }
}
