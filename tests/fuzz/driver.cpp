// SPDX-License-Identifier: Apache-2.0
//
// Runs fuzz_mjcf without libFuzzer on mutations of the given files, for a number of seconds. The
// mutations depend only on the seed. A crash leaves its input in fuzz_crash.xml.
//
//   fuzz_mjcf SECONDS SEED FILE...
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

class Mutator {
 public:
  Mutator(std::vector<std::string> texts, std::uint64_t seed)
      : texts_(std::move(texts)), state_(seed) {}

  std::string next() {
    std::string text = texts_[below(texts_.size())];
    for (std::size_t i = 0, n = 1 + below(4); i < n && !text.empty(); ++i) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t n) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::size_t>(state_ >> 33) % n;
  }

  // the element that starts at or after `at`, from its < to its >
  static std::string element(const std::string& text, std::size_t at) {
    const std::size_t begin = text.find('<', at);
    if (begin == std::string::npos) return {};
    const std::size_t end = text.find('>', begin);
    return end == std::string::npos ? std::string() : text.substr(begin, end - begin + 1);
  }

  void change(std::string& text) {
    static const char* const words[] = {"0",         "-1", "1e308", "nan",   "1e-320",
                                        "999999999", "",   "main",  "world", "true",
                                        "\"",        "<",  "/>",    "&#0;"};
    const std::size_t at = below(text.size());
    switch (below(7)) {
      case 0: text[at] = static_cast<char>(below(256)); break;
      case 1: text.erase(at, below(60)); break;
      case 2: text.insert(at, text.substr(below(text.size()), below(200))); break;
      case 3:  // an element of any of the texts, inserted somewhere else
        text.insert(std::min(text.find('\n', at), text.size()),
                    element(texts_[below(texts_.size())], below(2000)));
        break;
      case 4: {  // another value of an attribute
        const std::size_t begin = text.find('"', at);
        const std::size_t end = begin == std::string::npos ? begin : text.find('"', begin + 1);
        if (end != std::string::npos)
          text.replace(begin + 1, end - begin - 1, words[below(std::size(words))]);
        break;
      }
      case 5:  // a digit more or less
        for (std::size_t i = at; i < text.size(); ++i) {
          if (text[i] < '0' || text[i] > '9') continue;
          text[i] = static_cast<char>('0' + below(10));
          break;
        }
        break;
      default: text.resize(at);
    }
  }

  std::vector<std::string> texts_;
  std::uint64_t state_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return std::fprintf(stderr, "usage: fuzz_mjcf SECONDS SEED FILE...\n"), 2;
  std::vector<std::string> texts;
  for (int i = 3; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    if (!in.is_open() || texts.back().empty()) {
      return std::fprintf(stderr, "cannot read %s\n", argv[i]), 2;
    }
  }
  Mutator mutator(std::move(texts), std::strtoull(argv[2], nullptr, 10));
  const auto seconds = std::chrono::duration<double>(std::atof(argv[1]));
  const auto start = std::chrono::steady_clock::now();
  long runs = 0;
  for (; std::chrono::steady_clock::now() - start < seconds; ++runs) {
    const std::string text = mutator.next();
    std::ofstream("fuzz_crash.xml", std::ios::binary) << text;
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  }
  std::remove("fuzz_crash.xml");
  std::printf("%ld texts, no crash\n", runs);
}
