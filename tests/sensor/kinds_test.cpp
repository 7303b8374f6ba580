// SPDX-License-Identifier: Apache-2.0
//
// The table of sensors: what the compiler writes and what the pipeline evaluates are the same
// kinds, and a kind of one's own is added by naming it in the policies.
#include <corten/compile/sensor.hpp>

#include "../support/model.hpp"

#include <string>

using namespace corten;

namespace {

// a kind of one's own: the speed of a site
struct Speed : SensorTraits<SensorType::user, Stage::velocity, 1> {
  static constexpr const char* name = "speed";

  template <class M, class D, class O>
  CORTEN_FN static void evaluate(const M& m, const D& d, int i, const O& out) {
    using S = typename D::Scalar;
    const auto site = detail::sensed_frame(m, d, m.sensor_objtype[i], m.sensor_objid[i]);
    out[0] = norm(Vec3<S>(detail::sensed_velocity(m, d, site).template tail<3>()));
  }
};

struct MyPolicies : DefaultPolicies {
  using Sensors = corten::Sensors<Speed, JointPos>;
};
struct More : DefaultPolicies {
  using Sensors = DefaultSensors::with<Speed>;
};
struct Few : DefaultPolicies {
  using Sensors = corten::Sensors<JointPos>;
};

}  // namespace

TEST_CASE("the compiler's table of sensors is that of the pipeline", "[sensor][000-6.4][000-6.5]") {
  int count = 0;
  for (int type = 0; type <= int(SensorType::user); ++type) {
    DefaultSensors::visit(type, [&](auto kind) {
      const compiler::SensorKind* expected = compiler::find_sensor_kind(kind.type);
      INFO(kind.name);
      ++count;
      REQUIRE(expected != nullptr);
      CHECK(std::string(kind.name) == expected->name);
      CHECK(int(kind.stage) == int(expected->stage));
      CHECK(kind.dim == expected->dim);
      CHECK(int(kind.data) == int(expected->data));
      CHECK(DefaultSensors::has(kind.type));
    });
  }
  CHECK(count == DefaultSensors::count);
  CHECK_FALSE(DefaultSensors::has(SensorType::plugin));
  CHECK_FALSE(DefaultSensors::visit(int(SensorType::plugin), [](auto) {}));
  CHECK(Sensors<JointPos, Clock>::list() == "jointpos, clock");
}

TEST_CASE("policies bring their own sensors", "[sensor]") {
  Model<double> model = support::parse(R"(
<mujoco>
  <worldbody>
    <body><freejoint/><geom size="0.1"/><site name="s" pos="0 0 1"/></body>
    <body pos="1 0 0"><joint name="j" type="slide"/><geom size="0.1"/></body>
  </worldbody>
  <sensor><velocimeter site="s"/><jointpos joint="j"/></sensor>
</mujoco>)");
  model.sensor_type[0] = static_cast<int>(SensorType::user);
  model.sensor_dim[0] = 1;

  Data<double> data(model);
  data.qpos()[7] = 0.5;
  data.qvel()[0] = 3;
  data.qvel()[4] = 4;  // turns the site about y: 4 more along x
  const auto m = bind<MyPolicies>(model).value();
  REQUIRE(forward(m, data.ref()).ok());
  CHECK(near(data.sensordata()[0], 7.0, 1e-12));
  CHECK(data.sensordata()[3] == 0.5);

  // of the library it reads zero, and without any kind the model is refused
  REQUIRE(forward(model, data).ok());
  CHECK(data.sensordata()[0] == 0);
  const auto bound = bind<Few>(model);
  REQUIRE_FALSE(bound.ok());
  CHECK(bound.error().element == "sensor 0");
}

TEST_CASE("a user sensor in MJCF is read by a kind of one's own", "[sensor]") {
  const auto with = [](const std::string& sensor) {
    return support::parse(R"(
<mujoco>
  <worldbody><body><freejoint/><geom size="0.1"/><site name="s" pos="0 0 1"/></body></worldbody>
  <sensor><gyro site="s"/>)" +
                          sensor + R"(</sensor>
</mujoco>)");
  };
  const Model<double> model =
      with("<user name='v' dim='1' needstage='vel' objtype='site' objname='s' cutoff='6'/>");
  Data<double> data(model);
  data.qvel()[0] = 3;
  data.qvel()[4] = 2;
  REQUIRE(forward(bind<More>(model).value(), data.ref()).ok());
  CHECK(data.sensordata()[1] == 2);
  CHECK(near(data.sensordata()[3], 5.0, 1e-12));
  data.qvel()[4] = 9;
  REQUIRE(forward(bind<More>(model).value(), data.ref()).ok());
  CHECK(data.sensordata()[3] == 6);

  // what the model says and what the kind is must agree
  const char* const wrong[] = {"<user dim='2' needstage='vel' objtype='site' objname='s'/>",
                               "<user dim='1' needstage='pos' objtype='site' objname='s'/>"};
  for (const char* sensor : wrong) {
    const auto bound = bind<More>(with(sensor));
    REQUIRE_FALSE(bound.ok());
    CHECK(bound.error().element == "sensor 1");
    CHECK(bound.error().message.find("speed") != std::string::npos);
  }
}
