// SPDX-License-Identifier: Apache-2.0
#include <corten/dynamics.hpp>

using namespace corten;

// the pipeline of examples/reduced_pipeline.cpp
struct Reduced : Policies<Joints<Hinge>, Geoms<Plane, Sphere>, Solvers<Solver::newton>,
                          Integrators<Integrator::euler>, Sensors<>,
                          DefaultPipeline::without<stages::Tendon, stages::Transmission,
                                                   stages::Actuation, stages::Sensing>> {};

Status run(const ModelRef<double, Reduced>& m, const DataRef<double>& d) { return step(m, d); }
