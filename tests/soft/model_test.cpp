// SPDX-License-Identifier: Apache-2.0
//
// Soft bodies as part of model and data: MJCF and files, what is refused, state, reset, keyframes,
// bytes, integrators, derivatives, kinds.

#include <corten/io/inspect.hpp>
#include <corten/model/bytes.hpp>
#include <corten/save.hpp>
#include <corten/spec/attach.hpp>

#include "support/model.hpp"
#include "support/near.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace {

using corten::Data;
using corten::Dual;
using corten::Model;
using support::near;
using support::near_relative;

std::vector<double> everything(const Data<double>& data) {
  std::vector<double> x(std::size_t(corten::state_size(data, corten::state_integration)));
  REQUIRE(corten::get_state(data, x, corten::state_integration).ok());
  return x;
}

void run(const Model<double>& model, Data<double>& data, int steps) {
  const auto m = corten::bind(model).value();
  for (int i = 0; i < steps; ++i) REQUIRE(corten::step(m, data).ok());
}

std::string refusal(const std::string& soft) {
  const auto model =
      corten::load_string("<mujoco>\n<deformable>\n  " + soft + "\n</deformable></mujoco>");
  return model ? "accepted" : model.error().to_string();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// a model with a file
corten::Result<Model<double>> with_file(const std::string& element, const std::string& bytes) {
  corten::mjcf::ReadOptions options;
  options.load = [&](const std::string&) { return std::optional<std::string>(bytes); };
  const auto spec =
      corten::mjcf::parse("<mujoco><deformable>" + element + "</deformable></mujoco>", options);
  if (!spec) return spec.error();
  return corten::compile(*spec);
}

}  // namespace

