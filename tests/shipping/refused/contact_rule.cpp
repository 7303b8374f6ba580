// SPDX-License-Identifier: Apache-2.0
//
// may_touch is misspelt; the rule would let everything touch.
// refused: FeetOnly may_touch collide/rules.hpp
#include <corten/pipeline/policies.hpp>

struct FeetOnly {
  template <class M, class D>
  static bool may_tuch(const M& m, const D&, int geom1, int) {
    return m.geom_group[geom1] == 1;
  }
};

corten::Policies<corten::ContactRules<FeetOnly>> policies;
