// SPDX-License-Identifier: Apache-2.0
//
// Exact derivatives of steps with flexes against centred differences: elastic forces, rotations of
// cells, edges, contacts of triangles and of convex pairs, and the implicit metric.
#include <corten/derive.hpp>

#include "../support/model.hpp"

#include <cmath>
#include <string>
#include <utility>

namespace {

struct Case {
  const char *name, *option, *world;
};

// for a distance field
constexpr const char* ball = R"(<mesh name="ball" builtin="sphere" params="2" scale=".1 .1 .1"/>)";

const Case cases[] = {
    {"cloth on a distance field", R"(timestep="0.002")",
     R"(<geom type="sdf" mesh="ball" pos="0.01 0.013 0"/>
        <flexcomp name="f" type="grid" count="3 3 1" spacing=".07 .07 .07" pos="0 0 0.107"
                  mass="0.1"
                  radius="0.01" dim="2">
          <elasticity young="2e3" poisson="0.2" thickness="5e-2" elastic2d="both" damping="0.002"/>
          <contact selfcollide="none"/>
        </flexcomp>)"},
    {"cloth on a sphere", R"(timestep="0.002")",
     R"(<geom size="0.1" pos="0.01 0.013 0"/>
        <flexcomp name="f" type="grid" count="3 3 1" spacing=".07 .07 .07" pos="0 0 0.108"
                  mass="0.1"
                  radius="0.01" dim="2">
          <elasticity young="2e3" poisson="0.2" thickness="5e-2" elastic2d="both" damping="0.002"/>
          <contact selfcollide="none"/>
        </flexcomp>)"},
    {"edges and a box", R"(timestep="0.002")",
     R"(<geom type="box" size="0.05 0.06 0.05" pos="0.01 0.013 0" euler="5 7 20"/>
        <flexcomp name="f" type="grid" count="3 3 1" spacing=".07 .07 .07" pos="0 0 0.065"
                  mass="0.1"
                  radius="0.01" dim="2">
          <edge equality="true" damping="0.02"/>
          <contact selfcollide="none"/>
        </flexcomp>)"},
    {"solid on a sphere", R"(timestep="0.002" integrator="implicitfast" ccd_tolerance="1e-9")",
     R"(<geom size="0.09" pos="0.01 0.013 0"/>
        <flexcomp name="f" type="grid" count="2 2 2" spacing=".1 .1 .1" pos="0 0 0.145" mass="0.5"
                  euler="8 5 3" radius="0.01" dim="3">
          <elasticity young="1e4" poisson="0.3" damping="0.002"/>
          <contact selfcollide="none" internal="false"/>
        </flexcomp>)"},
    {"cell on a plane", R"(timestep="0.001")",
     R"(<geom type="plane" size="1 1 1"/>
        <flexcomp name="f" type="grid" count="2 2 2" spacing=".1 .1 .1" pos="0 0 0.058" mass="0.5"
                  euler="0 1 0" radius="0.01" dim="3" dof="trilinear">
          <elasticity young="1e4" poisson="0.3" damping="0.002"/>
          <contact selfcollide="none" internal="false"/>
        </flexcomp>)"},
    {"metric", R"(timestep="0.004" integrator="implicitfast" solver="CG" tolerance="0")",
     R"(<geom type="plane" size="1 1 1"/>
        <flexcomp name="f" type="grid" count="3 2 1" spacing=".07 .07 .07" pos="0 0 0.009"
                  mass="0.1"
                  radius="0.01" dim="2">
          <elasticity young="2e4" poisson="0.2" thickness="1e-2" elastic2d="both" damping="0.01"/>
          <contact selfcollide="none"/>
        </flexcomp>)"},
};

}  // namespace

TEST_CASE("derivatives of flexes agree with differences", "[flex][derive]") {
  for (const Case& c : cases) {
    INFO(c.name);
    const std::string text = std::string("<mujoco><option ") + c.option + "/><asset>" + ball +
                             "</asset><worldbody>" + c.world + "</worldbody></mujoco>";
    const auto model = corten::load_string(text);
    if (!model) FAIL(model.error().to_string());
    corten::Data<double> data(*model);
    double phase = 1.0;
    for (double& v : data.qvel()) v = 0.02 * std::sin(std::exchange(phase, phase + 3.7));
    for (int k = 0; k < 5; ++k) REQUIRE(corten::step(*model, data).ok());
    REQUIRE(data.ncon() > 0);
    const auto exact = corten::derive::transition(*model, data, {.sensors = false});
    const auto centred = corten::derive::transition(
        *model, data, {.method = corten::derive::Method::centered, .sensors = false});
    REQUIRE(exact.status.ok());
    REQUIRE(exact.A.size() == centred.A.size());
    const double scale = centred.A.cwiseAbs().maxCoeff();
    CHECK((exact.A - centred.A).cwiseAbs().maxCoeff() < 1e-6 * scale);
  }
}
