// SPDX-License-Identifier: Apache-2.0
//
// corten inspect: everything about a model and its data as JSON. With --data it replays the entries
// of another engine's dump: each starts from the entry's state "pre" and runs what its "kind" says,
// so that the two engines can be compared one step at a time.
#include "args.hpp"
#include "model_file.hpp"
#include "outputs.hpp"

#include <corten/asset/file.hpp>
#include <corten/corten.hpp>
#include <corten/derive/transition.hpp>
#include <corten/io/inspect.hpp>
#include <corten/io/options.hpp>

#include <cstdio>
#include <span>
#include <string>

namespace cli {

namespace {

constexpr OptionInfo options[] = {
    {"--model", "", "write the compiled model: sizes, options, names, arrays"},
    {"--data", "FILE.json",
     "replay the entries of this dump and write all data fields of each; "
     "if it has derivatives, write ours too"},
    {"--opt", "K=V,...",
     "change options after the model is written: integrator=RK4,solver=PGS,"
     "disable=contact+warmstart,gravity=0+0+0,..."},
    {"--out", "FILE", "write here instead of to standard output"},
};

// runs what an entry's kind says, from the current state of the data
corten::Result<void> run_kind(const std::string& kind, const corten::Model<double>& model,
                              corten::Data<double>& data) {
  corten::Status status;
  if (kind == "forward") {
    status = corten::forward(model, data);
  } else if (kind == "step" || kind == "refreshed") {
    status = corten::step(model, data);
    if (kind == "refreshed") status.bits |= corten::forward(model, data).bits;
  } else {
    return corten::Error("unknown kind '" + kind + "'", "forward, step or refreshed");
  }
  if (status.has(corten::not_covered)) {
    return corten::Error("the model is not covered by the default policies");
  }
  return {};
}

corten::Result<void> replay_entry(corten::io::JsonWriter& out, const corten::io::Json& entry,
                                  const corten::Model<double>& model, const std::string& file) {
  const auto fail = [&](const char* message) {
    return corten::Error{{file, 0, 0}, "data", message};
  };
  const corten::io::Json *step = entry.find("step"), *kind = entry.find("kind"),
                         *pre = entry.find("pre");
  if (step == nullptr || !step->number()) return fail("an entry needs a number \"step\"");
  if (kind == nullptr || kind->string() == nullptr) return fail("an entry needs a string \"kind\"");
  if (pre == nullptr) return fail("an entry needs a state \"pre\"");

  corten::Data<double> data(model);
  if (auto done = corten::io::read_state(*pre, data, file); !done) return done;
  if (auto done = run_kind(*kind->string(), model, data); !done) return done;
  out.begin_object().key("step").number(*step->number()).key("kind").string(*kind->string());
  corten::io::write_data_members(out, model, data);
  out.end_object();
  return {};
}

// the exact A, B, C, D at the state in the dump
corten::Result<void> write_derivatives(corten::io::JsonWriter& out, const corten::io::Json& from,
                                       const corten::Model<double>& model,
                                       const std::string& file) {
  const corten::io::Json* pre = from.find("pre");
  if (pre == nullptr) {
    return corten::Error{{file, 0, 0}, "derivatives", "a state \"pre\" is needed"};
  }
  corten::Data<double> data(model);
  if (auto done = corten::io::read_state(*pre, data, file); !done) return done;
  const auto t = corten::derive::transition(model, data, {.sensors = true});
  if (!t.status.ok()) return corten::Error{{file, 0, 0}, "derivatives", "the step failed"};
  out.key("derivatives").begin_object().key("nx").number(t.nx);
  const auto write = [&](const char* name, const corten::derive::Matrix<double>& matrix) {
    out.key(name).begin_array();
    for (const double x : matrix.reshaped<Eigen::RowMajor>()) out.number(x);
    out.end_array();
  };
  write("A", t.A), write("B", t.B), write("C", t.C), write("D", t.D);
  out.end_object();
  return {};
}

// the data part: the entries of the dump, or one forward at the reference pose
corten::Result<void> write_entries(corten::io::JsonWriter& out, const Args& args,
                                   const corten::Model<double>& model) {
  const std::string* file = args.find("--data");
  std::string text = R"({"data": [{"step": 0, "kind": "forward", "pre": {}}]})";
  if (file != nullptr) {
    auto content = corten::load_file(*file);
    if (!content) return corten::Error{{*file, 0, 0}, {}, "cannot read the file"};
    text = *std::move(content);
  }
  const auto dump = corten::io::read_json(text, file != nullptr ? *file : "");
  if (!dump) return dump.error();
  const corten::io::Json* derivatives = dump->find("derivatives");
  if (derivatives != nullptr) {
    if (auto done = write_derivatives(out, *derivatives, model, *file); !done) return done;
  }
  const corten::io::Json* entries = dump->find("data");
  if (entries == nullptr && derivatives != nullptr) return {};
  if (entries == nullptr || entries->array() == nullptr) {
    return corten::Error{{*file, 0, 0}, {}, "there is no array \"data\"", "dump with --data"};
  }
  out.key("data").begin_array();
  for (const corten::io::Json& entry : *entries->array()) {
    if (auto done = replay_entry(out, entry, model, file != nullptr ? *file : ""); !done) {
      return done;
    }
  }
  out.end_array();
  return {};
}

int run(std::span<char* const> argv) {
  const auto args = parse_args(argv, options);
  if (!args) return complain(args.error(), bad_usage);
  if (args->files.size() != 1) {
    return complain(usage_error("inspect needs one model file"), bad_usage);
  }

  if (auto distinct =
          check_outputs({{"the model", args->files[0]}, {"--data", args->get("--data")}},
                        {{"--out", args->get("--out")}});
      !distinct) {
    return complain(distinct.error(), bad_usage);
  }
  auto file = read_model(args->files[0]);
  if (!file) return complain(file.error(), failure);
  corten::Model<double>* model = &file->model;
  auto opt = corten::io::with_options(model->opt, args->get("--opt"));
  if (!opt) return complain(opt.error(), bad_usage);

  corten::io::JsonWriter out;
  out.begin_object().key("corten").begin_object();
  out.key("version").string(version_string()).key("file").string(args->files[0]).end_object();
  const bool everything = !args->has("--model") && !args->has("--data");
  if (everything || args->has("--model")) out.key("model"), corten::io::write_model(out, *model);
  if (everything || args->has("--data")) {
    model->opt = *opt;
    model->opt.enableflags |= corten::enable_energy;  // the motion does not change
    if (auto done = write_entries(out, *args, *model); !done) {
      return complain(done.error(), failure);
    }
  }
  out.end_object();
  const std::string text = out.take() + "\n";
  if (!args->has("--out")) {
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? success : failure;
  }
  if (auto done = corten::save_file(args->get("--out"), text); !done) {
    return complain(done.error(), failure);
  }
  return success;
}

constexpr Example examples[] = {
    {"corten inspect robot.xml", "the model, and its data at the reference pose"},
    {"corten inspect robot.xml --model --out model.json", "the model alone, to a file"},
    {"corten inspect robot.xml --data dump.json --opt solver=PGS",
     "replay the states of another engine's dump, with another solver"},
};

}  // namespace

const Command inspect_command = {
    .name = "inspect",
    .arguments = "MODEL.xml",
    .summary = "write a model and its data as JSON, for programs",
    .description =
        "Writes every size, option, name and array of a model, and every quantity of a step, as "
        "JSON under MuJoCo's names. With --data it starts from the states of a dump and runs what "
        "each entry says, so that two engines can be compared one step at a time.",
    .options = options,
    .examples = examples,
    .choices = "",
    .run = run};

}  // namespace cli
