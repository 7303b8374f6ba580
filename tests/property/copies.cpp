// SPDX-License-Identifier: Apache-2.0
//
// The same model obtained in another way: written and read back, from bytes, with or without
// islands, with its bodies in another order.
#include <corten/model/bytes.hpp>
#include <corten/save.hpp>

#include "property.hpp"

#include <string_view>
#include <vector>

namespace property {

namespace {

using namespace corten;

// Equal, or both NaN: as in MuJoCo, the fluid coefficients of an infinite plane are NaN.
template <class T>
bool same(const T& a, const T& b) {
  return a == b || (a != a && b != b);
}

// the first field in which two models differ
std::string difference(const Model<double>& a, const Model<double>& b) {
#define X(name, meaning) \
  if (a.n.name != b.n.name) return #name;
  CORTEN_MODEL_SIZES(X)
#undef X
#define X(type, name, width, ...) \
  if (!(a.opt.name == b.opt.name)) return #name;
  CORTEN_MODEL_OPTIONS(X)
#undef X
#define X(kind, word) \
  if (!(a.names.kind == b.names.kind)) return "names of " #kind;
  CORTEN_MODEL_NAMES(X)
#undef X
#define X(type, name, rows, width, meaning)                           \
  for (std::size_t i = 0; i < a.name.size(); ++i) {                   \
    if (!same(a.name[i], b.name[i])) {                                \
      return std::string(#name) + "[" + std::to_string(i) +           \
             "]: " + std::to_string(double(a.name[i])) + " became " + \
             std::to_string(double(b.name[i]));                       \
    }                                                                 \
  }
  CORTEN_MODEL_FIELDS(X)
#undef X
  return to_bytes(a) == to_bytes(b) ? std::string() : std::string("bytes differ");
}

}  // namespace

// to the last bit: numbers are written so that they read back exactly
std::string text_is_the_same_model(const Case& c) {
  const Result<std::string> text = save_string(c.spec);
  if (!text) return "cannot be written: " + text.error().to_string();
  const Result<Model<double>> again = load_string(*text);
  if (!again) return "cannot be read: " + again.error().to_string();
  return difference(c.model, *again);
}

std::string bytes_are_the_same_model(const Case& c) {
  const Result<Model<double>> again = from_bytes(to_bytes(c.model));
  if (!again) return again.error().to_string();
  return difference(c.model, *again);
}

// Islands are solved one by one or all together: the accelerations are the same, up to the accuracy
// of the solver's forces.
std::string islands_change_nothing(const Case& c) {
  Model<double> m = converging(c.model);
  Data<double> one = c.data, other = c.data;
  m.opt.disableflags &= ~disable_island;
  const Status a = forward(m, one);
  m.opt.disableflags |= disable_island;
  const Status b = forward(m, other);
  if (!a || !b) return failure("forward", Status{a.bits | b.bits});
  if (!has_converged(m, one) || !has_converged(m, other)) return {};
  const double scale = force_scale(m, one);
  std::vector<double> step(std::size_t(m.n.nv)), force(step.size(), 0.0);
  for (std::size_t i = 0; i < step.size(); ++i) step[i] = one.qacc()[i] - other.qacc()[i];
  multiply_M(make_ref<DefaultPolicies>(m), one.ref(), Field<double>{step.data()},
             Field<double>{force.data()});
  Comparison out;
  for (int i = 0; i < m.n.nv; ++i) out.near("M Δqacc", i, force[std::size_t(i)], 0, 1e-6 * scale);
  return out.text();
}

// Rows are stored dense or compressed: the numbers are the same, up to the order of additions.
std::string compressed_rows_change_nothing(const Case& c) {
  Model<double> dense = c.model, packed = c.model;
  dense.opt.jacobian = int(JacobianKind::dense);
  packed.opt.jacobian = int(JacobianKind::sparse);
  Data<double> a(dense), b(packed);
  Comparison out;
  for (int k = 0; k < 6; ++k) {
    dense.opt.solver = packed.opt.solver = k % 3;
    dense.opt.cone = packed.opt.cone = k / 3;
    // only Newton's method converges; CG on cones magnifies rounding from step to step
    dense.opt.iterations = packed.opt.iterations = k % 3 == 2 ? 100 : k % 3 == 1 ? 1 : 3;
    dense.opt.noslip_iterations = packed.opt.noslip_iterations = k == 5 ? 2 : 0;
    copy_states(c.data.ref(), a.ref());
    copy_states(c.data.ref(), b.ref());
    Status status = forward(dense, a);
    status.bits |= forward(packed, b).bits;                                  // makes room
    status.bits |= forward(make_ref<DefaultPolicies>(dense), b.ref()).bits;  // the same rows
    if (status.overflow()) continue;  // dense models keep rows that nothing moves
    if (!status) return failure("forward", status);
    const auto &x = a.ref(), &y = b.ref();
    if (x.nefc != y.nefc) return "other rows";
    for (int r = 0; r < x.nefc; ++r) {
      if (jacobian_row(x, r) != jacobian_row(y, r)) return "other entries";
    }
    out.field("efc_diagA", x.efc_diagA, y.efc_diagA, x.nefc, 1e-9);
    out.field("efc_vel", x.efc_vel, y.efc_vel, x.nefc, 1e-12);
    const double scale = force_scale(dense, a);
    for (int i = 0; i < dense.n.nv; ++i) {
      out.near("qfrc_constraint", i, x.qfrc_constraint[i], y.qfrc_constraint[i], 1e-7 * scale);
    }
  }
  return out.text();
}

namespace {

void shuffle(support::Draw& draw, spec::Body& body) {
  std::vector<spec::Body> children;
  for (const spec::Body& child : body.bodies) children.push_back(child);
  body.bodies.clear();
  while (!children.empty()) {
    const int k = draw.below(int(children.size()));
    body.bodies.push_back(children[std::size_t(k)]);
    children.erase(children.begin() + k);
  }
  for (spec::Body& child : body.bodies) shuffle(draw, child);
}

// the index in one list of each name in another
std::vector<int> places(const List<std::string>& from, const List<std::string>& to) {
  std::vector<int> out;
  for (const std::string& name : from) {
    int at = -1;
    for (std::size_t k = 0; k < to.size(); ++k) at = to[k] == name ? int(k) : at;
    out.push_back(at);
  }
  return out;
}

// the same model twice, with bodies and joints in another order
struct Permuted {
  const Model<double>&first, &second;
  std::vector<int> body, joint;

