// SPDX-License-Identifier: Apache-2.0
//
//   random_models [--models N] [--seed S] [--print] [--only PROPERTY] [--save DIR]
//                 [--file MODEL.xml]
//
// draws the models of the seeds S … S + N - 1 and checks the properties that property.hpp lists. A
// model that fails is printed as MJCF with its seed, the property and the numbers that differ, and
// the exit code is 1. With --file the model is read from there and only its state comes from the
// seed, so that a failing case can be reduced.
#include <corten/save.hpp>

#include "../support/random_model.hpp"
#include "census.hpp"
#include "property.hpp"

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iterator>

namespace property {

namespace {

struct Listed {
  const char* name;
  std::string (*holds)(const Case&);
  int every;  // one model in this many is checked
};

constexpr Listed properties[] = {
    {"inertia_is_inverse_dynamics", inertia_is_inverse_dynamics, 1},
    {"forward_agrees_with_inverse", forward_agrees_with_inverse, 1},
    {"momentum_is_kept", momentum_is_kept, 1},
    {"energy_is_kept", energy_is_kept, 1},
    {"jacobians_are_differences", jacobians_are_differences, 1},
    {"rows_are_differences", rows_are_differences, 1},
    {"derivatives_are_differences", derivatives_are_differences, 10},
    {"both_derivatives_agree", both_derivatives_agree, 1},
    {"float_is_near_double", float_is_near_double, 1},
    {"batch_is_one_by_one", batch_is_one_by_one, 2},
    {"lanes_are_one_by_one", lanes_are_one_by_one, 2},
    {"text_is_the_same_model", text_is_the_same_model, 2},
    {"bytes_are_the_same_model", bytes_are_the_same_model, 1},
    {"islands_change_nothing", islands_change_nothing, 1},
    {"compressed_rows_change_nothing", compressed_rows_change_nothing, 1},
    {"order_of_siblings_changes_nothing", order_of_siblings_changes_nothing, 1},
};

struct Arguments {
  int models = 1000;
  std::uint64_t seed = 1;
  bool print = false;
  std::string only, save, file;
};

// a state away from the reference pose, with all inputs
void draw_state(const Model<double>& m, Data<double>& data, std::uint64_t seed) {
  support::Random random(~seed);
  const auto& d = data.ref();
  move(m, data, random_vector(random, m.n.nv, 0.3), 1);
  for (double& v : data.qvel()) v = 0.5 * random();
  for (double& a : data.act()) a = 0.5 * random();
  for (double& u : data.ctrl()) u = random();
  for (double& f : data.qfrc_applied()) f = 0.5 * random();
  for (int b = 1; b < m.n.nbody; ++b) {
    const bool pushed = random() > 0.7;
    for (int k = 0; k < 6; ++k) d.xfrc_applied[6 * b + k] = pushed ? random() : 0;
  }
  for (int k = 0; k < 3 * m.n.nmocap; ++k) d.mocap_pos[k] += 0.1 * random();
  for (int k = 0; k < 4 * m.n.nmocap; ++k) d.mocap_quat[k] += 0.1 * random();
}

// the model of a seed, or the one from --file
corten::Result<corten::Spec> specify(const Arguments& args, std::uint64_t seed) {
  return args.file.empty() ? support::random_model(seed) : corten::mjcf::parse_file(args.file);
}

bool check(const Arguments& args, const Case& c, double (&spent)[std::size(properties)]) {
  bool good = true;
  for (std::size_t k = 0; k < std::size(properties); ++k) {
    const Listed& p = properties[k];
    if (!args.only.empty() ? args.only != p.name : c.seed % std::uint64_t(p.every) != 0) continue;
    const std::clock_t start = std::clock();
    const std::string what = p.holds(c);
    spent[k] += double(std::clock() - start) / CLOCKS_PER_SEC;
    if (what.empty()) continue;
    std::printf("seed %llu: %s\n  %s\n", static_cast<unsigned long long>(c.seed), p.name,
                what.c_str());
    good = false;
  }
  return good;
}

corten::Result<Case> draw_case(const corten::Spec& spec, std::uint64_t seed) {
  auto model = corten::compile(spec);
  if (!model) return model.error();
  Case c{seed, spec, *std::move(model), {}};
  c.data = Data<double>(c.model);
  draw_state(c.model, c.data, seed);
  return c;
}

// Does M have an inverse? As in MuJoCo, M lacks entries for a part of the inertia of a tendon
// between branches, and the rest may outweigh the bodies without being positive definite.
bool has_inverse(const Case& c) {
  Model<double> m = c.model;
  m.opt.disableflags |= corten::disable_constraint | corten::disable_contact;
  Data<double> data = c.data;
  return !forward(m, data).has(corten::bad_inertia);
}

// the case of a seed; if M would have no inverse, without the inertia of tendons
corten::Result<Case> make_case(const Arguments& args, std::uint64_t seed) {
  auto spec = specify(args, seed);
  if (!spec) return spec.error();
  auto c = draw_case(*spec, seed);
  if (!c || has_inverse(*c)) return c;
  for (corten::spec::Tendon& t : spec->tendons) t.armature = 0;
  for (corten::spec::Actuator& a : spec->actuators) {
    if (a.tendon) a.armature = 0;
  }
  return draw_case(*spec, seed);
}

bool run(const Arguments& args, std::uint64_t seed, Census& census,
         double (&spent)[std::size(properties)]) {
  const auto made = make_case(args, seed);
  if (!made) {
    std::printf("seed %llu is not a model: %s\n", static_cast<unsigned long long>(seed),
                made.error().to_string().c_str());
    return false;
  }
  const Case& c = *made;
  if (!args.save.empty()) {
    const std::string path = args.save + "/random" + std::to_string(seed) + ".xml";
    if (const auto done = corten::save(c.spec, path); !done)
      std::printf("%s\n", done.error().to_string().c_str());
  }
  census.add(c.spec, c.model, c.data);
  const bool good = check(args, c, spent);
  if (args.print || (!good && args.file.empty())) {
    const auto text = corten::save_string(c.spec);
    std::printf("%s\n", text ? text->c_str() : text.error().to_string().c_str());
  }
  return good;
}

bool parse(int argc, char** argv, Arguments& out) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--print") {
      out.print = true;
      continue;
    }
    if (i + 1 == argc) return false;
    const char* value = argv[++i];
    if (word == "--models") {
      out.models = std::atoi(value);
    } else if (word == "--seed") {
      out.seed = std::strtoull(value, nullptr, 10);
    } else if (word == "--only") {
      out.only = value;
    } else if (word == "--save") {
      out.save = value;
    } else if (word == "--file") {
      out.file = value;
      out.models = 1;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

}  // namespace property

int main(int argc, char** argv) {
  property::Arguments args;
  if (!property::parse(argc, argv, args)) {
    std::printf(
        "random_models [--models N] [--seed S] [--print] [--only PROPERTY] [--save DIR] [--file "
        "MODEL.xml]\n");
    return 2;
  }
  double spent[std::size(property::properties)] = {};
  const auto start = std::clock();
  property::Census census;
  int failed = 0;
  for (int i = 0; i < args.models; ++i) {
    failed += property::run(args, args.seed + std::uint64_t(i), census, spent) ? 0 : 1;
  }
  const double total = double(std::clock() - start) / CLOCKS_PER_SEC;
  for (std::size_t k = 0; k < std::size(spent); ++k) {
    std::printf("%8.2f s  %s\n", spent[k], property::properties[k].name);
  }
  std::printf("%8.2f s  %d models, %d failed\n", total, args.models, failed);
  if (args.print) census.print();
  const int missing = args.models < 500 ? 0 : census.missing(args.models);
  return failed == 0 && missing == 0 ? 0 : 1;
}
