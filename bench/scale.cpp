// SPDX-License-Identifier: Apache-2.0
//
// bench_scale: how the cost of a step grows with the model, in both engines: piles, chains, crowds
// and nets (support/scale_models.hpp), or flexes heavy with contacts (support/flex_models.hpp).
// README.md has the method.
#include "support/build_info.hpp"
#include "support/command_line.hpp"
#include "support/flex_models.hpp"
#include "support/scale_case.hpp"
#include "support/scale_models.hpp"
#include "support/table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace bench {
namespace {

struct Choice {
  ScaleOptions run;
  std::string kinds, sizes;
  bool full = false, flex = false;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::vector<int> sizes_of(const ScaleKind& kind, const Choice& choice) {
  std::vector<int> out;
  for (const std::string& word : split(choice.sizes)) {
    out.push_back(std::max(1, corten::io::to_number<int>(word.c_str()).value_or(1)));
  }
  if (!out.empty()) return out;
  out = kind.quick;
  if (choice.full) out.insert(out.end(), kind.more.begin(), kind.more.end());
  return out;
}

// ---- output -------------------------------------------------------------------------------------

struct Row {
  std::string kind;
  int size;
  ScaleCase c;
};

// how the time grows from one size to the next: time ~ size^exponent
double exponent(double time1, double time2, int size1, int size2) {
  return std::log(time2 / time1) / std::log(static_cast<double>(size2) / size1);
}

std::string megabytes(double bytes) { return format("%.2f", bytes / 1e6); }

void print_rows(const std::vector<Row>& rows) {
  Table table({"model", "nv", "contacts", "steps", "corten steps/s", "MuJoCo steps/s", "ratio",
               "exponent", "MuJoCo's", "corten MB", "MuJoCo MB", "corten load ms",
               "MuJoCo load ms"});
  double logs = 0;
  int count = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ScaleCase& c = rows[i].c;
    const bool follows = i > 0 && rows[i - 1].kind == rows[i].kind;
    const auto grows = [&](ScaleRun ScaleCase::*run) -> std::string {
      if (!follows || !((c.*run).seconds > 0) || !((rows[i - 1].c.*run).seconds > 0)) return "";
      return format("%.2f", exponent((rows[i - 1].c.*run).seconds, (c.*run).seconds,
                                     rows[i - 1].size, rows[i].size));
    };
    const bool both = c.mujoco.seconds > 0;
    const std::string name = rows[i].kind + " " + std::to_string(rows[i].size);
    table.add({name, std::to_string(c.nv), std::to_string(c.contacts), std::to_string(c.steps),
               grouped(1 / c.corten.seconds), both ? grouped(1 / c.mujoco.seconds) : "",
               both ? format("%.2f", c.ratio()) : "", grows(&ScaleCase::corten),
               grows(&ScaleCase::mujoco), megabytes(c.corten.bytes),
               both ? megabytes(c.mujoco.bytes) : "", format("%.1f", 1e3 * c.corten.load),
               both ? format("%.1f", 1e3 * c.mujoco.load) : ""});
    if (!both) continue;
    logs += std::log(c.ratio());
    ++count;
  }
  table.print();
  if (count > 0) std::printf("\ngeometric mean of the ratios %.3f\n", std::exp(logs / count));
}

void print_scale_stages(const std::vector<Row>& rows) {
  std::vector<std::string> header = {"µs per step: corten / MuJoCo"};
  for (const char* name : scale_group_names) header.emplace_back(name);
  Table table(header);
  for (const Row& row : rows) {
    std::vector<std::string> cells = {row.kind + " " + std::to_string(row.size)};
    for (std::size_t g = 0; g < scale_groups; ++g) {
      std::string cell = grouped(1e6 * row.c.corten.groups[g]);
      if (row.c.mujoco.seconds > 0) cell += " / " + grouped(1e6 * row.c.mujoco.groups[g]);
      cells.push_back(cell);
    }
    table.add(cells);
  }
  std::printf("\n");
  table.print();
}

// ---- the cases ----------------------------------------------------------------------------------

// Would this size take too long? It is assumed to cost at most the cube of the last one.
bool too_slow(const std::vector<Row>& rows, const std::string& kind, int size, int limit) {
  if (rows.empty() || rows.back().kind != kind || rows.back().size >= size) return false;
  const double larger = static_cast<double>(size) / rows.back().size;
  return rows.back().c.corten.seconds * larger * larger * larger > 4.0 * limit;
}

int scale(const Choice& choice) {
  std::printf("%s\n%s\n%s\n\n", corten_build().c_str(), scale_opponent().c_str(),
              describe(choice.run).c_str());
  std::fflush(stdout);
  const std::vector<std::string> wanted = split(choice.kinds);
  std::vector<Row> rows;
  for (const ScaleKind& kind : choice.flex ? flex_kinds() : scale_kinds()) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), kind.name) == wanted.end()) {
      continue;
    }
    for (const int size : sizes_of(kind, choice)) {
      std::fprintf(stderr, "%s %d\n", kind.name, size);
      if (too_slow(rows, kind.name, size, choice.run.limit)) {
        std::fprintf(stderr, "  skipped: it would not fit into the time limit\n");
        continue;
      }
      std::string why;
      const auto contest = ScaleContest::load(kind.make(size), choice.run, why);
      if (!contest) {
        std::fprintf(stderr, "  %s\n", why.c_str());
        continue;
      }
      rows.push_back({kind.name, size, contest->run()});
      if (const int bits = contest->problems()) {
        std::fprintf(stderr, "  corten reported status %d\n", bits);
      }
    }
  }
  if (rows.empty()) return 1;
  print_rows(rows);
  print_scale_stages(rows);
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  constexpr const char* usage =
      "usage: bench_scale [options]\n"
      "\n"
      "  --kinds A,B,...  spheres, boxes, mixed, chain, rope, crowd, fall, net (all)\n"
      "  --flex           flexes: draped, metric, stacked, solid, jellies, cable\n"
      "  --sizes N,M,...  numbers of bodies, links or people\n"
      "  --full           the larger sizes too\n"
      "  --settle N       steps before measuring (300)\n"
      "  --steps N        steps to measure, at most (100)\n"
      "  --rounds N       how often they are measured; the best time counts (3)\n"
      "  --limit N        seconds for the measurement of a case, and for settling (4)\n"
      "  --solver NAME    PGS, CG or Newton (as in the model: Newton)\n";
  bench::Choice c;
  const auto code = bench::read_command_line(argc, argv, usage,
                                             {{"--kinds", &c.kinds},
                                              {"--sizes", &c.sizes},
                                              {"--full", &c.full},
                                              {"--flex", &c.flex},
                                              {"--settle", &c.run.settle, 0},
                                              {"--steps", &c.run.steps},
                                              {"--rounds", &c.run.rounds},
                                              {"--limit", &c.run.limit},
                                              {"--solver", &c.run.solver}});
  return code ? *code : bench::scale(c);
}
