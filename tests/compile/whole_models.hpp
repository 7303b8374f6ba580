// SPDX-License-Identifier: Apache-2.0
//
// Compares whole models with golden files: names and arrays of tests/models/NAME.xml, as MuJoCo
// compiles them.
#pragma once

#include <corten/io/json.hpp>
#include <corten/load.hpp>
#include <corten/version.hpp>

#include "support.hpp"

#include <fstream>
#include <sstream>

namespace compile_test {

inline const std::string tests = CORTEN_TEST_DIR;

inline corten::io::Json read_golden(const std::string& name) {
  std::ifstream in(tests + "/golden/" + name, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  auto tree = corten::io::read_json(text.str());
  if (!tree) FAIL(tree.error().to_string());
  return *std::move(tree);
}

// the names of one kind of element, by id
inline const corten::List<std::string>& names_of(const Model<double>& m, const std::string& kind) {
#define X(member, word) \
  if (kind == #member) return m.names.member;
  CORTEN_MODEL_NAMES(X)
#undef X
  FAIL("no names of kind " << kind);
  return m.names.body;
}

inline void check_names(const Model<double>& m, const corten::io::Json& golden) {
  for (const auto& member : *golden.object()) {
    corten::List<std::string> want;
    for (const auto& name : *member.second.array()) want.push_back(*name.string());
    INFO("names of " << member.first);
    CHECK(names_of(m, member.first) == want);
  }
}

inline void check_arrays(const Model<double>& m, const corten::io::Json& golden) {
  for (const auto& member : *golden.object()) {
    INFO(member.first);
    const std::vector<double> got = field(m, member.first);
    std::vector<double> want;
    for (const auto& x : *member.second.array()) want.push_back(*x.number());
    REQUIRE(got.size() == want.size());
    double scale = 1, worst = 0;
    for (const double x : want) scale = std::max(scale, std::fabs(x));
    for (std::size_t i = 0; i < got.size(); ++i)
      worst = std::max(worst, std::fabs(got[i] - want[i]));
    CHECK(worst <= 1e-9 * scale);
  }
}

// every model of a golden file
inline void check_models(const std::string& file) {
  const corten::io::Json golden = read_golden(file);
  REQUIRE(*golden.find("engine")->string() == CORTEN_MUJOCO_VERSION);
  for (const auto& member : *golden.find("models")->object()) {
    INFO(member.first);
    const auto model = corten::load(tests + "/models/" + member.first + ".xml");
    if (!model) FAIL(model.error().to_string());
    CHECK(model->opt.timestep == *member.second.find("timestep")->number());
    check_names(*model, *member.second.find("names"));
    check_arrays(*model, *member.second.find("arrays"));
  }
}

}  // namespace compile_test
