// SPDX-License-Identifier: Apache-2.0
//
// The derivatives of a step found analytically and by dual numbers, compared.
#pragma once

#include <corten/derive.hpp>

#include "../support/model.hpp"

namespace support {

// to 1e-10 of the largest entry
template <class A, class B>
bool same_matrix(const A& a, const B& b) {
  return b.size() == 0 || (a - b).cwiseAbs().maxCoeff() <= 1e-10 * b.cwiseAbs().maxCoeff();
}

// A, B, C, D and the adjoint, at the state of the data
inline void check_both_ways(const corten::Model<double>& model, const corten::Data<double>& data) {
  using namespace corten;
  derive::Linearizer<double> analytic(model), dual(model);
  analytic.sensors = dual.sensors = true;
  dual.analytically = false;
  REQUIRE(analytic.is_analytic(make_ref<DefaultPolicies>(model)));
  const auto &a = analytic(model, data), &b = dual(model, data);
  CHECK(a.status.bits == b.status.bits);
  CHECK(same_matrix(a.A, b.A));
  CHECK(same_matrix(a.B, b.B));
  CHECK(same_matrix(a.C, b.C));
  CHECK(same_matrix(a.D, b.D));
  analytic.sensors = false;  // other solves serve where C and D are not wanted
  CHECK(same_matrix(analytic(model, data).A, b.A));
  const Eigen::VectorXd next = Eigen::VectorXd::LinSpaced(a.nx, -1, 1);
  const Eigen::VectorXd by_state = b.A.transpose() * next, by_control = b.B.transpose() * next;
  const auto& g = analytic.pullback(model, data, next.data());
  CHECK(same_matrix(Eigen::Map<const Eigen::VectorXd>(g.state().data(), b.nx), by_state));
  CHECK(same_matrix(Eigen::Map<const Eigen::VectorXd>(g.control().data(), b.nu), by_control));
}

}  // namespace support
