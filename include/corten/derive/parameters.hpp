// SPDX-License-Identifier: Apache-2.0
//
// Derivatives of a step by numbers of the model: masses, friction, gains, the timestep, anything
// that is a real number in its fields or options.
//
//     corten::derive::Parameters parameters;
//     parameters.add(model, "geom_friction", 3).value();               // by name and index
//     parameters.add(model, &corten::Model<double>::body_mass, 1);     // or by member
//     corten::derive::ParameterLinearizer<double> linearize(model, parameters);
//     const auto& E = linearize(data);                                 // δx' = E δθ
//
// Constants that the compiler derives from fields (body_subtreemass, dof_invweight0, …) follow the
// parameters, as if set_const() were called after each change, or stay as they are if `derived` is
// false. Fields that are given along with each other in MJCF, such as a body's mass and its
// inertia, are independent here.
#pragma once

#include <corten/compile/set_const.hpp>
#include <corten/derive/matrices.hpp>
#include <corten/derive/polish.hpp>
#include <corten/pipeline/step.hpp>
#include <corten/scalar/dual.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace corten::derive {

namespace detail {

template <class X, class S>
concept ArrayOf = std::is_same_v<std::remove_cvref_t<decltype(std::declval<X&>()[0])>, S>;

// calls f(name, first number, count) for each option that is a real number, or an array of them
template <class S, class F>
void each_real_option(Option<S>& opt, F&& f) {
  const auto visit = [&](const char* name, auto& x) {
    using Type = std::remove_cvref_t<decltype(x)>;
    if constexpr (std::is_same_v<Type, S>) {
      f(name, &x, 1);
    } else if constexpr (ArrayOf<Type, S>) {
      f(name, &x[0], static_cast<int>(sizeof(Type) / sizeof(S)));
    }
  };
#define X(type, name, width, form, merge, ...) visit("opt." #name, opt.name);
  CORTEN_MODEL_OPTIONS(X)
#undef X
}

}  // namespace detail

// Which numbers of a model. They are counted in the order in which they were added.
class Parameters {
 public:
  // Do constants that depend on the parameters follow them?
  bool derived = true;

  int size() const { return static_cast<int>(items_.size()); }

  // adds `count` numbers of a field, from `first` on, e.g. "geom_friction" or "opt.gravity"
  template <class S>
  Result<void> add(const Model<S>& model, std::string_view field, int first = 0, int count = 1) {
    int option = 0;
    Result<void> out = unknown(field);
    detail::each_real_option(const_cast<Option<S>&>(model.opt), [&](const char* name, S*, int n) {
      if (field == name) out = append(field, option_base + option, n, first, count);
      ++option;
    });
    for (std::size_t i = 0; i < std::size(model_arrays<S>); ++i) {
      const auto member = model_arrays<S>[i].of_S;
      if (member != nullptr && field == model_arrays<S>[i].name) {
        out = append(field, static_cast<int>(i), static_cast<int>((model.*member).size()), first,
                     count);
      }
    }
    return out;
  }
  template <class S>
  Result<void> add(const Model<S>& model, List<S> Model<S>::*field, int first = 0, int count = 1) {
    for (std::size_t i = 0; i < std::size(model_arrays<S>); ++i) {
      if (model_arrays<S>[i].of_S == field) {
        return add(model, model_arrays<S>[i].name, first, count);
      }
    }
    return unknown("");
  }

  // the number that parameter k stands for
  template <class S>
  S& in(Model<S>& model, int k) const {
    const Item& item = items_[static_cast<std::size_t>(k)];
    if (item.array < option_base) {
      return (model.*model_arrays<S>[item.array].of_S)[static_cast<std::size_t>(item.index)];
    }
    S* found = nullptr;
    int option = option_base;
    detail::each_real_option(model.opt, [&](const char*, S* x, int) {
      if (option++ == item.array) found = x + item.index;
    });
    return *found;
  }

 private:
  static constexpr int option_base = 1 << 20;
  struct Item {
    int array, index;
  };

  static Result<void> unknown(std::string_view field) {
    return Error("there is no real-valued field '" + std::string(field) +
                 "' in a model; model/fields.hpp and core/options.hpp list them");
  }
  Result<void> append(std::string_view field, int array, int size, int first, int count) {
    if (first < 0 || count < 0 || first + count > size) {
      return Error("'" + std::string(field) + "' has " + std::to_string(size) +
                   " numbers; asked for " + std::to_string(count) + " from " +
                   std::to_string(first) + " on");
    }
    for (int k = 0; k < count; ++k) items_.push_back({array, first + k});
    return {};
  }

  std::vector<Item> items_;
};

// Computes E = ∂x'/∂θ, N parameters at a time, by dual numbers through the step of a model of
// duals. There is one such model for every N parameters, made once.
template <class T, int N = 8, class P = DefaultPolicies>
class ParameterLinearizer {
 public:
  using D = Dual<T, N>;

  ParameterLinearizer(const Model<T>& model, const Parameters& parameters, bool polish = false)
      : count_(parameters.size()), polish_(polish) {
    for (int first = 0; first < count_; first += N) {
      Model<D> dual = cast<D>(model);
      for (int k = 0; k < N && first + k < count_; ++k) {
        tangent(parameters.in(dual, first + k), k) = T(1);
      }
      if (parameters.derived) set_const<P>(dual);
      models_.push_back(std::move(dual));
    }
    if (!models_.empty()) data_.emplace_back(models_.front());
    out_.setZero(2 * model.n.nv + model.n.na, count_);
    base_.resize(static_cast<std::size_t>(model.n.nq));
    moved_.resize(static_cast<std::size_t>(model.n.nv));
  }

  // E at the state and control in `data`, which stays unchanged
  const Matrix<T>& operator()(const Data<T>& data) {
    status_ = Status{};
    for (std::size_t i = 0; i < models_.size(); ++i) {
      const auto m = detail::differentiated<P>(models_[i], polish_);
      Data<D>& dual = data_.front();
      if (!data.fits(m)) return status_ = Status{wrong_model}, out_;
      status_.bits |= corten::detail::with_growth(m, dual, [&] {
                        copy_states(data.ref(), dual.ref());
                        return step(m, dual.ref());
                      }).bits;
      extract(m, dual.ref(), static_cast<int>(i) * N);
    }
    return out_;
  }

  Status status() const { return status_; }

 private:
  template <class M, class E>
  void extract(const M& m, const E& d, int first) {
    const int nv = m.n.nv, count = std::min(N, count_ - first);
    for (int i = 0; i < m.n.nq; ++i) base_[static_cast<std::size_t>(i)] = D(d.qpos[i].a);
    differentiate_position(m, Field<D>{base_.data()}, d.qpos, D(T(1)), Field<D>{moved_.data()});
    for (int k = 0; k < count; ++k) {
      for (int i = 0; i < nv; ++i) {
        out_(i, first + k) = moved_[static_cast<std::size_t>(i)].v[k];
        out_(nv + i, first + k) = d.qvel[i].v[k];
      }
      for (int i = 0; i < m.n.na; ++i) out_(2 * nv + i, first + k) = d.act[i].v[k];
    }
  }

  int count_;
  bool polish_;
  std::vector<Model<D>> models_;
  std::vector<Data<D>> data_;
  std::vector<D> base_, moved_;
  Matrix<T> out_;
  Status status_;
};

}  // namespace corten::derive
