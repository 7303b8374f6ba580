// SPDX-License-Identifier: Apache-2.0
//
// Compiles a model to bytes once, and steps it from them in a program that needs neither MJCF nor a
// reader:
//
//     example_compiled_model write robot.xml robot.bin
//     example_compiled_model robot.bin
//
// Programs that only step include corten/dynamics.hpp, which has no file or text code and compiles
// in half the time. Without arguments this program does both, with a double pendulum.
#include <corten/corten.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

constexpr const char* pendulum = R"(
<mujoco model="pendulum">
  <worldbody>
    <body pos="0 0 2">
      <joint axis="0 1 0" ref="10"/>
      <geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/>
      <body pos=".5 0 0">
        <joint axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/>
      </body>
    </body>
  </worldbody>
</mujoco>)";

int complain(const corten::Error& error) {
  std::fprintf(stderr, "%s\n", error.to_string().c_str());
  return 1;
}

int write(const corten::Result<corten::Model<double>>& model, const char* path) {
  if (!model) return complain(model.error());
  const std::string bytes = corten::to_bytes(*model);
  if (!(std::ofstream(path, std::ios::binary) << bytes)) {
    return std::fprintf(stderr, "%s cannot be written\n", path), 1;
  }
  std::printf("%s: %zu bytes\n", path, bytes.size());
  return 0;
}

int simulate(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const auto model = corten::from_bytes(bytes);
  if (!model) return complain(model.error());

  corten::Data<double> data(*model);
  while (data.time() < 1) {
    if (!corten::step(*model, data)) return 1;
  }
  std::printf("%s: %d degrees of freedom, first at %.6f after %.3f s\n", model->names.model.c_str(),
              model->n.nv, data.qpos()[0], data.time());
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "write")
    return write(corten::load(argv[2]), argv[3]);
  if (argc == 2) return simulate(argv[1]);
  if (argc > 1) return std::fputs("write MODEL.xml FILE, or FILE\n", stderr), 2;
  if (const int bad = write(corten::load_string(pendulum), "pendulum.bin"); bad != 0) return bad;
  return simulate("pendulum.bin");
}
