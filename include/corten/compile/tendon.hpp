// SPDX-License-Identifier: Apache-2.0
//
// Tendons: their parameters and limits. Their paths are in path.hpp.
#pragma once

#include <corten/compile/numbering.hpp>
#include <corten/compile/path.hpp>

namespace corten::compiler {

namespace detail {

CORTEN_COLD Result<void> write_tendon_limits(Draft& d, int t) {
  Model<double>& m = d.m;
  const spec::Tendon& e = at(d.tendons, t);
  const spec::Numbers<2> range = e.range.value_or(spec::Numbers<2>{0, 0});
  const spec::Tristate limited = e.limited.value_or(spec::Tristate::automatic);
  if (auto done = check_limited(d.settings_of(e), e, limited, range, ""); !done) return done;
  put(m.tendon_limited, t, is_limited(limited, range));
  if (is_limited(limited, range) && range[0] >= range[1]) {
    return e.error("range[0] must be smaller than range[1]",
                   e.range ? "" : "give a range, or remove limited");
  }
  put(m.tendon_range, t, range);

  // the default is no, not automatic: a range alone does not limit the force of actuators
  const spec::Numbers<2> force = e.actuatorfrcrange.value_or(spec::Numbers<2>{0, 0});
  const spec::Tristate force_limited = e.actuatorfrclimited.value_or(spec::Tristate::no);
  if (auto done = check_limited(d.settings_of(e), e, force_limited, force, "actuatorfrc"); !done)
    return done;
  const bool active = is_limited(force_limited, force);
  if (active && (force[0] >= force[1] || force[0] > 0 || force[1] < 0)) {
    return e.error("actuatorfrcrange must be ascending and contain 0");
  }
  put(m.tendon_actfrclimited, t, active);
  put(m.tendon_actfrcrange, t, force);
  return {};
}

CORTEN_COLD void write_tendon_numbers(Draft& d, int t) {
  Model<double>& m = d.m;
  const spec::Tendon& e = at(d.tendons, t);
  put(m.tendon_group, t, e.group.value_or(0));
  put(m.tendon_width, t, e.width.value_or(0.003));
  put(m.tendon_matid, t, material_of(d, e));
  put_colour(m.tendon_rgba, t, e.rgba.value_or(spec::Numbers<4>{0.5, 0.5, 0.5, 1}));
  put(m.tendon_solref_lim, t, e.solreflimit.value_or(default_solref));
  put(m.tendon_solimp_lim, t, e.solimplimit.value_or(default_solimp));
  put(m.tendon_solref_fri, t, e.solreffriction.value_or(default_solref));
  put(m.tendon_solimp_fri, t, e.solimpfriction.value_or(default_solimp));
  put(m.tendon_margin, t, e.margin.value_or(0));
  put_polynomial(m.tendon_stiffness, m.tendon_stiffnesspoly, t, e.stiffness);
  put_polynomial(m.tendon_damping, m.tendon_dampingpoly, t, e.damping);
  put(m.tendon_armature, t, e.armature.value_or(0));
  put(m.tendon_frictionloss, t, e.frictionloss.value_or(0));
  put(m.tendon_lengthspring, t, e.springlength.value_or(spec::Numbers<2>{-1, -1}));
}

// Armature of a tendon couples the dofs of its bodies, so their inertia matrix is no longer
// diagonal. As in MuJoCo, this applies to the bodies of spatial paths, and only to the tendon's
// own armature, not to that of its actuators.
CORTEN_COLD void unmark_simple(Draft& d, int t) {
  Model<double>& m = d.m;
  if (at(m.tendon_armature, t) == 0) return;
  for (int w = at(m.tendon_adr, t); w < at(m.tendon_adr, t) + at(m.tendon_num, t); ++w) {
    const auto type = static_cast<WrapType>(at(m.wrap_type, w));
    if (type == WrapType::joint || type == WrapType::pulley) continue;
    put(m.body_simple, wrap_body(m, w), 0);
  }
}

CORTEN_COLD Result<void> write_tendon(Draft& d, int t, int address) {
  const spec::Tendon& e = at(d.tendons, t);
  write_tendon_numbers(d, t);
  if (auto done = write_path(d, t, address); !done) return done;
  if (auto done = write_tendon_limits(d, t); !done) return done;
  const spec::Numbers<2> rest = e.springlength.value_or(spec::Numbers<2>{-1, -1});
  if (rest[0] > rest[1]) return e.error("springlength[0] must not exceed springlength[1]");
  return put_user(d.m.tendon_user, d.m.n.nuser_tendon, "nuser_tendon", t, e);
}

}  // namespace detail

CORTEN_COLD void write_tendons(Draft& d) {
  int address = 0;
  for (int t = 0; t < d.m.n.ntendon; ++t) {
    d.note(at(d.tendons, t), detail::write_tendon(d, t, address));
    address += at(d.m.tendon_num, t);
    detail::unmark_simple(d, t);
  }
  detail::number_simple(d.m);
}

}  // namespace corten::compiler
