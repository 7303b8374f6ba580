// SPDX-License-Identifier: Apache-2.0
//
// How many contacts and constraint rows the data has room for, and the sizes of everything else
// whose memory depends on more than the model's sizes: the scalar, the solver, the integrator.
#pragma once

#include <corten/core/polytope_room.hpp>
#include <corten/model/model_ref.hpp>

namespace corten {

// -1 stands for an estimate from the model; data on the host grows if the estimate proves too
// small. Given numbers are fixed, unless `grow` makes them a mere starting point.
struct Capacity {
  int contacts = -1;
  int rows = -1;
  bool grow = false;
  int pairs =
      -1;  // geoms that may touch soon; only large models list them (collide/neighbours.hpp)
};

// the sizes of the model, and the capacities of the data
struct DataSizes : Sizes {
  int nconmax = 0;  // contacts
  int njmax = 0;    // constraint rows
  int nnear = 0;    // pairs of geoms that may touch soon, in models with a grid
  int nslot = 0;    // slots of the grid's hash table, a power of two

  // njmax where the memory is needed, else 0
  int npgs = 0;   // rows of the dual solver's matrix
  int ndual = 0;  // rows of the second Jacobian, which holds the values of duals
  int nisl = 0;   // rows of an island
  int nslip = 0;  // rows of noslip's matrix with derivatives

  int nccd = 0;  // vertices of the convex collider's polytope, if the stack is too small for it
  int vertex_bytes = 0;  // memory per vertex
  int nslope = 0;  // 1 if derivatives of forces by velocities are kept, for implicit integrators

  friend bool operator==(const DataSizes&, const DataSizes&) = default;
};

// does the integrator need smooth_slope?
CORTEN_FN bool takes_slopes(int integrator) {
  return integrator == static_cast<int>(Integrator::implicit) ||
         integrator == static_cast<int>(Integrator::implicitfast);
}

// does the solver need the matrix of the dual problem?
template <class S>
CORTEN_FN bool takes_rows(const Option<S>& opt) {
  return opt.solver == static_cast<int>(Solver::pgs) || opt.noslip_iterations > 0;
}

// Does the data have the memory that the solver needs, and the integrator? It may lack some if the
// model's options have changed since the data was made.
template <class M, class D>
CORTEN_FN bool has_solver_scratch(const M& m, const D& d) {
  const bool noslip = m.opt.noslip_iterations > 0;
  return (d.n.npgs >= d.n.njmax || !takes_rows(m.opt)) &&
         (d.n.nslip >= d.n.njmax || !noslip || !is_dual<typename D::Scalar>);
}
template <class M, class D>
CORTEN_FN bool has_scratch(const M& m, const D& d) {
  return has_solver_scratch(m, d) && (d.n.nslope > 0 || !takes_slopes(m.opt.integrator));
}

// The sizes of data with scalar S for a model.
template <class S, class SM>
DataSizes data_sizes(const ModelView<SM>& model, Capacity capacity = {}) {
  DataSizes n;
  static_cast<Sizes&>(n) = model.n;
  n.nconmax = capacity.contacts >= 0 ? capacity.contacts : 16 + 2 * model.n.ngeom;

  // rows that do not depend on contacts: equality, friction loss, limits
  int fixed = 0;
  for (int i = 0; i < n.neq; ++i) fixed += model.eq_dim[i];
  for (int i = 0; i < n.nv; ++i) fixed += value(model.dof_frictionloss[i]) > 0 ? 1 : 0;
  for (int i = 0; i < n.ntendon; ++i) fixed += value(model.tendon_frictionloss[i]) > 0 ? 1 : 0;
  for (int i = 0; i < n.njnt; ++i) fixed += model.jnt_limited[i];
  for (int i = 0; i < n.ntendon; ++i) fixed += 2 * model.tendon_limited[i];
  n.njmax = capacity.rows >= 0 ? capacity.rows : fixed + 4 * n.nconmax;

  n.npgs = takes_rows(model.opt) ? n.njmax : 0;
  n.ndual = is_dual<S> ? n.njmax : 0;
  n.nslip = is_dual<S> && model.opt.noslip_iterations > 0 ? n.njmax : 0;
  const int iterations = model.opt.ccd_iterations;
  if (iterations > local_iterations) {
    n.nccd = 5 + (iterations < most_iterations ? iterations : most_iterations);
    n.vertex_bytes = bytes_per_vertex<std::conditional_t<is_lanes<S>, double, value_t<S>>>;
  }
  if (n.ngrid > 0 && n.nconmax > 0) {
    n.nnear = capacity.pairs >= 0 ? capacity.pairs : 64 + 8 * n.ngrid;
    for (n.nslot = 64; n.nslot < 2 * n.ngrid;) n.nslot *= 2;
  }
  n.nslope = takes_slopes(model.opt.integrator) ? 1 : 0;
  n.nisl = model.n.ntree > 1 && !model.opt.disabled(disable_island) ? n.njmax : 0;
  return n;
}

template <class S, class SM>
DataSizes data_sizes(const Model<SM>& model, Capacity capacity = {}) {
  return data_sizes<S>(ModelView<SM>(model), capacity);
}

}  // namespace corten
