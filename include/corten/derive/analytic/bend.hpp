// SPDX-License-Identifier: Apache-2.0
//
// Rows of moments that change with the pose: those of spatial tendons, of sites seen from another
// site, and of slider-cranks. Length and row of such an element follow from the poses of a few
// bodies and the axes of the dofs that move them. The functions of the stages are evaluated once
// more with dual numbers over these dofs. All vectors of a tree are about a fixed point, so
// an axis S_i turns with the dofs k before it, and with those of its own group, by S_k × S_i
// (tree_slope.hpp), and nothing else is needed.
//
// A force f along a row J with length l and rate J v then changes by
//
//   ∂(J'f)/∂q = J' ∂f/∂q + f K,     K = ∂J'/∂q,     ∂(J v)/∂q = K'v
//
// ∂l/∂q is J only where the path is shortest. As in MuJoCo, the point where a string touches the
// inside of an obstacle is found to 1e-6, and the two differ by as much.
#pragma once

#include <corten/actuator/site.hpp>
#include <corten/actuator/slider_crank.hpp>
#include <corten/joint/joints.hpp>
#include <corten/math/quat.hpp>
#include <corten/math/spatial.hpp>
#include <corten/tendon/path.hpp>
#include <corten/tree/jacobian.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace corten::derive::analytic {

// `row` are the dofs of a row, `dof` those by which it changes.
template <class T>
struct Bend {
  int rows = 0, dofs = 0;
  const int *row = nullptr, *dof = nullptr;
  const T *stretch = nullptr, *moment = nullptr;  // ∂l by dof, and K by row and dof
  T scale = T(1);

  // Sites of one body have no moments, but their rotation in MuJoCo's order of quaternions changes.
  explicit operator bool() const { return dofs > 0; }
  T entry(int i, int k) const { return scale * moment[i * dofs + k]; }

  // f(dof, ∂l/∂q, ∂(J x)/∂q) for each dof, at constant x
  template <class X, class F>
  void each(const X& x, F&& f) const {
    for (int k = 0; k < dofs; ++k) {
      T rate = T(0);
      for (int i = 0; i < rows; ++i) rate += entry(i, k) * x[row[i]];
      f(dof[k], T(scale * stretch[k]), rate);
    }
  }
  template <class F>
  void each_entry(F&& f) const {
    for (int i = 0; i < rows; ++i) {
      for (int k = 0; k < dofs; ++k) f(row[i], dof[k], entry(i, k));
    }
  }
};

// does an actuator act along such a row of its own?
template <class M>
bool has_own_bend(const M& m, int a) {
  const auto kind = static_cast<TransmissionType>(m.actuator_trntype[a]);
  return kind == TransmissionType::slidercrank ||
         (kind == TransmissionType::site && m.actuator_trnid[2 * a + 1] >= 0);
}

template <class M>
bool acts_on_tendon(const M& m, int a) {
  return m.actuator_trntype[a] == static_cast<int>(TransmissionType::tendon);
}

template <class M>
bool acts_along_bend(const M& m, int a) {
  return has_own_bend(m, a) || (acts_on_tendon(m, a) && is_spatial(m, m.actuator_trnid[2 * a]));
}

// calls f(dof, ∂l/∂q) for tendon t, whose Bend is given
template <class M, class D, class T, class F>
void each_stretch(const M& m, const D& d, int t, const Bend<T>& bend, F&& f) {
  if (bend) {
    for (int k = 0; k < bend.dofs; ++k) f(bend.dof[k], T(bend.scale * bend.stretch[k]));
    return;
  }
  for (int k = m.ten_J_rowadr[t]; k < m.ten_J_rowadr[t] + m.ten_J_rownnz[t]; ++k) {
    f(int(m.ten_J_colind[k]), T(d.ten_J[k]));
  }
}

// The rows of a model at one state. Their sizes depend on the model alone, so memory is allocated
// only the first time.
template <class T>
class Bends {
 public:
  template <class M, class D, class E>
  void find(const M& m, const D& d, const E& dual, const Field<int>& group,
            const Field<int>& group_end) {
    numbers_.clear(), ints_.clear(), tendons_.clear(), actuators_.clear();
    slot_.assign(static_cast<std::size_t>(m.n.nv), -1);
    for (int t = 0; t < m.n.ntendon; ++t) {
      tendons_.push_back({});
      if (is_spatial(m, t)) add_tendon(m, d, dual, group, group_end, t);
    }
    for (int a = 0; a < m.n.nactuator; ++a) {
      actuators_.push_back({});
      if (has_own_bend(m, a)) add_actuator(m, d, dual, group, group_end, a);
    }
  }

  Bend<T> tendon(int t) const { return make(tendons_[static_cast<std::size_t>(t)]); }

