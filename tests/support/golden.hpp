// SPDX-License-Identifier: Apache-2.0
//
// Golden numbers: the results of MuJoCo 3.12.0 for the models in tests/models, one forward or one
// step at a time. For each entry, tests/golden/NAME.json has the complete input (`pre`) and every
// field after the step.
#pragma once

#include <corten/io/inspect.hpp>

#include "model.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace golden {

inline std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

inline corten::io::Json load_golden(const std::string& name) {
  auto tree =
      corten::io::read_json(read_text(std::string(CORTEN_TEST_DIR) + "/golden/" + name + ".json"));
  if (!tree) FAIL(tree.error().to_string());
  return *std::move(tree);
}

inline void flatten(const corten::io::Json& from, std::vector<double>& out) {
  if (const auto* items = from.array()) {
    for (const auto& item : *items) flatten(item, out);
  } else if (const auto x = from.number()) {
    out.push_back(*x);
  }
}

// largest difference, relative to the field's own largest value (at least 1)
inline double field_error(const corten::io::Json& expected, const corten::io::Json& got) {
  std::vector<double> a, b;
  flatten(expected, a);
  flatten(got, b);
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double scale = 1, worst = 0;
  for (double x : a) scale = std::max(scale, std::fabs(x));
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::fabs(a[i] - b[i]));
  return worst / scale;
}

// contacts, member by member, in order
inline double contact_error(const corten::io::Json& expected, const corten::io::Json& got) {
  if (expected.array()->size() != got.array()->size())
    return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (std::size_t i = 0; i < expected.array()->size(); ++i) {
    for (const auto& member : *(*expected.array())[i].object()) {
      const auto* other = (*got.array())[i].find(member.first);
      worst = std::max(worst, other ? field_error(member.second, *other)
                                    : std::numeric_limits<double>::infinity());
    }
  }
  return worst;
}

// with the options of the golden numbers: solvers iterate until nothing changes
inline corten::Model<double> converged(corten::Model<double> model) {
  model.opt.tolerance = 0;
  model.opt.iterations = 200;
  model.opt.ls_iterations = 100;
  return model;
}

// Runs every entry of the golden file from its input and calls check(entry, field, error).
template <class S, class F>
void compare(const std::string& name, F&& check,
             corten::JacobianKind jacobian = corten::JacobianKind::automatic) {
  corten::Model<double> model = converged(support::load(name));
  model.opt.jacobian = static_cast<int>(jacobian);
  model.opt.enableflags |= corten::enable_energy;
  const corten::io::Json tree = load_golden(name);
  REQUIRE(*tree.find("oracle")->find("engine")->string() == CORTEN_MUJOCO_VERSION);

  corten::Data<S> data(model);
  for (const auto& entry : *tree.find("data")->array()) {
    data.reset(model);
    const auto done = corten::io::read_state(*entry.find("pre"), data);
    if (!done) FAIL(done.error().to_string());
    const bool whole_step = *entry.find("kind")->string() == "step";
    const corten::Status status = whole_step ? step(model, data) : forward(model, data);
    REQUIRE(status.ok());

    corten::io::JsonWriter out;
    corten::io::write_data(out, model, data);
    const corten::io::Json got = corten::io::read_json(out.text()).value();
    const std::string label = name + " step " + std::to_string(int(*entry.find("step")->number()));
    for (const auto& member : *entry.object()) {
      if (member.first == "step" || member.first == "kind" || member.first == "pre") continue;
      const auto* field = got.find(member.first);
      INFO(label << ' ' << member.first);
      REQUIRE(field != nullptr);
      const bool contacts = member.first == "contact";
      check(label, member.first,
            contacts ? contact_error(member.second, *field) : field_error(member.second, *field));
    }
  }
}

}  // namespace golden
