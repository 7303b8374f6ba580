// SPDX-License-Identifier: Apache-2.0
//
// The force of a contact, from the forces of its rows (efc_force, which the solver writes).
#pragma once

#include <corten/core/enums.hpp>
#include <corten/math/field.hpp>

namespace corten {

// Force (normal, two tangents) and torque (about the same axes) that the contact's first geom
// exerts on the second, in the frame of the contact. Zero if the contact has no rows.
//
// The edges of a friction pyramid come in pairs n ± μ t. All of them push along the normal, and the
// difference of a pair acts along its tangent (MuJoCo documentation, Computation, "Friction
// cones"). The rows of other contacts are the components of the force themselves. Adhesion is part
// of the normal force but not of the rows, so it is subtracted here.
template <class D>
CORTEN_FN Vec6<typename D::Scalar> contact_force(const D& d, int c) {
  using S = typename D::Scalar;
  Vec6<S> out = Vec6<S>::Zero();
  const int row = d.contact_efc_address[c], dim = d.contact_dim[c];
  if (row < 0) return out;

  if (static_cast<ConstraintType>(d.efc_type[row]) == ConstraintType::contact_pyramidal) {
    for (int k = 1; k < dim; ++k) {
      const S plus = d.efc_force[row + 2 * k - 2], minus = d.efc_force[row + 2 * k - 1];
      out[0] += plus + minus;
      out[k] = (plus - minus) * d.contact_friction[5 * c + k - 1];
    }
  } else {
    for (int k = 0; k < dim; ++k) out[k] = d.efc_force[row + k];
  }
  out[0] -= d.contact_adhesion[c];
  return out;
}

}  // namespace corten
