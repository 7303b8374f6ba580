// SPDX-License-Identifier: Apache-2.0
//
// Resets the state and inputs of a world: reference pose, at rest, no controls, no applied forces.
// From there, set_key goes on to a keyframe.
#pragma once

#include <corten/data/fields.hpp>
#include <corten/data/history.hpp>
#include <corten/data/state_list.hpp>
#include <corten/math/field.hpp>
#include <corten/tree/awake.hpp>

#include <type_traits>

namespace corten {

template <class M, class D>
CORTEN_FN void reset_state(const M& m, const D& d) {
  each_state(d, [](int, const char*, const auto& field, int count) {
    fill(field, count, std::remove_cvref_t<decltype(field[0])>(0));
  });
  copy(d.qpos, m.qpos0, m.n.nq);
  copy(d.eq_active, m.eq_active0, m.n.neq);
  reset_histories(m, d);
  reset_sleep(m, d);
  copy(d.soft_pos, m.softvert_pos, 3 * m.n.nsoftvert);
  copy(d.soft_flags, m.softvert_flags, m.n.nsoftvert);

  // mocap bodies start where the model places them
  for (int b = 0; b < m.n.nbody; ++b) {
    const int k = m.body_mocapid[b];
    if (k < 0) continue;
    copy(d.mocap_pos.from(3 * k), m.body_pos.from(3 * b), 3);
    copy(d.mocap_quat.from(4 * k), m.body_quat.from(4 * b), 4);
  }
}

// the numbers of a keyframe, which must exist
template <class M, class D>
CORTEN_FN void set_key(const M& m, const D& d, int key) {
  using S = typename D::Scalar;
  const auto& n = m.n;
  d.time = S(m.key_time[key]);
#define X(name, source, count) \
  for (int i = 0; i < (count); ++i) d.name[i] = S(m.source[key * (count) + i]);
  CORTEN_KEY_FIELDS(X)
#undef X
}

}  // namespace corten
