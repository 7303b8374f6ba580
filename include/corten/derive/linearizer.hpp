// SPDX-License-Identifier: Apache-2.0
//
// Exact derivatives of a step, by one of two ways.
//
// Analytic derivatives (analytic/) follow the structure of the model and cost a few steps. They
// cover most models (analytic/coverage.hpp).
//
// Dual numbers run through the stages, one chunk of columns at a time, and the implicit function
// theorem leads through the solver (solver/implicit_diff.hpp), which runs only once. Columns of
// velocity, activation and control do not change the position stages. Except with RK4, chunks
// without a position column therefore reuse the position stages of earlier chunks. This way covers
// everything, kinds and stages of the user's own included.
//
// Both ways find the derivative of the piece on which the state is. Where the step jumps there is
// none, and they may disagree: among flat faces on meshes and height fields it happens that a
// change of 1e-7 adds or moves a contact (tests/models/terrain.xml, by implicit and RK4). One can
// tell by differences, which then grow as their step shrinks.
//
// A tree that sleeps and does not wake in this step stays where it is: its state depends on nothing
// but itself (A is the identity there). One that falls asleep in this step loses its velocity.
//
//     corten::derive::Linearizer<double> linearizer(model);
//     const auto& t = linearizer(model, data);     // t.A, t.B
//
// Small models take so little time that binding the model counts; bind() once and pass its result
// instead of the model, as for step().
#pragma once

#include <corten/derive/analytic/pullback.hpp>
#include <corten/derive/analytic/rk4_slope.hpp>
#include <corten/derive/matrices.hpp>
#include <corten/derive/polish.hpp>
#include <corten/derive/smooth.hpp>
#include <corten/pipeline/step.hpp>
#include <corten/scalar/dual.hpp>

#include <algorithm>
#include <span>
#include <type_traits>
#include <vector>

namespace corten::derive {

// Computes exact derivatives of a step, N columns at a time. It owns its memory and allocates
// nothing after construction, unless contacts outgrow the capacity.
template <class T, int N = 8, class P = DefaultPolicies>
class Linearizer {
 public:
  using D = Dual<T, N>;

  template <class S>
  explicit Linearizer(const Model<S>& model, Capacity capacity = {})
      : dual_(model, capacity),
        direction_(static_cast<std::size_t>(model.n.nv)),
        out_(static_cast<std::size_t>(model.n.nv)),
        base_(static_cast<std::size_t>(model.n.nq)),
        capacity_(capacity) {
    result_.resize(model.n, sensors);
    asleep_.reserve(static_cast<std::size_t>(dual_.ref().n.nsleep));
  }
  template <class S>
  explicit Linearizer(const Model<S>&&, Capacity = {}) = delete;

  // solve to the end before differentiating (polish.hpp)
  bool polish = false;

  // A distance within which contacts that do not touch yet count as soft ones. If it is not zero,
  // the result is not the derivative of the step, but of a smoother one (smooth.hpp).
  double smoothing = 0;

  // Whether C and D are wanted, and whether derivatives may be found analytically.
  bool sensors = false, analytically = true;

  // Returns A and B, and C and D if they are wanted, at the state and control in `data`, which
  // stays unchanged. The model must have the sizes of the one that the linearizer was made with
  // (wrong_model). Columns before `first`, in the order position, velocity, activation, control,
  // keep their contents; bad_argument if there is no such column.
  template <class S>
  const Transition<T>& operator()(const ModelRef<S, P>& m, const Data<T>& data, int first = 0);
  template <class S>
  const Transition<T>& operator()(const Model<S>& model, const Data<T>& data, int first = 0) {
    return (*this)(make_ref<P>(model), data, first);
  }

  // The adjoint of a step: the gradients A'λ and B'λ by state and control of a cost whose gradient
  // by the next state is `next` (nx numbers). Neither A nor B is formed, except for the integrator
  // `implicit` and for lone free bodies with implicitfast.
  template <class S>
  const Gradient<T>& pullback(const ModelRef<S, P>& m, const Data<T>& data, const T* next);
  template <class S>
  const Gradient<T>& pullback(const Model<S>& model, const Data<T>& data, const T* next) {
    return pullback(make_ref<P>(model), data, next);
  }

