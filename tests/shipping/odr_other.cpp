// SPDX-License-Identifier: Apache-2.0
//
// A second translation unit that includes everything: a function that is not inline would be
// defined twice.
#include <corten/batch.hpp>
#include <corten/corten.hpp>
#include <corten/derive.hpp>

int other_bodies(const corten::Model<double>& model);

int other_bodies(const corten::Model<double>& model) { return model.n.nbody; }
