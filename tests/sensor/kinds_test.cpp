// SPDX-License-Identifier: Apache-2.0
//
// The table of sensors: the compiler and the pipeline know the same kinds, and naming a
// user-defined kind in the policies adds it.
#include <corten/compile/sensor.hpp>

#include "../support/model.hpp"

#include <string>

using namespace corten;

namespace {

// a user-defined kind: the speed of a site
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

namespace {

// one of each kind of object, the second of its kind
const char* const objects_text = R"(
<mujoco><worldbody><site name="s0"/><camera name="c0"/><geom name="g0" size="0.1"/>
  <body name="b0"><joint name="j0"/><geom size="0.1"/></body>
  <body name="b" pos="1 2 3" euler="10 20 30"><joint name="j" type="slide" range="-1 1"/>
    <geom name="g" size="0.1" pos="0.1 0 0"/><site name="s" pos="0 0.2 0"/>
    <camera name="c" pos="0 0 0.3" resolution="4 4"/>
    <body><joint name="q" type="ball"/><geom size="0.1"/></body></body>
</worldbody><tendon><fixed name="t0"><joint joint="j" coef="1"/></fixed>
  <fixed name="t" range="-1 1"><joint joint="j" coef="2"/></fixed></tendon>
<actuator><motor name="a0" joint="j"/><motor name="a" joint="j"/></actuator>
<sensor><clock/></sensor></mujoco>)";

struct Object {
  ObjectType type;
  const char* name;
  int id;
};
const Object objects[] = {
    {ObjectType::body, "b", 2},   {ObjectType::xbody, "b", 2},  {ObjectType::joint, "j", 1},
    {ObjectType::joint, "q", 2},  {ObjectType::geom, "g", 2},   {ObjectType::site, "s", 1},
    {ObjectType::camera, "c", 1}, {ObjectType::tendon, "t", 1}, {ObjectType::actuator, "a", 1},
};

// what a sensor of this kind can be attached to
bool attaches(SensorType kind, const Object& object) {
  using enum SensorType;
  using On = ObjectType;
  const On on = object.type;
  const bool ball = std::string(object.name) == "q";
  switch (kind) {
    case touch:
    case accelerometer:
    case velocimeter:
    case gyro:
    case force:
    case torque:
    case magnetometer:
    case camprojection: return on == On::site;
    case rangefinder: return on == On::site || on == On::camera;
    case jointpos:
    case jointvel:
    case jointactuatorfrc:
    case jointlimitpos:
    case jointlimitvel:
    case jointlimitfrc: return on == On::joint && !ball;
    case ballquat:
    case ballangvel: return ball;
    case tendonpos:
    case tendonvel:
    case tendonactuatorfrc:
    case tendonlimitpos:
    case tendonlimitvel:
    case tendonlimitfrc: return on == On::tendon;
    case actuatorpos:
    case actuatorvel:
    case actuatorfrc: return on == On::actuator;
    case subtreecom:
    case subtreelinvel:
    case subtreeangmom: return on == On::body;
    default:  // frames
      return on == On::body || on == On::xbody || on == On::geom || on == On::site ||
             on == On::camera;
  }
}

bool is_frame(SensorType kind) {
  return kind >= SensorType::framepos && kind <= SensorType::frameangacc;
}

}  // namespace

TEST_CASE("sensors are attached to objects that they can be evaluated for, and to no others",
          "[sensor][000-6.5]") {
  auto spec = mjcf::parse(objects_text);
  REQUIRE(spec.ok());
  spec::Sensor& sensor = spec->sensors[0];
  int accepted = 0;
  for (const SensorRow& kind : sensor_rows) {
    const bool listed = kind.object != ObjectType::unknown || is_frame(kind.type) ||
                        kind.type == SensorType::rangefinder;
    if (!listed) continue;
    for (const Object& object : objects) {
      INFO(kind.name << " on " << object.name << " of type " << int(object.type));
      sensor.type = kind.type;
      sensor.objtype = object.type;
      sensor.objname = object.name;
      const bool projects = kind.type == SensorType::camprojection;
      sensor.reftype = projects ? ObjectType::camera : ObjectType::unknown;
      sensor.refname = projects ? "c" : "";
      const auto model = compile(*spec);
      CHECK(model.ok() == attaches(kind.type, object));
      if (!model) continue;
      ++accepted;
      CHECK(model->sensor_objtype[0] == int(object.type));
      CHECK(model->sensor_objid[0] == object.id);
      if (kind.type != SensorType::framepos) continue;

      // and exactly this object is read
      Data<double> data(*model);
      REQUIRE(forward(*model, data).ok());
      const auto& d = data.ref();
      const auto places = object.type == ObjectType::body    ? d.xipos
                          : object.type == ObjectType::xbody ? d.xpos
                          : object.type == ObjectType::geom  ? d.geom_xpos
                          : object.type == ObjectType::site  ? d.site_xpos
                                                             : d.cam_xpos;
      for (int k = 0; k < 3; ++k) CHECK(d.sensordata[k] == places[3 * object.id + k]);
    }
  }
  CHECK(accepted == 8 + 2 + 6 + 2 + 6 + 3 + 3 + 9 * 5);
}

TEST_CASE("every kind of sensor except plugins can be read", "[sensor]") {
  int count = 0;
  for (const SensorRow& row : sensor_rows) {
    INFO(row.name);
    const bool read = row.type != SensorType::plugin;
    CHECK(DefaultSensors::has(row.type) == read);
    DefaultSensors::visit(int(row.type), [&](auto kind) {
      ++count;
      CHECK(kind.type == row.type);
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

  // with the library's own kind it reads zero, and without any kind the model is refused
  REQUIRE(forward(model, data).ok());
  CHECK(data.sensordata()[0] == 0);
  const auto bound = bind<Few>(model);
  REQUIRE_FALSE(bound.ok());
  CHECK(bound.error().element == "sensor 0");
}

TEST_CASE("a user sensor in MJCF is read by a user-defined kind", "[sensor]") {
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

  // the attributes in the model and those of the kind must agree
  const char* const wrong[] = {"<user dim='2' needstage='vel' objtype='site' objname='s'/>",
                               "<user dim='1' needstage='pos' objtype='site' objname='s'/>"};
  for (const char* sensor : wrong) {
    const Model<double> refused = with(sensor);
    const auto bound = bind<More>(refused);
    REQUIRE_FALSE(bound.ok());
    CHECK(bound.error().element == "sensor 1");
    CHECK(bound.error().message.find("speed") != std::string::npos);
  }
}
