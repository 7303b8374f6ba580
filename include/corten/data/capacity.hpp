// SPDX-License-Identifier: Apache-2.0
//
// How many contacts and constraint rows the data has room for.
#pragma once

#include <corten/core/polytope_room.hpp>
#include <corten/model/model_ref.hpp>

namespace corten {

// -1: a guess from the model; data on the host grows when the guess was too small. Numbers that are given
// are fixed, unless they are only to start with.
struct Capacity {
  int contacts = -1;
  int rows = -1;
  bool grow = false;
};

// sizes of a model and of what varies while it moves
struct DataSizes : Sizes {
  int nconmax = 0;  // contacts
  int njmax = 0;    // constraint rows
  int npgs = 0;     // rows that the dual solver's matrix has room for
  int ndual = 0;    // rows whose Jacobian is kept a second time, as values
  int nisl = 0;     // rows that an island has room for
  int nslip = 0;    // rows that noslip's matrix with derivatives has room for
  int nccd = 0;     // vertices of the convex collider that do not fit on the stack
  int nslope = 0;  // 1 where derivatives of forces in velocities are kept: for implicit integrators
};

// does the integrator work with smooth_slope?
CORTEN_FN bool takes_slopes(int integrator) {
  return integrator == static_cast<int>(Integrator::implicit) ||
         integrator == static_cast<int>(Integrator::implicitfast);
}

// The sizes of data with scalar S for a model.
template <class S, class SM>
DataSizes data_sizes(const ModelView<SM>& model, Capacity capacity = {}) {
  DataSizes n;
  static_cast<Sizes&>(n) = model.n;
  n.nconmax = capacity.contacts >= 0 ? capacity.contacts : 16 + 2 * model.n.ngeom;

  // rows that may always be there: equality, friction loss, limits
  int fixed = 0;
  for (int i = 0; i < n.neq; ++i) fixed += model.eq_dim[i];
  for (int i = 0; i < n.nv; ++i) fixed += value(model.dof_frictionloss[i]) > 0 ? 1 : 0;
  for (int i = 0; i < n.ntendon; ++i) fixed += value(model.tendon_frictionloss[i]) > 0 ? 1 : 0;
  for (int i = 0; i < n.njnt; ++i) fixed += model.jnt_limited[i];
  for (int i = 0; i < n.ntendon; ++i) fixed += 2 * model.tendon_limited[i];
  n.njmax = capacity.rows >= 0 ? capacity.rows : fixed + 4 * n.nconmax;

  const bool noslip = model.opt.noslip_iterations > 0;
  const bool dual_solver = model.opt.solver == static_cast<int>(Solver::pgs) || noslip;
  n.npgs = dual_solver ? n.njmax : 0;
  n.ndual = is_dual<S> ? n.njmax : 0;
  n.nslip = is_dual<S> && noslip ? n.njmax : 0;
  const int iterations = model.opt.ccd_iterations;
  if (iterations > local_iterations) {
    n.nccd = 5 + (iterations < most_iterations ? iterations : most_iterations);
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
