// SPDX-License-Identifier: Apache-2.0
//
// corten info: what a model consists of, for people. `corten inspect` writes the same for programs.
#include "args.hpp"
#include "model_file.hpp"
#include "summary.hpp"

#include <corten/core/sensor_table.hpp>
#include <corten/io/options.hpp>
#include <corten/spec/keywords.hpp>

#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cli {

namespace {

using Model = corten::Model<double>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// a name, or the number of an object that has none
std::string called(std::string_view name, int id) {
  return name.empty() ? "#" + std::to_string(id) : std::string(name);
}

template <class E>
std::string word(int value) {
  const std::string_view w = corten::spec::word_of(static_cast<E>(value));
  return w.empty() ? "own kind " + std::to_string(value) : std::string(w);
}

std::string range(const corten::List<double>& all, int i) {
  return format("%.4g", all[at(2 * i)]) + " … " + format("%.4g", all[at(2 * i + 1)]);
}

// the name of an object of some type, with its type unless it is obvious
std::string object(const Model& m, int type, int id) {
  using corten::ObjectType;
  if (id < 0) return "";
  std::string name;
  switch (static_cast<ObjectType>(type)) {
    case ObjectType::body:
    case ObjectType::xbody: name = m.body_name(id); break;
    case ObjectType::joint: name = m.joint_name(id); break;
    case ObjectType::geom: name = m.geom_name(id); break;
    case ObjectType::site: name = m.site_name(id); break;
    case ObjectType::camera: name = m.camera_name(id); break;
    case ObjectType::tendon: name = m.tendon_name(id); break;
    case ObjectType::actuator: name = m.actuator_name(id); break;
    default: break;
  }
  return std::string(corten::spec::word_of(corten::spec::object_words, type)) + " " +
         called(name, id);
}

// ---- sections -----------------------------------------------------------------------------------

std::string overview(const Model& m) {
  Table t("lrl");
  const auto row = [&](const char* what, int count, std::string note = {}) {
    if (count > 0) t.row(what, grouped(count), note.empty() ? "" : "(" + note + ")");
  };
  row("bodies", m.n.nbody, "with the world");
  row("joints", m.n.njnt, std::to_string(m.n.nq) + " coordinates");
  row("degrees of freedom", m.n.nv,
      std::to_string(m.n.ntree) + (m.n.ntree == 1 ? " tree" : " trees"));
  row("geoms", m.n.ngeom);
  row("sites", m.n.nsite);
  row("cameras", m.n.ncam);
  row("meshes", m.n.nmesh, std::to_string(m.n.nmeshvert) + " vertices");
  row("height fields", m.n.nhfield);
  row("soft bodies", m.n.nsoft, std::to_string(m.n.nsoftvert) + " vertices");
  row("contact pairs", m.n.npair, "explicit");
  row("equality constraints", m.n.neq);
  row("tendons", m.n.ntendon);
  row("actuators", m.n.nactuator,
      std::to_string(m.n.nu) + " controls, " + std::to_string(m.n.na) + " activations");
  row("sensors", m.n.nsensor, std::to_string(m.n.nsensordata) + " numbers");
  row("keyframes", m.n.nkey);
  std::string out = t.text() + "\n";
  out += "mass " + format("%.4g kg", m.body_subtreemass[0]) + ", size " +
         format("%.3g m", m.stat.extent) + ", time step " + format("%g s", m.opt.timestep) +
         "\nintegrator " + word<corten::Integrator>(m.opt.integrator) + ", solver " +
         word<corten::Solver>(m.opt.solver) + " (at most " + std::to_string(m.opt.iterations) +
         " iterations, tolerance " + format("%g", m.opt.tolerance) + "), " +
         word<corten::Cone>(m.opt.cone) + " cones\n";
  return out;
}

// "2 capsule, box"
std::string geoms_of(const Model& m, int body) {
  std::vector<std::pair<std::string, int>> kinds;
  for (int k = 0; k < m.body_geomnum[at(body)]; ++k) {
    const auto kind = word<corten::GeomType>(m.geom_type[at(m.body_geomadr[at(body)] + k)]);
    const auto found = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const auto& known) { return known.first == kind; });
    if (found == kinds.end()) {
      kinds.emplace_back(kind, 1);
    } else {
      ++found->second;
    }
  }
  std::string out;
  for (const auto& [kind, count] : kinds) {
    out += (out.empty() ? "" : ", ") + (count > 1 ? std::to_string(count) + " " : "") + kind;
  }
  return out;
}

std::string joints_of(const Model& m, int body) {
  std::string out;
  for (int k = 0; k < m.body_jntnum[at(body)]; ++k) {
    const int j = m.body_jntadr[at(body)] + k;
    out += (out.empty() ? "" : ", ") + called(m.joint_name(j), j);
  }
  return out;
}

