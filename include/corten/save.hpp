// SPDX-License-Identifier: Apache-2.0
//
// From a Spec back to an MJCF file or text:
//
//   if (const auto problem = corten::save(spec, "robot.xml")) std::puts(problem->to_string().c_str());
//
// The spec is compiled first, so that what is written can be read again; and because the keyframes of
// attached models are known only then.
#pragma once

#include <corten/compile/compile.hpp>
#include <corten/mjcf/write.hpp>

#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>

namespace corten {

namespace detail {

// keyframe i of a model
CORTEN_COLD void copy_key(const Model<double>& m, int i, spec::Key& key) {
  const auto part = [&](const std::vector<double>& all, int width, auto& to) {
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

}  // namespace detail

// Kinds of joints and geoms of your own need the extensions that they are compiled with.
CORTEN_COLD Result<std::string> save_string(const Spec& spec, const Extensions& extensions = {}) {
  const Result<Model<double>> model = compile(spec, extensions);
  if (!model) return model.error();
  Spec copy = spec;
  for (std::size_t i = 0; i < copy.keys.size(); ++i) {
    if (copy.keys[i].attached) detail::copy_key(*model, static_cast<int>(i), copy.keys[i]);
  }
  return mjcf::write(copy);
}

CORTEN_COLD std::optional<Error> save(const Spec& spec, const std::string& path,
                                      const Extensions& extensions = {}) {
  const Result<std::string> text = save_string(spec, extensions);
  if (!text) return text.error();
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  const bool written =
      file != nullptr && std::fwrite(text->data(), 1, text->size(), file) == text->size();
  const bool closed = file != nullptr && std::fclose(file) == 0;
  if (written && closed) return {};
  return Error{{path, 0, 0}, {}, "cannot write the file", {}};
}

}  // namespace corten
