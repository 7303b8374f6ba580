// SPDX-License-Identifier: Apache-2.0
//
// The linearisation of a step. With state x = (position, velocity, activation) and control u,
//
//     δx' = A δx + B δu,      δy = C δx + D δu,
//
// where x' is the next state and y the sensor readings at x. Positions vary in the tangent space of the
// configuration: at x for the columns, at the next pose for the rows (as in MuJoCo's mjd_transitionFD).
//
//     corten::derive::Linearizer<double> linearizer(model);
//     const corten::derive::Transition<double>& t = linearizer(model, data);     // t.A, t.B, t.C, t.D
//
// Exact derivatives are the default: dual numbers through the stages, a chunk of columns at a time, and
// the implicit function theorem through the solver. Columns of velocity, activation and control leave the
// position stages alone: under Euler these are computed once for all such chunks.
#pragma once

#include <corten/derive/difference.hpp>
#include <corten/pipeline/step.hpp>
#include <corten/scalar/dual.hpp>

#include <algorithm>
#include <vector>

namespace corten::derive {

// Exact derivatives of a step, N columns at a time. Owns the memory that it needs: nothing is allocated
// after construction, unless contacts outgrow the capacity.
template <class T, int N = 8>
class Linearizer {
 public:
  using D = Dual<T, N>;

  template <class S>
  explicit Linearizer(const Model<S>& model, Capacity capacity = {})
      : dual_(model, capacity), direction_(static_cast<std::size_t>(model.n.nv)),
        out_(static_cast<std::size_t>(model.n.nv)), base_(static_cast<std::size_t>(model.n.nq)) {
    result_.resize(model.n);
  }

  // A, B, C, D at the state and control in `data`, which is not changed
  template <class S>
  const Transition<T>& operator()(const Model<S>& model, const Data<T>& data) {
    const auto m = make_ref<DefaultPolicies>(model);
    const Sizes& n = model.n;
    if (!covers<DefaultPolicies>(m)) {
      result_.status = Status{not_covered};
      return result_;
    }
    load(n, data.ref());
    const bool reuse = static_cast<Integrator>(model.opt.integrator) == Integrator::euler;
    result_.status = Status{};

    // velocity, activation and control: the position stages see no tangents
    if (reuse) position_stages(model, m);
    const int nx = 2 * n.nv + n.na;
    for (int c = n.nv; c < nx + n.nu && proceed(); c += N) {
      columns(model, m, data.ref(), c, std::min(N, nx + n.nu - c), reuse);
    }
    for (int c = 0; c < n.nv && proceed(); c += N) {
      columns(model, m, data.ref(), c, std::min(N, n.nv - c), false);
    }
    return result_;
  }

 private:
  bool proceed() const { return !result_.status.overflow(); }

  // the state and inputs, without tangents
  template <class R>
  void load(const Sizes& n, const R& from) {
    auto& d = dual_.ref();
    d.time = D(from.time.get());
    copy(d.qpos, from.qpos, n.nq);
    copy(d.qvel, from.qvel, n.nv);
    copy(d.act, from.act, n.na);
    copy(d.ctrl, from.ctrl, n.nu);
    copy(d.qacc_warmstart, from.qacc_warmstart, n.nv);
    copy(d.qfrc_applied, from.qfrc_applied, n.nv);
    copy(d.xfrc_applied, from.xfrc_applied, 6 * n.nbody);
    copy(d.mocap_pos, from.mocap_pos, 3 * n.nmocap);
    copy(d.mocap_quat, from.mocap_quat, 4 * n.nmocap);
  }

  template <class S, class M>
  void position_stages(const Model<S>& model, const M& m) {
    const auto run = [&] {
      dual_.ref().status = 0;
      forward_position(m, dual_.ref());
      return Status{dual_.ref().status};
    };
    Status status = run();
    while (status.overflow() && dual_.growable()) {
      dual_.grow(model, dual_.needed());
      status = run();
    }
    result_.status.bits |= status.bits;
    sensor_position(m, dual_.ref());
  }

