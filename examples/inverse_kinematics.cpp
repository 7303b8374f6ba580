// SPDX-License-Identifier: Apache-2.0
//
// Inverse kinematics with Jacobians: which joint angles bring the hand of an arm to a target?
// Damped least squares on J, with steps on the manifold of the joints by integrate_pos, so that
// ball and free joints would work as well.
#include <corten/corten.hpp>

#include <Eigen/Dense>

#include <cstdio>
#include <vector>

constexpr const char* arm = R"(
<mujoco>
  <default><geom type="capsule" size=".03" density="500"/></default>
  <worldbody>
    <site name="target" pos=".4 .25 .5"/>
    <body><joint axis="0 0 1"/><joint axis="0 1 0"/><geom fromto="0 0 0 0 0 .4"/>
      <body pos="0 0 .4"><joint axis="0 1 0"/><geom fromto="0 0 0 .35 0 0"/>
        <body pos=".35 0 0"><joint axis="0 1 0"/><geom fromto="0 0 0 .2 0 0"/>
          <site name="hand" pos=".2 0 0"/></body></body></body>
  </worldbody>
</mujoco>)";

int main() {
  const auto model = corten::load_string(arm);
  if (!model) return std::puts(model.error().to_string().c_str()), 1;
  const auto m = corten::bind(*model).value();
  corten::Data<double> data(*model);
  const int hand = 1, target = 0, nv = model->n.nv;  // sites in the order of the bodies

  using Jacobian = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;
  Jacobian J(3, nv);
  const auto site = [&](int i) {
    return Eigen::Vector3d::Map(&data.site_xpos()[std::size_t(3 * i)]);
  };
  double distance = 0;
  for (int k = 0; k < 50; ++k) {
    if (const auto status = corten::forward(m, data); !status) {
      return std::puts(status.to_string().c_str()), 1;
    }
    const Eigen::Vector3d miss = site(target) - site(hand);
    distance = miss.norm();
    std::printf("%2d  %.2e m\n", k, distance);
    if (distance < 1e-9) break;

    // (JᵀJ + λ²) dq = Jᵀ miss, in the form that inverts a 3 × 3 matrix
    const std::span<double> rows(J.data(), std::size_t(3 * nv));
    if (!corten::jac_site(*model, data, hand, rows, {})) return 1;
    const Eigen::Matrix3d damped = J * J.transpose() + 1e-4 * Eigen::Matrix3d::Identity();
    const Eigen::VectorXd dq = J.transpose() * damped.ldlt().solve(miss);
    const std::span<const double> by(dq.data(), std::size_t(nv));
    if (!corten::integrate_pos(*model, data.qpos(), by, 1.0)) return 1;
  }
  return distance < 1e-9 ? 0 : 1;
}
