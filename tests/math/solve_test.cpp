// SPDX-License-Identifier: Apache-2.0
#include <corten/math/dense.hpp>
#include <corten/math/sparse_cholesky.hpp>
#include <corten/math/tree_ldl.hpp>
#include <corten/scalar/dual.hpp>

#include "../support/catch.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
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

namespace {

using Ints = Field<int>;

// A random matrix that is a sum of outer products over cliques of vertices, each of one to six
// dofs, as a Hessian is; in dense form and in panels.
struct Cliques {
  std::vector<int> first{0}, start{0}, item;
  Eigen::MatrixXd matrix;
  std::vector<int> memory;
  FactorPattern<Ints> pattern;

  Cliques(int vertices, int cliques, int largest, unsigned seed) {
    std::mt19937 generator(seed);
    const auto below = [&](int n) { return int(generator() % unsigned(n)); };
    for (int v = 0; v < vertices; ++v) first.push_back(first.back() + 1 + below(6));
    matrix = Eigen::MatrixXd::Identity(first.back(), first.back());
    for (int c = 0; c < cliques; ++c) {
      std::vector<int> all;
      const int around = below(vertices);  // some are near each other, some anywhere
      for (int k = 0; k <= below(largest); ++k) {
        const int v = below(8) == 0 ? below(vertices) : (around + below(4)) % vertices;
        if (std::find(all.begin(), all.end(), v) == all.end()) all.push_back(v);
      }
      item.insert(item.end(), all.begin(), all.end());
      start.push_back(int(item.size()));
      for (int rank = 0; rank < 3; ++rank) add_outer(c, 1 + rank);
    }
  }
  int dofs() const { return first.back(); }
  IntLists<Ints> lists() { return {int(start.size()) - 1, {start.data()}, {item.data()}}; }

  // a vector with entries at the dofs of a clique
  Eigen::VectorXd row(int clique, int k) const {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(dofs());
    for (int e = start[std::size_t(clique)]; e < start[std::size_t(clique) + 1]; ++e) {
      const auto v = std::size_t(item[std::size_t(e)]);
      for (int i = first[v]; i < first[v + 1]; ++i) x[i] = std::sin(3 * clique + 5 * i + 7 * k);
    }
    return x;
  }
  void add_outer(int clique, int k) { matrix += row(clique, k) * row(clique, k).transpose(); }

  bool make_pattern(int room) {
    memory.assign(std::size_t(room), 0);
    IntRoom<Ints> ints{{memory.data()}, room};
    pattern = factor_pattern(lists(), Ints{first.data()}, int(first.size()) - 1, ints);
    if (ints.overflows()) CHECK(ints.needed > room);
    return !ints.overflows();
  }
  void make_pattern() {
    for (int room = 1; !make_pattern(room);) room *= 2;
  }

  // the numbers of the matrix in the panels; entries outside of them must be zero
  template <class T>
  std::vector<T> values() const {
    std::vector<T> out(std::size_t(pattern.values + tile_overhang));
    Eigen::MatrixXd left = matrix;
    for (int i = 0; i < dofs(); ++i) {
      for (int j = 0; j < dofs(); ++j) {
        const int row = pattern.place[i], column = pattern.place[j];
        if (row < column) left(i, j) = 0;
        const int k = pattern.panel_of[column];
        for (int r = 0; r < pattern.rows[k]; ++r) {
          if (pattern.row[pattern.row_at[k] + r] != row || row < column) continue;
          const int at = pattern.value_at[k] + (column - pattern.first[k]) * pattern.rows[k] + r;
          out[std::size_t(at)] = T(matrix(i, j));
          left(i, j) = 0;
        }
      }
    }
    CHECK(left.cwiseAbs().maxCoeff() == 0);
    return out;
  }
};

// the solution of A x = b by a factor in panels
template <class T>
Eigen::VectorXd solve_in_panels(const Cliques& c, std::vector<T>& factor,
                                const Eigen::VectorXd& b) {
  const int n = c.dofs();
  std::vector<T> x(std::size_t(n), T(0)), work(std::size_t(n), T(0));
  for (int i = 0; i < n; ++i) x[std::size_t(c.pattern.place[i])] = T(b[i]);
  sparse_solve(c.pattern, Field<T>{factor.data()}, Field<T>{x.data()}, Field<T>{work.data()});
  Eigen::VectorXd out(n);
  for (int i = 0; i < n; ++i) out[i] = value(x[std::size_t(c.pattern.place[i])]);
  return out;
}

template <class T>
bool factor_in_panels(const Cliques& c, std::vector<T>& values) {
  std::vector<int> scratch(std::size_t(c.dofs() + 3 * c.pattern.panels));
  return sparse_cholesky(c.pattern, Field<T>{values.data()}, Ints{scratch.data()});
}

}  // namespace

