// SPDX-License-Identifier: Apache-2.0
//
// The grid of large models against a list of all pairs: the same contacts, in the same order, to
// the bit.

#include <corten/compile/candidates.hpp>

#include "../support/model.hpp"

#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

using namespace corten;

namespace {

constexpr int no_limit = std::numeric_limits<int>::max();

// the stages alone, without growth
template <class S>
void collide(const Model<S>& model, Data<S>& data) {
  const auto m = make_ref<DefaultPolicies>(model);
  kinematics(m, data.ref());
  collision(m, data.ref());
  REQUIRE(Status{data.ref().status}.ok());
}

// two data of the same state: one of a model that lists all pairs, one of a model with a grid
template <class S>
struct Twins {
  static constexpr Capacity room{2000, 0};
  Model<S> listed, grid;
  Data<S> a, b;

  explicit Twins(const Model<double>& model)
      : listed(cast<S>(model)),
        grid(cast<S>(model)),
        a((collision_candidates(listed, no_limit), listed), room),
        b((collision_candidates(grid, 0), grid), room) {
    REQUIRE(listed.n.ngrid == 0);
    REQUIRE(grid.n.ngrid == grid.n.ngeom);
  }

  template <class F>
  void both(F&& f) {
    f(listed, a);
    f(grid, b);
  }

  void check() {
    both([](const auto& m, auto& d) { collide(m, d); });
    const auto &x = a.ref(), &y = b.ref();
    REQUIRE(a.ncon() == b.ncon());
    bool same = true;
    for (int k = 0; k < a.ncon(); ++k) {
      for (int i = 2 * k; i < 2 * k + 2; ++i) same &= x.contact_geom[i] == y.contact_geom[i];
      for (int i = 3 * k; i < 3 * k + 3; ++i) {
        same &= value(x.contact_pos[i]) == value(y.contact_pos[i]);
      }
      same &= value(x.contact_dist[k]) == value(y.contact_dist[k]);
      same &= value(x.contact_includemargin[k]) == value(y.contact_includemargin[k]);
    }
    CHECK(same);
  }
};

std::string number(double x) { return std::to_string(x) + " "; }

class RandomScene {
 public:
  explicit RandomScene(std::uint64_t seed) : random_(seed) {}

  std::string text(int bodies) {
    std::string out =
        "<mujoco><asset><hfield name='h' nrow='3' ncol='3' size='2 2 .3 .1' "
        "elevation='0 1 0 1 0 1 0 1 0'/></asset><worldbody>"
        "<geom name='p' type='plane' size='1 1 1' pos='0 0 -1'/>"
        "<geom type='hfield' hfield='h' pos='0 0 -.8'/>"
        "<geom type='box' size='3 3 .1' pos='0 0 -1.2'/>";
    for (int i = 0; i < 6; ++i) out += geom("");
    for (int b = 0; b < bodies; ++b) out += body(b, 0);
    out +=
        "<body name='m' mocap='true'><geom type='plane' size='1 1 1' euler='90 0 0' "
        "pos='0 1.5 0'/></body></worldbody><contact>";
    for (int k = 0; k < bodies / 3; ++k) {
      const int i = int(pick(bodies)), j = int(pick(bodies));
      if (i == j) continue;
      out += "<exclude body1='b" + std::to_string(i) + "' body2='b" + std::to_string(j) + "'/>";
      out += "<pair geom1='g" + std::to_string(j) + "' geom2='g" +
             std::to_string((i * 7 + 1) % bodies) + "' margin='.05'/>";
    }
    return out + "<pair geom1='g0' geom2='p'/></contact></mujoco>";
  }

 private:
  unsigned pick(int n) { return unsigned((random_() + 1) / 2 * n) % unsigned(n); }
  double in(double low, double high) { return low + (high - low) * (random_() + 1) / 2; }
  std::string place() { return number(random_()) + number(random_()) + number(random_()); }

