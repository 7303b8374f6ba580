// SPDX-License-Identifier: Apache-2.0
//
// More than one thread within a world: a stage that takes the place of the solver and solves
// islands side by side. It is for one large world whose islands are many and large; a batch has
// worlds for all threads, and gains nothing.
//
//     using Threaded = Policies<DefaultPipeline::replace<stages::Solve, IslandThreads>>;
//     const auto m = bind<Threaded>(model).value();
//
// It takes as many threads as OpenMP gives (OMP_NUM_THREADS, set_default_threads), or one if the
// program is built without it. Islands share nothing, so the result is the same to the last bit for
// any number of threads, and the same as that of the default pipeline.
//
// Islands that are solved at the same time need memory each. All of it but that of the Hessians is
// proportional to dofs and rows, so each island takes its own part of what one island of everything
// would need. The memory of the Hessians may be too small for all at once; then they are solved in
// several rounds. The method PGS solves islands in turn, and so do problems of few rows, where
// starting the threads would take longer than the work.
#pragma once

#include <corten/batch/parallel.hpp>
#include <corten/solver/solve.hpp>

namespace corten {

namespace detail {

// how much island k takes of each kind of memory
template <class M, class D, class P>
ProblemPlace island_size(const M& m, const D& d, const P& p, int k) {
  ProblemPlace size;
  size.dof = d.isl_dofadr[k + 1] - d.isl_dofadr[k];
  size.row = d.isl_rowadr[k + 1] - d.isl_rowadr[k];
  for (int i = d.isl_dofadr[k]; i < d.isl_dofadr[k + 1]; ++i) size.M += m.M_rownnz[d.isl_dof[i]];
  for (int i = d.isl_rowadr[k], known = -1; i < d.isl_rowadr[k + 1] && p.J.compressed; ++i) {
    const int pattern = p.J.runadr[d.isl_row[i]];
    if (pattern != known) size.run += 1 + 2 * p.J.run[pattern];
    known = pattern;
  }
  if (m.opt.solver == static_cast<int>(Solver::newton)) {
    const auto pattern = island_pattern(m, d, k);
    size.H = (pattern.sparse() ? pattern.factor.values : size.dof * size.dof) + tile_overhang;
  }
  return size;
}

// Solves islands first … end - 1 at the same time, each in memory of its own. Where island k starts
// is found in `place`; afterwards its first two numbers say how the solver ended.
template <class M, class D, class P>
void solve_side_by_side(const M& m, const D& d, const P& p, int first, int end,
                        const ProblemPlace* place) {
  const int threads = default_threads();
  parallel_for(end - first, threads < end - first ? threads : end - first, [&](int i) {
    const ProblemPlace& at = place[i];
    const P q = take_island(m, d, p, first + i, at);
    const Ending ending = run_method<typename M::Policies::Solvers>(m, q);
    put_island(d, p, q, first + i);
    d.isl_pattern[at.dof] = ending.iterations;
    d.isl_pattern[m.n.nv + at.dof] = ending.converged ? 1 : 0;
  });
  for (int i = 0; i < end - first; ++i) {
    const int at = place[i].dof;
    note_ending(m, d, Ending{d.isl_pattern[at], d.isl_pattern[m.n.nv + at] != 0});
  }
}

// solves islands in rounds, each of as many as there is memory for
struct IslandsOnThreads {
  static constexpr int least_rows = 100, most_islands = 256;  // the latter: in a round

  template <class M, class D, class P>
  void operator()(const M& m, const D& d, const P& p) const {
    const bool dual = m.opt.solver == static_cast<int>(Solver::pgs);
    if (dual || d.nisland < 2 || d.nefc < least_rows) return IslandsInTurn{}(m, d, p);
    for (int first = 0, end = 0; first < d.nisland; first = end) {
      ProblemPlace place[most_islands], next;
      for (; end < d.nisland && end - first < most_islands; ++end) {
        const ProblemPlace size = island_size(m, d, p, end);
        if (end > first && next.H + size.H > d.n.nhess) break;
        place[end - first] = next;
        next = {next.dof + size.dof, next.row + size.row, next.M + size.M, next.run + size.run,
                next.H + size.H};
      }
      solve_side_by_side(m, d, p, first, end, place);
    }
  }
};

}  // namespace detail

// the stage
struct IslandThreads {
  template <class M, class D>
  static void run(const M& m, const D& d) {
    solve_by(m, d, detail::IslandsOnThreads{});
  }
};

}  // namespace corten
