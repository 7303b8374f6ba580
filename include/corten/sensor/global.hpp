// SPDX-License-Identifier: Apache-2.0
//
// Sensors of whole mechanisms: centre of mass and momentum of a subtree, energy, time.
#pragma once

#include <corten/sensor/common.hpp>
#include <corten/stage/energy.hpp>

namespace corten {

struct SubtreeCom : SensorTraits<SensorType::subtreecom> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    store(out, 0, vec3<S>(d.subtree_com, m.sensor_objid[i]));
  }
};

struct SubtreeLinVel : SensorTraits<SensorType::subtreelinvel> {
  static constexpr bool needs_subtree_velocity = true;

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    store(out, 0, vec3<S>(d.subtree_linvel, m.sensor_objid[i]));
  }
};

struct SubtreeAngMom : SensorTraits<SensorType::subtreeangmom> {
  static constexpr bool needs_subtree_velocity = true;

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    store(out, 0, vec3<S>(d.subtree_angmom, m.sensor_objid[i]));
  }
};

// Energies are computed for their sensors even if the model's energy flag is off, the potential
// energy in sensing.hpp. The kinetic energy is read in the position stage, as in MuJoCo: it needs
// the inertia matrix and nothing later. Unlike MuJoCo's it is never late: with the energy flag on,
// MuJoCo reads the energy of the previous step.
struct PotentialEnergy : SensorTraits<SensorType::e_potential> {
  static constexpr bool measures_energy = true;

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M&, const D& d, int, const O& out) {
    out[0] = d.energy[0];
  }
};

struct KineticEnergy : SensorTraits<SensorType::e_kinetic> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int, const O& out) {
    kinetic_energy(m, d);
    out[0] = d.energy[1];
  }
};

struct Clock : SensorTraits<SensorType::clock> {
  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M&, const D& d, int, const O& out) {
    out[0] = d.time.get();
  }
};

}  // namespace corten