// Bodies are numbered depth first, so the tree is printed in their order. `last` says for each body
// whether it is the last child of its parent; the lines left of it depend on its ancestors.
std::string bodies(const Model& m) {
  std::vector<bool> last(at(m.n.nbody), true);
  std::vector<int> newest(at(m.n.nbody), -1);
  for (int b = m.n.nbody - 1; b > 0; --b) {
    int& child = newest[at(m.body_parentid[at(b)])];
    last[at(b)] = child < 0;
    child = b;
  }
  Table t("lrrll");
  t.row("body", "mass (kg)", "with children", "joints", "geoms");
  for (int b = 0; b < m.n.nbody; ++b) {
    std::string branch = b == 0 ? "" : last[at(b)] ? "└─ " : "├─ ";
    for (int up = m.body_parentid[at(b)]; b > 0 && up > 0; up = m.body_parentid[at(up)]) {
      branch = (last[at(up)] ? "   " : "│  ") + branch;
    }
    t.row(branch + (b == 0 ? "world" : called(m.body_name(b), b)),
          format("%.4g", m.body_mass[at(b)]), format("%.4g", m.body_subtreemass[at(b)]),
          joints_of(m, b), geoms_of(m, b));
  }
  return t.text();
}

std::string joints(const Model& m) {
  Table t("lll");
  t.row("joint", "type", "body", "qpos", "range", "stiffness", "damping", "armature");
  for (int j = 0; j < m.n.njnt; ++j) {
    const int dof = m.jnt_dofadr[at(j)], body = m.jnt_bodyid[at(j)];
    t.row(called(m.joint_name(j), j), word<corten::JointType>(m.jnt_type[at(j)]),
          called(m.body_name(body), body), std::to_string(m.jnt_qposadr[at(j)]),
          m.jnt_limited[at(j)] != 0 ? range(m.jnt_range, j) : "",
          format("%.4g", m.jnt_stiffness[at(j)]), format("%.4g", m.dof_damping[at(dof)]),
          format("%.4g", m.dof_armature[at(dof)]));
  }
  return t.text();
}

// what an actuator acts on
std::string target(const Model& m, int i) {
  using corten::ObjectType;
  using corten::TransmissionType;
  const int id = m.actuator_trnid[at(2 * i)];
  const auto of = [&](ObjectType type) { return object(m, static_cast<int>(type), id); };
  switch (static_cast<TransmissionType>(m.actuator_trntype[at(i)])) {
    case TransmissionType::joint:
    case TransmissionType::jointinparent: return of(ObjectType::joint);
    case TransmissionType::tendon: return of(ObjectType::tendon);
    case TransmissionType::body: return of(ObjectType::body);
    case TransmissionType::slidercrank: return "crank at " + of(ObjectType::site);
    case TransmissionType::site: return of(ObjectType::site);
    case TransmissionType::so3: return "orientation of " + of(ObjectType::site);
    default: return "";
  }
}

std::string actuators(const Model& m) {
  Table t("lllll");
  t.row("actuator", "acts on", "gain", "bias", "dynamics", "gear", "control range", "force range");
  for (int i = 0; i < m.n.nactuator; ++i) {
    const int u = m.actuator_ctrladr[at(i)], out = m.actuator_outadr[at(i)];
    const bool controlled = m.actuator_ctrlnum[at(i)] > 0;
    t.row(called(m.actuator_name(i), i), target(m, i),
          word<corten::GainType>(m.actuator_gaintype[at(i)]),
          word<corten::BiasType>(m.actuator_biastype[at(i)]),
          word<corten::DynamicsType>(m.actuator_dyntype[at(i)]),
          format("%.4g", m.actuator_gear[at(6 * out)]),
          controlled && m.actuator_ctrllimited[at(u)] != 0 ? range(m.actuator_ctrlrange, u) : "",
          m.actuator_forcelimited[at(i)] != 0 ? range(m.actuator_forcerange, i) : "");
  }
  return t.text();
}

std::string sensors(const Model& m) {
  constexpr std::string_view kinds[] = {
#define X(word, target, object, dim, data, stage) #word,
    CORTEN_SENSOR_TABLE(X)
#undef X
  };
  Table t("lll");
  t.row("sensor", "kind", "measures", "numbers", "first");
  for (int i = 0; i < m.n.nsensor; ++i) {
    const auto type = at(m.sensor_type[at(i)]);
    t.row(called(m.sensor_name(i), i), type < std::size(kinds) ? kinds[type] : "own kind",
          object(m, m.sensor_objtype[at(i)], m.sensor_objid[at(i)]),
          std::to_string(m.sensor_dim[at(i)]), std::to_string(m.sensor_adr[at(i)]));
  }
  return t.text();
}

