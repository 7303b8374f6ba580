// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of how positions advance, on their own: of a rotation that an angular velocity turns,
// of the difference between two rotations, and of both for all joints of a model. Rotations vary in
// the tangent space of the body, as velocities of balls do: q exp(δ).
//
// With φ the rotation vector, exp(φ) its rotation and J(φ) the right Jacobian of the group,
//
//   q' = q exp(φ)            ∂q'/∂q = exp(-φ)      ∂q'/∂φ = J(φ)
//   φ = log(p⁻¹ q)           ∂φ/∂q = J(φ)⁻¹        ∂φ/∂p = -J(-φ)⁻¹
//
// (Solà, Deray, Atchuthan, A micro Lie theory for state estimation in robotics, 2018, section IV).
#pragma once

#include <corten/derive/matrices.hpp>
#include <corten/joint/joints.hpp>
#include <corten/math/quat.hpp>
#include <corten/model/model_ref.hpp>
#include <corten/pipeline/policies.hpp>

#include <span>

namespace corten::derive {

// The derivatives of q exp(φ) by q and by φ, both in the tangent space of the result.
template <class T>
void rotation_slope(const Vec3<T>& phi, Mat3<T>& by_q, Mat3<T>& by_phi) {
  using std::cos, std::sin, std::sqrt;
  const T angle2 = phi.squaredNorm(), angle = sqrt(angle2);
  const bool tiny = angle2 < T(1e-4);
  const T a = tiny ? T(1) - angle2 / T(6) * (T(1) - angle2 / T(20)) : sin(angle) / angle;
  const T b =
      tiny ? T(0.5) - angle2 / T(24) * (T(1) - angle2 / T(30)) : (T(1) - cos(angle)) / angle2;
  const T c = tiny ? T(1) / T(6) - angle2 / T(120) * (T(1) - angle2 / T(42))
                   : (angle - sin(angle)) / (angle2 * angle);
  const Mat3<T> x = skew(phi), xx = x * x;
  by_q = Mat3<T>::Identity() - a * x + b * xx;
  by_phi = Mat3<T>::Identity() - b * x + c * xx;
}

// The derivatives of φ = log(p⁻¹ q) by p and by q, given φ. They grow without bound as the angle
// approaches a whole turn.
template <class T>
void rotation_difference_slope(const Vec3<T>& phi, Mat3<T>& by_p, Mat3<T>& by_q) {
  using std::sqrt, std::tan;
  const T angle2 = phi.squaredNorm(), half = sqrt(angle2) / T(2);
  const T c = angle2 < T(1e-4) ? T(1) / T(12) + angle2 / T(720) * (T(1) + angle2 / T(42))
                               : (T(1) - half / tan(half)) / angle2;
  const Mat3<T> x = skew(phi), xx = x * x;
  by_q = Mat3<T>::Identity() + T(0.5) * x + c * xx;
  by_p = T(-1) * (Mat3<T>::Identity() - T(0.5) * x + c * xx);
}

// The derivatives of a position by two inputs, nv × nv each; both are block diagonal.
template <class T>
struct PositionSlopes {
  Matrix<T> first, second;
};

namespace detail {

// Identity matrices times `one` and `two`, with the blocks of rotations written by f(joint, first
// dof of the block, first, second).
template <class P, class S, class T, class F>
PositionSlopes<T> position_slopes(const Model<S>& model, const T& one, const T& two, F&& f) {
  const auto m = make_ref<P>(model);
  PositionSlopes<T> out;
  out.first = one * Matrix<T>::Identity(model.n.nv, model.n.nv);
  out.second = two * Matrix<T>::Identity(model.n.nv, model.n.nv);
  for (int j = 0; j < model.n.njnt; ++j) {
    const int quat = joint_quat(m, j);
    if (quat < 0) continue;
    const int v = m.jnt_dofadr[j] + quat;  // the coordinates before it have a velocity each
    Mat3<T> a, b;
    f(m.jnt_qposadr[j] + quat, v, a, b);
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) {
        out.first(v + i, v + k) = a(i, k), out.second(v + i, v + k) = b(i, k);
      }
    }
  }
  return out;
}

}  // namespace detail

// The position after a time h at velocity v, integrate_pos(q, v, h): its derivatives by q (first)
// and by v (second), in the tangent space of the result.
template <class P = DefaultPolicies, class S, class T>
PositionSlopes<T> integrate_pos_slope(const Model<S>& model, std::span<const T> qvel, const T& h) {
  return detail::position_slopes<P>(model, T(1), h, [&](int, int v, Mat3<T>& by_q, Mat3<T>& by_v) {
    const T* const w = qvel.data() + v;
    rotation_slope(Vec3<T>(h * w[0], h * w[1], h * w[2]), by_q, by_v);
    by_v = h * by_v;
  });
}

// The velocity that leads from q1 to q2 in a time h, differentiate_pos(q1, q2, h): its derivatives
// by q1 (first) and by q2 (second).
template <class P = DefaultPolicies, class S, class T>
PositionSlopes<T> differentiate_pos_slope(const Model<S>& model, std::span<const T> q1,
                                          std::span<const T> q2, const T& h) {
  return detail::position_slopes<P>(
      model, T(T(-1) / h), T(T(1) / h), [&](int q, int, Mat3<T>& by_1, Mat3<T>& by_2) {
        Quat<T> a, b;
        for (int k = 0; k < 4; ++k) {
          a[k] = q1[static_cast<std::size_t>(q + k)], b[k] = q2[static_cast<std::size_t>(q + k)];
        }
        rotation_difference_slope(corten::difference(b, a), by_1, by_2);
        by_1 = T(T(1) / h) * by_1, by_2 = T(T(1) / h) * by_2;
      });
}

}  // namespace corten::derive
