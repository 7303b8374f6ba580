// SPDX-License-Identifier: Apache-2.0
//
// The help of the tool: lines of a given width, colours only where they are wanted.
#include "help.hpp"
#include "args.hpp"

#include "support/catch.hpp"

#include <sstream>
#include <string>

namespace {

constexpr cli::OptionInfo options[] = {
    {"--depth", "METRES", "how deep to dig before the machine stops and asks what to do next"},
    {"--a-very-long-name-of-an-option", "VALUE", "which has its help in a line of its own"},
};
constexpr cli::Example examples[] = {{"corten dig --depth 3", "digs"}};
const cli::Command dig = {.name = "dig",
                          .arguments = "HOLE.xml",
                          .summary = "make a hole",
                          .description = "Makes a hole.\n\nThen fills it.",
                          .options = options,
                          .examples = examples,
                          .choices = "",
                          .run = nullptr};
const cli::Command* const all[] = {&dig};

TEST_CASE("help is wrapped, and the same with and without colours", "[tool]") {
  for (const int width : {60, 40}) {
    std::istringstream lines(cli::Help(false, width).page(dig) +
                             cli::Help(false, width).overview(all));
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(width, line);
      CHECK(cli::columns_of(line) <= static_cast<std::size_t>(width));
    }
  }
  const std::string plain = cli::Help(false, 60).page(dig);
  CHECK(plain.find("corten dig HOLE.xml [options]") != std::string::npos);
  CHECK(plain.find("Makes a hole.\n\nThen fills it.") != std::string::npos);
  CHECK(plain.find("\n  --depth METRES          how deep to dig") != std::string::npos);
  CHECK(plain.find("OPTION") == std::string::npos);
  CHECK(plain.find('\033') == std::string::npos);

  std::string coloured = cli::Help(true, 60).page(dig);
  CHECK(coloured != plain);
  for (std::size_t at; (at = coloured.find('\033')) != std::string::npos;) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  CHECK(coloured == plain);
  CHECK(cli::Help(false, 80).overview(all).find("  dig         make a hole\n") !=
        std::string::npos);
}

TEST_CASE("words are counted in characters, and long words stay whole", "[tool]") {
  CHECK(cli::wrap("äöü äöü äöü", 7, 0) == "äöü äöü\näöü");
  CHECK(cli::wrap("a incomprehensibility b", 8, 2) == "a\n  incomprehensibility\n  b");
  CHECK(cli::wrap("", 8, 2).empty());
  CHECK(cli::first_columns("äöü", 2) == "äö");
  CHECK(cli::first_columns("äöü", 5) == "äöü");
}

}  // namespace
