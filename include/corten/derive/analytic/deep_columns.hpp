// SPDX-License-Identifier: Apache-2.0
//
// Linear systems with the inertia matrix of a deep tree, by recursion over bodies instead of the
// tree factor: (M + Δ) x = y with Δ diagonal, for many columns.
//
// The factor of a chain of n dofs has n²/2 entries, so a column costs n² operations and A costs n³.
// The articulated-body algorithm (Featherstone 2008, section 7.3) needs some 50 operations per dof
// and column, whatever the depth: with I the articulated inertia below a dof, U = I S and
// d = S · U + Δ,
//
//   inwards:    u = y - S · p,      p' += p + U u / d          (' is the parent)
//   outwards:   x = (u - U · a') / d,      a = a' + S x
//
// All vectors of a tree are about one point, so nothing is transformed between bodies. Rows of
// constraints, H = M + G'G, are added by the formula of Woodbury as long as they are few:
//
//   H⁻¹ = M⁻¹ - Y (1 + G Y)⁻¹ Y',     Y = M⁻¹ G'
#pragma once

#include <corten/constraint/rows.hpp>
#include <corten/derive/analytic/columns.hpp>
#include <corten/math/spatial.hpp>
#include <corten/solver/problem.hpp>
#include <corten/tree/contribution.hpp>
#include <corten/tree/jacobian.hpp>

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace corten::derive::analytic {

// does a tendon have inertia, of its own or by its actuators?
template <class M>
bool has_armature(const M& m, int t) {
  return value(m.tendon_armature[t]) != 0 || value(tendon_armature<typename M::Scalar>(m, t)) != 0;
}

namespace detail {

// x = a⁻¹ x for a positive definite matrix, which its Cholesky factor replaces, and rows x
template <class A, class X>
void solve_definite(A& a, X& x) {
  using std::sqrt;
  const Eigen::Index n = a.rows();
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      const auto sum = a(i, j) - a.row(i).head(j).dot(a.row(j).head(j));
      a(i, j) = i == j ? sqrt(sum) : sum / a(j, j);
    }
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) x.row(i) -= a(i, j) * x.row(j);
    x.row(i) /= a(i, i);
  }
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    x.row(i) /= a(i, i);
    for (Eigen::Index j = 0; j < i; ++j) x.row(j) -= a(i, j) * x.row(i);
  }
}

}  // namespace detail

template <class T>
class DeepTree {
 public:
  using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  // Is the tree so deep that this pays, and is M what the inertias of bodies and a diagonal make?
  // The recursion overtakes the factor at a mean depth of about 25.
  template <class M>
  static bool suits(const M& m) {
    constexpr int deep = 32;
    if (m.n.nv == 0 || m.n.nM / m.n.nv < deep) return false;
    for (int t = 0; t < m.n.ntendon; ++t) {
      if (has_armature(m, t)) return false;
    }
    for (int b = 0; b < m.n.nbody; ++b) {
      if (m.body_weldid[b] == 0 && m.body_dofnum[b] > 0) return false;
    }
    return true;
  }

