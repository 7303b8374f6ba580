// SPDX-License-Identifier: Apache-2.0
//
// Fixed tendons: values that can be computed by hand.
#include "../support/model.hpp"

using namespace corten;

namespace {

// two sliders of 1 kg coupled by a tendon
Model<double> coupled(const std::string& tendon, const std::string& entries,
                      const std::string& rest = "") {
  return support::parse(
      "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='a' type='slide'/><geom "
      "size='0.1' mass='1'/>"
      "</body><body pos='1 0 0'><joint name='b' type='slide'/><geom size='0.1' "
      "mass='1'/></body></worldbody>"
      "<tendon><fixed name='t' " +
      tendon + ">" + entries + "</fixed></tendon>" + rest + "</mujoco>");
}

const char* const pulling_apart = "<joint joint='a' coef='1'/><joint joint='b' coef='-1'/>";
const char* const single = "<joint joint='a' coef='1'/>";

Data<double> at(const Model<double>& model, double qa, double qb, double va = 0, double vb = 0) {
  Data<double> data(model);
  data.qpos()[0] = qa;
  data.qpos()[1] = qb;
  data.qvel()[0] = va;
  data.qvel()[1] = vb;
  REQUIRE(forward(model, data).ok());
  return data;
}

}  // namespace

TEST_CASE("length, Jacobian and velocity of a differential",
          "[tendon][000-4.1][000-4.2][000-4.3]") {
  const Data<double> data = at(coupled("", pulling_apart), 0.3, 0.1, 0.5, 0.2);
  CHECK(near(data.ref().ten_length[0], 0.2, 1e-12));
  CHECK(data.ref().ten_J[0] == 1);
  CHECK(data.ref().ten_J[1] == -1);
  CHECK(near(data.ref().ten_velocity[0], 0.3, 1e-12));

  // the coefficients are the slopes of the length
  const Model<double> model =
      coupled("", "<joint joint='a' coef='1.7'/><joint joint='b' coef='-0.4'/>");
  const double h = 1e-6;
  const Data<double> here = at(model, 0.3, 0.1);
  const auto length = [&](double qa, double qb) { return at(model, qa, qb).ref().ten_length[0]; };
  CHECK(here.ref().ten_J[0] == 1.7);
  CHECK(here.ref().ten_J[1] == -0.4);
  CHECK(near((length(0.3 + h, 0.1) - length(0.3 - h, 0.1)) / (2 * h), 1.7, 1e-8));
  CHECK(near((length(0.3, 0.1 + h) - length(0.3, 0.1 - h)) / (2 * h), -0.4, 1e-8));
}

TEST_CASE("an actuator on a tendon of one joint is one on the joint",
          "[tendon][actuator][000-4.4]") {
  for (const char* kind : {"motor", "position kp='3' kv='0.2'", "velocity kv='0.7'"}) {
    const auto on = [&](const std::string& target) {
      const Model<double> model =
          coupled("", single, "<actuator><" + std::string(kind) + target + "/></actuator>");
      Data<double> data = at(model, 0.3, 0.1, 0.5, 0.2);
      data.ctrl()[0] = 0.8;
      REQUIRE(forward(model, data).ok());
      return data;
    };
    const Data<double> tendon = on(" tendon='t'"), joint = on(" joint='a'");
    CHECK(joint.ref().qfrc_actuator[0] != 0);
    for (int i = 0; i < 2; ++i) {
      CHECK(near(tendon.ref().qfrc_actuator[i], joint.ref().qfrc_actuator[i], 1e-14));
    }
  }
}

TEST_CASE("actuators and sensors on a tendon",
          "[tendon][actuator][sensor][000-4.5][000-4.11][000-4.12][000-4.13]") {
  const Model<double> model = coupled(
      "", pulling_apart,
      "<actuator><motor name='m' tendon='t' gear='2'/></actuator><sensor><tendonpos tendon='t'/>"
      "<tendonvel tendon='t'/><actuatorpos actuator='m'/><actuatorvel actuator='m'/></sensor>");
  Data<double> data = at(model, 0.3, 0.1, 0.5, 0.2);
  data.ctrl()[0] = 0.5;
  REQUIRE(forward(model, data).ok());
  CHECK(data.ref().qfrc_actuator[0] == 1);
  CHECK(data.ref().qfrc_actuator[1] == -1);
  CHECK(near(data.sensordata()[0], 0.2, 1e-12));
  CHECK(near(data.sensordata()[1], 0.3, 1e-12));
  CHECK(near(data.sensordata()[2], 0.4, 1e-12));
  CHECK(near(data.sensordata()[3], 0.6, 1e-12));
}

