// SPDX-License-Identifier: Apache-2.0
//
// Stages that take turns on some trees at a time (pipeline/forward.hpp) compute what they do one
// after the other, to the bit.
#include "../support/model.hpp"
#include "../support/random.hpp"

#include <cstring>
#include <string>

using namespace corten;

namespace {

std::string triple(support::Random& random, double scale) {
  std::string out;
  for (int k = 0; k < 3; ++k) out += std::to_string(scale * random()) + " ";
  return out;
}

// free bodies, arms on static bodies, static bodies with geoms, among geoms of the world
std::string many_trees(int count, const char* more) {
  support::Random random(7);
  std::string out = "<mujoco><worldbody><geom type='plane' size='0 0 1' pos='0 0 -9'/>";
  for (int i = 0; i < count; ++i) {
    const std::string place = "<body pos='" + triple(random, 5) + "' euler='" + triple(random, 90) +
                              "'>",
                      box = "<geom type='box' size='.1 .2 .3' contype='0' conaffinity='0' pos='" +
                            triple(random, .1) + "'/>";
    if (i % 3 == 0) {
      out += place + "<freejoint/>" + box + "<site pos='0 .1 0'/></body>";
    } else if (i % 3 == 1) {
      out += place + box + "<body pos='.5 0 0'><joint damping='.1' stiffness='1'/>" + box +
             "<body pos='.5 .1 0'><joint type='ball'/>" + box + "</body></body></body>";
    } else {
      out += place + box + "<site/></body>";
    }
    if (i % 50 == 0) out += "<geom size='.1' pos='" + triple(random, 5) + "'/>";
  }
  return out + "</worldbody>" + more + "</mujoco>";
}

std::string differences(const Data<double>& a, const Data<double>& b) {
  std::string out;
  const auto& one = a.ref();
  const auto& other = b.ref();
  const DataSizes& n = one.n;
#define X(type, name, rows, width, meaning)                                                \
  if (const auto bytes = sizeof(one.name[0]) * static_cast<std::size_t>((rows) * (width)); \
      bytes > 0 && std::memcmp(one.name.data, other.name.data, bytes) != 0)                \
    out += " " #name;
  CORTEN_DATA_SHOWN_FIELDS(X)
#undef X
  return out;
}

// a stage of the library with a run() of its own
struct CountedInertia : stages::Inertia {
  static inline int runs = 0;
  template <class M, class D>
  static void run(const M& m, const D& d) {
    ++runs;
    stages::Inertia::run(m, d);
  }
};

}  // namespace

TEST_CASE("a stage that derives from one that takes turns is run", "[pipeline]") {
  using Counting = Policies<DefaultPipeline::replace<stages::Inertia, CountedInertia>>;
  const Model<double> model = support::parse(many_trees(270, ""));
  const auto m = bind<Counting>(model).value();
  Data<double> data(model);
  REQUIRE(forward(m, data).ok());
  CHECK(CountedInertia::runs == 1);
}

TEST_CASE("stages that take turns compute what they do one by one", "[pipeline]") {
  const char* more[] = {"", "<option gravity='0 0 0' density='1'/>",
                        "<option><flag spring='disable' damper='disable'/></option>"};
  for (const char* part : more) {
    INFO(part);
    const Model<double> model = support::parse(many_trees(270, part));
    REQUIRE(model.n.nbody > 3 * detail::bodies_in_turn);
    const auto m = bind(model).value();
    Data<double> turns(model), alone(model);
    support::Random random(3);
    for (int i = 0; i < model.n.nv; ++i) {
      turns.qvel()[static_cast<std::size_t>(i)] = random();
    }
    for (double& x : turns.xfrc_applied()) x = random();
    for (int k = 0; k < 3; ++k) {
      REQUIRE(step(m, turns).ok());
      alone.grow(model, turns.ref().n.capacity());
      copy_states(turns.ref(), alone.ref());
      REQUIRE(forward(m, turns).ok());

      using Stages = DefaultPipeline;
      const auto& d = alone.ref();
      begin_pass(d);
      Stages::position::run(m, d);
      Stages::velocity::run(m, d);
      Stages::acceleration::run(m, d);
      copy(d.warning, turns.ref().warning, status_bits);
      CHECK(differences(turns, alone).empty());
    }
  }
}
