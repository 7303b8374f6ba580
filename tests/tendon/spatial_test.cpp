// SPDX-License-Identifier: Apache-2.0
//
// Spatial tendons: lengths known from geometry, Jacobians by differences, and the forces along
// them.
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"

#include <cmath>

using namespace corten;

namespace {

// A string from a fixed site at (-0.3, 0, 0) to one on a body at (0.3, 0, 0) that slides along y
// and z, with a geom at the origin between them; `rest` follows the worldbody.
Model<double> strung(const std::string& geom, const std::string& path,
                     const std::string& tendon = "", const std::string& rest = "") {
  return support::parse(
      "<mujoco><option gravity='0 0 0'/><worldbody><site name='a' pos='-0.3 0 0'/>" + geom +
      "<site name='above' pos='0 0.3 0'/><site name='below' pos='0 -0.3 0'/><site name='core' "
      "pos='0 0.02 0'/>"
      "<body pos='0.3 0 0'><joint name='y' type='slide' axis='0 1 0'/><joint name='z' type='slide' "
      "axis='0 0 1'/>"
      "<geom size='0.05' mass='1' contype='0' conaffinity='0'/><site name='b'/></body></worldbody>"
      "<tendon><spatial name='t' " +
      tendon + ">" + path + "</spatial></tendon>" + rest + "</mujoco>");
}

const char* const sphere = "<geom name='g' size='0.1' contype='0' conaffinity='0'/>";
const char* const cylinder =
    "<geom name='g' type='cylinder' size='0.1 0.2' contype='0' conaffinity='0'/>";
const char* const straight = "<site site='a'/><site site='b'/>";
const char* const around = "<site site='a'/><geom geom='g'/><site site='b'/>";

Data<double> at(const Model<double>& model, double y, double z, double vy = 0, double vz = 0) {
  Data<double> data(model);
  data.qpos()[0] = y;
  data.qpos()[1] = z;
  data.qvel()[0] = vy;
  data.qvel()[1] = vz;
  REQUIRE(forward(model, data).ok());
  return data;
}

double length(const Data<double>& data) { return data.ref().ten_length[0]; }

// the length around a circle: two tangents and the arc between them
double around_circle(double a, double b, double angle, double r) {
  return std::sqrt(a * a - r * r) + std::sqrt(b * b - r * r) +
         r * (angle - std::acos(r / a) - std::acos(r / b));
}

}  // namespace

TEST_CASE("straight tendons are as long as their pieces", "[tendon][002-4.1][002-4.2]") {
  const Model<double> two = strung("", straight);
  const Model<double> three = strung("", "<site site='a'/><site site='above'/><site site='b'/>");
  for (double y : {-0.5, 0.0, 0.2}) {
    CHECK(near_relative(length(at(two, y, 0.3)), std::sqrt(0.36 + y * y + 0.09), 1e-14));
    CHECK(
        near_relative(length(at(three, y, 0)), std::sqrt(0.18) + std::hypot(0.3, y - 0.3), 1e-14));
  }
}

TEST_CASE("a bare spatial tendon has a length and makes no force", "[tendon][000-4.15]") {
  const Model<double> model = strung("", straight);
  CHECK(model.n.ntendon == 1);
  const Data<double> data = at(model, 0.2, 0, 0.5, 0.1);
  CHECK(length(data) > 0.6);
  CHECK(data.ref().ten_J[0] > 0);
  for (int i = 0; i < 2; ++i) {
    CHECK(data.ref().qfrc_passive[i] == 0);
    CHECK(data.ref().qfrc_constraint[i] == 0);
    CHECK(data.qacc()[std::size_t(i)] == 0);
  }
}

