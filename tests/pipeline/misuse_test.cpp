// SPDX-License-Identifier: Apache-2.0
//
// What a user can get wrong with a model, its data and derivatives; tests/query and tests/batch
// have lists for queries and batches. Each list is about one kind of mistake.
#include <corten/compile/recompile.hpp>
#include <corten/derive.hpp>
#include <corten/scalar/dual.hpp>

#include "../support/misuse.hpp"

#include <sstream>
#include <thread>

using namespace corten;
using namespace support::misuse;
using derive::Method;
using Numbers = std::vector<double>;
using V3 = Vec3<double>;

namespace {

// ---- what would outlive a temporary does not compile --------------------------------------------

using M = Model<double>;
using D = Data<double>;
template <class X>
concept Binds = requires(X&& x) {
  bind(static_cast<X&&>(x));
};
template <class X>
concept Views = requires(X&& x) {
  make_ref<DefaultPolicies>(static_cast<X&&>(x));
};
template <class X, class Y>
concept Lists = requires(X&& x, Y&& y) {
  contacts(static_cast<X&&>(x), static_cast<Y&&>(y));
};
template <class X>
concept LendsSpans = requires(X&& x) {
  static_cast < X
  && > (x).qpos();
};
template <class X>
concept LendsSensors = requires(X&& x, const M& m) {
  static_cast < X
  && > (x).sensor(m, 0);
};
template <class X>
concept LendsBodies = requires(X&& x, const M& m) {
  static_cast < X
  && > (x).body(m, 0);
};

static_assert(Binds<M&> && Binds<const M&> && !Binds<M> && !Binds<const M>);
static_assert(Views<M&> && Views<const M&> && !Views<M> && !Views<const M>);
static_assert(Lists<const M&, const D&> && !Lists<M, const D&> && !Lists<M&, D> && !Lists<M, D>);
static_assert(LendsSpans<D&> && LendsSpans<const D&> && !LendsSpans<D> && !LendsSpans<const D>);
static_assert(LendsSensors<D&> && LendsSensors<const D&> && !LendsSensors<D>);
static_assert(LendsBodies<D&> && LendsBodies<const D&> && !LendsBodies<D>);
static_assert(std::is_constructible_v<ModelView<double>, const M&> &&
              !std::is_constructible_v<ModelView<double>, M>);
static_assert(std::is_constructible_v<derive::Linearizer<double>, const M&> &&
              !std::is_constructible_v<derive::Linearizer<double>, M>);

// ---- the lists ----------------------------------------------------------------------------------

const Case other_model[] = {
    {"step",
     [](World& w) {
       return is(step(w.other, w.data), wrong_model) && is(step(w.model, w.of_other), wrong_model);
     }},
    {"forward",
     [](World& w) {
       return is(forward(w.other, w.data), wrong_model) &&
              is(forward(w.model, w.of_other), wrong_model);
     }},
    {"inverse",
     [](World& w) {
       return is(inverse(w.other, w.data), wrong_model) &&
              is(inverse(w.model, w.of_other), wrong_model);
     }},
    {"the halves of a step",
     [](World& w) {
       return is(step1(w.other, w.data), wrong_model) && is(step2(w.other, w.data), wrong_model);
     }},
    {"a bound model",
     [](World& w) {
       const auto m = bind(w.other).value();
       return is(step(m, w.data), wrong_model) && is(forward(m, w.data), wrong_model) &&
              is(step2(m, w.data), wrong_model);
     }},
    {"exact derivatives",
     [](World& w) { return is(derive::transition(w.other, w.data).status, wrong_model); }},
    {"differences",
     [](World& w) {
       return is(derive::transition(w.other, w.data, {Method::centered}).status, wrong_model) &&
              is(derive::transition(w.other, w.data, {Method::forward}).status, wrong_model);
     }},
    {"exact derivatives and differences",
     [](World& w) {
       return is(derive::transition(w.other, w.data, {Method::hybrid}).status, wrong_model);
     }},
    {"a linearizer, which goes on with its own model",
     [](World& w) {
       derive::Linearizer<double> linearizer(w.model);
       const bool refused = is(linearizer(w.other, w.of_other).status, wrong_model);
       const auto& good = linearizer(w.model, w.data);
       return refused && good.status.ok() && good.A == derive::transition(w.model, w.data).A;
     }},
    {"comparing derivatives",
     [](World& w) {
       return is(derive::compare_with_differences(w.other, w.data).status, wrong_model) &&
              !derive::differences_converge(w.other, w.data, 1e-6, 1e-3);
     }},
    {"copying a state of the same length",
     [](World& w) {
       const int bits = state_qpos | state_qvel;
       return state_size(w.data, bits) == state_size(w.of_other, bits) &&
              is(copy_state(w.data, w.of_other, bits), wrong_model);
     }},
    {"storing a keyframe",
     [](World& w) { return is(w.of_other.store_key(w.model, 0), wrong_model); }},
    {"objects of data",
     [](World& w) {
       return explained(w.data.body(w.other, 0)) && explained(w.data.sensor(w.other, 0));
     }},
    {"carrying a state",
     [](World& w) {
       return is(carry_state(w.other, w.data, w.model, w.data), wrong_model) &&
              is(carry_state(w.model, w.data, w.model, w.of_other), wrong_model);
     }},
    {"recompiling",
     [](World& w) { return explained(recompile(Spec{}, w.other, w.data)) && w.other.n.njnt == 5; }},
    {"growing, which is left",
     [](World& w) {
       const std::size_t bytes = w.data.bytes();
       w.data.grow(w.other, {100, 100});
       return w.data.bytes() == bytes && step(w.model, w.data).ok();
     }},
};

const Case moved_or_empty[] = {
    {"data that was moved from",
     [](World& w) {
       const Data<double> taken = std::move(w.data);
       return taken.fits(w.model) && is(step(w.model, w.data), wrong_model) &&
              is(forward(w.model, w.data), wrong_model) &&
              is(step1(w.model, w.data), wrong_model) && is(step2(w.model, w.data), wrong_model);
     }},
    {"what empty data shows",
     [](World& w) {
       return w.empty.qpos().empty() && w.empty.energy().empty() && w.empty.time() == 0 &&
              w.empty.ncon() == 0 && w.empty.nefc() == 0 && w.empty.memory().empty() &&
              Data<double>(w.empty).bytes() == 0;
     }},
    {"the state of empty data",
     [](World& w) {
       Numbers one(1);
       return state_size(w.empty, state_time) == 0 &&
              is(get_state(w.empty, one, state_time), bad_argument) &&
              is(set_state(w.empty, one, state_time), bad_argument);
     }},
    {"copying a state from and to empty data",
     [](World& w) {
       return is(copy_state(w.empty, w.data, state_time), wrong_model) &&
              is(copy_state(w.data, w.empty, state_time), wrong_model) &&
              is(copy_state(w.empty, w.empty, state_time), wrong_model);
     }},
    {"carrying the state of empty data",
     [](World& w) {
       return is(carry_state(w.model, w.empty, w.model, w.data), wrong_model) &&
              explained(recompile(Spec{}, w.model, w.empty));
     }},
    {"a model that was moved from",
     [](World& w) {
       const Model<double> taken = std::move(w.model);
       return is(step(w.model, w.data), wrong_model) &&
              is(derive::transition(w.model, w.data).status, wrong_model) &&
              step(taken, w.data).ok();
     }},
    {"a view of a model that was moved from",
     [](World& w) {
       const Model<double> taken = std::move(w.model);
       return is(step(bind(w.model).value(), w.data), wrong_model);
     }},
    {"data of a model that was moved from",
     [](World& w) {
       const Model<double> taken = std::move(w.model);
       Data<double> data(w.model);
       return is(step(w.model, data), wrong_model) && is(step(w.model, w.empty), wrong_model);
     }},
    {"a linearizer that was moved from",
     [](World& w) {
       derive::Linearizer<double> one(w.model), two = std::move(one);
       return is(one(w.model, w.data).status, wrong_model) && two(w.model, w.data).status.ok();
     }},
};

const Case out_of_range[] = {
    {"no keyframe",
     [](World& w) {
       return is(w.data.reset(w.model, 1), bad_argument) &&
              is(w.data.reset(w.model, -1), bad_argument) &&
              is(w.data.store_key(w.model, 1), bad_argument) && w.data.time() > 0;
     }},
    {"a misspelt keyframe",
     [](World& w) { return explained(w.data.reset(w.model, "hone")) && w.data.time() > 0; }},
    {"no body, no sensor",
     [](World& w) {
       return explained(w.data.body(w.model, 3)) && explained(w.data.sensor(w.model, -1)) &&
              explained(w.data.body(w.model, "legs")) && explained(w.model.joint("legs")) &&
              w.model.body_name(99).empty();
     }},
    {"a null pointer for a name",
     [](World& w) { return explained(w.data.body(w.model, static_cast<const char*>(nullptr))); }},
    {"parts of the state that do not exist",
     [](World& w) {
       return state_size(w.data, -1) == -1 && is(get_state(w.data, {}, 1 << 30), bad_argument) &&
              is(set_state(w.data, {}, -1), bad_argument) &&
              is(copy_state(w.data, w.data, -1), bad_argument);
     }},
    {"the range of no actuator",
     [](World& w) {
       return explained(set_length_range(w.model, 2)) && explained(set_length_range(w.model, -1));
     }},
    {"columns of derivatives",
     [](World& w) {
       derive::Linearizer<double> one(w.model);
       return is(one(w.model, w.data, -1).status, bad_argument) &&
              is(one(w.model, w.data, 99).status, bad_argument);
     }},
    {"columns of differences",
     [](World& w) {
       derive::Transition<double> none, all;
       all.resize(w.model.n);
       derive::difference(w.model, w.data, 1e-6, true, 0, 1, none);
       derive::difference(w.model, w.data, 1e-6, true, -1, 99, all);
       return is(none.status, bad_argument) && is(all.status, bad_argument);
     }},
};

const Case wrong_size[] = {
    {"a vector for a state",
     [](World& w) {
       Numbers v(3);
       return is(get_state(w.data, v, state_full_physics), bad_argument) &&
              is(set_state(w.data, v, state_qvel), bad_argument) &&
              is(set_state(w.data, {}, state_qvel), bad_argument);
     }},
    {"vectors for a part of a state",
     [](World& w) {
       Numbers v(3), t(1);
       return is(extract_state(w.data, v, state_qpos, t, state_time), bad_argument) &&
              is(extract_state(w.data, v, state_qpos, t, state_qpos), bad_argument);
     }},
    {"errors of matrices",
     [](World& w) {
       return derive::max_relative_error(Numbers(w.x.size()), Numbers(2), 1.0).value == infinity;
     }},
    {"too little room, and no more allowed",
     [](World& w) {
       Data<double> fixed(w.model, {0, 0});
       return step(w.model, fixed).has(contacts_full) && fixed.time() == 0;
     }},
    {"bytes that end early",
     [](World& w) {
       const std::string bytes = to_bytes(w.model);
       for (std::size_t n = 0; n < bytes.size(); n += 97) {
         if (!explained(from_bytes(std::string_view(bytes).substr(0, n)))) return false;
       }
       return from_bytes(bytes).ok();
     }},
    {"bytes that were changed",
     [](World& w) {
       const std::string bytes = to_bytes(w.model);
       for (std::size_t n = 0; n < bytes.size(); n += 97) {
         std::string changed = bytes;
         changed[n] = char(changed[n] ^ 4);
         if (!explained(from_bytes(changed))) return false;
       }
       return true;
     }},
    {"bytes of something else",
     [](World& w) {
       return explained(from_bytes("<mujoco/>")) &&
              explained(from_bytes<float>(to_bytes(w.model))) &&
              explained(from_bytes(to_bytes(w.model) + "x"));
     }},
};

const Case no_numbers[] = {
    {"positions",
     [](World& w) {
       w.data.qpos()[1] = not_a_number;
       Data<double> copy = w.data;
       return forward(w.model, copy).has(bad_qpos) && inverse(w.model, copy).has(bad_qpos) &&
              step(w.model, w.data).has(bad_qpos) && w.data.qpos()[1] == 0;
     }},
    {"velocities",
     [](World& w) {
       w.data.qvel()[1] = infinity;
       Data<double> copy = w.data;
       return forward(w.model, copy).has(bad_qvel) && step1(w.model, w.data).has(bad_qvel) &&
              step2(w.model, w.data).has(bad_qvel);
     }},
    {"accelerations",
     [](World& w) {
       w.data.qacc()[0] = not_a_number;
       return is(inverse(w.model, w.data), bad_qacc);
     }},
    {"forces",
     [](World& w) {
       w.data.xfrc_applied()[6] = not_a_number;
       Data<double> copy = w.data;
       return is(forward(w.model, copy), bad_qacc) && step(w.model, w.data).has(bad_qacc);
     }},
    {"controls",
     [](World& w) {
       w.data.ctrl()[1] = not_a_number;
       return is(step(w.model, w.data), bad_ctrl);
     }},
    {"activations",
     [](World& w) {
       w.data.act()[0] = not_a_number;
       return step(w.model, w.data).has(bad_qacc);
     }},
    {"a state from a vector",
     [](World& w) {
       const Numbers v(w.data.qpos().size(), not_a_number);
       return set_state(w.data, v, state_qpos).ok() && step(w.model, w.data).has(bad_qpos);
     }},
    {"duals",
     [](World& w) {
       Data<Dual<double, 8>> dual(w.model);
       dual.qvel()[0] = not_a_number;
       return step(w.model, dual).has(bad_qvel);
     }},
    {"the state of derivatives",
     [](World& w) {
       w.data.qpos()[0] = not_a_number;
       return is(derive::transition(w.model, w.data).status, bad_qpos) &&
              derive::transition(w.model, w.data, {Method::centered}).status.has(bad_qpos);
     }},
    {"the step of differences",
     [](World& w) {
       return is(derive::transition(w.model, w.data, {Method::centered, not_a_number}).status,
                 bad_argument) &&
              is(derive::transition(w.model, w.data, {Method::forward, -1.0}).status, bad_argument);
     }},
    {"gravity",
     [](World& w) {
       w.model.opt.gravity[2] = not_a_number;
       return step(w.model, w.data).has(bad_qacc);
     }},
    {"iterations below zero, where the solver reports",
     [](World& w) {
       w.model.opt.iterations = -1;
       w.model.opt.enableflags |= enable_strictsolver;
       return is(step(w.model, w.data), solver_limit);
     }},
    {"methods that do not exist",
     [](World& w) {
       Model<double> a = w.model, b = w.model, c = w.model;
       a.opt.integrator = 99, b.opt.solver = -1, c.opt.cone = 2;
       return is(step(a, w.data), not_covered) && explained(bind(b)) &&
              is(derive::transition(c, w.data, {Method::centered}).status, not_covered);
     }},
};

}  // namespace

