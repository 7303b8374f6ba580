// SPDX-License-Identifier: Apache-2.0
//
// Worlds that share registers. Separate from scalars.cpp, because the whole pipeline is compiled
// once more for them.
#include <corten/batch.hpp>

#include "property.hpp"

#include <string_view>
#include <vector>

namespace property {

namespace {

using namespace corten;

// the state and everything that a step leaves in the world, field by field
void compare_worlds(const Data<double>& a, const Data<double>& b, double relative,
                    Comparison& out) {
  const DataSizes n = sizes_in_use(a.ref());
  // Tendon paths have fewer points than there is room for, and warnings count how often a world
  // grew.
#define X(type, name, rows, width, meaning)                                                    \
  if (std::string_view(#name) != "warning" && !std::string_view(#name).starts_with("wrap_")) { \
    out.field(#name, a.ref().name, b.ref().name, (rows) * (width), relative);                  \
  }
  CORTEN_DATA_SHOWN_FIELDS(X)
#undef X
}

}  // namespace

// Equal up to rounding, which the solver increases to its square root (force_scale). One step only,
// since stiff models diverge from there. Iterative colliders end within 1e-6 of a distance, and
// their normals within its square root. Rounding may decide whether a contact exists, but not in
// both of two worlds.
std::string lanes_are_one_by_one(const Case& c) {
  Model<double> m = converging(c.model);
  // trial states deep inside a contact amplify rounding
  if (m.opt.integrator == int(Integrator::rk4)) m.opt.timestep = 1e-4;
  LaneBatch<double, 2> lanes(m, 2);
  std::vector<Data<double>> alone(2, c.data);
  support::Random random(c.seed);
  move(m, alone[1], random_vector(random, m.n.nv, 0.05), 1);
  for (int i = 0; i < 2; ++i) {
    const Status s = copy_state(alone[std::size_t(i)], lanes[i], state_integration);
    if (!s) return failure("copy_state", s);
  }
  if (!lanes.step_all()) return "the batch refuses a step";
  Comparison out;
  int ties = 0;
  for (int i = 0; i < 2; ++i) {
    Data<double>& one = alone[std::size_t(i)];
    const Status status = step(m, one);
    if (lanes.status()[std::size_t(i)].bits != status.bits) out.fail("another status");
    if (one.ncon() != lanes[i].ncon() || one.nefc() != lanes[i].nefc()) {
      ++ties;
    } else if (status && has_converged(m, one) && !has_hard_rows(one)) {
      compare_worlds(one, lanes[i], contacts_are_closed_form(m, one) ? 1e-6 : 1e-3, out);
    }
  }
  if (ties == 2) out.fail("different contacts or rows");
  return out.text();
}

}  // namespace property