  template <class M>
  Bend<T> actuator(const M& m, int a) const {
    if (!acts_on_tendon(m, a)) return make(actuators_[static_cast<std::size_t>(a)]);
    Bend<T> out = tendon(m.actuator_trnid[2 * a]);
    out.scale = T(m.actuator_gear[6 * m.actuator_outadr[a]]);
    return out;
  }

 private:
  struct Place {
    int rows = 0, dofs = 0, row = 0, dof = 0, number = 0;
  };

  Bend<T> make(const Place& p) const {
    Bend<T> out;
    out.rows = p.rows, out.dofs = p.dofs;
    out.row = ints_.data() + p.row, out.dof = ints_.data() + p.dof;
    out.stretch = numbers_.data() + p.number, out.moment = out.stretch + p.dofs;
    return out;
  }

  // Makes room for an element that moves along the dofs that f lists.
  template <class F>
  Place begin(int rows, F&& f) {
    Place out;
    out.rows = rows;
    out.dof = static_cast<int>(ints_.size());
    f([&](int i) { ints_.push_back(i); });
    out.dofs = static_cast<int>(ints_.size()) - out.dof;
    out.row = static_cast<int>(ints_.size());
    out.number = static_cast<int>(numbers_.size());
    ints_.resize(ints_.size() + static_cast<std::size_t>(rows));
    numbers_.resize(numbers_.size() + static_cast<std::size_t>((rows + 1) * out.dofs));
    return out;
  }

  // Calls evaluate() with tangents along some of the dofs at a time; it returns the length, and
  // entry i of the row is then moment(i).
  template <class S, class M, class D, class E, class P, class F, class G>
  void differentiate(const M& m, const D& d, const E& dual, const Field<int>& group,
                     const Field<int>& group_end, const Place& at, P&& place, F&& evaluate,
                     G&& moment) {
    const int* const dof = ints_.data() + at.dof;
    T* const stretch = numbers_.data() + at.number;
    T* const entries = stretch + at.dofs;
    for (int c = 0; c < at.dofs; c += tangent_count<S>) {
      const int count = std::min(tangent_count<S>, at.dofs - c);
      for (int n = 0; n < count; ++n) slot_[static_cast<std::size_t>(dof[c + n])] = n;
      for (int k = 0; k < at.dofs; ++k) place_axis(m, d, dual, group, group_end, dof[k]);
      place();
      const S length = evaluate();
      for (int n = 0; n < count; ++n) {
        stretch[c + n] = tangent(length, n);
        for (int i = 0; i < at.rows; ++i) entries[i * at.dofs + c + n] = tangent(moment(i), n);
        slot_[static_cast<std::size_t>(dof[c + n])] = -1;
      }
    }
  }

  template <class M, class D, class E>
  void place_axis(const M& m, const D& d, const E& dual, const Field<int>& group,
                  const Field<int>& group_end, int i) const {
    using S = typename E::Scalar;
    const Vec6<T> axis = vec6<T>(d.cdof, i);
    for (int k = 0; k < 6; ++k) dual.cdof[6 * i + k] = S(axis[k]);
    const auto turn = [&](int k) {
      const int n = slot_[static_cast<std::size_t>(k)];
      if (n < 0) return;
      const Vec6<T> turned = cross_motion(vec6<T>(d.cdof, k), axis);
      for (int l = 0; l < 6; ++l) tangent(dual.cdof[6 * i + l], n) = turned[l];
    };
    for (int k = group[i]; k < group_end[i]; ++k) turn(k);
    for (int k = m.dof_parentid[group[i]]; k >= 0; k = m.dof_parentid[k]) turn(k);
  }

  // pose of item i of some frames, which moves with body b, and the orientation of that body
  template <class M, class D, class E, class F, class G>
  void place(const M& m, const D& d, const E& dual, int b, int i, const F& pos, const F& mat,
             const G& to_pos, const G& to_mat) const {
    using S = typename E::Scalar;
    const int root = m.body_rootid[b];
    const Vec3<T> com = vec3<T>(d.subtree_com, root), point = vec3<T>(pos, i);
    const Mat3<T> frame = mat3<T>(mat, i);
    const Quat<T> q = quat<T>(d.xquat, b);
    for (int k = 0; k < 3; ++k) dual.subtree_com[3 * root + k] = S(com[k]);
    for (int k = 0; k < 3; ++k) to_pos[3 * i + k] = S(point[k]);
    for (int k = 0; k < 9; ++k) to_mat[9 * i + k] = S(mat[9 * i + k]);
    for (int k = 0; k < 4; ++k) dual.xquat[4 * b + k] = S(q[k]);
    each_chain_dof(m, b, [&](int dof) {
      const int n = slot_[static_cast<std::size_t>(dof)];
      if (n < 0) return;
      const Vec6<T> axis = vec6<T>(d.cdof, dof);
      const Vec3<T> turn = axis.template head<3>();
      const Vec3<T> shift = axis.template tail<3>() + cross(turn, Vec3<T>(point - com));
      for (int k = 0; k < 3; ++k) {
        tangent(to_pos[3 * i + k], n) = shift[k];
        const Vec3<T> turned = cross(turn, Vec3<T>(frame.col(k)));
        for (int l = 0; l < 3; ++l) tangent(to_mat[9 * i + 3 * l + k], n) = turned[l];
      }
      const Quat<T> rate = multiply(Quat<T>(T(0), turn[0], turn[1], turn[2]), q);
      for (int k = 0; k < 4; ++k) tangent(dual.xquat[4 * b + k], n) = T(0.5) * rate[k];
    });
  }
  template <class M, class D, class E>
  void place_site(const M& m, const D& d, const E& dual, int s) const {
    place(m, d, dual, m.site_bodyid[s], s, d.site_xpos, d.site_xmat, dual.site_xpos,
          dual.site_xmat);
  }

