// SPDX-License-Identifier: Apache-2.0
//
// From a Spec back to an MJCF file or text:
//
//   if (const auto done = corten::save(spec, "robot.xml"); !done) {
//     std::puts(done.error().to_string().c_str());
//   }
//
// The spec is compiled first. This makes sure that what is written can be read again, and the
// keyframes of attached models and inertias that follow other rules than the model's own are known
// only then.
//
// source_of packs the text together with the files that it mentions, so that a compiled model can
// carry both:
//
//   std::string bytes = corten::to_bytes(model, corten::source_of(spec).value());
#pragma once

#include <corten/asset/file.hpp>
#include <corten/asset/source.hpp>
#include <corten/compile/compile.hpp>
#include <corten/mjcf/files.hpp>
#include <corten/mjcf/read.hpp>
#include <corten/mjcf/write.hpp>
#include <corten/mjcf/xml_writer.hpp>
#include <corten/spec/settle.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace corten {

namespace detail {

// Keyframe i of a model.
CORTEN_COLD void copy_key(const Model<double>& m, int i, spec::Key& key) {
  const auto part = [&](const List<double>& all, int width, auto& to) {
    const auto first = all.begin() + std::ptrdiff_t{i} * width;
    if (width > 0) to.emplace(first, first + width);
  };
  part(m.key_qpos, m.n.nq, key.qpos);
  part(m.key_qvel, m.n.nv, key.qvel);
  part(m.key_act, m.n.na, key.act);
  part(m.key_ctrl, m.n.nu, key.ctrl);
  part(m.key_mpos, 3 * m.n.nmocap, key.mpos);
  part(m.key_mquat, 4 * m.n.nmocap, key.mquat);
  key.attached = false;
}

// Does the compiler move the body of this free joint to its centre of mass?
CORTEN_COLD bool is_aligned(const Spec& spec, const spec::Body& body, const spec::Joint& joint) {
  const auto align = joint.align.value_or(spec::Tristate::automatic);
  const spec::Compiler& own =
      body.origin > 0 ? spec.origins[static_cast<std::size_t>(body.origin - 1)] : spec.compiler;
  return align == spec::Tristate::yes ||
         (align == spec::Tristate::automatic && own.alignfree.value_or(false));
}

// Can this free <joint>, with its classes applied, be written as a <freejoint>?
CORTEN_COLD bool is_plain(spec::Joint joint) {
  joint.name.clear();
  joint.class_name.clear();
  joint.type.reset();
  joint.group.reset();
  joint.pos.reset();
  joint.axis.reset();
  mjcf::XmlWriter xml;
  xml.begin("joint");
  xml.attributes(joint, spec::Joint::kind_joint);
  xml.end_unless_empty();
  return xml.take().empty();
}

// Writes down for each <freejoint> whether it is aligned. A <joint> has no such attribute: `follow`
// and `differ` count those that are aligned and those that are not. With `replace`, joints become a
// <freejoint> where possible.
struct AlignmentSettler {
  const Spec& from;
  bool replace = false;
  int follow = 0, differ = 0;

  CORTEN_COLD void body(spec::Body& b, const std::string& outer) {
    const List<std::string> classes = spec::classes_in(b, outer);
    for (spec::Joint& j : b.joints) {
      spec::Joint whole = j;
      static_cast<void>(
          spec::apply_class(from, whole, classes[static_cast<std::size_t>(j.frame + 1)]));
      if (!j.is_freejoint && whole.type != JointType::free) continue;
      const bool aligned = is_aligned(from, b, j);
      if (!j.is_freejoint && replace && is_plain(whole)) {
        j.is_freejoint = true;
        j.type = JointType::free;
        j.group = whole.group;
        j.class_name.clear();
      }
      if (j.is_freejoint) {
        j.align = aligned ? spec::Tristate::yes : spec::Tristate::no;
      } else {
        ++(aligned ? follow : differ);
      }
    }
    for (spec::Body& child : b.bodies) {
      body(child, classes[static_cast<std::size_t>(child.frame + 1)]);
    }
  }
};

CORTEN_COLD void forbid_alignment(spec::Body& body) {
  for (spec::Joint& j : body.joints) j.align = spec::Tristate::no;
  for (spec::Body& child : body.bodies) forbid_alignment(child);
}

// Takes inertias from the model, whose bodies are numbered depth first.
CORTEN_COLD void copy_inertias(const Model<double>& m, spec::Body& body, std::size_t& next) {
  const std::size_t b = next++;
  if (b > 0) {
    spec::Inertial& i = body.inertial.emplace();
    const double *pos = &m.body_ipos[3 * b], *quat = &m.body_iquat[4 * b];
    const double* moments = &m.body_inertia[3 * b];
    i.pos = {pos[0], pos[1], pos[2]};
    i.orientation.quat = {quat[0], quat[1], quat[2], quat[3]};
    i.mass = m.body_mass[b];
    i.diaginertia = {moments[0], moments[1], moments[2]};
  }
  for (spec::Body& child : body.bodies) copy_inertias(m, child, next);
}

// Writes explicit inertias for parts that follow different inertia rules, as they are before bodies
// are aligned or fused and the whole model is scaled.
CORTEN_COLD Result<void> settle_inertias(Spec& spec, const Extensions& extensions) {
  Spec plain = spec;
  forbid_alignment(plain.world);
  plain.compiler.alignfree = plain.compiler.fusestatic = plain.compiler.discardvisual = false;
  plain.compiler.settotalmass.reset();
  for (spec::Compiler& c : plain.origins) c.alignfree = false;
  const Result<Model<double>> model = compile(plain, extensions);
  if (!model) return model.error();

  const Spec before = spec;
  AlignmentSettler settler{before};
  settler.body(spec.world, {});
  if (settler.follow > 0 && settler.differ > 0) {
    settler.follow = settler.differ = 0;
    settler.replace = true;
    settler.body(spec.world, {});
  }
  if (settler.follow > 0 && settler.differ > 0) {
    return Error{
        spec.compiler.where, "mujoco/compiler",
        "alignfree holds for some free joints with attributes only, which cannot be written",
        "use <freejoint>"};
  }
  std::size_t next = 0;
  copy_inertias(*model, spec.world, next);
  spec::Compiler& c = spec.compiler;
  c.alignfree = settler.follow > 0;
  c.boundmass.reset();
  c.boundinertia.reset();
  c.balanceinertia.reset();
  c.inertiafromgeom.reset();
  c.inertiagrouprange.reset();
  for (spec::Compiler& other : spec.origins) {
    other.alignfree = c.alignfree;
    other.boundmass = c.boundmass;
    other.boundinertia = c.boundinertia;
    other.balanceinertia = c.balanceinertia;
    other.inertiafromgeom = c.inertiafromgeom;
    other.inertiagrouprange = c.inertiagrouprange;
  }
  return {};
}

}  // namespace detail

