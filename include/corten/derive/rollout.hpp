// SPDX-License-Identifier: Apache-2.0
//
// The gradient of the cost of a whole rollout, by its initial state, its controls and parameters of
// the model, by adjoints from the last step to the first.
//
//     corten::derive::Rollout<double> rollout(model, 1000);
//     const auto& g = rollout(start, controls, cost);     // g.cost, g.state, g.controls
//
// The cost is a sum over the states x₀ … x_n of the rollout,
//
//     cost(k, data, by_state, by_control)
//
// returns the cost of step k, whose state and control are in `data`, and adds its gradients to
// `by_state` (2 nv + na numbers, positions in the tangent space) and `by_control` (nu numbers)
// unless they are null. After the last step there is no control. Of the data, only what a step
// starts from is certain to belong to this state; a cost that looks at bodies calls kinematics()
// first.
//
// CHECKPOINTS. An adjoint visits the states in reverse, but storing all that n steps compute would
// take memory in proportion to n. Here the rollout is cut into pieces. The states at which they
// begin are stored, and the steps of one piece at a time are taken again before its adjoint, where
// each step keeps what it has computed in a Data, or in four with RK4. So a gradient takes two
// rollouts and n adjoints. With pieces of p steps there are n/p states and p Data;
// p = √(n · state/Data), in bytes, needs least memory, which is of the order √n. A Data is a
// hundred times as large as a state, so p is small, and the Data of a piece stay in the cache.
#pragma once

#include <corten/data/state.hpp>
#include <corten/derive/pullback.hpp>

#include <algorithm>
#include <vector>

namespace corten::derive {

template <class T>
struct RolloutGradient {
  using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

  T cost = T(0);
  Vector state;        // by the initial state, 2 nv + na
  Matrix<T> controls;  // by the controls, a row per step
  Vector parameters;
  Status status;
};

template <class T, int N = 8, class P = DefaultPolicies>
class Rollout {
 public:
  // `most_steps` is the largest number of steps.
  Rollout(const Model<T>& model, int most_steps, const Parameters& parameters = {})
      : model_(model), linearizer_(model), by_parameters_(model, parameters), data_(model) {
    size_ = static_cast<std::size_t>(state_size(data_, state_integration));
    const double states = static_cast<double>(size_ * sizeof(T)) * most_steps;
    stages_ = is_rk4(make_ref<P>(model)) ? 4 : 1;
    while (piece_ * piece_ * stages_ * static_cast<double>(data_.bytes()) < states) ++piece_;
    const int nx = 2 * model.n.nv + model.n.na;
    const int pieces = (most_steps + piece_ - 1) / piece_;
    states_.resize(size_ * static_cast<std::size_t>(pieces));
    slots_.assign(static_cast<std::size_t>(piece_ * stages_), data_);
    lambda_.resize(static_cast<std::size_t>(nx));
    out_.state.setZero(nx);
    out_.controls.setZero(most_steps, model.n.nu);
    out_.parameters.setZero(parameters.size());
    steps_ = most_steps;
  }
  Rollout(const Model<T>&&, int, const Parameters& = {}) = delete;

  // Solve to the end before differentiating (polish.hpp)? The rollout itself stays as it is.
  bool polish = false;

  // Differentiate softer contacts, which reach this far (smooth.hpp)? Likewise.
  double smoothing = 0;

  // Takes a step for each row of `controls`, from the state of `start`. The status has bad_argument
  // if there are too many, or if they have another number of columns than there are controls; that
  // of the first step that fails ends the rollout.
  template <class Cost>
  const RolloutGradient<T>& operator()(const Data<T>& start, const Matrix<T>& controls,
                                       Cost&& cost) {
    const int steps = static_cast<int>(controls.rows());
    out_.status = Status{};
    if (steps > steps_ || controls.cols() != model_.n.nu) out_.status = Status{bad_argument};
    const auto m = make_ref<P>(model_);
    if (!start.fits(m) || !covers<P>(m)) out_.status = Status{wrong_model};
    if (!out_.status.ok() || !simulate(m, start, controls, cost)) return out_;

    linearizer_.polish = polish;
    linearizer_.smoothing = smoothing;
    light_ = !polish && smoothing == 0 && !m.opt.enabled(enable_sleep) && m.n.nsoft == 0 &&
             linearizer_.has_adjoint(m);
    out_.controls.setZero(steps, model_.n.nu);
    out_.parameters.setZero();
    std::fill(lambda_.begin(), lambda_.end(), T(0));
    cost(steps, data_, lambda_.data(), nullptr);
    for (int first = (steps - 1) / piece_ * piece_; first >= 0 && steps > 0; first -= piece_) {
      const int last = std::min(steps, first + piece_);
      repeat(m, controls, first, last);
      for (int k = last - 1; k >= first && out_.status.ok(); --k) pull(m, k, first, cost);
    }
    for (std::size_t i = 0; i < lambda_.size(); ++i) {
      out_.state[static_cast<Eigen::Index>(i)] = lambda_[i];
    }
    return out_;
  }

 private:
  std::span<T> stored(int k) {
    return {states_.data() + size_ * static_cast<std::size_t>(k / piece_), size_};
  }
  void set_control(Data<T>& data, const Matrix<T>& controls, int k) {
    for (int i = 0; i < model_.n.nu; ++i) data.ctrl()[static_cast<std::size_t>(i)] = controls(k, i);
  }

