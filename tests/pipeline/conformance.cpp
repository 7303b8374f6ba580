// SPDX-License-Identifier: Apache-2.0
//
// Every field of every stage against MuJoCo 3.12.0, one forward or one step at a time from the same input.
#include <corten/scalar/dual.hpp>
#include <corten/version.hpp>

#include "../support/golden.hpp"

namespace {

const char* const models[] = {"joints", "actuators", "contacts", "fluid", "walker", "flags",
                              "tendons", "transmissions", "equality", "cones"};

// Where the cost is not quadratic, a solver that goes on until it sees no improvement is left with the square
// root of the rounding of the cost, and so is MuJoCo's.
double bound(const std::string& where) { return where.rfind("cones", 0) == 0 ? 1e-8 : 1e-9; }

}  // namespace

TEST_CASE("every field agrees with MuJoCo", "[pipeline][conformance][002-5.22]") {
  for (const char* name : models) {
    golden::compare<double>(name, [](const std::string& where, const std::string& field, double error) {
      INFO(where << ' ' << field << " error " << error);
      CHECK(error < bound(where));
    });
  }
}

TEST_CASE("single precision agrees to its rounding", "[pipeline][conformance]") {
  // contact and row quantities magnify the rounding of positions by stiffnesses of 1e4 and more
  for (const char* name : {"joints", "actuators", "fluid", "tendons"}) {
    golden::compare<float>(name, [](const std::string& where, const std::string& field, double error) {
      INFO(where << ' ' << field << " error " << error);
      const bool rows = field.rfind("efc_", 0) == 0 || field.find("constraint") != std::string::npos ||
                        field.rfind("qacc", 0) == 0 || field == "qvel";
      CHECK(error < (rows ? 2e-2 : 1e-4));
    });
  }
}

TEST_CASE("the values of duals are those of doubles", "[pipeline][conformance]") {
  for (const char* name : models) {
    golden::compare<corten::Dual8>(name,
                                     [](const std::string& where, const std::string& field, double error) {
                                       INFO(where << ' ' << field << " error " << error);
                                       CHECK(error < bound(where));
                                     });
  }
}