TEST_CASE("around a sphere when it is in the way", "[tendon][002-4.3][002-4.15]") {
  const Model<double> model = strung(sphere, around);
  CHECK(near_relative(length(at(model, 0, 0)), 2 * std::sqrt(0.08) + 0.1 * std::acos(7.0 / 9),
                      1e-12));
  const double b = std::hypot(0.3, 0.1);
  const double angle = pi - std::atan2(0.1, 0.3);
  CHECK(near_relative(length(at(model, 0.1, 0)), around_circle(0.3, b, angle, 0.1), 1e-12));
  CHECK(near_relative(length(at(model, 0, -0.1)), around_circle(0.3, b, angle, 0.1), 1e-12));
  CHECK(near_relative(length(at(model, 0.9, 0)), std::hypot(0.6, 0.9), 1e-14));
}

TEST_CASE("around a cylinder along a helix", "[tendon][002-4.4]") {
  const Model<double> model = strung(cylinder, around);
  const double b = std::hypot(0.3, 0.1), angle = pi - std::atan2(0.1, 0.3);
  const double flat = around_circle(0.3, b, angle, 0.1);
  const Data<double> data = at(model, 0.1, 0.4);
  CHECK(near_relative(length(data), std::hypot(flat, 0.4), 1e-12));

  // the path has four points, the middle two on the geom
  REQUIRE(data.ref().ten_wrapnum[0] == 4);
  const int objects[] = {-1, 0, 0, -1};
  for (int i = 0; i < 4; ++i) CHECK(data.ref().wrap_obj[i] == objects[i]);
  for (int i : {1, 2}) {
    const Vec3<double> x = vec3<double>(data.ref().wrap_xpos, i);
    CHECK(near(std::hypot(x[0], x[1]), 0.1, 1e-12));
    CHECK(x[2] > 0);
    CHECK(x[2] < 0.4);
  }
}

TEST_CASE("a side site says where to pass", "[tendon][002-4.14]") {
  for (const char* geom : {sphere, cylinder}) {
    const auto sided = [&](const char* side, double y) {
      const std::string path =
          std::string("<site site='a'/><geom geom='g' sidesite='") + side + "'/><site site='b'/>";
      return at(strung(geom, path), y, 0);
    };
    const double b = std::hypot(0.3, 0.05), turn = std::atan2(0.05, 0.3);
    const Data<double> short_way = sided("above", 0.05), long_way = sided("below", 0.05);
    CHECK(near_relative(length(short_way), around_circle(0.3, b, pi - turn, 0.1), 1e-12));
    CHECK(near_relative(length(long_way), around_circle(0.3, b, pi + turn, 0.1), 1e-12));
    CHECK(short_way.ref().wrap_xpos[4] > 0);
    CHECK(long_way.ref().wrap_xpos[4] < 0);

    // the straight path is clear, but on the wrong side
    const Data<double> clear = sided("below", 0.9);
    CHECK(clear.ref().ten_wrapnum[0] == 4);
    CHECK(length(clear) > std::hypot(0.6, 0.9));
  }
}

TEST_CASE("a side site inside leads the tendon through", "[tendon]") {
  const char* const path = "<site site='a'/><geom geom='g' sidesite='core'/><site site='b'/>";
  for (const char* geom : {sphere, cylinder}) {
    const Model<double> model = strung(geom, path);
    // through the middle it stays straight; from above it is pulled down to the surface
    CHECK(at(model, 0, 0).ref().ten_wrapnum[0] == 2);
    const Data<double> data = at(model, 1.5, 0);
    REQUIRE(data.ref().ten_wrapnum[0] == 4);
    const Vec3<double> touch = vec3<double>(data.ref().wrap_xpos, 1);
    CHECK((touch - vec3<double>(data.ref().wrap_xpos, 2)).norm() < 1e-12);
    CHECK(near(touch.norm(), 0.1, 1e-12));

    // the string bends like a reflected ray
    const Vec3<double> in = (touch - Vec3<double>(-0.3, 0, 0)).normalized();
    const Vec3<double> out = (Vec3<double>(0.3, 1.5, 0) - touch).normalized();
    CHECK(near((in + out).normalized().dot(touch.normalized()), 0, 1e-5));
  }
}