TEST_CASE("a model without soft bodies pays nothing for them", "[soft][004-11.5][000-9.5]") {
  const auto model = support::load("contacts");
  Data<double> data(model);
  CHECK(model.n.nsoft == 0);
  // not a number of memory in any array of the data, and none in the state
  const corten::DataSizes& n = data.ref().n;
  constexpr int status_bits = corten::status_bits;
  std::size_t numbers = 0;
#define X(type, name, rows, width, meaning) \
  if (has(#name, "soft") || has(#name, "scon_")) numbers += std::size_t((rows) * (width));
  CORTEN_DATA_FIELDS(X)
#undef X
  CHECK(numbers == 0);
  CHECK(corten::state_size(data, corten::state_soft | corten::state_soft_force) == 0);
  run(model, data, 5);
  CHECK(data.ref().nscon == 0);
  // a pipeline can leave the stages out altogether
  using Rigid =
      corten::DefaultPipeline::without<corten::stages::SoftDetection, corten::stages::SoftDynamics>;
  STATIC_REQUIRE(!Rigid::has<corten::stages::SoftDynamics>);
}

TEST_CASE("soft bodies in model arrays", "[soft][004-11.9]") {
  const auto model = support::load("soft");
  REQUIRE(model.n.nsoft == 3);
  CHECK(model.n.nsoftvert == 25 + 18 + 8);
  CHECK(model.n.nsoftelem == 32 + 24 + 7);
  CHECK(model.soft("rope").value() == 2);
  CHECK(model.soft_name(1) == "block");
  // a grid of 4 x 4 cells has 40 sides and 16 diagonals; all but the 16 at the border bend
  CHECK(model.soft_connum[0] == 56 + 40);
  CHECK(model.soft_connum[2] == 7 + 6 + 1);
  CHECK(model.softvert_flags[4] == corten::soft_pinned);
  CHECK(model.soft_radius[0] == 0.001);
  CHECK(model.soft_young[0] == 1e6);
  CHECK(model.soft_young[2] == 5e8);
  double volume = 0;
  for (int v = 0; v < 25; ++v) volume += model.softvert_volume[std::size_t(v)];
  CHECK(near_relative(volume, 0.4 * 0.4 * 0.002, 1e-12));
}

// ---- state --------------------------------------------------------------------------------------

TEST_CASE("a simulation with soft bodies resumes from its state, to the last bit", "[soft]") {
  const auto model = support::load("soft");
  Data<double> data(model);
  run(model, data, 40);
  CHECK(data.ref().nscon > 0);
  const std::vector<double> x = everything(data);
  Data<double> copy = data, other(model);
  run(model, data, 20);
  CHECK(everything(copy) == x);  // a copy does not share anything
  REQUIRE(corten::set_state(other, x, corten::state_integration).ok());
  run(model, other, 20);
  run(model, copy, 20);
  CHECK(everything(other) == everything(data));
  CHECK(everything(copy) == everything(data));

  const auto same = corten::from_bytes<double>(corten::to_bytes(model)).value();
  Data<double> again(same);
  run(same, again, 60);
  CHECK(everything(again) == everything(data));
}

TEST_CASE("forward changes no state, and a step does not depend on how often it ran",
          "[soft][004-11.11]") {
  const auto model = support::load("soft");
  Data<double> data(model);
  run(model, data, 40);
  Data<double> once = data;
  const std::vector<double> x = everything(data);
  for (int i = 0; i < 3; ++i) REQUIRE(corten::forward(model, data).ok());
  // the flag soft_colliding follows the positions, so it may change
  std::vector<double> y = everything(data);
  const std::size_t state = x.size() - std::size_t(model.n.nsoftvert + model.n.nsoft);
  CHECK(std::equal(x.begin(), x.begin() + std::ptrdiff_t(state), y.begin()));
  run(model, data, 1);
  run(model, once, 1);
  CHECK(everything(once) == everything(data));
}

TEST_CASE("reset: the rest pose, or where the vertices are; keyframes", "[soft][004-11.11]") {
  auto model = support::load("soft");
  Data<double> data(model);
  const std::vector<double> start(data.soft_pos().begin(), data.soft_pos().end());
  run(model, data, 40);
  data.soft_force()[0] = 1;
  const std::vector<double> moved(data.soft_pos().begin(), data.soft_pos().end());
  REQUIRE(data.store_key(model, 0).ok());

  Data<double> kept = data;
  kept.reset_keep_softs(model);
  CHECK(std::equal(moved.begin(), moved.end(), kept.soft_pos().begin()));
  for (const double v : kept.soft_vel()) CHECK(v == 0);
  for (const double f : kept.soft_force()) CHECK(f == 0);
  CHECK(kept.ref().nscon == 0);
  CHECK(kept.time() == 0);

  const std::vector<double> speed(data.soft_vel().begin(), data.soft_vel().end());
  data.reset(model);
  CHECK(std::equal(start.begin(), start.end(), data.soft_pos().begin()));
  for (const double v : data.soft_vel()) CHECK(v == 0);
  REQUIRE(data.reset(model, "start"));
  CHECK(std::equal(moved.begin(), moved.end(), data.soft_pos().begin()));
  CHECK(std::equal(speed.begin(), speed.end(), data.soft_vel().begin()));

  // a bad state is found and reset like any other
  data.soft_pos()[1] = std::nan("");
  CHECK(corten::step(model, data).has(corten::bad_qpos));
  CHECK(std::isfinite(data.soft_pos()[1]));
}

TEST_CASE("soft bodies step with every integrator, once per step", "[soft][004-11.11]") {
  auto model = support::load("soft");
  std::vector<std::vector<double>> ends;
  for (const auto integrator :
       {corten::Integrator::euler, corten::Integrator::rk4, corten::Integrator::implicit,
        corten::Integrator::implicitfast, corten::Integrator::implicitspringdamper}) {
    model.opt.integrator = static_cast<int>(integrator);
    Data<double> data(model);
    run(model, data, 20);
    ends.emplace_back(data.soft_pos().begin(), data.soft_pos().end());
    CHECK(data.ref().soft_hold == 0);
  }
  for (const auto& end : ends) {
    for (std::size_t i = 0; i < end.size(); ++i) CHECK(near(end[i], ends[0][i], 2e-3));
  }
}

TEST_CASE("softs are written back to MJCF and shown by inspect", "[soft]") {
  const std::string file = std::string(CORTEN_TEST_DIR) + "/models/soft.xml";
  const auto spec = corten::mjcf::parse_file(file).value();
  const auto text = corten::mjcf::write(spec).value();
  const auto model = support::load("soft"), again = support::parse(text);
  CHECK(corten::to_bytes(model) == corten::to_bytes(again));
  Data<double> data(model);
  REQUIRE(corten::forward(model, data).ok());
  corten::io::JsonWriter shown;
  corten::io::write_model(shown, model);
  CHECK(has(shown.text(), "softcon_factor"));
  corten::io::JsonWriter results;
  corten::io::write_data(results, model, data);
  CHECK(has(results.text(), "scon_depth"));
}

// ---- derivatives --------------------------------------------------------------------------------

namespace {

struct Input {
  const char* name;
  int index;
  double step = 1e-6;  // of differences
};

// duals through two steps from a state, against centred differences
void check_derivatives(const Model<double>& model, const Data<double>& start,
                       const Input (&inputs)[8]) {
  const auto place = [](const Input& in, auto& m, auto& data) -> auto& {
    const std::string name = in.name;
    const auto i = std::size_t(in.index);
    if (name == "young") return m.soft_young[i];
    if (name == "density") return m.soft_density[i];
    if (name == "vel") return data.soft_vel()[i];
    if (name == "qvel") return data.qvel()[i];
    if (name == "qpos") return data.qpos()[i];
    return data.soft_pos()[i];
  };
  const auto outputs = [](const auto& data) {
    std::vector<typename std::decay_t<decltype(data)>::Scalar> out;
    for (const auto& part : {data.soft_pos(), data.soft_vel(), data.qpos(), data.qvel()}) {
      out.insert(out.end(), part.begin(), part.end());
    }
    return out;
  };

  using D = Dual<double, 8>;
  Model<D> dual_model = corten::cast<D>(model);
  Data<D> dual(dual_model);
  const std::vector<double> x = everything(start);
  corten::copy_states(start.ref(), dual.ref());
  for (int k = 0; k < 8; ++k) place(inputs[k], dual_model, dual).v[k] = 1;
  const auto m = corten::make_ref<corten::DefaultPolicies>(dual_model);
  for (int i = 0; i < 2; ++i) REQUIRE(corten::step(m, dual).ok());
  const auto exact = outputs(dual);

  for (int k = 0; k < 8; ++k) {
    INFO(inputs[k].name << " " << inputs[k].index);
    std::vector<double> ends[2];
    double h = 0;
    for (int side = 0; side < 2; ++side) {
      Model<double> changed = model;
      Data<double> data(changed);
      REQUIRE(corten::set_state(data, x, corten::state_integration).ok());
      double& number = place(inputs[k], changed, data);
      // what the model's numbers change in two steps is little, so they need larger steps
      h = std::fabs(number) > 10 ? 1e-3 * number : inputs[k].step;
      number += side == 0 ? -h : h;
      run(changed, data, 2);
      ends[side] = outputs(data);
    }
    double largest = 0, worst = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const double difference = (ends[1][i] - ends[0][i]) / (2 * h);
      largest = std::max(largest, std::fabs(exact[i].v[k]));
      worst = std::max(worst, std::fabs(difference - exact[i].v[k]));
    }
    CHECK(largest > 0);
    CHECK(worst <= 1e-6 * std::max(largest, 1e-6));
  }
}

}  // namespace

TEST_CASE("derivatives of soft steps are those of differences", "[soft]") {
  // in a state with contacts on both sides: vertices, pins and rigid bodies in motion
  const auto model = support::load("soft");
  Data<double> start(model);
  run(model, start, 45);
  REQUIRE(start.ref().nscon > 3);
  // pos and vel of a vertex under the ball, of a pinned one, qvel of the ball, young, density
  check_derivatives(model, start,
                    {{"pos", 3 * 12 + 2},
                     {"pos", 3 * 0 + 1},
                     {"vel", 3 * 12},
                     {"pos", 3 * 30},
                     {"qvel", 2},
                     {"qpos", 0},
                     {"young", 0},
                     {"density", 1}});
}

TEST_CASE("derivatives of soft steps on a distance field", "[soft]") {
  const auto model = support::parse(R"(<mujoco><option timestep=".004"/>
    <asset><mesh name="ball" builtin="sphere" params="2" scale=".1 .1 .1"/></asset><worldbody>
    <body pos=".013 .007 .611"><freejoint/><geom type="sdf" mesh="ball" mass=".2"/></body>
    </worldbody><deformable>
    <cloth pos="0 0 .5" count="5 5" spacing=".06" material="rubber" pin="0 4 20 24"/>
    </deformable></mujoco>)");
  Data<double> start(model);
  run(model, start, 30);
  REQUIRE(start.ref().nscon > 0);
  check_derivatives(model, start,
                    {{"pos", 3 * 12 + 2},
                     {"pos", 3 * 12},
                     {"vel", 3 * 12 + 1, 1e-4},
                     {"qvel", 2},
                     {"qvel", 4},
                     {"qpos", 0},
                     {"young", 0},
                     {"density", 0}});
}

TEST_CASE("soft bodies in float follow those in double", "[soft]") {
  const auto model = support::load("soft");
  const auto single = corten::cast<float>(model);
  Data<double> a(model);
  Data<float> b(single);
  const auto m = corten::make_ref<corten::DefaultPolicies>(single);
  run(model, a, 12);
  for (int i = 0; i < 12; ++i) REQUIRE(corten::step(m, b).ok());
  for (std::size_t i = 0; i < a.soft_pos().size(); ++i) {
    CHECK(near(b.soft_pos()[i], a.soft_pos()[i], 1e-3));
  }
}

// ---- input --------------------------------------------------------------------------------------

TEST_CASE("soft bodies from files", "[soft]") {
  const std::string nodes2 =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n"
      "3 0 1 0\n7 0 0 1\n9 1 1 1\n$EndNodes\n";
  const std::string gmsh2 = nodes2 +
                            "$Elements\n3\n1 15 2 0 1 1\n2 4 2 0 1 1 2 3 7\n3 4 2 0 1 2 3 7 9\n"
                            "$EndElements\n";
  const std::string gmsh4 =
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n2 5 1 9\n2 1 0 2\n1\n2\n0 0 0\n1 0 0\n"
      "3 1 0 3\n3\n7\n9\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n$Elements\n1 2 1 2\n3 1 4 2\n1 1 2 3 7\n"
      "2 2 3 7 9\n$EndElements\n";
  std::string binary = "$MeshFormat\n2.2 1 8\n";
  const auto add = [&](auto... x) {
    (binary.append(reinterpret_cast<const char*>(&x), sizeof x), ...);
  };
  add(1);
  binary += "\n$EndMeshFormat\n$Nodes\n5\n";
  add(1, 0., 0., 0., 2, 1., 0., 0., 3, 0., 1., 0., 7, 0., 0., 1., 9, 1., 1., 1.);
  binary += "\n$EndNodes\n$Elements\n2\n";
  add(4, 2, 2, 2, 0, 1, 1, 2, 3, 7, 3, 0, 1, 2, 3, 7, 9);  // type, number, tags; then each
  binary += "\n$EndElements\n";
  for (const std::string& bytes : {gmsh2, gmsh4, binary}) {
    const auto model = with_file("<softbody file='x.msh' scale='2 2 2'/>", bytes).value();
    CHECK(model.n.nsoftvert == 5);
    CHECK(model.n.nsoftelem == 2);
    CHECK(model.softvert_pos[3] == 2);
    double volume = 0;
    for (const double v : model.softvert_volume) volume += v;
    CHECK(near_relative(volume, 8 * (1.0 / 6 + 1.0 / 3), 1e-12));
  }
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
  const auto cloth = with_file("<cloth file='x.obj' pos='0 0 1'/>", obj).value();
  CHECK(cloth.n.nsoftvert == 4);
  CHECK(cloth.n.nsoftelem == 2);
  CHECK(cloth.softvert_pos[2] == 1);
  // MuJoCo's own format: counts, then floats, then faces
  std::string msh;
  const auto put = [&](auto x) { msh.append(reinterpret_cast<const char*>(&x), sizeof(x)); };
  for (const std::int32_t n : {4, 0, 0, 2}) put(n);
  for (const float x : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 1.f, 1.f, 0.f, 0.f, 1.f, 0.f}) put(x);
  for (const std::int32_t n : {0, 1, 2, 0, 2, 3}) put(n);
  CHECK(with_file("<cloth file='x.msh'/>", msh).value().n.nsoftelem == 2);

  const auto why = [](const auto& model) { return model ? "" : model.error().to_string(); };
  CHECK(has(why(with_file("<softbody file='x.obj'/>", obj)), "triangles only (save it with"));
  CHECK(has(why(with_file("<softbody file='x.msh'/>", nodes2)), "has no elements"));
  CHECK(has(why(with_file("<softbody file='x.msh'/>", "$MeshFormat\n2.2 1 8\n")), "cut off"));
  CHECK(has(why(with_file("<softbody file='x.msh'/>", "$MeshFormat\n3 0 8\n")), "2.2 and 4.1"));
  CHECK(has(why(with_file("<cloth file='x.obj'/>", "")), "the file is empty"));
  CHECK(has(why(with_file("<cloth file='x.obj'/>", "v 0 nan 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")),
            "x.obj:1:5: a vertex without three finite numbers (write v and three"));
  CHECK(has(why(with_file("<cloth file='x.obj'/>", "v 0 0 0\nv 1 0 0\nf 1 2 3\nv 0 1 0\nf 1 5 2")),
            "x.obj:5:5: a face refers to vertex 5 of 3 (vertices are numbered from 1"));
  CHECK(
      has(why(with_file("<softbody file='x.msh'/>", nodes2 + "$Elements\n1\n2 4 2 0 1 1 2 3 5\n")),
          "node 5, which does not exist (nodes come first"));
  CHECK(has(why(with_file("<softbody file='x.msh'/>", binary.substr(0, binary.size() - 30))),
            "x.msh: the Gmsh file is cut off at byte "));
  CHECK(has(why(with_file("<cloth file='x.msh'/>", msh.substr(0, 20))),
            "(they make 88 bytes, but there are 20)"));
  CHECK(has(why(with_file("<cloth file='x.obj'/>", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n")),
            "x.obj: element 0 is degenerate"));
}

TEST_CASE("bad soft bodies are refused with place and remedy", "[soft]") {
  struct Case {
    const char *soft, *message, *remedy = "";
  };
  const Case cases[] = {
      {"<cloth/>", "has no vertices", "give count, file or vertex"},
      {"<cloth count='3' spacing='0.1'/>", "takes two numbers"},
      {"<cloth count='3 1' spacing='0.1'/>", "whole numbers from 2 on"},
      {"<cloth count='3 3'/>", "needs a spacing"},
      {"<cloth count='3 3' spacing='-1'/>", "spacing must be positive"},
      {"<cloth count='90000 90000' spacing='1'/>", "4,000,000"},
      {"<cloth count='3 3' spacing='0.1' material='cotten'/>", "unknown material 'cotten'",
       "did you mean 'cotton'?"},
      {"<cloth count='3 3' spacing='0.1' pin='9'/>", "pin 9 is not a vertex",
       "numbered from 0 to 8"},
      {"<cloth count='3 3' spacing='0.1' pin='-1'/>", "pin -1", "numbered from 0 to 8"},
      {"<cloth count='3 3' spacing='0.1' poisson='0.6'/>", "poisson"},
      {"<cloth count='3 3' spacing='0.1' young='0'/>", "young must be positive"},
      {"<cloth count='3 3' spacing='0.1' repeat='5'/>", "repeat must be"},
      {"<cloth count='3 3' spacing='0.1' repeat='0'/>", "repeat must be"},
      {"<cloth count='3 3' spacing='0.1' condim='2'/>", "condim"},
      {"<cloth count='3 3' spacing='0.1' vertex='0 0 0'/>", "exclude each other"},
      {"<cloth count='3 3' spacing='0.1' thicknes='1'/>", "thickness"},
      {"<cloth vertex='0 0 0 1 0 0 2 0 0' element='0 1 2'/>", "degenerate",
       "remove it, or move its vertices apart"},
      {"<cloth vertex='0 0 0 1 0 0 0 1 0' element='0 1 3'/>", "vertex 3, which does not exist",
       "numbered from 0 to 2"},
      {"<cloth vertex='0 0 0 1 0 0 0 1 0 0 0 0' element='0 1 2'/>", "same place", "merge them"},
      {"<cloth vertex='0 0 0 1 0 0 0 1 0 5 5 5' element='0 1 2'/>", "belongs to no element",
       "remove it"},
      {"<cloth vertex='0 0 0 1 0 0 0 1 0' element='0 1'/>", "multiple of 3"},
      {"<cloth vertex='0 0 0 1 0 0 0 1 0'/>", "has no elements", "3 vertices for each"},
      {"<cloth vertex='0 0 0 1 0 0 0 1 0 0 0 1 1 1 1' element='0 1 2 0 1 3 0 1 4'/>",
       "three triangles share"},
      {"<softbody vertex='0 0 0 1 0 0 0 1 0 0 0 1' element='0 2 1 3'/>", "inside out",
       "exchange two of its vertices"},
      {"<chain count='3' spacing='0.1'><edge type='twist' vertex='0 1' stiffness='1'/></chain>",
       "needs 4 vertices"},
      {"<chain count='3' spacing='0.1'><edge type='bend' vertex='0 1 9' stiffness='1'/></chain>",
       "vertex 9 does not exist"},
      {"<chain vertex='0 0 0 nan 0 0' element='0 1'/>", "NaN"},
      {"<chain count='3' spacing='0.1' name='a'/><chain count='3' spacing='0.1' name='a'/>", "'a'"},
  };
  for (const Case& c : cases) {
    const std::string text = refusal(c.soft);
    INFO(c.soft << "\n" << text);
    CHECK(has(text, c.message));
    CHECK(has(text, c.remedy));
    CHECK(text.starts_with("3:"));  // the line; a column follows
    CHECK(has(text, ": mujoco/deformable/"));
  }
}

TEST_CASE("a strict reader refuses soft bodies", "[soft]") {
  const std::string text =
      "<mujoco><deformable><chain count='2' spacing='1'/></deformable></mujoco>";
  corten::mjcf::ReadOptions options;
  CHECK(corten::mjcf::parse(text, options));
  options.strict = true;
  const auto spec = corten::mjcf::parse(text, options);
  REQUIRE(!spec);
  CHECK(has(spec.error().to_string(), "extension"));
}

TEST_CASE("soft bodies built in code, with policies that cover them or not", "[soft]") {
  corten::Spec spec;
  auto& rope = spec.softs.emplace_back();
  rope.name = "rope";
  rope.type = corten::SoftType::chain;
  rope.count = {4};
  rope.spacing = {0.1};
  corten::spec::Soft::Edge& own = rope.edges.emplace_back();
  own.type = corten::user_soft(3);
  own.vertex = corten::List<int>{0, 2};
  own.rest = 0.2;
  own.stiffness = 5;
  const auto model = corten::compile(spec).value();
  CHECK(model.n.nsoftvert == 4);
  const auto bound = corten::bind(model);
  REQUIRE(!bound);
  CHECK(has(bound.error().to_string(), "soft 'rope'"));
  CHECK(has(bound.error().to_string(), "Softs<"));
}

namespace {

// a model with a cloth in the world and a chain in a frame of its arm, both turned, in degrees
const char* const soft_part = R"(<mujoco model="part"><worldbody>
  <body name="arm" pos="0 0 1" euler="0 0 90"><joint/><geom size=".1"/>
    <frame name="tip" pos=".5 0 0" euler="0 90 0"/></body>
  </worldbody><deformable>
  <cloth name="towel" pos="0 0 2" euler="90 0 0" count="3 4" spacing=".1"/>
  <chain name="rope" frame="tip" pos="0 0 .1" count="5" spacing=".1" pin="0"/>
  </deformable></mujoco>)";

corten::Result<corten::Spec> with_part(const std::string& text) {
  corten::mjcf::ReadOptions options;
  options.load = [](const std::string&) { return std::optional<std::string>(soft_part); };
  return corten::mjcf::parse(text, options);
}

corten::Vec3<double> vertex_of(const Model<double>& m, const char* soft, int v) {
  const int first = m.soft_vertadr[std::size_t(m.names.id(corten::Names::Kind::soft, soft))];
  const double* p = &m.softvert_pos[std::size_t(3 * (first + v))];
  return {p[0], p[1], p[2]};
}

}  // namespace

TEST_CASE("soft bodies start in frames, and are attached and replicated with them", "[soft]") {
  const auto part = corten::load_string(soft_part).value();
  // the tip's z axis is the arm's x axis, which is the world's y axis
  const auto first = vertex_of(part, "rope", 0), last = vertex_of(part, "rope", 4);
  CHECK(near(corten::norm(corten::Vec3<double>(last - first)), .4, 1e-15));
  const corten::Vec3<double> middle = (first + last) * .5;
  CHECK(near(middle[0], 0, 1e-15));
  CHECK(near(middle[1], .6, 1e-15));
  CHECK(near(middle[2], 1, 1e-15));

  // attached in radians, a metre to the right and turned by half a turn: both bodies come along
  const std::string whole = R"(<mujoco><compiler angle="radian"/><asset>
    <model name="part" file="part.xml"/></asset><worldbody>
    <body name="base" pos="1 0 0"><frame euler="0 0 3.14159265358979323846">
    <attach model="part" prefix="a_"/></frame></body></worldbody></mujoco>)";
  const auto spec = with_part(whole);
  REQUIRE(spec);
  const auto model = corten::compile(*spec).value();
  CHECK(model.n.nsoft == 2);
  const auto written = corten::mjcf::write(*spec);
  REQUIRE(written);
  const auto again = corten::load_string(*written).value();
  for (const char* name : {"towel", "rope"}) {
    for (int v = 0; v < 5; ++v) {
      const auto p = vertex_of(part, name, v);
      for (const Model<double>* m : {&model, &again}) {
        const auto q = vertex_of(*m, (std::string("a_") + name).c_str(), v);
        CHECK(near(q[0], 1 - p[0], 1e-14));
        CHECK(near(q[1], -p[1], 1e-14));
        CHECK(near(q[2], p[2], 1e-14));
      }
    }
  }

  // with the body alone only what starts in it is copied
  const auto arm = with_part(R"(<mujoco><asset><model name="part" file="part.xml"/></asset>
    <worldbody><replicate count="2" offset="0 0 3" sep="_">
    <attach model="part" body="arm" prefix="b_"/></replicate></worldbody></mujoco>)");
  REQUIRE(arm);
  const auto two = corten::compile(*arm).value();
  REQUIRE(two.n.nsoft == 2);
  for (int v = 0; v < 5; ++v) {
    const auto p = vertex_of(part, "rope", v), q = vertex_of(two, "b_rope_0", v),
               r = vertex_of(two, "b_rope_1", v);
    for (int k = 0; k < 3; ++k) {
      CHECK(near(q[k], p[k], 1e-14));
      CHECK(near(r[k], p[k] + (k == 2 ? 3 : 0), 1e-14));
    }
  }

  CHECK(has(refusal("<chain count='3' spacing='.1' frame='tap'/>"), "unknown frame 'tap'"));
  auto from = corten::mjcf::parse(soft_part).value();
  // an empty frame is the world, of the part and after it is attached
  const auto cloth = [](const corten::Spec& spec, const char* name) {
    return vertex_of(corten::compile(spec).value(), name, 1);
  };
  corten::Spec moved;
  auto& frame = moved.world.frames.emplace_back();
  frame.pos = {4, 0, 0};
  const auto before = cloth(from, "towel");
  from.softs[0].frame = "";
  CHECK(cloth(from, "towel") == before);
  REQUIRE(corten::spec::attach(moved, moved.world, 0, from, {.prefix = "d_"}).ok());
  CHECK(near(cloth(moved, "d_towel")[0], before[0] + 4, 1e-14));
  from.keys.emplace_back().softpos = corten::List<double>(51);
  corten::Spec to;
  const auto refused = corten::spec::attach(to, to.world, -1, from, {.prefix = "c_"});
  REQUIRE(!refused);
  CHECK(has(refused.error().to_string(), "softpos"));
}
