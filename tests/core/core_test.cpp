// SPDX-License-Identifier: Apache-2.0
#include <corten/core/field.hpp>
#include <corten/core/result.hpp>
#include <corten/core/status.hpp>
#include <corten/scalar/dual.hpp>

#include "../support/catch.hpp"

#include <vector>

using namespace corten;

TEST_CASE("an error says where, what and what to do", "[core]") {
  Error e{{"robot.xml", 12, 5},
          "mujoco/worldbody/geom 'foot'",
          "size must be positive",
          "give one radius"};
  CHECK(e.to_string() ==
        "robot.xml:12:5: mujoco/worldbody/geom 'foot': size must be positive (give one radius)");
  e.where = {};
  e.remedy.clear();
  CHECK(e.to_string() == "mujoco/worldbody/geom 'foot': size must be positive");
}

TEST_CASE("a result is a value or an error", "[core]") {
  Result<std::vector<int>> good = std::vector<int>{1, 2};
  REQUIRE(good);
  CHECK(good->size() == 2);
  CHECK((*good)[1] == 2);
  CHECK(std::move(good).value().size() == 2);
  const Result<std::vector<int>> bad = Error{{}, {}, "no", {}};
  CHECK_FALSE(bad.ok());
  CHECK(bad.error().message == "no");
}

TEST_CASE("status bits", "[core]") {
  CHECK(Status{}.ok());
  CHECK(Status{contacts_full}.overflow());
  CHECK_FALSE(Status{bad_qpos}.overflow());
  CHECK(Status{bad_qpos | rows_full}.has(bad_qpos));
}

TEMPLATE_TEST_CASE("fields load and store small values in any layout", "[core]", float, double,
                   (Dual<double, 2>)) {
  using S = TestType;
  std::vector<S> memory(60);
  const Field<S> dense{memory.data()};
  const Field<S, Strided> strided{memory.data(), {2}};
  store(dense, 1, Vec3<S>(S(1), S(2), S(3)));
  CHECK(memory[3] == S(1));
  CHECK(vec3<S>(dense, 1)[2] == S(3));
  CHECK(dense.from(3)[1] == S(2));

  Mat3<S> m = Mat3<S>::Identity();
  m(0, 1) = S(7);
  store(strided, 2, m);
  CHECK(memory[2 * 19] == S(7));
  CHECK(mat3<S>(strided, 2)(0, 1) == S(7));

  // loads convert: a model in double serves data in another scalar
  const double source[] = {1, 2, 3, 4};
  CHECK(quat<S>(Field<const double>{source}, 0)[3] == S(4));
}

TEST_CASE("cells read and assign like numbers", "[core]") {
  int n = 3;
  const Cell<int> cell{&n};
  cell = cell + 2;
  CHECK(n == 5);
  CHECK(cell < 6);
}