std::string keyframes(const Model& m) {
  std::string out;
  for (int k = 0; k < m.n.nkey; ++k) out += called(m.key_name(k), k) + "\n";
  return out;
}

// What the reader ignored, and what is odd about the start: the states of a pass at the reference
// pose, and geoms that begin inside each other.
std::string warnings(const ModelFile& file) {
  std::string out;
  for (const corten::Error& w : file.spec.warnings) out += w.to_string() + "\n";
  const Model& m = file.model;
  corten::Data<double> data(m);
  const corten::Status status = corten::forward(m, data);
  if (!status) out += "at the reference pose: " + status.to_string() + "\n";
  for (const auto& c : corten::contacts(m, data)) {
    if (c.dist > -1e-3) continue;
    out += "at the reference pose, geoms " + called(m.geom_name(c.geoms[0]), c.geoms[0]) + " and " +
           called(m.geom_name(c.geoms[1]), c.geoms[1]) + " overlap by " +
           format("%.3g m", -c.dist) + "\n";
  }
  return out.empty() ? "none\n" : out;
}

// ---- the command --------------------------------------------------------------------------------

struct Section {
  std::string_view name;
  std::string (*text)(const ModelFile&);
  bool (*present)(const Model&);
};

constexpr Section sections[] = {
    {"sizes", [](const ModelFile& f) { return overview(f.model); },
     [](const Model&) { return true; }},
    {"bodies", [](const ModelFile& f) { return bodies(f.model); },
     [](const Model&) { return true; }},
    {"joints", [](const ModelFile& f) { return joints(f.model); },
     [](const Model& m) { return m.n.njnt > 0; }},
    {"actuators", [](const ModelFile& f) { return actuators(f.model); },
     [](const Model& m) { return m.n.nactuator > 0; }},
    {"sensors", [](const ModelFile& f) { return sensors(f.model); },
     [](const Model& m) { return m.n.nsensor > 0; }},
    {"keyframes", [](const ModelFile& f) { return keyframes(f.model); },
     [](const Model& m) { return m.n.nkey > 0; }},
    {"warnings", warnings, [](const Model&) { return true; }},
};
constexpr std::string_view section_names =
    "sizes bodies joints actuators sensors keyframes warnings";

corten::Result<std::vector<const Section*>> choose(const std::string& text) {
  std::vector<const Section*> out;
  for (const std::string_view name : corten::io::split(text, ',')) {
    const auto found = std::find_if(std::begin(sections), std::end(sections),
                                    [&](const Section& s) { return s.name == name; });
    if (found == std::end(sections)) {
      std::vector<std::string_view> names;
      for (const Section& s : sections) names.push_back(s.name);
      return usage_error("--only: there is no section '" + std::string(name) + "'",
                         corten::spec::suggest(name, names));
    }
    out.push_back(&*found);
  }
  return out;
}

constexpr OptionInfo options[] = {
    {"--only", "SECTION,...",
     "sizes, bodies, joints, actuators, sensors, keyframes, warnings; all if not given",
     section_names},
};

int run(std::span<char* const> argv) {
  const auto args = parse_args(argv, options);
  if (!args) return complain(args.error(), bad_usage);
  if (args->files.size() != 1) {
    return complain(usage_error("info needs one model file"), bad_usage);
  }
  const auto chosen = choose(args->get("--only"));
  if (!chosen) return complain(chosen.error(), bad_usage);
  const auto file = read_model(args->files[0], true);
  if (!file) return complain(file.error(), failure);

  const Style style{wants_colours(stdout)};
  const Model& m = file->model;
  std::string out;
  if (chosen->empty()) {
    const std::string name = m.names.model.empty() ? args->files[0] : m.names.model;
    out += style.bold(name) + (file->compiled ? " (a compiled model)" : "") + "\n";
  }
  for (const Section& s : sections) {
    const bool asked = std::find(chosen->begin(), chosen->end(), &s) != chosen->end();
    if (!asked && (!chosen->empty() || !s.present(m))) continue;
    if (chosen->size() != 1) out += "\n" + style.bold(s.name) + "\n";
    out += s.text(*file);
  }
  return std::fputs(out.c_str(), stdout) < 0 ? failure : success;
}

constexpr Example examples[] = {
    {"corten info robot.xml", "everything"},
    {"corten info robot.xml --only bodies", "the tree of bodies with their masses"},
    {"corten info robot.xml --only joints,actuators", "two sections"},
};

}  // namespace

const Command info_command = {
    .name = "info",
    .arguments = "MODEL.xml",
    .summary = "show what a model consists of",
    .description =
        "Shows the sizes of a model, its tree of bodies with their masses, its joints, actuators, "
        "sensors and keyframes. The warnings say what the reader ignored and which geoms overlap "
        "at the reference pose.",
    .options = options,
    .examples = examples,
    .choices = "",
    .run = run};

}  // namespace cli
