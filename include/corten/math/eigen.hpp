// SPDX-License-Identifier: Apache-2.0
//
// Spans as vectors and matrices of Eigen, without a copy:
//
//     eigen(data.ctrl()) = -K * eigen(data.qvel());
//     double height = eigen<3>(data.xpos()).col(body).z();     // one column per body
//
// For the host only: stages use the small values of math/types.hpp.
#pragma once

#include <Eigen/Core>

#include <span>
#include <type_traits>

namespace corten {

namespace detail {

// a map of a matrix with `Rows` rows and any number of columns; read-only for a const scalar
template <class S, int Rows, int Columns>
using EigenMatrix = Eigen::Matrix<std::remove_const_t<S>, Rows, Columns>;
template <class S, class Matrix>
using EigenMap = Eigen::Map<std::conditional_t<std::is_const_v<S>, const Matrix, Matrix>>;

}  // namespace detail

template <class S>
auto eigen(std::span<S> x) {
  using Vector = detail::EigenMatrix<S, Eigen::Dynamic, 1>;
  return detail::EigenMap<S, Vector>(x.data(), static_cast<Eigen::Index>(x.size()));
}

// The numbers of each object (three of a position, six of a wrench) in a column of their own.
template <int Rows, class S>
auto eigen(std::span<S> x) {
  using Matrix = detail::EigenMatrix<S, Rows, Eigen::Dynamic>;
  const auto columns = static_cast<Eigen::Index>(x.size()) / Rows;
  return detail::EigenMap<S, Matrix>(x.data(), Rows, columns);
}

}  // namespace corten
