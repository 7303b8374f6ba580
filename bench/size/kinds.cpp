// SPDX-License-Identifier: Apache-2.0
#include <corten/dynamics.hpp>

using namespace corten;

// fewer kinds, all methods and stages
struct Kinds : Policies<Joints<Hinge>, Geoms<Plane, Sphere>> {};

Status run(const ModelRef<double, Kinds>& m, const DataRef<double>& d) { return step(m, d); }
