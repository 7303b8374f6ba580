// SPDX-License-Identifier: Apache-2.0
#include <corten/batch.hpp>
#include <corten/compile/set_const.hpp>

#include "../support/model.hpp"

using namespace corten;

namespace {

// each world of the batch against its own model, stepped alone
void check_worlds(Batch<double>& batch, const std::vector<Model<double>>& models) {
  REQUIRE(batch.step_all(40));
  CHECK(batch.all_ok());
  for (int i = 0; i < batch.size(); ++i) {
    const Model<double>& own = models[std::size_t(i)];
    Data<double> data(own);
    for (int k = 0; k < 40; ++k) REQUIRE(step(own, data).ok());
    INFO("world " << i);
    for (std::size_t q = 0; q < data.qpos().size(); ++q)
      CHECK(batch[i].qpos()[q] == data.qpos()[q]);
  }
}

}  // namespace

TEST_CASE("worlds have model fields and options of their own", "[batch]") {
  const Model<double> model = support::load("walker");
  Batch<double> batch(model, 3, {}, 2);
  std::vector<Model<double>> own(3, model);

  const std::span<double> friction = batch.vary(&Model<double>::geom_friction);
  REQUIRE(friction.size() == 3 * model.geom_friction.size());
  CHECK(friction[1] == model.geom_friction[1]);
  for (std::size_t g = 0; g < model.geom_friction.size(); ++g) {
    friction[model.geom_friction.size() + g] = own[1].geom_friction[g] *= 0.3;
  }
  const auto gravity = batch.vary(&Option<double>::gravity);
  gravity[2] = own[2].opt.gravity = {0, 0.5, -1.6};
  batch.vary(&Option<double>::timestep)[1] = own[1].opt.timestep = 0.001;
  CHECK(batch.vary(&Model<double>::geom_friction).data() == friction.data());
  check_worlds(batch, own);
  CHECK(batch[0].qpos()[2] != batch[2].qpos()[2]);

  // a copy of the batch has its own rows
  Batch<double> copy = batch;
  copy.vary(&Option<double>::gravity)[0] = {0, 0, 0};
  CHECK(gravity[0][2] == model.opt.gravity[2]);
}

TEST_CASE("a world takes an edited model and keeps what differs", "[batch]") {
  const Model<double> model = support::load("contacts");
  Batch<double> batch(model, 3);
  std::vector<Model<double>> own(3, model);
  own[1].body_mass[1] *= 2;
  for (int k = 3; k < 6; ++k) own[1].body_inertia[std::size_t(k)] *= 2;
  set_const(own[1]);
  own[2].qpos0[2] += 0.1;
  own[2].opt.impratio = 3;
  CHECK(batch.set_model(1, own[1]));
  const std::size_t before = batch.bytes(0).value();
  CHECK(batch.set_model(2, own[2]));
  CHECK(batch.bytes(0).value() > before);

  // reset starts at the world's own reference pose
  REQUIRE(batch.reset());
  CHECK(batch[2].qpos()[2] == own[2].qpos0[2]);
  check_worlds(batch, own);

  // back to the model of the batch
  CHECK(batch.set_model(1, model));
  own[1] = model;
  REQUIRE(batch.reset());
  check_worlds(batch, own);
}

TEST_CASE("worlds cannot differ in structure", "[batch]") {
  const Model<double> model = support::load("contacts");
  Batch<double> batch(model, 2);
  Model<double> other = model;
  other.geom_condim[0] = 1;
  const auto refused = batch.set_model(0, other);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == BatchError::Kind::wrong_model);
  CHECK(refused.error().element == "geom_condim");
  CHECK_FALSE(batch.set_model(0, support::load("walker")));
  CHECK(batch.set_model(2, model).error().kind == BatchError::Kind::no_such_world);
}
