// SPDX-License-Identifier: Apache-2.0
#include <corten/corten.hpp>

int other_bodies(const char* text);

int other_bodies(const char* text) {
  const auto model = corten::load_string(text);
  return model.ok() ? model->n.nbody : -1;
}
