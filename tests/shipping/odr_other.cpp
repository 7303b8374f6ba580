// SPDX-License-Identifier: Apache-2.0
#include <corten/corten.hpp>

int other_bodies(const corten::Model<double>& model);

int other_bodies(const corten::Model<double>& model) { return model.n.nbody; }