  // tangent k of the chunk is column c + k of the input (position, velocity, activation, control)
  template <class M, class R>
  void seed(const M& m, const R& from, int c, int count) {
    const Sizes& n = m.n;
    auto& d = dual_.ref();
    load(n, from);
    bool moved = false;
    std::fill(direction_.begin(), direction_.end(), D(T(0)));
    for (int k = 0; k < count; ++k) {
      int i = c + k;
      if (i < n.nv) {
        direction_[static_cast<std::size_t>(i)].v[k] = T(1);
        moved = true;
      } else if ((i -= n.nv) < n.nv) {
        d.qvel[i].v[k] = T(1);
      } else if ((i -= n.nv) < n.na) {
        d.act[i].v[k] = T(1);
      } else {
        d.ctrl[i - n.na].v[k] = T(1);
      }
    }
    if (moved) integrate_position(m, d.qpos, Field<D>{direction_.data()}, D(T(1)));
  }

  template <class S, class M, class R>
  void columns(const Model<S>& model, const M& m, const R& from, int c, int count, bool reuse) {
    auto& d = dual_.ref();
    seed(m, from, c, count);
    if (reuse) {
      forward_velocity(m, d);
      sensor_velocity(m, d);
      forward_acceleration(m, d);
      sensor_acceleration(m, d);
      euler(m, d);
    } else {
      Status status = step(m, d);
      while (status.overflow() && dual_.growable()) {
        dual_.grow(model, dual_.needed());
        seed(m, from, c, count);
        status = step(m, dual_.ref());
      }
      result_.status.bits |= status.bits;
    }
    extract(m, c, count);
  }

  // next state and sensors to the columns c … c + count of (A B) and (C D)
  template <class M>
  void extract(const M& m, int c, int count) {
    const Sizes& n = m.n;
    const auto& d = dual_.ref();
    for (int i = 0; i < n.nq; ++i) base_[static_cast<std::size_t>(i)] = D(d.qpos[i].a);
    differentiate_position(m, Field<D>{base_.data()}, d.qpos, D(T(1)), Field<D>{out_.data()});
    for (int i = 0; i < n.nv; ++i) put(result_.A, result_.B, i, c, count, out_[static_cast<std::size_t>(i)]);
    for (int i = 0; i < n.nv; ++i) put(result_.A, result_.B, n.nv + i, c, count, d.qvel[i]);
    for (int i = 0; i < n.na; ++i) put(result_.A, result_.B, 2 * n.nv + i, c, count, d.act[i]);
    for (int i = 0; i < n.nsensordata; ++i) put(result_.C, result_.D, i, c, count, d.sensordata[i]);
  }

  // a row of [X U] where the first nx columns are X's
  void put(std::vector<T>& X, std::vector<T>& U, int row, int c, int count, const D& value) {
    for (int k = 0; k < count; ++k) {
      const int column = c + k;
      if (column < result_.nx) {
        X[static_cast<std::size_t>(row * result_.nx + column)] = value.v[k];
      } else {
        U[static_cast<std::size_t>(row * result_.nu + column - result_.nx)] = value.v[k];
      }
    }
  }

  Data<D> dual_;
  std::vector<D> direction_, out_, base_;
  Transition<T> result_;
};

enum class Method { exact, centered, forward };

struct Options {
  Method method = Method::exact;
  double step = 1e-6;  // of finite differences
};

// A, B, C, D at the state and control in `data`. To linearise again and again without allocating, keep a
// Linearizer.
template <class S, class T>
Transition<T> transition(const Model<S>& model, const Data<T>& data, Options options = {}) {
  if (options.method == Method::exact) return Linearizer<T>(model)(model, data);
  return difference(model, data, T(options.step), options.method == Method::centered);
}

}  // namespace corten::derive