TEMPLATE_TEST_CASE("sparse Cholesky factors solve as dense ones do", "[math]", float, double,
                   (Dual<double, 2>)) {
  // a matrix of condition 1e3 to 1e4 loses as many digits
  const double limit = std::is_same_v<TestType, float> ? 2e-3 : 1e-11;
  struct Case {
    int vertices, cliques, largest;
  };
  for (const Case& k : {Case{1, 0, 1}, Case{5, 0, 1}, Case{12, 10, 3}, Case{60, 90, 2},
                        Case{90, 40, 12}, Case{30, 2, 60}}) {
    Cliques c(k.vertices, k.cliques, k.largest, unsigned(k.vertices));
    c.make_pattern();
    auto values = c.values<TestType>();
    REQUIRE(factor_in_panels(c, values));
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(c.dofs(), -1, 2);
    const Eigen::VectorXd expected = c.matrix.llt().solve(b);
    CHECK((solve_in_panels(c, values, b) - expected).norm() <= limit * expected.norm());
  }
}

TEMPLATE_TEST_CASE("a change of rank one turns a factor into the new one", "[math]", float,
                   double) {
  const double limit = std::is_same_v<TestType, float> ? 2e-3 : 1e-11;
  Cliques c(60, 90, 3, 2);
  c.make_pattern();
  auto values = c.values<TestType>();
  REQUIRE(factor_in_panels(c, values));
  std::vector<TestType> x(std::size_t(c.dofs())), work(x.size());
  const auto change = [&](int clique, int k, TestType sign) {
    const Eigen::VectorXd row = c.row(clique, k);
    int first = c.dofs();
    for (int i = 0; i < c.dofs(); ++i) {
      x[std::size_t(c.pattern.place[i])] = TestType(row[i]);
      if (row[i] != 0) first = std::min(first, int(c.pattern.place[i]));
    }
    c.matrix += double(sign) * row * row.transpose();
    return sparse_update(c.pattern, Field<TestType>{values.data()}, Field<TestType>{x.data()},
                         first, sign, Field<TestType>{work.data()});
  };
  for (int clique = 0; clique < 90; clique += 3) {
    CHECK(change(clique, 9, 1));
    CHECK(change(clique, 1, -1));
  }
  for (const TestType& entry : x) CHECK(entry == 0);
  const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(c.dofs(), -1, 2);
  const Eigen::VectorXd expected = c.matrix.llt().solve(b);
  CHECK((solve_in_panels(c, values, b) - expected).norm() <= limit * expected.norm());
  // what was never added cannot be taken away
  bool definite = true;
  for (int k = 20; k < 60; ++k) definite = definite && change(0, k, -1);
  CHECK_FALSE(definite);
}

TEST_CASE("minimum degree leaves trees without fill and piles with little", "[math]") {
  // a star of chains: the order from the leaves to the root has no fill
  Cliques tree(40, 0, 1, 1);
  for (int chain = 0; chain < 13; ++chain) {
    for (const int v : {0, 1 + 3 * chain, 2 + 3 * chain, 3 + 3 * chain}) tree.item.push_back(v);
    tree.start.push_back(int(tree.item.size()));
  }
  tree.make_pattern();
  const auto weight = [&](int v) {
    return tree.first[std::size_t(v) + 1] - tree.first[std::size_t(v)];
  };
  int least = weight(0) * weight(0);
  for (int chain = 0; chain < 13; ++chain) {
    const int own = weight(1 + 3 * chain) + weight(2 + 3 * chain) + weight(3 + 3 * chain);
    least += own * (own + weight(0));
  }
  CHECK(tree.pattern.values <= least * 5 / 4);  // a panel may hold a few zeros

  // a square grid, whose best orders have O(n log n) entries; row by row they are n √n
  const int side = 24;
  Cliques grid(side * side, 0, 1, 1);
  for (int v = 0; v < side * side; ++v) grid.first[std::size_t(v) + 1] = v + 1;
  for (int v = 0; v < side * side; ++v) {
    for (const int w : {v % side + 1 < side ? v + 1 : -1, v + side < side * side ? v + side : -1}) {
      if (w < 0) continue;
      grid.item.insert(grid.item.end(), {v, w});
      grid.start.push_back(int(grid.item.size()));
    }
  }
  grid.make_pattern();
  CHECK(grid.pattern.values < side * side * side * 3 / 4);
}
