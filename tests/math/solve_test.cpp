// SPDX-License-Identifier: Apache-2.0
#include <corten/math/dense.hpp>
#include <corten/math/tree_ldl.hpp>
#include <corten/scalar/dual.hpp>

#include "../support/catch.hpp"

#include <Eigen/Dense>

#include <random>
#include <vector>

using namespace corten;

namespace {

// a tree of dofs with the pattern of its inertia matrix, as in a model
struct Tree {
  std::vector<int> rownnz, rowadr, colind;
  Field<const int> M_rownnz, M_rowadr, M_colind;

  explicit Tree(const std::vector<int>& parent) {
    for (int i = 0; i < int(parent.size()); ++i) {
      std::vector<int> path;
      for (int j = i; j >= 0; j = parent[std::size_t(j)]) path.insert(path.begin(), j);
      rowadr.push_back(int(colind.size()));
      rownnz.push_back(int(path.size()));
      colind.insert(colind.end(), path.begin(), path.end());
    }
    M_rownnz.data = rownnz.data();
    M_rowadr.data = rowadr.data();
    M_colind.data = colind.data();
  }
  int nv() const { return int(rownnz.size()); }

  // a random positive definite matrix with this pattern, as stored rows
  std::vector<double> random_matrix() const {
    std::mt19937 generator(3);
    std::uniform_real_distribution<double> u(-1, 1);
    std::vector<double> m;
    for (int i = 0; i < nv(); ++i) {
      for (int k = 0; k < rownnz[std::size_t(i)]; ++k) {
        m.push_back(k + 1 == rownnz[std::size_t(i)] ? 8 + u(generator) : u(generator));
      }
    }
    return m;
  }
  Eigen::MatrixXd dense(const std::vector<double>& m) const {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(nv(), nv());
    for (int i = 0; i < nv(); ++i) {
      for (int k = M_rowadr[i]; k < M_rowadr[i] + M_rownnz[i]; ++k) {
        out(i, M_colind[k]) = out(M_colind[k], i) = m[std::size_t(k)];
      }
    }
    return out;
  }
};

const std::vector<int> branching = {-1, 0, 1, 1, 3, 4, 3, 0, 7, -1, 9};

}  // namespace

TEST_CASE("tree factorisation solves, multiplies and keeps the pattern", "[math]") {
  const Tree tree(branching);
  const int n = tree.nv();
  std::vector<double> m = tree.random_matrix(), ld = m, inverse(std::size_t(n), 0.0);
  const Eigen::MatrixXd dense = tree.dense(m);
  CHECK(tree_factor(tree, n, Field<double>{ld.data()}, Field<double>{inverse.data()}));

  Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(n, -1, 2), y = x, product(n);
  tree_solve(tree, n, Field<double>{ld.data()}, Field<double>{inverse.data()},
             Field<double>{y.data()});
  CHECK((dense.ldlt().solve(x) - y).norm() < 1e-13);
  tree_multiply(tree, n, Field<double>{m.data()}, Field<double>{x.data()},
                Field<double>{product.data()});
  CHECK((dense * x - product).norm() < 1e-13);
}

TEST_CASE("tree factorisation has the right derivative", "[math]") {
  using D = Dual<double, 1>;
  const Tree tree(branching);
  const int n = tree.nv();
  const std::vector<double> m = tree.random_matrix();
  std::vector<D> ld(m.begin(), m.end()), inverse(static_cast<std::size_t>(n));
  ld[5].v[0] = 1;
  std::vector<D> x(static_cast<std::size_t>(n), D(1.0));
  tree_factor(tree, n, Field<D>{ld.data()}, Field<D>{inverse.data()});
  tree_solve(tree, n, Field<D>{ld.data()}, Field<D>{inverse.data()}, Field<D>{x.data()});

  // d(M⁻¹ b) = -M⁻¹ dM M⁻¹ b
  std::vector<double> change(m.size(), 0.0);
  change[5] = 1;
  const Eigen::MatrixXd dense = tree.dense(m);
  const Eigen::VectorXd y = dense.ldlt().solve(Eigen::VectorXd::Ones(n));
  const Eigen::VectorXd expected = -dense.ldlt().solve(tree.dense(change) * y);
  for (int i = 0; i < n; ++i) CHECK(near(x[std::size_t(i)].v[0], expected[i], 1e-14));
}

TEST_CASE("a singular inertia matrix is reported", "[math]") {
  const Tree tree({-1, 0});
  std::vector<double> m = {1, 1, 1}, inverse(2);
  CHECK_FALSE(tree_factor(tree, 2, Field<double>{m.data()}, Field<double>{inverse.data()}));
  CHECK(std::isfinite(inverse[1]));
}

TEMPLATE_TEST_CASE("Cholesky of dense matrices, contiguous and strided", "[math]", float, double,
                   (Dual<double, 2>)) {
  using S = TestType;
  const int n = 9;
  const double limit = std::is_same_v<value_t<S>, float> ? 1e-4 : 1e-12;
  Eigen::MatrixXd a = Eigen::MatrixXd::Random(n, n);
  a = Eigen::MatrixXd(a * a.transpose() + Eigen::MatrixXd::Identity(n, n));
  const Eigen::VectorXd b = Eigen::VectorXd::Random(n), expected = a.llt().solve(b);

  std::vector<S> h(n * n), x(n), wide(3 * n * n), wide_x(3 * n);
  for (int i = 0; i < n; ++i) {
    x[std::size_t(i)] = wide_x[std::size_t(3 * i)] = S(value_t<S>(b[i]));
    for (int j = 0; j < n; ++j) {
      h[std::size_t(i * n + j)] = wide[std::size_t(3 * (i * n + j))] = S(value_t<S>(a(i, j)));
    }
  }
  CHECK(cholesky(Field<S>{h.data()}, n));
  cholesky_solve(Field<S>{h.data()}, n, Field<S>{x.data()});
  const Field<S, Strided> strided{wide.data(), {3}}, strided_x{wide_x.data(), {3}};
  CHECK(cholesky(strided, n));
  cholesky_solve(strided, n, strided_x);
  for (int i = 0; i < n; ++i) {
    CHECK(near_relative(x[std::size_t(i)], expected[i], limit, 1));
    CHECK(near_relative(strided_x[i], expected[i], limit, 1));
  }
}

TEST_CASE("Cholesky agrees with Eigen's for all sizes", "[math][000-1.3]") {
  for (int n : {1, 2, 3, 5, 10, 20, 27, 40}) {
    Eigen::MatrixXd a = Eigen::MatrixXd::Random(n, n);
    a = Eigen::MatrixXd(a * a.transpose() + Eigen::MatrixXd::Identity(n, n));
    const Eigen::VectorXd b = Eigen::VectorXd::Random(n), expected = a.llt().solve(b);
    Eigen::Matrix<double, -1, -1, Eigen::RowMajor> h = a;
    Eigen::VectorXd x = b;
    REQUIRE(cholesky(Field<double>{h.data()}, n));
    cholesky_solve(Field<double>{h.data()}, n, Field<double>{x.data()});
    CHECK((x - expected).norm() <= 1e-12 * expected.norm());
  }
}

TEST_CASE("Cholesky refuses a matrix that is not positive definite", "[math]") {
  std::vector<double> h = {1, 0, 2, 1};
  CHECK_FALSE(cholesky(Field<double>{h.data()}, 2));
}
