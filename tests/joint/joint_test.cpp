// SPDX-License-Identifier: Apache-2.0
//
// The same tests for every kind of joint: properties that hold for all of them, whatever their
// coordinates.
#include <corten/scalar/dual.hpp>

#include "../support/model.hpp"

using namespace corten;

namespace {

// one body on the joint, off-centre, with a spring
template <class J>
Model<double> one_joint() {
  const std::string kind = J::name;
  const std::string anchor = kind == "free" ? "" : " pos='0.1 0.05 -0.02'";
  const std::string axis = kind == "hinge" || kind == "slide" ? " axis='1 2 0.5'" : "";
  return support::parse(
      "<mujoco><worldbody><body pos='0.3 0.2 1' quat='1 0.2 0.1 0'><joint type='" + kind + "'" +
      anchor + axis +
      " stiffness='3 0.7 0.4'/>"
      "<geom type='box' size='0.1 0.2 0.3' pos='0.1 0 0.05'/></body></worldbody></mujoco>");
}

template <class J>
void integrate_and_difference() {
  const Model<double> model = one_joint<J>();
  CHECK(model.n.nq == J::nq);
  CHECK(model.n.nv == J::nv);
  const auto m = make_ref<DefaultPolicies>(model);
  Data<double> a(model);
  support::perturb(model, a, 5, 0.8, 1.0);
  Data<double> b = a;
  std::vector<double> v(a.qvel().begin(), a.qvel().end()), out(v.size());
  integrate_position(m, b.ref().qpos, Field<double>{v.data()}, 0.3);
  differentiate_position(m, a.ref().qpos, b.ref().qpos, 0.3, Field<double>{out.data()});
  for (std::size_t i = 0; i < v.size(); ++i) CHECK(near(out[i], v[i], 1e-12));
}

// the velocity of a body is the rate of its pose along qvel
template <class J>
void velocity_is_rate_of_pose() {
  const Model<double> model = one_joint<J>();
  const auto m = make_ref<DefaultPolicies>(model);
  Data<double> data(model);
  support::perturb(model, data, 6, 0.8, 1.0);
  auto& d = data.ref();
  REQUIRE(forward(m, d).ok());

  using D = Dual<double, 1>;
  Data<D> moving(model);
  for (int i = 0; i < model.n.nq; ++i) moving.ref().qpos[i] = D(d.qpos[i]);
  std::vector<D> v;
  for (double x : data.qvel()) v.push_back(D(x));
  integrate_position(m, moving.ref().qpos, Field<D>{v.data()}, D(0.0, 0));
  kinematics(m, moving.ref());

  const Vec6<double> twist = point_velocity(m, d, 1, vec3<double>(d.xipos, 1));
  const Vec3<double> w = twist.head<3>();
  const Mat3<double> rate = skew(w) * mat3<double>(d.ximat, 1);
  for (int k = 0; k < 3; ++k) CHECK(near(moving.ref().xipos[3 + k].v[0], twist[3 + k], 1e-12));
  for (int k = 0; k < 9; ++k) {
    CHECK(near(moving.ref().ximat[9 + k].v[0], rate(k / 3, k % 3), 1e-12));
  }
}

// cdof_dot is the rate of cdof along qvel, in a frame that moves with the tree's centre of mass
template <class J>
void spring_is_minus_gradient_of_energy() {
  const Model<double> model = one_joint<J>();
  const auto m = make_ref<DefaultPolicies>(model);
  Data<double> data(model);
  support::perturb(model, data, 7, 0.5, 0.0);
  auto& d = data.ref();
  REQUIRE(forward(m, d).ok());

  using D = Dual<double, J::nv>;
  Data<D> moving(model);
  for (int i = 0; i < model.n.nq; ++i) moving.ref().qpos[i] = D(d.qpos[i]);
  std::vector<D> direction;
  for (int i = 0; i < J::nv; ++i) direction.push_back(D(0.0, i));
  integrate_position(m, moving.ref().qpos, Field<D>{direction.data()}, D(1.0));
  const D energy = J::spring_energy(m, moving.ref(), 0);

  // a rotational spring acts along the rotation vector, which is its own gradient direction
  for (int i = 0; i < J::nv; ++i) CHECK(near(energy.v[i], -d.qfrc_spring[i], 1e-9));
}

}  // namespace

TEMPLATE_TEST_CASE("integrate and difference are inverse", "[joint]", Free, Ball, Slide, Hinge) {
  integrate_and_difference<TestType>();
}

TEMPLATE_TEST_CASE("body velocity is the rate of the pose", "[joint]", Free, Ball, Slide, Hinge) {
  velocity_is_rate_of_pose<TestType>();
}

TEMPLATE_TEST_CASE("springs are conservative", "[joint]", Free, Ball, Slide, Hinge) {
  spring_is_minus_gradient_of_energy<TestType>();
}

TEST_CASE("a policy that lacks a kind is refused by name", "[joint]") {
  using Reduced = Policies<Joints<Hinge, Slide>, DefaultGeoms, DefaultColliders>;
  const Model<double> model = support::load("joints");
  const auto bound = bind<Reduced>(model);
  REQUIRE_FALSE(bound.ok());
  CHECK(bound.error().element == "joint 'float'");
  CHECK(bound.error().message == "is free; the policies list hinge, slide");
  CHECK(bind<>(model).ok());
}
