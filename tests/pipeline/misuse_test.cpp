// SPDX-License-Identifier: Apache-2.0
//
// Calls that a user can get wrong: data of another model, data that was moved from, steps of length
// zero. A status refuses each and says why, and nothing is accessed out of range, which the
// sanitizers check.
#include <corten/batch.hpp>
#include <corten/derive.hpp>
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"

#include <limits>
#include <sstream>

using namespace corten;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("data of another model is refused, not stepped", "[pipeline][misuse]") {
  const Model<double> small = support::load("fluid"), big = support::load("contacts");
  Data<double> of_small(small), of_big(big);
  for (Data<double>* data : {&of_small, &of_big}) {
    const Model<double>& other = data == &of_small ? big : small;
    const auto m = bind(other).value();
    const double before = data->qpos()[0];
    CHECK(step(other, *data).bits == wrong_model);
    CHECK(forward(other, *data).bits == wrong_model);
    CHECK(inverse(other, *data).bits == wrong_model);
    CHECK(step(m, *data).bits == wrong_model);
    CHECK(derive::transition(other, *data).status.bits == wrong_model);
    CHECK(derive::transition(other, *data, {derive::Method::centered, 1e-6}).status.bits ==
          wrong_model);
    CHECK(derive::transition(other, *data, {derive::Method::hybrid, 1e-6}).status.bits ==
          wrong_model);
    CHECK(data->qpos()[0] == before);
    CHECK(data->time() == 0);
  }

  derive::Linearizer<double> of_the_small(small);
  CHECK(of_the_small(big, of_big).status.bits == wrong_model);
  CHECK(of_the_small(small, of_small).status.ok());
}

TEST_CASE("reset makes data fit the given model", "[pipeline][misuse]") {
  const Model<double> small = support::load("fluid"), big = support::load("contacts");
  Data<double> data(small, {3, 3});
  data.reset(big);
  CHECK(data.fits(big));
  CHECK(data.growable());
  CHECK(step(big, data).ok());
  data.reset_keep_forces(small);
  CHECK(step(small, data).ok());
  Data<double> empty;
  CHECK(step(small, empty).bits == wrong_model);
  empty.reset(small);
  CHECK(step(small, empty).ok());
}

TEST_CASE("data that was moved from is empty", "[pipeline][misuse]") {
  const Model<double> model = support::load("contacts");
  Data<double> data(model);
  REQUIRE(step(model, data).ok());
  const Data<double> kept = data;
  Data<double> moved = std::move(data);
  CHECK(data.qpos().empty());
  CHECK(data.bytes() == 0);
  CHECK(step(model, data).bits == wrong_model);
  CHECK(moved.qpos()[2] == kept.qpos()[2]);
  data = std::move(moved);
  CHECK(moved.sensordata().empty());
  CHECK(moved.ncon() == 0);
  CHECK_FALSE(contact_force(model, moved, 0));
  CHECK(step(model, data).ok());
  CHECK(Data<double>(moved).qpos().empty());
}

TEST_CASE("a step that cannot advance is refused", "[pipeline][misuse]") {
  Model<double> model = support::load("contacts");
  for (const double h : {0.0, -0.002, not_a_number, infinity, -infinity}) {
    for (const Integrator integrator : {Integrator::euler, Integrator::rk4}) {
      model.opt.timestep = h;
      model.opt.integrator = static_cast<int>(integrator);
      Data<double> data(model);
      CHECK(step(model, data).bits == bad_timestep);
      CHECK(data.time() == 0);
      CHECK(data.qpos()[2] == model.qpos0[2]);
      CHECK(forward(model, data).ok());
      CHECK(derive::transition(model, data).status.has(bad_timestep));
      Batch<double> batch(model, 2);
      REQUIRE(batch.step_all());
      CHECK(batch.status()[1].bits == bad_timestep);
      LaneBatch<double, 2> lanes(model, 3);
      REQUIRE(lanes.step_all(2));
      CHECK(lanes.status()[2].bits == bad_timestep);
    }
  }
}

TEST_CASE("data adapts to options that change later, or reports that it cannot",
          "[pipeline][misuse]") {
  Model<double> model = support::load("contacts");
  for (const bool noslip : {false, true}) {
    Model<double> changed = model;
    changed.opt.solver = static_cast<int>(noslip ? Solver::newton : Solver::pgs);
    changed.opt.noslip_iterations = noslip ? 3 : 0;
    Data<double> data(model), fresh(changed), fixed(model, {200, 800});
    Data<Dual<double, 2>> dual(model);
    LaneBatch<double, 2> lanes(model, 2);
    for (int k = 0; k < 5; ++k) {
      REQUIRE(step(changed, data).ok());
      REQUIRE(step(changed, fresh).ok());
      REQUIRE(step(changed, dual).ok());
    }
    for (int i = 0; i < model.n.nq; ++i) {
      CHECK(data.qpos()[std::size_t(i)] == fresh.qpos()[std::size_t(i)]);
    }
    CHECK(step(changed, fixed).bits == no_scratch);
    CHECK(forward(changed, fixed).bits == no_scratch);
    CHECK(fixed.time() == 0);
    model.opt.solver = changed.opt.solver;
    model.opt.noslip_iterations = changed.opt.noslip_iterations;
    REQUIRE(lanes.step_all(5));
    CHECK(lanes.all_ok());
    for (int i = 0; i < model.n.nq; ++i) {
      CHECK(near_relative(lanes[1].qpos()[std::size_t(i)], fresh.qpos()[std::size_t(i)], 1e-9, 1));
    }
    model = support::load("contacts");
  }
}

TEST_CASE("a status prints itself", "[core][misuse]") {
  CHECK(Status{}.to_string() == "ok");
  std::ostringstream out;
  out << Status{bad_qvel | solver_limit};
  CHECK(out.str().find("bad_qvel: qvel holds NaN") != std::string::npos);
  CHECK(out.str().find("; solver_limit: ") != std::string::npos);
  CHECK(out.str().find("(raise opt.iterations or opt.tolerance)") != std::string::npos);
  for (int bit = 0; bit < 16; ++bit) {
    const auto one = static_cast<StatusBit>(1 << bit);
    CHECK(Status{one}.to_string().starts_with(Status::name(one)));
    CHECK(Status{one}.to_string().size() > 40);
  }
  CHECK(std::string(Status::name(static_cast<StatusBit>(1 << 16))).empty());
}