  // The same for data on which forward() has already run, at its present state, or with RK4 at its
  // four states (rk4_trial), for callers that have asked has_adjoint(). `advanced`: the state has
  // been advanced and put back. What all that left is used up.
  template <class S>
  const Gradient<T>& pullback_evaluated(const ModelRef<S, P>& m, std::span<Data<T>> stages,
                                        bool advanced, const T* next);

  // Does the adjoint of this model need neither A nor B?
  template <class M>
  bool has_adjoint(const M& m) const {
    return finds(m, false) && analytic::has_adjoint(m);
  }

  // Would the derivatives of this model be found analytically?
  template <class M>
  bool is_analytic(const M& m) const {
    return finds(m, sensors);
  }

 private:
  template <class M>
  bool finds(const M& m, bool read) const {
    if constexpr (analytic::may_cover<T, N, P>) {
      return analytically && analytic::covers_model(m, N) && (!read || analytic::covers_sensors(m));
    }
    return false;
  }

  // gradient_ from the values of a forward pass in d; false if some derivative remains unknown
  template <class M, class R>
  bool pull(const M& m, const R& d, bool advanced, const T* next, Status& status) {
    return analytic::pull_step(m, d, dual_.ref(), work_, local_, advanced, next,
                               gradient_.inputs.data(), status);
  }
  template <class M>
  bool pull_rk4(const M& m, std::span<Data<T>> stages, const T* next) {
    const auto stage = [&](int k) -> const auto& {
      return stages[static_cast<std::size_t>(k)].ref();
    };
    return analytic::pull_rk4(m, stage, dual_.ref(), work_, local_, pulls_, next,
                              gradient_.inputs.data());
  }

  // The adjoint of RK4, after forward() at its first state.
  template <class M, class F>
  bool pull_stages(const M& m, F&& run, const T* next, Status& status) {
    while (value_.size() < 4) value_.push_back(value_.front());
    for (int k = 1; k < 4 && !status.overflow(); ++k) {
      Data<T>& own = value_[static_cast<std::size_t>(k)];
      const auto& before = value_[static_cast<std::size_t>(k - 1)];
      status.bits |= corten::detail::with_growth(m, own,
                                                 [&] {
                                                   analytic::rk4_trial(m, value_.front().ref(),
                                                                       before.ref(), own.ref(), k);
                                                   return run(own.ref());
                                                 })
                         .bits &
                     ~bad_qacc;  // as a step, which looks at its first state only
    }
    return !status.overflow() && pull_rk4(m, value_, next);
  }

  // A and B, and with `reading_` C and D
  template <class M>
  void compute(const M& m, const Data<T>& data, int first);

  // Calls f(m) with the model that is differentiated. Data remember which geoms are near, so they
  // start afresh when that changes.
  template <class M, class F>
  void with_differentiated(const M& model, F&& f) {
    if (smoothed_ != smoothing && dual_.fits(model)) {
      value_.clear();
      dual_ = Data<D>(model, capacity_);
      smoothed_ = smoothing;
    }
    if (!polish && !(smoothing > 0)) return f(model);
    M m = polish ? detail::polished(model) : model;
    if constexpr (std::is_same_v<typename M::Scalar, T>) {
      if (smoothing > 0) m = margins_.apply(m, T(smoothing));
    }
    f(m);
  }

  // Makes the memory of the analytic way, when it is first taken.
  template <class M>
  void prepare(const M& m) {
    if (value_.empty()) {
      value_.emplace_back(m, capacity_);
      work_.resize(m.n);
      local_.hits.resize(static_cast<std::size_t>(P::Colliders::max_hits));
      local_.pair.resize(m.n.nbody);
    }
  }

