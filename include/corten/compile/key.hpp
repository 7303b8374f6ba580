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

// Writes one part of a keyframe, with `width` numbers per element. An absent part is `rest`. A part
// that is too short is completed from `fill`, if that is long enough.
CORTEN_COLD Result<void> write_key_part(List<double>& field, const List<double>& rest,
                                        const List<double>& fill, int width, int i,
                                        const spec::Key& key, const Optional<List<double>>& given,
                                        const char* name) {
  const bool absent = !given || given->empty();
  List<double> all = absent ? rest : *given;
  const std::size_t elements = all.size() / static_cast<std::size_t>(width);
  if (all.size() != rest.size() && elements * static_cast<std::size_t>(width) < fill.size()) {
    all.resize(elements * static_cast<std::size_t>(width));
    all.append(fill.data() + all.size(), fill.data() + fill.size());
  }
  if (all.size() != rest.size()) {
    return key.error(std::string(name) + " has " + std::to_string(given->size()) +
                         " values, expected " + std::to_string(rest.size()),
                     std::string("give the ") + name + " of the whole model, or leave it out");
  }
  std::copy(all.begin(), all.end(), field.begin() + static_cast<std::ptrdiff_t>(rest.size()) * i);
  return {};
}

// The numbers that complete a qpos that is too short. MuJoCo completes it before it compiles
// joints, so angles are in the units of the text. A free joint gets the pose written in its body
// if its type comes from a default class, and zeros if the joint itself states it.
CORTEN_COLD List<double> written_qpos(const Draft& d) {
  const Model<double>& m = d.m;
  List<double> out(m.qpos0.size());
  for (const BodyEntry& b : d.bodies) {
    for (int k = 0; k < b.num_joints; ++k) {
      const spec::Joint& e = at(d.joints, b.joint + k);
      double* q = &at(out, at(m.jnt_qposadr, b.joint + k));
      const spec::Joint& given = at(b.spec->joints, k);
      if (given.is_freejoint || given.type || e.type != JointType::free) {
        q[0] = e.ref.value_or(0);
        continue;
      }
      const spec::Numbers<3> pos = b.spec->pos.value_or(spec::Numbers<3>{0, 0, 0});
      const spec::Numbers<4> quat = b.spec->orientation.quat.value_or(spec::Numbers<4>{1, 0, 0, 0});
      std::copy(pos.begin(), pos.end(), q);
      std::copy(quat.begin(), quat.end(), q + 3);
    }
  }
  return out;
}

// Zeros, as many as MuJoCo expects before it compiles actuators: one control per actuator, and one
// activation per actuator with dynamics unless actdim says otherwise. If the final number differs,
// short parts are not completed.
CORTEN_COLD List<double> written_actuators(const Draft& d, bool activations) {
  int count = 0;
  for (const spec::Actuator& e : d.actuators) {
    const int actdim = e.actdim.value_or(-1);
    const bool dynamic = e.dyntype.value_or(DynamicsType::none) != DynamicsType::none;
    count += activations ? (actdim > 0 ? actdim : (dynamic ? 1 : 0)) : 1;
  }
  return List<double>(static_cast<std::size_t>(count));
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

// copies the numbers of one element into its place in a part of a key
CORTEN_COLD void put_kept(const List<double>& numbers, List<double>& field, int first) {
  std::copy(numbers.begin(), numbers.end(), field.begin() + first);
}

// Fills a key of an attached model: its numbers are stored with the elements (spec/keyframes.hpp)
// and replace those of the reference pose.
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
  if (m.n.nkey == 0) return;
  const auto zeros = [](int count) { return List<double>(static_cast<std::size_t>(count)); };
  const List<double> qvel = zeros(m.n.nv), act = zeros(m.n.na), ctrl = zeros(m.n.nu);
  List<double> mpos, mquat, fill_mpos, fill_mquat;  // mocap bodies have ascending ids
  for (int b = 0; b < m.n.nbody; ++b) {
    if (at(m.body_mocapid, b) < 0) continue;
    const Vec3d pos = row<3>(m.body_pos, b);
    const Quatd quat = row<4>(m.body_quat, b);
    mpos.append(pos.data(), pos.data() + 3);
    mquat.append(quat.data(), quat.data() + 4);
    const spec::Body& e = *at(d.bodies, b).spec;
    for (const double x : e.pos.value_or(spec::Numbers<3>{0, 0, 0})) fill_mpos.push_back(x);
    for (const double x : e.orientation.quat.value_or(spec::Numbers<4>{1, 0, 0, 0}))
      fill_mquat.push_back(x);
  }
  const List<double> fill_qpos = detail::written_qpos(d),
                     fill_act = detail::written_actuators(d, true),
                     fill_ctrl = detail::written_actuators(d, false);
  const spec::Key blank;  // <size nkey> can ask for more keys than are given
  for (int i = 0; i < m.n.nkey; ++i) {
    const bool given = i < static_cast<int>(d.spec.keys.size());
    const spec::Key& key = given ? at(d.spec.keys, i) : blank;
    put(m.key_time, i, key.time.value_or(0));
    const auto part = [&](List<double>& field, const List<double>& rest, const List<double>& fill,
                          int width, const Optional<List<double>>& numbers, const char* name) {
      d.note(key, detail::write_key_part(field, rest, fill, width, i, key, numbers, name));
    };
    part(m.key_qpos, m.qpos0, fill_qpos, 1, key.qpos, "qpos");
    part(m.key_qvel, qvel, qvel, 1, key.qvel, "qvel");
    part(m.key_act, act, fill_act, 1, key.act, "act");
    part(m.key_ctrl, ctrl, fill_ctrl, 1, key.ctrl, "ctrl");
    part(m.key_mpos, mpos, fill_mpos, 3, key.mpos, "mpos");
    part(m.key_mquat, mquat, fill_mquat, 4, key.mquat, "mquat");
    part(m.key_softpos, m.softvert_pos, m.softvert_pos, 1, key.softpos, "softpos");
    part(m.key_softvel, zeros(3 * m.n.nsoftvert), List<double>(), 1, key.softvel, "softvel");
    if (key.attached) detail::gather_key(d, i, key.name);
    detail::normalize_key(d, i);
  }
}

// the length of a custom field: its size attribute, or the length of its data
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
