// SPDX-License-Identifier: Apache-2.0
//
// The implementation of compile.hpp, separate so that corten::precompiled can compile it once.
#pragma once

#include <corten/compile/bodies.hpp>
#include <corten/compile/boxes.hpp>
#include <corten/compile/candidates.hpp>
#include <corten/compile/compile.hpp>
#include <corten/compile/contact.hpp>
#include <corten/compile/discard.hpp>
#include <corten/compile/elements.hpp>
#include <corten/compile/equality.hpp>
#include <corten/compile/flex_trees.hpp>
#include <corten/compile/flex_write.hpp>
#include <corten/compile/fuse.hpp>
#include <corten/compile/length_range.hpp>
#include <corten/compile/numbering.hpp>
#include <corten/compile/refusals.hpp>
#include <corten/compile/set_const.hpp>
#include <corten/compile/sizes.hpp>
#include <corten/compile/sleep.hpp>
#include <corten/compile/soft_write.hpp>
#include <corten/compile/tendon.hpp>

namespace corten {

namespace compiler {

// statistics given in the file replace those of set_const
CORTEN_COLD void write_statistics(Draft& d) {
  const spec::Statistic& from = d.spec.statistic;
  Statistic<double>& to = d.m.stat;
  if (from.meaninertia) to.meaninertia = *from.meaninertia;
  if (from.meanmass) to.meanmass = *from.meanmass;
  if (from.meansize) to.meansize = *from.meansize;
  if (from.extent) to.extent = *from.extent;
  if (from.center) to.center = to_vec(*from.center);
}

// finds the length ranges of actuators by simulation
CORTEN_COLD Result<void> find_length_ranges(Draft& d) {
  const spec::LengthRange& options = d.spec.compiler.lengthrange;
  for (int a = 0; a < d.m.n.nactuator; ++a) {
    const auto set = d.extensions.set_length_range;
    const auto done =
        set != nullptr ? set(d.m, a, options) : set_length_range<DefaultPolicies>(d.m, a, options);
    if (!done) return at(d.actuators, a).error(done.error().message, "give lengthrange");
  }
  return {};
}

// writes everything that the spec states or that follows from ids
CORTEN_COLD Result<void> write_model(Draft& d) {
  if (auto done = write_options(d); !done) return done;
  if (auto done = write_materials(d); !done) return done;
  write_assets(d);
  write_bodies(d);
  place_softs(d);
  if (d.errors.empty()) {
    if (auto done = fuse_static(d); !done) return done;
    if (auto done = discard_visual(d); !done) return done;
  }
  write_grids(d);
  write_structure(d);
  write_flexes(d);
  write_sleep_policies(d);
  write_pairs(d);
  write_excludes(d);
  write_tendons(d);
  write_equalities(d);
  write_actuators(d);
  refuse_structure(d);
  write_sensors(d);
  write_numerics(d);
  write_softs(d);
  check_tuples(d);
  write_keys(d);
  if (auto done = d.report(); !done) return done;
  write_names(d);
  d.m.n.nJmom = count_moments(d);
  return {};
}

}  // namespace compiler

CORTEN_HOST Result<Model<double>> compile(const Spec& spec, const Extensions& extensions) {
  compiler::Draft d(spec, extensions);
  if (auto done = compiler::collect_elements(d); !done) return done.error();
  compiler::replace_pairs(d.pairs);
  if (auto done = compiler::refuse_elements(d); !done) return done.error();
  if (d.errors.empty()) compiler::make_assets(d);
  compiler::make_softs(d);
  if (auto done = d.report(); !done) return done.error();
  if (auto done = compiler::count_sizes(d); !done) return done.error();
  compiler::count_softs(d);
  d.m.allocate();
  if (auto done = compiler::write_model(d); !done) return done.error();
  if (d.settings.settotalmass > 0) compiler::set_total_mass(d.m, d.settings.settotalmass);
  if (extensions.set_const != nullptr) {
    extensions.set_const(d.m);
  } else {
    set_const(d.m);
  }
  if (auto done = compiler::resolve_sleep_policies(d); !done) return done.error();
  compiler::apply_springdampers(d);
  if (auto done = compiler::find_length_ranges(d); !done) return done.error();
  compiler::write_statistics(d);
  collision_candidates(d.m);
  body_boxes(d.m);
  if (d.m.n.nflex > 0) flex_trees(d.m);
  return std::move(d.m);
}

}  // namespace corten
