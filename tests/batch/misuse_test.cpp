// SPDX-License-Identifier: Apache-2.0
//
// What a user can get wrong with a batch: one on threads, one in lanes, and one that looks for a
// device, which is on threads where there is none.
#include <corten/batch.hpp>
#include <corten/sycl.hpp>

#include "../support/misuse.hpp"

using namespace corten;
using namespace support::misuse;
using Reason = BatchError::Kind;
using Numbers = std::vector<double>;

namespace {

// ---- a batch of a temporary model does not compile ----------------------------------------------

template <class B, class X>
concept Creates = requires(X&& x) {
  B::create(static_cast<X&&>(x), 1);
};
template <class B, class X>
concept Tries = requires(X&& x) {
  B::try_create(static_cast<X&&>(x), 1);
};
template <class B>
constexpr bool keeps_off_temporaries() {
  using M = Model<double>;
  return std::is_constructible_v<B, const M&, int> && Creates<B, const M&> && Tries<B, M&> &&
         !std::is_constructible_v<B, M, int> && !Creates<B, M> && !Creates<B, const M> &&
         !Tries<B, M>;
}
static_assert(keeps_off_temporaries<Batch<double>>());
static_assert(keeps_off_temporaries<LaneBatch<double, 2>>());
static_assert(keeps_off_temporaries<AutoBatch<double>>());

// ---- the lists ----------------------------------------------------------------------------------

// every world has this status
template <class B>
bool all_are(const B& batch, int bits) {
  for (const Status& s : batch.status()) {
    if (s.bits != bits) return false;
  }
  return !batch.empty();
}

// f(batch) for a batch of three worlds of each kind
template <class F>
bool in_host_batches(const Model<double>& model, F&& f) {
  Batch<double> threads(model, 3, {}, 2);
  LaneBatch<double, 2> lanes(model, 3, {}, 2);
  return f(threads) && f(lanes);
}
template <class F>
bool in_batches(const Model<double>& model, F&& f) {
  AutoBatch<double> anywhere(model, 3);
  return in_host_batches(model, f) && f(anywhere);
}

// puts another model in the place of the batch's for a while
template <class B>
bool works_only_with_its_model(B& b, Model<double>& model, Model<double> other) {
  Numbers states(std::size_t(3 * b.state_size()));
  std::swap(model, other);
  const bool refused =
      b.step_all(2).ok() && all_are(b, wrong_model) && is(b.reset(), Reason::wrong_model) &&
      is(b.reset_where(std::vector<bool>{true}), Reason::wrong_model) &&
      is(b.set_model(0, model), Reason::wrong_model) && is(b.world_view(0), Reason::wrong_model) &&
      is(b.cpu_reference(), Reason::wrong_model) && b.vary(&Model<double>::body_mass).empty() &&
      b.vary(&Option<double>::gravity).empty() && b.read_states(states).ok();
  std::swap(model, other);
  return refused && b.step_all().ok() && b.all_ok();
}

const Case other_model[] = {
    {"data",
     [](World& w) {
       return in_batches(w.model, [&](auto& b) {
         return is(b.upload(0, w.of_other), Reason::wrong_size) &&
                is(b.upload(0, w.empty), Reason::wrong_size);
       });
     }},
    {"a model for one world",
     [](World& w) {
       return in_batches(w.model,
                         [&](auto& b) { return is(b.set_model(0, w.other), Reason::wrong_model); });
     }},
    {"the batch's own model, replaced",
     [](World& w) {
       return in_batches(w.model,
                         [&](auto& b) { return works_only_with_its_model(b, w.model, w.other); });
     }},
    {"the batch's own model, moved away",
     [](World& w) {
       return in_batches(w.model, [&](auto& b) {
         return works_only_with_its_model(b, w.model, Model<double>());
       });
     }},
    {"a model that was moved from",
     [](World& w) {
       const Model<double> taken = std::move(w.model);
       return in_batches(w.model,
                         [](auto& b) { return b.step_all().ok() && all_are(b, wrong_model); });
     }},
    {"a batch that was moved from",
     [](World& w) {
       return in_batches(w.model, [](auto& b) {
         const auto taken = std::move(b);
         return b.empty() && b.step_all().value().empty() && b.reset().ok() &&
                is(b.reset(0), Reason::no_such_world) && is(b.world_view(0), Reason::no_such_world);
       });
     }},
};

const Case out_of_range[] = {
    {"worlds",
     [](World& w) {
       return in_batches(w.model, [&](auto& b) {
         for (const int i : {-1, 3, huge}) {
           Data<double> out;
           const bool refused = is(b.reset(i), Reason::no_such_world) &&
                                is(b.download(i, out), Reason::no_such_world) &&
                                is(b.upload(i, w.data), Reason::no_such_world) &&
                                is(b.set_model(i, w.model), Reason::no_such_world);
           if (!refused) return false;
         }
         return true;
       });
     }},
    {"worlds to put at a keyframe",
     [](World& w) {
       return in_batches(w.model, [](auto& b) {
         return is(b.reset_to("home", 3), Reason::no_such_world) &&
                is(b.reset_to(0, -1), Reason::no_such_world);
       });
     }},
    {"worlds whose model is wanted",
     [](World& w) {
       return in_batches(w.model, [](auto& b) {
         return is(b.world_view(3), Reason::no_such_world) &&
                is(b.world_view(-1), Reason::no_such_world);
       });
     }},
    {"worlds in the host's memory",
     [](World& w) {
       return in_host_batches(w.model, [](auto& b) {
         return is(b.bytes(3), Reason::no_such_world) && is(b.bytes(-1), Reason::no_such_world) &&
                is(b.reset_keep_forces(3), Reason::no_such_world) && b.world(3) == nullptr &&
                b.world(-1) == nullptr;
       });
     }},
    {"keyframes",
     [](World& w) {
       return in_batches(w.model, [](auto& b) {
         return is(b.reset_to(1), Reason::no_such_key) &&
                is(b.reset_to(-1, 0), Reason::no_such_key) &&
                is(b.reset_to("hone"), Reason::no_such_key);
       });
     }},
};

const Case wrong_size[] = {
    {"states",
     [](World& w) {
       return in_batches(w.model, [](auto& b) {
         Numbers v(2);
         return is(b.read_states(v), Reason::wrong_size) &&
                is(b.write_states(v), Reason::wrong_size) &&
                is(b.write_states({}), Reason::wrong_size);
       });
     }},
    {"controls and readings",
     [](World& w) {
       return in_batches(w.model, [](auto& b) {
         Numbers v(2);
         return is(b.write_controls(v), Reason::wrong_size) &&
                is(b.read_sensors(v), Reason::wrong_size);
       });
     }},
    {"states of a rollout",
     [](World& w) {
       return in_batches(w.model, [](auto& b) {
         Numbers v(5);
         return is(b.rollout({2, v, {}, {}, {}}), Reason::wrong_size) &&
                is(b.rollout({2, {}, {}, v, {}}), Reason::wrong_size);
       });
     }},
    {"controls and readings of a rollout",
     [](World& w) {
       return in_batches(w.model, [](auto& b) {
         Numbers v(5);
         return is(b.rollout({2, {}, v, {}, {}}), Reason::wrong_size) &&
                is(b.rollout({2, {}, {}, {}, v}), Reason::wrong_size);
       });
     }},
    {"marks that have no world",
     [](World& w) {
       return in_batches(w.model, [](auto& b) {
         return b.step_all().ok() && b.reset_where(std::vector<bool>(99, true)).ok() && b.all_ok();
       });
     }},
    {"capacities",
     [](World& w) {
       Batch<double> b(w.model, 2, {0, 0});
       return b.step_all().ok() && b.status()[1].has(contacts_full) && b[1].time() == 0;
     }},
};

const Case zero_or_negative[] = {
    {"worlds",
     [](World& w) {
       Batch<double> none(w.model, 0), fewer(w.model, -3);
       LaneBatch<double, 2> lanes(w.model, -huge);
       AutoBatch<double> anywhere(w.model, -1);
       return none.step_all().value().empty() && fewer.empty() && fewer.all_ok() &&
              lanes.step_all(3).value().empty() && anywhere.step_all().value().empty() &&
              is(fewer.reset(0), Reason::no_such_world);
     }},
    {"worlds that cannot be counted",
     [](World& w) {
       const auto many = std::uint64_t(-1);
       return is(Batch<double>::create(w.model, many), Reason::batch_too_large) &&
              is(LaneBatch<double, 2>::create(w.model, many), Reason::batch_too_large) &&
              is(AutoBatch<double>::create(w.model, many), Reason::batch_too_large) &&
              is(AutoBatch<double>::try_create(w.model, many), Reason::batch_too_large);
     }},
    {"steps",
     [](World& w) {
       return in_batches(w.model, [](auto& b) {
         return is(b.step_all(-1), Reason::wrong_size) &&
                is(b.rollout({-huge, {}, {}, {}, {}}), Reason::wrong_size) && b.step_all(0).ok() &&
                b.all_ok();
       });
     }},
    {"steps with a program",
     [](World& w) {
       return in_host_batches(w.model, [](auto& b) {
         int calls = 0;
         const auto control = [&](int, int, std::span<double>) { ++calls; };
         return is(b.rollout(-1, control), Reason::wrong_size) && b.rollout(0, control).ok() &&
                calls == 0;
       });
     }},
    {"threads",
     [](World& w) {
       for (const int threads : {0, -5, huge}) {
         Batch<double> one(w.model, 2, {}, threads);
         LaneBatch<double, 2> two(w.model, 2, {}, threads);
         if (one.worlds().threads() < 1 || two.worlds().threads() > 2) return false;
         if (!one.step_all() || !two.step_all() || !one.all_ok() || !two.all_ok()) return false;
       }
       return true;
     }},
    {"the timestep of all worlds",
     [](World& w) {
       w.model.opt.timestep = 0;
       return in_batches(w.model,
                         [](auto& b) { return b.step_all(2).ok() && all_are(b, bad_timestep); });
     }},
    {"the timestep of one world",
     [](World& w) {
       return in_batches(w.model, [](auto& b) {
         b.vary(&Option<double>::timestep)[1] = -1;
         return b.step_all().ok() && b.status()[0].ok() && is(b.status()[1], bad_timestep) &&
                b.status()[2].ok();
       });
     }},
    {"NaN in one world",
     [](World& w) {
       return in_batches(w.model, [](auto& b) {
         Numbers v(std::size_t(3 * b.state_size()));
         if (!b.read_states(v)) return false;
         v[std::size_t(b.state_size())] = not_a_number;
         return b.write_states(v).ok() && b.step_all(2).ok() && b.status()[0].ok() &&
                is(b.status()[1], bad_qpos) && b.status()[2].ok();
       });
     }},
    {"NaN in the start of a rollout",
     [](World& w) {
       return in_batches(w.model, [](auto& b) {
         const Numbers v(std::size_t(3 * b.state_size()), not_a_number);
         return b.rollout({2, v, {}, {}, {}}).ok() && all_are(b, bad_qpos | bad_qvel);
       });
     }},
};

}  // namespace

TEST_CASE("batches refuse another model", "[batch][misuse]") { check(other_model); }
TEST_CASE("batches refuse ids that do not exist", "[batch][misuse]") { check(out_of_range); }
TEST_CASE("batches refuse memory of the wrong size", "[batch][misuse]") { check(wrong_size); }
TEST_CASE("batches refuse odd numbers", "[batch][misuse]") { check(zero_or_negative); }

TEST_CASE("worlds in lanes adapt to options that change later", "[batch][misuse]") {
  Model<double> model = support::load("contacts");
  LaneBatch<double, 2> lanes(model, 2);
  model.opt.solver = static_cast<int>(Solver::pgs);
  model.opt.noslip_iterations = 3;
  Data<double> fresh(model);
  for (int k = 0; k < 5; ++k) REQUIRE(step(model, fresh).ok());
  REQUIRE(lanes.step_all(5));
  CHECK(lanes.all_ok());
  for (int i = 0; i < model.n.nq; ++i) {
    CHECK(near_relative(lanes[1].qpos()[std::size_t(i)], fresh.qpos()[std::size_t(i)], 1e-9, 1));
  }
}