  std::string geom(const std::string& name) {
    const char* types[] = {"sphere", "capsule", "box", "ellipsoid", "cylinder"};
    const double scale = pick(8) == 0 ? 0.6 : 0.15;
    std::string out = "<geom " + name + " type='" + types[pick(5)] + "' size='";
    for (int k = 0; k < 3; ++k) out += number(scale * in(0.3, 1));
    out += "' contype='" + std::to_string(pick(4)) + "' conaffinity='" + std::to_string(pick(4));
    if (pick(4) == 0) out += "' margin='.06' gap='.02";
    return out + "' pos='" + number(0.2 * random_()) + number(0) + number(0.2 * random_()) + "'/>";
  }

  std::string body(int b, int depth) {
    const std::string id = std::to_string(b);
    std::string out = "<body name='b" + id + "' pos='" + place() + "'>";
    if (depth == 0) out += "<freejoint/>";
    out += geom("name='g" + id + "'");
    for (unsigned i = pick(3); i > 0; --i) out += geom("");
    if (depth < 3 && pick(3) == 0) {
      const char* joint[] = {"", "<joint axis='0 1 0'/>"};
      out += "<body pos='.1 0 .1'>" + std::string(joint[pick(2)]) + geom("") + "</body>";
    }
    return out + "</body>";
  }

  support::Random random_;
};

}  // namespace

TEST_CASE("a grid finds the contacts that a list of all pairs finds", "[collide]") {
  int contacts = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    INFO("seed " << seed);
    Model<double> model = support::parse(RandomScene(seed).text(30));
    for (const int flags : {0, int(disable_filterparent), int(disable_midphase)}) {
      for (const bool override_margin : {false, true}) {
        model.opt.disableflags = flags;
        model.opt.enableflags = override_margin ? int(enable_override) : 0;
        model.opt.o_margin = 0.07;
        Twins<double> twins(model);
        twins.check();
        // moves that the slack allows, and others
        for (const double step : {0.001, 0.004, 0.02, 0.5, 0.001}) {
          twins.both([&](const auto& m, auto& d) { support::perturb(m, d, seed, step, 0); });
          twins.check();
        }
        contacts += twins.a.ncon();
        twins.both([&](const auto&, auto& d) { d.ref().mocap_pos[1] -= 0.7; });
        twins.check();
      }
    }
  }
  CHECK(contacts > 500);
}

// Which of the two is used depends on what they are estimated to cost.
TEST_CASE("a grid and sorting find the same pairs", "[collide]") {
  support::Random random(3);
  std::string text = "<mujoco><worldbody><geom type='plane' size='1 1 1'/>";
  for (int i = 0; i < 150; ++i) {
    text += "<body pos='" + number(random()) + number(0.5 * random()) + number(random()) +
            "'><freejoint/><geom size='" + number(0.02 + 0.15 * std::abs(random())) + "'/></body>";
  }
  Model<double> model = support::parse(text + "</worldbody></mujoco>");
  collision_candidates(model, 0);
  Data<double> data(model);
  const auto bound = make_ref<DefaultPolicies>(model);
  const auto& m = without_policies(bound);
  const auto& d = data.ref();
  kinematics(bound, d);
  place_bounds(m, d);
  using Search = Neighbours<std::remove_cvref_t<decltype(m)>, std::remove_cvref_t<decltype(d)>>;
  const auto pairs = [&](Search::Way way) {
    d.near_key = 0;
    REQUIRE(Search(m, d, way).update());
    return std::vector<int>(d.near_pair.data, d.near_pair.data + 3 * d.near_count);
  };
  const std::vector<int> grid = pairs(Search::Way::grid);
  CHECK(grid.size() > 3 * 200);
  CHECK(pairs(Search::Way::sorted) == grid);
}