  // the rollout and its cost, leaving the state at the start of each piece
  template <class M, class Cost>
  bool simulate(const M& m, const Data<T>& start, const Matrix<T>& controls, Cost&& cost) {
    copy_states(start.ref(), data_.ref());
    out_.cost = T(0);
    const int steps = static_cast<int>(controls.rows());
    for (int k = 0; k < steps; ++k) {
      set_control(data_, controls, k);
      if (k % piece_ == 0) static_cast<void>(get_state(data_, stored(k), state_integration));
      out_.cost += cost(k, data_, static_cast<T*>(nullptr), static_cast<T*>(nullptr));
      out_.status = step(m, data_);
      if (!out_.status.ok()) return false;
    }
    out_.cost += cost(steps, data_, static_cast<T*>(nullptr), static_cast<T*>(nullptr));
    return true;
  }

  // The data of a step of a piece: one, or for RK4 one per stage.
  Data<T>& slot(int k, int stage = 0) {
    return slots_[static_cast<std::size_t>(k * stages_ + stage)];
  }

  // The forward passes of a step from the state in its slot.
  template <class M>
  void evaluate(const M& m, int k) {
    for (int s = 0; s < stages_; ++s) {
      out_.status.bits |= corten::detail::with_growth(m, slot(k, s), [&] {
                            const auto& d = slot(k, s).ref();
                            if (s > 0)
                              analytic::rk4_trial(m, slot(k).ref(), slot(k, s - 1).ref(), d, s);
                            return forward(m, d, false);
                          }).bits;
    }
  }

  // The state after that step, into `next` unless that is null; the slot keeps its state.
  template <class M>
  void advance_from(const M& m, int k, Data<T>* next) {
    const auto& d = slot(k, stages_ - 1).ref();
    if (stages_ > 1) {
      if (next == nullptr) return;
      copy_states(slot(k).ref(), next->ref());
      sums_.add_up(
          m, [&](int s) -> const auto& { return slot(k, s).ref(); });
      copy(next->ref().qacc, d.qacc, m.n.nv);
      advance(m, next->ref(), Field<T>{sums_.rate.data()}, Field<T>{sums_.acceleration.data()},
              Field<T>{sums_.velocity.data()});
      return;
    }
    const auto& to = next != nullptr ? next->ref() : data_.ref();
    copy_states(d, to);
    corten::detail::integrate_alone(m, d);
    using corten::detail::exchange;
    exchange(d.qpos, to.qpos, m.n.nq), exchange(d.qvel, to.qvel, m.n.nv);
    exchange(d.act, to.act, m.n.na), exchange(d.history, to.history, m.n.nhistory);
    exchange(d.qacc_warmstart, to.qacc_warmstart, m.n.nv);
    const T time = d.time;
    d.time = to.time.get(), to.time = time;
  }

  // Takes the steps of a piece again. Each of its slots is left at the state before its step, with
  // the forward pass there if the adjoint can use it.
  template <class M>
  void repeat(const M& m, const Matrix<T>& controls, int first, int last) {
    static_cast<void>(set_state(slot(0), stored(first), state_integration));
    for (int k = first; k < last; ++k) {
      set_control(slot(k - first), controls, k);
      Data<T>* const next = k + 1 < last ? &slot(k + 1 - first) : nullptr;
      if (light_) {
        evaluate(m, k - first);
        advance_from(m, k - first, next);
      } else if (next != nullptr) {
        copy_states(slot(k - first).ref(), data_.ref());
        static_cast<void>(step(m, data_));
        copy_states(data_.ref(), next->ref());
      }
    }
  }

  // λ of state k from that of the next one
  template <class M, class Cost>
  void pull(const M& m, int k, int first, Cost&& cost) {
    Data<T>& at = slot(k - first);
    if (out_.parameters.size() > 0) {
      const Matrix<T>& E = by_parameters_(at);
      for (Eigen::Index i = 0; i < E.rows(); ++i) {
        out_.parameters += lambda_[static_cast<std::size_t>(i)] * E.row(i).transpose();
      }
      out_.status.bits |= by_parameters_.status().bits;
    }
    const std::span<Data<T>> stages(&at, static_cast<std::size_t>(stages_));
    const Gradient<T>& g = light_ ? linearizer_.pullback_evaluated(m, stages, true, lambda_.data())
                                  : linearizer_.pullback(m, at, lambda_.data());
    out_.status.bits |= g.status.bits;
    std::copy(g.state().begin(), g.state().end(), lambda_.begin());
    T* const row = out_.controls.data() + static_cast<Eigen::Index>(k) * out_.controls.cols();
    std::copy(g.control().begin(), g.control().end(), row);
    cost(k, at, lambda_.data(), row);
  }

  const Model<T>& model_;
  Linearizer<T, N, P> linearizer_;
  ParameterLinearizer<T, N, P> by_parameters_;
  Data<T> data_;
  int steps_ = 0, piece_ = 1, stages_ = 1;
  bool light_ = false;
  std::size_t size_ = 0;
  std::vector<T> states_, lambda_;
  std::vector<Data<T>> slots_;
  analytic::StageSums<T> sums_;
  RolloutGradient<T> out_;
};

}  // namespace corten::derive
