// SPDX-License-Identifier: Apache-2.0
#include <corten/math/quat.hpp>
#include <corten/math/spatial.hpp>
#include <corten/scalar/dual.hpp>

#include "../support/catch.hpp"

#include <Eigen/Geometry>

#include <random>
#include <type_traits>

using namespace corten;

namespace {

std::mt19937 generator(7);

template <class S>
Vec3<S> random_vector(double scale = 1) {
  std::uniform_real_distribution<double> u(-scale, scale);
  return Vec3<S>(S(u(generator)), S(u(generator)), S(u(generator)));
}

template <class S>
Quat<S> random_quat() {
  return exp_map(random_vector<S>(2));
}

// the distance between two values, for any scalar
template <class A, class B>
double distance(const A& a, const B& b) {
  double worst = 0;
  for (int i = 0; i < a.size(); ++i) {
    worst = std::max(worst, std::fabs(double(value(a.data()[i])) - double(value(b.data()[i]))));
  }
  return worst;
}

template <class S>
constexpr double tolerance = std::is_same_v<value_t<S>, float> ? 2e-6 : 1e-14;

}  // namespace

TEMPLATE_TEST_CASE("rotation by quaternion and by matrix", "[math]", float, double,
                   (Dual<double, 2>)) {
  using S = TestType;
  for (int i = 0; i < 20; ++i) {
    const Quat<S> a = random_quat<S>(), b = random_quat<S>();
    const Vec3<S> v = random_vector<S>();
    CHECK(distance(rotate(a, v), Vec3<S>(to_matrix(a) * v)) < tolerance<S>);
    CHECK(distance(rotate(multiply(a, b), v), rotate(a, rotate(b, v))) < 2 * tolerance<S>);
    CHECK(distance(rotate(conjugate(a), rotate(a, v)), v) < 2 * tolerance<S>);
    const Mat3<S> m = to_matrix(a), unit = m * m.transpose();
    CHECK(distance(unit, Mat3<S>(Mat3<S>::Identity())) < 4 * tolerance<S>);
  }
}

TEST_CASE("to_matrix agrees with Eigen's quaternion", "[math]") {
  for (int i = 0; i < 20; ++i) {
    const Quat<double> q = random_quat<double>();
    const Eigen::Matrix3d m = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
    CHECK((to_matrix(q) - m).cwiseAbs().maxCoeff() < 1e-14);
  }
}

TEMPLATE_TEST_CASE("exp and log are inverse", "[math]", float, double, (Dual<double, 3>)) {
  using S = TestType;
  for (double scale : {1e-9, 1e-5, 0.1, 1.0, 3.0}) {
    const Vec3<S> v = random_vector<S>(scale / 2);
    CHECK(distance(log_map(exp_map(v)), v) < 10 * tolerance<S>);
  }
  // an angle beyond pi comes back as the shorter rotation in the other direction
  const Vec3<S> beyond(S(4), S(0), S(0));
  CHECK(near_relative(log_map(exp_map(beyond))[0], 4 - 2 * 3.14159265358979, 1e-5));
}

TEST_CASE("exp and log have the right derivative at zero", "[math]") {
  using D = Dual<double, 3>;
  const Vec3<D> v(D(0.0, 0), D(0.0, 1), D(0.0, 2));
  const Vec3<D> back = log_map(exp_map(v));
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) CHECK(near(back[i].v[k], i == k ? 1.0 : 0.0, 1e-12));
  }
}

TEST_CASE("normalize is defined for every vector", "[math]") {
  using D = Dual<double, 3>;
  Vec3<D> zero(D(0.0, 0), D(0.0, 1), D(0.0, 2));
  CHECK(normalize(zero).a == 0);
  CHECK(zero[0].a == 1);
  for (int i = 0; i < 3; ++i) CHECK(finite(zero[i]));

  // the derivative of a unit vector is orthogonal to it
  Vec3<D> v(D(1.0, 0), D(2.0, 1), D(-2.0, 2));
  CHECK(near(normalize(v).a, 3.0, 1e-12));
  for (int k = 0; k < 3; ++k) {
    CHECK(near(v[0].a * v[0].v[k] + v[1].a * v[1].v[k] + v[2].a * v[2].v[k], 0.0, 1e-15));
  }
}