// Not yet near when the pairs are found, and each moves by little more than the slack, which is a
// tenth of the radius, until they touch.
TEST_CASE("pairs are found again before they are missed", "[collide]") {
  Twins<double> twins(support::parse(R"(<mujoco><worldbody>
    <body pos="-0.1101 0 0"><freejoint/><geom size="0.1"/></body>
    <body pos="0.1101 0 0"><freejoint/><geom size="0.1"/></body>
    <body pos="0 5 0"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>)"));
  twins.check();
  CHECK(twins.b.ref().near_count == 0);
  for (int k = 0; k < 110; ++k) {
    twins.both([](const auto&, auto& d) { d.qpos()[0] += 1e-4, d.qpos()[7] -= 1e-4; });
    twins.check();
  }
  CHECK(twins.a.ncon() == 1);
}

TEST_CASE("a grid in every scalar", "[collide]") {
  const Model<double> model = support::parse(RandomScene(9).text(30));
  Twins<float>(model).check();
  Twins<Dual<double, 8>>(model).check();
}

TEST_CASE("the pairs of a grid follow edits of the model", "[collide]") {
  Twins<double> twins(support::parse(RandomScene(3).text(30)));
  twins.check();
  twins.both([](auto& m, auto&) {
    for (auto& x : m.geom_margin) x += 0.1;
  });
  twins.check();  // larger geoms need no call
  const int before = twins.a.ncon();
  for (auto* m : {&twins.listed, &twins.grid}) {
    for (int& x : m->geom_contype) x = 1;
    for (int& x : m->geom_conaffinity) x = 1;
    m->exclude_signature[0] = (1 << 16) + 2;  // no longer sorted
    m->opt.disableflags |= disable_midphase;
  }
  collision_candidates(twins.listed, no_limit);
  collision_candidates(twins.grid, 0);
  twins.a = Data<double>(twins.listed, twins.room);  // its list has another size
  twins.check();
  CHECK(twins.a.ncon() > before);
}

TEST_CASE("pairs that do not fit make the data grow", "[collide]") {
  Model<double> model = support::parse(RandomScene(5).text(6));
  collision_candidates(model, 0);
  Data<double> few(model, Capacity{200, 800, false, 3}),
      growing(model, Capacity{200, 800, true, 3});
  CHECK(forward(model, few).has(contacts_full));
  CHECK(few.needed().pairs > 3);
  REQUIRE(forward(model, growing).ok());
  CHECK(growing.ref().n.nnear > 3);
  Data<double> enough(model);
  REQUIRE(forward(model, enough).ok());
  CHECK(growing.ncon() > 0);
  CHECK(growing.ncon() == enough.ncon());
  Data<double> empty(model, Capacity{.contacts = 0, .rows = 0, .grow = true});
  REQUIRE(forward(model, empty).ok());
  CHECK(empty.ncon() == enough.ncon());
}

TEST_CASE("far away, or nowhere, is no harm to a grid", "[collide]") {
  std::string text = "<mujoco><worldbody>";
  for (int i = 0; i < 8; ++i) {
    text += "<body pos='" + number(1e9 + 0.1 * i) + "0 0'><freejoint/><geom size='.1'/></body>";
    text += "<body pos='" + number(0.1 * i) + "0 -1e30'><freejoint/><geom size='.001'/></body>";
  }
  Twins<double> twins(support::parse(text + "</worldbody></mujoco>"));
  twins.check();
  CHECK(twins.a.ncon() > 8);
  twins.both([](const auto& m, auto& d) {
    for (int k = 0; k < 12; ++k) d.ref().geom_xpos[k] = std::numeric_limits<double>::quiet_NaN();
    collision(make_ref<DefaultPolicies>(m), d.ref());
  });
  CHECK(twins.a.ncon() == twins.b.ncon());
}

TEST_CASE("models with many geoms get a grid, small ones a list", "[collide][compile]") {
  const auto balls = [](int count, const std::string& bits) {
    std::string text = "<mujoco><worldbody><geom type='plane' size='1 1 1'/>";
    for (int i = 0; i < count; ++i) {
      text += "<body pos='0 0 " + number(i) + "'><freejoint/><geom size='.1'" + bits + "/></body>";
    }
    return support::parse(text + "</worldbody></mujoco>");
  };
  CHECK(balls(50, "").n.ncandidate == 50 + 50 * 49 / 2);
  CHECK(balls(50, "").n.ngrid == 0);
  CHECK(balls(50, " contype='0' conaffinity='0'").n.ncandidate == 0);
  const Model<double> many = balls(300, "");
  CHECK(many.n.ngrid == 301);
  CHECK(many.n.ncandidate == 2);  // an example of each two types
}