  // Calls f(data, forward, known) on the values, which sets `known` if it found the derivatives.
  // Returns whether it did, or whether there was no room even for the values.
  template <class M, class F>
  bool with_values(const M& m, const Data<T>& data, F&& f) {
    Data<T>& value = value_.front();
    bool known = false;
    const auto run = [&](const auto& d) {
      Status status = smoothing > 0 ? detail::soft_forward(m, d, smoothing) : forward(m, d, false);
      if (corten::detail::any_bad(d.qacc, m.n.nv)) status.bits |= bad_qacc;
      return status;
    };
    const Status status = corten::detail::with_growth(m, value, [&] {
      copy_states(data.ref(), value.ref());
      fill(value.ref().tree_rest, value.ref().n.nsleep, 0);
      if (!has_scratch(m, value.ref())) return Status{};
      return f(value.ref(), run, known);
    });
    result_.status.bits |= status.bits & ~bad_ctrl;
    return known || result_.status.overflow();
  }

  // A and B, analytically. Returns false if that was not possible after all.
  template <class M>
  bool analyse(const M& m, const Data<T>& data) {
    return with_values(m, data, [&](const auto& d, auto&& run, bool& known) {
      const auto& dual = dual_.ref();
      if (is_rk4(m)) {
        const auto read = [&] {
          if (reading_) analytic::sensor_slopes(m, d, dual, work_, local_.hits.data(), result_);
        };
        return analytic::rk4_slope(
            m, d, dual, work_, local_, stages_, [&] { return run(d); }, read, known, result_);
      }
      Status status = run(d);
      known = !status.overflow() &&
              analytic::step_slope(m, d, dual, work_, local_, reading_, result_, status);
      return status;
    });
  }

  // Can the model be smoothed, if that is wanted? Dual numbers take a whole step of RK4 at once.
  template <class M>
  bool smooths(const M& m) const {
    if (smoothing == 0) return true;
    return smoothing > 0 && std::is_same_v<typename M::Scalar, T> &&
           (!is_rk4(m) || finds(m, reading_));
  }

  // step() would reset a bad state, so it has no derivative
  template <class M, class R>
  static Status check(const M& m, const R& d) {
    if (!corten::detail::advances(m)) return Status{bad_timestep};
    if (corten::detail::any_bad(d.qpos, m.n.nq)) return Status{bad_qpos};
    if (corten::detail::any_bad(d.qvel, m.n.nv)) return Status{bad_qvel};
    return Status{};
  }

  // makes tangent k stand for column c + k of the inputs (position, velocity, activation, control)
  template <class M, class R>
  void seed(const M& m, const R& from, int c, int count) {
    auto& d = dual_.ref();
    copy_states(from, d);
    if (!asleep_.empty()) std::copy(asleep_.begin(), asleep_.end(), d.tree_asleep.data);
    bool moved = false;
    std::fill(direction_.begin(), direction_.end(), D(T(0)));
    for (int k = 0; k < count; ++k) {
      D* const x = input_at(m, d, c + k);
      moved = moved || x == nullptr;
      (x != nullptr ? *x : direction_[static_cast<std::size_t>(c + k)]).v[k] = T(1);
    }
    if (moved) integrate_position(m, d.qpos, Field<D>{direction_.data()}, D(T(1)));
  }

  template <class M, class R>
  void whole_step(const M& m, const R& from, int c, int count) {
    const Status status = corten::detail::with_growth(m, dual_, [&] {
      seed(m, from, c, count);
      return step(m, dual_.ref());
    });
    result_.status.bits |= status.bits;
  }

  template <class M, class R>
  void positions(const M& m, const R& from, int c, int count) {
    const Status status = corten::detail::with_growth(m, dual_, [&] {
      if (!has_scratch(m, dual_.ref())) return Status{no_scratch};
      seed(m, from, c, count);
      dual_.ref().status = 0;
      forward_position(m, dual_.ref());
      if (smoothing > 0) detail::soften_contacts(m, dual_.ref(), smoothing);
      return Status{dual_.ref().status};
    });
    const auto& asleep = dual_.ref().tree_asleep;
    asleep_.assign(asleep.data, asleep.data + dual_.ref().n.nsleep);
    result_.status.bits |= status.bits;
    if (reading_ && !result_.status.overflow()) read_position(m, dual_.ref());
  }

