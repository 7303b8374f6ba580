// SPDX-License-Identifier: Apache-2.0
//
// Flexes against MuJoCo 3.12.0: places, lengths, elastic forces, constraints, contacts and the
// implicit metric, one forward or one step at a time from the same input.
#include <corten/scalar/dual.hpp>

#include "../support/golden.hpp"

namespace {

// qacc and what depends on it come out of iterations
bool iterated(const std::string& field) {
  return field.starts_with("qacc") || field == "qvel" || field == "qfrc_constraint" ||
         field == "efc_force" || field == "sensordata";
}

template <class S>
void agree(const char* name, double closed, double solved) {
  golden::compare<S>(name, [&](const std::string& where, const std::string& field, double error) {
    INFO(where << ' ' << field << " error " << error);
    CHECK(error < (iterated(field) ? solved : closed));
  });
}

}  // namespace

TEST_CASE("flexes agree with MuJoCo", "[flex][conformance]") {
  for (const char* name : {"flex_solid", "flex_cells", "flex_metric"}) {
    agree<double>(name, 1e-9, 1e-6);
  }
}
