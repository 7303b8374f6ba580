// SPDX-License-Identifier: Apache-2.0
//
// from_mujoco and to_mujoco, against MuJoCo's own library, where CMake finds one.
#include "../support/model.hpp"

#include <corten/mujoco.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

using corten::Data;
using corten::List;
using corten::Model;

struct Free {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
  void operator()(mjSpec* s) const { mj_deleteSpec(s); }
};
using MjModel = std::unique_ptr<mjModel, Free>;
using MjData = std::unique_ptr<mjData, Free>;

MjModel load_mujoco(const std::string& path) {
  char error[1000] = "";
  MjModel out(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
  INFO(error);
  REQUIRE(out != nullptr);
  return out;
}

MjModel parse_mujoco(const char* text) {
  char error[1000] = "";
  const std::unique_ptr<mjSpec, Free> spec(mj_parseXMLString(text, nullptr, error, sizeof error));
  INFO(error);
  REQUIRE(spec != nullptr);
  MjModel out(mj_compile(spec.get(), nullptr));
  INFO(mjs_getError(spec.get()));
  REQUIRE(out != nullptr);
  return out;
}

// ---- comparing models ---------------------------------------------------------------------------

// The largest difference of two arrays, as a fraction of the largest number in them; infinite if
// their lengths differ.
template <class T>
double distance(const List<T>& a, const List<T>& b) {
  if (a.size() != b.size()) return INFINITY;
  double far = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = double(a[i]), y = double(b[i]);
    far = std::max(far, std::fabs(x - y));
    scale = std::max({scale, std::fabs(x), std::fabs(y)});
  }
  return far > 0 ? far / scale : 0;
}

// The order of the sides of a mesh's hull depends on the hash tables of the standard library that
// MuJoCo was built with. So they are compared as sets: each starts at its smallest corner, and the
// sides of a mesh are sorted.
struct Side {
  int mesh, id;
  std::vector<int> corners;
};

std::vector<Side> sides_of(const Model<double>& m) {
  std::vector<Side> out;
  for (std::size_t mesh = 0; mesh < m.mesh_polynum.size(); ++mesh) {
    for (int k = 0; k < m.mesh_polynum[mesh]; ++k) {
      const int id = m.mesh_polyadr[mesh] + k;
      const int* first = m.mesh_polyvert.data() + m.mesh_polyvertadr[std::size_t(id)];
      Side side{int(mesh), k, {first, first + m.mesh_polyvertnum[std::size_t(id)]}};
      std::rotate(side.corners.begin(), std::min_element(side.corners.begin(), side.corners.end()),
                  side.corners.end());
      out.push_back(side);
    }
  }
  std::sort(out.begin(), out.end(), [](const Side& a, const Side& b) {
    return a.mesh != b.mesh ? a.mesh < b.mesh : a.corners < b.corners;
  });
  return out;
}

// a model with its sides in sorted order
Model<double> with_sorted_sides(Model<double> m) {
  const std::vector<Side> sides = sides_of(m);
  const List<double> normal = m.mesh_polynormal;
  std::vector<int> rank(sides.size());  // of each side in its mesh
  int corner = 0;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const int adr = m.mesh_polyadr[std::size_t(sides[i].mesh)];
    const auto old = std::size_t(adr + sides[i].id);
    rank[old] = int(i) - adr;
    std::copy_n(&normal[3 * old], 3, &m.mesh_polynormal[3 * i]);
    m.mesh_polyvertadr[i] = corner;
    m.mesh_polyvertnum[i] = int(sides[i].corners.size());
    for (const int v : sides[i].corners) m.mesh_polyvert[std::size_t(corner++)] = v;
  }
  for (std::size_t mesh = 0; mesh < m.mesh_vertnum.size(); ++mesh) {
    for (int v = m.mesh_vertadr[mesh]; v < m.mesh_vertadr[mesh] + m.mesh_vertnum[mesh]; ++v) {
      int* map = m.mesh_polymap.data() + m.mesh_polymapadr[std::size_t(v)];
      const int n = m.mesh_polymapnum[std::size_t(v)];
      for (int k = 0; k < n; ++k) map[k] = rank[std::size_t(m.mesh_polyadr[mesh] + map[k])];
      std::sort(map, map + n);
    }
  }
  return m;
}

struct Comparison {
  int sizes = 0, arrays = 0, exact = 0;
  double worst = 0;
  std::vector<std::string> different;  // what differs by more than the tolerance
};