  // everything after the position stages; `solved`: the solver has already run at these values
  template <class M>
  void rest(const M& m, bool solved) {
    const auto& d = dual_.ref();
    if (result_.status.overflow()) return;
    forward_velocity(m, d);
    if (reading_) read_velocity(m, d);
    // with soft bodies the solver runs twice per pass, at different values
    d.solver_kept = solved && m.n.nsoft == 0 ? 1 : 0;
    forward_acceleration(m, d);
    d.solver_kept = 0;
    if (reading_) read_acceleration(m, d);
    if (corten::detail::any_bad(d.qacc, m.n.nv)) result_.status.bits |= bad_qacc;
    corten::detail::integrate_alone(m, d);
    result_.status.bits |= d.status & (singular_step | indefinite_step | solver_limit);
  }

  // clears all tangents and keeps the values
  void strip() {
    const auto& d = dual_.ref();
    const DataSizes n = sizes_in_use(d);
#define X(type, name, rows, width, meaning) strip(d.name, (rows) * (width));
    CORTEN_DATA_FIELDS(X)
#undef X
  }
  static void strip(const Field<D>& field, int count) {
    for (int i = 0; i < count; ++i) field[i] = D(field[i].a);
  }
  template <class F>
  static void strip(const F&, int) {}

  // copies the tangents of the next state and the sensors to the columns c … c + count of (A B) and
  // (C D)
  template <class M>
  void extract(const M& m, int c, int count) {
    const Sizes& n = m.n;
    const auto& d = dual_.ref();
    for (int i = 0; i < n.nq; ++i) base_[static_cast<std::size_t>(i)] = D(d.qpos[i].a);
    differentiate_position(m, Field<D>{base_.data()}, d.qpos, D(T(1)), Field<D>{out_.data()});
    for (int i = 0; i < n.nv; ++i)
      put_row(result_.A, result_.B, i, c, count, out_[static_cast<std::size_t>(i)]);
    for (int i = 0; i < n.nv; ++i) put_row(result_.A, result_.B, n.nv + i, c, count, d.qvel[i]);
    for (int i = 0; i < n.na; ++i) put_row(result_.A, result_.B, 2 * n.nv + i, c, count, d.act[i]);
    for (int i = 0; i < n.nsensordata && reading_; ++i)
      put_row(result_.C, result_.D, i, c, count, d.sensordata[i]);
  }

  // Writes columns c … c + count of one row of both matrices side by side. Where forces are so
  // large that the Hessian is lost to rounding, its inverse may overflow: the status says so.
  void put_row(Matrix<T>& by_state, Matrix<T>& by_control, int row, int c, int count,
               const D& value) {
    for (int k = 0; k < count; ++k) {
      if (!finite(value.v[k])) result_.status.bits |= bad_qacc;
      result_.put(by_state, by_control, row, c + k, value.v[k]);
    }
  }

  Data<D> dual_;
  std::vector<D> direction_, out_, base_;
  bool reading_ = false;     // are C and D computed in this call?
  std::vector<int> asleep_;  // tree_asleep after the position stages, which may wake trees
  Transition<T> result_;

  Gradient<T> gradient_;

  double smoothed_ = 0;  // the smoothing of the last call
  detail::WideMargins<T> margins_;

