// SPDX-License-Identifier: Apache-2.0
//
// Memory for the analytic derivatives of a step, allocated once.
//
// A step finds the acceleration a at which the sum of all forces vanishes, g(a, θ) = 0, where θ is
// position, velocity, activation or control. Its derivative is -H⁻¹ ∂g/∂θ (solver/implicit_diff.hpp
// explains H), so what has to be computed is ∂g/∂θ at constant a: `slope`, one row per dof, one
// column per input.
#pragma once

#include <corten/derive/analytic/bend.hpp>
#include <corten/derive/analytic/deep_columns.hpp>
#include <corten/math/feedback.hpp>
#include <corten/model/model.hpp>

#include <cstddef>
#include <vector>

namespace corten::derive::analytic {

// A row of ∂g/∂θ to which elements add. In an adjoint (pullback.hpp) it is -ζ_i times the row, and
// all rows go to the same place.
template <class T>
struct Sink {
  struct Entry {
    T& x;
    T scale;
    void operator+=(const T& y) { x += scale * y; }
    void operator-=(const T& y) { x -= scale * y; }
  };
  T* data;
  T scale;
  Entry operator[](int k) const { return {data[k], scale}; }
};

template <class T>
struct Workspace {
  int nv = 0, na = 0;
  int velocity = 0, activation = 0, control = 0, columns = 0;  // first column of each kind, and all
  int width = 0;                                               // columns, in whole blocks

  Field<T> reading;  // one number per input

  // numbers per dof and input
  Field<T> slope;   // ∂g/∂θ, then da/dθ
  Field<T> change;  // da'/dθ, where a' is the acceleration that the integrator uses
  Field<T> next;    // derivative of the next activations

  // per dof, vectors about the centre of mass of the tree: see tree_slope.hpp
  Field<T> turned, fallen, rate, lag;
  Field<int> group, group_end;  // dofs whose axes turn together

  // per body
  Field<T> acceleration, push;     // with and without gravity and velocities
  Field<T> motion;                 // velocities other than those of the data
  Field<T> force;                  // inertial minus external forces, then summed over the subtree
  Field<T> damping;                // maps motion to the change of force with velocity (Feedback)
  Field<T> stiffness, resistance;  // likewise with position and acceleration, negated
  Field<int> touched;              // is stiffness or resistance not zero in the subtree?

  // the Hessian of the constraint problem (hessian.hpp), and scratch of its rows
  Field<T> hessian, diagonal, entry;
  Field<int> start, column;
  mutable bool by_tree = false;  // does it have the pattern of the inertia matrix?

  // the integrator's matrix, its inverse pivots, its acceleration, scratch
  Field<T> matrix, upper, pivots, advance, rest;

  Field<T> weight;              // ζ of an adjoint
  mutable T* pulled = nullptr;  // the gradient that it adds to, or null: not an adjoint

  // for deep trees, instead of the Hessian and of the factor of the integrator's matrix
  mutable DeepTree<T> deep;

  // rows of moments that change with the pose
  mutable Bends<T> bends;

  void resize(const Sizes& n) {
    nv = n.nv, na = n.na;
    velocity = n.nv, activation = 2 * n.nv, control = activation + n.na, columns = control + n.nu;
    width = (columns + block - 1) / block * block;
    const std::size_t size = arrange(n, nullptr), count = arrange_ints(n, nullptr);
    numbers_.assign(size, T(0));
    ints_.assign(count, 0);
    arrange(n, numbers_.data());
    arrange_ints(n, ints_.data());
  }

  // row i of `slope`
  T* row(int i) const { return slope.data + i * width; }

  // where elements add to ∂g/∂θ of dof i
  Sink<T> at(int i) const {
    return pulled != nullptr ? Sink<T>{pulled, T(-weight[i])} : Sink<T>{row(i), T(1)};
  }

 private:
  std::size_t arrange(const Sizes& n, T* base) {
    std::size_t used = 0;
    const auto place = [&](Field<T>& field, int count) {
      field.data = base != nullptr ? base + used : nullptr;
      used += static_cast<std::size_t>(count);
    };
    for (Field<T>* f : {&slope, &change}) place(*f, n.nv * width);
    place(next, n.na * width), place(reading, width);
    for (Field<T>* f : {&turned, &fallen, &rate, &lag}) place(*f, 6 * n.nv);
    for (Field<T>* f : {&acceleration, &push, &motion, &force}) place(*f, 6 * n.nbody);
    for (Field<T>* f : {&damping, &stiffness, &resistance}) place(*f, 36 * n.nbody);
    place(hessian, n.nv * n.nv), place(matrix, n.nM), place(upper, n.nM);
    for (Field<T>* f : {&pivots, &advance, &rest, &diagonal, &entry, &weight}) place(*f, n.nv);
    return used;
  }
  std::size_t arrange_ints(const Sizes& n, int* base) {
    std::size_t used = 0;
    const auto place = [&](Field<int>& field, int count) {
      field.data = base != nullptr ? base + used : nullptr;
      used += static_cast<std::size_t>(count);
    };
    place(group, n.nv), place(group_end, n.nv), place(start, n.nv), place(column, n.nv);
    place(touched, n.nbody);
    return used;
  }

  std::vector<T> numbers_;
  std::vector<int> ints_;
};

}  // namespace corten::derive::analytic
