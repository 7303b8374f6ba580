// SPDX-License-Identifier: Apache-2.0
//
// compile() as a whole: specs built in code, properties that hold for every model.
#include "support.hpp"

#include <corten/compile/set_const.hpp>

using namespace corten;
using compile_test::compile;
using compile_test::field;

namespace {

const char* const tree = R"(
<mujoco>
  <worldbody>
    <body pos="0 0 1">
      <freejoint/>
      <geom type="capsule" size="0.05" fromto="0 0 0 0.4 0.1 0"/>
      <body pos="0.4 0.1 0">
        <joint axis="0 1 0"/><joint axis="1 0 0" pos="0 0 0.1"/>
        <geom type="box" size="0.1 0.05 0.02" pos="0.1 0 0"/>
        <body pos="0.2 0 0"><joint type="ball"/><geom size="0.1" pos="0 0 0.2"/></body>
      </body>
      <body pos="-0.1 0 0"><joint type="slide"/><geom size="0.05"/></body>
    </body>
    <body pos="1 0 1"><freejoint/><geom size="0.1"/></body>
  </worldbody>
</mujoco>)";

}  // namespace

TEST_CASE("a spec built in code", "[compile]") {
  Spec spec;
  spec::Body body;
  spec::Joint joint;
  joint.name = "slider";
  joint.type = JointType::slide;
  joint.armature = 0.5;
  body.joints.push_back(joint);
  spec::Geom geom;
  geom.type = GeomType::box;
  geom.size = {0.1, 0.2, 0.3};
  geom.mass = 2;
  body.geoms.push_back(geom);
  spec.world.bodies.push_back(body);
  spec.option.timestep = 0.01;

  const auto model = corten::compile(spec);
  REQUIRE(model.ok());
  CHECK(model->n.nbody == 2);
  CHECK(model->n.nv == 1);
  CHECK(model->names.jnt[0] == "slider");
  CHECK(model->opt.timestep == 0.01);
  CHECK(model->body_mass[1] == 2);
  CHECK(near(model->dof_M0[0], 2.5, 1e-12));
}

TEST_CASE("compiling leaves the spec alone and is repeatable", "[compile]") {
  const Spec spec = compile_test::parse(tree);
  const auto a = corten::compile(spec), b = corten::compile(spec);
  REQUIRE((a.ok() && b.ok()));
  CHECK(compile_test::difference(*a, *b) == "");
}

TEST_CASE("every array has the length that the sizes ask for", "[compile]") {
  const Model<double> m = compile(tree);
  Model<double> fresh;
  fresh.n = m.n;
  fresh.allocate();
  std::string different;
  corten::detail::for_arrays<double>([&](const auto& array, auto member) {
    if ((m.*member).size() != (fresh.*member).size()) different += std::string(array.name) + " ";
  });
  CHECK(different == "");
}

TEST_CASE("rows of the inertia matrix hold the ancestors of their dof", "[compile][numbering]") {
  const Model<double> m = compile(tree);
  const auto at = [](const List<int>& f, int i) { return f[static_cast<std::size_t>(i)]; };
  int address = 0;
  for (int v = 0; v < m.n.nv; ++v) {
    CHECK(at(m.dof_Madr, v) == address);
    int ancestor = v;
    for (int k = address + at(m.dof_depth, v) - 1; k >= address; --k) {
      CHECK(at(m.M_colind, k) == ancestor);
      ancestor = at(m.dof_parentid, ancestor);
    }
    CHECK(ancestor == -1);
    address += at(m.dof_depth, v);

    // the row ends with the diagonal, which is all that a simple body has
    CHECK(at(m.M_rownnz, v) == (at(m.dof_simplenum, v) > 0 ? 1 : at(m.dof_depth, v)));
    CHECK(at(m.M_rowadr, v) + at(m.M_rownnz, v) == address);
  }
  CHECK(address == m.n.nM);
}

TEST_CASE("set_const can be called again", "[compile][set_const]") {
  const Model<double> m = compile(tree);
  Model<double> again = m;
  set_const(again);
  CHECK(compile_test::difference(m, again) == "");

  // without armature, twice the mass is half the inverse weight
  for (double& x : again.body_mass) x *= 2;
  for (double& x : again.body_inertia) x *= 2;
  set_const(again);
  for (const char* name : {"dof_invweight0", "body_invweight0"}) {
    const auto before = field(m, name), after = field(again, name);
    for (std::size_t i = 0; i < before.size(); ++i) CHECK(near(2 * after[i], before[i], 1e-12));
  }
  CHECK(near(again.stat.meaninertia, 2 * m.stat.meaninertia, 1e-12));
}

TEST_CASE("explicit values beat default classes, also when they equal the built-in default",
          "[compile]") {
  const Model<double> m = compile(R"(
<mujoco>
  <default><geom friction="2" condim="6"/><joint armature="1"/></default>
  <worldbody>
    <body><joint armature="0"/><geom size="0.1" friction="1" condim="3"/><geom size="0.1"/></body>
  </worldbody>
</mujoco>)");
  CHECK(m.geom_friction == std::vector<double>{1, 0.005, 0.0001, 2, 0.005, 0.0001});
  CHECK(m.geom_condim == std::vector<int>{3, 6});
  CHECK(m.dof_armature[0] == 0);
}