TEST_CASE("pulleys divide what follows them", "[tendon][002-4.10]") {
  const std::string branch = "<site site='above'/><site site='b'/>";
  const Data<double> one = at(strung("", branch), 0.1, 0.2);
  const Data<double> both =
      at(strung("", std::string(straight) + "<pulley divisor='2'/>" + branch), 0.1, 0.2);
  const Data<double> first = at(strung("", straight), 0.1, 0.2);
  CHECK(near(length(both), length(first) + length(one) / 2, 1e-12));
  for (int k = 0; k < 2; ++k) {
    CHECK(near(both.ref().ten_J[k], first.ref().ten_J[k] + one.ref().ten_J[k] / 2, 1e-12));
  }
  const int objects[] = {-1, -1, -2, -1, -1};
  REQUIRE(both.ref().ten_wrapnum[0] == 5);
  for (int i = 0; i < 5; ++i) CHECK(both.ref().wrap_obj[i] == objects[i]);

  // up to the next pulley, which divides by its own number
  const Data<double> three = at(strung("", std::string(straight) + "<pulley divisor='2'/>" +
                                               branch + "<pulley divisor='5'/>" + straight),
                                0.1, 0.2);
  CHECK(near(length(three), length(both) + length(first) / 5, 1e-12));
  for (int k = 0; k < 2; ++k) {
    CHECK(near(three.ref().ten_J[k], both.ref().ten_J[k] + first.ref().ten_J[k] / 5, 1e-12));
  }
}

TEST_CASE("no jump where a tendon begins to wrap", "[tendon][002-4.11]") {
  for (const char* geom : {sphere, cylinder}) {
    const Model<double> model = strung(geom, around);
    const auto wraps = [](const Data<double>& data) { return data.ref().ten_wrapnum[0] == 4; };
    const double h = 1e-3;
    int changes = 0;
    for (int i = 100; i < 400; ++i) {
      double low = i * h, high = low + h;
      const Data<double> here = at(model, low, 0.05), next = at(model, high, 0.05);
      const double slope = 0.5 * (here.ref().ten_J[0] + next.ref().ten_J[0]);
      if (wraps(here) == wraps(next)) {
        // it grows according to its Jacobian: the trapezium rule leaves h³ L''' / 12
        CHECK(near(length(next) - length(here), slope * h, 1e-8));
        continue;
      }
      // Where it begins to wrap, the kink within a step is too large, so the interval is bisected.
      // Closer than about 1e-8, rounding decides which way around has no crossing, and as in MuJoCo
      // it may be the long way.
      ++changes;
      while (high - low > 2e-6) {
        const double middle = 0.5 * (low + high);
        (wraps(at(model, middle, 0.05)) == wraps(here) ? low : high) = middle;
      }
      const double grown = length(at(model, high, 0.05)) - length(at(model, low, 0.05));
      CHECK(near(grown, slope * (high - low), 1e-8));
    }
    CHECK(changes == 1);
  }
}

TEST_CASE("free bodies turn about their own axes", "[tendon][002-4.18]") {
  const Model<double> model = support::parse(
      "<mujoco><worldbody><site name='anchor'/><body pos='1 0 0' euler='0 45 0'><freejoint/><geom "
      "size='0.05'/>"
      "<site name='attach' pos='0.2 0.1 0'/></body></worldbody><tendon><spatial stiffness='100'>"
      "<site site='anchor'/><site site='attach'/></spatial></tendon></mujoco>");
  Data<double> data(model);
  REQUIRE(forward(model, data).ok());
  CHECK(near_relative(length(data), 1.15448807, 1e-8));
  const double expected[] = {0.98868, 0.08662, -0.12250, 0.06125, -0.12250, -0.06125};
  for (int k = 0; k < 6; ++k) CHECK(near(data.ref().ten_J[k], expected[k], 1e-5));
}

