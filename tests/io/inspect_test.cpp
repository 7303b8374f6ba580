// SPDX-License-Identifier: Apache-2.0
#include <corten/corten.hpp>
#include <corten/io/inspect.hpp>
#include <corten/io/options.hpp>

#include "../support/catch.hpp"

#include <string>
#include <vector>

namespace io = corten::io;

namespace {

// a ball on a floor, with a motor on a second body
corten::Model<double> tiny() {
  auto model = corten::load_string(R"(
    <mujoco model="tiny">
      <worldbody>
        <geom name="floor" type="plane" size="1 1 .1"/>
        <body name="ball" pos="0 0 .099"><freejoint/><geom name="ball" size=".1"/></body>
        <body name="arm" pos="2 0 1">
          <joint name="shoulder" axis="0 1 0"/><geom type="capsule" size=".05 .2"/>
          <body pos=".3 0 0"><joint name="elbow" axis="0 1 0"/><geom size=".05"/></body>
        </body>
      </worldbody>
      <actuator><motor joint="elbow" gear="3"/></actuator>
      <sensor><jointpos name="angle" joint="elbow"/><clock name="now"/></sensor>
    </mujoco>)");
  if (!model) FAIL(model.error().to_string());
  return *std::move(model);
}

io::Json written(const io::JsonWriter& out) {
  auto tree = io::read_json(out.text());
  if (!tree) FAIL(tree.error().to_string());
  return *std::move(tree);
}

std::vector<double> numbers(const io::Json& from, const char* key) {
  std::vector<double> out;
  const io::Json* items = from.find(key);
  if (items == nullptr || items->array() == nullptr) FAIL("no array " << key);
  for (const io::Json& x : *items->array()) out.push_back(x.number().value());
  return out;
}

}  // namespace