  Permuted(const Model<double>& a, const Model<double>& b)
      : first(a),
        second(b),
        body(places(a.names.body, b.names.body)),
        joint(places(a.names.jnt, b.names.jnt)) {}

  // f(coordinate in the first, coordinate in the second)
  template <class F>
  void each_coordinate(F&& f) const {
    for (std::size_t j = 0; j < joint.size(); ++j) {
      const auto k = std::size_t(joint[j]);
      const bool free = first.jnt_type[j] == int(JointType::free);
      const bool ball = first.jnt_type[j] == int(JointType::ball);
      for (int i = 0; i < (free ? 7 : ball ? 4 : 1); ++i) {
        f(first.jnt_qposadr[j] + i, second.jnt_qposadr[k] + i);
      }
    }
  }
  template <class F>
  void each_dof(F&& f) const {
    for (std::size_t j = 0; j < joint.size(); ++j) {
      const auto k = std::size_t(joint[j]);
      const bool free = first.jnt_type[j] == int(JointType::free);
      const bool ball = first.jnt_type[j] == int(JointType::ball);
      for (int i = 0; i < (free ? 6 : ball ? 3 : 1); ++i) {
        f(first.jnt_dofadr[j] + i, second.jnt_dofadr[k] + i);
      }
    }
  }