TEST_CASE("what acts along a tendon reaches the joints through its Jacobian",
          "[tendon][002-4.7][002-4.8][002-4.9][002-4.12]") {
  const Model<double> model =
      strung(sphere, around, "stiffness='100' damping='10' springlength='0.6' range='0 0.62'",
             "<actuator><motor tendon='t' gear='3'/></actuator>");
  CHECK(near(model.tendon_length0[0], length(at(model, 0, 0)), 1e-12));
  Data<double> data = at(model, 0.12, 0.2, 0.3, -0.4);
  data.ctrl()[0] = 2;
  REQUIRE(forward(model, data).ok());
  const auto& d = data.ref();
  const double force = -100 * (d.ten_length[0] - 0.6) - 10 * d.ten_velocity[0];
  for (int k = 0; k < 2; ++k) {
    CHECK(near(d.qfrc_passive[k], force * d.ten_J[k], 1e-12));
    CHECK(near(d.qfrc_actuator[k], 6 * d.ten_J[k], 1e-12));
  }
  // too long, so the limit shortens it
  REQUIRE(d.nl == 1);
  CHECK(near(d.efc_pos[0], 0.62 - d.ten_length[0], 1e-12));
  CHECK(d.efc_force[0] > 0);
  for (int k = 0; k < 2; ++k)
    CHECK(near(d.qfrc_constraint[k], -d.ten_J[k] * d.efc_force[0], 1e-12));
}

TEST_CASE("a muscle on a wrapped tendon", "[tendon][actuator][002-4.13]") {
  // from above it is bent at the reference pose, so both sliders of 1 kg are affected
  const Model<double> model =
      strung(sphere, "<site site='above'/><geom geom='g' sidesite='below'/><site site='b'/>", "",
             "<actuator><muscle tendon='t' lengthrange='0.1 1'/></actuator>");
  const Data<double> data = at(model, 0, 0);
  REQUIRE(data.ref().ten_wrapnum[0] == 4);
  CHECK(model.actuator_acc0[0] > 0.1);
  CHECK(near(model.actuator_acc0[0], std::hypot(data.ref().ten_J[0], data.ref().ten_J[1]), 1e-12));
}

namespace {

// lengths after moving along the velocity for a time h
std::vector<double> lengths_after(const Model<double>& model, const Data<double>& start, double h) {
  Data<double> data = start;
  const auto m = make_ref<DefaultPolicies>(model);
  integrate_position(m, data.ref().qpos, data.ref().qvel, h);
  REQUIRE(forward(model, data).ok());
  return {data.ref().ten_length.data, data.ref().ten_length.data + model.n.ntendon};
}

}  // namespace

TEST_CASE("Jacobian and velocity are the derivatives of the length",
          "[tendon][002-4.5][002-4.6][002-4.19]") {
  const Model<double> model = support::load("tendons");
  for (std::uint64_t seed = 1; seed < 4; ++seed) {
    Data<double> data(model);
    support::perturb(model, data, seed, 0.2, 1);
    const std::vector<double> velocity(data.qvel().begin(), data.qvel().end());
    for (int i = -1; i < model.n.nv; ++i) {
      // along each dof, and along all of them together
      for (int k = 0; k < model.n.nv; ++k) {
        data.qvel()[std::size_t(k)] = i < 0 ? velocity[std::size_t(k)] : double(i == k);
      }
      REQUIRE(forward(model, data).ok());
      const auto plus = lengths_after(model, data, 1e-6), minus = lengths_after(model, data, -1e-6);
      for (int t = 0; t < model.n.ntendon; ++t) {
        INFO("tendon " << model.names.tendon[std::size_t(t)] << ", dof " << i);
        const std::size_t k = std::size_t(t);
        CHECK(near(data.ref().ten_velocity[t], (plus[k] - minus[k]) / 2e-6, 1e-6));
      }
    }
  }
}

