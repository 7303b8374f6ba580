// SPDX-License-Identifier: Apache-2.0
#include <corten/dynamics.hpp>

// the default pipeline
corten::Status run(const corten::ModelRef<double, corten::DefaultPolicies>& m,
                   const corten::DataRef<double>& d) {
  return corten::step(m, d);
}
