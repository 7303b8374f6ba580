// SPDX-License-Identifier: Apache-2.0
//
// Two translation units that include everything: a function that is not inline would be defined
// twice.
#include <corten/corten.hpp>

int other_bodies(const corten::Model<double>& model);

int main() {
  const char* text =
      "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
  const auto model = corten::load_string(text);
  return model.ok() && other_bodies(*model) == 2 ? 0 : 1;
}
