// SPDX-License-Identifier: Apache-2.0
//
// Keyframes and custom numbers.
#pragma once

#include <corten/compile/frames.hpp>
#include <corten/core/list.hpp>
#include <corten/core/optional.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace corten::compiler {

namespace detail {

// One part of a keyframe; what is absent is `rest`. MuJoCo 3.12 completes a part that is too short
// with numbers that are not those of qpos0 (a ref in degrees, say), so a wrong size is an error here.
CORTEN_COLD Problem write_key_part(List<double>& field, const List<double>& rest,
                                   int i, const spec::Key& key,
                                   const Optional<List<double>>& given,
                                   const char* name) {
  const List<double>& from = given && !given->empty() ? *given : rest;
  if (from.size() != rest.size()) {
    return key.error(std::string(name) + " has " + std::to_string(from.size()) +
                         " values, expected " + std::to_string(rest.size()),
                     std::string("give the ") + name + " of the whole model, or leave it out");
  }
  std::copy(from.begin(), from.end(), field.begin() + static_cast<std::ptrdiff_t>(rest.size()) * i);
  return {};
}

inline void normalize_at(List<double>& field, int first) {
  Quatd q;
  for (int k = 0; k < 4; ++k) q[k] = at(field, first + k);
  spec::normalized(q);
  renormalize(q);
  for (int k = 0; k < 4; ++k) at(field, first + k) = q[k];
}

CORTEN_COLD void normalize_key(Draft& d, int i) {
  Model<double>& m = d.m;
  for (int j = 0; j < m.n.njnt; ++j) {
    const int quat = d.joint_kind(static_cast<JointType>(at(m.jnt_type, j))).quat;
    if (quat >= 0) normalize_at(m.key_qpos, i * m.n.nq + at(m.jnt_qposadr, j) + quat);
  }
  for (int k = 0; k < m.n.nmocap; ++k) normalize_at(m.key_mquat, 4 * (i * m.n.nmocap + k));
}

// numbers of one element in a part of a key, where it has them
CORTEN_COLD void put_kept(const List<double>& numbers, List<double>& field, int first) {
  std::copy(numbers.begin(), numbers.end(), field.begin() + first);
}

// A key of a model that was attached: its numbers are with the elements (spec/keyframes.hpp), on top of the
// reference pose.
CORTEN_COLD void gather_key(Draft& d, int i, const std::string& name) {
  Model<double>& m = d.m;
  for (int j = 0; j < m.n.njnt; ++j) {
    for (const spec::Kept& k : at(d.joints, j).kept) {
      if (k.key != name) continue;
      put_kept(k.first, m.key_qpos, i * m.n.nq + at(m.jnt_qposadr, j));
      put_kept(k.second, m.key_qvel, i * m.n.nv + at(m.jnt_dofadr, j));
    }
  }
  for (int a = 0; a < m.n.nactuator; ++a) {
    for (const spec::Kept& k : at(d.actuators, a).kept) {
      if (k.key != name) continue;
      if (!k.first.empty()) put_kept(k.first, m.key_act, i * m.n.na + at(m.actuator_actadr, a));
      put_kept(k.second, m.key_ctrl, i * m.n.nu + at(m.actuator_ctrladr, a));
    }
  }
  for (int b = 0; b < m.n.nbody; ++b) {
    if (at(m.body_mocapid, b) < 0) continue;
    const int mocap = i * m.n.nmocap + at(m.body_mocapid, b);
    for (const spec::Kept& k : at(d.bodies, b).spec->kept) {
      if (k.key != name) continue;
      put_kept(k.first, m.key_mpos, 3 * mocap);
      put_kept(k.second, m.key_mquat, 4 * mocap);
    }
  }
}

}  // namespace detail

CORTEN_COLD void write_keys(Draft& d) {
  Model<double>& m = d.m;
  const auto zeros = [](int count) { return List<double>(static_cast<std::size_t>(count)); };
  const List<double> qvel = zeros(m.n.nv), act = zeros(m.n.na), ctrl = zeros(m.n.nu);
  List<double> mpos, mquat;  // mocap bodies have ascending ids
  for (int b = 0; b < m.n.nbody; ++b) {
    if (at(m.body_mocapid, b) < 0) continue;
    const Vec3d pos = row<3>(m.body_pos, b);
    const Quatd quat = row<4>(m.body_quat, b);
    mpos.append(pos.data(), pos.data() + 3);
    mquat.append(quat.data(), quat.data() + 4);
  }
  const spec::Key blank;  // <size nkey> may ask for more than are given
  for (int i = 0; i < m.n.nkey; ++i) {
    const bool given = i < static_cast<int>(d.spec.keys.size());
    const spec::Key& key = given ? at(d.spec.keys, i) : blank;
    put(m.key_time, i, key.time.value_or(0));
    d.note(key, detail::write_key_part(m.key_qpos, m.qpos0, i, key, key.qpos, "qpos"));
    d.note(key, detail::write_key_part(m.key_qvel, qvel, i, key, key.qvel, "qvel"));
    d.note(key, detail::write_key_part(m.key_act, act, i, key, key.act, "act"));
    d.note(key, detail::write_key_part(m.key_ctrl, ctrl, i, key, key.ctrl, "ctrl"));
    d.note(key, detail::write_key_part(m.key_mpos, mpos, i, key, key.mpos, "mpos"));
    d.note(key, detail::write_key_part(m.key_mquat, mquat, i, key, key.mquat, "mquat"));
    if (key.attached) detail::gather_key(d, i, key.name);
    detail::normalize_key(d, i);
  }
}

// numbers of one custom field: its size, or as many as were given
inline int numeric_size(const spec::Numeric& e) {
  if (e.size.value_or(0) != 0) return *e.size;
  return e.data ? static_cast<int>(e.data->size()) : 0;
}

CORTEN_COLD void write_numerics(Draft& d) {
  Model<double>& m = d.m;
  int address = 0, i = 0;
  for (const spec::Numeric& e : d.spec.numerics) {
    if (d.has_failed(e)) continue;
    const int size = numeric_size(e);
    put(m.numeric_adr, i, address);
    put(m.numeric_size, i++, size);
    if (e.data) std::copy(e.data->begin(), e.data->end(), m.numeric_data.begin() + address);
    address += size;
  }
}

}  // namespace corten::compiler
