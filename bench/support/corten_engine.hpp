// SPDX-License-Identifier: Apache-2.0
//
// Runs episodes with corten: the model is bound once, the data grows if necessary, and a step
// allocates nothing.
#pragma once

#include "episode.hpp"

#include <corten/compile/compile.hpp>
#include <corten/mjcf/read.hpp>
#include <corten/pipeline/step.hpp>
#include <corten/scalar/dual.hpp>
#include <corten/spec/keywords.hpp>

#include <memory>
#include <span>
#include <string>
#include <utility>

namespace bench {

using corten::Dual;

// SM is the scalar of the model, SD that of the data
template <class SM = double, class SD = SM>
class CortenEngine {
 public:
  using View = corten::ModelRef<SM, corten::DefaultPolicies>;

  // the default policies must cover the model: load() checks that
  explicit CortenEngine(corten::Model<SM> model)
      : model_(std::move(model)),
        view_(corten::make_ref<corten::DefaultPolicies>(model_)),
        data_(model_) {}
  CortenEngine(const CortenEngine&) = delete;
  CortenEngine& operator=(const CortenEngine&) = delete;

  void start(const Episode& e) {
    data_.reset(model_);
    for (std::size_t i = 0; i < e.qpos.size(); ++i) data_.qpos()[i] = static_cast<SD>(e.qpos[i]);
    for (std::size_t i = 0; i < e.qvel.size(); ++i) data_.qvel()[i] = static_cast<SD>(e.qvel[i]);
    if constexpr (corten::is_dual<SD>) seed();
  }

  void control(const double* row) {
    for (SD& u : data_.ctrl()) u = static_cast<SD>(*row++);
  }

  void step() { status_ |= corten::step(view_, data_).bits; }

  // the state that the next step starts from, read from a recording (qpos, qvel, act, warm start)
  void place(const double* row) {
    const auto& d = data_.ref();
    const auto read = [&row](const auto& to, int count) {
      for (int i = 0; i < count; ++i) to[i] = static_cast<SD>(*row++);
    };
    read(d.qpos, d.n.nq);
    read(d.qvel, d.n.nv);
    read(d.act, d.n.na);
    read(d.qacc_warmstart, d.n.nv);
  }

  int contacts() const { return data_.ncon(); }
  int iterations() const { return data_.ref().solver_niter; }

  // the status bits of all steps so far
  corten::Status status() const { return {status_}; }

  const corten::Model<SM>& model() const { return model_; }
  const View& view() const { return view_; }
  corten::Data<SD>& data() { return data_; }
  const corten::Data<SD>& data() const { return data_; }

 private:
  // one tangent for each of the first velocities, so that derivatives are not all zero
  void seed() {
    std::span<SD> qvel = data_.qvel();
    for (std::size_t i = 0; i < qvel.size() && i < SD::tangents; ++i) qvel[i].v[i] = 1;
  }

  corten::Model<SM> model_;
  View view_;
  corten::Data<SD> data_;
  int status_ = 0;
};

// reads, compiles and checks; the error says what is wrong with the model
inline corten::Result<corten::Model<double>> load_model(const corten::Result<corten::Spec>& spec) {
  if (!spec) return spec.error();
  corten::Result<corten::Model<double>> model = corten::compile(spec.value());
  if (!model) return model;
  const auto bound = corten::bind<>(model.value());
  if (!bound) return bound.error();
  return model;
}

inline const char* solver_name(const corten::Model<double>& model) {
  switch (static_cast<corten::Solver>(model.opt.solver)) {
    case corten::Solver::pgs: return "PGS";
    case corten::Solver::cg: return "CG";
    default: return "Newton";
  }
}

inline const char* integrator_name(const corten::Model<double>& model) {
  for (const auto& known : corten::spec::keywords<corten::Integrator>) {
    if (known.value == model.opt.integrator) return known.word.data();
  }
  return "?";
}

}  // namespace bench
