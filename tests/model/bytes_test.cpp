// SPDX-License-Identifier: Apache-2.0
//
// A compiled model as bytes: the same model again, or an error.
#include <corten/model/bytes.hpp>

#include "../support/catch.hpp"
#include "../support/model.hpp"

using namespace corten;

namespace {

// the error of bytes that should be refused
std::string refusal(std::string_view bytes) {
  const auto model = from_bytes(bytes);
  return model ? std::string() : model.error().to_string();
}

}  // namespace

TEST_CASE("a model of bytes is the same model", "[model][bytes]") {
  for (const char* name : {"contacts", "sensors", "sensor_assets", "tendons", "touch"}) {
    INFO(name);
    const Model<double> model = support::load(name);
    const std::string bytes = to_bytes(model);
    const auto again = from_bytes(bytes);
    REQUIRE(again.ok());
    CHECK(to_bytes(*again) == bytes);
    CHECK(again->names.body == model.names.body);
    CHECK(again->names.model == model.names.model);

    Data<double> a(model), b(*again);
    for (int i = 0; i < 20; ++i) {
      REQUIRE(step(model, a).ok());
      REQUIRE(step(*again, b).ok());
    }
    REQUIRE(a.qpos().size() == b.qpos().size());
    for (std::size_t i = 0; i < a.qpos().size(); ++i) CHECK(a.qpos()[i] == b.qpos()[i]);
  }
}

TEST_CASE("a model of bytes keeps its scalar", "[model][bytes]") {
  const Model<double> model = support::load("contacts");
  const auto single = cast<float>(model);
  const auto dual = cast<Dual<double, 2>>(model);
  CHECK(from_bytes<float>(to_bytes(single))->body_mass[1] == single.body_mass[1]);
  CHECK(from_bytes<Dual<double, 2>>(to_bytes(dual))->body_mass[1].a == model.body_mass[1]);
  CHECK(
      refusal(to_bytes(single)) ==
      "compiled by another version of corten, or for another scalar or machine (compile it again)");
  CHECK_FALSE(from_bytes<float>(to_bytes(model)).ok());
  CHECK_FALSE(from_bytes<Dual<double, 1>>(to_bytes(dual)).ok());
}

TEST_CASE("damaged bytes of a model are refused", "[model][bytes]") {
  const std::string bytes = to_bytes(support::load("contacts"));
  CHECK(refusal("") == "too short for a compiled model");
  CHECK(refusal("<mujoco model='a longer text than the header is'/>") ==
        "not a compiled model (to_bytes makes one; load reads MJCF)");
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    CHECK_FALSE(refusal(std::string_view(bytes).substr(0, size)).empty());
  }
  CHECK(refusal(bytes + " ") == "the compiled model is damaged (compile it again)");
  for (std::size_t at = 0; at < bytes.size(); at += 61) {
    std::string other = bytes;
    other[at] = static_cast<char>(other[at] ^ 4);
    CHECK_FALSE(refusal(other).empty());
  }
}