// For joint and geom kinds of your own, pass the extensions that they are compiled with.
CORTEN_COLD Result<std::string> save_string(const Spec& spec, const Extensions& extensions = {}) {
  const Result<Model<double>> model = compile(spec, extensions);
  if (!model) return model.error();
  Spec copy = spec;
  for (std::size_t i = 0; i < copy.keys.size(); ++i) {
    if (copy.keys[i].attached) detail::copy_key(*model, static_cast<int>(i), copy.keys[i]);
  }
  bool same = true;
  for (const spec::Compiler& c : spec.origins) same = same && spec::same_inertias(c, spec.compiler);
  if (!same) {
    if (const auto done = detail::settle_inertias(copy, extensions); !done) return done.error();
  }
  return mjcf::write(copy, extensions);
}

CORTEN_COLD Result<void> save(const Spec& spec, const std::string& path,
                              const Extensions& extensions = {}) {
  const Result<std::string> text = save_string(spec, extensions);
  if (!text) return text.error();
  return save_file(path, *text);
}

namespace detail {

// A plain name for a file, after its path. The same content under the same name is one file; other
// content gets a number.
CORTEN_COLD std::string add_file(Source& to, const std::string& path, const std::string& bytes) {
  std::string name = path.substr(mjcf::detail::directory_of(path).size());
  if (name.size() > 100) name.erase(0, name.size() - 100);
  for (char& c : name) {
    if (!is_plain_name(std::string_view(&c, 1))) c = c == '.' ? '.' : '_';
  }
  if (name.empty() || name.front() == '.') name.insert(0, "file");
  const std::size_t dot = std::min(name.rfind('.'), name.size());
  std::string tried = name;
  for (int i = 2;; ++i) {
    const Source::File* known = to.find(tried);
    if (known == nullptr) break;
    if (known->bytes == bytes) return tried;
    tried = name.substr(0, dot) + "_" + std::to_string(i) + name.substr(dot);
  }
  to.files.push_back({tried, bytes});
  return tried;
}

}  // namespace detail

// Everything that the model of a spec is made of. What the text mentions but cannot be read, a
// texture say, is left out.
CORTEN_COLD Result<Source> source_of(const Spec& spec, const Extensions& extensions = {}) {
  Source out;
  Spec copy = spec;
  mjcf::rename_files(copy, [&](const std::string& path, const std::string& bytes) {
    return detail::add_file(out, path, bytes);
  });
  const Result<std::string> text = save_string(copy, extensions);
  if (!text) return text.error();
  out.mjcf = *text;
  return out;
}

// The text of a source whose files have been written to `folder`, which is relative to the text.
CORTEN_COLD Result<std::string> save_string(const Source& source, const std::string& folder,
                                            const Extensions& extensions = {}) {
  mjcf::ReadOptions options;
  options.extensions = &extensions;
  options.load = [&](const std::string& path) -> std::optional<std::string> {
    const Source::File* file = source.find(path);
    if (file == nullptr) return std::nullopt;
    return file->bytes;
  };
  Result<Spec> spec = mjcf::parse(source.mjcf, options);
  if (!spec) return spec.error();
  if (!source.files.empty()) spec->compiler.assetdir = folder;
  return mjcf::write(*spec, extensions);
}

}  // namespace corten
