// SPDX-License-Identifier: Apache-2.0
//
// corten simulate: steps a model, shows it, and records what happened.
#include "args.hpp"
#include "controls.hpp"
#include "humanoid.hpp"
#include "interrupt.hpp"
#include "model_file.hpp"
#include "progress.hpp"
#include "recorder.hpp"
#include "simulator_file.hpp"
#include "summary.hpp"
#include "ticker.hpp"
#include "watch.hpp"

#include <corten/corten.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <span>
#include <string>
#include <utility>

namespace cli {

namespace {

constexpr OptionInfo options[] = {
    {"--steps", "N", "number of steps"},
    {"--time", "T", "simulated seconds (default 5)"},
    {"--key", "NAME", "start from a keyframe, by name or number"},
    {"--ctrl", "KIND", "controls: hold (default), zero, sin[:AMP,FREQ], noise[:AMP,HOLD,SEED]",
     "hold zero sin noise"},
    {"--opt", "K=V,...",
     "change options: timestep=0.001,integrator=RK4,solver=PGS,disable=contact,..."},
    {"--scalar", "TYPE", "double (default) or float", "double float"},
    {"--view", "", "show the bodies in the terminal (the default for the built-in humanoid)"},
    {"--picture", "FILE.svg", "the motion in one picture: the bodies at several instants"},
    {"--from", "WHERE", "where the view and the picture are taken from: side (default), front, top",
     "side front top"},
    {"--svg", "FILE.svg", "plot quantities over time"},
    {"--plot", "Q,Q,...",
     "quantities to plot: qpos:2, qvel, energy, ncon, sensor:NAME, ... (any data field)"},
    {"--csv", "FILE.csv", "time, state, controls, sensors, energy and counts, one row per step"},
    {"--html", "FILE.html", "the motion as a page to look at in any browser, without a network"},
    {"--interactive", "",
     "the page of --html can also go on by itself: its readers push, steer and reset the model"},
    {"--glb", "FILE.glb", "the motion as an animation in 3D, for browsers, Blender, game engines"},
    {"--every", "K", "record every K steps (default 1)"},
    {"--quiet", "", "no view, no progress bar, no summary"},
};

// quantities that are plotted when none are named
constexpr const char* builtin_plot = "sensor:head_position,energy,ncon";
constexpr const char* default_plot = "qpos,energy,ncon";

struct SimulateSettings {
  int steps = 0, key = -1;
  bool view = false, quiet = false;
  ControlSettings control;
  RecordSettings record;
};

// Writes what was recorded and prints the summary. Returns the exit code.
template <class S>
int end_run(const SimulateSettings& settings, Recorder<S>& recorder, const Summary& summary,
            int signal) {
  if (auto done = recorder.close(); !done) return complain(done.error(), failure);
  const int code = signal == 0 ? success : 128 + signal;
  if (settings.quiet) return code;
  if (code != success) {
    std::printf("interrupted after %d of %d steps\n", summary.steps(), settings.steps);
  }
  std::fputs(summary.text().c_str(), stdout);
  for (const std::string* file :
       {&settings.record.csv, &settings.record.svg, &settings.record.picture,
        &settings.record.film.html, &settings.record.film.glb}) {
    if (!file->empty()) std::printf("wrote %s\n", file->c_str());
  }
  return code;
}

template <class S>
int run_simulation(const corten::Model<S>& model, const SimulateSettings& settings,
                   Progress& progress) {
  using Clock = std::chrono::steady_clock;
  corten::Data<S> data(model);
  if (settings.key >= 0 && !data.reset(model, settings.key)) {
    return complain(usage_error("there is no such keyframe"), bad_usage);
  }
  Controller<S> control(settings.control, model, data, settings.key >= 0);
  Recorder<S> recorder(model, settings.record);
  if (auto done = recorder.choose(); !done) return complain(done.error(), bad_usage);
  if (auto done = recorder.open(); !done) return complain(done.error(), failure);
  Watch watch(settings.view, settings.quiet, progress);
  Summary summary;

  // A step of a large model can outlast the patience of a user who has pressed Ctrl-C. After one
  // second the step is abandoned, and what was recorded before it is written.
  const Interrupt interrupt;
  std::mutex recording;  // free only during a step
  recording.lock();
  const Ticker rescue([&, ticks = 0]() mutable {
    if (interrupt.signal() == 0 || ++ticks < 10 || !recording.try_lock()) return;
    progress.clear();
    const int code = end_run(settings, recorder, summary, interrupt.signal());
    std::fflush(nullptr);
    std::_Exit(code);
  });

  watch.begin("evaluating the initial state");
  summary.energy(recorder.probe(data), true);
  watch.begin("first step");
  int k = 0;
  for (; k < settings.steps && interrupt.signal() == 0; ++k) {
    const double share = static_cast<double>(k) / settings.steps,
                 time = static_cast<double>(data.time());
    control(data, k);
    recorder.record(data, k);
    if (watch.due(time))
      watch.show(scene(model, recorder.probe(data), settings.record.view), share);
    watch.progress(share, time);
    const auto begin = Clock::now();
    recording.unlock();
    const corten::Status status = corten::step(model, data);
    recording.lock();
    summary.step(data, status, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  recorder.record(data, k, true);
  const auto& end = recorder.probe(data);
  summary.energy(end, false);
  if (watch.due(HUGE_VAL)) watch.show(scene(model, end, settings.record.view), 1);
  if (watch.wants_last()) watch.last(scene(model, end, settings.record.view));
  watch.finish();
  return end_run(settings, recorder, summary, interrupt.signal());
}

// steps from --steps or --time
corten::Result<int> read_steps(const Args& args, double timestep) {
  if (!(timestep > 0) || !std::isfinite(timestep)) {
    return corten::Error{{},
                         "option timestep",
                         "is not a positive number",
                         "set it in the model, or with --opt timestep=0.002"};
  }
  if (args.has("--steps") && args.has("--time")) {
    return usage_error("--steps and --time exclude each other");
  }
  if (args.has("--steps")) {
    const auto n = corten::io::to_number<int>(args.get("--steps"));
    if (!n || *n < 0) {
      return usage_error("--steps needs a whole number, not '" + args.get("--steps") + "'");
    }
    return *n;
  }
  const auto t = corten::io::to_number<double>(args.get("--time", "5"));
  if (!t || !(*t >= 0) || *t / timestep > 1e9) {
    return usage_error("--time needs a number of seconds, not '" + args.get("--time") + "'");
  }
  return static_cast<int>(std::lround(*t / timestep));
}

corten::Result<View> read_view(const std::string& text) {
  if (text == "side") return View{};
  if (text == "front") return View::front();
  if (text == "top") return View::top();
  return usage_error("--from is side, front or top, not '" + text + "'");
}

// The page names its curves itself: sensors by their names, energy and ncon as here. It leaves out
// what it does not know.
std::string page_plots(const std::string& text) {
  if (text.empty()) return "energy,ncon";
  std::string out;
  for (std::string_view name : corten::io::split(text, ',')) {
    if (name.starts_with("sensor:")) name.remove_prefix(7);
    out += (out.empty() ? "" : ",") + std::string(name);
  }
  return out;
}

corten::Result<SimulateSettings> read_settings(const Args& args,
                                               const corten::Model<double>& model) {
  SimulateSettings out;
  const bool builtin = args.files.empty();
  const auto steps = read_steps(args, model.opt.timestep);
  if (!steps) return steps.error();
  out.steps = *steps;
  auto control = ControlSettings::parse(args.get("--ctrl", "hold"));
  if (!control) return control.error();
  out.control = *control;
  const auto every = corten::io::to_number<int>(args.get("--every", "1"));
  if (!every || *every < 1) return usage_error("--every needs a whole number above 0");
  if (args.has("--plot") && !args.has("--svg") && !args.has("--html")) {
    return usage_error("--plot needs a file to plot to", "--svg FILE.svg or --html FILE.html");
  }
  const std::string scalar = args.get("--scalar", "double");
  if (scalar != "double" && scalar != "float") {
    return usage_error("--scalar is double or float, not '" + scalar + "'");
  }
  if (args.has("--interactive")) {
    if (!args.has("--html")) return usage_error("--interactive needs a page", "--html FILE.html");
    if (scalar == "float") {
      return usage_error("--interactive simulates in double", "leave out --scalar float");
    }
    auto simulator = read_simulator();
    if (!simulator) return simulator.error();
    out.record.film.simulator = *std::move(simulator);
  }
  const auto view = read_view(args.get("--from", "side"));
  if (!view) return view.error();
  out.quiet = args.has("--quiet");
  out.view = args.has("--view") || (builtin && is_terminal(stdout));
  const std::string name = model.names.model.empty() ? "model" : model.names.model;
  out.record = {.csv = args.get("--csv"),
                .svg = args.get("--svg"),
                .picture = args.get("--picture"),
                .plot = args.get("--plot", builtin ? builtin_plot : default_plot),
                .chosen = args.has("--plot"),
                .title = name,
                .view = *view,
                .every = *every,
                .steps = out.steps,
                .film = {.glb = args.get("--glb"),
                         .html = args.get("--html"),
                         .plots = page_plots(args.get("--plot")),
                         .simulator = std::move(out.record.film.simulator)}};
  return out;
}

// the model of a file, or the humanoid
corten::Result<ModelFile> load(const std::vector<std::string>& files, bool quiet) {
  if (!files.empty()) return read_model(files[0], quiet);
  auto spec = corten::mjcf::parse(humanoid_mjcf);
  if (!spec) return spec.error();
  auto model = corten::compile(*spec);
  if (!model) return model.error();
  return ModelFile{*std::move(model), *std::move(spec), false};
}

int run(std::span<char* const> argv) {
  const auto args = parse_args(argv, options);
  if (!args) return complain(args.error(), bad_usage);
  if (args->files.size() > 1) {
    return complain(usage_error("simulate takes one model file"), bad_usage);
  }
  Progress progress(stderr, !args->has("--quiet"));
  progress.begin(args->files.empty() ? "loading" : "loading " + args->files[0]);
  auto loaded = load(args->files, args->has("--quiet"));
  progress.clear();
  if (!loaded) return complain(loaded.error(), failure);
  corten::Model<double>* const model = &loaded->model;
  const auto opt = corten::io::with_options(model->opt, args->get("--opt"));
  if (!opt) return complain(opt.error(), bad_usage);
  model->opt = *opt;
  model->opt.enableflags |= corten::enable_energy;  // the motion does not change

  auto settings = read_settings(*args, *model);
  if (!settings) return complain(settings.error(), bad_usage);
  if (!loaded->compiled) settings->record.film.spec = &loaded->spec;
  const std::string file = args->files.empty() ? "" : args->files[0];
  if (auto distinct = check_outputs({{"the model", file}}, {{"--csv", args->get("--csv")},
                                                            {"--svg", args->get("--svg")},
                                                            {"--picture", args->get("--picture")},
                                                            {"--html", args->get("--html")},
                                                            {"--glb", args->get("--glb")}});
      !distinct) {
    return complain(distinct.error(), bad_usage);
  }
  const std::string key = args->get("--key", args->files.empty() ? "stumble" : "");
  if (!key.empty()) {
    const auto id = read_key(key, *model);
    if (!id) return complain(id.error(), bad_usage);
    settings->key = *id;
  }
  if (args->get("--scalar") == "float") {
    return run_simulation(corten::cast<float>(*model), *settings, progress);
  }
  return run_simulation(*model, *settings, progress);
}

constexpr Example examples[] = {
    {"corten simulate", "drop a humanoid in the terminal"},
    {"corten simulate robot.xml --time 10 --csv run.csv",
     "step a model for ten simulated seconds and record its state"},
    {"corten simulate robot.xml --svg run.svg --plot qpos:2,energy,sensor:imu",
     "plot a coordinate, the energy and a sensor"},
    {"corten simulate robot.xml --key home --ctrl noise:0.3 --picture run.svg --from front",
     "start from a keyframe, shake the actuators, draw the motion"},
    {"corten simulate robot.xml --html run.html", "send the motion to anybody who has a browser"},
    {"corten simulate robot.xml --html run.html --interactive",
     "and let them push it, steer it and start it again"},
    {"corten simulate robot.xml --glb run.glb", "send the motion to somebody who has Blender"},
    {"corten simulate robot.xml --opt integrator=RK4,timestep=0.001", "step it by another method"},
};

}  // namespace

const Command simulate_command = {
    .name = "simulate",
    .arguments = "[MODEL.xml]",
    .summary = "step a model, show it, and record what happens",
    .description =
        "Steps a model and prints a summary: contacts, solver iterations, energy, speed and "
        "warnings. Without a file, a humanoid falls. The file may also be a model that 'corten "
        "convert' has compiled.\n\n"
        "All recorded numbers of a row belong to the same state. Ctrl-C ends a run early, and "
        "what was recorded is written; a second Ctrl-C kills the program.",
    .options = options,
    .examples = examples,
    .choices = "",
    .run = run};

}  // namespace cli
