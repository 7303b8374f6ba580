// SPDX-License-Identifier: Apache-2.0
//
// Deep trees, whose linear systems are solved by recursion: the same derivatives as by dual
// numbers.
#include <corten/derive.hpp>

#include "../support/model.hpp"

using namespace corten;

namespace {

// a chain of links with hinges and a few balls, its end on the floor
std::string chain(int links) {
  std::string out = "<mujoco><worldbody><geom type='plane' size='9 9 .1'/>", end;
  for (int i = 0; i < links; ++i) {
    const char* const axis = i % 2 == 0 ? "0 1 0" : "0 .2 1";
    out += i == 0 ? "<body pos='0 0 .4'>" : "<body pos='.05 0 0'>";
    out += i % 10 == 5 ? "<joint type='ball' damping='.01'/>"
                       : std::string("<joint damping='.01' armature='.001' axis='") + axis + "'/>";
    out += "<geom type='capsule' fromto='0 0 0 .05 0 0' size='.02' mass='.05' contype='0'/>";
    end += "</body>";
  }
  return out + "<geom type='sphere' size='.1' pos='.1 0 -.31' mass='.1' condim='4'/>" + end +
         "</worldbody></mujoco>";
}

}  // namespace

TEST_CASE("derivatives of a deep tree, both ways", "[derive]") {
  Model<double> model = support::parse(chain(64));
  REQUIRE(derive::analytic::DeepTree<double>::suits(make_ref<DefaultPolicies>(model)));
  for (const Integrator integrator : {Integrator::euler, Integrator::implicitfast}) {
    for (const Cone cone : {Cone::pyramidal, Cone::elliptic}) {
      model.opt.integrator = static_cast<int>(integrator);
      model.opt.cone = static_cast<int>(cone);
      derive::Linearizer<double> analytic(model), dual(model);
      dual.analytically = false;
      Data<double> data(model);
      support::perturb(model, data, 7, 0.02, 0.2);
      bool free = false, touching = false;
      for (const int steps : {1, 12}) {
        for (int i = 0; i < steps; ++i) REQUIRE(step(model, data).ok());
        (data.nefc() == 0 ? free : touching) = true;
        const auto &a = analytic(model, data), &b = dual(model, data);
        INFO(data.nefc() << " rows, integrator " << int(integrator));
        CHECK((a.A - b.A).cwiseAbs().maxCoeff() < 1e-9 * b.A.cwiseAbs().maxCoeff());
      }
      CHECK(touching);
      static_cast<void>(free);
    }
  }
}
