// SPDX-License-Identifier: Apache-2.0
//
// How many contacts and constraint rows the data has room for, and the sizes of everything else
// whose memory depends on more than the model's sizes: the scalar, the solver, the integrator.
#pragma once

#include <corten/constraint/compressed.hpp>
#include <corten/core/polytope_room.hpp>
#include <corten/flex/stiffness.hpp>
#include <corten/model/model_ref.hpp>

#include <algorithm>

namespace corten {

// -1 stands for an estimate from the model; data on the host grows if the estimate proves too
// small. Given numbers are fixed, unless `grow` makes them a mere starting point.
struct Capacity {
  int contacts = -1;
  int rows = -1;
  bool grow = false;

  // geoms that may touch soon; only large models list them (collide/neighbours.hpp)
  int pairs = -1;

  // hits of pairs that a device collides kernel by kernel (stage/collision_items.hpp); -1: none
  int hits = -1;

  // only for models whose rows are compressed (compresses_rows, constraint/compressed.hpp)
  int entries = -1;   // of the Jacobian
  int weighted = -1;  // of the rows that PGS and noslip work on
  int hessian = -1;   // numbers of the Hessian
  int factor = -1;    // integers of its pattern

  friend bool operator==(const Capacity&, const Capacity&) = default;
};

// the larger of two, number by number
CORTEN_FN Capacity join(const Capacity& a, const Capacity& b) {
  const auto most = [](int x, int y) { return x > y ? x : y; };
  return {.contacts = most(a.contacts, b.contacts),
          .rows = most(a.rows, b.rows),
          .grow = a.grow || b.grow,
          .pairs = most(a.pairs, b.pairs),
          .hits = most(a.hits, b.hits),
          .entries = most(a.entries, b.entries),
          .weighted = most(a.weighted, b.weighted),
          .hessian = most(a.hessian, b.hessian),
          .factor = most(a.factor, b.factor)};
}

// What to make room for if `want` does not fit into `have`: with an eighth to spare.
inline Capacity enlarged(const Capacity& have, Capacity want) {
  if (want.rows > have.rows && have.rows > 0) {  // rows that did not fit have entries, too
    const double more = static_cast<double>(want.rows) / have.rows;
    want.entries = std::max(want.entries, static_cast<int>(more * have.entries));
    want.weighted = std::max(want.weighted, static_cast<int>(more * have.weighted));
  }
  const auto room = [](int wanted, int there) {
    return wanted > there ? wanted + wanted / 8 + 1 : there;
  };
  return {.contacts = room(want.contacts, have.contacts),
          .rows = room(want.rows, have.rows),
          .pairs = room(want.pairs, have.pairs),
          .hits = room(want.hits, have.hits),
          .entries = room(want.entries, have.entries),
          .weighted = room(want.weighted, have.weighted),
          .hessian = room(want.hessian, have.hessian),
          .factor = room(want.factor, have.factor)};
}

// the sizes of the model, and the capacities of the data
struct DataSizes : Sizes {
  int nconmax = 0;  // contacts
  int njmax = 0;    // constraint rows
  int nnear = 0;    // pairs of geoms that may touch soon, in models with a grid
  int nhit = 0;     // hits of pairs that a device collides kernel by kernel
  int nslot = 0;    // slots of the grid's hash table, a power of two

  // njmax where the memory is needed, else 0
  int npgs = 0;   // rows of the dual solver's matrix
  int ndual = 0;  // rows of the second Jacobian, which holds the values of duals
  int nisl = 0;   // rows of an island
  int nslip = 0;  // rows of noslip's matrix with derivatives

  // numbers of matrices
  int njnz = 0;     // entries of compressed rows; 0 if rows are dense
  int nrun = 0;     // numbers that describe their patterns
  int nynz = 0;     // entries of the dual solver's rows, if rows are compressed
  int nhess = 0;    // Hessian
  int nfactor = 0;  // integers that describe its pattern, if rows are compressed

