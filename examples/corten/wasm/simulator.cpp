// SPDX-License-Identifier: Apache-2.0
//
// The simulator inside a page: what the page calls (view/page/local.hpp), compiled to WebAssembly
// without any JavaScript of the compiler's. It takes a compiled model, so no reader is in it.
//
// All text and numbers that go in pass through one buffer: the page asks for room, writes there and
// calls a function with the number of bytes.
#include <corten/data/state.hpp>
#include <corten/dynamics.hpp>
#include <corten/model/bytes.hpp>
#include <corten/view/film.hpp>
#include <corten/view/poses.hpp>
#include <corten/view/remote.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

struct World {
  corten::Model<double> model;
  corten::Data<double> data;
  corten::view::Remote remote;

  explicit World(corten::Model<double> from) : model(std::move(from)), data(model) {}
};

std::unique_ptr<World> world;
std::vector<double> room;  // doubles, so that states lie where they can be read
corten::List<float> frame;
std::string problem;

std::string_view text(int bytes) {
  return {reinterpret_cast<const char*>(room.data()), static_cast<std::size_t>(bytes)};
}

}  // namespace

#define CORTEN_EXPORT(name) extern "C" __attribute__((export_name(name), used))

CORTEN_EXPORT("room") void* corten_room(int bytes) {
  room.resize((static_cast<std::size_t>(bytes) + 7) / 8);
  return room.data();
}

// A compiled model; 0 if it is not one, and then problem() says why.
CORTEN_EXPORT("load") int corten_load(int bytes) {
  auto model = corten::from_bytes(text(bytes));
  if (!model) return problem = model.error().to_string(), 0;
  world = std::make_unique<World>(*std::move(model));
  room = {};  // the model may have been large
  static_cast<void>(corten::forward(world->model, world->data));
  return 1;
}

CORTEN_EXPORT("problem") const char* corten_problem() { return problem.c_str(); }

// Commands as the live viewer gets them (view/remote.hpp), one per line. The world is computed anew
// if they have moved something.
CORTEN_EXPORT("obey") void corten_obey(int bytes) {
  corten::List<std::string> commands;
  std::string_view rest = text(bytes);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    commands.push_back(std::string(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (world->remote.apply(commands, world->model, world->data)) {
    static_cast<void>(corten::forward(world->model, world->data));
  }
}

// A state of a recording; 0 if it has the wrong length.
CORTEN_EXPORT("resume") int corten_resume(int bytes) {
  const std::size_t count = static_cast<std::size_t>(bytes) / sizeof(double);
  if (!corten::set_state(world->data, std::span<const double>(room.data(), count),
                         corten::state_integration)) {
    return 0;
  }
  static_cast<void>(corten::forward(world->model, world->data));
  return 1;
}

// One step, with what the user pulls at. Returns the time after it.
CORTEN_EXPORT("step") double corten_step() {
  world->remote.pull(world->model, world->data);
  static_cast<void>(corten::step(world->model, world->data));
  return world->data.time();
}

CORTEN_EXPORT("time") double corten_time() { return world->data.time(); }

// The frame of the state (view/film.hpp), and how many floats it has.
CORTEN_EXPORT("frame") const float* corten_frame() {
  if (const auto m = corten::bind(world->model)) {
    corten::view::update_poses(*m, world->data.ref());
  }
  frame.clear();
  corten::view::write_frame(world->model, world->data, frame);
  return frame.data();
}
CORTEN_EXPORT("frame_size") int corten_frame_size() { return static_cast<int>(frame.size()); }