TEST_CASE("objects of another model are refused", "[pipeline][misuse]") { check(other_model); }
TEST_CASE("objects that are empty are refused", "[pipeline][misuse]") { check(moved_or_empty); }
TEST_CASE("ids that do not exist are refused", "[pipeline][misuse]") { check(out_of_range); }
TEST_CASE("memory of the wrong size is refused", "[pipeline][misuse]") { check(wrong_size); }
TEST_CASE("NaN and the like are refused", "[pipeline][misuse]") { check(no_numbers); }

TEST_CASE("threads may share a model", "[pipeline][misuse]") {
  World w;
  std::vector<Data<double>> data(4, w.data);
  std::vector<std::thread> threads;
  for (Data<double>& one : data) {
    threads.emplace_back([&w, &one] {
      for (int k = 0; k < 20; ++k) (void)step(w.model, one);
    });
  }
  for (std::thread& t : threads) t.join();
  for (const Data<double>& one : data) {
    CHECK(one.ref().status == 0);
    CHECK(one.qpos()[2] == data[0].qpos()[2]);
  }
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
    }
  }
}

TEST_CASE("data adapts to options that change later, or reports that it cannot",
          "[pipeline][misuse]") {
  const Model<double> model = support::load("contacts");
  for (const bool noslip : {false, true}) {
    Model<double> changed = model;
    changed.opt.solver = static_cast<int>(noslip ? Solver::newton : Solver::pgs);
    changed.opt.noslip_iterations = noslip ? 3 : 0;
    Data<double> data(model), fresh(changed), fixed(model, {200, 800});
    Data<Dual<double, 8>> dual(model);
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
  }
}

TEST_CASE("a status prints itself", "[core][misuse]") {
  CHECK(Status{}.to_string() == "ok");
  std::ostringstream out;
  out << Status{bad_qvel | solver_limit};
  CHECK(out.str().find("bad_qvel: qvel holds NaN") != std::string::npos);
  CHECK(out.str().find("; solver_limit: ") != std::string::npos);
  CHECK(out.str().find("(raise opt.iterations or opt.tolerance)") != std::string::npos);
  for (int bit = 0; bit < 17; ++bit) {
    const auto one = static_cast<StatusBit>(1 << bit);
    CHECK(Status{one}.to_string().starts_with(Status::name(one)));
    CHECK(Status{one}.to_string().size() > 40);
  }
  CHECK(std::string(Status::name(static_cast<StatusBit>(1 << 17))).empty());
}
