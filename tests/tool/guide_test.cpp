// SPDX-License-Identifier: Apache-2.0
//
// The guide (examples/guide) and the README show nothing that does not work. C++ and CMake are
// quoted from files that other tests compile and run: a comment above each block names the file,
// and the block must be in it, line by line. Models must load, and command lines must succeed.
#include <corten/corten.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path root = fs::path(CORTEN_TEST_DIR).parent_path();

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Block {
  std::string page, language;
  std::string source;  // the comment above it
  int line = 0;
  std::vector<std::string> lines;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) out.push_back(line);
  return out;
}

std::vector<Block> blocks_of(const fs::path& page) {
  std::vector<Block> out;
  std::string before;
  bool inside = false;
  int number = 0;
  for (const std::string& line : lines_of(content(page))) {
    ++number;
    if (inside) {
      inside = line != "```";
      if (inside) out.back().lines.push_back(line);
    } else if (line.starts_with("```")) {
      inside = true;
      const bool named = before.starts_with("<!-- ") && before.ends_with(" -->");
      out.push_back({page.filename().string(),
                     line.substr(3),
                     named ? before.substr(5, before.size() - 9) : "",
                     number,
                     {}});
    }
    before = line;
  }
  return out;
}

std::vector<fs::path> all_pages() {
  std::vector<fs::path> pages = {root / "README.md"};
  for (const auto& entry : fs::directory_iterator(root / "examples/guide")) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  std::sort(pages.begin() + 1, pages.end());
  return pages;
}

std::vector<Block> all_blocks() {
  std::vector<Block> out;
  for (const fs::path& page : all_pages()) {
    for (Block& block : blocks_of(page)) out.push_back(std::move(block));
  }
  return out;
}

// programs that ctest runs, headers of theirs, and projects that a shipping test builds
bool is_tested(std::string_view file) {
  const std::string_view folder = file.substr(0, file.rfind('/'));
  const bool shipped = file == "tests/shipping/noexcept.cpp" || file.ends_with("/CMakeLists.txt");
  const bool unit = file.starts_with("tests/") && file.ends_with("_test.cpp");
  return unit || folder == "examples" || folder == "examples/kinds" ||
         folder == "examples/control" || (shipped && file.starts_with("tests/shipping/")) ||
         file == "examples/consumer/CMakeLists.txt";
}

TEST_CASE("code of the guide is quoted from programs that are run", "[tool]") {
  int quoted = 0;
  for (const Block& block : all_blocks()) {
    if (block.language != "cpp" && block.language != "cmake") continue;
    CAPTURE(block.page, block.line, block.source);
    REQUIRE(is_tested(block.source));
    const auto lines = lines_of(content(root / block.source));
    const auto found =
        std::search(lines.begin(), lines.end(), block.lines.begin(), block.lines.end());
    CHECK(found != lines.end());
    ++quoted;
  }
  CHECK(quoted >= 30);
}

// A folder where the commands of the guide run, one page after the other. Tests run at the same
// time, so each has one of its own.
class Workshop {
 public:
  explicit Workshop(const std::string& name) {
    const auto project = std::hash<std::string>{}(root.string());
    folder_ = fs::temp_directory_path() / ("corten_guide_" + std::to_string(project) + "_" + name);
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Workshop() { fs::remove_all(folder_); }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  std::string write(const Block& block) const {
    const fs::path path = folder_ / block.source;
    std::ofstream file(path);
    for (const std::string& line : block.lines) file << line << '\n';
    return path.string();
  }

  // what the commands say, if they fail
  std::string run(const std::string& commands) const {
    const std::string whole =
        "cd '" + folder_.string() + "' && { " + commands + "; } > output.txt 2>&1";
    if (std::system(whole.c_str()) == 0) return {};
    return "failed: " + content(folder_ / "output.txt");
  }

 private:
  fs::path folder_;
};

TEST_CASE("models of the guide load, and its command lines work", "[tool]") {
  const Workshop shop("commands");
  int models = 0, commands = 0;
  for (const Block& block : all_blocks()) {
    CAPTURE(block.page, block.line);
    if (block.language == "xml") {
      const auto model = corten::load(shop.write(block));
      CHECK((model ? "" : model.error().to_string()) == "");
      ++models;
    }
#ifdef CORTEN_TOOL
    for (const std::string& line : block.lines) {
      if (block.language != "sh" || !line.starts_with("corten ")) continue;
      CAPTURE(line);
      CHECK(shop.run("'" CORTEN_TOOL "'" + line.substr(6)).empty());
      ++commands;
    }
#endif
  }
  CHECK(models >= 2);
#ifdef CORTEN_TOOL
  CHECK(commands >= 6);
#else
  static_cast<void>(commands);
#endif
}

// Other command lines are the two scripts. The demonstration runs in the build of this test, so
// that nothing is compiled twice. The tests cannot run themselves: CI does.
TEST_CASE("the scripts of the guide run", "[tool]") {
  std::set<std::string> scripts;
  for (const Block& block : all_blocks()) {
    if (block.language != "sh") continue;
    for (const std::string& line : block.lines) {
      if (!line.starts_with("corten ")) scripts.insert(line);
    }
  }
  CHECK(scripts == std::set<std::string>{"./cmake/demo.sh", "./cmake/test.sh"});
  CHECK(content(root / ".ci/run").find("cmake/test.sh") != std::string::npos);
#ifdef CORTEN_TOOL
  const Workshop shop("scripts");
  const std::string build = fs::path(CORTEN_TOOL).parent_path().parent_path().string();
  CHECK(shop.run("CORTEN_BUILD='" + build + "' '" + root.string() + "/cmake/demo.sh' && ls -s" +
                 " humanoid.csv humanoid.svg humanoid_fall.svg") == "");
#endif
}

// What takes too long for a test, or needs other programs, is told in the text and not in blocks.
TEST_CASE("presets and targets that the text mentions exist", "[tool]") {
  const std::string presets = content(root / "CMakePresets.json");
  std::string targets;
  for (const char* folder : {"examples", "bench"}) {
    targets += content(root / folder / "CMakeLists.txt");
  }
  int found = 0;
  for (const fs::path& page : all_pages()) {
    CAPTURE(page);
    std::string text = content(page);
    std::replace(text.begin(), text.end(), '`', ' ');
    std::istringstream words(text);
    for (std::string word, before; words >> word; before = word) {
      CAPTURE(word);
      while (!word.empty() && (word.back() == '.' || word.back() == ',')) word.pop_back();
      if (before == "--preset") {
        CHECK(presets.find("\"name\": \"" + word + "\"") != std::string::npos);
        ++found;
      }
      const std::string folder = "build/release/bench/";
      if (word.starts_with(folder)) word.erase(0, folder.size());
      if (before != "--target" && !word.starts_with("bench_")) continue;
      word = word.substr(word.starts_with("bench_") ? 6 : 0);
      CHECK(targets.find(word) != std::string::npos);
      ++found;
    }
  }
  CHECK(found >= 6);
}

TEST_CASE("every kind of block is checked, and every page is in the contents", "[tool]") {
  for (const Block& block : all_blocks()) {
    CAPTURE(block.page, block.line);
    const std::string_view known[] = {"cpp", "cmake", "xml", "sh"};
    CHECK(std::find(std::begin(known), std::end(known), block.language) != std::end(known));
  }
  const std::string contents = content(root / "examples/guide/README.md");
  for (const auto& entry : fs::directory_iterator(root / "examples/guide")) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".md") || name == "README.md") continue;
    CAPTURE(name);
    CHECK(contents.find("(" + name + ")") != std::string::npos);
  }
}

}  // namespace