  // articulated inertias of M + Δ, whose diagonal is that of M plus `added` if that is given
  template <class M, class D>
  void factor(const M& m, const D& d, const T* added) {
    const int nv = m.n.nv;
    inertia_.assign(static_cast<std::size_t>(36 * nv), T(0));
    axis_.resize(static_cast<std::size_t>(6 * nv));
    pull_.resize(static_cast<std::size_t>(6 * nv));
    inverse_.resize(static_cast<std::size_t>(nv));
    for (int b = 1; b < m.n.nbody; ++b) {
      const int weld = m.body_weldid[b];
      if (weld == 0) continue;
      T* const to = inertia_.data() + 36 * (m.body_dofadr[weld] + m.body_dofnum[weld] - 1);
      const Inertia<T> own = vec<T, 10>(d.cinert, b);
      for (int k = 0; k < 6; ++k) {
        Vec6<T> unit = Vec6<T>::Zero();
        unit[k] = T(1);
        const Vec6<T> column = multiply(own, unit);
        for (int i = 0; i < 6; ++i) to[6 * i + k] += column[i];
      }
    }
    for (int i = nv - 1; i >= 0; --i) {
      const T* const whole = inertia_.data() + 36 * i;
      T* const s = axis_.data() + 6 * i;
      T* const u = pull_.data() + 6 * i;
      const Vec6<T> axis = vec6<T>(d.cdof, i);
      T pivot = diagonal_rest(m, d, i, axis) + (added != nullptr ? added[i] : T(0));
      for (int a = 0; a < 6; ++a) {
        T sum = T(0);
        for (int b = 0; b < 6; ++b) sum += whole[6 * a + b] * axis[b];
        s[a] = axis[a], u[a] = sum;
        pivot += axis[a] * sum;
      }
      const T inverse = T(1) / (pivot > T(min_value) ? pivot : T(min_value));
      inverse_[static_cast<std::size_t>(i)] = inverse;
      const int parent = m.dof_parentid[i];
      if (parent < 0) continue;
      T* const to = inertia_.data() + 36 * parent;
      for (int a = 0; a < 6; ++a) {
        for (int b = 0; b < 6; ++b) to[6 * a + b] += whole[6 * a + b] - u[a] * u[b] * inverse;
      }
    }
  }

  // x = (M + Δ)⁻¹ x for columns of a row-major matrix
  template <class M>
  void solve(const M& m, T* x, int width) {
    solve(m, x, width, width);
  }

 private:
  template <class M>
  void solve(const M& m, T* x, int width, int columns) {
    wave_.resize(static_cast<std::size_t>(6 * m.n.nv * 4 * block));
    detail::each_block(
        columns, [&](auto count, int c) { solve_block<decltype(count)::value>(m, x + c, width); });
  }

 public:
  // x = H⁻¹ x. Returns false if there are too many rows for this to pay.
  template <class M, class D, class P>
  bool solve_hessian(const M& m, const D& d, const P& p, T* x, int width) {
    if (!gather(m, d, p)) return false;
    solve(m, x, width);
    if (count_ == 0) return true;
    const int nv = m.n.nv, padded = static_cast<int>(Y_.cols());
    Y_.setZero();
    for (int r = 0; r < count_; ++r) Y_.col(r) = G_.row(r).transpose();
    solve(m, Y_.data(), padded, (count_ + block - 1) / block * block);
    part_.resize(G_.rows(), width);
    auto inner = inner_.topLeftCorner(count_, count_);
    auto part = part_.topRows(count_);
    inner.setIdentity();
    inner.noalias() += G_.topRows(count_) * Y_.leftCols(count_);
    Eigen::Map<Rows> all(x, nv, width);
    // Y' y = G M⁻¹ y, and M⁻¹ y is what x holds now
    part.noalias() = G_.topRows(count_) * all;
    detail::solve_definite(inner, part);
    all.noalias() -= Y_.leftCols(count_) * part;
    return true;
  }