  // of the analytic way, made when it is first taken
  Capacity capacity_;
  std::vector<Data<T>> value_;
  analytic::Workspace<T> work_;
  analytic::Local<D> local_;
  analytic::Stages<T> stages_;
  analytic::StagePulls<T> pulls_;
};

template <class T, int N, class P>
template <class S>
const Transition<T>& Linearizer<T, N, P>::operator()(const ModelRef<S, P>& model,
                                                     const Data<T>& data, int first) {
  reading_ = sensors;
  if (result_.ns != (sensors ? dual_.ref().n.nsensordata : 0)) {
    result_.resize(dual_.ref().n, sensors);
  }
  with_differentiated(model, [&](const auto& m) { compute(m, data, first); });
  return result_;
}

template <class T, int N, class P>
template <class M>
void Linearizer<T, N, P>::compute(const M& m, const Data<T>& data, int first) {
  const Sizes& n = m.n;
  const int columns = 2 * n.nv + n.na + n.nu;
  result_.status = !data.fits(m) || !dual_.fits(m) ? Status{wrong_model}
                   : !covers<P>(m)                 ? Status{not_covered}
                   : first < 0 || first > columns  ? Status{bad_argument}
                   : !smooths(m)                   ? Status{bad_argument}
                                                   : check(m, data.ref());
  if (!result_.status.ok()) {
    result_.resize(dual_.ref().n, sensors);
    return;
  }

  if constexpr (analytic::may_cover<T, N, P>) {
    if (first == 0 && finds(m, reading_)) {
      prepare(m);
      if (is_rk4(m) && stages_.q.empty()) stages_.resize(m.n, work_.width);
      if (analyse(m, data)) return;
    }
  }
  asleep_.clear();
  fill(dual_.ref().tree_rest, dual_.ref().n.nsleep, 0);
  for (int c = first; c < columns && !result_.status.overflow(); c += N) {
    const int count = std::min(N, columns - c);
    if (is_rk4(m)) {
      whole_step(m, data.ref(), c, count);
    } else if (c < n.nv || c == first) {
      positions(m, data.ref(), c, count);
      rest(m, c > first);
    } else {
      if (c - N < n.nv) strip();
      seed(m, data.ref(), c, count);
      if (reading_ && reads_kinetic_energy(m)) read_position(m, dual_.ref());
      rest(m, true);
    }
    if (!result_.status.overflow()) extract(m, c, count);
  }
}

template <class T, int N, class P>
template <class S>
const Gradient<T>& Linearizer<T, N, P>::pullback(const ModelRef<S, P>& model, const Data<T>& data,
                                                 const T* next) {
  gradient_.resize(model.n);
  with_differentiated(model, [&](const auto& m) {
    if constexpr (analytic::may_cover<T, N, P>) {
      const bool ready = data.fits(m) && dual_.fits(m) && covers<P>(m) && check(m, data.ref()).ok();
      if (ready && smoothing >= 0 && has_adjoint(m)) {
        prepare(m);
        result_.status = Status{};
        const auto evaluate = [&](const auto& d, auto&& run, bool& known) {
          Status status = run(d);
          if (status.overflow()) return status;
          known = is_rk4(m) ? pull_stages(m, run, next, status) : pull(m, d, false, next, status);
          return status;
        };
        if (with_values(m, data, evaluate)) return void(gradient_.status = result_.status);
      }
    }
    reading_ = false;
    compute(m, data, 0);
    gradient_.resize(m.n);
    gradient_.multiply(result_, next);
  });
  return gradient_;
}

template <class T, int N, class P>
template <class S>
const Gradient<T>& Linearizer<T, N, P>::pullback_evaluated(const ModelRef<S, P>& m,
                                                           std::span<Data<T>> stages, bool advanced,
                                                           const T* next) {
  if constexpr (analytic::may_cover<T, N, P>) {
    const auto& d = stages.front().ref();
    if (!polish && smoothing == 0 && check(m, d).ok()) {
      prepare(m);
      gradient_.resize(m.n);
      Status status;
      const bool known = is_rk4(m) ? pull_rk4(m, stages, next) : pull(m, d, advanced, next, status);
      if (known) return gradient_.status = status, gradient_;
    }
  }
  return pullback(m, stages.front(), next);
}

#ifdef CORTEN_EXTERN_DUAL
extern template const Transition<double>& Linearizer<double, 8>::operator()(
    const ModelRef<double, DefaultPolicies>&, const Data<double>&, int);
extern template const Gradient<double>& Linearizer<double, 8>::pullback(
    const ModelRef<double, DefaultPolicies>&, const Data<double>&, const double*);
extern template const Gradient<double>& Linearizer<double, 8>::pullback_evaluated(
    const ModelRef<double, DefaultPolicies>&, std::span<Data<double>>, bool, const double*);
#endif

}  // namespace corten::derive