  template <class M, class D, class E>
  void add_tendon(const M& m, const D& d, const E& dual, const Field<int>& group,
                  const Field<int>& group_end, int t) {
    using S = typename E::Scalar;
    const int first = m.ten_J_rowadr[t], nnz = m.ten_J_rownnz[t];
    const auto columns = [&](auto&& f) {
      for (int k = 0; k < nnz; ++k) f(int(m.ten_J_colind[first + k]));
    };
    const Place at = begin(nnz, columns);
    std::copy_n(ints_.data() + at.dof, nnz, ints_.data() + at.row);
    const auto place_all = [&] {
      for (int w = m.tendon_adr[t]; w < m.tendon_adr[t] + m.tendon_num[t]; ++w) {
        const auto type = static_cast<WrapType>(m.wrap_type[w]);
        const int id = m.wrap_objid[w];
        if (type == WrapType::site) place_site(m, d, dual, id);
        if (type != WrapType::sphere && type != WrapType::cylinder) continue;
        place(m, d, dual, m.geom_bodyid[id], id, d.geom_xpos, d.geom_xmat, dual.geom_xpos,
              dual.geom_xmat);
        const int side = static_cast<int>(value(m.wrap_prm[w]));
        if (side >= 0) place_site(m, d, dual, side);
      }
      for (int k = first; k < first + nnz; ++k) dual.ten_J[k] = S(T(0));
    };
    const auto evaluate = [&] {
      S length = S(T(0));
      each_span(m, t, [&](const TendonSpan& span) {
        length +=
            corten::detail::measure_span(m, dual, t, span, corten::detail::bend(m, dual, span));
      });
      return length;
    };
    differentiate<S>(m, d, dual, group, group_end, at, place_all, evaluate,
                     [&](int i) { return S(dual.ten_J[first + i]); });
    tendons_.back() = at;
  }

  template <class M, class D, class E>
  void add_actuator(const M& m, const D& d, const E& dual, const Field<int>& group,
                    const Field<int>& group_end, int a) {
    using S = typename E::Scalar;
    const int o = m.actuator_outadr[a], adr = d.moment_rowadr[o];
    const int site = m.actuator_trnid[2 * a], other = m.actuator_trnid[2 * a + 1];
    const auto columns = [&](auto&& f) {
      each_joint_dof(m, m.site_bodyid[site], m.site_bodyid[other],
                     [&](int i, bool, bool) { f(i); });
    };
    const Place at = begin(d.moment_rownnz[o], columns);
    for (int i = 0; i < at.rows; ++i) {
      ints_[static_cast<std::size_t>(at.row + i)] = d.moment_colind[adr + i];
    }
    const auto place_both = [&] {
      place_site(m, d, dual, site);
      place_site(m, d, dual, other);
    };
    const auto evaluate = [&] {
      const auto& plain = without_policies(m);
      const Vec6<S> gear = vec6<S>(m.actuator_gear, o);
      S length = S(T(0));
      if (static_cast<TransmissionType>(m.actuator_trntype[a]) == TransmissionType::slidercrank) {
        corten::detail::slider_crank(plain, dual, site, other, S(m.actuator_cranklength[a]),
                                     S(gear[0]), adr, length);
      } else {
        corten::detail::site_transmission(plain, dual, site, other, gear, adr, length);
      }
      return length;
    };
    differentiate<S>(m, d, dual, group, group_end, at, place_both, evaluate,
                     [&](int i) { return S(dual.actuator_moment[adr + i]); });
    actuators_.back() = at;
  }

  std::vector<T> numbers_;
  std::vector<int> ints_, slot_;
  std::vector<Place> tendons_, actuators_;
};

}  // namespace corten::derive::analytic