 private:
  // what M's diagonal holds beyond the inertia of bodies: armature
  template <class M, class D>
  static T diagonal_rest(const M& m, const D& d, int i, const Vec6<T>& axis) {
    const Inertia<T> below = vec<T, 10>(d.crb, m.dof_bodyid[i]);
    return d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1] - axis.dot(multiply(below, axis));
  }

  template <int W, class M>
  void solve_block(const M& m, T* x, int width) {
    using Block = detail::Block<T, W>;
    const auto at = [](T* y) { return detail::block_at<T, W>(y); };
    const int nv = m.n.nv;
    std::fill_n(wave_.data(), static_cast<std::size_t>(6 * nv * W), T(0));
    for (int i = nv - 1; i >= 0; --i) {
      const T* const s = axis_.data() + 6 * i;
      const T* const u = pull_.data() + 6 * i;
      T* const p = wave_.data() + 6 * i * W;
      Block own = at(x + i * width);
      for (int k = 0; k < 6; ++k) own -= s[k] * at(p + k * W);
      own *= inverse_[static_cast<std::size_t>(i)];
      at(x + i * width) = own;  // u / d
      const int parent = m.dof_parentid[i];
      if (parent < 0) continue;
      T* const to = wave_.data() + 6 * parent * W;
      for (int k = 0; k < 6; ++k) at(to + k * W) += at(p + k * W) + u[k] * own;
    }
    for (int i = 0; i < nv; ++i) {
      const T* const s = axis_.data() + 6 * i;
      const T* const u = pull_.data() + 6 * i;
      T* const a = wave_.data() + 6 * i * W;
      const int parent = m.dof_parentid[i];
      Block own = at(x + i * width);
      if (parent >= 0) {
        T* const from = wave_.data() + 6 * parent * W;
        const T inverse = inverse_[static_cast<std::size_t>(i)];
        for (int k = 0; k < 6; ++k) own -= (u[k] * inverse) * at(from + k * W);
        for (int k = 0; k < 6; ++k) at(a + k * W) = at(from + k * W) + s[k] * own;
      } else {
        for (int k = 0; k < 6; ++k) at(a + k * W) = s[k] * own;
      }
      at(x + i * width) = own;
    }
  }

  // G, a row for each quadratic row of the constraints, and as many as it has for a cone
  template <class M, class D, class P>
  bool gather(const M& m, const D& d, const P& p) {
    const auto rows = jacobian_rows(d);
    const int nv = m.n.nv, most = nv / 4;
    count_ = 0;
    const int room = (most + 6 + block - 1) / block * block;
    G_.resize(room, nv), Y_.resize(nv, room), inner_.resize(room, room);
    const auto add = [&](int r, const T& scale) {
      each_entry(rows, r, [&](int i, const T& x) { G_(count_, i) += scale * x; });
    };
    for (int r = 0; r < d.nefc; ++r) {
      const auto state = static_cast<ConstraintState>(d.efc_state[r]);
      if (count_ >= most) return false;
      if (state == ConstraintState::quadratic) {
        using std::sqrt;
        G_.row(count_).setZero();
        add(r, sqrt(T(d.efc_D[r])));
        ++count_;
      } else if (P::may_be_elliptic && state == ConstraintState::cone) {
        const int dim = cone_dim(p, r);
        add_cone(p, r, dim, add);
        r += dim - 1;
      }
    }
    return true;
  }

  // the curvature of a cone as C = V'V
  template <class P, class F>
  void add_cone(const P& p, int r, int dim, F&& add) {
    const ConeScale<T> scale = cone_scale(p, r, dim);
    const ConePoint<T> at = cone_point(scale, cone_rows<T>(p.Jaref, r, dim));
    const T stiffness = cone_stiffness(scale, T(p.D[r]));
    Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> C(dim, dim);
    for (int k = 0; k < dim; ++k) {
      for (int l = 0; l < dim; ++l) C(k, l) = cone_curvature(scale, at, stiffness, k, l);
    }
    // semidefinite, so pivots may vanish, and their columns with them
    for (int k = 0; k < dim; ++k) {
      using std::sqrt;
      const T pivot = C(k, k);
      if (!(pivot > T(1e-12) * stiffness)) continue;
      G_.row(count_).setZero();
      for (int l = k; l < dim; ++l) add(r + l, T(C(l, k) / sqrt(pivot)));
      for (int i = k + 1; i < dim; ++i) {
        for (int l = k + 1; l < dim; ++l) C(i, l) -= C(i, k) * C(l, k) / pivot;
      }
      ++count_;
    }
  }

  std::vector<T> inertia_, axis_, pull_, inverse_, wave_;
  Rows G_, Y_, inner_, part_;
  int count_ = 0;
};

}  // namespace corten::derive::analytic