  Data<double> state(const Data<double>& from) const {
    Data<double> out(second);
    const auto &x = from.ref(), &y = out.ref();
    each_coordinate([&](int i, int k) { y.qpos[k] = x.qpos[i]; });
    each_dof([&](int i, int k) {
      y.qvel[k] = x.qvel[i];
      y.qfrc_applied[k] = x.qfrc_applied[i];
    });
    for (std::size_t b = 0; b < body.size(); ++b) {
      for (int i = 0; i < 6; ++i) y.xfrc_applied[6 * body[b] + i] = x.xfrc_applied[6 * int(b) + i];
      const int m = first.body_mocapid[b], n = second.body_mocapid[std::size_t(body[b])];
      for (int i = 0; m >= 0 && i < 3; ++i) y.mocap_pos[3 * n + i] = x.mocap_pos[3 * m + i];
      for (int i = 0; m >= 0 && i < 4; ++i) y.mocap_quat[4 * n + i] = x.mocap_quat[4 * m + i];
    }
    for (int i = 0; i < first.n.na; ++i) y.act[i] = x.act[i];
    for (int i = 0; i < first.n.nu; ++i) y.ctrl[i] = x.ctrl[i];
    for (int i = 0; i < first.n.nhistory; ++i) y.history[i] = x.history[i];
    return out;
  }
};

}  // namespace

// Siblings in another order get other numbers, but name by name the model does the same, up to
// rounding. Contacts are left out, because the order of two geoms decides where a convex collider
// starts.
std::string order_of_siblings_changes_nothing(const Case& c) {
  // which bodies are fused depends on their order, as in MuJoCo (compile/fuse.hpp)
  if (c.spec.compiler.fusestatic.value_or(false)) return {};
  Spec spec = c.spec;
  support::Draw draw(c.seed);
  shuffle(draw, spec.world);
  Result<Model<double>> compiled = compile(spec);
  if (!compiled) return "does not compile: " + compiled.error().to_string();
  Model<double> m = converging(c.model), other = converging(*compiled);
  m.opt.disableflags |= disable_contact;
  other.opt.disableflags |= disable_contact;
  const Permuted map(m, other);
  for (const auto* list : {&map.body, &map.joint}) {
    for (const int k : *list) {
      if (k < 0) return "a name is lost";
    }
  }
  Data<double> a = c.data, b = map.state(c.data);
  const Status first = forward(m, a), second = forward(other, b);
  if (!first || !second) return failure("forward", Status{first.bits | second.bits});

  Comparison out;
  const auto &x = a.ref(), &y = b.ref();
  for (std::size_t k = 0; k < map.body.size(); ++k) {
    for (int i = 0; i < 3; ++i) {
      const int from = 3 * int(k) + i, to = 3 * map.body[k] + i;
      out.near("xpos", from, x.xpos[from], y.xpos[to], 1e-12);
      out.near("body_inertia", from, m.body_inertia[std::size_t(from)],
               other.body_inertia[std::size_t(to)], 1e-12);
    }
  }
  const double scale = force_scale(m, a);
  const bool converged =
      a.nefc() == b.nefc() && has_converged(m, a) && has_converged(other, b) && !has_hard_rows(a);
  map.each_dof([&](int i, int k) {
    out.near("qfrc_bias", i, x.qfrc_bias[i], y.qfrc_bias[k], 1e-9 * scale);
    out.near("qfrc_passive", i, x.qfrc_passive[i], y.qfrc_passive[k], 1e-9 * scale);
    out.near("qfrc_actuator", i, x.qfrc_actuator[i], y.qfrc_actuator[k], 1e-9 * scale);
    if (!converged) return;
    out.near("qfrc_constraint", i, x.qfrc_constraint[i], y.qfrc_constraint[k], 1e-6 * scale);
  });
  for (int t = 0; t < m.n.ntendon; ++t) {
    out.near("ten_length", t, x.ten_length[t], y.ten_length[t], 1e-12);
  }
  // within one rigid part, rounding decides whether a distance has a row
  bool rigid = false;
  for (const int type : m.eq_type) rigid = rigid || type == int(EqualityType::distance);
  if (a.nefc() != b.nefc() && !rigid) out.fail("different numbers of rows");
  return out.text();
}

}  // namespace property