  int nccd = 0;  // vertices of the convex collider's polytope, if the stack is too small for it
  int vertex_bytes = 0;  // memory per vertex
  int nslope = 0;   // 1 if derivatives of forces by velocities are kept, for implicit integrators
  int nsleep = 0;   // trees, if they may sleep
  int nmetric = 0;  // 1 if the stiffness of flexes enters the inertia (solver/flex_metric.hpp)

  friend bool operator==(const DataSizes&, const DataSizes&) = default;

  CORTEN_FN Capacity capacity() const {
    return {nconmax, njmax, false, nnear, nhit, njnz, nynz, nhess, nfactor};
  }
  CORTEN_FN bool compressed() const { return njnz > 0; }

  // the bodies, if they are few and have many geoms: the broad phase then compares them in pairs
  CORTEN_FN int paired_bodies() const {
    return ngrid > 0 && nbody <= 128 && ngeom > 2 * nbody ? nbody : 0;
  }

  // sizes of fields, which depend on it
  CORTEN_FN int entries() const { return compressed() ? njnz : njmax * nv; }
  CORTEN_FN int values() const { return ndual > 0 ? entries() : 0; }
  CORTEN_FN int island_entries() const { return compressed() ? 0 : nisl * nv; }
  CORTEN_FN int island_runs() const { return nisl > 0 ? nrun : 0; }
  CORTEN_FN int if_flex(int count) const { return nflex > 0 ? count : 0; }
  CORTEN_FN int if_compressed(int count) const { return compressed() ? count : 0; }
  CORTEN_FN int if_dense(int rows, int columns) const { return compressed() ? 0 : rows * columns; }
  CORTEN_FN int weighted(int rows) const {
    return compressed() ? (rows > 0 ? nynz : 0) : rows * nv;
  }
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

// does the solver need the Hessian? Derivatives do, whatever solver found the solution.
template <class S, class SM>
CORTEN_FN bool takes_hessian(const Option<SM>& opt) {
  return is_dual<S> || (opt.solver != static_cast<int>(Solver::pgs) &&
                        opt.solver != static_cast<int>(Solver::cg));
}

// Does the data have the memory that the solver needs, and the integrator? It may lack some if the
// model's options have changed since the data was made.
template <class M, class D>
CORTEN_FN bool has_solver_scratch(const M& m, const D& d) {
  const bool noslip = m.opt.noslip_iterations > 0;
  return (d.n.nsleep >= m.n.ntree || !m.opt.enabled(enable_sleep)) &&
         (m.n.nflex == 0 || d.n.nmetric > 0 || !has_flex_metric(m)) &&
         (d.n.npgs >= d.n.njmax || !takes_rows(m.opt)) &&
         (d.n.nslip >= d.n.njmax || !noslip || !is_dual<typename D::Scalar>);
}
template <class M, class D>
CORTEN_FN bool has_scratch(const M& m, const D& d) {
  return has_solver_scratch(m, d) && (d.n.nslope > 0 || !takes_slopes(m.opt.integrator));
}

namespace detail {

// rows that do not depend on contacts: equality, friction loss, limits
template <class SM>
int fixed_rows(const ModelView<SM>& model) {
  const Sizes& n = model.n;
  int rows = 0;
  for (int i = 0; i < n.neq; ++i) rows += model.eq_dim[i];
  for (int i = 0; i < n.nv; ++i) rows += value(model.dof_frictionloss[i]) > 0 ? 1 : 0;
  for (int i = 0; i < n.ntendon; ++i) rows += value(model.tendon_frictionloss[i]) > 0 ? 1 : 0;
  for (int i = 0; i < n.njnt; ++i) rows += model.jnt_limited[i];
  for (int i = 0; i < n.ntendon; ++i) rows += 2 * model.tendon_limited[i];
  return rows;
}

// The memory of compressed rows. A row follows at most two chains of dofs to their roots, except
// along tendons. Where the data cannot grow every row gets as much as that; where it can, chains
// are assumed to be short.
template <class S, class SM>
void size_compressed(const ModelView<SM>& model, const Capacity& capacity, DataSizes& n) {
  const bool fixed = !capacity.grow && (capacity.contacts >= 0 || capacity.rows >= 0);
  int width = 0, tree = 0;
  for (int i = 0; i < n.nv; ++i) width = std::max(width, 2 * model.dof_depth[i]);
  for (int t = 0; t < n.ntree; ++t) tree = std::max(tree, int(model.tree_dofnum[t]));
  const int weighted = n.ntendon > 0 ? n.nv : std::min(width, n.nv);
  for (int t = 0; t < n.ntendon; ++t) width = std::max(width, int(model.ten_J_rownnz[t]));
  width = std::min(width, n.nv);

  // a pyramid of ten rows is put in order in the memory behind it
  const auto total = [&](int asked, int each) {
    if (asked > 0) return asked;
    return std::max((n.njmax + 20) * std::min(each, fixed ? n.nv : 48), 1);
  };
  n.njnz = total(capacity.entries, width);
  n.nrun = n.njnz / 2 + 1;
  n.nynz = n.npgs > 0 ? total(capacity.weighted, weighted) : 0;
  if (!takes_hessian<S>(model.opt)) return;
  // a pile has some sixty entries of the factor per dof, and ten integers of its pattern
  const int island = std::min(n.nv, fixed ? std::max(tree, 300) : 64);
  const int pile = std::min(n.nv, fixed ? 300 : 24) * n.nv;
  n.nhess = capacity.hessian > 0 ? capacity.hessian : std::max(island * island, pile) + 8;
  n.nfactor = capacity.factor > 0 ? capacity.factor : (fixed ? 150 : 30) * n.nv + 4 * n.njmax;
}

}  // namespace detail

// The sizes of data with scalar S for a model.
template <class S, class SM>
DataSizes data_sizes(const ModelView<SM>& model, Capacity capacity = {}) {
  DataSizes n;
  static_cast<Sizes&>(n) = model.n;
  n.nconmax = capacity.contacts >= 0 ? capacity.contacts : 16 + 2 * model.n.ngeom;
  n.njmax = capacity.rows >= 0 ? capacity.rows : detail::fixed_rows(model) + 4 * n.nconmax;

  n.npgs = takes_rows(model.opt) ? n.njmax : 0;
  n.ndual = is_dual<S> ? n.njmax : 0;
  n.nslip = is_dual<S> && model.opt.noslip_iterations > 0 ? n.njmax : 0;
  const int iterations = model.opt.ccd_iterations;
  if (iterations > local_iterations) {
    n.nccd = 5 + (iterations < most_iterations ? iterations : most_iterations);
    n.vertex_bytes = bytes_per_vertex<std::conditional_t<is_lanes<S>, double, value_t<S>>>;
  }
  n.nhit = capacity.hits > 0 ? capacity.hits : 0;
  if (n.ngrid > 0) {
    n.nnear = n.nconmax > 0 ? 64 + 8 * n.ngrid : 0;
    if (capacity.pairs >= 0) n.nnear = capacity.pairs;
    for (n.nslot = 64; n.nslot < 2 * n.ngrid;) n.nslot *= 2;
  }
  n.nslope = takes_slopes(model.opt.integrator) ? 1 : 0;
  n.nmetric = has_flex_metric(model) ? 1 : 0;
  n.nsleep = model.opt.enabled(enable_sleep) ? model.n.ntree : 0;
  n.nisl = model.n.ntree > 1 && !model.opt.disabled(disable_island) ? n.njmax : 0;
  if (n.njmax > 0 && compresses_rows(model)) {
    detail::size_compressed<S>(model, capacity, n);
  } else if (n.njmax > 0) {
    n.nhess = n.nv * n.nv;
  }
  return n;
}

template <class S, class SM>
DataSizes data_sizes(const Model<SM>& model, Capacity capacity = {}) {
  return data_sizes<S>(ModelView<SM>(model), capacity);
}

}  // namespace corten