TEST_CASE("springs and dampers of a tendon", "[tendon][000-4.6][000-4.7]") {
  CHECK(near(at(coupled("stiffness='100' springlength='0'", single), 0.1, 0).ref().qfrc_passive[0],
             -10, 1e-12));
  CHECK(near(at(coupled("damping='10'", single), 0, 0, 0.5).ref().qfrc_passive[0], -5, 1e-12));
  // a dead band: no force inside
  CHECK(at(coupled("stiffness='100' springlength='0 0.2'", single), 0.1, 0).ref().qfrc_passive[0] ==
        0);
}

TEST_CASE("limits and friction loss of a tendon are constraint rows",
          "[tendon][000-4.8][000-4.9][000-4.10]") {
  const Model<double> limited = coupled("limited='true' range='0.1 0.5'", single);
  CHECK(at(limited, 0.05, 0).ref().qfrc_constraint[0] > 0);
  CHECK(at(limited, 0.6, 0).ref().qfrc_constraint[0] < 0);
  CHECK(at(limited, 0.3, 0).ref().nefc == 0);

  // friction loss opposes motion with at most its own force
  const Data<double> rubbing = at(coupled("frictionloss='2'", single), 0, 0, 1.0);
  CHECK(near(rubbing.ref().qfrc_constraint[0], -2, 1e-12));
}

TEST_CASE("a fixed tendon from MJCF", "[tendon][000-4.16]") {
  const Model<double> model = coupled("", "<joint joint='b' coef='3'/>");
  REQUIRE(model.n.ntendon == 1);
  CHECK(model.names.jnt[std::size_t(model.wrap_objid[0])] == "b");
  CHECK(near(at(model, 0.2, 0.5).ref().ten_length[0], 1.5, 1e-12));
}

TEST_CASE("a joint twice in a tendon", "[tendon]") {
  const Data<double> data =
      at(coupled("damping='1'", "<joint joint='a' coef='1'/><joint joint='a' coef='2'/>"), 0.2, 0,
         0.5);
  CHECK(near(data.ref().ten_length[0], 0.6, 1e-12));
  CHECK(near(data.ref().ten_velocity[0], 1.5, 1e-12));
  CHECK(near(data.ref().qfrc_passive[0], -4.5, 1e-12));
}

TEST_CASE("a tendon needs joints that exist", "[tendon][000-4.17]") {
  const auto model = load_string(
      "<mujoco><tendon><fixed name='t'><joint joint='nowhere' "
      "coef='1'/></fixed></tendon></mujoco>");
  REQUIRE_FALSE(model.ok());
  CHECK(model.error().to_string().find("nowhere") != std::string::npos);
}

TEST_CASE("without tendons no stage looks at one", "[tendon][000-4.14][000-4.18]") {
  const auto text = [](const std::string& tendon) {
    return "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 "
           "0.3'><freejoint/><geom type='box' "
           "size='0.1 0.1 0.1'/><body pos='0.2 0 0'><joint name='a' axis='0 1 0' range='-10 10' "
           "frictionloss='0.1' "
           "damping='0.1'/><geom size='0.05' pos='0.1 0 0'/></body></body></worldbody>" +
           tendon + "<actuator><position joint='a' kp='5'/></actuator></mujoco>";
  };
  for (const Integrator integrator : {Integrator::euler, Integrator::rk4, Integrator::implicit}) {
    Model<double> model = support::parse(text(""));
    REQUIRE(model.n.ntendon == 0);
    Model<double> idle = support::parse(
        text("<tendon><fixed name='t'><joint joint='a' coef='2'/></fixed></tendon>"));
    model.opt.integrator = idle.opt.integrator = static_cast<int>(integrator);
    Data<double> without(model, Capacity{50, 300}), with(idle);
    without.ctrl()[0] = with.ctrl()[0] = 0.2;

    // neither the model nor the data have tendon arrays, so that an access would crash the test
    auto m = make_ref<DefaultPolicies>(model);
    auto d = without.ref();
    m.tendon_armature.data = m.tendon_stiffness.data = m.tendon_damping.data = nullptr;
    m.ten_J_rowadr.data = m.ten_J_rownnz.data = m.ten_J_colind.data = nullptr;
    d.ten_length.data = d.ten_J.data = d.ten_velocity.data = nullptr;
    d.ten_wrapadr.data = d.ten_wrapnum.data = nullptr;
    int contacts = 0;
    for (int i = 0; i < 200; ++i) {
      REQUIRE(step(m, d).ok());
      REQUIRE(step(idle, with).ok());
      contacts += d.ncon;
    }
    CHECK(contacts > 0);
    for (std::size_t i = 0; i < 8; ++i) CHECK(without.qpos()[i] == with.qpos()[i]);
  }
}
