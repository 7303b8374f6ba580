// SPDX-License-Identifier: Apache-2.0
//
// Lists of misuse: calls that a user can get wrong, each of which must be refused by a status or an
// error, without an access out of range, which the sanitizers check.
#pragma once

#include <corten/batch/error.hpp>

#include "model.hpp"

#include <limits>
#include <span>

namespace support::misuse {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr int huge = std::numeric_limits<int>::max();

inline constexpr const char* text = R"(
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="ball" pos="0 0 0.099"><freejoint/><geom name="ball" size="0.1" mass="1"/>
      <body name="arm" pos="0 0 0.2"><joint name="arm" axis="0 1 0"/>
        <geom size="0.05" mass="0.2" pos="0.1 0 0"/><site name="tip"/></body></body>
  </worldbody>
  <actuator><general joint="arm" dyntype="filter" dynprm="0.1"/><motor joint="arm"/></actuator>
  <sensor><jointpos name="angle" joint="arm"/></sensor>
  <keyframe><key name="home" time="1"/></keyframe>
</mujoco>)";

// its positions and velocities are as many numbers as those above
inline constexpr const char* other_text = R"(
<mujoco>
  <worldbody>
    <body><joint type="ball"/><geom size="0.1"/>
      <body pos="0 0 1"><joint axis="0 1 0"/><joint axis="1 0 0"/><joint axis="0 0 1"/>
        <geom size="0.1"/>
        <body pos="0 0 1"><joint axis="0 1 0"/><geom size="0.1"/></body></body></body>
  </worldbody>
</mujoco>)";

// what a case works with, after one good step
struct World {
  corten::Model<double> model, other;
  corten::Data<double> data, of_other, empty;
  std::vector<double> p, x;  // a Jacobian and a velocity

  World() {
    static const corten::Model<double> first = parse(text), second = parse(other_text);
    model = first, other = second;
    data = corten::Data<double>(model), of_other = corten::Data<double>(other);
    p.resize(std::size_t(3 * model.n.nv)), x.resize(std::size_t(model.n.nv));
    REQUIRE(corten::step(model, data).ok());
    REQUIRE(data.ncon() == 1);
  }
};

inline bool is(corten::Status status, int bits) { return status.bits == bits; }
template <class T>
bool is(const corten::BatchResult<T>& result, corten::BatchError::Kind kind) {
  return !result && result.error().kind == kind;
}
// an error that says something
template <class T>
bool explained(const corten::Result<T>& result) {
  return !result && result.error().to_string().size() > 10;
}

struct Case {
  const char* what;
  bool (*refused)(World& w);
};

inline void check(std::span<const Case> cases) {
  for (const Case& c : cases) {
    INFO(c.what);
    World w;
    CHECK(c.refused(w));
  }
}

}  // namespace support::misuse