TEST_CASE("inspect: every size, option, name and array of the model", "[io]") {
  const auto model = tiny();
  io::JsonWriter out;
  io::write_model(out, model);
  const io::Json tree = written(out);
  CHECK(tree.find("sizes")->find("nv")->number() == 8);
  CHECK(tree.find("opt")->find("timestep")->number() == 0.002);
  CHECK(numbers(*tree.find("opt"), "gravity") == std::vector<double>{0, 0, -9.81});
  CHECK(tree.find("stat")->find("meaninertia")->number() == model.stat.meaninertia);
  CHECK(*(*tree.find("names")->find("body")->array())[2].string() == "arm");
  CHECK(numbers(*tree.find("arrays"), "body_mass") == model.body_mass);
  std::string different;
#define X(type, name, rows, width, meaning) \
  if (numbers(*tree.find("arrays"), #name).size() != model.name.size()) different += #name " ";
  CORTEN_MODEL_FIELDS(X)
#undef X
  CHECK(different == "");
}

TEST_CASE("inspect: data as long as there are contacts and rows, matrices dense", "[io]") {
  const auto model = tiny();
  corten::Data<double> data(model);
  REQUIRE(corten::forward(model, data).ok());
  io::JsonWriter out;
  io::write_data(out, model, data);
  const io::Json tree = written(out);
  CHECK(tree.find("ncon")->number() == 1);
  CHECK(tree.find("nefc")->number() == 4);
  CHECK(numbers(tree, "efc_J").size() == 4 * 8);
  CHECK(numbers(tree, "efc_KBIP").size() == 4 * 4);
  CHECK(numbers(tree, "solver_niter").size() == 1);
  CHECK(numbers(tree, "actuator_moment") == std::vector<double>{0, 0, 0, 0, 0, 0, 0, 3});
  CHECK(numbers(tree, "flexvert_xpos").empty());
  CHECK(tree.find("work_M") == nullptr);

  // the inertia matrix is symmetric, and zero between the ball and the arm
  const std::vector<double> full = numbers(tree, "M_full");
  REQUIRE(full.size() == 64);
  CHECK(full[6 * 8 + 7] == full[7 * 8 + 6]);
  CHECK(full[6 * 8 + 7] != 0);
  CHECK(full[0 * 8 + 6] == 0);

  const io::Json& contact = tree.find("contact")->array()->at(0);
  CHECK(near(contact.find("dist")->number().value(), -0.001, 1e-12));
  CHECK(numbers(contact, "frame").size() == 9);
  CHECK(numbers(contact, "geom") == std::vector<double>{0, 1});
  CHECK(contact.find("geom2")->number() == 1);
  CHECK(numbers(contact, "flex") == std::vector<double>{-1, -1});
}

TEST_CASE("inspect: another world can start from a written state", "[io]") {
  const auto model = tiny();
  corten::Data<double> one(model), two(model);
  one.ctrl()[0] = 0.7;
  for (int k = 0; k < 20; ++k) REQUIRE(corten::step(model, one).ok());
  io::JsonWriter out;
  out.begin_object();
  out.key("time").number(one.time()).key("qpos").numbers(one.qpos());
  out.key("qvel").numbers(one.qvel()).key("ctrl").numbers(one.ctrl());
  const auto& d = one.ref();
  out.key("qacc_warmstart")
      .numbers(std::vector<double>(d.qacc_warmstart.data, d.qacc_warmstart.data + 8));
  out.key("history").begin_array().end_array();
  out.end_object();
  REQUIRE(io::read_state(written(out), two).ok());
  REQUIRE(corten::step(model, one).ok());
  REQUIRE(corten::step(model, two).ok());
  for (std::size_t i = 0; i < one.qpos().size(); ++i) CHECK(one.qpos()[i] == two.qpos()[i]);
}

TEST_CASE("inspect: states that do not fit are refused", "[io]") {
  const auto model = tiny();
  corten::Data<double> data(model);
  const auto problem = [&](const char* text) {
    const auto done = io::read_state(io::read_json(text).value(), data, "s.json");
    return done ? "none" : done.error().to_string();
  };
  CHECK(problem(R"({"qpos": [1, 2]})") == "s.json: qpos: must be an array of 9 numbers");
  CHECK(problem(R"({"ctrl": ["x"]})") == "s.json: ctrl: [0] is not a number");
  CHECK(problem(R"({"time": []})") == "s.json: time: must be a number");
  CHECK(problem(R"({"velocity": [1]})") == "s.json: velocity: is not part of a state");
  CHECK(problem("3") == "s.json: a state must be an object");
}

TEST_CASE("options: words, flags, numbers and vectors", "[io]") {
  const auto opt = io::with_options(corten::Option<double>{},
                                    "integrator=rk4,solver=PGS,disable=contact+WarmStart,"
                                    "tolerance=1e-3,gravity=0+0+-1.62,iterations=7,"
                                    "enable=energy+strictsolver");
  REQUIRE(opt.ok());
  CHECK(opt->integrator == static_cast<int>(corten::Integrator::rk4));
  CHECK(opt->solver == static_cast<int>(corten::Solver::pgs));
  CHECK(opt->disableflags == (corten::disable_contact | corten::disable_warmstart));
  CHECK(opt->tolerance == 1e-3);
  CHECK(opt->gravity[2] == -1.62);
  CHECK(opt->iterations == 7);
  CHECK(opt->enableflags == (corten::enable_energy | corten::enable_strictsolver));
}

TEST_CASE("options: errors say what is wrong and suggest the nearest name", "[io]") {
  const auto problem = [](const char* text) {
    const auto opt = io::with_options(corten::Option<double>{}, text);
    return opt ? "none" : opt.error().to_string();
  };
  CHECK(problem("") == "none");
  CHECK(problem("solvr=PGS") == "option solvr: unknown option (did you mean 'solver'?)");
  CHECK(problem("solver=Newtn") == "option solver: unknown value 'Newtn' (did you mean 'Newton'?)");
  CHECK(problem("disable=contac") ==
        "option disable: unknown flag 'contac' (did you mean 'contact'?)");
  CHECK(problem("gravity=1+2") == "option gravity: needs 3 numbers joined by '+'");
  CHECK(problem("timestep=fast") == "option timestep: 'fast' is not a number");
  CHECK(problem("iterations=1.5") == "option iterations: '1.5' is not an integer");
  CHECK(problem("timestep") == "option timestep: expected key=value");
}
