// SPDX-License-Identifier: Apache-2.0
//
// Any text must produce a model, or an error with a position, and every model can be written, read
// back and stepped. An entry point for libFuzzer (clang, -DCORTEN_LIBFUZZER=ON) and for driver.cpp.
#include <corten/corten.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace {

// files are never read from disk
std::optional<std::string> no_file(const std::string& path) {
  if (path == "part.xml")
    return "<mujoco><worldbody><body name='p'><geom size='1'/></body></worldbody></mujoco>";
  return std::nullopt;
}

void expect(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  corten::mjcf::ReadOptions options;
  options.file = "fuzz.xml";
  options.load = no_file;
  options.lenient = size % 2 == 0;
  const auto spec = corten::mjcf::parse(text, options);
  if (!spec) {
    expect(spec.error().where.line > 0 && !spec.error().message.empty());
    return 0;
  }
  const auto model = corten::compile(*spec);
  if (!model) {
    expect(!model.error().message.empty());
    return 0;
  }
  const auto written = corten::mjcf::write(*spec);
  expect(written.ok() || !written.error().message.empty());
  // a step of a small model: values may be absurd, but memory accesses must be valid
  const bool small = model->n.nv < 60 && model->n.ngeom < 60 && model->n.nkey < 100;
  if (small && corten::bind<corten::DefaultPolicies>(*model)) {
    corten::Data<double> state(*model, {200, 400});
    static_cast<void>(corten::step(*model, state));
  }
  return 0;
}