TEST_CASE("the bias of a heavy tendon keeps the energy", "[tendon]") {
  // two links and a string with inertia, without dissipation: M changes as its bias says
  const Model<double> model = support::parse(
      "<mujoco><option gravity='0 0 0' integrator='RK4' timestep='0.001'><flag "
      "energy='enable'/></option>"
      "<worldbody><site name='a' pos='0.1 0 0.2'/><body><joint axis='0 1 0'/><geom type='capsule' "
      "size='0.03' "
      "fromto='0 0 0 0.3 0 0'/><site name='b' pos='0.2 0.05 0.1'/><body pos='0.3 0 0'><joint "
      "axis='0.2 1 0.3'/>"
      "<geom type='capsule' size='0.03' fromto='0 0 0 0.3 0 0'/><site name='c' pos='0.3 0 "
      "0.1'/></body></body>"
      "</worldbody><tendon><spatial armature='5'><site site='a'/><site site='b'/><site "
      "site='c'/></spatial>"
      "</tendon></mujoco>");
  Data<double> data(model);
  data.qvel()[0] = 3;
  data.qvel()[1] = -2;
  REQUIRE(forward(model, data).ok());
  const double before = data.ref().energy[1];
  for (int k = 0; k < 300; ++k) REQUIRE(step(model, data).ok());
  REQUIRE(forward(model, data).ok());
  CHECK(near_relative(data.ref().energy[1], before, 1e-8));
}

namespace {

// the numbers of the smooth part of a step, concatenated
template <class S>
std::vector<S> smooth_numbers(const Data<S>& data) {
  const auto& d = data.ref();
  std::vector<S> out;
  const auto add = [&](const auto& field, int count) {
    for (int i = 0; i < count; ++i) out.push_back(field[i]);
  };
  add(d.ten_length, d.n.ntendon);
  add(d.ten_J, d.n.nJten);
  add(d.actuator_length, d.n.nout);
  add(d.actuator_moment, d.n.nJmom);
  add(d.qfrc_bias, d.n.nv);
  add(d.qfrc_passive, d.n.nv);
  add(d.qacc_smooth, d.n.nv);
  return out;
}

std::vector<double> moved(const Model<double>& model, const Data<double>& start, int input,
                          double by) {
  Data<double> data = start;
  const int nq = model.n.nq;
  (input < nq ? data.ref().qpos[input] : data.ref().qvel[input - nq]) += by;
  REQUIRE(forward(model, data).ok());
  return smooth_numbers(data);
}

}  // namespace

TEST_CASE("duals have the derivatives of tendons and transmissions",
          "[tendon][actuator][derivative]") {
  const std::string name = GENERATE("tendons", "transmissions");
  const Model<double> model = support::load(name);
  const int inputs = model.n.nq + model.n.nv;
  Data<double> start(model);
  support::perturb(model, start, 3, 0.1, 1);
  for (int first = 0; first < inputs; first += Dual8::tangents) {
    Data<Dual8> data(model);
    support::perturb(model, data, 3, 0.1, 1);
    for (int k = first; k < std::min(first + Dual8::tangents, inputs); ++k) {
      (k < model.n.nq ? data.ref().qpos[k] : data.ref().qvel[k - model.n.nq]).v[k - first] = 1;
    }
    REQUIRE(forward(model, data).ok());
    const std::vector<Dual8> exact = smooth_numbers(data);
    for (int k = first; k < std::min(first + Dual8::tangents, inputs); ++k) {
      const double h = 1e-6;
      const auto plus = moved(model, start, k, h), minus = moved(model, start, k, -h);
      REQUIRE(plus.size() == exact.size());
      for (std::size_t i = 0; i < exact.size(); ++i) {
        INFO(name << ", number " << i << ", input " << k);
        const double slope = (plus[i] - minus[i]) / (2 * h);
        CHECK(near_relative(exact[i].v[k - first], slope, 1e-5, 1));
      }
    }
  }
}
