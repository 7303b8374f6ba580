// SPDX-License-Identifier: Apache-2.0
//
// The dynamics in a program without exceptions and run-time type information, with a model built by
// hand: a unit mass that falls along one slide joint.
#include <corten/dynamics.hpp>

#include <cmath>
#include <cstdio>

namespace {

corten::Model<double> falling_mass() {
  corten::Model<double> m;
  m.n.nq = m.n.nv = m.n.njnt = m.n.nM = m.n.ntree = 1;
  m.n.nbody = 2;
  m.allocate();
  m.body_mass[1] = m.body_subtreemass[0] = m.body_subtreemass[1] = 1;
  m.body_quat[0] = m.body_quat[4] = m.body_iquat[0] = m.body_iquat[4] = 1;
  m.body_rootid[1] = m.body_weldid[1] = 1;
  m.body_mocapid = {-1, -1};
  m.body_jntnum[1] = m.body_dofnum[1] = 1;
  m.jnt_type[0] = static_cast<int>(corten::JointType::slide);
  m.jnt_bodyid[0] = m.dof_bodyid[0] = 1;
  m.jnt_axis[2] = 1;
  m.jnt_actuatorid[0] = -1;
  m.dof_parentid[0] = -1;
  m.M_rownnz[0] = 1;
  m.tree_dofnum[0] = 1;
  return m;
}

}  // namespace

int main() {
  const corten::Model<double> model = falling_mass();
  corten::Data<double> data(model);
  for (int i = 0; i < 100; ++i) {
    if (!corten::step(model, data)) return 1;
  }
  const double expected = model.opt.gravity[2] * data.time();
  std::printf("velocity %g, expected %g\n", data.qvel()[0], expected);
  return std::abs(data.qvel()[0] - expected) < 1e-9 ? 0 : 1;
}
