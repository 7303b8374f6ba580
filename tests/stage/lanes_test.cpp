// SPDX-License-Identifier: Apache-2.0
//
// The smooth stages with derivatives in lanes: each lane of a dual of packs equals a dual of
// numbers.
#include <corten/pipeline/step.hpp>
#include <corten/scalar/pack.hpp>

#include "../support/model.hpp"

using namespace corten;

namespace {

using Plain = Dual<double, 2>;
using Lanes = Dual<Pack<double, 2>, 2>;

}  // namespace

TEST_CASE("smooth stages with derivatives in lanes", "[stage][lanes]") {
  const std::string name =
      GENERATE("actuators", "servos", "motors", "fluid", "joints", "tendons", "transmissions");
  const Model<double> model = support::load(name);
  const auto m = make_ref<DefaultPolicies>(model);
  Data<Lanes> lanes(model, Capacity{0, 0});
  std::vector<Data<Plain>> worlds;
  for (int lane = 0; lane < 2; ++lane) {
    Data<Plain>& world = worlds.emplace_back(model, Capacity{0, 0});
    support::perturb(model, world, std::uint64_t(lane + 1));

    // derivatives with respect to the first position and the last velocity
    world.qpos()[0].v[0] = 1;
    world.qvel().back().v[1] = 1;
    const auto give = [&](auto to, auto from) {
      for (std::size_t i = 0; i < from.size(); ++i) {
        to[i].a.set(lane, from[i].a);
        for (int k = 0; k < 2; ++k) to[i].v[k].set(lane, from[i].v[k]);
      }
    };
    give(lanes.qpos(), world.qpos());
    give(lanes.qvel(), world.qvel());
    give(lanes.ctrl(), world.ctrl());
    forward_smooth(m, world.ref());
  }
  forward_smooth(m, lanes.ref());
  for (int lane = 0; lane < 2; ++lane) {
    for (int i = 0; i < model.n.nv; ++i) {
      const Plain expected = worlds[std::size_t(lane)].ref().qacc_smooth[i];
      const Lanes got = lanes.ref().qacc_smooth[i];
      INFO(name << ", lane " << lane << ", dof " << i);
      CHECK(near_relative(got.a[lane], expected.a, 1e-10, 1));
      for (int k = 0; k < 2; ++k) {
        CHECK(near_relative(got.v[k][lane], expected.v[k], 1e-9, 1));
      }
    }
  }
}