TEST_CASE("renormalize leaves a unit quaternion alone but not its derivative", "[math]") {
  using D = Dual<double, 4>;
  Quat<D> q(D(0.5, 0), D(0.5, 1), D(0.5, 2), D(0.5, 3));
  renormalize(q);
  for (int i = 0; i < 4; ++i) {
    CHECK(q[i].a == 0.5);
    for (int k = 0; k < 4; ++k) CHECK(near(q[i].v[k], (i == k ? 1.0 : 0.0) - 0.25, 1e-12));
  }
  Quat<double> none = Quat<double>::Zero();
  renormalize(none);
  CHECK(none == unit_quat<double>());
}

TEST_CASE("a frame is orthonormal for any normal", "[math]") {
  for (const Vec3<double>& x :
       {Vec3<double>(0, 0, 1), Vec3<double>(0, 1, 0), Vec3<double>(0, -1, 0), Vec3<double>(1, 0, 0),
        random_vector<double>()}) {
    const Mat3<double> f = make_frame(x);
    CHECK((f * f.transpose() - Mat3<double>::Identity()).cwiseAbs().maxCoeff() < 1e-15);
    CHECK(near(f.determinant(), 1.0, 1e-12));
    CHECK((f.row(0) - Vec3<double>(x.normalized())).norm() < 1e-15);
  }
  // a suggested second axis is kept as far as possible
  const Mat3<double> f = make_frame(Vec3<double>(0, 0, 1), Vec3<double>(0.6, 0.8, 0.3));
  CHECK(near(f(1, 0), 0.6, 1e-12));
  CHECK(near(f(1, 1), 0.8, 1e-12));
}

TEMPLATE_TEST_CASE("packed inertia is the spatial inertia", "[math]", float, double,
                   (Dual<double, 2>)) {
  using S = TestType;
  const Quat<S> q = random_quat<S>();
  const Vec3<S> diag(S(0.2), S(0.3), S(0.4)), c = random_vector<S>();
  const S mass = S(1.7);
  const Inertia<S> packed = inertia_about(diag, to_matrix(q), c, mass);

  // the full 6x6 matrix: [I + m(c'c 1 - c c'), m c×; -m c×, m 1]
  const Mat3<S> r = to_matrix(q);
  Mat3<S> rotational = scale_columns(r, diag) * r.transpose();
  rotational += mass * (S(c.dot(c)) * Mat3<S>::Identity() - outer(c, c));
  const Vec6<S> v = [&] {
    Vec6<S> out;
    out << random_vector<S>(), random_vector<S>();
    return out;
  }();
  const Vec3<S> w = v.template head<3>(), u = v.template tail<3>();
  const Vec3<S> top = rotational * w + mass * cross(c, u), bottom = mass * (u - cross(c, w));
  const Vec6<S> momentum = multiply(packed, v);
  CHECK(distance(momentum.template head<3>(), top) < 10 * tolerance<S>);
  CHECK(distance(momentum.template tail<3>(), bottom) < 10 * tolerance<S>);
}

TEST_CASE("cross products of motion and force are dual to each other", "[math]") {
  const auto random6 = [] {
    Vec6<double> out;
    out << random_vector<double>(), random_vector<double>();
    return out;
  };
  const Vec6<double> v = random6(), s = random6(), f = random6();
  // (v × s) · f = - s · (v ×* f)
  CHECK(near(cross_motion(v, s).dot(f), -s.dot(cross_force(v, f)), 1e-12));
  CHECK(cross_motion(v, v).norm() < 1e-15);
}

TEMPLATE_TEST_CASE("a transpose is an independent value", "[math]", float, double,
                   (Dual<double, 3>)) {
  using S = TestType;
  const auto number = [](int i) { return S(static_cast<float>(i)); };
  const auto make = [&] {
    return Mat3<S>(number(1), number(2), number(3), number(4), number(5), number(6), number(7),
                   number(8), number(9));
  };
  STATIC_REQUIRE(std::is_same_v<decltype(make().transpose()), Mat3<S>>);
  auto t = make().transpose();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) CHECK(value(t(i, j)) == value(make()(j, i)));
  }
}