Comparison compare(const Model<double>& got, const Model<double>& own, double tolerance) {
  const Model<double> a = with_sorted_sides(got), b = with_sorted_sides(own);
  Comparison out;
  const auto note = [&](const std::string& name, double far) {
    ++out.arrays;
    if (far == 0) ++out.exact;
    out.worst = std::max(out.worst, far);
    std::ostringstream text;
    text << name << ": " << far;
    const bool turned =
        name == "mesh_tangent";  // twice, as floats: into the principal frame and back
    if (!(far <= (turned ? 4e-7 : tolerance))) out.different.push_back(text.str());
  };
#define X(name, meaning)                                                 \
  ++out.sizes;                                                           \
  if (a.n.name != b.n.name) {                                            \
    out.different.push_back(#name " " + std::to_string(a.n.name) + " " + \
                            std::to_string(b.n.name));                   \
  }
  CORTEN_MODEL_SIZES(X)
#undef X
#define X(type, name, rows, width, meaning) note(#name, distance(a.name, b.name));
  CORTEN_MODEL_FIELDS(X)
#undef X
#define X(kind, word)                                                             \
  if (!std::equal(a.names.kind.begin(), a.names.kind.end(), b.names.kind.begin(), \
                  b.names.kind.end()))                                            \
    out.different.push_back("names of " #kind);
  CORTEN_MODEL_NAMES(X)
#undef X
  if (a.names.model != b.names.model) out.different.push_back("the name of the model");
#define X(type, name, ...) \
  if (!(a.opt.name == b.opt.name)) out.different.push_back("option " #name);
  CORTEN_MODEL_OPTIONS(X)
#undef X
#define X(name) note("stat." #name, distance(List<double>{a.stat.name}, List<double>{b.stat.name}));
  X(meaninertia)
  X(meanmass)
  X(meansize)
  X(extent)
  X(center[0])
  X(center[1])
  X(center[2])
#undef X
  return out;
}

// ---- models -------------------------------------------------------------------------------------

// corten and MuJoCo compile masses, frames and meshes independently, in double precision: they
// agree to rounding, relative to the largest number of an array.
constexpr double rounding = 1e-12;

TEST_CASE("a model from MuJoCo is the model that corten loads itself", "[mujoco]") {
  const std::string folder = std::string(CORTEN_TEST_DIR) + "/models/";
  const char* name =
      GENERATE("walker", "joints", "contacts", "equality", "tendons", "actuators", "sensors",
               "sensor_history", "sensor_tactile", "meshes", "mesh_rest", "terrain", "sdf", "fluid",
               "transmissions", "tree_fuse", "tree_discard", "tree_replicate", "touch", "servos",
               "flex_lines", "flex_sheets", "flex_solids", "flex_nodes", "flex_attach");
  CAPTURE(name);
  const MjModel theirs = load_mujoco(folder + name + ".xml");
  const Model<double> model = support::checked(corten::from_mujoco(theirs.get()));
  const Comparison found = compare(model, support::load(name), rounding);
  CAPTURE(found.different);
  CHECK(found.different.empty());
  CHECK(found.arrays > 250);
}

TEST_CASE("changes to an mjModel are taken over", "[mujoco]") {
  const MjModel theirs = load_mujoco(std::string(CORTEN_TEST_DIR) + "/models/walker.xml");
  theirs->body_mass[1] *= 2;
  theirs->opt.timestep = 0.0125;
  theirs->geom_surfacevel[0] = 1;
  theirs->opt.enableflags |= 1 << mjNENABLE;  // a bit that means nothing to MuJoCo
  const Model<double> model = support::checked(corten::from_mujoco(theirs.get()));
  CHECK(model.body_mass[1] == theirs->body_mass[1]);
  CHECK(model.names.find(corten::Names::Kind::jnt, "knee").value() ==
        mj_name2id(theirs.get(), mjOBJ_JOINT, "knee"));
  CHECK(model.opt.timestep == 0.0125);
  CHECK(model.n.nsurfacevel == 1);
  CHECK(model.opt.enableflags == 0);
}

// ---- state --------------------------------------------------------------------------------------

std::vector<double> state_of(const mjModel* m, const mjData* d) {
  std::vector<double> out(std::size_t(mj_stateSize(m, mjSTATE_INTEGRATION)));
  mj_getState(m, d, out.data(), mjSTATE_INTEGRATION);
  return out;
}

// has every part of a state
constexpr const char* everything = R"(
<mujoco>
  <size nuserdata="3"/>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body name="mocap" mocap="true" pos="0 0 1"/>
    <body name="arm" pos="0 0 .5">
      <joint name="a" axis="0 1 0" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
      <body name="hand" pos=".3 0 0">
        <joint name="b" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 .3 0 -.4" size=".04"/>
      </body>
    </body>
  </worldbody>
  <equality>
    <joint joint1="a" joint2="b" active="false"/>
    <weld body1="mocap" body2="hand" active="false"/>
  </equality>
  <actuator>
    <general joint="a" dyntype="filter" dynprm=".1" gainprm="3" delay=".004" nsample="4"/>
    <motor joint="b"/>
  </actuator>
  <sensor><jointpos joint="a"/></sensor>
</mujoco>)";

// a state in which no two numbers are the same
void scatter(const mjModel* m, mjData* d) {
  std::vector<double> x = state_of(m, d);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.01 * double(i + 1);
  mj_setState(m, d, x.data(), mjSTATE_INTEGRATION);
  for (int i = 0; i < m->neq; ++i) d->eq_active[i] = i == 0;
}

TEST_CASE("the state goes to corten and back, to the last bit", "[mujoco]") {
  const MjModel theirs = parse_mujoco(everything);
  const Model<double> model = support::checked(corten::from_mujoco(theirs.get()));
  const MjData from(mj_makeData(theirs.get())), to(mj_makeData(theirs.get()));
  scatter(theirs.get(), from.get());
  Data<double> data(model);
  Data<corten::Dual<double, 8>> dual(model);

  SECTION("double") {
    REQUIRE(corten::from_mujoco(theirs.get(), from.get(), data));
    REQUIRE(corten::to_mujoco(theirs.get(), data, to.get()));
  }
  SECTION("duals") {
    REQUIRE(corten::from_mujoco(theirs.get(), from.get(), dual));
    REQUIRE(corten::to_mujoco(theirs.get(), dual, to.get()));
  }
  const std::vector<double> x = state_of(theirs.get(), from.get());
  CHECK(x.size() == std::size_t(corten::state_size(data, corten::state_integration)));
  CHECK(x == state_of(theirs.get(), to.get()));
}

TEST_CASE("a step of corten is a step of MuJoCo", "[mujoco]") {
  const MjModel theirs = parse_mujoco(everything);
  theirs->opt.tolerance = 0;
  const Model<double> model = support::checked(corten::from_mujoco(theirs.get()));
  const MjData there(mj_makeData(theirs.get())), back(mj_makeData(theirs.get()));
  there->ctrl[0] = 0.3, there->ctrl[1] = -0.2, there->eq_active[0] = 1;
  there->xfrc_applied[6 * 3] = 0.5;
  for (int k = 0; k < 300; ++k) mj_step(theirs.get(), there.get());
  Data<double> data(model);
  REQUIRE(corten::from_mujoco(theirs.get(), there.get(), data));
  for (int k = 0; k < 10; ++k) {
    mj_step(theirs.get(), there.get());
    REQUIRE(corten::step(model, data));
  }
  REQUIRE(corten::to_mujoco(theirs.get(), data, back.get()));
  CHECK(there->ncon > 0);
  const std::vector<double> x = state_of(theirs.get(), there.get()),
                            y = state_of(theirs.get(), back.get());
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(support::near(x[i], y[i], 1e-9));
}

TEST_CASE("trees that sleep in MuJoCo sleep in corten", "[mujoco]") {
  const MjModel theirs = load_mujoco(std::string(CORTEN_TEST_DIR) + "/models/sleep.xml");
  theirs->opt.tolerance = 0;
  const Model<double> model = support::checked(corten::from_mujoco(theirs.get()));
  const MjData there(mj_makeData(theirs.get())), back(mj_makeData(theirs.get()));
  mj_resetDataKeyframe(theirs.get(), there.get(), 0);
  for (int k = 0; k < 60; ++k) mj_step(theirs.get(), there.get());
  Data<double> data(model);
  REQUIRE(corten::from_mujoco(theirs.get(), there.get(), data));
  CHECK(data.ref().tree_asleep[1] == 2);
  for (int k = 0; k < 60; ++k) {  // the ball hits the stack meanwhile
    mj_step(theirs.get(), there.get());
    REQUIRE(corten::step(model, data));
    for (int t = 0; t < model.n.ntree; ++t) {
      CHECK(data.ref().tree_asleep[t] == there->tree_asleep[t]);
    }
  }
  CHECK(data.ref().tree_asleep[1] < 0);
  REQUIRE(corten::to_mujoco(theirs.get(), data, back.get()));
  for (int i = 0; i < model.n.nq; ++i) CHECK(support::near(back->qpos[i], there->qpos[i], 1e-6));
}

// ---- refusals -----------------------------------------------------------------------------------

TEST_CASE("what corten does not support is refused by name", "[mujoco]") {
  const auto refusal = [](const mjModel* m) { return corten::from_mujoco(m).error().to_string(); };
  const MjModel theirs = load_mujoco(std::string(CORTEN_TEST_DIR) + "/models/walker.xml");

  CHECK(refusal(nullptr) ==
        "a pointer is null (mj_loadXML returns null if it cannot load a model)");

  SECTION("plugins") {  // as the library of a plugin would leave them
    theirs->nplugin = 1;
    theirs->body_plugin[1] = theirs->actuator_plugin[0] = 0;
    const std::string text = refusal(theirs.get());
    theirs->nplugin = 0;
    CHECK(text ==
          "body 'torso': a plugin is not supported yet\nactuator 'hip': a plugin is not supported "
          "yet");
  }
  SECTION("kinds that the policies do not list") {
    using Hinges = corten::Policies<corten::Joints<corten::Hinge>>;
    const auto refused = corten::from_mujoco<Hinges>(theirs.get());
    REQUIRE(!refused);
    CHECK(refused.error().to_string().find("the policies list hinge") != std::string::npos);
  }
}

TEST_CASE("the data of another model is refused", "[mujoco]") {
  const MjModel theirs = parse_mujoco(everything);
  const MjData there(mj_makeData(theirs.get()));
  Data<double> other(support::load("walker"));
  const auto in = corten::from_mujoco(theirs.get(), there.get(), other);
  REQUIRE(!in);
  CHECK(in.error().to_string() ==
        "qpos: has another length in this mjModel (make the data from the model that from_mujoco "
        "returned for it)");
  CHECK(!corten::to_mujoco(theirs.get(), other, there.get()));
  CHECK(!corten::to_mujoco(theirs.get(), other, nullptr));
  CHECK(!corten::from_mujoco(nullptr, there.get(), other));
}

// how far qpos is after a step of corten and one of MuJoCo, from the state after 50 steps of MuJoCo
double step_difference(mjModel* theirs, const Model<double>& model) {
  const MjData there(mj_makeData(theirs));
  for (int k = 0; k < 50; ++k) mj_step(theirs, there.get());
  Data<double> data(model);
  if (!corten::from_mujoco(theirs, there.get(), data)) return INFINITY;
  mj_step(theirs, there.get());
  if (!corten::step(model, data)) return INFINITY;
  double far = 0;
  for (int i = 0; i < theirs->nq; ++i)
    far = std::max(far, std::fabs(data.qpos()[std::size_t(i)] - there->qpos[i]));
  return far;
}

// Run by hand, with the paths of models in CORTEN_MODELS, separated by colons:
// CORTEN_MODELS=a.xml:b.xml test_mujoco "[.models]"
TEST_CASE("further models", "[.models]") {
  const char* paths = std::getenv("CORTEN_MODELS");
  std::istringstream list(paths != nullptr ? paths : "");
  for (std::string path; std::getline(list, path, ':');) {
    const auto own = corten::load(path);
    char error[1000] = "";
    const MjModel theirs(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
    const auto model = corten::from_mujoco(theirs.get());
    std::ostringstream line;
    line << path << ": ";
    bool equal = false;
    if (!own || !model) {
      line << (own ? "" : "load: " + own.error().line()) << " | "
           << (model ? "" : "from_mujoco: " + model.error().to_string()) << error;
    } else {
      const Comparison c = compare(*model, *own, rounding);
      equal = c.different.empty();
      line << c.exact << " of " << c.arrays << " arrays equal, worst " << c.worst;
      for (const std::string& text : c.different) line << "\n    " << text;
      line << "\n  largest difference of a step: " << step_difference(theirs.get(), *model);
    }
    WARN(line.str());
    CHECK(equal);
  }
}

}  // namespace
