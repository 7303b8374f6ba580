// SPDX-License-Identifier: Apache-2.0
#include <corten/mjcf/include.hpp>
#include <corten/mjcf/read.hpp>

#include <map>
#include <stdexcept>
#include <string>

#include "../support/catch.hpp"

using namespace corten;

namespace {

using Files = std::map<std::string, std::string>;

Result<Spec> read(const Files& files, const std::string& main) {
  mjcf::ReadOptions options;
  options.load = [&files](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return std::nullopt;
    return found->second;
  };
  return mjcf::parse_file(main, options);
}

std::string failure(const Files& files, const std::string& main) {
  const auto out = read(files, main);
  return out.ok() ? "no error" : out.error().to_string();
}

}  // namespace

TEST_CASE("included elements take the place of <include> and keep their own", "[mjcf]") {
  const auto out = read({{"m/main.xml",
                          "<mujoco><include file='parts/a.xml'/>\n<worldbody><geom name='g0'/>"
                          "<include file='parts/b.xml'/><geom name='g2'/></worldbody></mujoco>"},
                         {"m/parts/a.xml", "<any>\n <option timestep='0.1'/><default/></any>"},
                         {"m/parts/b.xml", "<any>\n\n  <geom name='g1'/></any>"}},
                        "m/main.xml");
  REQUIRE(out.ok());
  CHECK(out->option.timestep == 0.1);
  REQUIRE(out->world.geoms.size() == 3);
  CHECK(out->world.geoms[1].name == "g1");
  CHECK(out->world.geoms[1].where.file == "m/parts/b.xml");
  CHECK(out->world.geoms[1].where.line == 3);
  CHECK(out->world.geoms[1].path == "mujoco/worldbody/geom 'g1'");
  CHECK(out->world.geoms[2].where.file == "m/main.xml");
}

TEST_CASE("a name is looked up beside the main file, then beside the including one", "[mjcf]") {
  Files files = {{"m/main.xml", "<mujoco><include file='parts/a.xml'/></mujoco>"},
                 {"m/parts/a.xml", "<any><include file='./x/../b.xml'/></any>"},
                 {"m/parts/b.xml", "<any><option timestep='1'/></any>"}};
  CHECK(read(files, "m/main.xml")->option.timestep == 1.0);
  files["m/b.xml"] = "<any><option timestep='2'/></any>";
  CHECK(read(files, "m/main.xml")->option.timestep == 2.0);
}

TEST_CASE("errors in included files are theirs", "[mjcf]") {
  Files files = {{"main.xml", "<mujoco>\n <include file='a.xml'/></mujoco>"},
                 {"a.xml", "<any>\n\n <option timestep='x'/></any>"}};
  CHECK(failure(files, "main.xml") ==
        "a.xml:3:10: mujoco/option: attribute 'timestep': 'x' is not a number");
  files["a.xml"] = "<any>\n<option>\n</any>";
  CHECK(failure(files, "main.xml") == "a.xml:3:1: </any> does not close <option> on line 2");
  files["a.xml"] = "";
  CHECK(failure(files, "main.xml") == "a.xml:1:1: the text has no XML element");
  files["a.xml"] = "<any/>";
  CHECK(failure(files, "main.xml") == "main.xml:2:3: include: 'a.xml' has no elements to include");
  files.erase("a.xml");
  CHECK(failure(files, "main.xml") ==
        "main.xml:2:3: include: cannot read 'a.xml' (looked for a.xml)");
  CHECK(failure(files, "nope.xml") == "nope.xml: cannot read the file");
}

TEST_CASE("malformed <include>", "[mjcf]") {
  CHECK(failure({{"main.xml", "<mujoco><include/></mujoco>"}}, "main.xml") ==
        "main.xml:1:10: include: attribute 'file' is missing");
  CHECK(failure({{"main.xml", "<mujoco><include file=''/></mujoco>"}}, "main.xml") ==
        "main.xml:1:18: include: attribute 'file' is empty");
  CHECK(failure({{"main.xml", "<mujoco><include file='a'><b/></include></mujoco>"}}, "main.xml") ==
        "main.xml:1:28: include: <include> cannot have children");
}

TEST_CASE("cycles and repeated files", "[mjcf]") {
  CHECK(failure({{"main.xml", "<mujoco><include file='main.xml'/></mujoco>"}}, "main.xml") ==
        "main.xml:1:10: include: 'main.xml' is already included");
  const Files cycle = {{"main.xml", "<mujoco><include file='a.xml'/></mujoco>"},
                       {"a.xml", "<x><include file='b.xml'/></x>"},
                       {"b.xml", "<x><include file='./a.xml'/></x>"}};
  CHECK(failure(cycle, "main.xml") == "b.xml:1:5: include: 'a.xml' is already included");
  const Files twice = {
      {"main.xml", "<mujoco><include file='a.xml'/><include file='a.xml'/></mujoco>"},
      {"a.xml", "<x><size/></x>"}};
  CHECK(failure(twice, "main.xml") == "main.xml:1:33: include: 'a.xml' is already included");
}

TEST_CASE("a chain of files without end stops", "[mjcf]") {
  mjcf::ReadOptions options;
  options.load = [](const std::string& path) -> std::optional<std::string> {
    return "<x><include file='" + path + "x'/></x>";
  };
  const auto out = mjcf::parse("<mujoco><include file='a'/></mujoco>", options);
  REQUIRE_FALSE(out.ok());
  CHECK(out.error().message == "elements are nested too deeply");
}

TEST_CASE("a loader that throws is an error", "[mjcf]") {
  mjcf::ReadOptions options;
  options.load = [](const std::string&) -> std::optional<std::string> {
    throw std::runtime_error("network down");
  };
  const auto out = mjcf::parse("<mujoco><include file='a'/></mujoco>", options);
  REQUIRE_FALSE(out.ok());
  CHECK(out.error().message == "cannot read the model: network down");
}

TEST_CASE("joining paths", "[mjcf]") {
  CHECK(mjcf::detail::join("", "a.xml") == "a.xml");
  CHECK(mjcf::detail::join("d", "a.xml") == "d/a.xml");
  CHECK(mjcf::detail::join("d/", "./a.xml") == "d/a.xml");
  CHECK(mjcf::detail::join("d/e/", "../a.xml") == "d/a.xml");
  CHECK(mjcf::detail::join("d/", "../../a.xml") == "../a.xml");
  CHECK(mjcf::detail::join("d/", "/abs//a.xml") == "/abs/a.xml");
  CHECK(mjcf::detail::join("/", "../a.xml") == "/../a.xml");
  CHECK(mjcf::detail::directory_of("m/main.xml") == "m/");
  CHECK(mjcf::detail::directory_of("main.xml").empty());
}
